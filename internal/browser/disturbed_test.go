package browser_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

// disturbed opens a window in a context, has it run a script in some ms, and runs an operation there.
// The call that starts the script can be disturbed as well: its error is the operation's then.
func disturbed(t *testing.T, b *browser.Browser, at browser.Place, url, script string, ms int, operation func(context.Context, *actor) error) (*actor, error) {
	t.Helper()
	ctx, a := t.Context(), &actor{t: t, b: b, url: url, at: at}
	a.open("/")
	a.window("Open")
	_, _, err := b.Evaluate(ctx, a.at, fmt.Sprintf("setTimeout(() => { %s }, %d); 1", script, ms), "")
	if err == nil {
		err = operation(ctx, a)
	}
	if _, _, err := b.Tabs(ctx, a.at, "close", browser.Navigation{}); err != nil && !strings.Contains(err.Error(), "there is no tab") {
		t.Error(err)
	}
	return a, err
}

// moments are when a script disturbs an operation, in ms.
var moments = []int{0, 15, 60}

// TestDisturbed: wherever an operation stands when the page asks something, goes
// elsewhere or closes its window, its answer comes at once and says so.
func TestDisturbed(t *testing.T) {
	b := newBrowser(t, func(o *browser.Options) {
		o.AllowScript, o.CaptureDir = true, t.TempDir()
		o.Timeout = 5 * time.Minute // nothing may wait for it
	})
	url := site(t, map[string]string{
		"/":       `<title>Opener</title><button onclick="window.open('/window')">Open</button>`,
		"/window": `<title>Window</title><button>Save</button><input aria-label=Name><p>` + strings.Repeat("word ", 300),
		"/next":   `<title>Next</title><button>Save</button><p>arrived`,
	})
	contexts := make(chan string, 4)
	for _, name := range []string{"a", "b", "c", "d"} {
		contexts <- name
	}
	type operations = map[string]func(context.Context, *actor) error
	reads := operations{
		"snapshot": func(ctx context.Context, a *actor) error {
			_, err := b.Snapshot(ctx, a.at, browser.SnapshotRequest{})
			return err
		},
		"picture": func(ctx context.Context, a *actor) error {
			_, err := b.Screenshot(ctx, a.at, browser.Shot{})
			return err
		},
		"marks": func(ctx context.Context, a *actor) error {
			_, err := b.Screenshot(ctx, a.at, browser.Shot{Marks: true})
			return err
		},
	}
	acts := operations{
		"click": func(ctx context.Context, a *actor) error {
			_, err := b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Save")})
			return err
		},
		"fill": func(ctx context.Context, a *actor) error {
			_, err := b.FillForm(ctx, a.at, []browser.Field{{Ref: a.ref("Name"), Value: "some words"}})
			return err
		},
		"script": func(ctx context.Context, a *actor) error {
			_, _, err := b.Evaluate(ctx, a.at, "new Promise(done => setTimeout(done, 60))", "")
			return err
		},
	}
	for _, c := range []struct {
		script     string
		operations []operations
		allowed    string // errors
	}{
		{"confirm('Sure?')", []operations{reads, acts}, `^the page asked something meanwhile`},
		{"location.href = '/next'", []operations{reads}, `^$`},
		{"location.href = '/next'", []operations{acts}, `^the page went to http://127\.0\.0\.1:\d+/next meanwhile|^ref \w+ is `},
		{"window.close()", []operations{reads, acts}, `^the page is gone \(tab t\d+\)$|^there is no tab`},
	} {
		for _, list := range c.operations {
			for name, operation := range list {
				t.Run(name+" "+c.script, func(t *testing.T) {
					t.Parallel()
					context := <-contexts
					defer func() { contexts <- context }()
					for _, ms := range moments {
						a, err := disturbed(t, b, browser.Place{Context: context}, url, c.script, ms, operation)
						if err == nil {
							continue
						}
						if !regexp.MustCompile(c.allowed).MatchString(err.Error()) {
							t.Errorf("%d ms: %v", ms, err)
						}
						hint := ""
						if e := (*tool.Error)(nil); errors.As(err, &e) {
							hint = e.Hint
						}
						if strings.Contains(err.Error(), "the page is gone") && !regexp.MustCompile(`^the current tab is now t\d+: browser_snapshot shows it$`).MatchString(hint) {
							t.Errorf("%d ms: tab %s is gone, and the hint is %q", ms, a.at.Tab, hint)
						}
					}
				})
			}
		}
	}
}

// TestClosedByAnswer: an answer to a question, and a wait, by which a window ends are
// answered with the page that is left.
func TestClosedByAnswer(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, func(o *browser.Options) { o.AllowScript = true })
	url := site(t, map[string]string{
		"/":       `<title>Opener</title><button onclick="window.open('/window')">Open</button>`,
		"/window": `<title>Window</title><button onclick="confirm('Close?') && window.close()">Close</button><button onclick="confirm('Later?'); setTimeout(() => window.close(), 100)">Later</button>`,
	})
	// later has the window close when the next call has begun, which answers the question.
	later := func(ctx context.Context, a *actor) error {
		_, err := b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Later")})
		return err
	}
	left := regexp.MustCompile(`tab t\d+ was closed by its page; the current tab is t1`)
	for name, operation := range map[string]func(context.Context, *actor) (*browser.Changes, error){
		"question": func(ctx context.Context, a *actor) (*browser.Changes, error) {
			if _, err := b.Click(ctx, a.at, browser.Pointer{Ref: a.ref("Close")}); err != nil {
				return nil, err
			}
			return b.Dialog(ctx, a.at, true, "")
		},
		"wait": func(ctx context.Context, a *actor) (*browser.Changes, error) {
			if err := later(ctx, a); err != nil {
				return nil, err
			}
			return b.WaitFor(ctx, a.at, browser.Waiting{Time: time.Second})
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := disturbed(t, b, browser.Place{}, url, "", 0, func(ctx context.Context, a *actor) error {
				c, err := operation(ctx, a)
				if err == nil && !left.MatchString(strings.Join(c.Notices, "\n")) {
					t.Errorf("%+v", c)
				}
				return err
			})
			if err != nil {
				t.Error(err)
			}
		})
	}
	_, err := disturbed(t, b, browser.Place{}, url, "", 0, func(ctx context.Context, a *actor) error {
		if err := later(ctx, a); err != nil {
			t.Fatal(err)
		}
		_, err := b.WaitFor(ctx, a.at, browser.Waiting{Text: "Never"})
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "the page is gone") {
		t.Errorf("the window of a wait for a text was closed, and the answer is: %v", err)
	}
}

// TestLeftWhileItAsks: a page that asks while the next one is on its way is left, and what it
// asked is said.
func TestLeftWhileItAsks(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	for _, to := range []string{"/next", "reload", "back"} {
		t.Run(strings.Trim(to, "/"), func(t *testing.T) {
			left, answered := make(chan struct{}), make(chan struct{})
			leave, answer := sync.OnceFunc(func() { close(left) }), sync.OnceFunc(func() { close(answered) })
			var asks atomic.Bool // from when the page asks that is left
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "text/html")
				switch {
				case r.URL.Path == "/left":
					<-left
				case r.URL.Path == "/answered":
					answer()
				case asks.Load():
					leave()
					select {
					case <-answered:
					case <-r.Context().Done():
					}
					_, _ = io.WriteString(w, "<title>Next</title>")
				default:
					w.Header().Set("Cache-Control", "no-store")
					_, _ = io.WriteString(w, "<title>Asks</title><script>fetch('/left').then(() => { prompt('Why?'); fetch('/answered') })</script>")
				}
			}))
			t.Cleanup(s.Close)
			open := func(path string) {
				if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: s.URL + path}); err != nil {
					t.Fatal(err)
				}
			}
			open("/first")
			open("/second")
			asks.Store(true)
			if to == "/next" {
				to = s.URL + to
			}
			p, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: to})
			if err != nil {
				t.Fatal(err)
			}
			if p.Title != "Next" || p.Tab != "t1" || !slices.Contains(p.Dialogs, `prompt "Why?"`) {
				t.Errorf("%+v", p)
			}
		})
	}
}

// TestRefusedWhileItArrives: what the browser refuses of a page that has just come is read again,
// of a complete one not.
func TestRefusedWhileItArrives(t *testing.T) {
	t.Parallel()
	let := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/picture":
			<-let
		case "/arrives":
			_, _ = io.WriteString(w, "<p>first words<img src=/picture>")
		default:
			_, _ = io.WriteString(w, "<p>words")
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(let) })
	b := newBrowser(t, nil)
	for path, until := range map[string]string{"/complete": "load", "/arrives": "domcontentloaded"} {
		if _, err := b.Navigate(t.Context(), browser.Place{}, browser.Navigation{URL: s.URL + path, WaitUntil: until}); err != nil {
			t.Fatal(err)
		}
		if err := b.RefusedFirst(t.Context(), browser.Place{}); (err != nil) != (until == "load") {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestPanic: a defect that a page meets ends its call, not the process, and the next works.
func TestPanic(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	a := &actor{t: t, b: b, url: site(t, map[string]string{"/": "<button>Save</button>"})}
	a.open("/")
	func() {
		defer func() {
			if p := recover(); p != "a defect" {
				t.Error(p)
			}
		}()
		_ = b.Panic(t.Context(), a.at)
	}()
	a.open("/")
	a.ref("Save")
}
