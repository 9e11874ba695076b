package jobs

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// firecrawlReceiver reads messages as Firecrawl's documentation says, with its own code.
type firecrawlReceiver struct {
	mu     sync.Mutex
	status int // 0: 200
	got    []firecrawlGot
}

type firecrawlGot struct {
	Success                    bool
	Type, ID, WebhookID, Error string
	Metadata                   map[string]string
	Data                       []struct {
		Markdown string
		Metadata struct{ SourceURL, Error string }
	}
	body      []byte
	signature string
}

func (s *firecrawlReceiver) RoundTrip(r *http.Request) (*http.Response, error) {
	m := firecrawlGot{signature: r.Header.Get("X-Firecrawl-Signature")}
	var err error
	if m.body, err = io.ReadAll(r.Body); err == nil {
		err = json.Unmarshal(m.body, &m)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.got = append(s.got, m)
	status := 200
	if s.status != 0 {
		status = s.status
	}
	return &http.Response{StatusCode: status, Body: io.NopCloser(strings.NewReader("")), Request: r}, err
}

// A webhook in the form of Firecrawl's API gets the events that it wants, a message for
// each page, signed with the secret as it is written.
func TestFirecrawlWebhook(t *testing.T) {
	const home, missing = "https://a.example.com/", "https://a.example.com/missing"
	there := map[string]string{home: "", home + "1": ""}
	for _, c := range []struct {
		name   string
		urls   []string
		events []string
		stop   bool
		want   string
		err    string // of the last message
	}{
		{name: "all", urls: []string{home, home + "1", missing}, want: "batch_scrape.started batch_scrape.page batch_scrape.page batch_scrape.page! batch_scrape.completed"},
		{name: "pages only", urls: []string{home, home + "1"}, events: []string{"page"}, want: "batch_scrape.page batch_scrape.page"},
		{name: "the end only", urls: []string{home}, events: []string{"completed", "failed"}, want: "batch_scrape.completed"},
		{name: "nothing was read", urls: []string{missing}, events: []string{"completed", "failed"}, want: "batch_scrape.failed!", err: "no page was read: 1 failed, 0 were refused; HTTP 404"},
		{name: "a failure that is not wanted", urls: []string{missing}, events: []string{"completed"}},
		{name: "cancelled", urls: []string{home}, events: []string{"failed"}, stop: true, want: "batch_scrape.failed!", err: "the job was cancelled"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				g := newRig(t)
				g.s.html = there
				to := &firecrawlReceiver{}
				o := hooked(nil)
				o.RoundTripper = to
				r := g.runner(o)
				defer g.run(r)()
				if c.stop {
					g.s.gates["a.example.com"] = make(chan struct{})
				}
				q := batch(c.urls...)
				q.Webhook = &crawl.Webhook{URL: hookURL, Firecrawl: &result.FirecrawlWebhook{Events: c.events, Metadata: map[string]string{"project": "tides"}}}
				j, err := r.Start(t.Context(), "ann", q)
				if err != nil {
					t.Fatal(err)
				}
				time.Sleep(5 * time.Second)
				if c.stop {
					k := &crawl.Crawler{Web: g.s.web(), Frontier: g.f}
					if _, err := k.Stop(t.Context(), "ann", j.ID); err != nil {
						t.Fatal(err)
					}
					r.Stop(j.ID)
				}
				time.Sleep(time.Minute)
				synctest.Wait()
				m := hmac.New(sha256.New, []byte(r.Secret(j)))
				var types, ids []string
				last := ""
				for _, got := range to.got {
					m.Reset()
					m.Write(got.body)
					kind := got.Type
					if !got.Success {
						kind += "!"
					}
					types, ids, last = append(types, kind), append(ids, got.WebhookID), got.Error
					isPage := strings.HasSuffix(got.Type, ".page")
					if got.signature != "sha256="+hex.EncodeToString(m.Sum(nil)) || got.ID != j.ID || got.Metadata["project"] != "tides" || got.Data == nil || (len(got.Data) == 1) != isPage || got.Success == (got.Error != "") {
						t.Errorf("%s %s", got.signature, got.body)
					}
					if isPage && (got.Data[0].Metadata.SourceURL == "" || got.Success == (got.Data[0].Markdown == "") || got.Data[0].Metadata.Error != got.Error) {
						t.Errorf("%s", got.body)
					}
				}
				slices.Sort(types[:max(len(types)-1, 0)]) // a batch has no order of its own
				want := strings.Fields(c.want)
				slices.Sort(want[:max(len(want)-1, 0)])
				if !slices.Equal(types, want) || c.err != "" && last != c.err {
					t.Errorf("%q %q, want %q %q", types, last, want, c.err)
				}
				if slices.Sort(ids); len(slices.Compact(ids)) != len(types) {
					t.Errorf("messages have equal ids: %q", ids)
				}
				if j := g.job(j.ID); !j.Due.IsZero() || j.State == frontier.Running {
					t.Errorf("the job waits for something: %+v", j)
				}
			})
		})
	}
}

// A message that is not taken is sent again with its id, and the next ones wait for it.
func TestFirecrawlWebhookRetries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		g := newRig(t)
		to := &firecrawlReceiver{status: 500}
		o := hooked(nil)
		o.RoundTripper = to
		r := g.runner(o)
		defer g.run(r)()
		q := batch("https://a.example.com/")
		q.Webhook = &crawl.Webhook{URL: hookURL, Firecrawl: &result.FirecrawlWebhook{}}
		if _, err := r.Start(t.Context(), "ann", q); err != nil {
			t.Fatal(err)
		}
		time.Sleep(4 * time.Second)
		to.mu.Lock()
		to.status = 0
		to.mu.Unlock()
		time.Sleep(time.Minute)
		synctest.Wait()
		var got []string
		for _, m := range to.got {
			got = append(got, fmt.Sprint(m.Type, " ", m.WebhookID == to.got[0].WebhookID))
		}
		if want := []string{"batch_scrape.started true", "batch_scrape.started true", "batch_scrape.page false", "batch_scrape.completed false"}; !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	})
}

func TestFirecrawlWebhookRefused(t *testing.T) {
	g := newRig(t)
	r := g.runner(hooked(&receiver{}))
	for name, h := range map[string]*result.FirecrawlWebhook{
		"an event": {Events: []string{"page", "ended"}}, "metadata": {Metadata: map[string]string{"a": strings.Repeat("x", maxHookMetadata)}},
	} {
		q := batch("https://a.example.com/")
		q.Webhook = &crawl.Webhook{URL: hookURL, Firecrawl: h}
		if _, err := r.Start(t.Context(), "ann", q); err == nil || tool.AsError(err).Hint == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}
