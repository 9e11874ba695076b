package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_type.md
var browserTypeText string

func browserType(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_type",
		Title:       "Type",
		Description: browserTypeText,
		Input: input(ignored("element"),
			ref("").Require(),
			tool.String("text", "").Require(),
			tool.String("at", "").OneOf(browser.AtAll, browser.AtEnd, browser.AtCaret).WithDefault(browser.AtAll),
			tool.Boolean("submit", "press Enter after it"),
			tool.Boolean("slowly", "key by key"),
		),
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Type(ctx, o.place(c), browser.Typing{Ref: c.Args.String("ref"), Text: c.Args.String("text"), At: c.Args.String("at"),
				Submit: c.Args.Bool("submit"), Slowly: c.Args.Bool("slowly")}))
		},
	})
}
