package shapes

import (
	"encoding/base64"
	"fmt"
	"strings"
)

// records are JSON, CSV, XML, feeds and plain text.
func records() []Shape {
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
		made(js, "one number", true, func(size int) string { return nested("1", size) }),
		numbered(js, "cells of a notebook", `{"nbformat":4,"cells":[`, `{"cell_type":"markdown","source":["> - a\n"]},`, `{"cell_type":"code","source":[],"outputs":[]}]}`),
		made(csv, "many columns and short rows", true, func(size int) string { return nested("a,", size/4) + "\n" + nested("b\n", size/4) }),
		made(csv, "a triangle", true, func(size int) string {
			return upTo(size, func(i int) string { return nested("a,", i) + "a\n" })
		}),
		feed("items with sheets", "<item><title>a</title><description><![CDATA[<style>.x{display:none}</style><p class=x>a<p>b]]></description></item>"),
		feed("items with open elements", "<item><title>a</title><content:encoded><![CDATA["+nested("<div>", 100)+"a]]></content:encoded></item>"),
		feed("entities", "<item><title>&amp;&lt;&#65;&nbsp;&foo;</title></item>"),
		made(rss, "one item of markup", true, func(size int) string {
			return "<rss><channel><title>a</title><item><title>b</title><description><![CDATA[" + nested("<p>a", size/4) + "]]></description></item></channel></rss>"
		}),
		numbered(xml, "entities", "<!DOCTYPE a [<!ENTITY b 'cccc'>]><a>", "&b;", "</a>"),
	}
}

// parcels are documents of parts.
func parcels() []Shape {
	doc := func(name, head, piece, tail string) Shape {
		return made(word, name, true, func(size int) string {
			return packed("word/document.xml", "<w:document><w:body>"+head+pieces(size, piece)+tail+"</w:body></w:document>")
		})
	}
	p := "<w:p><w:r><w:t>a</w:t></w:r></w:p>"
	return []Shape{
		doc("tables in tables", "", nested("<w:tbl><w:tr><w:tc>", 30)+p+nested("</w:tc></w:tr></w:tbl>", 30), ""),
		doc("lists", "", "<w:p><w:pPr><w:numPr><w:ilvl w:val='8'/><w:numId w:val='{n}'/></w:numPr></w:pPr><w:r><w:t>a</w:t></w:r></w:p>", ""),
		doc("notes", "", "<w:p><w:r><w:footnoteReference w:id='{n}'/></w:r></w:p>", ""),
		made(sheet, "one row", true, func(size int) string {
			return workbook("<row>" + pieces(size, "<c><v>1</v></c>") + "</row>")
		}),
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
		numbered(mail, "parts", "Content-Type: multipart/mixed; boundary=x\n\n", "--x\nContent-Type: text/plain\n\na\n", "--x--\n"),
		numbered(mail, "encoded words", "Subject: ", "=?utf-8?B?YQ==?= =?utf-8?Q?=61?= ", "\n\ntext"),
		made(mail, "base64", true, func(size int) string {
			return "Content-Type: text/html\nContent-Transfer-Encoding: base64\n\n" + base64.StdEncoding.EncodeToString([]byte(nested("<p>a", size*3/16)))
		}),
		numbered(mail, "mail in mail", "", "Content-Type: message/rfc822\n\n", "a"),
		numbered(mbox, "messages", "", "From a@example.com Mon Jan  1 00:00:00 2024\nSubject: a{n}\n\nb\n\n", ""),
	}
}
