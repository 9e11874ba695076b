package search

import "time"

// tavily is Tavily's search API. Its statuses 432 and 433 mean that the quota is
// used up.
func tavily() definition {
	type body struct {
		Query      string   `json:"query"`
		Depth      string   `json:"search_depth"`
		MaxResults int      `json:"max_results"`
		Topic      string   `json:"topic,omitempty"`
		TimeRange  string   `json:"time_range,omitempty"`
		Start      string   `json:"start_date,omitempty"`
		End        string   `json:"end_date,omitempty"`
		Include    []string `json:"include_domains,omitempty"`
		Exclude    []string `json:"exclude_domains,omitempty"`
		Content    string   `json:"include_raw_content,omitempty"`
	}
	return definition{
		topics:  []string{"news"},
		perPage: 20, maxText: 400, takes: sites | ranges | dates,
		request: func(a account, t *Terms, _ int) request {
			b := body{Query: t.Text, Depth: "basic", MaxResults: min(t.MaxResults, 20), TimeRange: t.TimeRange, Topic: t.Topic,
				Include: t.within(), Exclude: hosts(t.blocked)}
			if t.TimeRange == "" {
				b.Start, b.End = day(t.start, time.DateOnly), day(t.end, time.DateOnly)
			}
			if t.IncludeContent {
				b.Content = "markdown"
			}
			return request{url: "https://api.tavily.com/search", json: b, header: []string{"Authorization", "Bearer " + a.key}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Results *[]struct {
					Title, URL, Content string
					Published           string `json:"published_date"`
					Raw                 string `json:"raw_content"`
					Score               float64
				}
			}](r)
			if err != nil || v.Results == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range *v.Results {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Content, Published: x.Published, Score: x.Score, Content: x.Raw})
			}
			return out, nil
		},
		refuse: func(r *response) *Error {
			if r.status == 432 || r.status == 433 {
				return problem(Quota, "%s", quoted(says(r.body)))
			}
			return nil
		},
	}
}
