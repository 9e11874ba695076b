package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"strconv"
	"strings"
	"time"

	"github.com/chromedp/cdproto/network"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Rules of exchanges. An exchange is a request of a page and the answer to it. Each hop
// of a redirect is an exchange. They are numbered in the order of the requests, from 1,
// for as long as the tab is open. Secrets in addresses, headers and bodies are
// masked as in the audit log.

// Exchange is a request of a page and its answer, as text.
type Exchange struct {
	Place Place
	Text  string
}

// Exchange describes an exchange of a tab by its number in the log: addresses, status,
// times, headers and bodies.
func (b *Browser) Exchange(ctx context.Context, at Place, number int) (out Exchange, err error) {
	out.Place, err = b.beside(ctx, at, needsContext, func(ctx context.Context, _ *browserContext, t *tab) error {
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

// An object is one of JSON. An HTTP archive (HAR 1.2) has what is known of exchanges. Secrets are
// masked as in the log.
type object map[string]any

// HAR writes the exchanges of a tab that are kept as an HTTP archive into Options.CaptureDir.
// Pages of the capture is the number of the exchanges.
func (b *Browser) HAR(ctx context.Context, at Place) (*Capture, error) {
	var out *Capture
	_, err := b.beside(ctx, at, needsContext, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.mu.Lock()
		var all []exchange
		var details []details
		for _, e := range t.journal.exchanges.kept {
			all, details = append(all, *e), append(details, *e.detail)
		}
		t.mu.Unlock()
		entries := make([]object, len(all))
		for i := range all {
			entries[i] = t.harEntry(ctx, all[i], details[i])
		}
		data, err := json.MarshalIndent(object{"log": object{
			"version": "1.2", "creator": object{"name": "spyhop", "version": "1"}, "pages": []string{}, "entries": entries,
		}}, "", " ")
		if err != nil {
			return err
		}
		data = []byte(b.options.Secrets.mask(string(data)))
		out = &Capture{MIME: "application/json", Data: data, Pages: len(entries)}
		return b.keep(ctx, t, out, "har")
	})
	return out, err
}

func (t *tab) harEntry(ctx context.Context, e exchange, d details) object {
	method, address, _ := strings.Cut(e.what, " ")
	_, query, _ := strings.Cut(address, "?")
	query, _, _ = strings.Cut(query, "#")
	requested := headerLines(d.requested)
	request := object{"method": method, "url": address, "httpVersion": "HTTP/1.1", "cookies": []object{}, "headers": pairs(requested, "\n", ": "),
		"queryString": pairs(query, "&", "="), "headersSize": -1, "bodySize": -1}
	if d.posts {
		if !d.postedWhole {
			d.posted = t.postedData(ctx, e.id)
		}
		request["postData"] = object{"size": len(d.posted), "mimeType": "application/octet-stream", "text": postedLines(d.posted, requested)}
	}
	content := object{"size": int(d.bytes), "mimeType": d.mime}
	if d.status > 0 && !d.hops && d.failure == "" {
		content["text"], _ = t.body(ctx, e.id, d)
	}
	wait, receive := 0.0, 0.0
	if d.answered > d.asked && d.asked > 0 {
		wait = 1000 * (d.answered - d.asked)
	}
	if d.ended > d.answered && d.answered > 0 {
		receive = 1000 * (d.ended - d.answered)
	}
	out := object{
		"startedDateTime": d.at.UTC().Format(time.RFC3339Nano), "time": wait + receive, "cache": object{}, "_resourceType": d.kind,
		"timings": object{"send": 0, "wait": wait, "receive": receive}, "request": request,
		"response": object{"status": d.status, "statusText": d.statusText, "httpVersion": "HTTP/1.1", "cookies": []object{}, "headers": pairs(headerLines(d.headers), "\n", ": "),
			"content": content, "redirectURL": "", "headersSize": -1, "bodySize": int(d.bytes)},
	}
	if d.failure != "" {
		out["_error"] = d.failure
	}
	return out
}

// pairs are the names and values of headers or of a query.
func pairs(list, end, between string) []object {
	out := []object{}
	for l := range strings.SplitSeq(list, end) {
		if name, value, _ := strings.Cut(l, between); name != "" {
			out = append(out, object{"name": name, "value": audit.Mask(value)})
		}
	}
	return out
}
