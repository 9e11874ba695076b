package spyhop

import (
	"cmp"
	"context"
	"crypto/rand"
	"net"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// CrawlRequest starts a job, or goes on with one; CrawlProgress is how far it is.
type (
	CrawlRequest  = result.CrawlRequest
	CrawlProgress = result.CrawlProgress
)

// CrawlResult is the state of a job, and what it has read; CrawlPage is a page of it.
type (
	CrawlResult = result.Crawl
	CrawlPage   = result.CrawlPage
)

const defaultCrawlTokens = 2200

// crawls is the crawler of a Client, opened by the first call that needs it.
type crawls struct {
	dir  string // "": a temporary folder
	pace time.Duration
	// atOnce is how many requests a site gets at a time unless a job says; 0: the default.
	atOnce int
	// server is the database of WEB_FRONTIER, which dial connects to; nil: SQLite.
	server *frontier.Address
	dial   func(context.Context, weburl.URL) (net.Conn, error)

	mu      sync.Mutex
	crawler *crawl.Crawler
	closed  bool
	temp    string
	failed  time.Time // when the frontier could not be opened, and why
	failure error
}

// noHostLimit is how many requests a site gets at a time where Config says that there is no
// limit.
const noHostLimit = 32

// openPause is how long a frontier that could not be opened is not opened again.
const openPause = time.Second

func newCrawls(c Config, guard *egress.Guard) (*crawls, error) {
	k := &crawls{dir: c.DataDir, dial: guard.DialDatabase, atOnce: c.HostConcurrency}
	if k.atOnce < 0 {
		k.atOnce = noHostLimit
	}
	var err error
	if k.server, err = c.database(); err != nil {
		return nil, err
	}
	if rate := cmp.Or(c.HostRate, fetch.DefaultHostRate); rate > 0 {
		k.pace = time.Duration(float64(time.Second) / rate)
	}
	return k, nil
}

// database is where Config.Frontier is; nil where it is empty. No error shows it.
func (c Config) database() (*frontier.Address, error) {
	if c.Frontier == "" {
		return nil, nil
	}
	a, err := frontier.ParseAddress(c.Frontier)
	if err != nil {
		return nil, invalid("Frontier", "", err)
	}
	return &a, nil
}

func (k *crawls) open(ctx context.Context, web crawl.Web) (*crawl.Crawler, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.crawler != nil || k.closed {
		if k.closed {
			return nil, tool.NewError(tool.Cancelled, "the client is closed", "")
		}
		return k.crawler, nil
	}
	if time.Since(k.failed) < openPause {
		return nil, k.failure // calls that wait for this one do not try again, one after the other
	}
	f, err := k.frontier(ctx)
	if err != nil {
		if ctx.Err() == nil {
			k.failed, k.failure = time.Now(), err
		}
		return nil, err
	}
	// Processes in containers have equal names and numbers.
	host, _ := os.Hostname()
	k.crawler = &crawl.Crawler{Web: web, Frontier: f, Worker: strings.ToValidUTF8(host, "") + "-" + rand.Text()[:8], AtOnce: k.atOnce}
	return k.crawler, nil
}

func (k *crawls) frontier(ctx context.Context) (*frontier.Frontier, error) {
	if k.server != nil {
		f, err := frontier.OpenPostgres(ctx, *k.server, func(ctx context.Context) (net.Conn, error) { return k.dial(ctx, k.server.Server) }, frontier.Options{Pace: k.pace})
		if err != nil {
			return nil, crawl.OpenError(err, "whoever runs spyhop can check WEB_FRONTIER, and whether the database runs")
		}
		return f, nil
	}
	dir := k.dir
	if dir == "" {
		var err error
		if dir, err = os.MkdirTemp("", "spyhop-crawl-"); err != nil {
			return nil, tool.NewError(tool.InvalidInput, "no temporary folder can be made for the crawl", "set Config.DataDir")
		}
		k.temp = dir
	}
	f, err := frontier.OpenSQLite(frontier.Options{Dir: dir, Pace: k.pace})
	if err != nil {
		return nil, crawl.OpenError(err, "check who may write to the data folder, and whether another program holds crawl.db")
	}
	return f, nil
}

func (k *crawls) close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.closed = true
	if k.crawler == nil {
		return nil
	}
	err := k.crawler.Frontier.Close()
	if k.temp != "" {
		os.RemoveAll(k.temp)
	}
	return err
}

// Crawl starts a job or goes on with one, and returns when it stops: for a reason
// that CrawlResult.Stopped names, or because ctx or the Timeout ended it. What was
// read until then is stored, and a further call with Job goes on. A job belongs to
// Config.Owner. It leaves the sites of its URLs with External only, and obeys robots.txt. The
// error is an *Error; pages that cannot be read are counted and are not an error.
func (s *Client) Crawl(ctx context.Context, q CrawlRequest) (*CrawlResult, error) {
	return operate(ctx, s, "crawl", func(ctx context.Context) (*CrawlResult, error) {
		call, err := crawlCall(&q, s.guard)
		if err != nil {
			return nil, err
		}
		if call.Webhook != nil {
			return nil, tool.NewError(tool.InvalidInput, "only a job in the background has a webhook", "use StartCrawl, or OnPage")
		}
		if q.Timeout > 0 {
			var stop context.CancelFunc
			ctx, stop = deadline.With(ctx, q.Timeout)
			defer stop()
		}
		return s.crawl(ctx, call)
	})
}

func crawlCall(q *CrawlRequest, guard *egress.Guard) (crawl.Call, error) {
	call := crawl.Call{Job: q.Job, Tokens: cmp.Or(max(q.MaxTokens, 0), defaultCrawlTokens), Started: q.OnStart, Options: crawl.Options{
		Query: q.Query, MaxPages: q.MaxPages, MaxDepth: q.MaxDepth, Include: q.Include, Exclude: q.Exclude, Match: q.Match, Omit: q.Omit, FullURL: q.FullURL, DropQuery: q.DropQuery, Duplicates: q.Duplicates, External: q.External, Map: q.Map, Delay: min(max(q.Delay, 0), 30*time.Second), Subdomains: q.Subdomains, EntireSite: q.EntireSite, Concurrency: q.Concurrency, Sites: max(q.Sites, 0), Since: q.Since, Changes: q.Changes,
		Render: string(q.Render), Login: q.Login, Batch: q.Batch, IgnoreSignals: q.IgnoreSignals, Scrape: q.Scrape}}
	if q.OnPage != nil {
		call.Run.Progress = func(p crawl.Progress) {
			q.OnPage(crawlProgress(p))
		}
	}
	if q.Webhook != "" {
		call.Webhook = &crawl.Webhook{URL: q.Webhook, Pages: q.WebhookPages, Firecrawl: q.WebhookFirecrawl}
	}
	for _, raw := range q.URLs {
		u, err := reader.Address(raw)
		if err != nil {
			return call, err
		}
		call.URLs = append(call.URLs, guard.Local(u).WithoutFragment().String())
	}
	return call, nil
}

// crawlForTool is crawl for web_crawl: the operator says how many requests a site gets at a
// time.
func (s *Client) crawlForTool(ctx context.Context, q crawl.Call) (*result.Crawl, error) {
	q.Concurrency = s.crawls.allowed(q.Concurrency)
	return s.crawl(ctx, q)
}

// allowed bounds the requests at a time that a caller from outside wants.
func (k *crawls) allowed(n int) int {
	return min(n, cmp.Or(max(k.atOnce, 0), crawl.DefaultAtOnce))
}

// crawl runs a call for the principal of ctx.
func (s *Client) crawl(ctx context.Context, q crawl.Call) (*result.Crawl, error) {
	c, err := s.crawls.open(ctx, s.web())
	if err != nil {
		return nil, err
	}
	return c.Call(ctx, principal.Of(ctx).Principal(), q)
}

// onJobs is operate for the jobs of the principal of ctx.
func onJobs[T any](ctx context.Context, s *Client, name string, run func(ctx context.Context, c *crawl.Crawler, owner string) (T, error)) (T, error) {
	return operate(ctx, s, name, func(ctx context.Context) (out T, err error) {
		c, err := s.crawls.open(ctx, s.web())
		if err != nil {
			return out, err
		}
		return run(ctx, c, principal.Of(ctx).Principal())
	})
}

// endJob is onJobs for what ends a job.
func (s *Client) endJob(ctx context.Context, name, job string, run func(ctx context.Context, c *crawl.Crawler, owner string) error) error {
	_, err := onJobs(ctx, s, name, func(ctx context.Context, c *crawl.Crawler, owner string) (struct{}, error) {
		err := run(ctx, c, owner)
		if err == nil {
			s.jobs.Stop(job)
		}
		return struct{}{}, err
	})
	return err
}

// CrawlJobs lists the jobs of Config.Owner, the latest first, without their pages.
// The error is an *Error.
func (s *Client) CrawlJobs(ctx context.Context) ([]*CrawlResult, error) {
	return onJobs(ctx, s, "crawl list", func(ctx context.Context, c *crawl.Crawler, owner string) (out []*CrawlResult, err error) {
		jobs, err := c.Jobs(ctx, owner)
		if err != nil {
			return nil, err
		}
		for _, j := range jobs {
			state, err := c.Status(ctx, j)
			if err != nil {
				return nil, err
			}
			out = append(out, state)
		}
		return out, nil
	})
}

// CrawlStatus returns the state of a job, without its pages. The error is an
// *Error: InvalidInput for a job that does not exist or belongs to another owner.
func (s *Client) CrawlStatus(ctx context.Context, job string) (*CrawlResult, error) {
	return onJobs(ctx, s, "crawl status", func(ctx context.Context, c *crawl.Crawler, owner string) (*CrawlResult, error) {
		j, err := c.Job(ctx, owner, job)
		if err != nil {
			return nil, err
		}
		return c.Status(ctx, j)
	})
}

// CrawlPages returns pages of a job in the order in which they were read: at most n
// (100 for 0), from the first behind the cursor after (0 for the first, -20 for the
// last 20), with their Markdown when bodies is set. The error is an *Error.
func (s *Client) CrawlPages(ctx context.Context, job string, after int64, n int, bodies bool) (*result.CrawlPages, error) {
	return onJobs(ctx, s, "crawl pages", func(ctx context.Context, c *crawl.Crawler, owner string) (*result.CrawlPages, error) {
		j, err := c.Job(ctx, owner, job)
		if err != nil {
			return nil, err
		}
		return c.Pages(ctx, j, after, cmp.Or(max(n, 0), 100), bodies)
	})
}

// StopCrawl stops a job, also one that another process runs. What it has read
// stays, and Crawl can go on with it. The error is an *Error.
func (s *Client) StopCrawl(ctx context.Context, job string) error {
	return s.endJob(ctx, "crawl stop", job, func(ctx context.Context, c *crawl.Crawler, owner string) error {
		_, err := c.Stop(ctx, owner, job)
		return err
	})
}

// DropCrawl deletes a job with everything that it has read. The error is an *Error.
func (s *Client) DropCrawl(ctx context.Context, job string) error {
	return s.endJob(ctx, "crawl drop", job, func(ctx context.Context, c *crawl.Crawler, owner string) error { return c.Drop(ctx, owner, job) })
}

// WorkRequest says how [Client.CrawlWorker] works. The zero value of each field is
// its default.
type WorkRequest struct {
	// Sites is how many sites of one job are asked at a time; 0 means 4. Jobs is how
	// many jobs run at a time, the oldest first; 0 means 4.
	Sites, Jobs int
	// Job works on this job only, and returns when it no longer runs; "" means on all.
	Job string
	// OnPage is called after each page with its job, from several goroutines; OnTrouble
	// with what keeps the worker from its work, for example a database that is away: it
	// tries again. Nil means that they are not called.
	OnPage    func(job string, p CrawlProgress)
	OnTrouble func(error)
}

// CrawlWorker helps with all running jobs of the database that Config.Frontier
// names, of all owners, until ctx ends: then what was read is stored, and others go
// on. Pages are read for the owner of their job, with the policy of this Client. It
// can also be called without Config.Frontier, for the jobs in DataDir. The error is
// an *Error.
func (s *Client) CrawlWorker(ctx context.Context, q WorkRequest) error {
	return s.operation(ctx, "crawl worker", func(ctx context.Context) error {
		w := crawl.Worker{Sites: q.Sites, Jobs: q.Jobs, Job: q.Job, Trouble: q.OnTrouble,
			Open: s.jobCrawler, For: forOwner}
		if q.OnPage != nil {
			w.Progress = func(job string, p crawl.Progress) { q.OnPage(job, crawlProgress(p)) }
		}
		return w.Work(ctx)
	})
}

func crawlProgress(p crawl.Progress) CrawlProgress {
	return CrawlProgress{Read: p.Read, Failed: p.Failed, Left: p.Left, Sites: p.Sites, Over: p.Over, Known: p.Known, Max: p.Max, Page: p.Latest, Waits: p.Waits, Scope: p.Scope, Why: p.Why}
}

// ArchivePage adds the Markdown of a page to the archive that Config.Record names, as
// a conversion of what was recorded of its address. The error is an *Error:
// InvalidInput where nothing is recorded.
func (s *Client) ArchivePage(p *CrawlPage) error {
	if s.archive == nil {
		return s.hints.explain(tool.NewError(tool.InvalidInput, "no archive is recorded", "set Config.Record"))
	}
	if err := s.archive.Conversion(p.URL, "text/markdown; charset=utf-8", []byte(p.Markdown), p.FetchedAt); err != nil {
		return s.hints.explain(&tool.Error{Type: tool.Internal, Message: "the archive cannot be written: " + text.Cause(err), Cause: err})
	}
	return nil
}
