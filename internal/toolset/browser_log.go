package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_log.md
var browserLogText string

func browserLog(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_log",
		Title:       "Log",
		Description: browserLogText,
		Input: tool.Object(
			tool.String("what", "").OneOf("console", "network").WithDefault("console"),
			tool.String("filter", "lines that hold this"),
		),
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, _ := o.place(c)
			lines, dropped, err := o.Browser.Journal(ctx, at, c.Args.String("what"), c.Args.String("filter"))
			if err != nil {
				return tool.Result{}, err
			}
			const shown = 60
			n := len(lines)
			lines = lines[max(0, n-shown):]
			head := fmt.Sprintf("the last %d of %d lines", len(lines), n+dropped)
			if len(lines) < n {
				head += "; filter finds others"
			}
			return tool.Result{Text: head + "\n" + tool.Fence(strings.Join(lines, "\n")), Data: map[string]any{"lines": lines, "total": n + dropped}}, nil
		},
	})
}
