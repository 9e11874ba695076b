package result

import "github.com/spyhop-dev/spyhop/tool"

// Search is the answer to a search. No results are an answer, not an error.
type Search struct {
	// Results are the hits, best first.
	Results []Hit `json:"results"`
	// Provider names the provider that answered; with "fuse", all of them,
	// separated by commas.
	Provider string `json:"provider"`
	// Cached reports whether the answer comes from the cache.
	Cached bool `json:"cached"`
	// Notices say what was done in another way than the request asked for: a
	// number that was clamped, a filter that the provider does not have, another
	// provider that answered.
	Notices []string `json:"notices,omitempty"`
}

// Hit is one result of a search. Each text is one line without markup.
type Hit struct {
	Title string `json:"title"`
	// URL is absolute and canonical, without tracking parameters.
	URL string `json:"url"`
	// Snippet has at most 500 characters; may be empty.
	Snippet string `json:"snippet"`
	// Published is a date as 2006-01-02 where it could be parsed, else what the
	// provider says, else empty.
	Published string `json:"published,omitempty"`
	// Source names the provider; with "fuse", all that found the page, the best
	// rank first.
	Source string `json:"source"`
	// Score is the relevance from 0 to 1: that of the provider relative to its best
	// result, or else made of the words of the query and the position.
	Score float64 `json:"score"`
	// Image is the URL of the picture or thumbnail, for the topics images, news and
	// videos; ImageWidth and ImageHeight are pixels, 0 where unknown.
	Image       string `json:"image,omitempty"`
	ImageWidth  int    `json:"image_width,omitempty"`
	ImageHeight int    `json:"image_height,omitempty"`
	// Content is the page as Markdown, where the request asked for it; may be
	// empty.
	Content string `json:"content,omitempty"`
	// Truncated reports whether Content was cut to its share of the tokens.
	Truncated bool `json:"truncated,omitempty"`
	// Error says why there is no Content; nil on success.
	Error *tool.Error `json:"error,omitempty"`
}
