package reader

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/fetch"
)

// A page holds its place in memory until its answer is made, and a large answer holds it
// until the call around it ends, which writes the answer.
func TestRoom(t *testing.T) {
	const large = 2 * largeResult
	for _, c := range []struct {
		name     string
		q        Request
		fail     bool
		all      bool // two pages of one call
		answered int  // places in use when the answer is made
	}{
		{name: "a window of a large page"},
		{name: "all of it", q: Request{MaxLength: NoLimit}, answered: 1},
		{name: "a failure", fail: true},
		{name: "windows of two pages", all: true},
		{name: "two pages, whole", all: true, q: Request{MaxLength: NoLimit}, answered: 2},
	} {
		gate := admission.New(admission.Options{Slots: 8, Short: 100})
		var during atomic.Int32
		r := New(Options{Fetch: func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
			done, err := gate.Hold(ctx, "ann", large)
			if err != nil {
				return nil, err
			}
			defer done()
			during.Add(int32(gate.Stats().Used))
			if c.fail {
				return nil, errors.New("it broke")
			}
			return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/plain", Body: []byte(strings.Repeat("The whale dives.\n", large/17))}, nil
		}})
		ctx, written := admission.Call(t.Context())
		c.q.URL = mustURL(t, "https://example.com/")
		var err error
		if c.all {
			r.ReadAll(ctx, []string{"https://example.com/a", "https://example.com/b"}, c.q)
		} else {
			_, err = r.Read(ctx, c.q)
		}
		if c.fail != (err != nil) {
			t.Errorf("%s: %v", c.name, err)
		}
		if used := gate.Stats().Used; used != c.answered || during.Load() == 0 {
			t.Errorf("%s: %d places are held when the answer is made, want %d; %d while it was read", c.name, used, c.answered, during.Load())
		}
		written(false)
		if used := gate.Stats().Used; used != 0 {
			t.Errorf("%s: %d places are never given back", c.name, used)
		}
	}
}
