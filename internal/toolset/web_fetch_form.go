package toolset

import "github.com/spyhop-dev/spyhop/tool"

// pageForm is the answer of web_fetch as programs and plans read it: the JSON
// form of result.Fetch. Clients are given text alone.
func pageForm() tool.Schema {
	link := tool.Object(tool.String("text", ""), tool.String("url", ""))
	section := tool.Object(
		tool.String("id", "what section takes"),
		tool.String("anchor", "its anchor in the page"),
		tool.String("title", ""),
		tool.Integer("level", "1 to 6"),
		tool.Integer("tokens", "with its subsections"),
		tool.Integer("start", "characters of the content"),
		tool.Integer("end", ""),
	)
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
		tool.Map("facts", "what the page's data says of its subject: type, and values with name, value and from_data (not shown on the page)"),
		quotesForm(),
		tool.Array("links", "in mode links", link),
		tool.Array("outline", "in mode outline", section),
		tool.Integer("next_start_index", "where to read on"),
		tool.Boolean("truncated", "whether the content is less than the whole: a window, or passages chosen from more"),
		tool.Array("notices", "what has to be known about the content, a sentence or two each", tool.Text()),
		tool.String("answered_by", "who answered prompt: model provider/name, client model, passages or page (no model answered), or selectors"),
		tool.Map("omitted", "words and blocks of text that the page shows outside of its main content, navigation left aside"),
		tool.Map("hidden_removed", "what a person does not see, counted by kind"),
		tool.Boolean("no_match", "true where no passage matches query; content is then the outline"),
		tool.Integer("upstream_status", "the HTTP status that the site answered with; 0 where none did"),
		tool.Map("error", "why there is no content"),
		tool.Map("metadata", "content_type, content_length, status, fetched_at, cached, rendered, read_as and read_from where it is another form of the page, version, tokens, window, since, unfiltered, hidden_check, timings"),
	)
}

// fetchForm is pageForm, or what several addresses give: result.FetchAll.
func fetchForm() tool.Schema {
	form := pageForm()
	form.Properties = append(form.Properties,
		tool.Array("results", "with urls: the answer for each, in their order; prompt is answered once, in content and quotes beside it", pageForm()))
	return form
}

func quotesForm() tool.Property {
	return tool.Array("quotes", "the quotations in an answer to prompt", tool.Object(
		tool.String("text", ""),
		tool.Boolean("verified", "whether the page says it, word for word"),
		tool.String("url", "of the page that says it"),
		tool.String("version", "of the page"),
		tool.String("section", "its id"),
		tool.Integer("start", "characters of the version's Markdown"),
		tool.Integer("end", ""),
		tool.String("link", "the address with a text fragment, which leads to the place"),
	))
}
