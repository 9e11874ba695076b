package main

import (
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop"
)

type crawlWorkerCmd struct {
	Sites int    `min:"1" help:"Ask this many sites of a crawl at a time." default:"4" placeholder:"N"`
	Jobs  int    `min:"1" help:"Work on this many crawls at a time, the oldest first." default:"4" placeholder:"N"`
	Job   string `help:"Work on this crawl only, and end with it." placeholder:"JOB"`
}

func (c *crawlWorkerCmd) run(s *session, client *spyhop.Client) error {
	defer s.untilTerminated()()
	w := &workerLine{s: s, lines: map[string]*crawlLine{}}
	return client.CrawlWorker(s.ctx, spyhop.WorkRequest{Sites: c.Sites, Jobs: c.Jobs, Job: c.Job, OnPage: w.show, OnTrouble: w.trouble})
}

// workerLine shows what a worker does. Its methods are called from several
// goroutines.
type workerLine struct {
	s *session

	mu    sync.Mutex
	lines map[string]*crawlLine // by job
	last  string
	told  time.Time
}

func (w *workerLine) show(job string, p spyhop.CrawlProgress) {
	w.mu.Lock()
	defer w.mu.Unlock()
	l := w.lines[job]
	if l == nil {
		l = &crawlLine{s: w.s, printed: time.Now(), job: job}
		w.lines[job] = l
	}
	l.show(p)
}

const troubleEvery = time.Minute

// trouble prints an error, and the same one again a minute later at the earliest.
func (w *workerLine) trouble(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err.Error() == w.last && time.Since(w.told) < troubleEvery {
		return
	}
	w.last, w.told = err.Error(), time.Now()
	w.s.screen.fact("trying again", err.Error())
}
