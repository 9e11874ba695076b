package about

import "github.com/spyhop-dev/spyhop/internal/extract/dom"

// The kinds of class names.
const (
	classAuthor = 1 << iota
	classByline
	classDate
	classPublished
	classMuted
)

// classWord is the beginning of a word in a class or id, and its kind.
type classWord struct {
	prefix string
	kind   int
	// first asks for the beginning of a name: "sidebar" mutes, and
	// "with-sidebar" is the whole page.
	first bool
	// not is a longer beginning that means something else.
	not string
}

// classWords are by first letter.
var classWords = [26][]classWord{
	0:         {{prefix: "author", kind: classAuthor}},
	'b' - 'a': {{prefix: "byline", kind: classByline}},
	'c' - 'a': {{prefix: "comment", kind: classMuted, first: true}},
	'd' - 'a': {{prefix: "date", kind: classDate, not: "datepicker"}},
	'p' - 'a': {{prefix: "publish", kind: classPublished}, {prefix: "posted", kind: classPublished}, {prefix: "pubdate", kind: classPublished}},
	'r' - 'a': {{prefix: "related", kind: classMuted, first: true}, {prefix: "recommend", kind: classMuted, first: true}},
	's' - 'a': {{prefix: "sidebar", kind: classMuted, first: true}},
	't' - 'a': {{prefix: "timestamp", kind: classDate}},
	'u' - 'a': {{prefix: "username", kind: classAuthor}},
	'w' - 'a': {{prefix: "writer", kind: classAuthor}},
}

// kindOfClass looks at the words of a class or id; "post-authorName" has
// three.
func kindOfClass(s string) (kind int) {
	if len(s) > 400 {
		return 0
	}
	inWord, lower := false, false
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c|0x20-'a' < 26 // c is unsigned
		upper := letter && c < 'a'
		begins := letter && (!inWord || upper && lower)
		inWord, lower = letter, letter && !upper
		if !begins {
			continue
		}
		for k := range classWords[c|0x20-'a'] {
			w := &classWords[c|0x20-'a'][k]
			if w.first && i > 0 && s[i-1] != ' ' {
				continue
			}
			if dom.HasPrefixFold(s[i:], w.prefix) && (w.not == "" || !dom.HasPrefixFold(s[i:], w.not)) {
				kind |= w.kind
			}
		}
	}
	return kind
}
