package search

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// crossref searches the metadata of scholarly works.
func crossref() definition {
	return definition{
		perPage: 50, takes: ranges | dates, markup: true,
		request: func(_ account, t *Terms, _ int) request {
			q := url.Values{"query": {t.Text}, "rows": {strconv.Itoa(t.MaxResults)},
				"select": {"title,URL,DOI,abstract,issued,author,container-title"}}
			var filter []string
			if d := day(t.start, time.DateOnly); d != "" {
				filter = append(filter, "from-pub-date:"+d)
			}
			if d := day(t.end, time.DateOnly); d != "" {
				filter = append(filter, "until-pub-date:"+d)
			}
			set(q, "filter", strings.Join(filter, ","))
			return request{url: "https://api.crossref.org/works", query: q}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Status  string
				Message struct {
					Items []struct {
						Title     []string
						URL, DOI  string
						Abstract  string
						Container []string `json:"container-title"`
						Author    []struct{ Given, Family string }
						Issued    struct {
							Parts [][]int `json:"date-parts"`
						}
					}
				}
			}](r)
			if err != nil || v.Status != "ok" {
				return nil, errShape
			}
			var out []Result
			for _, x := range v.Message.Items {
				facts := make([]string, 0, 4)
				for _, a := range x.Author[:min(len(x.Author), 3)] {
					facts = append(facts, strings.TrimSpace(a.Given+" "+a.Family))
				}
				facts = append(facts, x.Container...)
				snippet := strings.Join(facts, ", ")
				if x.Abstract != "" {
					snippet += ". " + x.Abstract
				}
				var published string
				if p := x.Issued.Parts; len(p) > 0 {
					published = dateParts(p[0])
				}
				out = append(out, Result{Title: first(x.Title...), URL: first(x.URL, "https://doi.org/"+x.DOI), Snippet: snippet, Published: published})
			}
			return out, nil
		},
	}
}

// dateParts formats a year, with month and day when they are known.
func dateParts(p []int) string {
	var b strings.Builder
	for i, n := range p[:min(len(p), 3)] {
		if n <= 0 || n > 9999 {
			break
		}
		if i > 0 {
			b.WriteByte('-')
		}
		fmt.Fprintf(&b, "%02d", n)
	}
	return b.String()
}
