package reader

import (
	"context"
	"crypto/sha256"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// notebook is a HintStore, and a Cache by address.
type notebook struct {
	mu    sync.Mutex
	notes map[[sha256.Size]byte]bool
	pages map[string]*fetch.Response
}

func (n *notebook) Load(_ context.Context, key [sha256.Size]byte) (meta, body []byte, ok bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return nil, nil, n.notes[key]
}

func (n *notebook) Save(_ context.Context, key [sha256.Size]byte, _, _ []byte, _ time.Duration) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes[key] = true
}

func (n *notebook) Remove(_ context.Context, key [sha256.Size]byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	delete(n.notes, key)
}

func (n *notebook) Lookup(_ context.Context, q fetch.Request) (*fetch.Response, bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	res, ok := n.pages[q.URL.String()]
	return res, ok && !q.Fresh
}

func (n *notebook) Store(_ context.Context, q fetch.Request, res *fetch.Response) {
	n.mu.Lock()
	defer n.mu.Unlock()
	kept := *res
	kept.Cached = true
	n.pages[q.URL.String()] = &kept
}

// TestSiteMemory: what a browser was good for decides about it the next time.
// Each step is a read; the browser's answer waits for that of the server unless
// it is to be asked at once.
func TestSiteMemory(t *testing.T) {
	type step struct {
		path, page, gives string // by the server, by the browser
		fresh             bool
		asked, rendered   bool
	}
	for name, steps := range map[string][]step{
		"in vain, with content": {
			{path: "/boats/1", page: half, gives: half, asked: true},
			{path: "/boats/2", page: half, gives: testPage},
			{path: "/boats/2", page: half, gives: testPage, fresh: true, asked: true, rendered: true},
			{path: "/boats/3", page: shell, gives: testPage, asked: true, rendered: true},
		},
		"in vain, without content": {
			{path: "/boats/1", page: shell, gives: shell, asked: true},
			{path: "/boats/1", page: shell, gives: testPage},
			{path: "/boats/2", page: shell, gives: testPage, asked: true, rendered: true},
		},
	} {
		t.Run(name, func(t *testing.T) {
			book := &notebook{notes: map[[sha256.Size]byte]bool{}}
			for i, s := range steps {
				asked := false
				r := New(Options{HintStore: book,
					Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
						return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte(s.page), Header: http.Header{}}, nil
					},
					Render: func(_ context.Context, q RenderRequest) (*Rendered, error) {
						u := q.URL
						asked = true
						return &Rendered{URL: u, HTML: []byte(s.gives)}, nil
					}})
				a, err := r.Read(t.Context(), Request{URL: mustURL(t, "https://harbour.example"+s.path), Fresh: s.fresh})
				if asked != s.asked || (err == nil && a.Metadata.Rendered) != s.rendered {
					t.Errorf("step %d: asked %v, answer %+v, %v", i+1, asked, a, err)
				}
			}
		})
	}
}

// TestRenderedIsKept: what the browser gave is given again, unless the page
// forbids that, is of no use, or a fresh one is asked for.
func TestRenderedIsKept(t *testing.T) {
	for _, c := range []struct {
		name    string
		gives   string
		noStore bool
		again   Request
		asked   int
	}{
		{name: "kept", gives: testPage, asked: 1},
		{name: "kept for render=always", gives: testPage, again: Request{Render: RenderAlways}, asked: 1},
		{name: "fresh", gives: testPage, again: Request{Fresh: true}, asked: 2},
		{name: "no-store", gives: testPage, noStore: true, asked: 2},
		{name: "no content", gives: shell, asked: 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			book, versions := &notebook{pages: map[string]*fetch.Response{}}, &shelf{}
			asked := 0
			r := serve(t, "text/html", shell, nil)
			r.o.Cache, r.o.Versions = book, versions
			r.o.Render = func(_ context.Context, q RenderRequest) (*Rendered, error) {
				u := q.URL
				asked++
				return &Rendered{URL: u, HTML: []byte(c.gives), NoStore: c.noStore}, nil
			}
			c.again.URL = mustURL(t, "https://harbour.example/")
			_, err := r.Read(t.Context(), Request{URL: c.again.URL})
			a, again := r.Read(t.Context(), c.again)
			if (err == nil) != (again == nil) || asked != c.asked {
				t.Fatalf("asked %d times; %v, then %v", asked, err, again)
			}
			if kept := len(versions.all) > 0; kept != (again == nil && !c.noStore) {
				t.Errorf("a version is stored: %v", kept)
			}
			if again == nil && (!a.Metadata.Rendered || a.Metadata.Cached != (c.asked == 1)) {
				t.Errorf("%+v", a.Metadata)
			}
		})
	}
}

// TestLoginIsNotNoted: what a page shows with a login says nothing of what
// others get, and is neither noted nor kept.
func TestLoginIsNotNoted(t *testing.T) {
	for name, gives := range map[string]string{"more": testPage, "no more": shell} {
		book := &notebook{notes: map[[sha256.Size]byte]bool{}, pages: map[string]*fetch.Response{}}
		asked := 0
		r := New(Options{HintStore: book, Cache: book,
			Login: func(_ context.Context, site string, _ weburl.URL) (*fetch.Login, error) {
				return fetch.NewLogin(site, nil), nil
			},
			Fetch: func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
				return &fetch.Response{URL: q.URL, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte(shell), Header: http.Header{}}, nil
			},
			Render: func(_ context.Context, q RenderRequest) (*Rendered, error) {
				u := q.URL
				asked++
				return &Rendered{URL: u, HTML: []byte(gives)}, nil
			}})
		for range 2 {
			_, _ = r.Read(t.Context(), Request{URL: mustURL(t, "https://harbour.example/boats/1"), Login: "harbour.example"}) // fails where there is no more
		}
		if asked != 2 || len(book.notes) != 0 || len(book.pages) != 0 {
			t.Errorf("%s: asked %d times, %d notes, %d pages", name, asked, len(book.notes), len(book.pages))
		}
	}
}

// TestStoredAlone: a request for the stored copy never asks the site, in no mode and by no way.
func TestStoredAlone(t *testing.T) {
	u := mustURL(t, "https://harbour.example/boats/1")
	for name, c := range map[string]struct {
		kept, render string
		want         string // the error
	}{
		"stored":                   {testPage, "", ""},
		"not stored":               {"", "", "no stored copy of the page that is new enough"},
		"a shell":                  {shell, "", "scripts"},
		"not stored as it is made": {"", RenderAlways, "no stored copy of the page as a browser shows it"},
	} {
		book := &notebook{notes: map[[sha256.Size]byte]bool{}, pages: map[string]*fetch.Response{}}
		if c.kept != "" {
			book.pages[u.String()] = &fetch.Response{URL: u, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte(c.kept), Header: http.Header{}, Cached: true}
		}
		r := New(Options{Cache: book,
			Fetch: func(context.Context, fetch.Request) (*fetch.Response, error) {
				t.Errorf("%s: the site is asked", name)
				return nil, context.Canceled
			},
			Render: func(context.Context, RenderRequest) (*Rendered, error) {
				t.Errorf("%s: the browser asks the site", name)
				return nil, context.Canceled
			}})
		a, err := r.Read(t.Context(), Request{URL: u, Stored: true, Render: c.render})
		if (err == nil) != (c.want == "") || err == nil && !a.Metadata.Cached || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
