package blocks

import (
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file says in words why a block was kept or dropped. The choice is made in stages, each of
// which changes what earlier ones chose: the last one that changed a block has decided about it.

// trace remembers which stage decided about each block.
type trace struct {
	was []bool
	by  []string
}

// Trace makes Choose remember its stages for Explain. It is called before Choose.
func (seg *Segmentation) Trace() { seg.trace = new(trace) }

// note compares the choice after a stage with that before it. A nil trace does nothing.
func (t *trace) note(keep []bool, s string) {
	if t == nil {
		return
	}
	if t.was == nil {
		t.was, t.by = make([]bool, len(keep)), make([]string, len(keep))
	}
	for i, k := range keep {
		if k != t.was[i] || s == stageRegion {
			t.by[i] = s
		}
	}
	copy(t.was, keep)
}

// whyStage says what a stage does to blocks that it keeps, and to those that it drops.
var whyStage = map[string][2]string{
	stagePosts:    {"", "the heading of its post says it"},
	stageComments: {"it is a comment, and comments were wanted", "it is a comment, and comments were not wanted"},
	stageLinked:   {"kept text links to it or announces it", ""},
	stageHeadings: {"it is the heading of text that is kept", ""},
	stageCopies:   {"", "it repeats a text that is kept"},
}

// explainStages fills Why, and Unit for posts.
func (seg *Segmentation) explainStages(out []Judgement) {
	for k := range seg.thread {
		p := &seg.thread[k]
		for i := p.b0; i < p.b1; i++ {
			out[i].Unit = fmt.Sprintf("post %d of %d", k+1, len(seg.thread))
			if p.author != "" {
				out[i].Unit += ", by " + text.Cut(text.Line(p.author), mostName)
			}
		}
	}
	for i := range out {
		j := &out[i]
		verb, which := "kept", 0
		if !j.Kept {
			verb, which = "dropped", 1
		}
		by := stageRegion
		if seg.trace != nil && seg.trace.by != nil {
			by = seg.trace.by[i]
		}
		why := whyStage[by][which]
		switch {
		case by == "":
			why = "no block of this page is probable enough to be content"
		case why == "":
			where := "outside of the main region"
			if seg.content != nil && seg.content[seg.blocks[i].elem] {
				where = "in the main region"
			}
			why = fmt.Sprintf("%s, score %.2f", where, j.Score)
			if because := becauseOf(j.Reasons); because != "" {
				why += "; " + because
			}
		}
		j.Why = verb + ": " + why
	}
}

// becauseOf says which features speak for and against a block.
func becauseOf(reasons []reason) string {
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

// phrases say what features are about, by the beginnings of their names.
var phrases = map[string]string{
	"w": "its length", "chars": "its length", "avgw": "the length of its words", "ld": "its links", "na": "its links", "lk": "where its links lead",
	"pun": "its punctuation", "npun": "its punctuation", "endp": "how it ends", "st_": "how it begins", "q": "its question marks",
	"dig": "its digits", "up": "its capitals", "cap": "its capitals", "sym": "its symbols", "sep": "its separators", "nonasc": "its script",
	"bold": "its bold text", "inner": "its markup", "money": "amounts of money", "copy": "a copyright mark", "img": "its pictures",
	"tag": "its element", "hl": "its level as a heading", "depth": "its depth in the page", "hidden": "that it is hidden",
	"h1": "its distance from the main heading", "hd": "the heading above", "hs_": "the section that it is in",
	"dup": "texts that repeat on the page", "seen": "texts that repeat on the page", "tit": "words of the title", "desc": "words of the description",
	"an": "the boxes around it", "a_": "the elements around it", "c_": "the class names around it", "lx": "the class names around it",
	"nb": "the text beside it", "win": "the text around it", "par": "the paragraphs around it", "dp": "the nearest paragraphs",
	"g_": "the repeated group that it is in", "run_": "the run of alike blocks that it is in", "dom": "the part of the page with most text",
	"rt": "the probable main part of the page", "pos": "its place on the page", "idx": "its place on the page", "tpos": "its place on the page",
	"wa": "its place on the page", "wb": "its place on the page",
}

// phraseOf says what a feature is about.
func phraseOf(name string) string {
	for n := len(name); n > 0; n-- {
		if s, ok := phrases[name[:n]]; ok {
			return s
		}
	}
	return "the kind of page"
}
