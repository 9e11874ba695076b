package result

import "time"

// EventKind says what an event is about.
type EventKind string

// The kinds of events.
const (
	// EventCall: a call of a tool or of a method ended, or the part of it that
	// belongs to one address.
	EventCall EventKind = "call"
	// EventDecision: the policy decided about a request.
	EventDecision EventKind = "verdict"
)

// The values of Event.Decision.
const (
	Allow = "allow"
	Block = "block"
)

// Event is an event of the audit log. Secrets in it are masked.
type Event struct {
	Time time.Time `json:"time"` // when it ended, in UTC
	Kind EventKind `json:"kind"`
	// Tool is the tool or the operation; Caller is the surface, for example
	// "cli", "library" or "mcp".
	Tool   string `json:"tool,omitempty"`
	Caller string `json:"caller,omitempty"`
	// Owner is the principal that the call is for, for example "local" or the name
	// of a token; empty for decisions outside of calls.
	Owner string `json:"owner,omitempty"`
	// RequestID is that of the HTTP request that made the call (X-Request-Id), User whom the
	// request names as the person behind it.
	RequestID string `json:"request_id,omitempty"`
	User      string `json:"user,omitempty"`
	// URL is the address that was asked for, FinalURL the one that answered.
	URL      string `json:"url,omitempty"`
	FinalURL string `json:"final_url,omitempty"`
	// Query, Provider and Host are of a search: what was searched for, and whom it was asked
	// at which host.
	Query    string `json:"query,omitempty"`
	Provider string `json:"provider,omitempty"`
	Host     string `json:"host,omitempty"`
	// Decision is Allow or Block, Rule the rule that decided; both are empty
	// when the policy was not asked.
	Decision string `json:"decision,omitempty"`
	Rule     string `json:"rule,omitempty"`
	// Address is the network address that was dialled or refused. It is for the
	// log only and must not reach a model or a page.
	Address string `json:"address,omitempty"`
	// Status is the HTTP status, or 0; Bytes counts the body on the wire.
	Status int   `json:"status,omitempty"`
	Bytes  int64 `json:"bytes"`
	// Milliseconds is how long it took.
	Milliseconds float64 `json:"ms"`
	// Cache says which cache answered: "hit", "stale", "negative" (a remembered
	// failure), "shared" (an equal request was in flight), or empty.
	Cache string `json:"cache,omitempty"`
	// Error is the type of the error, Detail its message; both are empty on
	// success.
	Error  string `json:"error,omitempty"`
	Detail string `json:"detail,omitempty"`
}

// Metrics are counters of events. What is not in a map was counted 0 times.
type Metrics struct {
	// Calls counts calls by tool, Errors failed ones by type, Cache those that a
	// cache answered by kind.
	Calls, Errors, Cache map[string]uint64
	// ToolErrors counts failed calls by tool, and then by type.
	ToolErrors map[string]map[string]uint64
	// Allowed and Blocked count decisions of the policy, Rules the blocked ones
	// by rule.
	Allowed, Blocked uint64
	Rules            map[string]uint64
	// Bytes sums the bodies of calls on the wire.
	Bytes uint64
	// Seconds is how long calls took, by tool.
	Seconds map[string]Histogram
	// FeedDropped counts events that a subscriber was too slow for, FileErrors
	// those that could not be written to the file.
	FeedDropped, FileErrors uint64
}

// Histogram counts durations by upper bounds.
type Histogram struct {
	// Buckets[i] counts the values up to Bounds()[i] that are not in a bucket
	// before it; the last one counts those above all bounds.
	Buckets [13]uint64
	// Count counts all values, Sum adds them up.
	Count uint64
	Sum   float64
}

// Bounds returns the upper bounds of the buckets but the last, in seconds.
func (h *Histogram) Bounds() [12]float64 {
	// Half of all reads end within the first ones; no call lasts longer than the last.
	return [12]float64{.01, .05, .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 120}
}
