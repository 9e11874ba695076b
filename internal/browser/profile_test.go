package browser_test

import (
	"net"
	"net/http"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestProfile: what a site stores in a profile is there after the browser has ended, calls that
// name a context do not see it, the policy holds, and a profile has one browser at a time.
func TestProfile(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "profile")
	url := site(t, map[string]string{"/": `<title>In</title><p id=o></p><script>o.textContent = 'had ' + document.cookie + localStorage.getItem('n'); document.cookie = 'n=1;max-age=9999'; localStorage.setItem('n', '2')</script>`})
	open := func() *browser.Browser {
		return newBrowser(t, func(o *browser.Options) { o.Profile, o.AllowScript = dir, true })
	}
	shown := func(b *browser.Browser, at browser.Place) string {
		t.Helper()
		p, err := b.Navigate(t.Context(), at, browser.Navigation{URL: url})
		if err != nil {
			t.Fatal(err)
		}
		if at.Context == "" && p.Context != "profile" {
			t.Errorf("the context is %q", p.Context)
		}
		s, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{})
		if err != nil {
			t.Fatal(err)
		}
		return s.Text
	}
	b := open()
	if got := shown(b, browser.Place{}); !strings.Contains(got, "had null") {
		t.Error(got)
	}
	if got := shown(b, browser.Place{Context: "mine"}); !strings.Contains(got, "had null") {
		t.Error("a context of its own:", got)
	}
	other := open()
	_, err := other.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url})
	if errorType(err) != tool.BrowserError || !strings.Contains(err.Error(), "is in use by another spyhop") {
		t.Errorf("a second browser: %v", err)
	}
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: "http://169.254.169.254/"}); errorType(err) != tool.Blocked {
		t.Errorf("the policy: %v", err)
	}
	// A page of the profile reaches nothing that the policy refuses.
	var reached atomic.Int32
	l, err := net.Listen("tcp", "127.0.0.3:0")
	if err != nil {
		t.Fatal(err)
	}
	inner := &http.Server{Handler: http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) })}
	go func() { _ = inner.Serve(l) }()
	defer inner.Close()
	out, _, err := b.Evaluate(t.Context(), browser.Place{}, "fetch('http://"+l.Addr().String()+"/', {mode: 'no-cors'}).then(r => r.type + r.status, () => 'failed')", "")
	if err != nil || reached.Load() > 0 {
		t.Errorf("a refused host was reached %d times: %s %v", reached.Load(), out, err)
	}
	if f, err := b.Facts(); err != nil || f.Profile != dir || f.Namespace || f.Why == nil {
		t.Errorf("%+v %v", f, err)
	}
	_ = b.Close()
	if got := shown(other, browser.Place{}); !strings.Contains(got, "had n=12") {
		t.Error("the second time:", got)
	}
}
