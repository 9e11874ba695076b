package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

type crawlCmd struct {
	Run    crawlRunCmd    `cmd:"" default:"withargs" help:"Fetch the pages of a site."`
	List   crawlListCmd   `cmd:"" help:"List the crawls."`
	Status crawlStatusCmd `cmd:"" help:"Print the state of a crawl."`
	Stop   crawlStopCmd   `cmd:"" help:"Stop a crawl, also on another machine."`
	Drop   crawlDropCmd   `cmd:"" help:"Delete a crawl and its pages."`
	Worker crawlWorkerCmd `cmd:"" help:"Fetch pages of all running crawls of a shared database."`

	Frontier string `help:"The PostgreSQL database that several machines share, for example postgres://user:password@host:port/database. Other users of this machine can see a password here: WEB_FRONTIER hides it." placeholder:"URL"`
}

type crawlRunCmd struct {
	URLs     []string `arg:"" optional:"" name:"url" help:"Where to begin: the crawl stays below the path of this URL."`
	Query    string   `help:"Fetch the most promising pages first; stop when the rest look unlikely to help." placeholder:"WORDS"`
	Output   string   `short:"o" help:"Write pages to a folder as Markdown, or to a file: .jsonl, .jsonl.zst, .csv, .warc or .warc.gz." placeholder:"PATH" type:"path"`
	Format   string   `help:"Format of --output: md or html (a folder), jsonl, csv, warc. Default: by the name." enum:",md,jsonl,html,csv,warc" default:"" placeholder:"FORMAT"`
	Schema   string   `help:"Write a record of each page by this JSON Schema instead: its values come from x-selector or from the configured model." placeholder:"FILE" type:"path"`
	Chunks   int      `min:"0" help:"Write parts of at most so many tokens with their headings, offsets and URL instead, as JSON Lines." default:"0" placeholder:"TOKENS"`
	MaxPages int      `min:"1" help:"Fetch at most this many pages." default:"1000" placeholder:"N"`
	scopeFlags
	Concurrency   int           `min:"0" help:"Requests at a time to one site, over all workers. The pace of the site still holds. Default: WEB_HOST_CONCURRENCY, or 2." placeholder:"N"`
	Since         string        `help:"Compare with an earlier crawl, or with the last one of this URL: last." placeholder:"JOB"`
	Render        string        `help:"Run the scripts of pages in a browser: auto, never, always." enum:"auto,never,always" default:"auto" placeholder:"WHEN"`
	Login         string        `help:"Use the login of this site that spyhop login has saved, or the browser state of this name, for pages of its sites only." placeholder:"SITE"`
	Resume        string        `help:"Continue a crawl that was stopped." placeholder:"JOB"`
	IgnoreSignals bool          `help:"Fetch pages although the Content-Signal of the site is ai-input=no."`
	Detach        bool          `help:"Store the crawl and return: workers fetch its pages."`
	MaxTokens     int           `min:"1" help:"Limit the passages that --query prints." default:"2200" placeholder:"N"`
	Timeout       time.Duration `help:"Stop after this time, for example 10m. Default: none." placeholder:"TIME"`
	archiveFlags
}

// scopeFlags say which pages belong to a crawl or a monitor.
type scopeFlags struct {
	MaxDepth   int      `min:"1" help:"Follow at most this many links from a start." default:"5" placeholder:"N"`
	Include    []string `help:"Only pages whose path matches, for example /docs/*." placeholder:"GLOB"`
	Exclude    []string `help:"No pages whose path matches." placeholder:"GLOB"`
	EntireSite bool     `help:"Fetch the pages of the whole host, not only those below the path of the URL."`
	Subdomains bool     `help:"Add the other hosts of the domain."`
}

func (c *crawlRunCmd) run(s *session) error {
	if (len(c.URLs) == 0) == (c.Resume == "") {
		return s.usage("give either a URL or --resume JOB")
	}
	for _, u := range c.URLs {
		if !strings.ContainsAny(u, ".:/") && u != "localhost" {
			return s.usage(fmt.Sprintf("%q is neither a command of spyhop crawl nor a URL", u))
		}
	}
	if c.Detach && c.Output != "" {
		return s.usage("--detach writes no pages: leave --output out, and resume the crawl with it later")
	}
	q := spyhop.CrawlRequest{Job: c.Resume, URLs: c.URLs, Query: c.Query, MaxPages: c.MaxPages, MaxDepth: c.MaxDepth, Include: c.Include,
		Exclude: c.Exclude, Subdomains: c.Subdomains, EntireSite: c.EntireSite, Concurrency: c.Concurrency, Since: c.Since,
		Render: spyhop.Render(c.Render), Login: c.Login, IgnoreSignals: c.IgnoreSignals, MaxTokens: c.MaxTokens, Timeout: c.Timeout}
	if c.Detach {
		return s.detach(q)
	}
	schema, err := s.schemaFile(c.Schema)
	if err != nil {
		return err
	}
	return s.crawl(q, outputOptions{path: c.Output, format: c.Format, schema: schema, schemaFile: c.Schema, chunks: c.Chunks, render: q.Render, login: q.Login})
}

// detach stores a job for workers and servers on the same database.
func (s *session) detach(q spyhop.CrawlRequest) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	job, err := client.StartCrawl(s.ctx, q)
	if err != nil {
		return err
	}
	if s.printed(job) {
		return nil
	}
	fmt.Fprintln(s.stdout, printable(job.Job))
	return nil
}

type batchCmd struct {
	File    string        `arg:"" optional:"" name:"file" help:"A file with one URL on each line; - is stdin." type:"path"`
	Output  string        `short:"o" help:"Write pages to a folder as Markdown, or to a file: .jsonl, .jsonl.zst, .warc or .warc.gz. Default: JSON Lines on stdout." placeholder:"PATH" type:"path"`
	Render  string        `help:"Run the scripts of pages in a browser: auto, never, always." enum:"auto,never,always" default:"auto" placeholder:"WHEN"`
	Resume  string        `help:"Continue a batch that was stopped." placeholder:"JOB"`
	Timeout time.Duration `help:"Stop after this time, for example 10m. Default: none." placeholder:"TIME"`
}

func (c *batchCmd) run(s *session) error {
	if (c.File == "") == (c.Resume == "") {
		return s.usage("give either a file or --resume JOB")
	}
	q := spyhop.CrawlRequest{Job: c.Resume, Batch: true, Render: spyhop.Render(c.Render), Timeout: c.Timeout}
	if c.File != "" {
		in, err := s.open(c.File)
		if err != nil {
			return err
		}
		defer in.Close()
		if q.URLs, err = s.addressesOf(in); err != nil {
			return err
		}
	}
	return s.crawl(q, outputOptions{path: cmp.Or(c.Output, "-")})
}

// addressesOf reads an address from each line. A line that is not an address is said and
// left out: the other pages are still wanted.
func (s *session) addressesOf(in io.Reader) (addresses []string, err error) {
	const most = 10 // lines that are said one by one
	wrong := 0
	lines := bufio.NewScanner(in)
	for number := 1; lines.Scan(); number++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := weburl.ParseLenient(line); err != nil {
			if wrong++; wrong <= most {
				s.printError(fmt.Errorf("line %d is skipped: %w", number, err))
			}
			continue
		}
		addresses = append(addresses, line)
	}
	if wrong > most {
		s.printError(fmt.Errorf("%d further lines are skipped: they are not URLs", wrong-most))
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(addresses) == 0 {
		return nil, tool.NewError(tool.InvalidInput, "the file has no URL", "write one URL on each line")
	}
	return addresses, nil
}

// crawl runs a job and writes its pages as they come.
func (s *session) crawl(q spyhop.CrawlRequest, o outputOptions) error {
	to := o // o is what was given
	if err := s.checkOutput(&to); err != nil {
		return err
	}
	if q.Login != "" && s.given.Record != "" {
		return s.usage("an archive holds nothing that is read with a login: write the pages in another format")
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	out, err := s.openPages(client, to)
	if err != nil {
		return err
	}
	defer s.untilTerminated()()
	run, stop := context.WithCancel(s.ctx)
	defer stop()
	pages := &pageCopy{client: client, out: out, stop: stop}
	line := newCrawlLine(s)
	q.OnStart = func(id string) { pages.job = id }
	q.OnPage = func(p spyhop.CrawlProgress) {
		line.show(p)
		pages.next(s.ctx)
	}
	answer, err := client.Crawl(run, q)
	s.screen.clear()
	if err != nil {
		_ = pages.close() // what it says matters less
		if pages.job != "" {
			s.goOn(pages.job, q.Batch, o)
		}
		return err
	}
	if s.ctx.Err() != nil {
		pages.err = nil // a write that Ctrl-C ended is done again
	}
	pages.next(context.WithoutCancel(s.ctx))
	if err := pages.close(); err != nil {
		s.screen.fact("crawl", answer.Job+": "+crawl.Summary(answer)+"; not all of it was written")
		s.goOn(answer.Job, q.Batch, o)
		return err
	}
	s.showCrawl(answer, o, out != nil)
	if s.ctx.Err() != nil {
		return tool.AsError(s.ctx.Err())
	}
	return crawl.NothingRead(answer, crawlHint(answer))
}

// pageCopy writes the pages of a job as they come, if there is an output. A page that cannot
// be written ends the crawl, which can go on when the reason is gone.
type pageCopy struct {
	client *spyhop.Client
	out    pageWriter // nil: none
	stop   context.CancelFunc
	job    string
	cursor int64
	err    error // the first one
}

// next writes the pages that were read since the last time.
func (c *pageCopy) next(ctx context.Context) {
	for more := true; more && c.err == nil && c.out != nil; {
		var list *result.CrawlPages
		if list, c.err = c.client.CrawlPages(ctx, c.job, c.cursor, 100, true); c.err != nil {
			break
		}
		more = len(list.Pages) > 0
		for i := 0; c.err == nil && i < len(list.Pages); i++ {
			c.err = c.out.write(&list.Pages[i])
		}
		c.cursor = list.Next
	}
	if c.err != nil {
		c.stop()
	}
}

func (c *pageCopy) close() error {
	if c.out == nil {
		return nil
	}
	if err := c.out.close(); c.err == nil {
		c.err = err
	}
	return c.err
}

// crawlHint is the next step when a crawl has read nothing.
func crawlHint(c *spyhop.CrawlResult) string {
	switch {
	case c.Refused > 0:
		return "robots.txt, Content-Signal or the policy refuses the pages: look for another source"
	case c.Reasons["off_site"] > 0:
		return "the URL leads to another site: begin there"
	case c.Failures > 0:
		return "check the URL, and start the crawl again"
	}
	return "check the URL, --include and --exclude"
}

// mostListed is how many failures, and URLs that robots.txt refuses, are printed one by one.
const mostListed = 10

// showCrawl prints what a job has come to.
func (s *session) showCrawl(c *spyhop.CrawlResult, o outputOptions, written bool) {
	switch {
	case written:
	case s.cli.JSON:
		s.print(c)
	case len(c.Passages) > 0:
		for _, p := range c.Passages {
			fmt.Fprintf(s.stdout, "%s\n\n", printable(p.URL))
			s.content(p.Text + "\n")
		}
	default:
		for _, p := range c.Pages {
			if p.Error == "" {
				fmt.Fprintln(s.stdout, printable(p.URL))
			}
		}
	}
	s.screen.fact("crawl", c.Job+": "+crawl.Summary(c))
	// list prints the first of several lines, of which all may be in the state.
	list := func(name, before string, lines []string, all int64) {
		s.screen.facts(name, lines[:min(len(lines), mostListed)])
		if more := all - mostListed; more > 0 {
			s.screen.fact(name, fmt.Sprintf("%s%d more; spyhop crawl status %s --json lists them", before, more, c.Job))
		}
	}
	var failed, refused []string
	for _, f := range c.Failed {
		failed = append(failed, f.URL+" ("+f.ErrorType+": "+f.Reason+")")
	}
	list("failed", "", failed, c.Failures)
	s.screen.facts("notice", c.Notices)
	if c.Kind == crawl.KindBatch { // each address was asked for
		for _, u := range c.RobotsRefused {
			refused = append(refused, "robots.txt refuses "+u)
		}
		list("notice", "robots.txt refuses ", refused, int64(len(refused)))
	}
	if c.Left > 0 {
		s.goOn(c.Job, c.Kind == crawl.KindBatch, o)
	}
}

// goOn prints the command that goes on with a job.
func (s *session) goOn(job string, batch bool, o outputOptions) {
	command := "spyhop crawl --resume " + job
	if batch {
		command = "spyhop batch --resume " + job
	}
	for _, f := range []struct {
		given bool
		flag  string
	}{
		{o.path != "" && o.path != "-", "-o " + shellWord(o.path)}, {o.format != "", "--format " + o.format},
		{o.schemaFile != "", "--schema " + shellWord(o.schemaFile)}, {o.chunks > 0, fmt.Sprint("--chunks ", o.chunks)},
	} {
		if f.given {
			command += " " + f.flag
		}
	}
	s.screen.fact("go on with", command)
}

type crawlListCmd struct{}

func (crawlListCmd) run(s *session, client *spyhop.Client) error {
	jobs, err := client.CrawlJobs(s.ctx)
	if err != nil {
		return err
	}
	if s.printed(jobs) {
		return nil
	}
	if len(jobs) == 0 {
		s.screen.fact("crawls", "none yet; spyhop crawl URL starts one")
		return nil
	}
	rows := [][]string{{"CRAWL", "UPDATED", "READ", "FAILED", "LEFT", "STATE", "URL"}}
	for _, c := range jobs {
		what := strings.Join(c.URLs, " ")
		if c.Kind == crawl.KindBatch {
			what = "(batch)"
		}
		state := c.State
		if c.Stopped != "" {
			state = crawl.StopText(c.Stopped)
		}
		rows = append(rows, []string{c.Job, minute(c.Updated), text.Grouped(c.Read), text.Grouped(c.Failures), text.Grouped(c.Left), state, what})
	}
	s.table(rows)
	return nil
}

type jobArg struct {
	Job string `arg:"" help:"The crawl, for example c7."`
}

type crawlStatusCmd struct{ jobArg }

func (c *crawlStatusCmd) run(s *session, client *spyhop.Client) error {
	state, err := client.CrawlStatus(s.ctx, c.Job)
	if err != nil {
		return err
	}
	if s.printed(state) {
		return nil
	}
	rows := [][]string{
		{"crawl", state.Job + ": " + crawl.Summary(state)}, {"urls", strings.Join(state.URLs, " ")}, {"query", state.Query}, {"scope", strings.Join(state.Scope, " ")},
		{"begun", minute(state.Created)}, {"updated", minute(state.Updated)},
	}
	for _, f := range state.Failed {
		rows = append(rows, []string{"failed", f.URL + " (" + f.ErrorType + ": " + f.Reason + ")"})
	}
	if more := state.Failures - int64(len(state.Failed)); more > 0 {
		rows = append(rows, []string{"failed", text.Grouped(more) + " more"})
	}
	for _, n := range state.Notices {
		rows = append(rows, []string{"notice", n})
	}
	s.table(slices.DeleteFunc(rows, func(row []string) bool { return row[1] == "" }))
	return nil
}

// minute is a time in the zone of this process, without seconds.
func minute(t time.Time) string { return t.Local().Format("2006-01-02 15:04") }

// table prints rows in columns, as wide as their longest value.
func (s *session) table(rows [][]string) {
	w := tabwriter.NewWriter(s.stdout, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		for i, cell := range row {
			if i > 0 {
				fmt.Fprint(w, "\t")
			}
			fmt.Fprint(w, printable(cell))
		}
		fmt.Fprintln(w)
	}
	w.Flush()
}

type crawlStopCmd struct{ jobArg }

func (c *crawlStopCmd) run(s *session, client *spyhop.Client) error {
	return client.StopCrawl(s.ctx, c.Job)
}

type crawlDropCmd struct{ jobArg }

func (c *crawlDropCmd) run(s *session, client *spyhop.Client) error {
	return client.DropCrawl(s.ctx, c.Job)
}
