package search

import (
	"cmp"
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	maxMCPText  = 1 << 20 // bytes of text that are parsed of one answer
	maxMCPDepth = 6       // levels of JSON in which results are searched for
	maxMCPHits  = 1000
)

// readAnswer parses the results in a tool's answer. Servers answer with structured
// content, with blocks that are each a JSON object, with one block of JSON, with
// lines of "Title:", "URL:" and "Content:", with Markdown, or with links.
func readAnswer(r *mcp.CallToolResult) ([]Result, error) {
	texts, links := blocks(r.Content)
	whole := strings.Join(texts, "\n")
	if r.IsError {
		return nil, toolFailure(whole)
	}
	if results, ok := fromJSON(r.StructuredContent, 0); ok || len(links) > 0 {
		return append(results, links...), nil
	}
	var results []Result
	some := len(texts) == 0
	for _, text := range texts {
		var v any
		var more []Result
		list := false
		if json.Unmarshal([]byte(text), &v) == nil {
			more, list = fromJSON(v, 0)
		}
		if !list {
			more = fromLines(text)
		}
		some = some || list || len(more) > 0
		results = append(results, more[:min(len(more), maxMCPHits-len(results))]...)
	}
	if !some && !noResults().MatchString(whole) {
		return nil, problem(Garbage, "%d bytes of text without results", len(whole))
	}
	return results, nil
}

// noResults matches what tools write that found nothing.
var noResults = pattern(`(?i)no (web )?results|\b0 results|nothing found|did not match|not found any|results:$`)

// blocks returns the texts and the links of a tool's content.
func blocks(content []mcp.Content) (texts []string, links []Result) {
	room := maxMCPText
	for _, c := range content {
		text := ""
		switch c := c.(type) {
		case *mcp.TextContent:
			text = c.Text
		case *mcp.EmbeddedResource:
			if c.Resource != nil {
				text = c.Resource.Text
			}
		case *mcp.ResourceLink:
			if len(links) < maxMCPHits {
				links = append(links, Result{Title: cmp.Or(c.Title, c.Name), URL: c.URI, Snippet: c.Description})
			}
		}
		if text = strings.TrimSpace(text[:min(len(text), room)]); text != "" {
			texts = append(texts, text)
			room -= len(text)
		}
	}
	return texts, links
}

// fromJSON returns the results in a JSON value: an object that is a result, or
// the first list of such objects, whose usual names are tried first. list reports
// whether there is such a list, even an empty one.
func fromJSON(v any, depth int) (results []Result, list bool) {
	if depth > maxMCPDepth {
		return nil, false
	}
	var below []any
	switch v := v.(type) {
	case map[string]any:
		if r, ok := fromObject(v); ok {
			return []Result{r}, true
		}
		names := []string{"content", "documents", "hits", "items", "data", "webpages", "web_results", "organic_results", "organic", "web", "results"} // best last
		keys := slices.Sorted(maps.Keys(v))
		slices.SortStableFunc(keys, func(a, b string) int {
			return slices.Index(names, strings.ToLower(b)) - slices.Index(names, strings.ToLower(a))
		})
		for _, k := range keys {
			below = append(below, v[k])
		}
	case []any:
		for _, e := range v[:min(len(v), maxMCPHits)] {
			o, _ := e.(map[string]any)
			if r, ok := fromObject(o); ok {
				results = append(results, r)
			}
		}
		if len(results) > 0 || len(v) == 0 {
			return results, true
		}
		below = v
	}
	for _, v := range below {
		more, found := fromJSON(v, depth+1)
		if list = list || found; len(more) > 0 {
			return more, true
		}
	}
	return nil, list
}

// fromObject converts an object to a result. ok is false unless the object has a
// URL, and a title or a snippet.
func fromObject(o map[string]any) (r Result, ok bool) {
	text := func(names ...string) string {
		for _, name := range names {
			parts, isList := o[name].([]any)
			if !isList {
				parts = []any{o[name]}
			}
			var texts []string
			for _, p := range parts {
				if s, _ := p.(string); strings.TrimSpace(s) != "" {
					texts = append(texts, strings.TrimSpace(s))
				}
			}
			if len(texts) > 0 {
				return strings.Join(texts, " … ")
			}
		}
		return ""
	}
	r = Result{
		URL:       text("url", "link", "href", "uri", "source_url", "sourceUrl"),
		Title:     text("title", "name", "heading"),
		Snippet:   text("snippet", "description", "content", "summary", "highlights", "snippets", "text", "abstract", "excerpt", "body", "extra_snippets"),
		Published: text("published", "publishedDate", "published_date", "publishedAt", "page_age", "date", "age"),
	}
	return r, isAddress(r.URL) && r.Title+r.Snippet != ""
}

func isAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

var (
	lineMark  = pattern(`^[\s#>*•-]*(\d{1,4}[.)])?\s*`)
	lineLink  = pattern(`^\[(.*?)\]\((https?://[^)\s]+)\)[\s:–—-]*(.*)`)
	lineLabel = pattern(`^([A-Za-z _-]{1,20}):\s*(.*)`)
)

// fieldOf is what a line with a label begins: "" for an unknown label.
func fieldOf(label string) string {
	switch strings.ReplaceAll(normalName(label), " ", "") {
	case "title", "name":
		return "title"
	case "url", "link", "href", "source", "address":
		return "url"
	case "content", "snippet", "description", "summary", "text", "abstract", "excerpt", "highlights":
		return "snippet"
	case "published", "publisheddate", "publishedat", "date", "age":
		return "published"
	case "rawcontent", "author", "score", "id", "image", "favicon":
		return "other"
	}
	return ""
}

// fromLines parses prose in formats such as these:
//
//	Title: The Go Programming Language      1. [Title](https://go.dev/)     ### Title
//	URL: https://go.dev/                       What it says.                https://go.dev/
//	Content: What it says.
//
// A line with a title or a URL begins the next result when the current one
// already has one.
func fromLines(text string) (out []Result) {
	var r Result
	title := ""   // a line that can be the title of the next URL
	skip := false // further lines belong to a field that does not matter
	next := func() {
		if r.URL != "" {
			out = append(out, r)
		}
		r, skip = Result{}, false
	}
	for raw := range strings.Lines(text) {
		if len(out) >= maxMCPHits {
			return out
		}
		mark := lineMark().FindString(raw)
		line := strings.TrimSpace(strings.ReplaceAll(raw[len(mark):], "**", ""))
		if link := lineLink().FindStringSubmatch(line); link != nil {
			next()
			r, title = Result{Title: link[1], URL: link[2], Snippet: link[3]}, ""
			continue
		}
		switch label, value := labelled(line); label {
		case "title":
			next()
			r.Title, title = value, ""
		case "url":
			if r.URL != "" {
				next()
			}
			r.URL, r.Title, title = value, cmp.Or(r.Title, title), ""
		case "snippet":
			r.Snippet, title, skip = value, "", false
		case "published":
			r.Published = value
		case "other":
			skip = true
		default:
			if r.URL != "" && strings.ContainsAny(mark, "#.)") { // the title of the next result
				next()
			}
			if r.URL == "" {
				title = cmp.Or(line, title)
			} else if !skip && len(r.Snippet) < maxSnippet*4 {
				r.Snippet = strings.TrimSpace(r.Snippet + " " + line)
			}
		}
	}
	next()
	return out
}

// labelled splits a line such as "Title: x". label is as fieldOf has it.
func labelled(line string) (label, value string) {
	if isAddress(line) && !strings.ContainsAny(line, " \t") {
		return "url", line
	}
	m := lineLabel().FindStringSubmatch(line)
	if m == nil {
		return "", ""
	}
	if label = fieldOf(m[1]); label == "url" && !isAddress(m[2]) {
		label = ""
	}
	return label, m[2]
}

// toolFailure converts the text of a tool that failed to an error; nil when the
// text says that there are no results.
func toolFailure(text string) error {
	code := cmp.Or(classify(text), codeUnsupported)
	if code == nothing {
		return nil
	}
	text, _, _ = strings.Cut(text, "\n")
	return problem(code, "%s", quoted(text))
}

// failures are the words by which the reason of a failure is known.
var failures = []struct {
	code  Code
	words func() *regexp.Regexp
}{
	{nothing, pattern(`(?i)no (web )?results`)},
	{RateLimited, pattern(`(?i)\b429\b|rate[ _]?limit|too many requests|excessive requests`)},
	{codeQuota, pattern(`(?i)\b(402|432|433)\b|quota|credits|usage limit|payment required`)},
	{codeBadKey, pattern(`(?i)\b40[13]\b|unauthorized|forbidden|api[ _]?key|authentication|subscription_token_invalid|invalid token`)},
	{codeChallenge, pattern(`(?i)captcha|challenge|anomaly|bot detection`)},
	{Network, pattern(`(?i)fetch failed|enotfound|econnrefused|econnreset|etimedout|timed out|timeout|network|socket|connection|\b50[0234]\b`)},
}

// classify derives the code of a failure from its text; "" when the text does not
// say.
func classify(text string) Code {
	for _, f := range failures {
		if f.words().MatchString(text[:min(len(text), 4<<10)]) {
			return f.code
		}
	}
	return ""
}
