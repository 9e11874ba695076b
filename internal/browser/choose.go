package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/spyhop-dev/spyhop/tool"
)

// Select chooses options of a list by their labels or values.
func (b *Browser) Select(ctx context.Context, at Place, ref string, values []string) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		e, err := t.element(ref)
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
		return tool.NewError(tool.InvalidInput, "list "+e.ref+" takes one value", "")
	case "missing", "disabled":
		return tool.NewError(tool.InvalidInput, fmt.Sprintf("list %s has no choice %q", e.ref, cut(res.Value, 80)), "its choices: "+line(strings.Join(res.Options, " | "), 600))
	}
	for _, v := range values {
		if err := e.chooseDrawn(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// drawnOptionScript looks for an option of a list that the page draws itself:
// among those that the list says are its own, else those that the page shows.
const drawnOptionScript = `function(value) {
	const same = s => s.replace(/\s+/g, ' ').trim().toLowerCase();
	const root = this.getRootNode();
	const own = (this.getAttribute('aria-controls') || this.getAttribute('aria-owns') || '').split(/\s+/).filter(Boolean).map(id => root.getElementById(id)).filter(Boolean);
	const options = from => from.flatMap(f => [...f.querySelectorAll('[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem]')]).filter(o => o.checkVisibility());
	let all = options([this, ...own]);
	if (!all.length) all = options([root]);
	if (!all.length) all = [...root.querySelectorAll('li,[class*=option],[class*=item]')].filter(o => o.checkVisibility() && !o.contains(this) && !o.children.length);
	const names = all.map(o => o.getAttribute('aria-label') || o.innerText || '');
	const i = names.findIndex(n => same(n) === same(value));
	if (i < 0) return {names: names.slice(0, 40).map(n => n.replace(/\s+/g, ' ').trim().slice(0, 60)).filter(Boolean)};
	return all[i];
}`

// drawnTries are how often a list that was opened is looked at for an option,
// every typedWait where the page has to be asked for it.
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
			pause, cancel := within(ctx, wait)
			<-pause.Done()
			cancel()
		}
		return false, ctx.Err()
	}
	if chosen, err := look(0); chosen || err != nil {
		return err
	}
	// A list that one types into shows what fits.
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
		return tool.NewError(tool.InvalidInput, e.ref+" shows no choices", "click it, and then what it shows")
	}
	return tool.NewError(tool.InvalidInput, fmt.Sprintf("list %s has no choice %q", e.ref, cut(value, 80)), "its choices: "+line(strings.Join(names, " | "), 600))
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
