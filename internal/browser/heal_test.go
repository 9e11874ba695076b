package browser_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestWedgedBrowser: a browser that is stopped, or that cannot start processes any
// more, is replaced; the second call works.
func TestWedgedBrowser(t *testing.T) {
	t.Parallel()
	for kind, harm := range map[string]struct {
		kind   string
		signal syscall.Signal
	}{"stopped": {"", syscall.SIGSTOP}, "without zygotes": {"zygote", syscall.SIGKILL}} {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			folder := passable(t)
			b := newBrowser(t, func(o *browser.Options) { o.Folder, o.Timeout = folder, 12*time.Second })
			url := site(t, map[string]string{"/": "<p>here"})
			go1 := func(name string) error {
				begun := time.Now()
				_, err := b.Navigate(context.Background(), browser.Place{Context: name}, browser.Navigation{URL: url})
				t.Log(name, time.Since(begun).Round(time.Millisecond), err)
				return err
			}
			if err := go1("first"); err != nil {
				t.Fatal(err)
			}
			found := 0
			for pid, k := range processesOf(t, folder) {
				if k == harm.kind {
					found++
					_ = syscall.Kill(pid, harm.signal)
				}
			}
			if found == 0 {
				t.Fatal("there was nothing to harm")
			}
			if err := go1("second"); err != nil && errorType(err) != tool.BrowserError {
				t.Errorf("the first call: %v", err)
			}
			if err := go1("second"); err != nil {
				t.Errorf("the second call: %v", err)
			}
			_, err := b.Snapshot(t.Context(), browser.Place{Context: "first"}, browser.SnapshotRequest{})
			if !errors.Is(err, browser.ErrNothingOpen) {
				t.Errorf("the context that was lost: %v", err)
			}
		})
	}
}

// TestHungPageAndNoZygote: a page that hung could have done so because the browser makes
// no processes any more. The next page that cannot be made ends the browser, and the call
// gets another one.
func TestHungPageAndNoZygote(t *testing.T) {
	folder := passable(t)
	b := newBrowser(t, func(o *browser.Options) { o.Folder = folder })
	url := site(t, map[string]string{"/": "<p>here"})
	at := browser.Place{Context: "own"}
	if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	for _, harm := range []struct { // in this order: renderers can end with their zygote
		kind   string
		signal syscall.Signal
	}{{"renderer", syscall.SIGSTOP}, {"zygote", syscall.SIGKILL}} {
		hit := 0
		for pid, kind := range processesOf(t, folder) {
			if kind == harm.kind && syscall.Kill(pid, harm.signal) == nil {
				hit++
			}
		}
		if hit == 0 {
			t.Fatalf("there is no %s to harm", harm.kind)
		}
	}
	short, cancel := deadline.With(t.Context(), 4*time.Second) // for what hangs: a start may take longer
	defer cancel()
	if _, err := b.Snapshot(short, at, browser.SnapshotRequest{}); err == nil || !strings.Contains(err.Error(), "hangs and was closed") {
		t.Fatalf("the page that hangs: %v", err)
	}
	if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: url}); err != nil {
		t.Error(err)
	}
}

// TestRoom: one caller who opens many contexts loses those that he used least, and
// nobody else does; a render finds a place besides.
func TestRoom(t *testing.T) {
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": "<p>here"})
	visit := func(owner, name string) {
		t.Helper()
		if _, err := b.Navigate(t.Context(), browser.Place{Owner: owner, Context: name}, browser.Navigation{URL: url}); err != nil {
			t.Fatal(owner, name, err)
		}
	}
	visit("quiet", "only")
	for i := range browser.MaxContexts + 5 {
		visit("greedy", fmt.Sprint("c", i))
	}
	if _, err := b.Snapshot(t.Context(), browser.Place{Owner: "quiet", Context: "only"}, browser.SnapshotRequest{}); err != nil {
		t.Error("another caller lost his context: ", err)
	}
	if _, err := b.Snapshot(t.Context(), browser.Place{Owner: "greedy", Context: "c0"}, browser.SnapshotRequest{}); !errors.Is(err, browser.ErrNothingOpen) {
		t.Error("the context used least: ", err)
	}
	if f, err := b.Facts(); err != nil || f.Contexts != browser.MaxContexts {
		t.Errorf("%+v %v", f, err)
	}
	if _, err := b.Render(t.Context(), browser.Navigation{URL: url}); err != nil {
		t.Error("render: ", err)
	}
}
