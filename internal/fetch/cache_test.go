package fetch

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/provenance"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// memory is a Store for tests.
type memory struct {
	mu      sync.Mutex
	entries map[[sha256.Size]byte]entry
}

type entry struct {
	meta, body []byte
	keep       time.Duration
}

func (m *memory) Load(_ context.Context, key [sha256.Size]byte) (meta, body []byte, ok bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	e, ok := m.entries[key]
	return bytes.Clone(e.meta), bytes.Clone(e.body), ok
}

func (m *memory) Save(_ context.Context, key [sha256.Size]byte, meta, body []byte, keep time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil {
		m.entries = map[[sha256.Size]byte]entry{}
	}
	m.entries[key] = entry{bytes.Clone(meta), bytes.Clone(body), keep}
}

func (m *memory) Refresh(_ context.Context, key [sha256.Size]byte, meta []byte, keep time.Duration) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if e, ok := m.entries[key]; ok {
		m.entries[key] = entry{bytes.Clone(meta), e.body, keep}
	}
}

func (m *memory) Remove(_ context.Context, key [sha256.Size]byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.entries, key)
}

// age makes all answers older.
func (m *memory) age(t testing.TB, by time.Duration) {
	t.Helper()
	for key, e := range m.entries {
		var s stored
		if err := json.Unmarshal(e.meta, &s); err != nil {
			t.Fatal(err)
		}
		s.Fetched = s.Fetched.Add(-by)
		meta, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		m.entries[key] = entry{meta, e.body, e.keep}
	}
}

// cacheSite is a site whose pages say how often they were asked for.
type cacheSite struct {
	mu       sync.Mutex
	asked    map[string]int // requests by path
	etag     string         // of /etag
	gone     bool           // /etag is 404
	conflict string         // the ETag of a 304 of /etag, where it is another
	moved    bool           // /moves redirects to /etag
}

func (s *cacheSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked == nil {
		s.asked = map[string]int{}
	}
	s.asked[r.URL.Path]++
	w.Header().Set("Content-Type", "text/plain")
	switch r.URL.Path {
	case "/no-store":
		w.Header().Set("Cache-Control", `private="x, y", No-Store`)
	case "/no-cache":
		w.Header().Set("Cache-Control", "no-cache, max-age=0, must-revalidate")
		w.Header().Set("Set-Cookie", "session=secret")
		w.Header().Set("Vary", "*")
	case "/etag", "/moves":
		if s.gone {
			http.NotFound(w, r)
			return
		}
		if r.URL.Path == "/moves" && s.moved {
			http.Redirect(w, r, "/etag", http.StatusFound)
			return
		}
		w.Header().Set("ETag", s.etag)
		w.Header().Set("X-Count", fmt.Sprint(s.asked[r.URL.Path]))
		if r.Header.Get("If-None-Match") == s.etag {
			if s.conflict != "" {
				w.Header().Set("ETag", s.conflict)
			}
			w.WriteHeader(http.StatusNotModified)
			return
		}
	case "/modified":
		const at = "Fri, 02 Jan 2026 03:04:05 GMT"
		w.Header().Set("Last-Modified", at)
		if r.Header.Get("If-Modified-Since") == at {
			w.WriteHeader(http.StatusNotModified)
			return
		}
	case "/no-store-redirect":
		w.Header().Set("Cache-Control", "no-store")
		http.Redirect(w, r, "/page", http.StatusFound)
		return
	case "/redirect":
		http.Redirect(w, r, "/page#there", http.StatusFound)
		return
	case "/away":
		http.Redirect(w, r, "https://b.example/page", http.StatusFound)
		return
	case "/broken":
		w.Header().Set("Content-Length", "1000")
	case "/missing":
		http.NotFound(w, r)
		return
	}
	fmt.Fprintf(w, "%s %d", r.URL.Path, s.asked[r.URL.Path])
}

// newCache is a cache in front of a site that is every host.
func newCache(t testing.TB, s http.Handler, o Options) (*Cache, *memory) {
	t.Helper()
	m := new(memory)
	c, err := NewCache(site(t, s, o), CacheOptions{Store: m})
	if err != nil {
		t.Fatal(err)
	}
	return c, m
}

// TestCache is the table of what is answered from the store. Each step is a
// request, and how often the site was asked in all when it is done.
func TestCache(t *testing.T) {
	age := func(d time.Duration) *time.Duration { return &d }
	type step struct {
		req    Request
		url    string        // of https://a.example
		later  time.Duration // passes before
		cached bool
		asked  int
	}
	header := func(kv ...string) Request {
		h := http.Header{}
		for i := 0; i < len(kv); i += 2 {
			h.Set(kv[i], kv[i+1])
		}
		return Request{Header: h}
	}
	login := func(value string) Request {
		return Request{Auth: &Auth{Login: NewLogin("a.example", []LoginCookie{{Name: "sid", Value: value, Domain: "a.example"}})}}
	}
	for name, steps := range map[string][]step{
		"fresh for the TTL, whatever the answer says": {
			{url: "/no-cache", asked: 1}, {url: "/no-cache", cached: true, asked: 1},
			{url: "/no-cache", later: 14 * time.Minute, cached: true, asked: 1},
			{url: "/no-cache", later: time.Minute, asked: 2}, {url: "/no-cache", cached: true, asked: 2},
		},
		"no-store": {{url: "/no-store", asked: 1}, {url: "/no-store", asked: 2}},
		"no-store on the way": {
			{url: "/no-store-redirect", asked: 2}, {url: "/no-store-redirect", asked: 4},
		},
		"a fragment is no other page": {{url: "/page#a", asked: 1}, {url: "/page#b", cached: true, asked: 1}, {url: "/page?b", asked: 2}},
		"validated by ETag": {
			{url: "/etag", asked: 1}, {url: "/etag", later: time.Hour, cached: true, asked: 2}, {url: "/etag", later: 14 * time.Minute, cached: true, asked: 2},
		},
		"validated by date": {
			{url: "/modified", asked: 1}, {url: "/modified", later: time.Hour, cached: true, asked: 2}, {url: "/modified", cached: true, asked: 2},
		},
		"fresh": {
			{url: "/etag", asked: 1}, {url: "/etag", req: Request{Fresh: true}, asked: 2}, {url: "/etag", cached: true, asked: 2},
		},
		"max age": {
			{url: "/etag", asked: 1},
			{url: "/etag", later: time.Minute, req: Request{MaxAge: age(time.Hour)}, cached: true, asked: 1},
			{url: "/etag", req: Request{MaxAge: age(30 * time.Second)}, cached: true, asked: 2}, // a 304
			{url: "/etag", req: Request{MaxAge: age(0)}, cached: true, asked: 3},
			{url: "/etag", later: 2 * time.Hour, req: Request{MaxAge: age(3 * time.Hour)}, cached: true, asked: 3},
		},
		"a clock that was set back": {{url: "/page", asked: 1}, {url: "/page", later: -time.Hour, asked: 2}},
		"what the caller sends": {
			{url: "/page", asked: 1},
			{url: "/page", req: header("Accept-Language", "de"), asked: 2},
			{url: "/page", req: header("accept-language", "de"), cached: true, asked: 2},
			{url: "/page", req: header("Accept-Language", "fr"), asked: 3},
			{url: "/page", req: header("Accept-Language", "de", "Accept", "x/y"), asked: 4},
			{url: "/page", cached: true, asked: 4},
		},
		"the caller's own conditions": {
			{url: "/page", asked: 1},
			{url: "/page", req: header("If-None-Match", `"x"`), asked: 2}, {url: "/page", req: header("If-None-Match", `"x"`), asked: 3},
			{url: "/page", req: header("Cache-Control", "no-store"), asked: 4}, {url: "/page", cached: true, asked: 4},
		},
		"whose credentials": {
			{url: "/page", req: Request{Auth: &Auth{Bearer: "mara"}}, asked: 1},
			{url: "/page", req: Request{Auth: &Auth{Bearer: "mara"}}, cached: true, asked: 1},
			{url: "/page", asked: 2},
			{url: "/page", req: Request{Auth: &Auth{Bearer: "ivo"}}, asked: 3},
			{url: "/page", req: Request{Auth: &Auth{Username: "mara"}}, asked: 4},
			{url: "/page", req: Request{Auth: &Auth{Password: "mara"}}, asked: 5},
			{url: "/page", req: Request{Auth: &Auth{Cookies: []*http.Cookie{{Name: "mara", Value: ""}}}}, asked: 6},
			{url: "/page", req: Request{Auth: &Auth{Cookies: []*http.Cookie{{Name: "m", Value: "ara"}}}}, asked: 7},
			{url: "/page", req: Request{Auth: &Auth{Bearer: "ivo"}}, cached: true, asked: 7},
		},
		"whose login": {
			{url: "/page", asked: 1},
			{url: "/page", req: login("mara"), asked: 2}, {url: "/page", req: login("mara"), cached: true, asked: 2},
			{url: "/page", req: login("ivo"), asked: 3}, {url: "/page", req: login("ivo"), cached: true, asked: 3},
			{url: "/page", cached: true, asked: 3},
		},
		"a redirect": {{url: "/redirect", asked: 2}, {url: "/redirect#x", cached: true, asked: 2}, {url: "/page", asked: 3}},
		"a redirect to another host": {
			{url: "/away", asked: 1}, {url: "/away", cached: true, asked: 1},
			{url: "/away", req: Request{Redirects: Follow}, asked: 3}, {url: "/away", req: Request{Redirects: Follow}, cached: true, asked: 3},
			{url: "/away", asked: 4},
		},
		"errors":          {{url: "/missing", asked: 1}, {url: "/missing", asked: 2}},
		"what broke off":  {{url: "/broken", asked: 1}, {url: "/broken", asked: 2}},
		"another limit":   {{url: "/page", asked: 1}, {url: "/page", req: Request{MaxBytes: 5}, asked: 2}, {url: "/page", req: Request{MaxBytes: 5}, cached: true, asked: 2}},
		"a wrong request": {{url: "/page", req: header("Bad\nName", "x"), asked: 0}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &cacheSite{etag: `"1"`}
			c, m := newCache(t, s, Options{})
			for i, st := range steps {
				m.age(t, st.later)
				st.req.URL = parse(t, "https://a.example"+st.url)
				res, err := c.Get(t.Context(), st.req)
				asked := 0
				for n := range maps.Values(s.asked) {
					asked += n
				}
				if res == nil {
					res = &Response{}
				}
				if asked != st.asked || res.Cached != st.cached {
					t.Fatalf("step %d: asked %d times, want %d; cached %v, want %v; %v", i, asked, st.asked, res.Cached, st.cached, err)
				}
				if res.Cached && (res.WireBytes != 0 || res.Redirect.IsZero() && len(res.Body) == 0 || res.MediaType != "text/plain" && res.Redirect.IsZero()) {
					t.Errorf("step %d: %+v", i, res)
				}
			}
			for key, e := range m.entries {
				for _, secret := range []string{"mara", "ivo", "session=secret"} {
					if bytes.Contains(e.meta, []byte(secret)) || bytes.Contains(key[:], []byte(secret)) {
						t.Errorf("the store holds %q: %s", secret, e.meta)
					}
				}
			}
		})
	}
}

// TestCacheAnswer: what comes from the store is what came from the site.
func TestCacheAnswer(t *testing.T) {
	for _, c := range []struct {
		url, final, redirect string
		req                  Request
	}{
		{"https://a.example/page", "https://a.example/page", "", Request{}},
		{"https://a.example/page#part", "https://a.example/page#part", "", Request{}},
		{"http://a.example/page", "https://a.example/page", "", Request{}},
		{"https://a.example/redirect#part", "https://a.example/page#there", "", Request{}},
		{"https://a.example/away#part", "https://a.example/away#part", "https://b.example/page#part", Request{}},
		{"https://a.example/away#part", "https://b.example/page#part", "", Request{Redirects: Follow}},
	} {
		t.Run(c.url, func(t *testing.T) {
			cache, m := newCache(t, &cacheSite{}, Options{Judge: upgrade})
			req := c.req
			req.URL = parse(t, c.url).WithoutFragment()
			if _, err := cache.Get(t.Context(), req); err != nil {
				t.Fatal(err)
			}
			req.URL = parse(t, c.url)
			want, err := cache.client.Get(t.Context(), req)
			if err != nil {
				t.Fatal(err)
			}
			got, err := cache.Get(t.Context(), req)
			if err != nil || !got.Cached || len(m.entries) != 1 {
				t.Fatalf("%+v, %v", got, err)
			}
			redirect := ""
			if !got.Redirect.IsZero() {
				redirect = got.Redirect.String()
			}
			if got.URL.String() != c.final || redirect != c.redirect || got.URL != want.URL || got.Redirect != want.Redirect {
				t.Errorf("%s leads to %q, from the site %s and %q", got.URL, redirect, want.URL, want.Redirect)
			}
			if got.Status != want.Status || got.Charset != want.Charset || got.DeclaredType != want.DeclaredType ||
				got.DecodedBytes != want.DecodedBytes || len(got.Hops) != len(want.Hops) || got.Header.Get("Content-Type") != want.Header.Get("Content-Type") {
				t.Errorf("%+v\nfrom the site %+v", got, want)
			}
		})
	}
}

// TestCacheRevalidates: what a 304 says holds, if it speaks of what is kept.
func TestCacheRevalidates(t *testing.T) {
	s := &cacheSite{etag: `"1"`, moved: true}
	c, m := newCache(t, s, Options{})
	get := func(path, body string, cached bool) *Response {
		t.Helper()
		m.age(t, time.Hour)
		res, err := c.Get(t.Context(), Request{URL: parse(t, "https://a.example"+path)})
		if err != nil {
			t.Fatal(err)
		}
		if string(res.Body) != body || res.Cached != cached || res.Status != 200 {
			t.Errorf("%s: %q, cached %v, status %d; want %q, %v", path, res.Body, res.Cached, res.Status, body, cached)
		}
		return res
	}
	get("/etag", "/etag 1", false)
	res := get("/etag", "/etag 1", true)
	if res.Header.Get("X-Count") != "2" || res.Header.Get("Content-Type") != "text/plain" || time.Since(res.FetchedAt) > time.Minute {
		t.Errorf("the 304's header was not taken over: %v, %v", res.Header, res.FetchedAt)
	}
	s.etag = `"2"`
	get("/etag", "/etag 3", false)
	s.conflict = `"3"`
	get("/etag", "/etag 5", false) // a 304 for another entity, then all of it
	s.conflict = ""
	get("/moves", "/etag 6", false)
	get("/moves", "/etag 6", true)
	s.moved = false
	get("/moves", "/moves 4", false) // a 304 of another page with the same tag
	s.gone = true
	before := len(m.entries)
	if _, err := c.Get(t.Context(), Request{URL: parse(t, "https://a.example/etag"), Fresh: true}); err == nil {
		t.Error("a page that is gone is still there")
	}
	if len(m.entries) != before-1 {
		t.Error("a page that is gone is still kept")
	}
}

// TestCachePolicy: what the policy no longer allows is not answered from the
// store.
func TestCachePolicy(t *testing.T) {
	refused := ""
	judge := func(u weburl.URL) (weburl.URL, error) {
		if u.Host() == refused {
			return u, errors.New("refused")
		}
		return u, nil
	}
	c, _ := newCache(t, &cacheSite{}, Options{Judge: judge})
	for _, mode := range []RedirectMode{SameHost, Follow} {
		for _, host := range []string{"", "", "a.example", "b.example"} {
			refused = host
			_, err := c.Get(t.Context(), Request{URL: parse(t, "https://a.example/away"), Redirects: mode})
			var e *Error
			if blocked := errors.As(err, &e) && e.Code == Blocked; blocked != (host != "") {
				t.Errorf("mode %d, refused %q: %v", mode, host, err)
			}
		}
	}
}

// TestCacheProvenance: what nobody gave is not read from the store either.
func TestCacheProvenance(t *testing.T) {
	u := parse(t, "https://a.example/page")
	c, m := newCache(t, &cacheSite{}, Options{})
	if _, err := c.Get(t.Context(), Request{URL: u}); err != nil || len(m.entries) != 1 {
		t.Fatal(err, len(m.entries))
	}
	c.client.options.Provenance = provenance.New()
	_, err := c.Get(t.Context(), Request{URL: u})
	failure(t, err, Blocked)
	if res, err := c.Get(t.Context(), Request{URL: u, Given: true}); err != nil || !res.Cached {
		t.Fatal(res, err)
	}
}

// TestCacheLookup: what a browser has made of a page is given to who asks for
// that, in the same way and while it is fresh and allowed; the site is never
// asked, and never answered for.
func TestCacheLookup(t *testing.T) {
	refused := ""
	judge := func(u weburl.URL) (weburl.URL, error) {
		if u.Host() == refused {
			return u, errors.New("refused")
		}
		return u, nil
	}
	hour, none := time.Hour, time.Duration(0)
	page, away := parse(t, "https://a.example/page"), parse(t, "https://b.example/page")
	in := Request{URL: page, Variant: "browser"}
	for _, c := range []struct {
		name    string
		change  func(*Request)
		refused string
		age     time.Duration
		hit     bool
	}{
		{name: "the same", change: func(q *Request) {}, hit: true},
		{name: "another fragment", change: func(q *Request) { q.URL = parse(t, "https://a.example/page#x") }, hit: true},
		{name: "another page", change: func(q *Request) { q.URL = away }},
		{name: "the plain page", change: func(q *Request) { q.Variant = "" }},
		{name: "credentials", change: func(q *Request) { q.Auth = &Auth{Bearer: "x"} }},
		{name: "a cookie header", change: func(q *Request) { q.Header = http.Header{"Cookie": {"a=b"}} }},
		{name: "fresh", change: func(q *Request) { q.Fresh = true }},
		{name: "stale", change: func(q *Request) {}, age: defaultCacheTTL},
		{name: "old enough", change: func(q *Request) { q.MaxAge = &hour }, age: defaultCacheTTL, hit: true},
		{name: "max_age=0", change: func(q *Request) { q.MaxAge = &none }},
		{name: "the page is refused", change: func(q *Request) {}, refused: "a.example"},
		{name: "where it ended is refused", change: func(q *Request) {}, refused: "b.example"},
	} {
		t.Run(c.name, func(t *testing.T) {
			refused = ""
			s := &cacheSite{}
			cache, m := newCache(t, s, Options{Judge: judge})
			cache.Store(t.Context(), in, &Response{URL: away, Hops: []weburl.URL{page, away}, Status: 200, MediaType: "text/html", Charset: "utf-8", Body: []byte("made by scripts"), FetchedAt: time.Now()})
			m.age(t, c.age)
			refused = c.refused
			q := in
			c.change(&q)
			res, ok := cache.Lookup(t.Context(), q)
			if ok != c.hit {
				t.Fatalf("kept %v, want %v", ok, c.hit)
			}
			if ok && (string(res.Body) != "made by scripts" || !res.Cached || res.URL.Host() != "b.example" || res.Charset != "utf-8") {
				t.Errorf("%+v", res)
			}
			if len(s.asked) != 0 {
				t.Errorf("the site was asked: %v", s.asked)
			}
			if res, err := cache.Get(t.Context(), Request{URL: page}); c.refused != "a.example" && (err != nil || res.Cached || string(res.Body) != "/page 1") {
				t.Errorf("the page itself: %+v, %v", res, err)
			}
		})
	}
}

// TestCacheScope: who works by other rules has another cache.
func TestCacheScope(t *testing.T) {
	s := &cacheSite{}
	c, m := newCache(t, s, Options{})
	for _, scope := range []string{"a", "b", "a"} {
		other, err := NewCache(c.client, CacheOptions{Store: m, Scope: scope})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.Get(t.Context(), Request{URL: parse(t, "https://a.example/page")}); err != nil {
			t.Fatal(err)
		}
	}
	if s.asked["/page"] != 2 || len(m.entries) != 2 {
		t.Errorf("asked %d times, %d kept", s.asked["/page"], len(m.entries))
	}
}

// TestCacheGarbage: a store that gives back anything is a store without the
// answer.
func TestCacheGarbage(t *testing.T) {
	for _, meta := range []string{"", "{", "null", "[]", "{}", `{"Hops":[""]}`, `{"Hops":["nonsense"]}`, `{"Hops":["https://a.example/page"],"Redirect":"::"}`} {
		c, m := newCache(t, &cacheSite{}, Options{})
		key, ok := c.key(t.Context(), Request{URL: parse(t, "https://a.example/page")})
		if !ok {
			t.Fatal("no key")
		}
		m.Save(t.Context(), key, []byte(meta), []byte("garbage"), time.Hour)
		res, err := c.Get(t.Context(), Request{URL: parse(t, "https://a.example/page")})
		if err != nil || res.Cached || string(res.Body) != "/page 1" {
			t.Errorf("%q: %+v, %v", meta, res, err)
		}
	}
}

func TestHasDirective(t *testing.T) {
	for line, want := range map[string]bool{
		"no-store":                  true,
		"public, No-Store ,max-age": true,
		"no-store=1":                true,
		"no-storex, x-no-store":     false,
		`private="no-store"`:        false,
		`private="a, no-store, b"`:  false,
		`private="a\", no-store"`:   false, // the quotation has no end
		`private="a\\", no-store`:   true,
		`a="`:                       false,
		`a="\`:                      false,
		",,":                        false,
		"":                          false,
	} {
		if got := hasDirective(http.Header{"Cache-Control": {"public", line}}, "no-store"); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

// FuzzHasDirective: any header is read to its end, once.
func FuzzHasDirective(f *testing.F) {
	f.Add(`private="a, no-store", no-store`) // quoted, and not
	f.Add(`a="\`)                            // ends within an escape
	f.Fuzz(func(t *testing.T, line string) {
		got := hasDirective(http.Header{"Cache-Control": {line}}, "no-store")
		if got && !strings.Contains(strings.ToLower(line), "no-store") {
			t.Errorf("%q holds no-store", line)
		}
	})
}

// BenchmarkCacheHit is the way of an answer of 100 KB but for the store.
func BenchmarkCacheHit(b *testing.B) {
	page := strings.Repeat("The sea rises. ", 7000)
	c, _ := newCache(b, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, page) }), Options{})
	req := Request{URL: parse(b, "https://a.example/page")}
	if _, err := c.Get(b.Context(), req); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if res, err := c.Get(b.Context(), req); err != nil || !res.Cached {
			b.Fatal(err)
		}
	}
}

// saves counts how often a store is written.
type saves struct {
	memory
	n atomic.Int32
}

func (s *saves) Save(ctx context.Context, key [sha256.Size]byte, meta, body []byte, keep time.Duration) {
	s.n.Add(1)
	s.memory.Save(ctx, key, meta, body, keep)
}

// A herd asks once, and stores the answer once.
func TestHerd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		client := bubble(t, Options{}, func(*http.Request) (*http.Response, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			return answer(200, "some text"), nil
		})
		store := &saves{}
		c, err := NewCache(client, CacheOptions{Store: store})
		if err != nil {
			t.Fatal(err)
		}
		var herd sync.WaitGroup
		for range 30 {
			herd.Go(func() {
				if res, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/")}); err != nil || string(res.Body) != "some text" {
					t.Errorf("%v %v", res, err)
				}
			})
		}
		herd.Wait()
		if asked.Load() != 1 || store.n.Load() != 1 {
			t.Errorf("asked %d times, stored %d times", asked.Load(), store.n.Load())
		}
	})
}
