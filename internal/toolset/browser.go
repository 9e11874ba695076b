package toolset

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// What the browser's tools have in common: where they act, and how they answer.

// browserTool completes the declaration of a tool of the browser: all of them
// take a tab and a context. Clients are answered in text, so the form of the
// answer stands in Data, for plans and programs.
func browserTool(d tool.Declaration) tool.Declaration {
	d.Input.Type = tool.TypeObject
	d.Input.Properties = append(d.Input.Properties, tool.String("tab", "").Alias("tabId"), tool.String("context", ""))
	d.Kind, d.Profile = tool.Browser, tool.BrowserTools
	if d.Level == 0 {
		d.Level = tool.Read
	}
	d.Annotations.OpenWorld = true
	handler := d.Handler
	d.Handler = func(ctx context.Context, c tool.Call) (tool.Result, error) {
		r, err := handler(ctx, c)
		return r, nothingOpen(c, err)
	}
	return d
}

// interactiveTool is a browserTool that acts on pages.
func interactiveTool(d tool.Declaration) tool.Declaration {
	d.Permission = tool.Interactive
	return browserTool(d)
}

// nothingOpen gives the error of a call that has no page a next step which its
// caller can take.
func nothingOpen(c tool.Call, err error) error {
	var e *tool.Error
	if c.Session != tool.Alone || !errors.Is(err, browser.ErrNothingOpen) || !errors.As(err, &e) {
		return err
	}
	alone := *e
	alone.Hint = "each spyhop call has a browser of its own: give the url in this call where the tool takes one, or keep a browser open: spyhop browser open URL"
	return &alone
}

// place is where a call acts. Contexts belong to the session that the surface
// names.
func (o Options) place(c tool.Call) browser.Place {
	return browser.Place{Owner: c.Session, Context: c.Args.String("context"), Tab: c.Args.String("tab")}
}

// pageAnswer is what every answer about a page says of it.
type pageAnswer struct{ result.BrowserPage }

func answerOf(p browser.Page, text string) pageAnswer {
	return pageAnswer{result.BrowserPage{URL: p.URL, Title: p.Title, Status: p.Status, Tab: p.Tab, Context: p.Context, Notices: p.Notices, Dialogs: p.Dialogs, Text: text}}
}

// browserForm is the schema of a pageAnswer with further members.
func browserForm(more ...tool.Property) tool.Schema {
	return tool.Object(slices.Concat(more, []tool.Property{
		tool.String("url", "the address of the page").Require(),
		tool.String("title", "").Require(),
		tool.Integer("status", "the HTTP status of the page"),
		tool.String("tab", "the tab that the page is in"),
		tool.String("context", "the browser context of the tab"),
		tool.Array("notices", "what happened besides", tool.Text()),
		tool.Array("dialogs", "what the page's dialogs said", tool.Text()),
	})...)
}

// changesForm is the schema of the answer to an action.
func changesForm() tool.Schema {
	return browserForm(tool.String("content", "what changed on the page, or the page that came"))
}

// placeForm is the schema of an answer that is not about a page.
func placeForm(more ...tool.Property) tool.Schema {
	return tool.Object(append(more, tool.String("tab", "the tab that was used"), tool.String("context", "the browser context that was used"))...)
}

// result is the answer for a model: where the page is, what happened, and the
// text within a fence that no page can forge.
func (a pageAnswer) result() tool.Result {
	var b strings.Builder
	fmt.Fprintf(&b, "Page %s", text.URL(a.URL))
	if a.Title != "" {
		b.WriteString("; title " + text.Quoted(a.Title))
	}
	for _, f := range a.facts() {
		b.WriteString("; " + f)
	}
	b.WriteByte('\n')
	for _, n := range a.Notices {
		b.WriteString(n + "\n")
	}
	inner := a.Text
	if len(a.Dialogs) > 0 {
		inner = "Dialogs: " + strings.Join(a.Dialogs, "; ") + "\n" + inner
	}
	if inner != "" {
		b.WriteString(tool.Fence(strings.TrimSuffix(inner, "\n")))
	}
	return tool.Result{Text: b.String(), Data: a.BrowserPage}
}

// facts are where the page is, and the status of one that is an error.
func (a pageAnswer) facts() (out []string) {
	if a.Status >= 400 {
		out = append(out, fmt.Sprintf("HTTP %d", a.Status))
	}
	if a.Tab != "" {
		out = append(out, "tab "+text.Name(a.Tab))
	}
	if a.Context != "" {
		out = append(out, "context "+text.Name(a.Context))
	}
	return out
}

// cutTitle makes one cleaned line of a title.
func cutTitle(s string) string { return text.Cut(text.Line(s), 120) }

// changed is the answer to an action.
func changed(ch *browser.Changes, err error) (tool.Result, error) {
	if err != nil {
		return tool.Result{}, err
	}
	return answerOf(ch.Page, ch.Text).result(), nil
}

// visit opens the address of a call that names one, and returns where the call
// goes on and what there is to say of the way.
func (o Options) visit(ctx context.Context, c tool.Call) (at browser.Place, notices []string, err error) {
	at = o.place(c)
	url := c.Args.String("url")
	if url == "" {
		return at, nil, nil
	}
	p, err := o.Browser.Navigate(ctx, at, browser.Navigation{URL: url, Given: c.Given})
	if err != nil {
		return at, nil, err
	}
	at.Context, at.Tab = p.Context, p.Tab
	return at, p.Notices, nil
}

func ref(description string) tool.Property {
	return tool.String("ref", description).Alias("target")
}

// ignored are arguments that models know from Playwright's tools and that change
// nothing here.
func ignored(names ...string) []tool.Property {
	var out []tool.Property
	for _, n := range names {
		out = append(out, tool.Member(n, "", tool.Schema{}).Unlist())
	}
	return out
}

// input is the schema of arguments, with some that are ignored.
func input(ignore []tool.Property, properties ...tool.Property) tool.Schema {
	return tool.Object(append(properties, ignore...)...)
}
