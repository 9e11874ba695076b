package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_cookies.md
var browserCookiesText string

func browserCookies(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_cookies",
		Title:       "Cookies",
		Description: browserCookiesText,
		Input: tool.Object(
			tool.String("action", "").OneOf("list", "set", "clear").WithDefault("list"),
			tool.String("url", "for set"), tool.String("name", ""), tool.String("value", ""), tool.String("domain", "for list"),
		),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, _ := o.place(c)
			switch c.Args.String("action") {
			case "set":
				err := o.Browser.SetCookie(ctx, at, browser.NewCookie{URL: c.Args.String("url"), Name: c.Args.String("name"), Value: c.Args.String("value")})
				return tool.Result{Text: "the cookie is set"}, err
			case "clear":
				return tool.Result{Text: "all cookies of the context are gone"}, o.Browser.ClearCookies(ctx, at)
			}
			list, err := o.Browser.Cookies(ctx, at, c.Args.String("domain"))
			if err != nil {
				return tool.Result{}, err
			}
			var b strings.Builder
			for _, k := range list {
				expires := "with the context"
				if !k.Expires.IsZero() {
					expires = k.Expires.Format(time.DateOnly)
				}
				fmt.Fprintf(&b, "%s; %s%s; ends %s\n", k.Name, k.Domain, k.Path, expires)
			}
			return tool.Result{Text: fmt.Sprintf("%d cookies\n", len(list)) + tool.Fence(strings.TrimSuffix(b.String(), "\n")), Data: map[string]any{"cookies": list}}, nil
		},
	})
}
