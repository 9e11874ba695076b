// Package shapes provides documents of any size, ordinary and hostile, with
// which tests and benchmarks measure what reading them costs.
//
//	for _, s := range shapes.All() {
//		p, err := extract.Document(s.Make(1<<20), s.MediaType, extract.Options{})
//	}
//
// A hostile shape repeats what a parser may compare with all that came before,
// nests without end, or unpacks to much more than it is. Each is built from its
// size only, so that a result can be repeated.
package shapes

import (
	"archive/zip"
	"bytes"
	"compress/zlib"
	"fmt"
	"slices"
	"strings"
)

// Shape is a kind of document.
type Shape struct {
	Name      string
	MediaType string
	Hostile   bool
	// Make returns a document of about so many bytes.
	Make func(size int) []byte
}

// All returns every shape, by media type.
func All() []Shape {
	return slices.Concat(markdown(), data(), records(), pages(), elements(), sheets(), documents(), parcels(), libraries(), envelopes())
}

// repeated is a shape that repeats a text.
func repeated(mediaType, name, unit string) Shape {
	return Shape{Name: name, MediaType: mediaType, Hostile: true, Make: func(size int) []byte {
		return []byte(strings.Repeat(unit, max(size/len(unit), 1)))
	}}
}

// around is a shape that opens as often as it closes.
func around(mediaType, name, left, middle, right string) Shape {
	return Shape{Name: name, MediaType: mediaType, Hostile: true, Make: func(size int) []byte {
		n := max(size/(len(left)+len(right)), 1)
		return []byte(strings.Repeat(left, n) + middle + strings.Repeat(right, n))
	}}
}

// made is a shape of its own.
func made(mediaType, name string, hostile bool, build func(size int) string) Shape {
	return Shape{Name: name, MediaType: mediaType, Hostile: hostile, Make: func(size int) []byte { return []byte(build(size)) }}
}

// upTo repeats numbered pieces up to a size.
func upTo(size int, piece func(i int) string) string {
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		b.WriteString(piece(i))
	}
	return b.String()
}

const (
	page, md, plain = "text/html", "text/markdown", "text/plain"
	js, csv, xml    = "application/json", "text/csv", "application/xml"
	rss, mail, mbox = "application/rss+xml", "message/rfc822", "application/mbox"
	pdf, book       = "application/pdf", "application/epub+zip"
	word            = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	sheet           = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	show            = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	open            = "application/vnd.oasis.opendocument.text"
)

const sentence = "The quick brown fox jumps over the lazy dog near the river bank. "

func markdown() []Shape {
	return []Shape{
		made(md, "article", false, func(size int) string {
			return upTo(size, func(i int) string {
				return fmt.Sprintf("## Section %d\n\n%s*%s* and [a link](https://example.com/%d).\n\n- item `code`\n  - **nested**\n\n| a | b |\n|---|---|\n| %d | x |\n\n",
					i, strings.Repeat(sentence, 5), sentence[:20], i, i)
			})
		}),
		repeated(md, "emphasis that closes nothing", "*a_ "),
		repeated(md, "emphasis without spaces", "*a_"),
		around(md, "nested emphasis", "*a ", "b", " a*"),
		repeated(md, "backticks", "`a"),
		repeated(md, "open brackets", "["),
		around(md, "nested brackets", "[", "a", "]"),
		around(md, "nested links", "[", "a", "](b)"),
		repeated(md, "links with titles that do not end", "[a](b \"c"),
		repeated(md, "addresses that do not end", "[a](b"),
		repeated(md, "parentheses", "[a](("),
		repeated(md, "references to nothing", "[a][b]"),
		repeated(md, "definitions with titles that do not end", "[a]: b\n\"c\n"),
		made(md, "many definitions", true, func(size int) string { return upTo(size, func(i int) string { return fmt.Sprintf("[%d]: b\n", i) }) }),
		made(md, "a long address repeated", true, func(size int) string {
			return "[a]: https://example.com/" + strings.Repeat("x", size/2) + "\n\n" + strings.Repeat("[a]", size/6)
		}),
		made(md, "footnotes and references", true, func(size int) string {
			return upTo(size/2, func(i int) string { return fmt.Sprintf("[^%d]: b\n\n", i) }) + upTo(size/2, func(i int) string { return fmt.Sprintf("[^%d]", i) })
		}),
		repeated(md, "comments that do not end", "<!-- a "),
		repeated(md, "instructions that do not end", "<? a "),
		repeated(md, "tags that do not end", "a <b "),
		made(md, "tags before one end", true, func(size int) string { return strings.Repeat("a <b c ", size/7) + ">" }),
		repeated(md, "tags with open quotes", "a <b c=' <b c=\" "),
		repeated(md, "hosts of 256", "_www."+strings.Repeat("a", 250)),
		repeated(md, "quotation marks", "> "),
		made(md, "deeper and deeper quotes", true, func(size int) string {
			return upTo(size, func(i int) string { return strings.Repeat(">", i) + "a\n" })
		}),
		made(md, "nested lists", true, func(size int) string {
			return upTo(size, func(i int) string { return strings.Repeat("  ", i) + "- a\n" })
		}),
		made(md, "a deep list and empty lines", true, func(size int) string {
			return upTo(2000, func(i int) string { return strings.Repeat("  ", i) + "- a\n" }) + strings.Repeat("\n", size)
		}),
		made(md, "a deep list and deep lines", true, func(size int) string {
			return strings.Repeat("- ", 30) + "a\n" + strings.Repeat(strings.Repeat(" ", 60)+"a\n\n", size/63)
		}),
		repeated(md, "empty items", "-\n"),
		repeated(md, "empty lines", "\n"),
		repeated(md, "paragraphs", "a\n\n"),
		made(md, "a wide table with short rows", true, func(size int) string {
			n := size / 6
			return strings.Repeat("|a", n) + "\n" + strings.Repeat("|-", n) + "\n" + strings.Repeat("a\n", n)
		}),
		made(md, "cells with escaped pipes", true, func(size int) string {
			return "a|b\n-|-\n" + strings.Repeat("`\\|`|c\n", size/7)
		}),
		repeated(md, "blocks of HTML", "<div>\n\n"),
		repeated(md, "tabs in lists", "-\ta\n\t"),
	}
}

func data() []Shape {
	return []Shape{
		made(js, "objects", false, func(size int) string {
			return "[" + upTo(size, func(i int) string {
				return fmt.Sprintf(`{"id":%d,"name":"name %d","tags":["a","b"],"in":{"x":1.5,"y":null}},`, i, i)
			}) + "0]"
		}),
		around(js, "nested arrays", "[", "", "]"),
	}
}

func pages() []Shape {
	return []Shape{
		made(page, "article", false, func(size int) string {
			return "<html><body><main>" + upTo(size, func(i int) string {
				return fmt.Sprintf("<h2>Section %d</h2><p>%s<a href=/%d>link</a></p><ul><li>a<li>b</ul>", i, strings.Repeat(sentence, 5), i)
			})
		}),
		repeated(page, "open elements", "<div>"),
		made(page, "variables", true, func(size int) string {
			return "<style>.x{--a0:0;" + upTo(size/2, func(i int) string { return fmt.Sprintf("--a%d:var(--a%d);", i+1, i) }) + "opacity:var(--a9)}</style>" + strings.Repeat("<i class=x>a</i>", size/32)
		}),
		repeated(page, "formatting that reopens", "<b><p>a"),
		made(csv, "rows", false, func(size int) string {
			return upTo(size, func(i int) string { return fmt.Sprintf("%d,name %d,\"a, b\",1.5\n", i, i) })
		}),
		repeated(csv, "columns", "a,"),
		repeated(csv, "quotation marks", "\"a\n"),
		made(rss, "open elements", true, func(size int) string { return "<rss><channel>" + strings.Repeat("<item>", size/6) }),
		made(rss, "empty items", true, func(size int) string {
			return "<rss><channel>" + strings.Repeat("<item/>", size/7) + "</channel></rss>"
		}),
		repeated(xml, "open elements", "<a>"),
		repeated(plain, "sentences", sentence),
		repeated(plain, "empty lines", "\n"),
		repeated(plain, "combining marks", "\u0301"),
	}
}

// packed is a zip file of named parts.
func packed(parts ...string) string {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(parts); i += 2 {
		f, err := w.CreateHeader(&zip.FileHeader{Name: parts[i], Method: zip.Store})
		if err == nil {
			_, _ = f.Write([]byte(parts[i+1]))
		}
	}
	_ = w.Close()
	return b.String()
}

// workbook is an Excel file with one sheet of these rows.
func workbook(rows string) string {
	return packed("xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/></Relationships>`,
		"xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+rows+`</sheetData></worksheet>`)
}

// pdfFile is a PDF of these objects, of which the first is the catalog.
func pdfFile(objects []string) string {
	var b strings.Builder
	b.WriteString("%PDF-1.4\n")
	table := "0000000000 65535 f \n"
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	return b.String() + fmt.Sprintf("xref\n0 %d\n%strailer<</Size %[1]d/Root 1 0 R>>\nstartxref\n%[3]d\n%%%%EOF", len(objects)+1, table, b.Len())
}

const pdfFont = "<</Type/Font/Subtype/Type1/BaseFont/Helvetica"

// portable is a PDF with forty lines on each page.
func portable(size int) string {
	pages := max(size/3700, 1)
	objects, kids := []string{"<</Type/Catalog/Pages 2 0 R>>", "", pdfFont + ">>"}, ""
	text := "BT /F 10 Tf 12 TL 50 780 Td" + strings.Repeat(" ("+sentence+") Tj T*", 40) + " ET"
	for i := range pages {
		kids += fmt.Sprintf("%d 0 R ", 4+2*i)
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources<</Font<</F 3 0 R>>>>/Contents %d 0 R>>", 5+2*i), fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(text), text))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", pages, kids)
	return pdfFile(objects)
}

func documents() []Shape {
	bookOf := func(spine, chapter string) string {
		return packed("META-INF/container.xml", `<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>`,
			"p.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>`+spine+`</spine></package>`, "a.xhtml", chapter)
	}
	return []Shape{
		made(word, "paragraphs", false, func(size int) string {
			return packed("word/document.xml", `<w:document><w:body>`+strings.Repeat("<w:p><w:r><w:t>"+sentence+"</w:t></w:r></w:p>", size/120)+`</w:body></w:document>`)
		}),
		made(word, "open elements", true, func(size int) string { return packed("word/document.xml", strings.Repeat("<w:p>", size/5)) }),
		made(word, "runs of one paragraph", true, func(size int) string {
			return packed("word/document.xml", `<w:document><w:body><w:p>`+strings.Repeat("<w:r><w:rPr><w:b/></w:rPr><w:t>"+sentence+"</w:t></w:r>", size/125)+`</w:p></w:body></w:document>`)
		}),
		made(word, "fields of one paragraph", true, func(size int) string {
			const mark = `<w:r><w:fldChar w:fldCharType="`
			return packed("word/document.xml", `<w:document><w:body><w:p>`+strings.Repeat(mark+`begin"/><w:instrText>HYPERLINK "http://a.example/"</w:instrText></w:r>`+mark+`separate"/><w:t>a</w:t></w:r>`+mark+`end"/></w:r>`, size/210)+`</w:p></w:body></w:document>`)
		}),
		made(sheet, "rows", false, func(size int) string {
			return workbook(upTo(size, func(i int) string {
				return fmt.Sprintf(`<row r="%d"><c r="A%[1]d"><v>%[1]d</v></c><c r="B%[1]d" t="inlineStr"><is><t>%s</t></is></c></row>`, i+1, sentence)
			}))
		}),
		made(sheet, "distant cells", true, func(size int) string {
			return workbook(upTo(size, func(i int) string { return fmt.Sprintf(`<row r="%d"><c r="XFD%[1]d"><v>1</v></c></row>`, i*50+1) }))
		}),
		made(open, "paragraphs", false, func(size int) string {
			return packed("content.xml", `<office:document-content><office:body><office:text>`+strings.Repeat("<text:p>"+sentence+"</text:p>", size/85)+`</office:text></office:body></office:document-content>`)
		}),
		made(open, "repeated rows", true, func(size int) string {
			return packed("content.xml", `<office:document-content><office:body><office:text><table:table>`+strings.Repeat(`<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16000"><text:p>a</text:p></table:table-cell></table:table-row>`, size/160+1)+`</table:table></office:text></office:body></office:document-content>`)
		}),
		made(book, "one chapter", false, func(size int) string {
			return bookOf(`<itemref idref="a"/>`, strings.Repeat("<p>"+strings.Repeat(sentence, 5), size/330))
		}),
		made(book, "one chapter, named 50 times", true, func(size int) string {
			return bookOf(strings.Repeat(`<itemref idref="a"/>`, 50), strings.Repeat("<p>"+strings.Repeat(sentence, 5), size/330))
		}),
		made(mail, "a field of many lines", true, func(size int) string {
			return strings.Repeat("Subject: a\n"+strings.Repeat(" b\n", 32<<10), size/(96<<10)+1) + "\ntext"
		}),
		made(mail, "parts in each other", true, func(size int) string {
			return "Content-Type: multipart/mixed; boundary=x\n\n" + strings.Repeat("--x\nContent-Type: multipart/mixed; boundary=x\n\n", size/48)
		}),
		made(pdf, "pages", false, portable),
		made(pdf, "objects without a table", true, func(size int) string {
			return "%PDF-1.4\n" + upTo(size, func(i int) string { return fmt.Sprintf("%d 0 obj\n<</A 1>>\nendobj\n", i+1) }) + "trailer<</Root 1 0 R>>\nstartxref\n5\n%%EOF"
		}),
		made(pdf, "lines that begin objects", true, func(size int) string { return "%PDF-1.4\n" + strings.Repeat("1 0 obj\n", size/8) }),
		made(pdf, "objects in streams", true, func(size int) string { return packedObjects(size, 100, 0) }),
		made(pdf, "objects in streams that unpack", true, func(size int) string { return packedObjects(size, 1, 30<<10) }),
		made(pdf, "a table that names one object", true, func(size int) string {
			head := "%PDF-1.4\n1 0 obj\n<</Type/Catalog>>\nendobj\n"
			n := size / 20
			return head + fmt.Sprintf("xref\n0 %d\n", n+1) + "0000000000 65535 f \n" + strings.Repeat("0000000009 00000 n \n", n) +
				fmt.Sprintf("trailer<</Root 1 0 R/Size %d>>\nstartxref\n%d\n%%%%EOF", n+1, len(head))
		}),
	}
}

// packedObjects is a PDF whose small objects stand in object streams, as programs
// write them since PDF 1.5: so many in each, and as much white space behind them.
func packedObjects(size, each, space int) string {
	var b, table strings.Builder
	row := func(kind, first, second int) {
		table.Write([]byte{byte(kind), byte(first >> 24), byte(first >> 16), byte(first >> 8), byte(first), byte(second)})
	}
	b.WriteString("%PDF-1.5\n")
	row(0, 0, 0)
	row(1, b.Len(), 0)
	b.WriteString("1 0 obj\n<</Type/Catalog>>\nendobj\n")
	next := 2
	for b.Len()+table.Len() < size {
		var at, objects strings.Builder
		stream := next
		row(1, b.Len(), 0)
		for i := range each {
			fmt.Fprintf(&at, "%d %d ", stream+1+i, objects.Len())
			objects.WriteString("<</A 1>> ")
			row(2, stream, i)
		}
		next += 1 + each
		content, filter := at.String()+objects.String(), ""
		if space > 0 {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			_, _ = w.Write([]byte(content + strings.Repeat(" ", space)))
			_ = w.Close()
			content, filter = z.String(), "/Filter/FlateDecode"
		}
		fmt.Fprintf(&b, "%d 0 obj\n<</Type/ObjStm/N %d/First %d/Length %d%s>>\nstream\n%s\nendstream\nendobj\n", stream, each, at.Len(), len(content), filter, content)
	}
	start := b.Len()
	row(1, start, 0)
	fmt.Fprintf(&b, "%d 0 obj\n<</Type/XRef/W[1 4 1]/Size %d/Root 1 0 R/Length %d>>\nstream\n%s\nendstream\nendobj\nstartxref\n%d\n%%%%EOF", next, next+1, table.Len(), table.String(), start)
	return b.String()
}
