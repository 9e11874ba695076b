package browser_test

import (
	"bytes"
	"context"
	"image"
	_ "image/png"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// actor works on a page as a model does: from the text of snapshots alone.
type actor struct {
	t    testing.TB
	b    *browser.Browser
	at   browser.Place
	url  string
	text string
}

func (a *actor) open(path string) {
	a.t.Helper()
	if _, err := a.b.Navigate(a.t.Context(), a.at, browser.Navigation{URL: a.url + path}); err != nil {
		a.t.Fatal(err)
	}
	s, err := a.b.Snapshot(a.t.Context(), a.at, browser.SnapshotRequest{})
	if err != nil {
		a.t.Fatal(err)
	}
	a.text = s.Text
}

// ref finds the ref of a control by its name.
func (a *actor) ref(name string) string {
	a.t.Helper()
	m := regexp.MustCompile(`\[` + regexp.QuoteMeta(name) + `[^\]]*\]\(([a-z]\d+)\)`).FindStringSubmatch(a.text)
	if m == nil {
		a.t.Fatalf("no control %q in:\n%s", name, a.text)
	}
	return m[1]
}

// window clicks a control that opens a window, and goes on there.
func (a *actor) window(control string) {
	a.t.Helper()
	c, err := a.b.Click(a.t.Context(), a.at, browser.Pointer{Ref: a.ref(control)})
	if err != nil {
		a.t.Fatal(err)
	}
	opened := regexp.MustCompile(`the page opened tab (t\d+)`).FindStringSubmatch(strings.Join(c.Notices, "\n"))
	if opened == nil {
		a.t.Fatalf("no window: %+v", c)
	}
	a.at.Tab = opened[1]
	s, err := a.b.Snapshot(a.t.Context(), a.at, browser.SnapshotRequest{})
	if err != nil {
		a.t.Fatal(err)
	}
	a.text = s.Text
}

// sees wants a text in what changed.
func (a *actor) sees(want string) func(*browser.Changes, error) {
	a.t.Helper()
	return func(c *browser.Changes, err error) {
		a.t.Helper()
		if err != nil {
			a.t.Fatal(err)
		}
		if all := c.Text + strings.Join(c.Notices, "\n") + strings.Join(c.Dialogs, "\n"); !strings.Contains(all, want) {
			a.t.Errorf("want %q in:\n%s", want, all)
		}
	}
}

func TestActions(t *testing.T) {
	t.Parallel()
	uploads, captures := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(uploads, "a.txt"), []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("/etc/passwd", filepath.Join(uploads, "link.txt")); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.UploadDir, o.CaptureDir, o.AllowScript = uploads, captures, true })
	const say = `<p id=o>-</p><script>const say = s => document.getElementById('o').textContent = s</script>`
	url := site(t, map[string]string{
		"/click": say + `<button onclick="say('clicked ' + event.detail + event.button + event.shiftKey)">Go</button>
			<button ondblclick="say('double')">Twice</button><div style="position:relative"><button>Under</button>
			<div id=over style="position:absolute;inset:0;background:#eee">over</div></div>
			<span onmouseover="say('hovered')" onclick="1">Hover</span><a href=/next>Next</a>
			<div style="height:3000px"></div><button onclick="say('far')">Far</button>`,
		"/next": `<title>Next</title><h1>Next page</h1>`,
		"/form": say + `<form onsubmit="say(JSON.stringify(Object.fromEntries(new FormData(this)))); return false">
			<input name=n aria-label=Name value=old><textarea name=m aria-label=More></textarea><input type=date name=d aria-label=Day>
			<select name=s aria-label=Size><option value=1>Small<option value=2>Large</select>
			<label><input type=checkbox name=c> Agree</label><label><input type=radio name=r value=x> One</label>
			<label><input type=radio name=r value=y> Two</label><input type=range name=g min=0 max=10 aria-label=Range><button>Send</button></form>
			<div contenteditable aria-label=Note oninput="say('note ' + this.textContent)"></div>
			<input aria-label=Keys onkeydown="say('key ' + event.key + event.ctrlKey)">`,
		"/hidden": say + `<style>input{display:none}</style><input type=checkbox id=z onchange="say('box ' + this.checked)"><label for=z>Styled</label>`,
		"/drag": say + `<div draggable=true id=a ondragstart="event.dataTransfer.setData('text', 'x')" style="width:60px">Piece</div>
			<div ondragover="event.preventDefault()" ondrop="say('dropped ' + event.dataTransfer.getData('text'))" onclick="1" style="width:200px;height:60px">Target</div>
			<div id=m onmousedown="window.d=1" onclick="1" style="width:60px">Mouse</div><div onmouseup="window.d && say('released')" onclick="1" style="width:60px">Place</div>`,
		"/upload": say + `<input type=file aria-label=File onchange="say('file ' + this.files[0].name + this.files[0].size)">
			<button onclick="const i = document.createElement('input'); i.type = 'file'; i.onchange = () => say('chosen ' + i.files[0].name); i.click()">Choose</button>`,
		"/ask":  say + `<button onclick="say('answer ' + confirm('Sure?'))">Confirm</button><button onclick="say('name ' + prompt('Who?'))">Prompt</button><button onclick="alert('boo'); say('after')">Alert</button>`,
		"/wait": say + `<button onclick="setTimeout(() => say('late'), 300)">Later</button><a href=/next target=_blank>Window</a>`,
		"/more": `<div id=l></div><script>let n = 0; const add = () => { for (let i = 0; i < 30; i++) l.append(Object.assign(document.createElement('p'), {textContent: 'row ' + n++})) }; add(); onscroll = () => { if (innerHeight + scrollY > document.body.scrollHeight - 50 && n < 90) add() }</script>`,
	})
	ctx := context.Background()
	a := &actor{t: t, b: b, url: url}

	a.open("/click")
	a.sees("clicked 10true")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Go"), Modifiers: []string{"Shift"}}))
	a.sees("double")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Twice"), Double: true}))
	a.sees("hovered")(b.Hover(ctx, a.at, browser.Pointer{Ref: a.ref("Hover")}))
	if _, err := b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Under")}); errorType(err) != tool.BrowserError || !strings.Contains(err.Error(), "div#over") {
		t.Errorf("a click on what is covered: %v", err)
	}
	a.sees("far")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Far")}))
	stale := a.ref("Go")
	a.sees("Next page")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Next")}))
	if _, err := b.Click(ctx, a.at, browser.Pointer{Ref: stale}); errorType(err) != tool.InvalidInput || !strings.Contains(err.Error(), "stale") {
		t.Errorf("a stale ref: %v", err)
	}

	a.open("/form")
	a.sees(`Name=Ada`)(b.Type(ctx, a.at, browser.Typing{Ref: a.ref("Name"), Text: "Ada"}))
	a.sees("Size=Large")(b.Select(ctx, a.at, a.ref("Size"), []string{"Large"}))
	a.sees("Agree; checked")(b.FillForm(ctx, a.at, []browser.Field{{Ref: a.ref("More"), Value: "two\nlines"}, {Ref: a.ref("Day"), Value: "2026-05-31"},
		{Ref: a.ref("Agree"), Value: "true"}, {Ref: a.ref("Two"), Value: "true"}, {Ref: a.ref("Range"), Value: "7"}}))
	a.sees(`{"n":"Ada","m":"two\nlines","d":"2026-05-31","s":"2","c":"on","r":"y","g":"7"}`)(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Send")}))
	a.sees("note hi")(b.Type(ctx, a.at, browser.Typing{Ref: a.ref("Note"), Text: "hi"}))
	a.sees("key btrue")(b.PressKey(ctx, a.at, "Control+b", a.ref("Keys")))
	a.sees(`"n":"Eve"`)(b.Type(ctx, a.at, browser.Typing{Ref: a.ref("Name"), Text: "Eve", Submit: true, Slowly: true}))
	if _, err := b.Select(ctx, a.at, a.ref("Size"), []string{"Huge"}); errorType(err) != tool.InvalidInput {
		t.Errorf("a choice that is not there: %v", err)
	}

	a.open("/hidden")
	a.sees("box true")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Styled")}))
	a.open("/drag")
	a.sees("dropped x")(b.Drag(ctx, a.at, a.ref("Piece"), a.ref("Target")))
	a.sees("released")(b.Drag(ctx, a.at, a.ref("Mouse"), a.ref("Place")))

	a.open("/upload")
	a.sees("file a.txt5")(b.Upload(ctx, a.at, a.ref("File"), []string{"a.txt"}))
	a.sees("chosen a.txt")(b.Upload(ctx, a.at, a.ref("Choose"), []string{filepath.Join(uploads, "a.txt")}))
	for _, bad := range []string{"../x", "/etc/passwd", "link.txt", "none.txt", uploads} {
		if _, err := b.Upload(ctx, a.at, a.ref("File"), []string{bad}); errorType(err) != tool.Blocked {
			t.Errorf("upload of %s: %v", bad, err)
		}
	}

	a.open("/ask")
	a.sees("browser_dialog")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Confirm")}))
	a.sees("answer true")(b.Dialog(ctx, a.at, true, ""))
	a.sees("Who?")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Prompt")}))
	a.sees("name Ada")(b.Dialog(ctx, a.at, true, "Ada"))
	a.sees("boo")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Alert")}))

	a.open("/wait")
	if _, err := b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Later")}); err != nil {
		t.Fatal(err)
	}
	if c, err := b.WaitFor(ctx, a.at, browser.Waiting{Text: "late"}); err != nil {
		t.Errorf("wait: %+v %v", c, err)
	}
	a.sees("opened tab t2")(b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Window")}))
	if tabs, _, err := b.Tabs(ctx, browser.Place{Tab: "t2"}, "select", browser.Navigation{}); err != nil || len(tabs) != 2 || !tabs[1].Current || tabs[1].Title != "Next" {
		t.Errorf("tabs: %+v %v", tabs, err)
	}
	if tabs, _, err := b.Tabs(ctx, browser.Place{Tab: "t2"}, "close", browser.Navigation{}); err != nil || len(tabs) != 1 || tabs[0].ID != "t1" {
		t.Errorf("tabs: %+v %v", tabs, err)
	}

	a.open("/more")
	a.sees("row 59")(b.Scroll(ctx, a.at, "", "bottom", 0))

	a.open("/click")
	v, _, err := b.Evaluate(ctx, a.at, "1 + 1", "")
	if err != nil || string(v) != "2" {
		t.Errorf("evaluate: %s %v", v, err)
	}
	f, err := b.Find(ctx, a.at, "twice", "")
	if err != nil || f.Count != 1 || !strings.Contains(f.Text, "](b") {
		t.Errorf("find: %+v %v", f, err)
	}
	for _, q := range []browser.Shot{{}, {FullPage: true, Marks: true}, {Ref: a.ref("Go")}, {Format: "webp"}} {
		c, err := b.Screenshot(ctx, a.at, q)
		if err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(c.Path)
		if err != nil || info.Mode().Perm() != 0o600 || c.Width < 10 || q.FullPage && c.Height < 3000 {
			t.Errorf("%+v: %dx%d %v", q, c.Width, c.Height, err)
		}
		if _, _, err := image.Decode(bytes.NewReader(c.Data)); q.Format == "" && err != nil {
			t.Error(err)
		}
	}
	if small, big := mustShoot(b.Screenshot(ctx, a.at, browser.Shot{Format: "jpeg", Quality: 5})), mustShoot(b.Screenshot(ctx, a.at, browser.Shot{Format: "jpeg", Quality: 95})); len(small.Data) >= len(big.Data) {
		t.Errorf("quality: %d bytes, %d", len(small.Data), len(big.Data))
	}
	c := mustShoot(b.PDF(ctx, a.at, "A6", true, 0.5))
	if _, box, _ := bytes.Cut(c.Data, []byte("/MediaBox [0 0 ")); !bytes.HasPrefix(box, []byte("42")) && !bytes.HasPrefix(box, []byte("419")) {
		t.Errorf("pdf: A6, landscape, is %.20s", box)
	}
	c, err = b.PDF(ctx, a.at, "", false, 0)
	if err != nil || c.Pages < 2 || !bytes.HasPrefix(c.Data, []byte("%PDF")) {
		t.Errorf("pdf: %d pages, %v", c.Pages, err)
	}
	content, err := b.Content(ctx, a.at)
	if err != nil || !strings.Contains(content.HTML, "Twice") || strings.Contains(content.HTML, "all:initial") {
		t.Errorf("content: %v", err)
	}
	if _, err := b.SetCookie(ctx, a.at, browser.NewCookie{URL: url, Name: "k", Value: "secret"}); err != nil {
		t.Error(err)
	}
	if list, _, err := b.Cookies(ctx, a.at, ""); err != nil || len(list) != 1 || list[0].Name != "k" {
		t.Errorf("cookies: %+v %v", list, err)
	}
}

func mustShoot(c *browser.Capture, err error) *browser.Capture {
	if err != nil {
		panic(err)
	}
	return c
}

func TestRender(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<div id=root></div><script src=/app.js></script><script>fetch('/data').then(r => r.text()).then(s => root.innerHTML = '<h1>Made by script</h1>' + s)</script>`, "/data": "<p>fetched"})
	c, err := b.Render(context.Background(), browser.Navigation{URL: url})
	if err != nil || !strings.Contains(c.HTML, "Made by script</h1><p>fetched") || c.NoStore {
		t.Errorf("%+v %v", c, err)
	}
	private := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Cache-Control", "private, No-Store")
		_, _ = io.WriteString(w, "<p>for your eyes")
	}))
	defer private.Close()
	if c, err = b.Render(context.Background(), browser.Navigation{URL: private.URL}); err != nil || !c.NoStore {
		t.Errorf("no-store: %+v %v", c, err)
	}
}

// TestPolicy: what the guard refuses is a typed error, and no page can go
// there either.
func TestPolicy(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<p id=o>-<script>fetch('http://127.0.0.3:9999/').then(r => o.textContent = 'answer ' + r.status, e => o.textContent = 'failed')</script>`,
		"/leave": `<script>location = 'http://169.254.169.254/latest'</script>`})
	ctx := context.Background()
	for _, c := range []struct {
		url  string
		want tool.ErrorType
	}{
		{"http://169.254.169.254/", tool.Blocked}, {"http://localhost:1/", tool.Blocked}, {"file:///etc/passwd", tool.Blocked}, {"chrome://version", tool.Blocked},
		{"http://10.0.0.1/", tool.Blocked}, {"javascript:alert(1)", tool.Blocked}, {"", tool.InvalidURL}, {"http://127.0.0.1:8098/", tool.ConnectionError},
	} {
		_, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: c.url})
		if errorType(err) != c.want {
			t.Errorf("%s: %s %v, want %s", c.url, errorType(err), err, c.want)
		}
	}
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if c, err := b.WaitFor(ctx, a.at, browser.Waiting{TextGone: "-"}); err != nil {
		t.Error(c, err)
	}
	if _, err := b.Navigate(ctx, a.at, browser.Navigation{URL: url + "/leave"}); err != nil && errorType(err) != tool.Blocked {
		t.Error(err)
	}
	eventually(t, "the page that the policy refuses is blocked", func() bool {
		_, err := b.Snapshot(ctx, a.at, browser.SnapshotRequest{})
		return errorType(err) == tool.Blocked
	})
}

// TestPressesBeforeQuestion: a question ends the presses of a key, and the answer says how many
// there were.
func TestPressesBeforeQuestion(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	for path, asks := range map[string]string{
		"/now":   "p.textContent += confirm('Go on?')",
		"/later": "setTimeout(() => p.textContent += confirm('Go on?'), 5)",
	} {
		a := &actor{t: t, b: b, url: site(t, map[string]string{path: `<title>Keys</title><button id=k>Keys</button><p id=p>0</p><script>let n = 0;
k.onkeydown = e => { p.textContent = ++n; if (n === 3) ` + asks + ` }</script>`})}
		a.open(path)
		c, err := b.PressKey(t.Context(), a.at, "ArrowDown*7", a.ref("Keys"))
		if err != nil {
			t.Fatal(err)
		}
		said := regexp.MustCompile(`pressed (\d) of 7 times`).FindStringSubmatch(strings.Join(c.Notices, "\n"))
		if said == nil {
			t.Fatalf("%s: notices: %s", path, c.Notices)
		}
		a.sees(said[1] + "true")(b.Dialog(t.Context(), a.at, true, ""))
	}
}

// TestHeadingInName: where the name of an element has the words of a heading in it, the line after
// it is not one.
func TestHeadingInName(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	a := &actor{t: t, b: b, url: site(t, map[string]string{"/": `<!doctype html><title>Board</title>
<div class=col><h2>Todo</h2><div draggable=true>Write</div><div draggable=true>Review</div></div><div class=col><h2>Done</h2></div>
<script>for (const k of document.querySelectorAll('.col')) k.ondragover = k.ondrop = e => e.preventDefault()</script>`})}
	a.open("/")
	if !strings.Contains(a.text, "## [Todo]") || strings.Contains(a.text, "## [Write]") {
		t.Error(a.text)
	}
}
