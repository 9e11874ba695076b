package jobs

import (
	"bytes"
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/firecrawl"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Webhooks have the form of Standard Webhooks (standardwebhooks.com), for which
// receivers find libraries: the headers webhook-id, webhook-timestamp and
// webhook-signature, which is "v1," and the base64 of HMAC-SHA256 over id, timestamp
// and body with points between them.
//
// What has been told is stored with the job, so that nothing is kept in memory for a
// receiver that is away: the next try reads the pages again. A message can come twice,
// and then has the same id.

const secretPrefix = "whsec_" // as receivers' libraries expect it

// signingSecret returns the secret of an owner's webhooks to an address, as its receiver
// needs it.
func (r *Runner) signingSecret(owner, url string) (string, error) {
	k, err := r.secret(owner, url)
	return written(k), err
}

func written(secret []byte) string { return secretPrefix + base64.StdEncoding.EncodeToString(secret) }

// secret follows from the key, the owner and the address: it is stored nowhere, and two
// receivers never have the same one.
func (r *Runner) secret(owner, url string) ([]byte, error) {
	if r.o.Key == nil {
		return nil, errors.New("there is no key")
	}
	key, err := r.o.Key()
	if err != nil {
		return nil, err
	}
	m := hmac.New(sha256.New, key)
	fmt.Fprintf(m, "webhook\x00%s\x00%s", owner, url)
	return m.Sum(nil), nil
}

// sign returns the signature of a message.
func sign(secret []byte, id, timestamp string, body []byte) string {
	m := hmac.New(sha256.New, secret)
	fmt.Fprintf(m, "%s.%s.", id, timestamp)
	m.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(m.Sum(nil))
}

// checkWebhook returns the canonical form of the address of a webhook. The error is a
// *tool.Error.
func checkWebhook(raw string, judge func(weburl.URL) error) (string, error) {
	u, err := weburl.ParseLenient(raw)
	switch {
	case err != nil || u.Scheme() != "http" && u.Scheme() != "https":
		return "", tool.NewError(tool.InvalidURL, "the URL of the webhook is not http or https", "for example https://example.com/hook")
	case u.HasUserinfo():
		return "", tool.NewError(tool.InvalidURL, "the URL of the webhook has a user name", "check webhook-signature in place of a password")
	case len(raw) > maxWebhookURL:
		return "", tool.NewError(tool.InvalidURL, fmt.Sprintf("the URL of the webhook has more than %d bytes", maxWebhookURL), "use a shorter one")
	}
	if err := judge(u); err != nil {
		return "", tool.AsError(err)
	}
	return u.WithoutFragment().String(), nil
}

// checkFirecrawl checks what messages in the form of Firecrawl's API are to have.
func checkFirecrawl(h *result.FirecrawlWebhook) error {
	if h == nil {
		return nil
	}
	known := firecrawl.Events()
	for _, event := range h.Events {
		if !slices.Contains(known, event) {
			return tool.NewError(tool.InvalidInput, "the webhook has an event that does not exist", "the events are "+strings.Join(known, ", "))
		}
	}
	size := 0
	for name, value := range h.Metadata {
		size += len(name) + len(value)
	}
	if size > maxHookMetadata {
		return tool.NewError(tool.TooLarge, fmt.Sprintf("the metadata of the webhook has more than %d bytes", maxHookMetadata), "give a short name for what it is about")
	}
	return nil
}

const (
	maxWebhookURL   = 2048
	maxHookMetadata = 4096 // bytes
	// hookPages is how many pages are told of at a time: in one message, and where each
	// page has its own in so many. hookEvery is the time between that while a job runs.
	hookPages   = 100
	hookEvery   = 2 * time.Second
	hookTimeout = 15 * time.Second
	// A message is tried maxHookTries times: at first after firstRetry, then each time
	// after twice as long, all together for 85 minutes.
	maxHookTries = 10
	firstRetry   = 5 * time.Second
	mostRetry    = time.Hour
	// maxHookAnswer is what is read of an answer, so that the connection can be used
	// again.
	maxHookAnswer = 64 << 10
)

// message is the body of a webhook.
type message struct {
	// Type is "job.pages", "job.ended" or "monitor.changed".
	Type      string    `json:"type"`
	Timestamp time.Time `json:"timestamp"`
	Data      any       `json:"data"`
}

// hookData is what a message about a job says.
type hookData struct {
	Job   string             `json:"job"`
	Pages []result.CrawlPage `json:"pages,omitempty"` // without Markdown
	Next  int64              `json:"next,omitempty"`
	State *result.Crawl      `json:"state,omitempty"`
}

// changeData is what a message about a monitor says.
type changeData struct {
	Monitor string              `json:"monitor"`
	Changes []result.PageChange `json:"changes"`
	Next    int64               `json:"next"`
}

// refusal is why a message was not taken.
type refusal struct {
	fault string        // in words
	after time.Duration // Retry-After
	final bool          // no further try helps
}

func (r *refusal) Error() string { return "the webhook was not taken: " + r.fault }

// refusedHook is a webhook to which the policy lets nothing through.
func refusedHook() error { return &refusal{fault: "the policy refuses its URL", final: true} }

func newMessage(kind string, data any) message {
	return message{Type: kind, Timestamp: time.Now().UTC(), Data: data}
}

// post sends a message. The error is a *refusal, or that of ctx.
func (r *Runner) post(ctx context.Context, owner string, hook *crawl.Webhook, n *news) error {
	body, err := json.Marshal(n.body)
	if err != nil {
		return &refusal{final: true}
	}
	secret, err := r.secret(owner, hook.URL)
	if err != nil {
		return &refusal{fault: "the key of signatures cannot be read"}
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	header := http.Header{"Content-Type": {"application/json"}, "User-Agent": {r.o.UserAgent},
		"Webhook-Id": {n.id}, "Webhook-Timestamp": {timestamp}, "Webhook-Signature": {sign(secret, n.id, timestamp, body)}}
	if hook.Firecrawl != nil {
		header.Set(firecrawl.SignatureHeader, firecrawl.Sign(written(secret), body))
	}
	ctx, stop := context.WithTimeout(ctx, hookTimeout)
	defer stop()
	return r.o.Audited(ctx, "webhook", func(ctx context.Context) error { return r.send(ctx, hook.URL, header, body) })
}

// Tell sends a message in the form of Firecrawl's API that belongs to no job. It retries as the
// messages of jobs are retried, until the receiver accepts it or ctx ends. Without a body it only
// checks the URL, and returns the secret of the signatures. The error is a *tool.Error or that of ctx.
func (r *Runner) Tell(ctx context.Context, owner, url, id string, body any) (secret string, err error) {
	hook, err := r.webhook(&crawl.Webhook{URL: url, Firecrawl: &result.FirecrawlWebhook{}})
	if err != nil || body == nil {
		secret, _ = r.signingSecret(owner, hook.URL) // the key was read
		return secret, err
	}
	for at := (crawl.HookState{}); !at.GaveUp; {
		if err = r.post(ctx, owner, hook, &news{id: id, body: body}); err == nil {
			return "", nil
		}
		at = after(at, at, err)
		select {
		case <-ctx.Done():
			return "", ctx.Err()
		case <-time.After(time.Until(at.Due)):
		}
	}
	return "", err
}

// blocked is a decision of the policy.
type blocked interface {
	error
	BlockedByPolicy() (rule, reason, hint string)
}

func (r *Runner) send(ctx context.Context, address string, header http.Header, body []byte) error {
	u, err := weburl.Parse(address)
	if err == nil {
		u, err = r.o.Judge(u)
	}
	if err != nil {
		return refusedHook()
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return refusedHook()
	}
	q.Header = header
	res, err := r.o.RoundTripper.RoundTrip(q)
	if err != nil {
		if errors.As(err, new(blocked)) {
			return refusedHook()
		}
		return &refusal{fault: "the receiver could not be reached"}
	}
	_, _ = io.CopyN(io.Discard, res.Body, maxHookAnswer)
	_ = res.Body.Close()
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return nil
	}
	out := &refusal{fault: fmt.Sprintf("the receiver answered with HTTP status %d", res.StatusCode), final: res.StatusCode == http.StatusGone}
	if n, err := strconv.Atoi(strings.TrimSpace(res.Header.Get("Retry-After"))); err == nil && n > 0 {
		out.after = min(time.Duration(n)*time.Second, mostRetry)
	}
	return out
}

// news is what a webhook is told next.
type news struct {
	// id is the same when the message is sent again.
	id   string
	body any // nil: nothing, but next is stored
	// next is how far the webhook has been told once the message was taken.
	next crawl.HookState
}

// tell sends the next message of a job, if there is one, and stores what became of it.
// more reports whether there may be another one now.
func (r *Runner) tell(ctx context.Context, c *crawl.Crawler, id string) (more bool, err error) {
	j, err := c.Frontier.Job(ctx, "", id)
	if err != nil {
		return false, err
	}
	hook, at := crawl.Hook(j)
	if hook == nil || at.GaveUp || at.Ended || time.Now().Before(at.Due) {
		return false, nil
	}
	find := jobNews
	switch {
	case j.Kind == crawl.KindMonitor:
		find = changeNews
	case hook.Firecrawl != nil:
		find = firecrawlNews
	}
	n, err := find(ctx, c, j, hook, at)
	if err != nil || n == nil {
		return false, err
	}
	var wrong error
	if n.body != nil {
		wrong = r.post(ctx, j.Owner, hook, n)
	}
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	next := after(n.next, at, wrong)
	_, err = crawl.Change(ctx, c.Frontier, id, func(j *frontier.Job) { crawl.SetHook(j, func(h *crawl.HookState) { *h = next }) })
	return wrong == nil, err
}

// changeNews tells what a monitor has seen; nil: nothing new.
func changeNews(ctx context.Context, c *crawl.Crawler, j frontier.Job, _ *crawl.Webhook, at crawl.HookState) (*news, error) {
	list, err := c.Changes(ctx, j, at.Cursor, time.Time{}, hookPages)
	if err != nil || list.Next == at.Cursor {
		return nil, err
	}
	n := &news{id: fmt.Sprintf("%s-changes-%d", j.ID, at.Cursor), next: at}
	n.next.Cursor = list.Next
	n.body = newMessage("monitor.changed", changeData{j.ID, list.Changes, list.Next})
	return n, nil
}

// jobNews tells of pages, and of the end of a job; nil: nothing yet.
func jobNews(ctx context.Context, c *crawl.Crawler, j frontier.Job, hook *crawl.Webhook, at crawl.HookState) (*news, error) {
	if hook.Pages {
		pages, err := c.Pages(ctx, j, at.Cursor, hookPages, false)
		if err != nil {
			return nil, err
		}
		if len(pages.Pages) > 0 {
			n := &news{id: fmt.Sprintf("%s-pages-%d", j.ID, at.Cursor), next: at}
			n.next.Cursor = pages.Next
			n.body = newMessage("job.pages", hookData{Job: j.ID, Pages: pages.Pages, Next: pages.Next})
			return n, nil
		}
	}
	n, state, err := endNews(ctx, c, j, at)
	if n != nil {
		n.body = newMessage("job.ended", hookData{Job: j.ID, State: state})
	}
	return n, err
}

// endNews is what the message of the end of a job has in every form; nil: the job runs.
func endNews(ctx context.Context, c *crawl.Crawler, j frontier.Job, at crawl.HookState) (*news, *result.Crawl, error) {
	if j.State == frontier.Running {
		return nil, nil, nil
	}
	state, err := c.Status(ctx, j)
	if err != nil {
		return nil, nil, err
	}
	n := &news{id: fmt.Sprintf("%s-ended-%d", j.ID, at.Ends), next: at}
	n.next.Ended, n.next.Ends = true, at.Ends+1
	return n, state, nil
}

// firecrawlNews is jobNews in the form of Firecrawl's API: the start, each page by itself
// with its content, and the end; nil: nothing yet.
func firecrawlNews(ctx context.Context, c *crawl.Crawler, j frontier.Job, hook *crawl.Webhook, at crawl.HookState) (*news, error) {
	wants := func(event string) bool {
		return len(hook.Firecrawl.Events) == 0 || slices.Contains(hook.Firecrawl.Events, event)
	}
	message := func(n *news, event string, change func(*firecrawl.Message)) (*news, error) {
		m := firecrawl.NewMessage(j.Kind, event)
		m.ID, m.WebhookID, m.Metadata, m.Timestamp = j.ID, n.id, hook.Firecrawl.Metadata, time.Now().UTC()
		if change != nil {
			change(&m)
		}
		n.body = m
		return n, nil
	}
	if !at.Started {
		at.Started = true
		if wants(firecrawl.Started) {
			return message(&news{id: j.ID + "-started", next: at}, firecrawl.Started, nil)
		}
	}
	for wants(firecrawl.Page) {
		list, err := c.Pages(ctx, j, at.Cursor, 1, true)
		if err != nil {
			return nil, err
		}
		if list.Next == at.Cursor {
			break
		}
		n := &news{id: fmt.Sprintf("%s-page-%d", j.ID, at.Cursor), next: at}
		if at.Cursor, n.next.Cursor = list.Next, list.Next; len(list.Pages) == 0 {
			continue // a record that cannot be read
		}
		return message(n, firecrawl.Page, func(m *firecrawl.Message) {
			d := firecrawl.Of(list.Pages[0])
			m.Data, m.Error, m.Success = []firecrawl.Document{d}, d.Metadata.Error, d.Metadata.Error == ""
		})
	}
	n, state, err := endNews(ctx, c, j, at)
	if err != nil || n == nil {
		return nil, err
	}
	event, why := firecrawl.Completed, ""
	switch firecrawl.Status(state) {
	case firecrawl.Failed:
		event, why = firecrawl.Failed, firecrawl.NothingRead(state)
	case firecrawl.Cancelled:
		event, why = firecrawl.Failed, "the job was cancelled"
	}
	if !wants(event) {
		return n, nil
	}
	return message(n, event, func(m *firecrawl.Message) { m.Error = why })
}

// after is how far a webhook has been told after a try: next where it was taken, else
// as it was, with the time of the next try.
func after(next, at crawl.HookState, wrong error) crawl.HookState {
	if wrong == nil {
		next.Tries, next.Due, next.Fault = 0, time.Time{}, ""
		return next
	}
	at.Fault = "the message could not be sent"
	at.Tries++
	wait := min(firstRetry<<min(at.Tries-1, 20), mostRetry)
	var no *refusal
	if errors.As(wrong, &no) {
		at.Fault, at.GaveUp = cmp.Or(no.fault, at.Fault), no.final
		wait = max(wait, no.after)
	}
	at.GaveUp = at.GaveUp || at.Tries >= maxHookTries
	at.Due = time.Now().Add(wait)
	return at
}

// tellWhile sends messages until over is closed, one after the other: each time at most
// as many as burst says.
func (r *Runner) tellWhile(ctx context.Context, c *crawl.Crawler, id string, burst int, over <-chan struct{}) {
	for {
		for n, more := 0, true; more && n < burst; n++ {
			var err error
			if more, err = r.tell(ctx, c, id); err != nil && ctx.Err() == nil && frontier.CodeOf(err) != frontier.NotFound {
				r.o.OnError(fmt.Errorf("the webhook of job %s: %w", id, err))
			}
		}
		timer := time.NewTimer(hookEvery)
		select {
		case <-over:
			timer.Stop()
			return
		case <-timer.C:
		}
	}
}

// tellRest sends what is left of a job that has ended, as long as the receiver takes
// it.
func (r *Runner) tellRest(ctx context.Context, c *crawl.Crawler, id string) error {
	for {
		if more, err := r.tell(ctx, c, id); err != nil || !more {
			return err
		}
	}
}
