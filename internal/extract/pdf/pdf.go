// Package pdf provides the text of PDF documents as a [page.Page].
//
//	p, err := pdf.Read(body, pdf.Options{URL: "https://example.com/paper.pdf"})
//	if err != nil {
//		return err
//	}
//	fmt.Println(p.Meta.Title, len(p.Blocks))
//
// The library pdfcpu parses the structure and decrypts it. Then, in this order:
//
//   - content.go interprets the content of each page, annotation.go its form fields,
//     notes and links; font.go, cmap.go, glyph.go and collection.go turn codes into
//     text. hidden.go drops what the page does not show.
//   - line.go makes words and rows of glyphs by their positions; bidi.go and pen.go put
//     right-to-left writing into the order of reading.
//   - region.go orders rows by the gutters between columns, e.g. three columns, or
//     prose with a side note.
//   - table.go finds tables by their rules, aligned.go by words above each other.
//   - scan.go gets the pictures of pages without text.
//   - running.go drops running headers and footers, block.go makes headings,
//     paragraphs, lists and code.
//
// All thresholds are in limits.go.
//
// The first block of each page, and each heading, has the ID "page=N", the form
// of a fragment of a PDF's address in RFC 8118, section 3.
//
// # Guarantees
//
// Read is pure and safe for concurrent use. It returns a page or an [Error] and
// does not panic: calls of the library are recovered. Bytes that the library
// reads, bytes that streams unpack to, objects, pages, operators and glyphs are
// counted and bounded. What goes beyond a bound of pages or steps is left out
// and the verdict is partial.
//
// # Limits
//
// Text that is drawn as a picture or as outlines is not extracted, nor is the value of a form
// field without an appearance. A document that
// requires a password is not opened. Fonts that define neither Unicode nor names
// give no text. Text that a mask, a clipping path or another shape hides is extracted
// like other text. Korean lines that break within a word are joined with a space.
package pdf

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Options are the settings of Read. The zero value leaves running headers and
// footers out.
type Options struct {
	// URL is the address of the document.
	URL string
	// Whole keeps running headers, footers and page numbers.
	Whole bool
	// Stop is asked now and then: its error ends the reading, which returns it.
	// nil is never asked.
	Stop func() error
	// Picture gets the pictures of pages without text that look like a scan, as JPEG, JPEG
	// 2000 or Netpbm; nil for a page whose pictures are in no such form.
	Picture func(page int, picture []byte)
}

// errorCode says why a PDF gives no page. The set is closed.
type errorCode uint8

const (
	// Malformed: it is not a PDF, or it cannot be repaired.
	Malformed errorCode = iota + 1
	// locked: it opens only with a password.
	locked
	// TooLarge: it unpacks to more than the bounds.
	TooLarge
	// NoContent: it holds no text.
	NoContent
)

// Error says why a PDF gives no page. Cause may be nil.
type Error struct {
	Code  errorCode
	Cause error
}

func (e *Error) Error() string {
	switch e.Code {
	case locked:
		return "the PDF opens only with a password"
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
	d, err := open(body, o.Stop)
	if err != nil {
		return nil, err
	}
	p := &page.Page{URL: o.URL, Type: page.Document, Method: page.MethodDocument, Verdict: page.Complete}
	p.Meta = d.meta()
	pages := d.pages()
	sheets := make([]*sheet, 0, len(pages))
	for i, pg := range pages {
		if o.Stop != nil {
			if err := o.Stop(); err != nil {
				return nil, err
			}
		}
		s := d.sheet(pg)
		s.number = i + 1
		if s.blank {
			p.Omit(page.OmittedPages, 1)
			if s.scanned() {
				p.Miss(page.Sign{Kind: page.MissingText})
				if o.Picture != nil {
					d.scans(s, o.Picture)
				}
			}
		}
		s.ground, s.pictures = nil, nil
		sheets = append(sheets, s)
		if d.steps <= 0 {
			break
		}
	}
	d.ctx = nil // the objects are not needed while the blocks are made
	if !o.Whole {
		dropRunning(sheets)
	}
	p.Blocks = makeBlocks(sheets)
	p.Links = d.links
	for _, kind := range page.HiddenKinds() {
		p.Omit(kind, d.hidden[kind])
	}
	if d.steps <= 0 || d.cut {
		p.Miss(page.Sign{Kind: page.MissingParts})
		p.Omit(page.OmittedRest, 1)
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
		if i > titleBlocks {
			break
		}
	}
	return ""
}

// clean makes one line of page text. U+FFFD stands for glyphs whose character
// is not known, and goes too.
func clean(s string) string { return text.Line(strings.ReplaceAll(s, "\uFFFD", "")) }

func isSoftHyphen(s string) bool { return s == text.SoftHyphen }
