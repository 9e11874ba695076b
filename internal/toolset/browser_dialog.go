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
			return changed(o.Browser.Dialog(ctx, o.place(c), c.Args.Bool("accept"), c.Args.String("text")))
		},
	})
}
