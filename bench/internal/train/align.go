package train

import (
	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
)

// labelBlocks aligns the page's words with the truth's: a match is worth 1, a
// new run of matches costs .95, and two more passes over what is left, at
// higher costs, find reordered text.
func labelBlocks(seg *blocks.Segmentation, truth []uint32) []float32 {
	var words []uint32
	var owner []int
	var sizes []int
	for i, b := range seg.Blocks() {
		words = append(words, b.Hashes...)
		for range b.Hashes {
			owner = append(owner, i)
		}
		sizes = append(sizes, len(b.Hashes))
	}
	y := make([]float32, len(sizes))
	for i, ok := range align(words, truth) {
		if ok {
			y[owner[i]]++
		}
	}
	for i := range y {
		y[i] /= float32(max(sizes[i], 1))
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
