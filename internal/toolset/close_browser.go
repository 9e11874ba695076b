package toolset

import (
	"context"
	_ "embed"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed close_browser.md
var closeBrowserText string

func closeBrowser(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "close_browser",
		Title:       "Close the browser",
		Description: closeBrowserText,
		Level:       tool.CleanUp,
		Data:        tool.Object(tool.String("message", "what was closed, and what runs on").Require()),
		Aliases:     []string{"browser_close"},
		Annotations: tool.Annotations{Idempotent: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			ended, err := o.Browser.CloseContexts(ctx, o.place(c))
			if err != nil {
				return tool.Result{}, err
			}
			message := closeMessage(ended)
			return tool.Result{Text: message, Data: map[string]string{"message": message}}, nil
		},
	})
}

// closeMessage says what is true after contexts were closed.
func closeMessage(e browser.Ended) string {
	closed := "none of your contexts was open"
	switch names := listed(e.Contexts); len(e.Contexts) {
	case 0:
	case 1:
		closed = "context " + names + " is closed"
	default:
		closed = "contexts " + names + " are closed"
	}
	switch {
	case e.Stopped:
		return "the browser is closed"
	case !e.Running:
		return "the browser is closed; it was not running"
	case len(e.Left) > 0:
		return closed + "; " + listed(e.Left) + " stays open"
	}
	return closed + "; the browser runs on for other callers"
}

// listed are names of contexts, which callers choose.
func listed(names []string) string {
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = text.Name(n)
	}
	return strings.Join(shown, ", ")
}
