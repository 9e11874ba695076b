package search

import (
	"encoding/xml"
	"net/url"
	"strconv"
	"strings"
)

// arxiv searches papers. The service answers with an Atom feed, also for errors.
func arxiv() definition {
	return definition{
		perPage: 50, maxText: 500, takes: ranges | dates,
		request: func(a account, t *Terms, _ int) request {
			terms := make([]string, 0, 8)
			for _, w := range strings.Fields(arxivWords(t.Text)) {
				terms = append(terms, "all:"+w)
			}
			text := strings.Join(terms, " AND ")
			if t.dated() {
				from, to := t.span(a.now)
				text += " AND submittedDate:[" + from.Format("20060102") + "0000 TO " + to.Format("20060102") + "2359]"
			}
			q := url.Values{"search_query": {text}, "max_results": {strconv.Itoa(t.MaxResults)}, "sortBy": {"relevance"}}
			return request{url: "https://export.arxiv.org/api/query", query: q, header: []string{"Accept", "application/atom+xml"}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			var feed struct {
				XMLName xml.Name
				Entries []struct {
					ID        string `xml:"id"`
					Title     string `xml:"title"`
					Summary   string `xml:"summary"`
					Published string `xml:"published"`
				} `xml:"entry"`
			}
			if err := xml.Unmarshal(r.body, &feed); err != nil || feed.XMLName.Local != "feed" {
				return nil, errShape
			}
			var out []Result
			for _, x := range feed.Entries {
				id := strings.TrimSpace(x.ID)
				if strings.Contains(id, "arxiv.org/api/errors") {
					return nil, problem(Unsupported, "%s", quoted(x.Summary))
				}
				id = strings.Replace(id, "http://", "https://", 1)
				out = append(out, Result{Title: x.Title, URL: id, Snippet: x.Summary, Published: strings.TrimSpace(x.Published)})
			}
			return out, nil
		},
	}
}

// arxivWords replaces the characters that have a meaning in arXiv's query
// language by spaces.
func arxivWords(s string) string {
	return strings.Map(func(r rune) rune {
		if strings.ContainsRune(`()[]":`, r) {
			return ' '
		}
		return r
	}, s)
}
