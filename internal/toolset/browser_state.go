package toolset

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_state.md
var browserStateText string

func browserState(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_state",
		Title:       "Session state",
		Description: browserStateText,
		Input: tool.Object(
			tool.String("action", "").OneOf("save", "restore").Require(),
			tool.String("name", "").Require(),
		),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			name, restore := c.Args.String("name"), c.Args.String("action") == "restore"
			text, err := "saved", o.moveState(ctx, at, name, restore)
			if err != nil {
				return tool.Result{}, err
			}
			if restore {
				text = "restored; pages that are open see it when they load again"
			}
			r := tool.Result{Text: fmt.Sprintf("state %q is %s", name, text), Data: map[string]any{"name": name}}
			if named != "" {
				r.Text, r.Data = r.Text+"; context "+named, map[string]any{"name": name, "context": named}
			}
			return r, nil
		},
	})
}

// moveState restores a state, or saves it.
func (o Options) moveState(ctx context.Context, at browser.Place, name string, restore bool) error {
	if restore {
		s, err := o.Sessions.State(name)
		if err != nil {
			return err
		}
		return o.Browser.Restore(ctx, at, s)
	}
	if err := session.CheckName(name); err != nil {
		return err
	}
	s, err := o.Browser.State(ctx, at)
	if err != nil {
		return err
	}
	return o.Sessions.SaveState(name, s)
}
