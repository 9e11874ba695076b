package dom

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/wcxb"
	"golang.org/x/net/html"
)

// sameTree compares the tree of a page with that of the plain parser.
func sameTree(t *testing.T, body []byte) cutOut {
	t.Helper()
	want, err := html.Parse(bytes.NewReader(body))
	w := new(rawWalk)
	got, err2 := html.Parse(bytes.NewReader(w.withoutRaw(body)))
	if err != nil || err2 != nil {
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%v, want %v", err2, err)
		}
		return cutOut{}
	}
	w.restore(got)
	a, b := want, got
	for a != nil && b != nil {
		if a.Type != b.Type || a.DataAtom != b.DataAtom || a.Data != b.Data || a.Namespace != b.Namespace || !slices.Equal(a.Attr, b.Attr) ||
			(a.FirstChild == nil) != (b.FirstChild == nil) || (a.NextSibling == nil) != (b.NextSibling == nil) {
			t.Fatalf("%.200q %q in %q, want %.200q %q\n%.2000q", b.Data, b.Attr, b.Parent.Data, a.Data, a.Attr, body)
		}
		a, b = Following(a, want), Following(b, got)
	}
	if a != nil || b != nil {
		t.Fatalf("one tree goes on: %v, %v\n%.2000q", a, b, body)
	}
	return w.cutOut
}

// long is a text that is worth cutting out.
var long = strings.Repeat("if (a < b && b > c) { d(); } ", 5)

var rawCases = []struct {
	name string
	cut  int // how many texts; the tree is that of the plain parser in any case
	html string
}{
	{"scripts and sheets", 3, "<style>" + long + "</style><script>" + long + "</script><p>x<SCRIPT type=a>" + long + "</ScRiPt >y"},
	{"short ones", 0, "<script>a()</script>"},
	{"what a mark looked like", 1, "<script>" + long + "</script><math><script>\x02raw 0<"},
	{"line ends", 1, "<script>" + long + "\r\n\r" + long + "\n\r\n</script>"},
	{"NUL", 0, "<script>\x00" + long + "</script>"},
	{"an end that is none", 1, "<script>" + long + "</scripts></script\n>"},
	{"no end", 0, "<script>" + long},
	{"a comment in a script", 1, "<script><!-- " + long + " //--></script>"},
	{"a script in a comment in a script", 0, "<script><!-- <script> </script>" + long + " --></script>" + long},
	{"a script in a string", 1, "<script>document.write('<script>');" + long + "</script>"},
	{"in a comment", 0, "<!-- <script>" + long + "</script> -->"},
	{"comments that end at once", 1, "<!--><script>" + long + "</script>--> <!---><p>a --!> <!-- a --!> <!-- -- -- --> <!-- x --!-> -->"},
	{"in an attribute", 0, `<p title="<script>` + long + `</script>">` + `<p title='<style>` + long + `</style>'>`},
	{"stray quotes", 1, `<p "><script>` + long + `</script>" = ' =x == "a" b = 'c' d="e"f/g=/ h=/>` + `<p a=">`},
	{"in a title", 0, "<title><script>" + long + "</script></title><textarea><script>" + long + "</script></textarea>"},
	{"in noscript", 0, "<body><noscript><style>" + long + "</style></noscript><iframe><script>" + long + "</script></iframe>"},
	{"in svg", 1, "<svg><title>t</title><style>" + long + "</style><g/><path d=a></path></svg><style>" + long + "</style>"},
	{"in the title of svg", 0, "<svg><title><style></svg><style>" + long + "</style>"},
	{"out of svg", 0, "<svg><p><style>" + long + "</style>"},
	{"out of svg by an end tag", 0, "<p><svg></p><style>" + long + "</style>"},
	{"an empty svg", 1, "<svg/><style>" + long + "</style>"},
	{"CDATA", 0, "<svg><![CDATA[ </svg> ]]></svg><style>" + long + "</style>"},
	{"in select", 1, "<select><style>" + long + "</style><option>a</select><style>" + long + "</style>"},
	{"where only columns are read", 0, "<template><col><style>\n" + long + "</style>"},
	{"plaintext", 0, "<plaintext><script>" + long + "</script>"},
	{"framesets", 0, "<frameset><style>" + long + "</style></frameset>"},
	{"in tables and templates", 4, "<table><script>" + long + "</script><tr><style>" + long + "</style><td><template><script>" + long + "</script></template><colgroup><style>" + long + "</style>"},
	{"declarations", 1, "<!doctype html><?xml <script>?></><!x <style>><script>" + long + "</script>"},
	{"a tag that does not end", 0, "<script " + long},
}

func TestWithoutRaw(t *testing.T) {
	for _, c := range rawCases {
		t.Run(c.name, func(t *testing.T) {
			if n := len(sameTree(t, []byte(c.html)).raws); n != c.cut {
				t.Errorf("%d texts were cut out, want %d", n, c.cut)
			}
		})
	}
}

var attrCases = []struct {
	name string
	cut  int // the attributes of how many tags
	html string
}{
	{"two attributes, a short one, a long one", 2, `<p a=1 b=2><p class="x"><p class="` + long + `">`},
	{"spellings", 1, `<P CLASS = "Ab"ID='x "y"' data-ÄB=c=d hidden / title=a/b =e == "f g>h</p>`},
	{"the first of a name", 1, `<p a=1 A=2 b a=3>`},
	{"references", 1, `<p a="&amp;&#65;&#x41g&#x;&#;&lt;&copy=1&copy&copyx&notit;&notin;&semi;&;&b=2&nosuch;&NotEqualTilde;& &" b='&quot;' c=&amp>`},
	{"line ends", 1, "<p\r\na='x\r\ny\rz'\r\tb>"},
	{"NUL", 0, "<p a=\x00 b=c>"},
	{"what looks like a mark", 1, "<p a=1 b=2><p é><p Ā=é>"},
	{"many marks", 20_000, strings.Repeat("<br a=1 b=2/>", 20_000)},
	{"self-closing", 3, `<br a=1 b=2/><br a=1 b="2"/><div a b />x`},
	{"no value", 2, `<p a= ><p c a= b= ><p a b=>`},
	{"links that are left open", 3, `<p><a z=1 b=2>x<p>y<a z=1 b=2>z<table><a z=1 b=2>t</table>`},
	{"formatting elements", 0, `<b a=1 c=2><b c=2 a=1><b a=1 c=2><b a=1 c=2><p>x<font color=red size=2>`},
	{"html and body", 1, `<html lang=a x=1><body a=1 b=2><p a=1 b=2><body b=3 c=4><html y=2 z=3>`},
	{"fields", 1, `<table><input type=hidden name=a><input type=text name=b><form action=a name=b>`},
	{"out of a table", 3, `<table a=1 b=2><p a=1 b=2>x<tr a=1 b=2><td>y`},
	{"foreign elements", 4, `<svg viewbox="0 0 1 1" xlink:href=a><path stroke=a d=b /><title id=a lang=b></title></svg><SVG viewBox=0 id="a"/><p a=1 b=2><math a=1 b=2><mi a=1 b=2>`},
	{"HTML in svg", 1, `<svg id=a class=b><foreignObject><style><g id=a class=b></style></foreignObject></svg>`},
	{"math in the title of svg", 1, `<svg id=a class=b><title><math><a href=x class=b><e href=a xlink:href=b></title></svg>`},
	{"names of svg", 3, `<svg VIEWBOX="0 0 1 1" stroke-width=1 CLASS=a><g refX=1 refY=2><use xlink:HREF=#a xml:space=b xmlns:xlink=c /><a b-c=d href=e Href=f>x</a></svg>`},
	{"what closes itself in svg", 4, `<svg><path d=a fill=b/><path d=a fill="b"/><path d=a fill=b / ><path d=a fill/>x</svg>`},
	{"html in svg", 4, `<svg><section id=a class=b><input id=a class=b><option id=a class=b></svg><select><svg id=a class=b><section id=a class=b></select>`},
	{"many", 1, `<p` + strings.Repeat(" a b", mostMarked/2) + `><p a` + strings.Repeat(" b c", mostMarked/2) + `>`},
	{"too long", 0, `<p a="` + strings.Repeat("x", mostAttrBytes) + `" b>`},
	{"end tags", 0, `<p>x</p a=1 b=2>`},
	{"scripts", 1, `<script type=a src=b>` + long + `</script>`},
	{"a tag that does not end", 1, `<p a=1 b=2><p a="1 b=2>`},
	{"templates", 2, `<template a=1 b=2><p a=1 b=2></template>`},
}

// prose is a text that is worth cutting out.
var prose = strings.Repeat("lorem ipsum dolor ", 3) + "sit"

var textCases = []struct {
	name string
	cut  int // how many texts
	html string
}{
	{"long ones", 2, "<p>" + prose + "<p>short<p>  \r\n" + prose + "\t\f <br>"},
	{"references", 1, "<p>&amp" + prose + "&#65;&copyx&nosuch;&notit;&lt<br>"},
	{"references at both ends", 2, "<p>&lt;" + prose + "&am" + "<b>p;</b>&#x" + prose + "&" + "<i>"},
	{"line ends", 2, "<pre>\r\n" + prose + "\r\r\n" + prose + "</pre><textarea>\n" + prose + "</textarea><pre>" + prose + "\r</pre>"},
	{"NUL", 0, "<p>\x00" + prose},
	{"less than", 3, "<p>" + prose + " < " + prose + "<3" + prose + "<br>"},
	{"tags that are ignored", 3, "<p>" + prose + "</x>é</y>" + prose + "</z>\u0080" + prose + "</z>\u0080"},
	{"out of a table", 3, "<table>" + prose + "<tr>" + prose + "<td>" + prose + "</table>"},
	{"before the body and behind it", 3, prose + "<head>" + prose + "</head></html>" + prose + "<br>"},
	{"in columns, lists of options and templates", 3, "<table><colgroup> " + prose + "</table><select>" + prose + "<option></select><template>" + prose + "<br>"},
	{"in svg", 1, "<svg><text>" + prose + "</text></svg>"},
	{"in what is raw", 0, "<title>" + prose + "</title><noscript>" + prose + "</noscript><iframe>" + prose + "</iframe><!-- " + prose + " --><p title='" + prose},
	{"links that are left open", 3, "<p><a>" + prose + "<p>" + prose + "<a>" + prose + "<br>"},
	{"the last one", 0, "<p>" + prose},
}

func TestCutText(t *testing.T) {
	for _, c := range textCases {
		t.Run(c.name, func(t *testing.T) {
			if n := len(sameTree(t, []byte(c.html)).texts); n != c.cut {
				t.Errorf("%d texts were cut out, want %d", n, c.cut)
			}
		})
	}
}

func TestCutAttrs(t *testing.T) {
	for _, c := range attrCases {
		t.Run(c.name, func(t *testing.T) {
			if n := len(sameTree(t, []byte(c.html)).attrs); n != c.cut {
				t.Errorf("the attributes of %d tags were cut out, want %d", n, c.cut)
			}
		})
	}
}

var shapeCases = []struct {
	name string
	cut  int // the shapes of how many svg elements
	html string
}{
	{"icons", 2, `<a href=b><svg class=a viewbox="0 0 1 1"> <path d="M0 0"/><g fill=b><circle r=1 /></g>` + "\r\n" + `</svg>x</a><svg id=a class=b><use xlink:href="#a"></use></svg><p>y`},
	{"attributes that stay", 0, `<svg><path d=a /></svg><svg id=a><path d=a /></svg>`},
	{"nothing in it", 0, `<svg id=a class=b></svg><svg id=a class=b> </svg><svg id=a class=b />`},
	{"text", 0, `<svg id=a class=b><g>x</g></svg><svg id=a class=b><path d=c /> y</svg>`},
	{"other elements", 0, `<svg id=a class=b><title>x</title><path d=c /></svg><svg id=a class=b><svg id=c class=d></svg></svg><svg id=a class=b><PATH d=c /></svg><svg id=a class=b><p></svg>`},
	{"comments", 0, `<svg id=a class=b><!-- x --><path d=c /></svg>`},
	{"ends that are missing or stray", 0, `<svg id=a class=b><g></svg><svg id=a class=b><path d=c /></g></svg><svg id=a class=b><path d=c /></SVG><svg id=a class=b><path d=c />`},
	{"attributes of ends", 0, `<svg id=a class=b><g></g a=b></svg><svg id=a class=b><g></g></svg a=b>`},
	{"names that the tree builder may change", 0, `<svg id=a class=b><path pathLength=1 /></svg>`},
	{"in select", 0, `<select><svg id=a class=b> <path d=c /></svg></select>`},
	{"where only columns are read", 0, `<template><col><svg id=a class=b> <path d=c /></svg>`},
	{"in a table, a template and a link", 3, `<table><svg id=a class=b><g><path d=c /></g></svg><tr><td></table><template><svg id=a class=b><g/></svg></template><a><svg id=a class=b><g/></svg><a>`},
	{"before a frameset", 1, `<svg id=a class=b> <path d=c /></svg><frameset><frame></frameset>`},
	{"in math", 0, `<math><svg id=a class=b><path d=c /></svg></math>`},
	{"too deep", 1, `<svg id=a class=b>` + strings.Repeat("<g>", maxShapeDepth) + strings.Repeat("</g>", maxShapeDepth) + `</svg><svg id=a class=b>` + strings.Repeat("<g>", maxShapeDepth+1) + strings.Repeat("</g>", maxShapeDepth+1) + `</svg>`},
	{"too many", 1, strings.Repeat(`<svg id=a class=b>`+strings.Repeat("<g/>", maxShapes*2/3)+`</svg>`, 2)},
}

func TestCutShapes(t *testing.T) {
	for _, c := range shapeCases {
		t.Run(c.name, func(t *testing.T) {
			n := 0
			for _, tag := range sameTree(t, []byte(c.html)).attrs {
				if tag.inner.to > 0 {
					n++
				}
			}
			if n != c.cut {
				t.Errorf("the shapes of %d elements were cut out, want %d", n, c.cut)
			}
		})
	}
}

// Real pages have the tree that the plain parser gives.
func TestWithoutRawOnPages(t *testing.T) {
	const step = 15 // a hundred pages; all 1,494 were compared when this was written
	pages, raws, texts, tags := wcxb.Pages(t, step), 0, 0, 0
	for _, p := range pages {
		cut := sameTree(t, p.HTML)
		raws, texts, tags = raws+len(cut.raws), texts+len(cut.texts), tags+len(cut.attrs)
	}
	if t.Logf("%d scripts and sheets, %d texts and the attributes of %d tags of %d pages", raws, texts, tags, len(pages)); raws == 0 || texts == 0 || tags == 0 {
		t.Error("nothing was cut out of any page")
	}
}

func FuzzWithoutRaw(f *testing.F) {
	for _, c := range rawCases {
		f.Add([]byte(c.html))
	}
	for _, c := range attrCases {
		f.Add([]byte(c.html))
	}
	for _, c := range textCases {
		f.Add([]byte(c.html))
	}
	for _, c := range shapeCases {
		f.Add([]byte(c.html))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) < 1<<16 {
			sameTree(t, bytes.ToValidUTF8(body, nil))
		}
	})
}
