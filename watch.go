package spyhop

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// BrowserViews returns the browser contexts of the caller of ctx, the one that was used
// last first, and a channel that is closed at the next call of a browser tool. A
// principal sees the contexts of all of its sessions.
func (s *Client) BrowserViews(ctx context.Context) (views []result.BrowserView, changed <-chan struct{}) {
	return s.watch.views(principal.Of(s.owned(ctx)).Name)
}

// BrowserPicture takes a picture of a context of BrowserViews. It changes nothing on the
// page. The error is an *Error: NoContent when the caller has no such context.
func (s *Client) BrowserPicture(ctx context.Context, id string) (result.BrowserPicture, error) {
	w := s.watch.find(principal.Of(s.owned(ctx)).Name, id)
	if w == nil {
		return result.BrowserPicture{}, tool.NewError(tool.NoContent, "this browser context is not open", "open a page with navigate_to_url")
	}
	ref := ""
	if len(w.view.Steps) > 0 {
		ref = w.view.Steps[0].Ref
	}
	seen, err := s.browser.Watch(ctx, browser.Place{Owner: w.session, Context: w.view.Context, Tab: w.view.Tab}, ref)
	if err != nil {
		return result.BrowserPicture{}, s.hints.explain(tool.AsError(err))
	}
	return result.BrowserPicture{JPEG: seen.JPEG, Width: seen.Width, Height: seen.Height, Ref: ref, X: seen.X, Y: seen.Y, W: seen.W, H: seen.H}, nil
}

const (
	// watchedSteps and watchedContexts bound what is remembered.
	watchedSteps    = 40
	watchedContexts = 4 * browser.MaxContexts
)

// watch remembers the calls of browser tools. The zero value is ready.
type watch struct {
	mu      sync.Mutex
	all     []*watched // the one that was used last comes last
	last    int
	changed chan struct{}
}

// watched is a context.
type watched struct {
	owner, session string
	view           result.BrowserView
}

// acted is told of a call; it is a value for toolset.Options.Acted.
func (w *watch) acted(ctx context.Context, c tool.Call, r tool.Result, err error) {
	at := place(c, r)
	e := tool.AsError(err)
	w.mu.Lock()
	defer w.mu.Unlock()
	i := w.latest(c.Session, at.Context)
	if i < 0 {
		if at.Context == "" || e != nil {
			return // nothing is open
		}
		w.last++
		w.all = append(w.all, &watched{owner: principal.Of(ctx).Name, session: c.Session, view: result.BrowserView{ID: strconv.Itoa(w.last), Context: at.Context}})
		i = len(w.all) - 1
	}
	is := w.all[i]
	w.all = append(slices.Delete(w.all, i, i+1), is)
	w.all = w.all[max(0, len(w.all)-watchedContexts):]
	v := &is.view
	if at.URL != "" {
		v.URL, v.Title = at.URL, at.Title
	}
	v.Tab, v.Ended = cmp.Or(at.Tab, v.Tab), false
	step := result.BrowserStep{Time: time.Now(), Tool: c.Tool, Ref: c.Args.String("ref"), About: about(c.Args)}
	if e != nil {
		step.Err = e.Type
	}
	// The steps are shared with those who read them: they are never changed.
	v.Steps = append([]result.BrowserStep{step}, v.Steps[:min(len(v.Steps), watchedSteps-1)]...)
	v.Number++
	if c.Tool == "close_browser" && e == nil {
		w.close(c.Session, c.Args.String("context"))
	}
	w.wake()
}

// latest finds a context of a session, by default the one that was used last; -1 where
// none exists. w.mu is held.
func (w *watch) latest(session, context string) int {
	for i, is := range slices.Backward(w.all) {
		if is.session == session && (context == "" || is.view.Context == context) && !is.view.Ended {
			return i
		}
	}
	return -1
}

// end notes that a session's contexts are closed; an empty context means all of them.
func (w *watch) end(session, context string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.close(session, context)
	w.wake()
}

// close is end for one who holds w.mu.
func (w *watch) close(session, context string) {
	for _, is := range w.all {
		if is.session == session && (context == "" || is.view.Context == context) {
			is.view.Ended = true
		}
	}
}

func (w *watch) wake() {
	if w.changed != nil {
		close(w.changed)
		w.changed = nil
	}
}

func (w *watch) views(owner string) (out []result.BrowserView, changed <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.changed == nil {
		w.changed = make(chan struct{})
	}
	for _, is := range slices.Backward(w.all) {
		if is.owner == owner {
			out = append(out, is.view)
		}
	}
	return out, w.changed
}

// find returns a copy of an open context of an owner.
func (w *watch) find(owner, id string) *watched {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, is := range w.all {
		if is.owner == owner && is.view.ID == id && !is.view.Ended {
			found := *is
			return &found
		}
	}
	return nil
}

// place is where a call was.
func place(c tool.Call, r tool.Result) result.BrowserPage {
	switch data := r.Data.(type) {
	case result.BrowserPage:
		return data
	case result.Screenshot:
		return data.BrowserPage
	case result.PDF:
		return data.BrowserPage
	}
	return result.BrowserPage{Context: c.Args.String("context"), Tab: c.Args.String("tab")}
}

// about says what a call was about, as one line. What was typed is only counted: it can
// be a password.
func about(args tool.Arguments) string {
	var out []string
	if u := args.String("url"); u != "" {
		out = append(out, text.URL(u))
	}
	if to := args.String("to"); to != "" {
		out = append(out, "to "+text.Name(to))
	}
	for _, name := range []string{"direction", "action"} {
		if v := args.String(name); v != "" {
			out = append(out, text.Name(v))
		}
	}
	for _, name := range []string{"text", "script", "key"} {
		if n := len([]rune(args.String(name))); n > 0 {
			out = append(out, fmt.Sprintf("%s of %d characters", name, n))
		}
	}
	if fields, ok := args["fields"].([]any); ok {
		out = append(out, fmt.Sprintf("%d fields", len(fields)))
	}
	return strings.Join(out, ", ")
}
