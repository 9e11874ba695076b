package reader

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestWhyLate: a page whose time runs out while it waits for other pages says so.
func TestWhyLate(t *testing.T) {
	const (
		others = "the call timed out after 30 seconds while the page waited for its turn behind other large pages: try again when this server has less to do, or ask for fewer pages at a time"
		slow   = "the call timed out after 30 seconds: try again"
	)
	large := "<p>" + strings.Repeat("The ferry leaves at six. ", 50_000)
	for _, c := range []struct {
		name  string
		busy  bool // the only place of the gate belongs to another call
		takes time.Duration
		want  []string // of all pages
	}{
		{"pages of others", true, 0, []string{others}},
		{"a page", false, time.Hour, []string{slow}},
		{"none", false, 0, []string{"", "", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				gate := admission.New(admission.Options{Slots: 1})
				if c.busy {
					done, err := gate.Enter(t.Context(), "other", 10<<20)
					if err != nil {
						t.Fatal(err)
					}
					defer done()
				}
				r := New(Options{
					Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
						return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Body: []byte(large + q.URL.String())}, nil
					},
					Admit: func(ctx context.Context, bytes int, work func()) error {
						return gate.Do(ctx, "one", int64(bytes), func() {
							select {
							case <-time.After(c.takes):
							case <-ctx.Done():
							}
							work()
						})
					},
				})
				var urls, got []string
				for i := range c.want {
					urls = append(urls, fmt.Sprintf("https://example.com/%d", i))
				}
				for _, a := range r.ReadAll(t.Context(), urls, Request{Timeout: 30 * time.Second}).Results {
					switch e := a.Error; {
					case e == nil:
						got = append(got, "")
					case e.Type != tool.Timeout || !e.Retryable:
						t.Errorf("%+v", e)
					default:
						got = append(got, e.Message+": "+e.Hint)
					}
				}
				slices.SortFunc(got, func(a, b string) int { return strings.Compare(b, a) })
				slices.SortFunc(c.want, func(a, b string) int { return strings.Compare(b, a) })
				if !slices.Equal(got, c.want) {
					t.Errorf("%q", got)
				}
			})
		})
	}
}
