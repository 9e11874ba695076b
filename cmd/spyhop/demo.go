package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/demosite"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/result"
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
	for _, c := range []struct {
		title string
		run   func()
	}{
		{"Pages of every type: the content is kept, boilerplate is dropped", func() { d.pages(false) }},
		{"Old encodings, with and without a declaration", func() { d.pages(true) }},
		{"Other ways to read a page", d.modes},
		{"Errors, and what spyhop says about them", d.failures},
		{"Addresses that the policy blocks", d.refusals},
		{"Searching: the demo site answers in place of a SearXNG server", d.searches},
		{"A crawl of the site, which is cut off and goes on", d.crawls},
		{"A browser, for pages that need scripts or clicks", d.browses},
		{"An agent with a scripted model: the model's turns are fixed texts, the tool calls and checks are real", d.asks},
	} {
		if d.steps > 0 {
			fmt.Fprintln(d.stdout)
		}
		fmt.Fprintln(d.stdout, d.screen.paintOut(bold, c.title))
		c.run()
	}
	if s.ctx.Err() != nil {
		return s.ctx.Err()
	}
	fmt.Fprintf(d.stdout, "\n%s\n", d.screen.paintOut(bold, "Summary"))
	fmt.Fprintf(d.stdout, "  %d steps in %.1f s, %d wrong\n", d.steps, time.Since(start).Seconds(), d.wrong)
	fmt.Fprintf(d.stdout, "  kept %d phrases of content, dropped %d phrases of boilerplate, blocked %d URLs\n", d.kept, d.left, d.denied)
	fmt.Fprintf(d.stdout, "  spyhop demo --keep serves the site until Ctrl-C\n")
	if d.wrong > 0 {
		return failed(1)
	}
	return nil
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

// fetch fetches a page and prints the head of the step.
func (d *demo) fetch(path string, q spyhop.FetchRequest) (*spyhop.FetchResult, error) {
	q.URL = path
	if strings.HasPrefix(path, "/") {
		q.URL = d.site.Home + path
	}
	d.call("Fetch(%s)", q.URL)
	return d.client.Fetch(d.ctx, q)
}

// get is fetch of a page that has to be read; false: it was not, which was said.
func (d *demo) get(path string, q spyhop.FetchRequest) (*spyhop.FetchResult, bool) {
	r, err := d.fetch(path, q)
	if err != nil {
		d.say("the page should be read", "%s", err)
	}
	return r, err == nil
}

func received(r *spyhop.FetchResult) string {
	text := fmt.Sprintf("Received %s (%s)", size(r.Metadata.ContentLength), status(r.Metadata.Status))
	if r.Metadata.Cached {
		text += " (cached)"
	}
	return text
}

func (d *demo) pages(encoded bool) {
	for _, p := range demosite.Pages() {
		if (p.Encoding != "") == encoded {
			d.page(p)
		}
	}
}

// page reads a page and checks that its content was kept and its boilerplate
// dropped.
func (d *demo) page(p demosite.Page) {
	r, ok := d.get(p.Path, spyhop.FetchRequest{})
	if !ok {
		return
	}
	there := flat(r.Markdown)
	missing := slices.DeleteFunc(slices.Clone(p.Keep), func(w string) bool { return strings.Contains(there, w) })
	stayed := slices.DeleteFunc(slices.Clone(p.Drop), func(w string) bool { return !strings.Contains(there, w) })
	d.kept += len(p.Keep) - len(missing)
	d.left += len(p.Drop) - len(stayed)
	problem := ""
	switch {
	case len(missing) > 0:
		problem = fmt.Sprintf("missing %q", missing)
	case len(stayed) > 0:
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
	if r, err := d.client.Links(d.ctx, spyhop.FetchRequest{URL: d.site.Home + "/"}); err != nil {
		d.say("the links should be read", "%s", err)
	} else {
		d.say(unless(len(r.Links) >= len(demosite.Pages()), "every page should be listed"), "Found %d links within the site", len(r.Links))
	}
	if r, ok := d.get("/documentation", spyhop.FetchRequest{Mode: "outline"}); ok {
		d.say(unless(len(r.Outline) >= 4, "there should be at least 4 sections"), "Outline of %d sections", len(r.Outline))
	}
	if r, ok := d.get("/documentation", spyhop.FetchRequest{Query: "depth of the water in metres", MaxTokens: 120}); ok {
		d.say(unless(strings.Contains(r.Markdown, "| `depth_m` | number |"), "the row of the table should be there"),
			"The best passages for \"depth of the water in metres\": ~%d tokens of ~%d", markdown.Tokens(r.Markdown), r.Metadata.Tokens)
	}
	if r, ok := d.get("/article", spyhop.FetchRequest{MaxLength: 600}); ok {
		d.say(unless(r.NextStartIndex != nil, "the result should say where the next window begins"), "The first window ends at a word; next_start_index is where the next one begins")
	}
	d.call("web_browse(%s/service)", d.site.Home)
	text := d.client.Browse(d.ctx, d.site.Home+"/service")
	d.say(unless(!strings.HasPrefix(text, "Error: "), text), "%d characters of Markdown", len([]rune(text)))
	for _, c := range []struct{ path, want, what string }{
		{demosite.MovedAway, "The URL redirected to: " + d.site.Other + "/elsewhere", "For a model, web_fetch reports the redirect to another host and does not follow it"},
		{"/article", "untrusted", "For a model, the page is inside a fence that marks it as untrusted and that the page cannot forge"},
	} {
		if r, ok := d.use("web_fetch", map[string]any{"url": d.site.Home + c.path}); ok {
			d.say(unless(strings.Contains(r.Text, c.want), "the result should contain "+c.want), "%s", c.what)
		}
	}
}

// use calls a tool as a model does and prints the head of the step; false: it failed, which
// was said.
func (d *demo) use(name string, args map[string]any) (tool.Result, bool) {
	r, err := d.tool(name, args)
	if err != nil {
		d.say("the call should succeed", "%s", err)
	}
	return r, err == nil
}

func (d *demo) tool(name string, args map[string]any) (tool.Result, error) {
	data, err := json.Marshal(args)
	if err != nil {
		return tool.Result{}, err
	}
	d.call("%s(%s)", name, data)
	return d.client.Call(d.ctx, name, data, tool.Options{Caller: "demo", Given: true})
}

// failures shows redirects and errors of sites.
func (d *demo) failures() {
	for _, path := range []string{demosite.Moved, demosite.MovedAway} {
		r, ok := d.get(path, spyhop.FetchRequest{})
		if !ok {
			continue
		}
		d.say(unless(r.FinalURL != r.URL, "the redirect should be followed"), "%s at %s", received(r), r.FinalURL)
	}
	d.fails(demosite.Missing, spyhop.FetchRequest{}, tool.HTTPError)
	d.fails(demosite.Slow, spyhop.FetchRequest{Timeout: 300 * time.Millisecond}, tool.Timeout)
	d.fails(demosite.Loop, spyhop.FetchRequest{}, "")
	d.fails(demosite.Script, spyhop.FetchRequest{}, tool.NoContent)
	d.fails(demosite.Film, spyhop.FetchRequest{}, tool.UnsupportedContent)
	if r, ok := d.get(demosite.Endless, spyhop.FetchRequest{}); ok {
		d.say(unless(r.Verdict == "partial", "the verdict should be partial"), "%s, verdict %s", received(r), r.Verdict)
	}
}

// fails fetches a page and expects an error of this type; an empty type expects
// any error but Blocked.
func (d *demo) fails(path string, q spyhop.FetchRequest, want tool.ErrorType) {
	r, err := d.fetch(path, q)
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
	for _, url := range []string{demosite.ToMetadata, demosite.ToPrivate, "http://127.0.0.1:1/", "http://[::ffff:10.0.0.1]/", "http://printer.local/", "https://user:password@example.com/"} {
		d.fails(url, spyhop.FetchRequest{}, tool.Blocked)
	}
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
	if r, ok := d.get(a.Results[0].URL, spyhop.FetchRequest{}); ok {
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

// browses reads a page that needs scripts and acts on it with the browser tools.
// If no browser is installed, it says so; that does not count as wrong.
func (d *demo) browses() {
	where, err := d.tool("navigate_to_url", map[string]any{"url": d.site.Home + demosite.Board})
	var missing *tool.Error
	if errors.As(err, &missing) && missing.Type == tool.BrowserMissing {
		d.say("", "Skipped, because there is no browser to use: %s", missing.Message)
		d.detail("%s", missing.Hint)
		return
	}
	if err != nil {
		d.say("the page should open", "%s", err)
		return
	}
	d.say("", "%s", strings.TrimSpace(unfenced(where.Text)))
	if _, ok := d.use("browser_wait_for", map[string]any{"text": "Add sighting"}); ok {
		d.say("", "The page's script has loaded the list and shown it")
	}
	seen, ok := d.use("browser_snapshot", map[string]any{})
	if !ok {
		return
	}
	field, button := refOf(seen.Text, "Place"), refOf(seen.Text, "Add sighting")
	d.say(unless(field != "" && button != "" && strings.Contains(seen.Text, demosite.Sightings()[0]), "the list, the field and the button should be there"),
		"Elements that can be acted on have refs: [Place](%s) [Add sighting](%s)", field, button)
	if _, ok := d.use("browser_type", map[string]any{"ref": field, "text": "the south pier"}); ok {
		d.say("", "Typed into the field")
	}
	if after, ok := d.use("browser_click", map[string]any{"ref": button}); ok {
		const added = "+ A fin off the south pier, seen just now"
		d.say(unless(regexp.MustCompile(`(?m)^\+ .*`+regexp.QuoteMeta(added[2:])).MatchString(after.Text), "the click should add a line: "+after.Text), "The click changed:")
		d.detail(added)
	}
	if shot, ok := d.use("take_web_screenshot", map[string]any{}); ok {
		facts, err := dataOf[result.Screenshot](shot)
		if err != nil || len(shot.Pictures) != 1 {
			d.say("there should be a picture", "%v", err)
		} else {
			d.say("", "A picture of %d x %d, %s", facts.Width, facts.Height, size(int64(len(shot.Pictures[0].Data))))
		}
	}
	if r, ok := d.get(demosite.Board, spyhop.FetchRequest{}); ok {
		d.say(unless(r.Metadata.Rendered && strings.Contains(r.Markdown, demosite.Sightings()[1]), "it should be rendered"),
			"%s; the HTML was empty without its script, so the browser rendered it", received(r))
	}
}

// refOf returns the ref of the element with this name in a snapshot, or "".
func refOf(snapshot, name string) string {
	m := regexp.MustCompile(`\[` + regexp.QuoteMeta(name) + `[^\]]*\]\((\w+)\)`).FindStringSubmatch(snapshot)
	if m == nil {
		return ""
	}
	return m[1]
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
