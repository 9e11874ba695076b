package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed close_browser.md
var closeBrowserText string

func closeBrowser(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "close_browser",
		Title:       "Close the browser",
		Description: closeBrowserText,
		Level:       tool.CleanUp,
		Annotations: tool.Annotations{Idempotent: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			message := "the browser is closed"
			var err error
			if at, _ := o.place(c); c.Session == "" && at.Context == "" {
				err = o.Browser.Close()
			} else {
				// Others may have contexts of their own.
				message = "the context is closed"
				err = o.Browser.CloseContext(ctx, at.Context)
			}
			return tool.Result{Text: message, Data: map[string]string{"message": message}}, err
		},
	})
}
