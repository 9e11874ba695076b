package weburl

import "unicode/utf8"

// set is a percent-encode set: 128 bits for ASCII. Everything above ASCII is in
// every set.
type set [2]uint64

func setOf(base set, chars string) set {
	for i := 0; i < len(chars); i++ {
		base[chars[i]>>6] |= 1 << (chars[i] & 63)
	}
	return base
}

// The sets of section 1.3 of the standard.
var (
	c0Set           = set{1<<32 - 1, 1 << 63}
	fragmentSet     = setOf(c0Set, " \"<>`")
	querySet        = setOf(c0Set, " \"#<>")
	specialQuerySet = setOf(querySet, "'")
	pathSet         = setOf(querySet, "?^`{}")
	hostSet         = setOf(set{}, "\x00\t\n\r #/:<>?@[\\]^|") // what no host may have
	domainSet       = setOf(setOf(c0Set, " %\x7f"), "\t\n\r #/:<>?@[\\]^|")
	userinfoSet     = setOf(pathSet, "/:;=@[\\]|")
)

func (s *set) has(c byte) bool { return c >= utf8.RuneSelf || s[c>>6]>>(c&63)&1 != 0 }

const upperHex = "0123456789ABCDEF"

func encode(s string, in set) string {
	n := 0
	for i := 0; i < len(s); i++ {
		if in.has(s[i]) {
			n++
		}
	}
	if n == 0 {
		return s
	}
	b := make([]byte, 0, len(s)+2*n)
	for i := 0; i < len(s); i++ {
		if c := s[i]; in.has(c) {
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		} else {
			b = append(b, c)
		}
	}
	return string(b)
}
