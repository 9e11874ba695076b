package toolset

import (
	"context"
	_ "embed"
	"slices"

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
			tool.Boolean("snapshot", "").WithDefault(true),
			tool.String("wait_until", "").OneOf("load", "domcontentloaded", "networkidle", "commit").WithDefault("load").Alias("waitUntil"),
		),
		Data:      browserForm(tool.String("content", "a snapshot of the page")),
		Strengths: []string{"pages that need scripts"},
		Aliases:   []string{"browser_navigate"},
		Variants: []tool.Variant{
			{Name: "browser_navigate_back", Args: tool.Arguments{"url": "back"}},
			{Name: "browser_navigate_forward", Args: tool.Arguments{"url": "forward"}},
			{Name: "browser_reload", Args: tool.Arguments{"url": "reload"}},
		},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			p, err := o.Browser.Navigate(ctx, o.place(c), browser.Navigation{URL: c.Args.String("url"), WaitUntil: c.Args.String("wait_until"), Given: c.Given})
			if err != nil {
				return tool.Result{}, err
			}
			if !c.Args.Bool("snapshot") {
				return answerOf(*p, "").result(), nil
			}
			s, err := o.Browser.Snapshot(ctx, browser.Place{Owner: c.Session, Context: p.Context, Tab: p.Tab}, browser.SnapshotRequest{})
			if err != nil {
				return tool.Result{}, err
			}
			s.Notices = joined(p.Notices, s.Notices)
			s.Dialogs = joined(p.Dialogs, s.Dialogs)
			s.Status = p.Status
			return answerOf(s.Page, s.Text).result(), nil
		},
	})
}

// joined is two lists one after the other. What both have, as an open question, stands once.
func joined(a, b []string) []string {
	return append(slices.DeleteFunc(a, func(s string) bool { return slices.Contains(b, s) }), b...)
}
