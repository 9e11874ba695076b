package toolset

import (
	"context"
	_ "embed"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/tool"
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
			tool.Boolean("include_content", fmt.Sprintf("read the first %d pages too", search.MostRead)).WithDefault(false),
			tool.Integer("max_tokens", "most tokens of their contents together").AtLeast(1),
		),
		Output: tool.Object(
			tool.Array("results", "", tool.Object(
				tool.String("title", "").Require(), tool.String("url", "").Require(), tool.String("snippet", "").Require(),
				tool.String("published", ""), tool.String("source", "who found it").Require(),
				tool.String("content", "the page, with include_content"), tool.Boolean("truncated", "the content was cut"),
				tool.Map("error", "why there is no content"))).Require(),
			tool.String("provider", "who answered").Require(),
			tool.Boolean("cached", "").Require(),
		),
		Level:       tool.Search,
		Profile:     tool.Core,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"finds pages for a query", "limits by site, date, country and language"},
		Aliases:     []string{"websearch"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			a, err := o.Searcher.Search(ctx, search.Query{
				Text:           c.Args.String("query"),
				MaxResults:     c.Args.Int("max_results"),
				Provider:       c.Args.String("provider"),
				Site:           c.Args.String("site"),
				TimeRange:      c.Args.String("time_range"),
				StartDate:      c.Args.String("start_date"),
				EndDate:        c.Args.String("end_date"),
				Country:        c.Args.String("country"),
				Language:       c.Args.String("language"),
				Allowed:        c.Args.Strings("allowed_domains"),
				Blocked:        c.Args.Strings("blocked_domains"),
				IncludeContent: c.Args.Bool("include_content"),
				MaxTokens:      c.Args.Int("max_tokens"),
			})
			if err != nil {
				return tool.Result{}, err
			}
			return tool.Result{Text: resultText(c, a), Data: a, Notices: a.Notices}, nil
		},
	}
}

// resultText is an answer as a model reads it: what pages say of themselves
// stands in a fence that they cannot forge. Results that would make it longer
// than its caller can use are left out, and counted.
func resultText(c tool.Call, a *search.Answer) string {
	text, most := resultsText(c, a, len(a.Results)), answerBytes(c)
	for n := len(a.Results) - 1; most > 0 && len(text) > most && n > 0; n-- {
		text = resultsText(c, a, n)
	}
	return text
}

// resultsText is resultText with the first results only.
func resultsText(c tool.Call, a *search.Answer, first int) string {
	query := c.Args.String("query")
	var b strings.Builder
	if len(a.Results) == 0 {
		fmt.Fprintf(&b, "%s found nothing for %q. Try fewer or other words.", a.Provider, query)
	} else {
		fmt.Fprintf(&b, "Results of %s for %q:\n\n", a.Provider, query)
		b.WriteString(tool.Fence(strings.TrimSuffix(resultList(a.Results[:first]), "\n")))
	}
	if first < len(a.Results) {
		fmt.Fprintf(&b, "\nNote: %d of %d results are shown, since more would be too long; a query with more words finds what you need among the first.", first, len(a.Results))
	}
	for _, n := range a.Notices {
		b.WriteString("\nNote: " + n)
	}
	return b.String()
}

func resultList(results []search.Result) string {
	var b strings.Builder
	for i, r := range results {
		fmt.Fprintf(&b, "%d. %s\n   %s\n", i+1, r.Title, r.URL)
		if r.Published != "" {
			fmt.Fprintf(&b, "   published %s\n", r.Published)
		}
		if r.Snippet != "" && r.Content == "" {
			fmt.Fprintf(&b, "   %s\n", r.Snippet)
		}
		switch {
		case r.Error != nil:
			fmt.Fprintf(&b, "   not read: %s\n", r.Error.Message)
		case r.Truncated:
			fmt.Fprintf(&b, "\n%s\n\n(cut here: web_fetch reads all of it)\n\n", strings.TrimSpace(r.Content))
		case r.Content != "":
			fmt.Fprintf(&b, "\n%s\n\n", strings.TrimSpace(r.Content))
		}
	}
	return b.String()
}
