package search

import "strings"

// serper returns Google's results. A wrong key gives status 403, a used-up quota
// 400.
func serper() definition {
	type body struct {
		Q    string `json:"q"`
		GL   string `json:"gl,omitempty"`
		HL   string `json:"hl,omitempty"`
		Num  int    `json:"num"`
		Page int    `json:"page,omitempty"`
		TBS  string `json:"tbs,omitempty"`
	}
	return definition{
		topics:  []string{"news", "images", "videos"},
		perPage: 10, pages: 5, takes: sites | ranges | dates | country | language,
		request: func(a account, t *Terms, page int) request {
			b := body{Q: t.withOperators(), GL: strings.ToLower(t.Country), HL: t.Language, Num: 10, TBS: googleTime(t)}
			if page > 0 {
				b.Page = page + 1
			}
			path := t.Topic
			if path == "" {
				path = "search"
			}
			return request{url: "https://google.serper.dev/" + path, json: b, header: []string{"X-API-KEY", a.key}}
		},
		read: func(t *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				SearchParameters              *struct{}
				Organic, News, Images, Videos []googleResult
			}](r)
			if err != nil || v.SearchParameters == nil {
				return nil, errShape
			}
			return googleResults(map[string][]googleResult{"": v.Organic, "news": v.News, "images": v.Images, "videos": v.Videos}[t.Topic]), nil
		},
		refuse: func(r *response) *Error {
			text := says(r.body)
			if r.status == 400 && strings.Contains(strings.ToLower(text), "credit") {
				return problem(Quota, "%s", quoted(text))
			}
			return nil
		},
	}
}

// googleResult is a result in the schema that Serper and SerpAPI share.
type googleResult struct {
	Title, Link, Snippet, Date string
	ImageURL                   string `json:"imageUrl"`
	ImageWidth, ImageHeight    int
}

func googleResults(list []googleResult) []Result {
	var out []Result
	for _, x := range list {
		out = append(out, Result{Title: x.Title, URL: x.Link, Snippet: x.Snippet, Published: x.Date, Image: x.ImageURL, ImageWidth: x.ImageWidth, ImageHeight: x.ImageHeight})
	}
	return out
}

// googleTime returns Google's tbs parameter: a time range, or dates with the
// month first.
func googleTime(t *Terms) string {
	const layout = "01/02/2006"
	switch {
	case t.TimeRange != "":
		return "qdr:" + t.TimeRange[:1]
	case t.dated():
		s := "cdr:1"
		if !t.start.IsZero() {
			s += ",cd_min:" + t.start.Format(layout)
		}
		if !t.end.IsZero() {
			s += ",cd_max:" + t.end.Format(layout)
		}
		return s
	}
	return ""
}
