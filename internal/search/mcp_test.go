package search

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func textResult(s string) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: s}}}
}

func failure(s string) *mcp.CallToolResult {
	r := textResult(s)
	r.IsError = true
	return r
}

func structured(t *testing.T, s string) *mcp.CallToolResult {
	t.Helper()
	r := &mcp.CallToolResult{}
	if err := json.Unmarshal([]byte(s), &r.StructuredContent); err != nil {
		t.Fatal(err)
	}
	return r
}

// TestMCPRecorded: the forms in which real servers answer, as they were
// recorded, and forms that others are known to use.
func TestMCPRecorded(t *testing.T) {
	const both = "One|https://one.example.com/|first\nTwo|https://two.example.com/|second"
	for _, c := range []struct {
		name   string
		answer *mcp.CallToolResult
		want   string // a line for each result, or "error: " and the code and the cause
	}{
		{"Brave's server: a block of JSON for each result", &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.TextContent{Text: `{"url":"https://one.example.com/","title":"One","description":"<strong>first</strong>","extra_snippets":["a"]}`},
			&mcp.TextContent{Text: `{"url":"https://two.example.com/","title":"Two","description":"second &amp; last"}`}}},
			"One|https://one.example.com/|<strong>first</strong>\nTwo|https://two.example.com/|second &amp; last"},
		{"Brave's server: nothing", failure("No web results found"), ""},
		{"Brave's server: too many requests", failure("429 Too Many Requests\n{\n  \"type\": \"ErrorResponse\"}"), `error: rate_limited: "429 Too Many Requests"`},
		{"Brave's server: no network", failure("fetch failed"), `error: network: "fetch failed"`},
		{"Brave's server: a wrong key", failure("422 Unprocessable Entity\n{\"error\":{\"code\":\"SUBSCRIPTION_TOKEN_INVALID\"}}"), `error: bad_key: "422 Unprocessable Entity"`},
		{"Tavily's server: labelled lines", textResult("Detailed Results:\n\nTitle: One\nURL: https://one.example.com/\nContent: first\n\nTitle: Two\nURL: https://two.example.com/\nContent: second\nRaw Content: much\nmore of it"), both},
		{"Tavily's server: nothing", textResult("Detailed Results:"), ""},
		{"Tavily's server: with an answer", textResult("Answer: it is so\n\nDetailed Results:\n\nTitle: One\nURL: https://one.example.com/\nContent: first\nTitle: Two\nURL: https://two.example.com/\nContent: second"), both},
		{"Tavily's server: too many requests", failure(`Tavily API error: {"error":"Your request has been blocked due to excessive requests."}` + "\nDocumentation: https://docs.tavily.com/"),
			`error: rate_limited: "Tavily API error: {\"error\":\"Your request has been blocked due to excessive requests.\"}"`},
		{"Tavily's server: no network", failure("Tavily API error: getaddrinfo ENOTFOUND api.tavily.com"), `error: network: "Tavily API error: getaddrinfo ENOTFOUND api.tavily.com"`},
		{"structured, under results", structured(t, `{"query":"x","results":[{"title":"One","url":"https://one.example.com/","snippet":"first"},{"title":"Two","link":"https://two.example.com/","content":"second"}]}`), both},
		{"structured, below web, beside others", structured(t, `{"videos":{"results":[{"title":"V","url":"https://v.example.com/"}]},"web":{"results":[{"name":"One","href":"https://one.example.com/","text":"first"},{"title":"Two","uri":"https://two.example.com/","highlights":["second"]}]}}`), both},
		{"structured, nothing", structured(t, `{"results":[],"count":0}`), ""},
		{"one block of JSON", textResult(`[{"title":"One","url":"https://one.example.com/","snippet":"first"},{"title":"Two","url":"https://two.example.com/","snippet":"second"}]`), both},
		{"JSON with none", textResult(`{"results":[]}`), ""},
		{"numbered, with labels", textResult("Found 2 search results:\n\n1. One\n   URL: https://one.example.com/\n   Summary: first\n\n2. Two\n   URL: https://two.example.com/\n   Summary: second\n"), both},
		{"headings", textResult("# Search results\n\n## 1. One\n**URL:** https://one.example.com/\nfirst\n\n## 2. Two\n**URL:** https://two.example.com/\nsecond"), both},
		{"Markdown links", textResult("- [One](https://one.example.com/) - first\n- [Two](https://two.example.com/)\n  second\n"), both},
		{"titles above addresses", textResult("One\nhttps://one.example.com/\nfirst\n\nTitle: Two\nhttps://two.example.com/\nsecond"), both},
		{"links of resources", &mcp.CallToolResult{Content: []mcp.Content{
			&mcp.ResourceLink{Name: "one", Title: "One", URI: "https://one.example.com/", Description: "first"}, &mcp.ResourceLink{Name: "Two", URI: "https://two.example.com/", Description: "second"}}}, both},
		{"an embedded resource", &mcp.CallToolResult{Content: []mcp.Content{&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "x:y", Text: "Title: One\nURL: https://one.example.com/\nContent: first"}}}}, "One|https://one.example.com/|first"},
		{"a date", textResult(`{"title":"One","url":"https://one.example.com/","content":"first","publishedDate":"2024-05-01"}`), "One|https://one.example.com/|first|2024-05-01"},
		{"no results, in words", textResult("No results found for your query. See https://example.com/help"), ""},
		{"nothing at all", &mcp.CallToolResult{}, ""},
		{"words without results", textResult("I looked for it, and it is blue."), "error: garbage: 32 bytes of text without results"},
		{"an error that says nothing", failure("oh no"), `error: unsupported: "oh no"`},
		{"quota", failure("432: this request exceeds your plan's set usage limit"), `error: quota: "432: this request exceeds your plan's set usage limit"`},
		{"a number within a number", failure("id 14290 is unknown"), `error: unsupported: "id 14290 is unknown"`},
		{"a captcha", failure("DDG detected an anomaly in the request"), `error: challenge: "DDG detected an anomaly in the request"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			results, err := readAnswer(c.answer)
			var lines []string
			for _, r := range results {
				lines = append(lines, strings.TrimSuffix(strings.Join([]string{r.Title, r.URL, r.Snippet, r.Published}, "|"), "|"))
			}
			got := strings.Join(lines, "\n")
			var e *Error
			if errors.As(err, &e) {
				got = fmt.Sprintf("error: %s: %s", e.Code, e.Cause)
			}
			if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// schema writes an input schema: "query! count(20) freshness=pd,pw tags[]"; "!"
// is required, "#" a number, "[]" a list.
func schema(short string) map[string]any {
	properties, required := map[string]any{}, []string{}
	for field := range strings.FieldsSeq(short) {
		name, values, isEnum := strings.Cut(field, "=")
		p := map[string]any{"type": "string"}
		if isEnum {
			p["enum"] = strings.Split(values, ",")
		}
		if n, bound, ok := strings.Cut(name, "("); ok {
			name = n
			var most int
			fmt.Sscanf(bound, "%d", &most)
			p = map[string]any{"type": []string{"integer", "null"}, "maximum": most}
		}
		if n, ok := strings.CutSuffix(name, "!"); ok {
			name, required = n, append(required, strings.TrimRight(n, "[]#"))
		}
		if n, ok := strings.CutSuffix(name, "[]"); ok {
			name, p = n, map[string]any{"type": "array", "items": map[string]any{"type": "string"}}
		}
		if n, ok := strings.CutSuffix(name, "#"); ok {
			name, p = n, map[string]any{"anyOf": []any{map[string]any{"type": "number"}, map[string]any{"type": "null"}}}
		}
		properties[name] = p
	}
	return map[string]any{"type": "object", "properties": properties, "required": required}
}

// TestChooseTool: which tool of a server is called, and with what. The tools
// are those of the servers that are named, with the arguments that matter.
func TestChooseTool(t *testing.T) {
	query := Query{Text: "whale songs", MaxResults: 30, Site: "example.com", TimeRange: "week", Country: "DE", Language: "de"}
	const brave = "query! country=ALL,US,DE search_lang=en,de count(20) freshness=pd,pw,pm,py"
	for _, c := range []struct {
		name  string
		tools [][3]string // name, description, arguments
		want  string      // the tool that WEB_SEARCH_MCP_TOOL names
		call  string      // the tool and the arguments, or the error
	}{
		{"Brave", [][3]string{
			{"brave_local_search", "Local search", brave}, {"brave_video_search", "Searches for videos", brave}, {"brave_image_search", "Performs an image search using the Brave Search API", "query! count(50)"},
			{"brave_web_search", "Performs web searches using the Brave Search API", brave}, {"brave_news_search", "This tool searches for news articles", brave},
			{"brave_summarizer", "Retrieves AI-generated summaries of web search results", "key!"}, {"brave_llm_context", "Retrieves web content using Brave's LLM Context", "query!"}}, "",
			`brave_web_search {"count":20,"query":"whale songs site:example.com"}`},
		{"Tavily", [][3]string{{"tavily_search", "Search the web for current information on any topic.", "query! time_range=day,week,month,year start_date end_date max_results# include_domains[] exclude_domains[] country"},
			{"tavily_extract", "Extract content from URLs.", "urls[]!"}, {"tavily_research", "Perform comprehensive research on a given topic or question.", "input! model"}}, "",
			`tavily_search {"include_domains":["example.com"],"max_results":30,"query":"whale songs"}`},
		{"Exa", [][3]string{{"web_search_exa", "Search the web using Exa AI", "query! numResults#"}, {"company_research_exa", "Research companies", "companyName!"}, {"get_code_context_exa", "Search code on the web", "query! tokensNum#"}}, "",
			`web_search_exa {"numResults":30,"query":"whale songs site:example.com"}`},
		{"Kagi", [][3]string{{"kagi_summarizer", "Summarize a URL", "url!"}, {"kagi_search_fetch", "Fetch web results based on one or more queries", "queries[]!"}}, "",
			`kagi_search_fetch {"queries":["whale songs site:example.com"]}`},
		{"DuckDuckGo", [][3]string{{"fetch_content", "Fetch and parse a webpage.", "url!"}, {"search", "Search DuckDuckGo and return formatted results.", "query! max_results#"}}, "",
			`search {"max_results":30,"query":"whale songs site:example.com"}`},
		{"SearXNG", [][3]string{{"web_url_read", "Read a URL", "url!"}, {"searxng_web_search", "Performs a web search using the SearXNG API", "query! pageno# time_range=day,month,year language=all,de"}}, "",
			`searxng_web_search {"query":"whale songs site:example.com"}`},
		{"one argument of another name", [][3]string{{"find_on_web", "Searches the internet", "what!"}}, "", `find_on_web {"what":"whale songs site:example.com"}`},
		{"named", [][3]string{{"web_search", "Search the web", "query!"}, {"news", "News", "q!"}}, "news", `news {"q":"whale songs site:example.com"}`},
		{"named wrongly", [][3]string{{"web_search", "Search the web", "query!"}}, "web_serch", `unsupported the server has no tool web_serch; did you mean "web_search"?`},
		{"named, and of no use", [][3]string{{"web_search", "Search the web", "query! token!"}}, "web_search", `unsupported the tool web_search has no argument for a query, or requires an unknown argument; name another tool with WEB_SEARCH_MCP_TOOL`},
		{"none that searches", [][3]string{{"add", "Adds", "a#! b#!"}, {"echo", "Says it again", "text!"}}, "", `unsupported no tool of the server looks like a search: "add, echo"; name the tool with WEB_SEARCH_MCP_TOOL`},
		{"none at all", nil, "", `unsupported no tool of the server looks like a search: it has none; name the tool with WEB_SEARCH_MCP_TOOL`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var tools []*mcp.Tool
			for _, x := range c.tools {
				tools = append(tools, &mcp.Tool{Name: x[0], Description: x[1], InputSchema: schema(x[2])})
			}
			chosen, err := chooseTool(tools, c.want)
			var e *Error
			if errors.As(err, &e) {
				if got := string(e.Code) + " " + e.Cause + "; " + e.Hint; got != c.call {
					t.Errorf("got  %s\nwant %s", got, c.call)
				}
				return
			}
			terms, _, err := query.terms(time.Date(2025, 5, 8, 0, 0, 0, 0, time.UTC))
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(chosen.arguments(&terms))
			if got := chosen.name + " " + string(data); err != nil || got != c.call {
				t.Errorf("got  %s\nwant %s", got, c.call)
			}
		})
	}
}

// Domains go where the tool takes them.
func TestMCPArguments(t *testing.T) {
	chosen, err := chooseTool([]*mcp.Tool{{Name: "search", InputSchema: schema("query! start_date end_date include_domains[] exclude_domains[]")}}, "")
	if err != nil {
		t.Fatal(err)
	}
	terms, _, err := Query{Text: "x", Allowed: []string{"a.example.com"}, Blocked: []string{"b.example.com"}}.terms(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	data, _ := json.Marshal(chosen.arguments(&terms))
	if want := `{"exclude_domains":["b.example.com"],"include_domains":["a.example.com"],"query":"x"}`; string(data) != want {
		t.Errorf("%s", data)
	}
}

func TestParseMCP(t *testing.T) {
	for in, want := range map[string]string{
		`npx -y @brave/brave-search-mcp-server`:            `["npx" "-y" "@brave/brave-search-mcp-server"]`,
		`  "/opt/my server/bin" --name='a "b" c' d\ e "" `: `["/opt/my server/bin" "--name=a \"b\" c" "d e" ""]`,
		`https://mcp.example.com/mcp?key=1`:                `https://mcp.example.com/mcp?key=1`,
		`http://127.0.0.1:8000/mcp`:                        `http://127.0.0.1:8000/mcp`,
		``:                                                 `[]`,
		`a "b`:                                             "error: a quote is not closed",
		`a\`:                                               "error: it ends in a backslash",
		`https://user:secret@mcp.example.com/`:             "error: it is not a valid URL, or it has a user name",
		`http://[`:                                         "error: it is not a valid URL, or it has a user name",
	} {
		m, err := ParseMCP(in)
		got := fmt.Sprintf("%q", m.Command)
		switch {
		case err != nil:
			got = "error: " + err.Error()
		case !m.URL.IsZero():
			got = m.URL.String()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", in, got, want)
		}
	}
}

// FuzzReadAnswer: whatever a server says is read or refused, and bounded.
func FuzzReadAnswer(f *testing.F) {
	for _, s := range []string{
		`{"results":[{"title":"One","url":"https://one.example.com/"}]}`,
		"Title: One\nURL: https://one.example.com/\nContent: first", "1. [One](https://one.example.com/) - x",
		"## 1. One\n**URL:** https://one.example.com/\n", "429 Too Many Requests", "[[[[[[[[", strings.Repeat(`{"a":`, 50),
	} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, bad bool) {
		r := textResult(s)
		r.IsError = bad
		results, err := readAnswer(r)
		if err != nil && results != nil {
			t.Errorf("%d results and %v", len(results), err)
		}
		if slices.ContainsFunc(results, func(r Result) bool { return !isAddress(r.URL) }) {
			t.Errorf("a result without an address: %+v", results)
		}
		_ = json.Unmarshal([]byte(s), &r.StructuredContent)
		if results, _ := readAnswer(r); len(results) > 2*maxMCPHits {
			t.Errorf("%d results", len(results))
		}
	})
}
