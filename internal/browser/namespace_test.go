package browser_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// both runs a test with the namespace and without.
func both(t *testing.T, f func(*testing.T, browser.Helper)) {
	t.Run("namespace", func(t *testing.T) {
		if err := helper.Probe(); err != nil {
			t.Skip(err)
		}
		f(t, helper)
	})
	t.Run("flags", func(t *testing.T) { f(t, browser.Helper{}) })
}

// TestPagesAreOnline: pages of a browser without any network of its own are told
// what is so: that they have one.
func TestPagesAreOnline(t *testing.T) {
	t.Parallel()
	both(t, func(t *testing.T, h browser.Helper) {
		b := newBrowser(t, func(o *browser.Options) { o.Helper = h })
		say := "<script>document.title += ' ' + navigator.onLine</script>"
		far := siteAt(t, "127.0.0.2:0", map[string]string{"/": "<title>far</title>" + say})
		near := site(t, map[string]string{"/": "<title>near</title>" + say + `<iframe src="` + far + `"></iframe>`})
		for _, c := range []struct{ url, want string }{{near, "near true"}, {far, "far true"}, {near, "near true"}, {"back", "far true"}} {
			p, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: c.url})
			if err != nil {
				t.Fatal(err)
			}
			if p.Title != c.want {
				t.Errorf("%s: title %q, want %q", c.url, p.Title, c.want)
			}
		}
	})
}

// TestManyContexts: contexts come and go, more of them than a namespace has
// sockets, and each has its own cookies.
func TestManyContexts(t *testing.T) {
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": "<script>document.title = 'had ' + document.cookie; document.cookie = 'a=b'</script>"})
	for i := range 2 * browser.MaxContexts {
		at := browser.Place{Context: fmt.Sprint("c", i)}
		p, err := b.Navigate(context.Background(), at, browser.Navigation{URL: url})
		if err != nil {
			t.Fatal(i, err)
		}
		if p.Title != "had" {
			t.Errorf("context %d: %q", i, p.Title)
		}
		if i == 0 { // this one stays, and with it the browser
			continue
		}
		if _, err := b.CloseContexts(context.Background(), at); err != nil {
			t.Fatal(i, err)
		}
	}
}

// TestNamespaceThatIsRefused: whatever goes wrong on the way into a namespace, the
// browser starts without.
func TestNamespaceThatIsRefused(t *testing.T) {
	t.Parallel()
	if err := helper.Probe(); err != nil {
		t.Skip(err)
	}
	for _, program := range []string{"/bin/false", "/nowhere"} {
		h := helper.With(program)
		if err := h.Probe(); err == nil {
			t.Errorf("%s makes a namespace", program)
		} else {
			t.Log(err)
		}
		b := newBrowser(t, func(o *browser.Options) { o.Helper = h })
		url := site(t, map[string]string{"/": "<p>here"})
		if p, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil || p.Status != 200 {
			t.Fatal(p, err)
		}
		if f, err := b.Facts(); err != nil || f.Namespace {
			t.Errorf("%+v %v", f, err)
		}
	}
}

// TestBrowserThatWantsNoNamespace: a browser that does not start in a namespace
// is started without.
func TestBrowserThatWantsNoNamespace(t *testing.T) {
	t.Parallel()
	if err := helper.Probe(); err != nil {
		t.Skip(err)
	}
	real, err := browser.Find("", false)
	if err != nil {
		t.Skip(err)
	}
	ours, err := os.Readlink("/proc/self/ns/net")
	if err != nil {
		t.Skip(err)
	}
	path := filepath.Join(passable(t), "headless-picky")
	script := "#!/bin/sh\n[ \"$(readlink /proc/self/ns/net)\" = '" + ours + "' ] || exit 1\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.Path = path })
	url := site(t, map[string]string{"/": "<p>here"})
	if p, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil || p.Status != 200 {
		t.Fatal(p, err)
	}
	if f, err := b.Facts(); err != nil || f.Namespace {
		t.Errorf("%+v %v", f, err)
	}
}

// TestBrowserThatEndsOnce: a browser that crashes at its start has not shown that it
// cannot run in a namespace.
func TestBrowserThatEndsOnce(t *testing.T) {
	t.Parallel()
	if err := helper.Probe(); err != nil {
		t.Skip(err)
	}
	real, err := browser.Find("", false)
	if err != nil {
		t.Skip(err)
	}
	dir := passable(t)
	if err := os.Chmod(dir, 0o777); err != nil { // it runs under another user id
		t.Fatal(err)
	}
	path := filepath.Join(dir, "headless-frail")
	script := "#!/bin/sh\nmkdir '" + filepath.Join(dir, "ended") + "' 2>/dev/null && exit 1\nexec " + real + " \"$@\"\n"
	if err := os.WriteFile(path, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.Path = path })
	url := site(t, map[string]string{"/": "<p>here"})
	if p, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil || p.Status != 200 {
		t.Fatal(p, err)
	}
	if f, err := b.Facts(); err != nil || !f.Namespace {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := os.Stat(filepath.Join(dir, "ended")); err != nil {
		t.Error("it has not ended once: ", err)
	}
}
