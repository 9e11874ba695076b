package browser

import (
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Select chooses options of a list by their labels or values.
func (b *Browser) Select(ctx context.Context, at Place, ref string, values []string) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		e, err := t.element(ctx, ref)
		if err != nil {
			return err
		}
		return e.choose(ctx, values)
	})
}

const chooseScript = `function(values) {
	const e = this.control || this;
	const same = s => s.replace(/\s+/g, ' ').trim();
	if (e instanceof HTMLInputElement && e.list && values.length === 1) {
		const all = [...e.list.options], o = all.find(o => same(o.value || o.label).toLowerCase() === same(values[0]).toLowerCase());
		if (!o) return {kind: 'missing', value: values[0], options: all.slice(0, 40).map(o => same(o.value))};
		e.focus();
		e.value = o.value;
		e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
		e.dispatchEvent(new Event('change', {bubbles: true}));
		return {kind: 'done'};
	}
	if (!(e instanceof HTMLSelectElement)) return {kind: 'other'};
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

func (e *element) choose(ctx context.Context, values []string) error {
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
		return tool.NewError(tool.InvalidInput, "list "+text.Name(e.ref)+" takes one value", "")
	case "missing", "disabled":
		return tool.NewError(tool.InvalidInput, noChoice(e.ref, res.Value), choicesOf(res.Options))
	}
	for _, v := range values {
		if err := e.chooseDrawn(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// optionsScript is the beginning of scripts about the lists that pages draw
// themselves: shown are the elements that look like options and have a place, by
// their roles, else by their names.
const optionsScript = `
	const root = this.getRootNode(), top = root.host ? document : root;
	const placed = o => { const r = o.getBoundingClientRect(); return r.width > 1 && r.height > 1 && o.checkVisibility(); };
	const within = (from, what) => from.flatMap(f => [...f.querySelectorAll(what)]).filter(o => placed(o) && !o.contains(this));
	const roles = '[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem]', likes = 'li,[class*=option],[class*=item]';
	const shown = (from, wanted) => {
		const all = within(from, roles).filter(wanted);
		return all.length ? all : within(from, likes).filter(wanted).filter(o => !o.querySelector(likes));
	};
	const roots = root === top ? [root] : [root, top];
`

// beforeScript remembers what looks like an option before a list is opened.
const beforeScript = `function() {` + optionsScript + `
	globalThis.optionsBefore = new WeakSet([...within(roots, roles), ...within(roots, likes)]);
}`

// drawnOptionScript looks for an option of a list that the page draws itself: in the
// popup that the list says is its own, else among what has appeared since
// beforeScript. What stood there before belongs to something else.
const drawnOptionScript = `function(value) {` + optionsScript + `
	const same = s => s.replace(/\s+/g, ' ').trim().toLowerCase();
	const ids = [this.getAttribute('aria-controls'), this.getAttribute('aria-owns')].join(' ').split(/\s+/).filter(Boolean);
	const own = ids.map(id => (root.getElementById ? root.getElementById(id) : null) || document.getElementById(id)).filter(Boolean);
	let all = shown([this, ...own], () => true);
	if (!all.length) all = shown(roots, o => !globalThis.optionsBefore.has(o));
	const names = all.map(o => o.getAttribute('aria-label') || o.innerText || '');
	let i = names.findIndex(n => same(n) === same(value));
	if (i < 0) i = all.findIndex(o => same(o.innerText || '') === same(value));
	if (i < 0) return {names: names.slice(0, 40).map(n => n.replace(/\s+/g, ' ').trim().slice(0, 60)).filter(Boolean)};
	return all[i];
}`

// drawnTries is how often an opened list is searched for an option, every typedWait
// if typing is needed to find it.
const (
	drawnTries = 5
	typedWait  = 300 * time.Millisecond
)

// chooseDrawn opens a list that the page draws itself, and clicks an option.
func (e *element) chooseDrawn(ctx context.Context, value string) error {
	open, err := e.run(ctx, `function() { return this.getAttribute('aria-expanded') === 'true' || this.getAttribute('role') === 'listbox' }`)
	if err != nil {
		return err
	}
	if string(open) == "true" {
		// Unless the list names its options, they are those that appear when it opens.
		own, err := e.run(ctx, `function() { return this.getAttribute('role') === 'listbox' || !!(this.getAttribute('aria-controls') || this.getAttribute('aria-owns')) }`)
		if err != nil {
			return err
		}
		if string(own) != "true" {
			if err := e.tab.press(ctx, e.session, "Escape"); err != nil {
				return err
			}
			if err := e.tab.drawn(ctx); err != nil {
				return err
			}
			open = nil
		}
	}
	if _, err := e.run(ctx, beforeScript); err != nil {
		return err
	}
	if string(open) != "true" {
		if err := e.click(ctx, Pointer{}); err != nil {
			return err
		}
	}
	var names []string
	look := func(wait time.Duration) (chosen bool, err error) {
		for range drawnTries {
			if err := e.tab.drawn(ctx); err != nil {
				return false, err
			}
			var option *element
			if option, names, err = e.drawnOption(ctx, value); err != nil {
				return false, err
			}
			if option != nil {
				return true, option.click(ctx, Pointer{})
			}
			if err := pause(ctx, wait); err != nil {
				return false, err
			}
		}
		return false, ctx.Err()
	}
	if chosen, err := look(0); chosen || err != nil {
		return err
	}
	// A list with a text field shows the options that match the text.
	if raw, err := e.run(ctx, fieldScript); err != nil {
		return err
	} else if string(raw) == `"text"` {
		if err := e.fill(ctx, value, true); err != nil {
			return err
		}
		if chosen, err := look(typedWait); chosen || err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return tool.NewError(tool.InvalidInput, text.Name(e.ref)+" shows no choices", "click it, and then what it shows")
	}
	return tool.NewError(tool.InvalidInput, noChoice(e.ref, value), choicesOf(names))
}

func noChoice(ref, value string) string {
	return "list " + text.Name(ref) + " has no choice " + text.Quoted(value)
}

// choicesOf returns a hint with the labels of a list. The page has written them.
func choicesOf(labels []string) string {
	return "its choices, as the page names them:\n" + tool.Fence(line(strings.Join(labels, " | "), 600))
}

func (e *element) drawnOption(ctx context.Context, value string) (*element, []string, error) {
	found, release, err := e.object(ctx, drawnOptionScript, value)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	node, err := call(ctx, e.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: found})
	if err == nil {
		return &element{e.tab, e.session, e.ref, node.Node.BackendNodeID, e.frame, nil}, nil, nil
	}
	if !refused(err) {
		return nil, nil, err
	}
	raw, err := e.session.function(ctx, found, `function() { return this.names }`)
	var names []string
	if err == nil {
		err = json.Unmarshal(raw, &names)
	}
	return nil, names, err
}
