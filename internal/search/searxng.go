package search

import (
	"net/url"
	"strconv"
	"strings"
)

// searxng is the operator's SearXNG instance. Its JSON format is off by default,
// and it reports success even when none of its engines answered.
func searxng() definition {
	return definition{
		topics:  []string{"news", "images", "videos"},
		perPage: 0, pages: 3, takes: sites | ranges | language,
		request: func(a account, t *Terms, page int) request {
			q := url.Values{"q": {t.withOperators()}, "format": {"json"}}
			if page > 0 {
				q.Set("pageno", strconv.Itoa(page+1))
			}
			set(q, "categories", t.Topic)
			set(q, "time_range", t.TimeRange)
			set(q, "language", t.Language)
			return request{url: a.base + "/search", query: q}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Results *[]struct {
					Title, URL, Content string
					PublishedDate       string
					Score               float64
					Image               string `json:"img_src"`
					Thumbnail           string
				}
				Unresponsive [][]any `json:"unresponsive_engines"`
			}](r)
			if err != nil || v.Results == nil {
				return nil, errShape
			}
			if len(*v.Results) == 0 && len(v.Unresponsive) > 0 {
				var engines []string
				for _, e := range v.Unresponsive {
					var words []string
					for _, w := range e {
						if s, ok := w.(string); ok {
							words = append(words, s)
						}
					}
					engines = append(engines, strings.Join(words, ": "))
				}
				return nil, problem(Network, "its engines do not answer: %s", quoted(strings.Join(engines, "; ")))
			}
			var out []Result
			for _, x := range *v.Results {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Content, Published: x.PublishedDate, Score: x.Score, Image: first(x.Image, x.Thumbnail)})
			}
			return out, nil
		},
		refuse: func(r *response) *Error {
			if r.status == 403 {
				return &Error{Code: Unsupported, Cause: "the instance does not allow the JSON format",
					Hint: "add json to search.formats in the settings.yml of the instance"}
			}
			return nil
		},
	}
}
