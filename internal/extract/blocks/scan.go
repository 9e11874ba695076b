package blocks

import (
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file reads the text of a block: it collapses white space, drops
// invisible characters, hashes words and counts, all in one pass.

// The hash of a block's text is FNV-1a of 64 bits, that of a word of 32.
const (
	fnvOffset = 14695981039346656037
	fnvPrime  = 1099511628211

	wordOffset = 2166136261
	wordPrime  = 16777619
)

// scan adds text to the open block.
func (seg *Segmentation) scan(s string) {
	b := &seg.cur
	if seg.codeDep > 0 {
		b.inner |= innerCode
	}
	if seg.boldDep > 0 {
		b.inner |= innerBold
	}
	before := b.chars
	t := textScan{seg: seg, block: b, space: seg.space, prev: b.last}
	t.resume()
	for len(s) > 0 {
		if n := t.lower(s); n > 0 {
			s = s[n:]
		} else if s[0] < utf8.RuneSelf {
			t.ascii(s[0])
			s = s[1:]
		} else {
			r, size := utf8.DecodeRuneInString(s)
			t.wide(r)
			s = s[size:]
		}
	}
	t.endWord()
	b.words += t.cjk / 2
	if seg.linkDep > 0 {
		b.link += b.chars - before
	}
	if seg.boldDep > 0 {
		b.bold += b.chars - before
	}
	b.last = t.prev
	seg.space = t.space
}

// textScan is the state of one scan.
type textScan struct {
	seg    *Segmentation
	block  *block
	word   uint32 // hash of the open word
	inWord bool
	space  bool // white space is due before the next character
	prev   rune
	cjk    int32
}

// resume goes on with a word that the text node before ended in.
func (t *textScan) resume() {
	seg, b := t.seg, t.block
	if len(seg.buf) == int(b.s0) || seg.space {
		return
	}
	if r, _ := utf8.DecodeLastRune(seg.buf); text.IsWord(r) && len(seg.words) > int(b.w0) {
		t.inWord = true
		t.word = seg.words[len(seg.words)-1]
		seg.words = seg.words[:len(seg.words)-1]
		b.words--
	}
}

func (t *textScan) endWord() {
	if t.inWord {
		t.seg.words = append(t.seg.words, t.word)
		t.block.words++
		t.inWord = false
	}
}

// separate writes the space that is due.
func (t *textScan) separate() {
	if t.space {
		if len(t.seg.buf) > int(t.block.s0) {
			t.seg.buf = append(t.seg.buf, ' ')
		}
		t.space = false
	}
}

// lower adds the run of lower-case letters at the start of s, which is most of a
// text, and returns its length.
func (t *textScan) lower(s string) int {
	n := 0
	for n < len(s) && (s[n]-'a' < 26 || s[n] == '_') { // bytes are unsigned
		n++
	}
	if n == 0 {
		return 0
	}
	t.separate()
	b := t.block
	if b.first == 0 {
		b.first = rune(s[0])
	}
	b.chars += int32(n)
	t.seg.buf = append(t.seg.buf, s[:n]...)
	if !t.inWord {
		t.inWord, t.word = true, wordOffset
	}
	word, hash := t.word, b.hash
	for _, c := range []byte(s[:n]) {
		word = (word ^ uint32(c)) * wordPrime
		hash = (hash ^ uint64(c)) * fnvPrime
	}
	t.word, b.hash, t.prev = word, hash, rune(s[n-1])
	return n
}

// ascii adds a byte that is not a lower-case letter.
func (t *textScan) ascii(c byte) {
	if dom.IsSpace(c) {
		t.space = true
		t.endWord()
		return
	}
	if c < ' ' || c == 0x7f {
		return
	}
	t.separate()
	b := t.block
	b.chars++
	t.seg.buf = append(t.seg.buf, c)
	if b.first == 0 {
		b.first = rune(c)
	}
	switch {
	case 'A' <= c && c <= 'Z':
		t.capital()
		t.letter(rune(c | 0x20))
	case '0' <= c && c <= '9':
		b.digits++
		if isCurrency(t.prev) {
			b.money = true
		}
		t.letter(rune(c))
	default:
		t.asciiSymbol(c)
	}
	t.prev = rune(c)
}

// letter adds a character in lower case to the open word, or opens one.
func (t *textScan) letter(r rune) {
	if !t.inWord {
		t.inWord, t.word = true, wordOffset
	}
	t.word = (t.word ^ uint32(r)) * wordPrime
	t.block.hash = (t.block.hash ^ uint64(r)) * fnvPrime
}

// capital counts an upper-case letter.
func (t *textScan) capital() {
	t.block.upper++
	if !t.inWord {
		t.block.capital++
	}
}

func (t *textScan) asciiSymbol(c byte) {
	b := t.block
	switch c {
	case '.', ',', ';', ':', '!':
		b.punct++
	case '?':
		b.punct++
		b.question++
	case '|', '/':
		b.separators++
	}
	b.symbols++
	b.hash = (b.hash ^ uint64(c)) * fnvPrime
	t.endWord()
}

// wide adds a character beyond ASCII.
func (t *textScan) wide(r rune) {
	class := text.ClassOf(r)
	if class == text.Space {
		t.space = true
		t.endWord()
		return
	}
	if class.Invisible() {
		return
	}
	t.separate()
	b := t.block
	b.chars++
	b.nonASCII++
	t.seg.buf = utf8.AppendRune(t.seg.buf, r)
	if b.first == 0 {
		b.first = r
	}
	t.prev = r
	cjk := text.IsCJK(r)
	if cjk {
		t.cjk++
	}
	if !cjk && !text.IsWord(r) {
		t.wideSymbol(r)
		return
	}
	if unicode.IsUpper(r) {
		t.capital()
		r = unicode.ToLower(r)
	}
	t.letter(r)
}

func (t *textScan) wideSymbol(r rune) {
	b := t.block
	switch r {
	case '。', '、', '，', '！', '；', '：', '؟', '،', '…':
		b.punct++
	case '？':
		b.punct++
		b.question++
	case '»', '›', '•', '·', '→':
		b.separators++
	case '©':
		b.copyright = true
	}
	b.symbols++
	t.endWord()
	b.hash = (b.hash ^ uint64(r)) * fnvPrime
}

func isCurrency(r rune) bool {
	return r == '$' || r == '€' || r == '£' || r == '¥' || r == '₹'
}
