package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// jobSite is a site of a start and of pages below /p/, some of which wait until they
// are let through.
type jobSite struct {
	mu    sync.Mutex
	pages int
	wait  map[string]chan struct{}
	asked map[string]int
	seen  chan string // the pages that wait
}

func newJobSite(pages int, waiting ...int) *jobSite {
	s := &jobSite{pages: pages, wait: map[string]chan struct{}{}, asked: map[string]int{}, seen: make(chan string, 1000)}
	for _, i := range waiting {
		s.wait[fmt.Sprintf("/p/%d", i)] = make(chan struct{})
	}
	return s
}

func (s *jobSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var links strings.Builder
	for i := range s.pages {
		fmt.Fprintf(&links, `<p><a href="/p/%d">Page %d</a></p>`, i, i)
	}
	switch {
	case r.URL.Path == "/":
		serves("text/html", "<title>Start</title><main><h1>Start</h1>"+story(2)+links.String()+"</main>")(w, r)
	case strings.HasPrefix(r.URL.Path, "/p/"):
		s.mu.Lock()
		s.asked[r.URL.Path]++
		gate := s.wait[r.URL.Path]
		s.mu.Unlock()
		if gate != nil {
			s.seen <- r.URL.Path
			select {
			case <-gate:
			case <-r.Context().Done():
				return
			}
		}
		n := strings.TrimPrefix(r.URL.Path, "/p/")
		words := strings.Repeat("The keeper of light number "+n+" wrote "+n+" lines about storm "+n+" into the book of tower "+n+". ", 6)
		serves("text/html", "<title>Light "+n+"</title><main><h1>Light "+n+"</h1><p>"+words+"</p></main>")(w, r)
	default:
		http.NotFound(w, r)
	}
}

func (s *jobSite) open() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, gate := range s.wait {
		close(gate)
		delete(s.wait, name)
	}
}

// jobServer is a server whose process a test ends by itself.
type jobServer struct {
	t   *testing.T
	url string
	cmd *exec.Cmd
	end chan error
}

func (w *world) jobServer(t *testing.T, part string, settings ...string) *jobServer {
	t.Helper()
	c := w.command(context.Background(), part, "serve", "--listen", "127.0.0.1:0")
	c.Env = append(c.Env, settings...)
	stderr, err := c.StderrPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(stderr)
	line, _ := lines.ReadString('\n')
	_, address, _ := strings.Cut(line, "serving at ")
	address, _, ok := strings.Cut(address, ",")
	s := &jobServer{t: t, url: address, cmd: c, end: make(chan error, 1)}
	go func() {
		_, _ = io.Copy(io.Discard, lines)
		s.end <- c.Wait()
	}()
	t.Cleanup(func() { _ = c.Process.Kill() })
	if !ok {
		t.Fatalf("serve says %q", line)
	}
	return s
}

// stop ends the server with a signal and waits for it.
func (s *jobServer) stop(sig os.Signal) {
	s.t.Helper()
	if err := s.cmd.Process.Signal(sig); err != nil {
		s.t.Fatal(err)
	}
	if err := <-s.end; err != nil && sig != syscall.SIGKILL {
		s.t.Errorf("serve: %v", err)
	}
}

// pass lets the time pass at once that a stored job waits for while no server runs: the
// claim of a process that was killed, the next round of a monitor, the next try of a
// webhook.
func (w *world) pass(t *testing.T, part, job string) {
	t.Helper()
	f, err := frontier.OpenSQLite(frontier.Options{Dir: w.data(part)})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	_, err = crawl.Change(t.Context(), f, job, func(j *frontier.Job) {
		now := time.Now()
		// A server that ends at the end of a round leaves the monitor due at once, and its next round for later.
		if !j.Due.After(now) && !crawl.NextRound(*j).After(now) {
			t.Errorf("job %s waits for nothing: it was due at %s", job, j.Due)
		}
		j.Due = now
		crawl.SetNextRound(j, now)
		crawl.SetHook(j, func(h *crawl.HookState) { h.Due = now })
	})
	if err != nil {
		t.Fatal(err)
	}
}

// jobState is what the tests look at.
type jobState struct {
	Job, Kind, State, Stopped, Error_Type, Error_Message, Hint string
	Read, Failures, Left                                       int
	Notices                                                    []string
	Crawls, Batches                                            []jobState
	Webhook_Secret                                             string
	Next                                                       int64
	More                                                       bool
	Pages                                                      []struct {
		URL, Title, Markdown, Error string
		Cursor                      int64
	}
}

func (s *jobServer) call(token, method, path, body string, header ...string) (int, jobState, http.Header) {
	s.t.Helper()
	r, err := http.NewRequest(method, s.url+path, strings.NewReader(body))
	if err != nil {
		s.t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer token-of-"+token)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	var out jobState
	if err == nil && len(raw) > 0 {
		err = json.Unmarshal(raw, &out)
	}
	if err != nil {
		s.t.Fatalf("%s %s: %v\n%s", method, path, err, raw)
	}
	return res.StatusCode, out, res.Header
}

// until asks for a job until it is as a test wants it.
func (s *jobServer) until(token, path string, ok func(jobState) bool) jobState {
	s.t.Helper()
	for end := time.Now().Add(2 * time.Minute); ; {
		status, j, _ := s.call(token, "GET", path, "")
		if status == 200 && ok(j) {
			return j
		}
		if time.Now().After(end) {
			s.t.Fatalf("%s: %d %+v", path, status, j)
		}
		time.Sleep(50 * time.Millisecond)
	}
}

func over(j jobState) bool { return j.State == "done" || j.State == "stopped" }

// sse reads server-sent events until the stream ends or stop says so.
func (s *jobServer) sse(token, path, last string, stop func(name, id, data string) bool) (names []string, lastID string, status int) {
	s.t.Helper()
	ctx, cancel := context.WithTimeout(s.t.Context(), 2*time.Minute)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, "GET", s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer token-of-"+token)
	}
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer res.Body.Close()
	var name, id string
	lines := bufio.NewScanner(res.Body)
	for lines.Scan() {
		field, value, _ := strings.Cut(lines.Text(), ": ")
		switch field {
		case "event":
			name = value
		case "id":
			id = value
		case "data":
			names, lastID = append(names, name), id
			if stop != nil && stop(name, id, value) {
				return names, lastID, res.StatusCode
			}
		}
	}
	return names, lastID, res.StatusCode
}

// A crawl over HTTP is accepted at once, read by cursor while it runs, followed by
// events, stopped, and resumed; a restart and a kill lose nothing.
func TestJobs(t *testing.T) {
	site := newJobSite(12, 4)
	w := newWorld(t, map[string]http.HandlerFunc{"lights.example.com": site.ServeHTTP})
	s := w.jobServer(t, "jobs")
	status, j, header := s.call("", "POST", "/v1/crawls", `{"url":"lights.example.com"}`)
	if status != 202 || j.Job == "" || j.Kind != "crawl" || header.Get("Location") != "/v1/crawls/"+j.Job {
		t.Fatalf("%d %+v %v", status, j, header)
	}
	path := "/v1/crawls/" + j.Job
	<-site.seen // a page waits
	running := s.until("", path, func(j jobState) bool { return j.Read >= 5 })
	if running.State != "running" {
		t.Errorf("%+v", running)
	}
	_, first, header := s.call("", "GET", path+"/pages?limit=2", "")
	if len(first.Pages) != 2 || !first.More || !strings.Contains(first.Pages[0].Markdown+first.Pages[1].Markdown, "keeper of light") || header.Get("Link") == "" {
		t.Errorf("%+v %v", first, header)
	}
	// A client that follows leaves after three pages and comes back.
	var told []string
	pages := func(n int) func(string, string, string) bool {
		return func(name, _, data string) bool {
			if name == "page" {
				var p struct{ URL string }
				if err := json.Unmarshal([]byte(data), &p); err != nil {
					t.Error(err)
				}
				told = append(told, p.URL)
			}
			return len(told) == n
		}
	}
	_, last, _ := s.sse("", path+"/events", "", pages(3))

	// SIGTERM in the middle of a page: the next server goes on.
	s.stop(syscall.SIGTERM)
	s = w.jobServer(t, "jobs")
	<-site.seen
	s.stop(syscall.SIGKILL)
	w.pass(t, "jobs", j.Job)
	s = w.jobServer(t, "jobs")
	<-site.seen
	site.open()
	names, last, _ := s.sse("", path+"/events", last, pages(-1))
	if len(names) == 0 || names[len(names)-1] != "end" || !strings.HasSuffix(last, ".end") {
		t.Errorf("%q %q", names, last)
	}
	slices.Sort(told)
	if len(told) != 13 || len(slices.Compact(told)) != 13 {
		t.Errorf("told of %q", told)
	}
	if _, _, status := s.sse("", path+"/events", last, nil); status != 204 {
		t.Errorf("a client that had everything: %d", status)
	}
	ended := s.until("", path, over)
	if ended.Read != 13 || ended.Stopped != "finished" || ended.Failures != 0 {
		t.Errorf("%+v", ended)
	}
	_, all, _ := s.call("", "GET", path+"/pages?limit=1000&content=false", "")
	seen := map[string]bool{}
	for _, p := range all.Pages {
		if seen[p.URL] || p.Markdown != "" {
			t.Errorf("twice, or with its text: %+v", p)
		}
		seen[p.URL] = true
	}
	if len(seen) != 13 {
		t.Errorf("%d pages", len(seen))
	}
	_, rest, _ := s.call("", "GET", fmt.Sprintf("%s/pages?cursor=%d", path, all.Next), "")
	if len(rest.Pages) != 0 || rest.More || rest.Next != all.Next {
		t.Errorf("%+v", rest)
	}

	if status, gone, _ := s.call("", "DELETE", path+"?drop=true", ""); status != 204 {
		t.Errorf("%d %+v", status, gone)
	}
	if status, _, _ := s.call("", "GET", path, ""); status != 404 {
		t.Errorf("a job that was dropped: %d", status)
	}
	s.stop(syscall.SIGTERM)
}

// DELETE stops a job at once, POST with job goes on with it; a batch has its own path.
func TestJobsStop(t *testing.T) {
	site := newJobSite(8, 3)
	w := newWorld(t, map[string]http.HandlerFunc{"lights.example.com": site.ServeHTTP})
	s := w.jobServer(t, "stop")
	_, j, _ := s.call("", "POST", "/v1/crawls", `{"url":"https://lights.example.com/","max_depth":1}`)
	path := "/v1/crawls/" + j.Job
	<-site.seen
	if status, stopped, _ := s.call("", "DELETE", path, ""); status != 200 || stopped.State != "stopped" || stopped.Stopped != "stopped" {
		t.Errorf("%d %+v", status, stopped)
	}
	names, _, _ := s.sse("", path+"/events", "", nil)
	if names[len(names)-1] != "end" {
		t.Errorf("%q", names)
	}
	if status, again, _ := s.call("", "DELETE", path, ""); status != 200 || again.State != "stopped" || again.Read == 0 {
		t.Errorf("%d %+v", status, again)
	}
	site.open()
	if status, j, _ := s.call("", "POST", "/v1/crawls", `{"job":"`+j.Job+`"}`); status != 202 || j.State == "stopped" {
		t.Errorf("%d %+v", status, j)
	}
	if j := s.until("", path, over); j.Read != 9 || j.Stopped != "finished" {
		t.Errorf("%+v", j)
	}
	status, b, header := s.call("", "POST", "/v1/batches", `{"urls":["https://lights.example.com/p/1","https://lights.example.com/gone"]}`)
	if status != 202 || b.Kind != "batch" || header.Get("Location") != "/v1/batches/"+b.Job {
		t.Fatalf("%d %+v", status, b)
	}
	if b := s.until("", "/v1/batches/"+b.Job, over); b.Read != 1 || b.Failures != 1 {
		t.Errorf("%+v", b)
	}
	// Pages are listed as they were read, and two are fetched at the same time.
	if _, p, _ := s.call("", "GET", "/v1/batches/"+b.Job+"/pages", ""); len(p.Pages) != 2 || (p.Pages[0].Error == "") == (p.Pages[1].Error == "") {
		t.Errorf("%+v", p)
	}
	_, list, _ := s.call("", "GET", "/v1/crawls", "")
	_, batches, _ := s.call("", "GET", "/v1/batches", "")
	if len(list.Crawls) != 1 || list.Crawls[0].Job != j.Job || len(batches.Batches) != 1 || batches.Batches[0].Job != b.Job {
		t.Errorf("%+v\n%+v", list, batches)
	}
	for _, c := range []struct {
		method, path, body string
		status             int
		message            string
	}{
		{"GET", "/v1/crawls/" + b.Job, "", 404, "the crawl does not exist, or belongs to another caller"},
		{"GET", "/v1/batches/" + j.Job + "/pages", "", 404, "the batch does not exist"},
		{"GET", "/v1/crawls/c999", "", 404, "does not exist"},
		{"GET", "/v1/crawls/..%2f..%2fetc", "", 404, "does not exist"},
		{"GET", path + "/pages?cursor=99999999999999999999", "", 400, "cursor="},
		{"GET", path + "/pages?cursor=-1", "", 400, "cursor="},
		{"GET", path + "/pages?limit=0", "", 400, "limit="},
		{"GET", path + "/pages?content=maybe", "", 400, "content="},
		{"DELETE", path + "?drop=perhaps", "", 400, "drop="},
		{"GET", path + "/events?cursor=x", "", 400, "Last-Event-ID"},
		{"POST", "/v1/crawls", `{}`, 400, "has no URL"},
		{"POST", "/v1/crawls", `{"url":"https://lights.example.com","max_pagse":3}`, 400, "max_pagse"},
		{"POST", "/v1/crawls", `{"url":"ftp://lights.example.com"}`, 403, "ftp"},
		{"POST", "/v1/crawls", `{"url":"http://10.0.0.7:8080/"}`, 403, ""},
		{"POST", "/v1/crawls", `{"url":"https://lights.example.com","since":"c999"}`, 404, "does not exist"},
		{"POST", "/v1/crawls", `{"url":"https://lights.example.com","job":"` + j.Job + `"}`, 400, "either a URL or a job"},
		{"POST", "/v1/crawls", `{"job":"` + b.Job + `"}`, 404, "does not exist"},
		{"POST", "/v1/crawls", `[1]`, 400, ""},
		{"POST", "/v1/batches", `{"urls":["not a url at all"]}`, 400, ""},
		{"PUT", "/v1/crawls", ``, 405, "does not take"},
		{"POST", path + "/pages", ``, 405, "does not take"},
	} {
		status, got, _ := s.call("", c.method, c.path, c.body)
		if status != c.status || !strings.Contains(got.Error_Message, c.message) || got.Error_Type == "" || strings.Contains(got.Error_Message, "10.0.0") && c.status != 403 {
			t.Errorf("%s %s %s: %d %+v", c.method, c.path, c.body, status, got)
		}
	}
	if status, p, _ := s.call("", "GET", path+"/pages?cursor=4611686018427387904", ""); status != 200 || len(p.Pages) != 0 {
		t.Errorf("a cursor far behind: %d %+v", status, p)
	}
	s.stop(syscall.SIGTERM)
}

// The jobs of a caller are nobody else's: not their state, pages or events, and nobody
// else can stop, resume or compare with them. A stream ends with its token.
func TestJobsOwners(t *testing.T) {
	site := newJobSite(3, 2)
	w := newWorld(t, map[string]http.HandlerFunc{"lights.example.com": site.ServeHTTP})
	file := w.tokens(t, 0o600, "ann", "bob")
	s := w.jobServer(t, "owners", "WEB_SERVE_TOKENS="+file)
	_, j, _ := s.call("ann", "POST", "/v1/crawls", `{"url":"https://lights.example.com/"}`)
	<-site.seen
	path := "/v1/crawls/" + j.Job
	for _, c := range []struct {
		method, path, body string
		status             int
	}{
		{"GET", path, "", 404}, {"GET", path + "/pages", "", 404}, {"GET", path + "/events", "", 404},
		{"DELETE", path, "", 404}, {"DELETE", path + "?drop=true", "", 404},
		{"POST", "/v1/crawls", `{"job":"` + j.Job + `"}`, 404},
		{"POST", "/v1/crawls", `{"url":"https://lights.example.com/","since":"` + j.Job + `"}`, 404},
	} {
		if status, got, _ := s.call("bob", c.method, c.path, c.body); status != c.status || !strings.Contains(got.Error_Message, "does not exist, or belongs to another caller") {
			t.Errorf("%s %s %s: %d %+v", c.method, c.path, c.body, status, got)
		}
	}
	if _, list, _ := s.call("bob", "GET", "/v1/crawls", ""); len(list.Crawls) != 0 {
		t.Errorf("%+v", list)
	}
	if status, got, _ := s.call("nobody", "GET", path, ""); status != 401 {
		t.Errorf("%d %+v", status, got)
	}
	if mine, ok, _ := s.call("ann", "GET", path, ""); mine != 200 || ok.State != "running" {
		t.Errorf("%d %+v", mine, ok)
	}
	// Ann loses her token while she follows.
	names, _, _ := s.sse("ann", path+"/events", "", func(name, _, _ string) bool {
		if name == "status" {
			w.tokens(t, 0o600, "bob")
			if err := s.cmd.Process.Signal(syscall.SIGHUP); err != nil {
				t.Error(err)
			}
			for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
				if status, _, _ := s.call("ann", "GET", path, ""); status == 401 {
					break
				}
			}
			site.open()
		}
		return false
	})
	if slices.Contains(names, "end") || slices.Contains(names[slices.Index(names, "status")+1:], "page") {
		t.Errorf("told after the token was gone: %q", names)
	}
	s.stop(syscall.SIGTERM)
	audit, err := os.ReadFile(w.data("owners") + "/audit.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"tool":"crawl","caller":"job","owner":"ann","url":"https://lights.example.com/`, `"tool":"crawl start","caller":"rest"`} {
		if !strings.Contains(string(audit), want) {
			t.Errorf("no %s in the audit log\n%s", want, audit)
		}
	}
}

// A webhook gets signed messages through the policy, which the documented receiver
// believes, and no other; the secret stands nowhere but in the answer.
func TestJobsWebhook(t *testing.T) {
	site := newJobSite(3)
	type message struct {
		header http.Header
		body   []byte
	}
	got := make(chan message, 100)
	var fails atomic.Bool
	w := newWorld(t, map[string]http.HandlerFunc{
		"lights.example.com": site.ServeHTTP,
		"hooks.example.com": func(w http.ResponseWriter, r *http.Request) {
			body, err := io.ReadAll(r.Body)
			if err != nil || r.Method != "POST" || r.Header.Get("Content-Type") != "application/json" {
				t.Errorf("%v %s %v", err, r.Method, r.Header)
			}
			got <- message{r.Header, body}
			if !fails.Load() {
				return
			}
			http.Error(w, "later", http.StatusServiceUnavailable)
		},
	})
	s := w.jobServer(t, "hooks")
	const hook = `"webhook":{"url":"https://hooks.example.com/take"}`
	_, j, _ := s.call("", "POST", "/v1/crawls", `{"url":"https://lights.example.com/",`+hook+`}`)
	if !strings.HasPrefix(j.Webhook_Secret, "whsec_") {
		t.Fatalf("%+v", j)
	}
	pages, last := 0, message{}
	for ended := false; !ended; {
		last = <-got
		var m struct {
			Type string
			Data struct {
				Job   string
				Pages []struct{ URL string }
				State struct{ State string }
			}
		}
		if err := json.Unmarshal(last.body, &m); err != nil || m.Data.Job != j.Job {
			t.Fatalf("%v %s", err, last.body)
		}
		pages += len(m.Data.Pages)
		ended = m.Type == "job.ended" && m.Data.State.State == "done"
	}
	if pages != 4 {
		t.Errorf("told of %d pages", pages)
	}
	_, example, _ := strings.Cut(readFile(t, "../../docs/http.md"), "```python\nimport base64")
	example, _, _ = strings.Cut(example, "```")
	genuine := func(secret string, m message) string {
		t.Helper()
		if _, err := exec.LookPath("python3"); err != nil {
			t.Skip("there is no python3: scripts/setup installs it")
		}
		headers := map[string]string{}
		for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
			headers[name] = m.header.Get(name)
		}
		c := exec.Command("python3", "-c", "import base64"+example+"\nimport json, sys\nprint(genuine(sys.argv[1], json.loads(sys.argv[2]), sys.stdin.buffer.read()))", secret, jsonOf(t, headers))
		c.Stdin = strings.NewReader(string(m.body))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return strings.TrimSpace(string(out))
	}
	forged := message{last.header, append([]byte(" "), last.body...)}
	old := message{last.header.Clone(), last.body}
	old.header.Set("webhook-timestamp", "1700000000")
	for name, c := range map[string]struct {
		secret string
		m      message
		want   string
	}{"genuine": {j.Webhook_Secret, last, "True"}, "another secret": {"whsec_" + strings.Repeat("A", 43) + "=", last, "False"}, "another body": {j.Webhook_Secret, forged, "False"}, "old": {j.Webhook_Secret, old, "False"}} {
		if got := genuine(c.secret, c.m); got != c.want {
			t.Errorf("%s: %s", name, got)
		}
	}
	if status, state, _ := s.call("", "GET", "/v1/crawls/"+j.Job, ""); status != 200 || state.Webhook_Secret != "" {
		t.Errorf("%d %+v", status, state)
	}
	for _, c := range []struct {
		url    string
		status int
	}{{"http://10.0.0.7/hook", 403}, {"http://localhost:80/", 403}, {"http://169.254.169.254/latest", 403}, {"https://[::ffff:127.0.0.1]/", 403}, {"gopher://hooks.example.com/", 400}, {"https://a:b@hooks.example.com/", 400}, {"", 400}} {
		status, e, _ := s.call("", "POST", "/v1/crawls", `{"url":"https://lights.example.com/","webhook":{"url":"`+c.url+`"}}`)
		if status != c.status {
			t.Errorf("%s: %d %+v", c.url, status, e)
		}
	}
	// A name that leads inside is refused when it is dialled, and nothing says what is there.
	_, inside, _ := s.call("", "POST", "/v1/batches", `{"urls":["https://lights.example.com/p/1"],"webhook":{"url":"https://private.example.com/","events":["ended"]}}`)
	said := s.until("", "/v1/batches/"+inside.Job, func(j jobState) bool { return over(j) && len(j.Notices) > 0 })
	if n := strings.Join(said.Notices, " "); !strings.Contains(n, "given up. Tries: 1. The last one: \"the policy refuses its URL\"") || strings.Contains(n, "10.0.0") {
		t.Errorf("%q", n)
	}
	// A receiver that is away is told after a restart.
	fails.Store(true)
	_, b, _ := s.call("", "POST", "/v1/batches", `{"urls":["https://lights.example.com/p/1"],`+hook+`}`)
	first := <-got
	s.until("", "/v1/batches/"+b.Job, func(j jobState) bool { return len(j.Notices) > 0 })
	s.stop(syscall.SIGTERM)
	fails.Store(false)
	w.pass(t, "hooks", b.Job)
	s = w.jobServer(t, "hooks")
	if again := <-got; again.header.Get("webhook-id") != first.header.Get("webhook-id") || genuine(b.Webhook_Secret, again) != "True" {
		t.Errorf("%v after %v", again.header, first.header)
	}
	s.stop(syscall.SIGTERM)
	secret := strings.TrimPrefix(j.Webhook_Secret, "whsec_")
	err := filepath.WalkDir(w.data("hooks"), func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if strings.Contains(string(data), secret) {
			t.Errorf("%s has the secret", name)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}
