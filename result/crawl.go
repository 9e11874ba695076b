package result

import (
	"encoding/json"
	"time"
)

// Crawl is the state of a job, and what it has read so far.
type Crawl struct {
	Success bool `json:"success"`
	// Job names the job for further calls.
	Job string `json:"job"`
	// Kind is "crawl" or "batch"; State is "queued", "running", "stopped" or "done".
	Kind  string `json:"kind"`
	State string `json:"state"`
	// Stopped says why it does not run: "finished", "page_limit", "time_limit",
	// "saturated", "covered", "blocked_by_robots", "blocked_by_policy", "unreachable",
	// "too_many_failures" or "stopped"; empty while it runs.
	Stopped string `json:"stopped,omitempty"`
	// URLs and Query are what the job was started with. A batch has no URLs here.
	URLs  []string `json:"urls,omitempty"`
	Query string   `json:"query,omitempty"`
	// Scrape is that of the request: how a surface shows the pages.
	Scrape json.RawMessage `json:"-"`
	// Scope are the URLs that the crawl stays below, as globs: "https://example.com/docs/*";
	// empty until the start page was read, and in a batch.
	Scope []string `json:"scope,omitempty"`
	// Read counts pages, Failures those that could not be read, Refused those that
	// robots.txt, Content-Signal or the egress policy refuses, NearDuplicates those that
	// are nearly the same as another one, Skipped all that were not read for a reason,
	// the last two included. Left counts addresses that are queued, Known all.
	Read           int64 `json:"read"`
	Failures       int64 `json:"failures"`
	Refused        int64 `json:"refused"`
	NearDuplicates int64 `json:"near_duplicates"`
	Skipped        int64 `json:"skipped"`
	Left           int64 `json:"left"`
	Known          int64 `json:"known"`
	// Failed are the first 100 pages that could not be read. CrawlPages has all.
	Failed []CrawlFailure `json:"failed"`
	// NotFollowed counts links that the crawl has not followed, by reason.
	NotFollowed map[string]int64 `json:"not_followed,omitempty"`
	// RobotsRefused are the first 100 addresses that robots.txt refuses, of at most 300
	// bytes each, once a run has ended.
	RobotsRefused []string `json:"robots_refused,omitempty"`
	// MaxPages is how many pages the job may read; 0: no limit.
	MaxPages int `json:"max_pages,omitempty"`
	// Reasons counts what failed or was skipped, by reason.
	Reasons map[string]int64 `json:"reasons,omitempty"`
	Sites   int64            `json:"sites"`
	// Added, Changed and Gone count pages in comparison with the job of Since.
	Added   int64 `json:"added,omitempty"`
	Changed int64 `json:"changed,omitempty"`
	Gone    int64 `json:"gone,omitempty"`
	// Pages are the pages, best first where there is a query; a call that runs a job
	// has at most 1,000.
	Pages []CrawlPage `json:"pages,omitempty"`
	// Passages answer the query, best page first.
	Passages []CrawlPassage `json:"passages,omitempty"`
	Notices  []string       `json:"notices,omitempty"`
	// WebhookSecret is what the receiver of a webhook checks signatures with; only the
	// answer to the start of the job has it.
	WebhookSecret string    `json:"webhook_secret,omitempty"`
	Created       time.Time `json:"created,omitzero"`
	Updated       time.Time `json:"updated,omitzero"`
}

// CrawlFailure is a page that a job could not read.
type CrawlFailure struct {
	URL       string `json:"url"`
	ErrorType string `json:"error_type"` // as in errors of tools, for example "HTTPError"
	Reason    string `json:"reason"`
}

// CrawlPage is a page that a job has read, or could not read.
type CrawlPage struct {
	URL string `json:"url"`
	// Cursor is the place of the page in its job: pages behind it were read later.
	Cursor int64 `json:"cursor,omitempty"`
	// RequestedURL is the address that led here by a redirect; empty: URL.
	RequestedURL string   `json:"requested_url,omitempty"`
	Title        string   `json:"title,omitempty"`
	PageType     PageType `json:"page_type,omitempty"`
	Verdict      Verdict  `json:"verdict,omitempty"`
	// VerdictReason says why the content is not complete, "" for complete content.
	VerdictReason string `json:"verdict_reason,omitempty"`
	Status        int    `json:"status,omitempty"`
	Tokens        int    `json:"tokens,omitempty"`
	Language      string `json:"language,omitempty"`
	Published     string `json:"published,omitempty"`
	// Version names the content; Change is "added" or "changed" in comparison with the
	// job of Since, "unchanged", or empty without one.
	Version string `json:"version,omitempty"`
	Change  string `json:"change,omitempty"`
	// Previous is the version that the caller had fetched before, and PreviousSeen when
	// it was last seen; only jobs that track changes have them.
	Previous     string    `json:"previous,omitempty"`
	PreviousSeen time.Time `json:"previous_seen,omitzero"`
	// Depth is the number of links from a start.
	Depth int `json:"depth"`
	// Match says how well the page matches the query, from 0 to about 1.
	Match    float64 `json:"match,omitempty"`
	Rendered bool    `json:"rendered,omitempty"`
	// Signals is what Content-Signal of the site says.
	Signals   map[string]bool `json:"signals,omitempty"`
	FetchedAt time.Time       `json:"fetched_at,omitzero"`
	// Error says why the page could not be read; ErrorType is its kind.
	Error     string `json:"error,omitempty"`
	ErrorType string `json:"error_type,omitempty"`
	// Markdown is the content, where it was asked for.
	Markdown string `json:"markdown,omitempty"`
}

// FirecrawlWebhook has the messages of a webhook in the form of Firecrawl's API
// (docs/firecrawl.md). The zero value tells of all events.
type FirecrawlWebhook struct {
	// Events are "started", "page" (a message for each page), "completed" and "failed";
	// empty: all.
	Events []string `json:"events,omitempty"`
	// Metadata is part of each message. It has at most 4096 bytes.
	Metadata map[string]string `json:"metadata,omitempty"`
}

// CrawlPassage is a part of a page that answers the query of a crawl.
type CrawlPassage struct {
	URL     string `json:"url"`
	Title   string `json:"title,omitempty"`
	Section string `json:"section,omitempty"`
	Version string `json:"version"`
	Text    string `json:"text"`
}

// CrawlPages is a part of the pages of a job.
type CrawlPages struct {
	Pages []CrawlPage `json:"pages"`
	// Next is the cursor of the next part; it is the one that was given while nothing
	// more has been read.
	Next int64 `json:"next"`
	// More reports whether further pages are there already, or the job still runs.
	More bool `json:"more"`
}

// CrawlEvent is something that happened to a job: a page was read or could not be
// read, or the counts have changed. Neither is set while nothing happens.
type CrawlEvent struct {
	// Cursor is that of the latest page: a reader that goes on behind it misses none.
	Cursor int64
	Page   *CrawlPage // without Markdown
	State  *Crawl     // without pages
}
