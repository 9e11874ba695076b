package search

import "strings"

// firecrawl is version 2 of Firecrawl's search.
func firecrawl() definition {
	type body struct {
		Query   string   `json:"query"`
		Limit   int      `json:"limit"`
		Sources []string `json:"sources"`
		TBS     string   `json:"tbs,omitempty"`
		Country string   `json:"country,omitempty"`
	}
	return definition{
		perPage: 100, maxText: 500, takes: sites | ranges | dates | country,
		request: func(a account, t *Terms, _ int) request {
			return request{url: "https://api.firecrawl.dev/v2/search", header: []string{"Authorization", "Bearer " + a.key},
				json: body{t.withOperators(), t.MaxResults, []string{"web"}, googleTime(t), strings.ToUpper(t.Country)}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Success bool
				Error   string
				Data    struct {
					Web []struct{ Title, URL, Description string }
				}
			}](r)
			switch {
			case err != nil:
				return nil, errShape
			case !v.Success && v.Error != "":
				return nil, problem(Garbage, "%s", quoted(v.Error))
			case !v.Success:
				return nil, errShape
			}
			var out []Result
			for _, x := range v.Data.Web {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Description})
			}
			return out, nil
		},
	}
}
