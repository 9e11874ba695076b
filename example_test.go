package spyhop_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// exampleSite is a page and a search engine on loopback, and a client that may
// reach them: loopback is private and has to be named. The public web needs no
// entry: spyhop.New(spyhop.Config{}).
func exampleSite() (client *spyhop.Client, url string, done func()) {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/search") {
			fmt.Fprint(w, `{"results":[{"title":"Ferries in fog","url":"http://`+r.Host+`/fog?utm_source=x","content":"The horn of the lighthouse."}]}`)
			return
		}
		fmt.Fprint(w, examplePage)
	}))
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}, SearxngURL: srv.URL})
	if err != nil {
		panic(err)
	}
	return client, srv.URL, func() { client.Close(); srv.Close() }
}

func ExampleNew() {
	client, err := spyhop.New(spyhop.Config{
		Allowlist: []string{"go.dev", "pkg.go.dev"}, // nothing else is reached
		Redirects: spyhop.RedirectsSameHost,
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	_, err = client.Fetch(context.Background(), spyhop.FetchRequest{URL: "https://example.com/"})
	var e *spyhop.Error
	if errors.As(err, &e) {
		fmt.Println(e.Type == tool.Blocked, e.Retryable)
	}
	// Output: true false
}

func ExampleClient_Fetch() {
	client, url, done := exampleSite()
	defer done()
	page, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Title, page.Verdict)
	fmt.Println(strings.SplitN(page.Markdown, "\n", 2)[0])
	// Output:
	// Ferries in fog complete
	// # Ferries in fog
}

// A long page is read in windows.
func ExampleClient_Fetch_window() {
	client, url, done := exampleSite()
	defer done()
	windows := 0
	q := spyhop.FetchRequest{URL: url, MaxLength: 120}
	for {
		page, err := client.Fetch(context.Background(), q)
		if err != nil {
			fmt.Println(err)
			return
		}
		windows++
		if page.NextStartIndex == nil {
			break
		}
		q.StartIndex = *page.NextStartIndex
	}
	fmt.Println(windows)
	// Output: 3
}

// Several addresses share one budget; one that fails has its error.
func ExampleClient_FetchAll() {
	client, url, done := exampleSite()
	defer done()
	pages, err := client.FetchAll(context.Background(), []string{url, "https://10.0.0.1/"}, spyhop.FetchRequest{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, page := range pages.Results {
		if page.Error != nil {
			fmt.Println(page.Error.Type)
			continue
		}
		fmt.Println(page.Title)
	}
	// Output:
	// Ferries in fog
	// Blocked
}

// What was read is kept as versions of pages, to which FetchRequest.Since
// compares.
func ExampleClient_PageVersions() {
	client, url, done := exampleSite()
	defer done()
	client.Browse(context.Background(), url)
	for _, v := range client.PageVersions().Recent(context.Background(), 10) {
		fmt.Println(strings.TrimPrefix(v.URL, url), len(v.Hash))
	}
	page, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: url, Since: "last"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.HasPrefix(page.Content, "not modified since version"))
	// Output:
	// / 12
	// true
}

// A document that is not on a site is read as one of a site is.
func ExampleClient_ReadDocument() {
	client, _, done := exampleSite()
	defer done()
	page, err := client.ReadDocument(context.Background(), []byte("<h1>Tides</h1><p>High water is at noon today, and again after midnight.</p>"), "tides.html", "text/html", json.RawMessage(`{"mode":"text","whole":true}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(page.Body())
	// Output:
	// Tides
	//
	// High water is at noon today, and again after midnight.
}

// Code beside a page needs Config.AllowScript.
func ExampleClient_RunProgram() {
	client, _, done := exampleSite()
	defer done()
	_, err := client.RunProgram(context.Background(), "session-1", "return page.title()", nil)
	var e *spyhop.Error
	fmt.Println(errors.As(err, &e) && e.Type == tool.Blocked)
	// Output: true
}

// A server ends what belongs to a session of its protocol when the session is over:
// browser contexts and the list of recently read pages.
func ExampleClient_EndSession() {
	client, url, done := exampleSite()
	defer done()
	client.Browse(context.Background(), url)
	client.EndSession(context.Background(), "session-1")
	fmt.Println(len(client.PageVersions().Recent(context.Background(), 10)))
	// Output: 0
}

func ExampleClient_Explain() {
	client, url, done := exampleSite()
	defer done()
	x, err := client.Explain(context.Background(), url)
	if err != nil {
		log.Fatal(err)
	}
	kept := 0
	for _, b := range x.Blocks {
		if b.Kept {
			kept++
		}
	}
	fmt.Println(x.Title, kept > 0, len(x.Blocks) > kept)
	// Output: Ferries in fog true true
}

func ExampleCompare() {
	for _, c := range spyhop.Compare("# Tides\n\nHigh at six.\n\nMind the rocks.", "# Tides\n\nHigh at seven.") {
		fmt.Printf("%s: %q, %q\n", c.Section, c.Old, c.New)
	}
	// Output:
	// Tides: "High at six.", "High at seven."
	// Tides: "Mind the rocks.", ""
}

func ExampleClient_BrowserViews() {
	client, _, done := exampleSite()
	defer done()
	views, changed := client.BrowserViews(context.Background())
	select {
	case <-changed: // a browser tool was called
	default:
		fmt.Println(len(views), "contexts")
	}
	// Output: 0 contexts
}

func ExampleClient_BrowserPicture() {
	client, _, done := exampleSite()
	defer done()
	_, err := client.BrowserPicture(context.Background(), "1")
	var e *spyhop.Error
	if errors.As(err, &e) {
		fmt.Println(e.Type, e.Message)
	}
	// Output: NoContent this browser context is not open
}

func ExampleClient_Search() {
	client, url, done := exampleSite()
	defer done()
	answer, err := client.Search(context.Background(), spyhop.SearchRequest{Text: "ferries", Provider: "searxng", IncludeContent: true})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range answer.Results {
		fmt.Println(r.Title, strings.TrimPrefix(r.URL, url), r.Source)
		fmt.Println(strings.SplitN(r.Content, "\n", 2)[0])
	}
	// Output:
	// Ferries in fog /fog searxng
	// # Ferries in fog
}

func ExampleClient_Map() {
	client, url, done := exampleSite()
	defer done()
	pages, err := client.Map(context.Background(), spyhop.MapRequest{URL: url, Sources: []string{"links"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range pages.Links {
		fmt.Println(strings.TrimPrefix(p.URL, url), p.Title, p.Sources)
	}
	// Output:
	// /news News [links]
	// /shop Shop [links]
}

func ExampleClient_Recall() {
	client, url, done := exampleSite()
	defer done()
	ctx := context.Background()
	if _, err := client.Fetch(ctx, spyhop.FetchRequest{URL: url + "/news"}); err != nil {
		fmt.Println(err)
		return
	}
	found, err := client.Recall(ctx, spyhop.RecallRequest{Query: "ferry fog"})
	if err != nil {
		fmt.Println(err)
		return
	}
	page := found.Pages[0]
	fmt.Println(strings.TrimPrefix(page.URL, url), page.Title)
	fmt.Println(page.Passages[0].Text)
	// Output:
	// /news Ferries in fog
	// The ferry left the quay at dawn and followed the coast for an hour before the fog came in from the open sea, and nobody on deck spoke.
}

func ExampleClient_ForgetPages() {
	client, url, done := exampleSite()
	defer done()
	ctx := context.Background()
	if _, err := client.Fetch(ctx, spyhop.FetchRequest{URL: url + "/news"}); err != nil {
		fmt.Println(err)
		return
	}
	n, err := client.ForgetPages(ctx, url) // all pages of the host
	fmt.Println(n, err)
	// Output: 1 <nil>
}

func ExampleClient_Close() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(client.Close(), client.Close())
	// Output: <nil> <nil>
}

func ExampleClient_Browse() {
	client, url, done := exampleSite()
	defer done()
	fmt.Println(client.Browse(context.Background(), url)[:16])
	fmt.Println(client.Browse(context.Background(), "example.com"))
	// Output:
	// # Ferries in fog
	// Error: Invalid URL format - must start with http:// or https://
}

func ExampleClient_Check() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	_, d := client.Check(context.Background(), "http://169.254.169.254/latest/meta-data/")
	fmt.Println(d.Allowed, d.Rule)
	// Output: false metadata
}

// A model names a tool and gives JSON; what it gets is the text.
func ExampleClient_Call() {
	client, url, done := exampleSite()
	defer done()
	args := json.RawMessage(`{"url":"` + url + `","mode":"links"}`)
	r, err := client.Call(context.Background(), "web_fetch", args, spyhop.CallOptions{Caller: "my agent"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(r.Text, "- News: "+url+"/news"))
	_, err = client.Call(context.Background(), "web_fetch", json.RawMessage(`{"adress":"x"}`), spyhop.CallOptions{})
	fmt.Println(err)
	// Output:
	// true
	// argument "adress" is unknown
}

func ExampleClient_Register() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	err = client.Register(tool.Declaration{
		Name:        "count_words",
		Title:       "Count",
		Description: "Count the words of a text.",
		Input:       tool.Object(tool.String("text", "what to count").Require()),
		Output:      tool.Object(tool.Integer("words", "how many").Require()),
		Level:       tool.Read,
		Handler: func(_ context.Context, c tool.Call) (spyhop.CallResult, error) {
			n := len(strings.Fields(c.Args.String("text")))
			if n == 0 {
				return spyhop.CallResult{}, tool.NewError(tool.NoContent, "the text is empty", "give some words")
			}
			return spyhop.CallResult{Text: fmt.Sprint(n, " words"), Data: map[string]int{"words": n}}, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := client.Call(context.Background(), "count_words", json.RawMessage(`{"text":"nobody on deck spoke"}`), spyhop.CallOptions{})
	fmt.Println(r.Text, err)
	// Output: 4 words <nil>
}

func ExampleClient_Catalog() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	d, _ := client.Catalog().Lookup("web_browse")
	fmt.Print(tool.Prompt([]tool.Declaration{d}))
	// Output: - web_browse: Browse a website and return content as Markdown. | args=(url: str) -> str
}

func ExampleClient_Audit() {
	client, url, done := exampleSite()
	defer done()
	events, end := client.Audit().Subscribe(10)
	defer end()
	client.Browse(context.Background(), url)
	for e := range events {
		if e.Tool != "" { // others are verdicts of the policy
			fmt.Println(e.Tool, e.Caller, e.Decision, e.Status)
			break
		}
	}
	// Output: web_browse library allow 200
}

func ExampleClient_Health() {
	client, url, done := exampleSite()
	defer done()
	client.Browse(context.Background(), url)
	h := client.Health()
	fmt.Println(h.Queue.Slots >= 4, h.Queue.Waiting, h.Queue.Rejected, h.Store.Trouble == "", h.Browser.Running)
	// Output: true 0 0 true false
}

func ExampleClient_Reload() {
	client, url, done := exampleSite()
	defer done()
	err := client.Reload(spyhop.Config{Blocklist: []string{"127.0.0.1"}})
	fmt.Println(err, client.Browse(context.Background(), url))
	// Output: <nil> Error: Blocked - 127.0.0.1 is on the block list
}

func ExampleClient_CacheStats() {
	client, url, done := exampleSite() // without Config.DataDir the cache is in memory
	defer done()
	client.Browse(context.Background(), url)
	stats, err := client.CacheStats(context.Background())
	fmt.Printf("%q %v %d MiB %v\n", stats.File, stats.Bytes > 0, stats.Limit>>20, err)
	// Output: "" true 32 MiB <nil>
}

func ExampleAuditLog_Subscribe() {
	client, _, done := exampleSite()
	defer done()
	events, end := client.Audit().Subscribe(10)
	client.Browse(context.Background(), "http://169.254.169.254/")
	end()
	for e := range events {
		if e.Kind == result.EventCall { // others are decisions of the policy
			fmt.Println(e.Tool, e.Decision, e.Rule)
		}
	}
	// Output: web_browse block metadata
}

func ExampleAuditLog_Metrics() {
	client, url, done := exampleSite()
	defer done()
	client.Browse(context.Background(), url)
	client.Browse(context.Background(), "http://10.0.0.1/")
	m := client.Audit().Metrics()
	fmt.Println(m.Calls["web_browse"], m.Errors["Blocked"], m.Rules["address"] > 0)
	// Output: 2 1 true
}

// The helper is made first in main, and lets the browser run in a network
// namespace where the kernel allows that.
func ExampleNewBrowserHelper() {
	helper := spyhop.NewBrowserHelper() // does not return in the process that becomes the browser
	client, err := spyhop.New(spyhop.Config{BrowserHelper: helper})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	fmt.Println("ready")
	// Output: ready
}

func ExampleBrowserHelper_Probe() {
	var none spyhop.BrowserHelper
	fmt.Println(none.Probe())
	// Output: no network namespace: this program or this system has none
}

func ExampleBrowserHelper_CheckBrowser() {
	helper := spyhop.NewBrowserHelper() // first in main
	facts, err := helper.CheckBrowser(context.Background(), spyhop.Config{})
	if err != nil {
		fmt.Println(err) // for example: no browser is installed on this machine
		return
	}
	fmt.Println(facts.Namespace, facts.Sandbox, facts.UID)
}

func ExampleClient_Login() {
	client, err := spyhop.New(spyhop.Config{DataDir: "/var/lib/example", BrowserHeaded: true})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	// A window opens; the person closes it when he has signed in.
	if _, err := client.Login(context.Background(), "example.com", nil); err != nil {
		log.Fatal(err)
	}
	page, err := client.Fetch(context.Background(), spyhop.FetchRequest{URL: "https://example.com/account", Login: "example.com"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Markdown)
}

func ExampleClient_Logins() {
	client, _, done := exampleSite()
	defer done()
	logins, err := client.Logins()
	fmt.Println(len(logins), err)
	// Output: 0 <nil>
}

func ExampleClient_Forget() {
	client, _, done := exampleSite()
	defer done()
	_, err := client.Forget("https://www.example.com/account")
	fmt.Println(err)
	// Output: there is no login of example.com
}

func ExampleClient_CaptureDir() {
	client, _, done := exampleSite() // without Config.DataDir the folder is temporary
	defer done()
	fmt.Println(strings.HasPrefix(filepath.Base(client.CaptureDir()), "spyhop-"))
	// Output: true
}

// parrot is a language model of a program's own: it reads one page, and says
// what stands there.
type parrot struct{ page string }

func (parrot) Name() string { return "parrot" }

func (p parrot) Ask(_ context.Context, q llm.Request) (*llm.Reply, error) {
	if len(q.Messages) == 1 {
		return &llm.Reply{Calls: []llm.Call{{ID: "1", Name: "web_fetch", Args: `{"url":"` + p.page + `"}`}}}, nil
	}
	return &llm.Reply{Text: `Boats "wait for the fog to lift" [1].`}, nil
}

func ExampleClient_Answer_deep() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<title>Fog</title><main><h1>Fog</h1><p>In thick weather the boats of the bay wait for the fog to lift, and nobody minds much.</p></main>")
	}))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{
		AllowPrivate:  []string{strings.TrimPrefix(srv.URL, "http://")},
		LanguageModel: parrot{srv.URL}, // or Model: "ollama/qwen3"
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	answer, err := client.Answer(context.Background(), spyhop.AnswerRequest{Question: "What do boats do in fog?", Depth: spyhop.DepthDeep, Budget: spyhop.Budget{Calls: 3}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Text)
	fmt.Println(len(answer.Citations), answer.Unverified == 0)
	// Output:
	// Boats "wait for the fog to lift" [1].
	// 1 true
}

func ExampleParsePlan() {
	client, url, done := exampleSite()
	defer done()
	plan, err := tool.ParsePlan([]byte(`{"steps":[
		{"id":"s1","tool":"web_search","args":{"query":"ferries","provider":"searxng"}},
		{"id":"s2","tool":"web_browse","args":{"url":"${s1.results[0].link}"}}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, p := range client.Catalog().CheckPlan(plan) {
		fmt.Println(p.Step+":", p.Message)
	}
	plan.Steps[1].Args = json.RawMessage(`{"url":"${s1.results[0].url}"}`)
	steps, err := client.Catalog().RunPlan(context.Background(), plan, spyhop.CallOptions{}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.SplitN(steps[1].Result.Text, "\n", 2)[0], url != "")
	// Output:
	// s2: argument "url": ${s1.results[0].link}: s1.results[0] has no field "link"
	// # Ferries in fog true
}

func ExampleClient_Answer_withoutModel() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	_, err = client.Answer(context.Background(), spyhop.AnswerRequest{Question: "What do boats do in fog?"})
	var e *spyhop.Error
	if errors.As(err, &e) {
		fmt.Println(e.Message)
		fmt.Println(e.Hint)
	}
	// Output:
	// no language model is configured
	// set Config.Model to provider/name, for example ollama/qwen3 or anthropic/claude-sonnet-5, and the provider's key
}

// A program that reads documents of strangers has them read in processes of
// their own: each is this program, started once more.
func ExampleRunWorker() {
	spyhop.RunWorker() // first in main; does not return in a process that reads documents

	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
}

func ExampleClient_CheckWorker() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	facts, ok, err := client.CheckWorker(context.Background())
	switch {
	case err != nil:
		log.Fatal(err)
	case !ok:
		fmt.Println("documents are read in this process")
	default:
		fmt.Println(facts.Held, facts.Could)
	}
	// Output: documents are read in this process
}

// crawledSite crawls the example's site, for the examples below.
func crawledSite() (client *spyhop.Client, job string, done func()) {
	client, url, done := exampleSite()
	c, err := client.Crawl(context.Background(), spyhop.CrawlRequest{URLs: []string{url}, MaxPages: 3})
	if err != nil {
		log.Fatal(err)
	}
	return client, c.Job, done
}

func ExampleClient_Crawl() {
	client, url, done := exampleSite()
	defer done()
	c, err := client.Crawl(context.Background(), spyhop.CrawlRequest{URLs: []string{url}, MaxPages: 1,
		OnPage: func(p spyhop.CrawlProgress) { fmt.Println("read", p.Read, "of at most", p.Max) }})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(c.Job, c.State, c.Stopped, c.Read > 0)
	// Output:
	// read 1 of at most 1
	// c1 done page_limit true
}

func ExampleClient_CrawlWorker() {
	client, url, done := exampleSite()
	defer done()
	job, err := client.StartCrawl(context.Background(), spyhop.CrawlRequest{URLs: []string{url}, MaxPages: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(job.Job, job.State)
	// With Config.Frontier, this runs on any number of machines.
	if err := client.CrawlWorker(context.Background(), spyhop.WorkRequest{Job: job.Job}); err != nil {
		fmt.Println(err)
		return
	}
	state, err := client.CrawlStatus(context.Background(), job.Job)
	fmt.Println(state.State, state.Stopped, state.Read, err)
	// Output:
	// c1 queued
	// done finished 1 <nil>
}

func ExampleClient_ArchivePage() {
	dir, err := os.MkdirTemp("", "example-")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	client, err := spyhop.New(spyhop.Config{Record: filepath.Join(dir, "pages.warc.gz")})
	if err != nil {
		log.Fatal(err)
	}
	defer client.Close()
	fmt.Println(client.ArchivePage(&spyhop.CrawlPage{URL: "https://example.com/", Markdown: "# A page", FetchedAt: time.Now()}))
	// Output: <nil>
}

func ExampleClient_CrawlJobs() {
	client, _, done := crawledSite()
	defer done()
	jobs, err := client.CrawlJobs(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, j := range jobs {
		fmt.Println(j.Job, j.Kind, j.State)
	}
	// Output:
	// c1 crawl done
}

func ExampleClient_CrawlStatus() {
	client, job, done := crawledSite()
	defer done()
	state, err := client.CrawlStatus(context.Background(), job)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(state.Job, state.State, state.Read > 0)
	// Output:
	// c1 done true
}

func ExampleClient_CrawlPages() {
	client, job, done := crawledSite()
	defer done()
	for after := int64(0); ; {
		list, err := client.CrawlPages(context.Background(), job, after, 100, true)
		if err != nil {
			fmt.Println(err)
			return
		}
		if len(list.Pages) == 0 {
			return
		}
		if after == 0 {
			fmt.Println(list.Pages[0].Verdict, len(list.Pages[0].Markdown) > 0)
		}
		after = list.Next
	}
	// Output:
	// complete true
}

func ExampleClient_StopCrawl() {
	client, job, done := crawledSite()
	defer done()
	fmt.Println(client.StopCrawl(context.Background(), job)) // it has stopped already
	// Output:
	// <nil>
}

func ExampleClient_DropCrawl() {
	client, job, done := crawledSite()
	defer done()
	fmt.Println(client.DropCrawl(context.Background(), job))
	jobs, _ := client.CrawlJobs(context.Background())
	fmt.Println(len(jobs))
	// Output:
	// <nil>
	// 0
}

// background starts a crawl of one page, and runs it until done is called.
func background() (client *spyhop.Client, job string, done func()) {
	client, url, closed := exampleSite()
	ctx, stop := context.WithCancel(context.Background())
	var running sync.WaitGroup
	running.Go(func() { client.RunJobs(ctx) })
	crawl, err := client.StartCrawl(ctx, spyhop.CrawlRequest{URLs: []string{url}, MaxPages: 1})
	if err != nil {
		log.Fatal(err)
	}
	return client, crawl.Job, func() { stop(); running.Wait(); closed() }
}

func ExampleClient_RunJobs() {
	client, job, done := background()
	defer done()
	state, err := client.CrawlStatus(context.Background(), job)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(state.Kind)
	// Output:
	// crawl
}

func ExampleClient_StartCrawl() {
	_, job, done := background() // calls StartCrawl
	defer done()
	fmt.Println(job)
	// Output:
	// c1
}

func ExampleClient_FollowCrawl() {
	client, job, done := background()
	defer done()
	err := client.FollowCrawl(context.Background(), job, 0, func(e result.CrawlEvent) error {
		switch {
		case e.Page != nil:
			fmt.Println("page", e.Page.Status)
		case e.State != nil && e.State.State == "done":
			fmt.Println("done:", e.State.Stopped)
		}
		return nil
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// page 200
	// done: page_limit
}

// monitored adds a monitor of the example's site.
func monitored() (client *spyhop.Client, monitor string, done func()) {
	client, url, done := exampleSite()
	m, err := client.AddMonitor(context.Background(), spyhop.MonitorRequest{URLs: []string{url}, Every: time.Hour})
	if err != nil {
		log.Fatal(err)
	}
	return client, m.Monitor, done
}

func ExampleClient_AddMonitor() {
	client, url, done := exampleSite()
	defer done()
	m, err := client.AddMonitor(context.Background(), spyhop.MonitorRequest{URLs: []string{url}, Every: time.Hour})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Monitor, m.Every, m.Rounds) // RunJobs runs its rounds
	// Output:
	// c1 1h0m0s 0
}

func ExampleClient_Monitors() {
	client, monitor, done := monitored()
	defer done()
	all, err := client.Monitors(context.Background())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(len(all), all[0].Monitor == monitor)
	// Output:
	// 1 true
}

func ExampleClient_MonitorStatus() {
	client, monitor, done := monitored()
	defer done()
	m, err := client.MonitorStatus(context.Background(), monitor)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.Rounds, m.Running)
	// Output:
	// 0 false
}

func ExampleClient_MonitorChanges() {
	client, monitor, done := monitored()
	defer done()
	list, err := client.MonitorChanges(context.Background(), monitor, 0, time.Now().Add(-24*time.Hour), 100)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, c := range list.Changes {
		fmt.Println(c.Change, c.URL)
	}
	fmt.Println(len(list.Changes))
	// Output:
	// 0
}

func ExampleClient_RemoveMonitor() {
	client, monitor, done := monitored()
	defer done()
	fmt.Println(client.RemoveMonitor(context.Background(), monitor))
	// Output:
	// <nil>
}

func ExampleClient_Answer() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "<title>Fog</title><main><h1>Fog</h1><p>In thick weather the boats of the bay wait for the fog to lift, and nobody minds much.</p></main>")
	}))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{
		AllowPrivate:  []string{strings.TrimPrefix(srv.URL, "http://")},
		LanguageModel: sailor{}, // or Model: "ollama/qwen3"
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	answer, err := client.Answer(context.Background(), spyhop.AnswerRequest{Question: "What do boats do in fog?", URLs: []string{srv.URL}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(answer.Text)
	fmt.Println(answer.Citations[0].Quote)
	// Output:
	// They wait [1]. They sing (unverified).
	// wait for the fog to lift
}

// sailor is a language model that says two things, of which the page has one.
type sailor struct{}

func (sailor) Name() string { return "example/sailor" }

func (sailor) Ask(context.Context, llm.Request) (*llm.Reply, error) {
	return &llm.Reply{Text: `They wait [1 "wait for the fog to lift"]. They sing [1].`, Stop: llm.StopEnd}, nil
}

func ExampleClient_Data() {
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "<title>Lamp</title><main><h1>Lamp %s</h1><p>A lamp of brass for the harbour, made by hand.</p><b class=price>19.50 EUR</b></main>", r.URL.Path[1:])
	}))
	defer srv.Close()
	client, err := spyhop.New(spyhop.Config{AllowPrivate: []string{strings.TrimPrefix(srv.URL, "http://")}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	schema := json.RawMessage(`{"type":"object","properties":{"name":{"type":"string","x-selector":"h1"},"price":{"type":"number","x-selector":".price"}}}`)
	_, err = client.Data(context.Background(), spyhop.DataRequest{URLs: []string{srv.URL + "/7"}, Schema: schema}, func(r spyhop.DataRow) error {
		var lamp struct {
			Name  string
			Price float64
		}
		err := json.Unmarshal(r.Data, &lamp)
		fmt.Println(lamp.Name, lamp.Price)
		return err
	})
	if err != nil {
		fmt.Println(err)
	}
	// Output:
	// Lamp 7 19.5
}

// LearnSchema has a model write the selectors of a schema once.
func ExampleClient_LearnSchema() {
	client, err := spyhop.New(spyhop.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	_, _, err = client.LearnSchema(context.Background(), []string{"https://example.com/"}, json.RawMessage(`{"type":"object","properties":{"name":{"type":"string"}}}`), "")
	fmt.Println(err)
	// Output:
	// no language model is configured, and selectors are written by one
}

// A server reads the keys of the authorization server whose tokens it accepts.
func ExampleClient_OAuthDocument() {
	issuer := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, `{"keys":[]}`)
	}))
	defer issuer.Close()
	client, err := spyhop.New(spyhop.Config{OAuthIssuer: issuer.URL})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	keys, err := client.OAuthDocument(context.Background(), issuer.URL+"/jwks")
	fmt.Println(string(keys), err)
	// Output:
	// {"keys":[]} <nil>
}

func ExampleSiteSecret_String() {
	secret := spyhop.SiteSecret{Name: "shop", Value: "correct horse", Sites: []string{"shop.example.com"}}
	fmt.Println(secret)
	// Output:
	// secret shop
}

func ExampleSiteSecret_GoString() {
	secret := spyhop.SiteSecret{Name: "shop", Value: "correct horse", Sites: []string{"shop.example.com"}}
	fmt.Printf("%#v\n", secret)
	// Output:
	// spyhop.SiteSecret{…}
}

// notes is a search provider of the program.
type notes map[string]string

func (notes) Name() string { return "notes" }

func (n notes) Search(_ context.Context, q spyhop.SearchRequest) (hits []result.Hit, err error) {
	for url, text := range n {
		if strings.Contains(text, q.Text) {
			hits = append(hits, result.Hit{Title: text, URL: url})
		}
	}
	return hits, nil
}

// A program brings its own search, which every search and agent of the client then uses.
func ExampleSearchProvider() {
	client, err := spyhop.New(spyhop.Config{SearchProviders: []spyhop.SearchProvider{notes{"https://notes.example/1": "Ferries in fog"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer client.Close()
	found, err := client.Search(context.Background(), spyhop.SearchRequest{Text: "fog"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(found.Provider, found.Results[0].Title, found.Results[0].URL)
	// Output: notes Ferries in fog https://notes.example/1
}

func ExampleClient_TellWebhook() {
	client, url, done := exampleSite()
	defer done()
	secret, err := client.TellWebhook(context.Background(), url+"/hook", "", nil) // checks the URL
	fmt.Println(strings.HasPrefix(secret, "whsec_"), err)
	// Output: true <nil>
}
