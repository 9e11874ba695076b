package e2e_test

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Several jobs of several callers on the hosts of one domain, at the same time: from
// the log of the site, the domain is never asked faster than its rate, and never for
// more pages at a time than WEB_HOST_CONCURRENCY says. A domain whose robots.txt asks for more time gets it.
func TestJobsPoliteness(t *testing.T) {
	for _, concurrency := range []int{1, 2} {
		t.Run(fmt.Sprint(concurrency), func(t *testing.T) { politeness(t, concurrency) })
	}
}

func politeness(t *testing.T, concurrency int) {
	const rate = 20
	const pace = time.Second / rate
	type request struct {
		path string
		at   time.Time
	}
	var mu sync.Mutex
	logs := map[string][]request{} // by domain
	atOnce, most := map[string]int{}, 0
	site := newJobSite(10)
	// Files of the map and the start page, for which every map asks, are paced where they
	// are sent, and take no turn of the site. All others are pages of a job.
	isPage := func(path string) bool { return path != "/" && !strings.Contains(path, ".") }
	logged := func(w http.ResponseWriter, r *http.Request) {
		domain := strings.Join(strings.Split(r.Host, ".")[1:], ".")
		page := isPage(r.URL.Path)
		mu.Lock()
		logs[domain] = append(logs[domain], request{r.URL.Path, time.Now()})
		if page {
			atOnce[domain]++
			most = max(most, atOnce[domain])
		}
		mu.Unlock()
		if r.URL.Path == "/robots.txt" && r.Host == "a.slow.org" {
			serves("text/plain", "User-agent: *\nCrawl-delay: 0.4\n")(w, r)
		} else {
			site.ServeHTTP(w, r)
		}
		if page {
			mu.Lock()
			atOnce[domain]--
			mu.Unlock()
		}
	}
	w := newWorld(t, map[string]http.HandlerFunc{"a.example.com": logged, "b.example.com": logged, "a.slow.org": logged}, "WEB_HOST_RATE=20/s", fmt.Sprint("WEB_HOST_CONCURRENCY=", concurrency))
	s := w.jobServer(t, "polite", "WEB_SERVE_TOKENS="+w.tokens(t, 0o600, "ann", "bob"))
	type started struct{ who, path string }
	var jobs []started
	for _, q := range []struct{ who, path, body string }{
		{"ann", "/v1/crawls", `{"url":"https://a.example.com/"}`},
		{"bob", "/v1/crawls", `{"url":"https://a.example.com/","subdomains":true}`},
		{"ann", "/v1/crawls", `{"url":"https://b.example.com/"}`},
		{"bob", "/v1/batches", `{"urls":["https://a.example.com/p/1","https://b.example.com/p/2","https://a.example.com/p/3","https://b.example.com/p/4"]}`},
		{"ann", "/v1/crawls", `{"url":"https://a.slow.org/","max_pages":4}`},
	} {
		status, j, _ := s.call(q.who, "POST", q.path, q.body)
		if status != 202 {
			t.Fatalf("%d %+v", status, j)
		}
		jobs = append(jobs, started{q.who, q.path + "/" + j.Job})
	}
	for _, j := range jobs {
		names, _, _ := s.sse(j.who, j.path+"/events", "", nil)
		if len(names) == 0 || names[len(names)-1] != "end" {
			_, state, _ := s.call(j.who, "GET", j.path, "")
			t.Errorf("%s: %q %+v", j.path, names, state)
		}
	}
	s.stop(syscall.SIGTERM)
	if most > concurrency {
		t.Errorf("%d pages of a domain at a time", most)
	}
	for domain, log := range logs {
		slices.SortFunc(log, func(a, b request) int { return a.at.Compare(b.at) })
		// The turn of a site begins its pace when the page has come, so that two pages are
		// never closer, however late each of them arrives.
		least := pace
		if domain == "slow.org" {
			least = 400 * time.Millisecond
		}
		var last *request
		read := 0
		for i, r := range log {
			if !isPage(r.path) {
				continue
			}
			read++
			if concurrency == 1 && last != nil && r.at.Sub(last.at) < least {
				t.Errorf("%s: %s came %v after %s", domain, r.path, r.at.Sub(last.at), last.path)
			}
			last = &log[i]
		}
		// The first request can arrive late.
		if took := log[len(log)-1].at.Sub(log[0].at); took < time.Duration(len(log)-1)*pace/2 {
			t.Errorf("%s: %d requests in %v", domain, len(log), took)
		}
		if domain == "example.com" && read < 20 || domain == "slow.org" && read < 3 {
			t.Errorf("%s: only %d pages", domain, read)
		}
	}
}
