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
func (s *Client) AddMonitor(ctx context.Context, q MonitorRequest) (out *result.Monitor, err error) {
	err = s.operation(ctx, "monitor add", func(ctx context.Context) error {
		o := crawl.Options{Every: q.Every, Cron: q.Cron, About: q.Query, Selector: q.Selector, Search: q.Search, MaxPages: q.MaxPages, MaxDepth: q.MaxDepth, Include: q.Include, Exclude: q.Exclude, Subdomains: q.Subdomains, EntireSite: q.EntireSite, Render: string(q.Render), Background: true, Scrape: q.Scrape, Paused: q.Paused, Retention: max(q.Retention, 0)}
		if q.Webhook != "" {
			o.Webhook = &crawl.Webhook{URL: q.Webhook}
		}
		for _, raw := range q.URLs {
			u, err := reader.Address(raw)
			if err != nil {
				return err
			}
			o.URLs = append(o.URLs, s.guard.Local(u).WithoutFragment().String())
		}
		j, err := s.jobs.Watch(ctx, principal.Of(ctx).Principal(), q.Monitor, o)
		if err != nil {
			return err
		}
		c, err := s.crawls.open(ctx, s.web())
		if err == nil {
			out, err = c.MonitorStatus(j)
		}
		if err == nil {
			out.WebhookSecret = s.jobs.Secret(j)
		}
		return err
	})
	return out, err
}

// Monitors lists the monitors of Config.Owner, the latest first. The error is an *Error.
func (s *Client) Monitors(ctx context.Context) (out []*result.Monitor, err error) {
	err = s.crawling(ctx, "monitor list", func(ctx context.Context, c *crawl.Crawler, owner string) error {
		jobs, err := c.Monitors(ctx, owner)
		for _, j := range jobs {
			state, err := c.MonitorStatus(j)
			if err != nil {
				return err
			}
			out = append(out, state)
		}
		return err
	})
	return out, err
}

// MonitorStatus returns the state of a monitor. The error is an *Error: InvalidInput for
// one that does not exist or belongs to another owner.
func (s *Client) MonitorStatus(ctx context.Context, monitor string) (out *result.Monitor, err error) {
	err = s.crawling(ctx, "monitor status", func(ctx context.Context, c *crawl.Crawler, owner string) error {
		j, err := c.Monitor(ctx, owner, monitor)
		if err == nil {
			out, err = c.MonitorStatus(j)
		}
		return err
	})
	return out, err
}

// MonitorChanges returns changes that a monitor has seen at a time or later (the zero
// time: all that it remembers, 10,000 at most): at most n (100 for 0), from the first
// behind the cursor after (0 for the first). The error is an *Error.
func (s *Client) MonitorChanges(ctx context.Context, monitor string, after int64, since time.Time, n int) (out *result.PageChanges, err error) {
	err = s.crawling(ctx, "monitor changes", func(ctx context.Context, c *crawl.Crawler, owner string) error {
		j, err := c.Monitor(ctx, owner, monitor)
		if err == nil {
			out, err = c.Changes(ctx, j, after, since, cmp.Or(max(n, 0), 100))
		}
		return err
	})
	return out, err
}

// RemoveMonitor deletes a monitor with all that it knows. The error is an *Error.
func (s *Client) RemoveMonitor(ctx context.Context, monitor string) error {
	return s.crawling(ctx, "monitor remove", func(ctx context.Context, c *crawl.Crawler, owner string) error {
		err := c.DropMonitor(ctx, owner, monitor)
		if err == nil {
			s.jobs.Stop(monitor)
		}
		return err
	})
}
