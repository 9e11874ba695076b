package toolset

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// stateAnswer says which state was moved, and where.
type stateAnswer struct {
	Name    string `json:"name"`
	Message string `json:"message"`
	Context string `json:"context"`
}

func browserState(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:  "browser_state",
		Title: "Session state",
		Input: tool.Object(
			tool.String("action", "").OneOf("save", "restore").Require(),
			tool.String("name", "").Require(),
		),
		Data: tool.Object(tool.String("name", ""), tool.String("message", "what was done"), tool.String("context", "the browser context")),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			name, restore := c.Args.String("name"), c.Args.String("action") == "restore"
			if restore {
				if err := confirmed(ctx, c, "May the agent restore the browser state "+text.Quoted(name)+"? The browser then is signed in where it was when the state was saved."); err != nil {
					return tool.Result{}, err
				}
			}
			where, err := o.moveState(ctx, o.place(c), name, restore)
			if err != nil {
				return tool.Result{}, err
			}
			done := "saved"
			if restore {
				done = "restored; pages that are open see it when they load again"
			}
			message := "state " + text.Quoted(name) + " is " + done
			return tool.Result{Text: message + "; context " + text.Name(where.Context), Data: stateAnswer{name, message, where.Context}}, nil
		},
	})
}

// confirmed has a person agree to the use of what was saved for the caller, where
// the client can ask one. The error is Blocked when the person does not.
func confirmed(ctx context.Context, c tool.Call, question string) error {
	if c.Person == nil {
		return nil
	}
	yes, err := c.Person.Confirm(ctx, question)
	if err == nil && !yes {
		err = tool.NewError(tool.Blocked, "the person who was asked did not agree", "go on without it, or ask the person why")
	}
	return err
}

// moveState restores a state, or saves it.
func (o Options) moveState(ctx context.Context, at browser.Place, name string, restore bool) (browser.Place, error) {
	if restore {
		s, err := o.Sessions.State(ctx, name)
		if err != nil {
			return at, err
		}
		return o.Browser.Restore(ctx, at, s)
	}
	if err := session.CheckName(name); err != nil {
		return at, err
	}
	s, where, err := o.Browser.State(ctx, at)
	if err != nil {
		return at, err
	}
	return where, o.Sessions.SaveState(ctx, name, s)
}

// cookieAnswer says which cookies there are, or what was done with them.
type cookieAnswer struct {
	Cookies []browser.Cookie `json:"cookies,omitempty"`
	Message string           `json:"message"`
	Context string           `json:"context"`
}

func browserCookies(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:  "browser_cookies",
		Title: "Cookies",
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

// routesAnswer lists the routes of a tab.
type routesAnswer struct {
	Routes  []string `json:"routes"`
	Tab     string   `json:"tab"`
	Context string   `json:"context"`
}

func browserRoute(o Options) tool.Declaration {
	d := interactiveTool(tool.Declaration{
		Name:  "browser_route",
		Title: "Change requests",
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
				lines[i] = text.Name(r.Action) + " " + text.Name(r.Pattern)
			}
			return tool.Result{Text: fmt.Sprintf("%s; tab %s; context %s\n%s", text.Count(len(routes), "route"), text.Name(where.Tab), text.Name(where.Context), strings.Join(lines, "\n")),
				Data: routesAnswer{lines, where.Tab, where.Context}}, nil
		},
	})
	d.Profile = tool.All
	return d
}
