package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestMouseAndPermissions: pages are told of a mouse, Copy buttons work, and what
// else a page asks permission for is answered at once.
func TestMouseAndPermissions(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<p id=m></p><p id=n></p><p id=o>-</p><script>
		m.textContent = ['pointer:fine', 'any-pointer:fine', 'hover:hover', 'any-hover:hover'].map(q => matchMedia('(' + q + ')').matches).join();
		Notification.requestPermission().then(s => n.textContent = 'notify ' + s)</script>
		<button onclick="navigator.clipboard.writeText('words').then(() => o.textContent = 'Copied!', e => o.textContent = 'refused ' + e)">Copy</button>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if !strings.Contains(a.text, "true,true,true,true") {
		t.Errorf("the page knows of no mouse: %s", a.text)
	}
	if !strings.Contains(a.text, "notify d") { // denied or default: not pending
		t.Errorf("the page waits for an answer: %s", a.text)
	}
	a.sees("Copied!")(b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Copy")}))
}

// TestCheck: whether an element is visible, where, and what it holds.
func TestCheck(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<input id=i aria-label=Name value="` + strings.Repeat("long ", 100) + `end"><label><input type=checkbox checked>Agree</label>
		<button onclick="i.hidden = true">Hide</button><button onclick="i.remove()">Remove</button><button onclick="d.showModal()">Ask</button>
		<div style="height:3000px"></div><button>Below</button><dialog id=d><button>Fine</button></dialog>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	check := func(ref string, want ...string) {
		t.Helper()
		c, err := b.Check(t.Context(), a.at, ref)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(c.Visible, c.InWindow, c.Covered) + "\n" + c.Text
		}
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q\nwant %q", ref, got, w)
			}
		}
	}
	click := func(name string) {
		t.Helper()
		if _, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref(name)}); err != nil {
			t.Fatal(err)
		}
	}
	name := a.ref("Name=")
	check(name, "true true false\n", "long end")
	check(`checkbox "Agree"`, "true true false\n", "[Agree; checked]")
	check(`button "Below"`, "true false false\n")
	check("b99", "ref b99 is not on this page")
	check(`button "None"`, "nothing on this page is button")
	click("Hide")
	check(name, "false false false\n")
	click("Remove")
	check(name, "stale")
	click("Ask")
	check(`button "Below"`, "true false true\n")
	check(`button "Fine"`, "true true false\n")
}

// TestLateEffects: menus, tooltips and messages that come a moment later are in the
// answer to the action that they belong to.
func TestLateEffects(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<style>#tip{visibility:hidden;transition:visibility 0s .2s} #t:hover + #tip{visibility:visible}</style>
		<button id=t>Info</button><span id=tip>Explained here</span>
		<button onmouseenter="setTimeout(() => s.hidden = false, 250)">Menu</button><div id=s hidden><a href=#x>Submenu</a></div>
		<button onclick="setTimeout(() => toast.textContent = 'Saved!', 250)">Save</button><p id=toast></p>
		<button id=grow style="transform:scale(0);padding:0;border:0;width:80px">Grows</button>
		<button onclick="setTimeout(() => grow.style.transform = '', 300); grow.onclick = () => toast.textContent = 'grown'">Start</button>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	a.sees("Explained here")(b.Hover(t.Context(), a.at, browser.Pointer{Ref: a.ref("Info")}))
	a.sees("Submenu")(b.Hover(t.Context(), a.at, browser.Pointer{Ref: a.ref("Menu")}))
	a.sees("Saved!")(b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Save")}))
}

// TestEditorAfterKeys: a page that learns late of what was selected gets the time
// to, before the next input.
func TestEditorAfterKeys(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<div id=e contenteditable aria-label=Text>some words</div><button id=b onmousedown="event.preventDefault()">Bold</button><p id=o>-</p>
		<script>let range = null; document.addEventListener('selectionchange', () => setTimeout(() => { const s = getSelection(); range = s.rangeCount && !s.isCollapsed ? String(s) : null; b.disabled = !range }));
		b.onclick = () => o.textContent = 'bold ' + range</script>`})
	for range 4 {
		a := &actor{t: t, b: b, url: url}
		a.open("/")
		if _, err := b.PressKey(t.Context(), a.at, "Control+a", a.ref("Text")); err != nil {
			t.Fatal(err)
		}
		a.sees("bold some words")(b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Bold")}))
	}
}

// TestSelectIsNotForStrangers: a list that opens nothing of its own gives an error,
// and nothing else on the page is clicked.
func TestSelectIsNotForStrangers(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	const out = `<p id=o>-</p>`
	url := site(t, map[string]string{
		"/input":  `<input role=combobox aria-haspopup=listbox aria-expanded=false aria-label=User><ul><li onclick="o.textContent='wrong'">Opt b</li></ul>` + out,
		"/button": `<div role=combobox tabindex=0 aria-label=User>none</div><ul role=listbox><li role=option onclick="o.textContent='wrong'">Opt b</li></ul>` + out,
		"/open":   `<div role=combobox tabindex=0 aria-expanded=true aria-label=User>none</div><div class=menu-item onclick="o.textContent='wrong'">Opt b</div>` + out,
		"/other": `<div role=combobox tabindex=0 aria-label=User onclick="p.hidden=false">none</div><ul id=p hidden><li role=option>Opt a</li></ul>
			<ul role=listbox><li role=option onclick="o.textContent='wrong'">Opt b</li></ul>` + out,
		"/owned": `<div role=combobox tabindex=0 aria-controls=p aria-label=User onclick="p.hidden=false">none</div><ul role=listbox><li role=option onclick="o.textContent='wrong'">Opt b</li></ul>
			<ul id=p role=listbox hidden><li role=option onclick="o.textContent='right'">Opt b</li></ul>` + out,
		"/appears": `<div role=combobox tabindex=0 aria-label=User onclick="setTimeout(() => p.hidden=false, 200)">none</div><ul role=listbox><li role=option onclick="o.textContent='wrong'">Opt b</li></ul>
			<ul id=p hidden><li onclick="o.textContent='right'">Opt b</li></ul>` + out,
		"/virtual": `<input role=combobox aria-controls=p aria-label=User onclick="q.hidden=false"><div id=p role=listbox style="width:0;height:0;overflow:hidden"><div role=option style="width:0">Opt b</div></div>
			<div id=q hidden><div class=select-option onclick="o.textContent='right'"><div>Opt b</div></div></div>` + out,
	})
	for path, right := range map[string]bool{"/input": false, "/button": false, "/open": false, "/other": false, "/owned": true, "/appears": true, "/virtual": true} {
		t.Run(path[1:], func(t *testing.T) {
			a := &actor{t: t, b: b, url: url}
			a.open(path)
			c, err := b.Select(t.Context(), a.at, a.ref("User"), []string{"Opt b"})
			if right {
				a.sees("right")(c, err)
				return
			}
			if err == nil {
				t.Errorf("it says success: %s", c.Text)
			}
			if s, err := b.Snapshot(t.Context(), a.at, browser.SnapshotRequest{}); err != nil || strings.Contains(s.Text, "wrong") {
				t.Errorf("a stranger was clicked: %v %s", err, s.Text)
			}
		})
	}
}
