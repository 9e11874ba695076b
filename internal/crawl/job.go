package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Options say what a job reads. Its zero values are the defaults.
type Options struct {
	// URLs are where the crawl begins; each names a site. Required.
	URLs []string `json:"urls"`
	// Query reads the most promising pages first, and ends when further pages promise
	// nothing.
	Query string `json:"query,omitempty"`
	// MaxPages bounds the pages that are read, MaxDepth the links from a start to a
	// page; 0 means the defaults.
	MaxPages int `json:"max_pages,omitempty"`
	MaxDepth int `json:"max_depth,omitempty"`
	// Include, Exclude, Subdomains and External are as in [Scope].
	Include    []string `json:"include,omitempty"`
	Exclude    []string `json:"exclude,omitempty"`
	Subdomains bool     `json:"subdomains,omitempty"`
	External   bool     `json:"external,omitempty"`
	// Duplicates keeps pages that are nearly another one.
	Duplicates bool `json:"duplicates,omitempty"`
	// Match, Omit and FullURL are as in [Scope].
	Match   []string `json:"match,omitempty"`
	Omit    []string `json:"omit,omitempty"`
	FullURL bool     `json:"full_url,omitempty"`
	// DropQuery omits the query of the URLs that the map and links name.
	DropQuery bool `json:"drop_query,omitempty"`
	// Map is "skip" to follow links alone, "only" to read the site's sitemaps and follow no
	// link; "" does both.
	Map string `json:"map,omitempty"`
	// Delay is the time between two requests to a site, where its pace is not slower.
	Delay time.Duration `json:"delay,omitempty"`
	// EntireSite reads pages of the whole host, not only those below the path of a start.
	EntireSite bool `json:"entire_site,omitempty"`
	// Concurrency is how many requests a site gets at a time, over all workers; 0:
	// [Crawler.AtOnce].
	Concurrency int `json:"concurrency,omitempty"`
	// Sites is how many sites a worker requests at a time, where that is less than
	// [RunOptions] says; 0: as that says.
	Sites int `json:"sites,omitempty"`
	// Since is an earlier job: pages are asked for again, and what changed is marked.
	Since string `json:"since,omitempty"`
	// Changes compares each page with the version that the caller has fetched last.
	Changes bool `json:"changes,omitempty"`
	// Render is as in reader.Request.
	Render string `json:"render,omitempty"`
	// Login names a saved login, or a state, that the pages are read with; "": none.
	Login string `json:"login,omitempty"`
	// Batch reads the URLs and follows no link.
	Batch bool `json:"batch,omitempty"`
	// IgnoreSignals reads pages although Content-Signal says ai-input=no.
	IgnoreSignals bool `json:"ignore_signals,omitempty"`
	// Background says that a server runs the job.
	Background bool `json:"background,omitempty"`
	// Every is the time between the rounds of a monitor.
	Every time.Duration `json:"every,omitempty"`
	// Cron is a schedule of a monitor's rounds in place of Every, as [parseSchedule] reads it.
	Cron string `json:"cron,omitempty"`
	// Paused and Retention are as in [result.MonitorRequest].
	Paused    bool          `json:"paused,omitempty"`
	Retention time.Duration `json:"retention,omitempty"`
	// About and Selector say which changes a monitor reports: those of blocks with words of
	// About, of the part of a page that the CSS selector selects. Search is a query of the
	// web whose new results it reports; it has no URLs then.
	About    string `json:"about,omitempty"`
	Selector string `json:"selector,omitempty"`
	Search   string `json:"search,omitempty"`
	// Scrape is how a surface shows the pages, which the crawl does not read; nil: as they
	// are stored.
	Scrape json.RawMessage `json:"scrape,omitempty"`
	// Webhook is told what happens; nil: nobody is. Only jobs in the background have one.
	Webhook *Webhook `json:"webhook,omitempty"`
}

// The defaults and the kinds of jobs.
const (
	defaultPages, DefaultDepth = 1000, 5
	DefaultAtOnce, maxAtOnce   = 2, 1000

	// The values of Options.Map beside "".
	MapSkip = "skip"
	MapOnly = "only"

	KindCrawl = "crawl"
	KindBatch = "batch"

	// stateQueued is the state of a job in the background that waits for its turn.
	stateQueued = "queued"
)

// Reasons why a crawl stops.
const (
	stopFinished        = "finished" // every URL in scope was read
	stopPageLimit       = "page_limit"
	stopTimeLimit       = "time_limit"
	stopSaturated       = "saturated" // further pages promise little
	stopCovered         = "covered"   // several pages answer the query
	stopBlockedByRobots = "blocked_by_robots"
	stopBlockedByPolicy = "blocked_by_policy"
	stopUnreachable     = "unreachable" // the start could not be reached
	stopTooManyFailures = "too_many_failures"
	StopAsked           = "stopped" // by a person or a program, or with its process
)

// StopText is a reason in words: "page limit reached".
func StopText(reason string) string { return cmp.Or(stopTexts[reason], text.Name(reason)) }

var stopTexts = map[string]string{
	stopFinished:        "finished",
	stopPageLimit:       "page limit reached",
	stopTimeLimit:       "time limit reached",
	stopSaturated:       "further pages promise little",
	stopCovered:         "the pages that were read cover the query",
	stopBlockedByRobots: "blocked by robots.txt or Content-Signal",
	stopBlockedByPolicy: "blocked by the policy",
	stopUnreachable:     "the site could not be reached",
	stopTooManyFailures: "too many failures",
}

// maxFailures is how many pages of a run may fail: further ones would hardly be better.
func maxFailures(pages int) int64 { return max(100, 2*int64(pages)) }

// progress is what a job remembers beside its addresses.
type progress struct {
	Mapped bool `json:"mapped,omitempty"`
	// Mapper is the worker that maps the sites, until MappedBy.
	Mapper   string    `json:"mapper,omitempty"`
	MappedBy time.Time `json:"mapped_by,omitzero"`
	Notices  []notice  `json:"notices,omitempty"`
	// Below are the paths that the crawl stays below, one for each start; it is decided when
	// the start page is read.
	Below []string `json:"below,omitempty"`
	// Robots are addresses that robots.txt refuses: the first maxRobots.
	Robots []string `json:"robots,omitempty"`
	// Hook is how far the webhook has been told; a run does not change it.
	Hook HookState `json:"hook,omitzero"`
	// Monitor is what a monitor remembers.
	Monitor monitoring `json:"monitor,omitzero"`
}

// notice is a sentence about a job. What it is about is stored, not the sentence.
type notice struct {
	Code noticeCode    `json:"code"`
	Host string        `json:"host,omitempty"`
	Time time.Time     `json:"time,omitzero"`
	For  time.Duration `json:"for,omitempty"`
}

type noticeCode string

const (
	noticeLargeMap noticeCode = "large_map"
	noticeSignal   noticeCode = "signal"
	noticeDelay    noticeCode = "delay"
	noticeWait     noticeCode = "wait"
	noticeLateMap  noticeCode = "late_map"
	noticeSlow     noticeCode = "slow"
	noticeWords    noticeCode = "words"
	noticeScope    noticeCode = "scope"
	noticeMoved    noticeCode = "moved"
)

func (n notice) String() string {
	switch n.Code {
	case noticeLargeMap:
		return "The site names more pages than its map was read for."
	case noticeLateMap:
		return "The map of the site could not be read in time, so that the job may not know all pages; going on with it reads the map again."
	case noticeScope:
		return "No URL that the map of the site names passes include and exclude; they are paths, for example /docs/*."
	case noticeMoved:
		return "The start redirects to another site, " + text.Name(n.Host) + ": begin the crawl there."
	case noticeWords:
		return "The most promising pages were chosen by words alone, because the server of WEB_EMBED_MODEL did not answer."
	case noticeSlow:
		return fmt.Sprintf("A page took %s: more pages need more time.", n.For.Round(100*time.Millisecond))
	case noticeSignal:
		return "Content-Signal of " + text.Name(n.Host) + " says ai-input=no: its pages were not read."
	case noticeDelay:
		return fmt.Sprintf("robots.txt of %s asks for %s between two requests; %s is kept.", text.Name(n.Host), n.For, maxDelay)
	case noticeWait:
		return "The next request is due at " + n.Time.UTC().Format("15:04:05 UTC") + ", because a site asks to wait or is tried again after an error; resume the job then."
	}
	return ""
}

// meta is what is recorded of a page beside its text.
type meta struct {
	result.CrawlPage
	SimHash uint64 `json:"simhash,string,omitempty"`
}

// note is what a queued address carries: what a source calls the page.
type note struct {
	Title string `json:"t,omitempty"`
}

func metaOf(r frontier.Record) (m meta, ok bool) {
	err := json.Unmarshal(r.Meta, &m)
	return m, err == nil
}

func encode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs of our own
	}
	return b
}

// siteBudget is how many pages of a crawl one site may take: all but one for each other
// site that it begins on, so that no site is left out because another one is larger. 0, no
// limit, for a crawl of one site.
func (c *Crawler) siteBudget(o Options) int {
	sites := map[string]bool{}
	for _, raw := range o.URLs {
		if u, err := weburl.Parse(raw); err == nil {
			sites[c.Web.Site(u)] = true
		}
	}
	if len(sites) < 2 {
		return 0
	}
	return max(o.MaxPages-len(sites)+1, 1)
}

// atOnce is how many turns of a site a job may have at a time.
func (c *Crawler) atOnce(o Options) int {
	return min(cmp.Or(max(o.Concurrency, 0), max(c.AtOnce, 0), DefaultAtOnce), maxAtOnce)
}

// Create stores a new job, which [Crawler.Run] runs. The error is a *tool.Error.
func (c *Crawler) Create(ctx context.Context, owner string, o Options) (frontier.Job, error) {
	if len(o.URLs) == 0 {
		return frontier.Job{}, tool.NewError(tool.InvalidInput, "a crawl needs a URL", "give the URL of a page of the site")
	}
	kind := KindCrawl
	if o.Batch {
		kind = KindBatch
	}
	if o.MaxPages <= 0 {
		o.MaxPages = defaultPages
		if o.Batch {
			o.MaxPages = len(o.URLs)
		}
	}
	if o.MaxDepth <= 0 {
		o.MaxDepth = DefaultDepth
	}
	for _, raw := range o.URLs {
		u, err := weburl.Parse(raw)
		if err == nil {
			err = c.Web.Judge(u)
		}
		if err != nil && !o.Batch {
			return frontier.Job{}, tool.AsError(err)
		}
	}
	if _, err := o.scope(weburl.URL{}); err != nil {
		return frontier.Job{}, err
	}
	addresses := o.URLs
	if o.Batch {
		o.URLs = nil // they are the queue
	}
	j := frontier.Job{Owner: owner, Kind: kind, Options: encode(o), Limits: frontier.Limits{Pages: o.MaxPages, AtOnce: c.atOnce(o)}}
	if !o.Batch {
		j.Limits.PerSite, j.Limits.PerTemplate = c.siteBudget(o), max(maxPerTemplate, o.MaxPages)
	}
	j, err := c.Frontier.Create(ctx, j)
	if err != nil {
		return j, Error(err)
	}
	return j, c.queue(ctx, j, addresses, 0)
}

// queue adds URLs to a job: those of a batch behind so many earlier ones, in their order.
func (c *Crawler) queue(ctx context.Context, j frontier.Job, addresses []string, behind int) error {
	var links []frontier.Link
	for i, raw := range addresses {
		u, err := weburl.Parse(raw)
		if err != nil {
			continue
		}
		u = u.WithoutUserinfo().WithoutFragment()
		priority := int32(1 << 30)
		if j.Kind == KindBatch {
			priority = -int32(min(behind+i, 1<<30))
		}
		links = append(links, frontier.Link{URL: u.String(), Site: c.Web.Site(u), Priority: priority})
	}
	if err := c.add(ctx, j.ID, links); err != nil {
		return Error(err)
	}
	return nil
}

// add adds links to a job. The error is the frontier's.
func (c *Crawler) add(ctx context.Context, job string, links []frontier.Link) error {
	for part := range slices.Chunk(links, reportBatch) {
		if _, err := c.Frontier.Add(ctx, job, part); err != nil {
			return err
		}
	}
	return nil
}

func optionsOf(j frontier.Job) (o Options, p progress, err error) {
	if err = json.Unmarshal(j.Options, &o); err == nil && len(j.Progress) > 0 {
		err = json.Unmarshal(j.Progress, &p)
	}
	if err != nil {
		err = tool.NewError(tool.ParseError, "job "+j.ID+" was stored by another version of this program", "start the crawl again")
	}
	return o, p, err
}

// InBackground reports whether a job was started for a server.
func InBackground(j frontier.Job) bool {
	o, _, err := optionsOf(j)
	return err == nil && o.Background
}

// OpenError is the error of a frontier that cannot be opened, as a *tool.Error. The hint
// says what to check where it cannot be reached.
func OpenError(err error, hint string) error {
	e := Error(err)
	if frontier.CodeOf(err) == frontier.Unavailable {
		e.Hint = hint
	}
	return e
}

// Error is an error of the frontier as an error of a tool.
func Error(err error) *tool.Error {
	if own, ok := err.(*tool.Error); ok { // a defect; the causes of frontier's errors are not meant
		return own
	}
	switch frontier.CodeOf(err) {
	case frontier.NotFound:
		return &tool.Error{Type: tool.InvalidInput, Status: http.StatusNotFound, Message: "the job does not exist, or belongs to another caller", Hint: "start a new one with a URL", Cause: err}
	case frontier.Full:
		return &tool.Error{Type: tool.TooLarge, Message: "the disk with the crawls is full", Hint: "make room and resume the job: what was read until then is stored", Retryable: true, Cause: err}
	case frontier.Unavailable:
		return &tool.Error{Type: tool.ConnectionError, Message: "the database of crawls cannot be reached now" + causeOf(err), Hint: "resume the job later: what was read until then is stored", Retryable: true, Cause: err}
	case frontier.Damaged, frontier.Newer:
		return &tool.Error{Type: tool.ParseError, Message: fmt.Sprintf("the database of crawls cannot be used: it is %s", frontier.CodeOf(err)), Hint: "move crawl.db out of the data folder, and start the crawl again", Cause: err}
	case frontier.Ended:
		if errors.Is(err, context.DeadlineExceeded) {
			return tool.AsError(err)
		}
		return &tool.Error{Type: tool.Cancelled, Message: "the call was ended", Hint: "resume the job: what was read until then is stored", Retryable: true, Cause: err}
	case frontier.Changed:
		return &tool.Error{Type: tool.Busy, Message: "the job was changed by another call", Hint: "try again", Retryable: true, Cause: err}
	case frontier.Internal:
		return &tool.Error{Type: tool.Internal, Message: "the database of crawls failed" + causeOf(err), Hint: "what was read until then is stored; resume the job, and report the error if it comes again", Cause: err}
	}
	return &tool.Error{Type: tool.InvalidInput, Message: "the crawl could not be stored", Hint: "start the crawl again", Cause: err}
}

// causeOf is the cause of an error of the frontier, which shows no password and no address.
func causeOf(err error) string {
	var own *frontier.Error
	if !errors.As(err, &own) || own.Cause == nil {
		return ""
	}
	return ": " + text.Quoted(own.Cause.Error())
}

// now is the current time, for records.
func now() time.Time { return time.Now().UTC().Truncate(time.Second) }
