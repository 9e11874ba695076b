// Package extract provides the engine that turns the bytes of a document into
// a [page.Page]: its main content as blocks, its metadata, its links.
//
//	p, err := extract.HTML(body, extract.Options{URL: "https://example.com/post"})
//	if err != nil {
//		return err
//	}
//	fmt.Println(p.Type, p.Meta.Title, len(p.Blocks))
//
// An HTML page goes one way: the bytes are parsed once, the body is cut into
// blocks of text in one walk, each block gets about 200 features from its
// text, its place and its ancestors, a small forest of boosted trees gives it
// the probability to be main content, and the set of blocks is chosen that
// maximises the page's expected F1. A second walk over the chosen part alone
// makes the blocks. No site has a rule of its own; no node wins as a whole.
// The model is a data file, embedded; docs/model-card.md says what it was
// trained on and how well it does.
//
// # Guarantees
//
// The functions are pure and safe for concurrent use: bytes in, values out; no
// network, files, clock or randomness. Time and memory are linear in the input
// up to the limits below, and every input gives a page or an [Error], never a
// panic. A page on which no main content is found comes whole, and its Method
// says so; one that stands in the place of content, as a captcha does, gives an
// Error with its Verdict.
//
// # Limits
//
// 300,000 tags, 510 levels, 256 attributes a tag and 32 KiB an attribute are
// read; what goes beyond is left out and counted in the page's notes. Bodies
// must be valid UTF-8 (package fetch sees to that); invalid bytes come out as
// U+FFFD. Scripts are not run; the data in them is read where the page shows next
// to nothing.
package extract

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/extract/convert"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/extract/metadata"
	"github.com/spyhop-dev/spyhop/internal/extract/pagestate"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Options steer an extraction. The zero value reads the main content.
type Options struct {
	// URL is the address of the document: the base of relative links, and a
	// hint for the page type. It may be empty; then relative links are left
	// out.
	URL string
	// Whole takes the whole body instead of the main content.
	Whole bool
	// Comments says what becomes of readers' comments; the zero value leaves
	// them out on articles.
	Comments Comments
	// Selector limits the content to the elements that a CSS selector fits;
	// empty for no limit. Only HTML and Markdown documents have elements.
	Selector string
	// Static says that no script runs in the document, so that nothing in it
	// waits to be shown: a part of an answer, not a page.
	Static bool
}

// Code is the closed set of reasons for which nothing can be extracted.
type Code uint8

const (
	// Unsupported: no reader for this media type.
	Unsupported Code = iota + 1
	// NoContent: the document holds no text.
	NoContent
	// Malformed: the document breaks the rules of its type, or is locked.
	Malformed
	// BadSelector: Options.Selector cannot be read, or asks for too much.
	BadSelector
	// NoMatch: Options.Selector fits nothing that is shown.
	NoMatch
	// TooLarge: the document unpacks to more than is read.
	TooLarge
)

// Error says why a document gave no page.
type Error struct {
	Code      Code
	MediaType string
	// Verdict says, with NoContent, what stands in the place of content; may be
	// empty.
	Verdict page.Verdict
	Cause   error
}

func (e *Error) Error() string {
	switch e.Code {
	case Unsupported:
		return fmt.Sprintf("unsupported content type %s", e.MediaType)
	case NoContent:
		if why := reason(e.Verdict); why != "" {
			return "no readable content: " + why
		}
		return "no readable content"
	case BadSelector:
		return "the selector cannot be read, or asks for too much"
	case NoMatch:
		return "the selector fits nothing on the page"
	case TooLarge:
		return fmt.Sprintf("%s that unpacks to more than can be read", e.MediaType)
	}
	if e.Cause != nil {
		return fmt.Sprintf("malformed %s: %v", e.MediaType, e.Cause)
	}
	return fmt.Sprintf("malformed %s", e.MediaType)
}

func (e *Error) Unwrap() error { return e.Cause }

// reason is a verdict in a few words.
func reason(v page.Verdict) string {
	switch v {
	case page.Challenge:
		return "the site asks whether a person is there (challenge)"
	case page.LoginWall:
		return "the page is a form to sign in (login_wall)"
	case page.RateLimited:
		return "the site got too many requests (rate_limited)"
	case page.RefusedBySite:
		return "the site refuses access (refused_by_site)"
	case page.Dead:
		return "the page does not exist, is empty or is out of order (dead)"
	case page.EmptyShell:
		return "the page is empty until its scripts run (empty_shell)"
	}
	return ""
}

// CheckSelector reports whether Options.Selector can be read. The error has
// the code BadSelector.
func CheckSelector(s string) error {
	if _, err := css.Compile(s); err != nil {
		return &Error{Code: BadSelector}
	}
	return nil
}

// selectorError is the error of a selector in this package's terms.
func selectorError(err error) *Error {
	if errors.Is(err, dom.ErrNoMatch) {
		return &Error{Code: NoMatch}
	}
	return &Error{Code: BadSelector}
}

// HTML extracts the content of an HTML page.
//
// A page without content gives an [Error] with Code NoContent and, beside it,
// the page with its verdict, metadata and links and without blocks.
func HTML(body []byte, o Options) (*page.Page, error) { return readHTML(body, o, hooks{}) }

// hooks let training and explaining take part in an extraction.
type hooks struct {
	// label gives the blocks their probabilities in place of the model.
	label func(l *layout) ([]float32, typeScores)
	// see is shown how the blocks were judged before the choice is carried out.
	see func(m *model, l *layout, f *pageFacts, prob []float32, keep []bool)
}

func readHTML(body []byte, o Options, h hooks) (*page.Page, error) {
	p := &page.Page{URL: o.URL, Type: page.Other, Method: page.MethodSpyhop, Verdict: page.Complete}
	if !utf8.Valid(body) {
		body = []byte(strings.ToValidUTF8(string(body), "\uFFFD"))
	}
	doc, err := dom.Parse(body, p)
	if err != nil {
		// No tree: the words are still there.
		p.Method = page.MethodTokens
		p.Verdict = page.Partial
		words := dom.TokenText(body)
		if strings.TrimSpace(words) == "" {
			return p, &Error{Code: NoContent, MediaType: "text/html", Cause: err}
		}
		for line := range strings.SplitSeq(words, "\n") {
			if line = text.Line(line); line != "" {
				p.Blocks = append(p.Blocks, page.Block{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: line}}})
			}
		}
		return p, nil
	}
	m, err := loadModel()
	if err != nil {
		return nil, err
	}
	base := dom.NewResolver(o.URL, doc)
	l := m.newLayout()
	defer m.release(l)
	if o.Static {
		dom.RemoveHiddenStatic(dom.Body(doc), p)
	}
	f := l.analyse(doc, o.URL, p)
	p.Links = dom.ReadLinks(doc, base)
	meta, stated := metadata.Read(doc, o.URL) // after analyse, which may revive noscript
	p.Meta = meta
	var prob []float32
	var types typeScores
	if h.label != nil {
		prob, types = h.label(l)
	} else {
		prob, types = m.label(l, f)
	}
	p.Type = l.typeOf(types, stated)
	keep := choose(l, f, prob, choices{o.Comments, p.Type})
	if h.see != nil {
		h.see(m, l, f, prob, keep)
	}
	head := dom.ReadHead(doc)
	_, path := dom.HostAndPath(o.URL)
	sums := l.weigh(prob, keep)
	verdict := judge(doc, head, path, l, sums)
	p.Shell = shellOf(doc, verdict, sums)
	if !o.Whole && o.Selector == "" {
		p.Verdict = verdict
	}
	unpacked := (p.Verdict.Success() || p.Verdict == page.EmptyShell) &&
		pagestate.Unpack(doc, head, o.URL, pagestate.Shown{Text: l.buf, Plain: l.plainText(), Chosen: sums.chosen}, stated.ArticleBody)
	if unpacked {
		p.Note(page.NoteState, 1)
		p.Verdict, p.Shell = page.Complete, ""
		p.Links = moreLinks(p.Links, dom.ReadLinks(doc, base))
		dom.RemoveHidden(head.Body, p)
		l.reset()
		l.cut(head.Body, "")
		_, types = m.label(l, l.facts(head.Title, head.Description, path))
		p.Meta, stated = metadata.Read(doc, o.URL)
		p.Type = l.typeOf(types, stated)
	}
	var sel dom.Selection
	if o.Selector != "" {
		if sel, err = dom.Select(dom.Body(doc), o.Selector); err != nil {
			return p, selectorError(err)
		}
	} else if !o.Whole && !unpacked {
		left := 0
		for _, k := range keep {
			if !k {
				left++
			}
		}
		if left < len(keep) && (left > 0 || !l.isShort()) {
			sel = l.selectNodes(keep)
			p.Note(page.NoteBlocks, left)
		}
	}
	co := convert.Options{Resolve: base.Linkable, Notes: p, Empty: o.Whole, Controls: l.isShort()}
	root := dom.Body(doc)
	if sel != nil {
		p.Blocks = convert.Blocks(root, sel.Of, co)
	}
	if len(p.Blocks) == 0 && o.Selector == "" {
		sel = nil
		p.Blocks = convert.Blocks(root, nil, co)
	}
	if sel == nil && !unpacked {
		p.Method = page.MethodWholeBody
	}
	if len(p.Blocks) == 0 && o.Selector == "" && p.Verdict == page.Complete {
		// What is shown stands in other pages.
		p.Blocks, p.Verdict = frames(doc, co.Resolve), page.Thin
		p.Links = moreLinks(p.Links, linksOf(p.Blocks))
	}
	if len(l.blocks) == 0 && len(p.Blocks) > 0 && p.Verdict == page.EmptyShell {
		p.Verdict = page.Complete // pictures
	}
	if p.Verdict.Success() && p.Count(page.NoteNodes) > 0 {
		p.Verdict = page.Partial
	}
	if len(p.Blocks) == 0 || !p.Verdict.Success() {
		p.Blocks = nil
		e := &Error{Code: NoContent, MediaType: "text/html", Verdict: p.Verdict}
		if p.Verdict.Success() {
			e.Verdict = "" // nothing would fill it
		}
		return p, e
	}
	return p, nil
}

// frames are the pages that a page without text of its own shows, a link each.
func frames(doc *html.Node, resolve func(string) (string, bool)) (out []page.Block) {
	const maxFrames = 50
	for n := range doc.Descendants() {
		if n.DataAtom != atom.Frame && n.DataAtom != atom.Iframe || len(out) == maxFrames {
			continue
		}
		url, ok := resolve(strings.TrimSpace(dom.Attr(n, "src")))
		if width := dom.Attr(n, "width"); !ok || !strings.HasPrefix(url, "http") || width == "0" || width == "1" {
			continue
		}
		name := text.Line(cmp.Or(dom.Attr(n, "title"), dom.Attr(n, "aria-label"), dom.Attr(n, "name"), url))
		name = text.Cut(name, 200)
		link := page.Inline{Kind: page.LinkInline, URL: url, Children: []page.Inline{{Kind: page.Text, Text: name}}}
		out = append(out, page.Block{Kind: page.Paragraph, Inlines: []page.Inline{link}})
	}
	return out
}

// linksOf lists the links of blocks that are one link each.
func linksOf(blocks []page.Block) (out []page.Link) {
	for i := range blocks {
		in := blocks[i].Inlines[0]
		out = append(out, page.Link{URL: in.URL, Text: in.Children[0].Text, Count: 1})
	}
	return out
}

// moreLinks appends the links that are new.
func moreLinks(links, more []page.Link) []page.Link {
	known := make(map[string]bool, len(links))
	for _, l := range links {
		known[l.URL] = true
	}
	for _, l := range more {
		if !known[l.URL] {
			links = append(links, l)
		}
	}
	return links
}
