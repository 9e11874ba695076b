package search

import (
	"net/url"
	"strconv"
	"strings"
)

// serpAPI returns Google's results. Without results it reports success together
// with an error text. Status 429 means either the rate limit or the quota. The
// service accepts the key only in the query.
func serpAPI() definition {
	return definition{
		perPage: 10, pages: 5, takes: sites | ranges | dates | country | language,
		request: func(a account, t *Terms, page int) request {
			q := url.Values{"engine": {"google"}, "q": {t.withOperators()}, "num": {"10"}, "api_key": {a.key}}
			if page > 0 {
				q.Set("start", strconv.Itoa(page*10))
			}
			set(q, "gl", strings.ToLower(t.Country))
			set(q, "hl", t.Language)
			set(q, "tbs", googleTime(t))
			return request{url: "https://serpapi.com/search.json", query: q}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Metadata struct{ Status string } `json:"search_metadata"`
				Error    string
				Organic  []googleResult `json:"organic_results"`
			}](r)
			switch {
			case err != nil:
				return nil, errShape
			case v.Metadata.Status == "Success":
				return googleResults(v.Organic), nil
			case v.Error != "":
				return nil, problem(Garbage, "%s", quoted(v.Error))
			}
			return nil, errShape
		},
		refuse: func(r *response) *Error {
			text := says(r.body)
			if r.status == 429 && strings.Contains(strings.ToLower(text), "run out") {
				return problem(Quota, "%s", quoted(text))
			}
			return nil
		},
	}
}
