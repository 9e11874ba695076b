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

func (crawlWorkerCmd) Help() string {
	return `Reads pages of all crawls that run in a shared database, until Ctrl-C. Any number of
workers on any number of machines can share a database: no page is recorded twice, and a
site gets no more requests at a time than the crawl allows (--concurrency, default 2),
over all workers. A worker that is killed loses nothing: its sites go to others within 15
seconds. When the database goes away, workers wait for it. docs/crawling.md explains how
to run ten of them.

Examples:

    WEB_FRONTIER=postgres://crawler:secret@db.corp/crawl spyhop crawl worker
    spyhop crawl worker --frontier postgres://crawler@db.corp/crawl --sites 16
    spyhop crawl worker --job c7
` + exitHelp
}

func (c *crawlWorkerCmd) Run(s *session) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
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
