package toolset

import (
	"context"
	_ "embed"
	"errors"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

//go:embed extract_page_content.md
var extractPageContentText string

func extractPageContent(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "extract_page_content",
		Title:       "Read the page",
		Description: extractPageContentText,
		Input:       tool.Object(tool.String("url", "else the current page")),
		Data: browserForm(tool.String("content", "Markdown").Require(), tool.Integer("word_count", "").Require(),
			tool.String("extraction_method", "spyhop, whole_body or document").Require(), tool.String("page_type", "article, documentation, forum, product and so on")),
		Annotations: tool.Annotations{ReadOnly: true},
		Strengths:   []string{"main content of pages that need scripts"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
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
			p, err := extract.Document([]byte(content.HTML), "text/html", extract.Options{URL: content.URL})
			if p == nil || err != nil {
				return tool.Result{}, tool.NewError(tool.NoContent, "Failed to fetch "+content.URL+": no readable content found", "browser_snapshot shows the page as it is")
			}
			a := answerOf(content.Page, markdown.Render(p, markdown.Options{}))
			a.Notices = slices.Concat(notices, a.Notices)
			return extracted(c, a, string(p.Method), string(p.Type)), nil
		},
	})
}

// extractByHTTP reads an address without a browser.
func (o Options) extractByHTTP(ctx context.Context, c tool.Call) (tool.Result, error) {
	u, err := weburl.ParseLenient(strings.TrimSpace(c.Args.String("url")))
	if err != nil {
		return tool.Result{}, reader.URLError(c.Args.String("url"), err)
	}
	u, _ = u.Clean()
	whole := 0
	a, err := o.Reader.Read(ctx, reader.Request{URL: u, Follow: true, MaxLength: &whole})
	if err != nil {
		return tool.Result{}, err
	}
	return extracted(c, pageAnswer{URL: a.FinalURL, Title: a.Title, Status: a.Metadata.Status, Text: a.Markdown,
		Notices: []string{"no browser is installed: the page was read by HTTP, without its scripts"}}, a.Metadata.Method, string(a.PageType)), nil
}

// contentAnswer is the content of a page.
type contentAnswer struct {
	pageAnswer
	WordCount int    `json:"word_count"`
	Method    string `json:"extraction_method"`
	PageType  string `json:"page_type"`
}

// extracted is the tool's answer; its data has the whole content.
func extracted(c tool.Call, a pageAnswer, method, kind string) tool.Result {
	if method == string(page.MethodTokens) || method == "" {
		method = "document"
	}
	r := a.bounded(c, "browser_find finds what else is on the page; web_fetch with render=always reads it in parts")
	r.Data = contentAnswer{a, len(strings.Fields(a.Text)), method, kind}
	return r
}
