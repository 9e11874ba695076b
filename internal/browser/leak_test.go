package browser_test

import (
	"context"
	"os/exec"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
)

// TestNothingGoesAround opens a page that reaches for the canaries in every
// way that a page has. What asks the proxy is refused there, so that whatever
// arrives went around it.
func TestNothingGoesAround(t *testing.T) {
	// Each build ignores some of the flags that the other one needs.
	for _, build := range []string{"chromium-headless-shell", "chromium"} {
		t.Run(build, func(t *testing.T) {
			path, err := exec.LookPath(build)
			if err != nil {
				t.Skip("not on this machine: " + build)
			}
			for _, c := range []struct {
				name              string
				namespace, misled bool
				arrives           bool
			}{
				{name: "flags"},
				{name: "namespace", namespace: true},
				{name: "namespace alone", namespace: true, misled: true},
				{name: "neither", misled: true, arrives: true}, // else the others say nothing
			} {
				if build == "chromium" && (c.namespace != c.misled) {
					continue // said by the other build
				}
				t.Run(c.name, func(t *testing.T) {
					if err := helper.Probe(); err != nil && c.namespace {
						t.Skip(err)
					}
					hits := reachAround(t, path, c.namespace, c.misled)
					if len(hits) > 0 != c.arrives {
						t.Errorf("around the proxy: %v", hits)
					}
				})
			}
		})
	}
}

// reachAround returns the canaries that a page has reached.
func reachAround(t *testing.T, path string, namespace, misled bool) []string {
	c, err := egress.ListenCanaries()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if len(c.Hosts) == 0 {
		t.Fatal("no canary listens")
	}
	url := site(t, map[string]string{"/": browser.LeakPage(c.Hosts, c.UDP)})
	own, err := egress.ParseException(strings.TrimPrefix(url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	guard, err := egress.New(egress.Policy{Private: []egress.Exception{own}}) // the site's port, and no other
	if err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) {
		o.Path, o.Guard = path, guard
		if !namespace {
			o.Helper = browser.Helper{}
		}
	})
	if misled {
		b.Mislead("<-loopback>;" + strings.Join(c.Hosts, ";"))
	}
	ctx := context.Background()
	if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url, WaitUntil: "commit"}); err != nil {
		t.Fatal(err)
	}
	if f, err := b.Facts(); err != nil || f.Namespace != namespace {
		t.Errorf("it runs in a namespace: %v (%v), %v", f.Namespace, f.Why, err)
	}
	if _, err := b.WaitFor(ctx, browser.Place{Tab: "t1"}, browser.Waiting{Text: browser.LeakDone, Time: browser.MaxWait}); err != nil {
		t.Errorf("the page did not try everything: %v", err)
	}
	log, err := b.Journal(ctx, browser.Place{Tab: "t1"}, "network", "")
	if err != nil || len(log.Lines) < 20 {
		t.Errorf("the page asked for %d things, %v: the test tries nothing", len(log.Lines), err)
	}
	return c.Hits()
}
