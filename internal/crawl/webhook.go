package crawl

import (
	"fmt"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
)

// Webhook is where the events of a job go.
type Webhook struct {
	URL string `json:"url"`
	// Pages tells of pages while the job runs; its end is told in any case.
	Pages bool `json:"pages,omitempty"`
}

// HookState is how far a webhook has been told.
type HookState struct {
	// Cursor is that of the last page that was told.
	Cursor int64 `json:"cursor,omitempty"`
	// Ended says that the end was told; Ends counts ends.
	Ended bool `json:"ended,omitempty"`
	Ends  int  `json:"ends,omitempty"`
	// Tries counts the failures in a row; Due is when the next try may be, Trouble is
	// what was wrong in our own words. GaveUp says that nothing more is told.
	Tries   int       `json:"tries,omitempty"`
	Due     time.Time `json:"due,omitzero"`
	Trouble string    `json:"trouble,omitempty"`
	GaveUp  bool      `json:"gave_up,omitempty"`
}

// Hook returns the webhook of a job; nil when it has none, or cannot be read.
func Hook(j frontier.Job) (*Webhook, HookState) {
	o, p, err := optionsOf(j)
	if err != nil {
		return nil, HookState{}
	}
	return o.Webhook, p.Hook
}

// SetHook changes how far the webhook of a job has been told.
func SetHook(j *frontier.Job, change func(*HookState)) {
	if _, p, err := optionsOf(*j); err == nil {
		change(&p.Hook)
		j.Progress = encode(p)
	}
}

// notice says what is wrong with a webhook; "" when nothing is.
func (h HookState) notice() string {
	switch {
	case h.GaveUp:
		return fmt.Sprintf("The webhook was given up after %d tries: %s.", max(h.Tries, 1), h.Trouble)
	case h.Trouble != "":
		return fmt.Sprintf("The webhook has failed %d times: %s. The next try is at %s.", h.Tries, h.Trouble, h.Due.UTC().Format("15:04:05 UTC"))
	}
	return ""
}
