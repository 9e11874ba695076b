//go:build linux

package browser_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// status returns a line of a process' status, without its name.
func status(t *testing.T, pid int, name string) string {
	t.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		t.Fatal(err)
	}
	for l := range bytes.Lines(data) {
		if v, ok := strings.CutPrefix(string(l), name+":"); ok {
			return strings.Join(strings.Fields(v), " ")
		}
	}
	return ""
}

// TestConfinement: root's browser runs under a user id that nobody has, with its
// own sandbox, writes no core files, knows nothing of this process' environment,
// and owns nothing but its profile.
func TestConfinement(t *testing.T) {
	t.Setenv("SPYHOP_TEST_SECRET", "hush")
	t.Setenv("DISPLAY", "far:1")
	both(t, func(t *testing.T, h browser.Helper) {
		folder := passable(t)
		b := newBrowser(t, func(o *browser.Options) { o.Helper, o.Folder = h, folder })
		url := site(t, map[string]string{"/": "<p>here"})
		if _, err := b.Navigate(context.Background(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
			t.Fatal(err)
		}
		f, err := b.Facts()
		if err != nil {
			t.Fatal(err)
		}
		if root := os.Geteuid() == 0; root != (f.UID != os.Geteuid()) || root && !f.Sandbox {
			t.Errorf("%+v as user %d", f, os.Geteuid())
		}
		kinds := processesOf(t, folder)
		if len(kinds) < 3 {
			t.Fatalf("too few processes: %v", kinds)
		}
		sandboxed := false
		for pid, kind := range kinds {
			want := strings.TrimSpace(strings.Repeat(strconv.Itoa(f.UID)+" ", 4))
			if got := status(t, pid, "Uid"); got != want {
				t.Errorf("%s runs under %s, not %s", kind, got, want)
			}
			if got := status(t, pid, "Groups"); os.Geteuid() == 0 && got != "" {
				t.Errorf("%s is in the groups %s", kind, got)
			}
			if got := strings.Trim(status(t, pid, "CapPrm"), "0"); kind == "" && got != "" {
				t.Errorf("the browser has the capabilities %s", got)
			}
			// In a process namespace of its own it has two ids.
			sandboxed = sandboxed || kind == "renderer" && len(strings.Fields(status(t, pid, "NSpid"))) > 1
			limits, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", pid))
			if err != nil || !strings.Contains(strings.Join(strings.Fields(string(limits)), " "), "Max core file size 0 0 bytes") {
				t.Errorf("%s may write core files: %v %.600s", kind, err, limits)
			}
			env, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
			if err == nil && (bytes.Contains(env, []byte("SPYHOP_TEST")) || bytes.Contains(env, []byte("DISPLAY="))) {
				t.Errorf("%s has the environment %q", kind, env)
			}
		}
		if sandboxed != f.Sandbox {
			t.Errorf("sandboxed %v, but %+v", sandboxed, f)
		}
		var foreign []string
		_ = filepath.Walk(folder, func(name string, info os.FileInfo, err error) error {
			switch {
			case err != nil || info.Mode()&os.ModeSymlink != 0:
			case info.Mode().Perm()&0o066 != 0:
				foreign = append(foreign, name)
			case info.IsDir() && info.Mode().Perm()&0o011 == 0:
				return filepath.SkipDir // others get no further, whatever is in it
			}
			return nil
		})
		if len(foreign) > 0 {
			t.Errorf("others can read or write %v", foreign)
		}
	})
}

// TestBrowserUID: the operator can name the user id, and what cannot be run under
// it is an error that says so, never a browser of root.
func TestBrowserUID(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Skip("only root has other user ids")
	}
	url := site(t, map[string]string{"/": "<p>here"})
	b := newBrowser(t, func(o *browser.Options) { o.UID = 64123 })
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	if f, _ := b.Facts(); f.UID != 64123 || !f.Sandbox {
		t.Errorf("%+v", f)
	}
	b = newBrowser(t, func(o *browser.Options) { o.UID = -1 })
	if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
		t.Fatal(err)
	}
	if f, _ := b.Facts(); f.UID != 0 || f.Sandbox {
		t.Errorf("%+v", f)
	}
	path, err := browser.Find("", false)
	if err != nil {
		t.Skip(err)
	}
	mine := filepath.Join(t.TempDir(), "headless-mine") // others cannot get there
	if err := os.WriteFile(mine, []byte("#!/bin/sh\nexec "+path+" \"$@\"; :\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	b = newBrowser(t, func(o *browser.Options) { o.Path = mine })
	_, err = b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url})
	if errorType(err) != tool.BrowserError || !strings.Contains(tool.AsError(err).Text(), "WEB_BROWSER_UID=-1") {
		t.Errorf("%v", err)
	}
}

// TestHostileFolders: a folder that another user owns or can write to is not used,
// and no symbolic link of a lock file is followed.
func TestHostileFolders(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{"/": "<p>here"})
	shared := passable(t)
	if err := os.Chmod(shared, 0o777); err != nil {
		t.Fatal(err)
	}
	target := filepath.Join(t.TempDir(), "target")
	for name, make := range map[string]func() string{
		"written by everybody": func() string { return shared },
		"below one that everybody writes": func() string {
			dir := filepath.Join(shared, "below")
			_ = os.Mkdir(dir, 0o755)
			return dir
		},
		"of another user": func() string {
			dir := filepath.Join(passable(t), "foreign")
			if os.Mkdir(dir, 0o755) != nil || os.Chown(dir, 64124, 64124) != nil {
				t.Skip("only root can make it")
			}
			return dir
		},
		"a file": func() string {
			name := filepath.Join(passable(t), "file")
			_ = os.WriteFile(name, nil, 0o600)
			return name
		},
		"a planted lock": func() string {
			dir := passable(t)
			dead := filepath.Join(dir, "1")
			if err := os.Mkdir(dead, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, filepath.Join(dead, "lock")); err != nil {
				t.Fatal(err)
			}
			old := time.Now().Add(-time.Minute)
			_ = os.Chtimes(dead, old, old)
			return dir
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := make()
			before := names(folder)
			b := newBrowser(t, func(o *browser.Options) { o.Folder = folder })
			if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: url}); err != nil {
				t.Fatal(err)
			}
			if after := names(folder); name != "a planted lock" && !slices.Equal(before, after) {
				t.Errorf("it was used: %v", after)
			}
			if _, err := os.Lstat(target); err == nil {
				t.Error("a file was made through the link")
			}
		})
	}
}

func names(dir string) (out []string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}
