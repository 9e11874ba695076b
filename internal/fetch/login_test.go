package fetch

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// TestLoginCookies is the table of which cookie goes where (RFC 6265 sections
// 5.1.3, 5.1.4 and 5.4).
func TestLoginCookies(t *testing.T) {
	now := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name   string
		cookie LoginCookie
		to     []string
		not    []string
	}{
		{"of the host alone", LoginCookie{Domain: "www.example.com", HostOnly: true},
			[]string{"https://www.example.com/", "http://www.example.com/a", "https://WWW.example.com:8443/"},
			[]string{"https://example.com/", "https://a.www.example.com/", "https://wwwxexample.com/"}},
		{"of the domain", LoginCookie{Domain: ".example.com"},
			[]string{"https://example.com/", "https://a.b.example.com/"}, []string{"https://badexample.com/", "https://example.com.evil.net/", "https://example.org/"}},
		{"secure", LoginCookie{Domain: "example.com", Secure: true}, []string{"https://example.com/"}, []string{"http://example.com/", "http://example.com:443/"}},
		{"of a path", LoginCookie{Domain: "example.com", Path: "/a"},
			[]string{"https://example.com/a", "https://example.com/a/b", "https://example.com/a?x", "https://example.com/a/"},
			[]string{"https://example.com/", "https://example.com/ab", "https://example.com/b/a", "https://example.com/A"}},
		{"of a folder", LoginCookie{Domain: "example.com", Path: "/a/"}, []string{"https://example.com/a/b", "https://example.com/a/"}, []string{"https://example.com/a"}},
		{"without a path", LoginCookie{Domain: "example.com", Path: "x"}, []string{"https://example.com/a"}, nil},
		{"over", LoginCookie{Domain: "example.com", Expires: now}, nil, []string{"https://example.com/"}},
		{"not over", LoginCookie{Domain: "example.com", Expires: now.Add(time.Second)}, []string{"https://example.com/"}, nil},
		{"of another site", LoginCookie{Domain: "evil.net"}, nil, []string{"https://example.com/", "https://evil.net/"}},
		{"of a whole suffix", LoginCookie{Domain: "com"}, nil, []string{"https://example.com/"}},
		{"with a line break", LoginCookie{Domain: "example.com", Value: "a\r\nX: y"}, nil, []string{"https://example.com/"}},
		{"with another cookie in it", LoginCookie{Domain: "example.com", Value: "a; b=c"}, nil, []string{"https://example.com/"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cookie.Name = "k"
			l := NewLogin("example.com", []LoginCookie{c.cookie})
			for i, urls := range [][]string{c.to, c.not} {
				for _, u := range urls {
					h := http.Header{}
					l.apply(h, parse(t, u), now)
					if sent := strings.HasPrefix(h.Get("Cookie"), "k="); sent != (i == 0) {
						t.Errorf("%s: %v", u, h)
					}
				}
			}
		})
	}
	l := NewLogin("127.0.0.1", []LoginCookie{{Name: "b", Value: `"1, 2"`, Domain: "127.0.0.1"}, {Name: "a", Value: "2", Domain: "127.0.0.1", Path: "/x"}})
	h := http.Header{"Cookie": {"own=1"}}
	l.apply(h, parse(t, "http://127.0.0.1:8080/x/y"), now)
	if got := h.Get("Cookie"); got != `own=1; a=2; b="1, 2"` {
		t.Errorf("%q", got)
	}
	if s := fmt.Sprintf("%v %+v %#v", l, l, Auth{Login: l}); strings.Contains(s, "1, 2") {
		t.Errorf("it shows its cookies: %s", s)
	}
	if six := NewLogin("::1", []LoginCookie{{Name: "a", Value: "2", Domain: "[::1]"}}); len(six.cookies) != 1 || !six.Covers(parse(t, "http://[::1]:80/")) {
		t.Errorf("%+v", six.cookies)
	}
}

// TestLogin: the cookies go to the site, on each hop those that are for it,
// and no more once another site has had a say.
func TestLogin(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]string{}
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.Host+r.URL.Path] = r.Header.Get("Cookie")
		mu.Unlock()
		redirector(w, r)
	}), Options{})
	auth := &Auth{Login: NewLogin("example.com", []LoginCookie{
		{Name: "all", Value: "1", Domain: "example.com"}, {Name: "www", Value: "2", Domain: "www.example.com", HostOnly: true},
		{Name: "tls", Value: "3", Domain: "example.com", Secure: true}, {Name: "in", Value: "4", Domain: "example.com", Path: "/in"}})}
	for to, want := range map[string]string{
		"/a":                                 "all=1",
		"/in/a":                              "in=4; all=1",
		"http://www.example.com/a":           "all=1; www=2",
		"https://www.example.com/in":         "in=4; all=1; www=2; tls=3",
		"http://example.com:8080/a":          "all=1",
		"http://other.example/a":             "",
		"http://example.com.other.example/a": "",
		"http://other.example/to?http://example.com/a":     "",
		"http://www.example.com/to?http://example.com/b/a": "all=1",
	} {
		clear(seen)
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/to?"+to), Redirects: Follow, Auth: auth})
		if err != nil {
			t.Fatal(err)
		}
		at := strings.TrimPrefix(strings.TrimPrefix(res.URL.String(), "http://"), "https://")
		if got, ok := seen[at]; got != want || !ok {
			t.Errorf("%s: %s got %q, want %q", to, at, got, want)
		}
		if seen["example.com/to"] != "all=1" {
			t.Errorf("the first hop got %q", seen["example.com/to"])
		}
	}
	clear(seen)
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://other.example/a"), Auth: auth})
	var e *Error
	if !errors.As(err, &e) || e.Code != InvalidInput || len(seen) > 0 {
		t.Errorf("%v %v", err, seen)
	}
}
