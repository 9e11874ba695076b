package browser_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestEmptyArguments: an empty text and an empty list get to the scripts.
func TestEmptyArguments(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.AllowScript, o.CaptureDir = true, t.TempDir() })
	url := site(t, map[string]string{
		"/":      `<title>Words</title><p>only words`,
		"/field": `<title>Field</title><input type=date aria-label=Day value=2026-05-31>`,
	})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if _, err := b.Screenshot(t.Context(), a.at, browser.Shot{Marks: true}); err != nil {
		t.Errorf("a picture with marks of a page without refs: %v", err)
	}
	a.open("/field")
	if _, err := b.FillForm(t.Context(), a.at, []browser.Field{{Ref: a.ref("Day"), Value: ""}}); err != nil {
		t.Fatal(err)
	}
	if v, _, err := b.Evaluate(t.Context(), a.at, "document.querySelector('input').value", ""); err != nil || string(v) != `""` {
		t.Errorf("a field that was emptied has %s (%v)", v, err)
	}
}

// TestCancelledUpload: a call that ends while a button may still ask for files does not say
// that the button asks for none.
func TestCancelledUpload(t *testing.T) {
	t.Parallel()
	uploads := t.TempDir()
	if err := os.WriteFile(filepath.Join(uploads, "a.txt"), []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.UploadDir = uploads })
	ctx, cancel := context.WithCancel(t.Context())
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/clicked" {
			cancel()
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, `<button onclick="setTimeout(() => fetch('/clicked'), 100)">Choose</button>`)
	}))
	t.Cleanup(s.Close)
	a := &actor{t: t, b: b, url: s.URL}
	a.open("/")
	if _, err := b.Upload(ctx, a.at, a.ref("Choose"), []string{"a.txt"}); errorType(err) != tool.Cancelled {
		t.Errorf("%v", err)
	}
}
