package spyhop

import (
	"cmp"
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/jobs"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

func (s *Client) newJobs(c Config) *jobs.Runner {
	return jobs.New(jobs.Options{
		Crawler: func() (*crawl.Crawler, error) { return s.jobCrawler(context.Background()) },
		Used: func() bool {
			if c.DataDir == "" || c.Frontier != "" {
				return c.Frontier != ""
			}
			_, err := os.Stat(filepath.Join(c.DataDir, frontier.FileName))
			return err == nil
		},
		As:   forOwner,
		Most: c.MaxJobs, Keep: c.JobKeep, OnError: s.hints.reporter(c.OnError), OnRound: c.OnRound,
		RoundTripper: s.guard.RoundTripper(), UserAgent: c.userAgent(), Key: c.hookKey(),
		Judge: func(u weburl.URL) (weburl.URL, error) {
			shown := u.WithoutUserinfo().String()
			to, d := s.guard.Judge(u)
			if err := d.Err(); err != nil {
				return to, reader.FetchError(shown, fetch.Refused(shown, err))
			}
			return to, nil
		},
		Audited: func(ctx context.Context, name string, run func(context.Context) error) (out error) {
			_ = s.operation(ctx, name, func(ctx context.Context) error {
				if out = run(ctx); out == nil {
					return nil
				}
				return &tool.Error{Type: tool.ConnectionError, Message: "the webhook was not taken", Cause: out}
			})
			return out
		},
	})
}

// jobCrawler is the crawler of jobs in the background.
func (s *Client) jobCrawler(ctx context.Context) (*crawl.Crawler, error) {
	k, err := s.crawls.open(ctx, s.web())
	if err != nil {
		return nil, err
	}
	return &crawl.Crawler{Web: s.jobWeb(), Frontier: k.Frontier, Worker: k.Worker, AtOnce: k.AtOnce}, nil
}

// forOwner is the context of what a job does for its owner. It has no logins of the principal
// local: whoever reaches a server on loopback may have asked for the job.
func forOwner(ctx context.Context, owner string) context.Context {
	return principal.WithSurface(principal.With(ctx, principal.Caller{Name: text.Name(owner), Guest: owner == principal.Local}), principal.Surface{Name: "job"})
}

// hookKey returns what the secrets of webhooks follow from: the key of what is stored
// encrypted, or where there is no folder a key of this process.
func (c Config) hookKey() func() ([]byte, error) {
	file := c.SessionKey
	if file == "" && c.DataDir != "" {
		file = filepath.Join(c.DataDir, session.KeyFile)
	}
	if file == "" {
		return sync.OnceValues(func() ([]byte, error) { return []byte(rand.Text()), nil })
	}
	return func() ([]byte, error) { return store.DeriveKey(file, "webhooks") }
}

// jobWeb is web for jobs in the background: each page is a call of the audit log, since
// a job may last for days.
func (s *Client) jobWeb() crawl.Web {
	w := s.web()
	get, start, read := w.Fetch, w.Page, w.Read
	w.Fetch = func(ctx context.Context, q fetch.Request) (*fetch.Response, error) {
		return operate(ctx, s, "crawl", func(ctx context.Context) (*fetch.Response, error) { return get(ctx, q) })
	}
	w.Page = func(ctx context.Context, q crawl.ReadRequest) (*page.Page, error) {
		return operate(ctx, s, "crawl", func(ctx context.Context) (*page.Page, error) { return start(ctx, q) })
	}
	w.Read = func(ctx context.Context, q crawl.ReadRequest) (a *reader.Answer, p *page.Page, err error) {
		err = s.operation(ctx, "crawl", func(ctx context.Context) error { a, p, err = read(ctx, q); return err })
		return a, p, err
	}
	return w
}

// RunJobs runs the jobs that StartCrawl has stored, for all owners, until ctx ends;
// those that a former process left go on. It is called once, by a server.
func (s *Client) RunJobs(ctx context.Context) { s.jobs.Run(ctx) }

// StartCrawl stores a job, or takes one up again, and returns at once: RunJobs runs
// it, of this Client or of another one on the same Config.DataDir. MaxTokens, Timeout,
// OnStart and OnPage of the request do not count. The error is an *Error: Busy when the
// owner has too many jobs.
func (s *Client) StartCrawl(ctx context.Context, q CrawlRequest) (*CrawlResult, error) {
	return operate(ctx, s, "crawl start", func(ctx context.Context) (out *CrawlResult, err error) {
		call, err := crawlCall(&q, s.guard)
		if err != nil {
			return nil, err
		}
		if q.Login != "" {
			return nil, tool.NewError(tool.InvalidInput, "a crawl in the background reads with no login", "use Crawl; on the command line, leave --detach out")
		}
		if _, remote := principal.SurfaceOf(ctx); remote {
			call.Concurrency = s.crawls.allowed(call.Concurrency)
		}
		j, err := s.jobs.Start(ctx, principal.Of(ctx).Principal(), call)
		if err != nil {
			return nil, err
		}
		c, err := s.crawls.open(ctx, s.web())
		if err == nil {
			out, err = c.Status(ctx, j)
		}
		if err == nil {
			out.WebhookSecret = s.jobs.Secret(j)
		}
		return out, err
	})
}

// FollowCrawl tells of the pages of a job from the first behind the cursor after (0 for
// the first, -20 for the last 20), and of its state, until the job ends, ctx ends, or each returns an error.
// The last event of a job that has ended is its state; at least every 15 s comes an
// event, if need be an empty one. The job may run in another process. The error is an
// *Error, or that of each.
func (s *Client) FollowCrawl(ctx context.Context, job string, after int64, each func(result.CrawlEvent) error) error {
	said, err := onJobs(ctx, s, "crawl follow", func(ctx context.Context, c *crawl.Crawler, owner string) (said, err error) {
		err = c.Follow(ctx, owner, job, after, func(e result.CrawlEvent) error {
			said = each(e)
			return said
		})
		if said != nil {
			return said, nil
		}
		return nil, err
	})
	return cmp.Or(said, err)
}
