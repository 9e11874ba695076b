package blocks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file says in words why a block was kept or dropped. The choice is made in
// steps, each of which changes what earlier ones chose: the last one that changed
// a block has decided about it.

// step is one of the steps of Choose.
type step uint8

const (
	byNone step = iota // no block was chosen at all
	byScore
	bySiblings
	asShort
	asComment
	ofUnit
	ofPart
	ofRecord
	asPrice
	asHeading
	asRepeat
	asBehind
	asBare
	ofPost
)

// trace remembers which step decided about each block.
type trace struct {
	was     []bool
	by      []step
	changed []bool // after the score
}

// Trace has Choose remember its steps for Explain. It is called before Choose.
func (seg *Segmentation) Trace() { seg.trace = new(trace) }

// note compares the choice after a step with that before it. A nil trace does nothing.
func (t *trace) note(keep []bool, s step) {
	if t == nil {
		return
	}
	if t.was == nil {
		t.was, t.by, t.changed = make([]bool, len(keep)), make([]step, len(keep)), make([]bool, len(keep))
		for i := range t.by {
			t.by[i] = s
		}
	}
	for i, k := range keep {
		if k != t.was[i] {
			t.by[i], t.changed[i] = s, s != byScore
		}
	}
	copy(t.was, keep)
}

// words are what a step says of a block that it has kept, and of one that it has dropped.
var words = [...][2]string{
	bySiblings: {"its siblings are of one kind and most of them are content", "its siblings are of one kind and few of them are content"},
	asShort:    {"the page is short, so that all but its menus is kept", "the page is short, and this is a part of its menus"},
	asComment:  {"it is a comment, and comments were wanted", "it is a comment, and comments were not wanted"},
	ofUnit:     {"the rest of its sentence, table, code or definition is kept", ""},
	ofPart:     {"the page says that it is an ingredient, a step, a question or an answer", ""},
	ofRecord:   {"the record that it is a part of is kept", ""},
	asPrice:    {"it is the price that belongs to the main heading, or that heading", ""},
	asHeading:  {"it is the heading of text that is kept", ""},
	asRepeat:   {"", "it repeats a text that is kept"},
	asBehind:   {"", "it stands behind the article, and belongs to another one"},
	asBare:     {"", "it is the label of links that are left out"},
	ofPost:     {"the post that it is a part of is kept", "it is not text of its post: a signature, a counter, a repeated line, or what the post's heading says"},
}

// explainSteps fills Why. Units are known by then.
func (seg *Segmentation) explainSteps(out []Judgement) {
	cut := 1.
	for i := range out {
		if t := seg.trace; t != nil && t.by != nil && t.by[i] == byScore && out[i].Kept {
			cut = min(cut, out[i].Score)
		}
	}
	for i := range out {
		j := &out[i]
		var s step
		if seg.trace != nil && seg.trace.by != nil {
			s = seg.trace.by[i]
		}
		verb, which := "kept", 0
		if !j.Kept {
			verb, which = "dropped", 1
		}
		why := ""
		switch {
		case s == byNone:
			why = "no block of this page is probable enough to be content"
		case s == byScore || !seg.trace.changed[i] && s != asShort:
			why = fmt.Sprintf("score %.2f; blocks from %.2f on are kept on this page", j.Score, cut)
			if cut == 1 {
				why = fmt.Sprintf("score %.2f", j.Score)
			}
			if because := becauseOf(j.Reasons); because != "" {
				why += "; " + because
			}
		default:
			why = words[s][which]
		}
		j.Why = verb + ": " + why
	}
}

// becauseOf says which features speak for and against a block.
func becauseOf(reasons []Reason) string {
	sums := map[string]float64{}
	var order []string
	for _, r := range reasons {
		if _, known := sums[r.Words]; !known {
			order = append(order, r.Words)
		}
		sums[r.Words] += r.Effect
	}
	var sides [2][]string
	for _, w := range order {
		side := 0
		if sums[w] < 0 {
			side = 1
		}
		sides[side] = append(sides[side], w)
	}
	var parts []string
	for side, name := range []string{"for it: ", "against it: "} {
		if len(sides[side]) > 0 {
			parts = append(parts, name+strings.Join(sides[side][:min(len(sides[side]), 3)], ", "))
		}
	}
	return strings.Join(parts, "; ")
}

// explainUnits fills Unit: the records and the posts of the page.
func (seg *Segmentation) explainUnits(out []Judgement) {
	list, groups := seg.records()
	size, place := make([]int, len(groups)), make([]int, len(groups))
	priced := make([]int, len(groups))
	for k := range list {
		size[list[k].group]++
		if seg.showsPrice(&list[k]) {
			priced[list[k].group]++
		}
	}
	for k := range list {
		r := &list[k]
		place[r.group]++
		name := "record"
		if 3*priced[r.group] >= 2*size[r.group] {
			name = "product"
		}
		for i := r.b0; i < r.b1; i++ {
			out[i].Unit = fmt.Sprintf("%s %d of %d: %s", name, place[r.group], size[r.group], seg.partsOfRecord(r))
		}
	}
	for k := range seg.thread {
		p := &seg.thread[k]
		for i := p.b0; i < p.b1; i++ {
			out[i].Unit = fmt.Sprintf("post %d of %d", k+1, len(seg.thread))
			if p.author != "" {
				out[i].Unit += ", by " + text.Cut(text.Line(p.author), 60)
			}
		}
	}
}

// partsOfRecord names what a record has: "heading, price and link".
func (seg *Segmentation) partsOfRecord(r *record) string {
	has := []string{"heading"}
	if seg.showsPrice(r) {
		has = append(has, "price")
	}
	if slices.ContainsFunc(seg.blocks[r.b0:r.b1], func(b block) bool { return b.links > 0 }) {
		has = append(has, "link")
	}
	if slices.ContainsFunc(seg.blocks[r.b0:r.b1], func(b block) bool { return b.words >= proseBlock }) {
		has = append(has, "text")
	}
	if n := len(has); n > 1 {
		return strings.Join(has[:n-1], ", ") + " and " + has[n-1]
	}
	return has[0]
}

// phrases say what features are about, by name.
var phrases = map[string]string{
	"w": "its length", "chars": "its length", "avgw": "the length of its words",
	"ld": "its links", "na": "its links",
	"pun": "its punctuation", "npun": "its punctuation", "endp": "how it ends", "q": "its question marks",
	"dig": "its digits", "up": "its capitals", "cap": "its capitals", "sym": "its symbols", "sep": "its separators", "nonasc": "its script",
	"st_up": "how it begins", "st_dig": "how it begins", "bold": "its bold text", "inner": "its markup", "money": "amounts of money", "copy": "a copyright mark",
	"img": "its pictures", "tag": "its element", "hl": "its level as a heading", "depth": "its depth in the page", "hidden": "that it is hidden",
	"h1d": "its distance from the main heading", "h1w": "its distance from the main heading",
	"hdd": "its distance from the heading above", "hdw": "its distance from the heading above", "hdl": "the level of the heading above",
	"dup": "texts that repeat on the page", "dupi": "texts that repeat on the page", "seen": "texts that repeat on the page",
}

// without say what a feature of 0 is about: that the block has nothing of it.
var without = map[string]string{
	"ld": "that it has no links", "na": "that it has no links", "q": "that it has no question marks", "dig": "that it has no digits",
	"pun": "that it has no punctuation", "npun": "that it has no punctuation", "bold": "that it has no bold text", "img": "that it has no pictures",
	"money": "that it has no amounts of money", "copy": "that it has no copyright mark", "hl": "that it is not a heading", "hidden": "that it is not hidden",
	"h1d": "that it is the main heading", "h1w": "that it is the main heading",
	"tit": "that it has no words of the title", "titr": "that it has no words of the title",
	"desc": "that it has no words of the description", "descr": "that it has no words of the description",
}

// families do so for names that begin alike.
var families = []struct{ prefix, words string }{
	{"tit", "words of the title"}, {"desc", "words of the description"},
	{"an", "the boxes around it"}, {"nb", "the text beside it"}, {"win", "the text around it"}, {"par", "the paragraphs around it"}, {"dp", "the nearest paragraphs"},
	{"g_", "the repeated group that it is in"}, {"run_", "the run of alike blocks that it is in"},
	{"dom", "the part of the page with most text"}, {"hs_", "the section that it is in"}, {"rt", "the probable main part of the page"},
	{"lk", "where its links lead"}, {"lx", "the class names around it"},
	{"pos", "its place on the page"}, {"idx", "its place on the page"}, {"tpos", "its place on the page"}, {"wa", "its place on the page"}, {"wb", "its place on the page"},
}

// phraseOf says what a feature is about.
func phraseOf(name string, value float32) string {
	if s := without[name]; s != "" && value == 0 {
		return s
	}
	if s, ok := phrases[name]; ok {
		switch {
		case value == value: // a number
			return s
		case strings.HasPrefix(name, "h1"):
			return "that the page has no main heading"
		default:
			return "that no heading stands above it"
		}
	}
	absent := value == noMark
	if element, ok := strings.CutPrefix(name, "a_"); ok {
		element = strings.ReplaceAll(element, "_", " ")
		if absent {
			return "that it is outside of " + element + " elements"
		}
		if strings.IndexByte("aeiou", element[0]) >= 0 {
			return "that it is in an " + element + " element"
		}
		return "that it is in a " + element + " element"
	}
	if group, ok := strings.CutPrefix(name, "c_"); ok {
		if absent {
			return "that nothing around it is called " + group
		}
		return "that something around it is called " + group
	}
	for _, f := range families {
		if strings.HasPrefix(name, f.prefix) {
			return f.words
		}
	}
	return "the kind of page"
}
