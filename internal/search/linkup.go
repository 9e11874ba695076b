package search

import "time"

// linkup is Linkup's search API. Its snippets are passages of the pages.
func linkup() definition {
	type body struct {
		Q       string   `json:"q"`
		Depth   string   `json:"depth"`
		Output  string   `json:"outputType"`
		Include []string `json:"includeDomains,omitempty"`
		Exclude []string `json:"excludeDomains,omitempty"`
		From    string   `json:"fromDate,omitempty"`
		To      string   `json:"toDate,omitempty"`
	}
	return definition{
		takes: sites | ranges | dates,
		request: func(a account, t *Terms, _ int) request {
			return request{url: "https://api.linkup.so/v1/search", header: []string{"Authorization", "Bearer " + a.key}, json: body{
				Q: t.Text, Depth: "standard", Output: "searchResults", Include: t.within(), Exclude: hosts(t.blocked),
				From: day(t.start, time.DateOnly), To: day(t.end, time.DateOnly)}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Results *[]struct{ Type, Name, URL, Content string }
			}](r)
			if err != nil || v.Results == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range *v.Results {
				if x.Type == "" || x.Type == "text" {
					out = append(out, Result{Title: x.Name, URL: x.URL, Snippet: x.Content})
				}
			}
			return out, nil
		},
	}
}
