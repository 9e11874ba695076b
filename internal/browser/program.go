package browser

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Program runs a program of JavaScript in a blank tab of the context, which is not listed and
// is closed at its end: the program goes on when the page goes elsewhere. page and console
// are there, js/program.js has their members. It is refused unless Options.AllowScript. What
// the program loads goes the way of all that the context loads. A context is made where none
// is open. The time is that of ctx. Without code, it reports whether a program can run.
//
// do carries out what the program wants of its page: name is a word of js/program.js, for
// example "click", args its members. The result becomes JSON; an error is thrown in the
// program, with its text.
func (b *Browser) Program(ctx context.Context, at Place, code string, do func(ctx context.Context, name string, args json.RawMessage) (any, error)) (out *result.Program, err error) {
	if !b.options.AllowScript {
		return nil, tool.NewError(tool.Blocked, "running script beside a page is not allowed", "the operator can allow it with WEB_ALLOW_SCRIPT=true")
	}
	if code == "" {
		_, err := b.find()
		return nil, err
	}
	var home *browserContext
	address := ""
	if _, err = b.beside(ctx, at, needsNothing, func(_ context.Context, p *browserContext, t *tab) error {
		home, address = p, t.now().url
		return nil
	}); err != nil {
		return nil, err
	}
	b.touch(home, 1)
	defer b.touch(home, -1)
	t, err := home.engine.newPage(ctx, home.id)
	if err != nil {
		return nil, b.programError(ctx, err)
	}
	defer home.engine.closePage(context.WithoutCancel(ctx), t)
	start := fmt.Sprintf("void (%s)(%s, %s)", script("program"), quoteJS(code), quoteJS(address))
	if _, err = t.evaluate(ctx, start, ""); err != nil {
		return nil, b.programError(ctx, err)
	}
	for {
		raw, err := t.evaluate(ctx, "await program.next()", "")
		if err != nil {
			return nil, b.programError(ctx, err)
		}
		var next struct {
			Want *struct {
				ID   int             `json:"id"`
				Name string          `json:"name"`
				Args json.RawMessage `json:"args"`
			} `json:"want"`
			Ended *result.Program `json:"ended"`
		}
		if err := json.Unmarshal(raw, &next); err != nil {
			return nil, tool.NewError(tool.InvalidInput, "the program has changed what runs it", "leave the global variable program alone")
		}
		if next.Want == nil {
			if next.Ended == nil {
				next.Ended = &result.Program{}
			}
			return next.Ended, nil
		}
		value, failed := do(ctx, next.Want.Name, next.Want.Args)
		message := ""
		if failed != nil {
			message = tool.AsError(failed).Text()
		}
		reply, err := json.Marshal(value)
		if err != nil || len(reply) > maxValue {
			reply, message = []byte("null"), fmt.Sprintf("the value has more than %d bytes", maxValue)
		}
		_, _ = b.beside(ctx, at, needsContext, func(_ context.Context, _ *browserContext, t *tab) error {
			address = t.now().url
			return nil
		})
		if _, err := t.evaluate(ctx, fmt.Sprintf("program.reply(%d, %s, %s, %s)", next.Want.ID, reply, quoteJS(message), quoteJS(address)), ""); err != nil {
			return nil, b.programError(ctx, err)
		}
	}
}

// programError is an error of the tab of a program.
func (b *Browser) programError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return tool.NewError(tool.Timeout, "the program has not ended in its time", "give it a longer timeout, or let it do less")
	}
	return tool.AsError(err)
}
