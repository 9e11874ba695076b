package blocks

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file counts the text that a page shows and its content does not contain. It looks
// at the page, not at the reasons for which a block was dropped: a choice that is wrong is
// counted too. Not counted are
//
//   - navigation, and the header and the footer of the page, by tag or role, and a footer
//     by its class where nothing in it is content;
//   - boxes that sites repeat: cookies, consent, share, newsletter, ads, dialogs;
//   - links, lists of links, and buttons;
//   - labels that repeat, and the names, dates and profiles of a thread;
//   - text that the content contains elsewhere.

// The thresholds. The measurements are of panel (316 pages of manuals and news): pages
// that lack a tenth of their content and are complete, and pages that do not and are partial.
const (
	linkShare  = 2  // links are half of the text of a list of links: 15 of 60, 14 of 256 …
	listLinks  = 4  // … or a list has as many links, and
	listShare  = 5  // they are a fifth of its text: 16 of 60, 7 of 256
	labelWords = 12 // a shorter text is a label if it repeats, or stands in a thread: of 26 threads of WCXB 16 were partial, then 8
	labelTimes = 3  // … so often, numbers aside
	gramWords  = 4  // words in a row that are looked up; fewer are compared with blocks
)

// Shown is a text that a page shows.
type Shown struct {
	// Part is where it is: navigation, header, footer, or box for what sites repeat, such
	// as a newsletter; "" for the rest of the page.
	Part string
	Text string
}

// Shown returns all that the page shows, in page order.
func (seg *Segmentation) Shown() []Shown {
	var out []Shown
	places := seg.placesOf(nil)
	var run []byte // of blocks of one part
	for i := range seg.blocks {
		b := &seg.blocks[i]
		part := places[b.elem].boilerplate
		if n := len(out); n == 0 || out[n-1].Part != part {
			out = append(out, Shown{Part: part})
			run = run[:0]
		}
		run = append(append(run, seg.buf[b.s0:b.s1]...), '\n')
		if next := i + 1; next == len(seg.blocks) || places[seg.blocks[next].elem].boilerplate != part {
			out[len(out)-1].Text = string(run)
		}
	}
	return out
}

// place says what an element is a part of.
type place struct {
	boilerplate string     // what kind of it: see boilerplateOf
	section     bool       // it is within a section, whose header is not that of the page
	button      bool       // something to press
	kept        bool       // text in it is in the content
	link        *html.Node // nearest link; nil: none
	part        int32      // outermost element around it that is not kept, by number
}

// placesOf returns the places of the elements. keep says which blocks are the content; nil:
// nobody has chosen.
func (seg *Segmentation) placesOf(keep []bool) []place {
	kept := make([]int32, len(seg.blocks)+1) // prefix sum
	for i := range seg.blocks {
		kept[i+1] = kept[i]
		if keep != nil && keep[i] {
			kept[i+1]++
		}
	}
	frame := make([]bool, len(seg.elems)) // has the main element in it
	for i := range seg.elems {
		if n := seg.elems[i].node; n.DataAtom == atom.Main || dom.Attr(n, "role") == "main" {
			for up := seg.elems[i].parent; up >= 0 && !frame[up]; up = seg.elems[up].parent {
				frame[up] = true
			}
		}
	}
	out := make([]place, len(seg.elems))
	for i := range seg.elems {
		e, up := &seg.elems[i], place{kept: true}
		if e.parent >= 0 {
			up = out[e.parent]
		}
		n, role := e.node, strings.ToLower(dom.Attr(e.node, "role"))
		p := place{section: up.section || !frame[i] && isSection(n, role), link: up.link, button: up.button || n.DataAtom == atom.Button || role == "button", kept: kept[e.b1] > kept[e.b0], part: up.part}
		p.boilerplate = cmp.Or(boilerplateOf(n, role, up.section), up.boilerplate)
		if p.boilerplate == "" && keep != nil && !p.kept && !up.section && (hasWord(dom.Attr(n, "class"), isFooter) || hasWord(dom.Attr(n, "id"), isFooter)) {
			p.boilerplate = "footer"
		}
		if isLink(n) {
			p.link = n
		}
		if up.kept {
			p.part = int32(i)
		}
		out[i] = p
	}
	return out
}

func isLink(n *html.Node) bool { return n.DataAtom == atom.A && dom.Attr(n, "href") != "" }

// omission measures the text that is left out.
type omission struct {
	seg    *Segmentation
	keep   []bool
	thread bool
	places []place         // by element
	parts  map[int32]*part // by number
	labels map[uint64]int  // texts that are not in the content, numbers aside, and their times
	grams  []uint64        // of the content, sorted; nil: not needed yet
	buf    []uint64        // grams of one block
}

// part is an element of which nothing is in the content, or a text beside what is.
type part struct {
	chars, linked int // without white space
	links         int
	last          *html.Node // link
	text          page.OmittedText
}

// Omitted counts the text that the page shows and the chosen blocks do not have. thread says that
// the page is one.
func (seg *Segmentation) Omitted(keep []bool, thread bool) (out page.OmittedText) {
	o := omission{seg: seg, keep: keep, thread: thread, places: seg.placesOf(keep), parts: map[int32]*part{}, labels: map[uint64]int{}}
	for i := range seg.blocks {
		if b := &seg.blocks[i]; !keep[i] {
			o.labels[label(seg.buf[b.s0:b.s1])]++
		}
	}
	for i := range seg.blocks {
		at := &o.places[seg.blocks[i].elem]
		if keep[i] || at.boilerplate != "" {
			continue
		}
		number := at.part
		if at.kept {
			number = -1 - int32(i) // a part of its own
		}
		if o.parts[number] == nil {
			o.parts[number] = new(part)
		}
		o.add(o.parts[number], i)
	}
	for _, p := range o.parts {
		if linkShare*p.linked < p.chars && (p.links < listLinks || listShare*p.linked < p.chars) {
			out.Words += p.text.Words
			out.Blocks += p.text.Blocks
		}
	}
	return out
}

// isSection reports whether an element has a header and a footer of its own (HTML
// Accessibility API Mappings, header and footer).
func isSection(n *html.Node, role string) bool {
	switch n.DataAtom {
	case atom.Article, atom.Main, atom.Section, atom.Aside:
		return true
	}
	return role == "article" || role == "main"
}

// boilerplateOf says what an element is: "navigation", the "header" or the "footer" of the
// page, a "box" that sites repeat; "" for any other element.
func boilerplateOf(n *html.Node, role string, section bool) string {
	switch n.DataAtom {
	case atom.Nav:
		return "navigation"
	case atom.Header, atom.Footer:
		if !section {
			return n.Data
		}
	case atom.Body, atom.Html, atom.Main, atom.Article: // "no-ads"
		return ""
	}
	switch role {
	case "navigation", "menu", "menubar", "toolbar", "search":
		return "navigation"
	case "banner":
		return "header"
	case "contentinfo":
		return "footer"
	case "dialog", "alertdialog":
		return "box"
	}
	if hasWord(dom.Attr(n, "class"), isBox) || hasWord(dom.Attr(n, "id"), isBox) {
		return "box"
	}
	return ""
}

// hasWord reports whether names of classes have a word, e.g. "cookie" in "c-cookie-bar": a run of
// letters and colons ("sm:modal-off").
func hasWord(names string, is func(string) bool) bool {
	for i := 0; i < len(names); i++ {
		from := i
		for i < len(names) && (names[i]|0x20 >= 'a' && names[i]|0x20 <= 'z' || names[i] == ':' || names[i] >= utf8.RuneSelf) {
			i++
		}
		if i > from && is(strings.ToLower(names[from:i])) {
			return true
		}
	}
	return false
}

// isBox reports whether a word is one for a repeated box.
func isBox(word string) bool {
	switch word {
	case "cookie", "cookies", "consent", "gdpr", "ccpa", "onetrust", "didomi",
		"share", "sharing", "social", "socials", "newsletter", "newsletters", "subscribe", "subscription", "signup",
		"ad", "ads", "advert", "adverts", "advertisement", "sponsor", "sponsored", "promo", "promotion",
		"modal", "popup", "popover", "toast", "breadcrumb", "breadcrumbs", "respond", "commentform":
		return true
	}
	return false
}

// isFooter reports whether a word is one for the footer of a page. On 381 pages of manuals by
// 34 generators, 25 were partial without them and lacked nothing.
func isFooter(word string) bool { return word == "footer" }

// add adds a block to a part. One that is mostly links, a button, a label, or in the
// content elsewhere is not text that a reader lacks.
func (o *omission) add(p *part, i int) {
	b := &o.seg.blocks[i]
	at := &o.places[b.elem]
	linked := 0
	for _, t := range o.seg.texts[b.t0:b.t1] {
		link := at.link
		for n := t.Parent; n != nil && n != o.seg.elems[b.elem].node; n = n.Parent {
			if isLink(n) {
				link = n
				break
			}
		}
		if link == nil || t.Type != html.TextNode {
			continue
		}
		if p.last != link {
			p.last = link
			p.links++
		}
		for _, c := range t.Data {
			if !unicode.IsSpace(c) {
				linked++
			}
		}
	}
	p.chars += int(b.chars)
	p.linked += linked
	if linkShare*linked < int(b.chars) && b.words > 0 && !at.button && !o.isLabel(i, b) && !o.contained(o.seg.words[b.w0:b.w1]) {
		p.text.Words += int(b.words)
		p.text.Blocks++
	}
}

// isLabel reports whether a block is a short text that repeats, or stands beside posts,
// whose authors and dates the content has as headings.
func (o *omission) isLabel(i int, b *block) bool {
	return b.words < labelWords && (o.thread && !o.seg.InCode(i) || o.labels[label(o.seg.buf[b.s0:b.s1])] >= labelTimes)
}

// label is a number for a text without the words that have digits.
func label(line []byte) uint64 {
	h := uint64(0)
	for word := range bytes.FieldsSeq(line) {
		if bytes.ContainsAny(word, "0123456789") {
			continue
		}
		for _, c := range word {
			h = (h ^ uint64(c)) * fnvPrime
		}
	}
	return h
}

// contained reports whether the content contains words in a row.
func (o *omission) contained(words []uint32) bool {
	if o.grams == nil {
		o.grams = make([]uint64, 0, len(o.seg.words))
		for i := range o.seg.blocks {
			if b := &o.seg.blocks[i]; o.keep[i] {
				o.grams = appendGrams(o.grams, o.seg.words[b.w0:b.w1])
			}
		}
		slices.Sort(o.grams)
	}
	o.buf = appendGrams(o.buf[:0], words)
	for _, g := range o.buf {
		if _, ok := slices.BinarySearch(o.grams, g); !ok {
			return false
		}
	}
	return true
}

// appendGrams appends a number for each gramWords words in a row, and one for all of fewer.
func appendGrams(grams []uint64, words []uint32) []uint64 {
	n := min(len(words), gramWords)
	for k := n; k <= len(words); k++ {
		g := uint64(n)
		for _, w := range words[k-n : k] {
			g = (g ^ uint64(w)) * fnvPrime
		}
		grams = append(grams, g)
	}
	return grams
}
