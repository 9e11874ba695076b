package browser_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// latePages are pages whose content comes some time after their load, in the ways in
// which pages of frameworks have it. The words to find are "late words".
var latePages = map[string]string{
	"request after 300 ms": `<div id=root></div><script>setTimeout(() => fetch('/slow').then(r => r.text()).then(s => root.textContent = s), 300)</script>`,
	"slow answer":          `<div id=root>Loading…</div><script>onload = () => fetch('/slow').then(r => r.text()).then(s => root.textContent = s)</script>`,
	"drawn after 800 ms":   `<div id=root></div><script>setTimeout(() => root.innerHTML = '<p>late words</p>', 800)</script>`,
	"requests in a row":    `<div id=root></div><script>setTimeout(async () => { await fetch('/fast'); await new Promise(r => setTimeout(r, 400)); await fetch('/fast'); await new Promise(r => setTimeout(r, 500)); root.textContent = 'late words' }, 200)</script>`,
	"a skeleton":           `<h1>Shop</h1><nav>` + strings.Repeat("<a href=/x>A section of the shop</a> ", 30) + `</nav><div class="card-skeleton" style="height:80px"></div><div id=root></div><script>setTimeout(() => { document.querySelector('.card-skeleton').remove(); root.textContent = 'late words' }, 900)</script>`,
	"busy":                 `<div id=root aria-busy=true><p>` + strings.Repeat("Words that are there at once. ", 30) + `</p></div><script>setTimeout(() => { root.append('late words'); root.ariaBusy = false }, 900)</script>`,
	"a module":             `<div id=root></div><script type=module>await new Promise(r => setTimeout(r, 700)); root.textContent = 'late words'</script>`,
	"in parts":             `<div id=root></div><script>let n = 0; const add = () => { root.append(n++ < 6 ? ' part ' + n : ' late words'); if (n < 7) setTimeout(add, 250) }; setTimeout(add, 250)</script>`,
	"with a clock":         `<p id=k>0</p><div id=root>Please wait</div><script>setInterval(() => k.textContent = Date.now(), 30); setTimeout(() => root.textContent = 'late words', 900)</script>`,
	"when idle":            `<div id=root></div><script>requestIdleCallback(() => setTimeout(() => fetch('/slow').then(r => r.text()).then(s => root.textContent = s), 200))</script>`,
}

// lateSite serves the pages; /slow answers after 1.2 s.
func lateSite(t *testing.T) (url string, pathOf func(name string) string) {
	paths := make(map[string]string)
	for name, page := range latePages {
		paths["/"+strings.ReplaceAll(name, " ", "-")] = "<!doctype html><title>Late</title>" + page
	}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/slow":
			select {
			case <-time.After(1200 * time.Millisecond):
			case <-r.Context().Done():
			}
			_, _ = io.WriteString(w, "late words")
			return
		case "/fast":
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, paths[r.URL.Path])
	}))
	t.Cleanup(s.Close)
	return s.URL, func(name string) string { return s.URL + "/" + strings.ReplaceAll(name, " ", "-") }
}

// TestLatePages: what comes after the load is in the page that is rendered for a
// read, and in the first snapshot.
func TestLatePages(t *testing.T) {
	b := newBrowser(t, nil)
	_, at := lateSite(t)
	for name := range latePages {
		t.Run(name, func(t *testing.T) {
			c, err := b.Render(t.Context(), browser.Navigation{URL: at(name)})
			if err != nil || !strings.Contains(c.HTML[strings.Index(c.HTML, "<body"):], ">late words") && !strings.Contains(c.HTML, "late words<") {
				t.Errorf("rendered: %v %+v", err, c)
			}
			a := &actor{t: t, b: b, url: at(name)}
			a.open("")
			if !strings.Contains(a.text, "late words") {
				t.Errorf("the snapshot has %s", a.text)
			}
		})
	}
}

// TestRenderWaitsFor: a text or an element that is named is waited for, whatever the
// page shows before, and its absence is an error in time.
func TestRenderWaitsFor(t *testing.T) {
	b := newBrowser(t, func(o *browser.Options) { o.Timeout = 10 * time.Second })
	page := "<p>" + strings.Repeat("Words that are there at once. ", 30) + `</p><p id=o></p><script>setTimeout(() => o.innerHTML = '<b class=price>49 Euro</b>', 2500)</script>`
	url := site(t, map[string]string{"/": page})
	for _, what := range []string{"49 Euro", ".price", "b.price", "p > b"} {
		c, err := b.Render(t.Context(), browser.Navigation{URL: url, WaitFor: what})
		if err != nil || !strings.Contains(c.HTML, "49 Euro</b>") {
			t.Errorf("%s: %v", what, err)
		}
	}
	if _, err := b.Render(t.Context(), browser.Navigation{URL: url, WaitFor: "50 Euro"}); err == nil || !strings.Contains(err.Error(), `did not show "50 Euro"`) {
		t.Errorf("what never comes: %v", err)
	}
}
