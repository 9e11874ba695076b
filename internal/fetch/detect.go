package fetch

import (
	"bytes"
	"slices"
	"strings"

	"github.com/gogs/chardet"
	"golang.org/x/text/encoding"
)

// sampleBytes bounds the text that is looked at for detection.
const sampleBytes = 8 << 10

// detect guesses the encoding of bytes that are not UTF-8 and declare nothing.
// It returns "" when nothing fits; sure says that more than one kind of
// evidence speaks for it.
func detect(body []byte) (name string, sure bool) {
	sample := nonASCIIText(body)
	if len(sample) == 0 {
		return "", false
	}
	// DetectAll runs its recognizers in goroutines and waits for all; the order
	// of equal results varies, so the choice below defines an order.
	results, err := chardet.NewTextDetector().DetectAll(sample)
	if err != nil {
		results = nil
	}
	if score := thaiScore(sample); score > 0 {
		results = append(results, chardet.Result{Charset: "windows-874", Confidence: score})
	}
	best := 0
	for _, r := range results {
		if guessable(r.Charset) == "" {
			continue
		}
		e, canonical := lookup(guessable(r.Charset))
		if e == nil {
			continue
		}
		score := r.Confidence - penalty(e, sample)
		if score > best || score == best && score > 0 && canonical < name {
			name, best = canonical, score
		}
	}
	return name, best >= 25
}

// guessable maps the detector's names to labels of the Encoding standard; ""
// for those that are never guessed. Encodings with escapes let a page hide
// text from one reader and show it to another (ISO-2022), EBCDIC does not
// occur, and Unicode has been looked for already.
func guessable(name string) string {
	switch {
	case strings.HasPrefix(name, "ISO-2022"), strings.HasPrefix(name, "IBM4"), strings.HasPrefix(name, "UTF-"):
		return ""
	case name == "GB-18030", name == "GB18030":
		return "gbk" // the decoders are the same; the name is the usual one
	}
	return strings.ToLower(name)
}

// penalty is what decoding errors take from the detector's confidence: a
// hundredth of bad characters is the end of a candidate.
func penalty(e encoding.Encoding, sample []byte) int {
	high, bad := 0, 0
	for _, r := range string(decodeAll(e, sample, false)) {
		switch {
		case r == '\uFFFD':
			bad += 2
		case r >= 0x80 && r < 0xa0: // C1: no text has them
			bad++
		case r >= 0xa0:
			high++
		}
	}
	if bad == 0 {
		return 0
	}
	return 10 + bad*100/(high+bad)
}

// nonASCIIText returns the pieces of text between tags, or lines, that have
// bytes beyond ASCII, without tags, scripts and styles. "<", ">" and line feeds
// are not part of a character in any of the guessed encodings.
func nonASCIIText(b []byte) []byte {
	var out []byte
	for len(b) > 0 && len(out) < sampleBytes {
		if b[0] == '<' {
			switch {
			case bytes.HasPrefix(b, []byte("<!--")):
				b = after(b, "-->")
			case hasPrefixFold(b, "<script"), hasPrefixFold(b, "<style"):
				b = after(b, "</")
			case len(b) > 1 && (isLetter(b[1]) || b[1] == '/' || b[1] == '!' || b[1] == '?'):
				b = after(b, ">")
			default:
				b = b[1:]
			}
			continue
		}
		end := bytes.IndexAny(b, "<\n")
		if end < 0 {
			end = len(b)
		}
		if end == 0 {
			b = b[1:]
			continue
		}
		piece := b[:end]
		for _, c := range piece {
			if c >= 0x80 {
				out = append(append(out, piece[:min(len(piece), sampleBytes)]...), '\n')
				break
			}
		}
		b = b[end:]
	}
	return out
}

// The kinds of bytes in windows-874.
const (
	thaiOther     = '.' // ASCII, digits, signs
	thaiNone      = '-' // it stands for no character
	thaiConsonant = 'c'
	thaiVowel     = 'v' // behind a consonant; a mark may follow
	thaiMark      = 'm' // a vowel or tone above or below
	thaiLeading   = 'l' // a vowel before its consonant
)

// thaiKinds has the kinds of the bytes from 0x80 on.
const thaiKinds = "" +
	".----.----------" + // 80
	"-.......--------" + // 90
	".ccccccccccccccc" + // a0
	"cccccccccccccccc" + // b0
	"cccccccccccccccv" + // c0
	"vmvvmmmmmmm----v" + // d0
	"lllll..mmmmmmmm." + // e0
	"............----" // f0

func thaiKind(c byte) byte {
	if c < 0x80 {
		return thaiOther
	}
	return thaiKinds[c-0x80]
}

// thaiScore recognises windows-874 (TIS-620), for which the detector has no
// model, by how Thai is written: vowels and tones above and below stand behind
// a consonant, vowels before one stand before a consonant, and code points
// without character do not occur. 0 means no.
func thaiScore(b []byte) int {
	var count [256]int
	high, marks, wrong := 0, 0, 0
	var prev byte
	for _, c := range b {
		if c >= 0x80 {
			high++
			count[c]++
		}
		switch thaiKind(c) {
		case thaiNone:
			return 0
		case thaiMark:
			marks++
			if k := thaiKind(prev); k != thaiConsonant && k != thaiVowel && k != thaiMark {
				wrong++
			}
		}
		if thaiKind(prev) == thaiLeading && thaiKind(c) != thaiConsonant {
			wrong++
		}
		prev = c
	}
	if high < 8 || marks*20 < high || wrong*50 > high {
		return 0
	}
	// Hiragana in EUC-JP has every other byte the same.
	if high > 24 && slices.Max(count[:])*4 > high {
		return 0
	}
	return 60
}
