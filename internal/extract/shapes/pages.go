package shapes

import (
	"fmt"
	"strconv"
	"strings"
)

const page = "text/html"

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

// elements are pages of many elements.
func elements() []Shape {
	return []Shape{
		numbered(page, "deep and wide", "", nested("<div>", 100)+nested("<p>a", 50)+nested("</div>", 100), ""),
		numbered(page, "wide in deep", nested("<div>", 250), "<p>a</p>", ""),
		numbered(page, "steps of a stair", "", nested("<div>a", 250)+nested("</div>b", 250), ""),
		numbered(page, "250 attributes", "", "<p "+pieces(1500, "a{n}=b ")+">a</p>", ""),
		numbered(page, "a thousand classes", "", "<p class='"+pieces(6000, "c{n} ")+"'>a</p>", ""),
		numbered(page, "long classes", "", "<div class="+nested("comment-post-nav-", 1500)+"><p>a</p></div>", ""),
		numbered(page, "a class for each", "", "<p class=c{n}>a</p>", ""),
		numbered(page, "empty elements", "", "<i></i>", ""),
		numbered(page, "letters and elements", "", "a<i></i>", ""),
		numbered(page, "breaks", "", "a<br>", ""),
		numbered(page, "breaks without text", "a", "<br>", ""),
		numbered(page, "rules", "", "<hr>", ""),
		numbered(page, "unknown elements", "", "<x-{n}>a</x-{n}>", ""),
		numbered(page, "end tags", "<p>a", "</p>", ""),
		numbered(page, "emphasis", "", "<b>a</b><i>b</i>", ""),
		numbered(page, "crossed emphasis", "", "<b>a<i>b</b>c</i>", ""),
		numbered(page, "deep emphasis", "", nested("<b><i>", 100)+"a"+nested("</i></b>", 100), ""),
		numbered(page, "subscripts", "a", "<sub>a</sub><sup>b</sup>", ""),
		numbered(page, "changes", "", "<del>a</del><ins>b</ins>", ""),
		numbered(page, "short quotations", "", "<q>a<q>b</q></q>", ""),
		numbered(page, "ruby", "", "<ruby>a<rt>b</rt></ruby>", ""),
		numbered(page, "abbreviations", "", "<abbr title='long name {n}'>a</abbr> ", ""),
		numbered(page, "comments", "", "a<!-- b -->", ""),
		numbered(page, "comments in one paragraph", "<p>", "a <!-- b --> ", ""),
		numbered(page, "paragraphs", "", "<p>a", ""),
		numbered(page, "paragraphs of sentences", "", "<p>{n} "+sentence, ""),
		numbered(page, "one sentence again and again", "", "<p>"+sentence, ""),
		numbered(page, "headings", "", "<h1>a", ""),
		numbered(page, "headings of all levels", "", "<h1>a</h1><h2>a</h2><h3>a</h3><h4>a</h4><h5>a</h5><h6>a</h6>", ""),
		numbered(page, "headings with text", "", "<h2>Title</h2><p>a</p>", ""),
		numbered(page, "headings and their anchors", "", "<h2 id=a{n}>Title {n}<a href=#a{n}>#</a></h2>", ""),
		numbered(page, "identifiers", "", "<p id=a{n}>a</p>", ""),
		numbered(page, "equal identifiers", "", "<p id=a>a</p>", ""),
		numbered(page, "links", "", "<a href=/{n}>a</a>", ""),
		numbered(page, "equal links", "", "<a href=/a>b</a> ", ""),
		numbered(page, "links in a sentence", "<p>", "word <a href=/{n}>link {n}</a> ", ""),
		numbered(page, "links of sentences", "", "<p><a href=/{n}>"+sentence+"</a>", ""),
		numbered(page, "links upwards", "", "<a href='"+nested("../", 300)+"{n}'>a</a>", ""),
		numbered(page, "links with queries", "", "<a href='/?"+nested("a=b&", 100)+"utm_source={n}'>a</a>", ""),
		numbered(page, "links to fragments", "<p id=a>b</p>", "<a href=#a>c</a> ", ""),
		numbered(page, "empty links", "", "<a href=/{n}></a>", ""),
		numbered(page, "names in links", "", "<a name=a{n}></a>a", ""),
		made(page, "a long base", true, func(size int) string {
			return "<base href='https://example.com/" + nested("x/", min(size/4, 15<<10)) + "'>" + pieces(size/2, "<a href={n}>a</a>")
		}),
		numbered(page, "bases", "", "<base href=/{n}/><a href=a>b</a>", ""),
		numbered(page, "lists", "", "<ul><li>a</ul>", ""),
		numbered(page, "items", "<ul>", "<li>a", ""),
		numbered(page, "items of a numbered list", "<ol>", "<li value=9{n}>a", ""),
		numbered(page, "lists in lists", "", nested("<ul><li>a", 100)+nested("</ul>", 100), ""),
		numbered(page, "wide lists in lists", "", nested("<ul><li>a", 40)+nested("<li>b", 200)+nested("</ul>", 40), ""),
		numbered(page, "items with blocks", "<ul>", "<li><p>a</p><pre>b\nc</pre><blockquote>d</blockquote>", ""),
		numbered(page, "boxes to tick", "<ul>", "<li><input type=checkbox checked> a", ""),
		numbered(page, "terms", "<dl>", "<dt>a<dd>b", ""),
		numbered(page, "terms alone", "<dl>", "<dt>a", ""),
		numbered(page, "lists of terms", "", "<dl><dt>a<dd><dl><dt>b<dd>c</dl></dl>", ""),
		numbered(page, "quotations", "", nested("<blockquote>a", 60)+nested("</blockquote>", 60), ""),
		numbered(page, "many quotations", "", "<blockquote><p>a</blockquote>", ""),
		numbered(page, "code", "", "<pre>a</pre>", ""),
		numbered(page, "lines of code", "<pre>", "a\n", ""),
		numbered(page, "coloured code", "<pre><code>", "<span class=k>a</span>(<span>b</span>)\n", ""),
		numbered(page, "backticks in code", "<pre>", nested("`", 200)+"\n", ""),
		numbered(page, "pieces of code", "<p>", "<code>a`b</code> ", ""),
		numbered(page, "numbered lines of code", "<table><tr><td><pre>"+nested("1\n", 99)+"</pre><td><pre>", "<a href=#l{n}>a</a>\n", ""),
		numbered(page, "wide table", "<table><tr>", "<td>a", ""),
		numbered(page, "rows", "<table>", "<tr><td>a<td>b", ""),
		numbered(page, "wide rows", "<table>", "<tr>"+nested("<td>a", 900), ""),
		numbered(page, "a triangle of rows", "<table>", "<tr><td>a<tr><td>a<td>b<tr><td>a<td>b<td>c", "<tr>"+nested("<td>z", 1000)),
		numbered(page, "spans", "<table>", "<tr><td colspan=1000 rowspan=65534>a", ""),
		numbered(page, "spans of rows", "<table><tr>", "<td rowspan=65534>a", nested("<tr><td>b", 1000)),
		numbered(page, "spans of columns", "<table>", "<tr><td colspan=1000>a", ""),
		numbered(page, "tables", "", "<table><tr><th>a<th>b<tr><td>c<td>d</table>", ""),
		numbered(page, "tables in tables", "", nested("<table><tr><td>a", 60)+nested("</table>", 60), ""),
		numbered(page, "bodies of a table", "<table>", "<tbody><tr><td>a<thead><tr><th>b", ""),
		numbered(page, "captions", "<table>", "<caption>a<tr><td>b", ""),
		numbered(page, "text in a table", "<table>", "a<tr>b", ""),
		numbered(page, "cells of blocks", "<table>", "<tr><td><ul><li>a<li>b</ul><td><p>c<p>d", ""),
		numbered(page, "notes", "<ol><li id=n0>a</ol>", "<sup><a href=#n{n} id=r{n}>[{n}]</a></sup> <div id=n{n}><a href=#r{n}>^</a> note</div>", ""),
		numbered(page, "one note often", "<ol><li id=n>a</ol>", "b<sup><a href=#n>1</a></sup> ", ""),
		numbered(page, "fields", "<form>", "<input name=a{n} value=b><label>a</label>", ""),
		numbered(page, "labels", "<form>", "<label for=a{n}>a</label><input id=a{n}>", ""),
		numbered(page, "options", "<select>", "<option>a", ""),
		numbered(page, "choices", "", "<select><option>a<option selected>b</select>", ""),
		numbered(page, "forms", "", "<form><input><button>a</button></form>", ""),
		numbered(page, "buttons", "", "<button>Load more</button>", ""),
		numbered(page, "text areas", "", "<textarea>a</textarea>", ""),
		numbered(page, "details", "", "<details><summary>a</summary><p>b</details>", ""),
		numbered(page, "details in each other", "", nested("<details><summary>a</summary>b", 100)+nested("</details>", 100), ""),
		numbered(page, "dialogs", "", "<dialog>a</dialog>b", ""),
		numbered(page, "pictures", "", "<img src={n}.png alt=a>", ""),
		numbered(page, "sizes of pictures", "", "<img src=a.png alt=b srcset='"+pieces(8000, "{n}.png {n}w,")+"'>", ""),
		numbered(page, "sources of pictures", "", "<picture>"+pieces(3000, "<source srcset={n}.png>")+"<img src=a.png alt=b></picture>", ""),
		numbered(page, "pictures as data", "", "<img alt=a src='data:image/png;base64,"+nested("AAAA", 4000)+"'>", ""),
		made(page, "one picture as data", true, func(size int) string {
			return "<p>a<img src='data:image/png;base64," + nested("AAAA", size/4) + "'>b"
		}),
		numbered(page, "paths", "<svg>", "<path d='M0 0L1 1'/>", "</svg>a"),
		made(page, "one path", true, func(size int) string { return "<svg><path d='" + nested("M0 0L1 1", size/8) + "'/></svg>a" }),
		numbered(page, "drawings", "", "<svg><title>a</title><text>b</text></svg>", ""),
		numbered(page, "deep drawings", "", "<svg>"+nested("<g>", 150)+"<text>a"+nested("</g>", 150)+"</svg>", ""),
		numbered(page, "formulas", "", "<math><mfrac><mi>a</mi><mn>2</mn></mfrac></math>", ""),
		numbered(page, "deep formulas", "", "<math>"+nested("<mrow><msqrt>", 100)+"<mi>a</mi>"+nested("</msqrt></mrow>", 100)+"</math>", ""),
		numbered(page, "a wide formula", "<math>", "<mi>a</mi><mo>+</mo>", "</math>"),
		numbered(page, "fractions in fractions", "", "<math>"+nested("<mfrac><mi>a</mi>", 100)+"<mi>b</mi>"+nested("</mfrac>", 100)+"</math>", ""),
		numbered(page, "scripts of formulas", "", "<script type=math/tex>a_{{n}}</script>", ""),
		numbered(page, "formulas in text", "<p>", "\\(a_{n}\\) $b$ ", ""),
		numbered(page, "frames", "", "<iframe src=/{n}></iframe>", ""),
		numbered(page, "frames of markup", "", "<iframe srcdoc='<p>a'></iframe>", ""),
		numbered(page, "noscript", "", "<noscript><p>a</p></noscript>", ""),
		numbered(page, "templates", "", "<template><p>a</p></template>", ""),
		numbered(page, "shadow trees", "", "<div><template shadowrootmode=open><p>a<slot></slot></template>b</div>", ""),
		numbered(page, "shadow trees in each other", "", nested("<div><template shadowrootmode=open><slot></slot>", 60)+"a"+nested("</template>b</div>", 60), ""),
		numbered(page, "objects", "", "<object data={n}>a</object><video src={n}></video>", ""),
		numbered(page, "scripts", "", "<script>a={n}</script>b", ""),
		numbered(page, "ampersands with names", "", "&amp;&lt;&notit;&#x41;", ""),
		numbered(page, "an open title", "<title>", "a", ""),
		numbered(page, "an open comment", "a<!--", " b", ""),
		numbered(page, "plain text", "<plaintext>", "a <b> ", ""),
		numbered(page, "one word", "<p>", "a", ""),
		numbered(page, "spaces", "<p>a", " ", "b"),
		numbered(page, "hard spaces", "<p>a", "\u00a0", "b"),
		numbered(page, "families", "<p>", "👨‍👩‍👧‍👦", ""),
		numbered(page, "combining marks", "<p>a", "\u0301", ""),
		numbered(page, "changing direction", "<p>", "abc אבג ", ""),
		numbered(page, "marks of direction", "<p>", "a&#8238;b&#8236;", ""),
		numbered(page, "no spaces", "<p>", "漢字", ""),
		numbered(page, "stars", "<p>", "*a_b`c[d](e) ", ""),
		numbered(page, "words with stars", "", "<p>*a*<b>b</b>*c*", ""),
		numbered(page, "numbers at the beginning", "", "<p>1. a<p># b<p>- c", ""),
		numbered(page, "dollars", "<p>", "$a ", ""),
	}
}

// meanings are pages with what extraction looks for: hidden text, records, threads, data.
func meanings() []Shape {
	ld := "<script type=application/ld+json>"
	return []Shape{
		numbered(page, "hidden", "", "<p hidden>a</p>", "<p>b"),
		numbered(page, "hidden by styles", "", "<p style=display:none>a</p>", "<p>b"),
		numbered(page, "hidden by a class", "<style>.x{display:none}</style>", "<p class=x>a</p>", "<p>b"),
		numbered(page, "hidden and shown", "", "<p style=display:none>a</p><p>b</p>", ""),
		numbered(page, "hidden in each other", "", nested("<div style=visibility:hidden>a<div style=visibility:visible>b", 80)+nested("</div></div>", 80), ""),
		numbered(page, "faded", "", "<p style=opacity:0>"+sentence+"</p>", "<p>b"),
		numbered(page, "moved away", "", "<p style='position:absolute;left:-9999px'>a</p>", "<p>b"),
		numbered(page, "white letters", "", "<p style='color:#fff;background:#fff'>a</p>", "<p>b"),
		numbered(page, "covers", "", "<div style='position:absolute;top:0;left:0;width:100%;height:100%;background:#fff'>a</div>", "<p>b"),
		numbered(page, "covers of different sizes", "", "<div style='position:absolute;top:{n}px;left:{n}px;width:100px;height:10px;background:#fff'>a</div>", "<p>b"),
		numbered(page, "boxes without a size", "", "<div style='width:0;height:0;overflow:hidden'><p>a</p></div>", "<p>b"),
		numbered(page, "tabs", "", "<a href=#t{n} role=tab aria-controls=t{n}>a</a><div id=t{n} role=tabpanel hidden>b</div>", ""),
		numbered(page, "controls of hidden parts", "", "<button aria-controls=t{n} aria-expanded=false>a</button><div id=t{n} style=display:none>b</div>", ""),
		numbered(page, "for screen readers", "", "<span class=sr-only>a</span>b", ""),
		numbered(page, "hidden from screen readers", "", "<span aria-hidden=true>a</span>b", ""),
		numbered(page, "articles", "", "<article><h2>a {n}</h2><p>"+sentence+"</article>", ""),
		numbered(page, "short articles", "", "<article><h2>a</h2><p>b</article>", ""),
		numbered(page, "cards", "", "<div class=card><a href=/{n}><img src={n}.png><h3>Thing {n}</h3></a><span class=price>$9.99</span></div>", ""),
		numbered(page, "posts", "", "<div class=post id=p{n}><a class=author href=/u/{n}>Ann</a> <time>2024-01-02</time><div class=body>"+sentence+"</div><a>Reply</a></div>", ""),
		made(page, "posts in many classes", true, func(size int) string {
			return "<body id=phpbb><div class=post><p><b class=username>Ann</b></p><div class='" + pieces(size/2, "a ") + "'>" + pieces(size/2, "<p>"+sentence+"</p>")
		}),
		numbered(page, "comments of readers", "<article><h1>a</h1><p>"+nested(sentence, 20)+"</article><div id=comments>", "<div class=comment><b>Ann</b> <span class=date>2 hours ago</span><p>"+sentence+"</p></div>", ""),
		numbered(page, "comments in comments", "", nested("<div class=comment><b>Ann</b><p>a b c</p>", 100)+nested("</div>", 100), ""),
		numbered(page, "dates", "", "<time datetime=2024-01-0{n}>a</time> Published on January 2, 2024 ", ""),
		numbered(page, "authors", "", "<span class=author rel=author>By Ann Lee</span> ", ""),
		numbered(page, "next pages", "", "<a rel=next href=?page={n}>Next</a> ", ""),
		numbered(page, "counts", "", "<p>Showing 1 to 10 of {n} results</p>", ""),
		numbered(page, "navigation", "", "<nav><ul><li><a href=/{n}>a</a></ul></nav>", "<p>b"),
		numbered(page, "footers", "", "<footer>a</footer><aside>b</aside><header>c</header>", ""),
		numbered(page, "questions", "", "<h3>What is {n}?</h3><p>It is a thing.</p>", ""),
		numbered(page, "metas", "<head>", "<meta name=author content=a{n}><meta property=og:image content={n}>", "<body>a"),
		numbered(page, "dates of metas", "<head>", "<meta property=article:published_time content=2024-01-02T03:04:{n}>", "<body>a"),
		numbered(page, "titles", "", "<title>a - b | {n}</title>", "<h1>a</h1>"),
		made(page, "one title", true, func(size int) string {
			return "<title>" + nested("a - b | ", size/16) + "</title><h1>" + nested("a b ", size/8)
		}),
		numbered(page, "alternates", "", "<link rel=alternate hreflang=a href=/{n}>", "a"),
		numbered(page, "scripts of data", "", ld+`{"@type":"Article","headline":"a{n}","author":{"name":"b"}}</script>`, "<p>a"),
		numbered(page, "a graph that refers to itself", ld+`{"@context":"https://schema.org","@graph":[`, `{"@type":"Article","@id":"#{n}","author":{"@id":"#{m}"},"about":[{"@id":"#0"},{"@id":"#{n}"}]},`, `{"@id":"#x"}]}</script><p>a`),
		numbered(page, "a graph where all refer to one", ld+`{"@graph":[{"@type":"Person","@id":"#0","name":"`+nested("a", 3000)+`"},`, `{"@type":"Article","@id":"#{n}","author":{"@id":"#0"}},`, `0]}</script><p>a`),
		numbered(page, "deep data", "", ld+nested(`{"@type":"Thing","a":`, 300)+"1"+nested("}", 300)+"</script>", "<p>a"),
		numbered(page, "data that does not end", ld, `{"a":[`, ""),
		numbered(page, "numbers in data", ld+`{"@type":"Product","offers":[`, `{"price":{n}},`, `0]}</script><p>a`),
		made(page, "a body in data", true, func(size int) string {
			return ld + `{"@type":"Article","articleBody":"` + nested(sentence, size/len(sentence)) + `"}</script><p>a`
		}),
		numbered(page, "items that refer to each other", "<div itemscope itemtype=https://schema.org/Person itemref='a0 a1'></div>", "<div id=a{n} itemprop=knows itemscope itemref='a{m} a0 a{n}'><b itemprop=name>a</b></div>", ""),
		numbered(page, "items in each other", "", nested("<div itemscope itemprop=a itemtype=b>c", 100)+nested("</div>", 100), ""),
		numbered(page, "properties", "<div itemscope itemtype=https://schema.org/Product>", "<b itemprop=name>a{n}</b>", "</div>"),
		numbered(page, "properties of RDFa", "<div vocab=https://schema.org/ typeof=Product>", "<b property=name>a{n}</b>", "</div>"),
		numbered(page, "resources of RDFa", "", "<div typeof=schema:Person resource=#{n}><a property=schema:knows href=#{m}>a</a></div>", ""),
		numbered(page, "state", "<div id=root></div><script id=__NEXT_DATA__ type=application/json>{\"props\":[", `{"id":{n},"title":"Thing {n}","body":"`+sentence+`"},`, "0]}</script>"),
		numbered(page, "deep state", "<div id=root></div><script id=__NEXT_DATA__ type=application/json>", nested(`{"a":[`, 2000)+`"`+sentence+`"`+nested("]}", 2000), "</script>"),
		numbered(page, "state of a window", "<div id=root></div>", "<script>window.__STATE_{n}__={\"text\":\""+sentence+"\"}</script>", ""),
		numbered(page, "pushed state", "<div id=root></div>", "<script>self.__next_f.push([1,\"{n}:[\\\"$\\\",\\\"p\\\",null,{\\\"children\\\":\\\""+sentence+"\\\"}]\\n\"])</script>", ""),
		numbered(page, "escaped state", "<div id=root></div><script>window.__STATE__=JSON.parse(\"{\\\"a\\\":[", `\"\\u0061`+sentence+`\",`, `0]}")</script>`),
		numbered(page, "markup in state", "<div id=root></div><script id=__NEXT_DATA__ type=application/json>{\"a\":[", `"<p>`+sentence+`<div><b>a</b>",`, "0]}</script>"),
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
	vars := pieces(2000, "--a{n}:var(--a{m});")
	return []Shape{
		rules("classes", ".x{display:none}.x{display:block}"),
		rules("variables of all", "*{--a{n}:var(--a{m});opacity:var(--a{n})}"),
		rules("variables in variables", ".x{--a{n}:var(--a{m}) var(--a{m});color:var(--a{n})}"),
		rules("fallbacks", ".x{color:"+nested("var(--b{n},", 12)+"red"+nested(")", 12)+"}"),
		rules("conditions", ".x{display:if(style(--a:{n}):none;else:block)}"),
		rules("imports", "@import url(a{n}.css);"),
		rules("imports of data", "@import url(data:text/css,.x{display:none}.a{n}{color:red});"),
		rules("containers", "@container (min-width:{n}px){.x{display:none}}"),
		rules("containers in each other", nested("@container (min-width:9px){", 16)+".x{display:none}"+nested("}", 16)),
		rules("has", ".x:has(.y .z:nth-child({n})){display:none}"),
		rules("has that holds", "*:has(p){opacity:.9{n}}"),
		rules("has in lists", "div:has("+nested(".a,.b>.c,~.d,", 20)+".q{n}){display:none}"),
		rules("is", ":is("+nested(".a,#b,.x>.z,", 20)+".z){display:none}"),
		rules("is in is", nested(":is(.a,", 20)+".z"+nested(")", 20)+"{display:none}"),
		rules("not", ".z:not("+nested(".a,#b,.c .d,", 20)+".q{n}){display:none}"),
		rules("nth of a selector", ".z:nth-child({n}n+1 of .x){display:none}"),
		rules("nth from the end", ".z:nth-last-of-type({n}n-1){display:none}"),
		rules("siblings", ".z~.z~.z~.q{n}~.z{display:none}"),
		rules("siblings that are there", ".z~.z~.z~.z~.z{opacity:.9{n}}"),
		rules("descendants", "div div div div div div .q{n} .z{display:none}"),
		rules("descendants that are there", ".x .y .x .y .x .z{opacity:.9{n}}"),
		rules("children of all", "*>*>*>*>*>*>.z{opacity:.9{n}}"),
		rules("attributes", "[class*='a{n}'],[class~=z],[id^=a]{opacity:.9}"),
		rules("media", "@media (min-width:{n}px) and (max-width:9999px){.x{display:none}}"),
		rules("media in each other", nested("@media screen{", 28)+".x{display:none}"+nested("}", 28)),
		rules("supports", "@supports (display:grid) and (not (a:b)){.x{opacity:.{n}}}"),
		rules("layers", "@layer a{n}{.x{display:revert-layer}}"),
		rules("reverts", ".x{display:revert-layer;color:revert;opacity:revert-layer}"),
		rules("scopes", "@scope (.y) to (.q{n}){.z{display:none}}"),
		rules("registered properties", "@property --a{n}{syntax:'<length>';inherits:true;initial-value:{n}px}.x{width:var(--a{n})}"),
		rules("key frames", "@keyframes a{n}{0%{opacity:0}50%{opacity:.5}to{opacity:1}}.x{animation:a{n} 1s}"),
		rules("functions", "@function --f{n}(--x){result:calc(var(--x) + {n}px)}.x{width:--f{n}(1px)}"),
		rules("rules in rules", nested(".x{&.y,& .z{", 14)+"display:none"+nested("}}", 14)),
		rules("long selectors", nested(".a>.b+.c~", 100)+".z{display:none}"),
		rules("long lists of selectors", nested(".a,.b .c,", 100)+".z{opacity:.9{n}}"),
		rules("sums", ".x{width:calc("+nested("(1px + ", 60)+"0px"+nested(")", 60)+")}"),
		rules("least and largest", ".x{width:min("+nested("max(1px,min(2px,", 12)+"3px"+nested("))", 12)+")}"),
		rules("mixed colours", ".x{color:"+nested("color-mix(in oklch,red,", 12)+"blue"+nested(")", 12)+"}"),
		rules("gradients", ".x{background:linear-gradient("+nested("red 1%,", 100)+"blue)}"),
		rules("corners", ".x{clip-path:polygon("+nested("0 0,9px 9px,", 100)+"1px 1px)}"),
		rules("clips of the page", ".x{clip-path:url(#a{n})}"),
		rules("transforms", ".x{transform:"+nested("rotate(1deg) scale(.9) ", 60)+"}"),
		rules("backgrounds", ".x{background:#{n}{n}{n};color:#{n}{n}{n}}"),
		rules("filters", ".x{filter:"+nested("opacity(.9) blur(0) ", 60)+"}"),
		rules("fonts", ".x{font-size:.9em}.z{font-size:{n}em}"),
		rules("comments", ".x/* {display:none} */{/**/display/**/:/**/none/**/}"),
		rules("escapes", `.\78 {n}\66{display:none}`),
		rules("open strings", ".x{content:'a;}\n"),
		rules("open brackets", ".x{a:(["),
		rules("invisible parts", ".x::before{content:'a{n}'}.z:first-child{display:none}"),
		rules("covers", ".z{position:absolute;top:0;left:{n}px;width:100%;height:9px;background:#fff}"),
		few("deep scopes", pieces(60_000, ".s{n}{--a{n}:var(--a{m},1)}")+".z{opacity:var(--a2000)}", pieces(3000, "<div class=s{n}>")+nested("<p class=z>a</p>", 20)+nested("</div>", 230)),
		few("variables of each", ".x{"+vars+"opacity:var(--a90)}", "<i class=x>a</i>"),
		few("variables of attributes", ".x{opacity:var(--a)}", "<i class=x style='--a:var(--b{n});--b{n}:0.{n}'>a</i>"),
		few("variables of each ancestor", ".x{opacity:var(--zz)}", nested("<div style='--a:1;--b:var(--a)'>", 200)+nested("<p class=x>a</p>", 50)+nested("</div>", 200)),
		few("a variable that grows", ".x{--a:var(--a) var(--a);opacity:var(--a)}", nested("<div class=x>", 200)+"a"+nested("</div>", 200)),
		few("sums of variables", ".x{--d:calc(var(--d,0) + 1);opacity:calc(var(--d) - 1)}", nested("<div class=x>a", 200)+nested("</div>", 200)),
		few("long style attributes", "", "<p style='"+nested("color:red;opacity:1;", 190)+"'>a</p>"),
		few("layers of reverts", pieces(40_000, "@layer l{n}{.x{display:revert-layer;opacity:revert-layer}}"), "<p class=x>a</p>"),
		few("many reverts", pieces(60_000, ".x{display:revert-layer;opacity:revert}"), "<p class=x>a</p>"),
		few("animations", "@keyframes a{"+pieces(20_000, ".{n}%{opacity:0}")+"}.x{animation:a 1s infinite}", "<p class=x>a</p>"),
		few("animations of a few frames", "@keyframes a{"+pieces(700, "{n}%{opacity:0}")+"}.x{animation:a 1s infinite}", "<p class=x>a</p>"),
		few("siblings of many", ".x~.x~.x~.y{display:none}", "<i class=x>a</i>"),
		few("positions among many", ".x:nth-child(3n+1 of .x):nth-last-child(odd){opacity:.9}", "<i class=x>a</i>"),
		few("what many have", "body:has(.q),div:has(> i ~ .q){display:none}", "<div><i class=x>a</i></div>"),
		few("empty elements", "div:empty~p,p:not(:empty){opacity:.9}", "<div></div><p>a</p>"),
		few("classes of each", pieces(30_000, ".c{n}{opacity:.9}"), "<p class='"+pieces(4000, "c{n} ")+"'>a</p>"),
		few("covers and text", ".c{position:absolute;inset:0;background:#fff}", "<div style=position:relative><p>a</p><div class=c></div></div>"),
		few("boxes in a grid", ".g{display:grid;grid-template-rows:0fr}.g>*{overflow:hidden}", "<div class=g><p>a</p></div>"),
		few("a long shadow of each", ".x{position:absolute;inset:0;background:#fff;box-shadow:"+nested("inset 0 0 9px #fff,", 200)+"0 0 9px #fff}", "<p class=x>a</p>"),
		few("a long background of each", ".x{color:#fff;background:"+nested("linear-gradient(#fff,#fff),", 150)+"#fff}", "<p class=x>a</p>"),
		few("texts before a cover", "body{position:relative}.c{position:absolute;inset:0;background:#000}.x{position:relative;color:#fff}</style><div class=c></div><style>", "<p class=x>a</p>"),
		few("texts before covers, deep", "body{position:relative}.c{position:absolute;inset:0;background:#000}.x{position:relative;color:#fff}</style>"+nested("<div class=c></div>", 16)+"<style>",
			nested("<div>", 240)+nested("<p class=x>a</p>", 2000)+nested("</div>", 240)),
		few("layers below the ground, deep", ".x{position:relative;z-index:-1}.x::after{content:'';position:absolute;inset:0;background:#fff}",
			nested("<div>", 240)+nested("<p class=x>a</p>", 2000)+nested("</div>", 240)),
		few("a long fallback of each", ".x{-webkit-text-fill-color:"+nested("var(--a,", 400)+"red}", "<p class=x>a</p>"),
		numbered(page, "sheets", "", "<style>.a{n}{display:none}</style>", "<p class=a9>a"),
		numbered(page, "sheets elsewhere", "", "<link rel=stylesheet href={n}.css>", "<p class=a9>a"),
		made(page, "sheet: one selector", true, func(size int) string {
			return "<style>" + nested(":is(.a,.b)>", size/11) + ".z{display:none}</style>" + body
		}),
		made(page, "sheet: one value", true, func(size int) string {
			return "<style>.x{color:" + nested("var(--a,", size/9) + nested(")", size/9) + "}</style>" + body
		}),
		made(page, "sheet: one long value", true, func(size int) string {
			return fmt.Sprintf("<style>.x{--a:%s;color:var(--a)}</style>%s", nested("a ", size/2), body)
		}),
	}
}
