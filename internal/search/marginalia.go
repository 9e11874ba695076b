package search

import (
	"net/url"
	"strconv"
)

// marginalia is the search engine for small websites. Status 503 means that the
// rate limit is reached.
func marginalia() definition {
	return definition{
		perPage: 50,
		request: func(a account, t *Terms, _ int) request {
			q := url.Values{"query": {t.Text}, "count": {strconv.Itoa(t.MaxResults)}}
			if t.filtered() {
				q.Set("count", "50")
			}
			return request{url: "https://api2.marginalia-search.com/search", query: q, header: []string{"API-Key", a.key}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Results *[]struct{ URL, Title, Description string }
			}](r)
			if err != nil || v.Results == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range *v.Results {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Description})
			}
			return out, nil
		},
		refuse: func(r *response) *Error {
			if r.status == 503 {
				return problem(RateLimited, "%s", quoted(says(r.body)))
			}
			return nil
		},
	}
}
