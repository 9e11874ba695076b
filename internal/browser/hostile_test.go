package browser_test

import (
	"bytes"
	"context"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/tool"
)

// groups are the process groups of browsers that were seen, by the folder of
// their profiles: renderers do not name it.
var groups sync.Map

// processesOf lists the processes of browsers with a profile below a folder, by
// the names of their kinds; the browser itself is "".
func processesOf(t *testing.T, folder string) map[int]string {
	t.Helper()
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(lines) == 0 {
		t.Skip("no /proc here")
	}
	known, _ := groups.LoadOrStore(folder, make(map[int]bool))
	all, ours := make(map[int]string), known.(map[int]bool)
	group := make(map[int]int)
	for _, f := range lines {
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(f)))
		if err != nil {
			t.Fatal(err)
		}
		line, err := os.ReadFile(f)
		if err != nil || len(line) == 0 { // it has ended
			continue
		}
		// Who names his process anew puts spaces between the arguments.
		for arg := range strings.FieldsFuncSeq(string(line), func(r rune) bool { return r == 0 || r == ' ' }) {
			if k, ok := strings.CutPrefix(arg, "--type="); ok {
				all[pid] = k
			}
		}
		if group[pid], err = syscall.Getpgid(pid); err != nil {
			continue
		}
		if all[pid] += ""; bytes.Contains(line, []byte("--user-data-dir="+folder)) {
			ours[group[pid]] = true
		}
	}
	maps.DeleteFunc(all, func(pid int, _ string) bool { return !ours[group[pid]] })
	return all
}

// eventually waits for what another process does.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(time.Minute); !ok(); {
		if time.Now().After(end) {
			t.Fatalf("in vain: %s", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func errorType(err error) tool.ErrorType {
	var e *tool.Error
	if errors.As(err, &e) {
		return e.Type
	}
	return ""
}

// TestNothingIsLeft counts processes and folders after Close, and while the
// browser starts again.
func TestNothingIsLeft(t *testing.T) {
	t.Parallel()
	folder := passable(t)
	b := newBrowser(t, func(o *browser.Options) { o.Folder = folder })
	url := site(t, map[string]string{"/": "<p>here"})
	for range 2 {
		if _, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
			t.Fatal(err)
		}
		if len(processesOf(t, folder)) == 0 {
			t.Fatal("no process was found: the test looks in the wrong place")
		}
		if _, err := b.CloseContexts(t.Context(), browser.Place{}); err != nil {
			t.Fatal(err)
		}
		if left := processesOf(t, folder); len(left) > 0 {
			t.Errorf("processes left: %v", left)
		}
		if left, _ := os.ReadDir(folder); len(left) > 0 {
			t.Errorf("folders left: %v", left)
		}
	}
}

// TestPageThatHangs: a script without end costs its own call, in time, and the
// next call works.
func TestPageThatHangs(t *testing.T) {
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": "<p>good", "/hang": "<p>x<script>setTimeout(() => { while (true) {} }, 0)</script>",
		"/click": "<button onclick='while(true){}'>Hang</button>"})
	ctx := context.Background()
	at := browser.Place{}
	good := func() {
		t.Helper()
		p, err := b.Navigate(ctx, at, browser.Navigation{URL: url})
		if err != nil || p.Status != 200 {
			t.Fatalf("the next call: %+v, %v", p, err)
		}
	}
	short := func() context.Context { // for what hangs: the next call may take longer
		ctx, cancel := deadline.With(ctx, 6*time.Second)
		t.Cleanup(cancel)
		return ctx
	}
	if _, err := b.Navigate(short(), at, browser.Navigation{URL: url + "/hang", WaitUntil: "commit"}); err != nil {
		t.Log(err) // it may hang at once
	}
	if _, err := b.Snapshot(short(), at, browser.SnapshotRequest{}); err != nil && errorType(err) != tool.Timeout && errorType(err) != tool.BrowserError {
		t.Errorf("snapshot of a page that hangs: %v", err)
	}
	good()
	if _, err := b.Navigate(ctx, at, browser.Navigation{URL: url + "/click"}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Snapshot(ctx, at, browser.SnapshotRequest{}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Click(short(), at, browser.Pointer{Ref: "b1"}); errorType(err) != tool.Timeout {
		t.Errorf("click that hangs: %v", err)
	}
	good()
}

// TestProcessesThatDie: a renderer, its helpers and then the browser are killed;
// each costs a call at most.
func TestProcessesThatDie(t *testing.T) {
	folder := passable(t)
	// An answer that waits for the deadline would be one of type Timeout.
	b := newBrowser(t, func(o *browser.Options) { o.Folder, o.Timeout = folder, 10*time.Second })
	url := site(t, map[string]string{"/": "<p>here"})
	ctx := context.Background()
	for _, kind := range []string{"renderer", "gpu-process", "utility", ""} {
		if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url}); err != nil {
			t.Fatal(err)
		}
		found := false
		for pid, k := range processesOf(t, folder) {
			if k == kind && syscall.Kill(pid, syscall.SIGKILL) == nil { // one that was not needed any more may have ended
				found = true
			}
		}
		if !found {
			t.Errorf("kind %q: none was found", kind)
		}
		if _, err := b.Snapshot(ctx, browser.Place{}, browser.SnapshotRequest{}); err != nil && errorType(err) != tool.BrowserError {
			t.Errorf("kind %q: %v", kind, err)
		}
		p, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url})
		if kind == "utility" && errorType(err) == tool.BrowserError { // the one that the network went with
			p, err = b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url})
		}
		if err != nil || p.Status != 200 {
			t.Errorf("kind %q, the call after: %+v, %v", kind, p, err)
		}
	}
}

// TestKilledOwner runs this test's program again as the owner of a browser whose
// page is busy, and kills it: all processes die, and the folder goes.
func TestKilledOwner(t *testing.T) {
	t.Parallel()
	if folder := os.Getenv("SPYHOP_OWNER"); folder != "" {
		b := newBrowser(t, func(o *browser.Options) { o.Folder = folder })
		if _, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: os.Getenv("SPYHOP_URL") + "/busy", WaitUntil: "commit"}); err != nil {
			t.Fatal(err)
		}
		_, _ = os.Stdout.WriteString("ready\n")
		select {}
	}
	folder := passable(t)
	url := site(t, map[string]string{"/": "<p>here", "/busy": "<p>x<script>setTimeout(() => { while (true) {} }, 0)</script>"})
	newBrowser(t, nil) // skips without a browser
	owner := exec.Command(os.Args[0], "-test.run=^TestKilledOwner$", "-test.v")
	owner.Env = append(os.Environ(), "SPYHOP_OWNER="+folder, "SPYHOP_URL="+url, "TMPDIR="+t.TempDir()) // a killed test removes no folder
	out, err := owner.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := owner.Start(); err != nil {
		t.Fatal(err)
	}
	seen := make([]byte, 4096)
	for text := ""; !strings.Contains(text, "ready"); {
		n, err := out.Read(seen)
		if err != nil {
			t.Fatalf("the owner did not get ready: %v %s", err, text)
		}
		text += string(seen[:n])
	}
	eventually(t, "the owner's browser has a page", func() bool {
		return slices.Contains(slices.Collect(maps.Values(processesOf(t, folder))), "renderer")
	})
	if err := owner.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = owner.Wait()
	eventually(t, "the browser's processes end", func() bool { return len(processesOf(t, folder)) == 0 })
	eventually(t, "its folder goes", func() bool {
		left, err := os.ReadDir(folder)
		return err == nil && len(left) == 0
	})
}

// TestSweep: where nobody cleaned up after a killed owner, the next start does.
func TestSweep(t *testing.T) {
	t.Parallel()
	folder := passable(t)
	dead := filepath.Join(folder, "1")
	if err := os.Mkdir(dead, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dead, "lock"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(dead, old, old); err != nil {
		t.Fatal(err)
	}
	b := newBrowser(t, func(o *browser.Options) { o.Folder = folder })
	url := site(t, map[string]string{"/": "<p>here"})
	if _, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dead); !os.IsNotExist(err) {
		t.Errorf("the folder of the dead owner is still there: %v", err)
	}
}

// TestContextsAreApart: several contexts work at once, each with its own
// cookies, tabs and turn; one of them hangs, and the others go on.
func TestContextsAreApart(t *testing.T) {
	b := newBrowser(t, func(o *browser.Options) { o.Timeout = 40 * time.Second })
	url := site(t, map[string]string{"/": `<p id=o>-</p><script>o.textContent = 'had ' + document.cookie; document.cookie = 'seen=' + location.search.slice(1)</script>`,
		"/hang": "<p>x<script>while (true) {}</script>"})
	var work sync.WaitGroup
	for i := range 6 {
		work.Go(func() {
			at := browser.Place{Context: "c" + strconv.Itoa(i)}
			if i == 0 {
				_, _ = b.Navigate(context.Background(), at, browser.Navigation{URL: url + "/hang", WaitUntil: "commit"})
				return
			}
			for range 2 {
				if _, err := b.Navigate(context.Background(), at, browser.Navigation{URL: url + "/?" + at.Context}); err != nil {
					t.Error(err)
					return
				}
			}
			s, err := b.Snapshot(context.Background(), at, browser.SnapshotRequest{})
			if err != nil || !strings.Contains(s.Text, "had seen="+at.Context) {
				t.Errorf("%s: %+v %v", at.Context, s, err)
			}
		})
	}
	work.Wait()
}

// TestIdle: a browser that nobody uses ends by itself, and starts again.
func TestIdle(t *testing.T) {
	folder := passable(t)
	b := newBrowser(t, func(o *browser.Options) { o.Folder, o.Idle = folder, 300*time.Millisecond })
	url := site(t, map[string]string{"/": "<p>here"})
	for range 2 {
		if _, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
			t.Fatal(err)
		}
		eventually(t, "the browser ends", func() bool { return len(processesOf(t, folder)) == 0 })
	}
}

// TestCancelled: who gives up is told so, and the next call works.
func TestCancelled(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": "<p>here"})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url}); errorType(err) != tool.Cancelled {
		t.Errorf("%v", err)
	}
	if p, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil || p.Status != 200 {
		t.Errorf("%+v %v", p, err)
	}
}
