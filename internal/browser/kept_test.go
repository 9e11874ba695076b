package browser_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestKept: what is kept of a large page says the same as a new look at it, or is not
// used.
func TestKept(t *testing.T) {
	b := newBrowser(t, func(o *browser.Options) { o.AllowScript = true })
	var rows strings.Builder
	for i := range 2600 {
		fmt.Fprintf(&rows, "<li><a href='#%d'>Entry number %d</a>", i, i)
	}
	const begin = `<style id=s>.off{opacity:0}</style><p>Count: <b id=o>0</b> and <b>more</b></p><div id=d hidden>Hidden</div><input id=i aria-label=Field><input type=checkbox id=c aria-label=Box>
		<p id=w>words</p><p style="text-transform:uppercase" id=u>shout</p><div id=h></div><script>h.attachShadow({mode: 'open'}).innerHTML = '<i>inner</i>'</script>`
	url := site(t, map[string]string{
		"/":       "<title>Large</title>" + begin + "<ul>" + rows.String() + "</ul>",
		"/closed": "<title>Large</title><div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML = '<i>inner</i>'</script><ul>" + rows.String() + "</ul>",
		"/frame":  "<title>Large</title><iframe srcdoc=x></iframe><ul>" + rows.String() + "</ul>",
		"/small":  "<title>Small</title>" + begin,
	})
	for _, c := range []struct {
		name, path, script string
		kept               bool
	}{
		{"nothing", "/", ``, true},
		{"a text that is replaced", "/", `o.textContent = '7'`, true},
		{"a text that is written over", "/", `o.firstChild.data = '8'; w.firstChild.data = 'sword'`, true},
		{"texts of rows", "/", `for (const a of [...document.links].slice(0, 5)) a.textContent = a.textContent.replace('number', 'rebmun')`, true},
		{"texts of many rows", "/", `for (const a of [...document.links].slice(0, 50)) a.textContent = a.textContent.replace('number', 'rebmun')`, false},
		{"the title", "/", `document.title = 'Other'`, true},
		{"an attribute that stays", "/", `o.id = o.id`, true},
		{"the place in the window", "/", `scrollTo(0, 900)`, true},
		{"a text in a shadow tree", "/", `h.shadowRoot.firstChild.textContent = 'renni'`, true},
		{"a text that makes room", "/", `o.textContent = 'a longer text'`, false},
		{"a text beside others", "/", `o.append('!')`, false},
		{"a text in capitals", "/", `u.textContent = 'trout'`, false},
		{"a text that goes", "/", `o.textContent = ''`, false},
		{"an element that comes", "/", `d.before(Object.assign(document.createElement('p'), {textContent: 'New'}))`, false},
		{"an element that takes another's place", "/", `w.replaceWith(w.cloneNode(true))`, false},
		{"an element that is shown", "/", `d.hidden = false`, false},
		{"a style sheet", "/", `s.sheet.insertRule('#w{visibility:hidden}')`, false},
		{"a style sheet that moves", "/", `s.sheet.insertRule('#w{transform:translate(9px,0)}')`, false},
		{"a field", "/", `i.value = 'x'`, false},
		{"a box", "/", `c.checked = true`, false},
		{"a closed shadow tree", "/closed", ``, false},
		{"a frame", "/frame", ``, false},
		{"a small page", "/small", ``, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url + c.path}); err != nil {
				t.Fatal(err)
			}
			if _, err := b.Snapshot(t.Context(), browser.Place{}, browser.SnapshotRequest{}); err != nil {
				t.Fatal(err)
			}
			if _, _, err := b.Evaluate(t.Context(), browser.Place{}, "{"+c.script+"}", ""); err != nil {
				t.Fatal(err)
			}
			kept, read, ok, err := b.FromKept(t.Context(), browser.Place{})
			if err != nil || ok != c.kept {
				t.Fatalf("kept: %v, %v", ok, err)
			}
			if ok && kept != read {
				t.Errorf("what was kept says otherwise than the page:\n%.2000s\nand\n%.2000s", kept, read)
			}
		})
	}
}
