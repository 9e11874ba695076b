package browser_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestPlaces: scrolling says how far the page is, a prompt what it suggests, a cookie
// without a URL is for the open page, and going back waits for what its scripts show.
func TestPlaces(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{
		"/long": `<title>Long</title><body style="margin:0"><div style="height:4000px">Words</div>`,
		"/asks": `<title>Asks</title><button onclick="prompt('Your name?', 'Ada')">Ask</button>`,
		"/app": `<title>App</title><p id=p></p><button onclick="history.pushState(1,'','?two');draw()">Two</button><script>
function draw(){p.textContent='Loading…';setTimeout(()=>p.textContent=location.search?'the second place of the app':'the first place of the app',300)}
onpopstate=draw;draw()</script>`})
	open := func(path string) browser.Place {
		t.Helper()
		p, err := b.Navigate(t.Context(), browser.Place{Context: "c"}, browser.Navigation{URL: url + path})
		if err != nil {
			t.Fatal(err)
		}
		return browser.Place{Context: p.Context, Tab: p.Tab}
	}
	at := open("/long")
	for direction, want := range map[string]string{"down": " of 4000 of the page", "bottom": " 4000 of 4000 of the page, its end"} {
		c, err := b.Scroll(t.Context(), at, "", direction, 0)
		if err != nil || !strings.Contains(strings.Join(c.Notices, "\n"), want) {
			t.Errorf("%s: %+v %v", direction, c, err)
		}
	}
	if _, err := b.SetCookie(t.Context(), at, browser.NewCookie{Name: "k", Value: "v"}); err != nil {
		t.Error(err)
	}
	if list, _, err := b.Cookies(t.Context(), at, ""); err != nil || len(list) != 1 || list[0].Name != "k" {
		t.Errorf("%+v %v", list, err)
	}
	if _, err := b.SetCookie(t.Context(), browser.Place{Context: "empty"}, browser.NewCookie{Name: "k", Value: "v"}); err == nil {
		t.Error("a cookie for no page was set")
	}
	at = open("/asks")
	c, err := b.Click(t.Context(), at, browser.Pointer{Ref: `button "Ask"`})
	if err != nil || !strings.Contains(strings.Join(c.Dialogs, "\n"), `prompt "Your name?", default "Ada"`) {
		t.Errorf("%+v %v", c, err)
	}
	at = open("/app")
	if _, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Click(t.Context(), at, browser.Pointer{Ref: `button "Two"`}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: "back"}); err != nil {
		t.Fatal(err)
	}
	if c, err := b.Content(t.Context(), at); err != nil || !strings.Contains(c.HTML, "the first place of the app") {
		t.Errorf("%+v %v", c, err)
	}
}
