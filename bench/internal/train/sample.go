// Package train provides the training side of the block model: pages with
// labels, the lexicon of class and id tokens, and the model file.
//
//	s, err := train.NewSample(id, domain, url, kind, body, train.Truth{Text: truth})
//	lex := train.NewLexicon(samples, 3)
//	rows, tokens, kind, err := s.Features(body, lex.Without(s.Domain)) // for the learner
//	file, err := train.EncodeModel(features, lex.Tokens(), judges, types)
//	p, err := s.Read(body, kind, probabilities) // what a model makes of a page
//
// sample.go reads pages, label.go and align.go label their blocks by the true main
// content, lexicon.go counts tokens, encode.go writes what package blocks reads. Features
// come from the code that the product runs. bench/train has the learner.
//
// # Guarantees
//
// The functions are pure, and the same input gives the same model file. The
// product does not import this package.
//
// # Limits
//
// Aligning a page with its truth takes memory for each pair of words that are
// left, one billion at most.
package train

import (
	"math"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Sample is a page prepared for training: its blocks without the lexicon.
type Sample struct {
	ID, Domain, URL, Type string
	// Label is, by block, the share of the block's words that belong to the
	// main content. It is NaN for a block of which nothing is known.
	Label []float32
	// Words is the number of words by block.
	Words []int32
	stats [2]map[uint32]float32 // by token: the page's positive share, near and far
}

// NewSample parses a page and labels its blocks by what is known of its main content.
func NewSample(id, domain, url, kind string, body []byte, truth Truth) (*Sample, error) {
	s := &Sample{ID: id, Domain: domain, URL: url, Type: kind}
	seg, err := s.segment(body, nil)
	if err != nil {
		return nil, err
	}
	for _, b := range seg.Blocks() {
		s.Words = append(s.Words, b.Words)
	}
	if s.Label, err = truth.label(seg); err != nil {
		return nil, err
	}
	s.tokenStats(seg)
	return s, nil
}

func (s *Sample) segment(body []byte, lex blocks.Lexicon) (*blocks.Segmentation, error) {
	doc, err := dom.Parse(body, &page.Page{}, nil)
	if err != nil {
		return nil, err
	}
	return blocks.Segment(lex, doc, &page.Page{}), nil
}

// Features computes the page's matrix: one row per block, in the order of
// [blocks.FeatureNames] and with the first lexicon. tokens has, for each lexicon, the
// columns that depend on it. kind has the features of the page's type, in the order of
// [blocks.TypeNames].
func (s *Sample) Features(body []byte, lex ...*Lexicon) (rows [][]float32, tokens [][][]float32, kind []float32, err error) {
	seg, err := s.segment(body, lex[0])
	if err != nil {
		return nil, nil, nil, err
	}
	rows, kind = seg.Rows(), seg.TypeRow()
	for _, lx := range lex {
		tokens = append(tokens, seg.LexiconRows(lx))
	}
	return rows, tokens, kind, nil
}

// Read extracts the page as [extract.HTML] does, with the given scores of its type and
// probabilities of its blocks in the place of the model's.
// off names stages that are omitted; see [blocks.Stages].
func (s *Sample) Read(body []byte, types blocks.TypeScores, p []float32, off ...string) (*page.Page, error) {
	return extract.HTMLWith(body, extract.Options{URL: s.URL}, func() ([]float32, blocks.TypeScores) { return p, types }, off...)
}

// tokenStats sums up by token how much of the page's blocks below it is main
// content. A block counts by the square root of its words.
func (s *Sample) tokenStats(seg *blocks.Segmentation) {
	type sum struct{ y, w float32 }
	sums := [2]map[uint32]sum{{}, {}}
	for i, b := range seg.Blocks() {
		if math.IsNaN(float64(s.Label[i])) {
			continue
		}
		w := float32(math.Sqrt(float64(b.Words + 1)))
		y := w * s.Label[i]
		seen := [2]map[uint32]bool{{}, {}}
		seg.EachToken(i, func(level int, h uint32) {
			k := 0
			if level >= 2 {
				k = 1
			}
			if !seen[k][h] {
				seen[k][h] = true
				t := sums[k][h]
				sums[k][h] = sum{t.y + y, t.w + w}
			}
		})
	}
	for k := range sums {
		s.stats[k] = make(map[uint32]float32, len(sums[k]))
		for h, t := range sums[k] {
			s.stats[k][h] = t.y / t.w
		}
	}
}
