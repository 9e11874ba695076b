package jobs

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
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

// Signer makes the secrets of webhooks. A secret follows from the key, the owner and
// the address: it is stored nowhere, and two receivers never have the same one.
type Signer struct {
	// Key returns the key of this installation, of 32 bytes at least.
	Key func() ([]byte, error)
}

const secretPrefix = "whsec_" // as receivers' libraries expect it

// Secret returns the secret of an owner's webhooks to an address, as its receiver
// needs it.
func (s Signer) Secret(owner, url string) (string, error) {
	k, err := s.secret(owner, url)
	return secretPrefix + base64.StdEncoding.EncodeToString(k), err
}

func (s Signer) secret(owner, url string) ([]byte, error) {
	if s.Key == nil {
		return nil, errors.New("there is no key")
	}
	key, err := s.Key()
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

// CheckWebhook returns the canonical form of the address of a webhook. The error is a
// *tool.Error.
func CheckWebhook(raw string, judge func(weburl.URL) error) (string, error) {
	u, err := weburl.ParseLenient(raw)
	switch {
	case err != nil || u.Scheme() != "http" && u.Scheme() != "https":
		return "", tool.NewError(tool.InvalidURL, "the address of the webhook is not an http or https URL", "for example https://example.com/hook")
	case u.HasUserinfo():
		return "", tool.NewError(tool.InvalidURL, "the address of the webhook has a user name", "check webhook-signature in place of a password")
	case len(raw) > maxWebhookURL:
		return "", tool.NewError(tool.InvalidURL, fmt.Sprintf("the address of the webhook has more than %d bytes", maxWebhookURL), "use a shorter one")
	}
	if err := judge(u); err != nil {
		return "", tool.AsError(err)
	}
	return u.WithoutFragment().String(), nil
}

const (
	maxWebhookURL = 2048
	// hookPages is how many pages one message has at most, hookEvery how often one may
	// be sent while a job runs.
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

// Message is the body of a webhook.
type Message struct {
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

// refusal is why a message was not taken.
type refusal struct {
	fault  crawl.HookFault
	status int           // of HookStatus
	after  time.Duration // Retry-After
	final  bool          // no further try helps
}

func (r *refusal) Error() string { return "the webhook was not taken: " + string(r.fault) }

// post sends a message. The error is a *refusal, or that of ctx.
func (r *Runner) post(ctx context.Context, owner, address, id string, m Message) error {
	body, err := json.Marshal(m)
	if err != nil {
		return &refusal{final: true}
	}
	secret, err := r.o.Signer.secret(owner, address)
	if err != nil {
		return &refusal{fault: crawl.HookUnsigned}
	}
	ctx, stop := context.WithTimeout(ctx, hookTimeout)
	defer stop()
	return r.o.Audited(ctx, "webhook", func(ctx context.Context) error { return r.send(ctx, address, id, secret, body) })
}

// blocked is a decision of the policy.
type blocked interface {
	error
	BlockedByPolicy() (rule, reason, hint string)
}

func (r *Runner) send(ctx context.Context, address, id string, secret, body []byte) error {
	u, err := weburl.Parse(address)
	if err == nil {
		u, err = r.o.Judge(u)
	}
	if err != nil {
		return &refusal{fault: crawl.HookRefused, final: true}
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), bytes.NewReader(body))
	if err != nil {
		return &refusal{fault: crawl.HookRefused, final: true}
	}
	timestamp := strconv.FormatInt(time.Now().Unix(), 10)
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("User-Agent", r.o.UserAgent)
	q.Header.Set("Webhook-Id", id)
	q.Header.Set("Webhook-Timestamp", timestamp)
	q.Header.Set("Webhook-Signature", sign(secret, id, timestamp, body))
	res, err := r.o.RoundTripper.RoundTrip(q)
	if err != nil {
		if errors.As(err, new(blocked)) {
			return &refusal{fault: crawl.HookRefused, final: true}
		}
		return &refusal{fault: crawl.HookUnreachable}
	}
	_, _ = io.CopyN(io.Discard, res.Body, maxHookAnswer)
	_ = res.Body.Close()
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return nil
	}
	out := &refusal{fault: crawl.HookStatus, status: res.StatusCode, final: res.StatusCode == http.StatusGone}
	if n, err := strconv.Atoi(strings.TrimSpace(res.Header.Get("Retry-After"))); err == nil && n > 0 {
		out.after = min(time.Duration(n)*time.Second, mostRetry)
	}
	return out
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
	m, name, next := Message{Timestamp: time.Now().UTC()}, "", at
	if hook.Pages {
		pages, err := c.Pages(ctx, j, at.Cursor, hookPages, false)
		if err != nil {
			return false, err
		}
		if len(pages.Pages) > 0 {
			m.Type, m.Data, next.Cursor = "job.pages", hookData{Job: j.ID, Pages: pages.Pages, Next: pages.Next}, pages.Next
			name = fmt.Sprintf("%s-pages-%d", j.ID, at.Cursor)
		}
	}
	if name == "" {
		if j.State == frontier.Running {
			return false, nil
		}
		state, err := c.Status(ctx, j)
		if err != nil {
			return false, err
		}
		m.Type, m.Data, next.Ended, next.Ends = "job.ended", hookData{Job: j.ID, State: state}, true, at.Ends+1
		name = fmt.Sprintf("%s-ended-%d", j.ID, at.Ends)
	}
	wrong := r.post(ctx, j.Owner, hook.URL, name, m)
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	next = after(next, at, wrong)
	_, err = crawl.Change(ctx, c.Frontier, id, func(j *frontier.Job) { crawl.SetHook(j, func(h *crawl.HookState) { *h = next }) })
	return wrong == nil, err
}

// after is how far a webhook has been told after a try: next where it was taken, else
// as it was, with the time of the next try.
func after(next, at crawl.HookState, wrong error) crawl.HookState {
	if wrong == nil {
		next.Tries, next.Due, next.Fault, next.Status = 0, time.Time{}, "", 0
		return next
	}
	at.Fault, at.Status = "", 0
	at.Tries++
	wait := min(firstRetry<<min(at.Tries-1, 20), mostRetry)
	var no *refusal
	if errors.As(wrong, &no) {
		at.Fault, at.Status, at.GaveUp = no.fault, no.status, no.final
		wait = max(wait, no.after)
	}
	at.GaveUp = at.GaveUp || at.Tries >= maxHookTries
	at.Due = time.Now().Add(wait)
	return at
}

// tellWhile sends messages until over is closed, one after the other.
func (r *Runner) tellWhile(ctx context.Context, c *crawl.Crawler, id string, over <-chan struct{}) {
	for {
		if _, err := r.tell(ctx, c, id); err != nil && ctx.Err() == nil && frontier.CodeOf(err) != frontier.NotFound {
			r.o.OnError(fmt.Errorf("the webhook of job %s: %w", id, err))
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
