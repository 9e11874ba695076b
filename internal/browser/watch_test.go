package browser_test

import (
	"bytes"
	"image"
	"regexp"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestWatch: who watches sees the window and where the element is, and the page does
// not notice.
func TestWatch(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<title>T</title><body style="margin:0;height:5000px"><button style="position:absolute;left:100px;top:200px;width:80px;height:40px">Go</button>
<p id=seen></p><script>new MutationObserver(() => { document.title = "noticed" }).observe(document, {subtree: true, childList: true, attributes: true})</script>`})
	p, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url + "/"})
	if err != nil {
		t.Fatal(err)
	}
	snap, err := b.Snapshot(t.Context(), browser.Place{}, browser.SnapshotRequest{})
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`\[Go\]\((\w+)\)`).FindStringSubmatch(snap.Text)
	if m == nil {
		t.Fatal(snap.Text)
	}
	at := browser.Place{Context: p.Context, Tab: p.Tab}
	seen, err := b.Watch(t.Context(), at, m[1])
	if err != nil {
		t.Fatal(err)
	}
	if _, format, err := image.Decode(bytes.NewReader(seen.JPEG)); err != nil || format != "jpeg" {
		t.Errorf("%s %v", format, err)
	}
	if seen.X != 100 || seen.Y != 200 || seen.W != 80 || seen.H != 40 {
		t.Errorf("the element is at %v, %v, %v x %v", seen.X, seen.Y, seen.W, seen.H)
	}
	if _, err := b.Scroll(t.Context(), at, "", "bottom", 0); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{m[1], "b99", ""} { // not in the window, stale, none
		if seen, err := b.Watch(t.Context(), at, ref); err != nil || seen.W != 0 {
			t.Errorf("%q: %+v %v", ref, seen, err)
		}
	}
	if s, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{}); err != nil || s.Title != "T" {
		t.Errorf("the page has noticed: %q %v", s.Title, err)
	}
	if _, err := b.Watch(t.Context(), browser.Place{Owner: "another", Context: p.Context}, ""); err == nil {
		t.Error("another owner sees the page")
	}
}
