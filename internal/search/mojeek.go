package search

import (
	"net/url"
	"strconv"
	"strings"
)

// mojeek is Mojeek's search API. The body has its own status. The service
// accepts the key only in the query.
func mojeek() definition {
	return definition{
		perPage: 10, pages: 5, takes: sites | ranges, markup: true,
		request: func(a account, t *Terms, page int) request {
			q := url.Values{"q": {t.withOperators()}, "fmt": {"json"}, "t": {"10"}, "api_key": {a.key}}
			if page > 0 {
				q.Set("s", strconv.Itoa(page*10+1))
			}
			set(q, "since", day(t.start, "20060102"))
			return request{url: "https://api.mojeek.com/search", query: q}
		},
		read: func(_ *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Response struct {
					Status  string
					Results []struct{ URL, Title, Desc string }
				}
			}](r)
			switch status := v.Response.Status; {
			case err != nil || status == "":
				return nil, errShape
			case status != "OK":
				return nil, mojeekError(status)
			}
			var out []Result
			for _, x := range v.Response.Results {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Desc})
			}
			return out, nil
		},
		refuse: func(r *response) *Error {
			v, err := decode[struct{ Response struct{ Status string } }](r)
			if err != nil || v.Response.Status == "" || r.status == 429 {
				return nil
			}
			return mojeekError(v.Response.Status)
		},
	}
}

func mojeekError(status string) *Error {
	text := strings.ToLower(status)
	switch {
	case strings.Contains(text, "key"), strings.Contains(text, "auth"), strings.Contains(text, "denied"):
		return problem(BadKey, "%s", quoted(status))
	case strings.Contains(text, "limit"), strings.Contains(text, "quota"):
		return problem(Quota, "%s", quoted(status))
	}
	return problem(Unsupported, "%s", quoted(status))
}
