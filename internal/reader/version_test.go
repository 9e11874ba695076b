package reader

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/tool"
)

// shelf keeps versions in memory, the one that was put last first.
type shelf struct {
	mu  sync.Mutex
	all []Version
}

func (s *shelf) Put(_ context.Context, v Version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all = slices.DeleteFunc(s.all, func(o Version) bool { return o.Credentials == v.Credentials && o.URL == v.URL && o.Hash == v.Hash })
	s.all = append([]Version{v}, s.all...)
}

func (s *shelf) List(_ context.Context, owner, url string) (out []Version) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.all {
		if v.Credentials == owner && v.URL == url {
			v.Text = ""
			out = append(out, v)
		}
	}
	return out
}

func (s *shelf) Get(_ context.Context, owner, hash string) (Version, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, v := range s.all {
		if v.Credentials == owner && v.Hash == hash {
			return v, true
		}
	}
	return Version{}, false
}

// The answers to since, over the life of a page.
func TestSince(t *testing.T) {
	s := &shelf{}
	body, noise := "", 0
	r := New(Options{Versions: s, Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
		noise++ // what changes with each answer and is no content
		html := fmt.Sprintf("<!DOCTYPE html><title>Times</title><script>token=%d</script><main>%s</main>", noise, body)
		return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte(html), Header: http.Header{}, FetchedAt: time.Unix(0, 0)}, nil
	}})
	read := func(since string, auth *fetch.Auth) (*Answer, error) {
		return r.Read(context.Background(), Request{URL: mustURL(t, "https://example.com/times#x"), Since: since, Auth: auth})
	}
	const one = "<h1>Times</h1><p>Boats leave at six and at nine on all days of the week.</p><h2>Winter</h2><p>There is one boat a day from November to March.</p><p>What it costs depends on who travels, and on nothing else, since the boat belongs to all of us:</p><ul><li>Adults pay 12 crowns for a way across.</li><li>For children there is a price of 6.</li></ul>"
	const two = "<h1>Times</h1><p>Boats leave at six and at ten on all days of the week.</p><h2>Winter</h2><p>There is one boat a day from November to March.</p><p>What it costs depends on who travels, and on nothing else, since the boat belongs to all of us:</p><ul><li>Adults pay 14 crowns for a way across.</li></ul><p>Dogs travel free of any charge, as they always have.</p>"
	var first string
	for i, c := range []struct {
		body, since string
		want        []string
	}{
		{one, last, []string{"# Times", "Boats leave at six"}}, // nothing to compare with: the page
		{one, last, []string{"not modified since version "}},
		{two, last, []string{"1 added, 1 removed, 2 changed since version ",
			"\n\nChanged in section Times:\n\nOld: Boats leave at six and at nine on all days of the week.\n\nNew: Boats leave at six and at ten on all days of the week.",
			"\n\nChanged in section Winter:\n\nOld: - Adults pay 12 crowns for a way across.\n\nNew: - Adults pay 14 crowns for a way across.",
			"\n\nRemoved in section Winter:\n\n- For children there is a price of 6.", "\n\nAdded in section Winter:\n\nDogs travel free of any charge, as they always have."}},
		{two, last, []string{"not modified since version "}},
		{two, "first", []string{"1 added, 1 removed, 2 changed since version "}},
		{one, last, []string{"1 added, 1 removed, 2 changed"}},
	} {
		body = c.body
		if c.since == "first" {
			c.since = first
		}
		a, err := read(c.since, nil)
		if err != nil {
			t.Fatalf("%d: %v", i, err)
		}
		if i == 0 {
			first = a.Metadata.Version
			if n := a.Notices; len(n) != 1 || !strings.Contains(n[0], "No earlier version") {
				t.Errorf("notices %q", n)
			}
		} else if !strings.Contains(strings.Split(a.ForModel("web_fetch", 0), "\n")[1], " since "+first) && i < 3 {
			t.Errorf("facts: %s", a.ForModel("web_fetch", 0))
		}
		for _, w := range c.want {
			if !strings.Contains(a.Body(), w) {
				t.Errorf("%d: %q is missing in\n%s", i, w, a.Body())
			}
		}
	}
	// Versions of one caller are nobody else's.
	a, err := read(last, &fetch.Auth{Bearer: "secret"})
	if err != nil || a.Markdown == "" {
		t.Errorf("%v: another caller's version is compared with: %s", err, a.Body())
	}
	var e *tool.Error
	if _, err = read("0123456789ab", nil); !errors.As(err, &e) || e.Type != tool.NoContent || !strings.Contains(e.Hint, first) {
		t.Errorf("a version that is gone: %+v", err)
	}
	if got := s.List(context.Background(), "", "https://example.com/times"); len(got) != 2 || got[0].Hash != first {
		t.Errorf("stored: %+v", got)
	}
	if v, ok := s.Get(context.Background(), "", first); !ok || !strings.HasPrefix(v.Text, "# Times\n\n") {
		t.Errorf("version: %v %+v", ok, v)
	}
	if _, err := New(Options{Fetch: r.o.Fetch}).Read(context.Background(), Request{URL: mustURL(t, "https://example.com/"), Since: last}); !errors.As(err, &e) || e.Type != tool.InvalidInput {
		t.Errorf("without a store: %v", err)
	}
	if _, err := r.Read(context.Background(), Request{URL: mustURL(t, "https://example.com/"), Since: last, Query: "boat"}); !errors.As(err, &e) || e.Type != tool.InvalidInput {
		t.Errorf("with a query: %v", err)
	}
}
