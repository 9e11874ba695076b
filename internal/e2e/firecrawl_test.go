package e2e_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// firecrawlAnswer is what Firecrawl's clients take from an answer.
type firecrawlAnswer struct {
	Success                                  bool
	Error, Code, ID, URL, Status, Next, Warn string
	Completed, Total                         int
	Data                                     json.RawMessage
	Links                                    []struct{ URL, Title string }
	Crawls                                   []struct{ ID, URL string }
	Errors                                   []firecrawlFailure
	RobotsBlocked                            []string
	Warning, WebhookSecret                   string
}

type firecrawlFailure struct{ ID, URL, Error, Code string }

type firecrawlDocument struct {
	Markdown, HTML, RawHTML string
	Links                   []string
	Title, URL, Description string
	Position                int
	Metadata                struct {
		Title, SourceURL, URL, Language, Error string
		StatusCode                             int
	}
}

// firecrawl makes a request as the clients do.
func (s *jobServer) firecrawl(token, method, path, body string) (int, firecrawlAnswer) {
	s.t.Helper()
	if !strings.HasPrefix(path, "http") {
		path = s.url + path
	}
	r, err := http.NewRequest(method, path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bearer token-of-"+token)
	r.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	var out firecrawlAnswer
	raw, err := io.ReadAll(res.Body)
	if err == nil {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil || out.Success != (res.StatusCode == 200) || !out.Success && out.Error == "" {
		s.t.Errorf("%s %s %s: %d %v %s", method, path, body, res.StatusCode, err, raw)
	}
	return res.StatusCode, out
}

func dataAs[T any](t *testing.T, raw json.RawMessage) (out T) {
	t.Helper()
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Errorf("%v: %s", err, raw)
	}
	return out
}

// Firecrawl's paths answer in the forms that its clients read, with the tokens, the
// owners and the policy of /v1. make firecrawl calls them with the real client.
func TestFirecrawl(t *testing.T) {
	site := newJobSite(5)
	type message struct {
		signature string
		body      []byte
	}
	hooked := make(chan message, 100)
	w := newWorld(t, map[string]http.HandlerFunc{
		"lights.example.com": site.ServeHTTP,
		"hooks.example.com": func(_ http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil {
				t.Error(err)
			}
			hooked <- message{r.Header.Get("X-Firecrawl-Signature"), body}
		},
		"strict.example.com": func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/robots.txt" {
				serves("text/plain", "User-agent: *\nDisallow: /secret\n")(w, r)
				return
			}
			serves("text/html", "<title>Strict</title><main><h1>Strict</h1>"+story(2)+`<p><a href="/secret">Secret</a></p></main>`)(w, r)
		},
		"moved.example.com": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://lights.example.com/p/2")
			w.WriteHeader(302)
		},
		"inside.example.com": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "http://192.168.1.1/")
			w.WriteHeader(302)
		},
		"html.duckduckgo.com": serves("text/html", `<html><body><div id="links" class="results"><div class="result results_links web-result"><h2 class="result__title"><a class="result__a" href="https://lights.example.com/p/1">Light 1</a></h2><a class="result__snippet">A light.</a></div></div></body></html>`),
	})
	s := w.jobServer(t, "firecrawl", "WEB_SERVE_TOKENS="+w.tokensWith(t, 1000, "ann", "bob"))

	_, got := s.firecrawl("ann", "POST", "/v2/scrape", `{"url":"https://lights.example.com/p/1","formats":["markdown",{"type":"rawHtml"},"html"],"origin":"js-sdk@4"}`)
	if d := dataAs[firecrawlDocument](t, got.Data); !strings.HasPrefix(d.Markdown, "# Light 1\n") || !strings.Contains(d.RawHTML, "<title>Light 1</title>") || !strings.Contains(d.HTML, "<h1>Light 1</h1>") ||
		d.Metadata.Title != "Light 1" || d.Metadata.StatusCode != 200 || d.Metadata.SourceURL != "https://lights.example.com/p/1" {
		t.Errorf("%+v", d)
	}
	site.mu.Lock()
	if n := site.asked["/p/1"]; n != 1 {
		t.Errorf("the site was asked %d times for three formats", n)
	}
	site.mu.Unlock()
	_, got = s.firecrawl("ann", "POST", "/v2/scrape", `{"url":"https://moved.example.com/"}`)
	if d := dataAs[firecrawlDocument](t, got.Data); !strings.HasPrefix(d.Markdown, "# Light 2") || d.Metadata.SourceURL != "https://moved.example.com/" || d.Metadata.URL != "https://lights.example.com/p/2" {
		t.Errorf("%+v", d)
	}
	_, got = s.firecrawl("ann", "POST", "/v2/map", `{"url":"https://lights.example.com/"}`)
	if len(got.Links) != 5 || got.Links[1].Title != "Page 1" {
		t.Errorf("%+v", got.Links)
	}
	_, got = s.firecrawl("ann", "POST", "/v2/search", `{"query":"lights","scrapeOptions":{"formats":["markdown","links"]}}`)
	web := dataAs[struct{ Web []firecrawlDocument }](t, got.Data).Web
	if len(web) != 1 || web[0].URL != "https://lights.example.com/p/1" || web[0].Title != "Light 1" || web[0].Description != "A light." || web[0].Position != 1 || !strings.HasPrefix(web[0].Markdown, "# Light 1") {
		t.Errorf("%+v", web)
	}

	_, crawl := s.firecrawl("ann", "POST", "/v2/crawl", `{"url":"https://lights.example.com/","limit":1000000000,"scrapeOptions":{"formats":["markdown"]}}`)
	path := "/v2/crawl/" + crawl.ID
	if crawl.ID == "" || crawl.URL != s.url+path || !strings.Contains(crawl.Warning, "limit=1000000000") {
		t.Errorf("%+v", crawl)
	}
	state := s.firecrawlUntil("ann", path)
	if state.Status != "completed" || state.Completed != 6 || state.Total != 6 || state.Next != "" || len(dataAs[[]firecrawlDocument](t, state.Data)) != 6 {
		t.Errorf("%+v", state)
	}
	var all []firecrawlDocument
	for next, parts := path+"?limit=4", 1; next != ""; parts++ {
		_, part := s.firecrawl("ann", "GET", next, "")
		all = append(all, dataAs[[]firecrawlDocument](t, part.Data)...)
		if next = part.Next; parts > 2 {
			t.Fatalf("part %d of two: %+v", parts, part)
		}
	}
	seen := map[string]bool{}
	for _, d := range all {
		seen[d.Metadata.URL] = true
		if d.Markdown == "" || d.Metadata.StatusCode != 200 {
			t.Errorf("%+v", d)
		}
	}
	if len(all) != 6 || len(seen) != 6 {
		t.Errorf("%d pages, %d different ones", len(all), len(seen))
	}

	_, batch := s.firecrawl("ann", "POST", "/v2/batch/scrape", `{"urls":["https://lights.example.com/p/1","https://lights.example.com/gone","http://10.0.0.7/","http://"]}`)
	state = s.firecrawlUntil("ann", "/v2/batch/scrape/"+batch.ID)
	if state.Status != "completed" || state.Completed != 1 || state.Total != 3 {
		t.Errorf("%+v", state)
	}
	_, failures := s.firecrawl("ann", "GET", "/v2/batch/scrape/"+batch.ID+"/errors", "")
	// Failures are listed as they happened, and two sites are fetched at the same time.
	slices.SortFunc(failures.Errors, func(a, b firecrawlFailure) int { return strings.Compare(a.URL, b.URL) })
	if e := failures.Errors; len(e) != 2 || e[0].URL != "http://10.0.0.7/" || !strings.HasSuffix(e[0].Error, "is not a public address") ||
		e[1].URL != "https://lights.example.com/gone" || e[1].Code != "SCRAPE_SITE_ERROR" || failures.RobotsBlocked == nil || failures.Warning != "" {
		t.Errorf("%+v", failures)
	}
	_, refused := s.firecrawl("ann", "POST", "/v2/crawl", `{"url":"https://strict.example.com/public","crawlEntireDomain":true,"webhook":{"url":"https://hooks.example.com/take","metadata":{"project":"tides"}}}`)
	if state := s.firecrawlUntil("ann", "/v2/crawl/"+refused.ID); state.Completed != 1 {
		t.Errorf("%+v", state)
	}
	if _, f := s.firecrawl("ann", "GET", "/v2/crawl/"+refused.ID+"/errors", ""); !slices.Equal(f.RobotsBlocked, []string{"https://strict.example.com/secret"}) || !strings.Contains(f.Warning, "policy of this server: 1 address.") {
		t.Errorf("%+v", f)
	}
	for _, want := range []string{"crawl.started", "crawl.page", "crawl.completed"} {
		h := <-hooked
		m := hmac.New(sha256.New, []byte(refused.WebhookSecret))
		m.Write(h.body)
		if h.signature != "sha256="+hex.EncodeToString(m.Sum(nil)) || !strings.Contains(string(h.body), `"type":"`+want+`"`) || !strings.Contains(string(h.body), `"id":"`+refused.ID+`"`) || !strings.Contains(string(h.body), `"metadata":{"project":"tides"}`) {
			t.Errorf("%s: %s %s", want, h.signature, h.body)
		}
	}

	for _, c := range []struct {
		token, method, path, body string
		status                    int
		message                   string
	}{
		{"bob", "GET", path, "", 404, "does not exist"},
		{"bob", "GET", path + "/errors", "", 404, "does not exist"},
		{"bob", "DELETE", path, "", 404, "does not exist"},
		{"bob", "GET", "/v2/batch/scrape/" + batch.ID, "", 404, "does not exist"},
		{"ann", "GET", "/v2/batch/scrape/" + crawl.ID, "", 404, "the batch does not exist"},
		{"ann", "GET", "/v2/crawl/..%2f..%2fetc", "", 404, "does not exist"},
		{"ann", "DELETE", path, "", 409, "has ended already"},
		{"none", "GET", path, "", 401, "bearer token"},
		{"ann", "POST", "/v2/scrape", `{"url":"https://lights.example.com/gone"}`, 500, "HTTP 404 Not Found"},
		{"ann", "POST", "/v2/scrape", `{"url":"http://127.0.0.1/"}`, 403, "127.0.0.1 is not a public address"},
		{"ann", "POST", "/v2/scrape", `{"url":"http://169.254.169.254/latest"}`, 403, "metadata service"},
		{"ann", "POST", "/v2/scrape", `{"url":"https://private.example.com/"}`, 403, "does not resolve to public addresses only"},
		{"ann", "POST", "/v2/scrape", `{"url":"https://inside.example.com/"}`, 403, "192.168.1.1 is not a public address"},
		{"ann", "POST", "/v2/scrape", `{"url":"file:///etc/passwd"}`, 403, "the scheme file is not read"},
		{"ann", "POST", "/v2/scrape", `{"url":["a","b"]}`, 400, "list of 2 values"},
		{"ann", "POST", "/v2/scrape", `{"url":"https://lights.example.com/p/1","headers":{"Host":"127.0.0.1"}}`, 400, "may not be set"},
		{"ann", "POST", "/v2/scrape", `{"url":"https://lights.example.com/p/1","formats":[{"type":"json","prompt":"p"}]}`, 400, "needs a language model"},
		{"ann", "POST", "/v2/map", `{"url":"http://10.0.0.7/"}`, 403, "10.0.0.7"},
		{"ann", "POST", "/v2/crawl", `{"url":"http://10.0.0.7/"}`, 403, "10.0.0.7"},
		{"ann", "POST", "/v2/crawl", `{"url":"https://lights.example.com/","webhook":{"url":"http://10.0.0.7/"}}`, 403, "10.0.0.7 is not a public address"},
		{"ann", "POST", "/v2/batch/scrape", `{"urls":["https://lights.example.com/"],"webhook":"http://169.254.169.254/"}`, 403, "metadata service"},
		{"ann", "POST", "/v2/crawl", `{"url":"https://lights.example.com/","webhook":{"url":"https://lights.example.com/","events":["often"]}}`, 400, `"often" is not allowed`},
		{"ann", "POST", "/v2/search", `{"query":"x","limit":"many"}`, 400, "not a number"},
		{"ann", "POST", "/v2/search", `{"query":"x","tbs":"qdr:h"}`, 400, `tbs "qdr:h" is unsupported`},
	} {
		if status, got := s.firecrawl(c.token, c.method, c.path, c.body); status != c.status || !strings.Contains(got.Error, c.message) {
			t.Errorf("%s %s %s %s: %d %+v", c.token, c.method, c.path, c.body, status, got)
		}
	}
	s.stop(syscall.SIGTERM)
}

// firecrawlUntil asks for a job until it has ended.
func (s *jobServer) firecrawlUntil(token, path string) firecrawlAnswer {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; {
		_, got := s.firecrawl(token, "GET", path, "")
		if got.Status != "scraping" {
			return got
		}
		if time.Now().After(end) {
			s.t.Fatalf("%+v", got)
		}
		time.Sleep(50 * time.Millisecond)
	}
}
