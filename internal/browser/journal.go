package browser

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// A journal keeps the last lines of a page's console and network.
type journal struct {
	console, network ring
	exchanges        exchanges
}

// A ring keeps its last journalEntries lines.
type ring struct {
	lines   []string
	dropped int
}

// add cleans a line of the page, since filter is compared with the shown text.
func (r *ring) add(words string) {
	// The prefix is longer than what is kept, because cleaning removes characters.
	line := line(strings.ToValidUTF8(cut(words, 8*journalBytes), "\ufffd"), journalBytes)
	if len(r.lines) == journalEntries {
		r.lines = r.lines[1:]
		r.dropped++
	}
	r.lines = append(r.lines, line)
}

// page adds a line that begins another page. No page can write such a line: the lines
// of a page begin with their kind or number.
func (r *ring) page(url string) {
	if url != "about:blank" {
		r.add("page: " + maskedAddress(url))
	}
}

// cut shortens a text to at most n bytes.
func cut(s string, n int) string { return text.CutBytes(s, n) }

// address is an address as a line of the journal has it.
func address(url string) string { return cut(text.VisibleURL(cut(url, journalBytes)), journalBytes) }

// noStore reports whether an answer has the directive no-store (RFC 9111 section
// 5.2.2.5). The word in an argument counts too, which errs on the safe side.
func (a *sentAnswer) noStore() bool {
	var headers map[string]any
	if json.Unmarshal(a.Headers, &headers) != nil {
		return false
	}
	for name, v := range headers {
		if s, _ := v.(string); strings.EqualFold(name, "Cache-Control") && strings.Contains(strings.ToLower(s), "no-store") {
			return true
		}
	}
	return false
}

// exchanges are those of a tab. The zero value is ready for use.
type exchanges struct {
	count int
	open  map[network.RequestID]*exchange // whose answer has not ended
	kept  []*exchange                     // the last ones, the oldest first
}

type exchange struct {
	number int
	id     network.RequestID
	what   string   // the method and the address
	detail *details // nil when maxExchanges others have come since
}

// details are the parts of an exchange that its line in the log does not have. Times
// are those of the browser's clock in seconds, 0 for what has not happened.
type details struct {
	at                       time.Time // of the request
	kind, mime, failure      string
	status                   int
	statusText               string
	asked, answered, ended   float64
	bytes                    float64 // that came over the network
	requested, headers       string  // headers, as JSON
	posted                   string
	postedWhole, hops, posts bool
}

// sentRequest and sentAnswer are what events say of a request and of an answer.
type (
	sentRequest struct {
		URL     string       `json:"url"`
		Method  string       `json:"method"`
		Headers jsonv2.Value `json:"headers"`
		Posted  string       `json:"postData"`
		Posts   bool         `json:"hasPostData"`
	}
	sentAnswer struct {
		URL        string       `json:"url"`
		Status     int          `json:"status"`
		StatusText string       `json:"statusText"`
		Mime       string       `json:"mimeType"`
		Headers    jsonv2.Value `json:"headers"` // with names in the case in which they came
		Timing     struct {
			Begun   float64 `json:"requestTime"`       // in seconds
			Headers float64 `json:"receiveHeadersEnd"` // in milliseconds since then
		} `json:"timing"`
	}
)

// begin adds an exchange.
func (x *exchanges) begin(id network.RequestID, kind network.ResourceType, r sentRequest, at float64) *exchange {
	x.count++
	e := &exchange{number: x.count, id: id, what: strings.TrimSpace(cut(r.Method, 20) + " " + maskedAddress(r.URL)), detail: &details{
		at: time.Now(), kind: strings.ToLower(string(kind)), asked: at, requested: within8K(r.Headers), posts: r.Posts || r.Posted != "",
	}}
	if d := e.detail; r.Posted != "" && len(r.Posted) <= shownBody {
		d.posted, d.postedWhole = r.Posted, true
	}
	if x.open == nil || len(x.open) > maxInflight {
		x.open = make(map[network.RequestID]*exchange)
	}
	x.open[id] = e
	if len(x.kept) >= maxExchanges {
		x.kept[0].detail = nil
		x.kept = slices.Delete(x.kept, 0, 1)
	}
	x.kept = append(x.kept, e)
	return e
}

// answer notes the answer to a request. An answer to an unknown request begins an
// exchange.
func (x *exchanges) answer(id network.RequestID, kind network.ResourceType, a sentAnswer) *exchange {
	e := x.open[id]
	if e == nil {
		e = x.begin(id, kind, sentRequest{URL: a.URL}, 0)
	}
	if d := e.detail; d != nil {
		d.kind = cmp.Or(strings.ToLower(string(kind)), d.kind)
		d.status, d.statusText, d.mime = a.Status, cut(a.StatusText, 100), cut(a.Mime, 100)
		d.headers = within8K(a.Headers)
		if a.Timing.Begun > 0 {
			d.answered = a.Timing.Begun + a.Timing.Headers/1000
		}
	}
	return e
}

// end notes that nothing more comes of an answer. It returns nil for an unknown one.
func (x *exchanges) end(id network.RequestID, failure string, bytes, at float64) *exchange {
	e := x.open[id]
	if e == nil {
		return nil
	}
	delete(x.open, id)
	if d := e.detail; d != nil {
		d.ended, d.failure, d.bytes = at, cut(failure, 200), bytes
	}
	return e
}

// line is what the log says of an exchange: "#3 200 document GET https://a.example/".
func (e *exchange) line(result string) string {
	return "#" + strconv.Itoa(e.number) + " " + result + " " + e.what
}

// within8K copies headers, unless there are too many.
func within8K(headers jsonv2.Value) string {
	if len(headers) > headerBytes {
		return ""
	}
	return string(headers)
}

// maskedAddress is an address as a line of the log has it, without secrets. It is masked
// before it is cut, since a part of a secret is not recognized.
func maskedAddress(url string) string { return address(audit.Mask(cut(url, 8*journalBytes))) }

// line makes one cleaned line of a page's words, of at most n bytes.
func line(s string, n int) string { return text.CutBytes(text.Line(s), n) }
