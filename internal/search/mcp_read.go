package search

import (
	"encoding/json"
	"maps"
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
	if r == nil {
		return nil, problem(Garbage, "the server's answer is empty")
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

// fromBlocks parses texts. ok reports whether they have the format of results;
// the list of results can still be empty.
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

// fromJSON finds the results in a JSON value: an object that is a result, or the
// first list of such objects. It searches level by level, and within a level by
// the names that are common for lists of results.
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
				ok = ok || len(v) == 0 // an empty list means no results, unless another list has some
				below = append(below, v...)
			}
		}
		level = below[:min(len(below), maxMCPHits)]
	}
	return nil, ok
}

// listRank orders the members of an object by how likely they hold the results.
func listRank(key string) int {
	names := []string{"results", "web", "organic", "organic_results", "web_results", "webpages", "data", "items", "hits", "documents", "content"}
	if i := slices.Index(names, strings.ToLower(key)); i >= 0 {
		return i
	}
	return len(names)
}

// fromObject converts an object to a result. ok is false unless the object has an
// address, and a title or a snippet.
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

// fromLines parses prose in formats such as these:
//
//	Title: The Go Programming Language      1. [Title](https://go.dev/)     ### Title
//	URL: https://go.dev/                       What it says.                https://go.dev/
//	Content: What it says.
//
// A line with a title or an address begins the next result when the current
// result already has one.
func fromLines(text string) []Result {
	var p lineParser
	p.into = &p.r.Snippet
	for raw := range strings.Lines(text) {
		if len(p.out) == maxMCPHits {
			return p.out
		}
		p.line(raw)
	}
	p.flush()
	return p.out
}

// lineParser is the state of fromLines.
type lineParser struct {
	out     []Result
	r       Result  // the current result
	pending string  // a line that can be the title of the next address
	into    *string // receives further lines
}

// flush ends the current result.
func (p *lineParser) flush() {
	if p.r.URL != "" {
		p.out = append(p.out, p.r)
	}
	p.r, p.into = Result{}, &p.r.Snippet
}

func (p *lineParser) line(raw string) {
	l := unmarked(raw)
	label, value := labelled(l)
	if label == "" {
		if title, address, after := markdownLink(l); address != "" {
			p.flush()
			p.r.Title, p.r.URL, p.r.Snippet, p.pending = title, address, after, ""
			return
		}
		if isAddress(l) && !strings.ContainsAny(l, " \t") {
			label, value = "url", l
		}
	}
	switch label {
	case "title":
		p.flush()
		p.r.Title, p.pending = value, ""
	case "url":
		if !isAddress(value) {
			return
		}
		if p.r.URL != "" {
			p.flush()
		}
		p.r.URL = value
		p.r.Title, p.pending = first(p.r.Title, p.pending), ""
	case "snippet":
		p.r.Snippet, p.into, p.pending = value, &p.r.Snippet, ""
	case "published":
		p.r.Published = value
	case "other":
		p.into = new(string)
	default:
		p.prose(l, raw)
	}
}

// prose handles a line without a label: a possible title, or more text of the
// current result.
func (p *lineParser) prose(l, raw string) {
	if l == "" {
		return
	}
	if p.r.URL != "" && headed(raw) { // the title of the next result
		p.flush()
	}
	if p.r.URL == "" {
		p.pending = l
	} else if len(*p.into) < maxSnippet*4 {
		*p.into = strings.TrimSpace(*p.into + " " + l)
	}
}

// unmarked returns a line without the Markdown of lists, headings and emphasis.
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

// labelled splits a line such as "Title: x". label is "title", "url", "snippet",
// "published", "other" for labels that do not matter, or "".
func labelled(l string) (label, value string) {
	name, value, ok := strings.Cut(l, ":")
	if !ok || len(name) > 20 {
		return "", ""
	}
	switch normalName(strings.TrimSpace(name)) {
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

// markdownLink parses a line that begins with "[title](address)".
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

// toolFailure converts the text of a tool that failed to an error; nil when the
// text says that there are no results.
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
	return problem(code, "%s", quoted(cause))
}

// classify derives the code of a failure from its text; "" when the text does not
// say.
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

// mentions reports whether a text contains one of the words. A word of digits
// must not be part of a longer number.
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
