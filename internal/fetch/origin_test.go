package fetch

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/provenance"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Strict provenance: what was given is read and leads on; what a model makes up
// is not, and cannot lead out by a redirect either.
func TestProvenance(t *testing.T) {
	sent := 0
	c := bubble(t, Options{Provenance: provenance.New(), NegativeTTL: defaultNegativeTTL}, func(r *http.Request) (*http.Response, error) {
		sent++
		if to, ok := strings.CutPrefix(r.URL.Path, "/to/"); ok {
			return answer(302, "", "Location", "https://"+to+"?by=server"), nil
		}
		return answer(200, "x"), nil
	})
	for _, step := range []struct {
		url       string
		given     bool
		redirects RedirectMode
		refused   bool
		requests  int
	}{
		{"https://example.com/start", false, Follow, true, 0},
		{"https://example.com/start", true, Follow, false, 1},
		{"https://example.com/start", false, Follow, false, 1},
		{"https://docs.example.com/made-up", false, Follow, false, 1},
		{"https://docs.example.com/?data=secret", false, Follow, true, 0},
		{"https://example.com/to/www.example.com/page", false, Follow, false, 2},
		{"https://example.com/to/evil.example.net/secret", false, Follow, true, 1},
		{"https://example.com/to/evil.example.net/secret", false, SameHost, true, 1},
		{"https://evil.example.net/secret", false, Follow, true, 0},
		// A short link that a person gave leads anywhere, and one may go on there.
		{"https://short.example.org/to/long.example.info/page", true, SameHost, false, 1},
		{"https://long.example.info/page?by=server", false, Follow, false, 1},
		{"https://long.example.info/other", false, Follow, false, 1},
	} {
		before := sent
		_, err := c.Get(t.Context(), Request{URL: parse(t, step.url), Given: step.given, Redirects: step.redirects})
		if step.refused {
			if e := failure(t, err, Blocked); e.Rule != provenance.Rule || !strings.Contains(e.Hint, "WEB_URL_GIVEN") {
				t.Errorf("%s: %+v", step.url, e)
			}
		} else if err != nil {
			t.Errorf("%s: %v", step.url, err)
		}
		if sent-before != step.requests {
			t.Errorf("%s: %d requests, want %d", step.url, sent-before, step.requests)
		}
	}
}

// A redirect of robots.txt makes nothing known.
func TestRobotsGivesNothing(t *testing.T) {
	c := bubble(t, Options{Provenance: provenance.New(), Robots: true}, func(r *http.Request) (*http.Response, error) {
		if r.URL.Path == "/robots.txt" && r.URL.Host == "example.com" {
			return answer(302, "", "Location", "https://evil.example.net/robots.txt"), nil
		}
		return answer(200, ""), nil
	})
	if _, err := c.Get(t.Context(), Request{URL: parse(t, "https://example.com/"), Given: true}); err != nil {
		t.Fatal(err)
	}
	_, err := c.Get(t.Context(), Request{URL: parse(t, "https://evil.example.net/")})
	failure(t, err, Blocked)
}

// What is asked for in place of a page may be asked for where the page may, on
// its own domain; elsewhere it counts for itself. The policy judges both.
func TestInPlaceOf(t *testing.T) {
	sent := 0
	c := bubble(t, Options{
		Provenance: provenance.New(),
		Judge: func(u weburl.URL) (weburl.URL, error) {
			if u.Host() == "closed.example.com" {
				return u, errors.New("closed")
			}
			return u, nil
		},
	}, func(r *http.Request) (*http.Response, error) {
		sent++
		if r.URL.Path == "/away" {
			return answer(302, "", "Location", "https://evil.example.net/"), nil
		}
		return answer(200, "x"), nil
	})
	for _, step := range []struct {
		url, page string
		given     bool
		code      Code
		requests  int
	}{
		{"https://api.example.com/?q=1", "https://example.com/a", false, Blocked, 0},
		{"https://api.example.com/?q=1", "https://example.com/a", true, "", 1},
		{"https://api.example.com/?q=2", "https://example.com/a", false, "", 1},
		{"https://api.example.com/?q=2", "https://example.com/?made=up", false, Blocked, 0},
		{"https://api.example.com/?q=2", "", false, Blocked, 0}, // it was not given by that
		{"https://example.net/a", "https://example.com/a", true, Blocked, 0},
		{"https://api.example.com/away", "https://example.com/a", true, Blocked, 1},
		{"https://api.example.com/", "https://closed.example.com/a", true, Blocked, 0},
		{"https://closed.example.com/", "https://example.com/a", true, Blocked, 0},
	} {
		before := sent
		req := Request{URL: parse(t, step.url), Given: step.given, Redirects: Follow}
		if step.page != "" {
			req.InPlaceOf = parse(t, step.page)
		}
		_, err := c.Get(t.Context(), req)
		if step.code != "" {
			failure(t, err, step.code)
		} else if err != nil {
			t.Errorf("%s for %s: %v", step.url, step.page, err)
		}
		if sent-before != step.requests {
			t.Errorf("%s for %s: %d requests, want %d", step.url, step.page, sent-before, step.requests)
		}
	}
}
