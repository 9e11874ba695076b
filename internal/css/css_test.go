package css

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// at returns how the text of the element with the id t is hidden.
func at(t testing.TB, s *Sheets, page string) (cause Cause) {
	doc, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	v := s.View()
	var in func(n *html.Node, all Cause)
	in = func(n *html.Node, all Cause) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			if c.Type != html.ElementNode {
				continue
			}
			state := v.Push(c)
			outer := max(all, state.All)
			for _, a := range c.Attr {
				if a.Key == "id" && a.Val == "t" {
					cause = max(outer, state.Text)
				}
			}
			in(c, outer)
			v.Pop()
		}
	}
	in(doc, Seen)
	return cause
}

func TestHides(t *testing.T) {
	const box = `<p id=t class="a b" data-x="One two">x`
	for _, c := range []struct {
		name, sheet, body string
		want              Cause
	}{
		// Selectors.
		{"type", "p{display:none}", box, ByDisplay},
		{"class with an escape", `.a\:b{display:none}`, `<p id=t class="a:b">x`, ByDisplay},
		{"identifier", "#t{display:none}", box, ByDisplay},
		{"attribute, in any case", `[data-x^="one" i]{display:none}`, box, ByDisplay},
		{"descendant", "div p{display:none}", "<div><b>" + box, ByDisplay},
		{"child", "div>p{display:none}", "<div><section>" + box, Seen},
		{"next", "i+p{display:none}", "<i></i>" + box, ByDisplay},
		{"later", "i~p{display:none}", "<i></i><b></b>" + box, ByDisplay},
		{"backtracking", ".x > .y p{display:none}", `<div class=x><div class=y><div class=y>` + box, ByDisplay},
		{"is", ":is(.z,.b){display:none}", box, ByDisplay},
		{"an invalid part of is", ":is(:nobody,.b){display:none}", box, ByDisplay},
		{"where has no weight", ":where(.b){display:none} p{display:block}", box, Seen},
		{"not a list", "p:not(.z,.a){display:none}", box, Seen},
		{"not in a state", "p:not(:hover){display:none}", box, ByDisplay},
		{"has a child", "div:has(> p){display:none}", "<div id=t><p>x", ByDisplay},
		{"has next", "p:has(+ i){display:none}", "<p id=t>x</p><i></i>", ByDisplay},
		{"has nothing", "div:has(> i){display:none}", "<div id=t><p><i>x", Seen},
		{"position", "p:nth-child(2n+1){display:none}", "<div><b></b><b></b>" + box, ByDisplay},
		{"a state that needs a user", "p:hover{display:none}", box, Seen},
		{"a pseudo-element", "p::before{display:none}", box, Seen},
		{"an invalid selector spoils its list", "p:nobody,p{display:none}", box, Seen},
		{"a selector of jQuery", "p:contains(x){display:none}", box, Seen},

		// Syntax.
		{"comments", "/* p{} */ p/**/{/*;*/display/**/:/**/none/**/}", box, ByDisplay},
		{"a brace in a string", `i{content:"}p{"} p{display:none}`, box, ByDisplay},
		{"a broken declaration before", "p{color:;;!;display:none}", box, ByDisplay},
		{"no end", "p{display:none", box, ByDisplay},
		{"escapes", `p{d\69splay:n\6Fne}`, box, ByDisplay},
		{"a brace too many", "i{color:red}}p{display:none}", box, Seen},

		// Conditions.
		{"media that holds", "@media screen and (min-width:700px){p{display:none}}", box, ByDisplay},
		{"narrow", "@media (max-width:600px){p{display:none}}", box, Seen},
		{"print", "@media print{p{display:none}}", box, Seen},
		{"a preference", "@media (prefers-color-scheme:dark){p{display:none}}", box, Seen},
		{"supports", "@supports (display:grid){p{display:none}}", box, ByDisplay},
		{"a layer loses", "p{display:block} @layer a{#t{display:none}}", box, Seen},
		{"container", "@container (width>1px){p{display:none}}", box, Seen},

		// Cascade.
		{"later wins", "p{display:none} p{display:block}", box, Seen},
		{"specificity", ".a{display:none} p{display:block}", box, ByDisplay},
		{"importance", "p{display:none!important} #t{display:block}", box, ByDisplay},
		{"style attribute", "#t{display:none}", `<p id=t style="display:block">x`, Seen},
		{"importance over style", "#t{display:none!important}", `<p id=t style="display:block">x`, ByDisplay},
		{"a sheet shows what is hidden", "p{display:block}", `<p id=t hidden>x`, Seen},
		{"visibility is inherited", "div{visibility:hidden}", "<div><section>" + box, ByVisibility},
		{"and restored", "div{visibility:hidden} p{visibility:visible}", "<div><section>" + box, Seen},
		{"font size", "div{font-size:0}", "<div>" + box, ByFont},
		{"part of nothing", "div{font-size:0} p{font-size:2em}", "<div>" + box, ByFont},
		{"size restored", "div{font-size:0} p{font-size:1rem}", "<div>" + box, Seen},

		// The table.
		{"opacity", "p{opacity:4%}", box, ByOpacity},
		{"opacity that an animation ends", "@keyframes in{to{opacity:1}} p{opacity:0;animation:in 1s}", box, Seen},
		{"no height", "p{height:0;overflow:hidden}", box, BySize},
		{"from two rules", "p{max-height:0} .a{overflow-y:hidden}", box, BySize},
		{"no height, but padding", "p{height:0;padding-top:50%;overflow:hidden}", box, Seen},
		{"placed by a box farther out", "div{height:0;overflow:hidden} p{position:absolute}", "<div>" + box, Seen},
		{"in a line", "span{width:0;overflow:hidden}", "<span id=t>x", Seen},
		{"off screen", "p{position:absolute;left:-200vw}", box, ByPlace},
		{"inset", "p{position:absolute;inset:0 auto auto -9999px}", box, ByPlace},
		{"a negative margin", "p{margin-left:-2px}", box, Seen},
		{"indented", "p{text-indent:-9999px}", box, ByPlace},
		{"scaled", "p{transform:translate(1px) scale(0)}", box, BySize},
		{"edge on", "p{transform:rotateY(90deg)}", box, BySize},
		{"clip", "p{position:absolute;clip:rect(1px,1px,1px,1px)}", box, ByClip},
		{"clip-path", "p{clip-path:inset(50%)}", box, ByClip},

		// Colours.
		{"white on white", "p{color:#fff}", box, ByColor},
		{"white without hue", "p{color:hsl(0 0% 100%)}", box, ByColor},
		{"white on a dark box", "div{background:#222} p{color:#fff}", "<div>" + box, Seen},
		{"white on the colour of an attribute", "p{color:#fff}", "<table bgcolor=black><tr><td>" + box, Seen},
		{"dark on dark", "div{background:#222} p{color:#232323}", "<div>" + box, ByColor},
		{"a picture behind", "div{background:#fff url(x)} p{color:#fff}", "<div>" + box, Seen},
		{"a box that is placed", "div{position:absolute} p{color:#fff}", "<div>" + box, Seen},
		{"painted by a pseudo-element", "p::before{background:navy} p{color:#fff}", box, Seen},
		{"letters of a gradient", "p{color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text}", box, Seen},
		{"transparent", "p{color:rgb(0 0 0/0)}", box, ByColor},

		// What is not computed.
		{"a custom property", ":root{--d:none} p{display:var(--d)}", box, Seen},
		{"a mask", "p{mask:linear-gradient(transparent,transparent)}", box, Seen},
		{"a calculation", "p{position:fixed;left:calc(-100% - 20px)}", box, Seen},
		{"a colour of another space", "p{color:lab(100 0 0)}", box, Seen},
	} {
		var s Sheets
		s.Add(c.sheet, "", 0)
		if got := at(t, &s, "<!doctype html><body>"+c.body); got != c.want {
			t.Errorf("%s: %s on %s: cause %d, want %d", c.name, c.sheet, c.body, got, c.want)
		}
	}
}

// TestUnread: nobody knows what a sheet that was not read paints.
func TestUnread(t *testing.T) {
	for sheet, want := range map[string]Cause{
		"p{color:#fff}":                                 Seen,
		"p{color:#fff;background:#fff}":                 ByColor,
		"div{background:#fff} p{color:#fff}":            Seen,
		"div{font-size:0}":                              Seen,
		"p{font-size:0}":                                ByFont,
		"p{display:none}":                               ByDisplay,
		"div{background:#000} p{color:rgba(0,0,0,.01)}": ByColor,
	} {
		s := Sheets{Unread: true}
		s.Add(sheet, "", 0)
		if got := at(t, &s, "<div><p id=t>x"); got != want {
			t.Errorf("%s: cause %d, want %d", sheet, got, want)
		}
	}
}

func TestSelect(t *testing.T) {
	doc, err := html.Parse(strings.NewReader("<main><section><p class='ab a'>1<p id=x class='aa\tab'>2<b>3</b></section><p>4</main>"))
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]string{
		"p": "124", "section > .a": "1", "main > p, .a": "14", ":scope b": "3", "p:has(b)": "2", "section, p": "124", "p:not(.a)": "24", "i": "",
		".ab": "12", "p.ab.a": "1", "P#x.aa": "2", "#X": "", "b.ab": "",
	} {
		s, err := Compile(selector)
		if err != nil {
			t.Errorf("%s: %v", selector, err)
			continue
		}
		found, complete := s.Select(doc)
		got := ""
		for _, n := range found {
			for d := range n.Descendants() {
				if d.Type == html.TextNode && len(d.Data) == 1 && d.Parent.Data == "p" {
					got += d.Data
				}
			}
			if n.Data == "b" {
				got += n.FirstChild.Data
			}
		}
		if got != want || !complete {
			t.Errorf("%s: %q, want %q", selector, got, want)
		}
	}
	for _, bad := range []string{"", "p,", ">p", "p >", "p..a", "p[a]p", "p:nobody", "p::before", "[a!=b]", "[a#=b]", "p:contains(x)", "svg|a", "p(", "[a", ":not()", "p{", strings.Repeat("a ", 1500), strings.Repeat(":not(", 20) + strings.Repeat(")", 20)} {
		if _, err := Compile(bad); err == nil {
			t.Errorf("%.40q is valid", bad)
		}
	}
}

func FuzzSheet(f *testing.F) {
	for _, s := range []string{`p{d\69splay:n\6Fne}`, "@media screen{p:has(> i)::after{background:url(x)}}", "@keyframes a{from{opacity:0}}", "p{inset:;font:0/0 a;clip:rect(0,0,0,0)}", "}{}", "\\", "p{color:\\ }", "p{transform:scale()}"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, sheet string) {
		var s Sheets
		s.Add(sheet, "", 0)
		walk(t, &s, `<body bgcolor=red><div id=t class=a><p style="opacity:0">x<table><td>y`)
	})
}

func FuzzCompile(f *testing.F) {
	for _, s := range []string{"p.a:not(#b) > [c~=d]", ":is(", `a\`, "*|*", ":nth-child(2n+1)", "a::b", "[", "p:has(+ i)"} {
		f.Add(s)
	}
	doc, err := html.Parse(strings.NewReader("<div class=a><p>x<p id=b>y"))
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		if s, err := Compile(selector); err == nil {
			s.Select(doc)
		}
	})
}
