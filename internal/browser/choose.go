package browser

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
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
		l := e.locate(ctx)
		if err := e.choose(ctx, values); err != nil {
			return err
		}
		t.did(ctx, l, "selectOption(%s)", listJS(values))
		return nil
	})
}

const chooseScript = `function(values) {
	const e = this.control || this;
	const same = s => s.replace(/\s+/g, ' ').trim();
	if (['checkbox', 'radio'].includes(e.type || e.role)) return {kind: 'box'};
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
	e.focus(); // what another field waits for happens when it is left
	for (const v of values) {
		const o = options.find(o => o.value === v) || options.find(o => same(o.label) === same(v)) || options.find(o => same(o.label).toLowerCase() === same(v).toLowerCase()) ||
			options.find(o => o.parentNode.label && same(o.parentNode.label + ': ' + o.label).toLowerCase() === same(v).toLowerCase());
		if (!o || o.disabled) return {kind: o ? 'disabled' : 'missing', value: v, options: options.slice(0, 40).map(o => same(o.label) + (o.disabled ? ' (disabled)' : ''))};
		chosen.push(o);
	}
	if (chosen.length > 1 && !e.multiple) return {kind: 'one'};
	for (const o of options) o.selected = chosen.includes(o);
	e.dispatchEvent(new Event('input', {bubbles: true, composed: true}));
	e.dispatchEvent(new Event('change', {bubbles: true}));
	return {kind: 'done'};
}`

func (e *element) choose(ctx context.Context, values []string) error {
	if err := e.enabled(ctx); err != nil {
		return err
	}
	var res struct {
		Kind, Value string
		Options     []string
	}
	for end := time.Now().Add(patience); ; {
		if err := e.ask(ctx, &res, chooseScript, values); err != nil {
			return err
		}
		if res.Kind != "missing" || time.Now().After(end) {
			break
		}
		// The page may still fill the list.
		if err := pause(ctx, lookEvery); err != nil {
			return err
		}
	}
	switch res.Kind {
	case "done":
		return nil
	case "box":
		return tool.NewError(tool.InvalidInput, text.Name(e.ref)+" is a box and not a list", "browser_click changes it")
	case "one":
		return tool.NewError(tool.InvalidInput, "list "+text.Name(e.ref)+" takes one value", "")
	case "missing", "disabled":
		return tool.NewError(tool.InvalidInput, noChoice(e.ref, res.Value), choicesOf(res.Options))
	}
	return e.chooseAll(ctx, values)
}

// chooseAll chooses values from a list that the page draws itself. A choice may remove what was
// clicked, as the prompt of an empty list: then what that stood in opens the list again.
func (e *element) chooseAll(ctx context.Context, values []string) error {
	around := e
	if len(values) > 1 {
		found, err := e.related(ctx, `function() { return this.parentElement }`)
		if err != nil {
			return err
		}
		around = cmp.Or(found, e)
	}
	for n := range values {
		if n > 0 {
			if err := e.tab.drawn(ctx); err != nil {
				return err
			}
			if there, err := e.is(ctx, isConnectedScript); isStale(err) || err == nil && !there {
				e = around
			}
		}
		if err := e.chooseDrawn(ctx, values, n); err != nil {
			return err
		}
	}
	return e.unchoose(ctx, values)
}

// isChosenScript reports whether an option of a list with several choices says that it is chosen:
// a click would take it back.
const isChosenScript = `
	const several = o => o.getAttribute('role') === 'menuitemcheckbox' || o.closest('[aria-multiselectable=true]');
	const isChosen = o => !!several(o) && (o.ariaChecked || o.ariaSelected) === 'true';
`

// extraScript finds an option that is chosen and not among the values, in a list with several
// choices that drawnOptionScript has seen.
const extraScript = `function(values) {` + isChosenScript + `
	const same = s => s.replace(/\s+/g, ' ').trim().toLowerCase();
	const wanted = values.map(same), seen = globalThis.optionsSeen || [];
	const names = o => [o.getAttribute('aria-label') || '', o.innerText || '', (o.innerText || '').trim().split('\n')[0]].map(same);
	return seen.find(o => o.isConnected && isChosen(o) && !names(o).some(n => wanted.includes(n))) || null;
}`

// isChosen reports whether an option says that it is chosen.
func (e *element) isChosen(ctx context.Context) (bool, error) {
	says, err := e.is(ctx, `function() {`+isChosenScript+`return isChosen(this)}`)
	if isStale(err) {
		return false, nil
	}
	return says, err
}

// unchoose takes back the choices of a list that are not among the values, as in a list of the
// browser's own. It does so where the options that are chosen stay in the list and say so.
func (e *element) unchoose(ctx context.Context, values []string) error {
	for range mostChosen {
		wanted, _, _, err := e.drawnOption(ctx, values[0], 0)
		if err != nil || wanted == nil {
			return err
		}
		if says, err := wanted.isChosen(ctx); err != nil || !says {
			return err
		}
		extra, err := e.related(ctx, extraScript, values)
		if err != nil || extra == nil {
			return err
		}
		if err := extra.click(ctx, Pointer{}); err != nil {
			return err
		}
		if err := e.tab.drawn(ctx); err != nil {
			return err
		}
		if still, err := extra.isChosen(ctx); err != nil || still {
			return err
		}
	}
	return nil
}

// optionsScript is the beginning of scripts about the lists that pages draw
// themselves: shown are the elements that look like options and have a place, by
// their roles, else by their names.
const optionsScript = `
	const root = this.isConnected ? this.getRootNode() : document, top = root.host ? document : root; // opening may remove it
	const placed = o => { const r = o.getBoundingClientRect(); return r.width > 1 && r.height > 1 && o.checkVisibility(); };
	const deep = (f, what) => [...f.querySelectorAll(what), ...[...f.querySelectorAll('*')].flatMap(h => h.shadowRoot ? deep(h.shadowRoot, what) : [])];
	const within = (from, what) => from.flatMap(f => deep(f, what)).filter(o => placed(o) && !o.contains(this));
	const off = o => o.getAttribute('aria-disabled') === 'true' || o.matches(':disabled');
	const words = o => o.getAttribute('aria-label') || o.innerText || (o.getRootNode().host ? o.getRootNode().host.innerText : '') || '';
	const roles = '[role=option],[role=menuitem],[role=menuitemradio],[role=treeitem]', likes = 'li,[class*=option],[class*=item]';
	const shown = (from, wanted) => {
		const all = within(from, roles).filter(wanted);
		return all.length ? all : within(from, likes).filter(wanted).filter(o => !o.querySelector(likes));
	};
	const roots = [top];
`

// saysScript is the elements that are seen and whose whole text is a value.
const saysScript = `
	const same = s => s.replace(/\s+/g, ' ').trim().toLowerCase();
	const says = (from, value) => from.flatMap(f => {
		const walk = document.createTreeWalker(f, NodeFilter.SHOW_TEXT), out = [];
		for (let n = walk.nextNode(); n; n = walk.nextNode()) if (same(n.data) === same(value) && n.parentElement && placed(n.parentElement)) out.push(n.parentElement);
		return out;
	});
`

// beforeScript remembers what looks like an option before a list is opened, or says what
// is to be chosen.
const beforeScript = `function(values) {` + optionsScript + saysScript + `
	globalThis.optionsFrom = null;
	globalThis.optionsBefore = new WeakSet([...within(roots, roles), ...within(roots, likes), ...values.flatMap(v => says(roots, v))]);
}`

// drawnOptionScript looks for an option of a list that the page draws itself: in the
// popup that the list says is its own, else among what has appeared since
// beforeScript. What stood there before belongs to something else.
const drawnOptionScript = `async function(value, most) {` + optionsScript + saysScript + `
	const look = () => {
	const ids = [this.getAttribute('aria-controls'), this.getAttribute('aria-owns')].join(' ').split(/\s+/).filter(Boolean);
	const own = ids.map(id => (root.getElementById ? root.getElementById(id) : null) || document.getElementById(id)).filter(Boolean);
	let all = shown(own, () => true);
	if (!all.length) all = within([this], roles);
	const fresh = o => !globalThis.optionsBefore.has(o);
	if (!all.length) all = shown(roots, o => fresh(o) && !this.contains(o)); // what it holds may be what was chosen
	if (!all.length) all = shown([this], fresh);
	const names = all.map(words);
	let i = names.findIndex(n => same(n) === same(value));
	if (i < 0) i = all.findIndex(o => same(o.innerText || '') === same(value));
	if (i < 0) { // the first line is what it is called, where no other option is called the same
		const first = all.map(o => same((o.innerText || '').trim().split('\n')[0]));
		if (first.filter(n => n === same(value)).length === 1) i = first.indexOf(same(value));
	}
	globalThis.optionsSeen = all;
	if (!all.length) { // nothing but its text says that it is an option
		const said = says(own.length ? own : roots, value).filter(fresh);
		if (said.length === 1) return said[0];
	}
	if (i < 0 || off(all[i])) return {names: names.slice(0, 40).map((n, i) => n.replace(/\s+/g, ' ').trim().slice(0, 60) + (off(all[i]) ? ' (disabled)' : '')).filter(Boolean)};
	return all[i];
	};
	// Lists that are long draw only what their window shows, or load more at their end.
	const scroller = () => {
		let n = globalThis.optionsSeen[0];
		for (let i = 0; n && i < 8; i++, n = n.parentElement || (n.getRootNode().host || null))
			if (n.scrollHeight > n.clientHeight + 1 && /auto|scroll|hidden/.test(getComputedStyle(n).overflowY)) return n;
		return null;
	};
	const further = n => {
		const before = n.scrollTop, all = globalThis.optionsSeen, tall = all.map(o => o.getBoundingClientRect().height);
		const drawn = tall.reduce((sum, h) => sum + h, 0);
		n.scrollTop = drawn > n.scrollHeight * .8 ? n.scrollHeight : before + Math.max(40, n.clientHeight * .8, drawn - Math.max(...tall));
		if (n.scrollTop !== before) return true;
		n.dispatchEvent(new WheelEvent('wheel', {deltaY: n.clientHeight * .8, bubbles: true, cancelable: true}));
		return n.scrollTop !== before;
	};
	const begun = performance.now(), seen = found => found instanceof Node ? '' : found.names.join();
	let found = look(), names = found.names, moved = false;
	while (!(found instanceof Node) && performance.now() - begun < most) {
		const n = scroller(), before = seen(found);
		if (!n) break;
		if (n !== globalThis.optionsFrom && n.scrollTop > 0) n.scrollTop = 0; // a list opens at what is chosen
		else if (!further(n)) break;
		globalThis.optionsFrom = n;
		moved = true;
		for (let frame = 0; frame < 3 && seen(found) === before; frame++) {
			await new Promise(done => requestAnimationFrame(() => setTimeout(done)));
			found = look();
		}
		if (!names.length) names = found.names || [];
	}
	return found instanceof Node ? found : {names, moved};
}`

// appearedScript reports whether options are there that beforeScript has not seen.
const appearedScript = `function() {` + optionsScript + `
	return !!globalThis.optionsBefore && shown(roots, o => !globalThis.optionsBefore.has(o)).length > 0;
}`

// drawnTries are how often a list that was opened is looked at for an option,
// every typedWait where the page has to be asked for it. seekTime bounds how long one that
// draws only a part of itself is scrolled, mostLoads how often it may get longer at its end,
// and mostChosen the choices that are taken back.
const (
	drawnTries = 5
	seekTime   = 10 * time.Second
	mostLoads  = 20
	mostChosen = 60
	typedWait  = 300 * time.Millisecond
)

// chooseDrawn opens a list that the page draws itself, and clicks the option of the n-th of
// the values. After the first of them, what stays open is the list's own.
func (e *element) chooseDrawn(ctx context.Context, values []string, n int) error {
	value := values[n]
	if err := e.openDrawn(ctx, values, n > 0); err != nil {
		return err
	}
	chosen, names, err := e.lookDrawn(ctx, value, 0)
	if chosen || err != nil {
		return err
	}
	// A list with a text field shows the options that match the text; another one may open late.
	how, err := e.word(ctx, fieldScript, AtAll)
	if err != nil {
		return err
	}
	field := slices.Contains([]string{"text", "inner", "away"}, how)
	if field {
		if err := e.fill(ctx, Typing{Text: value, Slowly: true}); err != nil {
			return err
		}
	}
	if field || len(names) == 0 {
		var late []string
		if chosen, late, err = e.lookDrawn(ctx, value, typedWait); chosen || err != nil {
			return err
		}
		if len(late) > 0 {
			names = late
		}
	}
	if len(names) == 0 {
		return tool.NewError(tool.InvalidInput, text.Name(e.ref)+" shows no choices", "click it, and then what it shows")
	}
	return tool.NewError(tool.InvalidInput, noChoice(e.ref, value), choicesOf(names))
}

// openScript says how a list stands: "own" where it is open and says which options are
// its own, "open" where it is open, else "shut".
const openScript = `function() {
	const list = this.getAttribute('role') === 'listbox';
	if (!list && this.getAttribute('aria-expanded') !== 'true') return 'shut';
	return list || this.getAttribute('aria-controls') || this.getAttribute('aria-owns') ? 'own' : 'open';
}`

// openDrawn opens a list, and remembers what looked like an option before. again says that
// one of its options was chosen just before.
func (e *element) openDrawn(ctx context.Context, values []string, again bool) error {
	is, err := e.word(ctx, openScript)
	if err != nil || again && is != "shut" {
		return err
	}
	if again {
		// It shut itself, or does not say that it is open.
		if there, err := e.is(ctx, appearedScript); err != nil || there {
			return err
		}
	}
	if is == "open" {
		// Which options are its own shows when it opens.
		if err := e.tab.press(ctx, e.session, "Escape"); err != nil {
			return err
		}
		if err := e.tab.drawn(ctx); err != nil {
			return err
		}
	}
	if _, err := e.run(ctx, beforeScript, values); err != nil || is == "own" {
		return err
	}
	return e.click(ctx, Pointer{})
}

// lookDrawn looks for an option and clicks it; else it returns what there is instead.
// A list that draws only what its window shows is scrolled.
func (e *element) lookDrawn(ctx context.Context, value string, wait time.Duration) (chosen bool, names []string, err error) {
	for loads, tries := 0, 0; tries < drawnTries && loads < mostLoads; {
		if err := e.tab.drawn(ctx); err != nil {
			return false, nil, err
		}
		option, now, moved, err := e.drawnOption(ctx, value, seekTime)
		if err != nil {
			return false, nil, err
		}
		if option != nil {
			if is, err := option.isChosen(ctx); is || err != nil {
				return true, nil, err
			}
			return true, nil, option.click(ctx, Pointer{})
		}
		if len(names) == 0 {
			names = now
		}
		if moved {
			loads++
			continue
		}
		tries++
		if err := pause(ctx, wait); err != nil {
			return false, nil, err
		}
	}
	return false, names, ctx.Err()
}

func noChoice(ref, value string) string {
	return "list " + text.Name(ref) + " has no choice " + text.Quoted(value)
}

// choicesOf returns a hint with the labels of a list. The page has written them.
func choicesOf(labels []string) string {
	return "its choices, as the page names them:\n" + tool.Fence(line(strings.Join(labels, " | "), 600))
}

// drawnOption returns the option of a value, else the names of those that there are, and
// whether the list was scrolled for it, which takes seek at most.
func (e *element) drawnOption(ctx context.Context, value string, seek time.Duration) (_ *element, names []string, moved bool, err error) {
	found, release, err := e.object(ctx, drawnOptionScript, value, spareTime(ctx, seek).Milliseconds())
	if err != nil {
		return nil, nil, false, err
	}
	defer release()
	node, err := call(ctx, e.session, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: found})
	if err == nil {
		return &element{e.tab, e.session, e.ref, node.Node.BackendNodeID, e.frame, nil}, nil, false, nil
	}
	if !refused(err) {
		return nil, nil, false, err
	}
	raw, err := e.session.function(ctx, found, `function() { return {names: this.names, moved: this.moved} }`)
	var none struct {
		Names []string
		Moved bool
	}
	if err == nil {
		err = json.Unmarshal(raw, &none)
	}
	return nil, none.Names, none.Moved, err
}
