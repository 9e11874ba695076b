package browser_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// TestScrolled: what a person can scroll to is in the snapshot, and what no scrolling
// shows is not.
func TestScrolled(t *testing.T) {
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
	for path, want := range map[string]bool{"/wide": true, "/inside": true, "/app": true, "/placed": true, "/far": false, "/cut": false, "/beside": false, "/closed": false} {
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

// TestBeneath: what covers the window, whatever it says to be, hides the words of the page,
// and the snapshot says that there are more; so does the answer to what opened it.
func TestBeneath(t *testing.T) {
	b := newBrowser(t, nil)
	cover := `<div id=c STYLE><p>Are you of age?</p><button onclick="c.style.display='none'">Yes</button></div>`
	page := `<p>words of the page<p>more words` + strings.Repeat("<p>and more", 30) + `<button style="position:fixed;left:600px;top:10px" onclick="c.style.display='block'">Ask</button>`
	shown, hidden := `style="position:fixed;inset:0;background:#fff"`, `style="position:fixed;inset:0;background:#fff;display:none"`
	url := site(t, map[string]string{
		"/div":    page + strings.Replace(cover, "STYLE", shown, 1),
		"/dialog": page + strings.Replace(cover, "STYLE", `role=dialog aria-modal=true `+shown, 1),
		"/locked": `<style>html {height: 100%; overflow: hidden} body {height: 100%; overflow: hidden}</style>` + strings.Repeat("<p>line", 60) + page + `<div role=dialog aria-modal=true style="position:fixed;left:0;right:0;bottom:0;height:200px"><p>Are you of age?</div>`,
		"/part":   page + strings.Replace(cover, "STYLE", `style="position:fixed;left:0;right:0;bottom:0;height:90px;background:#fff"`, 1),
		"/later":  page + strings.Replace(cover, "STYLE", hidden, 1),
		"/inside": `<div style="position:fixed;inset:0;background:#fff">` + page + `</div>`,
	})
	const fold = "beneath what covers the window"
	a := &actor{t: t, b: b, url: url}
	if a.open("/locked"); !strings.Contains(a.text, "lines behind the dialog") || strings.Contains(a.text, "more words") || !strings.Contains(a.text, "of age") {
		t.Error(a.text)
	}
	if f, err := b.Find(t.Context(), a.at, "more words", ""); err != nil || f.Count != 1 {
		t.Errorf("%+v %v", f, err)
	}
	for path, want := range map[string]bool{"/div": true, "/dialog": true, "/part": false, "/later": false, "/inside": false} {
		a := &actor{t: t, b: b, url: url}
		a.open(path)
		if got := strings.Contains(a.text, fold); got != want || strings.Contains(a.text, "words of the page") == want {
			t.Errorf("%s: %v\n%s", path, got, a.text)
		}
	}
	a.open("/later")
	c, err := b.Click(t.Context(), a.at, browser.Pointer{Ref: a.ref("Ask")})
	if err != nil || !strings.Contains(c.Text, fold) || !strings.Contains(c.Text, "Are you of age?") || strings.Contains(c.Text, "- words") {
		t.Errorf("%v\n%s", err, c.Text)
	}
}

// TestLateLayout: what the browser lays out only near the window is in the snapshot, without
// what is hidden in it.
func TestLateLayout(t *testing.T) {
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

// TestParts: what has no box of its own is judged by its styles: placeholders, the words on
// buttons, options of a closed list, the content of details.
func TestParts(t *testing.T) {
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<!doctype html><style>.w{color:#fff;background:#fff}.n{display:none}.c::placeholder{color:transparent}.w::placeholder{color:#fff}.d::placeholder{color:#fff}
.d{background:#222}#one::details-content{color:#fff;background:#222}#two::details-content{height:0;overflow:hidden}#three::details-content{opacity:0}</style>
<p><input class=c placeholder=clearholder><input class=w placeholder=whiteholder><input class=d placeholder=darkholder><input placeholder=plainholder>
<p><input type=button class=w style="border:0" value=whitebutton><input type=button value=greybutton>
<p><select><option>apple<option class=w>whiteoption<option class=n>noneoption<option hidden>hiddenoption<optgroup class=n label=nonegroup><option>innone</optgroup><optgroup label=seengroup><option>pear</optgroup></select>
<select style="color:transparent"><option>replaced</select>
<details open id=one><summary>s</summary><p>darkdetails</details><details open id=two><summary>s</summary><p>lowdetails</details><details open id=three><summary>s</summary><p>cleardetails</details>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	c, err := b.Content(t.Context(), a.at)
	if err != nil {
		t.Fatal(err)
	}
	for _, seen := range strings.Fields("darkholder plainholder greybutton apple seengroup pear replaced darkdetails") {
		if !strings.Contains(a.text, seen) {
			t.Errorf("%s is missing:\n%s", seen, a.text)
		}
	}
	for _, hidden := range strings.Fields("clearholder whiteholder whitebutton whiteoption noneoption hiddenoption nonegroup innone lowdetails cleardetails") {
		if strings.Contains(a.text, hidden) {
			t.Errorf("%s is not seen:\n%s", hidden, a.text)
		}
	}
	if !strings.Contains(c.HTML, "<p>darkdetails<") || strings.Contains(c.HTML, "<p>lowdetails") || strings.Contains(c.HTML, "<p>cleardetails") {
		t.Error(c.HTML)
	}
}

// TestDoubt: what covers or masks a text in a way that is not computed gives it a mark.
func TestDoubt(t *testing.T) {
	b := newBrowser(t, nil)
	const mask = `mask:linear-gradient(#000,#000),linear-gradient(#000,#000)`
	over := func(path string) string {
		return `<div style="position:relative"><p>words</p><svg width=900 height=60 style="position:absolute;left:0;top:-10px"><path d="` + path + `" fill=white /></svg></div>`
	}
	highlight := func(style string) string {
		return `<style>` + style + `</style><p id=x>words</p><script>const r = new Range; r.selectNodeContents(x); CSS.highlights.set('w', new Highlight(r))</script>`
	}
	canvas := func(box string) string {
		return `<div style="position:relative"><p>words</p><canvas id=c width=900 height=60 style="position:absolute;left:0;top:-10px"></canvas></div><script>const g = c.getContext('2d'); g.fillStyle = 'white'; g.fillRect(` + box + `)</script>`
	}
	for name, c := range map[string]struct {
		page string
		want bool
	}{
		"masks that exclude each other": {`<p style="` + mask + `;mask-composite:exclude">words`, true},
		"masks that add up":             {`<p style="` + mask + `">words`, false},
		"a white first line":            {`<style>p::first-line{color:#fff}</style><p>words`, true},
		"a red first line":              {`<style>p::first-line{color:#c00}</style><p>words`, false},
		"below a path":                  {over("M0 0h900v60H0z"), true},
		"beside a path":                 {over("M0 0h9v60H0z"), false},
		"a white highlight":             {highlight("::highlight(w){color:#fff}"), true},
		"a yellow highlight":            {highlight("::highlight(w){background:#ff0}"), false},
		"a white selection":             {`<style>p::selection{color:#fff;background:#fff}</style><p id=x>words</p><script>getSelection().selectAllChildren(x)</script>`, true},
		"a selection":                   {`<p id=x>words</p><script>getSelection().selectAllChildren(x)</script>`, false},
		"below a canvas":                {canvas("0,0,900,60"), true},
		"below a clear canvas":          {canvas("0,0,0,0"), false},
		"beside what a canvas draws":    {canvas("450,0,450,60"), false},
		"below a picture as border":     {bordered("url(/x.png)"), true},
	} {
		a := &actor{t: t, b: b, url: site(t, map[string]string{"/": "<!doctype html>" + c.page})}
		a.open("/")
		if got := strings.Contains(a.text, "(visibility unknown) words"); got != c.want || !strings.Contains(a.text, "words") {
			t.Errorf("%s: %v\n%s", name, got, a.text)
		}
	}
}

// bordered is a page with a box over its words that has a picture as its border.
func bordered(image string) string {
	return `<div style="position:relative"><p>words</p><div style="position:absolute;inset:-9px;border:3px solid #fff;border-image:` + image + ` 1 fill"></div></div>`
}

// TestPartsAcrossTrees: shadow trees, which leave out elements and change their order, do not
// change which styles are those of which element.
func TestPartsAcrossTrees(t *testing.T) {
	b := newBrowser(t, nil)
	url := site(t, map[string]string{"/": `<!doctype html><style>.w{color:#fff;background:#fff}.c::placeholder{color:transparent}</style>
<x-a><select slot=two><option>apple<option>plum</select><select slot=one><option>pear<option class=w>whiteoption</select><select><option>nowhere</select><input slot=two class=c placeholder=clearholder></x-a><x-b><input placeholder=plainholder></x-b>
<script>customElements.define('x-a',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'open'}).innerHTML='<p><slot name=one></slot><slot name=two></slot>'}});
customElements.define('x-b',class extends HTMLElement{connectedCallback(){this.attachShadow({mode:'closed'}).innerHTML='<p><slot></slot>'}})</script>`})
	a := &actor{t: t, b: b, url: url}
	a.open("/")
	for _, want := range []string{"apple | plum", "pear", "plainholder"} {
		if !strings.Contains(a.text, want) {
			t.Errorf("%s is missing:\n%s", want, a.text)
		}
	}
	if strings.Contains(a.text, "whiteoption") || strings.Contains(a.text, "clearholder") || strings.Contains(a.text, "unknown") {
		t.Error(a.text)
	}
}

// TestAround: a frame shows its document on what is behind it and as much of it as the boxes
// around leave; the top layer is outside of all boxes; a sticky box covers what leaves the
// window with it.
func TestAround(t *testing.T) {
	b := newBrowser(t, nil)
	frame := func(attributes, text string) string {
		return `<iframe width=400 height=60 ` + attributes + ` srcdoc="<body style='margin:0'>` + text + `"></iframe>`
	}
	columns := func(width string, n int) string {
		return `<div style="columns:3;column-fill:auto;height:60px;overflow:hidden;width:` + width + `">` + strings.Repeat("page ", n) + `<span>words</span></div>`
	}
	white := `<p style='color:#fff'>words</p>`
	low := `<div style='height:300px'></div><p>words</p>`
	top := `<p>page</p><script>x.showModal ? x.showModal() : x.showPopover()</script>`
	for name, c := range map[string]struct {
		page string
		want bool
	}{
		"frame on black":        {frame(`style="background:#000"`, white), true},
		"frame in black":        {`<div style="background:#000">` + frame(``, white) + `</div>`, true},
		"frame over black":      {`<div style="position:relative;height:90px"><div style="position:absolute;width:500px;height:90px;background:#000"></div><div style="position:absolute">` + frame(``, white) + `</div></div>`, true},
		"frame on white":        {frame(``, white), false},
		"frame that scrolls":    {frame(``, low), true},
		"frame that does not":   {frame(`scrolling=no`, low), false},
		"frame in a low box":    {`<div style="height:20px;overflow:hidden">` + frame(``, `<p style='margin:35px 0 0'>words`) + `</div>`, false},
		"frame in a high box":   {`<div style="height:58px;overflow:hidden">` + frame(``, `<p style='margin:35px 0 0'>words`) + `</div>`, true},
		"frame in a scroller":   {`<div style="height:60px;overflow:auto"><p style="height:200px">page</p>` + frame(``, `<p>words`) + `</div>`, true},
		"a rim of a line":       {`<div style="height:20px;overflow:hidden;line-height:20px"><p style="margin:0">page</p><p style="margin:-2px 0 0">words</p></div>`, false},
		"half of a line":        {`<div style="height:30px;overflow:hidden;line-height:20px"><p style="margin:0">page</p><p style="margin:0">words</p></div>`, true},
		"frame under a box":     {`<div style="position:relative">` + frame(``, `<p>words`) + `<div style="position:absolute;inset:0;background:#fff"></div></div>`, false},
		"smaller frame":         {`<div style="width:100px;height:20px;overflow:hidden">` + frame(`style="transform:scale(.2);transform-origin:0 0"`, `<p style='margin-left:200px'>words`) + `</div>`, true},
		"dialog in a low box":   {`<div style="height:0;overflow:hidden;transform:none;contain:paint"><dialog id=x>words</dialog></div>` + top, true},
		"dialog in a clear one": {`<div style="opacity:0"><div popover=manual id=x>words</div></div>` + top, true},
		"clear dialog":          {`<dialog id=x style="opacity:0">words</dialog>` + top, false},
		"outline of a sibling":  {`<p>words</p><p><span style="outline:200em solid #fff">page</span></p>`, false},
		"outline of an element": {`<p style="outline:200em solid #fff">words</p>`, true},
		"thin outline":          {`<p>words</p><p><span style="outline:4px solid #fff">page</span></p>`, true},
		"sticky cover":          {`<p>words</p><div style="position:sticky;top:0;margin-top:-50px;height:60px;background:#fff">page</div>`, false},
		"sticky, lower":         {`<p>words</p><div style="position:sticky;top:50px;margin-top:-50px;height:60px;background:#fff">page</div>`, true},
		"beyond all columns":    {columns("300px", 50), false},
		"below a column":        {`<div style="height:20px;overflow:hidden;columns:1"><div style="height:20px"></div>words</div>`, false},
		"in the last column":    {columns("900px", 50), true},
		"a cover in a frame":    {frame(``, `<p>words<div style='position:fixed;inset:0;background:#fff'></div>`), false},
		"canvas over all":       {`<p>words</p><canvas id=x style="position:fixed;inset:0;width:100%;height:100%"></canvas><script>const g = x.getContext('2d'); g.fillStyle = '#fff'; g.fillRect(0, 0, 300, 150)</script>`, false},
		"sparks over all":       {`<p>words</p><canvas id=x style="position:fixed;inset:0;width:100%;height:100%"></canvas><script>const g = x.getContext('2d'); for (let i = 0; i < 40; i++) g.fillRect(i * 7, i * 3, 3, 3)</script>`, true},
		"an opaque backdrop":    {`<style>::backdrop{background:#fff}</style><p>words</p><dialog id=x>page</dialog>` + top, false},
		"that of a popover":     {`<style>::backdrop{background:#fff}</style><p>words</p><div popover=manual id=x>page</div>` + top, false},
		"a thin backdrop":       {`<style>::backdrop{background:#fff9}</style><p>words</p><div popover=manual id=x>page</div>` + top, true},
		"a filled border":       {bordered("linear-gradient(#fff,#fff)"), false},
		"a border in its place": {`<div style="position:relative"><p>words</p><div style="position:absolute;inset:-9px;border:40px solid #fff;border-image:linear-gradient(#fff0,#fff0) 1"></div></div>`, true},
		"sticky in a scroller":  {`<div style="height:60px;overflow:auto"><div style="position:sticky;top:0;height:30px;background:#fff">page</div><p style="margin-top:-30px">words</p><p style="height:200px"></div>`, true},
	} {
		a := &actor{t: t, b: b, url: site(t, map[string]string{"/": "<!doctype html>" + c.page})}
		a.open("/")
		text, _, _ := strings.Cut(a.text, "…") // the words beneath are counted
		if got := strings.Contains(text, "words"); got != c.want {
			t.Errorf("%s: %v\n%s", name, got, a.text)
		}
	}
}
