// Package train provides the training side of the block model: pages with
// labels, the lexicon of class and id tokens, and the model file.
//
//	s, err := train.NewSample(id, domain, url, kind, body, truth)
//	lex := train.NewLexicon(samples, 3)
//	rows, err := s.Features(body, lex.Without(s.Domain)) // for the learner
//	file, err := train.EncodeModel(features, lex, judges, types)
//	p, err := s.Read(body, kind, probabilities) // what a model makes of a page
//
// sample.go reads pages, align.go labels their blocks by the true main content,
// lexicon.go counts tokens, encode.go writes what package blocks reads. Features
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
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Sample is a page prepared for training: its blocks without the lexicon.
type Sample struct {
	ID, Domain, URL, Type string
	// Label is, by block, the share of the block's words that belong to the
	// main content, aligned with the truth in order.
	Label []float32
	// Words is the number of words by block.
	Words []int32
	stats [2]map[uint32]float32 // by token: the page's positive share, near and far
}

// NewSample parses a page and labels its blocks by its true main content.
func NewSample(id, domain, url, kind string, body []byte, truth string) (*Sample, error) {
	s := &Sample{ID: id, Domain: domain, URL: url, Type: kind}
	seg, err := s.segment(body, nil)
	if err != nil {
		return nil, err
	}
	s.Label = labelBlocks(seg, truth)
	for _, b := range seg.Blocks() {
		s.Words = append(s.Words, b.Words)
	}
	s.tokenStats(seg)
	return s, nil
}

// NewSegmentSample parses a page of which only segments are known. A block
// that holds a wanted segment, or is held by one, is labelled 1; one with an
// unwanted segment 0; all others NaN.
func NewSegmentSample(id, domain, url string, body []byte, with, without []string) (*Sample, error) {
	s := &Sample{ID: id, Domain: domain, URL: url, Type: "segments"}
	seg, err := s.segment(body, nil)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	var owner []int // by byte
	for i, b := range seg.Blocks() {
		t := strings.Join(strings.Fields(string(b.Text)), " ")
		text.WriteString(t + " ")
		for range len(t) + 1 {
			owner = append(owner, i)
		}
		s.Words = append(s.Words, b.Words)
		s.Label = append(s.Label, float32(math.NaN()))
	}
	all := text.String()
	for k, list := range [2][]string{without, with} {
		for _, t := range list {
			t = strings.Join(strings.Fields(t), " ")
			for at := 0; t != ""; {
				i := strings.Index(all[at:], t)
				if i < 0 {
					break
				}
				for j := owner[at+i]; j <= owner[at+i+len(t)-1]; j++ {
					s.Label[j] = float32(k)
				}
				at += i + len(t)
			}
		}
	}
	return s, nil
}

func (s *Sample) segment(body []byte, lex blocks.Lexicon) (*blocks.Segmentation, error) {
	doc, err := dom.Parse(body, &page.Page{}, nil)
	if err != nil {
		return nil, err
	}
	return blocks.Segment(lex, doc, s.URL, &page.Page{}), nil
}

// Features computes the page's matrix with a lexicon: one row per block. The
// names are those of [FeatureNames].
func (s *Sample) Features(body []byte, lex *Lexicon) ([][]float32, error) {
	var lx blocks.Lexicon
	if lex != nil {
		lx = lex
	}
	seg, err := s.segment(body, lx)
	if err != nil {
		return nil, err
	}
	return seg.Rows(), nil
}

// Read extracts the page as [extract.HTML] does, with the given probabilities of
// its blocks and page type in the place of the model's.
func (s *Sample) Read(body []byte, kind string, p []float32) (*page.Page, error) {
	return extract.HTMLWith(body, extract.Options{URL: s.URL}, func() ([]float32, blocks.TypeScores) {
		var types blocks.TypeScores
		for k, t := range blocks.PageTypes {
			if string(t) == kind {
				types[k] = 2 // as sure as the forests mostly are
			}
		}
		return p, types
	})
}

// tokenStats sums up by token how much of the page's blocks below it is main
// content. A block counts by the square root of its words.
func (s *Sample) tokenStats(seg *blocks.Segmentation) {
	type sum struct{ y, w float32 }
	sums := [2]map[uint32]sum{{}, {}}
	for i, b := range seg.Blocks() {
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
