package browser_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestDeadRenderer: the call after a page's process died says so, and the next works.
func TestDeadRenderer(t *testing.T) {
	t.Parallel()
	folder := passable(t)
	b := newBrowser(t, func(o *browser.Options) { o.Folder, o.Timeout = folder, 12*time.Second })
	url := site(t, map[string]string{"/": "<p>here <button>Go</button>"})
	at := browser.Place{}
	if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{}); err != nil {
		t.Fatal(err)
	}
	if killRenderers(t, folder) == 0 {
		t.Fatal("there was no renderer")
	}
	_, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{})
	if errorType(err) != tool.BrowserError || !strings.Contains(err.Error(), "crashed") {
		t.Errorf("the page is gone, and the answer is: %v", err)
	}
	s, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{})
	if err == nil && strings.TrimSpace(s.Text) == "" && !strings.Contains(strings.Join(s.Notices, " "), "crashed") {
		t.Errorf("a blank page without a word of what happened: %+v", s)
	}
	if p, err := b.Navigate(t.Context(), at, browser.Navigation{URL: url}); err != nil || p.Status != 200 {
		t.Errorf("the next page: %+v, %v", p, err)
	}
}

// killRenderers ends the processes of pages, and says how many they were.
func killRenderers(t *testing.T, folder string) (killed int) {
	for pid, kind := range processesOf(t, folder) {
		if kind == "renderer" {
			killed++
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return killed
}

// TestDeadRendererOfTwo: a window dies with the page that opened it, whose process it shares. The
// hint of the page's error names no tab that the next call does not find.
func TestDeadRendererOfTwo(t *testing.T) {
	folder := passable(t)
	b := newBrowser(t, func(o *browser.Options) { o.Folder, o.AllowScript = folder, true })
	pages := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/die" {
			killRenderers(t, folder)
		}
		_, _ = fmt.Fprint(w, "<p>here")
	}))
	defer pages.Close()
	at := browser.Place{}
	for range 6 {
		if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: pages.URL}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := b.Evaluate(t.Context(), at, "open('/two'), 0", ""); err != nil {
			t.Fatal(err)
		}
		_, _, err := b.Evaluate(t.Context(), at, "await fetch('/die').then(() => new Promise(() => {}))", "")
		var e *tool.Error
		if !errors.As(err, &e) || !strings.Contains(e.Message, "crashed") {
			t.Fatalf("the page is gone, and the answer is: %v", err)
		}
		if _, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{}); strings.Contains(e.Hint, "the current tab is now") && err != nil {
			t.Errorf("%s; %s; the next call: %v", e.Message, e.Hint, err)
		}
	}
}

// TestBusy: where all places for renders are taken, the answer says when to try again.
func TestBusy(t *testing.T) {
	b := newBrowser(t, nil)
	let, arrived := make(chan struct{}), make(chan struct{}, 100)
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		arrived <- struct{}{}
		<-let
		_, _ = fmt.Fprint(w, "<p>late")
	}))
	defer slow.Close()
	var work sync.WaitGroup
	defer work.Wait()
	defer close(let)
	const places = 4
	for i := range places {
		work.Go(func() { _, _ = b.Render(context.Background(), browser.Navigation{URL: fmt.Sprint(slow.URL, "/", i)}) })
	}
	for range places {
		<-arrived
	}
	_, err := b.Render(t.Context(), browser.Navigation{URL: slow.URL})
	var e *tool.Error
	if !errors.As(err, &e) || e.Type != tool.Busy || !e.Retryable || e.RetryAfter <= 0 || !strings.Contains(e.Message, "the browser is busy; try again in ") {
		t.Errorf("%#v", err)
	}
}

// TestMobile: a page without a setting of its viewport is wider than a telephone; what
// stands at its right can be clicked all the same.
func TestMobile(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<p>Words <button style="position:absolute;left:800px;top:600px;width:60px" onclick="o.textContent='saved'">Save</button>
		<button style="position:absolute;left:20px;top:3000px" onclick="o.textContent='low'">Low</button><p id=o>-`})
	at := browser.Place{}
	if _, err := b.Navigate(t.Context(), at, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Resize(t.Context(), at, browser.Window{Media: "mobile"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Snapshot(t.Context(), at, browser.SnapshotRequest{}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, says string }{{`button "Save"`, "saved"}, {`button "Low"`, "low"}, {`button "Save"`, "saved"}} {
		if ch, err := b.Click(t.Context(), at, browser.Pointer{Ref: c.name}); err != nil || !strings.Contains(ch.Text, c.says) {
			t.Errorf("%s: %+v, %v", c.name, ch, err)
		}
	}
}
