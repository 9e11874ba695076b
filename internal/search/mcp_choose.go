package search

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// mcpTool is a search tool with the names of its arguments. A name is "" when the
// tool has no such argument.
type mcpTool struct {
	name string
	// query is the argument for the text; with queryList, it takes a list of
	// texts.
	query     string
	queryList bool
	count     string
	maxCount  int // 0: no bound is known
	timeRange mcpProperty
	start     string
	end       string
	country   mcpProperty
	language  mcpProperty
	include   string
	exclude   string
}

// mcpProperty is an argument and the values that it accepts; nil values means
// that the schema does not list them.
type mcpProperty struct {
	name   string
	values []string
}

// mcpSchema is the part of an input schema that matters here.
type mcpSchema struct {
	Type       any                  `json:"type"`
	Enum       []any                `json:"enum"`
	AnyOf      []mcpSchema          `json:"anyOf"`
	Items      *mcpSchema           `json:"items"`
	Maximum    *float64             `json:"maximum"`
	Default    any                  `json:"default"`
	Properties map[string]mcpSchema `json:"properties"`
	Required   []string             `json:"required"`
}

// is reports whether the schema accepts values of a type.
func (s *mcpSchema) is(name string) bool {
	switch t := s.Type.(type) {
	case string:
		if t == name {
			return true
		}
	case []any:
		if slices.Contains(t, any(name)) {
			return true
		}
	}
	return slices.ContainsFunc(s.AnyOf, func(o mcpSchema) bool { return o.is(name) })
}

// values returns the strings that the schema allows; nil means any string.
func (s *mcpSchema) values() []string {
	var out []string
	for _, v := range s.Enum {
		if text, ok := v.(string); ok {
			out = append(out, text)
		}
	}
	for _, o := range s.AnyOf {
		out = append(out, o.values()...)
	}
	return out
}

// chooseTool returns the tool named want or, when want is "", the tool that looks
// most like a web search. The error is an *Error that lists the tools.
func chooseTool(tools []*mcp.Tool, want string) (*mcpTool, error) {
	var names []string
	var best *mcpTool
	bestScore := 0
	for _, t := range tools {
		if t == nil {
			continue
		}
		names = append(names, t.Name)
		if want != "" && t.Name != want {
			continue
		}
		read := readTool(t)
		if read == nil {
			continue
		}
		if want != "" {
			return read, nil
		}
		if score := searchScore(t.Name, t.Description); score > bestScore {
			best, bestScore = read, score
		}
	}
	if best != nil {
		return best, nil
	}
	if len(names) > 20 {
		names = append(names[:20], "…")
	}
	list := strings.Join(names, ", ")
	switch {
	case want == "":
		return nil, &Error{Code: Unsupported, Cause: "no tool of the server looks like a search: " + cmp.Or(quoted(list), "it has none"), Hint: "name the tool with WEB_SEARCH_MCP_TOOL"}
	case slices.Contains(names, want):
		return nil, &Error{Code: Unsupported, Cause: "the tool " + short(want) + " has no argument for a query, or requires an unknown argument", Hint: "name another tool with WEB_SEARCH_MCP_TOOL"}
	}
	e := &Error{Code: Unsupported, Cause: "the server has no tool " + text.Name(want), Hint: "its tools are " + text.Quoted(list)}
	if near := tool.Nearest(want, names); near != "" {
		e.Hint = "did you mean " + text.Quoted(near) + "?"
	}
	return nil, e
}

// searchScore rates how much a tool looks like a web search, by its name and the
// first words of its description; 0 means not at all.
func searchScore(name, description string) int {
	name = words(name)
	about := words(line(description, false, 200))
	has := func(text string, list ...string) bool {
		return slices.ContainsFunc(list, func(w string) bool { return strings.Contains(text, " "+w+" ") })
	}
	score := 0
	if has(name, "search", "websearch", "query") {
		score += 10
	}
	if has(about, "search", "searches", "searching") {
		score += 4
	}
	if score == 0 {
		return 0
	}
	if has(name, "web", "websearch", "internet") {
		score += 6
	}
	if has(about, "web", "internet") {
		score += 3
	}
	// Tools that search something other than the web, and tools that do other
	// work than searching.
	if has(name, "image", "images", "video", "videos", "news", "local", "place", "places", "map", "maps", "company", "companies", "people", "linkedin",
		"code", "docs", "academic", "scholar", "paper", "papers", "shopping", "suggest", "file", "files", "memory", "repositories", "issues") {
		score -= 9
	}
	if has(name, "extract", "fetch", "crawl", "scrape", "context", "summarizer", "summary", "research", "deep", "answer", "map", "status", "agent") {
		score -= 7
	}
	return max(score, 0)
}

// words splits a name into lower-case words, each between spaces: webSearch-exa
// becomes " web search exa ".
func words(s string) string {
	var b strings.Builder
	b.WriteByte(' ')
	lower := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= 'A' && c <= 'Z':
			if lower {
				b.WriteByte(' ')
			}
			b.WriteByte(c + 'a' - 'A')
			lower = false
			continue
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c >= 0x80:
			b.WriteByte(c)
			lower = c >= 'a' && c <= 'z'
			continue
		}
		b.WriteByte(' ')
		lower = false
	}
	b.WriteByte(' ')
	return b.String()
}

// readTool returns a tool with the names of its arguments; nil when it has no
// argument for the query, or requires an argument whose meaning is unknown.
func readTool(t *mcp.Tool) *mcpTool {
	data, err := json.Marshal(t.InputSchema)
	if err != nil {
		return nil
	}
	var in mcpSchema
	if json.Unmarshal(data, &in) != nil {
		return nil
	}
	out := &mcpTool{name: t.Name}
	if out.query, out.queryList = in.query(); out.query == "" {
		return nil
	}
	for _, name := range in.Required {
		if name != out.query && in.Properties[name].Default == nil {
			return nil
		}
	}
	known := in.property
	number := []string{"integer", "number"}
	out.count = known(number, "count", "maxresults", "numresults", "limit", "num", "n", "topk", "k", "resultcount", "numberofresults", "size")
	if m := in.Properties[out.count].Maximum; out.count != "" && m != nil && *m >= 1 {
		out.maxCount = int(min(*m, math.MaxInt32))
	}
	property := func(names ...string) mcpProperty {
		name := known([]string{"string"}, names...)
		p := in.Properties[name]
		return mcpProperty{name, p.values()}
	}
	out.timeRange = property("timerange", "freshness", "recency", "daterange", "timelimit", "searchrecencyfilter")
	out.start = known([]string{"string"}, "startdate", "startpublisheddate")
	out.end = known([]string{"string"}, "enddate", "endpublisheddate")
	out.country = property("country", "countrycode", "gl")
	out.language = property("searchlang", "language", "lang", "hl")
	out.include = known([]string{"array"}, "includedomains", "alloweddomains", "sites")
	out.exclude = known([]string{"array"}, "excludedomains", "blockeddomains")
	return out
}

// property returns the argument with one of these types and the first of these
// normalized names, or "". No types means any type.
func (s *mcpSchema) property(types []string, names ...string) string {
	for _, want := range names {
		for name, p := range s.Properties {
			if normalName(name) == want && (len(types) == 0 || slices.ContainsFunc(types, p.is)) {
				return name
			}
		}
	}
	return ""
}

// query returns the argument for the text of the query, and whether it takes a
// list of texts, or "".
func (s *mcpSchema) query() (name string, list bool) {
	name = s.property([]string{"string"}, "query", "q", "searchquery", "searchterm", "searchterms", "search", "keywords", "keyword", "term", "text", "question", "prompt", "input")
	if name != "" {
		return name, false
	}
	if name = s.property([]string{"array"}, "queries", "query", "searchqueries"); name != "" {
		return name, true
	}
	if len(s.Required) == 1 {
		if p := s.Properties[s.Required[0]]; p.is("string") && p.values() == nil {
			return s.Required[0], false
		}
	}
	return "", false
}

// normalName returns a name in lower case without "_" and "-".
func normalName(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '_' || r == '-' {
			return -1
		}
		return unicode.ToLower(r)
	}, s)
}

// arguments returns the arguments for a query, and the features of the query that
// they express. When the tool has no arguments for domains, the site and the
// lists of domains become operators in the text.
func (m *mcpTool) arguments(t *Terms) (args map[string]any, takes features) {
	args = map[string]any{}
	text := m.domains(t, args)
	args[m.query] = text
	if m.queryList {
		args[m.query] = []string{text}
	}
	if m.count != "" {
		args[m.count] = t.MaxResults
		if m.maxCount > 0 {
			args[m.count] = min(t.MaxResults, m.maxCount)
		}
	}
	takes = sites | m.dates(t, args)
	if v, ok := m.country.value(t.Country, strings.ToLower(t.Country)); ok && t.Country != "" {
		args[m.country.name] = v
		takes |= country
	}
	if v, ok := m.language.value(t.Language, strings.ToUpper(t.Language)); ok && t.Language != "" {
		args[m.language.name] = v
		takes |= language
	}
	return args, takes
}

// domains sets the arguments for domains and returns the text of the query.
func (m *mcpTool) domains(t *Terms, args map[string]any) (text string) {
	if m.include == "" || m.exclude == "" && t.blocked != nil {
		return t.withOperators()
	}
	if include := t.within(); len(include) > 0 {
		args[m.include] = include
	}
	if m.exclude != "" && t.blocked != nil {
		args[m.exclude] = hosts(t.blocked)
	}
	return t.Text
}

// dates sets the arguments for a time range or for dates.
func (m *mcpTool) dates(t *Terms, args map[string]any) (takes features) {
	switch {
	case t.TimeRange != "":
		if v, ok := m.timeRange.value(t.TimeRange, "past_"+t.TimeRange, "p"+t.TimeRange[:1], t.TimeRange[:1]); ok {
			args[m.timeRange.name] = v
			takes = ranges
		}
	case t.dated() && m.start != "" && m.end != "":
		takes = dates
		if !t.start.IsZero() {
			args[m.start] = t.start.Format(time.DateOnly)
		}
		if !t.end.IsZero() {
			args[m.end] = t.end.Format(time.DateOnly)
		}
	}
	return takes
}

// value returns the first of the spellings that the argument accepts. ok is false
// when the schema lists no accepted values: countries, for example, are written
// in three ways, and a wrong guess would fail the call.
func (p *mcpProperty) value(spellings ...string) (string, bool) {
	for _, s := range spellings {
		if slices.Contains(p.values, s) {
			return s, true
		}
	}
	return "", false
}
