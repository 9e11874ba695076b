package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_tabs.md
var browserTabsText string

func browserTabs(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_tabs",
		Title:       "Tabs",
		Description: browserTabsText,
		Input: tool.Object(
			tool.String("action", "").OneOf("list", "new", "select", "close").WithDefault("list"),
			tool.String("url", "for new"),
		),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			tabs, err := o.Browser.Tabs(ctx, at, c.Args.String("action"), browser.Navigation{URL: c.Args.String("url"), Given: c.Given})
			if err != nil {
				return tool.Result{}, err
			}
			var b strings.Builder
			for _, t := range tabs {
				mark := " "
				if t.Current {
					mark = "*"
				}
				fmt.Fprintf(&b, "%s %s %s %q\n", mark, t.ID, t.URL, cutTitle(t.Title))
			}
			return tool.Result{Text: tool.Fence(strings.TrimSuffix(b.String(), "\n")), Data: map[string]any{"tabs": tabs, "context": named}}, nil
		},
	})
}
