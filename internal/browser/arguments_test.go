package browser_test

import (
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestEmptyArguments: an empty text and an empty list get to the scripts.
func TestEmptyArguments(t *testing.T) {
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
