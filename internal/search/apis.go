package search

import (
	"cmp"
	"strings"
	"time"
)

// brave is the Brave Search API. Its offset counts pages, not results, and a
// wrong key is status 422. Passages of the pages come from another endpoint, which has
// no pages of results.
func brave() definition {
	d := definition{topics: []string{"news", "images", "videos"}, perPage: 20, pages: 3, maxText: 400,
		takes: sites | ranges | dates | country | language, markup: true,
		refuse: func(r *response) *Error {
			v, _ := decode[any](r) // without a code, the status decides
			detail := quoted(textAt(v, "error.detail"))
			_, month, _ := strings.Cut(r.header.Get("X-RateLimit-Remaining"), ",") // for the second and for the month: "0, 0"
			switch {
			case textAt(v, "error.code") == "SUBSCRIPTION_TOKEN_INVALID":
				return problem(codeBadKey, "%s", detail)
			case r.status == 422:
				return problem(codeUnsupported, "%s", detail)
			case r.status == 429 && strings.TrimSpace(month) == "0":
				return problem(codeQuota, "%s", detail)
			}
			return nil
		}}
	return d.with(api{key: "X-Subscription-Token", title: "title", link: "url", snippet: "description", published: "page_age,age",
		image: "properties.url,thumbnail.src", width: "properties.width", height: "properties.height",
		params: func(a account, t *Terms, page int) params {
			p := params{"q": t.withOperators(), "count": min(t.MaxResults, 20), "country": t.Country, "search_lang": t.Language}
			switch {
			case t.Topic == "images": // takes neither pages nor dates
				return p
			case t.wantsPassages():
				p["maximum_number_of_urls"], p["context_threshold_mode"] = p["count"], "lenient"
			case t.Topic == "":
				p["result_filter"], p["text_decorations"] = "web", "false"
				fallthrough
			default:
				p["offset"] = page
			}
			if t.TimeRange != "" {
				p["freshness"] = "p" + t.TimeRange[:1]
			} else if t.dated() {
				from, to := t.span(a.now)
				p["freshness"] = from.Format(time.DateOnly) + "to" + to.Format(time.DateOnly)
			}
			return p
		},
		form: func(t *Terms, x *api) {
			topic := t.Topic
			if t.wantsPassages() {
				x.url, x.list, x.has = "https://api.search.brave.com/res/v1/llm/context", "grounding.generic", "grounding"
				x.snippet, x.content = "snippets", "snippets"
				x.result = func(_ *Terms, e any, r *Result) { r.Content = strings.Join(textsAt(e, "snippets"), "\n\n") }
				return
			}
			x.url, x.list, x.has = "https://api.search.brave.com/res/v1/"+cmp.Or(topic, "web")+"/search", "results", "type"
			if topic == "" {
				x.list = "web.results"
			}
			x.check = func(v any) error {
				if textAt(v, "type") != cmp.Or(topic, "search") {
					return errShape
				}
				return nil
			}
		}})
}

// tavily is Tavily's search API. Its statuses 432 and 433 mean that the quota is
// used up.
func tavily() definition {
	return definition{topics: []string{"news"}, perPage: 20, maxText: 400, takes: sites | ranges | dates,
		refuse: func(r *response) *Error {
			if r.status == 432 || r.status == 433 {
				return problem(codeQuota, "%s", quoted(says(r.body)))
			}
			return nil
		}}.with(api{url: "https://api.tavily.com/search", key: "Authorization: Bearer", post: true,
		params: func(_ account, t *Terms, _ int) params {
			p := params{"query": t.Text, "search_depth": "basic", "max_results": min(t.MaxResults, 20), "topic": t.Topic, "time_range": t.TimeRange,
				"include_domains": t.within(), "exclude_domains": hosts(t.blocked)}
			if t.TimeRange == "" {
				p["start_date"], p["end_date"] = day(t.start, time.DateOnly), day(t.end, time.DateOnly)
			}
			if t.IncludeContent {
				p["include_raw_content"] = "markdown"
			}
			return p
		},
		list: "results", title: "title", link: "url", snippet: "content", published: "published_date", score: "score", content: "raw_content"})
}

// exa is Exa's search API. Its snippets are passages of the pages.
func exa() definition {
	return definition{perPage: 100, takes: sites | ranges | dates | country}.with(api{url: "https://api.exa.ai/search", key: "x-api-key", post: true,
		params: func(_ account, t *Terms, _ int) params {
			const layout = "2006-01-02T15:04:05.000Z"
			most := maxSnippet
			if t.IncludeContent {
				most = maxProvided
			}
			return params{"query": t.Text, "type": "auto", "numResults": t.MaxResults, "contents": params{"text": params{"maxCharacters": most}},
				"includeDomains": t.within(), "excludeDomains": hosts(t.blocked), "userLocation": t.Country,
				"startPublishedDate": day(t.start, layout), "endPublishedDate": day(endOf(t.end), layout)}
		},
		list: "results", title: "title", link: "url", snippet: "highlights,text", published: "publishedDate", content: "text"})
}

// serper returns Google's results. A wrong key gives status 403, a used-up quota
// 400.
func serper() definition {
	return definition{topics: []string{"news", "images", "videos"}, perPage: 10, pages: 5, takes: sites | ranges | dates | country | language,
		refuse: refusedAs(codeQuota, 400, "credit")}.with(api{key: "X-API-KEY", post: true, has: "searchParameters",
		title: "title", link: "link", snippet: "snippet", published: "date", image: "imageUrl", width: "imageWidth", height: "imageHeight",
		params: func(_ account, t *Terms, page int) params {
			return params{"q": t.withOperators(), "gl": strings.ToLower(t.Country), "hl": t.Language, "num": 10, "tbs": googleTime(t), "page": beyond(page)}
		},
		form: func(t *Terms, x *api) {
			x.url, x.list = "https://google.serper.dev/"+cmp.Or(t.Topic, "search"), cmp.Or(t.Topic, "organic")
		}})
}

// refusedAs is the code of a status with a word in the message of the service.
func refusedAs(code Code, status int, word string) func(*response) *Error {
	return func(r *response) *Error {
		text := says(r.body)
		if r.status != status || !strings.Contains(strings.ToLower(text), word) {
			return nil
		}
		return problem(code, "%s", quoted(text))
	}
}

// serpAPI returns Google's results. Without results it reports success together
// with an error text. Status 429 means either the rate limit or the quota. The
// service accepts the key only in the query.
func serpAPI() definition {
	return definition{perPage: 10, pages: 5, takes: sites | ranges | dates | country | language,
		refuse: refusedAs(codeQuota, 429, "run out")}.with(api{url: "https://serpapi.com/search.json", key: "?api_key",
		params: func(_ account, t *Terms, page int) params {
			return params{"engine": "google", "q": t.withOperators(), "num": 10, "start": page * 10,
				"gl": strings.ToLower(t.Country), "hl": t.Language, "tbs": googleTime(t)}
		},
		check: func(v any) error {
			if e := textAt(v, "error"); e != "" && textAt(v, "search_metadata.status") != "Success" {
				return problem(Garbage, "%s", quoted(e))
			}
			return nil
		},
		list: "organic_results", has: "search_metadata.status", title: "title", link: "link", snippet: "snippet", published: "date"})
}

// kagi is version 1 of Kagi's search API.
func kagi() definition {
	return definition{perPage: 10, pages: 5, takes: sites | ranges | country, markup: true}.with(api{url: "https://kagi.com/api/v1/search", key: "Authorization: Bearer", post: true,
		params: func(_ account, t *Terms, page int) params {
			return params{"query": t.withOperators(), "workflow": "search", "page": beyond(page),
				"filters": params{"after": day(t.start, time.DateOnly), "region": t.Country}}
		},
		list: "data.search", has: "data", title: "title", link: "url", snippet: "snippet", published: "time"})
}

// mojeek is Mojeek's search API. The body has its own status. The service
// accepts the key only in the query.
func mojeek() definition {
	return definition{perPage: 10, pages: 5, takes: sites | ranges, markup: true,
		refuse: func(r *response) *Error {
			v, _ := decode[any](r)
			if status := textAt(v, "response.status"); status != "" && r.status != 429 {
				return mojeekError(status)
			}
			return nil
		}}.with(api{url: "https://api.mojeek.com/search", key: "?api_key",
		params: func(_ account, t *Terms, page int) params {
			p := params{"q": t.withOperators(), "fmt": "json", "t": 10, "since": day(t.start, "20060102")}
			if page > 0 {
				p["s"] = page*10 + 1
			}
			return p
		},
		check: func(v any) error {
			if status := textAt(v, "response.status"); status != "" && status != "OK" {
				return mojeekError(status)
			}
			return nil
		},
		list: "response.results", has: "response.status", title: "title", link: "url", snippet: "desc"})
}

func mojeekError(status string) *Error {
	text, code := strings.ToLower(status), codeUnsupported
	switch {
	case strings.Contains(text, "key"), strings.Contains(text, "auth"), strings.Contains(text, "denied"):
		code = codeBadKey
	case strings.Contains(text, "limit"), strings.Contains(text, "quota"):
		code = codeQuota
	}
	return problem(code, "%s", quoted(status))
}

// marginalia is the search engine for small websites. Status 503 means that the
// rate limit is reached.
func marginalia() definition {
	return definition{perPage: 50,
		refuse: func(r *response) *Error {
			if r.status == 503 {
				return problem(RateLimited, "%s", quoted(says(r.body)))
			}
			return nil
		}}.with(api{url: "https://api2.marginalia-search.com/search", key: "API-Key",
		params: func(_ account, t *Terms, _ int) params {
			count := t.MaxResults
			if t.filtered() {
				count = 50
			}
			return params{"query": t.Text, "count": count}
		},
		list: "results", title: "title", link: "url", snippet: "description"})
}

// jina is Jina's search API. It answers with status 422 when there are no
// results.
func jina() definition {
	return definition{perPage: 10, takes: sites, refuse: refusedAs(nothing, 422, "no search results")}.with(api{
		url: "https://s.jina.ai/", key: "Authorization: Bearer", header: []string{"X-Respond-With", "no-content"}, post: true,
		params: func(_ account, t *Terms, _ int) params {
			return params{"q": t.withOperators(), "count": min(t.MaxResults, 10)}
		},
		list: "data", title: "title", link: "url", snippet: "description,content", published: "date"})
}

// you is the search API of You.com.
func you() definition {
	return definition{perPage: 50, takes: sites | ranges | language}.with(api{url: "https://ydc-index.io/v1/search", key: "X-API-KEY",
		params: func(_ account, t *Terms, _ int) params {
			return params{"query": t.withOperators(), "count": t.MaxResults, "freshness": t.TimeRange, "language": strings.ToUpper(t.Language)}
		},
		list: "results.web", has: "results", title: "title", link: "url", snippet: "snippets,description", published: "page_age"})
}

// linkup is Linkup's search API. Its snippets are passages of the pages.
func linkup() definition {
	return definition{takes: sites | ranges | dates}.with(api{url: "https://api.linkup.so/v1/search", key: "Authorization: Bearer", post: true,
		params: func(_ account, t *Terms, _ int) params {
			return params{"q": t.Text, "depth": "standard", "outputType": "searchResults", "includeDomains": t.within(), "excludeDomains": hosts(t.blocked),
				"fromDate": day(t.start, time.DateOnly), "toDate": day(t.end, time.DateOnly)}
		},
		list: "results", kind: "text", title: "name", link: "url", snippet: "content"})
}

// firecrawl is version 2 of Firecrawl's search.
func firecrawl() definition {
	return definition{perPage: 100, maxText: 500, takes: sites | ranges | dates | country}.with(api{
		url: "https://api.firecrawl.dev/v2/search", key: "Authorization: Bearer", post: true,
		params: func(_ account, t *Terms, _ int) params {
			return params{"query": t.withOperators(), "limit": t.MaxResults, "sources": []string{"web"}, "tbs": googleTime(t), "country": strings.ToUpper(t.Country)}
		},
		check: func(v any) error {
			e := textAt(v, "error")
			switch ok, _ := at(v, "success").(bool); {
			case ok:
				return nil
			case e != "":
				return problem(Garbage, "%s", quoted(e))
			}
			return errShape
		},
		list: "data.web", has: "success", title: "title", link: "url", snippet: "description"})
}

// searxng is the operator's SearXNG instance. Its JSON format is off by default,
// and it reports success even when none of its engines answered.
func searxng() definition {
	return definition{topics: []string{"news", "images", "videos"}, pages: 3, takes: sites | ranges | language,
		refuse: func(r *response) *Error {
			if r.status == 403 {
				return &Error{Code: codeUnsupported, Cause: "the instance does not allow the JSON format",
					Hint: "add json to search.formats in the settings.yml of the instance"}
			}
			return nil
		}}.with(api{url: "BASE/search",
		params: func(_ account, t *Terms, page int) params {
			return params{"q": t.withOperators(), "format": "json", "pageno": beyond(page), "categories": t.Topic, "time_range": t.TimeRange, "language": t.Language}
		},
		check: func(v any) error {
			results, _ := at(v, "results").([]any)
			silent, _ := at(v, "unresponsive_engines").([]any)
			if results == nil || len(results) > 0 || len(silent) == 0 {
				return nil
			}
			var engines []string
			for _, e := range silent {
				var words []string
				parts, _ := e.([]any)
				for _, w := range parts {
					if s, ok := w.(string); ok {
						words = append(words, s)
					}
				}
				engines = append(engines, strings.Join(words, ": "))
			}
			return problem(Network, "its engines do not answer: %s", quoted(strings.Join(engines, "; ")))
		},
		list: "results", title: "title", link: "url", snippet: "content", published: "publishedDate", score: "score", image: "img_src,thumbnail"})
}
