package toolset

import (
	"context"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// What the browser's tools have in common: where they act, and how they answer.

// browserTool completes the declaration of a tool of the browser: all of them
// take a tab and a context.
func browserTool(d tool.Declaration) tool.Declaration {
	d.Input.Type = tool.TypeObject
	d.Input.Properties = append(d.Input.Properties, tool.String("tab", "").Alias("tabId"), tool.String("context", ""))
	d.Kind, d.Profile = tool.Browser, tool.BrowserTools
	if d.Level == 0 {
		d.Level = tool.Read
	}
	d.Annotations.OpenWorld = true
	return d
}

// interactiveTool is a browserTool that acts on pages.
func interactiveTool(d tool.Declaration) tool.Declaration {
	d.Permission = tool.Interactive
	return browserTool(d)
}

// place is where a call acts. Contexts belong to the session that the surface
// names; a call without one that says which context it means gets a new one,
// which its answer names.
func (o Options) place(c tool.Call) (at browser.Place, named string) {
	named = c.Args.String("context")
	if c.Session == tool.Stateless && named == "" {
		named = o.Browser.NewContext()
	}
	at = browser.Place{Context: named, Tab: c.Args.String("tab")}
	if c.Session != "" {
		// No name that a caller gives leads into the context of another session.
		at.Context = c.Session + "/" + named
	}
	return at, named
}

// seen is what every answer of the browser says of the page.
type seen struct {
	URL     string   `json:"url"`
	Title   string   `json:"title"`
	Status  int      `json:"status,omitempty"`
	Tab     string   `json:"tab,omitempty"`
	Context string   `json:"context,omitempty"`
	Notices []string `json:"notices,omitempty"`
	// Text is what was read: the page, what changed on it, or what was found.
	Text string `json:"content,omitempty"`
}

func seenOf(p browser.Page, context, text string) seen {
	return seen{p.URL, p.Title, p.Status, p.Tab, context, p.Notices, text}
}

// answer is a page's text for a model: where it is, what happened, and the text
// within an envelope that no page can forge.
func (s seen) answer() tool.Result {
	var b strings.Builder
	fmt.Fprintf(&b, "Page %s", s.URL)
	if s.Title != "" {
		fmt.Fprintf(&b, "; title %q", cutTitle(s.Title))
	}
	if s.Status >= 400 {
		fmt.Fprintf(&b, "; HTTP %d", s.Status)
	}
	if s.Tab != "" {
		b.WriteString("; tab " + s.Tab)
	}
	if s.Context != "" {
		b.WriteString("; context " + s.Context)
	}
	b.WriteByte('\n')
	for _, n := range s.Notices {
		b.WriteString(n + "\n")
	}
	if s.Text != "" {
		b.WriteString(tool.Fence(strings.TrimSuffix(s.Text, "\n")))
	}
	return tool.Result{Text: b.String(), Data: s}
}

// cutTitle makes one cleaned line of a title.
func cutTitle(s string) string { return text.Cut(text.Line(s), 120) }

// changed is the answer to an action.
func changed(ch *browser.Changes, context string, err error) (tool.Result, error) {
	if err != nil {
		return tool.Result{}, err
	}
	return seenOf(ch.Page, context, ch.Text).answer(), nil
}

// visit opens the address of a call that names one, and returns where it acts
// from then on.
func (o Options) visit(ctx context.Context, c tool.Call) (browser.Place, string, error) {
	at, named := o.place(c)
	url := c.Args.String("url")
	if url == "" {
		return at, named, nil
	}
	_, err := o.Browser.Navigate(ctx, at, browser.Navigation{URL: url, Given: c.Given})
	return at, named, err
}

func ref(description string) tool.Property { return tool.String("ref", description) }
