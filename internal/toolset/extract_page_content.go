package toolset

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/readargs"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed extract_page_content.md
var extractPageContentText string

func extractPageContent(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "extract_page_content",
		Title:       "Read the page",
		Description: extractPageContentText,
		Input: tool.Object(append([]tool.Property{tool.String("url", "else the current page"),
			tool.String("mode", "").OneOf(string(reader.Markdown), string(reader.HTML), string(reader.Links), string(reader.Raw)).WithDefault(string(reader.Markdown)).Unlist(),
			tool.Boolean("whole", "").Unlist(), tool.String("selector", "").Unlist(), tool.Array("exclude", "", tool.Text()).Unlist()}, readargs.Window()...)...),
		Data: browserForm(tool.String("content", "Markdown").Require(), tool.Integer("word_count", "words of content").Require(),
			tool.String("extraction_method", "spyhop, whole_body or document").Require(), tool.String("page_type", "article, documentation, forum, product and so on"),
			tool.Integer("next_start_index", "where to read on"), tool.Boolean("truncated", "whether content is less than the whole")),
		Annotations: tool.Annotations{ReadOnly: true},
		Strengths:   []string{"main content of pages that need scripts"},
		Handler:     o.extractContent,
	})
}

// extractContent reads the page that is open, or that an address leads to.
func (o Options) extractContent(ctx context.Context, c tool.Call) (tool.Result, error) {
	ctx, stop := o.bound(ctx)
	defer stop()
	at, notices, err := o.visit(ctx, c)
	var te *tool.Error
	if errors.As(err, &te) && te.Type == tool.BrowserMissing && c.Args.String("url") != "" {
		return o.extractByHTTP(ctx, c)
	}
	if err != nil {
		return tool.Result{}, err
	}
	content, err := o.Browser.Content(ctx, at)
	if err != nil {
		return tool.Result{}, err
	}
	q, err := requestOf(c, c.Args, slices.Concat(notices, content.Page.Notices)...)
	if err != nil {
		return tool.Result{}, err
	}
	p, err := reader.Cut([]byte(content.HTML), content.URL, q)
	if p == nil || err != nil {
		why := "no readable content found"
		if err != nil {
			why = text.Cause(err)
		}
		return tool.Result{}, tool.NewError(tool.NoContent, "Failed to fetch "+text.URL(content.URL)+": "+why, "browser_snapshot shows the page as it is")
	}
	there := answerOf(content.Page, "")
	if q.Mode == reader.Raw {
		there.Text = content.HTML
		return tool.Result{Text: tool.Fence(content.HTML), Data: contentAnswer{pageAnswer: there}}, nil
	}
	a := o.Reader.Opened(reader.Opened{Page: p, URL: there.URL, Title: there.Title, Status: there.Status,
		MediaType: "text/html", Bytes: len(content.HTML), Facts: there.facts()}, q)
	return extracted(c, a, there), nil
}

// extractByHTTP reads an address without a browser.
func (o Options) extractByHTTP(ctx context.Context, c tool.Call) (tool.Result, error) {
	q, err := requestOf(c, c.Args, "no browser is installed: the page was read by HTTP, without its scripts")
	if err != nil {
		return tool.Result{}, err
	}
	if q.URL, err = reader.Address(c.Args.String("url")); err != nil {
		return tool.Result{}, err
	}
	q.Follow = true
	a, err := o.Reader.Read(ctx, q)
	if err != nil {
		return tool.Result{}, err
	}
	return extracted(c, a, pageAnswer{result.BrowserPage{URL: a.FinalURL, Title: a.Title, Status: a.Metadata.Status}}), nil
}

// contentAnswer is the content of a page.
type contentAnswer struct {
	pageAnswer
	WordCount      int    `json:"word_count"`
	Method         string `json:"extraction_method"`
	PageType       string `json:"page_type"`
	NextStartIndex *int   `json:"next_start_index,omitempty"`
	Truncated      bool   `json:"truncated"`
}

// extracted is the tool's answer about a page.
func extracted(c tool.Call, a *reader.Answer, there pageAnswer) tool.Result {
	method := a.Metadata.Method
	if method == string(page.MethodTokens) || method == "" {
		method = "document"
	}
	text := a.ForModelWithin(c.Tool, c.AnswerLimit()) // before the rest, which has the same window
	there.Text, there.Notices = a.Body(), a.Notices
	return tool.Result{Text: text, Noted: true,
		Data: contentAnswer{there, len(strings.Fields(a.Part())), method, string(a.PageType), a.NextStartIndex, a.Truncated}}
}
