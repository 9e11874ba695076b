package extract

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// This file is the training side of the block model. Nothing here runs when a
// page is read; it stands beside the features so that what the model is
// trained on is made by the code that uses it.

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
	l, _, err := s.layout(body, nil)
	if err != nil {
		return nil, err
	}
	s.Label = labelBlocks(l, truth)
	for i := range l.blocks {
		s.Words = append(s.Words, l.blocks[i].words)
	}
	s.tokenStats(l)
	return s, nil
}

// NewSegmentSample parses a page of which only segments are known. A block
// that holds a wanted segment, or is held by one, is labelled 1; one with an
// unwanted segment 0; all others NaN.
func NewSegmentSample(id, domain, url string, body []byte, with, without []string) (*Sample, error) {
	s := &Sample{ID: id, Domain: domain, URL: url, Type: "segments"}
	l, _, err := s.layout(body, nil)
	if err != nil {
		return nil, err
	}
	var text strings.Builder
	var owner []int // by byte
	for i := range l.blocks {
		b := &l.blocks[i]
		t := strings.Join(strings.Fields(string(l.buf[b.s0:b.s1])), " ")
		text.WriteString(t + " ")
		for range len(t) + 1 {
			owner = append(owner, i)
		}
		s.Words = append(s.Words, b.words)
		s.Label = append(s.Label, nan)
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

func (s *Sample) layout(body []byte, lex lexicon) (*layout, *pageFacts, error) {
	doc, err := dom.Parse(body, &page.Page{})
	if err != nil {
		return nil, nil, err
	}
	l := &layout{lexicon: lex}
	return l, l.analyse(doc, s.URL, &page.Page{}), nil
}

// Features computes the page's matrix with a lexicon: one row per block. The
// names are those of [FeatureNames].
func (s *Sample) Features(body []byte, lex *TrainLexicon) ([][]float32, error) {
	var lx lexicon
	if lex != nil {
		lx = lex
	}
	l, f, err := s.layout(body, lx)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, f.nb)
	for i := range out {
		r := row{}
		f.blockRow(&r, l, i)
		out[i] = r.v
	}
	return out, nil
}

// Read extracts the page as [HTML] does, with the given probabilities of its
// blocks and page type in the place of the model's.
func (s *Sample) Read(body []byte, kind string, p []float32) (*page.Page, error) {
	return readHTML(body, Options{URL: s.URL}, hooks{label: func(l *layout) ([]float32, typeScores) {
		var types typeScores
		for k, t := range pageTypes {
			if string(t) == kind {
				types[k] = 2 // as sure as the forests mostly are
			}
		}
		return p, types
	}})
}

// FeatureNames lists the names of the features, in order.
func FeatureNames() []string { return featureNames() }

func (s *Sample) tokenStats(l *layout) {
	type sum struct{ y, w float32 }
	sums := [2]map[uint32]sum{{}, {}}
	add := func(k int, n *html.Node, y, w float32, seen map[uint32]bool) {
		for _, a := range n.Attr {
			if a.Key != "class" && a.Key != "id" {
				continue
			}
			eachToken(a.Val, func(_ []byte, h uint32) {
				if seen[h] {
					return
				}
				seen[h] = true
				t := sums[k][h]
				sums[k][h] = sum{t.y + y, t.w + w}
			})
		}
	}
	for i := range l.blocks {
		w := float32(math.Sqrt(float64(l.blocks[i].words + 1)))
		y := w * s.Label[i]
		seen := [2]map[uint32]bool{{}, {}}
		lv := 0
		for x := l.blocks[i].elem; x >= 0; x = l.elems[x].parent {
			k := 0
			if lv >= 2 {
				k = 1
			}
			add(k, l.elems[x].node, y, w, seen[k])
			lv++
		}
	}
	for k := range sums {
		s.stats[k] = make(map[uint32]float32, len(sums[k]))
		for h, t := range sums[k] {
			s.stats[k][h] = t.y / t.w
		}
	}
}

// TrainLexicon is a lexicon under construction. It can leave the pages of one
// domain out, so that no page is described by itself.
type TrainLexicon struct {
	sum      [2]map[uint32]float32
	n        [2]map[uint32]int32
	mean     [2]float64
	byDomain map[string][]*Sample
	minPages int32
	without  [2]map[uint32][2]float32 // sum and count of the domain left out
}

// NewTrainLexicon counts the tokens of the samples; a token counts from
// minPages pages on.
func NewTrainLexicon(samples []*Sample, minPages int) *TrainLexicon {
	t := &TrainLexicon{byDomain: map[string][]*Sample{}, minPages: int32(minPages)}
	for k := range t.sum {
		t.sum[k], t.n[k] = map[uint32]float32{}, map[uint32]int32{}
	}
	for _, s := range samples {
		t.byDomain[s.Domain] = append(t.byDomain[s.Domain], s)
		for k := range s.stats {
			for h, y := range s.stats[k] {
				t.sum[k][h] += y
				t.n[k][h]++
			}
		}
	}
	for k := range t.sum {
		var y, n float64
		for h, v := range t.sum[k] {
			y += float64(v)
			n += float64(t.n[k][h])
		}
		t.mean[k] = y / max(n, 1)
	}
	return t
}

// Without returns the lexicon as the pages of a domain may see it.
func (t *TrainLexicon) Without(domain string) *TrainLexicon {
	c := *t
	for k := range c.without {
		c.without[k] = map[uint32][2]float32{}
		for _, s := range t.byDomain[domain] {
			for h, y := range s.stats[k] {
				w := c.without[k][h]
				c.without[k][h] = [2]float32{w[0] + y, w[1] + 1}
			}
		}
	}
	return &c
}

func (t *TrainLexicon) logOdds(k int, h uint32) (int8, bool) {
	n, s := float64(t.n[k][h]), float64(t.sum[k][h])
	if w, ok := t.without[k][h]; ok {
		s -= float64(w[0])
		n -= float64(w[1])
	}
	if n < float64(t.minPages) {
		return 0, false
	}
	const prior = 2
	m := t.mean[k]
	p := min(max((s+prior*m)/(n+prior), .003), .997)
	x := math.Log(p/(1-p)) - math.Log(m/(1-m))
	return int8(min(max(math.Round(16*x), -127), 127)), true
}

func (t *TrainLexicon) lookup(h uint32) (near, far int8, ok bool) {
	near, ok1 := t.logOdds(0, h)
	far, ok2 := t.logOdds(1, h)
	return near, far, ok1 || ok2
}

// Tree is a trained tree: nodes in an order in which children follow their
// parents and stand side by side.
type Tree []TreeNode

// TreeNode is a split (x < Value goes to Left) or, with Left 0, a leaf.
type TreeNode struct {
	Feature  int
	Value    float32
	Left     int
	NaNRight bool
}

// Forest is a trained sum of trees.
type Forest struct {
	Base  float32
	Trees []Tree
}

// EncodeModel writes a model file.
func EncodeModel(features []string, lex *TrainLexicon, blocks, types []Forest) ([]byte, error) {
	var b bytes.Buffer
	le := binary.LittleEndian
	u16 := func(x int) { b.Write(le.AppendUint16(nil, uint16(x))) }
	u32 := func(x uint32) { b.Write(le.AppendUint32(nil, x)) }
	b.WriteString(modelMagic)
	u16(modelVersion)
	u32(uint32(len(features)))
	for _, f := range features {
		b.WriteByte(byte(len(f)))
		b.WriteString(f)
	}
	tokens := map[uint32][2]int8{}
	for k := range lex.n {
		for h := range lex.n[k] {
			if near, far, ok := lex.lookup(h); ok && (near != 0 || far != 0) {
				tokens[h] = [2]int8{near, far}
			}
		}
	}
	u32(uint32(len(tokens)))
	keys := make([]uint32, 0, len(tokens))
	for h := range tokens {
		keys = append(keys, h)
	}
	slices.Sort(keys)
	for _, h := range keys {
		u32(h)
		b.WriteByte(byte(tokens[h][0]))
		b.WriteByte(byte(tokens[h][1]))
	}
	forest := func(f Forest) error {
		u32(math.Float32bits(f.Base))
		u32(uint32(len(f.Trees)))
		for _, t := range f.Trees {
			if len(t) > math.MaxUint16 {
				return fmt.Errorf("a tree of %d nodes", len(t))
			}
			u16(len(t))
			for _, n := range t {
				switch {
				case n.Left == 0:
					u16(0xffff)
					u32(math.Float32bits(n.Value))
				default:
					feat := n.Feature
					if n.NaNRight {
						feat |= 0x8000
					}
					u16(feat)
					u32(math.Float32bits(n.Value))
					u16(n.Left)
				}
			}
		}
		return nil
	}
	for _, list := range [2][]Forest{blocks, types} {
		u32(uint32(len(list)))
		for _, t := range list {
			if err := forest(t); err != nil {
				return nil, err
			}
		}
	}
	return b.Bytes(), nil
}

// labelBlocks aligns the page's words with the truth's: a match is worth 1, a
// new run of matches costs .95, and two more passes over what is left, at
// higher costs, find reordered text.
func labelBlocks(l *layout, truth string) []float32 {
	y := make([]float32, len(l.blocks))
	var words []uint32
	var owner []int32
	for i := range l.blocks {
		b := &l.blocks[i]
		for _, w := range l.words[b.w0:b.w1] {
			words = append(words, w)
			owner = append(owner, int32(i))
		}
	}
	match := align(words, wordHashes(truth, math.MaxInt))
	for i, ok := range match {
		if ok {
			y[owner[i]]++
		}
	}
	for i := range y {
		b := &l.blocks[i]
		y[i] /= float32(max(b.w1-b.w0, 1))
	}
	return y
}

func align(a, b []uint32) []bool {
	match := make([]bool, len(a))
	used := make([]bool, len(b))
	for _, cost := range [...]float32{.95, 1.9, 2.9} {
		// What cannot match shrinks to one gap.
		vocab := map[uint32]bool{}
		var bv []uint32
		var bi []int
		for j, x := range b {
			if used[j] {
				if len(bv) > 0 && bi[len(bi)-1] >= 0 {
					bv, bi = append(bv, 0), append(bi, -1)
				}
				continue
			}
			vocab[x] = true
			bv, bi = append(bv, x), append(bi, j)
		}
		if len(vocab) == 0 {
			break
		}
		var av []uint32
		var ai []int
		for i, x := range a {
			if match[i] || !vocab[x] {
				if len(ai) == 0 || ai[len(ai)-1] >= 0 {
					av, ai = append(av, 1), append(ai, -1)
				}
				continue
			}
			av, ai = append(av, x), append(ai, i)
		}
		if n := len(av) * len(bv); n > 1_000_000_000 {
			av = av[:1_000_000_000/len(bv)]
		}
		found := 0
		alignOnce(av, ai, bv, bi, cost, func(i, j int) {
			match[ai[i]], used[bi[j]] = true, true
			found++
		})
		if found == 0 {
			break
		}
	}
	return match
}

// alignOnce is the dynamic programme of one pass, with a byte of trace per
// cell: bit 0, the match opened a run; bits 1 and 2, where the best without a
// match came from.
func alignOnce(a []uint32, ai []int, b []uint32, bi []int, cost float32, found func(i, j int)) {
	n, m := len(a), len(b)
	if n == 0 || m == 0 {
		return
	}
	const none = float32(-1e9)
	trace := make([]byte, (n+1)*(m+1))
	mp, bp := make([]float32, m+1), make([]float32, m+1)
	mc, bc := make([]float32, m+1), make([]float32, m+1)
	for j := range mp {
		mp[j] = none
		trace[j] = 2 << 1
	}
	for i := 1; i <= n; i++ {
		t := trace[i*(m+1) : (i+1)*(m+1)]
		mc[0], bc[0] = none, 0
		t[0] = 1 << 1
		x := a[i-1]
		gap := ai[i-1] < 0
		for j := 1; j <= m; j++ {
			var f byte
			mm := none
			if !gap && x == b[j-1] && bi[j-1] >= 0 {
				if p, q := mp[j-1], bp[j-1]-cost; p >= q {
					mm = p + 1
				} else {
					mm, f = q+1, 1
				}
			}
			best, g := bp[j], byte(1)
			if bc[j-1] > best {
				best, g = bc[j-1], 2
			}
			if mm > best {
				best, g = mm, 0
			}
			mc[j], bc[j] = mm, best
			t[j] = f | g<<1
		}
		mp, mc, bp, bc = mc, mp, bc, bp
	}
	matched := false
	for i, j := n, m; i > 0 && j > 0; {
		f := trace[i*(m+1)+j]
		if !matched {
			switch f >> 1 {
			case 0:
				matched = true
			case 1:
				i--
			default:
				j--
			}
			continue
		}
		found(i-1, j-1)
		matched = f&1 == 0
		i--
		j--
	}
}
