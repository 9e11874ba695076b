package toolset

import (
	_ "embed"

	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed browser_hover.md
var browserHoverText string

func browserHover(o Options) tool.Declaration {
	return pointerTool(o, tool.Declaration{Name: "browser_hover", Title: "Hover", Description: browserHoverText}, o.Browser.Hover)
}
