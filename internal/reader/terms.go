package reader

import "github.com/spyhop-dev/spyhop/internal/terms"

// maxTerms bounds the different words of a query that are looked for: a unit has a bit
// for each.
const maxTerms = 48

// queryTerms are the words of a query, each with a number.
type queryTerms struct {
	index  map[string]int // by stem
	prefix map[string]int // by the first letters of long stems
	begins [1 << 10]bool  // by a hash of the first two letters
	next   []int          // the term that follows in the query, or -1
	n      int
	wanted wanted // what the query asks for by its kind
}

// prefixLen is how many letters two long words have to share to be taken for
// forms of one.
const prefixLen = 5

func newTerms(query string) *queryTerms {
	t := &queryTerms{index: map[string]int{}, prefix: map[string]int{}, wanted: wantedBy(query)}
	last := -1
	terms.Scan(query, func(word []byte) {
		if terms.IsStopWord(string(word)) {
			return
		}
		s := string(terms.Stem(word))
		i, known := t.index[s]
		if !known {
			if t.n == maxTerms {
				return
			}
			i = t.n
			t.n++
			t.index[s] = i
			t.begins[beginning(s)] = true
			t.next = append(t.next, -1)
			if len(s) >= prefixLen && s[0] >= 'a' {
				if _, taken := t.prefix[s[:prefixLen]]; !taken {
					t.prefix[s[:prefixLen]] = i
				}
			}
		}
		if last >= 0 && t.next[last] < 0 {
			t.next[last] = i
		}
		last = i
	})
	return t
}

// match returns the number of the term that a word is a form of, and whether it
// is one exactly; -1 for none.
func (t *queryTerms) match(word []byte) (term int, exact bool) {
	s := terms.Stem(word)
	if !t.begins[beginning(s)] { // as of most words
		return -1, false
	}
	if i, ok := t.index[string(s)]; ok {
		return i, true
	}
	if len(s) >= prefixLen && s[0] >= 'a' {
		if i, ok := t.prefix[string(s[:prefixLen])]; ok {
			return i, false
		}
	}
	return -1, false
}

// beginning hashes the first two bytes of a word, which has one or more.
func beginning[T string | []byte](word T) int {
	h := int(word[0]&0x1f) << 5
	if len(word) > 1 {
		h |= int(word[1] & 0x1f)
	}
	return h
}
