package blocks

import (
	"sync"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// PageTypes are the classes of the page-type forests, in their order.
var PageTypes = [...]page.Type{page.Article, page.Documentation, page.Service, page.Forum, page.Collection, page.Listing, page.Product}

// TypeScores are log-odds by page type, in the order of pageTypes.
type TypeScores [len(PageTypes)]float32

// Label gives each block its probability to be main content, and the page the
// log-odds of its types. The model has to be that of [model.segment].
func (seg *Segmentation) Label() (p []float32, types TypeScores) {
	m, f := seg.model, seg.facts
	p = make([]float32, f.nb)
	r := row{v: make([]float32, 0, len(m.index))}
	f.pageRow(&r)
	if seg.rows == nil {
		seg.rows = make([]inputs, batch)
	}
	rows := seg.rows[:min(f.nb, batch)]
	ofPage := len(FeatureNames()) - len(r.v)
	for i := range rows {
		m.pick(&rows[i], r.v, ofPage)
	}
	for i := 0; i < f.nb; i += len(rows) {
		rows = rows[:min(f.nb-i, batch)]
		for k := range rows {
			r.v = r.v[:0]
			f.unmarkedRow(&r, seg, i+k)
			m.pick(&rows[k], r.v, 0)
			e := &seg.elems[seg.blocks[i+k].elem]
			m.pickMarks(&rows[k], &seg.marks[e.marks], e.depth, len(r.v))
		}
		m.judge(rows, p[i:])
	}
	for i, x := range p {
		p[i] = sigmoid(x)
	}
	if f.nb > 0 {
		r.v = r.v[:0]
		f.typeRow(&r, seg)
		m.pick(&rows[0], r.v, ofPage)
		for k := range types {
			types[k] = m.types[k].score(&rows[0])
		}
	}
	return p, types
}

// FeatureNames lists the features of a block in their order. Those of the page, the same for all
// of its blocks, are the last ones.
var FeatureNames = sync.OnceValue(func() []string {
	r := &row{named: true}
	seg := oneBlock()
	seg.facts.blockRow(r, seg, 0)
	return r.names
})

// TypeNames lists the features of a page's type in their order: those of the page that blocks have
// too, and then others.
var TypeNames = sync.OnceValue(func() []string {
	r := &row{named: true}
	seg := oneBlock()
	seg.facts.typeRow(r, seg)
	return r.names
})

// oneBlock is a page of one block.
func oneBlock() *Segmentation {
	seg := &Segmentation{
		elems:  []element{{parent: -1, b1: 1, node: &html.Node{Type: html.ElementNode, Data: "body"}}},
		blocks: []block{{words: 1, chars: 1}},
		marks:  make([]marks, 1),
	}
	seg.facts = seg.factsOf("", "")
	return seg
}
