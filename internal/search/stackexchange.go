package search

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// stackExchange searches Stack Overflow, or the site of the network that the
// query names. The body of an error has its name; the message of a throttle says
// how long to wait.
func stackExchange() definition {
	return definition{perPage: 50, takes: sites | ranges | dates, markup: true, refuse: stackRefusal}.with(api{url: "https://api.stackexchange.com/2.3/search/excerpts",
		params: func(_ account, t *Terms, _ int) params {
			name, _ := stackSite(t)
			return params{"q": t.Text, "site": name, "order": "desc", "sort": "relevance", "pagesize": t.MaxResults, "fromdate": unix(t.start), "todate": unix(endOf(t.end))}
		},
		form: func(t *Terms, x *api) {
			x.check = func(v any) error {
				if _, host := stackSite(t); at(v, "items") != nil && t.siteHost != "" && strings.TrimPrefix(t.siteHost, "www.") != host {
					return problem(Unsupported, "%s is not a Stack Exchange site", t.siteHost)
				}
				return nil
			}
		},
		list: "items", title: "title", snippet: "excerpt",
		result: func(t *Terms, e any, r *Result) {
			_, host := stackSite(t)
			r.URL = fmt.Sprintf("https://%s/q/%.0f", host, numberAt(e, "question_id"))
			if textAt(e, "item_type") == "answer" {
				r.URL = fmt.Sprintf("https://%s/a/%.0f", host, numberAt(e, "answer_id"))
			}
			r.Published = time.Unix(int64(numberAt(e, "creation_date")), 0).UTC().Format(time.DateOnly)
		}})
}

// stackRefusal returns the error in the body of an answer, or nil.
func stackRefusal(r *response) *Error {
	v, err := decode[struct {
		Name    string `json:"error_name"`
		Message string `json:"error_message"`
	}](r)
	if err != nil || v.Name == "" {
		return nil
	}
	e := problem(Unsupported, "%s", quoted(v.Message))
	if v.Name == "throttle_violation" {
		e.Code = RateLimited
		// "too many requests from this IP, more requests available in 600 seconds"
		words := strings.Fields(v.Message)
		for i, w := range words {
			if n, err := strconv.ParseUint(w, 10, 16); err == nil && i+1 < len(words) && strings.HasPrefix(words[i+1], "second") {
				e.RetryAfter = time.Duration(n) * time.Second
			}
		}
	} else if v.Name == "temporarily_unavailable" || v.Name == "internal_error" {
		e.Code = Network
	}
	return e
}

// stackSite returns the API's name for the query's site, and the site's host.
func stackSite(t *Terms) (name, host string) {
	host = strings.TrimPrefix(t.siteHost, "www.")
	switch label, _, _ := strings.Cut(host, "."); {
	case host == "serverfault.com", host == "superuser.com", host == "askubuntu.com", host == "stackapps.com":
		return label, host
	case host == "mathoverflow.net", strings.HasSuffix(host, ".stackoverflow.com"):
		return host, host
	case strings.HasSuffix(host, ".stackexchange.com"):
		return label, host
	}
	return "stackoverflow", "stackoverflow.com"
}

// unix formats a time as Unix seconds; the zero time is "".
func unix(d time.Time) string {
	if d.IsZero() {
		return ""
	}
	return strconv.FormatInt(d.Unix(), 10)
}
