package blocks

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"
)

//go:embed model.bin
var modelFile []byte

// Load decodes the embedded model once, when the first page is read.
var Load = sync.OnceValues(func() (*Model, error) { return DecodeModel(modelFile) })

// Model labels blocks: a lexicon of class and id tokens and forests of
// gradient-boosted trees, some for blocks and one for each page type. It is
// read-only and safe for concurrent use.
//
// The file is little-endian: the magic "SPYB", a uint16 version, then counted
// sections: the names of the features that the trees use (so that a model and
// a program that do not fit are told apart at once), the tokens of the lexicon, the
// questions that splits ask, the block forests, and the page-type forests. Many splits
// ask the same question: a split is a number of two bytes in the file.
type Model struct {
	features  []string // names, in the order in which the trees number them
	lex       []lexEntry
	blocks    []forest          // the first judges all blocks, the others join where it is in doubt
	types     []forest          // one per PageTypes
	index     []uint16          // by feature of the program: its number in the model, or unused
	distances [noMark + 2]int32 // the orders of numbers: see pickMarks
	// used are segmentations whose memory is used again: allocating it for each
	// page costs a fifth of all allocation.
	used sync.Pool
}

type lexEntry struct {
	token     uint32
	near, far int8
	used      bool
}

// forest is a sum of trees. Children are adjacent, and their parent says where the left one
// is. A leaf is its own child, so that walks through trees beside each other take the same
// number of steps without asking.
type forest struct {
	base   float32
	roots  []int32
	depths []uint16 // of the deepest tree of each four that are walked together
	nodes  []node
}

// node is a split (what is less than its value goes left), or a leaf, which nothing leaves: its
// value is what it adds, its left child itself, and its feature one below all values.
// Eight bytes, which are loaded at once: a forest fits into the processor's second cache.
// From the lowest bit: the value (of a split its order, of a leaf a float32), the feature's place
// in inputs (10 bits), and the left child's place in the forest (22 bits).
type node uint64

func newSplit(value float32, feature uint16) node {
	return node(uint32(orderOf(value))) | node(feature)<<32
}

// newLeaf adds 0 to the value, as orderOf does: the bits of -0 are those of belowAll.
func newLeaf(value float32) node {
	return node(math.Float32bits(value+0)) | leafFeature<<32
}

// belowAll is less than the order of every number, and than the bits of every leaf.
const belowAll = math.MinInt32

// orderOf returns an integer that is less than another one where its number is less than
// that one's: integers are compared in fewer instructions, once for each node of a walk.
func orderOf(x float32) int32 {
	b := int32(math.Float32bits(x + 0)) // -0 becomes 0
	return b ^ b>>31&math.MaxInt32
}

// numberOf is the number of an order.
func numberOf(order int32) float32 {
	return math.Float32frombits(uint32(order ^ order>>31&math.MaxInt32))
}

// leftAt is what a node with its left child at a place has more.
func leftAt(place int) node { return node(place) << 42 }

// value is what a leaf adds.
func (n node) value() float32 { return math.Float32frombits(uint32(n)) }

const (
	maxFeatures = 512
	leafFeature = maxFeatures - 1 // of leaves
	unused      = maxFeatures - 2 // of features that the model does not ask for
	maxNodes    = 1 << 22         // of a forest
)

// inputs are the features of a block by the model's numbers, as orders, twice: for a missing
// feature, the first half has an order below all values and the second half one
// above, so that a walk needs no check for missing features. The fixed size avoids
// checks of bounds.
type inputs [2 * maxFeatures]int32

func (in *inputs) set(k uint16, x float32) {
	k %= maxFeatures // which checks of bounds need not do
	order := orderOf(x)
	in[k], in[maxFeatures+k] = order, order
	if x != x {
		in[k], in[maxFeatures+k] = belowAll, math.MaxInt32
	}
}

// next returns the child of nodes[i] for the features v. It compiles to a
// comparison without a jump: the branches of trees cannot be predicted.
func next(nodes []node, v *inputs, i uint32) uint32 {
	n := nodes[i]
	right := uint32(0)
	if v[n>>32&(2*maxFeatures-1)] >= int32(n) {
		right = 1
	}
	return uint32(n>>42) + right
}

// exits are where a walk through the first forest of blocks ends early: after so many trees, when
// the log-odds are above or below so much. The score is then set to certain: the log-odds of 20
// trees are small because the trees are few, not because of doubt. A kept block is worth a little
// and a lost one much (see [lossWeight]), so what may be content is judged further than what may be
// boilerplate. (Walked to the end, every score of testdata/quality.txt and `make manuals` is the
// same, at an eighth more time; with exits below at -above, manuals lose .018 and not .015.)
var exits = [...]struct {
	trees        int
	above, below float32
}{{20, 2, -3.5}, {40, 2.5, -4}, {60, 2.5, -4}, {100, 2.5, -4}, {160, 2.25, -3.75}, {240, 2, -3.5}, {math.MaxInt, doubtTo, doubtFrom}}

// doubtFrom and doubtTo are the log-odds of the first forest between which the others are evaluated
// too, and their mean counts. Beyond them no forest changes what becomes of the block.
const doubtFrom, doubtTo = -3.5, 1.5

const certainty = 4.5

// score adds up the leaves that v falls into.
func (f *forest) score(v *inputs) float32 {
	var sum [1]float32
	f.add([]*inputs{v}, sum[:], 0, len(f.roots))
	return f.base + sum[0]
}

// together is how many trees are walked at a time: their loads do not wait for each
// other. The exits are multiples of it.
const together = 4

// nearby is how many blocks go through some trees before the next trees: so many fit
// into the processor's first cache beside the trees, which are then read from there.
const nearby = 8

// add puts into sums, for each of the blocks, the sum of the leaves that it falls into, of the
// trees from one that is a multiple of together to before another one.
func (f *forest) add(blocks []*inputs, sums []float32, from, to int) {
	clear(sums[:len(blocks)])
	for len(blocks) > nearby {
		f.addNear(blocks[:nearby], sums, from, to)
		blocks, sums = blocks[nearby:], sums[nearby:]
	}
	f.addNear(blocks, sums, from, to)
}

func (f *forest) addNear(blocks []*inputs, sums []float32, from, to int) {
	nodes := f.nodes
	for ; from+2*together <= to; from += 2 * together {
		roots := f.roots[from : from+2*together]
		depth := max(f.depths[from/together], f.depths[from/together+1])
		for x, v := range blocks {
			a, b, c, d := uint32(roots[0]), uint32(roots[1]), uint32(roots[2]), uint32(roots[3])
			h, i, j, k := uint32(roots[4]), uint32(roots[5]), uint32(roots[6]), uint32(roots[7])
			for range depth {
				a, b, c, d = next(nodes, v, a), next(nodes, v, b), next(nodes, v, c), next(nodes, v, d)
				h, i, j, k = next(nodes, v, h), next(nodes, v, i), next(nodes, v, j), next(nodes, v, k)
			}
			sum := sums[x] + (nodes[a].value() + nodes[b].value() + nodes[c].value() + nodes[d].value())
			sums[x] = sum + (nodes[h].value() + nodes[i].value() + nodes[j].value() + nodes[k].value())
		}
	}
	for ; from+together <= to; from += together {
		roots := f.roots[from : from+together]
		for x, v := range blocks {
			a, b, c, d := uint32(roots[0]), uint32(roots[1]), uint32(roots[2]), uint32(roots[3])
			for range f.depths[from/together] {
				a, b, c, d = next(nodes, v, a), next(nodes, v, b), next(nodes, v, c), next(nodes, v, d)
			}
			sums[x] += nodes[a].value() + nodes[b].value() + nodes[c].value() + nodes[d].value()
		}
	}
	for ; from < to; from++ {
		for x, v := range blocks {
			i := uint32(f.roots[from])
			for range f.depths[from/together] {
				i = next(nodes, v, i)
			}
			sums[x] += nodes[i].value()
		}
	}
}

// batch is how many blocks are judged at a time: a fifth of them passes the exits.
const batch = 64

// judge puts into scores the log-odds of some blocks, at most a batch, to be main content.
func (m *Model) judge(blocks []inputs, scores []float32) {
	var (
		left  [batch]int // blocks that are still judged
		in    [batch]*inputs
		sums  [batch]float32
		first = &m.blocks[0]
	)
	n := len(blocks)
	for i := range blocks {
		left[i], in[i], scores[i] = i, &blocks[i], first.base
	}
	from := 0
	for _, e := range exits {
		to := min(e.trees, len(first.roots))
		first.add(in[:n], sums[:], from, to)
		from = to
		stay := 0
		for k, i := range left[:n] {
			sum := scores[i] + sums[k]
			switch {
			case from == len(first.roots):
				if scores[i] = sum; sum > e.above || sum < e.below {
					continue
				}
			case sum > e.above:
				scores[i] = max(sum, certainty)
				continue
			case sum < e.below:
				scores[i] = min(sum, -certainty)
				continue
			default:
				scores[i] = sum
			}
			left[stay], in[stay] = i, in[k]
			stay++
		}
		if n = stay; from == len(first.roots) {
			break
		}
	}
	if len(m.blocks) == 1 {
		return
	}
	for i := range m.blocks[1:] {
		f := &m.blocks[1+i]
		f.add(in[:n], sums[:], 0, len(f.roots))
		for k, i := range left[:n] {
			scores[i] += f.base + sums[k]
		}
	}
	for _, i := range left[:n] {
		scores[i] /= float32(len(m.blocks))
	}
}

// pick copies the features that the model uses, from the feature with number first on.
func (m *Model) pick(dst *inputs, features []float32, first int) {
	index := m.index[first:][:len(features)]
	for k, x := range features {
		dst.set(index[k], x)
	}
	dst[leafFeature] = belowAll
}

// pickMarks is pick for the features of markRow, the number of the first of which is first: they
// are a quarter of all, whole numbers, and never missing.
func (m *Model) pickMarks(dst *inputs, of *marks, depth int32, first int) {
	index := m.index[first:][:numMarks]
	for k := range of {
		order, j := m.distances[of.distance(k, depth)&31], index[k]%maxFeatures
		dst[j], dst[maxFeatures+j] = order, order
	}
}

func sigmoid(x float32) float32 { return float32(1 / (1 + math.Exp(-float64(x)))) }

// Lookup implements [Lexicon].
func (m *Model) Lookup(token uint32) (near, far int8, ok bool) {
	if len(m.lex) == 0 {
		return 0, 0, false
	}
	mask := uint32(len(m.lex) - 1)
	for i := token & mask; m.lex[i].used; i = (i + 1) & mask {
		if m.lex[i].token == token {
			return m.lex[i].near, m.lex[i].far, true
		}
	}
	return 0, 0, false
}

const (
	ModelMagic   = "SPYB"
	ModelVersion = 3
)

var errModel = errors.New("extract: model file is damaged")

// decoder reads counted little-endian values and remembers the first failure.
type decoder struct {
	b   []byte
	err error

	questions []node         // of splits, without their children
	nodes     []node         // of all forests, made once
	depth     [maxTree]int16 // by node of the tree that is read
}

const (
	lexBytes   = 6 // of a token in the file
	leafBytes  = 4
	splitBytes = 2
	maxTree    = 1 << 12 // nodes
)

func (d *decoder) take(n int) []byte {
	if d.err != nil || n < 0 || n > len(d.b) {
		d.err = errModel
		return make([]byte, max(min(n, 16), 0))
	}
	s := d.b[:n]
	d.b = d.b[n:]
	return s
}

func (d *decoder) u32() uint32 { return binary.LittleEndian.Uint32(d.take(4)) }
func (d *decoder) u16() uint16 { return binary.LittleEndian.Uint16(d.take(2)) }
func (d *decoder) count(size int) int {
	n := int(d.u32())
	if n*size > len(d.b) {
		d.err = errModel
		return 0
	}
	return n
}

// DecodeModel reads a model file.
func DecodeModel(b []byte) (*Model, error) {
	d := &decoder{b: b}
	if string(d.take(4)) != ModelMagic || d.u16() != ModelVersion {
		return nil, errModel
	}
	m := &Model{}
	for range d.count(1) {
		m.features = append(m.features, string(d.take(int(d.take(1)[0]))))
		if d.err != nil {
			return nil, d.err
		}
	}
	if len(m.features) > unused {
		return nil, errModel
	}
	m.lex = d.lexicon()
	d.ask(len(m.features))
	d.nodes = make([]node, 0, len(d.b)/((leafBytes+splitBytes)/2)) // a tree has as many leaves as splits, and one
	for range d.count(8) {
		m.blocks = append(m.blocks, d.forest())
	}
	for range d.count(8) {
		m.types = append(m.types, d.forest())
	}
	if d.err == nil && (len(m.types) != len(PageTypes) || len(m.blocks) == 0) {
		d.err = errModel
	}
	if d.err != nil {
		return nil, d.err
	}
	for i := range m.distances {
		m.distances[i] = orderOf(float32(i))
	}
	return m, m.indexFeatures()
}

// lexicon reads the tokens into an open-addressing table.
func (d *decoder) lexicon() []lexEntry {
	n := d.count(lexBytes)
	size := 16
	for size < 2*n {
		size *= 2
	}
	lex := make([]lexEntry, size)
	for t := range slices.Chunk(d.take(lexBytes*n), lexBytes) {
		e := lexEntry{token: binary.LittleEndian.Uint32(t), near: int8(t[4]), far: int8(t[5]), used: true}
		i := e.token & uint32(size-1)
		for lex[i].used {
			i = (i + 1) & uint32(size-1)
		}
		lex[i] = e
	}
	return lex
}

// indexFeatures finds the features of the program in the model. It fails for a
// model that asks for another one.
func (m *Model) indexFeatures() error {
	number := make(map[string]uint16, len(m.features))
	for i, name := range m.features {
		number[name] = uint16(i)
	}
	names := slices.Clone(FeatureNames())
	for _, name := range TypeNames() {
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	m.index = make([]uint16, len(names))
	for i, name := range names {
		m.index[i] = unused
		if k, ok := number[name]; ok {
			m.index[i] = k
			delete(number, name)
		}
	}
	for name := range number {
		return fmt.Errorf("extract: the model asks for feature %q, which this program does not compute", name)
	}
	return nil
}

// ask reads the questions: for each feature those that lead to the left where it is
// missing, then those that lead to the right there, each a count and the values.
func (d *decoder) ask(features int) {
	d.questions = make([]node, 0, d.count(leafBytes))
	for feature := range uint16(features) {
		for _, side := range [...]uint16{0, maxFeatures} {
			for v := range slices.Chunk(d.take(leafBytes*int(d.u16())), leafBytes) {
				d.questions = append(d.questions, newSplit(math.Float32frombits(binary.LittleEndian.Uint32(v)), feature+side))
			}
			if d.err != nil {
				return
			}
		}
	}
}

// forest reads a forest: base and count of trees, then for each tree the count of its
// nodes, a bit for each that is a split, and for each the number of its question, or the value of a
// leaf. Nodes stand level by level, so that the children of a split are the next two
// that no split before it has. The nodes of the forest are the next ones of the decoder's
// memory: a short run of the program feels it when they grow.
func (d *decoder) forest() forest {
	f := forest{base: math.Float32frombits(d.u32())}
	f.roots = make([]int32, 0, d.count(2))
	f.depths = make([]uint16, (cap(f.roots)+together-1)/together)
	first := len(d.nodes)
	for tree := range cap(f.roots) {
		n := int(d.u16())
		splits := d.take((n + 7) / 8)
		root := len(d.nodes) - first
		if d.err != nil || n > maxTree || root+n > maxNodes {
			d.err = errModel
			return forest{}
		}
		f.roots = append(f.roots, int32(root))
		b, free := d.b, 1
		clear(d.depth[:n])
		for k := range n {
			if splits[k/8]&(1<<(k%8)) == 0 {
				if len(b) < leafBytes {
					d.err = errModel
					return forest{}
				}
				d.nodes = append(d.nodes, newLeaf(math.Float32frombits(binary.LittleEndian.Uint32(b)))|leftAt(root+k))
				b = b[leafBytes:]
				continue
			}
			// Children come after their parent: a walk always ends.
			if len(b) < splitBytes || free <= k || free+1 >= n {
				d.err = errModel
				return forest{}
			}
			question := int(binary.LittleEndian.Uint16(b))
			if question >= len(d.questions) {
				d.err = errModel
				return forest{}
			}
			d.nodes = append(d.nodes, d.questions[question]|leftAt(root+free))
			b = b[splitBytes:]
			down := d.depth[k] + 1
			d.depth[free], d.depth[free+1] = down, down
			deepest := &f.depths[tree/together]
			*deepest = max(*deepest, uint16(down))
			free += 2
		}
		d.b = b
	}
	if d.err != nil {
		return forest{}
	}
	f.nodes = d.nodes[first:len(d.nodes):len(d.nodes)]
	return f
}
