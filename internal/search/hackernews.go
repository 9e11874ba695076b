package search

import (
	"net/url"
	"strconv"
	"strings"
)

// hackerNews searches stories in Algolia's index of Hacker News. The result for
// a story without an address is its discussion.
func hackerNews() definition {
	return definition{
		perPage: 50, takes: ranges | dates, markup: true,
		request: func(_ account, t *Terms, _ int) request {
			q := url.Values{"query": {t.Text}, "tags": {"story"}, "hitsPerPage": {strconv.Itoa(t.MaxResults)}}
			var bounds []string
			if s := unix(t.start); s != "" {
				bounds = append(bounds, "created_at_i>="+s)
			}
			if s := unix(endOf(t.end)); s != "" {
				bounds = append(bounds, "created_at_i<="+s)
			}
			set(q, "numericFilters", strings.Join(bounds, ","))
			return request{url: "https://hn.algolia.com/api/v1/search", query: q}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Hits *[]struct {
					Title, URL, ObjectID string
					Created              string `json:"created_at"`
					Text                 string `json:"story_text"`
					Points               int
					Comments             int `json:"num_comments"`
				}
			}](r)
			if err != nil || v.Hits == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range *v.Hits {
				talk := "https://news.ycombinator.com/item?id=" + url.QueryEscape(x.ObjectID)
				facts := strconv.Itoa(x.Points) + " points, " + strconv.Itoa(x.Comments) + " comments at " + talk
				if x.Text != "" {
					facts += ". " + x.Text
				}
				out = append(out, Result{Title: x.Title, URL: first(x.URL, talk), Snippet: facts, Published: x.Created})
			}
			return out, nil
		},
	}
}
