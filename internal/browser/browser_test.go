package browser_test

import (
	"context"
	"flag"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
)

// helper has the test's program become the browser, in a namespace.
var helper browser.Helper

func TestMain(m *testing.M) {
	helper = browser.NewHelper()
	_ = flag.Set("test.parallel", "4") // parallel tests mostly wait; the command line overrides it
	os.Exit(m.Run())
}

// newBrowser returns a browser that may reach the test's own sites.
func newBrowser(t testing.TB, change func(*browser.Options)) *browser.Browser {
	t.Helper()
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	var private []egress.Exception
	for _, s := range []string{"127.0.0.1", "127.0.0.2"} {
		e, err := egress.ParseException(s)
		if err != nil {
			t.Fatal(err)
		}
		private = append(private, e)
	}
	guard, err := egress.New(egress.Policy{Private: private})
	if err != nil {
		t.Fatal(err)
	}
	o := browser.Options{Guard: guard, Helper: helper, Folder: passable(t), Timeout: 30 * time.Second}
	if change != nil {
		change(&o)
	}
	b, err := browser.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// passable is a folder for a test that a browser with a user id of its own can
// reach too.
func passable(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	for _, d := range []string{dir, filepath.Dir(dir)} {
		if err := os.Chmod(d, 0o711); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// site serves pages by path on loopback.
func site(t testing.TB, pages map[string]string) string { return siteAt(t, "127.0.0.1:0", pages) }

func handler(pages map[string]string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := pages[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, body)
	})
}

func TestNavigate(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": "<title>One</title><p>hello", "/two": "<title>Two</title><p>more"})
	ctx := context.Background()
	at := browser.Place{}
	start := time.Now()
	for _, c := range []struct{ to, url, title string }{
		{url + "/", url + "/", "One"}, {url + "/two", url + "/two", "Two"}, {"back", url + "/", "One"}, {"forward", url + "/two", "Two"}, {"reload", url + "/two", "Two"},
	} {
		p, err := b.Navigate(ctx, at, browser.Navigation{URL: c.to})
		if err != nil {
			t.Fatal(err)
		}
		t.Log(time.Since(start), p)
		start = time.Now()
		if p.URL != c.url || p.Title != c.title || p.Status != 200 || p.Tab != "t1" || len(p.Notices) > 0 {
			t.Errorf("navigate %s: %+v", strings.TrimPrefix(c.to, url), p)
		}
	}
}

// TestSnapshotOfEverything reads a page with a shadow root, a slot, frames of
// its own and of another site, and things that nobody sees.
func TestSnapshotOfEverything(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	other := siteAt(t, "127.0.0.2:0", map[string]string{"/": `<p>far frame <button>Far</button>`})
	url := site(t, map[string]string{
		"/": `<title>All</title><h1>Head</h1><nav aria-label=Site><a href=/x>Link</a></nav>
<main><p>Words and <b>bold</b>, see <a href=/y>this page</a>.</p>
<x-card><span slot=title>Slotted title</span>rest</x-card>
<iframe src=/near></iframe><iframe src="` + other + `/"></iframe>
<div style="opacity:0">unseen one</div><div style="position:absolute;left:-9999px">unseen two</div>
<div style="display:none">unseen four</div>
<p style="font-size:1px">unseen five</p><div style="height:0;overflow:hidden">unseen six</div>
<label>Name <input value=Ada required></label><input type=password value=secret placeholder=Password>
<label for=c>Agree</label><input id=c type=checkbox checked>
<select aria-label=Land><option>One<option selected>Two</select>
<button aria-label="Close window"><svg width=10 height=10><path d="M0 0h9v9"/></svg></button>
<div onclick="1" style="width:20px;height:20px" class="icon-cart"></div>
<ul><li>first item<li><a href=/z>second</a></ul></main>
<script>customElements.define('x-card', class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<h2><slot name=title></slot></h2><p>shadow <slot></slot></p><button>In shadow</button>'}})</script>`,
		"/near": `<p>near frame <input placeholder=inner>`,
	})
	ctx := context.Background()
	if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	s, err := b.Snapshot(ctx, browser.Place{}, browser.SnapshotRequest{})
	if err != nil {
		t.Fatal(err)
	}
	want := `# Head
<nav Site>
[Link](a1)
<main>
Words and bold, see [this page](a2).
## Slotted title
shadow rest
[In shadow](b1)
<iframe>
near frame [inner=](t1)
<iframe>
far frame [Far](b2)
[Name=Ada; required](t2)[Password=•••](t3)[Agree; checked](x1)[Land=Two](c1) {One | Two} [Close window](b3)
[cart](k1)
- first item
[second](a3)
`
	if s.Text != want {
		t.Errorf("snapshot:\n%s\nwant:\n%s", s.Text, want)
	}
	again, err := b.Snapshot(ctx, browser.Place{}, browser.SnapshotRequest{})
	if err != nil {
		t.Fatal(err)
	}
	if again.Text != s.Text {
		t.Errorf("refs are not stable:\n%s", again.Text)
	}
}

// siteAt is site at an address.
func siteAt(t testing.TB, address string, pages map[string]string) string {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	s := &httptest.Server{Listener: l, Config: &http.Server{Handler: handler(pages)}}
	s.Start()
	t.Cleanup(s.Close)
	return s.URL
}
