package search

import (
	"net/url"
	"strconv"
	"strings"
)

// you is the search API of You.com.
func you() definition {
	return definition{
		perPage: 50, takes: sites | ranges | language,
		request: func(a account, t *Terms, _ int) request {
			q := url.Values{"query": {t.withOperators()}, "count": {strconv.Itoa(t.MaxResults)}}
			set(q, "freshness", t.TimeRange)
			set(q, "language", strings.ToUpper(t.Language))
			return request{url: "https://ydc-index.io/v1/search", query: q, header: []string{"X-API-KEY", a.key}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Results *struct {
					Web []struct {
						Title, URL, Description string
						Snippets                []string
						PageAge                 string `json:"page_age"`
					}
				}
			}](r)
			if err != nil || v.Results == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range v.Results.Web {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: first(append(x.Snippets, x.Description)...), Published: x.PageAge})
			}
			return out, nil
		},
	}
}
