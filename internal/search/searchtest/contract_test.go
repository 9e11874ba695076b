// Package searchtest tests the contract of all search providers: one test suite,
// and a txtar file in testdata for each provider.
//
// Sections of such a file: CASE.request is the first request, as far as it
// matters; CASE.response, CASE.response2, … are the service's answers;
// CASE.query is the query when it is not the default one; CASE.want is the
// expected result. KEY stands for the API key. Run with -update to rewrite the
// expected results.
package searchtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// canary is an API key that only its service may see. It contains characters
// that are escaped in URLs.
const canary = "canary/7f3a+key=="

// required are the cases that every provider has to have; those without a key
// have no badkey.
var required = []string{"success", "badkey", "ratelimit", "empty"}

// now is the clock of all cases.
func now() time.Time { return time.Date(2026, 3, 31, 12, 0, 0, 0, time.UTC) }

// double is a loopback server in the place of a service.
type double struct {
	*httptest.Server
	responses [][]byte
	requests  []string
	bodies    []string
	headers   []http.Header
	hold      bool // never answers
}

func (d *double) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // before waiting: else the server does not see that the client left
	if d.hold {
		<-r.Context().Done()
		return
	}
	d.requests = append(d.requests, r.Method+" "+r.Header.Get("X-Test-Origin")+r.URL.RequestURI())
	d.bodies = append(d.bodies, string(body))
	d.headers = append(d.headers, r.Header)
	i := len(d.requests) - 1
	if i >= len(d.responses) {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	head, body, _ := bytes.Cut(bytes.ReplaceAll(d.responses[i], []byte("KEY"), []byte(canary)), []byte("\n\n"))
	lines := strings.Split(strings.TrimSpace(string(head)), "\n")
	for _, l := range lines[1:] {
		name, value, _ := strings.Cut(l, ":")
		w.Header().Set(name, strings.TrimSpace(value))
	}
	status, _ := strconv.Atoi(lines[0])
	w.WriteHeader(status)
	w.Write(body)
}

// transport leads every request to the double, and refuses what is not https.
type transport struct {
	double *double
	plain  bool // of SearXNG: http is allowed
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	origin := r.URL.Scheme + "://" + r.URL.Host
	if r.URL.Scheme != "https" && !t.plain {
		return nil, errors.New("not https: " + origin)
	}
	r = r.Clone(r.Context())
	r.Header.Set("X-Test-Origin", origin)
	u, err := url.Parse(t.double.URL)
	if err != nil {
		return nil, err
	}
	r.URL.Scheme, r.URL.Host, r.Host = u.Scheme, u.Host, ""
	return http.DefaultTransport.RoundTrip(r)
}

func start(t *testing.T, responses ...[]byte) *double {
	t.Helper()
	d := &double{responses: responses}
	d.Server = httptest.NewServer(d)
	t.Cleanup(d.Close)
	return d
}

func searcher(t *testing.T, name string, d *double, timeout time.Duration) *search.Searcher {
	t.Helper()
	instance, err := weburl.Parse("http://searx.home.arpa:8080/sub")
	if err != nil {
		t.Fatal(err)
	}
	s, err := search.New(search.Options{
		RoundTripper: transport{d, false}, Searxng: instance, SearxngRoundTripper: transport{d, true},
		Keys: map[string]string{name: canary}, Selection: name, UserAgent: "whale/1", Timeout: timeout, Now: now,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// outcome writes an answer or an error as the wants have it, and looks for the
// key in all that could be shown.
func outcome(t *testing.T, a *search.Answer, err error) string {
	t.Helper()
	var b strings.Builder
	seen := ""
	if err != nil {
		var te *tool.Error
		var se *search.Error
		if !errors.As(err, &te) || !errors.As(err, &se) {
			t.Fatalf("%T %v is no *tool.Error with a *search.Error", err, err)
		}
		fmt.Fprintf(&b, "error %s retry=%v", se.Code, te.Retryable)
		if se.RetryAfter > 0 {
			fmt.Fprintf(&b, " after=%v", se.RetryAfter)
		}
		fmt.Fprintf(&b, "\n%s\n%s\n", te.Message, te.Hint)
		seen = fmt.Sprintf("%+v %#v %+v %s", se, se, te, te.Text())
		for e := err; e != nil; e = errors.Unwrap(e) {
			seen += e.Error()
		}
	} else {
		for _, r := range a.Results {
			fmt.Fprintf(&b, "%s\n  %s\n  %s\n", r.Title, r.URL, r.Snippet)
			if r.Published != "" {
				fmt.Fprintf(&b, "  %s\n", r.Published)
			}
		}
		if len(a.Results) == 0 {
			b.WriteString("no results\n")
		}
		for _, n := range a.Notices {
			fmt.Fprintf(&b, "notice: %s\n", n)
		}
		text, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		seen = string(text) + strings.Join(a.Notices, "")
	}
	for _, form := range []string{canary, url.QueryEscape(canary), url.PathEscape(canary)} {
		if strings.Contains(seen, form) {
			t.Errorf("the key is shown: %s", seen)
		}
	}
	return b.String()
}

// TestContract runs the cases of each provider, and those that are the same
// for all.
func TestContract(t *testing.T) {
	for _, name := range search.Names()[1:] { // mcp speaks no HTTP of its own: its answers are in package search
		t.Run(name, func(t *testing.T) {
			file := filepath.Join("testdata", name+".txtar")
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			section := func(name string) []byte {
				for _, f := range ar.Files {
					if f.Name == name {
						return f.Data
					}
				}
				return nil
			}
			keyless := !slices.Contains(search.KeyNames(), name)
			for _, c := range required {
				if section(c+".response") == nil && !(c == "badkey" && keyless) {
					t.Errorf("%s has no case %s", file, c)
				}
			}
			changed := false
			for i := range ar.Files {
				c, isWant := strings.CutSuffix(ar.Files[i].Name, ".want")
				if !isWant {
					continue
				}
				t.Run(c, func(t *testing.T) {
					got := runCase(t, name, c, section)
					if got == string(ar.Files[i].Data) {
						return
					}
					if *update {
						ar.Files[i].Data, changed = []byte(got), true
						return
					}
					t.Errorf("got\n%s\nwant\n%s", got, ar.Files[i].Data)
				})
			}
			if changed {
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			same(t, name, section("success.response"))
		})
	}
}

func runCase(t *testing.T, name, c string, section func(string) []byte) string {
	responses := [][]byte{section(c + ".response")}
	for i := 2; section(fmt.Sprintf("%s.response%d", c, i)) != nil; i++ {
		responses = append(responses, section(fmt.Sprintf("%s.response%d", c, i)))
	}
	if responses[0] == nil {
		t.Fatalf("case %s has no response", c)
	}
	q := search.Query{Text: "whale songs", MaxResults: 3}
	if raw := section(c + ".query"); raw != nil {
		q.MaxResults = 0
		if err := json.Unmarshal(raw, &q); err != nil {
			t.Fatal(err)
		}
	}
	d := start(t, responses...)
	a, err := searcher(t, name, d, time.Minute).Search(context.Background(), q)
	if len(d.requests) != len(responses) {
		t.Errorf("%d requests for %d responses: %q", len(d.requests), len(responses), d.requests)
	}
	if want := section(c + ".request"); want != nil && len(d.requests) > 0 {
		checkRequest(t, d, strings.ReplaceAll(string(want), "KEY", canary))
	}
	return outcome(t, a, err)
}

// checkRequest compares the first request: its line, the headers that are
// named, and the body.
func checkRequest(t *testing.T, d *double, want string) {
	t.Helper()
	head, body, _ := strings.Cut(want, "\n\n")
	lines := strings.Split(strings.TrimSpace(head), "\n")
	if got := d.requests[0]; got != strings.ReplaceAll(lines[0], "ESCAPED", url.QueryEscape(canary)) {
		t.Errorf("request\n%s\nwant\n%s", got, lines[0])
	}
	for _, l := range append(lines[1:], "User-Agent: whale/1") {
		name, value, _ := strings.Cut(l, ": ")
		if got := d.headers[0].Get(name); got != value {
			t.Errorf("header %s: %q, want %q", name, got, value)
		}
	}
	if got := d.bodies[0]; canonical(got) != canonical(strings.TrimSpace(body)) {
		t.Errorf("body\n%s\nwant\n%s", got, body)
	}
}

// canonical is a body with the members of JSON in the order of their names.
func canonical(body string) string {
	var v any
	if json.Unmarshal([]byte(body), &v) != nil {
		return body
	}
	out, err := json.Marshal(v)
	if err != nil {
		return body
	}
	return string(out)
}

// same are the cases that need no facts of the provider.
func same(t *testing.T, name string, success []byte) {
	pass := search.Query{Text: "whale songs", MaxResults: 3}
	fail := func(t *testing.T, d *double, timeout time.Duration, code search.Code, retry bool) {
		t.Helper()
		a, err := searcher(t, name, d, timeout).Search(context.Background(), pass)
		var se *search.Error
		if !errors.As(err, &se) || se.Code != code || se.Provider != name || se.Retryable() != retry {
			t.Errorf("%v %v, want %s with retry=%v", a, err, code, retry)
		}
		outcome(t, a, err)
	}
	repeat := func(response string) *double {
		all := make([][]byte, 12)
		for i := range all {
			all[i] = []byte(response)
		}
		return start(t, all...)
	}
	t.Run("garbage", func(t *testing.T) {
		for _, body := range []string{"", "KEY", "null", "{}", "[]", `"text"`, "<html><title>Sign in</title><form></form></html>", "{\"results\":7}", "\x00\xff\xfe"} {
			fail(t, repeat("200\nContent-Type: text/html\n\n"+body), time.Minute, search.Garbage, false)
		}
	})
	t.Run("broken off", func(t *testing.T) {
		head, _, _ := strings.Cut(string(success), "\n\n")
		fail(t, repeat(head+"\n\n{\"results\":[{\"title\":\"KEY"), time.Minute, search.Garbage, false)
	})
	t.Run("too long", func(t *testing.T) {
		fail(t, repeat(string(success)+strings.Repeat(" ", 2<<20)), time.Minute, search.Garbage, false)
	})
	t.Run("broken gzip", func(t *testing.T) {
		fail(t, repeat("200\nContent-Encoding: gzip\n\nKEY"), time.Minute, search.Garbage, false)
	})
	t.Run("redirect", func(t *testing.T) {
		d := repeat("302\nLocation: https://evil.example.com/?k=KEY\n\n")
		fail(t, d, time.Minute, search.Garbage, false)
		for _, r := range d.requests {
			if strings.Contains(r, "evil") {
				t.Errorf("the redirect was followed: %s", r)
			}
		}
	})
	t.Run("server fault", func(t *testing.T) { fail(t, repeat("500\n\nKEY"), time.Minute, search.Network, true) })
	t.Run("time-out", func(t *testing.T) {
		d := start(t)
		d.hold = true
		fail(t, d, 200*time.Millisecond, search.Network, true) // enough for the request to be sent
	})
	t.Run("no connection", func(t *testing.T) {
		d := start(t)
		d.Close()
		fail(t, d, time.Minute, search.Network, true)
	})
	t.Run("cancelled", func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		_, err := searcher(t, name, repeat(string(success)), time.Minute).Search(ctx, pass)
		var te *tool.Error
		if !errors.As(err, &te) || te.Type != tool.Cancelled {
			t.Errorf("%v, want Cancelled", err)
		}
	})
	t.Run("blocked", func(t *testing.T) {
		s, err := search.New(search.Options{RoundTripper: refusal{}, SearxngRoundTripper: refusal{}, Searxng: searx(t),
			Keys: map[string]string{name: canary}, Selection: name})
		if err != nil {
			t.Fatal(err)
		}
		_, err = s.Search(context.Background(), pass)
		var te *tool.Error
		if !errors.As(err, &te) || te.Type != tool.Blocked {
			t.Errorf("%v, want Blocked", err)
		}
		outcome(t, nil, err)
	})
}

func searx(t *testing.T) weburl.URL {
	t.Helper()
	u, err := weburl.Parse("http://127.0.0.1:1/")
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// refusal is a transport whose policy lets nothing out, and whose error shows
// the URL.
type refusal struct{ url string }

func (refusal) RoundTrip(r *http.Request) (*http.Response, error) {
	return nil, refusal{r.URL.String()}
}

func (r refusal) Error() string { return "blocked: " + r.url }

func (refusal) BlockedByPolicy() (rule, reason, hint string) {
	return "allowlist", "the host is not on the allowlist", "ask the operator"
}
