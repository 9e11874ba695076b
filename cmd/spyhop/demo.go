package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/tool"
)

type demoCmd struct {
	Keep bool `help:"Serve the site until Ctrl-C, to try the other commands on it."`
}

// demo is the state of a run: it counts steps and results.
type demo struct {
	*session
	site   *demosite.Site
	client *spyhop.Client
	steps  int
	wrong  int
	kept   int // phrases of content that were kept
	left   int // phrases of boilerplate that were dropped
	denied int // calls that the policy blocked
}

func (c *demoCmd) run(s *session) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	site, err := demosite.Start()
	if err != nil {
		return err
	}
	defer site.Close()
	if c.Keep {
		return keep(s, site)
	}
	captures, err := os.MkdirTemp("", "spyhop-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(captures)
	// Only the site's own listeners are allowed although they are private. A small
	// MaxResponseBytes ends the endless page quickly, and no rate limit is needed.
	client, err := spyhop.New(spyhop.Config{EnvironmentHints: true, BrowserHelper: s.helper, AllowPrivate: site.Exceptions(), MaxResponseBytes: 256 << 10, HostRate: -1,
		DataDir: captures, CacheTTL: -1, Browser: settings.Values.Browser,
		SearchProvider: "searxng", SearxngURL: site.Home,
		Model: demosite.ScriptedModel, ModelURL: site.Home + demosite.ModelPath})
	if err != nil {
		return err
	}
	defer client.Close()
	start := time.Now()
	d := &demo{session: s, site: site, client: client}
	d.chapter("Pages of every type: the content is kept, boilerplate is dropped")
	for _, p := range demosite.Pages() {
		if p.Encoding == "" {
			d.page(p)
		}
	}
	d.chapter("Old encodings, with and without a declaration")
	for _, p := range demosite.Pages() {
		if p.Encoding != "" {
			d.page(p)
		}
	}
	d.chapter("Other ways to read a page")
	d.modes()
	d.chapter("Errors, and what spyhop says about them")
	d.failures()
	d.chapter("Addresses that the policy blocks")
	d.refusals()
	d.chapter("Searching: the demo site answers in place of a SearXNG server")
	d.searches()
	d.chapter("A crawl of the site, which is cut off and goes on")
	d.crawls()
	d.chapter("A browser, for pages that need scripts or clicks")
	d.browses()
	d.chapter("An agent with a scripted model: the model's turns are fixed texts, the tool calls and checks are real")
	d.asks()
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	d.summary(time.Since(start))
	if d.wrong > 0 {
		return failed(1)
	}
	return nil
}

func (d *demo) chapter(title string) {
	if d.steps > 0 {
		fmt.Fprintln(d.stdout)
	}
	fmt.Fprintln(d.stdout, d.screen.paintOut(bold, title))
}

// call prints the head of a step.
func (d *demo) call(format string, args ...any) {
	d.steps++
	d.line(d.screen.paintOut(green, "●")+" "+printable(fmt.Sprintf(format, args...)), "  ")
}

// say prints the result of a step, and the problem unless it is "".
func (d *demo) say(problem, format string, args ...any) {
	d.line("  └ "+printable(fmt.Sprintf(format, args...)), "    ")
	if problem != "" {
		d.wrong++
		d.line("    WRONG: "+printable(problem), "    ")
	}
	d.stdout.Flush()
}

func (d *demo) detail(format string, args ...any) {
	d.line("    "+printable(fmt.Sprintf(format, args...)), "    ")
}

// line writes a line, which fits into a terminal; what goes on begins with indent.
func (d *demo) line(line, indent string) {
	fmt.Fprintln(d.stdout, terminal.Wrap(line, d.screen.columns, indent))
}

// get fetches a page and prints the head of the step.
func (d *demo) get(path string, q spyhop.FetchRequest) (*spyhop.FetchResult, error) {
	q.URL = path
	if strings.HasPrefix(path, "/") {
		q.URL = d.site.Home + path
	}
	d.call("Fetch(%s)", q.URL)
	return d.client.Fetch(d.ctx, q)
}

func received(r *spyhop.FetchResult) string {
	text := fmt.Sprintf("Received %s (%s)", size(r.Metadata.ContentLength), status(r.Metadata.Status))
	if r.Metadata.Cached {
		text += " (cached)"
	}
	return text
}

// page reads a page and checks that its content was kept and its boilerplate
// dropped.
func (d *demo) page(p demosite.Page) {
	r, err := d.get(p.Path, spyhop.FetchRequest{})
	if err != nil {
		d.say("the page should be read", "%s", err)
		return
	}
	var missing, stayed []string
	for _, w := range p.Keep {
		if !strings.Contains(flat(r.Markdown), w) {
			missing = append(missing, w)
		}
	}
	for _, w := range p.Drop {
		if strings.Contains(flat(r.Markdown), w) {
			stayed = append(stayed, w)
		}
	}
	d.kept += len(p.Keep) - len(missing)
	d.left += len(p.Drop) - len(stayed)
	problem := ""
	switch {
	case missing != nil:
		problem = fmt.Sprintf("missing %q", missing)
	case stayed != nil:
		problem = fmt.Sprintf("not dropped %q", stayed)
	case !strings.Contains(r.Title, p.Title):
		problem = fmt.Sprintf("the title is %q", r.Title)
	case !r.Success:
		problem = "verdict " + string(r.Verdict)
	}
	d.say(problem, "%s", received(r))
	text := fmt.Sprintf("%s: kept %d of %d", p.About, len(p.Keep)-len(missing), len(p.Keep))
	if p.Drop != nil {
		text += fmt.Sprintf(", dropped %d of %d", len(p.Drop)-len(stayed), len(p.Drop))
	}
	d.detail("%s; page type %s, ~%d tokens", text, r.PageType, r.Metadata.Tokens)
}

// flat removes Markdown marks and line breaks, so that phrases can be compared.
func flat(s string) string {
	return strings.Join(strings.Fields(strings.NewReplacer("*", "", "`", "", "\\", "").Replace(s)), " ")
}

// modes shows links, outline, query, windows and the tools.
func (d *demo) modes() {
	d.call("Links(%s/)", d.site.Home)
	r, err := d.client.Links(d.ctx, spyhop.FetchRequest{URL: d.site.Home + "/"})
	if problem := unless(err == nil && len(r.Links) >= len(demosite.Pages()), "every page should be listed"); problem != "" || err != nil {
		d.say(problem, "%v", err)
	} else {
		d.say("", "Found %d links within the site", len(r.Links))
	}

	if r, err := d.get("/documentation", spyhop.FetchRequest{Mode: "outline"}); err != nil {
		d.say("the outline should be read", "%s", err)
	} else {
		d.say(unless(len(r.Outline) >= 4, "there should be at least 4 sections"), "Outline of %d sections", len(r.Outline))
	}

	r, err = d.get("/documentation", spyhop.FetchRequest{Query: "depth of the water in metres", MaxTokens: 120})
	if err != nil {
		d.say("passages should be found", "%s", err)
	} else {
		d.say(unless(strings.Contains(r.Markdown, "| `depth_m` | number |"), "the row of the table should be there"),
			"The best passages for \"depth of the water in metres\": ~%d tokens of ~%d", markdown.Tokens(r.Markdown), r.Metadata.Tokens)
	}

	r, err = d.get("/article", spyhop.FetchRequest{MaxLength: 600})
	if err != nil || r.NextStartIndex == nil {
		d.say("the answer should say where the next window begins", "%v", err)
	} else {
		d.say("", "The first window ends at a word; the next one begins at start_index=%d", *r.NextStartIndex)
	}

	d.call("web_browse(%s/service)", d.site.Home)
	text := d.client.Browse(d.ctx, d.site.Home+"/service")
	d.say(unless(!strings.HasPrefix(text, "Error: "), text), "%d characters of Markdown", len([]rune(text)))

	d.tool(demosite.MovedAway, "The URL redirected to: "+d.site.Other+"/elsewhere", "For a model, web_fetch reports the redirect to another host and does not follow it")
	d.tool("/article", "untrusted", "For a model, the page is inside a fence that marks it as untrusted and that the page cannot forge")
}

// tool calls web_fetch as a model does.
func (d *demo) tool(path, want, what string) {
	args, err := json.Marshal(map[string]string{"url": d.site.Home + path})
	if err != nil {
		d.say(err.Error(), "")
		return
	}
	d.call("web_fetch(%s)", args)
	r, err := d.client.Call(d.ctx, "web_fetch", args, tool.Options{Caller: "demo", Given: true})
	if err != nil {
		d.say("the call should succeed", "%s", err)
		return
	}
	d.say(unless(strings.Contains(r.Text, want), "the answer should contain "+want), "%s", what)
}

// failures shows redirects and errors of sites.
func (d *demo) failures() {
	for _, path := range []string{demosite.Moved, demosite.MovedAway} {
		r, err := d.get(path, spyhop.FetchRequest{})
		if err != nil {
			d.say("the redirect should be followed", "%s", err)
			continue
		}
		d.say(unless(r.FinalURL != r.URL, "the redirect should be followed"), "%s at %s", received(r), r.FinalURL)
	}
	d.fails(demosite.Missing, spyhop.FetchRequest{}, tool.HTTPError)
	d.fails(demosite.Slow, spyhop.FetchRequest{Timeout: 300 * time.Millisecond}, tool.Timeout)
	d.fails(demosite.Loop, spyhop.FetchRequest{}, "")
	d.fails(demosite.Script, spyhop.FetchRequest{}, tool.NoContent)
	d.fails(demosite.Film, spyhop.FetchRequest{}, tool.UnsupportedContent)
	r, err := d.get(demosite.Endless, spyhop.FetchRequest{})
	if err != nil {
		d.say("the beginning of the page should be read", "%s", err)
	} else {
		d.say(unless(r.Verdict == "partial", "the verdict should be partial"), "%s, verdict %s", received(r), r.Verdict)
	}
}

// fails fetches a page and expects an error of this type; an empty type expects
// any error but Blocked.
func (d *demo) fails(path string, q spyhop.FetchRequest, want tool.ErrorType) {
	r, err := d.get(path, q)
	var e *tool.Error
	if !errors.As(err, &e) {
		d.say("it should fail with "+string(want), "%s", received(r))
		return
	}
	if e.Type == tool.Blocked {
		d.denied++
	}
	right := e.Type == want || want == "" && e.Type != tool.Blocked
	d.say(unless(right, "it should fail with "+string(want)), "%s: %s", e.Type, e.Message)
	if e.Hint != "" {
		d.detail("%s", e.Hint)
	}
}

func (d *demo) refusals() {
	d.fails(demosite.ToMetadata, spyhop.FetchRequest{}, tool.Blocked)
	d.fails(demosite.ToPrivate, spyhop.FetchRequest{}, tool.Blocked)
	d.fails("http://127.0.0.1:1/", spyhop.FetchRequest{}, tool.Blocked)
	d.fails("http://[::ffff:10.0.0.1]/", spyhop.FetchRequest{}, tool.Blocked)
	d.fails("http://printer.local/", spyhop.FetchRequest{}, tool.Blocked)
	d.fails("https://user:password@example.com/", spyhop.FetchRequest{}, tool.Blocked)
}

// searches finds a page of the site and reads it, then searches for a word that
// is on no page.
func (d *demo) searches() {
	d.call("Search(%s)", demosite.Pages()[0].Title)
	a, err := d.client.Search(d.ctx, spyhop.SearchRequest{Text: demosite.Pages()[0].Title})
	if err != nil || len(a.Results) == 0 {
		d.say("there should be results", "%v", err)
		return
	}
	clean := unless(!strings.Contains(a.Results[0].URL, "utm_"), "the tracking parameter should be removed")
	d.say(clean, "Found %d results with %s (played by the demo site); the first is %s", len(a.Results), a.Provider, a.Results[0].Title)
	if r, err := d.get(a.Results[0].URL, spyhop.FetchRequest{}); err != nil {
		d.say("the first result should be read", "%s", err)
	} else {
		d.say("", "%s", received(r))
	}
	d.call("Search(zzyzx)")
	a, err = d.client.Search(d.ctx, spyhop.SearchRequest{Text: "zzyzx"})
	d.say(unless(err == nil && len(a.Results) == 0, fmt.Sprintf("the answer should have no results and no error: %v", err)), "No results, and no error")
}

// crawls reads pages of the site, is cut off after two, and goes on.
func (d *demo) crawls() {
	const pages = 12 // several more are read before the crawl is stopped on a busy machine
	d.call("Crawl(%s)", d.site.Home)
	ctx, cut := context.WithCancel(d.ctx)
	defer cut()
	first, err := d.client.Crawl(ctx, spyhop.CrawlRequest{URLs: []string{d.site.Home}, MaxPages: pages, MaxDepth: 1, OnPage: func(p spyhop.CrawlProgress) {
		if p.Read >= 2 {
			cut()
		}
	}})
	if err != nil {
		d.say("the crawl should stop without an error", "%s", err)
		return
	}
	d.say(unless(first.State == "stopped" && first.Read >= 2 && first.Left > 0, "it should be stopped with pages left"), "Cut off: %s", crawl.Summary(first))
	d.call("Crawl(%s)", first.Job)
	whole, err := d.client.Crawl(d.ctx, spyhop.CrawlRequest{Job: first.Job})
	if err != nil {
		d.say("the crawl should go on", "%s", err)
		return
	}
	seen := map[string]bool{}
	for _, p := range whole.Pages {
		seen[p.URL] = true
	}
	problem := unless(whole.Read+whole.Failures == pages && len(seen) == pages, "each page should be read once")
	d.say(problem, "Went on: %s; no page was read twice", crawl.Summary(whole))
}

// asks runs an agent with a scripted model, to show the loop of calls.
func (d *demo) asks() {
	a, err := d.client.Answer(d.ctx, spyhop.AnswerRequest{Question: demosite.ModelQuestion, Depth: spyhop.DepthDeep, OnStep: func(e spyhop.AgentStep) {
		if e.Done {
			d.call("%s", stepHead(e))
			d.say("", "%s", stepResult(e))
		}
	}})
	d.call("Ask(%s)", demosite.ModelQuestion)
	if err != nil {
		d.say("there should be an answer", "%s", err)
		return
	}
	d.say(unless(len(a.Citations) == 1 && len(a.Steps) == 4, "one quotation should be cited, after four calls"), "%s", a.Text)
	d.say(unless(a.Unverified > 0 && strings.Contains(a.Text, "(unverified)"),
		"the false quotation and citation should be marked"), "The script's false quotation and false citation are marked")
	for _, c := range a.Citations {
		d.detail("%s", c)
	}
}

func (d *demo) summary(took time.Duration) {
	fmt.Fprintf(d.stdout, "\n%s\n", d.screen.paintOut(bold, "Summary"))
	fmt.Fprintf(d.stdout, "  %d steps in %.1f s, %d wrong\n", d.steps, took.Seconds(), d.wrong)
	fmt.Fprintf(d.stdout, "  kept %d phrases of content, dropped %d phrases of boilerplate, blocked %d URLs\n", d.kept, d.left, d.denied)
	fmt.Fprintf(d.stdout, "  spyhop demo --keep serves the site until Ctrl-C\n")
}

// unless returns problem when holds is false, else "".
func unless(holds bool, problem string) string {
	if holds {
		return ""
	}
	return problem
}

// keep serves until Ctrl-C.
func keep(s *session, site *demosite.Site) error {
	fmt.Fprintf(s.stdout, "The site is at %s/ until Ctrl-C. Try:\n\n", site.Home)
	allow := strings.Join(site.Exceptions(), ",")
	fmt.Fprintf(s.stdout, "  export WEB_ALLOW_PRIVATE=%s\n", allow)
	for _, p := range demosite.Pages() {
		fmt.Fprintf(s.stdout, "  spyhop fetch %s%s   # %s\n", site.Home, p.Path, p.About)
	}
	for _, path := range []string{demosite.Moved, demosite.MovedAway, demosite.Missing, demosite.Slow, demosite.Endless, demosite.ToMetadata, demosite.ToPrivate} {
		fmt.Fprintf(s.stdout, "  spyhop fetch %s%s\n", site.Home, path)
	}
	fmt.Fprintf(s.stdout, "  spyhop snapshot %s%s   # a page that needs scripts, in a browser\n", site.Home, demosite.Board)
	if err := s.stdout.Flush(); err != nil {
		return err
	}
	<-s.ctx.Done()
	return nil
}
