package toolset

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed take_web_screenshot.md
var takeWebScreenshotText string

func takeWebScreenshot(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "take_web_screenshot",
		Title:       "Take a screenshot",
		Description: takeWebScreenshotText,
		Level:       tool.Capture,
		Input: tool.Object(
			tool.String("url", "else the current page"),
			tool.Boolean("full_page", "").WithDefault(false).Alias("fullPage"),
			ref(""),
			tool.Boolean("marks", "").WithDefault(false),
			tool.String("format", "").OneOf("png", "jpeg", "webp").WithDefault("png"),
		),
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named, err := o.visit(ctx, c)
			if err != nil {
				return tool.Result{}, err
			}
			s, err := o.Browser.Screenshot(ctx, at, browser.Shot{FullPage: c.Args.Bool("full_page"), Ref: c.Args.String("ref"),
				Marks: c.Args.Bool("marks"), Format: c.Args.String("format")})
			if err != nil {
				return tool.Result{}, err
			}
			r := seenOf(s.Page, named, "").answer()
			r.Text += fmt.Sprintf("screenshot_path %s (%d x %d)", s.Path, s.Width, s.Height)
			r.Data = map[string]any{"screenshot_path": s.Path, "url": s.URL, "width": s.Width, "height": s.Height}
			r.Pictures = []tool.Picture{{MediaType: s.MIME, Data: s.Data}}
			r.File = s.Path
			return r, nil
		},
	})
}
