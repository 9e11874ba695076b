package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
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
		Input: input(ignored("element", "filename"),
			tool.String("url", "else the current page"),
			tool.Boolean("full_page", "").WithDefault(false).Alias("fullPage"),
			ref(""),
			tool.Boolean("marks", "").WithDefault(false),
			tool.String("format", "").OneOf("png", "jpeg", "webp").WithDefault("png").Alias("type"),
		),
		Data: browserForm(tool.String("screenshot_path", "the file").Require(), tool.Integer("width", "pixels").Require(), tool.Integer("height", "pixels").Require(),
			fileURL()),
		Annotations: tool.Annotations{ReadOnly: true},
		Aliases:     []string{"browser_take_screenshot"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			ctx, stop := o.bound(ctx)
			defer stop()
			at, notices, err := o.visit(ctx, c)
			if err != nil {
				return tool.Result{}, err
			}
			s, err := o.Browser.Screenshot(ctx, at, browser.Shot{FullPage: c.Args.Bool("full_page"), Ref: c.Args.String("ref"),
				Marks: c.Args.Bool("marks"), Format: c.Args.String("format")})
			if err != nil {
				return tool.Result{}, err
			}
			a := answerOf(s.Page, "")
			a.Notices = slices.Concat(notices, a.Notices, ignoredName(c, s.Path))
			r := a.result()
			r.Text += fmt.Sprintf("screenshot_path %s (%d x %d)", text.Path(s.Path), s.Width, s.Height)
			r.Data = result.Screenshot{Path: s.Path, Width: s.Width, Height: s.Height, BrowserPage: a.BrowserPage}
			r.Pictures = []tool.Picture{{MediaType: s.MIME, Data: s.Data}}
			r.File = s.Path
			return r, nil
		},
	})
}
