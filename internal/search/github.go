package search

import (
	"fmt"
	"time"
)

// gitHub searches repositories. The rate limit shows as status 403 or 429 with no
// requests remaining.
func gitHub() definition {
	return definition{perPage: 50, maxText: 256, takes: ranges | dates,
		refuse: func(r *response) *Error {
			if r.status != 429 && (r.status != 403 || r.header.Get("X-RateLimit-Remaining") != "0" && r.header.Get("Retry-After") == "") {
				return nil
			}
			return problem(RateLimited, "") // the message contains this machine's IP address
		}}.with(api{url: "https://api.github.com/search/repositories",
		header: []string{"Accept", "application/vnd.github+json", "X-GitHub-Api-Version", "2022-11-28"},
		params: func(a account, t *Terms, _ int) params {
			text := t.Text
			if t.dated() {
				from, to := t.span(a.now)
				text += " created:" + from.Format(time.DateOnly) + ".." + to.Format(time.DateOnly)
			}
			return params{"q": text, "per_page": t.MaxResults}
		},
		list: "items", title: "full_name", link: "html_url", published: "created_at",
		result: func(_ *Terms, e any, r *Result) {
			r.Snippet = fmt.Sprintf("%.0f stars", numberAt(e, "stargazers_count"))
			for _, fact := range []string{textAt(e, "language"), textAt(e, "description")} {
				if fact != "" {
					r.Snippet += "; " + fact
				}
			}
		}})
}
