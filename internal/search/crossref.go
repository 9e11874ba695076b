package search

import (
	"fmt"
	"strings"
	"time"
)

// crossref searches the metadata of scholarly works.
func crossref() definition {
	return definition{perPage: 50, takes: ranges | dates, markup: true}.with(api{url: "https://api.crossref.org/works",
		params: func(_ account, t *Terms, _ int) params {
			var filter []string
			if d := day(t.start, time.DateOnly); d != "" {
				filter = append(filter, "from-pub-date:"+d)
			}
			if d := day(t.end, time.DateOnly); d != "" {
				filter = append(filter, "until-pub-date:"+d)
			}
			return params{"query": t.Text, "rows": t.MaxResults, "select": "title,URL,DOI,abstract,issued,author,container-title", "filter": strings.Join(filter, ",")}
		},
		check: func(v any) error {
			if textAt(v, "status") != "ok" {
				return errShape
			}
			return nil
		},
		list: "message.items", has: "status", title: "title", link: "URL",
		result: func(_ *Terms, e any, r *Result) {
			r.URL = first(r.URL, "https://doi.org/"+textAt(e, "DOI"))
			var facts []string
			authors, _ := at(e, "author").([]any)
			for _, a := range authors[:min(len(authors), 3)] {
				facts = append(facts, strings.TrimSpace(textAt(a, "given")+" "+textAt(a, "family")))
			}
			in, _ := at(e, "container-title").([]any)
			for _, name := range in {
				facts = append(facts, fmt.Sprint(name))
			}
			r.Snippet = strings.Join(facts, ", ")
			if text := textAt(e, "abstract"); text != "" {
				r.Snippet += ". " + text
			}
			if dates, _ := at(e, "issued.date-parts").([]any); len(dates) > 0 {
				r.Published = dateParts(dates[0])
			}
		}})
}

// dateParts formats a list of a year, a month and a day, of which the last ones may be
// missing.
func dateParts(list any) string {
	parts, _ := list.([]any)
	var out []string
	for _, p := range parts[:min(len(parts), 3)] {
		n, _ := p.(float64)
		if n <= 0 || n > 9999 {
			break
		}
		out = append(out, fmt.Sprintf("%02.0f", n))
	}
	return strings.Join(out, "-")
}
