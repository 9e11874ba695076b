package result

import "time"

// Monitor is a monitor: a site that is read again and again.
type Monitor struct {
	// Monitor names it in further calls.
	Monitor string   `json:"monitor"`
	URLs    []string `json:"urls"`
	// Every is the time between rounds, for example "1h0m0s".
	Every string `json:"every"`
	// Rounds counts those that have ended, Pages the pages that are there, Changes all
	// changes so far. The first round finds the pages and reports none.
	Rounds  int   `json:"rounds"`
	Pages   int   `json:"pages"`
	Changes int64 `json:"changes"`
	// Running says that a round runs. Last is when the last one ended, Next when the
	// next one begins; zero: not yet, and while one runs.
	Running bool      `json:"running"`
	Last    time.Time `json:"last,omitzero"`
	Next    time.Time `json:"next,omitzero"`
	// WebhookSecret is what the receiver of a webhook checks signatures with; only the
	// answer to the start has it.
	WebhookSecret string    `json:"webhook_secret,omitempty"`
	Notices       []string  `json:"notices,omitempty"`
	Created       time.Time `json:"created,omitzero"`
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
