// Package meaning provides ranking by embeddings: texts of a page as chunks, vectors of
// eight bits a dimension, and the order of what stands out.
//
//	chunks := meaning.Chunks(md)
//	near := meaning.Near(query, vectors) // indexes of chunks, best first
//
// # Guarantees
//
// Chunks and vectors are bounded. Reading stored vectors never panics.
//
// # Limits
//
// What a similarity is worth differs from model to model: Near compares it with those of
// the other texts, has no threshold of its own, and says nothing of fewer than five.
package meaning

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"
	"strings"
)

const (
	// chunkBytes is about the length of a chunk, maxChunks how many of a page count.
	chunkBytes = 900
	maxChunks  = 200
	// maxDimensions bounds a vector: the largest models have 4,096.
	maxDimensions = 4096
	// standsOut is by how many standard deviations a text has to be nearer than the usual
	// one, where there are at least fewTexts to compare; of fewer, none stands out. No cosine
	// is close for every model. By what is published, they lie between .7 and 1 with E5 (its
	// model card, question 3), between .4 and 1 with BGE v1.5 in English (FlagEmbedding, issue
	// 402), and with text-embedding-3-large a question has about .44 to the text that answers
	// it and .08 to others. A threshold of .5 would take everything of the first two and
	// nothing of the third. A distance in standard deviations is the same for all: it does
	// not change when similarities are shifted or stretched.
	standsOut, fewTexts = 1.5, 5
)

// Vector is the direction of a text. Nil is near to nothing.
type Vector []int8

// Quantize makes a Vector of what an embedding server returns.
func Quantize(v []float32) Vector {
	v = v[:min(len(v), maxDimensions)]
	most := 0.0
	for _, x := range v {
		most = max(most, math.Abs(float64(x)))
	}
	if most == 0 || math.IsInf(most, 0) || math.IsNaN(most) {
		return nil
	}
	out := make(Vector, len(v))
	for i, x := range v {
		out[i] = int8(math.Round(float64(x) / most * 127))
	}
	return out
}

// Similarity is the cosine of two vectors; 0 where they are of different models.
func Similarity(a, b Vector) float64 {
	if len(a) != len(b) {
		return 0
	}
	var dot, aa, bb int64
	for i := range a {
		x, y := int64(a[i]), int64(b[i])
		dot, aa, bb = dot+x*y, aa+x*x, bb+y*y
	}
	if aa == 0 || bb == 0 {
		return 0
	}
	return float64(dot) / math.Sqrt(float64(aa)*float64(bb))
}

// Chunk is the bytes of a text from From to before To.
type Chunk struct{ From, To int }

// Chunks cuts Markdown between blocks, before each heading, and where a chunk is long.
func Chunks(md string) (out []Chunk) {
	from := 0
	for at := 0; at < len(md) && len(out) < maxChunks; {
		end := len(md)
		if i := strings.Index(md[at:], "\n\n"); i >= 0 {
			end = at + i + 2
		}
		if from < at && (md[at] == '#' || end-from > chunkBytes) {
			out, from = append(out, Chunk{from, at}), at
		}
		for end-from > 2*chunkBytes { // a long block is cut between its lines
			cut := from + chunkBytes
			if i := strings.IndexByte(md[cut:end], '\n'); i >= 0 && cut+i+1 < end {
				cut += i + 1
			} else {
				break
			}
			out, from = append(out, Chunk{from, cut}), cut
		}
		at = end
	}
	if from < len(md) && len(out) < maxChunks {
		out = append(out, Chunk{from, len(md)})
	}
	return out[:min(len(out), maxChunks)]
}

// Near returns the indexes of the vectors that stand out as near to a query, best first.
func Near(query Vector, vectors []Vector) []int {
	near := make([]float64, len(vectors))
	for i, v := range vectors {
		near[i] = Similarity(query, v)
	}
	return Outstanding(near)
}

// Outstanding returns the indexes of the similarities that stand out, best first.
func Outstanding(near []float64) []int {
	sum, squares := 0.0, 0.0
	for _, x := range near {
		sum, squares = sum+x, squares+x*x
	}
	if len(near) < fewTexts {
		return nil
	}
	n := float64(len(near))
	mean := sum / n
	least := mean + standsOut*math.Sqrt(max(squares/n-mean*mean, 0))
	var out []int
	for i, x := range near {
		if x > 0 && x >= least {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(near[b], near[a]) })
	return out
}

// Fused is what a rank, from 0, adds to a text's score where several orders are made one
// (reciprocal rank fusion, Cormack and others, SIGIR 2009).
func Fused(rank int) float64 { return 1 / float64(60+rank) }

// Encode writes vectors of one model for a store; Decode reads them. A text that is not of
// Encode has none.
func Encode(vectors []Vector) []byte {
	size := 0
	for _, v := range vectors {
		size = max(size, len(v))
	}
	out := binary.LittleEndian.AppendUint16(nil, uint16(size))
	for _, v := range vectors {
		for i := range size {
			x := int8(0)
			if i < len(v) {
				x = v[i]
			}
			out = append(out, byte(x))
		}
	}
	return out
}

// Decode reads what Encode writes.
func Decode(b []byte) (out []Vector) {
	if len(b) < 2 {
		return nil
	}
	size := int(binary.LittleEndian.Uint16(b))
	for b = b[2:]; size > 0 && len(b) >= size; b = b[size:] {
		v := make(Vector, size)
		for i := range v {
			v[i] = int8(b[i])
		}
		out = append(out, v)
	}
	return out
}
