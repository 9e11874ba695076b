package toolset

import (
	"context"
	_ "embed"

	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed google_search.md
var googleSearchText string

// googleAnswer is the form that plans of the older design refer to.
type googleAnswer struct {
	Results    []googleResult `json:"results"`
	Query      string         `json:"query"`
	NumResults int            `json:"num_results"`
}

type googleResult struct {
	Title   string `json:"title"`
	Link    string `json:"link"`
	Snippet string `json:"snippet"`
}

func googleSearch(o Options) tool.Declaration {
	return tool.Declaration{
		Name:        "google_search",
		Title:       "Search (classic)",
		Description: googleSearchText,
		Input: tool.Object(
			tool.String("query", "what to look for").Require(),
			tool.Integer("num_results", "most results").Clamp(1, search.MaxResults).WithDefault(10),
		),
		Output: tool.Object(
			tool.Array("results", "", tool.Object(tool.String("title", "").Require(), tool.String("link", "").Require(),
				tool.String("snippet", "").Require())).Require(),
			tool.String("query", "").Require(),
			tool.Integer("num_results", "how many there are").Require(),
		),
		Kind:        tool.Browser,
		Level:       tool.Search,
		Profile:     tool.Classic,
		AlsoIn:      []tool.Profile{tool.BrowserTools},
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"needs no key and no browser"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			query := c.Args.String("query")
			a, err := o.Searcher.Search(ctx, search.Query{Text: query, MaxResults: c.Args.Int("num_results"), Provider: "duckduckgo"})
			if err != nil {
				return tool.Result{}, err
			}
			out := googleAnswer{Results: []googleResult{}, Query: query, NumResults: len(a.Results)}
			for _, r := range a.Results {
				out.Results = append(out.Results, googleResult{r.Title, r.URL, r.Snippet})
			}
			return tool.Result{Text: resultText(c, a), Data: out, Notices: a.Notices}, nil
		},
	}
}
