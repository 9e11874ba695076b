package toolset

import "github.com/spyhop-dev/spyhop/internal/tool"

// pageForm is the answer of web_fetch as programs and plans read it: the JSON
// form of reader.Answer. Clients are given text alone.
func pageForm() tool.Schema {
	link := tool.Object(tool.String("text", ""), tool.String("url", ""))
	return tool.Object(
		tool.Boolean("success", ""),
		tool.String("url", "the address that was asked for"),
		tool.String("final_url", "the address that answered"),
		tool.String("redirect_url", "where it redirects to, when that is another host"),
		tool.String("title", ""),
		tool.String("byline", ""),
		tool.String("published", ""),
		tool.String("excerpt", ""),
		tool.String("language", ""),
		tool.String("site_name", ""),
		tool.String("page_type", ""),
		tool.String("verdict", ""),
		tool.String("markdown", "the content in mode markdown"),
		tool.String("content", "the content in other modes, or the answer to prompt"),
		tool.Array("quotes", "in the answer to prompt", tool.Schema{Type: tool.TypeObject, Open: true}),
		tool.Array("links", "in mode links", link),
		tool.Array("outline", "in mode outline", tool.Schema{Type: tool.TypeObject, Open: true}),
		tool.Integer("next_start_index", "where to read on"),
		tool.Boolean("truncated", ""),
		tool.Map("hidden_removed", ""),
		tool.Map("error", ""),
		tool.Map("metadata", ""),
	)
}
