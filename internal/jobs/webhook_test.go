package jobs

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// receiver takes webhooks in the place of the network.
type receiver struct {
	mu     sync.Mutex
	answer func(n int, r *http.Request) (status int, header http.Header, err error) // n counts from 0
	got    []received
	at     []time.Time
}

type received struct {
	url, id, stamp, signature string
	body                      []byte
	Type                      string
	Data                      struct {
		Job   string
		Pages []struct{ URL, Markdown string }
		Next  int64
		State struct{ State, Stopped string }
	}
}

func (s *receiver) RoundTrip(r *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	m := received{url: r.URL.String(), id: r.Header.Get("webhook-id"), stamp: r.Header.Get("webhook-timestamp"), signature: r.Header.Get("webhook-signature"), body: body}
	if err := json.Unmarshal(body, &m); err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.got)
	s.got, s.at = append(s.got, m), append(s.at, time.Now())
	status, header := 204, http.Header{}
	if s.answer != nil {
		if status, header, err = s.answer(n, r); err != nil {
			return nil, err
		}
	}
	return &http.Response{StatusCode: status, Header: header, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
}

func (s *receiver) all() []received {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]received(nil), s.got...)
}

// refusedHost is what the policy refuses.
const refusedHost = "inside.example.com"

type policyError struct{}

func (policyError) Error() string { return "refused at the dial" }
func (policyError) BlockedByPolicy() (rule, reason, hint string) {
	return "address", "10.0.0.7 is not public", ""
}

func hooked(to *receiver) Options {
	return Options{RoundTripper: to, UserAgent: "spyhop-test", Key: func() ([]byte, error) { return []byte(strings.Repeat("k", 32)), nil },
		Judge: func(u weburl.URL) (weburl.URL, error) {
			if u.Host() == refusedHost {
				return u, tool.NewError(tool.Blocked, "blocked", "")
			}
			return u, nil
		},
		Audited: func(ctx context.Context, _ string, run func(context.Context) error) error { return run(ctx) }}
}

const hookURL = "https://hooks.example.com/take?token=s3cr3t-of-the-address"

func withHook(q crawl.Call) crawl.Call {
	q.Webhook = &crawl.Webhook{URL: hookURL, Pages: true}
	return q
}

// A receiver gets each page once and the end, signed so that the rules of Standard
// Webhooks accept it; nothing that is stored has the secret.
func TestWebhook(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		to := &receiver{}
		r := g.runner(hooked(to))
		defer g.run(r)()
		var urls []string
		for i := range 250 {
			urls = append(urls, fmt.Sprintf("https://a.example.com/%d", i))
		}
		j, err := r.Start(t.Context(), "ann", withHook(batch(urls...)))
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(30 * time.Second)
		synctest.Wait()
		secret := r.Secret(j)
		raw, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
		if err != nil || len(raw) != 32 || !strings.HasPrefix(secret, "whsec_") {
			t.Fatalf("%q %v", secret, err)
		}
		pages, ids, last := map[string]bool{}, map[string]bool{}, received{}
		for _, m := range to.all() {
			last = m
			if m.url != hookURL || ids[m.id] || m.id == "" || m.signature != sign(raw, m.id, m.stamp, m.body) || m.Data.Job != j.ID || len(m.Data.Pages) > hookPages {
				t.Errorf("%+v", m)
			}
			ids[m.id] = true
			for _, p := range m.Data.Pages {
				if pages[p.URL] || p.Markdown != "" || m.Type != "job.pages" {
					t.Errorf("%s: %+v", m.Type, p)
				}
				pages[p.URL] = true
			}
		}
		if len(pages) != 250 || last.Type != "job.ended" || last.Data.State.State != "done" {
			t.Errorf("%d pages, then %+v", len(pages), last)
		}
		j = g.job(j.ID)
		if !j.Due.IsZero() || bytes.Contains(append(j.Options, j.Progress...), raw) || bytes.Contains(append(j.Options, j.Progress...), []byte(secret[6:])) {
			t.Errorf("%+v", j)
		}
		// Other owners and other addresses have other secrets; the same ones the same.
		for _, c := range []struct {
			owner, url string
			same       bool
		}{{"ann", hookURL, true}, {"bob", hookURL, false}, {"ann", hookURL + "2", false}} {
			if other, err := r.signingSecret(c.owner, c.url); err != nil || (other == secret) != c.same {
				t.Errorf("%s %s: %v", c.owner, c.url, err)
			}
		}
		// A job that goes on tells its end again, under another id.
		if _, err := r.Start(t.Context(), "ann", crawl.Call{Job: j.ID}); err != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Second)
		if all := to.all(); all[len(all)-1].Type != "job.ended" || ids[all[len(all)-1].id] {
			t.Errorf("%+v", all[len(all)-1])
		}
	})
}

// The vector of the Standard Webhooks specification's reference libraries.
func TestSign(t *testing.T) {
	secret, err := base64.StdEncoding.DecodeString("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	if err != nil {
		t.Fatal(err)
	}
	if got := sign(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", "1614265330", []byte(`{"test": 2432232314}`)); got != "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=" {
		t.Error(got)
	}
}

// A receiver that fails is tried again, later each time, with the same id, over a
// restart too, and in the end given up; the job says so, without the address.
func TestWebhookRetries(t *testing.T) {
	for _, c := range []struct {
		name   string
		answer func(n int, r *http.Request) (int, http.Header, error)
		tries  int
		gaveUp bool
		says   string
	}{
		{"twice 500", func(n int, _ *http.Request) (int, http.Header, error) {
			return []int{500, 500, 200}[min(n, 2)], nil, nil
		}, 3, false, ""},
		{"always 500", func(int, *http.Request) (int, http.Header, error) { return 500, nil, nil }, maxHookTries, true, "given up. Tries: 10. The last one: \"the receiver answered with HTTP status 500\""},
		{"gone", func(int, *http.Request) (int, http.Header, error) { return 410, nil, nil }, 1, true, "HTTP status 410"},
		{"a redirect", func(int, *http.Request) (int, http.Header, error) {
			return 302, http.Header{"Location": {"http://10.0.0.7/"}}, nil
		}, maxHookTries, true, "HTTP status 302"},
		{"no connection", func(int, *http.Request) (int, http.Header, error) {
			return 0, nil, errors.New("dial " + hookURL + ": refused")
		}, maxHookTries, true, "the receiver could not be reached"},
		{"the policy", func(int, *http.Request) (int, http.Header, error) { return 0, nil, policyError{} }, 1, true, "the policy refuses its URL"},
		{"asks to wait", func(n int, _ *http.Request) (int, http.Header, error) {
			return []int{429, 200}[min(n, 1)], http.Header{"Retry-After": {"600"}}, nil
		}, 2, false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t)
				to := &receiver{answer: c.answer}
				r := g.runner(hooked(to))
				stop := g.run(r)
				q := withHook(batch("https://a.example.com/"))
				q.Webhook.Pages = false
				j, err := r.Start(t.Context(), "ann", q)
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(3 * time.Second)
				stop()
				if n := len(to.all()); n != 1 {
					t.Errorf("%d messages at once", n)
				}
				r = g.runner(hooked(to))
				r.every = time.Minute
				defer g.run(r)()
				time.Sleep(2 * time.Hour)
				synctest.Wait()
				all := to.all()
				if len(all) != c.tries {
					t.Errorf("%d tries", len(all))
				}
				for i, m := range all {
					if m.id != all[0].id {
						t.Errorf("try %d has the id %s, the first %s", i, m.id, all[0].id)
					}
					if i > 0 && to.at[i].Sub(to.at[i-1]) < min(firstRetry<<(i-1), mostRetry) {
						t.Errorf("try %d after %v", i, to.at[i].Sub(to.at[i-1]))
					}
				}
				if c.name == "asks to wait" && to.at[1].Sub(to.at[0]) < 10*time.Minute {
					t.Errorf("tried again after %v", to.at[1].Sub(to.at[0]))
				}
				j = g.job(j.ID)
				_, at := crawl.Hook(j)
				state, err := (&crawl.Crawler{Web: g.s.web(), Frontier: g.f}).Status(t.Context(), j)
				if err != nil || at.GaveUp != c.gaveUp || !j.Due.IsZero() || j.State != frontier.Done {
					t.Errorf("%v %+v %+v", err, at, j)
				}
				said := strings.Join(state.Notices, " ")
				if !strings.Contains(said, c.says) || c.says == "" && said != "" || strings.Contains(said, "hooks.example") || strings.Contains(said, "10.0.0.7") {
					t.Errorf("%q", said)
				}
			})
		})
	}
}

// What is no address of a receiver is refused before there is a job.
func TestWebhookRefused(t *testing.T) {
	g := newRig(t)
	r := g.runner(hooked(&receiver{}))
	for _, c := range []struct {
		url  string
		kind tool.ErrorType
	}{
		{"https://" + refusedHost + "/", tool.Blocked}, {"ftp://a.example.com/", tool.InvalidURL}, {"", tool.InvalidURL}, {"https://user:pass@a.example.com/", tool.InvalidURL},
		{"https://a.example.com/" + strings.Repeat("x", maxWebhookURL), tool.InvalidURL},
	} {
		q := batch("https://a.example.com/")
		q.Webhook = &crawl.Webhook{URL: c.url}
		_, err := r.Start(t.Context(), "ann", q)
		if e := tool.AsError(err); err == nil || e.Type != c.kind || strings.Contains(e.Error(), "pass") && strings.Contains(e.Error(), "user:") {
			t.Errorf("%.60s: %v", c.url, err)
		}
	}
	if jobs, err := g.f.Jobs(t.Context(), frontier.JobQuery{}); err != nil || len(jobs) != 0 {
		t.Errorf("%d jobs, %v", len(jobs), err)
	}
	o := hooked(&receiver{})
	o.Key = func() ([]byte, error) { return nil, errors.New("the file is gone") }
	if _, err := g.runner(o).Start(t.Context(), "ann", withHook(batch("https://a.example.com/"))); err == nil {
		t.Error("a webhook that cannot be signed")
	}
	if _, err := g.runner(Options{}).Start(t.Context(), "ann", withHook(batch("https://a.example.com/"))); err == nil {
		t.Error("a webhook without a way out")
	}
}
