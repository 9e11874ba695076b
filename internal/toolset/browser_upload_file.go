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
		Input:       tool.Object(ref("").Require(), tool.Array("paths", "", tool.Schema{Type: tool.TypeString}).Require()),
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			at, named := o.place(c)
			ch, err := o.Browser.Upload(ctx, at, c.Args.String("ref"), c.Args.Strings("paths"))
			return changed(ch, named, err)
		},
	})
}
