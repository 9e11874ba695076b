package live

import (
	"bytes"
	"context"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// The crawls in the view Sites: the list of jobs, and one job with what it has read.
// Both move while jobs run.

// Jobs has the crawls and batches of the caller of a context. Errors are *tool.Error.
type Jobs interface {
	// List lists jobs, the latest first, without their pages.
	List(context.Context) ([]*result.Crawl, error)
	// Status is the state of a job, without its pages.
	Status(ctx context.Context, job string) (*result.Crawl, error)
	// Pages are those behind a cursor, at most n; a cursor below 0 counts from the end.
	Pages(ctx context.Context, job string, after int64, n int, bodies bool) (*result.CrawlPages, error)
	// Follow tells of the pages behind a cursor and of the state of a job, until it ends.
	Follow(ctx context.Context, job string, after int64, each func(result.CrawlEvent) error) error
}

const (
	// maxJobs bounds the jobs that the view lists, maxFollowed those of them that move.
	maxJobs     = 50
	maxFollowed = 8
	// latestPages are shown of a job.
	latestPages = 50
	// noPages is a cursor behind all pages: only the states of a job are told.
	noPages = math.MaxInt64
)

// runs reports whether a job goes on by itself.
func runs(c *result.Crawl) bool { return c.State == "running" || c.State == "queued" }

// crawlView is a job with the latest of its pages.
type crawlView struct {
	*result.Crawl
	Pages []result.CrawlPage // the latest first
	Next  int64              // the cursor of the latest
	Stops bool               // it can be stopped from here
}

// Runs is runs, for the template.
func (v crawlView) Runs() bool { return runs(v.Crawl) }

// Facts are the figures of a job in the order in which people ask.
func (v crawlView) Facts() []fact {
	read := text.Grouped(v.Read)
	if v.MaxPages > 0 {
		read += " of at most " + text.Grouped(v.MaxPages)
	}
	all := []fact{{"read", read, ""}}
	if rate := rateOf(v.Pages); rate > 0 && v.Runs() {
		all = append(all, fact{"pages a minute", strconv.FormatFloat(rate, 'f', -1, 64), ""})
	}
	for _, c := range []struct {
		name string
		n    int64
		kind string
	}{{"failed", v.Failures, "warn"}, {"refused", v.Refused, "warn"}, {"near-duplicates", v.NearDuplicates, ""}, {"left", v.Left, ""}, {"known", v.Known, ""}, {"sites", v.Sites, ""},
		{"added", v.Added, ""}, {"changed", v.Changed, ""}, {"gone", v.Gone, ""}} {
		if c.n > 0 {
			all = append(all, fact{c.name, text.Grouped(c.n), c.kind})
		}
	}
	return all
}

// Why counts what failed or was skipped, by reason, for the template.
func (v crawlView) Why() (all []fact) {
	for _, reason := range slices.Sorted(maps.Keys(v.Reasons)) {
		all = append(all, fact{reason, text.Grouped(v.Reasons[reason]), ""})
	}
	return all
}

// Ended says why a job does not run, for the template.
func (v crawlView) Ended() string {
	words := map[string]string{
		"finished":          "Every page was fetched.",
		"page_limit":        "Page limit reached.",
		"time_limit":        "Time limit reached.",
		"saturated":         "The rest of the pages look unlikely to help.",
		"covered":           "Several pages answer the query.",
		"blocked_by_robots": "robots.txt or Content-Signal of the site refuses it.",
		"blocked_by_policy": "The policy of this server refuses it.",
		"unreachable":       "The site could not be reached.",
		"too_many_failures": "Too many pages failed.",
		"stopped":           "It was stopped, or its process has ended. It can be resumed.",
	}
	return words[v.Stopped]
}

// rateOf is how many pages were read in a minute, as far as the times of pages tell; 0
// is unknown.
func rateOf(pages []result.CrawlPage) float64 {
	if len(pages) < 2 {
		return 0
	}
	first, last := pages[0].FetchedAt, pages[0].FetchedAt
	for _, p := range pages {
		if p.FetchedAt.IsZero() {
			return 0
		}
		if p.FetchedAt.Before(first) {
			first = p.FetchedAt
		}
		if p.FetchedAt.After(last) {
			last = p.FetchedAt
		}
	}
	if last.Sub(first) < time.Second/10 {
		return 0
	}
	rate := float64(len(pages)-1) / last.Sub(first).Minutes()
	if rate < 10 {
		return math.Round(rate*10) / 10
	}
	return math.Round(rate)
}

// crawl shows one job.
func (h *Handler) crawl(w http.ResponseWriter, r *http.Request, p layout, job string) {
	state, err := h.o.Jobs.Status(r.Context(), job)
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	list, err := h.o.Jobs.Pages(r.Context(), job, -latestPages, latestPages, false)
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	slices.Reverse(list.Pages)
	h.write(w, r, http.StatusOK, p, "crawl", crawlView{Crawl: state, Pages: list.Pages, Next: list.Next, Stops: h.o.Work != nil && runs(state)})
}

// followed is what the jobs of a stream have told.
type followed struct {
	mu      sync.Mutex
	jobs    map[string]*crawlView
	told    map[string]bool // jobs with something new
	left    int             // jobs that are still followed
	failed  bool            // one can no longer be followed
	changed chan struct{}   // closed when there is something new
}

func (f *followed) wake() {
	close(f.changed)
	f.changed = make(chan struct{})
}

// add takes an event of a job.
func (f *followed) add(job string, e result.CrawlEvent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	v := f.jobs[job]
	switch {
	case e.State != nil:
		v.Crawl = e.State
	case e.Page != nil:
		v.Pages = slices.Insert(v.Pages, 0, *e.Page)[:min(len(v.Pages)+1, latestPages)]
	default:
		return // nothing happened
	}
	if v.Crawl != nil {
		f.told[job] = true
		f.wake()
	}
}

// end stops following a job; err is what its readers are told.
func (f *followed) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.left--
	f.failed = f.failed || err != nil
	f.wake()
}

// crawlEvents sends what happens to one job, or to those of the list that run.
func (h *Handler) crawlEvents(w http.ResponseWriter, r *http.Request) {
	one, after := r.FormValue("job"), int64(noPages)
	var jobs []*result.Crawl
	var err error
	if one != "" {
		// A job that does not exist is an answer, not a stream that ends at once.
		jobs, after = make([]*result.Crawl, 1), -latestPages
		jobs[0], err = h.o.Jobs.Status(r.Context(), one)
	} else if jobs, err = h.o.Jobs.List(r.Context()); err == nil {
		jobs = slices.DeleteFunc(jobs[:min(len(jobs), maxJobs)], func(c *result.Crawl) bool { return !runs(c) })
		jobs = jobs[:min(len(jobs), maxFollowed)]
	}
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	ctx, stop := context.WithCancel(r.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer stop()
	f := &followed{jobs: make(map[string]*crawlView), told: make(map[string]bool), left: len(jobs), changed: make(chan struct{})}
	for _, j := range jobs {
		f.jobs[j.Job] = &crawlView{}
	}
	for _, j := range jobs {
		running.Go(func() {
			f.end(h.o.Jobs.Follow(ctx, j.Job, after, func(e result.CrawlEvent) error { f.add(j.Job, e); return nil }))
		})
	}
	last := lastOf(r)
	h.stream(w, r, func() (string, []byte, <-chan struct{}, bool) {
		f.mu.Lock()
		defer f.mu.Unlock()
		var b bytes.Buffer
		for _, job := range slices.Sorted(maps.Keys(f.told)) {
			v := f.jobs[job]
			if one == "" {
				h.execute(&b, "crawl-row", v.Crawl)
				continue
			}
			// Rows come first: after another element, a browser's parser drops them.
			for i := len(v.Pages) - 1; i >= 0; i-- {
				if v.Pages[i].Cursor > last {
					last = v.Pages[i].Cursor
					h.execute(&b, "crawl-page", v.Pages[i])
				}
			}
			h.execute(&b, "crawl-state", v)
		}
		clear(f.told)
		changed := (<-chan struct{})(f.changed)
		if f.left == 0 && !f.failed {
			changed = nil
		}
		return strconv.FormatInt(last, 10), b.Bytes(), changed, f.left == 0 && f.failed || h.activity.over()
	})
}
