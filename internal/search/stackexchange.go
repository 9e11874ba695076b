package search

import (
	"net/url"
	"strconv"
	"strings"
	"time"
)

// stackExchange searches Stack Overflow, or the site of the network that the
// query names. The body of an error has its name; the message of a throttle says
// how long to wait.
func stackExchange() definition {
	return definition{
		perPage: 50, takes: sites | ranges | dates, markup: true,
		request: func(_ account, t *Terms, _ int) request {
			name, _ := stackSite(t)
			q := url.Values{"q": {t.Text}, "site": {name}, "order": {"desc"}, "sort": {"relevance"}, "pagesize": {strconv.Itoa(t.MaxResults)}}
			set(q, "fromdate", unix(t.start))
			set(q, "todate", unix(endOf(t.end)))
			return request{url: "https://api.stackexchange.com/2.3/search/excerpts", query: q}
		},
		read: func(t *Terms, r *response) ([]Result, error) {
			v, err := decode[struct {
				Items *[]struct {
					Type     string `json:"item_type"`
					Title    string
					Excerpt  string
					Question int64 `json:"question_id"`
					Answer   int64 `json:"answer_id"`
					Created  int64 `json:"creation_date"`
				}
			}](r)
			if err != nil || v.Items == nil {
				return nil, errShape
			}
			_, host := stackSite(t)
			if t.siteHost != "" && strings.TrimPrefix(t.siteHost, "www.") != host {
				return nil, problem(Unsupported, "%s is not a Stack Exchange site", t.siteHost)
			}
			var out []Result
			for _, x := range *v.Items {
				u := "https://" + host + "/q/" + strconv.FormatInt(x.Question, 10)
				if x.Type == "answer" {
					u = "https://" + host + "/a/" + strconv.FormatInt(x.Answer, 10)
				}
				out = append(out, Result{Title: x.Title, URL: u, Snippet: x.Excerpt, Published: time.Unix(x.Created, 0).UTC().Format(time.DateOnly)})
			}
			return out, nil
		},
		refuse: stackRefusal,
	}
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
