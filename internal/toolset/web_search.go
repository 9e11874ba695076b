package toolset

import (
	"context"
	"crypto/rand"
	_ "embed"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/tool"
)

//go:embed web_search.md
var webSearchText string

func webSearch(o Options) tool.Declaration {
	domain := tool.Schema{Type: tool.TypeString}
	return tool.Declaration{
		Name:        "web_search",
		Title:       "Search",
		Description: webSearchText,
		Input: tool.Object(
			tool.String("query", "what to look for").Require().Alias("q"),
			tool.Integer("max_results", "most results").Clamp(1, search.MaxResults).WithDefault(search.DefaultResults).Alias("num_results", "count"),
			tool.String("provider", "who is asked"),
			tool.String("site", "only below this host, as example.com/docs"),
			tool.String("time_range", "only as new as this").OneOf(search.TimeRanges()...),
			tool.String("start_date", "not older than this, as 2006-01-02"),
			tool.String("end_date", "not newer than this"),
			tool.String("country", "two letters, as DE"),
			tool.String("language", "two letters, as de"),
			tool.Array("allowed_domains", "only these", domain),
			tool.Array("blocked_domains", "none of these", domain),
		),
		Output: tool.Object(
			tool.Array("results", "", tool.Object(
				tool.String("title", "").Require(), tool.String("url", "").Require(), tool.String("snippet", "").Require(),
				tool.String("published", ""), tool.String("source", "who found it").Require())).Require(),
			tool.String("provider", "who answered").Require(),
			tool.Boolean("cached", "").Require(),
		),
		Level:       tool.Search,
		Profile:     tool.Core,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"finds pages for a query", "limits by site, date, country and language"},
		Aliases:     []string{"websearch"},
		Structured:  true,
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			a, err := o.Searcher.Search(ctx, search.Query{
				Text:       c.Args.String("query"),
				MaxResults: c.Args.Int("max_results"),
				Provider:   c.Args.String("provider"),
				Site:       c.Args.String("site"),
				TimeRange:  c.Args.String("time_range"),
				StartDate:  c.Args.String("start_date"),
				EndDate:    c.Args.String("end_date"),
				Country:    c.Args.String("country"),
				Language:   c.Args.String("language"),
				Allowed:    texts(c.Args["allowed_domains"]),
				Blocked:    texts(c.Args["blocked_domains"]),
			})
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Text: resultText(c.Args.String("query"), a), Data: a, Notices: a.Notices}, nil
		},
	}
}

// texts are the strings of a list.
func texts(v any) []string {
	list, _ := v.([]any)
	var out []string
	for _, e := range list {
		if s, ok := e.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// resultText is an answer as a model reads it: what pages say of themselves
// stands in a fence that they cannot forge.
func resultText(query string, a *search.Answer) string {
	var b strings.Builder
	if len(a.Results) == 0 {
		fmt.Fprintf(&b, "%s found nothing for %q. Try fewer or other words.", a.Provider, query)
	} else {
		boundary := rand.Text()
		fmt.Fprintf(&b, "Results of %s for %q:\n\n<<<untrusted web content %s>>>\n", a.Provider, query, boundary)
		for i, r := range a.Results {
			fmt.Fprintf(&b, "%d. %s\n   %s\n", i+1, r.Title, r.URL)
			if r.Published != "" {
				fmt.Fprintf(&b, "   published %s\n", r.Published)
			}
			if r.Snippet != "" {
				fmt.Fprintf(&b, "   %s\n", r.Snippet)
			}
		}
		fmt.Fprintf(&b, "<<<end of untrusted web content %s>>>", boundary)
	}
	for _, n := range a.Notices {
		b.WriteString("\nNote: " + n)
	}
	return b.String()
}
