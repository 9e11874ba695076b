package e2e_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// A monitor over HTTP: the second round asks with validators, and says what changed, as
// the dates of the sitemap have it read these pages; it is its caller's alone, goes on
// after a restart, and can be removed.
func TestMonitors(t *testing.T) {
	var day, conditional, unchanged atomic.Int64
	page := func(w http.ResponseWriter, r *http.Request, etag, body string) {
		w.Header().Set("ETag", `"`+etag+`"`)
		if r.Header.Get("If-None-Match") != "" {
			conditional.Add(1)
		}
		if r.Header.Get("If-None-Match") == `"`+etag+`"` {
			unchanged.Add(1)
			w.WriteHeader(http.StatusNotModified)
			return
		}
		serves("text/html", "<title>"+etag+"</title><main><h1>"+etag+"</h1>"+body+"</main>")(w, r)
	}
	w := newWorld(t, map[string]http.HandlerFunc{"isle.example.com": func(w http.ResponseWriter, r *http.Request) {
		later := day.Load() > 0
		switch {
		case r.URL.Path == "/sitemap.xml" && later:
			serves("application/xml", dated("", "news", "rules", "old", "fresh"))(w, r)
		case r.URL.Path == "/sitemap.xml":
			serves("application/xml", dated())(w, r)
		case r.URL.Path == "/":
			page(w, r, "start", story(3)+`<a href="/news">News</a> <a href="/rules">Rules</a> <a href="/old">Old</a>`)
		case r.URL.Path == "/news" && later:
			page(w, r, "news-2", "<p>The second ferry sails at noon, and the captain waits for nobody who is late.</p>"+`<a href="/fresh">Fresh</a>`)
		case r.URL.Path == "/news":
			page(w, r, "news-1", "<p>The first ferry sails at dawn, and whoever comes late has to swim across the bay.</p>")
		case r.URL.Path == "/rules":
			page(w, r, "rules", "<p>Dogs are welcome on deck as long as somebody holds them, and cats are not welcome at all.</p>")
		case r.URL.Path == "/fresh" && later, r.URL.Path == "/old" && !later:
			page(w, r, r.URL.Path[1:], "<p>This page about "+r.URL.Path[1:]+" things is here for a while, which is all that can be said of pages.</p>")
		default:
			http.NotFound(w, r)
		}
	}})
	s := w.jobServer(t, "monitors", "WEB_SERVE_TOKENS="+w.tokens(t, 0o600, "ann", "bob"), "WEB_SERVE_TOKEN=token-of-watcher")
	type monitor struct {
		Monitor, Error_Type, Error_Message string
		Rounds, Pages                      int
		Running                            bool
		Added, Changed, Gone               []struct{ URL string }
		Changes                            json.RawMessage
		Monitors                           []struct{ Monitor string }
	}
	call := func(who, method, path, body string) (int, monitor) {
		t.Helper()
		r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer token-of-"+who)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		var m monitor
		if res.StatusCode != 204 {
			if err := json.NewDecoder(res.Body).Decode(&m); err != nil {
				t.Fatalf("%s %s: %d %v", method, path, res.StatusCode, err)
			}
		}
		return res.StatusCode, m
	}
	for body, want := range map[string]int{`{"url":"https://isle.example.com/"}`: 400, `{"url":"https://isle.example.com/","every":"1s"}`: 400, `{"url":"https://isle.example.com/","every":"often"}`: 400,
		`{"every":"1h"}`: 400, `{"url":"http://10.0.0.7/","every":"1h"}`: 403, `{"url":"https://isle.example.com/","every":"1h","webhook":{"url":"http://127.0.0.1/"}}`: 403} {
		if status, m := call("watcher", "POST", "/v1/monitors", body); status != want {
			t.Errorf("%s: %d %+v", body, status, m)
		}
	}
	status, m := call("watcher", "POST", "/v1/monitors", `{"url":"https://isle.example.com/","every":"1m"}`)
	if status != 202 || m.Monitor == "" {
		t.Fatalf("%d %+v", status, m)
	}
	path := "/v1/monitors/" + m.Monitor
	until := func(round int) monitor {
		t.Helper()
		for end := time.Now().Add(5 * time.Minute); ; time.Sleep(50 * time.Millisecond) {
			status, m := call("watcher", "GET", path+"?since=1h", "")
			if status != 200 || time.Now().After(end) {
				t.Fatalf("%d %+v", status, m)
			}
			if m.Rounds >= round && !m.Running {
				return m
			}
		}
	}
	if m = until(1); m.Pages != 4 || len(m.Added)+len(m.Changed)+len(m.Gone) != 0 {
		t.Errorf("%+v", m)
	}
	for _, c := range []struct{ method, path string }{{"GET", path}, {"GET", path + "/pages"}, {"GET", path + "/events"}, {"DELETE", path}, {"GET", "/v1/monitors/c999"}} {
		if status, m := call("bob", c.method, c.path, ""); status != 404 || !strings.Contains(m.Error_Message, "does not exist") {
			t.Errorf("%s %s: %d %+v", c.method, c.path, status, m)
		}
	}
	if _, m := call("bob", "GET", "/v1/monitors", ""); len(m.Monitors) != 0 {
		t.Errorf("%+v", m)
	}
	if status, m := call("watcher", "GET", path+"?since=yesterday", ""); status != 400 {
		t.Errorf("%d %+v", status, m)
	}
	day.Store(1)
	s.stop(syscall.SIGTERM)
	w.pass(t, "monitors", m.Monitor)
	s = w.jobServer(t, "monitors", "WEB_SERVE_TOKENS="+w.tokens(t, 0o600, "ann", "bob"), "WEB_SERVE_TOKEN=token-of-watcher")
	m = until(2)
	if len(m.Added) != 1 || m.Added[0].URL != "https://isle.example.com/fresh" || len(m.Changed) != 1 || m.Changed[0].URL != "https://isle.example.com/news" || len(m.Gone) != 1 || m.Gone[0].URL != "https://isle.example.com/old" {
		t.Errorf("%+v", m)
	}
	if conditional.Load() < 3 || unchanged.Load() < 2 {
		t.Errorf("%d requests with validators, %d unchanged", conditional.Load(), unchanged.Load())
	}
	names, last, _ := s.sse("watcher", path+"/events", "1", func(name, _, _ string) bool { return name == "status" })
	if strings.Join(names, " ") != "change change status" || last != "3" {
		t.Errorf("%q %s", names, last)
	}
	if status, _ := call("watcher", "DELETE", path, ""); status != 204 {
		t.Errorf("%d", status)
	}
	if status, _ := call("watcher", "GET", path, ""); status != 404 {
		t.Errorf("%d", status)
	}
	s.stop(syscall.SIGTERM)
}

// dated is a sitemap of pages of isle.example.com that will change in an hour.
func dated(pages ...string) string {
	out := `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">`
	for _, p := range pages {
		out += "<url><loc>https://isle.example.com/" + p + "</loc><lastmod>" + time.Now().Add(time.Hour).UTC().Format(time.RFC3339) + "</lastmod></url>"
	}
	return out + "</urlset>"
}
