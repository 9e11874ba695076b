package toolset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

func navigateToURL(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "navigate_to_url",
		Title: "Open a page",
		Input: tool.Object(
			tool.String("url", "an address, or back, forward, reload").Require(),
			tool.Boolean("snapshot", "").WithDefault(true),
			tool.String("wait_until", "").OneOf("load", "domcontentloaded", "networkidle", "commit").WithDefault("load").Alias("waitUntil"),
		),
		Data:      browserForm(tool.String("content", "a snapshot of the page")),
		Strengths: []string{"pages that need scripts"},
		Aliases:   []string{"browser_navigate"},
		Variants: []tool.Variant{
			{Name: "browser_navigate_back", Args: tool.Arguments{"url": "back"}},
			{Name: "browser_navigate_forward", Args: tool.Arguments{"url": "forward"}},
			{Name: "browser_reload", Args: tool.Arguments{"url": "reload"}},
		},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			p, err := o.Browser.Navigate(ctx, o.place(c), browser.Navigation{URL: c.Args.String("url"), WaitUntil: c.Args.String("wait_until"), Given: c.Given})
			if err != nil {
				return tool.Result{}, err
			}
			if !c.Args.Bool("snapshot") {
				return answerOf(*p, "").result(), nil
			}
			s, err := o.Browser.Snapshot(ctx, browser.Place{Owner: c.Session, Context: p.Context, Tab: p.Tab}, browser.SnapshotRequest{})
			if err != nil {
				return tool.Result{}, err
			}
			s.Notices = joined(p.Notices, s.Notices)
			s.Dialogs = joined(p.Dialogs, s.Dialogs)
			s.Status = p.Status
			return answerOf(s.Page, s.Text).result(), nil
		},
	})
}

// joined is two lists one after the other. What both have, as an open question, stands once.
func joined(a, b []string) []string {
	return append(slices.DeleteFunc(a, func(s string) bool { return slices.Contains(b, s) }), b...)
}

func extractPageContent(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "extract_page_content",
		Title: "Read the page",
		Input: tool.Object(append([]tool.Property{tool.String("url", "else the current page"),
			tool.String("mode", "").OneOf(string(reader.Markdown), string(reader.HTML), string(reader.Links), string(reader.Raw)).WithDefault(string(reader.Markdown)).Unlist(),
			tool.Boolean("whole", "").Unlist(), tool.String("selector", "").Unlist(), tool.Array("exclude", "", tool.Text()).Unlist()}, window()...)...),
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
	q := requestOf(c, slices.Concat(notices, content.Page.Notices)...)
	there := answerOf(content.Page, "")
	if q.Mode == reader.Raw {
		there.Text = content.HTML
		return tool.Result{Text: tool.Fence(content.HTML), Data: contentAnswer{pageAnswer: there}}, nil
	}
	a, err := o.Reader.Opened(reader.Opened{HTML: content.HTML, URL: content.URL, Title: there.Title, Status: there.Status, Facts: there.facts()}, q)
	if err != nil {
		return tool.Result{}, tool.NewError(tool.NoContent, "Failed to fetch "+text.URL(content.URL)+": "+text.Cause(err), "browser_snapshot shows the page as it is")
	}
	return extracted(c, a, there), nil
}

// window are those arguments of web_fetch that choose a part of the content.
func window() []tool.Property {
	return slices.DeleteFunc(reader.Properties(), func(p tool.Property) bool {
		return p.Name != "start_index" && p.Name != "max_length" && p.Name != "max_tokens"
	})
}

// extractByHTTP reads an address without a browser.
func (o Options) extractByHTTP(ctx context.Context, c tool.Call) (tool.Result, error) {
	q := requestOf(c, "no browser is installed: the page was read by HTTP, without its scripts")
	var err error
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
	text := a.ForModel(c.Tool, c.AnswerLimit()) // before the rest, which has the same window
	there.Text, there.Notices = a.Body(), a.Notices
	return tool.Result{Text: text, Noted: true,
		Data: contentAnswer{there, len(strings.Fields(a.Part())), method, string(a.PageType), a.NextStartIndex, a.Truncated}}
}

func browserSnapshot(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "browser_snapshot",
		Title: "See the page",
		Input: input(ignored("filename"),
			ref("only this part of the page"),
			tool.Integer("max_tokens", "").AtLeast(100).WithDefault(browser.DefaultSnapshotTokens).SetsLength(),
			tool.Boolean("diff", "what changed since").WithDefault(false),
			tool.Boolean("links", "with URLs").WithDefault(false),
		),
		Data:        browserForm(tool.String("content", "the page with refs")),
		Annotations: tool.Annotations{ReadOnly: true},
		Strengths:   []string{"what can be clicked and typed into"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			s, err := o.Browser.Snapshot(ctx, o.place(c), browser.SnapshotRequest{Ref: c.Args.String("ref"), MaxTokens: c.Args.Int("max_tokens"), Diff: c.Args.Bool("diff"), Links: c.Args.Bool("links")})
			if err != nil {
				return tool.Result{}, err
			}
			return answerOf(s.Page, s.Text).result(), nil
		},
	})
}

func browserFind(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "browser_find",
		Title: "Find",
		Input: tool.Object(
			tool.String("text", "").Alias("query"),
			tool.String("regex", "RE2"),
			ref(""),
		),
		Data:        browserForm(tool.String("content", "the lines that match")),
		Annotations: tool.Annotations{ReadOnly: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			if ref := c.Args.String("ref"); ref != "" {
				f, err := o.Browser.Check(ctx, o.place(c), ref)
				if err != nil {
					return tool.Result{}, err
				}
				a := answerOf(f.Page, f.Text)
				a.Notices = append(a.Notices, text.Quoted(ref)+" is "+whereIs(f))
				return a.result(), nil
			}
			f, err := o.Browser.Find(ctx, o.place(c), c.Args.String("text"), c.Args.String("regex"))
			if err != nil {
				return tool.Result{}, err
			}
			a := answerOf(f.Page, f.Text)
			notice := "found in " + text.Count(f.Count, "line")
			if f.Shown < f.Count {
				notice += fmt.Sprintf("; these are the first %d: a longer text or a regex finds fewer", f.Shown)
			}
			a.Notices = append(a.Notices, notice)
			return a.result(), nil
		},
	})
}

// whereIs says whether and where a person sees an element.
func whereIs(c *browser.Checked) string {
	switch {
	case !c.Visible:
		return "on the page, but not visible"
	case c.Covered:
		return "behind a dialog"
	case c.InWindow:
		return "visible, in the window"
	}
	return "visible, outside of the window"
}

func takeWebScreenshot(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "take_web_screenshot",
		Title: "Take a screenshot",
		Level: tool.Capture,
		Input: input(ignored("element", "filename"),
			tool.String("url", "else the current page"),
			tool.Boolean("full_page", "").WithDefault(false).Alias("fullPage"),
			ref(""),
			tool.Boolean("marks", "").WithDefault(false),
			tool.String("format", "").OneOf("png", "jpeg", "webp").WithDefault("png").Alias("type"),
			tool.Integer("quality", "of a jpeg").Clamp(1, 100).Rarely(),
		),
		Data: browserForm(tool.String("screenshot_path", "the file").Require(), tool.Integer("width", "pixels").Require(), tool.Integer("height", "pixels").Require(),
			fileURL()),
		Annotations: tool.Annotations{ReadOnly: true},
		Aliases:     []string{"browser_take_screenshot"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			ctx, stop := o.bound(ctx)
			defer stop()
			at, notices, err := o.visit(ctx, c)
			if err != nil {
				return tool.Result{}, err
			}
			s, err := o.Browser.Screenshot(ctx, at, browser.Shot{FullPage: c.Args.Bool("full_page"), Ref: c.Args.String("ref"),
				Marks: c.Args.Bool("marks"), Format: c.Args.String("format"), Quality: c.Args.Int("quality")})
			if err != nil {
				return tool.Result{}, err
			}
			a := answerOf(s.Page, "")
			a.Notices = slices.Concat(notices, a.Notices, ignoredName(c, s.Path))
			r := a.result()
			r.Text += fmt.Sprintf("screenshot_path %s (%d x %d)", text.Path(s.Path), s.Width, s.Height)
			r.Data = result.Screenshot{Path: s.Path, Width: s.Width, Height: s.Height, BrowserPage: a.BrowserPage}
			r.Pictures = []tool.Picture{{MediaType: s.MIME, Data: s.Data}}
			r.File = s.Path
			return r, nil
		},
	})
}

func savePageAsPDF(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "save_page_as_pdf",
		Title: "Save as PDF",
		Level: tool.Capture,
		Input: input(ignored("filename"), tool.String("url", "else the current page"),
			tool.String("format", "paper; else that of the page").OneOf("Letter", "Legal", "Tabloid", "Ledger", "A0", "A1", "A2", "A3", "A4", "A5", "A6").Rarely(),
			tool.Boolean("landscape", "").WithDefault(false).Rarely(), tool.Number("scale", "0.1 to 2").Between(0.1, 2).Rarely()),
		Data:        browserForm(tool.String("pdf_path", "the file").Require(), tool.Integer("pages", "").Require(), fileURL()),
		Annotations: tool.Annotations{ReadOnly: true},
		Aliases:     []string{"browser_pdf_save"},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			ctx, stop := o.bound(ctx)
			defer stop()
			at, notices, err := o.visit(ctx, c)
			if err != nil {
				return tool.Result{}, err
			}
			s, err := o.Browser.PDF(ctx, at, c.Args.String("format"), c.Args.Bool("landscape"), c.Args.Float("scale"))
			if err != nil {
				return tool.Result{}, err
			}
			a := answerOf(s.Page, "")
			a.Notices = slices.Concat(notices, a.Notices, ignoredName(c, s.Path))
			r := a.result()
			r.Text += fmt.Sprintf("pdf_path %s (%s)", text.Path(s.Path), text.Count(s.Pages, "page"))
			r.Data = result.PDF{Path: s.Path, Pages: s.Pages, BrowserPage: a.BrowserPage}
			r.File = s.Path
			return r, nil
		},
	})
}

// fileURL is the member that a server adds.
func fileURL() tool.Property {
	return tool.String("file_url", "over HTTP: where the server has the file")
}

// ignoredName says that a file does not have the name that the caller wished.
func ignoredName(c tool.Call, path string) []string {
	if !c.Args.Has("filename") {
		return nil
	}
	return []string{"filename is not used: the file is " + text.Path(path)}
}

// tabsAnswer lists the tabs of a context.
type tabsAnswer struct {
	Tabs    []browser.Tab `json:"tabs"`
	Tab     string        `json:"tab"` // the current one
	Context string        `json:"context"`
}

func browserTabs(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:  "browser_tabs",
		Title: "Tabs",
		Input: tool.Object(
			tool.String("action", "").OneOf("list", "new", "select", "close").WithDefault("list"),
			tool.String("url", "for new"),
			tool.Integer("index", "").AtLeast(0).Unlist(),
		),
		Data: placeForm(tool.Array("tabs", "", tool.Object(tool.String("id", "what tab takes"), tool.String("url", ""), tool.String("title", ""),
			tool.Boolean("current", "whether calls without tab go there")))),
		Variants: []tool.Variant{
			{Name: "browser_tab_list"}, {Name: "browser_tab_new", Args: tool.Arguments{"action": "new"}},
			{Name: "browser_tab_select", Args: tool.Arguments{"action": "select"}}, {Name: "browser_tab_close", Args: tool.Arguments{"action": "close"}},
		},
		Handler: o.tabs,
	})
}

func (o Options) tabs(ctx context.Context, c tool.Call) (tool.Result, error) {
	at, err := o.tabAt(ctx, o.place(c), c.Args.IntPointer("index"))
	if err != nil {
		return tool.Result{}, err
	}
	tabs, where, err := o.Browser.Tabs(ctx, at, c.Args.String("action"), browser.Navigation{URL: c.Args.String("url"), Given: c.Given})
	if err != nil {
		return tool.Result{}, err
	}
	var b strings.Builder
	for _, t := range tabs {
		mark := " "
		if t.Current {
			mark = "*"
		}
		fmt.Fprintf(&b, "%s %s %s %q\n", mark, t.ID, t.URL, cutTitle(t.Title))
	}
	return tool.Result{Text: "context " + text.Name(where.Context) + "\n" + tool.Fence(strings.TrimSuffix(b.String(), "\n")),
		Data: tabsAnswer{tabs, where.Tab, where.Context}}, nil
}

// tabAt is a place whose tab is named by its position in the list, as
// Playwright's tools do.
func (o Options) tabAt(ctx context.Context, at browser.Place, index *int) (browser.Place, error) {
	if index == nil || at.Tab != "" {
		return at, nil
	}
	tabs, where, err := o.Browser.Tabs(ctx, at, "list", browser.Navigation{})
	if err != nil {
		return at, err
	}
	if *index >= len(tabs) {
		return at, tool.NewError(tool.InvalidInput, fmt.Sprintf("there is no tab with index %d: the last one has %d", *index, len(tabs)-1), "browser_tabs lists the tabs")
	}
	at.Context, at.Tab = where.Context, tabs[*index].ID
	return at, nil
}

func closeBrowser(o Options) tool.Declaration {
	return browserTool(tool.Declaration{
		Name:        "close_browser",
		Title:       "Close the browser",
		Level:       tool.CleanUp,
		Data:        tool.Object(tool.String("message", "what was closed, and what runs on").Require()),
		Aliases:     []string{"browser_close"},
		Annotations: tool.Annotations{Idempotent: true},
		Handler: func(ctx context.Context, c tool.Call) (tool.Result, error) {
			ended, err := o.Browser.CloseContexts(ctx, o.place(c))
			if err != nil {
				return tool.Result{}, err
			}
			message := closeMessage(ended)
			return tool.Result{Text: message, Data: map[string]string{"message": message}}, nil
		},
	})
}

// closeMessage says what is true after contexts were closed.
func closeMessage(e browser.Ended) string {
	closed := "none of your contexts was open"
	switch names := listed(e.Contexts); len(e.Contexts) {
	case 0:
	case 1:
		closed = "context " + names + " is closed"
	default:
		closed = "contexts " + names + " are closed"
	}
	switch {
	case e.Stopped:
		return "the browser is closed"
	case !e.Running:
		return "the browser is closed; it was not running"
	case len(e.Left) > 0:
		return closed + "; " + listed(e.Left) + " stays open"
	}
	return closed + "; the browser runs on for other callers"
}

// listed are names of contexts, which callers choose.
func listed(names []string) string {
	shown := make([]string, len(names))
	for i, n := range names {
		shown[i] = text.Name(n)
	}
	return strings.Join(shown, ", ")
}
