package browser

import (
	"context"
	"encoding/json"
	"net/url"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
)

// The parts of an HTTP archive (HAR 1.2) that are known of an exchange. Secrets are masked as
// in the log.
type (
	harEntry struct {
		Started  string      `json:"startedDateTime"`
		Time     float64     `json:"time"` // milliseconds
		Request  harRequest  `json:"request"`
		Response harResponse `json:"response"`
		Cache    struct{}    `json:"cache"`
		Timings  harTimings  `json:"timings"`
		Kind     string      `json:"_resourceType,omitempty"`
		Error    string      `json:"_error,omitempty"`
	}
	harRequest struct {
		Method      string    `json:"method"`
		URL         string    `json:"url"`
		Version     string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		Query       []harPair `json:"queryString"`
		Posted      *harBody  `json:"postData,omitempty"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	}
	harResponse struct {
		Status      int       `json:"status"`
		StatusText  string    `json:"statusText"`
		Version     string    `json:"httpVersion"`
		Cookies     []harPair `json:"cookies"`
		Headers     []harPair `json:"headers"`
		Content     harBody   `json:"content"`
		RedirectURL string    `json:"redirectURL"`
		HeadersSize int       `json:"headersSize"`
		BodySize    int       `json:"bodySize"`
	}
	harPair struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	harBody struct {
		Size int    `json:"size"`
		Type string `json:"mimeType"`
		Text string `json:"text,omitempty"`
	}
	harTimings struct {
		Send    float64 `json:"send"`
		Wait    float64 `json:"wait"`
		Receive float64 `json:"receive"`
	}
)

// HAR writes the exchanges of a tab that are kept as an HTTP archive into Options.CaptureDir.
// Pages of the capture is the number of the exchanges.
func (b *Browser) HAR(ctx context.Context, at Place) (*Capture, error) {
	var out *Capture
	err := b.beside(ctx, at, needsContext, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.mu.Lock()
		var all []exchange
		var details []details
		for _, e := range t.journal.exchanges.kept {
			all, details = append(all, *e), append(details, *e.detail)
		}
		t.mu.Unlock()
		entries := make([]harEntry, len(all))
		for i := range all {
			entries[i] = t.harEntry(ctx, all[i], details[i])
		}
		data, err := json.MarshalIndent(map[string]any{"log": map[string]any{
			"version": "1.2", "creator": map[string]string{"name": "spyhop", "version": "1"}, "pages": []string{}, "entries": entries,
		}}, "", " ")
		if err != nil {
			return err
		}
		data = []byte(b.options.Secrets.Mask(string(data)))
		out = &Capture{MIME: "application/json", Data: data, Pages: len(entries)}
		return b.keep(ctx, t, out, "har")
	})
	return out, err
}

func (t *tab) harEntry(ctx context.Context, e exchange, d details) harEntry {
	method, address, _ := strings.Cut(e.what, " ")
	requested := headerLines(d.requested)
	out := harEntry{
		Started: d.at.UTC().Format(time.RFC3339Nano), Kind: d.kind, Error: d.failure,
		Request:  harRequest{Method: method, URL: address, Version: "HTTP/1.1", Cookies: []harPair{}, Headers: pairs(requested), Query: []harPair{}, HeadersSize: -1, BodySize: -1},
		Response: harResponse{Status: d.status, StatusText: d.statusText, Version: "HTTP/1.1", Cookies: []harPair{}, Headers: pairs(headerLines(d.headers)), HeadersSize: -1, BodySize: int(d.bytes)},
	}
	if u, err := url.Parse(address); err == nil {
		for name, values := range u.Query() {
			for _, v := range values {
				out.Request.Query = append(out.Request.Query, harPair{name, v})
			}
		}
	}
	if d.posts {
		if !d.postedWhole {
			d.posted = t.postedData(ctx, e.id)
		}
		out.Request.Posted = &harBody{Size: len(d.posted), Type: "application/octet-stream", Text: postedLines(d.posted, requested)}
	}
	out.Response.Content = harBody{Size: int(d.bytes), Type: d.mime}
	if d.status > 0 && !d.hops && d.failure == "" {
		out.Response.Content.Text, _ = t.body(ctx, e.id, d)
	}
	if d.answered > d.asked && d.asked > 0 {
		out.Timings.Wait = 1000 * (d.answered - d.asked)
	}
	if d.ended > d.answered && d.answered > 0 {
		out.Timings.Receive = 1000 * (d.ended - d.answered)
	}
	out.Time = out.Timings.Wait + out.Timings.Receive
	return out
}

// pairs are the lines of headers as names and values.
func pairs(lines string) []harPair {
	out := []harPair{}
	for l := range strings.Lines(lines) {
		if name, value, ok := strings.Cut(strings.TrimSuffix(l, "\n"), ": "); ok {
			out = append(out, harPair{name, audit.Mask(value)})
		}
	}
	return out
}
