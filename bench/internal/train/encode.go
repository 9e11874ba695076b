package train

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
)

// Tree is a trained tree: its nodes level by level, so that the children of a split are
// the next two that no split before it has.
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

// EncodeModel writes a model file: the format is described at [blocks.Model]. It fails for a
// tree whose nodes are in another order, and for more different splits than the file has
// numbers for.
func EncodeModel(features []string, lexicon map[uint32][2]int8, judges, types []Forest) ([]byte, error) {
	var e encoder
	e.WriteString(blocks.ModelMagic)
	e.u16(blocks.ModelVersion)
	e.u32(uint32(len(features)))
	for _, f := range features {
		e.WriteByte(byte(len(f)))
		e.WriteString(f)
	}
	e.lexicon(lexicon)
	e.questions(len(features), judges, types)
	if len(e.asked) > math.MaxUint16 {
		return nil, fmt.Errorf("%d different splits", len(e.asked))
	}
	for _, list := range [2][]Forest{judges, types} {
		e.u32(uint32(len(list)))
		for _, f := range list {
			if err := e.forest(f); err != nil {
				return nil, err
			}
		}
	}
	return e.Bytes(), nil
}

// encoder writes little-endian values.
type encoder struct {
	bytes.Buffer
	asked map[question]int // its number
}

// question is what a split asks.
type question struct {
	feature  int
	nanRight bool
	value    float32
}

func (n TreeNode) question() question { return question{n.Feature, n.NaNRight, n.Value} }

func (e *encoder) u16(x int)    { e.Write(binary.LittleEndian.AppendUint16(nil, uint16(x))) }
func (e *encoder) u32(x uint32) { e.Write(binary.LittleEndian.AppendUint32(nil, x)) }

// lexicon writes the tokens in order.
func (e *encoder) lexicon(tokens map[uint32][2]int8) {
	e.u32(uint32(len(tokens)))
	for _, h := range slices.Sorted(maps.Keys(tokens)) {
		e.u32(h)
		e.WriteByte(byte(tokens[h][0]))
		e.WriteByte(byte(tokens[h][1]))
	}
}

// questions writes what the splits of all forests ask, in the order that the decoder reads.
func (e *encoder) questions(features int, forests ...[]Forest) {
	values := make([]map[float32]bool, 2*features)
	for i := range values {
		values[i] = map[float32]bool{}
	}
	n := 0
	for _, f := range slices.Concat(forests...) {
		for _, node := range slices.Concat(f.Trees...) {
			if list := values[place(node.question())]; node.Left != 0 && !list[node.Value] {
				list[node.Value] = true
				n++
			}
		}
	}
	e.u32(uint32(n))
	e.asked = make(map[question]int, n)
	for i, list := range values {
		e.u16(len(list))
		for _, v := range slices.Sorted(maps.Keys(list)) {
			e.asked[question{i / 2, i%2 == 1, v}] = len(e.asked)
			e.u32(math.Float32bits(v))
		}
	}
}

// place is the number of the list that has the question.
func place(q question) int {
	if q.nanRight {
		return 2*q.feature + 1
	}
	return 2 * q.feature
}

func (e *encoder) forest(f Forest) error {
	e.u32(math.Float32bits(f.Base))
	e.u32(uint32(len(f.Trees)))
	for _, t := range f.Trees {
		if len(t) > math.MaxUint16 {
			return fmt.Errorf("a tree of %d nodes", len(t))
		}
		e.u16(len(t))
		splits, free := make([]byte, (len(t)+7)/8), 1
		for k, n := range t {
			if n.Left == 0 {
				continue
			}
			if n.Left != free {
				return fmt.Errorf("the children of node %d are at %d, not at %d", k, n.Left, free)
			}
			splits[k/8] |= 1 << (k % 8)
			free += 2
		}
		e.Write(splits)
		for _, n := range t {
			if n.Left == 0 {
				e.u32(math.Float32bits(n.Value))
			} else {
				e.u16(e.asked[n.question()])
			}
		}
	}
	return nil
}
