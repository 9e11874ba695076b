package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_state.md
var browserStateText string

// stateAnswer says which state was moved, and where.
type stateAnswer struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Context string `json:"context"`
}

func browserState(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_state",
		Title:       "Session state",
		Description: browserStateText,
		Input: tool.Object(
			tool.String("action", "").OneOf("save", "restore").Require(),
			tool.String("name", "").Require(),
		),
		Data: tool.Object(tool.String("name", ""), tool.String("message", "what was done"), tool.String("context", "the browser context")),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			name, restore := c.Args.String("name"), c.Args.String("action") == "restore"
			if restore {
				if err := confirmed(ctx, c, "May the agent restore the browser state "+text.Quoted(name)+"? The browser then is signed in where it was when the state was saved."); err != nil {
					return tool.Result{}, err
				}
			}
			where, err := o.moveState(ctx, o.place(c), name, restore)
			if err != nil {
				return tool.Result{}, err
			}
			done := "saved"
			if restore {
				done = "restored; pages that are open see it when they load again"
			}
			message := "state " + text.Quoted(name) + " is " + done
			return tool.Result{Text: message + "; context " + text.Name(where.Context), Data: stateAnswer{name, message, where.Context}}, nil
		},
	})
}

// confirmed has a person agree to the use of what was saved for the caller, where
// the client can ask one. The error is Blocked when the person does not.
func confirmed(ctx context.Context, c tool.Call, question string) error {
	if c.Person == nil {
		return nil
	}
	yes, err := c.Person.Confirm(ctx, question)
	if err == nil && !yes {
		err = tool.NewError(tool.Blocked, "the person who was asked did not agree", "go on without it, or ask the person why")
	}
	return err
}

// moveState restores a state, or saves it.
func (o Options) moveState(ctx context.Context, at browser.Place, name string, restore bool) (browser.Place, error) {
	if restore {
		s, err := o.Sessions.State(ctx, name)
		if err != nil {
			return at, err
		}
		return o.Browser.Restore(ctx, at, s)
	}
	if err := session.CheckName(name); err != nil {
		return at, err
	}
	s, where, err := o.Browser.State(ctx, at)
	if err != nil {
		return at, err
	}
	return where, o.Sessions.SaveState(ctx, name, s)
}
