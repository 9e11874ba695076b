package search

import (
	"net/url"
	"strings"
)

// wikipedia searches the Wikipedia of the query's language, by default the
// English one.
func wikipedia() definition {
	return definition{perPage: 50, maxText: 300, takes: language, markup: true}.with(api{
		params: func(_ account, t *Terms, _ int) params {
			return params{"action": "query", "list": "search", "srsearch": t.Text, "srlimit": t.MaxResults, "srprop": "snippet", "format": "json", "formatversion": "2"}
		},
		form: func(t *Terms, x *api) { x.url = wikiOrigin(t) + "/w/api.php" },
		check: func(v any) error {
			info := quoted(textAt(v, "error.info"))
			switch code := textAt(v, "error.code"); {
			case code == "ratelimited", code == "maxlag":
				return problem(RateLimited, "%s", info)
			case at(v, "error") != nil:
				return problem(Unsupported, "%s", info)
			}
			return nil
		},
		list: "query.search", has: "query", title: "title", snippet: "snippet",
		result: func(t *Terms, _ any, r *Result) {
			r.URL = wikiOrigin(t) + "/wiki/" + url.PathEscape(strings.ReplaceAll(r.Title, " ", "_"))
		}})
}

func wikiOrigin(t *Terms) string { return "https://" + first(t.Language, "en") + ".wikipedia.org" }
