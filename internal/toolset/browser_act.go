package toolset

import (
	"context"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// acts completes the declaration of a tool that returns what has changed on the page.
func (o Options) acts(d tool.Declaration, act func(context.Context, browser.Place, tool.Call) (*browser.Changes, error)) tool.Declaration {
	d.Data = changesForm()
	d.Handler = func(ctx context.Context, c tool.Call) (tool.Result, error) { return changed(act(ctx, o.place(c), c)) }
	return d
}

func browserClick(o Options) tool.Declaration {
	return pointerTool(o, tool.Declaration{Name: "browser_click", Title: "Click"}, o.Browser.Click)
}

// pointerTool is a tool that points at a ref, as act does.
func pointerTool(o Options, d tool.Declaration, act func(context.Context, browser.Place, browser.Pointer) (*browser.Changes, error)) tool.Declaration {
	at := []tool.Property{ref("").Require()}
	if d.Name == "browser_click" {
		at = append([]tool.Property{ref("")}, pagePoint()...)
	}
	d.Input = input(ignored("element"), append(at,
		tool.Boolean("double", "").Alias("doubleClick"),
		tool.String("button", "").OneOf("left", "right", "middle"),
		tool.Array("modifiers", "", tool.Text()),
	)...)
	return interactiveTool(o.acts(d, func(ctx context.Context, place browser.Place, c tool.Call) (*browser.Changes, error) {
		return act(ctx, place, browser.Pointer{Ref: c.Args.String("ref"), At: pointOf(c), Double: c.Args.Bool("double"),
			Button: c.Args.String("button"), Modifiers: c.Args.Strings("modifiers")})
	}))
}

// pagePoint is the properties of a point of the page.
func pagePoint() []tool.Property {
	return []tool.Property{tool.Integer("x", "").AtLeast(0), tool.Integer("y", "").AtLeast(0)}
}

// pointOf is the point of the page that a call names; nil: none.
func pointOf(c tool.Call) *browser.Point {
	if !c.Args.Has("x") && !c.Args.Has("y") {
		return nil
	}
	return &browser.Point{X: float64(c.Args.Int("x")), Y: float64(c.Args.Int("y"))}
}

func browserHover(o Options) tool.Declaration {
	return pointerTool(o, tool.Declaration{Name: "browser_hover", Title: "Hover"}, o.Browser.Hover)
}

// acting is a tool that does something on the page, and answers with what that changed.
func (o Options) acting(name, title string, input tool.Schema, act func(context.Context, browser.Place, tool.Call) (*browser.Changes, error)) tool.Declaration {
	return o.acts(tool.Declaration{Name: name, Title: title, Input: input}, act)
}

func browserType(o Options) tool.Declaration {
	return interactiveTool(o.acting("browser_type", "Type", input(ignored("element"),
		ref("").Require(),
		tool.String("text", "").Require(),
		tool.String("at", "").OneOf(browser.AtAll, browser.AtEnd, browser.AtCaret).WithDefault(browser.AtAll),
		tool.Boolean("submit", "press Enter after it"),
		tool.Boolean("slowly", "key by key"),
	),
		func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
			return o.Browser.Type(ctx, at, browser.Typing{Ref: c.Args.String("ref"), Text: c.Args.String("text"), At: c.Args.String("at"),
				Submit: c.Args.Bool("submit"), Slowly: c.Args.Bool("slowly")})
		}))
}

func browserFillForm(o Options) tool.Declaration {
	return interactiveTool(o.acting("browser_fill_form", "Fill a form", tool.Object(tool.Array("fields", "", input(ignored("element", "name", "type"),
		ref("").Require(),
		tool.String("value", "").Require().OrBoolean().ListTo("values"),
		tool.Array("values", "for a list of several choices", tool.Text()).Unlist(),
	)).Require()),
		func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
			var args struct{ Fields []browser.Field }
			if err := c.Args.Decode(&args); err != nil {
				return nil, err
			}
			return o.Browser.FillForm(ctx, at, args.Fields)
		}))
}

func browserSelectOption(o Options) tool.Declaration {
	return interactiveTool(o.acting("browser_select_option", "Choose", input(ignored("element"), ref("").Require(),
		tool.Array("values", "", tool.Schema{Type: tool.TypeString}).Require().Alias("value")),
		func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
			return o.Browser.Select(ctx, at, c.Args.String("ref"), c.Args.Strings("values"))
		}))
}

func browserPressKey(o Options) tool.Declaration {
	return interactiveTool(o.acting("browser_press_key", "Press a key", tool.Object(tool.String("key", "").Require(), ref("else the focus")),
		func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
			return o.Browser.PressKey(ctx, at, c.Args.String("key"), c.Args.String("ref"))
		}))
}

func browserDrag(o Options) tool.Declaration {
	return interactiveTool(o.acting("browser_drag", "Drag", input(ignored("startElement", "endElement"),
		tool.String("from", "").Require().Alias("startRef", "startTarget"),
		tool.String("to", "").Require().Alias("endRef", "endTarget")),
		func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
			return o.Browser.Drag(ctx, at, c.Args.String("from"), c.Args.String("to"))
		}))
}

func browserMouse(o Options) tool.Declaration {
	return interactiveTool(o.acting("browser_mouse", "Draw, or press long", input(ignored("element"), append(pagePoint(),
		ref(""),
		tool.Array("path", "", tool.Text()),
		tool.Integer("hold_ms", "").Between(0, 10000),
	)...),
		func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
			return o.Browser.Mouse(ctx, at, browser.Stroke{Ref: c.Args.String("ref"), At: pointOf(c), Path: c.Args.Strings("path"),
				Hold: time.Duration(c.Args.Int("hold_ms")) * time.Millisecond})
		}))
}

func browserUploadFile(o Options) tool.Declaration {
	return interactiveTool(o.acts(tool.Declaration{
		Name: "browser_upload_file", Title: "Upload files",
		Input: input(ignored("element"), ref("").Require(), tool.Array("paths", "", tool.Schema{Type: tool.TypeString}).Require()),
		// Playwright's tool has no ref: it answers the file chooser that is open.
		Variants: []tool.Variant{{Name: "browser_file_upload", Args: tool.Arguments{"ref": ""}}},
	}, func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
		return o.Browser.Upload(ctx, at, c.Args.String("ref"), c.Args.Strings("paths"))
	}))
}

func browserScroll(o Options) tool.Declaration {
	return browserTool(o.acts(tool.Declaration{
		Name: "browser_scroll", Title: "Scroll",
		Input: tool.Object(
			ref(""),
			tool.String("direction", "").OneOf("up", "down", "left", "right", "top", "bottom"),
			tool.Integer("amount", "pixels").AtLeast(1),
		),
	}, func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
		return o.Browser.Scroll(ctx, at, c.Args.String("ref"), c.Args.String("direction"), c.Args.Int("amount"))
	}))
}

func browserWaitFor(o Options) tool.Declaration {
	return browserTool(o.acts(tool.Declaration{
		Name: "browser_wait_for", Title: "Wait",
		Input: tool.Object(
			tool.String("text", ""),
			tool.String("text_gone", "").Alias("textGone"),
			ref(""),
			tool.String("url", "a part of it"),
			tool.Number("time", "seconds at most").Clamp(0, browser.MaxWait.Seconds()),
		),
		Annotations: tool.Annotations{ReadOnly: true},
	}, func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
		var args struct{ Time float64 }
		if err := c.Args.Decode(&args); err != nil {
			return nil, err
		}
		return o.Browser.WaitFor(ctx, at, browser.Waiting{Text: c.Args.String("text"), TextGone: c.Args.String("text_gone"),
			Ref: c.Args.String("ref"), URL: c.Args.String("url"), Time: time.Duration(args.Time * float64(time.Second))})
	}))
}

func browserDialog(o Options) tool.Declaration {
	return browserTool(o.acts(tool.Declaration{
		Name: "browser_dialog", Title: "Dialog",
		Input:   tool.Object(tool.Boolean("accept", "").Require(), tool.String("text", "for a prompt").Alias("promptText")),
		Aliases: []string{"browser_handle_dialog"},
	}, func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
		if c.Args.Bool("accept") && o.DenyInteractive {
			return nil, tool.NewError(tool.Blocked, "accepting a dialog acts on the page, which is not allowed here",
				"accept=false dismisses it; the operator can allow acting with WEB_ALLOW_INTERACTIVE=true")
		}
		return o.Browser.Dialog(ctx, at, c.Args.Bool("accept"), c.Args.String("text"))
	}))
}

func browserEvaluate(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:  "browser_evaluate",
		Title: "Run script",
		Input: input(ignored("element"), tool.String("script", "").Require().Alias("function", "expression"), ref("")),
		Data:  placeForm(tool.Member("value", "what the script came to", tool.Schema{})),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			v, where, err := o.Browser.Evaluate(ctx, o.place(c), c.Args.String("script"), c.Args.String("ref"))
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Text: "tab " + text.Name(where.Tab) + "; context " + text.Name(where.Context) + "\n" + tool.Fence(string(text.VisibleJSON(v))),
				Data: map[string]any{"value": v, "tab": where.Tab, "context": where.Context}}, nil
		},
	})
}

func browserResize(o Options) tool.Declaration {
	d := browserTool(o.acts(tool.Declaration{
		Name: "browser_resize", Title: "Resize",
		Input: tool.Object(
			tool.Integer("width", "").AtLeast(0),
			tool.Integer("height", "").AtLeast(0),
			tool.String("media", "").OneOf("dark", "light", "print", "reduced-motion", "mobile"),
			tool.String("device", "").OneOf(browser.Devices()...),
			tool.String("locale", ""),
			tool.String("timezone", ""),
			tool.String("geolocation", "38.7,-9.1"),
			tool.String("network", "").OneOf(browser.Networks()...),
		),
	}, func(ctx context.Context, at browser.Place, c tool.Call) (*browser.Changes, error) {
		return o.Browser.Resize(ctx, at, browser.Window{Width: c.Args.Int("width"), Height: c.Args.Int("height"), Media: c.Args.String("media"),
			Device: c.Args.String("device"), Locale: c.Args.String("locale"), Timezone: c.Args.String("timezone"), Geolocation: c.Args.String("geolocation"), Network: c.Args.String("network")})
	}))
	d.Profile = tool.All
	return d
}
