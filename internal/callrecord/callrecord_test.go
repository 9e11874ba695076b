package callrecord

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// What a call did is one event, or one for each address that it asked for.
func TestRun(t *testing.T) {
	address := func(raw string) weburl.URL {
		u, err := weburl.Parse(raw)
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	inner := &egress.Error{Decision: egress.Decision{Rule: egress.RuleAddress, Addr: netip.MustParseAddr("10.0.0.1")}}
	get := Get(func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
		if !q.Given {
			t.Error("the request does not say that a person gave the address")
		}
		switch q.URL.Path() {
		case "/refused":
			return nil, &fetch.Error{Code: fetch.Blocked, URL: q.URL.String(), Rule: "address", Cause: inner}
		case "/gone":
			return nil, &fetch.Error{Code: fetch.HTTPError, URL: q.URL.String(), Status: 404, Remembered: true}
		case "/wrong":
			return nil, &fetch.Error{Code: fetch.InvalidInput}
		}
		return &fetch.Response{URL: q.URL, Status: 200, WireBytes: 7, Cached: q.URL.Path() == "/kept", Shared: q.URL.Path() == "/shared"}, nil
	})
	asks := func(paths ...string) func(context.Context) error {
		return func(ctx context.Context) (err error) {
			for _, p := range paths {
				_, err = get(ctx, fetch.Request{URL: address("https://example.com" + p)})
			}
			return err
		}
	}
	call := audit.Event{Kind: audit.Call, Tool: "t", Caller: "c", Owner: "local"}
	event := func(change func(*audit.Event)) audit.Event {
		e := call
		change(&e)
		return e
	}
	at := func(path string, change func(*audit.Event)) audit.Event {
		return event(func(e *audit.Event) {
			e.URL, e.FinalURL, e.Decision = "https://example.com"+path, "https://example.com"+path, audit.Allow
			change(e)
		})
	}
	for name, c := range map[string]struct {
		run  func(context.Context) error
		want []audit.Event
	}{
		"no address": {func(context.Context) error { return nil }, []audit.Event{call}},
		"a failure without an address": {func(context.Context) error { return tool.NewError(tool.SearchError, "no provider", "") },
			[]audit.Event{event(func(e *audit.Event) { e.Error, e.Detail = "SearchError", "no provider" })}},
		"a fault": {func(context.Context) error {
			return &tool.Error{Type: tool.Internal, Message: "internal error", Cause: errors.New("why")}
		},
			[]audit.Event{event(func(e *audit.Event) { e.Error, e.Detail = "InternalError", "internal error: why" })}},
		"addresses": {asks("/a", "/kept", "/shared"), []audit.Event{
			at("/a", func(e *audit.Event) { e.Status, e.Bytes = 200, 7 }),
			at("/kept", func(e *audit.Event) { e.Status, e.Bytes, e.Cache = 200, 7, "hit" }),
			at("/shared", func(e *audit.Event) { e.Status, e.Bytes, e.Cache = 200, 7, "shared" }),
		}},
		"failures": {asks("/refused", "/gone", "/wrong"), []audit.Event{
			at("/refused", func(e *audit.Event) {
				e.Decision, e.Rule, e.Error, e.Address = audit.Block, "address", "Blocked", "10.0.0.1"
			}),
			at("/gone", func(e *audit.Event) { e.Status, e.Cache, e.Error = 404, "negative", "HTTPError" }),
			at("/wrong", func(e *audit.Event) { e.FinalURL, e.Decision, e.Error = "", "", "InvalidInput" }),
		}},
		"a visit": {func(ctx context.Context) error {
			Visited(ctx, "https://user:secret@example.com/a", &browser.Page{URL: "https://example.com/b", Status: 200}, nil)
			return nil
		}, []audit.Event{at("/a", func(e *audit.Event) { e.FinalURL, e.Status = "https://example.com/b", 200 })}},
		"a visit that is refused": {func(ctx context.Context) error {
			Visited(ctx, "https://example.com/a", nil, &tool.Error{Type: tool.Blocked, Message: "no", Cause: inner})
			return nil
		}, []audit.Event{at("/a", func(e *audit.Event) {
			e.FinalURL, e.Decision, e.Rule, e.Error, e.Detail = "", audit.Block, "address", "Blocked", "no"
		})}},
	} {
		log := audit.New(audit.Options{})
		events, end := log.Subscribe(10)
		r := New(log)
		o := tool.Options{Caller: "c", Given: true}
		_ = r.Run(t.Context(), "t", o, func(ctx context.Context) error {
			// A call within a call belongs to the outer one.
			// The addresses of a call within a call are a person's only where that says so.
			if err := r.Run(ctx, "inner", tool.Options{Caller: "other"}, func(ctx context.Context) error {
				if Given(ctx) {
					t.Error("the addresses of a model count as given")
				}
				return nil
			}); err != nil {
				return err
			}
			return r.Run(ctx, "inner", tool.Options{Caller: "other", Given: true}, c.run)
		})
		end()
		var got []audit.Event
		for e := range events {
			if e.Time.IsZero() || e.Milliseconds < 0 {
				t.Errorf("%s: %+v", name, e)
			}
			e.Time, e.Milliseconds = call.Time, 0
			if e.Error != "" && e.URL != "" && e.Detail != "no" {
				e.Detail = "" // it is the words of package fetch
			}
			got = append(got, e)
		}
		if len(got) != len(c.want) {
			t.Errorf("%s: %d events, want %d", name, len(got), len(c.want))
			continue
		}
		for i := range got {
			if got[i] != c.want[i] {
				t.Errorf("%s, event %d:\n%+v, want\n%+v", name, i, got[i], c.want[i])
			}
		}
	}
}

// A call of many addresses passes its events to the log while it runs: it holds only one.
// The owner of an event is that of its address: a worker reads pages for several.
func TestLongCall(t *testing.T) {
	log := audit.New(audit.Options{})
	events, end := log.Subscribe(10)
	defer end()
	var late context.Context
	said := func(what string, want ...string) {
		t.Helper()
		var got []string
		for len(events) > 0 {
			e := <-events
			got = append(got, e.Owner+" "+e.URL)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", what, got, want)
		}
	}
	_ = New(log).Run(t.Context(), "crawl", tool.Options{}, func(ctx context.Context) error {
		late = ctx
		for owner, name := range []string{"a", "b", "c"} {
			Visited(principal.With(ctx, principal.Caller{Name: name}), fmt.Sprintf("https://example.com/%d", owner), nil, nil)
			switch owner {
			case 0:
				said("the first address")
			case 1:
				said("the second address", "a https://example.com/0", "b https://example.com/1")
			case 2:
				said("the third address", "c https://example.com/2")
			}
		}
		return nil
	})
	said("the end")
	Visited(late, "https://example.com/late", nil, nil)
	said("after the end", "local https://example.com/late")
	_ = New(log).Run(t.Context(), "crawl", tool.Options{}, func(ctx context.Context) error {
		late = ctx
		Visited(ctx, "https://example.com/only", nil, nil)
		return nil
	})
	Visited(late, "https://example.com/late", nil, nil)
	said("after one address", "local https://example.com/only", "local https://example.com/late")
}

// Outside of a call nothing is recorded, and no address counts as given.
func TestOutsideOfCall(t *testing.T) {
	get := Get(func(_ context.Context, q fetch.Request) (*fetch.Response, error) {
		if q.Given {
			t.Error("an address counts as given")
		}
		return &fetch.Response{}, nil
	})
	if res, err := get(t.Context(), fetch.Request{}); res == nil || err != nil {
		t.Errorf("%v %v", res, err)
	}
	Visited(t.Context(), "https://example.com/", nil, nil)
	if Given(t.Context()) {
		t.Error("an address counts as given")
	}
}

// A decision of the policy is a separate event.
func TestDecision(t *testing.T) {
	log := audit.New(audit.Options{})
	r := New(log)
	r.Decision(egress.Decision{Allowed: true, URL: "https://example.com/"})
	r.Decision(egress.Decision{URL: "https://10.0.0.1/", Rule: egress.RuleAddress, Addr: netip.MustParseAddr("10.0.0.1")})
	if m := log.Metrics(); m.Allowed != 1 || m.Blocked != 1 || m.Rules["address"] != 1 || len(m.Calls) > 0 {
		t.Errorf("%+v", m)
	}
}

// A search is an event for each provider that it asked, with the query and the host.
func TestSearched(t *testing.T) {
	log := audit.New(audit.Options{})
	events, end := log.Subscribe(8)
	err := New(log).Run(context.Background(), "search", tool.Options{Caller: "c"}, func(ctx context.Context) error {
		Searched(ctx, "fog", "one", "one.example", 0, errors.New("no answer"))
		Searched(ctx, "fog", "two", "two.example", 0, nil)
		return nil
	})
	end()
	var got []string
	for e := range events {
		got = append(got, fmt.Sprint(e.Query, " ", e.Provider, " ", e.Host, " ", e.Decision, " ", e.Error))
	}
	if want := []string{"fog one one.example allow SearchError", "fog two two.example allow "}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q %v", got, err)
	}
	Searched(context.Background(), "", "", "", 0, nil) // outside of a call nothing is recorded
}

// TestUser: an event names the person behind the request of its call.
func TestUser(t *testing.T) {
	log := audit.New(audit.Options{})
	defer log.Close()
	events, end := log.Subscribe(1)
	defer end()
	ctx := principal.WithSurface(t.Context(), principal.Surface{Name: "rest", User: "eve"})
	if err := New(log).Run(ctx, "web_fetch", tool.Options{}, func(context.Context) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if e := <-events; e.User != "eve" {
		t.Errorf("%+v", e)
	}
}
