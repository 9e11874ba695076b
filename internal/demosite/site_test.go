package demosite

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"unicode/utf8"
)

func start(t *testing.T) *Site {
	t.Helper()
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// get does not follow redirects.
func get(t *testing.T, url, host string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), "GET", url, nil)
	if err != nil {
		t.Fatal(err)
	}
	if host != "" {
		r.Host = host
	}
	res, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, 1<<20))
	if err != nil {
		t.Fatal(err)
	}
	return res, string(body)
}

// TestPages: each page is served, and its words are in its source, or looking
// for them in what was read would say nothing.
func TestPages(t *testing.T) {
	s := start(t)
	types := map[string]bool{}
	for _, p := range Pages() {
		res, body := get(t, s.Home+p.Path, "")
		if res.StatusCode != 200 || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/html") {
			t.Errorf("%s: %s, %s", p.Path, res.Status, res.Header.Get("Content-Type"))
		}
		types[p.Type] = true
		if strings.Contains(body, "{main}") || strings.Contains(body, "{title}") {
			t.Errorf("%s: a placeholder was left", p.Path)
		}
		if p.Encoding != "" {
			if utf8.ValidString(body) {
				t.Errorf("%s is UTF-8 and not %s", p.Path, p.Encoding)
			}
			if p.Declared != strings.Contains(res.Header.Get("Content-Type"), p.Encoding) {
				t.Errorf("%s: %s", p.Path, res.Header.Get("Content-Type"))
			}
			continue
		}
		flat := strings.Join(strings.Fields(body), " ")
		for _, w := range append(append([]string{p.Title}, p.Keep...), p.Drop...) {
			// Tags and entities may stand within a phrase of the content.
			if !strings.Contains(flat, w) && !strings.Contains(flat, strings.Fields(w)[0]) {
				t.Errorf("%s does not say %q", p.Path, w)
			}
		}
	}
	for _, want := range []string{"article", "documentation", "service", "forum", "collection", "listing", "product"} {
		if !types[want] {
			t.Errorf("no page is a %s", want)
		}
	}
}

func TestRedirects(t *testing.T) {
	s := start(t)
	for path, want := range map[string]string{
		Moved:      "/article",
		MovedAway:  s.Other + "/elsewhere",
		ToMetadata: "http://169.254.169.254/latest/meta-data/",
		ToPrivate:  "http://10.0.0.1/admin",
		Loop:       Loop,
	} {
		if res, _ := get(t, s.Home+path, ""); res.StatusCode != 302 || res.Header.Get("Location") != want {
			t.Errorf("%s: %s to %q, want %q", path, res.Status, res.Header.Get("Location"), want)
		}
	}
	if res, _ := get(t, s.Home+Missing, ""); res.StatusCode != 404 {
		t.Errorf("%s: %s", Missing, res.Status)
	}
	// The other host's name, which the test's own resolver need not know.
	other := strings.Replace(s.Other, "localhost", "127.0.0.1", 1)
	if res, body := get(t, other+"/elsewhere", strings.TrimPrefix(s.Other, "http://")); res.StatusCode != 200 || !strings.Contains(body, "another host") {
		t.Errorf("elsewhere: %s", res.Status)
	}
}

// TestForeignHost: a name that somebody points here is not answered.
func TestForeignHost(t *testing.T) {
	s := start(t)
	if res, _ := get(t, s.Home+"/article", "evil.example"); res.StatusCode != http.StatusMisdirectedRequest {
		t.Errorf("%s", res.Status)
	}
}

// TestEndless: more than anybody asks for, until the reader goes away; Close
// in start's cleanup waits for the handler.
func TestEndless(t *testing.T) {
	s := start(t)
	_, body := get(t, s.Home+Endless, "")
	if len(body) != 1<<20 {
		t.Errorf("%d bytes", len(body))
	}
}

func TestExceptionsAndClose(t *testing.T) {
	s, err := Start()
	if err != nil {
		t.Fatal(err)
	}
	for i, origin := range []string{s.Home, s.Other} {
		host, _, err := net.SplitHostPort(s.Exceptions()[i])
		if err != nil || "http://"+s.Exceptions()[i] != origin || host != "127.0.0.1" && host != "localhost" {
			t.Errorf("%q for %s: %v", s.Exceptions()[i], origin, err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err := net.Dial("tcp", strings.TrimPrefix(s.Home, "http://")); err == nil {
		c.Close()
		t.Error("the site still listens")
	}
}

func ExampleStart() {
	site, err := Start()
	if err != nil {
		fmt.Println(err)
		return
	}
	defer site.Close()
	fmt.Println(len(site.Exceptions()), "listeners")
	// Output: 2 listeners
}
