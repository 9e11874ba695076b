package search

import (
	"encoding/json"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// brave is the Brave Search API. Its offset counts pages, not results, and a
// wrong key is status 422.
func brave() definition {
	return definition{
		topics:  []string{"news", "images", "videos"},
		perPage: 20, pages: 3, maxText: 400, takes: sites | ranges | dates | country | language, markup: true,
		request: func(a account, t *Terms, page int) request {
			q := url.Values{"q": {t.withOperators()}, "count": {strconv.Itoa(min(t.MaxResults, 20))},
				"result_filter": {"web"}, "text_decorations": {"false"}}
			if page > 0 {
				q.Set("offset", strconv.Itoa(page))
			}
			if t.TimeRange != "" {
				q.Set("freshness", "p"+t.TimeRange[:1])
			} else if t.dated() {
				from, to := t.span(a.now)
				q.Set("freshness", from.Format(time.DateOnly)+"to"+to.Format(time.DateOnly))
			}
			set(q, "country", t.Country)
			set(q, "search_lang", t.Language)
			if t.Topic != "" {
				q.Del("result_filter")
				q.Del("text_decorations")
				if t.Topic == "images" { // takes neither pages nor dates
					q.Del("offset")
					q.Del("freshness")
				}
				return request{url: "https://api.search.brave.com/res/v1/" + t.Topic + "/search", query: q, header: []string{"X-Subscription-Token", a.key}}
			}
			return request{url: "https://api.search.brave.com/res/v1/web/search", query: q, header: []string{"X-Subscription-Token", a.key}}
		},
		read: func(t *Terms, r *response) ([]Result, error) {
			if t.Topic != "" {
				return braveTopic(t.Topic, r)
			}
			v, err := decode[struct {
				Type string
				Web  struct {
					Results []struct {
						Title, URL, Description, Age string
						PageAge                      string `json:"page_age"`
					}
				}
			}](r)
			if err != nil || v.Type != "search" {
				return nil, errShape
			}
			var out []Result
			for _, x := range v.Web.Results {
				out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Description, Published: first(x.PageAge, x.Age)})
			}
			return out, nil
		},
		refuse: func(r *response) *Error {
			var v struct{ Error struct{ Code, Detail string } }
			_ = json.Unmarshal(r.body, &v) // without a code, the status decides
			switch {
			case v.Error.Code == "SUBSCRIPTION_TOKEN_INVALID":
				return problem(BadKey, "%s", quoted(v.Error.Detail))
			case r.status == 422:
				return problem(Unsupported, "%s", quoted(v.Error.Detail))
			case r.status == 429 && monthIsOver(r.header.Get("X-RateLimit-Remaining")):
				return problem(Quota, "%s", quoted(v.Error.Detail))
			}
			return nil
		},
	}
}

// braveTopic reads the results of the topics.
func braveTopic(topic string, r *response) ([]Result, error) {
	v, err := decode[struct {
		Type    string
		Results []struct {
			Title, URL, Description, Age string
			PageAge                      string `json:"page_age"`
			Thumbnail                    struct{ Src string }
			Properties                   struct {
				URL           string
				Width, Height int
			}
		}
	}](r)
	if err != nil || v.Type != topic {
		return nil, errShape
	}
	var out []Result
	for _, x := range v.Results {
		out = append(out, Result{Title: x.Title, URL: x.URL, Snippet: x.Description, Published: first(x.PageAge, x.Age),
			Image: first(x.Properties.URL, x.Thumbnail.Src), ImageWidth: x.Properties.Width, ImageHeight: x.Properties.Height})
	}
	return out, nil
}

// monthIsOver reports whether nothing remains of the month's requests. The
// header has two numbers, for the second and for the month: "0, 0".
func monthIsOver(remaining string) bool {
	_, month, ok := strings.Cut(remaining, ",")
	return ok && strings.TrimSpace(month) == "0"
}

// set sets a parameter unless its value is empty.
func set(q url.Values, name, value string) {
	if value != "" {
		q.Set(name, value)
	}
}

// first returns the first text that is not empty.
func first(texts ...string) string {
	for _, s := range texts {
		if s != "" {
			return s
		}
	}
	return ""
}
