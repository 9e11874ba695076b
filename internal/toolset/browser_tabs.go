package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_tabs.md
var browserTabsText string

// tabsAnswer lists the tabs of a context.
type tabsAnswer struct {
	Tabs    []browser.Tab `json:"tabs"`
	Tab     string        `json:"tab"` // the current one
	Context string        `json:"context"`
}

func browserTabs(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_tabs",
		Title:       "Tabs",
		Description: browserTabsText,
		Input: tool.Object(
			tool.String("action", "").OneOf("list", "new", "select", "close").WithDefault("list"),
			tool.String("url", "for new"),
			tool.Integer("index", "").AtLeast(0).Unlist(),
		),
		Data: placeForm(tool.Array("tabs", "", tool.Object(tool.String("id", "what tab takes"), tool.String("url", ""), tool.String("title", ""),
			tool.Boolean("current", "whether calls without tab go there")))),
		Variants: []tool.Variant{
			{Name: "browser_tab_list"}, {Name: "browser_tab_new", Args: tool.Arguments{"action": "new"}},
			{Name: "browser_tab_select", Args: tool.Arguments{"action": "select"}}, {Name: "browser_tab_close", Args: tool.Arguments{"action": "close"}},
		},
		Handler: o.tabs,
	})
}

func (o Options) tabs(ctx context.Context, c tool.Call) (tool.Result, error) {
	at, err := o.tabAt(ctx, o.place(c), c.Args.IntPointer("index"))
	if err != nil {
		return tool.Result{}, err
	}
	tabs, where, err := o.Browser.Tabs(ctx, at, c.Args.String("action"), browser.Navigation{URL: c.Args.String("url"), Given: c.Given})
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
	return tool.Result{Text: "context " + text.Name(where.Context) + "\n" + tool.Fence(strings.TrimSuffix(b.String(), "\n")),
		Data: tabsAnswer{tabs, where.Tab, where.Context}}, nil
}

// tabAt is a place whose tab is named by its position in the list, as
// Playwright's tools do.
func (o Options) tabAt(ctx context.Context, at browser.Place, index *int) (browser.Place, error) {
	if index == nil || at.Tab != "" {
		return at, nil
	}
	tabs, where, err := o.Browser.Tabs(ctx, at, "list", browser.Navigation{})
	if err != nil {
		return at, err
	}
	if *index >= len(tabs) {
		return at, tool.NewError(tool.InvalidInput, fmt.Sprintf("there is no tab with index %d: the last one has %d", *index, len(tabs)-1), "browser_tabs lists the tabs")
	}
	at.Context, at.Tab = where.Context, tabs[*index].ID
	return at, nil
}
