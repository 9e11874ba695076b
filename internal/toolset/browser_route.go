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

//go:embed browser_route.md
var browserRouteText string

// routesAnswer lists the routes of a tab.
type routesAnswer struct {
	Routes  []string `json:"routes"`
	Tab     string   `json:"tab"`
	Context string   `json:"context"`
}

func browserRoute(o Options) tool.Declaration {
	d := interactiveTool(tool.Declaration{
		Name:        "browser_route",
		Title:       "Change requests",
		Description: browserRouteText,
		Input: tool.Object(
			tool.String("pattern", ""),
			tool.String("action", "").OneOf("block", "mock", "headers", "clear").Require(),
			tool.Integer("status", ""),
			tool.String("body", ""),
			tool.String("content_type", ""),
			tool.Member("headers", "", tool.Schema{Type: tool.TypeObject, Open: true}),
		),
		Data: placeForm(tool.Array("routes", "those of the tab, the one that decides last", tool.Text())),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			r := browser.Route{Pattern: c.Args.String("pattern"), Action: c.Args.String("action"), Status: c.Args.Int("status"), Body: c.Args.String("body"), Type: c.Args.String("content_type")}
			if given, ok := c.Args["headers"].(map[string]any); ok {
				r.Headers = make(map[string]string, len(given))
				for name, value := range given {
					r.Headers[name] = fmt.Sprint(value)
				}
			}
			routes, where, err := o.Browser.Route(ctx, o.place(c), r)
			if err != nil {
				return tool.Result{}, err
			}
			lines := make([]string, len(routes))
			for i, r := range routes {
				lines[i] = r.Action + " " + text.Line(r.Pattern)
			}
			return tool.Result{Text: fmt.Sprintf("%s; tab %s; context %s\n%s", text.Count(len(routes), "route"), text.Name(where.Tab), text.Name(where.Context), strings.Join(lines, "\n")),
				Data: routesAnswer{lines, where.Tab, where.Context}}, nil
		},
	})
	d.Profile = tool.All
	return d
}
