package search

import "time"

// exa is Exa's search API. Its snippets are passages of the pages.
func exa() definition {
	type text struct {
		Most int `json:"maxCharacters"`
	}
	type contents struct {
		Text text `json:"text"`
	}
	type body struct {
		Query    string   `json:"query"`
		Type     string   `json:"type"`
		Count    int      `json:"numResults"`
		Contents contents `json:"contents"`
		Include  []string `json:"includeDomains,omitempty"`
		Exclude  []string `json:"excludeDomains,omitempty"`
		Start    string   `json:"startPublishedDate,omitempty"`
		End      string   `json:"endPublishedDate,omitempty"`
		Country  string   `json:"userLocation,omitempty"`
	}
	return definition{
		perPage: 100, takes: sites | ranges | dates | country,
		request: func(a account, t *Terms, _ int) request {
			most := maxSnippet
			if t.IncludeContent {
				most = maxProvided
			}
			return request{url: "https://api.exa.ai/search", header: []string{"x-api-key", a.key}, json: body{
				Query: t.Text, Type: "auto", Count: t.MaxResults, Contents: contents{text{most}},
				Include: t.within(), Exclude: hosts(t.blocked), Country: t.Country,
				Start: day(t.start, "2006-01-02T15:04:05.000Z"), End: day(endOf(t.end), "2006-01-02T15:04:05.000Z")}}
		},
		read: func(t *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Results *[]struct {
					Title, URL, Text string
					PublishedDate    string
					Highlights       []string
				}
			}](r)
			if err != nil || v.Results == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range *v.Results {
				one := Result{Title: x.Title, URL: x.URL, Snippet: first(append(x.Highlights, x.Text)...), Published: x.PublishedDate}
				if t.IncludeContent {
					one.Content = x.Text
				}
				out = append(out, one)
			}
			return out, nil
		},
	}
}

// endOf returns the last second of a day; the zero time stays zero.
func endOf(d time.Time) time.Time {
	if d.IsZero() {
		return d
	}
	return d.Add(24*time.Hour - time.Second)
}
