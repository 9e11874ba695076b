package fetch

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
)

// cookieSite has the ways in which sites set a cookie and want it back. A page says
// which cookies its request had.
func cookieSite(w http.ResponseWriter, r *http.Request) {
	to := func(path string, cookies ...string) {
		w.Header()["Set-Cookie"] = cookies
		http.Redirect(w, r, path, http.StatusFound)
	}
	switch got := r.Header.Get("Cookie"); r.URL.Path {
	case "/set":
		to("/page", "seen=1; Path=/")
	case "/self":
		if got == "" {
			to("/self", "seen=1; HttpOnly; SameSite=Lax")
			return
		}
		_, _ = io.WriteString(w, got)
	case "/change":
		to("/change2", "v=1")
	case "/change2":
		to("/page", "v=2")
	case "/end":
		to("/end2", "v=1", "w=2")
	case "/end2":
		to("/page", "v=; Max-Age=0")
	case "/folder":
		to("/page", "a=1; Path=/other", "b=2; Path=/page")
	case "/reload":
		if got == "" {
			http.SetCookie(w, &http.Cookie{Name: "seen", Value: "1"})
			w.Header().Set("Refresh", "0")
			got = `<meta http-equiv=refresh content="0; url=/reload">`
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, got)
	case "/secure":
		to("/page", "a=1; Secure")
	case "/domain":
		to("http://www.example.com/page", "a=1; Domain=example.com", "b=2")
	case "/suffix":
		to("/page", "a=1; Domain=com", "b=2; Domain=other.com", "c=3")
	case "/away":
		to("http://other.example/page", "a=1")
	case "/quoted":
		to("/page", `a="x, y"`)
	case "/broken":
		to("/page", "=", "", "a b=1", "ok=1")
	case "/count":
		to("/count", fmt.Sprintf("n=%d", len(got)+1)+strings.Repeat("x", len(got)+1))
	case "/bomb":
		var bomb []string
		for i := range 40 {
			bomb = append(bomb, fmt.Sprintf("c%d=%s", i, strings.Repeat("x", 1000)))
		}
		to("/length", append(bomb, "long="+strings.Repeat("x", 5000))...)
	case "/length":
		_, _ = fmt.Fprint(w, len(got), strings.Contains(got, "long"))
	default:
		_, _ = io.WriteString(w, got)
	}
}

func TestCookies(t *testing.T) {
	c := site(t, http.HandlerFunc(cookieSite), Options{})
	for _, x := range []struct{ path, want string }{
		{"/page", ""}, {"/set", "seen=1"}, {"/self", "seen=1"}, {"/change", "v=2"}, {"/end", "w=2"}, {"/folder", "b=2"}, {"/reload", "seen=1"},
		{"/secure", ""}, {"/domain", "a=1"}, {"/suffix", "c=3"}, {"/away", ""}, {"/quoted", `a="x, y"`}, {"/broken", "ok=1"},
		{"/page", ""}, // nothing is left of the calls before
	} {
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com"+x.path), Redirects: Follow})
		if err != nil {
			t.Errorf("%s: %v", x.path, err)
		} else if string(res.Body) != x.want {
			t.Errorf("%s: sent %q, want %q", x.path, res.Body, x.want)
		}
	}
}

// What a caller gives and what a server sets go together; the server's is later.
func TestCookiesBesideGivenOnes(t *testing.T) {
	c := site(t, http.HandlerFunc(cookieSite), Options{})
	for _, auth := range []*Auth{
		{Cookies: []*http.Cookie{{Name: "own", Value: "1"}, {Name: "v", Value: "old"}}},
		{Login: NewLogin("example.com", []LoginCookie{{Name: "own", Value: "1", Domain: "example.com"}, {Name: "v", Value: "old", Domain: "example.com"}})},
	} {
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/change"), Auth: auth})
		if err != nil || string(res.Body) != "own=1; v=2" {
			t.Errorf("%v: %q %v", auth, res.Body, err)
		}
	}
}

// A site that asks again and again with another cookie comes to an end, and so does one
// that sets as many as it can.
func TestCookieTraps(t *testing.T) {
	c := site(t, http.HandlerFunc(cookieSite), Options{})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/count")})
	var e *Error
	if !errors.As(err, &e) || e.Code != TooManyRedirects {
		t.Errorf("%v", err)
	}
	res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/bomb")})
	if err != nil {
		t.Fatal(err)
	}
	var n int
	var long bool
	if _, err := fmt.Sscanf(strings.Replace(string(res.Body), "false", " false", 1), "%d %t", &n, &long); err != nil || n == 0 || n > maxCookieLine || long {
		t.Errorf("%s: %v", res.Body, err)
	}
	j := NewJar()
	for i := range 500 {
		j.set(parse(t, "http://example.com/"), http.Header{"Set-Cookie": {fmt.Sprintf("c%d=1", i)}})
	}
	j.set(parse(t, "http://example.com/"), http.Header{"Set-Cookie": {"c0=2"}})
	if line := j.line(parse(t, "http://example.com/"), nil); strings.Count(line, "=") != maxCookies || !strings.Contains(line, "c0=2") {
		t.Errorf("%s", line)
	}
	if s := fmt.Sprintf("%v %+v %#v", j, j, Request{Jar: j}); strings.Contains(s, "c0") {
		t.Errorf("it shows its cookies: %s", s)
	}
}

// Calls share cookies only where they share a jar, and then also no response in flight
// and no remembered failure of others.
func TestJar(t *testing.T) {
	var asked atomic.Int32
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		if r.URL.Path == "/enter" {
			http.SetCookie(w, &http.Cookie{Name: "in", Value: "1"})
		} else if r.Header.Get("Cookie") == "" {
			http.Error(w, "no", http.StatusForbidden)
		}
	}), Options{})
	get := func(path string, q Request) error {
		q.URL = parse(t, "http://example.com"+path)
		_, err := c.Get(t.Context(), q)
		return err
	}
	jar := NewJar()
	if err := get("/page", Request{}); err == nil {
		t.Error("it came without a cookie")
	}
	if err := get("/enter", Request{Jar: jar}); err != nil {
		t.Error(err)
	}
	if err := get("/page", Request{Jar: jar}); err != nil {
		t.Error(err)
	}
	for _, q := range []Request{{}, {Jar: NewJar()}, {Jar: jar, NoCookies: true}} {
		if err := get("/page", q); err == nil {
			t.Errorf("%+v: it came without a cookie", q)
		}
	}
	off := site(t, http.HandlerFunc(cookieSite), Options{NoCookies: true})
	if res, err := off.Get(t.Context(), Request{URL: parse(t, "http://example.com/set"), Jar: jar}); err != nil || len(res.Body) > 0 {
		t.Errorf("%q %v", res.Body, err)
	}
}
