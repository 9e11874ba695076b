package browser_test

import (
	"strings"
	"testing"
)

// TestScrolled: what a person can scroll to is in the snapshot, and what no scrolling
// shows is not.
func TestScrolled(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	wide := `<table><tr>` + strings.Repeat(`<td><div style="width:300px">cell</div></td>`, 12) + `<td>last column</td></tr></table>`
	long := strings.Repeat(`<p>row</p>`, 80)
	url := site(t, map[string]string{
		"/wide":   `<div style="overflow-x:auto">` + wide + `</div>`,
		"/inside": `<div style="overflow:hidden;width:600px"><div style="overflow-x:scroll">` + wide + `</div></div>`,
		"/app":    `<style>body{margin:0;height:100vh;overflow:hidden}main{height:100%;overflow-y:auto}</style><main>` + long + `<p>last column</p></main>`,
		"/cut":    `<div style="overflow:hidden">` + wide + `</div>`,
		"/beside": `<div style="position:absolute;left:-9000px;width:300px;overflow-x:auto">` + wide + `</div>`,
		"/placed": `<style>html,body{margin:0;height:100%}</style><div style="position:absolute;width:100%"><div style="height:9000px">top</div><div style="height:200px"></div><div style="position:absolute;bottom:0">last column</div></div>`,
		"/far":    `<div style="position:absolute;top:9000px">last column</div>`,
		"/closed": `<div style="overflow:hidden;width:600px;height:50px;position:relative"><div style="position:absolute;left:700px;width:300px;overflow:auto">` + wide + `</div></div>`,
	})
	for path, want := range map[string]bool{"/wide": true, "/inside": true, "/app": true, "/placed": true, "/far": true, "/cut": false, "/beside": false, "/closed": false} {
		a := &actor{t: t, b: b, url: url}
		a.open(path)
		if got := strings.Contains(a.text, "last column"); got != want {
			t.Errorf("%s: seen %v\n%.600s", path, got, a.text)
		}
	}
}

// TestNumbersApart: a number in an element of its own is not glued to the text before,
// while a word, a formula and a counter in several elements stay whole.
func TestNumbersApart(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<p><span>April 2, 2024</span><span>1 yr</span><p><span>47.8k</span><span>113</span><span>113 gold</span>
		<p><b>B</b>reakfast CO<sub>2</sub> H<sub>12</sub>O<p><i>1</i><i>2</i><i>3</i> visits<p>10<sup>15</sup> atoms 21<sup>st</sup> place<p><b>Ask</b>415-22`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	const want = "April 2, 2024 1 yr\n47.8k 113 113 gold\nBreakfast CO2 H12O\n123 visits\n10^15 atoms 21st place\nAsk 415-22\n"
	if a.text != want {
		t.Errorf("%q\nwant %q", a.text, want)
	}
}

// TestRepeatedLinks: a picture that leads where the words beside it lead has no ref of its
// own; the same address somewhere else on the page changes nothing.
func TestRepeatedLinks(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	picture := func(href, alt string) string {
		return `<a href="` + href + `"><img width=60 height=40 alt="` + alt + `" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA="></a>`
	}
	url := site(t, map[string]string{"/": `<header>` + picture("/home", "Acme") + `<a href="/one">Red chair</a></header>` + strings.Repeat(`<p><b>Words</b> and more`, 80) +
		picture("/one", "Red chair") + `<p><a href="/one">Red chair</a><footer><a href="/home">Acme</a></footer>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if n := strings.Count(a.text, "[Acme]("); n != 2 {
		t.Errorf("the logo and the link in the foot: %d refs\n%s", n, a.text)
	}
	if n := strings.Count(a.text, "[Red chair]("); n != 2 {
		t.Errorf("the picture of a card: %d refs\n%s", n, a.text)
	}
}

// TestHollow: an entry of a menu that only holds a link has no ref beside that of the link,
// one that does something has; a link around other controls is named by its words.
func TestHollow(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<ul role=menu><li role=menuitem><a href="/one">First page</a><li role=menuitem tabindex=-1 onclick="1"><a href="/two">Second page</a></ul>
		<a href="/job" class=listing id=x><button>Software engineer</button><button>Apply</button></a>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if strings.Count(a.text, "](b") != 3 || !strings.Contains(a.text, "[First page](a1)") || !strings.Contains(a.text, "[Second page](a2)") || !strings.Contains(a.text, "[Software engineer Apply](a3)") {
		t.Error(a.text)
	}
}

// TestDialogInFlow: a dialog that stands in the page, as when its style sheet did not
// come, hides nothing; one that lies over the page does.
func TestDialogInFlow(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	picture := `<img alt=Sea style="position:absolute;left:0;top:0;width:100%;height:900px" src="data:image/gif;base64,R0lGODlhAQABAAAAACwAAAAAAQABAAA=">`
	dialog := `<div role=dialog aria-modal=true STYLE><button>Close</button><p>Question</div>`
	url := site(t, map[string]string{
		"/flow": `<p>words before` + picture + strings.Replace(dialog, "STYLE", `style="position:relative"`, 1) + `<p>words after`,
		"/over": `<p>words before<p>words after` + picture + `<div style="position:fixed;inset:0">` + strings.Replace(dialog, "STYLE", `style="position:absolute;left:300px;top:100px;background:white"`, 1) + `</div>`,
	})
	for path, want := range map[string]bool{"/flow": true, "/over": false} {
		a := &actor{t: t, b: b, url: url}
		a.open(path)
		if got := strings.Contains(a.text, "words before") && strings.Contains(a.text, "words after"); got != want || !strings.Contains(a.text, "Question") {
			t.Errorf("%s: %v\n%s", path, got, a.text)
		}
	}
}

// TestLocked: where a dialog keeps the page from being scrolled, what is below the window is
// behind it; browser_find has it.
func TestLocked(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<style>html {height: 100%; overflow: hidden} body {height: 100%; overflow: hidden}</style>` + strings.Repeat("<p>line", 60) +
		`<p>more words<div role=dialog aria-modal=true style="position:fixed;left:0;right:0;bottom:0;height:200px"><p>Are you of age?</div>`})
	a := &actor{t: t, b: b, url: url}
	if a.open("/"); !strings.Contains(a.text, "lines behind the dialog") || strings.Contains(a.text, "more words") || !strings.Contains(a.text, "of age") {
		t.Error(a.text)
	}
	if f, err := b.Find(t.Context(), a.at, "more words", ""); err != nil || f.Count != 1 {
		t.Errorf("%+v %v", f, err)
	}
}

// TestLateLayout: what the browser lays out only near the window is in the snapshot, without
// what is hidden in it.
func TestLateLayout(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<!doctype html><style>section{content-visibility:auto}.n{display:none}</style><h1>Head</h1><div style="height:4000px">space</div>
<section><p>one <b>bold</b> word</p><p class=n>nowhere</p><p style="opacity:0">clear</p><p style="visibility:hidden">ghost</p><div style="height:900px"></div>
<section><p>two inside</p></section></section><section style="contain-intrinsic-size:auto 20px"><p>three</p><p>four</p></section><section class=n><p>nothing</p></section><p>end</p>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	if want := "# Head\nspace\none bold word\ntwo inside\nthree\nfour\nend\n"; a.text != want {
		t.Errorf("%q\nwant %q", a.text, want)
	}
}

// TestAround: a frame shows as much of its document as the boxes around it leave; the top
// layer is outside of all boxes.
func TestAround(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	frame := func(attributes, text string) string {
		return `<iframe width=400 height=60 ` + attributes + ` srcdoc="<body style='margin:0'>` + text + `"></iframe>`
	}
	columns := func(width string, n int) string {
		return `<div style="columns:3;column-fill:auto;height:60px;overflow:hidden;width:` + width + `">` + strings.Repeat("page ", n) + `<span>words</span></div>`
	}
	low := `<div style='height:300px'></div><p>words</p>`
	top := `<p>page</p><script>x.showModal ? x.showModal() : x.showPopover()</script>`
	for name, c := range map[string]struct {
		page string
		want bool
	}{
		"frame that scrolls":    {frame(``, low), true},
		"frame in a high box":   {`<div style="height:58px;overflow:hidden">` + frame(``, `<p style='margin:35px 0 0'>words`) + `</div>`, true},
		"frame in a scroller":   {`<div style="height:60px;overflow:auto"><p style="height:200px">page</p>` + frame(``, `<p>words`) + `</div>`, true},
		"half of a line":        {`<div style="height:30px;overflow:hidden;line-height:20px"><p style="margin:0">page</p><p style="margin:0">words</p></div>`, true},
		"smaller frame":         {`<div style="width:100px;height:20px;overflow:hidden">` + frame(`style="transform:scale(.2);transform-origin:0 0"`, `<p style='margin-left:200px'>words`) + `</div>`, true},
		"dialog in a low box":   {`<div style="height:0;overflow:hidden;transform:none;contain:paint"><dialog id=x>words</dialog></div>` + top, true},
		"dialog in a clear one": {`<div style="opacity:0"><div popover=manual id=x>words</div></div>` + top, true},
		"clear dialog":          {`<dialog id=x style="opacity:0">words</dialog>` + top, false},
		"below a column":        {`<div style="height:20px;overflow:hidden;columns:1"><div style="height:20px"></div>words</div>`, false},
		"in the last column":    {columns("900px", 50), true},
	} {
		a := &actor{t: t, b: b, url: site(t, map[string]string{"/": "<!doctype html>" + c.page})}
		a.open("/")
		if got := strings.Contains(a.text, "words"); got != c.want {
			t.Errorf("%s: %v\n%s", name, got, a.text)
		}
	}
}
