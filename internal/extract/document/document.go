// Package document provides the content of formats that are neither HTML nor
// PDF as a [page.Page]: office files, books, notebooks, mail, feeds, tables,
// data, pictures and zip files.
//
//	p, err := document.Read(body, "text/csv", document.Options{URL: "https://example.com/a.csv"})
//	if err != nil {
//		return err
//	}
//	fmt.Println(p.Type, len(p.Blocks))
//
// Each format has a file of its own, or several with the format's name as a
// prefix. archive.go opens zip files, xml.go reads XML into a small tree.
// Formats that contain others, for example HTML in a book, pass these to
// Options.Read.
//
// # Guarantees
//
// Read is pure and safe for concurrent use. It returns a page or an [Error] and
// does not panic. Entries, unpacked bytes, nodes, nesting, cells and parts are
// counted and bounded; if something is left out, the verdict is partial.
// Entities that a document defines are not expanded, nothing that a document
// refers to is fetched, and macros and formulas are not run.
//
// Text that the document hides by its own switch is left out and counted:
// hidden runs, rows, columns, sheets, slides and shapes. All other text is
// content, whatever its colour, size and position.
//
// # Limits
//
// Of pictures in docx and odt the alternative texts are kept. Comments, page
// headers, page footers and deleted text are left out.
package document

import (
	"cmp"
	"errors"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Options are the settings of Read. The zero value is ready for use.
type Options struct {
	// URL is the address of the document: the base of its links.
	URL string
	// Read reads the parts of a document that have another format, for
	// example text/html. nil leaves such parts out.
	Read func(body []byte, mediaType string) (*page.Page, error)
}

// Code says why a document gives no page. The set is closed.
type Code uint8

const (
	// Malformed: the document breaks the rules of its format.
	Malformed Code = iota + 1
	// TooLarge: it unpacks to more than the bounds.
	TooLarge
	// NoContent: it holds nothing to read.
	NoContent
	// Unsupported: no reader for this media type.
	Unsupported
)

// Error says why a document gives no page. Cause may be nil.
type Error struct {
	Code  Code
	Cause error
}

func (e *Error) Error() string {
	words := "unsupported document"
	switch e.Code {
	case Malformed:
		words = "malformed document"
	case TooLarge:
		words = "the document unpacks to more than can be read"
	case NoContent:
		words = "the document holds nothing to read"
	}
	if e.Cause != nil {
		return words + ": " + e.Cause.Error()
	}
	return words
}

func (e *Error) Unwrap() error { return e.Cause }

const (
	officeXML    = "application/vnd.openxmlformats-officedocument."
	openDocument = "application/vnd.oasis.opendocument."
)

// reader reads one format.
type reader func(b *builder, body []byte) error

// readerOf returns the reader of a media type, or nil.
func readerOf(mediaType string) reader {
	switch mediaType {
	case "text/csv", "text/tab-separated-values":
		return readTable
	case "application/rss+xml", "application/atom+xml", "application/rdf+xml":
		return readFeed
	case "application/feed+json":
		return readJSONFeed
	case "application/x-ipynb+json":
		return readNotebook
	case "message/rfc822", "message/global", "message/news", "application/mbox":
		return readMail
	case "application/epub+zip":
		return readBook
	case "application/zip", "application/x-zip-compressed", "application/java-archive":
		return readListing
	}
	switch {
	case strings.HasPrefix(mediaType, officeXML+"wordprocessingml."), strings.HasPrefix(mediaType, "application/vnd.ms-word."):
		return readWord
	case strings.HasPrefix(mediaType, officeXML+"spreadsheetml."), strings.HasPrefix(mediaType, "application/vnd.ms-excel."):
		return readSheets
	case strings.HasPrefix(mediaType, officeXML+"presentationml."), strings.HasPrefix(mediaType, "application/vnd.ms-powerpoint."):
		return readSlides
	case strings.HasPrefix(mediaType, openDocument):
		return readOpenDocument
	case strings.HasPrefix(mediaType, "image/") && mediaType != "image/svg+xml":
		return readPicture
	}
	return nil
}

// Reads reports whether Read knows a media type.
func Reads(mediaType string) bool { return readerOf(mediaType) != nil }

// Read reads a document of a media type in lower case without parameters.
// Beside an Error with Code NoContent it returns the page with its metadata.
func Read(body []byte, mediaType string, o Options) (*page.Page, error) {
	read := readerOf(mediaType)
	if read == nil {
		return nil, &Error{Code: Unsupported}
	}
	b := &builder{
		Page: &page.Page{URL: o.URL, Type: page.Document, Method: page.MethodDocument, Verdict: page.Complete},
		o:    o, mediaType: mediaType, cells: maxCells, cellBytes: maxTableBytes,
	}
	err := read(b, body)
	if len(b.Blocks) == 0 {
		err = cmp.Or(b.damage, err)
	}
	if err != nil {
		var e *Error
		if !errors.As(err, &e) {
			e = &Error{Code: Malformed, Cause: err}
		}
		return nil, e
	}
	if n := b.removed.Total(); n > 0 {
		b.Omit(page.HiddenCharacters, n)
	}
	if b.cut {
		b.Miss(page.Sign{Kind: page.MissingParts})
		b.Omit(page.OmittedRest, 1)
	}
	if len(b.Blocks) == 0 {
		return b.Page, &Error{Code: NoContent}
	}
	return b.Page, nil
}

// builder collects the blocks of a page and counts what its bounds leave.
type builder struct {
	*page.Page
	o         Options
	mediaType string
	cells     int
	cellBytes int
	count     int   // blocks so far
	quoteAt   int   // how many there were with the last quotation
	codeAt    int   // how many there were with the last block of code
	blanks    int   // empty paragraphs since then
	cut       bool  // something was left out
	damage    error // of the first part of an archive that cannot be read
	notes     noteLabels
	parts     int // in other formats so far
	removed   text.Removed
}

func (b *builder) add(blocks ...page.Block) {
	if b.count += len(blocks); b.count > maxBlocks {
		b.cut = true
		blocks = blocks[:max(0, len(blocks)-(b.count-maxBlocks))]
	}
	b.Blocks = append(b.Blocks, blocks...)
}

// quote appends a paragraph of a quotation, to the one before it if that is one.
func (b *builder) quote(in []page.Inline) {
	p := page.Block{Kind: page.Paragraph, Inlines: in}
	if n := len(b.Blocks); n > 0 && b.quoteAt == b.count && b.Blocks[n-1].Kind == page.Quote {
		b.Blocks[n-1].Children = append(b.Blocks[n-1].Children, p)
		return
	}
	b.add(page.Block{Kind: page.Quote, Children: []page.Block{p}})
	b.quoteAt = b.count
}

// code appends a paragraph of code, to the block before it if that is code.
func (b *builder) code(line string) {
	if strings.TrimSpace(line) == "" {
		b.blank()
		return
	}
	c := Source(line, "", &b.removed)
	if n := len(b.Blocks); n > 0 && b.codeAt == b.count && b.Blocks[n-1].Kind == page.Code {
		b.Blocks[n-1].Text += strings.Repeat("\n", b.blanks+1) + c.Text
	} else {
		b.add(c)
		b.codeAt = b.count
	}
	b.blanks = 0
}

// blank notes an empty paragraph, which is an empty line between lines of code.
func (b *builder) blank() { b.blanks++ }

// heading appends a heading with a text that is not empty.
func (b *builder) heading(level int, s string) {
	if s = b.clean(s); s != "" {
		b.add(page.Block{Kind: page.Heading, Level: min(max(level, 1), deepestHeading), Inlines: plain(s)})
	}
}

// paragraph appends a text that is not empty.
func (b *builder) paragraph(s string) {
	if s = b.clean(s); s != "" {
		b.add(page.Block{Kind: page.Paragraph, Inlines: plain(s)})
	}
}

// table appends rows of text; the first is the header. Empty tables are left
// out, and so is what goes beyond the bound of cells.
func (b *builder) table(rows [][]string) {
	out := make([][]page.Cell, 0, len(rows))
	for _, row := range rows {
		if b.cells -= len(row); b.cells < 0 {
			b.cut = true
			break
		}
		cells := make([]page.Cell, len(row))
		for k, s := range row {
			if s = b.cellText(s); s != "" {
				cells[k].Blocks = []page.Block{{Kind: page.Paragraph, Inlines: plain(s)}}
			}
		}
		out = append(out, cells)
	}
	b.grid(out)
}

// cellText is the text of a cell within the bounds.
func (b *builder) cellText(s string) string {
	if len(s) > maxCellBytes {
		s, b.cut = s[:maxCellBytes], true
	}
	if b.cellBytes -= len(s); b.cellBytes < 0 {
		s, b.cut = "", true
	}
	return b.clean(s)
}

// grid appends a table of cells that are counted already. Cells without a span
// have the span 1; the first row is the header.
func (b *builder) grid(rows [][]page.Cell) {
	for i, row := range rows {
		for k := range row {
			c := &row[k]
			c.ColSpan, c.RowSpan, c.Header = max(c.ColSpan, 1), max(c.RowSpan, 1), i == 0
		}
	}
	if len(rows) > 0 {
		b.add(page.Block{Kind: page.TableBlock, Table: &page.Table{HeaderRows: 1, Rows: rows}})
	}
}

// collect returns the blocks that write adds, instead of adding them.
func (b *builder) collect(write func()) []page.Block {
	outer := b.Blocks
	b.Blocks = nil
	write()
	out := b.Blocks
	b.Blocks = outer
	return out
}

// part appends a part of the document that has another format.
func (b *builder) part(body []byte, mediaType string) *page.Page {
	if b.o.Read == nil {
		return nil
	}
	p, err := b.o.Read(body, mediaType)
	if err != nil || p == nil {
		return nil
	}
	b.parts++
	b.notes.unique(p.Blocks, b.parts)
	b.add(p.Blocks...)
	b.Links = append(b.Links, p.Links[:min(len(p.Links), max(0, maxLinks-len(b.Links)))]...)
	for _, k := range page.HiddenKinds() {
		b.Omit(k, p.Omitted(k))
	}
	return p
}

// lines appends plain text: a paragraph for each piece between empty lines.
func (b *builder) lines(s string) {
	for _, p := range Paragraphs(s, &b.removed) {
		b.add(p)
	}
}

// Paragraphs makes a paragraph of each piece of a plain text between empty
// lines, which keeps its line ends. removed, if it is not nil, counts the
// characters that a person cannot see.
func Paragraphs(s string, removed *text.Removed) []page.Block {
	var out []page.Block
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	for piece := range strings.SplitSeq(s, "\n\n") {
		var in []page.Inline
		for line := range strings.SplitSeq(piece, "\n") {
			if line = text.Clean(line, text.OneLine, removed); line == "" {
				continue
			}
			if len(in) > 0 {
				in = append(in, page.Inline{Kind: page.Break})
			}
			in = append(in, page.Inline{Kind: page.Text, Text: line})
		}
		if len(in) > 0 {
			out = append(out, page.Block{Kind: page.Paragraph, Inlines: in})
		}
	}
	return out
}

// Source is a block of verbatim text. removed, if it is not nil, counts the
// characters that a person cannot see.
func Source(s, lang string, removed *text.Removed) page.Block {
	return page.Block{Kind: page.Code, Lang: lang, Text: strings.TrimRight(text.Clean(s, text.Verbatim, removed), "\n")}
}

// clean makes one line of the text of a document and counts what it removes.
// Metadata, which mostly repeat that text, are made by text.Line.
func (b *builder) clean(s string) string { return text.Clean(s, text.OneLine, &b.removed) }
