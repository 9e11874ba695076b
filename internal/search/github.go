package search

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// gitHub searches repositories. The rate limit shows as status 403 or 429 with no
// requests remaining.
func gitHub() definition {
	return definition{
		perPage: 50, maxText: 256, takes: ranges | dates,
		request: func(a account, t *Terms, _ int) request {
			text := t.Text
			if t.dated() {
				from, to := t.span(a.now)
				text += " created:" + from.Format(time.DateOnly) + ".." + to.Format(time.DateOnly)
			}
			q := url.Values{"q": {text}, "per_page": {strconv.Itoa(t.MaxResults)}}
			return request{url: "https://api.github.com/search/repositories", query: q,
				header: []string{"Accept", "application/vnd.github+json", "X-GitHub-Api-Version", "2022-11-28"}}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Items *[]struct {
					Name        string `json:"full_name"`
					URL         string `json:"html_url"`
					Description string
					Created     string `json:"created_at"`
					Language    string
					Stars       int `json:"stargazers_count"`
				}
			}](r)
			if err != nil || v.Items == nil {
				return nil, errShape
			}
			var out []Result
			for _, x := range *v.Items {
				facts := []string{strconv.Itoa(x.Stars) + " stars"}
				if x.Language != "" {
					facts = append(facts, x.Language)
				}
				if x.Description != "" {
					facts = append(facts, x.Description)
				}
				out = append(out, Result{Title: x.Name, URL: x.URL, Snippet: strings.Join(facts, "; "), Published: x.Created})
			}
			return out, nil
		},
		refuse: func(r *response) *Error {
			if r.status != 429 && (r.status != 403 || r.header.Get("X-RateLimit-Remaining") != "0" && r.header.Get("Retry-After") == "") {
				return nil
			}
			return problem(RateLimited, "") // the message contains this machine's IP address
		},
	}
}
