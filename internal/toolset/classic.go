package toolset

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// browseChars is the window of web_browse in characters, which its message names.
const browseChars = 10_000

func webBrowse(o Options) tool.Declaration {
	return tool.Declaration{
		Name:        "web_browse",
		Title:       "Browse",
		Input:       tool.Object(tool.String("url", "the address to read, with http:// or https://").Require()),
		Output:      tool.Text(),
		FixedForm:   true,
		Level:       tool.Read,
		Profile:     tool.Classic,
		Annotations: tool.Annotations{ReadOnly: true, Idempotent: true, OpenWorld: true},
		Strengths:   []string{"one page as Markdown", "never fails in another way than a string"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			return tool.Result{Text: browse(ctx, o, c.Args.String("url"))}, nil
		},
	}
}

// browse returns the page as Markdown, or a string that begins with "Error: ".
func browse(ctx context.Context, o Options, raw string) string {
	ctx, stop := o.bound(ctx)
	defer stop()
	u, err := weburl.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" {
		return "Error: Invalid URL format - must start with http:// or https://"
	}
	u, _ = u.Clean()
	a, err := o.Reader.Read(ctx, reader.Request{URL: u, Follow: true, NoFragment: true, MaxLength: reader.NoLimit, Timeout: o.Timeout})
	if err != nil {
		return browseError(ctx, err)
	}
	text := a.Markdown
	if part, _, cut := markdown.Window(text, 0, browseChars); cut {
		text = part + "\n\n[Content truncated - showing first 10,000 characters]"
	}
	return text
}

func browseError(ctx context.Context, err error) string {
	var e *tool.Error
	if !errors.As(err, &e) {
		e = tool.AsError(err)
	}
	if reader.IsTooManyRedirects(e) {
		return "Error: Too many redirects"
	}
	if e.Type == tool.Timeout && deadline.Over(ctx) {
		return "Error: Request timed out after " + deadline.Seconds(deadline.Limit(ctx)) + " seconds"
	}
	switch e.Type {
	case tool.InvalidURL, tool.InvalidInput:
		return "Error: Invalid URL format - must start with http:// or https://"
	case tool.HTTPError:
		return "Error: HTTP " + strconv.Itoa(e.Status) + " - Failed to fetch URL"
	case tool.ConnectionError, tool.TLSError:
		return "Error: Failed to connect to URL"
	case tool.ParseError:
		return "Error: Failed to parse HTML content"
	case tool.NoContent:
		return "Error: No readable content found on page"
	}
	switch reason := reader.Reason(e); {
	case e.Type == tool.Blocked:
		return "Error: Blocked - " + reason
	case e.Type == tool.UnsupportedContent:
		return "Error: Unsupported content type " + reason
	default:
		return "Error: Failed to fetch URL - " + reason
	}
}

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
		Name:  "google_search",
		Title: "Search (classic)",
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
