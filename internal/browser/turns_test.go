package browser_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestHungTab: a tab whose server says nothing holds up its own operations only, those of
// many such tabs too. It can be closed meanwhile.
func TestHungTab(t *testing.T) {
	b := newBrowser(t, nil)
	asked := make(chan struct{}, 10)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, "/hang") {
			asked <- struct{}{}
			<-r.Context().Done()
			return
		}
		fmt.Fprint(w, "<!doctype html><title>Quick</title><p>words <button onclick=\"this.textContent = 'Done'\">Go</button>")
	}))
	defer s.Close()
	ctx := t.Context()
	if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: s.URL}); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 4)
	for i := range 4 {
		go func() {
			ctx, cancel := context.WithTimeout(ctx, 20*time.Second)
			defer cancel()
			_, _, err := b.Tabs(ctx, browser.Place{}, "new", browser.Navigation{URL: s.URL + "/hang" + strconv.Itoa(i)})
			ended <- err
		}()
		<-asked
	}
	quick := browser.Place{Tab: "t1"}
	for name, call := range map[string]func() error{
		"list": func() error {
			tabs, where, err := b.Tabs(ctx, browser.Place{}, "list", browser.Navigation{})
			if err == nil && (len(tabs) != 5 || where.Tab != "t1") {
				err = fmt.Errorf("%+v %+v", tabs, where)
			}
			return err
		},
		"snapshot":    func() error { _, err := b.Snapshot(ctx, quick, browser.SnapshotRequest{}); return err },
		"the current": func() error { _, err := b.Snapshot(ctx, browser.Place{}, browser.SnapshotRequest{}); return err },
		"navigate": func() error {
			_, err := b.Navigate(ctx, quick, browser.Navigation{URL: s.URL + "/again"})
			return err
		},
		"cookies":     func() error { _, _, err := b.Cookies(ctx, browser.Place{Tab: "t2"}, ""); return err },
		"its network": func() error { _, err := b.Journal(ctx, browser.Place{Tab: "t2"}, "network", ""); return err },
	} {
		begun := time.Now()
		err := call()
		t.Logf("%s: %s", name, time.Since(begun).Round(time.Millisecond))
		if err != nil || time.Since(begun) > 3*time.Second {
			t.Errorf("%s: %v after %s", name, err, time.Since(begun))
		}
	}
	for _, id := range []string{"t2", "t3", "t4", "t5"} {
		if _, _, err := b.Tabs(ctx, browser.Place{Tab: id}, "close", browser.Navigation{}); err != nil {
			t.Error(err)
		}
		if err := <-ended; err == nil {
			t.Error("a page came")
		}
	}
}
