package main

import (
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
)

// crawlLine shows the progress of a crawl: on a terminal one line that is
// overwritten, elsewhere a line from time to time.
type crawlLine struct {
	s       *session
	job     string // of a worker
	meter   crawl.Meter
	scope   []string // that was printed
	why     string   // the same
	printed time.Time
}

const crawlLineEvery = 10 * time.Second

func newCrawlLine(s *session) *crawlLine {
	s.screen.start("reading robots.txt and the map of the site")
	return &crawlLine{s: s, printed: time.Now()}
}

func (l *crawlLine) show(p spyhop.CrawlProgress) {
	if l.s.cli.Quiet {
		return
	}
	if len(p.Scope) > 0 && !slices.Equal(p.Scope, l.scope) {
		l.scope = p.Scope
		said := strings.Join(p.Scope, " ")
		if strings.Count(p.Scope[0], "/") > 3 { // not the whole host
			said += " (--entire-site for all of the host)"
		}
		l.s.screen.clear()
		l.s.screen.fact("scope", said)
	}
	if p.Why != l.why {
		if l.why = p.Why; p.Why != "" {
			l.s.screen.clear()
			l.s.screen.fact("retry", p.Why)
		}
	}
	line, waits := fmt.Sprintf("%d of %d pages  %d left  the next request is due at %s", p.Read, p.Max, p.Left, p.Waits.Local().Format("15:04:05")), !p.Waits.IsZero()
	if !waits {
		l.meter.Add(time.Now(), crawl.Progress{Read: p.Read, Over: p.Over, Known: p.Known, Left: p.Left, Max: p.Max})
		line = progressText(p, &l.meter)
	}
	if l.job != "" {
		line = l.job + "  " + line
	}
	switch {
	case l.s.screen.errTerminal && !waits:
		l.s.screen.update(line + "  " + p.Page.URL)
	case l.s.screen.errTerminal:
		l.s.screen.update(line)
	case waits || time.Since(l.printed) >= crawlLineEvery:
		l.printed = time.Now()
		l.s.screen.fact("progress", line)
	}
}

// progressText is "12 of 1000 pages  3.1/s  2 hosts  1 failed  40 left  about 13s to go".
func progressText(p spyhop.CrawlProgress, m *crawl.Meter) string {
	parts := []string{fmt.Sprintf("%d of %d pages", p.Read, p.Max)}
	if rate := m.Rate(); rate > 0 {
		parts = append(parts, fmt.Sprintf("%.1f/s", rate))
	}
	if p.Sites > 1 {
		parts = append(parts, fmt.Sprintf("%d hosts", p.Sites))
	}
	if p.Failed > 0 {
		parts = append(parts, fmt.Sprintf("%d failed", p.Failed))
	}
	parts = append(parts, fmt.Sprintf("%d left", p.Left))
	if left, ok := m.Left(); ok && left > 0 {
		parts = append(parts, "about "+left.Round(time.Second).String()+" to go")
	}
	return strings.Join(parts, "  ")
}

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
