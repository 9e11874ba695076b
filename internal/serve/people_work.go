package serve

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/live"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

func noMonitors() error {
	return tool.NewError(tool.InvalidInput, "this server has no monitors", "spyhop monitor add URL stores one")
}

func tooManyURLs(most int) error {
	return tool.NewError(tool.InvalidInput, fmt.Sprintf("more than %d URLs are too many here", most), "a crawl takes 12 starts; a batch takes the URLs of a list")
}

// liveWork starts what the forms of the live page ask for. The calls count in the quotas of
// their caller, as those of REST do.
type liveWork struct{ s *Server }

// Start implements live.Work.
func (l liveWork) Start(ctx context.Context, q live.Start) (id string, err error) {
	err = l.s.quotas.counted(ctx, func(ctx context.Context) error {
		if q.Kind == "monitor" {
			if l.s.o.Monitors == nil {
				return noMonitors()
			}
			m, err := l.s.o.Monitors.AddMonitor(ctx, result.MonitorRequest{URLs: q.URLs, Every: q.Every, MaxPages: q.MaxPages, Include: q.Include})
			if err == nil {
				id = m.Monitor
			}
			return err
		}
		most := maxJobStarts
		if q.Kind == kindBatch {
			most, q.Query, q.Include, q.MaxPages = maxJobBatch, "", nil, 0
		}
		if len(q.URLs) > most {
			return tooManyURLs(most)
		}
		job, err := l.s.o.Jobs.Start(ctx, result.CrawlRequest{URLs: q.URLs, Batch: q.Kind == kindBatch, Query: q.Query, MaxPages: min(q.MaxPages, maxJobPages), Include: q.Include})
		if err == nil {
			id = job.Job
		}
		return err
	})
	return id, err
}

// Stop implements live.Work.
func (l liveWork) Stop(ctx context.Context, job string) error {
	return l.s.quotas.counted(ctx, func(ctx context.Context) error { return l.s.o.Jobs.Stop(ctx, job) })
}

// Monitors implements live.Work.
func (l liveWork) Monitors(ctx context.Context) ([]*result.Monitor, error) {
	if l.s.o.Monitors == nil {
		return nil, nil
	}
	return l.s.o.Monitors.Monitors(ctx)
}

// MonitorChanges implements live.Work. A monitor remembers 10,000 changes, and a part has at
// most so many.
func (l liveWork) MonitorChanges(ctx context.Context, monitor string, n int) ([]result.PageChange, error) {
	var all []result.PageChange
	for after, more := int64(0), true; more; {
		part, err := l.s.o.Monitors.MonitorChanges(ctx, monitor, after, time.Time{}, 1000)
		if err != nil {
			return nil, err
		}
		all = append(all, part.Changes...)
		all = all[max(0, len(all)-n):]
		more = part.More && part.Next > after
		after = part.Next
	}
	slices.Reverse(all)
	return all, nil
}

// RemoveMonitor implements live.Work.
func (l liveWork) RemoveMonitor(ctx context.Context, monitor string) error {
	if l.s.o.Monitors == nil {
		return noMonitors()
	}
	return l.s.quotas.counted(ctx, func(ctx context.Context) error { return l.s.o.Monitors.RemoveMonitor(ctx, monitor) })
}
