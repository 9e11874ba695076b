package blocks

import (
	"math"
	"slices"
	"sort"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Judgement is how one block of a page was judged.
type Judgement struct {
	// Text is the block's text with white space folded.
	Text string
	// Path names the three innermost elements around the block, outermost
	// first, as CSS compounds: "article.post > div#body > p".
	Path  string
	Words int
	// Score is the probability to be main content.
	Score float64
	// Kept tells whether the block was chosen. It can be chosen below others
	// that were not, since tables stay whole and headings stay with their text.
	Kept bool
	// Unit is what the block is a part of and is kept or dropped with: "product 3 of
	// 24", "post 4 of 12". Empty: nothing.
	Unit string
	// Why says in words what decided.
	Why string
	// Reasons are the features that moved the score most, strongest first.
	Reasons []reason
}

// reason is one feature of a block: its value, and by how many log-odds the
// score is higher than it would be with the page's median value.
type reason struct {
	Feature string
	Words   string  // what the feature is about: "its links"
	Value   float64 // NaN: the page has nothing of the kind
	Effect  float64
}

// mostReasons is how many reasons a judgement names.
const mostReasons = 5

// Explain reports how each block was judged, in page order: what its
// probability is, whether it was chosen, and what moved its score.
//
// The effects of features do not add up to the score: each is what the score
// would change by if only that feature had an ordinary value.
func (seg *Segmentation) Explain(prob []float32, keep []bool) []Judgement {
	m, f := seg.model, seg.facts
	if f.nb == 0 {
		return nil // a page without text
	}
	rows := make([]inputs, f.nb)
	for i := range rows {
		r := row{}
		f.blockRow(&r, seg, i)
		m.pick(&rows[i], r.v, 0)
	}
	var median inputs
	column := make([]float32, f.nb)
	for k := range m.features {
		for i := range rows {
			column[i] = rows[i].value(k)
		}
		slices.Sort(column) // NaN first
		median.set(uint16(k), column[f.nb/2])
	}
	out := make([]Judgement, f.nb)
	for i := range out {
		b := &seg.blocks[i]
		out[i] = Judgement{
			Text: string(seg.buf[b.s0:b.s1]), Path: seg.path(b.elem), Words: int(b.words),
			Score: float64(prob[i]), Kept: keep[i], Reasons: m.reasons(&rows[i], &median),
		}
	}
	seg.explainStages(out)
	return out
}

// value returns feature k, or NaN.
func (in *inputs) value(k int) float32 {
	if in[k] != in[maxFeatures+k] {
		return nan
	}
	return numberOf(in[k])
}

// reasons sets each feature in turn to its ordinary value, and evaluates the whole
// first forest: a forest that exits early would hide the effects of later trees.
func (m *Model) reasons(v, ordinary *inputs) []reason {
	score := m.blocks[0].score(v)
	var out []reason
	for k := range m.features {
		if v[k] == ordinary[k] {
			continue
		}
		was := v.value(k)
		v.set(uint16(k), ordinary.value(k))
		if d := score - m.blocks[0].score(v); d != 0 {
			out = append(out, reason{m.features[k], phraseOf(m.features[k]), float64(was), float64(d)})
		}
		v.set(uint16(k), was)
	}
	sort.SliceStable(out, func(i, j int) bool { return math.Abs(out[i].Effect) > math.Abs(out[j].Effect) })
	return out[:min(len(out), mostReasons)]
}

// path names an element and its two parents.
func (seg *Segmentation) path(e int32) string {
	var names []string
	for k := 0; k < 3 && e >= 0; k++ {
		n := seg.elems[e].node
		s := n.Data
		if id := dom.Attr(n, "id"); id != "" {
			s += "#" + id
		}
		for i, c := range strings.Fields(dom.Attr(n, "class")) {
			if i == 3 {
				s += ".…"
				break
			}
			s += "." + c
		}
		names = append(names, text.CutBytes(s, 80))
		e = seg.elems[e].parent
	}
	slices.Reverse(names)
	return strings.Join(names, " > ")
}
