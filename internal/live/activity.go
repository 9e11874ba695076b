package live

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The view Activity: the calls of the caller as they end, and figures of the server.
// A caller sees events of his own only. Decisions outside of calls name no owner, so
// that nobody sees them here; the audit log has them.

const (
	// keptEvents are kept for each owner; figures are read each sampleTime.
	keptEvents = 100
	sampleTime = 2 * time.Second
	// maxOwners bounds the owners that are remembered.
	maxOwners = 1100
)

// activity remembers what happened.
type activity struct {
	mu      sync.Mutex
	events  map[string][]*event // by owner, the oldest first
	last    result.Metrics
	number  int
	probed  int           // probes so far
	changed chan struct{} // closed at the next event or reading of the figures
	ended   bool
	meaning func(tool.ErrorType) string
}

// event is an event with its number.
type event struct {
	result.Event
	Number  int
	meaning string // of the error
}

// probed reports whether a call looked for a file that a site may have and has not. That is
// how sites are mapped, and no failure.
func probed(e result.Event) bool {
	if e.Status != http.StatusNotFound && e.Status != http.StatusGone {
		return false
	}
	path, _, _ := strings.Cut(e.URL, "?")
	name := path[strings.LastIndexByte(path, '/')+1:]
	return strings.Contains(name, "sitemap") || name == "llms.txt" || name == "robots.txt" || name == "llms-full.txt"
}

func newActivity(meaning func(tool.ErrorType) string) *activity {
	// The numbers go on over a restart: a page of the server before asks for later ones.
	return &activity{events: make(map[string][]*event), number: int(time.Now().UnixMilli()), changed: make(chan struct{}), meaning: meaning}
}

// run takes events until ctx ends.
func (a *activity) run(ctx context.Context, audit Audit) {
	if audit == nil {
		<-ctx.Done()
		a.end()
		return
	}
	events, stop := audit.Subscribe(1000)
	defer stop()
	ticker := time.NewTicker(sampleTime)
	defer ticker.Stop()
	a.read(audit.Metrics())
	for {
		select {
		case <-ctx.Done():
			a.end()
			return
		case e := <-events:
			a.add(e)
		case <-ticker.C:
			a.read(audit.Metrics())
		}
	}
}

func (a *activity) wake() {
	close(a.changed)
	a.changed = make(chan struct{})
}

func (a *activity) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	a.wake()
}

// over reports whether the server has ended.
func (a *activity) over() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.ended
}

func (a *activity) add(e result.Event) {
	if e.Kind != result.EventCall || e.Owner == "" {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	all, known := a.events[e.Owner]
	if !known && len(a.events) >= maxOwners {
		return
	}
	a.number++
	e.Address = "" // for the log only
	// The message of an error can hold an address too: its type says enough.
	e.Detail = ""
	if probed(e) {
		a.probed++
		return
	}
	all = append(all, &event{e, a.number, a.meaning(tool.ErrorType(e.Error))})
	a.events[e.Owner] = all[max(0, len(all)-keptEvents):]
	a.wake()
}

func (a *activity) read(m result.Metrics) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.last = m
	a.wake()
}

func sum(all map[string]uint64) (n uint64) {
	for _, v := range all {
		n += v
	}
	return n
}

// since returns the events of an owner after a number, the newest first, and a channel
// that is closed when there is more.
func (a *activity) since(owner string, after int) (events []*event, figures []fact, changed <-chan struct{}, ended bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := a.events[owner]
	for i := len(all) - 1; i >= 0 && all[i].Number > after; i-- {
		events = append(events, all[i])
	}
	return events, a.figures(), a.changed, a.ended
}

// figures are those of the server. a.mu is held.
func (a *activity) figures() []fact {
	m := a.last
	return []fact{
		{"calls", text.Grouped(int64(sum(m.Calls))), ""},
		{"failed", text.Grouped(max(0, int64(sum(m.Errors))-int64(a.probed))), ""},
		{"refused by the policy", text.Grouped(int64(m.Blocked)), ""},
		{"received", cmp.Or(bytesWords(int64(m.Bytes)), "0 B"), ""},
	}
}

// activityView is what the view shows.
type activityView struct {
	Events  []*event
	Last    int // number of the latest event
	Figures []fact
	Owner   string
}

func (h *Handler) activityPage(w http.ResponseWriter, r *http.Request) {
	owner := h.o.Owner(r.Context())
	events, figures, _, _ := h.activity.since(owner, 0)
	last := 0
	if len(events) > 0 {
		last = events[0].Number
	}
	h.write(w, r, http.StatusOK, h.layout(r, "Activity", "/activity"), "activity", activityView{events, last, figures, owner})
}

// activityEvents sends the rows and the figures that change.
func (h *Handler) activityEvents(w http.ResponseWriter, r *http.Request) {
	owner := h.o.Owner(r.Context())
	last := int(lastOf(r))
	h.stream(w, r, func() (string, []byte, <-chan struct{}, bool) {
		events, figures, changed, ended := h.activity.since(owner, last)
		var b bytes.Buffer
		for i := len(events) - 1; i >= 0; i-- {
			h.execute(&b, "activity-row", events[i])
			last = events[i].Number
		}
		h.execute(&b, "activity-figures", figures)
		return strconv.Itoa(last), b.Bytes(), changed, ended
	})
}

// Why explains a refusal or a failure in words, for the template.
func (e *event) Why() string {
	if e.Decision == result.Block && e.Rule != "" {
		return cmp.Or(ruleWords()[e.Rule], "The policy refuses it by the rule "+e.Rule+".")
	}
	return e.meaning
}

// ruleWords says why the policy refuses an address, by the name of its rule.
func ruleWords() map[string]string {
	return map[string]string{
		"url":        "The address is not a URL that the policy can judge.",
		"length":     "The address is too long.",
		"spelling":   "The host is written in a way that programs read differently.",
		"scheme":     "Only http and https are read.",
		"userinfo":   "Addresses with a user name or password are not read.",
		"blocklist":  "The host is on the block list.",
		"allowlist":  "The host is not on the allow list.",
		"name":       "The name belongs to private networks.",
		"port":       "The port belongs to a service that is not the web.",
		"address":    "The host leads to an address that is not public.",
		"metadata":   "The address belongs to a metadata service of a cloud.",
		"http":       "Plain http is not allowed.",
		"resolve":    "The name could not be resolved safely.",
		"robots":     "robots.txt of the site asks not to read the page.",
		"provenance": "Nobody gave this address: neither a person nor a search.",
	}
}

// Kind is the colour of an event.
func (e *event) Kind() string {
	switch {
	case e.Decision == result.Block:
		return "bad"
	case e.Error != "":
		return "warn"
	}
	return "good"
}

// State is an event in a word.
func (e *event) State() string {
	switch {
	case e.Decision == result.Block:
		return "refused"
	case e.Error != "":
		return e.Error
	}
	return "done"
}
