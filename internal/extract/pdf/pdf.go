// Package pdf provides the text of PDF documents as a [page.Page].
//
//	p, err := pdf.Read(body, pdf.Options{URL: "https://example.com/paper.pdf"})
//	if err != nil {
//		return err
//	}
//	fmt.Println(p.Meta.Title, len(p.Blocks))
//
// pdfcpu reads the structure and undoes encryption; the rest is done here. The
// content of each page is interpreted (content.go), each code of a string
// becomes text by what its font says (font.go, cmap.go, fontfile.go, glyph.go),
// glyphs become words and lines by where they stand (line.go), lines are put
// into reading order by the gutters between columns (region.go), and lines
// become headings, paragraphs, code and ruled tables (block.go, ruled.go).
// Lines of right-to-left writing are turned around (bidi.go). What the page does
// not show (hidden.go), and what stands at the top or bottom of many pages is
// left out (running.go).
//
// The first block of each page, and each heading, has the ID "page=N", which is
// what a fragment of a PDF's address is by RFC 8118, section 3.
//
// # Guarantees
//
// Read is pure and safe for concurrent use. It gives a page or an [Error],
// never a panic: calls of the library are recovered. Bytes that the library
// reads, bytes that streams unpack to, objects, pages, operators and glyphs are
// counted and bounded. What goes beyond a bound of pages or steps is left out
// and the verdict is partial.
//
// # Limits
//
// Text that is drawn as a picture or as outlines is not read. A document that
// wants a password is not opened. Fonts that say neither Unicode nor names give
// no text. What is hidden by layers, masks or something painted over it is read
// like any other text.
package pdf

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Options steer a reading. The zero value leaves running headers and footers
// out.
type Options struct {
	// URL is the address of the document.
	URL string
	// Whole keeps running headers, footers and page numbers.
	Whole bool
}

// Code is the closed set of reasons for which a PDF gives no page.
type Code uint8

const (
	// Malformed: it is no PDF, or broken beyond repair.
	Malformed Code = iota + 1
	// Locked: it opens with a password alone.
	Locked
	// TooLarge: it unpacks to more than the bounds.
	TooLarge
	// NoContent: it holds no text.
	NoContent
)

// Error says why a PDF gives no page. Cause may be nil.
type Error struct {
	Code  Code
	Cause error
}

func (e *Error) Error() string {
	switch e.Code {
	case Locked:
		return "the PDF opens with a password alone"
	case TooLarge:
		return "the PDF unpacks to more than can be read"
	case NoContent:
		return "the PDF holds no text"
	}
	if e.Cause != nil {
		return "malformed PDF: " + e.Cause.Error()
	}
	return "malformed PDF"
}

func (e *Error) Unwrap() error { return e.Cause }

// Read reads a PDF. Beside an Error with Code NoContent it returns the page
// with its metadata and without blocks.
func Read(body []byte, o Options) (*page.Page, error) {
	d, err := open(body)
	if err != nil {
		return nil, err
	}
	p := &page.Page{URL: o.URL, Type: page.Document, Method: page.MethodDocument, Verdict: page.Complete}
	p.Meta = d.meta()
	pages := d.pages()
	sheets := make([]*sheet, 0, len(pages))
	for i, pg := range pages {
		s := d.sheet(pg)
		s.number = i + 1
		sheets = append(sheets, s)
		if d.steps <= 0 {
			break
		}
	}
	if !o.Whole {
		dropRunning(sheets)
	}
	p.Blocks = makeBlocks(sheets, p.Meta.Language)
	p.Links = d.links
	for _, kind := range page.HiddenKinds() {
		p.Note(kind, d.hidden[kind])
	}
	if d.steps <= 0 || d.cut {
		p.Verdict = page.Partial
		p.Note(page.NoteTruncated, 1)
	}
	if p.Meta.Title == "" {
		p.Meta.Title = firstHeading(p.Blocks)
	}
	if len(p.Blocks) == 0 {
		return p, &Error{Code: NoContent}
	}
	return p, nil
}

// firstHeading is the heading that stands for a title, which is near the top.
func firstHeading(blocks []page.Block) string {
	for i, b := range blocks {
		if b.Kind == page.Heading {
			return page.InlineText(b.Inlines)
		}
		if i > 8 {
			break
		}
	}
	return ""
}

// clean makes one line of page text. U+FFFD stands for glyphs whose character
// is not known, and goes too.
func clean(s string) string { return text.Line(strings.ReplaceAll(s, "\uFFFD", "")) }
