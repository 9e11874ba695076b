package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_cookies.md
var browserCookiesText string

// cookieAnswer says which cookies there are, or what was done with them.
type cookieAnswer struct {
	Cookies []browser.Cookie `json:"cookies,omitempty"`
	Message string           `json:"message"`
	Context string           `json:"context"`
}

func browserCookies(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_cookies",
		Title:       "Cookies",
		Description: browserCookiesText,
		Input: tool.Object(
			tool.String("action", "").OneOf("list", "set", "clear").WithDefault("list"),
			tool.String("url", "for set; the open page if left out"), tool.String("name", ""), tool.String("value", ""), tool.String("domain", "for list"),
		),
		Data: tool.Object(
			tool.Array("cookies", "with action=list", tool.Object(tool.String("name", ""), tool.String("domain", ""), tool.String("path", ""),
				tool.String("expires", "the time; absent where it ends with the context"))),
			tool.String("message", "how many there are, or what was done"), tool.String("context", "the browser context"),
		),
		Variants: []tool.Variant{{Name: "browser_cookie_list"}, {Name: "browser_cookie_clear", Args: tool.Arguments{"action": "clear"}}},
		Handler:  o.cookies,
	})
}

func (o Options) cookies(ctx context.Context, c tool.Call) (tool.Result, error) {
	var a cookieAnswer
	var where browser.Place
	var err error
	switch at := o.place(c); c.Args.String("action") {
	case "set":
		a.Message = "the cookie is set"
		where, err = o.Browser.SetCookie(ctx, at, browser.NewCookie{URL: c.Args.String("url"), Name: c.Args.String("name"), Value: c.Args.String("value")})
	case "clear":
		a.Message = "the context has no cookies any more"
		where, err = o.Browser.ClearCookies(ctx, at)
	default:
		a.Cookies, where, err = o.Browser.Cookies(ctx, at, c.Args.String("domain"))
		a.Message = text.Count(len(a.Cookies), "cookie")
	}
	if err != nil {
		return tool.Result{}, err
	}
	a.Context = where.Context
	said := a.Message + "; context " + text.Name(a.Context)
	if len(a.Cookies) > 0 {
		said += "\n" + tool.Fence(cookieList(a.Cookies))
	}
	return tool.Result{Text: said, Data: a}, nil
}

// cookieList writes a line for each cookie.
func cookieList(list []browser.Cookie) string {
	lines := make([]string, len(list))
	for i, k := range list {
		expires := "with the context"
		if !k.Expires.IsZero() {
			expires = k.Expires.Format(time.DateOnly)
		}
		lines[i] = fmt.Sprintf("%s; %s%s; ends %s", k.Name, k.Domain, k.Path, expires)
	}
	return strings.Join(lines, "\n")
}
