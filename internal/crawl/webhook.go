package crawl

import (
	"fmt"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// Webhook is where the events of a job go.
type Webhook struct {
	URL string `json:"url"`
	// Pages tells of pages while the job runs; its end is told in any case.
	Pages bool `json:"pages,omitempty"`
	// Firecrawl has the messages in the form of Firecrawl's API, where it says what is
	// told and Pages does not count; nil: that of Standard Webhooks.
	Firecrawl *result.FirecrawlWebhook `json:"firecrawl,omitempty"`
}

// HookState is how far a webhook has been told.
type HookState struct {
	// Cursor is that of the last page that was told.
	Cursor int64 `json:"cursor,omitempty"`
	// Started says that the start was told, which only [Webhook.Firecrawl] is.
	Started bool `json:"started,omitempty"`
	// Ended says that the end was told; Ends counts ends.
	Ended bool `json:"ended,omitempty"`
	Ends  int  `json:"ends,omitempty"`
	// Tries counts the failures in a row; Due is when the next try may be, Fault is what
	// was wrong, in words. GaveUp says that nothing more is told.
	Tries  int       `json:"tries,omitempty"`
	Due    time.Time `json:"due,omitzero"`
	Fault  string    `json:"fault,omitempty"`
	GaveUp bool      `json:"gave_up,omitempty"`
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
		return fmt.Sprintf("The webhook was given up. Tries: %d. The last one: %s.", h.Tries, text.Quoted(h.Fault))
	case h.Tries > 0:
		return fmt.Sprintf("The webhook has failed. Tries: %d. The last one: %s. The next try is at %s.", h.Tries, text.Quoted(h.Fault), h.Due.UTC().Format("15:04:05 UTC"))
	}
	return ""
}
