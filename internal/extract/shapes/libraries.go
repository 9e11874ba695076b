package shapes

import (
	"fmt"
	"strings"
)

// libraries are documents that are hard for the libraries which read them: the parsers
// of HTML and Markdown, encoding/json and encoding/xml.
func libraries() []Shape {
	const md, js, rss, xml = "text/markdown", "application/json", "application/rss+xml", "application/xml"
	ld := "<script type=application/ld+json>"
	return []Shape{
		// The tree construction of HTML: scopes, formatting that is open, and moved text.
		numbered(page, "attributes of the body", "<p>a", "<body a{n}=b>", ""),
		numbered(page, "attributes of the root", "<p>a", "<html a{n}=b>", ""),
		numbered(page, "formatting that stays open", "", "<p><font a{n}=b>a</p>", ""),
		numbered(page, "formatting in cells", "<table>", "<tr><td><b a{n}=b>a", ""),
		numbered(page, "links that stay open", "", "<a href=/{n}><p>a", ""),
		numbered(page, "nobr in nobr", "", "<nobr>a<p>", ""),
		numbered(page, "formatting before a table", "", "<table><b>a<i>b</table>", ""),
		numbered(page, "elements before a row", "<table>", "<a href={n}><div>b<tr>", ""),
		numbered(page, "end tags of formatting", nested("<div><b><i>", 90), "</b></i></u>", ""),
		numbered(page, "items that close items", nested("<ul><li><div>", 80), "<li>a<div>", ""),
		numbered(page, "headings in headings", "", "<h1><h2><h3>a", ""),
		numbered(page, "buttons in buttons", "", "<button><p>a", ""),
		numbered(page, "options in groups", "<select>", "<optgroup label=a{n}><option>b<select>", ""),
		numbered(page, "rows in templates", "", "<template><tr><td>a<template><caption>b</template></template>", ""),
		numbered(page, "markup that leaves a drawing", "", "<svg><desc><math><mtext><p>a<svg><g><p>b", ""),
		numbered(page, "formulas of markup", "", "<math><annotation-xml encoding=text/html><p>a<svg><foreignObject><p>b", ""),
		numbered(page, "columns of a table", "<table>", "<colgroup span=1000><col span=1000>", "<tr><td>a"),
		numbered(page, "frames of a set", "", "<frameset><frame src=/{n}>", ""),
		numbered(page, "zeros", "<p>", "\x00a", ""),
		numbered(page, "returns", "<pre>", "\r", "a"),
		numbered(page, "names without an end", "<p>", "&CounterClockwiseContourIntegra", ""),
		numbered(page, "numbers of characters", "<p>", "&#x0000000000000000000000041", ""),
		numbered(page, "one tag of equal attributes", "<p ", "a=b ", ">c"),
		numbered(page, "one tag of attributes", "<p ", "a{n}=b ", ">c"),
		numbered(page, "document types", "", "<!DOCTYPE html PUBLIC 'a{n}'>a", ""),
		numbered(page, "scripts in comments in scripts", "<script>", "<!--<script>a</script>", "-->"),
		numbered(page, "instructions and declarations", "", "<?a b?><!c></ d>e", ""),
		numbered(page, "one name", "<", "a", ">b"),

		// What becomes much more than it is when it is written.
		made(page, "lines of code in quotations", true, func(size int) string {
			return nested("<blockquote>", 60) + "<pre>" + nested("a\n", size/2)
		}),
		made(page, "lines of code in lists", true, func(size int) string {
			return nested("<ul><li>", 60) + "<pre>" + nested("a\n", size/2)
		}),
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
		numbered(page, "names of one thing", ld+`{"@type":"Organization","sameAs":[`, `"https://example.com/{n}",`, `"a"],"name":"b"}</script><p>a`),
		numbered(page, "questions of data", ld+`{"@type":"FAQPage","mainEntity":[`, `{"@type":"Question","name":"What is {n}?","acceptedAnswer":{"@type":"Answer","text":"<p>It is <b>a thing</b>"}},`, `0]}</script><p>What is 1? It is a thing`),
		numbered(page, "sections of steps", ld+`{"@type":"Recipe","name":"a","recipeInstructions":[`, `{"@type":"HowToSection","name":"b{n}","itemListElement":[{"@type":"HowToStep","text":"Stir {n} it."}]},`, `0]}</script><p>Stir 1 it.`),
		numbered(page, "offers of each other", ld+`[`, `{"@type":"Product","name":"a{n}","sku":"{n}","isVariantOf":{"@type":"ProductGroup","hasVariant":{"@id":"#{m}"}},"offers":{"@type":"AggregateOffer","lowPrice":{n},"offers":[{"price":{n}}]}},`, `0]</script><h1>a1</h1>`),
		numbered(page, "types of a thing", ld+`{"@type":[`, `"T{n}",`, `"Article"],"headline":"b"}</script><p>a`),
		numbered(page, "comments in data", ld+"<!-- ", "/* {n} */ // a\n", `{"@type":"Article"} --></script><p>a`),
		numbered(page, "one item of many references", "<div itemscope itemtype=https://schema.org/Product itemref='"+pieces(30_000, "r{n} ")+"'>", "<b id=r{n} itemprop=name>a</b>", ""),
		numbered(page, "items of lists of items", "<div itemscope itemtype=https://schema.org/ItemList>", "<div itemprop=itemListElement itemscope itemtype=https://schema.org/ListItem><meta itemprop=position content={n}><a itemprop=item itemscope itemtype=https://schema.org/Thing href=/{n}><b itemprop=name>a", ""),
		numbered(page, "prefixes of RDFa", "<div prefix='"+pieces(30_000, "p{n}: https://example.com/{n}/ ")+"'>", "<b typeof=p{n}:Thing property=p{n}:name>a</b>", "</div>"),
		numbered(page, "scripts of a stream", "<div id=root></div>", "<script>self.__next_f.push([1,\"{n}:\\\"$L{m}\\\"\\n\"])</script>", ""),
		numbered(page, "state that refers to itself", "<div id=root></div><script id=__NUXT_DATA__ type=application/json>[", `{"title":{n},"body":{m}},`, "0]</script>"),

		// Markdown.
		numbered(md, "a name of a definition over lines", "", "[a\nb\nc\n", "]: d\n"),
		numbered(md, "definitions with long names", "["+nested("a ", 400)+"]: b\n\n", "["+nested("A ", 400)+"] ", ""),
		numbered(md, "definitions whose names fold", "[ẞ]: a\n\n", "[SS][ß] ", ""),
		numbered(md, "definitions in items", "", "- [a{n}]: b\n", "\n[a1]"),
		numbered(md, "tables whose marks differ", "", "|a|b|c|\n|-|-|\n", ""),
		made(md, "lines before the marks of a table", true, func(size int) string { return nested("a|b\n", size/4) + "-|-\nc|d\n" }),
		made(md, "lines before an underline", true, func(size int) string { return nested("a\n", size/2) + "===\n" }),
		made(md, "terms before a description", true, func(size int) string { return nested("a\n", size/2) + ": b\n" }),
		numbered(md, "emphasis of all marks", "", "***a**b*_c__d_~~e~", ""),
		numbered(md, "emphasis of three", "", "a***b**c*", ""),
		numbered(md, "emphasis beside quotation marks", "", "*“a”*_(b)_", ""),
		numbered(md, "destinations in parentheses", "", "[a](b(c(d(e)f)g)h) [i](j(k ", ""),
		numbered(md, "titles on lines", "", "[a](b\n'c\n", ""),
		numbered(md, "front matter", "---\n", "a{n}: &b [*b, *b]\n", "---\n\ntext"),
		numbered(md, "equal notes", "", "[^a]: b\n    c\n\n", "d[^a]"),

		// JSON and XML.
		numbered(js, "halves of characters", "[", `"\ud83d\ud83d\ude00\udc00",`, "0]"),
		numbered(js, "a key that is deep", "", `{"a":{"b":[{"c":`, ""),
		made(js, "columns of objects", true, func(size int) string {
			return "[" + upTo(size, func(i int) string { return fmt.Sprintf(`{"k%d":1},`, i) }) + "0]"
		}),
		numbered(js, "words without quotation marks", "[", "tru,nul,", "0]"),
		numbered(xml, "a type of many entities", "<!DOCTYPE a [", "<!ENTITY b{n} '&b{m};&b{m};'>", "]><a>&b9;</a>"),
		numbered(xml, "an open type", "<!DOCTYPE a [", "<!-- ' -->[\"<a", ""),
		numbered(xml, "sections of text", "<a>", "<![CDATA[a]]>", "</a>"),
		numbered(xml, "one name", "<", "a", "/>"),
		numbered(xml, "names of spaces in each other", "", "<a:b xmlns:a='c{n}' xmlns='d{n}'>", ""),
		numbered(rss, "dates", "<rss><channel><title>a</title>", "<item><title>b</title><pubDate>Mon, {n} Foo 99 24:61:61 +9999</pubDate><pubDate>x</pubDate></item>", "</channel></rss>"),
		numbered(rss, "bases", "<rss><channel><title>a</title>", "<item xml:base='../{n}/'><title>b</title><link>../c?d</link><guid>e</guid></item>", "</channel></rss>"),
		numbered(rss, "outlines", "<opml><body>", "<outline text='a' xmlUrl='/{n}'>", ""),
		numbered(rss, "items of RDF", "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'><channel><title>a</title></channel>", "<item rdf:about='/{n}'><title>b</title><dc:creator>c</dc:creator></item>", "</rdf:RDF>"),
	}
}

// envelopes are documents of parts that are hard for the readers of mail, zip files and PDF.
func envelopes() []Shape {
	const (
		word  = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
		sheet = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
		open  = "application/vnd.oasis.opendocument.text"
		book  = "application/epub+zip"
		mail  = "message/rfc822"
		pdf   = "application/pdf"
	)
	p := "<w:p><w:pPr><w:pStyle w:val='s9'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>"
	text := func(name, piece, tail string) Shape {
		return made(pdf, name, true, func(size int) string { return onePage("", pieces(size, piece)+tail) })
	}
	return []Shape{
		made(mail, "parts with boundaries of their own", true, func(size int) string {
			return pieces(size, "Content-Type: multipart/mixed; boundary=b{n}\n\n--b{n}\n") + "\ntext"
		}),
		numbered(mail, "lines like a boundary", "Content-Type: multipart/mixed; boundary="+nested("x", 70)+"\n\n--"+nested("x", 70)+"\n\n", "--"+nested("x", 69)+"\n", ""),
		numbered(mail, "soft ends of lines", "Content-Type: text/html\nContent-Transfer-Encoding: quoted-printable\n\n<p>", "a=\n", ""),
		numbered(mail, "parameters in pieces", "Content-Type: text/plain", ";\n name*{n}*=a%41", "\n\ntext"),
		numbered(mail, "comments in an address", "From: ", "(a ", "b@example.com\n\ntext"),
		numbered(mail, "groups of receivers", "To: ", "a{n}:b@example.com,;", "\n\ntext"),
		numbered(mail, "words of character sets", "Subject: ", "=?iso-2022-jp?B?GyRCJCIbKEI=?= =?gb18030?Q?=81=30?=\n ", "\n\ntext"),
		numbered(mail, "parts of character sets", "Content-Type: multipart/alternative; boundary=x\n\n", "--x\nContent-Type: text/html; charset=iso-2022-jp\n\n\x1b$B$\"\x1b(B<p>a\n", "--x--\n"),

		made(word, "styles of styles", true, func(size int) string {
			return packed("word/document.xml", "<w:document><w:body>"+pieces(size/3, p)+"</w:body></w:document>",
				"word/styles.xml", "<w:styles>"+pieces(size/2, "<w:style w:styleId='s{m}'><w:basedOn w:val='s{n}'/></w:style>")+"</w:styles>")
		}),
		made(word, "relations", true, func(size int) string {
			return packed("word/document.xml", "<w:document><w:body>"+pieces(size/2, "<w:p><w:hyperlink r:id='r{n}'><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>")+"</w:body></w:document>",
				"word/_rels/document.xml.rels", "<Relationships>"+pieces(size/2, "<Relationship Id='r{n}' Target='https://example.com/{n}' TargetMode='External'/>")+"</Relationships>")
		}),
		made(sheet, "strings of runs", true, func(size int) string {
			return packed("xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
				"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
				"xl/sharedStrings.xml", "<sst>"+pieces(size/2, "<si><r><t>a</t></r><r><t>b</t></r></si>")+"</sst>",
				"xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+pieces(size/2, "<row><c t='s'><v>{n}</v></c></row>")+"</sheetData></worksheet>")
		}),
		made(sheet, "one sheet, named often", true, func(size int) string {
			return packed("xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets>`+pieces(min(size/2, 100_000), `<sheet name="a{n}" sheetId="{n}" r:id="r1"/>`)+`</sheets></workbook>`,
				"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
				"xl/worksheets/sheet1.xml", "<worksheet><sheetData>"+pieces(size/2, "<row><c><v>{n}</v></c></row>")+"</sheetData></worksheet>")
		}),
		made(open, "styles of styles", true, func(size int) string {
			return packed("content.xml", "<office:document-content><office:automatic-styles>"+pieces(size/2, "<style:style style:name='s{m}' style:parent-style-name='s{n}' style:family='paragraph'/>")+
				"</office:automatic-styles><office:body><office:text>"+pieces(size/2, "<text:p text:style-name='s0'>a</text:p>")+"</office:text></office:body></office:document-content>")
		}),
		made(book, "a table of contents", true, func(size int) string {
			return packed("META-INF/container.xml", `<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>`,
				"p.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml" properties="nav"/></manifest><spine><itemref idref="a"/></spine></package>`,
				"a.xhtml", "<nav epub:type=toc>"+pieces(size, "<ol><li><a href=a.xhtml#{n}>a</a>"))
		}),
		made(word, "equal names", true, func(size int) string {
			var parts []string
			for range size / 150 {
				parts = append(parts, "word/document.xml", "<w:document/>")
			}
			return packed(parts...)
		}),

		text("states of a page", "q ", ""),
		text("texts at one place", "BT /F 9 Tf 50 700 Td (a) Tj ET ", ""),
		text("texts at places of their own", "BT /F 9 Tf {n} {m} Td (a) Tj ET ", ""),
		text("rules", "{n} {m} 9 1 re f ", "BT /F 9 Tf 50 700 Td (a) Tj ET"),
		text("grids", "{n} 0 m {n} 900 l S 0 {n} m 900 {n} l S ", "BT /F 9 Tf 50 700 Td (a) Tj ET"),
		text("covers", "BT /F 9 Tf 50 700 Td (a) Tj ET 1 g 40 690 100 30 re f ", ""),
		text("clips", "0 0 {n} {n} re W n ", "BT /F 9 Tf 50 700 Td (a) Tj ET"),
		text("one path", "{n} {m} l ", "S BT /F 9 Tf 50 700 Td (a) Tj ET"),
		text("arrays in arrays", "[", ""),
		text("marks of content", "/P <</MCID {n}>> BDC ", "BT /F 9 Tf 50 700 Td (a) Tj ET"),
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

// onePage is a PDF of one page with this content. Of parts, "form NAME" and a line are a form
// of the page, "map" and a line is the map of its font's characters.
func onePage(parts, content string) string {
	var b strings.Builder
	var at []int
	object := func(body string) {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", len(at), body)
	}
	stream := func(dict, body string) {
		object(fmt.Sprintf("<<%s/Length %d>>stream\n%s\nendstream", dict, len(body), body))
	}
	lines := strings.Split(parts, "\n")
	forms, unicode := "", ""
	for i := 0; i+1 < len(lines); i += 2 {
		if name, ok := strings.CutPrefix(lines[i], "form "); ok {
			forms += fmt.Sprintf("/%s %d 0 R", name, 6+i/2)
		} else {
			unicode = fmt.Sprintf("/ToUnicode %d 0 R", 6+i/2)
		}
	}
	resources := "/Resources<</Font<</F 3 0 R>>/XObject<<" + forms + ">>>>"
	b.WriteString("%PDF-1.4\n")
	object("<</Type/Catalog/Pages 2 0 R>>")
	object("<</Type/Pages/Count 1/Kids[4 0 R]>>")
	object("<</Type/Font/Subtype/Type1/BaseFont/Helvetica" + unicode + ">>")
	object("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]" + resources + "/Contents 5 0 R>>")
	stream("", content)
	for i := 0; i+1 < len(lines); i += 2 {
		if lines[i] == "map" {
			stream("", lines[i+1])
		} else {
			stream("/Type/XObject/Subtype/Form/BBox[0 0 612 792]"+resources, lines[i+1])
		}
	}
	table := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF", len(at)+1, table)
	return b.String()
}
