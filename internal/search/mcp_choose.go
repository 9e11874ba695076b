package search

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// mcpTool is a search tool: its name, and its arguments by their role in
// mcpRoles.
type mcpTool struct {
	name   string
	schema *mcpSchema
	args   map[string]string
}

// mcpSchema is the part of an input schema that matters here. Type is a name or a
// list of names.
type mcpSchema struct {
	Type       any
	AnyOf      []*mcpSchema
	Maximum    *float64
	Default    any
	Properties map[string]*mcpSchema
	Required   []string
}

// mcpRoles are the arguments that a search tool may have: the JSON types that an
// argument of this role accepts, and its usual names, best first, in lower case
// without "_" and "-".
var mcpRoles = []struct{ role, types, names string }{
	{"query", "string", "query q searchquery searchterm searchterms search keywords keyword term text question prompt input"},
	{"queries", "array", "queries query searchqueries"},
	{"count", "integer number", "count maxresults numresults limit num n topk k resultcount numberofresults size"},
	{"include", "array", "includedomains alloweddomains sites"},
	{"exclude", "array", "excludedomains blockeddomains"},
}

// readTool returns a tool with its arguments; nil when it has none for the query,
// or requires an argument whose meaning is unknown.
func readTool(t *mcp.Tool) *mcpTool {
	m := &mcpTool{name: t.Name, schema: &mcpSchema{}, args: map[string]string{}}
	data, err := json.Marshal(t.InputSchema)
	if err != nil || json.Unmarshal(data, m.schema) != nil {
		return nil
	}
	for _, r := range mcpRoles {
		for want := range strings.FieldsSeq(r.names) {
			for name, p := range m.schema.Properties {
				if m.args[r.role] == "" && normalName(name) == want && accepts(p, strings.Fields(r.types)) {
					m.args[r.role] = name
				}
			}
		}
	}
	required := m.schema.Required
	query := cmp.Or(m.args["query"], m.args["queries"])
	if query == "" && len(required) == 1 { // the only argument is the query, whatever its name
		if p := m.schema.Properties[required[0]]; p != nil && accepts(p, []string{"string"}) {
			query, m.args["query"] = required[0], required[0]
		}
	}
	for _, name := range required {
		if p := m.schema.Properties[name]; name != query && (p == nil || p.Default == nil) {
			return nil
		}
	}
	if query == "" {
		return nil
	}
	return m
}

// accepts reports whether a schema accepts values of one of these types.
func accepts(s *mcpSchema, types []string) bool {
	names, _ := s.Type.([]any)
	return slices.ContainsFunc(append(names, s.Type), func(t any) bool { name, _ := t.(string); return slices.Contains(types, name) }) ||
		slices.ContainsFunc(s.AnyOf, func(o *mcpSchema) bool { return accepts(o, types) })
}

// normalName returns a name in lower case without "_" and "-".
func normalName(s string) string {
	return strings.NewReplacer("_", "", "-", "").Replace(strings.ToLower(s))
}

// chooseTool returns the tool named want or, when want is "", the tool that looks
// most like a web search. The error is an *Error that lists the tools.
func chooseTool(tools []*mcp.Tool, want string) (*mcpTool, error) {
	var names []string
	var best *mcpTool
	bestScore := 0
	for _, t := range tools {
		names = append(names, t.Name)
		score := searchScore(t.Name, t.Description)
		if want != "" {
			score = 0
			if t.Name == want {
				score = 1
			}
		}
		if score > bestScore {
			if m := readTool(t); m != nil {
				best, bestScore = m, score
			}
		}
	}
	if best != nil {
		return best, nil
	}
	list := strings.Join(names[:min(len(names), 20)], ", ")
	e := &Error{Code: codeUnsupported, Cause: "the server has no tool " + text.Name(want), Hint: "its tools are " + text.Quoted(list)}
	near := tool.Nearest(want, names)
	switch {
	case want == "":
		e.Cause, e.Hint = "no tool of the server looks like a search: "+cmp.Or(quoted(list), "it has none"), "name the tool with WEB_SEARCH_MCP_TOOL"
	case slices.Contains(names, want):
		e.Cause, e.Hint = "the tool "+short(want)+" has no argument for a query, or requires an unknown argument", "name another tool with WEB_SEARCH_MCP_TOOL"
	case near != "":
		e.Hint = "did you mean " + text.Quoted(near) + "?"
	}
	return nil, e
}

// mcpMarks rate how much a tool looks like a web search, by words of its name and
// of the beginning of its description.
var mcpMarks = []struct {
	name, about int
	words       func() *regexp.Regexp
}{
	{10, 4, anyWord("search|searches|searching|websearch|query")},
	{6, 3, anyWord("web|websearch|internet")},
	// Tools that search something else than the web, and that do other work.
	{-9, 0, anyWord("images?|videos?|news|local|places?|maps?|company|companies|people|linkedin|code|docs|academic|scholar|papers?|shopping|suggest|files?|memory|repositories|issues")},
	{-7, 0, anyWord("extract|fetch|crawl|scrape|context|summarizer|summary|research|deep|answer|map|status|agent")},
}

func anyWord(words string) func() *regexp.Regexp { return pattern(`(?i)\b(` + words + `)\b`) }

// wordEdge is where a word of a name begins: webSearch_exa is "web Search exa".
var wordEdge = pattern(`([a-z])([A-Z])|[_\W]+`)

// searchScore sums mcpMarks; 0 means that the tool does not search.
func searchScore(name, about string) (score int) {
	name, about = wordEdge().ReplaceAllString(name, "$1 $2"), line(about, false, 200)
	for i, m := range mcpMarks {
		if m.words().MatchString(name) {
			score += m.name
		}
		if m.words().MatchString(about) {
			score += m.about
		}
		if i == 0 && score == 0 {
			return 0
		}
	}
	return score
}

// arguments returns the arguments for a query: its text, the number of results and the
// domains. When the tool has no arguments for domains, the site and the lists of domains
// become operators in the text. Each server has its own form of dates, countries and
// languages: by these, results are filtered afterwards.
func (m *mcpTool) arguments(t *Terms) map[string]any {
	args := map[string]any{}
	set := func(role string, value any) { args[m.args[role]] = value }
	has := func(role string) bool { return m.args[role] != "" }
	query := t.withOperators()
	if has("include") && (has("exclude") || t.blocked == nil) {
		query = t.Text
		if include := t.within(); len(include) > 0 {
			set("include", include)
		}
		if t.blocked != nil {
			set("exclude", hosts(t.blocked))
		}
	}
	if has("query") {
		set("query", query)
	} else {
		set("queries", []string{query})
	}
	if has("count") {
		set("count", t.MaxResults)
		if most := m.schema.Properties[m.args["count"]].Maximum; most != nil && *most >= 1 {
			set("count", min(t.MaxResults, int(min(*most, MaxResults))))
		}
	}
	return args
}
