package extract

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
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
	// Reasons are the features that moved the score most, strongest first.
	Reasons []Reason
}

// Reason is one feature of a block: its value, and by how many log-odds the
// score is higher than it would be with the page's median value.
type Reason struct {
	Feature string
	Value   float64 // NaN: the page has nothing of the kind
	Effect  float64
}

// Explain extracts a page as [HTML] does and reports how each block was
// judged, in page order: how a wrong page is debugged. No judgements come back
// when the blocks were not judged: with Whole, or on a page that is state in a
// script.
//
// The effects of features do not add up to the score: each is what the score
// would change by if that feature alone were ordinary.
func Explain(body []byte, o Options) (*page.Page, []Judgement, error) {
	var out []Judgement
	p, err := readHTML(body, o, func(m *model, l *layout, f *pageFacts, prob []float32, keep []bool) {
		out = m.explain(l, f, prob, keep)
	})
	return p, out, err
}

// mostReasons is how many reasons a judgement names.
const mostReasons = 5

func (m *model) explain(l *layout, f *pageFacts, prob []float32, keep []bool) []Judgement {
	for i := range f.groups {
		f.groups[i].index = 0 // runs along while rows are made
	}
	rows := make([][]float32, f.nb)
	for i := range rows {
		r := row{}
		f.blockRow(&r, l, i)
		rows[i] = make([]float32, len(m.features))
		m.inputs(rows[i], r.v)
	}
	median := make([]float32, len(m.features))
	column := make([]float32, f.nb)
	for k := range median {
		for i := range rows {
			column[i] = rows[i][k]
		}
		slices.Sort(column) // NaN first
		median[k] = column[f.nb/2]
	}
	out := make([]Judgement, f.nb)
	for i := range out {
		b := &l.blocks[i]
		out[i] = Judgement{
			Text: string(l.buf[b.s0:b.s1]), Path: l.path(b.elem), Words: int(b.words),
			Score: float64(prob[i]), Kept: keep[i], Reasons: m.reasons(rows[i], median),
		}
	}
	return out
}

// reasons puts each feature in turn to its ordinary value.
func (m *model) reasons(v, ordinary []float32) []Reason {
	score := m.score(v)
	var out []Reason
	for k, x := range v {
		if x == ordinary[k] || x != x && ordinary[k] != ordinary[k] {
			continue
		}
		v[k] = ordinary[k]
		if d := score - m.score(v); d != 0 {
			out = append(out, Reason{m.features[k], float64(x), float64(d)})
		}
		v[k] = x
	}
	slices.SortFunc(out, func(a, b Reason) int { return cmp.Compare(math.Abs(b.Effect), math.Abs(a.Effect)) })
	return out[:min(len(out), mostReasons)]
}

// path names an element and its two parents.
func (l *layout) path(e int32) string {
	var names []string
	for k := 0; k < 3 && e >= 0; k++ {
		n := l.elems[e].node
		s := n.Data
		if id := attr(n, "id"); id != "" {
			s += "#" + id
		}
		for i, c := range strings.Fields(attr(n, "class")) {
			if i == 3 {
				s += ".…"
				break
			}
			s += "." + c
		}
		if len(s) > 80 {
			s = strings.ToValidUTF8(s[:80], "") + "…"
		}
		names = append(names, s)
		e = l.elems[e].parent
	}
	slices.Reverse(names)
	return strings.Join(names, " > ")
}
