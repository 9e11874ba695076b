package spyhop

import (
	"context"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/spyhop-dev/spyhop/internal/admission"
	"github.com/spyhop-dev/spyhop/internal/callrecord"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestWatch: whose contexts a principal sees, and what of their calls.
func TestWatch(t *testing.T) {
	var w watch
	a := principal.With(t.Context(), principal.Caller{Name: "a", Session: "mcp-1"})
	b := principal.With(t.Context(), principal.Caller{Name: "b"})
	call := func(name, session string, args tool.Arguments) tool.Call {
		return tool.Call{Tool: name, Args: args, Options: tool.Options{Session: session}}
	}
	at := func(url string) tool.Result {
		return tool.Result{Data: result.BrowserPage{URL: url, Context: "c1", Tab: "t1"}}
	}
	_, changed := w.views("a")
	w.acted(a, call("navigate_to_url", "mcp-1", tool.Arguments{"url": "https://a.example/"}), at("https://a.example/"), nil)
	select {
	case <-changed:
	default:
		t.Error("nobody is told")
	}
	w.acted(b, call("navigate_to_url", "stateless:b", tool.Arguments{"url": "https://b.example/"}), at("https://b.example/"), nil)
	w.acted(a, call("browser_type", "mcp-1", tool.Arguments{"ref": "e7", "text": "hunter2"}), tool.Result{Data: result.BrowserPage{URL: "https://a.example/in", Context: "c1"}}, nil)
	w.acted(a, call("browser_click", "mcp-1", tool.Arguments{"ref": "e8"}), tool.Result{}, tool.NewError(tool.InvalidInput, "stale", ""))
	w.acted(a, call("browser_click", "mcp-9", tool.Arguments{"ref": "e1"}), tool.Result{}, tool.NewError(tool.InvalidInput, "no page is open", ""))
	got, _ := w.views("a")
	if len(got) != 1 || got[0].URL != "https://a.example/in" || got[0].Number != 3 || len(got[0].Steps) != 3 || got[0].Steps[0].Err != tool.InvalidInput || got[0].Steps[1].Ref != "e7" {
		t.Fatalf("%+v", got)
	}
	if about := got[0].Steps[1].About; about != "text of 7 characters" || strings.Contains(about, "hunter") {
		t.Errorf("about %q", about)
	}
	if w.find("b", got[0].ID) != nil {
		t.Error("another principal finds the context")
	}
	if is := w.find("a", got[0].ID); is == nil || is.session != "mcp-1" || is.view.Tab != "t1" {
		t.Errorf("%+v", is)
	}
	w.end("mcp-1", "")
	if got, _ := w.views("a"); !got[0].Ended || w.find("a", got[0].ID) != nil {
		t.Error("the context has not ended")
	}
	w.acted(b, call("close_browser", "stateless:b", tool.Arguments{}), tool.Result{}, nil)
	if got, _ := w.views("b"); len(got) != 1 || !got[0].Ended {
		t.Errorf("%+v", got)
	}
	for range 2 * watchedContexts {
		w.acted(a, call("navigate_to_url", tool.Stateless+suffix(len(w.all)), nil), at("https://a.example/"), nil)
	}
	if len(w.all) > watchedContexts {
		t.Errorf("%d contexts are remembered", len(w.all))
	}
}

func suffix(n int) string { return strings.Repeat("x", n) }

// Every call of a tool takes its turn while several principals make calls.
func TestTurns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &Client{gate: admission.New(admission.Options{Processors: 1}), record: callrecord.New(nil)}
		begin := time.Now()
		call := func(who string, works time.Duration) {
			ctx := principal.With(t.Context(), principal.Caller{Name: who})
			_, err := s.around(ctx, "tool", tool.Options{}, func(context.Context) (tool.Result, error) {
				time.Sleep(works)
				return tool.Result{}, nil
			})
			if err != nil {
				t.Error(err)
			}
		}
		call("other", 0)
		var flood sync.WaitGroup
		for range 5 {
			flood.Go(func() { call("flood", 10*time.Millisecond) })
		}
		synctest.Wait()
		if call("other", 0); time.Since(begin) != 0 {
			t.Errorf("the other caller waited %v", time.Since(begin))
		}
		if flood.Wait(); time.Since(begin) != 50*time.Millisecond {
			t.Errorf("five calls of 10 ms took %v: they did not take turns", time.Since(begin))
		}
	})
}

// A call that needs no tool does not wait for their declarations.
func TestToolsAreMadeWhenNeeded(t *testing.T) {
	c, err := New(Config{CacheTTL: NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if n := len(c.catalog.List(tool.All)); n != 0 {
		t.Errorf("%d tools were made by New", n)
	}
	if n := len(c.Catalog().List(tool.All)); n == 0 {
		t.Error("there are no tools")
	}
}
