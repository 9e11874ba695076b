package result

import (
	"encoding/json"
	"fmt"

	"github.com/spyhop-dev/spyhop/tool"
)

// Answer is the result of one run of an agent. Its JSON form is the transcript.
type Answer struct {
	Question string `json:"question"`
	// Model is the name of the model.
	Model string `json:"model"`
	// Text is the answer, with its citations and quotations checked: a citation
	// of a page that was not read and a quotation that is not on a page are
	// marked. Empty without an answer.
	Text string `json:"answer"`
	// Citations are the pages that Text cites; all of them were read.
	Citations []Source `json:"citations"`
	// Read are all pages that were read.
	Read []Source `json:"read"`
	// Quotes are the quotations in Text, each with the place where it was found.
	Quotes []Quote `json:"quotes"`
	// Steps are the calls of the run, in their order.
	Steps []Step `json:"steps"`
	// Stopped says which bound ended the run before the model was done; empty
	// when none did.
	Stopped Stop `json:"stopped,omitempty"`
	// Usage is what the run cost.
	Usage Usage `json:"usage"`
}

// Source is a page that a tool has read.
type Source struct {
	// N is the page's number in the answer, from 1.
	N     int    `json:"n"`
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	// Version is the version of the page that was read, as in
	// [Metadata].Version.
	Version string `json:"version,omitempty"`
}

// String returns the source as a line below an answer: "[1] Title, URL".
func (s Source) String() string {
	if s.Title == "" {
		return fmt.Sprintf("[%d] %s", s.N, s.URL)
	}
	return fmt.Sprintf("[%d] %s, %s", s.N, s.Title, s.URL)
}

// Stop is the bound that ended a run. The set is closed.
type Stop string

// The bounds.
const (
	StoppedBySteps     Stop = "steps"
	StoppedByTokens    Stop = "tokens"
	StoppedByTime      Stop = "time"
	StoppedByRepeating Stop = "repeating" // the model made the same calls again and again
	StoppedByLength    Stop = "length"    // the model's answer was cut off
)

// Usage is what a run cost.
type Usage struct {
	// Turns counts the requests to the model, Steps the calls of tools.
	Turns int `json:"turns"`
	Steps int `json:"steps"`
	// TokensIn is what the model read, TokensOut what it wrote; Estimated
	// reports whether some of them were estimated from bytes.
	TokensIn  int  `json:"tokens_in"`
	TokensOut int  `json:"tokens_out"`
	Estimated bool `json:"estimated,omitempty"`
	// Seconds is how long the run took.
	Seconds float64 `json:"seconds"`
}

// Step is one call of a run.
type Step struct {
	// N is its number, from 1.
	N    int    `json:"n"`
	Tool string `json:"tool"`
	// Args are the arguments as a JSON object, or nil.
	Args json.RawMessage `json:"args,omitempty"`
	// Title and Subject are the call as people read it, for example "Fetch" and
	// an address. They are not in the JSON form.
	Title   string `json:"-"`
	Subject string `json:"-"`
	// Done is false while the call runs. It is not in the JSON form.
	Done bool `json:"-"`
	// Bytes, Status and Cached describe the page, where one was read: its
	// decoded size, the HTTP status, whether it came from the cache.
	Bytes  int64 `json:"bytes,omitempty"`
	Status int   `json:"status,omitempty"`
	Cached bool  `json:"cached,omitempty"`
	// Results counts what a search found; nil for other calls.
	Results *int `json:"results,omitempty"`
	// RedirectURL is the address on another host to which the page redirects, and
	// which was not read; empty for other calls.
	RedirectURL string `json:"redirect_url,omitempty"`
	// Chars counts the characters that the model was given.
	Chars int `json:"chars"`
	// Milliseconds is how long the call took.
	Milliseconds float64 `json:"ms"`
	// Err says why the call failed; nil on success. It is the member "error" of
	// the JSON form.
	Err *tool.Error `json:"-"`
}

// MarshalJSON writes the step with the member "error" where it failed.
func (s Step) MarshalJSON() ([]byte, error) {
	type plain Step
	return json.Marshal(struct {
		plain
		Error *tool.Error `json:"error,omitempty"`
	}{plain(s), s.Err})
}

// Quote is a quotation from a page, and where the page has it.
type Quote struct {
	Text string `json:"text"`
	// Verified reports whether a page that was read has the text, word for word.
	Verified bool `json:"verified"`
	// The other fields are set where it was found. URL and Version name the
	// page; Section is the ID of its section, empty before the first heading.
	URL     string `json:"url,omitempty"`
	Version string `json:"version,omitempty"`
	Section string `json:"section,omitempty"`
	// Start and End delimit the quotation in the version's Markdown, in
	// characters.
	Start int `json:"start,omitempty"`
	End   int `json:"end,omitempty"`
	// Link is the address with a text fragment that leads to the quotation
	// (WICG, URL Fragment Text Directives).
	Link string `json:"link,omitempty"`
}
