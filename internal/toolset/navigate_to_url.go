package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed navigate_to_url.md
var navigateToURLText string

func navigateToURL(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "navigate_to_url",
		Title:       "Open a page",
		Description: navigateToURLText,
		Input: tool.Object(
			tool.String("url", "an address, or back, forward, reload").Require(),
			tool.String("wait_until", "").OneOf("load", "domcontentloaded", "networkidle", "commit").WithDefault("load").Alias("waitUntil"),
		),
		Strengths: []string{"pages that need scripts"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			p, err := o.Browser.Navigate(ctx, at, browser.Navigation{URL: c.Args.String("url"), WaitUntil: c.Args.String("wait_until"), Given: c.Given})
			if err != nil {
				return tool.Result{}, err
			}
			return seenOf(*p, named, "").answer(), nil
		},
	})
}
