package shapes

import (
	"fmt"
	"strings"
)

// rare are documents whose cost lies in what few documents have: blocks with a mark each,
// forms that are made twice, tables of one cell, state within state, and what readers of
// single formats keep.
func rare() []Shape {
	const (
		md, js, csv, tsv      = "text/markdown", "application/json", "text/csv", "text/tab-separated-values"
		rss, atom, xml, plain = "application/rss+xml", "application/atom+xml", "application/xml", "text/plain"
		mail, mbox            = "message/rfc822", "application/mbox"
		yaml, ndjson          = "application/yaml", "application/x-ndjson"
		calendar              = "text/calendar"
	)
	ld := "<script type=application/ld+json>"
	list := "<p>The ferry leaves at six.</p>"
	next := func(value string) string {
		return "<div id=__next></div><script id=__NEXT_DATA__ type=application/json>" + value + "</script>"
	}
	return []Shape{
		// Elements that become more than one block each, or blocks with a mark.
		numbered(page, "closed details of a letter", "", "<details><summary>a</summary>b</details>", ""),
		numbered(page, "marked cells", "<table>", "<tr><td><dialog>a</dialog><td>b", ""),
		numbered(page, "marked items", "<ul>", "<li><dialog>a</dialog>", ""),
		numbered(page, "groups with labels", "", "<section aria-label='a {n}'><dialog>b</dialog></section>", ""),
		numbered(page, "lists of one item", "", "<ul><li>a</ul>", ""),
		numbered(page, "numbered lists of one item", "", "<ol start={n}><li>a</ol>", ""),
		numbered(page, "tables of one cell", "", "<table><td>a</table>", ""),
		numbered(page, "descriptions of one term", "<dl>", "<dt>a<dd>b<dd>c", ""),
		numbered(page, "quotations of one letter", "", "<blockquote>a</blockquote>", ""),
		numbered(page, "code of one letter", "", "<pre>a</pre>", ""),
		numbered(page, "displayed formulas", "<p>", "$$a$$ ", ""),
		numbered(page, "emphasis of one letter", "<p>", "<i>a</i>b", ""),
		numbered(page, "links in emphasis in links", "<p>", "<a href=/{n}><b><i>a</i></b></a> ", ""),
		numbered(page, "pictures in links", "", "<a href=/{n}><img src={n}.png alt='a {n}' title=b></a>", ""),
		numbered(page, "links with titles", "<p>", "<a href=/{n} title='b {n}'>a</a> ", ""),
		numbered(page, "ruby with two texts", "<p>", "<ruby>a<rp>(</rp><rt>b</rt><rp>)</rp><rtc>c</rtc></ruby>", ""),
		numbered(page, "notes in notes", "<p>", "<sup id=r{n}><a href=#n{n}>{n}</a></sup><li id=n{n}>a<a href=#r{n}>b</a>", ""),
		numbered(page, "spans of columns and rows", "<table>", "<tr><td colspan=1000 rowspan=65534>a<td>b", ""),
		numbered(page, "headers of cells", "<table>", "<tr><th id=h{n} scope=row>a<td headers='h{n} h{m}'>b", ""),
		numbered(page, "a matrix", "<math><mtable>", "<mtr><mtd><mn>1</mn></mtd><mtd><mi>a</mi></mtd></mtr>", "</mtable></math>"),
		numbered(page, "under and over", "<math>", "<munderover><mo>∑</mo><mi>a</mi><mi>b</mi></munderover>", "</math>"),
		numbered(page, "formulas in both languages", "<p>", "<math><semantics><mi>a</mi><annotation encoding=application/x-tex>a_{n}</annotation></semantics></math>", ""),
		numbered(page, "texts of a drawing", "<svg>", "<text x={n} y=1><tspan>a {n}</tspan></text>", "</svg>"),
		numbered(page, "drawings that use each other", "<svg>", "<g id=g{n}><use href=#g{m} /></g>", "</svg>"),
		made(page, "one list of sources", true, func(size int) string {
			return "<img alt=a src=a.png srcset='" + pieces(min(size, 30<<10), "b{n}.png {n}w, ") + "'>" + nested("<picture><source srcset='a.png 1x, b.png 2x' media='(min-width:1px)'><img src=c.png alt=b></picture>", size/100)
		}),
		numbered(page, "styles of elements", "", "<p style='--a{n}:calc(1px + var(--a{m}));opacity:var(--a{n})'>a", ""),
		numbered(page, "sheets of one rule", "<body>", "<style>.a{n}{display:none}</style><p class=a{m}>a", ""),
		made(page, "containers and layers", true, func(size int) string {
			return "<style>" + pieces(size/2, "@layer a{n}{@container (width>1px){@supports (a:b){.c{n}{&:not(.d){opacity:0}}}}}") + "</style>" + pieces(size/2, "<p class=c{n}>a")
		}),
		made(page, "selectors that have", true, func(size int) string {
			return "<style>" + nested("div:has(+ div > p:nth-last-child(2n+1 of .a)){color:#fff}", size/4/60) + "</style>" + nested("<div><p class=a>b<p>c</div>", size*3/4/27)
		}),

		// Data in a page.
		numbered(page, "things of a graph", ld+`{"@graph":[`, `{"@id":"#{n}","@type":"Product","name":"a{n}","offers":{"@id":"#{m}"}},`, `0]}</script>`+list),
		numbered(page, "a thing in a thing", ld, `{"@type":"Article","headline":"a","isPartOf":`, ""),
		numbered(page, "scripts of one thing", list, ld+`{"@type":"Article","headline":"a{n}","author":{"name":"b"}}</script>`, ""),
		numbered(page, "a list of products", ld+`{"@type":"ItemList","itemListElement":[`, `{"@type":"ListItem","position":{n},"item":{"@type":"Product","name":"a{n}","image":["b","c"],"offers":[{"price":"{n}","priceCurrency":"EUR"}]}},`, `0]}</script>`+list),
		numbered(page, "properties of one item", "<div itemscope itemtype=https://schema.org/Product>", "<b itemprop='name sku gtin a{n}'>a</b>", "</div>"),
		numbered(page, "items of microdata", "", "<p itemscope itemtype=https://schema.org/Person><b itemprop=name>a{n}</b>", ""),
		numbered(page, "properties of Open Graph", "", "<meta property=og:image content=a{n}.png><meta property=article:tag content=b{n}>", list),
		numbered(page, "state of blocks", `<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{"props":{"blocks":[`, `{"type":"paragraph","children":[{"text":"The ferry {n} leaves."}]},`, `0]}}</script>`),
		numbered(page, "state of markup", `<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{"post":{"title":"a","body":"`, `<p>The <b>ferry</b> leaves at {n}.</p>`, `"}}</script>`),
		made(page, "state of strings of state", true, func(size int) string {
			return next(`{"a":[` + pieces(size, `"{\"b\":\"{\\\"title\\\":\\\"a {n}\\\"}\"}",`) + `0]}`)
		}),
		numbered(page, "columns of state", `<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{"rows":[`, `[1,"a",null,{}],`, `0]}</script>`),
		numbered(page, "state of many keys", `<div id=__next></div><script id=__NEXT_DATA__ type=application/json>{`, `"title{n}":{"text":"a","body":"b"},`, `"a":0}</script>`),

		// Markdown.
		numbered(md, "fences of one line", "", "```\n```\n", ""),
		numbered(md, "notes with paragraphs", "", "[^{n}]: a\n\n    b\n\nc[^{n}]\n\n", ""),
		numbered(md, "tables with marks in each cell", "|a|b|\n|-|-|\n", "|**a** *b* `c`|<b>d</b> [e](/{n}) ![f](g)|\n", ""),
		numbered(md, "closed details of HTML", "", "<details><summary>a</summary>\n\nb\n\n</details>\n\n", ""),
		numbered(md, "items of code", "", "- `a`\n", ""),
		made(md, "empty lines in a fence", true, func(size int) string { return "```\n" + nested("\n", size) }),
		numbered(md, "lines of quotation marks", "", ">\n", ""),
		numbered(md, "lines of one backtick", "", "`\n", ""),
		numbered(md, "letters and returns", "", "a\n\r\n", ""),

		// Data, feeds, tables, text.
		numbered(js, "numbers in strings", "[", `"{n}",`, "0]"),
		numbered(js, "a wide object of arrays", "{", `"k{n}":[[],{}],`, `"b":0}`),
		made(js, "empty strings", true, func(size int) string { return "[" + nested(`"",`, size/3) + "0]" }),
		numbered(js, "tables in a notebook", `{"nbformat":4,"cells":[`, `{"cell_type":"markdown","source":["|a|b|\n","|-|-|\n","|c|d|\n"]},`, `{"cell_type":"code","source":[]}]}`),
		numbered(ndjson, "lines of values", "", "0\n", ""),
		numbered(csv, "quoted fields of one letter", "", "\"a\",\"b\"\n", ""),
		made(csv, "one row", true, func(size int) string { return nested("a,", size/2) }),
		numbered(csv, "rows of two letters", "a,b\n", "c,d\n", ""),
		numbered(tsv, "empty fields", "a\tb\n", "\t\n", ""),
		numbered(rss, "items with pictures", "<rss><channel><title>a</title>", "<item><title>b</title><description>&lt;img src=c{n}.png&gt;&lt;a href=/{n}&gt;d&lt;/a&gt;</description></item>", "</channel></rss>"),
		numbered(rss, "authors of a feed", "<rss><channel><title>a</title>", "<author>name {n}</author><item><title>a</title><description>b</description></item>", "</channel></rss>"),
		numbered(atom, "empty entries", "<feed xmlns='http://www.w3.org/2005/Atom'>", "<entry/>", "</feed>"),
		numbered(xml, "empty elements", "<a>", "<b/>", "</a>"),
		numbered(xml, "indexes of a site", "<sitemapindex>", "<sitemap><loc>https://example.com/{n}.xml</loc></sitemap>", "</sitemapindex>"),
		numbered(plain, "halves of characters", "", "\xf0\x9f", ""),
		numbered(plain, "columns of spaces", "", "a                b\n", ""),
		numbered(plain, "Korean in pieces", "", "\u1112\u1161\u11ab", ""),
		numbered(yaml, "anchors", "", "a{n}: &b{n} [*b{m}]\n", ""),
		numbered(calendar, "events", "BEGIN:VCALENDAR\n", "BEGIN:VEVENT\nSUMMARY:a {n}\nDTSTART:20240101\nEND:VEVENT\n", "END:VCALENDAR\n"),
		numbered(plain, "a list of a site for models", "# Site\n\n", "- [a {n}](https://example.com/{n}): b\n", ""),

		// Mail.
		numbered(mail, "folded fields", "Subject: a", "\n b", "\n\ntext"),
		numbered(mail, "types within types", "", "Content-Type: multipart/mixed; boundary=b\n\n--b\n", "\ntext"),
		numbered(mail, "attachments", "Content-Type: multipart/mixed; boundary=x\n\n", "--x\nContent-Disposition: attachment; filename*=utf-8''a{n}.txt\n\nb\n", "--x--\n"),
		numbered(mail, "flowed lines", "Content-Type: text/plain; format=flowed\n\n", "> a \n", ""),
		numbered(mbox, "lines that begin with from", "From a@example.com Mon Jan  1 00:00:00 2024\nSubject: a\n\n", ">From b\n\nFrom c@example.com Mon Jan  1 00:00:00 2024\n\n", ""),
		made(page, "comments between letters", true, func(size int) string { return "<p>" + nested("a<!---->", size/8) }),
		made(page, "a stair of lists", true, func(size int) string {
			return upTo(size, func(i int) string {
				depth := 1 + i%60
				return strings.Repeat("<ul><li>a", depth) + strings.Repeat("</ul>", depth)
			})
		}),
		made(page, "rows of growing spans", true, func(size int) string {
			return "<table>" + upTo(size, func(i int) string { return fmt.Sprintf("<tr><td colspan=%d rowspan=%d>a", 1+i%1000, 1+i%200) })
		}),
	}
}
