// Package terms provides the words of a text as searches compare them: in lower
// case, without the commonest endings, and without the words that say nothing of
// the subject.
//
//	terms.Scan("Reading Pages", func(w []byte) {
//		if !terms.IsStopWord(string(w)) {
//			fmt.Println(string(terms.Stem(w))) // read, page
//		}
//	})
//
// The passages of a page, the order of a crawl and the search over pages that were
// read use the same words, so that a query means the same in each.
//
// # Guarantees
//
// Pure, in linear time, with two small allocations a call.
package terms

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// longest is how many bytes of a word count; a character may go beyond it.
const longest = 48

// lower returns a letter or digit of ASCII in lower case, 0 for other bytes.
func lower(c byte) byte {
	switch l := c | 0x20; {
	case 'a' <= l && l <= 'z':
		return l
	case '0' <= c && c <= '9':
		return c
	}
	return 0
}

// Scan calls word for each word of a text, in lower case: runs of letters and
// digits, of which the first 48 bytes count; characters of scripts without spaces
// one by one, and in pairs. The bytes are valid during the call, which may change
// them.
func Scan(s string, word func(w []byte)) { new(Scanner).Scan(s, word) }

// Scanner scans many texts with the memory of one. The zero value is ready; it is not safe
// for concurrent use.
type Scanner struct {
	buf  [64]byte
	pair [8]byte
}

// Scan is [Scan].
func (x *Scanner) Scan(s string, word func(w []byte)) {
	buf := &x.buf
	w := buf[:0]
	before := 0 // bytes of the character of such a script before
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			before = 0
			n := len(w)
			for ; i < len(s); i++ {
				c := lower(s[i])
				if c == 0 {
					break
				}
				if n < longest {
					buf[n] = c
					n++
				}
			}
			w = buf[:n]
			if i < len(s) && s[i] < utf8.RuneSelf {
				if n > 0 {
					word(w)
					w = buf[:0]
				}
				i++
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case text.ClassOf(r).Invisible():
		case text.IsSpacedWord(r):
			if len(w) < longest {
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
				word(append(x.pair[:0], s[i-before:i+n]...))
			}
			before = n
		}
		i += n
	}
	if len(w) > 0 {
		word(w)
	}
}

// Stem removes the commonest English endings of a word that [Scan] gave; words of
// other languages lose a letter or two at most. It may change the bytes.
func Stem(w []byte) []byte {
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

// Stems are the stems of a text and those of its stop words, each once and at most so many;
// most 0: all.
func Stems(s string, most int) (stems, stop []string) {
	Scan(s, func(w []byte) {
		into := &stems
		if IsStopWord(string(w)) {
			into = &stop
		}
		if t := string(Stem(w)); (most == 0 || len(*into) < most) && !slices.Contains(*into, t) {
			*into = append(*into, t)
		}
	})
	return stems, stop
}

// IsStopWord reports whether a word says almost nothing about what is asked for.
func IsStopWord(w string) bool {
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
