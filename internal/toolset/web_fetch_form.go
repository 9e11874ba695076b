package toolset

import "github.com/spyhop-dev/spyhop/internal/tool"

// pageForm is the answer of web_fetch as programs and plans read it: the JSON
// form of reader.Answer. Clients are given text alone.
func pageForm() tool.Schema {
	link := tool.Object(tool.String("text", ""), tool.String("url", ""))
	return tool.Object(
		tool.Boolean("success", "whether the content is what was asked for"),
		tool.String("url", "the address that was asked for"),
		tool.String("final_url", "the address of the content, after redirects"),
		tool.String("redirect_url", "where it redirects to, when that is another host"),
		tool.String("title", ""),
		tool.String("byline", "who wrote it"),
		tool.String("published", "when, as the page says"),
		tool.String("excerpt", "what the page says of itself"),
		tool.String("language", "a code, as en"),
		tool.String("site_name", ""),
		tool.String("page_type", "article, documentation, forum, product and so on"),
		tool.String("verdict", "complete, partial or thin"),
		tool.String("markdown", "the content in mode markdown"),
		tool.String("content", "the content in other modes, or the answer to prompt"),
		tool.Array("quotes", "in the answer to prompt", tool.Schema{Type: tool.TypeObject, Open: true}),
		tool.Array("links", "in mode links", link),
		tool.Array("outline", "in mode outline", tool.Schema{Type: tool.TypeObject, Open: true}),
		tool.Integer("next_start_index", "where to read on"),
		tool.Boolean("truncated", "whether the window cut it"),
		tool.Map("hidden_removed", "what a person does not see, counted by kind"),
		tool.Map("error", "why there is no content"),
		tool.Map("metadata", "content_type, content_length, status, fetched_at, cached, rendered, read_as and read_from where it is another form of the page, version, tokens, hidden_check, timings"),
	)
}
