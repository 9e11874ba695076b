package fetch

import (
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// TestForeignHop: after a redirect to another origin no credential is sent any more,
// also not to the first origin: the other one has chosen the address.
func TestForeignHop(t *testing.T) {
	var mu sync.Mutex
	var seen []string
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var got []string
		for _, name := range []string{"Authorization", "Cookie", "X-Key"} {
			if r.Header.Get(name) != "" {
				got = append(got, name)
			}
		}
		mu.Lock()
		seen = append(seen, r.Host+" "+strings.Join(got, "+"))
		mu.Unlock()
		redirector(w, r)
	}), Options{})
	const a, b = "http://example.com", "http://other.example"
	auth := func(a Auth) *Auth { return &a }
	login := auth(Auth{Login: NewLogin("example.com", []LoginCookie{{Name: "sid", Value: "1", Domain: "example.com"}})})
	for _, c2 := range []struct {
		name string
		req  Request
		way  string
		want string
	}{
		{"bearer, within", Request{Auth: auth(Auth{Bearer: "x"})}, a + "/to?" + a + "/end", "example.com Authorization, example.com Authorization"},
		{"bearer, away and back", Request{Auth: auth(Auth{Bearer: "x"})}, a + "/to?" + b + "/to?" + a + "/end", "example.com Authorization, other.example , example.com "},
		{"basic, away and back", Request{Auth: auth(Auth{Username: "u", Password: "p"})}, a + "/to?" + b + "/to?" + a + "/end", "example.com Authorization, other.example , example.com "},
		{"cookie, away and back", Request{Auth: auth(Auth{Cookies: []*http.Cookie{{Name: "k", Value: "v"}}})}, a + "/to?" + b + "/to?" + a + "/end", "example.com Cookie, other.example , example.com "},
		{"header, within", Request{Header: http.Header{"X-Key": {"v"}}}, a + "/to?" + a + "/end", "example.com X-Key, example.com X-Key"},
		{"header, away and back", Request{Header: http.Header{"X-Key": {"v"}}}, a + "/to?" + b + "/to?" + a + "/end", "example.com X-Key, other.example , example.com "},
		{"header, by another port", Request{Header: http.Header{"X-Key": {"v"}}}, a + "/to?" + a + ":8080/to?" + a + "/end", "example.com X-Key, example.com:8080 , example.com "},
		{"login, away and back", Request{Auth: login}, a + "/to?" + b + "/to?" + a + "/end", "example.com Cookie, other.example , example.com "},
		{"login, within the site", Request{Auth: login}, a + "/to?http://www.example.com/to?" + a + "/end", "example.com Cookie, www.example.com Cookie, example.com Cookie"},
	} {
		seen = nil
		c2.req.URL, c2.req.Redirects = parse(t, c2.way), Follow
		if _, err := c.Get(t.Context(), c2.req); err != nil {
			t.Errorf("%s: %v", c2.name, err)
		}
		if got := strings.Join(seen, ", "); got != c2.want {
			t.Errorf("%s: %q, want %q", c2.name, got, c2.want)
		}
	}
}

// TestCacheOwners: what was read without credentials is shared by all principals,
// what was read with credentials is its principal's.
func TestCacheOwners(t *testing.T) {
	c := site(t, http.HandlerFunc(redirector), Options{})
	cache, err := NewCache(c, CacheOptions{Store: new(memory)})
	if err != nil {
		t.Fatal(err)
	}
	key := func(name string, q Request) [32]byte {
		q.URL = parse(t, "http://example.com/")
		k, ok := cache.key(principal.With(t.Context(), principal.Caller{Name: name}), q)
		if !ok {
			t.Fatal("no key")
		}
		return k
	}
	for _, c := range []struct {
		name   string
		q      Request
		shared bool
	}{
		{"plain", Request{}, true},
		{"with a language", Request{Header: http.Header{"Accept-Language": {"de"}}}, true},
		{"bearer", Request{Auth: &Auth{Bearer: "x"}}, false},
		{"login", Request{Auth: &Auth{Login: NewLogin("example.com", nil)}}, false},
		{"a header that can be a key", Request{Header: http.Header{"X-Key": {"v"}}}, false},
	} {
		if got := key("ann", c.q) == key("bob", c.q); got != c.shared {
			t.Errorf("%s: shared %v", c.name, got)
		}
		if first, second := key("ann", c.q), key("ann", c.q); first != second {
			t.Errorf("%s: another key each time", c.name)
		}
	}
}
