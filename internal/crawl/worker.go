package crawl

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Worker helps with the jobs of a frontier, whoever has started them.
type Worker struct {
	// Open opens the crawler; it is called again after an error that may pass.
	Open func(context.Context) (*Crawler, error)
	// For returns the context in which the pages of an owner are read.
	For func(ctx context.Context, owner string) context.Context
	// Sites and Jobs bound what runs at a time; 0: 4.
	Sites, Jobs int
	// Job is the only job that it works on; "": all. Then Work returns when it no
	// longer runs.
	Job string
	// Progress is called after each page, Trouble with errors that may pass; nil: not.
	Progress func(job string, p Progress)
	Trouble  func(error)
}

const (
	lookEvery  = 200 * time.Millisecond // for jobs that can be read now
	afterError = 3 * time.Second        // before the database is asked again
	mostListed = 10_000
)

// Work runs until ctx ends, which is not an error. Errors that cannot pass are
// *tool.Error.
func (w *Worker) Work(ctx context.Context) error {
	var running sync.WaitGroup
	defer running.Wait()
	var mu sync.Mutex
	busy := map[string]bool{}
	for ctx.Err() == nil {
		pause := lookEvery
		c, jobs, err := w.look(ctx)
		switch {
		case ctx.Err() != nil:
			return nil
		case err != nil && !tool.AsError(err).Retryable:
			return err
		case err != nil:
			w.trouble(err)
			pause = afterError
		case len(jobs) == 0 && w.Job != "":
			return nil
		}
		for _, j := range jobs {
			mu.Lock()
			full := len(busy) >= cmp.Or(max(w.Jobs, 0), 4) || busy[j.ID]
			if !full {
				busy[j.ID] = true
			}
			mu.Unlock()
			if full {
				continue
			}
			running.Go(func() {
				if err := w.run(ctx, c, j); err != nil && ctx.Err() == nil {
					w.trouble(err)
				}
				mu.Lock()
				defer mu.Unlock()
				delete(busy, j.ID)
			})
		}
		_ = deadline.Sleep(ctx, pause) // the loop looks
	}
	return nil
}

// look lists the jobs that run, the oldest first.
func (w *Worker) look(ctx context.Context) (*Crawler, []frontier.Job, error) {
	c, err := w.Open(ctx)
	if err != nil {
		return nil, nil, err
	}
	if w.Job != "" {
		j, err := c.Job(ctx, "", w.Job)
		if err != nil || j.State != frontier.Running {
			return c, nil, err
		}
		return c, []frontier.Job{j}, nil
	}
	jobs, err := c.Frontier.Jobs(ctx, frontier.JobQuery{State: frontier.Running, N: mostListed})
	if err != nil {
		return nil, nil, Error(err)
	}
	jobs = slices.DeleteFunc(jobs, func(j frontier.Job) bool { return j.Kind != KindCrawl && j.Kind != KindBatch })
	slices.Reverse(jobs)
	return c, jobs, nil
}

func (w *Worker) run(ctx context.Context, c *Crawler, j frontier.Job) error {
	owner := text.Name(j.Owner)
	if owner != j.Owner { // another program has written it
		return tool.NewError(tool.InvalidInput, "the owner of job "+text.Name(j.ID)+" is not the name of a principal", "drop the job")
	}
	o := RunOptions{Keep: true, Sites: cmp.Or(max(w.Sites, 0), 4)}
	if w.Progress != nil {
		o.Progress = func(p Progress) { w.Progress(j.ID, p) }
	}
	_, err := c.Run(w.For(ctx, owner), j.ID, o)
	return err
}

func (w *Worker) trouble(err error) {
	if w.Trouble != nil {
		w.Trouble(err)
	}
}
