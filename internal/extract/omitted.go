package extract

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
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
	partialShare = 10 // omitted text is a tenth of the text of the page or less where it is complete (SPEC 10)
	linkShare    = 2  // links are half of the text of a list of links: 15 of 60, 14 of 256 …
	listLinks    = 4  // … or a list has as many links, and
	listShare    = 5  // they are a fifth of its text: 16 of 60, 7 of 256
	labelWords   = 12 // a shorter text is a label if it repeats, or stands in a thread: of 26 threads of WCXB 16 were partial, then 8
	labelTimes   = 3  // … so often, numbers aside
	gramWords    = 4  // words in a row that are looked up; fewer are compared with blocks
)

// shown is a text that a page shows.
type shown struct {
	// Part is where it is: navigation, header, footer, or box for what sites repeat, such
	// as a newsletter; "" for the rest of the page.
	Part string
	Text string
}

// Shown returns all that an HTML page shows, in page order.
func Shown(body []byte, o Options) ([]shown, error) {
	r := reading{options: o}
	if err := r.see(body); err != nil {
		return nil, err
	}
	defer r.seg.Release()
	at := omission{seg: r.seg, places: make(map[*html.Node]place)}
	var out []shown
	var run []byte // of blocks of one part
	for i, b := range r.seg.Blocks() {
		part := at.at(at.element(i)).boilerplate
		if n := len(out); n == 0 || out[n-1].Part != part {
			out = append(out, shown{Part: part})
			run = run[:0]
		}
		run = append(append(run, b.Text...), '\n')
		if next := i + 1; next == r.seg.Len() || at.at(at.element(next)).boilerplate != part {
			out[len(out)-1].Text = string(run)
		}
	}
	return out, nil
}

// omission measures the text that is left out.
type omission struct {
	seg    *blocks.Segmentation
	keep   []bool
	thread bool
	kept   map[*html.Node]bool // elements with a block of the content
	places map[*html.Node]place
	labels map[uint64]int // texts that are not in the content, numbers aside, and their times
	grams  []uint64       // of the content, sorted; nil: not needed yet
	buf    []uint64       // grams of one block
}

// place says what an element is a part of.
type place struct {
	boilerplate string     // what kind of it: see boilerplateOf
	section     bool       // it is within a section, whose header is not that of the page
	button      bool       // something to press
	link        *html.Node // nearest link; nil: none
	part        *part      // outermost element around it that is not kept; nil: unknown
}

// part is an element of which nothing is in the content.
type part struct {
	chars, linked int // without white space
	links         int
	last          *html.Node // link
	text          page.OmittedText
}

// omit counts what is left out where the chosen blocks are the content.
func (r *reading) omit() {
	n := len(r.keep)
	o := omission{seg: r.seg, keep: r.keep, thread: r.page.Type == page.Forum, kept: make(map[*html.Node]bool, n/2), places: make(map[*html.Node]place, n/2), labels: make(map[uint64]int, n/2)}
	words := int32(0) // of the content
	for i, b := range r.seg.Blocks() {
		if r.keep[i] {
			words += b.Words
			for n := o.element(i); n != nil && !o.kept[n]; n = n.Parent {
				o.kept[n] = true
			}
		} else {
			o.labels[label(b.Text)]++
		}
	}
	var parts []*part
	for i, b := range r.seg.Blocks() {
		if n := o.element(i); n != nil && !r.keep[i] && o.at(n).boilerplate == "" {
			p := o.partOf(n)
			if p.chars == 0 {
				parts = append(parts, p)
			}
			o.add(p, i, &b)
		}
	}
	out := &r.page.OmittedText
	for _, p := range parts {
		if linkShare*p.linked < p.chars && (p.links < listLinks || listShare*p.linked < p.chars) {
			out.Words += p.text.Words
			out.Blocks += p.text.Blocks
		}
	}
	if partialShare*out.Words > int(words)+out.Words {
		r.page.Miss(page.Sign{Kind: page.MissingMore})
	}
}

// element returns the element that a block is the text of.
func (o *omission) element(i int) *html.Node {
	n := o.seg.Texts(i)[0].Parent
	for n != nil && dom.IsInline(n.DataAtom) && n.Parent != nil {
		n = n.Parent
	}
	return n // nil: the text is no longer in the tree
}

// at returns the place of an element.
func (o *omission) at(n *html.Node) place {
	if n == nil || n.Type != html.ElementNode {
		return place{}
	}
	p, known := o.places[n]
	if !known {
		up := o.at(n.Parent)
		role := strings.ToLower(dom.Attr(n, "role"))
		p = place{section: up.section || isSection(n, role), link: up.link, button: up.button || n.DataAtom == atom.Button || role == "button"}
		p.boilerplate = cmp.Or(boilerplateOf(n, role, up.section), up.boilerplate)
		if p.boilerplate == "" && o.keep != nil && !o.kept[n] && !up.section && (hasWord(dom.Attr(n, "class"), isFooter) || hasWord(dom.Attr(n, "id"), isFooter)) {
			p.boilerplate = "footer"
		}
		if n.DataAtom == atom.A && dom.Attr(n, "href") != "" {
			p.link = n
		}
		o.places[n] = p
	}
	return p
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
		"modal", "popup", "popover", "toast", "breadcrumb", "breadcrumbs":
		return true
	}
	return false
}

// isFooter reports whether a word is one for the footer of a page. On 381 pages of manuals by
// 34 generators, 25 were partial without them and lacked nothing.
func isFooter(word string) bool { return word == "footer" }

// partOf returns the part that an element belongs to. One that is kept has none: what it
// contains besides is a part of its own.
func (o *omission) partOf(n *html.Node) *part {
	p := o.at(n)
	switch {
	case o.kept[n]:
		return new(part)
	case p.part != nil:
		return p.part
	case n.Parent == nil || o.kept[n.Parent]:
		p.part = new(part)
	default:
		p.part = o.partOf(n.Parent)
	}
	o.places[n] = p
	return p.part
}

// add adds a block to a part. One that is mostly links, a button, a label, or in the
// content elsewhere is not text that a reader lacks.
func (o *omission) add(p *part, i int, b *blocks.Block) {
	linked := 0
	for _, t := range o.seg.Texts(i) {
		link := o.at(t.Parent).link
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
	p.chars += int(b.Chars)
	p.linked += linked
	if linkShare*linked < int(b.Chars) && b.Words > 0 && !o.at(o.element(i)).button && !o.isLabel(i, b) && !o.contained(b.Hashes) {
		p.text.Words += int(b.Words)
		p.text.Blocks++
	}
}

// isLabel reports whether a block is a short text that repeats, or stands beside posts,
// whose authors and dates the content has as headings.
func (o *omission) isLabel(i int, b *blocks.Block) bool {
	return b.Words < labelWords && (o.thread && !o.seg.InCode(i) || o.labels[label(b.Text)] >= labelTimes)
}

// label is a number for a text without the words that have digits.
func label(line []byte) uint64 {
	h := uint64(0)
	for word := range bytes.FieldsSeq(line) {
		if bytes.ContainsAny(word, "0123456789") {
			continue
		}
		for _, c := range word {
			h = (h ^ uint64(c)) * hashPrime
		}
	}
	return h
}

// hashPrime is that of FNV-1a.
const hashPrime = 1099511628211

// contained reports whether the content contains words in a row.
func (o *omission) contained(words []uint32) bool {
	if o.grams == nil {
		n := 0
		for i, b := range o.seg.Blocks() {
			if o.keep[i] {
				n += len(b.Hashes) + 1
			}
		}
		o.grams = make([]uint64, 0, n)
		for i, b := range o.seg.Blocks() {
			if o.keep[i] {
				o.grams = appendGrams(o.grams, b.Hashes)
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
			g = (g ^ uint64(w)) * hashPrime
		}
		grams = append(grams, g)
	}
	return grams
}
