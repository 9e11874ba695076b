package search

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// The open sources, which are asked by name and need no key.

// wikipedia searches the Wikipedia of the query's language, by default the
// English one.
func wikipedia() definition {
	return definition{perPage: 50, maxText: 300, takes: language, markup: true}.with(api{
		params: func(_ account, t *Terms, _ int) params {
			return params{"action": "query", "list": "search", "srsearch": t.Text, "srlimit": t.MaxResults, "srprop": "snippet", "format": "json", "formatversion": "2"}
		},
		form: func(t *Terms, x *api) { x.url = wikiOrigin(t) + "/w/api.php" },
		check: func(v any) error {
			info := quoted(textAt(v, "error.info"))
			switch code := textAt(v, "error.code"); {
			case code == "ratelimited", code == "maxlag":
				return problem(RateLimited, "%s", info)
			case at(v, "error") != nil:
				return problem(codeUnsupported, "%s", info)
			}
			return nil
		},
		list: "query.search", has: "query", title: "title", snippet: "snippet",
		result: func(t *Terms, _ any, r *Result) {
			r.URL = wikiOrigin(t) + "/wiki/" + url.PathEscape(strings.ReplaceAll(r.Title, " ", "_"))
		}})
}

func wikiOrigin(t *Terms) string { return "https://" + cmp.Or(t.Language, "en") + ".wikipedia.org" }

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
					return problem(codeUnsupported, "%s is not a Stack Exchange site", t.siteHost)
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
	e := problem(codeUnsupported, "%s", quoted(v.Message))
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

// hackerNews searches stories in Algolia's index of Hacker News. The result for
// a story without a URL is its discussion.
func hackerNews() definition {
	return definition{perPage: 50, takes: ranges | dates, markup: true}.with(api{url: "https://hn.algolia.com/api/v1/search",
		params: func(_ account, t *Terms, _ int) params {
			var bounds []string
			if s := unix(t.start); s != "" {
				bounds = append(bounds, "created_at_i>="+s)
			}
			if s := unix(endOf(t.end)); s != "" {
				bounds = append(bounds, "created_at_i<="+s)
			}
			return params{"query": t.Text, "tags": "story", "hitsPerPage": t.MaxResults, "numericFilters": strings.Join(bounds, ",")}
		},
		list: "hits", title: "title", link: "url", published: "created_at",
		result: func(_ *Terms, e any, r *Result) {
			talk := "https://news.ycombinator.com/item?id=" + url.QueryEscape(textAt(e, "objectID"))
			r.URL = cmp.Or(r.URL, talk)
			r.Snippet = fmt.Sprintf("%.0f points, %.0f comments at %s", numberAt(e, "points"), numberAt(e, "num_comments"), talk)
			if text := textAt(e, "story_text"); text != "" {
				r.Snippet += ". " + text
			}
		}})
}

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
					return nil, problem(codeUnsupported, "%s", quoted(x.Summary))
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
			r.URL = cmp.Or(r.URL, "https://doi.org/"+textAt(e, "DOI"))
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
