package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

func TestGet(t *testing.T) {
	var seen http.Header
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen = r.Header
		w.Header().Set("Content-Type", "text/html; charset=windows-1251")
		_, _ = w.Write(encode(t, "windows-1251", "<p>привет"))
	}), Options{UserAgent: "Test/1"})
	res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/a?b=c#d"), Header: http.Header{"Accept-Language": {"ru"}}})
	if err != nil {
		t.Fatal(err)
	}
	if string(res.Body) != "<p>привет" || res.MediaType != "text/html" || res.Charset != "windows-1251" || res.Status != 200 {
		t.Errorf("%+v", res)
	}
	if res.URL.String() != "http://example.com/a?b=c#d" || len(res.Hops) != 1 || !res.Redirect.IsZero() || res.Truncated {
		t.Errorf("%+v", res)
	}
	if res.WireBytes != 9 || res.DecodedBytes != 9 || res.DeclaredBytes != 9 || res.FetchedAt.IsZero() {
		t.Errorf("%+v", res)
	}
	want := http.Header{"User-Agent": {"Test/1"}, "Accept": {accept}, "Accept-Language": {"ru"}, "Accept-Encoding": {acceptEncoding}}
	if !reflect.DeepEqual(seen, want) {
		t.Errorf("sent %v", seen)
	}
}

func TestNewAndBadRequests(t *testing.T) {
	for _, o := range []Options{{}, {RoundTripper: http.NewFileTransport(nil)}, {Judge: allow}, {RoundTripper: http.NewFileTransport(nil), Judge: allow, MaxBytes: -1}} {
		if _, err := New(o); err == nil {
			t.Errorf("%+v: no error", o)
		}
	}
	c := client(t, Options{RoundTripper: roundTrip(func(*http.Request) (*http.Response, error) { panic("sent") })})
	_, err := c.Get(t.Context(), Request{})
	failure(t, err, InvalidURL)
	u := parse(t, "https://example.com/")
	_, err = c.Get(t.Context(), Request{URL: u, Header: http.Header{"X": {"a\nb"}}})
	failure(t, err, InvalidInput)
	for _, a := range []*Auth{{Bearer: "a\nb"}, {Username: "a:b"}, {Cookies: []*http.Cookie{nil}}} {
		_, err = c.Get(t.Context(), Request{URL: u, Auth: a})
		failure(t, err, InvalidInput)
	}
	if s := fmt.Sprintf("%v %+v %#v", &Auth{Bearer: "sesame"}, &Auth{Bearer: "sesame"}, &Auth{Bearer: "sesame"}); strings.Contains(s, "sesame") {
		t.Errorf("secret shown: %s", s)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// redirector answers /to?URL with a redirect there, and everything else with
// its address.
var redirector = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
	if to, ok := strings.CutPrefix(r.URL.RequestURI(), "/to?"); ok {
		status := 302
		if len(to) >= 4 && to[3] == ',' {
			status, _ = strconv.Atoi(to[:3])
			to = to[4:]
		}
		w.Header()["Location"] = []string{to}
		w.WriteHeader(status)
		return
	}
	switch r.URL.Path {
	case "/self", "/bytes", "/long":
		to := map[string]string{"/self": "#again", "/bytes": "/\xe9", "/long": "/" + strings.Repeat("a", maxLocationBytes)}
		w.Header()["Location"] = []string{to[r.URL.Path]}
		w.WriteHeader(http.StatusFound)
		return
	}
	if n, ok := strings.CutPrefix(r.URL.Path, "/chain/"); ok {
		if n, _ := strconv.Atoi(n); n > 0 {
			http.Redirect(w, r, fmt.Sprintf("/chain/%d", n-1), http.StatusFound)
			return
		}
	}
	w.Header().Set("Content-Type", "text/plain")
	fmt.Fprintf(w, "%s%s", r.Host, r.URL.RequestURI())
})

func TestRedirects(t *testing.T) {
	c := site(t, redirector, Options{})
	for _, c2 := range []struct {
		name, url string
		mode      RedirectMode
		body      string // of the answer
		final     string
		redirect  string
		code      Code
	}{
		{name: "301", url: "http://example.com/to?301,/a", body: "example.com/a", final: "http://example.com/a"},
		{name: "302", url: "http://example.com/to?302,a", body: "example.com/a", final: "http://example.com/a"},
		{name: "303", url: "http://example.com/to?303,//example.com/a", body: "example.com/a", final: "http://example.com/a"},
		{name: "307", url: "http://example.com/to?307,/a?q", body: "example.com/a?q", final: "http://example.com/a?q"},
		{name: "308", url: "http://example.com/to?308,/a", body: "example.com/a", final: "http://example.com/a"},
		{name: "300 is an answer", url: "http://example.com/to?300,/a", final: "http://example.com/to?300,/a"},
		{name: "without Location", url: "http://example.com/to?302,", final: "http://example.com/to?302,"},
		{name: "fragment goes along", url: "http://example.com/to?/a#f", body: "example.com/a", final: "http://example.com/a#f"},
		{name: "bytes beyond ASCII", url: "http://example.com/bytes", body: "example.com/%E9", final: "http://example.com/%E9"},
		{name: "www is the same host", url: "http://example.com/to?http://www.example.com/a", body: "www.example.com/a", final: "http://www.example.com/a"},
		{name: "https is the same host", url: "http://example.com/to?https://example.com/a", body: "example.com/a", final: "https://example.com/a"},
		{name: "other host", url: "http://example.com/to?http://other.example/a", redirect: "http://other.example/a", final: "http://example.com/to?http://other.example/a"},
		{name: "other host, followed", mode: Follow, url: "http://example.com/to?http://other.example/a", body: "other.example/a", final: "http://other.example/a"},
		{name: "subdomain is another host", url: "http://example.com/to?http://a.example.com/", redirect: "http://a.example.com/", final: "http://example.com/to?http://a.example.com/"},
		{name: "ten hops", url: "http://example.com/chain/10", body: "example.com/chain/0", final: "http://example.com/chain/0"},
		{name: "eleven hops", url: "http://example.com/chain/11", code: TooManyRedirects},
		{name: "to itself", url: "http://example.com/self", code: TooManyRedirects},
		{name: "no address", url: "http://example.com/to?http://", code: InvalidURL},
		{name: "long address", url: "http://example.com/long", code: InvalidURL},
	} {
		t.Run(c2.name, func(t *testing.T) {
			res, err := c.Get(t.Context(), Request{URL: parse(t, c2.url), Redirects: c2.mode})
			if c2.code != "" {
				failure(t, err, c2.code)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if string(res.Body) != c2.body || res.URL.String() != c2.final || res.Redirect.String() != c2.redirect {
				t.Errorf("%q at %s, redirect %q", res.Body, res.URL, res.Redirect)
			}
		})
	}
}

func TestRedirectCircle(t *testing.T) {
	n := 0
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n++
		http.Redirect(w, r, map[string]string{"/a": "/b", "/b": "/a"}[r.URL.Path], http.StatusFound)
	}), Options{})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/a")})
	if e := failure(t, err, TooManyRedirects); e.Hint == "" || e.Retryable() {
		t.Errorf("%+v", e)
	}
	if n != 2 {
		t.Errorf("%d requests", n)
	}
}

// refusal is what a policy returns.
type refusal struct{ host string }

func (r refusal) Error() string { return "blocked: 10.0.0.1" }
func (r refusal) BlockedByPolicy() (rule, reason, hint string) {
	return "blocklist", r.host + " is on the block list", "use another host"
}

func TestEachHopIsJudged(t *testing.T) {
	for _, mode := range []RedirectMode{SameHost, Follow} {
		var judged []string
		c := site(t, redirector, Options{Judge: func(u weburl.URL) (weburl.URL, error) {
			judged = append(judged, u.Host())
			if u.Host() == "bad.example" {
				return u, fmt.Errorf("wrapped: %w", refusal{u.Host()})
			}
			return u, nil
		}})
		_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/to?http://bad.example/"), Redirects: mode})
		e := failure(t, err, Blocked)
		if e.Rule != "blocklist" || e.Error() != "bad.example is on the block list" || e.Hint != "use another host" || e.Retryable() {
			t.Errorf("%+v", e)
		}
		if want := []string{"example.com", "bad.example"}; !slices.Equal(judged, want) {
			t.Errorf("judged %v", judged)
		}
	}
}

func TestTransportRefusal(t *testing.T) {
	c := client(t, Options{RoundTripper: roundTrip(func(*http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("dial: %w", refusal{"rebind.example"})
	})})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "https://rebind.example/")})
	if e := failure(t, err, Blocked); e.Error() != "rebind.example is on the block list" || !errors.As(err, new(refusal)) {
		t.Errorf("%v", e)
	}
}

// Credentials and the headers of the caller go to the first origin and nowhere else, and
// no longer there after a redirect to another origin.
func TestCredentials(t *testing.T) {
	var mu sync.Mutex
	seen := map[string]http.Header{}
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		seen[r.Host+r.URL.Path] = r.Header
		mu.Unlock()
		http.SetCookie(w, &http.Cookie{Name: "tracker", Value: "1"})
		redirector(w, r)
	}), Options{NoCookies: true})
	get := func(to string, a *Auth) {
		t.Helper()
		clear(seen)
		_, err := c.Get(t.Context(), Request{
			URL: parse(t, "http://example.com/to?"+to), Redirects: Follow, Auth: a,
			Header: http.Header{"Accept": {"a/b"}, "X-Key": {"k"}, "Referer": {"https://r.example/"}},
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		to, at              string
		auth, header, taste bool
	}{
		{"/a", "example.com/a", true, true, true},
		{"http://example.com:8080/a", "example.com:8080/a", false, false, true},
		{"https://example.com/a", "example.com/a", false, false, true},
		{"http://www.example.com/a", "www.example.com/a", false, false, true},
		{"http://other.example/a", "other.example/a", false, false, false},
		{"http://other.example/to?http://example.com/a", "example.com/a", false, false, true}, // the other site chose the address,
	} {
		get(c.to, &Auth{Bearer: "sesame", Cookies: []*http.Cookie{{Name: "s", Value: "1"}, {Name: "foreign", Value: "1", Domain: "other.example"}}})
		h := seen[c.at]
		if h == nil {
			t.Fatalf("%s was not asked: %v", c.at, seen)
		}
		if got := h.Get("Authorization") == "Bearer sesame" && h.Get("Cookie") == "s=1"; got != c.auth {
			t.Errorf("%s: credentials %v: %v", c.to, got, h)
		}
		if !c.auth && (h.Get("Authorization") != "" || h.Get("Cookie") != "") {
			t.Errorf("%s: leaked %v", c.to, h)
		}
		if got := h.Get("X-Key") == "k" && h.Get("Referer") != ""; got != c.header || !c.header && h.Get("X-Key")+h.Get("Referer") != "" {
			t.Errorf("%s: headers %v", c.to, h)
		}
		if got := h.Get("Accept") == "a/b"; got != c.taste {
			t.Errorf("%s: accept %q", c.to, h.Get("Accept"))
		}
	}
	get("/a", &Auth{Username: "u", Password: "p"})
	if got := seen["example.com/a"].Get("Authorization"); got != "Basic dTpw" {
		t.Errorf("basic: %q", got)
	}
}

func TestUpgrade(t *testing.T) {
	refusedDial := roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Scheme != "https" {
			t.Error("plain http was tried")
		}
		return nil, errConnRefused()
	})
	c := client(t, Options{RoundTripper: refusedDial, Judge: upgrade})
	_, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
	if e := failure(t, err, ConnectionError); e.Hint != hintPlainHTTP || e.Error() != "connection refused" {
		t.Errorf("%+v", e)
	}
	_, err = c.Get(t.Context(), Request{URL: parse(t, "https://example.com/")})
	if e := failure(t, err, ConnectionError); e.Hint != "" {
		t.Errorf("hint without an upgrade: %+v", e)
	}

	// https sends back to http: at once, and by way of another path.
	for _, path := range []string{"/", "/start"} {
		back := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "http://"+r.Host+"/", http.StatusMovedPermanently)
		}), Options{Judge: upgrade})
		_, err = back.Get(t.Context(), Request{URL: parse(t, "http://example.com"+path)})
		if e := failure(t, err, ConnectionError); e.Hint != hintPlainHTTP || e.Error() != "https redirects back to http" {
			t.Errorf("%+v", e)
		}
	}

	// A redirect to http that ends well over https.
	good := site(t, redirector, Options{Judge: upgrade})
	res, err := good.Get(t.Context(), Request{URL: parse(t, "http://example.com/to?http://example.com/a")})
	if err != nil || res.URL.String() != "https://example.com/a" {
		t.Errorf("%v, %v", res, err)
	}
}

func TestTLS(t *testing.T) {
	noLeak(t)
	srv := httptest.NewUnstartedServer(redirector)
	srv.Config.ErrorLog = log.New(io.Discard, "", 0)
	srv.StartTLS()
	defer srv.Close()
	tr := &http.Transport{}
	defer tr.CloseIdleConnections()
	c := client(t, Options{RoundTripper: tr})
	_, err := c.Get(t.Context(), Request{URL: parse(t, srv.URL)})
	if e := failure(t, err, TLSError); e.Error() != "TLS certificate is not signed by a known authority" || e.Retryable() {
		t.Errorf("%v", e)
	}
	trusted := srv.Client().Transport.(*http.Transport)
	c = client(t, Options{RoundTripper: trusted})
	defer trusted.CloseIdleConnections()
	_, err = c.Get(t.Context(), Request{URL: parse(t, strings.Replace(srv.URL, "127.0.0.1", "localhost", 1))})
	if e := failure(t, err, TLSError); e.Error() != "TLS certificate is not valid for the host" {
		t.Errorf("%v", e)
	}
	_, err = c.Get(t.Context(), Request{URL: parse(t, strings.Replace(srv.URL, "https", "http", 1))})
	failure(t, err, HTTPError) // Go's server answers http on a TLS port with 400
	if res, err := c.Get(t.Context(), Request{URL: parse(t, srv.URL)}); err != nil || res.Status != 200 {
		t.Errorf("%v, %v", res, err)
	}

	plain := httptest.NewServer(redirector)
	defer plain.Close()
	_, err = c.Get(t.Context(), Request{URL: parse(t, strings.Replace(plain.URL, "http", "https", 1))})
	if e := failure(t, err, TLSError); e.Error() != "the server does not speak TLS" {
		t.Errorf("%v", e)
	}
	upgrading := client(t, Options{RoundTripper: trusted, Judge: upgrade})
	_, err = upgrading.Get(t.Context(), Request{URL: parse(t, plain.URL)})
	if e := failure(t, err, ConnectionError); e.Hint != hintPlainHTTP {
		t.Errorf("%+v", e)
	}
}

func TestHTTPErrors(t *testing.T) {
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.Path[1:])
		w.Header().Set("Retry-After", "999999999")
		w.Header().Set("Content-Type", "text/html")
		w.WriteHeader(status)
		_, _ = w.Write(bytes.Repeat([]byte("<p>sorry\n"), 1<<16))
	}), Options{})
	for status, retryable := range map[int]bool{
		400: false, 401: false, 403: false, 404: false, 408: true, 410: false, 425: true, 429: true, 451: false,
		500: true, 502: true, 503: true, 504: true, 599: true, 600: false, 999: false,
	} {
		_, err := c.Get(t.Context(), Request{URL: parse(t, fmt.Sprintf("http://example.com/%d", status))})
		e := failure(t, err, HTTPError)
		if e.Status != status || e.Retryable() != retryable || e.RetryAfter != 24*time.Hour {
			t.Errorf("%d: %+v", status, e)
		}
		if r := e.Response; r == nil || len(r.Body) != maxErrorBodyBytes || !r.Truncated || r.MediaType != "text/html" {
			t.Errorf("%d: response %+v", status, r)
		}
		if want := strings.TrimSpace(fmt.Sprintf("HTTP %d %s", status, http.StatusText(status))); e.Error() != want {
			t.Errorf("%q", e.Error())
		}
	}
}

func TestNoBody(t *testing.T) {
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, _ := strconv.Atoi(r.URL.Path[1:])
		w.WriteHeader(status)
	}), Options{})
	for _, status := range []int{200, 204, 205, 304} {
		res, err := c.Get(t.Context(), Request{URL: parse(t, fmt.Sprintf("http://example.com/%d", status)), Header: http.Header{"If-None-Match": {`"a"`}}})
		if err != nil || res.Status != status || len(res.Body) != 0 || res.MediaType == "" || res.Truncated {
			t.Errorf("%d: %+v, %v", status, res, err)
		}
	}
}

func TestSizes(t *testing.T) {
	text := strings.Repeat("příliš ", 100_000)
	pdf := "%PDF-1.7\n" + strings.Repeat("x", 200_000)
	video := "\x1a\x45\xdf\xa3" + strings.Repeat("\x00\x01", 200_000)
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == "chunked" {
			w.(http.Flusher).Flush()
		}
		_, _ = w.Write([]byte(map[string]string{"/text": text, "/pdf": pdf, "/video": video}[r.URL.Path]))
	}), Options{MaxBytes: 100_001, MaxDocumentBytes: 150_000})
	for _, query := range []string{"", "?chunked"} {
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/text"+query)})
		if err != nil || !res.Truncated || res.DecodedBytes != 100_001 || !strings.HasPrefix(text, string(res.Body)) || len(res.Body) < 100_000 {
			t.Errorf("text: %d of %d, %q, %v", len(res.Body), res.DecodedBytes, res.TruncatedWhy, err)
		}
		_, err = c.Get(t.Context(), Request{URL: parse(t, "http://example.com/pdf"+query)})
		failure(t, err, TooLarge)
		res, err = c.Get(t.Context(), Request{URL: parse(t, "http://example.com/pdf"+query), MaxBytes: 300_000})
		if err != nil || res.Truncated || len(res.Body) != len(pdf) || res.MediaType != "application/pdf" || res.Charset != "" {
			t.Errorf("pdf: %+v, %v", res, err)
		}
		res, err = c.Get(t.Context(), Request{URL: parse(t, "http://example.com/video"+query)})
		if err != nil || !res.Truncated || len(res.Body) != maxOpaqueBytes || res.MediaType != "video/webm" {
			t.Errorf("video: %d, %v", len(res.Body), err)
		}
		res, err = c.Get(t.Context(), Request{URL: parse(t, "http://example.com/video"+query), Opaque: true})
		if err != nil || res.Truncated != (len(video) > 100_001) || len(res.Body) != min(len(video), 100_001) {
			t.Errorf("video with Opaque: %d of %d, %v", len(res.Body), len(video), err)
		}
		res, err = c.Get(t.Context(), Request{URL: parse(t, "http://example.com/text"+query), MaxBytes: int64(len(text))})
		if err != nil || res.Truncated || string(res.Body) != text {
			t.Errorf("exact: %d, %v", len(res.Body), err)
		}
	}
}

// A large body asks for room before it is read, with the length that the site declares
// or the most that is read. Without room the head of a text is the answer.
func TestRoom(t *testing.T) {
	large := strings.Repeat("whale ", 100_000)
	pdf := "%PDF-1.7\n" + large
	const most = 5 << 20
	for _, q := range []struct {
		path string
		full error
		ask  int // bytes; 0: nothing is asked
		read int // bytes; 0: the call fails
		why  string
	}{
		{"/small", errors.New("full"), 0, smallBody, ""},
		{"/small?chunked", errors.New("full"), 0, smallBody, ""},
		{"/large", nil, len(large), len(large), ""},
		{"/large?chunked", nil, most, len(large), ""},
		{"/large", errors.New("full"), len(large), 4096, "full"},
		{"/large?chunked", errors.New("full"), most, smallBody, "full"},
		{"/pdf", errors.New("full"), len(pdf), 0, "full"},
		{"/pdf?chunked", nil, defaultMaxDocumentBytes, len(pdf), ""},
	} {
		asked, held := 0, 0
		c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			body := map[string]string{"/small": large[:smallBody], "/large": large, "/pdf": pdf}[r.URL.Path]
			if r.URL.RawQuery != "chunked" {
				w.Header().Set("Content-Length", strconv.Itoa(len(body)))
			}
			_, _ = io.WriteString(w, body)
		}), Options{Room: func(_ context.Context, bytes int) (func(), error) {
			asked = bytes
			if q.full != nil {
				return nil, q.full
			}
			held++
			return func() { held-- }, nil
		}})
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com"+q.path)})
		name := fmt.Sprint(q.path, " ", q.full)
		if held != 0 || q.ask > 0 && asked-q.ask > 1 || q.ask-asked > 0 {
			t.Errorf("%s: asked for %d bytes, and %d are held", name, asked, held)
		}
		switch {
		case q.read == 0:
			if e := failure(t, err, Timeout); !strings.Contains(e.Error(), q.why) || e.Hint == "" {
				t.Errorf("%s: %v", name, e)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case len(res.Body) > q.read+1 || len(res.Body) < q.read-6 || res.Truncated != (q.why != "") || !strings.Contains(res.TruncatedWhy, q.why):
			t.Errorf("%s: %d bytes, %q", name, len(res.Body), res.TruncatedWhy)
		}
	}
}

// Text that grows a lot in UTF-8 is cut, and the answer says so.
func TestGrowingText(t *testing.T) {
	const limit = 9000
	for name, q := range map[string]struct {
		body string
		cut  bool
	}{
		"three bytes for each": {strings.Repeat("\x80", limit), true}, // €
		"two bytes for some":   {strings.Repeat("\xe4bc", limit/3), false},
	} {
		c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=windows-1252")
			_, _ = io.WriteString(w, q.body)
		}), Options{MaxBytes: limit})
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
		if err != nil || res.Truncated != q.cut || len(res.Body) > limit/2*3 || strings.Contains(res.TruncatedWhy, "UTF-8") != q.cut || !utf8.Valid(res.Body) {
			t.Errorf("%s: %d bytes, %q, %v", name, len(res.Body), res.TruncatedWhy, err)
		}
	}
}

func TestObserve(t *testing.T) {
	var events []Event
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			http.Redirect(w, r, "/a", http.StatusFound)
			return
		}
		w.Header().Set("Content-Length", "1048576")
		_, _ = w.Write(bytes.Repeat([]byte("a"), 1<<20))
	}), Options{Observe: func(e Event) { events = append(events, e) }})
	if _, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")}); err != nil {
		t.Fatal(err)
	}
	var kinds []eventKind
	for _, e := range events {
		if n := len(kinds); n == 0 || kinds[n-1] != e.Kind || e.Kind != eventProgress {
			kinds = append(kinds, e.Kind)
		}
	}
	if want := []eventKind{eventStart, eventHeaders, eventHeaders, eventProgress, eventDone}; !slices.Equal(kinds, want) {
		t.Errorf("%v", kinds)
	}
	if e := events[2]; e.Status != 200 || e.Length != 1<<20 || e.URL != "http://example.com/a" {
		t.Errorf("%+v", e)
	}
	if e := events[len(events)-1]; e.Bytes != 1<<20 || e.Err != nil || e.Status != 200 {
		t.Errorf("%+v", e)
	}
	if len(events) > 4+8 {
		t.Errorf("%d events", len(events))
	}
}

func TestCancelled(t *testing.T) {
	release := make(chan struct{})
	c := site(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/body" {
			_, _ = w.Write([]byte("some text"))
			w.(http.Flusher).Flush()
		}
		close(release)
		<-r.Context().Done()
	}), Options{})
	for _, path := range []string{"/headers", "/body"} {
		release = make(chan struct{})
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			<-release
			cancel()
		}()
		_, err := c.Get(ctx, Request{URL: parse(t, "http://example.com"+path)})
		if e := failure(t, err, Cancelled); e.Retryable() {
			t.Error("retryable")
		}
	}
}

// A part that nobody asked for is not taken for the page.
func TestPartialContent(t *testing.T) {
	for of, part := range map[string]bool{"bytes 0-4/10": true, "bytes 5-9/10": true, "bytes 0-4/*": true, "": true, "bytes 0-4/5": false} {
		c := site(t, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Range", of)
			w.WriteHeader(http.StatusPartialContent)
			_, _ = io.WriteString(w, "words")
		}), Options{})
		res, err := c.Get(t.Context(), Request{URL: parse(t, "http://example.com/")})
		if err != nil || res.Truncated != part || string(res.Body) != "words" {
			t.Errorf("%q: %+v %v", of, res, err)
		}
	}
}
