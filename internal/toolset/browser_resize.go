package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_resize.md
var browserResizeText string

func browserResize(o Options) tool.Declaration {
	d := browserTool(tool.Declaration{
		Name:        "browser_resize",
		Title:       "Resize",
		Description: browserResizeText,
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
		Data: changesForm(),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Resize(ctx, o.place(c), browser.Window{Width: c.Args.Int("width"), Height: c.Args.Int("height"), Media: c.Args.String("media"),
				Device: c.Args.String("device"), Locale: c.Args.String("locale"), Timezone: c.Args.String("timezone"), Geolocation: c.Args.String("geolocation"), Network: c.Args.String("network")}))
		},
	})
	d.Profile = tool.All
	return d
}
