package crawl

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Call is a request to start a job, or to go on with one.
type Call struct {
	// Options start a job. Since may be "last". With Job, only MaxPages counts: so many
	// pages more are read where the job has reached its limit.
	Options
	Job string
	// Stop stops Job instead.
	Stop bool
	// Tokens bounds the passages.
	Tokens int
	Run    RunOptions
	// Started is called with the job before it runs; nil: not.
	Started func(id string)
}

// last as Options.Since is the caller's latest job with the same first address.
const last = "last"

// Call starts a job or goes on with one, runs it until it stops or ctx ends, and
// returns what it has read. The error is a *tool.Error.
func (c *Crawler) Call(ctx context.Context, owner string, q Call) (*result.Crawl, error) {
	j, err := c.Prepare(ctx, owner, q)
	if err != nil {
		return nil, err
	}
	if q.Started != nil {
		q.Started(j.ID)
	}
	if !q.Stop {
		if j, err = c.Run(ctx, j.ID, q.Run); err != nil {
			return nil, err
		}
	}
	save, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	out, err := c.answer(save, j, max(q.Tokens, 1))
	if err == nil && q.Job != "" && q.Query != "" && q.Query != out.Query {
		out.Notices = append(out.Notices, "The query of this call was not used: a job goes on as it was started. Recall finds words in what it has read.")
	}
	return out, err
}

// Prepare returns the job that a call is about: a new one, or the one that goes on.
// The error is a *tool.Error.
func (c *Crawler) Prepare(ctx context.Context, owner string, q Call) (frontier.Job, error) {
	switch {
	case q.Job == "":
		if err := c.since(ctx, owner, &q.Options); err != nil {
			return frontier.Job{}, err
		}
		return c.Create(ctx, owner, q.Options)
	case q.Batch && len(q.URLs) > 0:
		return c.extend(ctx, owner, q)
	case len(q.URLs) > 0:
		return frontier.Job{}, tool.NewError(tool.InvalidInput, "a call has either a URL or a job", "leave the job out to start a new one")
	case q.Stop:
		return c.Stop(ctx, owner, q.Job)
	}
	j, err := c.Job(ctx, owner, q.Job)
	if err == nil && j.Reason == stopPageLimit && q.MaxPages > 0 {
		return c.grow(ctx, j, q.MaxPages)
	}
	return j, err
}

// extend adds URLs to a batch.
func (c *Crawler) extend(ctx context.Context, owner string, q Call) (frontier.Job, error) {
	j, err := c.Job(ctx, owner, q.Job)
	if err != nil {
		return j, err
	}
	s, err := c.Frontier.Stats(ctx, j.ID)
	switch {
	case err != nil:
		return j, Error(err)
	case j.Kind != KindBatch:
		return j, tool.NewError(tool.InvalidInput, "URLs can be added to a batch alone", "start another crawl")
	case s.Known+int64(len(q.URLs)) > maxMapped:
		return j, tool.NewError(tool.TooLarge, fmt.Sprintf("the batch would have more than %d URLs", maxMapped), "start another batch")
	}
	if err := c.queue(ctx, j, q.URLs, int(s.Known)); err != nil {
		return j, err
	}
	if j, err = Change(ctx, c.Frontier, j.ID, func(j *frontier.Job) { j.Limits.Pages += len(q.URLs) }); err != nil {
		return j, Error(err)
	}
	return j, nil
}

// since replaces "last" by the job, and checks that a named one is the caller's.
func (c *Crawler) since(ctx context.Context, owner string, o *Options) error {
	if o.Since == "" {
		return nil
	}
	if o.Since != last {
		_, err := c.Job(ctx, owner, o.Since)
		if e, ok := errors.AsType[*tool.Error](err); ok && e.Status == http.StatusNotFound {
			e.Hint = `since is "last", or an earlier crawl, for example c7`
		}
		return err
	}
	jobs, err := c.Jobs(ctx, owner)
	if err != nil {
		return err
	}
	for _, j := range jobs {
		if old, _, err := optionsOf(j); err == nil && j.Kind == KindCrawl && len(o.URLs) > 0 && slices.Contains(old.URLs, o.URLs[0]) {
			o.Since = j.ID
			return nil
		}
	}
	return tool.NewError(tool.InvalidInput, "no earlier crawl begins at this URL", "leave since out for the first crawl")
}

// Jobs lists the jobs of an owner, the latest first. The error is a *tool.Error.
func (c *Crawler) Jobs(ctx context.Context, owner string) ([]frontier.Job, error) {
	jobs, err := c.Frontier.Jobs(ctx, frontier.JobQuery{Owner: owner})
	if err != nil {
		return nil, Error(err)
	}
	return slices.DeleteFunc(jobs, func(j frontier.Job) bool { return j.Kind != KindCrawl && j.Kind != KindBatch }), nil
}

// Drop deletes a job of an owner with everything that it has read. The error is a
// *tool.Error.
func (c *Crawler) Drop(ctx context.Context, owner, id string) error {
	j, err := c.Job(ctx, owner, id)
	if err != nil {
		return err
	}
	if err := c.Frontier.Drop(ctx, j.ID); err != nil {
		return Error(err)
	}
	return nil
}

// String is "read 12 of at most 1,000, failed 1, left 40 on 2 sites".
func (p Progress) String() string {
	s := "read " + text.Grouped(p.Read)
	if p.Max > 0 {
		s += " of at most " + text.Grouped(p.Max)
	}
	if p.Failed > 0 {
		s += ", failed " + text.Grouped(p.Failed)
	}
	s += ", left " + text.Grouped(p.Left)
	if p.Sites > 1 {
		s += fmt.Sprintf(" on %s sites", text.Grouped(p.Sites))
	}
	if !p.Waits.IsZero() {
		s += "; the next request is due at " + p.Waits.UTC().Format("15:04:05 UTC")
	}
	return s
}
