package search

import "strings"

// jina is Jina's search API. It answers with status 422 when there are no
// results.
func jina() definition {
	type body struct {
		Q     string `json:"q"`
		Count int    `json:"count"`
	}
	return definition{
		perPage: 10, takes: sites,
		request: func(a account, t *Terms, _ int) request {
			return request{url: "https://s.jina.ai/", json: body{t.withOperators(), min(t.MaxResults, 10)},
				header: []string{"Authorization", "Bearer " + a.key, "X-Respond-With", "no-content"}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Data *[]struct{ Title, URL, Description, Content, Date string }
			}](r)
			if err != nil || v.Data == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range *v.Data {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: first(x.Description, x.Content), Published: x.Date})
			}
			return out, nil
		},
		refuse: func(r *response) *Error {
			if r.status == 422 && strings.Contains(strings.ToLower(says(r.body)), "no search results") {
				return &Error{Code: nothing}
			}
			return nil
		},
	}
}
