package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"

	"github.com/spyhop-dev/spyhop/internal/tool"
)

// Pointer is an action of the mouse.
type Pointer struct {
	Ref string
	// Double is two clicks.
	Double bool
	// Button is "left" (the default), "right" or "middle".
	Button string
	// Modifiers are held: Alt, Control, Meta, Shift.
	Modifiers []string
}

// Click clicks an element, after a look at whether the click would reach it.
func (b *Browser) Click(ctx context.Context, at Place, q Pointer) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		e, err := t.element(q.Ref)
		if err != nil {
			return err
		}
		return e.click(ctx, q)
	})
}

// Hover moves the mouse onto an element.
func (b *Browser) Hover(ctx context.Context, at Place, q Pointer) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		e, err := t.element(q.Ref)
		if err != nil {
			return err
		}
		p, err := e.aim(ctx)
		if err != nil {
			return err
		}
		return e.mouse(ctx, input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: p.x, Y: p.y})
	})
}

// mouse sends an event of the mouse. A dialog that it opens keeps the browser
// from answering, and ends the wait.
func (e *el) mouse(ctx context.Context, p input.DispatchMouseEventParams) error {
	return e.tab.send(ctx, e.session, input.DispatchMouseEvent.Method, p)
}

// send runs a command of input, until it is answered or a dialog is open.
func (t *tab) send(ctx context.Context, s *session, method string, params any) error {
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan error, 1)
	go func() { done <- s.Call(ctx, method, params, nil) }()
	for {
		t.mu.Lock()
		asks, changed := t.dialog != nil, t.changed
		t.mu.Unlock()
		if asks {
			cancel()
			<-done
			return nil
		}
		select {
		case err := <-done:
			cancel()
			return err
		case <-changed:
		}
	}
}

func (e *el) click(ctx context.Context, q Pointer) error {
	button, err := buttonOf(q.Button)
	if err != nil {
		return err
	}
	held, err := modifiersOf(q.Modifiers)
	if err != nil {
		return err
	}
	p, err := e.aim(ctx)
	if err != nil {
		return err
	}
	ev := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: p.x, Y: p.y, Modifiers: held}
	if err := e.mouse(ctx, ev); err != nil {
		return err
	}
	clicks := 1
	if q.Double {
		clicks = 2
	}
	ev.Button = button
	for n := 1; n <= clicks; n++ {
		ev.ClickCount = int64(n)
		ev.Type, ev.Buttons = input.DispatchMouseEventTypeMousePressed, map[input.MouseButton]int64{input.MouseButtonLeft: 1, input.MouseButtonRight: 2, input.MouseButtonMiddle: 4}[button]
		if err := e.mouse(ctx, ev); err != nil {
			return err
		}
		ev.Type, ev.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
		if err := e.mouse(ctx, ev); err != nil {
			return err
		}
	}
	return nil
}

func buttonOf(s string) (input.MouseButton, error) {
	switch s {
	case "", "left":
		return input.MouseButtonLeft, nil
	case "right":
		return input.MouseButtonRight, nil
	case "middle":
		return input.MouseButtonMiddle, nil
	}
	return "", tool.NewError(tool.InvalidInput, fmt.Sprintf("button %q is unknown", s), "it is left, right or middle")
}

// Typing is text for a field.
type Typing struct {
	Ref, Text string
	// Submit presses Enter after it.
	Submit bool
	// Slowly sends one key after the other, for pages that listen to keys.
	Slowly bool
}

// Type puts text into a field, in place of what stands there.
func (b *Browser) Type(ctx context.Context, at Place, q Typing) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		e, err := t.element(q.Ref)
		if err != nil {
			return err
		}
		if err := e.fill(ctx, q.Text, q.Slowly); err != nil {
			return err
		}
		if q.Submit {
			return t.press(ctx, e.session, "Enter")
		}
		return nil
	})
}

// fieldScript gives the focus to a field and marks its content, and says how
// it takes text: "text" by typing, "value" by setting, "" not at all. A label
// stands for its control.
const fieldScript = `function() {
	const e = this.control || this;
	if (e.disabled || e.readOnly) return e.disabled ? 'disabled' : 'readonly';
	e.focus();
	if (e instanceof HTMLInputElement) {
		if (['date','time','datetime-local','month','week','color','range'].includes(e.type)) return 'value';
		if (['checkbox','radio','file','button','submit','reset','image'].includes(e.type)) return '';
		e.select();
		return 'text';
	}
	if (e instanceof HTMLTextAreaElement) { e.select(); return 'text'; }
	if (e.isContentEditable) {
		const r = document.createRange(); r.selectNodeContents(e);
		const s = getSelection(); s.removeAllRanges(); s.addRange(r);
		return 'text';
	}
	const inner = e.querySelector && e.querySelector('input:not([type=hidden]),textarea,[contenteditable]');
	if (inner) { inner.focus(); if (inner.select) inner.select(); return 'text'; }
	return document.activeElement === e ? 'text' : '';
}`

// valueScript sets a value as a person would have chosen it.
const valueScript = `function(v) {
	const e = this.control || this;
	e.value = v;
	if (v !== '' && e.value === '') return false;
	e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
	e.dispatchEvent(new Event('change', {bubbles: true}));
	return true;
}`

func (e *el) fill(ctx context.Context, text string, slowly bool) error {
	raw, err := e.run(ctx, fieldScript)
	if err != nil {
		return err
	}
	var how string
	if err := json.Unmarshal(raw, &how); err != nil {
		return err
	}
	switch how {
	case "text":
	case "value":
		raw, err := e.run(ctx, valueScript, text)
		if err == nil && string(raw) == "false" {
			err = tool.NewError(tool.InvalidInput, fmt.Sprintf("%s does not take %q", e.ref, cut(text, 80)), "dates are written 2026-05-31, times 14:30, colours #aabbcc")
		}
		return err
	case "disabled", "readonly":
		return tool.NewError(tool.InvalidInput, "field "+e.ref+" is "+how, "")
	default:
		return tool.NewError(tool.InvalidInput, e.ref+" takes no text", "click it, or use the ref of a field (t…)")
	}
	switch {
	case text == "":
		return e.tab.press(ctx, e.session, "Delete")
	case slowly:
		for _, r := range text {
			if err := e.tab.press(ctx, e.session, string(r)); err != nil {
				return err
			}
		}
		return nil
	}
	return e.tab.send(ctx, e.session, input.InsertText.Method, input.InsertTextParams{Text: text})
}

// Field is a field of a form and what it is to hold: text, the label of a
// choice, or true and false for a box.
type Field struct{ Ref, Value string }

// FillForm fills several fields in order.
func (b *Browser) FillForm(ctx context.Context, at Place, fields []Field) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		for _, f := range fields {
			if err := t.setField(ctx, f); err != nil {
				return err
			}
			if err := t.drawn(ctx); err != nil {
				return err
			}
		}
		return nil
	})
}

func (t *tab) setField(ctx context.Context, f Field) error {
	e, err := t.element(f.Ref)
	if err != nil {
		return err
	}
	switch f.Ref[0] {
	case 'x', 'r':
		raw, err := e.run(ctx, `function() { const e = this.control || this; return !!e.checked || e.getAttribute('aria-checked') === 'true' }`)
		if err != nil {
			return err
		}
		want, err := truth(f.Value)
		if err != nil {
			return err
		}
		if (string(raw) == "true") == want {
			return nil
		}
		return e.click(ctx, Pointer{})
	case 'c':
		if raw, err := e.run(ctx, `function() { return this instanceof HTMLSelectElement }`); err != nil || string(raw) == "true" {
			if err != nil {
				return err
			}
			return e.choose(ctx, []string{f.Value})
		}
	}
	return e.fill(ctx, f.Value, false)
}

func truth(s string) (bool, error) {
	switch strings.ToLower(s) {
	case "true", "on", "yes", "1", "checked":
		return true, nil
	case "false", "off", "no", "0", "unchecked", "":
		return false, nil
	}
	return false, tool.NewError(tool.InvalidInput, fmt.Sprintf("value %q is not for a box", cut(s, 40)), "it is true or false")
}

// Select chooses options of a list by their labels or values.
func (b *Browser) Select(ctx context.Context, at Place, ref string, values []string) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		e, err := t.element(ref)
		if err != nil {
			return err
		}
		return e.choose(ctx, values)
	})
}

const chooseScript = `function(values) {
	const e = this.control || this;
	if (!(e instanceof HTMLSelectElement)) return {kind: 'other'};
	const same = s => s.replace(/\s+/g, ' ').trim();
	const chosen = [], options = [...e.options];
	for (const v of values) {
		const o = options.find(o => o.value === v) || options.find(o => same(o.label) === same(v)) || options.find(o => same(o.label).toLowerCase() === same(v).toLowerCase());
		if (!o || o.disabled) return {kind: o ? 'disabled' : 'missing', value: v, options: options.slice(0, 40).map(o => same(o.label))};
		chosen.push(o);
	}
	if (chosen.length > 1 && !e.multiple) return {kind: 'one'};
	e.focus();
	for (const o of options) o.selected = chosen.includes(o);
	e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
	e.dispatchEvent(new Event('change', {bubbles: true}));
	return {kind: 'done'};
}`

func (e *el) choose(ctx context.Context, values []string) error {
	raw, err := e.run(ctx, chooseScript, values)
	if err != nil {
		return err
	}
	var res struct {
		Kind, Value string
		Options     []string
	}
	if err := json.Unmarshal(raw, &res); err != nil {
		return err
	}
	switch res.Kind {
	case "done":
		return nil
	case "one":
		return tool.NewError(tool.InvalidInput, "list "+e.ref+" takes one value", "")
	case "missing", "disabled":
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("list %s has no choice %q", e.ref, cut(res.Value, 80)), "its choices: "+line(strings.Join(res.Options, " | "), 600))
	}
	return tool.NewError(tool.InvalidInput, e.ref+" is a list that the page draws itself", "click it, then click the option")
}

// PressKey presses a key, with modifiers as in "Control+a", in an element or
// where the focus is.
func (b *Browser) PressKey(ctx context.Context, at Place, key, ref string) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		s := t.main
		if ref != "" {
			e, err := t.element(ref)
			if err != nil {
				return err
			}
			if err := do(ctx, e.session, dom.Focus, dom.FocusParams{BackendNodeID: e.node}); err != nil && !refused(err) {
				return err
			}
			s = e.session
		}
		return t.press(ctx, s, key)
	})
}

// Drag drags one element onto another.
func (b *Browser) Drag(ctx context.Context, at Place, from, to string) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		source, err := t.element(from)
		if err != nil {
			return err
		}
		sink, err := t.element(to)
		if err != nil {
			return err
		}
		return drag(ctx, source, sink)
	})
}

// dragSteps are moves on the way, as pages look for a way and not for a jump.
const dragSteps = 8

func drag(ctx context.Context, source, sink *el) error {
	t, s := source.tab, source.session
	begin, err := source.aim(ctx)
	if err != nil {
		return err
	}
	data := make(chan *input.DragData, 1)
	t.update(func() {
		t.overhear = func(method string, params []byte) {
			if method == input.DragIntercepted.Method {
				if ev, ok := event(params, input.DragIntercepted); ok {
					select {
					case data <- ev.Data:
					default:
					}
				}
			}
		}
	})
	defer t.update(func() { t.overhear = nil })
	if err := do(ctx, s, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true}); err != nil {
		return err
	}
	defer func() { _ = do(ctx, s, input.SetInterceptDrags, input.SetInterceptDragsParams{}) }()
	ev := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: begin.x, Y: begin.y}
	if err := source.mouse(ctx, ev); err != nil {
		return err
	}
	ev.Type, ev.Button, ev.Buttons, ev.ClickCount = input.DispatchMouseEventTypeMousePressed, input.MouseButtonLeft, 1, 1
	if err := source.mouse(ctx, ev); err != nil {
		return err
	}
	// Where it goes may have moved with the scrolling to where it begins.
	end, err := sink.middle(ctx)
	if err != nil {
		return err
	}
	ev.Type, ev.ClickCount = input.DispatchMouseEventTypeMouseMoved, 0
	for i := 1; i <= dragSteps; i++ {
		k := float64(i) / dragSteps
		ev.X, ev.Y = begin.x+(end.x-begin.x)*k, begin.y+(end.y-begin.y)*k
		if err := source.mouse(ctx, ev); err != nil {
			return err
		}
	}
	select {
	case d := <-data:
		for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDrop} {
			if err := t.send(ctx, s, input.DispatchDragEvent.Method, input.DispatchDragEventParams{Type: kind, X: end.x, Y: end.y, Data: d}); err != nil {
				return err
			}
		}
	default:
	}
	ev.Type, ev.Buttons, ev.ClickCount = input.DispatchMouseEventTypeMouseReleased, 0, 1
	return source.mouse(ctx, ev)
}

// middle is the middle of an element as it stands in the window.
func (e *el) middle(ctx context.Context) (point, error) {
	quads, err := call(ctx, e.session, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: e.node})
	if err != nil {
		return point{}, e.stale(err)
	}
	for _, q := range quads.Quads {
		if p := places(q); len(p) > 0 {
			return p[0], nil
		}
	}
	return point{}, tool.NewError(tool.BrowserError, "element "+e.ref+" is not in the window together with the other one", "scroll first")
}

// Upload gives files to a field, or to the field that a button opens. They
// have to be inside of Options.UploadDir.
func (b *Browser) Upload(ctx context.Context, at Place, ref string, paths []string) (*Changes, error) {
	files, err := b.uploads(paths)
	if err != nil {
		return nil, err
	}
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		e, err := t.element(ref)
		if err != nil {
			return err
		}
		node, s := e.node, e.session
		isField, err := e.run(ctx, `function() { const e = this.control || this; return e instanceof HTMLInputElement && e.type === 'file' }`)
		if err != nil {
			return err
		}
		if string(isField) != "true" || ref[0] != 'f' {
			if node, err = t.chooser(ctx, e); err != nil {
				return err
			}
		}
		if err := do(ctx, s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: files, BackendNodeID: node}); err != nil {
			return err
		}
		t.takeNotices()
		return nil
	})
}

// chooser clicks what opens a field for files, and returns the field.
func (t *tab) chooser(ctx context.Context, e *el) (cdp.BackendNodeID, error) {
	node := make(chan cdp.BackendNodeID, 1)
	t.update(func() {
		t.overhear = func(method string, params []byte) {
			if ev, ok := event(params, page.FileChooserOpened); ok && method == page.FileChooserOpened.Method {
				select {
				case node <- ev.BackendNodeID:
				default:
				}
			}
		}
	})
	defer t.update(func() { t.overhear = nil })
	if err := e.click(ctx, Pointer{}); err != nil {
		return 0, err
	}
	wait, cancel := within(ctx, 2*time.Second)
	defer cancel()
	select {
	case n := <-node:
		return n, nil
	case <-wait.Done():
		return 0, tool.NewError(tool.InvalidInput, e.ref+" does not ask for files", "use the ref of a field for files (f…), or of the button that opens one")
	}
}

// uploads checks that files are inside of the folder for uploads, links
// followed.
func (b *Browser) uploads(paths []string) ([]string, error) {
	if b.options.UploadDir == "" {
		return nil, tool.NewError(tool.Blocked, "uploads are refused: no folder is set to upload from", "the operator can set WEB_UPLOAD_DIR")
	}
	root, err := filepath.EvalSymlinks(b.options.UploadDir)
	if err != nil {
		return nil, tool.NewError(tool.Blocked, "uploads are refused: the folder to upload from cannot be read", "")
	}
	var out []string
	for _, p := range paths {
		full := p
		if !filepath.IsAbs(p) {
			full = filepath.Join(root, p)
		}
		real, err := filepath.EvalSymlinks(full)
		rel := ""
		if err == nil {
			rel, err = filepath.Rel(root, real)
		}
		info, statErr := os.Stat(real)
		if err != nil || !filepath.IsLocal(rel) || statErr != nil || !info.Mode().IsRegular() {
			// One answer for all: a model learns nothing of other folders.
			return nil, tool.NewError(tool.Blocked, fmt.Sprintf("there is no file %q in the folder to upload from", cut(p, 200)), "give a name relative to that folder")
		}
		out = append(out, real)
	}
	return out, nil
}

// Scroll scrolls an element into the window, or the page. Direction is up,
// down, left, right, top or bottom; amount is in pixels, 0 for most of a window.
func (b *Browser) Scroll(ctx context.Context, at Place, ref, direction string, amount int) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *profile, t *tab) error {
		if ref != "" {
			e, err := t.element(ref)
			if err != nil {
				return err
			}
			if direction == "" {
				return e.stale(do(ctx, e.session, dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: e.node}))
			}
			p, err := e.aim(ctx)
			if err != nil {
				return err
			}
			return t.wheel(ctx, e.session, p, direction, amount)
		}
		return t.wheel(ctx, t.main, point{windowWidth / 2, windowHeight / 2}, direction, amount)
	})
}

func (t *tab) wheel(ctx context.Context, s *session, p point, direction string, amount int) error {
	const far = 1_000_000
	if amount <= 0 {
		amount = windowHeight * 8 / 10
	}
	// The typed parameters leave out a delta of zero, which the browser wants.
	ev := struct {
		Type   input.DispatchMouseEventType `json:"type"`
		X      float64                      `json:"x"`
		Y      float64                      `json:"y"`
		DeltaX float64                      `json:"deltaX"`
		DeltaY float64                      `json:"deltaY"`
	}{Type: input.DispatchMouseEventTypeMouseWheel, X: p.x, Y: p.y}
	switch n := float64(min(amount, far)); direction {
	case "", "down":
		ev.DeltaY = n
	case "up":
		ev.DeltaY = -n
	case "right":
		ev.DeltaX = n
	case "left":
		ev.DeltaX = -n
	case "top":
		ev.DeltaY = -far
	case "bottom":
		ev.DeltaY = far
	default:
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("direction %q is unknown", direction), "it is up, down, left, right, top or bottom")
	}
	return t.send(ctx, s, input.DispatchMouseEvent.Method, ev)
}
