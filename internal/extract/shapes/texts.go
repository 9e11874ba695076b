package shapes

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// notes are Markdown documents beside those of [markdown].
func notes() []Shape {
	const md = "text/markdown"
	return []Shape{
		numbered(md, "quotations in lists", "", "> - > - a\n", ""),
		numbered(md, "lists in quotations", "", "- > - > a\n", ""),
		numbered(md, "quotations and paragraphs", "", "> - > - a\n\n", ""),
		numbered(md, "lists of all marks", "", "- a\n  * b\n    + c\n      1. d\n", ""),
		numbered(md, "quotations that go on", "> > > > a\n", "b\n", ""),
		numbered(md, "items and paragraphs", "", "- a\n\n  b\n\n", ""),
		numbered(md, "items and code", "", "- a\n\n      b\n\n", ""),
		numbered(md, "items and fences", "", "1. ```\n   a\n   ```\n", ""),
		numbered(md, "tasks", "", "- [x] a\n- [ ] b\n", ""),
		numbered(md, "tables in lists", "", "- | a | b |\n  |---|---|\n  | c | d |\n", ""),
		numbered(md, "tables", "", "| a | b |\n|---|---|\n| c | d |\n\n", ""),
		numbered(md, "wide tables", "", nested("|a", 200)+"\n"+nested("|-", 200)+"\n"+nested("|b", 200)+"\n\n", ""),
		numbered(md, "a table of marks", "|a|b|\n|-|-|\n", "|*a* `b`|[c](d)|\n", ""),
		made(md, "definitions and references", true, func(size int) string {
			return pieces(size/2, "[a{n}]: https://example.com/{n} 'b'\n") + "\n" + pieces(size/2, "[a{n}] ")
		}),
		made(md, "notes and references", true, func(size int) string {
			return pieces(size/2, "[^a{n}]: b\n\n") + "\n" + pieces(size/2, "c[^a{n}] ")
		}),
		numbered(md, "notes in notes", "", "[^{n}]: a[^{m}]\n\n", "b[^0][^9]"),
		numbered(md, "one note often", "[^a]: b\n\n", "c[^a] ", ""),
		numbered(md, "terms in lists", "", "- a\n  : b\n    : c\n", ""),
		numbered(md, "terms with paragraphs", "", "a\n: b\n\n  c\n\n", ""),
		numbered(md, "headings with identifiers", "", "# Title {n} {#a{n}}\n\na\n\n", ""),
		numbered(md, "equal headings", "", "## a\n\n", ""),
		numbered(md, "hard breaks", "", "a  \nb\\\n", ""),
		numbered(md, "pictures", "", "![a](b{n}.png \"c\") ", ""),
		numbered(md, "links around pictures", "", "[![a](b{n}.png)](c) ", ""),
		numbered(md, "links of sentences", "", "["+sentence+"](/{n}) ", ""),
		numbered(md, "autolinks", "", "<https://example.com/{n}> ", ""),
		numbered(md, "sentences on lines", "", sentence+"\n", ""),
		numbered(md, "one paragraph", "", sentence, ""),
		numbered(md, "blocks of markup", "", "<div>a</div>\n\n*b*\n\n", ""),
		numbered(md, "open blocks of markup", "", "<div>\n\n*b*\n\n", ""),
		numbered(md, "inline markup", "", "<b>*a*</b> ", ""),
		numbered(md, "inline markup with styles", "<style>.x{display:none}</style>\n\n", "<b class=x style=color:red>*a*</b> ", ""),
		numbered(md, "formulas", "", "$a_{n}$ $$b$$ ", ""),
		numbered(md, "fences of languages", "", "```go\na\n```\n", ""),
		numbered(md, "fences in each other", "", "````\n```\na\n```\n````\n", ""),
		numbered(md, "families", "", "👨‍👩‍👧‍👦", ""),
		numbered(md, "combining marks", "a", "\u0301", ""),
		numbered(md, "direction", "", "abc אבג\n", ""),
		numbered(md, "tabs and quotations", "", ">\t>\t- a\n", ""),
		numbered(md, "carriage returns", "", "a\r\n\r\n", ""),
		numbered(md, "rules and lists", "", "* * *\n- - a\n", ""),
		numbered(md, "strong letters", "", "**a** __b__ ", ""),
		numbered(md, "strikes", "", "~~a~~ ", ""),
		numbered(md, "code spans", "", "``a ` b`` ", ""),
		numbered(md, "words with underscores", "", "a_b_c ", ""),
	}
}

// records are JSON, CSV, XML, feeds and plain text.
func records() []Shape {
	const js, csv, tsv, rss, atom, jsonFeed, xml, plain = "application/json", "text/csv", "text/tab-separated-values", "application/rss+xml", "application/atom+xml", "application/feed+json", "application/xml", "text/plain"
	tree := "0"
	for range 5 {
		tree = "[" + nested(tree+",", 9) + tree + "]"
	}
	feed := func(name, item string) Shape {
		return numbered(rss, name, "<rss xmlns:content='a'><channel><title>a</title>", item, "</channel></rss>")
	}
	return []Shape{
		numbered(js, "arrays of arrays", "[", tree+",", "0]"),
		numbered(js, "objects in each other", "[", nested(`{"a":[`, 200)+"1"+nested("]}", 200)+",", "0]"),
		numbered(js, "equal keys", "{", `"a":0,`, `"a":1}`),
		numbered(js, "long keys", "{", `"`+nested("k", 900)+`{n}":0,`, `"a":1}`),
		made(js, "one number", true, func(size int) string { return nested("1", size) }),
		numbered(js, "exponents", "[", "1e99999,", "0]"),
		numbered(js, "strings with escapes", "[", `"\n\t\"\\\u0041\ud83d\ude00",`, "0]"),
		numbered(js, "strings of lines", `{"a":"`, `line\n`, `"}`),
		numbered(js, "strings of markup", "[", `"<p>a</p><script>b</script>",`, "0]"),
		numbered(js, "null and true", "[", "null,true,", "0]"),
		numbered(js, "empty objects", "[", "{},", "0]"),
		numbered(js, "lines of objects", "", `{"a":{n},"b":"c"}`+"\n", ""),
		numbered(js, "spaces", "[", " \n", "0]"),
		numbered(js, "a schema", `{"$defs":{`, `"a{n}":{"$ref":"#/$defs/a{m}"},`, `"b":0}}`),
		numbered(js, "cells of a notebook", `{"nbformat":4,"cells":[`, `{"cell_type":"markdown","source":["> - a\n"]},`, `{"cell_type":"code","source":[],"outputs":[]}]}`),
		numbered(js, "lines of a notebook", `{"nbformat":4,"cells":[{"cell_type":"code","source":[`, `"a\n",`, `"b"],"outputs":[]}]}`),
		numbered(js, "outputs of a notebook", `{"nbformat":4,"cells":[{"cell_type":"code","source":[],"outputs":[`, `{"output_type":"stream","text":["a\n"]},`, `{}]}]}`),
		numbered(js, "markup in a notebook", `{"nbformat":4,"cells":[`, `{"cell_type":"code","source":[],"outputs":[{"output_type":"display_data","data":{"text/html":["<table><tr><td>a"]}}]},`, `{}]}`),
		numbered(csv, "columns and short rows", pieces(1000, "a{n},")+"\n", "b\n", ""),
		made(csv, "many columns and short rows", true, func(size int) string { return nested("a,", size/4) + "\n" + nested("b\n", size/4) }),
		made(csv, "a triangle", true, func(size int) string {
			return upTo(size, func(i int) string { return nested("a,", i) + "a\n" })
		}),
		numbered(csv, "quoted fields", "", `"a ""b""","c`+"\n"+`d"`+"\n", ""),
		numbered(csv, "an open quotation", `"`, "a,b\n", ""),
		numbered(csv, "one field", "", "a", ""),
		numbered(csv, "empty fields", "", ",,,,\n", ""),
		numbered(csv, "pipes", "a,b\n", "|*a*|,`b`\n", ""),
		numbered(tsv, "fields", "a\tb\n", "a {n}\tb\n", ""),
		numbered(csv, "fields with semicolons", "a;b\n", "1,5;{n}\n", ""),
		feed("short items", "<item><title>a{n}</title></item>"),
		feed("items of markup", "<item><title>a</title><description><![CDATA[<p>a<b>c</b>]]></description></item>"),
		feed("items with sheets", "<item><title>a</title><description><![CDATA[<style>.x{display:none}</style><p class=x>a<p>b]]></description></item>"),
		feed("items with variables", "<item><title>a</title><description><![CDATA[<style>*{--a:var(--b);opacity:var(--a)}</style><div style='--b:var(--c)'><p>a]]></description></item>"),
		feed("items with tables", "<item><title>a</title><description><![CDATA[<table><tr><td colspan=1000 rowspan=65534>a]]></description></item>"),
		feed("items with open elements", "<item><title>a</title><content:encoded><![CDATA["+nested("<div>", 100)+"a]]></content:encoded></item>"),
		feed("items with escaped markup", "<item><title>a</title><description>"+nested("&lt;p&gt;a", 40)+"</description></item>"),
		feed("categories", "<item><title>a</title>"+nested("<category>b</category>", 100)+"</item>"),
		feed("enclosures", "<item><title>a</title>"+nested("<enclosure url='https://example.com/a.mp3' type='audio/mpeg'/>", 50)+"</item>"),
		feed("names of spaces", "<item xmlns:a{n}='b{n}'><a{n}:title>a</a{n}:title></item>"),
		feed("entities", "<item><title>&amp;&lt;&#65;&nbsp;&foo;</title></item>"),
		made(rss, "one item of markup", true, func(size int) string {
			return "<rss><channel><title>a</title><item><title>b</title><description><![CDATA[" + nested("<p>a", size/4) + "]]></description></item></channel></rss>"
		}),
		made(rss, "a title", true, func(size int) string {
			return "<rss><channel><title>" + nested("a ", size/2) + "</title><item><title>b</title></item></channel></rss>"
		}),
		numbered(atom, "entries", "<feed xmlns='http://www.w3.org/2005/Atom'><title>a</title>", "<entry><title>a{n}</title><id>{n}</id><link href='/{n}'/><content type='html'>&lt;p&gt;a</content></entry>", "</feed>"),
		numbered(atom, "entries of XHTML", "<feed xmlns='http://www.w3.org/2005/Atom'><title>a</title>", "<entry><title>a</title><content type='xhtml'><div xmlns='http://www.w3.org/1999/xhtml'>"+nested("<div>", 50)+"a"+nested("</div>", 50)+"</div></content></entry>", "</feed>"),
		numbered(atom, "links of an entry", "<feed xmlns='http://www.w3.org/2005/Atom'><title>a</title><entry><title>b</title>", "<link href='/{n}'/><author><name>a</name></author>", "</entry></feed>"),
		numbered(jsonFeed, "items", `{"version":"https://jsonfeed.org/version/1.1","title":"a","items":[`, `{"id":"{n}","content_html":"<p>a"},`, `{"id":"x"}]}`),
		numbered(xml, "attributes", "<a>", "<b c='d' e='{n}'/>", "</a>"),
		numbered(xml, "comments", "<a>", "<!-- a -->b", "</a>"),
		numbered(xml, "entities", "<!DOCTYPE a [<!ENTITY b 'cccc'>]><a>", "&b;", "</a>"),
		numbered(xml, "instructions", "<a>", "<?b c?>", "</a>"),
		numbered(xml, "addresses of a site", "<urlset>", "<url><loc>https://example.com/{n}</loc></url>", "</urlset>"),
		numbered(plain, "one word", "", "a", ""),
		numbered(plain, "families", "", "👨‍👩‍👧‍👦", ""),
		numbered(plain, "direction", "", "abc אבג ", ""),
		numbered(plain, "control characters", "", "a\x1b[31m\x00\x07", ""),
		numbered(plain, "returns", "", "a\r", ""),
		numbered(plain, "lines of letters", "", "a\n", ""),
		numbered(plain, "backticks", "", "```\n", ""),
		numbered(plain, "bytes that are no text", "", "\xff\xfe\x80", ""),
		numbered("text/x-python", "lines of a program", "", "def f{n}():\n    return {n}\n", ""),
	}
}

// parcels are documents of parts.
func parcels() []Shape {
	const (
		word   = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
		sheet  = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
		open   = "application/vnd.oasis.opendocument.text"
		book   = "application/epub+zip"
		mail   = "message/rfc822"
		mbox   = "application/mbox"
		zipped = "application/zip"
	)
	doc := func(name, head, piece, tail string) Shape {
		return made(word, name, true, func(size int) string {
			return packed("word/document.xml", "<w:document><w:body>"+head+pieces(size, piece)+tail+"</w:body></w:document>")
		})
	}
	odt := func(name, head, piece, tail string) Shape {
		return made(open, name, true, func(size int) string {
			return packed("content.xml", "<office:document-content><office:body><office:text>"+head+pieces(size, piece)+tail+"</office:text></office:body></office:document-content>")
		})
	}
	p := "<w:p><w:r><w:t>a</w:t></w:r></w:p>"
	return []Shape{
		doc("short paragraphs", "", p, ""),
		doc("tables", "", "<w:tbl><w:tr><w:tc>"+p+"</w:tc><w:tc>"+p+"</w:tc></w:tr></w:tbl>", ""),
		doc("a wide table", "<w:tbl><w:tr>", "<w:tc>"+p+"</w:tc>", "</w:tr></w:tbl>"),
		doc("rows", "<w:tbl>", "<w:tr><w:tc><w:tcPr><w:gridSpan w:val='9999'/><w:vMerge/></w:tcPr>"+p+"</w:tc></w:tr>", "</w:tbl>"),
		doc("tables in tables", "", nested("<w:tbl><w:tr><w:tc>", 30)+p+nested("</w:tc></w:tr></w:tbl>", 30), ""),
		doc("lists", "", "<w:p><w:pPr><w:numPr><w:ilvl w:val='8'/><w:numId w:val='{n}'/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", ""),
		doc("headings", "", "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", ""),
		doc("notes", "", "<w:p><w:r><w:footnoteReference w:id='{n}'/></w:r></w:p>", ""),
		doc("formulas", "", "<w:p><m:oMath>"+nested("<m:f><m:num>", 30)+"<m:r><m:t>a</m:t></m:r>"+nested("</m:num></m:f>", 30)+"</m:oMath></w:p>", ""),
		doc("bookmarks", "", "<w:p><w:bookmarkStart w:name='a{n}'/><w:hyperlink w:anchor='a{m}'><w:r><w:t>a</w:t></w:r></w:hyperlink></w:p>", ""),
		made(sheet, "short rows", true, func(size int) string {
			return workbook(pieces(size, "<row><c><v>1</v></c></row>"))
		}),
		made(sheet, "one row", true, func(size int) string {
			return workbook("<row>" + pieces(size, "<c><v>1</v></c>") + "</row>")
		}),
		made(sheet, "merged cells", true, func(size int) string {
			return packed("xl/workbook.xml", `<workbook xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="a" sheetId="1" r:id="r1"/></sheets></workbook>`,
				"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet"/></Relationships>`,
				"xl/worksheets/sheet1.xml", `<worksheet><sheetData>`+pieces(size/2, `<row r="{n}"><c r="A{n}"><v>1</v></c></row>`)+`</sheetData><mergeCells>`+pieces(size/2, `<mergeCell ref="A{n}:XFD1048576"/>`)+`</mergeCells></worksheet>`)
		}),
		odt("spans", "<text:p>", "<text:span>a</text:span>", "</text:p>"),
		odt("lists in lists", "", nested("<text:list><text:list-item>", 50)+"<text:p>a</text:p>"+nested("</text:list-item></text:list>", 50), ""),
		odt("spaces", "<text:p>a", "<text:s text:c='1000000'/>", "</text:p>"),
		odt("tables", "", "<table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell></table:table-row></table:table>", ""),
		made(book, "many chapters", true, func(size int) string {
			var items, spine strings.Builder
			parts := []string{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>`}
			var chapters []string
			for i := range min(size/400, 9000) {
				fmt.Fprintf(&items, `<item id="a%d" href="a%[1]d.xhtml" media-type="application/xhtml+xml"/>`, i)
				fmt.Fprintf(&spine, `<itemref idref="a%d"/>`, i)
				chapters = append(chapters, fmt.Sprintf("a%d.xhtml", i), "<style>p{--a:var(--b);opacity:var(--a)}</style><h1>a</h1><p>b")
			}
			parts = append(parts, "p.opf", `<package><manifest>`+items.String()+`</manifest><spine>`+spine.String()+`</spine></package>`)
			return packed(append(parts, chapters...)...)
		}),
		made(zipped, "many files", true, func(size int) string {
			var parts []string
			for i := range size / 120 {
				parts = append(parts, fmt.Sprintf("folder/%d.txt", i), "a")
			}
			return packed(parts...)
		}),
		numbered(mail, "parts", "Content-Type: multipart/mixed; boundary=x\n\n", "--x\nContent-Type: text/plain\n\na\n", "--x--\n"),
		numbered(mail, "parts of markup", "Content-Type: multipart/mixed; boundary=x\n\n", "--x\nContent-Type: text/html\n\n<style>p{--a:var(--b)}</style><p>a\n", "--x--\n"),
		numbered(mail, "fields", "", "X-A{n}: b\n", "\ntext"),
		numbered(mail, "encoded words", "Subject: ", "=?utf-8?B?YQ==?= =?utf-8?Q?=61?= ", "\n\ntext"),
		numbered(mail, "receivers", "To: ", "Ann {n} <a{n}@example.com>, ", "b@example.com\n\ntext"),
		made(mail, "base64", true, func(size int) string {
			return "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(nested("<p>a", size*3/16)))
		}),
		numbered(mail, "quoted lines", "Subject: a\n\n", "> > > a\n", ""),
		numbered(mail, "mail in mail", "", "Content-Type: message/rfc822\n\n", "a"),
		numbered(mbox, "messages", "", "From a@example.com Mon Jan  1 00:00:00 2024\nSubject: a{n}\n\nb\n\n", ""),
	}
}
