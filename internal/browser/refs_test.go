package browser_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestRefsStayWithTheirRecord: a ref never acts on another record than the one that
// it was seen in, whether a page draws its elements again or writes into the same
// ones, at an action or by itself. The error says what is in its place.
func TestRefsStayWithTheirRecord(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	const redrawn = `<div id=c></div><button onclick="p++;r()">Next page</button><p id=o>-</p>
		<script>let p=0;function r(){c.innerHTML='';for(let i=1;i<4;i++){const n=p*3+i,
		d=document.createElement('div');d.innerHTML='<p>Card '+n+'</p><button>Remove</button>';
		d.lastChild.onclick=()=>o.textContent='removed '+n;c.append(d)}}r()</script>`
	const reused = `<div id=c><div><p></p><button>Remove</button></div><div><p></p><button>Remove</button></div></div><button onclick="p++;r()">Next page</button><p id=o>-</p>
		<script>let p=0;function r(){[...c.children].forEach((d,i)=>{const n=p*2+i+1;d.firstChild.textContent='Card '+n;d.lastChild.onclick=()=>o.textContent='removed '+n})}r()</script>`
	const beside = `<div id=c><p></p><button>Remove</button><p></p><button>Remove</button></div><button onclick="p++;r()">Next page</button><p id=o>-</p>
		<script>let p=0;function r(){[...c.querySelectorAll('p')].forEach((h,i)=>{const n=p*2+i+1;h.textContent='Card '+n;h.nextElementSibling.onclick=()=>o.textContent='removed '+n})}r()</script>`
	const one = `<div id=c></div><button onclick="p++;r()">Next page</button><p id=o>-</p>
		<script>let p=1;function r(){const n=p;c.innerHTML='<p>Card '+n+'</p><button>Remove</button>';c.lastChild.onclick=()=>o.textContent='removed '+n}r()</script>`
	const shadow = `<x-list></x-list><button onclick="p++;r()">Next page</button><p id=o>-</p><script>let p=0;const h=document.querySelector('x-list').attachShadow({mode:'open'});
		function r(){h.innerHTML='<ul>'+[1,2,3].map(i=>'<li><b>Card '+(p*3+i)+'</b><button onclick="o.textContent=\'removed '+(p*3+i)+'\'">Remove</button></li>').join('')+'</ul>'}r()</script>`
	pages := handler(map[string]string{"/redrawn": redrawn, "/reused": reused, "/one": one, "/shadow": shadow, "/beside": beside,
		"/alone": strings.Replace(reused, "}r()</script>", "}r(); fetch('/seen').then(() => { p++; r() })</script>", 1)})
	seen := make(chan struct{})
	see := sync.OnceFunc(func() { close(seen) })
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/seen" {
			<-seen
		}
		pages.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	t.Cleanup(see)
	url := s.URL
	for _, path := range []string{"/redrawn", "/reused", "/one", "/shadow", "/beside", "/alone"} {
		t.Run(path[1:], func(t *testing.T) {
			a := &actor{t: t, b: b, url: url}
			a.open(path)
			first := a.ref("Remove")
			if path == "/alone" {
				see()
				eventually(t, "the page redraws itself", func() bool {
					p, err := b.Content(t.Context(), a.at)
					return err == nil && !strings.Contains(p.HTML, "Card 1<")
				})
			} else if _, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Next page")}); err != nil {
				t.Fatal(err)
			}
			c, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: first})
			var te *tool.Error
			if !errors.As(err, &te) || te.Type != tool.InvalidInput || !strings.Contains(te.Message, "stale") {
				t.Fatalf("a click on the first card's button: %v %+v", err, c)
			}
			m := regexp.MustCompile(`now ([a-z]\d+)`).FindStringSubmatch(te.Hint)
			if m == nil || !strings.Contains(te.Hint, "Remove") {
				t.Fatalf("it does not say what is there now: %s", te.Text())
			}
			a.sees("removed")(b.Click(t.Context(), a.at, browser.Pointer{Ref: m[1]}))
		})
	}
}

// TestRefsOfRandomLists redraws lists at random, in the ways in which frameworks do,
// and clicks refs of earlier looks: what is clicked is what the ref was given to, or
// the answer is that it is stale.
func TestRefsOfRandomLists(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.AllowScript = true })
	const page = `LIST<p id=o>-</p><script>
		const l = document.getElementById('l'), name = li => li.querySelector('[data-name]');
		const row = x => { const li = document.createElement('ROW'); li.innerHTML = ` + "`CONTENT`" + `; write(li, x); return li; };
		const write = (li, x) => { const n = name(li), [buy, drop] = li.querySelectorAll('button'); n.dataset.name = x; n.tagName === 'IMG' ? n.alt = x : n.textContent = x;
			const badge = li.querySelector('em'); if (badge) badge.textContent = ['Sale', 'New', 'Sold out'][Math.floor(Math.random() * 3)];
			buy.onclick = () => o.textContent = 'Buy ' + x; drop.onclick = () => o.textContent = 'Drop ' + x; };
		const whole = xs => l.replaceChildren(...xs.map(row));
		const keyed = xs => { const old = new Map([...l.children].map(li => [name(li).dataset.name, li])); l.replaceChildren(...xs.map(x => old.get(x) || row(x))); };
		const reuse = xs => { while (l.children.length > xs.length) l.lastChild.remove(); xs.forEach((x, i) => i < l.children.length ? write(l.children[i], x) : l.append(row(x))); };
		const draw = (how, xs) => ({whole, keyed, reuse})[how](xs);</script>`
	forms := map[string]string{}
	for path, form := range map[string][3]string{
		"/list":     {"<ul id=l></ul>", "li", "<span data-name></span> <button>Buy</button> <button>Drop</button>"},
		"/cards":    {"<section id=l></section>", "article", "<em></em><h3 data-name></h3><p>Words that all of them have</p><div><button>Buy</button><button>Drop</button></div>"},
		"/badges":   {"<div id=l></div>", "div", "<b>Offer</b><i>of the day</i><div data-name></div><button>Buy</button><button>Drop</button>"},
		"/pictures": {"<ul id=l></ul>", "li", "<img data-name width=20 height=20 src='data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA='> <button>Buy</button> <button>Drop</button>"},
		"/table":    {"<table><tbody id=l></tbody></table>", "tr", "<td><input type=checkbox></td><td>12.5</td><td data-name></td><td><button>Buy</button> <button>Drop</button></td>"},
	} {
		forms[path] = strings.NewReplacer("LIST", form[0], "ROW", form[1], "CONTENT", form[2]).Replace(page)
	}
	// What belongs together has no element around it.
	forms["/flat"] = `<div id=l></div><p id=o>-</p><script>
		const l = document.getElementById('l');
		const write = (h, x) => { h.textContent = x; let b = h.nextElementSibling; b.onclick = () => o.textContent = 'Buy ' + x; b.nextElementSibling.onclick = () => o.textContent = 'Drop ' + x; };
		const rows = xs => { l.innerHTML = xs.map(() => '<h4></h4><button>Buy</button><button>Drop</button>').join(''); };
		const draw = (how, xs) => { if (how !== 'reuse' || l.querySelectorAll('h4').length !== xs.length) rows(xs); xs.forEach((x, i) => write(l.querySelectorAll('h4')[i], x)); };</script>`
	forms["/terms"] = `<dl id=l></dl><p id=o>-</p><script>
		const l = document.getElementById('l');
		const write = (h, x) => { h.textContent = x; const [b, d] = h.nextElementSibling.children; b.onclick = () => o.textContent = 'Buy ' + x; d.onclick = () => o.textContent = 'Drop ' + x; };
		const rows = xs => { l.innerHTML = xs.map(() => '<dt></dt><dd><button>Buy</button><button>Drop</button></dd>').join(''); };
		const draw = (how, xs) => { if (how !== 'reuse' || l.querySelectorAll('dt').length !== xs.length) rows(xs); xs.forEach((x, i) => write(l.querySelectorAll('dt')[i], x)); };</script>`
	url := site(t, forms)
	random := rand.New(rand.NewPCG(7, uint64(17)))
	a := &actor{t: t, b: b, url: url}
	stale, done := 0, 0
	list := func() string {
		var out []string
		for _, n := range random.Perm(12)[:3+random.IntN(4)] {
			out = append(out, fmt.Sprintf("'Item %c'", 'A'+n))
		}
		return "[" + strings.Join(out, ",") + "]"
	}
	draw := func() {
		how := []string{"whole", "keyed", "reuse"}[random.IntN(3)]
		if _, _, err := b.Evaluate(t.Context(), a.at, "draw('"+how+"', "+list()+")", ""); err != nil {
			t.Fatal(err)
		}
	}
	for n := range 21 {
		a.open([]string{"/list", "/cards", "/badges", "/pictures", "/table", "/flat", "/terms"}[n%7])
		draw()
		s, err := b.Snapshot(t.Context(), a.at, browser.SnapshotRequest{})
		if err != nil {
			t.Fatal(err)
		}
		given := make(map[string]string) // what a ref does
		name := ""
		for _, m := range regexp.MustCompile(`Item [A-Z]|\[(Buy|Drop)\]\((b\d+)\)`).FindAllStringSubmatch(s.Text, -1) {
			if m[1] == "" {
				name = m[0]
				continue
			}
			given[m[2]] = m[1] + " " + name
		}
		if len(given) < 6 {
			t.Fatalf("too few refs: %s", s.Text)
		}
		draw()
		for ref, want := range given {
			c, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: ref})
			if err != nil {
				if !strings.Contains(err.Error(), "stale") {
					t.Errorf("%s: %v", want, err)
				}
				stale++
				continue
			}
			done++
			v, _, err := b.Evaluate(t.Context(), a.at, "o.textContent", "")
			if err != nil || strings.Trim(string(v), `"`) != want {
				t.Errorf("the ref of %q did %s: %s", want, v, c.Text)
			}
			if random.IntN(3) == 0 {
				draw()
			}
		}
	}
	if stale == 0 || done == 0 {
		t.Errorf("%d stale, %d done: the test tries too little", stale, done)
	}
}

// TestRefsOfListsWithoutWords redraws lists whose entries only the markup tells apart. What
// is clicked is what the ref was given to, or the answer is that it is stale; an entry that is
// drawn again in its place keeps its ref.
func TestRefsOfListsWithoutWords(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.AllowScript = true })
	forms := make(map[string]string)
	for path, row := range map[string]string{
		"/item":   "`<li data-id=${x} class=c${Math.random()}><button>Buy</button></li>`",
		"/link":   "`<li><a href='#item${x}'>Buy</a></li>`",
		"/value":  "`<p><button value=${x} data-state=${Math.random() < .5 ? 'open' : 'closed'}>Buy</button></p>`",
		"/inline": "`<div><span><button onclick=\"say(${x})\">Buy</button></span></div>`",
		"/row":    "`<tr id=row${x}><td><button>Buy</button></td><td>in stock</td></tr>`",
	} {
		forms[path] = `<table><tbody id=l></table><p id=o>-</p><script>
			const l = document.getElementById('l'), say = x => o.textContent = 'did ' + x;
			const draw = xs => { l.innerHTML = xs.map(x => ` + row + `).join(''); [...l.children].forEach((e, i) => e.querySelector('a, button').onclick ||= () => say(xs[i])); };</script>`
		if path != "/row" {
			forms[path] = strings.NewReplacer("<table><tbody id=l></table>", "<ul id=l></ul>").Replace(forms[path])
		}
	}
	url := site(t, forms)
	random := rand.New(rand.NewPCG(11, 5))
	a := &actor{t: t, b: b, url: url}
	stale, done := 0, 0
	for path := range forms {
		for range 4 {
			a.open(path)
			list := random.Perm(9)[:4]
			draw := func() {
				if _, _, err := b.Evaluate(t.Context(), a.at, "draw("+strings.ReplaceAll(fmt.Sprint(list), " ", ",")+")", ""); err != nil {
					t.Fatal(err)
				}
			}
			draw()
			s, err := b.Snapshot(t.Context(), a.at, browser.SnapshotRequest{})
			if err != nil {
				t.Fatal(err)
			}
			refs := regexp.MustCompile(`\[Buy\]\(([ab]\d+)\)`).FindAllStringSubmatch(s.Text, -1)
			if len(refs) != len(list) {
				t.Fatalf("%s: %s", path, s.Text)
			}
			was := slices.Clone(list)
			for i := range list {
				if random.IntN(2) == 0 {
					list[i] += 10
				}
			}
			draw()
			for i, m := range refs {
				_, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: m[1]})
				if err != nil {
					if !strings.Contains(err.Error(), "stale") || was[i] == list[i] {
						t.Errorf("%s: %v became %v: %v", path, was, list, err)
					}
					stale++
					continue
				}
				done++
				v, _, err := b.Evaluate(t.Context(), a.at, "o.textContent", "")
				if want := fmt.Sprintf(`"did %d"`, was[i]); err != nil || string(v) != want {
					t.Errorf("%s: %v became %v: the ref of %s did %s", path, was, list, want, v)
				}
			}
		}
	}
	if stale == 0 || done == 0 {
		t.Errorf("%d stale, %d done: the test tries too little", stale, done)
	}
}

// TestNames: a role and a name stand for a ref, without a snapshot before; one that
// stands for several, or for nothing, is refused with what there is.
func TestNames(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<label>Email <input id=e></label><label><input type=checkbox onchange="o.textContent='agreed '+this.checked"> I agree</label>
		<select aria-label=Size onchange="o.textContent='size '+this.value"><option>S<option>M</select>
		<ul><li>Tea <button onclick="o.textContent='tea'">Add</button><li>Milk <button onclick="o.textContent='milk'">Add</button></ul>
		<button onclick="o.textContent=++n+' saved '+e.value">Save</button><button onclick="o.textContent='saved all'">Save all</button>
		<a href="#x" onclick="o.textContent='linked'">mail@example.org</a><p id=o>-</p><script>let n=0</script>`})
	a := &actor{t: t, b: b, url: url}
	if _, err := b.Navigate(t.Context(), a.at, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	a.sees("a@b.c")(b.Type(t.Context(), a.at, browser.Typing{Ref: `textbox "Email"`, Text: "a@b.c"}))
	for ref, want := range map[string]string{`button "Save"`: "saved a@b.c", `button 'save all'`: "saved all", `checkbox "I agree"`: "agreed true",
		`button "Add"#2`: "milk", `link "mail@example.org"`: "linked", `button Save`: "saved a@b.c"} {
		a.sees(want)(b.Click(t.Context(), a.at, browser.Pointer{Ref: ref}))
	}
	s, err := b.Snapshot(t.Context(), a.at, browser.SnapshotRequest{})
	if err != nil {
		t.Fatal(err)
	}
	a.text = s.Text
	save := a.ref("Save")
	for _, form := range []string{"[Save](%s)", "(%s)", "[ref=%s]", " ref=%s"} {
		a.sees("saved a@b.c")(b.Click(t.Context(), a.at, browser.Pointer{Ref: fmt.Sprintf(form, save)}))
	}
	a.sees("size M")(b.Select(t.Context(), a.at, `combobox "Size"`, []string{"M"}))
	for ref, want := range map[string]string{`button "Add"`: "2 things on this page are button", `button "Delete"`: "nothing on this page is button", `frobnicate "Save"`: "is not a ref"} {
		_, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: ref})
		var te *tool.Error
		if !errors.As(err, &te) || te.Type != tool.InvalidInput || !strings.Contains(te.Message, want) {
			t.Errorf("%s: %v", ref, err)
		}
		if ref == `button "Add"` && !strings.Contains(te.Hint, "Milk [Add](") {
			t.Error(te.Hint)
		}
	}
}
