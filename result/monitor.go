package result

import (
	"encoding/json"
	"time"
)

// Monitor is a monitor: a site that is read again and again.
type Monitor struct {
	// Monitor names it in further calls.
	Monitor string   `json:"monitor"`
	URLs    []string `json:"urls"`
	// Every is the time between rounds, for example "1h0m0s"; with Cron about that. Cron is
	// the schedule of the rounds, as ParseSchedule reads it; empty: Every.
	Every string `json:"every"`
	Cron  string `json:"cron,omitempty"`
	// Query and Selector say which changes count: those with words of the query, and those
	// of elements that the CSS selector selects. Search is a query whose new results are
	// reported in place of pages.
	Query    string `json:"query,omitempty"`
	Selector string `json:"selector,omitempty"`
	Search   string `json:"search,omitempty"`
	// Scrape is that of the request.
	Scrape json.RawMessage `json:"-"`
	// Rounds counts those that have ended, Pages the pages that are there, Changes all
	// changes so far. The first round finds the pages and reports none.
	Rounds  int   `json:"rounds"`
	Pages   int   `json:"pages"`
	Changes int64 `json:"changes"`
	// Running says that a round runs. Last is when the last one ended, Next when the
	// next one begins; zero: not yet, and while one runs.
	Running bool      `json:"running"`
	Paused  bool      `json:"paused,omitempty"`
	Last    time.Time `json:"last,omitzero"`
	Next    time.Time `json:"next,omitzero"`
	// WebhookSecret is what the receiver of a webhook checks signatures with; only the
	// answer to the start has it.
	WebhookSecret string    `json:"webhook_secret,omitempty"`
	Notices       []string  `json:"notices,omitempty"`
	Created       time.Time `json:"created,omitzero"`
}

// Round is the beginning or the end of a round of a monitor.
type Round struct {
	Monitor Monitor `json:"monitor"`
	// Ended reports the end of the round; else it begins, or has to wait. Changes are the
	// first 100 that it has seen, Error says why it could not be run.
	Ended   bool         `json:"ended"`
	Changes []PageChange `json:"changes,omitempty"`
	Error   string       `json:"error,omitempty"`
}

// PageChange is a change of a page that a monitor has seen.
type PageChange struct {
	// Cursor is the place of the change: later ones have larger cursors.
	Cursor int64  `json:"cursor"`
	URL    string `json:"url"`
	// Change is "added", "changed" or "gone".
	Change string `json:"change"`
	Title  string `json:"title,omitempty"`
	// Version is the version of the page now, Previous the one before.
	Version  string `json:"version,omitempty"`
	Previous string `json:"previous,omitempty"`
	// Added and Removed count the words that the text got and lost, where the text of both
	// versions is known; Diff has the blocks that differ, each line with "+" or "-" in front,
	// at most 1,500 bytes.
	Added   int    `json:"words_added,omitempty"`
	Removed int    `json:"words_removed,omitempty"`
	Diff    string `json:"diff,omitempty"`
	// At is when the round ended that saw it.
	At time.Time `json:"at"`
}

// PageChanges is a part of the changes that a monitor has seen.
type PageChanges struct {
	Changes []PageChange `json:"changes"`
	// Next is the cursor of the next part; More reports whether there is one now.
	Next int64 `json:"next"`
	More bool  `json:"more"`
}
