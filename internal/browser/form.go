package browser

import (
	"context"
	"fmt"
	"strings"

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
