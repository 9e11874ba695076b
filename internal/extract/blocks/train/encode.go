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

// Tree is a trained tree: nodes in an order in which children follow their
// parents and are adjacent.
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

// EncodeModel writes a model file: the format is described at [blocks.Model].
func EncodeModel(features []string, lex *Lexicon, judges, types []Forest) ([]byte, error) {
	var e encoder
	e.WriteString(blocks.ModelMagic)
	e.u16(blocks.ModelVersion)
	e.u32(uint32(len(features)))
	for _, f := range features {
		e.WriteByte(byte(len(f)))
		e.WriteString(f)
	}
	e.lexicon(lex)
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
type encoder struct{ bytes.Buffer }

func (e *encoder) u16(x int)    { e.Write(binary.LittleEndian.AppendUint16(nil, uint16(x))) }
func (e *encoder) u32(x uint32) { e.Write(binary.LittleEndian.AppendUint32(nil, x)) }

// lexicon writes the tokens that say something, in order.
func (e *encoder) lexicon(lex *Lexicon) {
	tokens := map[uint32][2]int8{}
	for k := range lex.n {
		for h := range lex.n[k] {
			if near, far, ok := lex.Lookup(h); ok && (near != 0 || far != 0) {
				tokens[h] = [2]int8{near, far}
			}
		}
	}
	e.u32(uint32(len(tokens)))
	for _, h := range slices.Sorted(maps.Keys(tokens)) {
		e.u32(h)
		e.WriteByte(byte(tokens[h][0]))
		e.WriteByte(byte(tokens[h][1]))
	}
}

func (e *encoder) forest(f Forest) error {
	e.u32(math.Float32bits(f.Base))
	e.u32(uint32(len(f.Trees)))
	for _, t := range f.Trees {
		if len(t) > math.MaxUint16 {
			return fmt.Errorf("a tree of %d nodes", len(t))
		}
		e.u16(len(t))
		for _, n := range t {
			e.node(n)
		}
	}
	return nil
}

func (e *encoder) node(n TreeNode) {
	if n.Left == 0 {
		e.u16(0xffff)
		e.u32(math.Float32bits(n.Value))
		return
	}
	feature := n.Feature
	if n.NaNRight {
		feature |= 0x8000
	}
	e.u16(feature)
	e.u32(math.Float32bits(n.Value))
	e.u16(n.Left)
}
