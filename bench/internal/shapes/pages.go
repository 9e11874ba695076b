package shapes

import (
	"strconv"
	"strings"
)

// numbered is a shape of a text, numbered pieces up to the size, and another text. In a
// piece, {n} is its number and {m} that of the piece before.
func numbered(mediaType, name, head, piece, tail string) Shape {
	return made(mediaType, name, true, func(size int) string {
		return head + pieces(size-len(head)-len(tail), piece) + tail
	})
}

// pieces repeats a piece up to a size, see [numbered].
func pieces(size int, piece string) string {
	if !strings.Contains(piece, "{") {
		return strings.Repeat(piece, max(size/len(piece), 1))
	}
	return upTo(size, func(i int) string {
		return strings.NewReplacer("{n}", strconv.Itoa(i), "{m}", strconv.Itoa(i-1)).Replace(piece)
	})
}

// nested is n times a text.
func nested(text string, n int) string { return strings.Repeat(text, n) }

// elements are pages of many elements, records and data.
func elements() []Shape {
	ld := "<script type=application/ld+json>"
	return []Shape{
		numbered(page, "deep and wide", "", nested("<div>", 100)+nested("<p>a", 50)+nested("</div>", 100), ""),
		numbered(page, "wide in deep", nested("<div>", 250), "<p>a</p>", ""),
		numbered(page, "steps of a stair", "", nested("<div>a", 250)+nested("</div>b", 250), ""),
		numbered(page, "crossed emphasis", "", "<b>a<i>b</b>c</i>", ""),
		numbered(page, "deep emphasis", "", nested("<b><i>", 100)+"a"+nested("</i></b>", 100), ""),
		numbered(page, "comments", "", "a<!-- b -->", ""),
		numbered(page, "headings and their anchors", "", "<h2 id=a{n}>Title {n}<a href=#a{n}>#</a></h2>", ""),
		made(page, "a long base", true, func(size int) string {
			return "<base href='https://example.com/" + nested("x/", min(size/4, 15<<10)) + "'>" + pieces(size/2, "<a href={n}>a</a>")
		}),
		numbered(page, "lists in lists", "", nested("<ul><li>a", 100)+nested("</ul>", 100), ""),
		numbered(page, "quotations", "", nested("<blockquote>a", 60)+nested("</blockquote>", 60), ""),
		numbered(page, "wide table", "<table><tr>", "<td>a", ""),
		numbered(page, "rows", "<table>", "<tr><td>a<td>b", ""),
		numbered(page, "a triangle of rows", "<table>", "<tr><td>a<tr><td>a<td>b<tr><td>a<td>b<td>c", "<tr>"+nested("<td>z", 1000)),
		numbered(page, "spans", "<table>", "<tr><td colspan=1000 rowspan=65534>a", ""),
		numbered(page, "spans of rows", "<table><tr>", "<td rowspan=65534>a", nested("<tr><td>b", 1000)),
		numbered(page, "tables in tables", "", nested("<table><tr><td>a", 60)+nested("</table>", 60), ""),
		numbered(page, "notes", "<ol><li id=n0>a</ol>", "<sup><a href=#n{n} id=r{n}>[{n}]</a></sup> <div id=n{n}><a href=#r{n}>^</a> note</div>", ""),
		numbered(page, "sizes of pictures", "", "<img src=a.png alt=b srcset='"+pieces(8000, "{n}.png {n}w,")+"'>", ""),
		numbered(page, "pictures as data", "", "<img alt=a src='data:image/png;base64,"+nested("AAAA", 4000)+"'>", ""),
		numbered(page, "deep formulas", "", "<math>"+nested("<mrow><msqrt>", 100)+"<mi>a</mi>"+nested("</msqrt></mrow>", 100)+"</math>", ""),
		numbered(page, "shadow trees in each other", "", nested("<div><template shadowrootmode=open><slot></slot>", 60)+"a"+nested("</template>b</div>", 60), ""),
		numbered(page, "an open comment", "a<!--", " b", ""),
		numbered(page, "posts", "", "<div class=post id=p{n}><a class=author href=/u/{n}>Ann</a> <time>2024-01-02</time><div class=body>"+sentence+"</div><a>Reply</a></div>", ""),
		numbered(page, "comments in comments", "", nested("<div class=comment><b>Ann</b><p>a b c</p>", 100)+nested("</div>", 100), ""),
		numbered(page, "a graph where all refer to one", ld+`{"@graph":[{"@type":"Person","@id":"#0","name":"`+nested("a", 3000)+`"},`, `{"@type":"Article","@id":"#{n}","author":{"@id":"#0"}},`, `0]}</script><p>a`),
		numbered(page, "deep data", "", ld+nested(`{"@type":"Thing","a":`, 300)+"1"+nested("}", 300)+"</script>", "<p>a"),
		numbered(page, "items that refer to each other", "<div itemscope itemtype=https://schema.org/Person itemref='a0 a1'></div>", "<div id=a{n} itemprop=knows itemscope itemref='a{m} a0 a{n}'><b itemprop=name>a</b></div>", ""),
		numbered(page, "items in each other", "", nested("<div itemscope itemprop=a itemtype=b>c", 100)+nested("</div>", 100), ""),
		numbered(page, "deep state", "<div id=root></div><script id=__NEXT_DATA__ type=application/json>", nested(`{"a":[`, 2000)+`"`+sentence+`"`+nested("]}", 2000), "</script>"),
	}
}

// sheets are pages whose style sheets are hard to read.
func sheets() []Shape {
	body := nested("<div class='x y'>", 100) + nested("<p class='x z' id=a>a</p>", 2000)
	rules := func(name, rule string) Shape {
		return made(page, "sheet: "+name, true, func(size int) string {
			return "<style>" + pieces(max(size-len(body), 100), rule) + "</style>" + body
		})
	}
	// few is a sheet of one rule, and many elements.
	few := func(name, sheet, piece string) Shape {
		return numbered(page, "sheet: "+name, "<style>"+sheet+"</style>", piece, "")
	}
	return []Shape{
		rules("classes", ".x{display:none}.x{display:block}"),
		rules("variables in variables", ".x{--a{n}:var(--a{m}) var(--a{m});color:var(--a{n})}"),
		rules("fallbacks", ".x{color:"+nested("var(--b{n},", 12)+"red"+nested(")", 12)+"}"),
		rules("has", ".x:has(.y .z:nth-child({n})){display:none}"),
		rules("has that holds", "*:has(p){opacity:.9{n}}"),
		rules("is in is", nested(":is(.a,", 20)+".z"+nested(")", 20)+"{display:none}"),
		rules("siblings that are there", ".z~.z~.z~.z~.z{opacity:.9{n}}"),
		rules("descendants that are there", ".x .y .x .y .x .z{opacity:.9{n}}"),
		rules("rules in rules", nested(".x{&.y,& .z{", 14)+"display:none"+nested("}}", 14)),
		rules("comments", ".x/* {display:none} */{/**/display/**/:/**/none/**/}"),
		few("deep scopes", pieces(60_000, ".s{n}{--a{n}:var(--a{m},1)}")+".z{opacity:var(--a2000)}", pieces(3000, "<div class=s{n}>")+nested("<p class=z>a</p>", 20)+nested("</div>", 230)),
		few("a variable that grows", ".x{--a:var(--a) var(--a);opacity:var(--a)}", nested("<div class=x>", 200)+"a"+nested("</div>", 200)),
		few("positions among many", ".x:nth-child(3n+1 of .x):nth-last-child(odd){opacity:.9}", "<i class=x>a</i>"),
		numbered(page, "sheets", "", "<style>.a{n}{display:none}</style>", "<p class=a9>a"),
		made(page, "sheet: one selector", true, func(size int) string {
			return "<style>" + nested(":is(.a,.b)>", size/11) + ".z{display:none}</style>" + body
		}),
	}
}
