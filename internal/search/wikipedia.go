package search

import (
	"net/url"
	"strconv"
	"strings"
)

// wikipedia searches the Wikipedia of the query's language, by default the
// English one.
func wikipedia() definition {
	return definition{
		perPage: 50, maxText: 300, takes: language, markup: true,
		request: func(_ account, t *Terms, _ int) request {
			q := url.Values{"action": {"query"}, "list": {"search"}, "srsearch": {t.Text}, "srlimit": {strconv.Itoa(t.MaxResults)},
				"srprop": {"snippet"}, "format": {"json"}, "formatversion": {"2"}}
			return request{url: wikiOrigin(t) + "/w/api.php", query: q}
		},
		read: func(t *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Error *struct{ Code, Info string }
				Query *struct {
					Search []struct{ Title, Snippet string }
				}
			}](r)
			switch {
			case err == nil && v.Error != nil && (v.Error.Code == "ratelimited" || v.Error.Code == "maxlag"):
				return nil, problem(RateLimited, "%s", quoted(v.Error.Info))
			case err == nil && v.Error != nil:
				return nil, problem(Unsupported, "%s", quoted(v.Error.Info))
			case err != nil || v.Query == nil:
				return nil, errShape
			}
			var out []Result
			for _, x := range v.Query.Search {
				out = append(out, Result{Title: x.Title, Snippet: x.Snippet,
					URL: wikiOrigin(t) + "/wiki/" + url.PathEscape(strings.ReplaceAll(x.Title, " ", "_"))})
			}
			return out, nil
		},
	}
}

func wikiOrigin(t *Terms) string { return "https://" + first(t.Language, "en") + ".wikipedia.org" }
