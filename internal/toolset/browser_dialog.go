package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_dialog.md
var browserDialogText string

func browserDialog(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_dialog",
		Title:       "Dialog",
		Description: browserDialogText,
		Input:       tool.Object(tool.Boolean("accept", "").Require(), tool.String("text", "for a prompt").Alias("promptText")),
		Data:        changesForm(),
		Aliases:     []string{"browser_handle_dialog"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			if c.Args.Bool("accept") && o.DenyInteractive {
				return tool.Result{}, tool.NewError(tool.Blocked, "accepting a dialog acts on the page, which is not allowed here",
					"accept=false dismisses it; the operator can allow acting with WEB_ALLOW_INTERACTIVE=true")
			}
			return changed(o.Browser.Dialog(ctx, o.place(c), c.Args.Bool("accept"), c.Args.String("text")))
		},
	})
}
