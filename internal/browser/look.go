package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Found is the lines of a page that match.
type Found struct {
	Page
	Text  string
	Shown int // lines in Text that match
	Count int // lines that match
}

// Find returns the lines of the page that contain the words, in any case, or that a
// regular expression (RE2) matches.
func (b *Browser) Find(ctx context.Context, at Place, words, expression string) (*Found, error) {
	words = strings.ToLower(strings.Join(strings.Fields(words), " "))
	match := func(s string) bool { return strings.Contains(strings.ToLower(s), words) }
	if expression != "" {
		re, err := regexp.Compile(expression)
		if err != nil || len(expression) > 1000 {
			return nil, tool.NewError(tool.InvalidInput, "regex "+text.Quoted(expression)+" cannot be read", "it is written as Go's package regexp wants it (RE2)")
		}
		match = re.MatchString
	} else if words == "" {
		return nil, tool.NewError(tool.InvalidInput, "there is nothing to look for", "give text or regex")
	}
	var out *Found
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.dismiss(ctx)
		p, err := t.look(ctx)
		if err != nil {
			return err
		}
		where, err := t.describe(ctx)
		if err != nil {
			return err
		}
		out = &Found{Page: *where}
		out.Text, out.Shown, out.Count = p.Find(match, changeTokens, t.refs)
		return nil
	})
	return out, err
}

// Checked is what a person can tell of an element.
type Checked struct {
	Page
	// Text is the lines of the snapshot that the element stands in, with its whole value;
	// "" for one that nobody sees.
	Text string
	// Visible reports whether the snapshot has it, InWindow whether that is in the window,
	// and Covered whether a dialog lies over it.
	Visible, InWindow, Covered bool
}

// Check says whether the element of a ref is visible and what it holds. The ref of an
// element that has left the page is an error, as in an action.
func (b *Browser) Check(ctx context.Context, at Place, ref string) (*Checked, error) {
	var out *Checked
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.dismiss(ctx)
		ref, err := t.refOf(ctx, ref)
		if err != nil {
			return err
		}
		before := t.last
		p, err := t.look(ctx)
		if err != nil {
			return err
		}
		out = new(Checked)
		if part, ok := p.Part(ref, t.refs); ok {
			out.Text = part.Within(checkTokens)
			out.Visible, out.InWindow, out.Covered = true, part.InWindow(), part.Covered()
		} else {
			t.last = before // in which the ref is known, if it ever was
			if err := t.explainStale(ctx, t.connected(ctx, ref)); err != nil {
				return err
			}
			t.last = p
		}
		where, err := t.describe(ctx)
		if err != nil {
			return err
		}
		out.Page = *where
		return nil
	})
	return out, err
}

// connected returns the error of a stale ref for an element that has left the page.
func (t *tab) connected(ctx context.Context, ref string) error {
	e, err := t.named(ctx, ref)
	if err != nil {
		return err
	}
	// The frame of an element that is not shown is not known, so this runs in the page's
	// world, which can only lie about itself.
	object, err := call(ctx, e.session, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: e.node, ObjectGroup: world})
	if err != nil {
		return e.stale(err)
	}
	defer e.session.release(ctx)
	raw, err := e.session.function(ctx, object.Object.ObjectID, `function() { return this.isConnected }`)
	if err == nil && string(raw) != "true" {
		return staleRef(e.ref)
	}
	return err
}

// Waiting is what to wait for. The first field that is set counts; with only Time,
// WaitFor waits for that time.
type Waiting struct {
	Text, TextGone, Ref, URL string
	Time                     time.Duration
}

// WaitFor waits until the page meets the condition, for at most Time, or else half
// of the operation's time.
func (b *Browser) WaitFor(ctx context.Context, at Place, w Waiting) (*Changes, error) {
	limit := w.Time
	if limit <= 0 {
		limit = b.options.Timeout / 2
	}
	limit = min(limit, MaxWait)
	var out *Changes
	err := b.on(ctx, at, limit+b.options.Timeout, func(ctx context.Context, p *browserContext, t *tab) (err error) {
		t.dismiss(ctx)
		// What was waited for is there: nothing further is.
		if out, err = t.changesWithin(ctx, delayed, func(ctx context.Context) error { return t.waitFor(ctx, w, limit) }); err == nil && w.Text != "" {
			t.remember(ctx, "page.getByText("+quoteJS(w.Text)+").first().waitFor()")
		}
		if !w.conditional() {
			out, err = p.unlessClosed(ctx, t, out, err)
		}
		return err
	})
	return out, err
}

func (t *tab) waitFor(ctx context.Context, w Waiting, limit time.Duration) error {
	end := time.NewTimer(limit)
	defer end.Stop()
	tick := time.NewTicker(waitStep)
	defer tick.Stop()
	for over := false; ; {
		ok, err := t.meets(ctx, w)
		switch {
		case ok || err != nil:
			return err
		case over && !w.conditional():
			return nil
		case over:
			return tool.NewError(tool.Timeout, fmt.Sprintf("waited %s for %s without success", limit.Round(time.Millisecond), w.what()), "browser_snapshot shows the page as it is")
		}
		select {
		case <-tick.C:
		case <-end.C:
			over = true // what came since the last look counts
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// conditional reports whether something besides the time is waited for.
func (w Waiting) conditional() bool { return w.Text+w.TextGone+w.Ref+w.URL != "" }

func (w Waiting) what() string {
	switch {
	case w.Text != "":
		return "the text " + text.Quoted(w.Text)
	case w.TextGone != "":
		return "the text " + text.Quoted(w.TextGone) + " to go"
	case w.URL != "":
		return "the address " + text.Quoted(w.URL)
	}
	return "ref " + text.Name(w.Ref)
}

// meets reports whether the page meets the condition.
func (t *tab) meets(ctx context.Context, w Waiting) (bool, error) {
	if w.URL != "" {
		t.mu.Lock()
		defer t.mu.Unlock()
		return strings.Contains(t.url, w.URL), nil
	}
	if !w.conditional() {
		return false, nil
	}
	p, err := t.capture(ctx)
	if err != nil {
		return false, err
	}
	holds := func(text string) bool {
		text = strings.Join(strings.Fields(text), " ")
		_, _, n := p.Find(func(l string) bool { return strings.Contains(l, text) }, 0, nil)
		return n > 0
	}
	switch {
	case w.Text != "":
		return holds(w.Text), nil
	case w.TextGone != "":
		return !holds(w.TextGone), nil
	}
	if n, ok := snapshot.ParseName(w.Ref); ok {
		return len(p.Named(n)) > 0, nil
	}
	return holds("](" + w.Ref + ")"), nil
}

// Dialog answers the question that the page asks.
func (b *Browser) Dialog(ctx context.Context, at Place, accept bool, text string) (*Changes, error) {
	var out *Changes
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, p *browserContext, t *tab) (err error) {
		t.mu.Lock()
		d, started := t.dialog, t.started
		t.dialog = nil
		t.mu.Unlock()
		if d == nil {
			return tool.NewError(tool.InvalidInput, "the page asks nothing", "")
		}
		if err := t.answer(ctx, accept, text); err != nil {
			out, err = p.unlessClosed(ctx, t, nil, err)
			return err
		}
		unseen := t.last == nil || t.shownLoader != t.document()
		if out, err = t.changes(ctx, func(ctx context.Context) error { return t.settle(ctx, started) }); err == nil && unseen && t.last != nil {
			out.shows()
			out.Text = t.last.Within(changeTokens) // the caller has not seen the page before
		}
		out, err = p.unlessClosed(ctx, t, out, err)
		return err
	})
	return out, err
}

// Evaluate runs a script in the page, as the page's own scripts run, and
// returns its value as JSON; of a script that is a function, what the function
// returns. With a ref, the script is a function that gets the element. It is
// refused unless Options.AllowScript.
func (b *Browser) Evaluate(ctx context.Context, at Place, script, ref string) (out json.RawMessage, where Place, err error) {
	if !b.options.AllowScript {
		return nil, at, tool.NewError(tool.Blocked, "running script in a page is not allowed", "the operator can allow it with WEB_ALLOW_SCRIPT=true")
	}
	err = b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) (err error) {
		where = t.where()
		t.dismiss(ctx)
		return t.unasked(ctx, func(ctx context.Context) error {
			out, err = t.evaluate(ctx, script, ref)
			return err
		})
	})
	if len(out) > maxValue {
		return nil, where, tool.NewError(tool.TooLarge, fmt.Sprintf("the value has %d bytes, at most %d", len(out), maxValue), "return less of it")
	}
	return out, where, err
}

func (t *tab) evaluate(ctx context.Context, script, ref string) (json.RawMessage, error) {
	if ref != "" {
		e, err := t.element(ctx, ref)
		if err != nil {
			return nil, err
		}
		return e.run(ctx, "function() { return ("+script+")(this) }")
	}
	p := runtime.EvaluateParams{Expression: script, ReturnByValue: new(true), AwaitPromise: new(true), ReplMode: new(true), UserGesture: new(true)}
	res, err := call(ctx, t.main, runtime.Evaluate, p)
	if err == nil && res.ExceptionDetails == nil && res.Result != nil && res.Result.Type == runtime.RemoteObjectTypeFunction {
		p.Expression, p.ReplMode = "("+script+")()", nil // which would not wait for what it promises
		res, err = call(ctx, t.main, runtime.Evaluate, p)
	}
	if err != nil {
		return nil, err
	}
	return scriptValue(res.Result, res.ExceptionDetails)
}

// Journal is what a page wrote to its console, or requested from the network.
type Journal struct {
	Place Place
	// Lines are the last ones, the oldest first; Dropped counts those before them.
	Lines   []string
	Dropped int
}

// Journal returns the last lines of the page's "console" or "network" that hold
// filter, and how many were dropped.
func (b *Browser) Journal(ctx context.Context, at Place, what, filter string) (j Journal, err error) {
	j.Place, err = b.beside(ctx, at, needsContext, func(ctx context.Context, _ *browserContext, t *tab) error {
		t.mu.Lock()
		defer t.mu.Unlock()
		r := &t.journal.console
		switch what {
		case "console":
		case "network":
			r = &t.journal.network
		default:
			return tool.NewError(tool.InvalidInput, "what "+text.Quoted(what)+" is unknown", "it is console or network")
		}
		j.Dropped = r.dropped
		for _, l := range r.lines {
			if strings.Contains(strings.ToLower(l), strings.ToLower(filter)) {
				j.Lines = append(j.Lines, l)
			}
		}
		return nil
	})
	return j, err
}

// Content is a page as its scripts have made it.
type Content struct {
	Page
	// HTML is the markup, with marks at the text that a person does not see, see
	// [snapshot.Markup].
	HTML string
	// NoStore reports whether the document, or that of a frame in it, came with
	// Cache-Control: no-store.
	NoStore bool
	// Loading says that the document had not come to its end when it was read, or shows
	// little more than that it loads. Scrolled is what scrolling it brought. Only Render
	// sets these.
	Loading  bool
	Scrolled Scrolled
}

// Content returns the markup of the page in a tab.
func (b *Browser) Content(ctx context.Context, at Place) (*Content, error) {
	var out *Content
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) (err error) {
		t.dismiss(ctx)
		if err := t.calm(ctx); err != nil {
			return err
		}
		out, err = t.content(ctx)
		return err
	})
	return out, err
}

func (t *tab) content(ctx context.Context) (out *Content, err error) {
	err = t.readAnyway(ctx, func(ctx context.Context) (err error) {
		out, err = t.contentOfDocument(ctx)
		return err
	})
	if err != nil {
		return nil, err
	}
	where, err := t.describe(ctx)
	if err != nil {
		return nil, err
	}
	out.Page = *where
	return out, nil
}

func (t *tab) contentOfDocument(ctx context.Context) (*Content, error) {
	in, err := t.readAll(ctx, t.document(), readDOM)
	if err != nil {
		return nil, err
	}
	out, frames := &Content{}, []string(nil)
	out.HTML, frames = snapshot.Markup(in, snapshot.Viewport{Width: t.width, Height: t.height}, maxHTML)
	t.mu.Lock()
	defer t.mu.Unlock()
	out.NoStore = t.arrivals[t.loader].noStore || len(t.unkept) >= maxKids || slices.ContainsFunc(frames, func(id string) bool { return t.unkept[cdp.FrameID(id)] })
	return out, nil
}

// Render opens an address in a context of its own, which ends with the call,
// waits until the page has come to rest, and returns it as its scripts have
// made it.
func (b *Browser) Render(ctx context.Context, n Navigation) (*Content, error) {
	if b.plain != nil {
		return b.plain.Render(ctx, n)
	}
	at := private("render")
	defer b.endPrivate(ctx, at, false)
	var out *Content
	err := b.run(ctx, at, b.options.Timeout, needsNothing, func(ctx context.Context, p *browserContext, t *tab) error {
		if n.State != nil {
			if err := p.restore(ctx, n.State); err != nil {
				return err
			}
		}
		if _, err := b.navigate(ctx, p, t, n); err != nil {
			return err
		}
		if n.WaitFor != "" {
			if err := t.shows(ctx, n.WaitFor); err != nil {
				return err
			}
		} else if err := t.rest(ctx); err != nil {
			return err
		}
		t.dismiss(ctx)
		if err := t.showsAnswer(); err != nil {
			return err // the page has moved to another address meanwhile
		}
		scrolled, err := t.scrollFor(ctx, n.Scroll)
		if err != nil {
			return err
		}
		if out, err = t.content(ctx); err == nil {
			out.Scrolled, out.Loading = scrolled, t.loads(ctx)
		}
		return err
	})
	return out, err
}

// RefAt is a ref and the line of the snapshot that it is in.
type RefAt struct{ Ref, Line string }

// Inspect calls f with the commands of the browser's protocol in a tab, and with the refs of a
// new snapshot by the protocol's ids of their elements. It is for measurements.
func (b *Browser) Inspect(ctx context.Context, at Place, f func(call func(method string, params, result any) error, refs map[int64]RefAt) error) error {
	return b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		p, err := t.look(ctx)
		if err != nil {
			return err
		}
		refs := make(map[int64]RefAt)
		for i := range p.Lines {
			for _, ref := range p.Lines[i].Refs {
				if n, ok := t.refs.Node(ref); ok && n.Process == string(t.main.id) {
					refs[n.ID] = RefAt{ref, p.Lines[i].Text}
				}
			}
		}
		return f(func(method string, params, result any) error { return t.main.Call(ctx, method, params, result) }, refs)
	})
}
