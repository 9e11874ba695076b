package browser

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// Field is a field of a form with its new value: text, the label of a choice, or
// "true" and "false" for a check box. Values are the choices of a list that takes
// several; nil means that Value is the only one.
type Field struct {
	Ref, Value string
	Values     []string
}

// FillForm fills several fields in order.
func (b *Browser) FillForm(ctx context.Context, at Place, fields []Field) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
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
	return t.onElement(ctx, f.Ref, func(ctx context.Context, e *element, l located) (string, error) {
		if f.Values != nil && e.ref[0] != 'c' {
			return "", tool.NewError(tool.InvalidInput, fmt.Sprintf("field %s takes one value, not %d", text.Name(e.ref), len(f.Values)), "lists of choices take several")
		}
		switch e.ref[0] {
		case 'x', 'r':
			return e.check(ctx, f.Value)
		case 'c':
			list, err := e.is(ctx, `function() { const e = this.control || this; return e instanceof HTMLSelectElement || !(e instanceof HTMLInputElement) && !e.isContentEditable }`)
			if err != nil {
				return "", err
			}
			if f.Values == nil && list {
				f.Values = []string{f.Value}
			}
			if f.Values != nil {
				return chosenStep(f.Values), e.choose(ctx, f.Values)
			}
		}
		value, secret, err := e.withSecrets(ctx, f.Value)
		if err != nil {
			return "", err
		}
		return "fill(" + l.value(f.Value) + ")", e.fill(ctx, Typing{Text: value, secret: secret})
	})
}

// check checks a box, or takes its check away.
func (e *element) check(ctx context.Context, value string) (step string, err error) {
	want, err := truth(value)
	if err != nil {
		return "", err
	}
	checked, err := e.is(ctx, script("checked"))
	if err != nil || checked == want {
		return "", err
	}
	return fmt.Sprintf("setChecked(%t)", want), e.click(ctx, Pointer{})
}

func truth(s string) (bool, error) {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "true", "on", "yes", "1", "checked":
		return true, nil
	case "false", "off", "no", "0", "unchecked", "":
		return false, nil
	}
	return false, tool.NewError(tool.InvalidInput, "value "+text.Quoted(s)+" is not for a box", "it is true or false")
}

// Select chooses options of a list by their labels or values.
func (b *Browser) Select(ctx context.Context, at Place, ref string, values []string) (*Changes, error) {
	return b.act(ctx, at, func(ctx context.Context, _ *browserContext, t *tab) error {
		return t.onElement(ctx, ref, func(ctx context.Context, e *element, _ located) (string, error) {
			return chosenStep(values), e.choose(ctx, values)
		})
	})
}

// chosenStep is the step of a choice.
func chosenStep(values []string) string { return "selectOption(" + listJS(values) + ")" }

func (e *element) choose(ctx context.Context, values []string) error {
	if err := e.enabled(ctx); err != nil {
		return err
	}
	var res struct {
		Kind, Value string
		Options     []string
	}
	for end := time.Now().Add(patience); ; {
		if err := e.ask(ctx, &res, script("choose"), values); err != nil {
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

// chooseAll chooses values from a list that the page draws itself. A choice may remove or hide what was
// clicked, as the prompt of an empty list: then what that is in opens the list again.
func (e *element) chooseAll(ctx context.Context, values []string) error {
	around := e
	if len(values) > 1 {
		found, err := e.related(ctx, `function() { return this.parentElement }`)
		if err != nil {
			return err
		}
		around = cmp.Or(found, e)
	}
	opened := false
	for n := range values {
		if n > 0 {
			if err := e.tab.drawn(ctx); err != nil {
				return err
			}
			if there, err := e.is(ctx, `function() { return this.isConnected && [...this.getClientRects()].some(r => r.width * r.height >= 1) }`); isStale(err) || err == nil && !there {
				e = around
			}
		}
		if shows, err := e.is(ctx, script("shows_chip"), values[n]); shows || err != nil {
			if err != nil {
				return err
			}
			continue
		}
		if err := e.chooseDrawn(ctx, values, n, opened); err != nil {
			return err
		}
		opened = true
	}
	return e.unchoose(ctx, values, opened)
}

// saysChosen reports whether an option says that it is chosen.
func (e *element) saysChosen(ctx context.Context) (bool, error) {
	says, err := e.is(ctx, script("is_chosen"))
	if isStale(err) {
		return false, nil
	}
	return says, err
}

// isChosen is saysChosen with the mouse over another option.
func (e *element) isChosen(ctx context.Context) (bool, error) {
	if says, err := e.saysChosen(ctx); !says || err != nil {
		return false, err
	}
	other, err := e.related(ctx, script("other"))
	if err != nil || other == nil {
		return err == nil, err
	}
	if other.under(ctx) != nil {
		return true, ctx.Err() // it cannot be reached
	}
	return e.saysChosen(ctx)
}

// under puts the mouse over an option.
func (e *element) under(ctx context.Context) error {
	p, err := e.aim(ctx)
	if err != nil {
		return err
	}
	if err := e.hand().move(ctx, p); err != nil {
		return err
	}
	return e.tab.drawn(ctx)
}

// unchoose takes back the choices of a list that are not among the values, as in a list of the browser's own:
// those that it shows with a part each for that, and, where it was opened, options that say that they are chosen.
func (e *element) unchoose(ctx context.Context, values []string, opened bool) error {
	tries := make(map[string]int)
	for n := 0; ; n++ {
		err := e.tab.drawn(ctx)
		if opened && err == nil {
			opened, err = e.stays(ctx, values[0])
		}
		if err != nil {
			return err
		}
		name, err := e.word(ctx, script("extra"), values, opened)
		switch {
		case isStale(err), err == nil && name == "":
			return nil
		case err != nil:
			return err
		case tries[name] > 1 || n == mostChosen: // the first click may only shut the list
			return tool.NewError(tool.InvalidInput, "list "+text.Name(e.ref)+" keeps "+text.Quoted(name), "it was chosen before: a click on what is beside it may take it back")
		}
		tries[name]++
		extra, err := e.related(ctx, `function() { return globalThis.extraFound }`)
		if err != nil || extra == nil {
			return err
		}
		if err := extra.click(ctx, Pointer{}); err != nil {
			return err
		}
	}
}

// stays reports whether an option is still in the list and says, with the mouse over it, that it is chosen.
func (e *element) stays(ctx context.Context, value string) (bool, error) {
	option, _, _, err := e.drawnOption(ctx, value, 0)
	if err != nil || option == nil {
		return false, err
	}
	if says, err := option.saysChosen(ctx); err != nil || !says {
		return false, err
	}
	return option.under(ctx) == nil, ctx.Err()
}

// chooseDrawn opens a list that the page draws itself, and clicks the option of the n-th of
// the values. After the first of them, what stays open is the list's own.
func (e *element) chooseDrawn(ctx context.Context, values []string, n int, again bool) error {
	value := values[n]
	if err := e.openDrawn(ctx, values, n, again); err != nil {
		return err
	}
	chosen, names, err := e.lookDrawn(ctx, value, 0)
	if chosen || err != nil {
		return err
	}
	// A list with a text field shows the options that match the text; another one may open late.
	how, err := e.word(ctx, script("field"), AtAll)
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
		if chosen, late, err = e.lookDrawn(ctx, value, delayed); chosen || err != nil {
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

// openDrawn opens a list, and remembers what looked like an option before. again says that
// one of its options was chosen just before.
func (e *element) openDrawn(ctx context.Context, values []string, n int, again bool) error {
	is, err := e.word(ctx, script("is_open"))
	if err != nil || again && is != "shut" {
		return err
	}
	if again {
		// It shut itself, or does not say that it is open.
		if there, err := e.is(ctx, script("appeared")); err != nil || there {
			return err
		}
		if option, _, _, err := e.drawnOption(ctx, values[n], 0); err != nil || option != nil {
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
	if _, err := e.run(ctx, script("before"), values); err != nil || is == "own" {
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
	var seen struct {
		Names        []string
		Moved, Found bool
	}
	if err := e.ask(ctx, &seen, script("drawn_option"), value, spareTime(ctx, seek).Milliseconds()); err != nil || !seen.Found {
		return nil, seen.Names, seen.Moved, err
	}
	option, err := e.related(ctx, `function() { return globalThis.optionFound }`)
	return option, nil, false, err
}
