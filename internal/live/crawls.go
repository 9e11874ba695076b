package live

import (
	"bytes"
	"context"
	"encoding/json"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// The crawls in the view Sites: the list of jobs, and one job with what it has read.
// Both move while jobs run.

// jobSource has the crawls and batches of the caller of a context. Errors are *tool.Error.
type jobSource interface {
	// StartCrawl stores a job and has it run; StopCrawl stops it, and what it has read stays.
	StartCrawl(context.Context, result.CrawlRequest) (*result.Crawl, error)
	StopCrawl(ctx context.Context, job string) error
	// CrawlJobs lists jobs, the latest first, without their pages.
	CrawlJobs(context.Context) ([]*result.Crawl, error)
	// CrawlStatus is the state of a job, without its pages.
	CrawlStatus(ctx context.Context, job string) (*result.Crawl, error)
	// CrawlPages are those behind a cursor, at most n; a cursor below 0 counts from the end.
	CrawlPages(ctx context.Context, job string, after int64, n int, bodies bool) (*result.CrawlPages, error)
}

const (
	maxJobs = 50 // that the view lists
	// latestPages are shown of a job.
	latestPages = 50
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
	byTime := func(a, b result.CrawlPage) int { return a.FetchedAt.Compare(b.FetchedAt) }
	first, last := slices.MinFunc(pages, byTime).FetchedAt, slices.MaxFunc(pages, byTime).FetchedAt
	if first.IsZero() || last.Sub(first) < time.Second/10 {
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
	state, err := h.o.Jobs.CrawlStatus(r.Context(), job)
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	list, err := h.o.Jobs.CrawlPages(r.Context(), job, -latestPages, latestPages, false)
	if err != nil {
		h.refuseErr(w, r, err)
		return
	}
	slices.Reverse(list.Pages)
	h.write(w, r, http.StatusOK, p, "crawl", crawlView{Crawl: state, Pages: list.Pages, Next: list.Next, Stops: runs(state)})
}

// pollTime is how often a stream looks at the jobs.
const pollTime = time.Second

// crawlEvents sends what happens to one job, or to those of the list that run.
func (h *Handler) crawlEvents(w http.ResponseWriter, r *http.Request) {
	one, ctx := r.FormValue("job"), r.Context()
	load := func() ([]*result.Crawl, error) {
		if one == "" {
			jobs, err := h.o.Jobs.CrawlJobs(ctx)
			return jobs[:min(len(jobs), maxJobs)], err
		}
		state, err := h.o.Jobs.CrawlStatus(ctx, one)
		return []*result.Crawl{state}, err
	}
	jobs, err := load()
	if err != nil { // a job that does not exist is an answer, not a stream that ends at once
		h.refuseErr(w, r, err)
		return
	}
	told := map[string]string{} // the states of jobs that the page has
	for _, c := range jobs {
		if one == "" && !runs(c) {
			told[c.Job] = stateOf(c)
		}
	}
	last := lastOf(r)
	h.stream(w, r, func() (string, []byte, <-chan struct{}, bool) {
		jobs, err := load()
		var b bytes.Buffer
		for _, c := range jobs {
			if err != nil || told[c.Job] == stateOf(c) {
				continue
			}
			told[c.Job] = stateOf(c)
			if one == "" {
				h.execute(&b, "crawl-row", c)
				continue
			}
			list, failed := h.o.Jobs.CrawlPages(ctx, one, -latestPages, latestPages, false)
			if err = failed; err != nil {
				break
			}
			// Rows come first: after another element, a browser's parser drops them.
			for _, p := range list.Pages {
				if p.Cursor > last {
					h.execute(&b, "crawl-page", p)
				}
			}
			last = max(last, list.Next)
			slices.Reverse(list.Pages)
			h.execute(&b, "crawl-state", crawlView{Crawl: c, Pages: list.Pages})
		}
		var changed chan struct{} // nil: nothing more will come
		if slices.ContainsFunc(jobs, runs) {
			changed = make(chan struct{})
			time.AfterFunc(pollTime, func() { close(changed) })
		}
		return strconv.FormatInt(last, 10), b.Bytes(), changed, err != nil || h.activity.over()
	})
}

// stateOf is a state as text, which changes when the job does.
func stateOf(c *result.Crawl) string {
	state, _ := json.Marshal(c) // numbers and texts
	return string(state)
}
