package crawl

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestPanic: a defect that one page meets is an error of this page, wherever in its turn
// it is; the others are read, and no lock stays held.
func TestPanic(t *testing.T) {
	const bad = home + "bad"
	for name, broken := range map[string]func(*Web){
		"robots.txt": func(w *Web) {
			w.Robots = func(_ context.Context, u weburl.URL) (fetch.Robots, error) {
				if u.String() == bad {
					panic("canary")
				}
				return fetch.Robots{}, nil
			}
		},
		// The lock is held where links are made.
		"links": func(w *Web) {
			site := w.Site
			w.Site = func(u weburl.URL) string {
				if u.Path() == "/linked" {
					panic("canary")
				}
				return site(u)
			}
		},
	} {
		for _, query := range []string{"", "whales"} {
			t.Run(strings.TrimSpace(name+" "+query), func(t *testing.T) {
				b := newBench(t, &fakeSite{pages: map[string]string{
					home: html("Home", "whales live in the sea", "/bad", "/good"), bad: html("Bad", "whales and a defect", "/linked"),
					home + "good": html("Good", "whales and no defect"), home + "linked": html("Linked", "never reached"),
				}})
				broken(&b.Web)
				var told []string
				b.Web.Defect = func(_ context.Context, address string, err error) {
					if e := tool.AsError(err); e.Type != tool.Internal || !strings.Contains(e.Cause.Error(), "canary") {
						t.Errorf("told of %v", e)
					}
					told = append(told, address)
				}
				c := b.run(t.Context(), b.create(Options{URLs: []string{home}, Query: query}))
				if c.Read != 2 || c.Failures != 1 || c.Left != 0 || len(told) != 1 || told[0] != bad {
					t.Errorf("%+v, told %q", c, told)
				}
				for _, p := range c.Pages {
					if strings.Contains(p.Error, "canary") || (p.Error != "") != (p.URL == bad) {
						t.Errorf("%s has the error %q", p.URL, p.Error)
					}
				}
			})
		}
	}
}

// TestPanicElsewhere: a defect that belongs to no page ends the run with an error, not
// the process.
func TestPanicElsewhere(t *testing.T) {
	for name, broken := range map[string]func(*Crawler){
		"map": func(c *Crawler) { c.Web.Fetch = nil },
		"commit": func(c *Crawler) {
			f, err := frontier.OpenSQLite(frontier.Options{Dir: t.TempDir(), Now: func() time.Time {
				if isCalledBy("(*run).store") {
					panic("canary")
				}
				return time.Now()
			}})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { f.Close() })
			c.Frontier = f
		},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, &fakeSite{pages: map[string]string{home: html("Home", "whales")}})
			broken(b.Crawler)
			id := b.create(Options{URLs: []string{home}})
			_, err := b.Run(t.Context(), id, RunOptions{})
			if e := tool.AsError(err); e == nil || e.Type != tool.Internal {
				t.Errorf("%v", err)
			}
		})
	}
}

// isCalledBy reports whether a function of this package, as "(*run).store", is on the stack.
func isCalledBy(name string) bool {
	pcs := make([]uintptr, 64)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for {
		f, more := frames.Next()
		if strings.HasSuffix(f.Function, "/crawl."+name) {
			return true
		}
		if !more {
			return false
		}
	}
}
