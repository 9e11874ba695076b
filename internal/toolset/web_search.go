package toolset

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

func webSearch(o Options) tool.Declaration {
	domain := tool.Schema{Type: tool.TypeString}
	return tool.Declaration{
		Name:  "web_search",
		Title: "Search",
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
			tool.String("topic", "else web").OneOf(search.Topics()...),
			tool.Array("prefer_domains", "these come first", domain).Rarely(),
			tool.Array("allowed_domains", "only these", domain),
			tool.Array("blocked_domains", "none of these", domain),
			tool.Boolean("include_content", fmt.Sprintf("read the first %d pages too", search.MostRead)).WithDefault(false),
			tool.Integer("max_tokens", "most tokens of their contents together").AtLeast(1).SetsLength(),
		),
		Data: tool.Object(
			tool.Array("results", "", tool.Object(
				tool.String("title", "").Require(), tool.String("url", "").Require(), tool.String("snippet", "").Require(),
				tool.String("published", ""), tool.String("source", "who found it").Require(), tool.Number("score", "relevance, 0 to 1").Require(), tool.String("image", "its picture"),
				tool.String("content", "the page, with include_content"), tool.Boolean("truncated", "the content was cut"),
				tool.Map("error", "why there is no content"))).Require(),
			tool.String("provider", "who answered").Require(),
			tool.Boolean("cached", "").Require(),
			tool.Array("notices", "what was done in another way than asked", tool.Text()),
		),
		Level:       tool.Search,
		Profile:     tool.Core,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"finds pages for a query", "limits by site, date, country and language"},
		Aliases:     []string{"websearch"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			var q search.Query
			if err := c.Args.Decode(&q); err != nil {
				return tool.Result{}, err
			}
			a, err := o.Searcher.Search(ctx, q)
			if err != nil {
				return tool.Result{}, err
			}
			own, all := a.Notices, *a
			all.Notices = slices.Concat(c.Notices, own)
			return tool.Result{Text: resultText(c, &all), Data: &all, Notices: own, Noted: true}, nil
		},
	}
}

// resultText is an answer as a model reads it: what pages say of themselves
// stands in a fence that they cannot forge. It has as many whole results as the
// limit of the answer has room for.
func resultText(c tool.Call, a *search.Answer) string {
	query := text.Quoted(c.Args.String("query"))
	if len(a.Results) == 0 {
		return withNotes(text.Name(a.Provider)+" found nothing for "+query+". Try fewer or other words.", a.Notices)
	}
	head := "Results of " + text.Name(a.Provider) + " for " + query + ":\n\n"
	items := make([]string, len(a.Results))
	for i, r := range a.Results {
		items[i] = resultItem(i+1, r)
	}
	for n := len(items); ; n-- {
		notes := a.Notices
		if n < len(items) {
			notes = append(slices.Clip(notes), fmt.Sprintf("%d of %d results are left out for their length; site, or a query with further words, finds others", len(items)-n, len(items)))
		}
		answer := withNotes(head+tool.Fence(strings.TrimSuffix(strings.Join(items[:n], ""), "\n")), notes)
		if limit := c.AnswerLimit(); n == 1 || limit == 0 || len(answer) < limit {
			return answer
		}
	}
}

func withNotes(s string, notices []string) string {
	for _, n := range notices {
		s += "\nNote: " + n
	}
	return s
}

// resultItem is the n-th result.
func resultItem(n int, r search.Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d. %s\n   %s\n", n, r.Title, r.URL)
	if r.Published != "" {
		fmt.Fprintf(&b, "   published %s\n", r.Published)
	}
	if r.Image != "" {
		fmt.Fprintf(&b, "   image %s\n", r.Image)
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
	return b.String()
}
