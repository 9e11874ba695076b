package toolset

import (
	"context"
	_ "embed"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_find.md
var browserFindText string

func browserFind(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "browser_find",
		Title:       "Find",
		Description: browserFindText,
		Input: tool.Object(
			tool.String("text", "").Alias("query"),
			tool.String("regex", "RE2"),
			ref(""),
		),
		Data:        browserForm(tool.String("content", "the lines that match")),
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			if ref := c.Args.String("ref"); ref != "" {
				f, err := o.Browser.Check(ctx, o.place(c), ref)
				if err != nil {
					return tool.Result{}, err
				}
				a := answerOf(f.Page, f.Text)
				a.Notices = append(a.Notices, text.Quoted(ref)+" is "+whereIs(f))
				return a.result(), nil
			}
			f, err := o.Browser.Find(ctx, o.place(c), c.Args.String("text"), c.Args.String("regex"))
			if err != nil {
				return tool.Result{}, err
			}
			a := answerOf(f.Page, f.Text)
			notice := "found in " + text.Count(f.Count, "line")
			if f.Shown < f.Count {
				notice += fmt.Sprintf("; these are the first %d: a longer text or a regex finds fewer", f.Shown)
			}
			a.Notices = append(a.Notices, notice)
			return a.result(), nil
		},
	})
}

// whereIs says whether and where a person sees an element.
func whereIs(c *browser.Checked) string {
	switch {
	case !c.Visible:
		return "on the page, but not visible"
	case c.Covered:
		return "behind a dialog"
	case c.InWindow:
		return "visible, in the window"
	}
	return "visible, outside of the window"
}
