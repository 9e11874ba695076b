package css

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/net/html"
)

// seen returns how the element with the id "t" is seen, its text included.
func seen(t testing.TB, s *Sheets, markup string) Look {
	doc, err := html.Parse(strings.NewReader(markup))
	if err != nil {
		t.Fatal(err)
	}
	for n := range doc.Descendants() {
		if n.Data == "style" && n.FirstChild != nil {
			media, _ := attrOf(n, "media")
			s.Add(n.FirstChild.Data, Source{Media: media, Element: n})
		}
		if style, ok := attrOf(n, "style"); ok && Tells(style) {
			s.AddAttribute(style)
		}
	}
	v, look, found := s.View(), Look{}, false
	var walk func(n *html.Node)
	walk = func(n *html.Node) {
		if n.Type == html.ElementNode {
			l := v.Push(n)
			defer v.Pop()
			if id, _ := attrOf(n, "id"); id == "t" {
				found = true
				if look = l; l.Why == InSight {
					look = v.Text()
				}
			}
		}
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			walk(c)
		}
	}
	walk(doc)
	if !found {
		t.Fatalf("no element t in %q", markup)
	}
	return look
}

// Each row is a sheet and a body with the element t.
func TestSheets(t *testing.T) {
	const box = `<p id=t class="a b" data-x="One two">x</p>`
	for _, c := range []struct {
		name, sheet, body string
		want              Reason
	}{
		// Selectors.
		{"type", "p{display:none}", box, Display},
		{"type in capitals", "P{display:none}", box, Display},
		{"any", "*{visibility:hidden}", box, Visibility},
		{"class", ".b{display:none}", box, Display},
		{"two classes", ".a.c{display:none}", box, InSight},
		{"a class is not part of one", ".bb,.a-{display:none}", box, InSight},
		{"escaped class", `.a\:b{display:none}`, `<p id=t class="a:b">x`, Display},
		{"id", "#t{display:none}", box, Display},
		{"attribute", "[data-x]{display:none}", box, Display},
		{"attribute =", `[data-x="One two"]{display:none}`, box, Display},
		{"attribute ~=", `[data-x~=two]{display:none}`, box, Display},
		{"attribute ^= with i", `[data-x^="one" i]{display:none}`, box, Display},
		{"attribute $=", `[data-x$=One]{display:none}`, box, InSight},
		{"attribute *=", `[data-x*="e t"]{display:none}`, box, Display},
		{"attribute |=", `[lang|=en]{display:none}`, `<p id=t lang=en-GB>x`, Display},
		{"descendant", "div p{display:none}", "<div><b>" + box, Display},
		{"child", "div>p{display:none}", "<div><section>" + box, InSight},
		{"any child", "div>*{display:none}", "<div>" + box, Display},
		{"next", "i+p{display:none}", "<i></i>" + box, Display},
		{"later", "i~p{display:none}", "<i></i><b></b>" + box, Display},
		{"backtracking", ".x > .y p{display:none}", `<div class=x><div class=y><div class=y>` + box, Display},
		{"is", ":is(.z,.b){display:none}", box, Display},
		{"where", ":where(.b){display:none} p{display:block}", box, InSight},
		{"not", "p:not(.z){display:none}", box, Display},
		{"not a list", "p:not(.z,.a){display:none}", box, InSight},
		{"has", "div:has(> p){display:none}", "<div id=t><p>x", Display},
		{"has next", "p:has(+ i){display:none}", "<p id=t>x</p><i></i>", Display},
		{"root", ":root p{display:none}", box, Display},
		{"first-child", "p:first-child{display:none}", "<div><b></b>" + box, InSight},
		{"last-of-type", "p:last-of-type{display:none}", "<div>" + box + "<b></b>", Display},
		{"nth-child", "p:nth-child(2n+1){display:none}", "<div><b></b><b></b>" + box, Display},
		{"nth-last-child", "p:nth-last-child(-n+2){display:none}", "<div>" + box + "<b></b><b></b>", InSight},
		{"only-child", "p:only-child{display:none}", "<div>" + box, Display},
		{"a state that needs a user", "p:hover{display:none}", box, InSight},
		{"a pseudo-element", "p::before{display:none}", box, InSight},
		{"a pseudo-class that nobody knows", "p:nobody{display:none}", box, InSight},

		// Syntax.
		{"comments", "/* p{} */ p/**/{/*;*/display/**/:/**/none/**/}", box, Display},
		{"a brace in a string", `i{content:"}p{"} p{display:none}`, box, Display},
		{"an address without quotes", `i{background:url(a;b{c'd)} p{display:none}`, box, Display},
		{"old comment marks", "<!-- p{display:none} -->", box, Display},
		{"a broken declaration before", "p{color:;;!;display:none}", box, Display},
		{"no end", "p{display:none", box, Display},
		{"escapes", `p{d\69splay:n\6Fne}`, box, Display},
		{"a rule that does not matter", "p{margin:0 auto;padding:1px}", box, InSight},

		// Conditions.
		{"media that holds", "@media screen and (min-width:700px){p{display:none}}", box, Display},
		{"print", "@media print{p{display:none}} p{color:red}", box, InSight},
		{"not print", "@media not print{p{display:none}}", box, Display},
		{"a range", "@media (400px<=width<2000px){p{display:none}}", box, Display},
		{"narrow", "@media (max-width:600px){p{display:none}}", box, InSight},
		{"one of a list", "@media print,(width>=1000px){p{display:none}}", box, Display},
		{"dark", "@media (prefers-color-scheme:dark){p{display:none}}", box, InSight},
		{"unknown, negated too", "@media not (odd:1){p{display:none}}", box, InSight},
		{"supports", "@supports (display:grid) and (not (-moz-x:y)){p{display:none}}", box, Display},
		{"supports not", "@supports not (display:grid){p{display:none}}", box, InSight},
		{"container", "@container (width>1px){p{display:none}}", box, InSight},
		{"container, of a low box", ".c{container-type:inline-size;width:500px}.x{height:20px;overflow:hidden}p{margin-top:100px}@container (width>1px){.x{margin-top:0}}", "<div class=c><div class=x><p id=t>x", Clip},
		{"the root is moved by its size", "html{translate:100%}", box, InSight},
		{"keyframes", "@keyframes p{from{opacity:0}} p{color:red}", box, InSight},
		{"import and charset", `@charset "utf-8";@import url(x);p{display:none}`, box, Display},
		{"nested", "div{color:red;& p{display:none}}", "<div>" + box, Display},
		{"nested without mark", "div{p{display:none}}", "<div>" + box, Display},
		{"nested compound", "p{&.a{display:none}}", box, Display},
		{"nested, not inside", "div{p{display:none}}", box, InSight},
		{"nested media", "p{@media screen{display:none}}", box, Display},
		{"after a nested rule", "p{i{color:red} display:none}", box, Display},

		// Cascade.
		{"later", "p{display:none} p{display:block}", box, InSight},
		{"specificity", ".a{display:none} p{display:block}", box, Display},
		{"importance", "p{display:none!important} #t{display:block}", box, Display},
		{"style attribute", "#t{display:none}", `<p id=t style="display:block">x`, InSight},
		{"importance over style", "#t{display:none!important}", `<p id=t style="display:block">x`, Display},
		{"no layer wins", "p{display:block} @layer a{#t{display:none}}", box, InSight},
		{"later layer wins", "@layer a,b; @layer b{p{display:none}} @layer a{#t{display:block}}", box, Display},
		{"important layers backwards", "@layer a{p{display:none!important}} p{display:block!important}", box, Display},
		{"hidden attribute", "", `<p id=t hidden>x`, Display},
		{"a sheet shows what is hidden", "p{display:block}", `<p id=t hidden>x`, InSight},
		{"visibility is inherited", "div{visibility:hidden}", "<div><section>" + box, Visibility},
		{"and restored", "div{visibility:hidden} p{visibility:visible}", "<div><section>" + box, InSight},
		{"font size", "div{font-size:0}", "<div>" + box, Size},
		{"part of nothing", "div{font-size:0} p{font-size:2em}", "<div>" + box, Size},
		{"size restored", "div{font-size:0} p{font-size:1rem}", "<div>" + box, InSight},

		// Colours.
		{"white on white", "p{color:#fff}", box, Color},
		{"white on a dark box", "div{background:#222} p{color:#fff}", "<div>" + box, InSight},
		{"dark on dark", "div{background:#222} p{color:#232323}", "<div>" + box, Color},
		{"box as dark as its text", "p{background-color:#000}", box, Color},
		{"picture behind", "div{background:#fff;background-image:url(x)} p{color:#fff}", "<div>" + box, InSight},
		{"letters of a gradient", "p{color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text}", box, InSight},
		{"transparent", "p{color:rgb(0 0 0/0)}", box, Color},

		// Custom properties.
		{"var", ":root{--d:none} p{display:var(--d)}", box, Display},
		{"var in a style attribute", "p{display:var(--d)}", `<div style="--d:none">` + box, Display},
		{"var of its own", ":root{--d:none} p{--d:block;display:var(--d)}", box, InSight},
		{"fallback", "p{display:var(--none-such,none)}", box, Display},
		{"var of var", ":root{--a:var(--b);--b:none} p{display:var(--a)}", box, Display},
		{"cycle", ":root{--a:var(--b);--b:var(--a)} p{display:var(--a,none)}", box, Display},
		{"part of a colour", ":root{--c:255,255} p{color:rgb(255,var(--c))}", box, Color},

		// Sizes and places.
		{"no height", "p{height:0;overflow:hidden}", box, Size},
		{"no height, but it grows", "p{flex:1 0 0;width:0;overflow:hidden}", `<div style="display:flex"><p id=t>x`, InSight},
		{"from two rules", "p{max-height:0} .a{overflow-y:hidden}", box, Size},
		{"off screen", "p{position:absolute;left:-200vw}", box, Place},
		{"calc", "p{position:fixed;left:calc(-100% - 20px)}", box, Place},
		{"inset", "p{position:absolute;inset:0 auto auto -9999px}", box, Place},
		{"clip", "p{position:absolute;clip:rect(1px,1px,1px,1px)}", box, Clip},
		{"clip-path", "p{clip-path:polygon(0 0,0 0,0 0)}", box, Clip},
		{"filter", "p{filter:opacity(0%)}", box, Opacity},
		{"mask", "p{mask:linear-gradient(transparent,transparent)}", box, Opacity},
		{"a colour and a background of the same variable", ":root{--sea:#137}div{background:var(--deep) none;--deep:var(--sea)}p{color:var(--sea)}", "<div>" + box, Color},
		{"a colour and a background of variables that fall back", "div{background:var(--deep,#137)}p{color:#137}", "<div>" + box, Color},
		{"a colour of marked text", "mark{color:yellow}", "<p><mark id=t>x</mark>", Color},
		{"edge on", "p{rotate:y 90deg}", box, Size},

		// What is not computed.
		{"a picture as a filter", "p{filter:url(#f)}", `<svg><filter id=f></filter></svg>` + box, Unknown},
		{"a filter that is not there", "p{filter:url(#f)}", box, InSight},
		{"alpha without a slash", "p{color:lab(100 0 0 0)}", box, InSight},
		{"alpha behind a slash", "p{color:lab(0 0 0 / 0)}", box, Color},
		{"commas where a colour has none", "p{color:lab(100,0,0)}", box, InSight},
		{"commas and a slash", "p{color:rgb(0,0,0/0)}", box, InSight},
		{"numbers and percentages", "p{color:rgb(100%,255,255)}", box, InSight},
		{"commas", "p{color:rgb(100%,100%,100%)}", box, Color},
		{"commas and hue", "p{color:hsla(0,0%,0%,0)}", box, Color},
		{"an ellipse with one radius", "p{clip-path:ellipse(0)}", box, InSight},
		{"a circle with two radii", "p{clip-path:circle(0 0)}", box, InSight},
		{"one mask has nothing to subtract from", "p{mask:linear-gradient(#000,#000) exclude}", box, InSight},
		{"a picture as a mask", "p{mask-image:url(a.svg)}", box, Unknown},
		{"masks that leave each other out", "p{mask:linear-gradient(#000,#000) exclude,linear-gradient(#000,#000)}", box, Unknown},
		{"one of two masks is away", "p{mask:linear-gradient(#000,#000) no-repeat -9999px 0,linear-gradient(#000,#000)}", box, Unknown},
		{"masks that are joined", "p{mask:linear-gradient(#000,#000)}", box, InSight},
		{"a motion path", "p{offset-path:path('M -9000 0 L -9000 0')}", box, Unknown},
		{"no motion path", "p{offset-path:none}", box, InSight},
		{"a thick line through letters", "p{text-decoration:line-through #fff 3em}", box, Unknown},
		{"a line through letters", "p{text-decoration:line-through red 2px}", box, InSight},
		{"a thick line below letters", "p{text-decoration:underline gold 8px}", box, InSight},
		{"the first line", "p::first-line{color:#fff}", box, Unknown},
		{"the first line in another type", "p::first-line{font-weight:bold;color:#333}", box, InSight},
		{"the first line, and something else hides", "p::first-line{color:#333} p{color:#fff}", box, Color},
		{"an anchor that may be missing", "p{position:absolute;left:anchor(--a left,-9999px)}", box, Unknown},
		{"an anchor", "p{position:absolute;left:anchor(--a left)}", box, InSight},
		{"shown only with its anchor", "p{position:absolute;position-visibility:no-overflow}", box, Unknown},
		{"a row without height", "div{display:grid;grid-template-rows:0;overflow:hidden}", `<div id=t>x`, Unknown},
		{"rows", "div{grid-template-rows:1fr 0fr}", `<div id=t>x`, InSight},
		{"wrapped rows of a low box", "div{display:flex;flex-wrap:wrap;height:20px;overflow:hidden}b{width:100%;height:20px}", `<div><b></b><b id=t>x`, Unknown},
		{"a row of a low box", "div{display:flex;height:20px;overflow:hidden}", `<div><b></b><b id=t>x`, InSight},
		{"columns of a low box", "div{columns:2;height:20px;overflow:hidden}", `<div><p></p><p id=t>x`, Unknown},
		{"a slow transition from nothing", "p{opacity:1;transition:opacity 1h 99999s}@starting-style{p{opacity:0}}", box, Unknown},
		{"a transition from nothing", "p{opacity:1;transition:opacity 1s}@starting-style{p{opacity:0}}", box, InSight},
		{"a slow transition to nothing", "p{opacity:0;transition:opacity 99s}@starting-style{p{opacity:1}}", box, Unknown},
		{"no animation but by scrolling", "@keyframes a{from{opacity:0}} p{animation:a 1s both;animation-timeline:scroll()}", box, Unknown},
		{"nothing in every state", "@keyframes a{from,to{opacity:0}} p{opacity:0;animation:a 1s both;animation-timeline:view()}", box, Opacity},
	} {
		var s Sheets
		if got := seen(t, &s, "<!doctype html><style>"+c.sheet+"</style><body>"+c.body); got.Why != c.want {
			t.Errorf("%s: %s on %s: reason %d, want %d", c.name, c.sheet, c.body, got.Why, c.want)
		}
		if !s.Complete() {
			t.Errorf("%s: not complete", c.name)
		}
	}
}

func TestUnread(t *testing.T) {
	// Who knows what a sheet that was not read paints behind it.
	s := Sheets{Unread: true}
	if got := seen(t, &s, `<style>p{color:#fff}</style><div class=hero><p id=t>x`); got.Why != InSight {
		t.Errorf("reason %d", got.Why)
	}
	s = Sheets{Unread: true}
	if got := seen(t, &s, `<style>p{color:#fff;background:#fff}</style><div class=hero><p id=t>x`); got.Why != Color {
		t.Errorf("reason %d", got.Why)
	}
}

// In quirks mode, tables take the colour of their text from body, and its size from the root.
func TestQuirks(t *testing.T) {
	const (
		table = `<div style="color:#fff;font-size:0"><table><tr><td id=t>x</table></div>`
		dark  = `<body bgcolor=black text=white><table bgcolor=black><tr><td id=t>x</table>`
		inner = `<body bgcolor=black text=white><div style="color:#000"><table bgcolor=black><tr><td id=t>x</table></div>`
		wrong = `<body text=black><div style="color:#fff"><table bgcolor=black style="color:body"><tr><td id=t>x</table></div>`
		same  = `<body text=black><div style="color:#fff"><table bgcolor=black><tr><td id=t>x</table></div>`
	)
	for _, c := range []struct {
		page   string
		quirks bool
		want   Reason
	}{
		{table, true, InSight}, {table, false, Size}, {dark, true, InSight}, {dark, false, InSight},
		{inner, true, InSight}, {inner, false, Color}, {wrong, false, InSight}, {same, true, Color},
	} {
		if got := seen(t, &Sheets{Quirks: c.quirks}, c.page); got.Why != c.want {
			t.Errorf("quirks %t, %s: reason %d, want %d", c.quirks, c.page, got.Why, c.want)
		}
	}
}

func TestReset(t *testing.T) {
	doc, _ := html.Parse(strings.NewReader(`<body style="visibility:hidden;color:#fff"><p style="color:#fefefe">x`))
	var s Sheets
	v := s.View()
	root := doc.FirstChild
	v.Push(root)
	v.Push(root.LastChild)
	v.Reset()
	if got := v.Text(); got.Why != InSight {
		t.Errorf("after Reset: reason %d", got.Why)
	}
	v.Push(root.LastChild.FirstChild)
	if got := v.Text(); got.Why != Color {
		t.Errorf("below: reason %d", got.Why)
	}
}

// Sheets that want to cost much: each has to end soon, and the large ones say
// that they were not read whole.
func TestHostileSheets(t *testing.T) {
	rep := strings.Repeat
	const deep = 300
	for _, c := range []struct {
		name, sheet, body string
		complete          bool
	}{
		{"5 MB", rep("a{color:#fff}", 400_000), "", false},
		{"5 MB of one comment", "/*" + rep("x", 5_000_000), "", false},
		{"100,000 rules", rep(".t{display:none}", 100_000), "", false},
		{"one rule with 100,000 selectors", rep("p,", 100_000) + "p{display:none}", "", true},
		{"100,000 selectors for every element", rep("*:not(.x),", 100_000) + "p{display:none}", rep("<b></b>", 5000), false},
		{"deep blocks", rep("@media screen{", 10_000), "", false},
		{"deep nesting", rep("p{&", 10_000), "", false},
		{"nested lists that multiply", rep("&,&{", 40) + "display:none", "", false},
		{"not of not", "p" + rep(":not(", 10_000) + "i" + rep(")", 10_000) + "{display:none}", "", true},
		{"is of many", rep(":is(p,", 12) + "p" + rep(")", 12) + "{display:none}", "", true},
		{"children of children", rep("*>", 10_000) + "p{display:none}", rep("<div>", deep), true},
		{"anywhere in anywhere", "div:empty " + rep("div ", 60) + "p{display:none}", rep("<div>", deep), false},
		{"container queries of containers in such", rep("@container (min-width:1px){*{height:0;width:0;overflow:hidden;container-type:inline-size}}", 3), rep("<div>", 30), true},
		{"siblings of siblings", "b:not(*)~" + rep("b~", 50) + "p{display:none}", rep("<b></b>", 5000), false},
		{"has in has", "*:has(*:has(*:has(i))){display:none}", rep("<b></b>", 5000), true},
		{"nth of many", rep("b:nth-last-child(3n+1){display:none}", 10), rep("<b></b>", 20_000), true},
		{"variables that double", func() string {
			var b strings.Builder
			b.WriteString(":root{--a0:none;")
			for i := range 30 {
				b.WriteString("--a" + string(rune('A'+i)) + ":var(--a" + string(rune('A'+i+1)) + ") var(--a" + string(rune('A'+i+1)) + ");")
			}
			return b.String() + "} *{display:var(--aA)}"
		}(), rep("<b></b>", 5000), true},
		{"a product of variables", func() string { // as frameworks write transform
			var b strings.Builder
			for i := range 100 {
				b.WriteString(".c" + strconv.Itoa(i) + "{--x:" + strconv.Itoa(i) + "px;--y:" + strconv.Itoa(i) + "px;--r:" + strconv.Itoa(i) + "deg}")
			}
			return b.String() + rep(".t{transform:translate(var(--x),var(--y)) rotate(var(--r))}", 100) + "p{display:none}"
		}(), rep("<b class=t></b>", 100), true},
		{"a chain of variables", func() string {
			var b strings.Builder
			for i := range 5000 {
				b.WriteString("p{--a" + rep("x", i%50) + ":var(--a" + rep("x", (i+1)%50) + ")}")
			}
			return b.String() + "p{display:var(--a)}"
		}(), "", true},
		{"a long attribute", func() string {
			var b strings.Builder
			for i := range 20_000 {
				b.WriteString("[data-x*=aaaab" + strconv.Itoa(i) + "]{display:none}")
			}
			return b.String()
		}(), "<b data-x=" + rep("a", 500_000) + "></b>", false},
		{"many classes", func() string {
			var b strings.Builder
			for i := range 20_000 {
				b.WriteString("[class~=b" + strconv.Itoa(i) + "]{display:none}")
			}
			return b.String()
		}(), "<b class='" + rep("aa ", 200_000) + "'></b>", false},
		{"many variables of many elements", func() string {
			var b strings.Builder
			for i := range 20_000 {
				b.WriteString("--a" + strconv.Itoa(i+1) + ":var(--a" + strconv.Itoa(i) + ");")
			}
			return ".t{--a0:0;" + b.String() + "opacity:var(--a20000)}"
		}(), rep("<b class=t></b>", 50_000), false},
		{"animations of many frames", "@keyframes a{" + rep("9%{opacity:0}", 1500) + "}.t{animation:a 1s infinite}", rep("<b class=t></b>", 50_000), false},
		{"animations of a few frames", "@keyframes a{" + rep("9%{opacity:0}", 50) + "}.t{animation:a 1s infinite}", rep("<b class=t></b>", 50_000), true},
		{"animations as pages have them", "@keyframes a{0%{opacity:0}50%{opacity:.5}to{opacity:1}}.t{opacity:0;animation:a 1s 2s forwards}", rep("<b class=t></b>", 5000), true},
		{"layers", rep("@layer{", 20_000), "", false},
		{"brackets", "p" + rep("(", 100_000) + "{display:none}", "", true},
		{"braces", rep("}", 100_000) + "p{display:none}", "", true},
		{"escapes", rep(`\`, 100_000), "", true},
		{"escapes in a selector", rep(`\:`, 500_000) + "{display:none}", "", true},
		{"a backslash for a selector", `\{display:none}p,\ {display:none}p,\`, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var s Sheets
			start := time.Now()
			seen(t, &s, "<style>"+c.sheet+"</style><body>"+c.body+"<p id=t class=t>x")
			t.Logf("%v, %d steps", time.Since(start), s.steps)
			if s.Complete() != c.complete {
				t.Errorf("complete: %v, want %v", s.Complete(), c.complete)
			}
		})
	}
}

func FuzzSheet(f *testing.F) {
	for _, s := range []string{
		"p{display:none}", "@media screen{p{opacity:0}}", "@layer a.b,c;@layer a{p{--x:var(--y)}}", `p{a:url(b'c;d"e)}`,
		"p{&:hover,& b{display:none}}", "@supports not ((a:b) or (c:d)){*{color:#fff}}", `\`, "/*", "p{d\\69splay:none", "@media (1px<width<=2px){",
		"p{clip-path:polygon(0 0,0 0);transform:matrix(1,2,3,4,5,6)}", "p{color:hsl(1 2% 3%/4)}", "p{width:calc(1px * 2 - 3em)}",
	} {
		f.Add(s)
	}
	doc, err := html.Parse(strings.NewReader(`<div class=a><p id=t style="--y:none">x<b>y</b></p><p></p></div>`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, src string) {
		var s Sheets
		s.Add(src, Source{})
		s.AddAttribute(src)
		walkView(s.View(), doc)
		matchMedia(src)
		matchSupports(src)
	})
}

func FuzzSelector(f *testing.F) {
	for _, s := range []string{"p", ".a > p:not(.b, i)", "*|p", "[a=b i]", "#t:nth-last-child(2n - 1)", ":has(> b):is(p,)", "a||b", `\0 .\31 x`, "&", "p:nth-child(2 of b)", "[a='",
		`\`,       // once read for ever
		"b\x00 0", // no end
	} {
		f.Add(s)
	}
	doc, err := html.Parse(strings.NewReader(`<div class=a><p id=t a=b>x<b>y</b></p><p></p></div>`))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, sel string) {
		if strings.ContainsAny(sel, "{}@;") {
			return
		}
		var s Sheets
		keyOf(sel)
		parentKeyOf(sel)
		for _, c := range compileListOf(sel) {
			for n := range doc.Descendants() {
				if n.Type != html.ElementNode || !s.matches(c, n, nil) {
					continue
				}
				// What fits is also found by its key.
				found := false
				var names bloom
				for up := s.parentElement(n); up != nil; up = s.parentElement(up) {
					for _, h := range keys(nil, up) {
						names.add(h)
					}
				}
				if !c.plausible(&names) {
					t.Errorf("%q fits, but not plausibly", sel)
				}
				for part := range splitTop(sel, ',') {
					h, ok := keyOf(part)
					if ok && h == 0 {
						found = true
					}
					for _, k := range keys(nil, n) {
						found = found || ok && k == h
					}
				}
				if !found {
					t.Errorf("%q fits %s, but no key finds it", sel, n.Data)
				}
			}
		}
	})
}

func compileListOf(s string) []*complexSelector {
	budget := maxList
	return compileList(s, nil, 0, &budget)
}

// TestColorNames: names are looked up by halving.
func TestColorNames(t *testing.T) {
	if !slices.IsSortedFunc(colorNames[:], func(a, b colorName) int { return strings.Compare(a.name, b.name) }) {
		t.Error("colorNames is not sorted")
	}
}
