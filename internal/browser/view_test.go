package browser_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestDefaultView: of a page that is larger than the budget, a snapshot keeps what the page is about,
// folds rows of the same buttons, and uses the budget.
func TestDefaultView(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	var shop, thread strings.Builder
	shop.WriteString(`<nav>` + strings.Repeat(`<a href="/x">Somewhere else</a><br>`, 60) + `</nav><main><h1>Chairs</h1>`)
	woods := strings.Fields("Oak Ash Elm Beech Walnut Cherry Maple Pine Larch Birch Alder Teak")
	for i := range 24 {
		fmt.Fprintf(&shop, `<div><a href="/chair/%d">Chair %s number%c</a><p>$%d.00</p><p>`, i, woods[i%12], 'a'+i, 100+i)
		for _, w := range woods {
			fmt.Fprintf(&shop, `<button>%s finish</button>`, w)
		}
		shop.WriteString(`</p><button>Add to list</button></div>`)
	}
	shop.WriteString(`</main>`)
	thread.WriteString(`<aside>` + strings.Repeat(`<a href="/q">Related question</a><br>`, 80) + `</aside><main><h1>How do I splice a rope?</h1><p>Mine is of hemp and has three strands.</p>`)
	for i := range 12 {
		fmt.Fprintf(&thread, `<div><p>Answer word%c: tuck each strand under the next one, and once more for luck.</p><button>0</button><button>Reply</button><button aria-expanded=false>Open menu</button></div>`, 'a'+i)
		thread.WriteString(strings.Repeat(`<p><button>0</button><button>Reply</button><button aria-expanded=false>Open menu</button></p>`, 8))
	}
	thread.WriteString(`</main>`)
	url := site(t, map[string]string{"/shop": shop.String(), "/thread": thread.String(), "/blank": `<div style="opacity:0">` + strings.Repeat("<p>Words that nobody sees on this page.</p>", 400) + `</div><p>Header`, "/nothing": `<p>`})
	view := func(path string, q browser.SnapshotRequest) *browser.Snapshot {
		a := &actor{t: t, b: b, url: url}
		a.open(path)
		s, err := b.Snapshot(context.Background(), browser.Place{}, q)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	s := view("/shop", browser.SnapshotRequest{MaxTokens: 1500})
	for i := range 24 {
		if name, price := fmt.Sprintf("number%c]", 'a'+i), fmt.Sprintf("$%d.00", 100+i); !strings.Contains(s.Text, name) || !strings.Contains(s.Text, price) {
			t.Errorf("no %s %s in\n%s", name, price, s.Text)
			break
		}
	}
	if n := strings.Count(s.Text, "[Oak finish]"); n > 8 || s.Tokens < 1200 || s.Tokens > 1500 {
		t.Errorf("%d rows of buttons, %d tokens\n%s", n, s.Tokens, s.Text)
	}
	s = view("/thread", browser.SnapshotRequest{MaxTokens: 1200})
	for i := range 12 {
		if !strings.Contains(s.Text, fmt.Sprintf("word%c:", 'a'+i)) || !strings.Contains(s.Text, "How do I splice a rope?") {
			t.Errorf("answer %d is missing:\n%s", i, s.Text)
			break
		}
	}
	if n := strings.Count(s.Text, "[Reply]"); n > 20 {
		t.Errorf("%d rows of buttons\n%s", n, s.Text)
	}
	for l := range strings.Lines(s.Text) {
		if strings.HasPrefix(l, "… 1 line, ~5 tokens") {
			t.Errorf("a line for what is left out costs more than that: %s", l)
		}
	}
	if s = view("/shop", browser.SnapshotRequest{Links: true, MaxTokens: -1}); !strings.Contains(s.Text, " /chair/7)") {
		t.Errorf("no URL of a link:\n%.3000s", s.Text)
	}
	if s = view("/blank", browser.SnapshotRequest{}); !strings.Contains(s.Text, "tokens of text are on the page but not painted") {
		t.Error(s.Text)
	}
	if s = view("/nothing", browser.SnapshotRequest{}); !strings.Contains(strings.Join(s.Notices, " "), "the page shows nothing yet") {
		t.Errorf("a page without content: %+v", s)
	}
}
