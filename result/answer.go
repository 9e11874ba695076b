package result

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

// Answer is the answer to a question, with its evidence. Its JSON form is the
// transcript.
type Answer struct {
	Question string `json:"question"`
	// Model is the name of the model.
	Model string `json:"model"`
	// Text is the answer. Each statement ends with the numbers of its Citations,
	// for example "It was lit in 1881 [1].", or with "(unverified)" where no page
	// that was read supports it. Empty without an answer, and with Data.
	Text string `json:"answer"`
	// Data is the answer as a value of the schema; nil without a schema. Evidence has
	// an entry for each string, number and boolean in it.
	Data     json.RawMessage `json:"data,omitempty"`
	Evidence []Evidence      `json:"evidence,omitempty"`
	// Citations are the quotations that support the answer, in the order of their
	// numbers.
	Citations []Citation `json:"citations"`
	// Statements counts the statements of Text, Unverified those without support.
	// With Data, they count the entries of Evidence.
	Statements int `json:"statements"`
	Unverified int `json:"unverified"`
	// Read are all pages that were read.
	Read []Source `json:"read"`
	// Steps are the calls of the run, in their order.
	Steps []Step `json:"steps"`
	// Stopped says which bound ended the run before the model was done; empty
	// when none did.
	Stopped Stop `json:"stopped,omitempty"`
	// Usage is what the run cost.
	Usage Usage `json:"usage"`
	// Notices say what was done in another way than requested.
	Notices []string `json:"notices,omitempty"`
}

// Citation is a quotation from a page that supports a part of an answer.
type Citation struct {
	// N is the number in the answer, from 1.
	N     int    `json:"n"`
	URL   string `json:"url"`
	Title string `json:"title,omitempty"`
	// Version is the version of the page, as in [Metadata].Version. Start and End
	// delimit the quotation in its Markdown, in characters; both are 0 where only a
	// part of the page was read.
	Version string `json:"version,omitempty"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
	// Quote is the text of the page, word for word.
	Quote string `json:"quote"`
	// Link is the URL with a text fragment that leads to the quotation.
	Link string `json:"link,omitempty"`
}

// String returns the citation as a line below an answer: `[1] Title, URL: "quote"`.
func (c Citation) String() string {
	head := Source{N: c.N, URL: c.URL, Title: c.Title}.String()
	return head + `: "` + strings.Join(strings.Fields(c.Quote), " ") + `"`
}

// Evidence says what supports a value of Answer.Data.
type Evidence struct {
	// Field is the JSON pointer of the value (RFC 6901), for example /items/0/price.
	Field      string     `json:"field"`
	Confidence Confidence `json:"confidence"`
	// Citation is the number of the quotation; 0: none.
	Citation int `json:"citation,omitempty"`
}

// Confidence says where a value was found. The set is closed.
type Confidence string

// The confidences.
const (
	Quoted     Confidence = "quoted"               // in the text of a page
	FromData   Confidence = "from the page's data" // JSON-LD, microdata, RDFa, Open Graph or a table
	Unverified Confidence = "unverified"
)

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

// Depth is how much work a question is worth.
type Depth string

// The depths. The zero value means Quick.
const (
	Quick Depth = "quick" // one search
	Deep  Depth = "deep"  // the model calls tools
)

// Budget bounds what a run may cost. Zero fields have the defaults.
type Budget struct {
	// Calls bounds the calls of tools; 0 means 12.
	Calls int
	// Tokens bounds what the model reads and writes, over all turns; 0 means 60,000.
	Tokens int
	// USD bounds the cost in US dollars; 0 means no bound. It needs the price of
	// the model (WEB_MODEL_PRICE).
	USD float64
}

// Stop is the bound that ended a run. The set is closed.
type Stop string

// The bounds.
const (
	StoppedBySteps     Stop = "steps"
	StoppedByTokens    Stop = "tokens"
	StoppedByCost      Stop = "cost"
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
	// USD is the cost in US dollars; 0 where the model has no price (WEB_MODEL_PRICE).
	USD float64 `json:"usd,omitempty"`
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
