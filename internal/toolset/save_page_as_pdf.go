package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed save_page_as_pdf.md
var savePageAsPDFText string

func savePageAsPDF(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "save_page_as_pdf",
		Title:       "Save as PDF",
		Description: savePageAsPDFText,
		Level:       tool.Capture,
		Input:       input(ignored("filename"), tool.String("url", "else the current page")),
		Data:        browserForm(tool.String("pdf_path", "the file").Require(), tool.Integer("pages", "").Require(), fileURL()),
		Annotations: tool.Annotations{ReadOnly: true},
		Aliases:     []string{"browser_pdf_save"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			ctx, stop := o.bound(ctx)
			defer stop()
			at, notices, err := o.visit(ctx, c)
			if err != nil {
				return tool.Result{}, err
			}
			s, err := o.Browser.PDF(ctx, at)
			if err != nil {
				return tool.Result{}, err
			}
			a := answerOf(s.Page, "")
			a.Notices = slices.Concat(notices, a.Notices, ignoredName(c, s.Path))
			r := a.result()
			r.Text += fmt.Sprintf("pdf_path %s (%s)", text.Path(s.Path), text.Count(s.Pages, "page"))
			r.Data = result.PDF{Path: s.Path, Pages: s.Pages, BrowserPage: a.BrowserPage}
			r.File = s.Path
			return r, nil
		},
	})
}

// fileURL is the member that a server adds.
func fileURL() tool.Property {
	return tool.String("file_url", "over HTTP: where the server has the file")
}

// ignoredName says that a file does not have the name that the caller wished.
func ignoredName(c tool.Call, path string) []string {
	if !c.Args.Has("filename") {
		return nil
	}
	return []string{"filename is not used: the file is " + text.Path(path)}
}
