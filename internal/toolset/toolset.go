// Package toolset provides the built-in tools: for each a declaration, a
// description in Markdown and a short handler.
//
//	catalog := tool.NewCatalog()
//	err := toolset.Register(catalog, toolset.Options{Reader: r})
//
// A handler turns arguments into one call of an engine and the answer into the
// tool's form. It owns no client and makes no decision of its own; what two
// tools need is in the engine. To add a tool, declare it, describe it in a .md file of its
// name, and name it in [Register].
//
// # Guarantees
//
// Register adds the tools in the order in which they are shown. Handlers are
// safe for concurrent use and return before their context ends.
//
// # Limits
//
// Only what works is declared: arguments of later versions are unknown names,
// and are answered so.
package toolset

import (
	"cmp"
	"context"
	"embed"
	"time"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/search"
	"github.com/spyhop-dev/spyhop/internal/session"
	"github.com/spyhop-dev/spyhop/tool"
)

// descriptions are those of the tools, by their names.
//
//go:embed *.md
var descriptions embed.FS

// pageReader is what the tools need of package reader.
type pageReader interface {
	Read(context.Context, reader.Request) (*reader.Answer, error)
	ReadAll(context.Context, []string, reader.Request) *reader.Answers
	Opened(reader.Opened, reader.Request) (*reader.Answer, error)
}

// searcher is what the tools need of package search.
type searcher interface {
	Search(context.Context, search.Query) (*search.Answer, error)
}

// Options are what the tools work with.
type Options struct {
	// Reader answers requests. Required.
	Reader pageReader
	// Searcher answers queries. Required.
	Searcher searcher
	// Mapper finds the pages of a site. Required.
	Mapper mapper
	// Crawler runs crawls. Required.
	Crawler crawler
	// Recaller searches the pages that were read. Nil: its tool is left out.
	Recaller Recaller
	// Answerer answers questions. Required.
	Answerer answerer
	// HeadersAllowed names request headers that a model may set beside
	// Accept, Accept-Language, If-None-Match, If-Modified-Since and Referer.
	HeadersAllowed []string
	// Browser has the pages of the browser's tools. Nil: these tools are left
	// out.
	Browser *browser.Browser
	// Sessions keeps the states of its contexts. Required with Browser.
	Sessions *session.Keeper
	// DenyInteractive leaves out the tools that type, click and upload, and has
	// browser_dialog dismiss only; AllowScript takes in the one that runs script.
	DenyInteractive, AllowScript bool
	// Follow follows redirects to other hosts in web_fetch too.
	Follow bool
	// Acted is told of each call of a browser tool when it ends; nil: nobody is.
	Acted func(ctx context.Context, c tool.Call, r tool.Result, err error)
	// Timeout bounds a call that does not say how long it may take; 0 means
	// fetch.DefaultTimeout.
	Timeout time.Duration
}

// bound gives a call its deadline.
func (o Options) bound(ctx context.Context) (context.Context, context.CancelFunc) {
	return deadline.With(ctx, cmp.Or(o.Timeout, fetch.DefaultTimeout))
}

// Register adds the built-in tools to a catalog.
func Register(c *tool.Catalog, o Options) error {
	all := []tool.Declaration{webSearch(o), webFetch(o), webAnswer(o), webBrowse(o), googleSearch(o), webMap(o), webCrawl(o)}
	if o.Recaller != nil {
		all = append(all, webRecall(o))
	}
	if o.Browser != nil {
		all = append(all, append(browserTools(o), browserBatch(o, c))...)
	}
	for _, d := range all {
		words, err := descriptions.ReadFile(d.Name + ".md")
		if err != nil {
			return err
		}
		d.Description = string(words)
		switch {
		case d.Name == "browser_evaluate" && !o.AllowScript:
			c.SwitchOff(d, "it runs scripts in pages", "the operator can allow it with WEB_ALLOW_SCRIPT=true")
			continue
		case d.Permission == tool.Interactive && o.DenyInteractive:
			c.SwitchOff(d, "it acts on pages", "the operator can allow it with WEB_ALLOW_INTERACTIVE=true")
			continue
		}
		if handler := d.Handler; d.Kind == tool.Browser {
			d.Handler = func(ctx context.Context, c tool.Call) (tool.Result, error) {
				if err := o.located(ctx, c); err != nil {
					return tool.Result{}, err
				}
				return handler(ctx, c)
			}
		}
		if handler := d.Handler; d.Kind == tool.Browser && o.Acted != nil {
			d.Handler = func(ctx context.Context, c tool.Call) (tool.Result, error) {
				r, err := handler(ctx, c)
				o.Acted(ctx, c, r, err)
				return r, err
			}
		}
		if err := c.Register(d); err != nil {
			return err
		}
	}
	return nil
}

// browserTools are the tools of the browser in the order in which they are
// shown.
func browserTools(o Options) []tool.Declaration {
	return []tool.Declaration{
		navigateToURL(o), extractPageContent(o), browserSnapshot(o), browserFind(o),
		browserClick(o), browserHover(o), browserType(o), browserFillForm(o),
		browserSelectOption(o), browserPressKey(o), browserDrag(o), browserMouse(o), browserUploadFile(o), browserResize(o), browserRoute(o),
		browserScroll(o), browserWaitFor(o), browserTabs(o), browserDialog(o),
		browserEvaluate(o), browserCookies(o), browserState(o), browserLog(o), takeWebScreenshot(o),
		savePageAsPDF(o), closeBrowser(o),
	}
}
