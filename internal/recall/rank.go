package recall

import (
	"cmp"
	"context"
	"hash/maphash"
	"math"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/store"
	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
)

const (
	// candidates are the pages of the index that are compared by their units.
	candidates = 24
	// manyPages is how many pages the index ranks, about. Words beyond that, the most
	// frequent ones, count only on pages that have another word of the query.
	manyPages = 3000
	// maxTerms bounds the words of a query.
	maxTerms = 32
)

// Words are the words by which a version is found; it is a value for
// [store.Options].Words.
func Words(v store.Version) store.Words {
	var body, headings strings.Builder
	body.Grow(min(len(v.Content), 4<<20)) // most texts are shorter, and links have few words
	known := newStemSet(len(v.Content))
	passage.Words(v.Content, func(stem []byte, heading bool) {
		if !known.admits(stem) {
			return
		}
		if heading {
			headings.Write(stem)
			headings.WriteByte(' ')
		}
		body.Write(stem)
		body.WriteByte(' ')
	})
	w := store.Words{Title: stems(v.Title), Headings: headings.String(), Body: body.String()}
	if u, err := weburl.Parse(v.URL); err == nil {
		w.Address, w.Hosts = stems(u.Path()), hosts(u)
	}
	return w
}

// maxStems is how many different words of a version are indexed: the index keeps all of them,
// with 250 bytes for each, until the version is written. A text of four megabytes has 30,000.
const maxStems = 50_000

// stemSet knows about how many different words it has seen: some that share a hash count as
// one. nil admits every word.
type stemSet struct {
	seed maphash.Seed
	bits [1 << 21 / 64]uint64
	n    int
}

// newStemSet is for a text of so many bytes; nil where that cannot have maxStems words.
func newStemSet(size int) *stemSet {
	if size < 2*maxStems {
		return nil
	}
	return &stemSet{seed: maphash.MakeSeed()}
}

// admits reports whether a word is to be indexed.
func (s *stemSet) admits(stem []byte) bool {
	if s == nil {
		return true
	}
	h := maphash.Bytes(s.seed, stem) % (64 * uint64(len(s.bits)))
	if at, bit := &s.bits[h/64], uint64(1)<<(h%64); *at&bit == 0 {
		if s.n == maxStems {
			return false
		}
		s.n++
		*at |= bit
	}
	return true
}

// stems are the words of a text as the index has them.
func stems(s string) string {
	var b strings.Builder
	terms.Scan(s, func(w []byte) {
		if !terms.IsStopWord(string(w)) {
			b.Write(terms.Stem(w))
			b.WriteByte(' ')
		}
	})
	return b.String()
}

// hosts are a host and the domains above it.
func hosts(u weburl.URL) []string {
	host := u.Host()
	out := []string{host}
	if _, ip := u.Addr(); ip {
		return out
	}
	for {
		_, rest, ok := strings.Cut(host, ".")
		if !ok || rest == "" {
			return out
		}
		out, host = append(out, rest), rest
	}
}

// ranked is a page with the addresses that the policy judges.
type ranked struct {
	page result.RecalledPage
	hops []string
	hit  store.Hit
	// stored is nil for a page that is too large to be kept beside others; read again
	// with [Recall.open].
	stored *passage.Stored
	chunk  int // the one that is nearest to the query, from 1; 0 where only words count
}

// mostKept is the length of a version, in bytes, up to which it is kept until the best
// are known: a candidate takes about ten times that.
const mostKept = 128 << 10

// open reads the version of a hit; ok is false where the store does not have it any more.
func (r *Recall) open(ctx context.Context, h store.Hit) (v store.Version, s *passage.Stored, ok bool) {
	if v, ok = r.Store.Open(ctx, h); ok {
		s = passage.NewStored(v.URL, v.Hash, v.Content, nil)
	}
	return v, s, ok
}

// passages are those of a page that match a query best.
func (r *Recall) passages(ctx context.Context, p *ranked, query string) []result.Passage {
	s := p.stored
	if s == nil || p.chunk > 0 {
		v, opened, ok := r.open(ctx, p.hit)
		if !ok {
			return nil
		}
		s = opened
		if p.chunk > 0 {
			near := nearest(s, v.Content, p.chunk-1)
			for _, x := range s.Excerpts(query, maxPassages) {
				if len(near) < maxPassages && !slices.ContainsFunc(near, func(y result.Passage) bool { return y.Start == x.Start }) {
					near = append(near, x)
				}
			}
			return near
		}
	}
	return s.Excerpts(query, maxPassages)
}

// The rank of a page is the sum of what its words say (BM25, with less regard to the
// length of the page than usual: long pages of reference answer many questions), of
// words in its title and address, of words that follow each other as in the query, and
// of a unit that begins with the words of the query.
const (
	bmK, bmB   = 1.2, 0.3
	usualWords = 600 // of a page, without those that say nothing
	titleShare = 0.5
	pairShare  = 0.5
	leadShare  = 1.0
)

// find asks the index for pages, reads them, and orders them. searched is how many
// pages the caller has.
func (r *Recall) find(ctx context.Context, words []string, q Query) (out []*ranked, searched int, err error) {
	searched, having, err := r.Store.Counts(ctx, words)
	if err != nil || searched == 0 {
		return nil, searched, err
	}
	weight := make([]float64, len(words))
	sum := 0.
	for i, n := range having {
		weight[i] = math.Log(1 + (float64(searched)+1)/(float64(n)+.5))
		sum += weight[i]
	}
	for i := range weight {
		weight[i] /= sum
	}
	rare, common := byFrequency(words, having)
	hits, err := r.Store.Search(ctx, store.Search{Terms: rare, Common: common, Site: q.Site, Job: q.Job, Since: q.Since, Limit: candidates})
	if err != nil {
		return nil, searched, err
	}
	latest := map[string]int{} // by address: of several versions the last one is shown
	for _, h := range hits {
		v, s, ok := r.open(ctx, h)
		if err := ctx.Err(); err != nil {
			return nil, searched, err // the best may be among those that were not read
		}
		if !ok {
			continue
		}
		p := &ranked{result.RecalledPage{URL: v.URL, Title: v.Title, Version: v.Hash, Seen: v.LastSeen, Login: v.Credentials != "", Score: rank(v, s, words, weight)}, v.Hops, h, s, 0}
		if len(v.Content) > mostKept {
			p.stored = nil
		}
		if i, known := latest[v.URL]; !known {
			latest[v.URL] = len(out)
			out = append(out, p)
		} else if p.page.Seen.After(out[i].page.Seen) {
			out[i] = p
		}
	}
	slices.SortStableFunc(out, func(a, b *ranked) int { return cmp.Compare(b.page.Score, a.page.Score) })
	return out, searched, nil
}

// byFrequency splits words into those that are looked for, also in pairs as the query
// has them, and those that are too frequent, given how many pages have each. One at
// least is looked for.
func byFrequency(words []string, having []int) (rare, common []string) {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(having[a], having[b]) })
	pages := 0
	for _, i := range order {
		if having[i] == 0 && (len(rare) > 0 || i != order[len(order)-1]) {
			continue // nothing has it
		}
		if pages += having[i]; len(rare) > 0 && pages > manyPages {
			common = append(common, words[i])
		} else {
			rare = append(rare, words[i])
		}
	}
	single := rare
	for i := 1; i < len(words); i++ {
		if slices.Contains(single, words[i-1]) && slices.Contains(single, words[i]) {
			rare = append(rare, words[i-1]+" "+words[i])
		}
	}
	return rare, common
}

// rank is the score of a page for words of the given weights, whose sum is 1.
func rank(v store.Version, s *passage.Stored, words []string, weight []float64) float64 {
	c := s.Count(words, weight)
	title, address := strings.Fields(stems(v.Title)), []string(nil)
	if u, err := weburl.Parse(v.URL); err == nil {
		address = strings.Fields(stems(u.Path()))
	}
	norm := bmK * (1 - bmB + bmB*float64(c.Length)/usualWords)
	saturated := func(n int) float64 { return float64(n) / (float64(n) + norm) }
	score := leadShare * c.Lead
	for i, w := range words {
		x := saturated(c.Words[i])
		switch {
		case slices.Contains(title, w), slices.Contains(address, w):
			x += titleShare
		case len(w) >= gluedWord && slices.ContainsFunc(address, func(a string) bool { return strings.Contains(a, w) }):
			x += titleShare * gluedShare // /createtable has two words
		}
		score += weight[i] * x
		if i > 0 {
			// Two words together are at least as rare as the rarer one.
			score += pairShare * max(weight[i-1], weight[i]) * saturated(c.Pairs[i])
		}
	}
	return score
}

// gluedWord is the length from which on a word is looked for within those of an
// address, and gluedShare what that counts.
const (
	gluedWord  = 4
	gluedShare = 0.7
)
