package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_upload_file.md
var browserUploadFileText string

func browserUploadFile(o Options) tool.Declaration {
	return interactiveTool(tool.Declaration{
		Name:        "browser_upload_file",
		Title:       "Upload files",
		Description: browserUploadFileText,
		Input:       input(ignored("element"), ref("").Require(), tool.Array("paths", "", tool.Schema{Type: tool.TypeString}).Require()),
		Data:        changesForm(),
		// Playwright's tool has no ref: it answers the file chooser that is open.
		Variants: []tool.Variant{{Name: "browser_file_upload", Args: tool.Arguments{"ref": ""}}},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return changed(o.Browser.Upload(ctx, o.place(c), c.Args.String("ref"), c.Args.Strings("paths")))
		},
	})
}
