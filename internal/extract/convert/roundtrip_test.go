package convert

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer/html"
	nethtml "golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var update = flag.Bool("update", false, "rewrite the wanted results in testdata")

var commonMark = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.Footnote),
	goldmark.WithRendererOptions(html.WithUnsafe()))

// toHTML reads Markdown with a parser that is not ours.
func toHTML(t testing.TB, md string) string {
	var b bytes.Buffer
	if err := commonMark.Convert([]byte(md), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func parseBody(t testing.TB, s string) *nethtml.Node {
	doc, err := nethtml.Parse(strings.NewReader(s))
	if err != nil {
		t.Skip(err) // nested beyond the parser's limit
	}
	for n := range doc.Descendants() {
		if n.DataAtom == atom.Body {
			return n
		}
	}
	t.Fatal("no body")
	return nil
}

// asMarkdown converts HTML with addresses as they are.
func asMarkdown(t testing.TB, s string) string {
	return markdown.Blocks(Blocks(parseBody(t, s), nil, Options{Empty: true}), markdown.Options{Images: true, Titles: true})
}

// canon writes the tree of a document without what Markdown cannot express:
// wrappers without meaning (div, span, elements that HTML
// does not know), comments, scripts, attributes other than addresses, titles,
// alternative texts, a list's start and a code block's language, and white
// space that HTML folds. Tight and loose lists differ; so do em and strong in
// each order of nesting.
type canon struct {
	b     strings.Builder
	space bool // white space before the next text
	text  bool // within an inline run
	bare  bool // an inline run is not a paragraph: in a heading, a tight item, a cell
}

func canonical(t testing.TB, s string) string {
	var c canon
	c.children(parseBody(t, s), false)
	c.end()
	return c.b.String()
}

func (c *canon) end() {
	if c.text && !c.bare {
		c.b.WriteString("]\n")
	}
	c.text, c.space = false, false
}

func (c *canon) begin() {
	if !c.text && !c.bare {
		c.b.WriteString("[")
	}
	if c.space && c.text {
		c.b.WriteByte(' ')
	}
	c.space, c.text = false, true
}

func (c *canon) children(n *nethtml.Node, pre bool) {
	for k := n.FirstChild; k != nil; k = k.NextSibling {
		c.node(k, pre)
	}
}

func (c *canon) node(n *nethtml.Node, pre bool) {
	if n.Type == nethtml.TextNode {
		if pre {
			c.text = true
			c.b.WriteString(strings.ReplaceAll(n.Data, "\u00a0", " "))
			return
		}
		for _, r := range n.Data {
			if r == '\u00ad' || r == '\u200b' {
				continue
			}
			if strings.ContainsRune(" \t\n\r\f\u00a0\u2003\u2009", r) {
				c.space = true
				continue
			}
			c.begin()
			c.b.WriteRune(r)
		}
		return
	}
	if n.Type != nethtml.ElementNode {
		return
	}
	get := func(k string) string {
		v := dom.Attr(n, k)
		if k == "href" || k == "src" {
			if u, err := url.PathUnescape(v); err == nil {
				v = u
			}
		}
		return fmt.Sprintf(" %s=%q", k, strings.Join(strings.Fields(v), " "))
	}
	open := ""
	switch n.Data {
	case "script", "style", "template", "textarea":
		return
	case "em", "i":
		open = "em"
	case "strong", "b":
		open = "strong"
	case "del", "s":
		open = "del"
	case "sub", "sup", "code":
		open = n.Data
	case "a":
		if dom.HasAttr(n, "href") {
			open = "a" + get("href") + get("title")
		}
	case "img":
		c.begin()
		c.b.WriteString("<img" + get("src") + get("alt") + get("title") + ">")
		return
	case "br":
		c.space = false
		c.begin()
		c.b.WriteString("<br>")
		return
	case "input":
		c.begin()
		c.b.WriteString("<check" + fmt.Sprint(dom.HasAttr(n, "checked")) + ">")
		return
	case "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "hr", "p", "table", "tr", "th", "td", "dl", "dt", "dd":
		c.end()
		name := n.Data
		if name == "ol" {
			name += get("start")
		}
		if name == "pre" {
			for k := range n.Descendants() {
				if k.Data == "code" {
					if class := dom.Attr(k, "class"); class != "" {
						name = "pre class=" + class
					}
					if l := languageOf(k, true); l != "" {
						name = "pre class=" + l
					}
					pre = true
				}
			}
			c.b.WriteString("[" + name + "]")
			b := canon{}
			b.preText(n)
			fmt.Fprintf(&c.b, "%q\n", strings.TrimSuffix(b.b.String(), "\n"))
			return
		}
		if name == "p" && !c.bare {
			c.children(n, pre) // a run of text on its own is a paragraph
			c.end()
			return
		}
		c.b.WriteString("[" + name + " ")
		bare := c.bare
		c.bare = name != "blockquote"
		c.children(n, pre)
		c.end()
		c.bare = bare
		c.b.WriteString("]\n")
		return
	}
	if open == "" {
		if !dom.IsInline(n.DataAtom) && n.DataAtom != 0 {
			c.end()
			c.children(n, pre)
			c.end()
			return
		}
		c.children(n, pre)
		return
	}
	// A mark's opening stands after white space, its closing before.
	in := canon{bare: true}
	in.children(n, pre)
	s := in.b.String()
	if s == "" && open[0] != 'a' {
		c.space = c.space || in.space
		return
	}
	if first := firstText(n); first != "" && strings.ContainsAny(first[:1], " \n") {
		c.space = true
	}
	c.begin()
	c.b.WriteString("<" + open + ">")
	c.b.WriteString(s)
	c.b.WriteString("</>")
	c.space = in.space
}

func (c *canon) preText(n *nethtml.Node) {
	for k := range n.Descendants() {
		if k.Type == nethtml.TextNode && !(n.FirstChild.NextSibling != nil && k.Parent == n && strings.TrimSpace(k.Data) == "") {
			c.b.WriteString(strings.ReplaceAll(k.Data, "\u00a0", " "))
		}
		if k.Data == "br" {
			c.b.WriteString("\n")
		}
	}
}

func firstText(n *nethtml.Node) string {
	for k := range n.Descendants() {
		if k.Type == nethtml.TextNode && k.Data != "" {
			return k.Data
		}
	}
	return ""
}

// fidelity reads one of the two collections of others' cases. They do not stand
// in this repository: SPYHOP_FIDELITY names the folder that holds the examples
// of the CommonMark specification (CC BY-SA 4.0, John MacFarlane) and the cases
// of turndown's test page (MIT, Dom Christie). The Makefile finds it.
func fidelity(t *testing.T, name string) []byte {
	t.Helper()
	dir := os.Getenv("SPYHOP_FIDELITY")
	if dir == "" {
		t.Skip("SPYHOP_FIDELITY does not name the folder of " + name)
	}
	raw, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The examples of the CommonMark specification: HTML to Markdown and back must
// be the same document. The golden file names those that are not.
func TestCommonMarkRoundTrip(t *testing.T) {
	raw := fidelity(t, "commonmark-spec.json")
	var examples []struct {
		Example       int
		Section, HTML string
	}
	if err := json.Unmarshal(raw, &examples); err != nil {
		t.Fatal(err)
	}
	var failed strings.Builder
	n := 0
	for _, e := range examples {
		md := asMarkdown(t, e.HTML)
		want, got := canonical(t, e.HTML), canonical(t, toHTML(t, md))
		if want != got {
			fmt.Fprintf(&failed, "%d %s: %s\n", e.Example, e.Section, commonMarkReason(e.Example))
			n++
			t.Logf("example %d\n--- html\n%s\n--- markdown\n%s\n--- want\n%s--- got\n%s", e.Example, e.HTML, md, want, got)
		}
	}
	golden(t, "commonmark-failing.txt", fmt.Sprintf("%d of %d pass. These do not:\n%s", len(examples)-n, len(examples), failed.String()))
}

// commonMarkReason says why an example is not the same document again.
func commonMarkReason(example int) string {
	switch example {
	case 144:
		return "a semicolon is no name of a language"
	case 148, 149, 160, 190:
		return "a table of one cell is a layout, and Markdown's tables need a head"
	case 167:
		return "struck out is the text of the paragraph, not the paragraph"
	case 191:
		return "an empty table is left out"
	case 487:
		return "a link without text and address is left out"
	case 570:
		return "two links side by side are two words"
	}
	return "not explained"
}

// The cases of turndown: what they expect and what we write must render to the
// same document.
func TestTurndownCases(t *testing.T) {
	raw := fidelity(t, "turndown-cases.html")
	var failed strings.Builder
	n, bad := 0, 0
	for k := range parseBody(t, string(raw)).Descendants() {
		if dom.Attr(k, "class") != "case" {
			continue
		}
		n++
		var input, expected *nethtml.Node
		for j := range k.Descendants() {
			switch dom.Attr(j, "class") {
			case "input":
				input = j
			case "expected":
				expected = j
			}
		}
		md := markdown.Blocks(Blocks(input, nil, Options{}), markdown.Options{Images: true, Titles: true})
		wantMD := rawText(expected)
		want, got := canonical(t, toHTML(t, wantMD)), canonical(t, toHTML(t, md))
		if want != got {
			bad++
			reason := "not explained"
			if n == 58 {
				reason = "a pre is code, with the tildes in it"
			}
			fmt.Fprintf(&failed, "%d %s: %s\n", n, dom.Attr(k, "data-name"), reason)
			t.Logf("case %d %s\n--- expected\n%s\n--- markdown\n%s\n--- want\n%s--- got\n%s", n, dom.Attr(k, "data-name"), wantMD, md, want, got)
		}
	}
	golden(t, "turndown-failing.txt", fmt.Sprintf("%d of %d pass. These do not:\n%s", n-bad, n, failed.String()))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != got {
		t.Errorf("%s has changed; if for the better, run with -update\n--- was\n%s\n--- is\n%s", file, want, got)
	}
}
