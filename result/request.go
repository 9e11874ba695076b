package result

import (
	"encoding/json"
	"time"
)

// Render says whether a browser runs the scripts of a page: "auto", "never" or "always"; ""
// means "auto".
type Render string

// CrawlRequest starts a job, or goes on with one. The zero value of each field is
// its default.
type CrawlRequest struct {
	// URLs are where the crawl begins; each names a site. Either URLs or
	// Job is required.
	URLs []string
	// Job goes on with a job that has stopped. Of the other fields, only MaxPages,
	// MaxTokens, Timeout, OnStart and OnPage count.
	Job string
	// Batch reads URLs, and follows no link.
	Batch bool `json:"-"`
	// Query reads the most promising pages first, and stops when further pages promise
	// little; "" reads all pages, those near to the start first.
	Query string
	// MaxPages bounds the pages that are read; 0 means 1,000, and in a batch all. For a
	// Job that has reached its bound, it is how many more are read.
	MaxPages int `json:"max_pages"`
	// MaxDepth bounds the links from a start to a page; 0 means 5.
	MaxDepth int `json:"max_depth"`
	// Include keeps only pages whose path matches one of the globs, Exclude drops
	// those that match, and wins.
	Include, Exclude []string
	// Match and Omit do the same with regular expressions (RE2), which are compared with
	// the path and its query, or with FullURL with the URL.
	Match, Omit []string `json:"-"`
	FullURL     bool     `json:"-"`
	// DropQuery omits the query of the URLs that are found; Duplicates keeps pages that are
	// nearly another one; External follows links to other sites.
	DropQuery, Duplicates, External bool `json:"-"`
	// Map is "skip" to follow links alone, "only" to read what the sitemaps name and follow
	// no link; "" does both.
	Map string `json:"-"`
	// Delay is the least time between two requests to a site, at most 30 s.
	Delay time.Duration `json:"-"`
	// Subdomains adds the other hosts of the registrable domain.
	Subdomains bool
	// EntireSite reads pages of the whole host; false: those below the path of a start.
	EntireSite bool `json:"entire_site"`
	// Concurrency is how many requests a site gets at a time, over all workers of
	// the shared database; 0 means Config.HostConcurrency, and 2 where that is 0. The pace, the
	// Crawl-delay and Retry-After of a site hold for any number.
	Concurrency int
	// Sites is how many sites a worker requests at a time; 0, and more than 8, mean 8.
	Sites int `json:"-"`
	// Since is an earlier job, or "last" for the latest one that began at the same
	// address: the pages are requested again, and say what changed.
	Since string
	// Render says whether a browser runs the scripts of pages; "" means RenderAuto.
	Render Render
	// Login names a saved login, or a saved browser state, as in FetchRequest: pages of its sites
	// are read with it, robots.txt and site maps are not. What was read is kept with the job.
	// A job in the background takes none.
	Login string `json:"-"`
	// IgnoreSignals reads pages although the Content-Signal of their site says
	// ai-input=no. robots.txt is always obeyed.
	IgnoreSignals bool `json:"-"`
	// Webhook is a URL that StartCrawl's job tells of its end, and with WebhookPages
	// of its pages: by POST, signed, and again until it is taken, for 85 minutes. "" means
	// none. Crawl takes none.
	Webhook      string
	WebhookPages bool
	// WebhookFirecrawl has the messages in the form of Firecrawl's API, of the events that
	// it names; WebhookPages then does not count. nil: they have the form of docs/http.md.
	WebhookFirecrawl *FirecrawlWebhook
	// Changes asks for pages again, and compares each with its last version (CrawlPage.Previous).
	Changes bool `json:"-"`
	// Scrape is kept with StartCrawl's job and returned in CrawlResult; the crawl does not read it.
	Scrape json.RawMessage
	// MaxTokens bounds CrawlResult.Passages; 0 means 2,200.
	MaxTokens int `json:"-"`
	// Timeout bounds the call; 0: its context alone does. A job that it ends can go on.
	Timeout time.Duration `json:"-"`
	// OnStart is called with the job before the first page is read, OnPage after each
	// page and when a long wait begins, from one goroutine at a time; nil: not.
	OnStart func(job string)    `json:"-"`
	OnPage  func(CrawlProgress) `json:"-"`
}

// CrawlProgress is how far a job is.
type CrawlProgress struct {
	// Read, Failed and Left count pages that were read, pages that could not be read,
	// and URLs that are queued; Sites counts sites, Max is the bound of pages.
	Read, Failed, Left, Sites int64
	// Known counts all URLs, Over those that need no request any more.
	Known, Over int64
	Max         int
	// Scope are the URLs that the crawl stays below, as globs. Why says why the latest
	// page that failed is tried again; "" for none.
	Scope []string
	Why   string
	// Page is the page that was just read, or could not be read; the zero value where
	// the job waits.
	Page CrawlPage
	// Waits is when the next page may be requested, where no page may be requested for more
	// than some seconds (Retry-After, Crawl-delay, a site that fails); zero otherwise.
	Waits time.Time
}

// MonitorRequest starts a monitor. The zero value of each field but URLs (or Search) and
// Every (or Cron) is its default.
type MonitorRequest struct {
	// Monitor gives an existing monitor other options; what it knows stays. With neither URLs
	// nor Search it keeps its options, and a round begins at once.
	Monitor string `json:"-"`
	// Paused has no rounds begin. Retention is how long changes are remembered; 0: up to 10,000.
	Paused    bool          `json:"-"`
	Retention time.Duration `json:"-"`
	// URLs are where each round begins; each names a site. Required.
	URLs []string
	// Every is the time between rounds, from a minute to 30 days; Cron is a schedule in five
	// fields, "0 9 * * 1-5", behind "CRON_TZ=Europe/Berlin " in that time zone. One is required.
	Every time.Duration
	Cron  string
	// Query and Selector say which changes count: those of blocks with half of the words of
	// the query, and of the part of a page that the CSS selector selects. "": all.
	Query, Selector string
	// Search is a query of the web whose new results are reported, in place of URLs.
	Search string
	// MaxPages bounds the pages that a round reads; 0 means 100, the most is 5,000.
	MaxPages int `json:"max_pages"`
	// MaxDepth, Include, Exclude, Subdomains, EntireSite and Render are as in CrawlRequest.
	MaxDepth         int `json:"max_depth"`
	Include, Exclude []string
	Subdomains       bool
	EntireSite       bool `json:"entire_site"`
	Render           Render
	// Webhook is a URL that is told of changes, as that of CrawlRequest; "" means none.
	Webhook string
	// Scrape is kept with the monitor and returned in Monitor: how a surface shows it.
	Scrape json.RawMessage `json:"-"`
}

// DataRequest says which data is read of which pages. URLs and Schema are required.
type DataRequest struct {
	// URLs are pages, or patterns such as "example.com/products/*": the pages that the
	// site names and whose path matches.
	URLs []string
	// Schema is a JSON Schema. Where each value has an "x-selector", no model is needed.
	Schema json.RawMessage
	// Prompt says more about the values, for a model.
	Prompt string
	// Crawl reads the pages that crawls from URLs find.
	Crawl bool
	// MaxPages bounds the pages; 0 means 100 for patterns and crawls, 10,000 for URLs.
	MaxPages int `json:"max_pages"`
}

// LoginInfo describes a saved login. It never holds a cookie.
type LoginInfo struct {
	// Site is the registrable domain.
	Site string `json:"site"`
	// Saved is when the login was saved.
	Saved time.Time `json:"saved"`
	// Cookies counts the cookies that have not expired, Stores the origins that
	// have stored anything else.
	Cookies int `json:"cookies"`
	Stores  int `json:"stores"`
	// Ends is when the last cookie expires; zero when one never does or there is
	// none.
	Ends time.Time `json:"ends,omitzero"`
	// Locked reports that the login does not open with the key of
	// Config.SessionKey.
	Locked bool `json:"locked,omitempty"`
}
