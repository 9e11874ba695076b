package search

import "time"

// kagi is version 1 of Kagi's search API.
func kagi() definition {
	type filters struct {
		After  string `json:"after,omitempty"`
		Region string `json:"region,omitempty"`
	}
	type body struct {
		Query    string  `json:"query"`
		Workflow string  `json:"workflow"`
		Page     int     `json:"page,omitempty"`
		Filters  filters `json:"filters,omitzero"`
	}
	return definition{
		perPage: 10, pages: 5, takes: sites | ranges | country, markup: true,
		request: func(a account, t *Terms, page int) request {
			b := body{Query: t.withOperators(), Workflow: "search", Filters: filters{day(t.start, time.DateOnly), t.Country}}
			if page > 0 {
				b.Page = page + 1
			}
			return request{url: "https://kagi.com/api/v1/search", json: b, header: []string{"Authorization", "Bearer " + a.key}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Data *struct {
					Search []struct{ Title, URL, Snippet, Time string }
				}
			}](r)
			if err != nil || v.Data == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range v.Data.Search {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Snippet, Published: x.Time})
			}
			return out, nil
		},
	}
}
