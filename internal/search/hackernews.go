package search

import (
	"fmt"
	"net/url"
	"strings"
)

// hackerNews searches stories in Algolia's index of Hacker News. The result for
// a story without a URL is its discussion.
func hackerNews() definition {
	return definition{perPage: 50, takes: ranges | dates, markup: true}.with(api{url: "https://hn.algolia.com/api/v1/search",
		params: func(_ account, t *Terms, _ int) params {
			var bounds []string
			if s := unix(t.start); s != "" {
				bounds = append(bounds, "created_at_i>="+s)
			}
			if s := unix(endOf(t.end)); s != "" {
				bounds = append(bounds, "created_at_i<="+s)
			}
			return params{"query": t.Text, "tags": "story", "hitsPerPage": t.MaxResults, "numericFilters": strings.Join(bounds, ",")}
		},
		list: "hits", title: "title", link: "url", published: "created_at",
		result: func(_ *Terms, e any, r *Result) {
			talk := "https://news.ycombinator.com/item?id=" + url.QueryEscape(textAt(e, "objectID"))
			r.URL = first(r.URL, talk)
			r.Snippet = fmt.Sprintf("%.0f points, %.0f comments at %s", numberAt(e, "points"), numberAt(e, "num_comments"), talk)
			if text := textAt(e, "story_text"); text != "" {
				r.Snippet += ". " + text
			}
		}})
}
