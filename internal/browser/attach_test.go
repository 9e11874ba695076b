//go:build unix

package browser_test

import (
	"bufio"
	"context"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// person starts a browser as a person would, with remote debugging, at a page. It returns the
// URL of the endpoint.
func person(t *testing.T, page string) (weburl.URL, *exec.Cmd) {
	t.Helper()
	path, err := browser.Find("", false)
	if err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
	args := []string{"--remote-debugging-port=0", "--user-data-dir=" + t.TempDir(), "--no-first-run", "--no-sandbox", "--disable-gpu"}
	if !strings.Contains(path, "headless") {
		args = append(args, "--headless=new")
	}
	cmd := exec.Command(path, append(args, page)...)
	out, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { end(cmd); _ = cmd.Wait() })
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if m := regexp.MustCompile(`ws://([^/]+)/`).FindStringSubmatch(lines.Text()); m != nil {
			go func() {
				for lines.Scan() {
				}
			}()
			u, err := weburl.Parse("http://" + m[1])
			if err != nil {
				t.Fatal(err)
			}
			return u, cmd
		}
	}
	t.Fatal("the person's browser opens no port")
	return weburl.URL{}, nil
}

// end ends a person's browser.
func end(cmd *exec.Cmd) { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }

// TestAttach: operations in a person's browser work in a tab of their own or in one that is
// named, are checked by the policy, and leave the rest alone.
func TestAttach(t *testing.T) {
	t.Parallel()
	url := site(t, map[string]string{
		"/":     `<title>Mine</title><p>signed in <button onclick="this.textContent = 'Done'">Go</button>`,
		"/work": `<title>Work</title><p>words <a href="/pop" target=_blank>Pop</a>`,
		"/pop":  `<title>Pop</title><p>popped`,
	})
	at, cmd := person(t, url+"/")
	b := newBrowser(t, func(o *browser.Options) {
		private, err := egress.ParseException("127.0.0.1")
		if err != nil {
			t.Fatal(err)
		}
		guard, err := egress.New(egress.Policy{HTTP: egress.HTTPAllow, Private: []egress.Exception{private}, Endpoints: []weburl.URL{at}})
		if err != nil {
			t.Fatal(err)
		}
		o.Guard, o.Attach = guard, at
	})
	ctx := t.Context()
	p, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url + "/work"})
	if err != nil || p.Title != "Work" || !strings.Contains(strings.Join(p.Notices, "\n"), "cannot hold what this browser loads by itself") {
		t.Fatalf("%+v %v", p, err)
	}
	if f, err := b.Facts(); err != nil || f.Attached == "" {
		t.Errorf("%+v %v", f, err)
	}
	theirs := ""
	eventually(t, "the person's page is loaded and listed beside our own", func() bool {
		tabs, _, err := b.Tabs(ctx, browser.Place{}, "list", browser.Navigation{})
		for _, tab := range tabs {
			if tab.Title == "Mine" {
				theirs = tab.ID
			}
		}
		return err == nil && len(tabs) == 2 && theirs != ""
	})
	c, err := b.Click(ctx, browser.Place{}, browser.Pointer{Ref: `link "Pop"`})
	if err != nil || !strings.Contains(strings.Join(c.Notices, "\n"), "the page opened tab") {
		t.Errorf("a window: %+v %v", c, err)
	}
	c, err = b.Click(ctx, browser.Place{Tab: theirs}, browser.Pointer{Ref: `button "Go"`})
	if err != nil || !strings.Contains(c.Text, "Done") {
		t.Errorf("a tab of the person: %+v %v", c, err)
	}
	for name, call := range map[string]func() error{
		"a metadata service": func() error {
			_, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: "http://169.254.169.254/"})
			return err
		},
		"clearing cookies": func() error { _, err := b.ClearCookies(ctx, browser.Place{}); return err },
		"a state":          func() error { _, err := b.Restore(ctx, browser.Place{}, &browser.State{}); return err },
		"another caller": func() error {
			_, err := b.Navigate(principal.With(ctx, principal.Caller{Name: "ann"}), browser.Place{Owner: "ann"}, browser.Navigation{URL: url})
			return err
		},
	} {
		if err := call(); errorType(err) != tool.Blocked {
			t.Errorf("%s: %v", name, err)
		}
	}
	if r, err := b.Render(ctx, browser.Navigation{URL: url + "/work"}); err != nil || len(r.Notices) > 0 || !strings.Contains(r.HTML, "words") {
		t.Errorf("a page that is rendered: %v", err)
	}
	if _, err := b.CloseContexts(ctx, browser.Place{}); err != nil {
		t.Fatal(err)
	}
	left := func() (out []string) {
		page, err := b.Navigate(ctx, browser.Place{}, browser.Navigation{URL: url + "/work"})
		if err != nil {
			t.Fatal(err)
		}
		tabs, _, err := b.Tabs(ctx, browser.Place{}, "list", browser.Navigation{})
		if err != nil {
			t.Fatal(err)
		}
		for _, tab := range tabs {
			if tab.ID != page.Tab {
				out = append(out, tab.Title)
			}
		}
		return out
	}
	if got := left(); len(got) != 1 || got[0] != "Mine" {
		t.Errorf("the person has %q", got)
	}
	end(cmd)
	gone, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	var e *tool.Error
	for range 2 {
		if _, err := b.Navigate(gone, browser.Place{}, browser.Navigation{URL: url}); !errors.As(err, &e) || !strings.Contains(e.Message, at.Host()) || e.Hint == "" {
			t.Errorf("the browser is gone: %v", err)
		}
	}
}
