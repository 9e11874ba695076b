package toolset

import (
	"context"
	_ "embed"
	"fmt"

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
		Input:       tool.Object(tool.String("url", "else the current page")),
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named, err := o.visit(ctx, c)
			if err != nil {
				return tool.Result{}, err
			}
			s, err := o.Browser.PDF(ctx, at)
			if err != nil {
				return tool.Result{}, err
			}
			r := seenOf(s.Page, named, "").answer()
			r.Text += fmt.Sprintf("pdf_path %s (%d pages)", s.Path, s.Pages)
			r.Data = map[string]any{"pdf_path": s.Path, "pages": s.Pages}
			r.File = s.Path
			return r, nil
		},
	})
}
