package crawl

import (
	"hash/maphash"
	"math/bits"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/terms"
)

// Two pages are near-duplicates when their texts have nearly the same words in
// nearly the same order: their 64-bit SimHashes (Charikar 2002), over runs of three
// words, differ in at most three bits (Manku and others 2007). Texts of fewer than
// fifty words are compared by their version only.
const (
	nearBits   = 3
	nearWords  = 50
	maxSimilar = 200_000 // pages that are remembered; about 30 MB
)

// simHash is the SimHash of a page's text, 0 for a text that is too short.
func simHash(p *page.Page) uint64 {
	var sums [64]int32
	var run [3]uint64
	n := 0
	word := func(w []byte) {
		run[0], run[1], run[2] = run[1], run[2], hashWord(w)
		if n++; n < 3 {
			return
		}
		h := mixed(run[0] + mixed(run[1]+mixed(run[2])))
		for i := range sums {
			sums[i] += int32(h>>i&1)*2 - 1
		}
	}
	var x terms.Scanner
	eachText(p.Blocks, func(s string) { x.Scan(s, word) })
	if n < nearWords {
		return 0
	}
	var out uint64
	for i, s := range sums {
		if s > 0 {
			out |= 1 << i
		}
	}
	return max(out, 1)
}

// hashWord is FNV-1a: the hashes are stored with the records of a job.
func hashWord(w []byte) uint64 {
	h := uint64(14695981039346656037)
	for _, c := range w {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return h
}

func mixed(x uint64) uint64 {
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// similar finds near-duplicates among the pages of a job. Two hashes that differ in
// three bits agree in at least one of their four parts.
type similar struct {
	versions map[uint64]string    // by the hash of the version
	parts    [4]map[uint16][]near // by a part of the SimHash
	n        int
	seed     maphash.Seed
}

type near struct {
	hash uint64
	url  string
}

func newSimilar() *similar {
	s := &similar{versions: map[uint64]string{}, seed: maphash.MakeSeed()}
	for i := range s.parts {
		s.parts[i] = map[uint16][]near{}
	}
	return s
}

// find returns the page that a text is nearly the same as; "" for none.
func (s *similar) find(version string, hash uint64) string {
	if u := s.versions[maphash.String(s.seed, version)]; u != "" && version != "" {
		return u
	}
	if hash == 0 {
		return ""
	}
	for i := range s.parts {
		for _, n := range s.parts[i][uint16(hash>>(16*i))] {
			if bits.OnesCount64(n.hash^hash) <= nearBits {
				return n.url
			}
		}
	}
	return ""
}

func (s *similar) add(url, version string, hash uint64) {
	if s.n == maxSimilar {
		return
	}
	s.n++
	if version != "" {
		s.versions[maphash.String(s.seed, version)] = url
	}
	if hash == 0 {
		return
	}
	for i := range s.parts {
		k := uint16(hash >> (16 * i))
		s.parts[i][k] = append(s.parts[i][k], near{hash, url})
	}
}
