package browser_test

import (
	"regexp"
	"strings"
	"testing"
)

var refNumber = regexp.MustCompile(`\]\(([a-z])\d+\)`)

// TestSees: what a page shows by other means than its words is in the snapshot.
func TestSees(t *testing.T) {
	t.Parallel()
	b := newBrowser(t, nil)
	cells := func(rows ...string) string {
		var s strings.Builder
		for _, r := range rows {
			s.WriteString(`<div style="overflow:hidden">`)
			for _, c := range r {
				s.WriteString(`<div style="float:left;width:9px;height:9px;background:` + map[rune]string{'#': "#222", '.': "#fff"}[c] + `"></div>`)
			}
			s.WriteString(`</div>`)
		}
		return s.String()
	}
	const cube = `<style>section{transform-style:preserve-3d;position:relative;width:80px;height:80px}section p{position:absolute;inset:0;margin:0}</style>`
	face := func(name, turn string) string {
		return `<p style="transform:` + turn + ` translateZ(40px)">` + name + `</p>`
	}
	for name, c := range map[string]struct{ page, want string }{
		"an editor with blocks": {
			`<div contenteditable aria-label=Note><h2>Plan</h2><p>Buy <strong>rope</strong> and <i>oil</i>.</p><p><label><input type=checkbox></label> tick me</p></div>`,
			"[Note](t)\n## [Plan](p)\n[Buy](p) **rope** and *oil*.\n[checkbox](x)[tick me](p)\n"},
		"an editor with a line": {`<div contenteditable aria-label=Note>Buy rope</div>`, "[Note=Buy rope](t)\n"},
		"bold in a line":        {`<div contenteditable aria-label=Note>Buy <b>rope</b></div>`, "[Note](t)\nBuy **rope**\n"},
		"a program": {"<pre>func f() {\n\tif x {\n\t\t<i>return</i>\n  }\n}</pre><div style='white-space:pre'><div>a:</div><div>  b: 1</div></div>",
			"func f() {\n\tif x {\n\t\treturn\n  }\n}\na:\n  b: 1\n"},
		"a sign with a label only": {`<p>Answer one</p><div role=note aria-label=Accepted><svg aria-hidden=true width=30 height=30><path d="M0 0L9 9"/></svg></div><div role=note aria-label=Empty></div>`,
			"Answer one\n![Accepted]\n"},
		"a box of colour in a sentence": {`<p>Choose the <span style="background:#778899;display:inline-block;width:15px;height:19px">&nbsp;</span> one.</p><span style="display:inline-block;width:20px;height:20px;background:#778899"></span>`,
			"Choose the (#778899 15x19) one.\n"},
		"a picture of cells":     {cells(".#.", "###", ".#."), "(picture of 3x3 cells: . white, # #222222)\n.#.\n###\n.#.\n"},
		"too few cells":          {cells(".#", "#."), ""},
		"the front of a cube":    {cube + `<section style="transform:rotateY(90deg)">` + face("one", "rotateY(0)") + face("two", "rotateY(180deg)") + face("three", "rotateY(-90deg)") + face("four", "rotateX(90deg)") + `</section>`, "three\n"},
		"a cube at an angle":     {cube + `<section style="transform:rotateY(-30deg)">` + face("one", "rotateY(0)") + face("two", "rotateY(90deg)") + face("three", "rotateY(180deg)") + `</section>`, "one\ntwo (at an angle)\n"},
		"the back of a card":     {cube + `<section style="transform:rotateY(180deg)"><p style="backface-visibility:hidden">front</p><p style="backface-visibility:hidden;transform:rotateY(180deg)">back</p></section>`, "back\n"},
		"a box around a field":   {`<div onclick="1"><span>Food</span> <input aria-label=Food></div>`, "Food [Food=](t)\n"},
		"words between controls": {`<div onclick="1">2 files<p>note.txt <button>Remove</button></p><p>pic.png <button>Remove</button></p></div>`, "[2 files](k)\nnote.txt [Remove](b)\npic.png [Remove](b)\n"},
	} {
		t.Run(name, func(t *testing.T) {
			url := site(t, map[string]string{"/": c.page})
			a := &actor{t: t, b: b, url: url}
			a.open("/")
			if got := refNumber.ReplaceAllString(a.text, "]($1)"); got != c.want {
				t.Errorf("%q\nwant %q", got, c.want)
			}
		})
	}
}
