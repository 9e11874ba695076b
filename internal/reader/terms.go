package reader

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// maxTerms bounds the different words of a query that are looked for.
const maxTerms = 48

// terms are the words of a query, each with a number.
type terms struct {
	index  map[string]int // by stem
	prefix map[string]int // by the first letters of long stems
	next   []int          // the term that follows in the query, or -1
	n      int
}

// prefixLen is how many letters two long words have to share to be taken for
// forms of one.
const prefixLen = 5

func newTerms(query string) *terms {
	t := &terms{index: map[string]int{}, prefix: map[string]int{}}
	last := -1
	scan(query, func(word []byte) {
		if isStopWord(string(word)) {
			return
		}
		s := string(stem(word))
		i, known := t.index[s]
		if !known {
			if t.n == maxTerms {
				return
			}
			i = t.n
			t.n++
			t.index[s] = i
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
func (t *terms) match(word []byte) (term int, exact bool) {
	s := stem(word)
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

// scan gives the words of a text in lower case: runs of
// letters and digits; characters of scripts without spaces one by one, and in
// pairs.
func scan(s string, word func(w []byte)) {
	var buf [64]byte
	w := buf[:0]
	var pair [8]byte
	before := 0 // bytes of the character of such a script before
	for i := 0; i < len(s); {
		c := s[i]
		if c < utf8.RuneSelf {
			switch {
			case c >= 'a' && c <= 'z' || c >= '0' && c <= '9':
			case c >= 'A' && c <= 'Z':
				c |= 0x20
			default:
				if len(w) > 0 {
					word(w)
					w = buf[:0]
				}
				before = 0
				i++
				continue
			}
			if len(w) < 48 {
				w = append(w, c)
			}
			before = 0
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case text.ClassOf(r).Invisible():
		case text.IsSpacedWord(r):
			if len(w) < 48 {
				w = utf8.AppendRune(w, unicode.ToLower(r))
			}
			before = 0
		default:
			if len(w) > 0 {
				word(w)
				w = buf[:0]
			}
			if !unicode.IsLetter(r) {
				before = 0
				break
			}
			word(append(w, s[i:i+n]...))
			if before > 0 {
				word(append(pair[:0], s[i-before:i+n]...))
			}
			before = n
		}
		i += n
	}
	if len(w) > 0 {
		word(w)
	}
}

// stem takes the commonest endings of English words off; words of other
// languages lose a letter or two at most.
func stem(w []byte) []byte {
	n := len(w)
	if n < 4 || w[0] < 'a' || w[0] > 'z' {
		return w
	}
	switch {
	case strings.HasSuffix(string(w), "ies") && n > 4:
		w = w[:n-2]
	case strings.HasSuffix(string(w), "sses"), strings.HasSuffix(string(w), "xes"), strings.HasSuffix(string(w), "ches"), strings.HasSuffix(string(w), "shes"):
		w = w[:n-2]
	case w[n-1] == 's' && w[n-2] != 's' && w[n-2] != 'u' && w[n-2] != 'i':
		w = w[:n-1]
	case strings.HasSuffix(string(w), "ing") && n > 5:
		w = undouble(w[:n-3])
	case strings.HasSuffix(string(w), "ed") && n > 4:
		w = undouble(w[:n-2])
	}
	if n = len(w); n > 4 && w[n-1] == 'e' {
		w = w[:n-1]
	}
	if n = len(w); n > 3 && w[n-1] == 'y' {
		w[n-1] = 'i'
	}
	return w
}

func undouble(w []byte) []byte {
	if n := len(w); n > 3 && w[n-1] == w[n-2] && w[n-1] != 'l' && w[n-1] != 's' {
		return w[:n-1]
	}
	return w
}

// isStopWord reports whether a word says next to nothing of what is asked for.
func isStopWord(w string) bool {
	switch w {
	case "a", "an", "the", "of", "in", "on", "at", "to", "for", "by", "with", "from", "as", "into", "than", "then",
		"and", "or", "but", "not", "no", "if", "so", "s", "t", "d",
		"is", "are", "was", "were", "be", "been", "being", "do", "does", "did", "has", "have", "had", "can", "could", "will", "would", "should",
		"what", "which", "who", "whom", "whose", "when", "where", "why", "how", "many", "much",
		"this", "that", "these", "those", "there", "it", "its", "he", "his", "she", "her", "they", "their", "them", "we", "our", "you", "your", "i", "my", "me",
		"other", "any", "some", "tell", "give", "name", "list", "listed", "same", "also":
		return true
	}
	return false
}
