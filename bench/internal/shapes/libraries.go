package shapes

import (
	"fmt"
	"strings"
)

// libraries are documents that are hard for the libraries which read them: the parsers
// of HTML and Markdown, encoding/json and encoding/xml.
func libraries() []Shape {
	return []Shape{
		// The tree construction of HTML: scopes, formatting that is open, and moved text.
		numbered(page, "attributes of the body", "<p>a", "<body a{n}=b>", ""),
		numbered(page, "formatting that stays open", "", "<p><font a{n}=b>a</p>", ""),
		numbered(page, "formatting before a table", "", "<table><b>a<i>b</table>", ""),
		numbered(page, "one tag of attributes", "<p ", "a{n}=b ", ">c"),
		// What becomes much more than it is when it is written.
		made(page, "breaks in quotations", true, func(size int) string {
			return nested("<blockquote>", 60) + "<p>" + nested("a<br>", size/5)
		}),
		made(page, "a long cell beside many rows", true, func(size int) string {
			return "<table><tr><td rowspan=65534>" + nested(sentence, size/2/len(sentence)) + "<td>a" + nested("<tr><td>b", size/18)
		}),
		made(page, "wide cells below a wide head", true, func(size int) string {
			return "<table><tr>" + nested("<th>a", min(size/10, 20_000)) + nested("<tr>"+nested("<td colspan=1000>a", 19)+"<td>b", size/2/351)
		}),
		made(page, "a wide head and short rows", true, func(size int) string {
			return "<table><tr>" + nested("<th>a", size/10) + nested("<tr><td>b<td>c", size/28)
		}),
		// What a page says about itself.
		numbered(page, "one item of many references", "<div itemscope itemtype=https://schema.org/Product itemref='"+pieces(30_000, "r{n} ")+"'>", "<b id=r{n} itemprop=name>a</b>", ""),
		numbered(page, "state that refers to itself", "<div id=root></div><script id=__NUXT_DATA__ type=application/json>[", `{"title":{n},"body":{m}},`, "0]</script>"),
		// Markdown.
		made(md, "lines before the marks of a table", true, func(size int) string { return nested("a|b\n", size/4) + "-|-\nc|d\n" }),
		made(md, "terms before a description", true, func(size int) string { return nested("a\n", size/2) + ": b\n" }),
		numbered(md, "emphasis of all marks", "", "***a**b*_c__d_~~e~", ""),
		numbered(md, "lists of all marks", "", "- a\n  * b\n    + c\n      1. d\n", ""),
		numbered(md, "wide tables", "", nested("|a", 200)+"\n"+nested("|-", 200)+"\n"+nested("|b", 200)+"\n\n", ""),
		made(md, "definitions and references", true, func(size int) string {
			return pieces(size/2, "[a{n}]: https://example.com/{n} 'b'\n") + "\n" + pieces(size/2, "[a{n}] ")
		}),
		made(md, "notes and references", true, func(size int) string {
			return pieces(size/2, "[^a{n}]: b\n\n") + "\n" + pieces(size/2, "c[^a{n}] ")
		}),
		numbered(md, "notes in notes", "", "[^{n}]: a[^{m}]\n\n", "b[^0][^9]"),
		numbered(md, "terms in lists", "", "- a\n  : b\n    : c\n", ""),
		// XML.
		numbered(xml, "a type of many entities", "<!DOCTYPE a [", "<!ENTITY b{n} '&b{m};&b{m};'>", "]><a>&b9;</a>"),
	}
}

// envelopes are documents of parts that are hard for the readers of mail, zip files and PDF.
func envelopes() []Shape {
	p := "<w:p><w:pPr><w:pStyle w:val='s9'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
	text := func(name, piece, tail string) Shape {
		return made(pdf, name, true, func(size int) string { return onePage("", pieces(size, piece)+tail) })
	}
	return []Shape{
		made(mail, "parts with boundaries of their own", true, func(size int) string {
			return pieces(size, "Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n") + "\ntext"
		}),
		made(word, "styles of styles", true, func(size int) string {
			return packed("word/document.xml", "<w:document><w:body>"+pieces(size/3, p)+"</w:body></w:document>",
				"word/styles.xml", "<w:styles>"+pieces(size/2, "<w:style w:styleId='s{m}'><w:basedOn w:val='s{n}'/></w:style>")+"</w:styles>")
		}),
		made(open, "styles of styles", true, func(size int) string {
			return packed("content.xml", "<office:document-content><office:automatic-styles>"+pieces(size/2, "<style:style style:name='s{m}' style:parent-style-name='s{n}' style:family='paragraph'/>")+
				"</office:automatic-styles><office:body><office:text>"+pieces(size/2, "<text:p text:style-name='s0'>a</text:p>")+"</office:text></office:body></office:document-content>")
		}),
		text("texts at one place", "BT /F 9 Tf 50 700 Td (a) Tj ET ", ""),
		text("rules", "{n} {m} 9 1 re f ", "BT /F 9 Tf 50 700 Td (a) Tj ET"),
		text("grids", "{n} 0 m {n} 900 l S 0 {n} m 900 {n} l S ", "BT /F 9 Tf 50 700 Td (a) Tj ET"),
		text("clips", "0 0 {n} {n} re W n ", "BT /F 9 Tf 50 700 Td (a) Tj ET"),
		made(pdf, "forms that call each other twice", true, func(int) string {
			return onePage(upTo(4000, func(i int) string {
				body := fmt.Sprintf("/X%d Do /X%[1]d Do", i+1)
				return fmt.Sprintf("form X%d\n%s\n", i, body)
			}), "/X0 Do")
		}),
		made(pdf, "a map of characters", true, func(size int) string {
			return onePage("map\n"+nested("1 beginbfrange <0000> <FFFF> <0000> endbfrange ", size/46)+"\n", "BT /F 9 Tf 50 700 Td (a) Tj ET")
		}),
	}
}

// onePage is a PDF of one page with this content. Of parts, "form NAME" and a
// line are a form of the page, "map" and a line the map of its font's characters.
func onePage(parts, content string) string {
	stream := func(dict, body string) string {
		return fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(body), body)
	}
	lines, forms, unicode := strings.Split(parts, "\n"), "", ""
	for i := 0; i+1 < len(lines); i += 2 {
		if name, ok := strings.CutPrefix(lines[i], "form "); ok {
			forms += fmt.Sprintf("/%s %d 0 R", name, 6+i/2)
		} else {
			unicode = fmt.Sprintf("/ToUnicode %d 0 R", 6+i/2)
		}
	}
	resources := "/Resources<</Font<</F 3 0 R>>/XObject<<" + forms + ">>>>"
	objects := []string{"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Count 1/Kids[4 0 R]>>", pdfFont + unicode + ">>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]" + resources + "/Contents 5 0 R>>", stream("", content)}
	for i := 0; i+1 < len(lines); i += 2 {
		dict := ""
		if lines[i] != "map" {
			dict = "/Type/XObject/Subtype/Form/BBox[0 0 612 792]" + resources
		}
		objects = append(objects, stream(dict, lines[i+1]))
	}
	return pdfFile(objects)
}
