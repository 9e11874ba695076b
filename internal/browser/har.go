package browser

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/audit"
)

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
