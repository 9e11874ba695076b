package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/network"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of exchanges. An exchange is a request of a page and the answer to it. Each hop
// of a redirect is an exchange. They are numbered in the order of the requests, from 1,
// for as long as the tab is open. Secrets in addresses, headers and bodies are
// masked as in the audit log.

const (
	// maxExchanges is how many exchanges of a tab are kept whole.
	maxExchanges = 100
	// headerBytes bounds the headers that are kept of a request, and of an answer.
	headerBytes = 8 << 10
	// shownBody bounds what is kept of posted data, and what is shown of a body.
	shownBody = 4 << 10
	// bufferedBodies and bufferedBody bound what the browser keeps of the bodies of a
	// process: of all together, and of one.
	bufferedBodies = 2 << 20
	bufferedBody   = 256 << 10
)

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

// Exchange is a request of a page and its answer, as text.
type Exchange struct {
	Place Place
	Text  string
}

// Exchange describes an exchange of a tab by its number in the log: addresses, status,
// times, headers and bodies.
func (b *Browser) Exchange(ctx context.Context, at Place, number int) (out Exchange, err error) {
	err = b.beside(ctx, at, needsContext, func(ctx context.Context, _ *browserContext, t *tab) error {
		out.Place = t.where()
		e, d, err := t.exchange(number)
		if err != nil {
			return err
		}
		requested := headerLines(d.requested)
		if d.posts && !d.postedWhole {
			d.posted = t.postedData(ctx, e.id)
		}
		var w strings.Builder
		w.WriteString(e.what + "\n" + d.outcome() + "\n")
		section(&w, "request headers", requested)
		if d.posts {
			section(&w, "request body", postedLines(d.posted, requested))
		}
		if d.status > 0 {
			section(&w, "response headers", headerLines(d.headers))
		}
		if d.status > 0 && !d.hops && d.failure == "" {
			body, note := t.body(ctx, e.id, d)
			section(&w, "response body"+note, body)
		}
		out.Text = text.Clean(w.String(), text.Verbatim, nil)
		return nil
	})
	return out, err
}

// exchange returns copies of an exchange and of its details.
func (t *tab) exchange(number int) (exchange, details, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	x := &t.journal.exchanges
	for _, e := range x.kept {
		if e.number == number {
			return *e, *e.detail, nil
		}
	}
	hint := "browser_log with what=network lists the requests with their numbers"
	if len(x.kept) > 0 {
		hint = fmt.Sprintf("the tab has %d to %d; %s", x.kept[0].number, x.count, hint)
	}
	return exchange{}, details{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("request %d is not kept", number), hint)
}

// outcome says how an exchange went.
func (d *details) outcome() string {
	var out []string
	switch {
	case d.failure != "":
		out = append(out, "failed: "+line(d.failure, 200))
	case d.status == 0:
		out = append(out, "no answer yet")
	}
	if d.status > 0 {
		out = append(out, strings.TrimSpace(strconv.Itoa(d.status)+" "+line(d.statusText, 100)))
	}
	for _, s := range []string{d.kind, line(d.mime, 100)} {
		if s != "" {
			out = append(out, s)
		}
	}
	if d.asked > 0 && d.answered > d.asked {
		out = append(out, fmt.Sprintf("headers after %.0f ms", 1000*(d.answered-d.asked)))
	}
	if d.asked > 0 && d.ended > d.asked {
		out = append(out, fmt.Sprintf("complete after %.0f ms", 1000*(d.ended-d.asked)))
	}
	if d.bytes > 0 {
		out = append(out, fmt.Sprintf("%.0f bytes over the network", d.bytes))
	}
	return strings.Join(out, "; ")
}

func section(w *strings.Builder, title, lines string) {
	if lines != "" {
		w.WriteString("\n" + title + ":\n" + strings.TrimRight(lines, "\n") + "\n")
	} else {
		w.WriteString("\n" + title + ": none kept\n")
	}
}

// headerLines writes headers as "name: value", a line for each value, without secrets.
func headerLines(raw string) string {
	var w strings.Builder
	in := json.NewDecoder(strings.NewReader(raw))
	if _, err := in.Token(); err != nil {
		return ""
	}
	for in.More() {
		name, err := in.Token()
		if err != nil {
			break
		}
		value, err := in.Token()
		if err != nil {
			break
		}
		for v := range strings.SplitSeq(fmt.Sprint(value), "\n") {
			w.WriteString(text.Line(audit.Mask(fmt.Sprintf("%s: %s", name, v))) + "\n")
		}
	}
	return w.String()
}

// postedData asks the browser for posted data that was too long for an event.
func (t *tab) postedData(ctx context.Context, id network.RequestID) string {
	for _, s := range t.sessions() {
		var r struct {
			Posted string `json:"postData"`
		}
		if s.Call(ctx, network.GetRequestPostData.Method, network.GetRequestPostDataParams{RequestID: id}, &r) == nil {
			return r.Posted
		}
	}
	return ""
}

// postedLines writes posted data without secrets. The fields of a multipart body are
// written as "name=value", since the name of a secret stands on another line there.
func postedLines(posted, headers string) string {
	if fields, ok := multipartFields(posted, headers); ok {
		posted = fields
	}
	return shown(posted)
}

// shown is a body as it is shown: without secrets, and cut. It is masked before it is
// cut, since a part of a secret is not recognized.
func shown(body string) string {
	return cut(audit.Mask(strings.ToValidUTF8(cut(body, 16*shownBody), "\ufffd")), shownBody)
}

func multipartFields(posted, headers string) (string, bool) {
	var boundary string
	for l := range strings.Lines(headers) {
		if name, value, _ := strings.Cut(l, ":"); strings.EqualFold(name, "Content-Type") {
			_, params, err := mime.ParseMediaType(strings.TrimSpace(value))
			if err != nil {
				return "", false
			}
			boundary = params["boundary"]
		}
	}
	if boundary == "" {
		return "", false
	}
	var w strings.Builder
	parts := multipart.NewReader(strings.NewReader(posted), boundary)
	for w.Len() < 16*shownBody {
		p, err := parts.NextPart()
		if err != nil {
			break
		}
		value, _ := io.ReadAll(io.LimitReader(p, shownBody))
		if name := p.FileName(); name != "" {
			value = []byte("file " + name)
		}
		if probe := p.FormName() + "=x"; audit.Mask(probe) != probe {
			value = []byte("x") // a mask ends at a space, and a secret may have one
		}
		w.WriteString(p.FormName() + "=" + string(value) + "\n")
	}
	return w.String(), true
}

// body returns the body of an answer, and what there is to say of it.
func (t *tab) body(ctx context.Context, id network.RequestID, d details) (body, note string) {
	for _, s := range t.sessions() {
		var r struct {
			Body   string `json:"body"`
			Base64 bool   `json:"base64Encoded"`
		}
		if s.Call(ctx, network.GetResponseBody.Method, network.GetResponseBodyParams{RequestID: id}, &r) != nil {
			continue
		}
		if r.Base64 {
			return fmt.Sprintf("(not text: %s)", cmp.Or(line(d.mime, 100), "of no known type")), ""
		}
		if len(r.Body) > shownBody {
			note = fmt.Sprintf(" (the first %d of %d bytes)", shownBody, len(r.Body))
		}
		return shown(r.Body), note
	}
	if d.ended == 0 {
		return "(it has not come whole)", ""
	}
	return fmt.Sprintf("(the browser no longer has it: it keeps %d KB of a body, and those of the last page)", bufferedBody>>10), ""
}

// sessions are those of the tab's processes, that of the main document first.
func (t *tab) sessions() []*session {
	t.mu.Lock()
	defer t.mu.Unlock()
	out := []*session{t.main}
	for _, s := range t.frames {
		out = append(out, s)
	}
	return out
}
