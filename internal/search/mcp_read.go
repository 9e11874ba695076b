package search

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// maxMCPText bounds what is read of one answer, maxMCPDepth how deep lists
	// of results are looked for.
	maxMCPText  = 1 << 20
	maxMCPDepth = 6
	maxMCPHits  = 1000
)

// readAnswer takes the results out of what a tool gave. Servers answer in
// structured content, in blocks that are each a JSON object, in one block of
// JSON, in lines of "Title:", "URL:" and "Content:", in Markdown, or in links.
func readAnswer(r *mcp.CallToolResult) ([]Result, error) {
	if r == nil {
		return nil, problem(Garbage, "the server gave nothing")
	}
	texts, links := blocks(r.Content)
	whole := strings.Join(texts, "\n")
	if r.IsError {
		return nil, toolFailure(whole)
	}
	if results, ok := fromJSON(r.StructuredContent); ok {
		return results, nil
	}
	if len(links) > 0 {
		return links, nil
	}
	results, some := fromBlocks(texts)
	switch {
	case some:
		return results, nil
	case len(texts) == 0 || strings.HasSuffix(strings.ToLower(whole), "results:") || mentions(whole, "no results", "no web results", "0 results", "nothing found", "did not match", "not found any"):
		return nil, nil
	}
	return nil, problem(Garbage, "%d bytes of text without results", len(whole))
}

// blocks are the texts and the links of a content.
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
				links = append(links, Result{Title: first(c.Title, c.Name), URL: c.URI, Snippet: c.Description})
			}
		}
		if text = strings.TrimSpace(text[:min(len(text), room)]); text != "" {
			texts = append(texts, text)
			room -= len(text)
		}
	}
	return texts, links
}

// fromBlocks reads texts; ok tells whether they are results, even none.
func fromBlocks(texts []string) (results []Result, ok bool) {
	for _, text := range texts {
		var v any
		if (text[0] == '{' || text[0] == '[') && json.Unmarshal([]byte(text), &v) == nil {
			if more, isList := fromJSON(v); isList {
				results, ok = append(results, more...), true
				continue
			}
		}
		if more := fromLines(text); len(more) > 0 {
			results, ok = append(results, more...), true
		}
		if len(results) > maxMCPHits {
			break
		}
	}
	return results, ok
}

// fromJSON finds the results in a value: an object that is one, or the first
// list of such, nearest to the top and under the names that are used for them.
func fromJSON(v any) (results []Result, ok bool) {
	level := []any{v}
	for range maxMCPDepth {
		var below []any
		for _, v := range level {
			switch v := v.(type) {
			case map[string]any:
				if r, isResult := fromObject(v); isResult {
					return []Result{r}, true
				}
				keys := slices.Sorted(maps.Keys(v))
				slices.SortStableFunc(keys, func(a, b string) int { return listRank(a) - listRank(b) })
				for _, k := range keys {
					below = append(below, v[k])
				}
			case []any:
				for _, e := range v[:min(len(v), maxMCPHits)] {
					if object, isObject := e.(map[string]any); isObject {
						if r, isResult := fromObject(object); isResult {
							results = append(results, r)
						}
					}
				}
				if len(results) > 0 {
					return results, true
				}
				ok = ok || len(v) == 0 // an empty list is an answer, unless another has more
				below = append(below, v...)
			}
		}
		level = below[:min(len(below), maxMCPHits)]
	}
	return nil, ok
}

// listRank orders members by how likely the results stand there.
func listRank(key string) int {
	names := []string{"results", "web", "organic", "organic_results", "web_results", "webpages", "data", "items", "hits", "documents", "content"}
	if i := slices.Index(names, strings.ToLower(key)); i >= 0 {
		return i
	}
	return len(names)
}

// fromObject reads an object with an address and something about it.
func fromObject(o map[string]any) (r Result, ok bool) {
	text := func(names ...string) string {
		for _, name := range names {
			switch v := o[name].(type) {
			case string:
				if v = strings.TrimSpace(v); v != "" {
					return v
				}
			case []any:
				var parts []string
				for _, e := range v {
					if s, isText := e.(string); isText {
						parts = append(parts, s)
					}
				}
				if len(parts) > 0 {
					return strings.Join(parts, " … ")
				}
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
	return r, isAddress(r.URL) && (r.Title != "" || r.Snippet != "")
}

func isAddress(s string) bool {
	return strings.HasPrefix(s, "https://") || strings.HasPrefix(s, "http://")
}

// fromLines reads prose:
//
//	Title: The Go Programming Language      1. [Title](https://go.dev/)     ### Title
//	URL: https://go.dev/                       What it says.                https://go.dev/
//	Content: What it says.
//
// A line that names a title or an address that is already there begins the
// next result.
func fromLines(text string) []Result {
	var out []Result
	var r Result
	var pending string // a line that may turn out to be a title
	into := &r.Snippet // where further lines go
	flush := func() {
		if r.URL != "" {
			out = append(out, r)
		}
		r, into = Result{}, &r.Snippet
	}
	for raw := range strings.Lines(text) {
		if len(out) == maxMCPHits {
			return out
		}
		l := unmarked(raw)
		label, value := labelled(l)
		if label == "" {
			if title, address, after := markdownLink(l); address != "" {
				flush()
				r.Title, r.URL, r.Snippet, pending = title, address, after, ""
				continue
			}
			if isAddress(l) && !strings.ContainsAny(l, " \t") {
				label, value = "url", l
			}
		}
		switch label {
		case "title":
			flush()
			r.Title, pending = value, ""
		case "url":
			if !isAddress(value) {
				continue
			}
			if r.URL != "" {
				flush()
			}
			r.URL = value
			r.Title, pending = first(r.Title, pending), ""
		case "snippet":
			r.Snippet, into, pending = value, &r.Snippet, ""
		case "published":
			r.Published = value
		case "other":
			into = new(string)
		default:
			if l == "" {
				continue
			}
			if r.URL != "" && headed(raw) { // the title of the next one
				flush()
			}
			if r.URL == "" {
				pending = l
			} else if len(*into) < maxSnippet*4 {
				*into = strings.TrimSpace(*into + " " + l)
			}
		}
	}
	flush()
	return out
}

// unmarked is a line without marks of lists, headings and emphasis.
func unmarked(l string) string {
	l = strings.TrimSpace(l)
	l = strings.TrimLeft(l, "#>-*• \t")
	if i := strings.IndexAny(l, ".)"); i > 0 && i <= 4 && strings.Trim(l[:i], "0123456789") == "" {
		l = l[i+1:]
	}
	return strings.TrimSpace(strings.ReplaceAll(l, "**", ""))
}

// headed reports whether a line is marked as a heading or numbered.
func headed(l string) bool {
	l = strings.TrimSpace(l)
	if strings.HasPrefix(l, "#") {
		return true
	}
	i := strings.IndexAny(l, ".)")
	return i > 0 && i <= 4 && strings.Trim(l[:i], "0123456789") == ""
}

// labelled splits "Title: x". The label is in our words, "other" for what is
// not wanted, "" where there is none.
func labelled(l string) (label, value string) {
	name, value, ok := strings.Cut(l, ":")
	if !ok || len(name) > 20 {
		return "", ""
	}
	switch folded(strings.TrimSpace(name)) {
	case "title", "name":
		label = "title"
	case "url", "link", "href", "source", "address":
		label = "url"
	case "content", "snippet", "description", "summary", "text", "abstract", "excerpt", "highlights":
		label = "snippet"
	case "published", "publisheddate", "published date", "date", "age", "publishedat":
		label = "published"
	case "raw content", "rawcontent", "author", "score", "id", "image", "favicon":
		label = "other"
	}
	return label, strings.TrimSpace(value)
}

// markdownLink reads a line that begins with "[title](address)".
func markdownLink(l string) (title, address, after string) {
	if !strings.HasPrefix(l, "[") {
		return "", "", ""
	}
	title, rest, ok := strings.Cut(l[1:], "](")
	address, after, closed := strings.Cut(rest, ")")
	if !ok || !closed || !isAddress(address) {
		return "", "", ""
	}
	return title, address, strings.TrimLeft(after, " :-–—")
}

// toolFailure makes an error of the text of a tool that failed.
func toolFailure(text string) error {
	code := classify(text)
	switch code {
	case nothing:
		return nil
	case "":
		code = Unsupported
	}
	cause := text
	if i := strings.IndexByte(cause, '\n'); i > 0 {
		cause = cause[:i]
	}
	return problem(code, "%s", line(cause, false, maxCause))
}

// classify finds out from words why a search failed; "" where they do not say.
func classify(text string) Code {
	text = text[:min(len(text), 4<<10)]
	switch {
	case mentions(text, "no web results", "no results"):
		return nothing
	case mentions(text, "429", "rate limit", "rate_limited", "ratelimit", "too many requests", "excessive requests"):
		return RateLimited
	case mentions(text, "402", "432", "433", "quota", "credits", "usage limit", "payment required"):
		return Quota
	case mentions(text, "401", "403", "unauthorized", "forbidden", "api key", "apikey", "api_key", "authentication", "subscription_token_invalid", "invalid token"):
		return BadKey
	case mentions(text, "captcha", "challenge", "anomaly", "bot detection"):
		return Challenge
	case mentions(text, "fetch failed", "enotfound", "econnrefused", "econnreset", "etimedout", "timed out", "timeout", "network", "socket", "connection", "500", "502", "503", "504"):
		return Network
	}
	return ""
}

// mentions reports whether a text has one of the words; numbers stand alone.
func mentions(text string, words ...string) bool {
	text = strings.ToLower(text)
	digit := func(i int) bool { return i >= 0 && i < len(text) && text[i] >= '0' && text[i] <= '9' }
	for _, w := range words {
		for at := 0; ; {
			i := strings.Index(text[at:], w)
			if i < 0 {
				break
			}
			i += at
			number := strings.Trim(w, "0123456789") == ""
			if !number || !digit(i-1) && !digit(i+len(w)) {
				return true
			}
			at = i + len(w)
		}
	}
	return false
}
