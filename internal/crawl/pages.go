package crawl

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// bodyBytes is how much Markdown an answer has before its last page.
const bodyBytes = 2 << 20

// Pages lists pages of a job in the order in which they were read, from the first
// behind a cursor: at most n, and with bodies fewer where they are long. A cursor below
// 0 counts from the end: after -20 are the last 20. The error is a *tool.Error.
func (c *Crawler) Pages(ctx context.Context, j frontier.Job, after int64, n int, bodies bool) (*result.CrawlPages, error) {
	n = min(max(n, 1), maxAnswerPages)
	out := &result.CrawlPages{Pages: []result.CrawlPage{}, Next: after, More: j.State == frontier.Running}
	defer func() { out.Next = max(out.Next, 0) }()
	list, err := c.Frontier.Records(ctx, frontier.RecordQuery{Job: j.ID, After: out.Next, N: n, Bodies: bodies, Bytes: bodyBytes})
	if err != nil {
		return nil, Error(err)
	}
	for i, rec := range list {
		out.Next, out.More = rec.Cursor, true
		if m, ok := metaOf(rec); ok {
			m.Cursor, m.Markdown = rec.Cursor, string(rec.Body)
			list[i].Body = nil
			out.Pages = append(out.Pages, c.judged(m.CrawlPage))
		}
	}
	return out, nil
}

// judged is a page as the policy of today lets it be shown: of one that it refuses,
// only the address.
func (c *Crawler) judged(p result.CrawlPage) result.CrawlPage {
	u, err := weburl.Parse(p.URL)
	if err == nil {
		err = c.Web.Judge(u)
	}
	if err == nil {
		return p
	}
	return result.CrawlPage{URL: p.URL, Cursor: p.Cursor, Depth: p.Depth, FetchedAt: p.FetchedAt, ErrorType: string(tool.Blocked), Error: text.CutBytes(tool.AsError(err).Message, maxPageError)}
}

const (
	// followEvery is how often a job is looked at that somebody follows: it may run in
	// another process. quiet is the longest time without an event.
	followEvery = 400 * time.Millisecond
	quiet       = 15 * time.Second
	followBatch = 100
)

// Follow tells of the pages of a job of an owner from the first behind a cursor (as
// Pages counts it), and of its state, until it does not run any more and everything was told; the last event is
// its state. It returns the error of each, or a *tool.Error.
func (c *Crawler) Follow(ctx context.Context, owner, id string, after int64, each func(result.CrawlEvent) error) error {
	var said result.Crawl
	for spoke := time.Now(); ; {
		// The state first: of a job that has ended, all pages are there.
		j, err := c.Job(ctx, owner, id)
		if err != nil {
			return err
		}
		state, err := c.Status(ctx, j)
		if err != nil {
			return err
		}
		before := after
		if after, err = c.followPages(ctx, j, after, each); err != nil {
			return err
		}
		if after != before {
			spoke = time.Now()
		}
		ended := j.State != frontier.Running
		if now := (result.Crawl{State: state.State, Read: state.Read, Failures: state.Failures, Skipped: state.Skipped, Known: state.Known}); ended || !same(now, said) {
			if err := each(result.CrawlEvent{Cursor: after, State: state}); err != nil {
				return err
			}
			said, spoke = now, time.Now()
		}
		if ended {
			return nil
		}
		if time.Since(spoke) >= quiet {
			if err := each(result.CrawlEvent{Cursor: after}); err != nil {
				return err
			}
			spoke = time.Now()
		}
		if err := deadline.Sleep(ctx, followEvery); err != nil {
			return tool.AsError(err)
		}
	}
}

// followPages calls each for the pages after a cursor, and returns the cursor behind them.
func (c *Crawler) followPages(ctx context.Context, j frontier.Job, after int64, each func(result.CrawlEvent) error) (int64, error) {
	for {
		list, err := c.Pages(ctx, j, after, followBatch, false)
		if err != nil {
			return after, err
		}
		for i := range list.Pages {
			if err := each(result.CrawlEvent{Cursor: list.Pages[i].Cursor, Page: &list.Pages[i]}); err != nil {
				return after, err
			}
		}
		if after = list.Next; len(list.Pages) < followBatch {
			return after, nil
		}
	}
}

// same compares what changes while a job runs.
func same(a, b result.Crawl) bool {
	return a.State == b.State && a.Read == b.Read && a.Failures == b.Failures && a.Skipped == b.Skipped && a.Known == b.Known
}
