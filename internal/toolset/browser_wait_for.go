package toolset

import (
	"context"
	_ "embed"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_wait_for.md
var browserWaitForText string

func browserWaitFor(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_wait_for",
		Title:       "Wait",
		Description: browserWaitForText,
		Input: tool.Object(
			tool.String("text", ""),
			tool.String("text_gone", "").Alias("textGone"),
			ref(""),
			tool.String("url", "a part of it"),
			tool.Number("time", "seconds at most").Clamp(0, browser.MaxWait.Seconds()),
		),
		Data:        changesForm(),
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			var args struct{ Time float64 }
			if err := c.Args.Decode(&args); err != nil {
				return tool.Result{}, err
			}
			return changed(o.Browser.WaitFor(ctx, o.place(c), browser.Waiting{Text: c.Args.String("text"), TextGone: c.Args.String("text_gone"),
				Ref: c.Args.String("ref"), URL: c.Args.String("url"), Time: time.Duration(args.Time * float64(time.Second))}))
		},
	})
}
