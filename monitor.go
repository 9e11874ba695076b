package spyhop

import (
	"cmp"
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
)

// MonitorRequest starts a monitor.
type MonitorRequest = result.MonitorRequest

// AddMonitor stores a monitor, or changes one, and returns at once: RunJobs runs its rounds. The first
// one finds the pages; each later one reads the starts, what is new, and known pages at
// the rate at which they were seen to change, and says what was added, changed, and is
// gone. The error is an *Error: Busy when the owner has too many.
func (s *Client) AddMonitor(ctx context.Context, q MonitorRequest) (*result.Monitor, error) {
	return operate(ctx, s, "monitor add", func(ctx context.Context) (out *result.Monitor, err error) {
		o := crawl.Options{Every: q.Every, Cron: q.Cron, About: q.Query, Selector: q.Selector, Search: q.Search, MaxPages: q.MaxPages, MaxDepth: q.MaxDepth, Include: q.Include, Exclude: q.Exclude, Subdomains: q.Subdomains, EntireSite: q.EntireSite, Render: string(q.Render), Background: true, Scrape: q.Scrape, Paused: q.Paused, Retention: max(q.Retention, 0)}
		if q.Webhook != "" {
			o.Webhook = &crawl.Webhook{URL: q.Webhook}
		}
		for _, raw := range q.URLs {
			u, err := reader.Address(raw)
			if err != nil {
				return nil, err
			}
			o.URLs = append(o.URLs, s.guard.Local(u).WithoutFragment().String())
		}
		j, err := s.jobs.Watch(ctx, principal.Of(ctx).Principal(), q.Monitor, o)
		if err != nil {
			return nil, err
		}
		c, err := s.crawls.open(ctx, s.web())
		if err == nil {
			out, err = c.MonitorStatus(j)
		}
		if err == nil {
			out.WebhookSecret = s.jobs.Secret(j)
		}
		return out, err
	})
}

// Monitors lists the monitors of Config.Owner, the latest first. The error is an *Error.
func (s *Client) Monitors(ctx context.Context) ([]*result.Monitor, error) {
	return onJobs(ctx, s, "monitor list", func(ctx context.Context, c *crawl.Crawler, owner string) (out []*result.Monitor, err error) {
		jobs, err := c.Monitors(ctx, owner)
		for _, j := range jobs {
			state, err := c.MonitorStatus(j)
			if err != nil {
				return nil, err
			}
			out = append(out, state)
		}
		return out, err
	})
}

// MonitorStatus returns the state of a monitor. The error is an *Error: InvalidInput for
// one that does not exist or belongs to another owner.
func (s *Client) MonitorStatus(ctx context.Context, monitor string) (*result.Monitor, error) {
	return onJobs(ctx, s, "monitor status", func(ctx context.Context, c *crawl.Crawler, owner string) (*result.Monitor, error) {
		j, err := c.Monitor(ctx, owner, monitor)
		if err != nil {
			return nil, err
		}
		return c.MonitorStatus(j)
	})
}

// MonitorChanges returns changes that a monitor has seen at a time or later (the zero
// time: all that it remembers, 10,000 at most): at most n (100 for 0), from the first
// behind the cursor after (0 for the first). The error is an *Error.
func (s *Client) MonitorChanges(ctx context.Context, monitor string, after int64, since time.Time, n int) (*result.PageChanges, error) {
	return onJobs(ctx, s, "monitor changes", func(ctx context.Context, c *crawl.Crawler, owner string) (*result.PageChanges, error) {
		j, err := c.Monitor(ctx, owner, monitor)
		if err != nil {
			return nil, err
		}
		return c.Changes(ctx, j, after, since, cmp.Or(max(n, 0), 100))
	})
}

// RemoveMonitor deletes a monitor with all that it knows. The error is an *Error.
func (s *Client) RemoveMonitor(ctx context.Context, monitor string) error {
	return s.endJob(ctx, "monitor remove", monitor, func(ctx context.Context, c *crawl.Crawler, owner string) error {
		return c.DropMonitor(ctx, owner, monitor)
	})
}
