package reader

import (
	"context"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestPanic: a defect that a page meets costs the answer about this page. Many callers
// read pages in goroutines of their own, where a panic would end the process.
func TestPanic(t *testing.T) {
	broken := func(context.Context, fetch.Request) (*fetch.Response, error) { panic("canary") }
	render := func(context.Context, RenderRequest) (*Rendered, error) { panic("canary") }
	for name, c := range map[string]struct {
		r    *Reader
		mode string
	}{
		"fetching":  {New(Options{Fetch: broken}), RenderNever},
		"rendering": {New(Options{Fetch: broken, Render: render}), RenderAlways},
	} {
		r, q := c.r, Request{URL: mustURL(t, "https://example.com/"), Render: c.mode}
		check := func(err error) {
			t.Helper()
			if e := tool.AsError(err); e == nil || e.Type != tool.Internal || strings.Contains(e.Text(), "canary") {
				t.Errorf("%s: %v", name, e)
			}
		}
		_, err := r.Read(t.Context(), q)
		check(err)
		_, _, err = r.Page(t.Context(), q)
		check(err)
		check(r.ReadAll(t.Context(), []string{"https://example.com/"}, q).Results[0].Error)
	}
}
