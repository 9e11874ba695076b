package main

import (
	"regexp"
	"strings"
	"unicode"
)

// The formulas are those of the benchmark's published scorer, which is written in
// Python. This file implements the behaviour of Python's re and str where Go's
// regexp and strings differ; words_test.go has samples of Python's results.

// isWord is Python's \w on str: letters, numbers of every kind and the
// underscore. Combining marks are not part of it, so they split words.
func isWord(r rune) bool {
	return r == '_' || unicode.IsLetter(r) || unicode.IsNumber(r)
}

// words is re.findall(r"\w+", text.lower()).
func words(text string) []string {
	return strings.FieldsFunc(lower(text), func(r rune) bool { return !isWord(r) })
}

// lower is Python's str.lower. It differs from strings.ToLower in two letters:
// İ becomes two characters, and Σ at the end of a word becomes ς.
func lower(s string) string {
	if !strings.ContainsAny(s, "İΣ") {
		return strings.ToLower(s)
	}
	in := []rune(s)
	var b strings.Builder
	for i, r := range in {
		switch {
		case r == 'İ':
			b.WriteString("i̇")
		case r == 'Σ' && finalSigma(in, i):
			b.WriteRune('ς')
		default:
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// finalSigma is the condition Final_Sigma of the Unicode Standard, section 3.13:
// a cased letter before and none after, without regard to case-ignorable
// characters in between.
func finalSigma(in []rune, i int) bool {
	before := i - 1
	for before >= 0 && caseIgnorable(in[before]) {
		before--
	}
	if before < 0 || !cased(in[before]) {
		return false
	}
	after := i + 1
	for after < len(in) && caseIgnorable(in[after]) {
		after++
	}
	return after == len(in) || !cased(in[after])
}

func cased(r rune) bool {
	return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r)
}

func caseIgnorable(r rune) bool {
	return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:·’․‧﹒＇．：", r)
}

// score has precision, recall and F1 of the words of a prediction, as multisets.
type score struct{ p, r, f1 float64 }

func wordF1(predicted, reference string) score {
	p, r := words(predicted), words(reference)
	switch {
	case len(r) == 0 && len(p) == 0:
		return score{1, 1, 1}
	case len(r) == 0 || len(p) == 0:
		return score{}
	}
	count := make(map[string]int, len(r))
	for _, w := range r {
		count[w]++
	}
	common := 0
	for _, w := range p {
		if count[w] > 0 {
			count[w]--
			common++
		}
	}
	if common == 0 {
		return score{}
	}
	s := score{p: float64(common) / float64(len(p)), r: float64(common) / float64(len(r))}
	s.f1 = 2 * s.p * s.r / (s.p + s.r)
	return s
}

// snippetRate is the share of snippets that the text holds, and whether there
// are any.
func snippetRate(low string, snippets []string) (float64, bool) {
	if len(snippets) == 0 {
		return 0, false
	}
	n := 0
	for _, s := range snippets {
		if strings.Contains(low, lower(s)) {
			n++
		}
	}
	return float64(n) / float64(len(snippets)), true
}

// space is Python's \s on str; Go's is ASCII and lacks the vertical tab.
const space = `\t-\r\x1c-\x20\x{85}\x{a0}\p{Z}`

// marks are the scorer's substitutions, in its order. They may be compiled when
// the program starts, because it is only a benchmark.
var marks = []struct {
	re *regexp.Regexp
	by string
}{
	{regexp.MustCompile(`^Contents of [^` + space + `]+:[` + space + `]*\n`), ""},
	{regexp.MustCompile(`(?s)<error>.*?</error>`), ""},
	{regexp.MustCompile("(?m)^(```|~~~).*$"), ""},
	{regexp.MustCompile(`!\[([^\]]*)\]\([^)` + space + `]*(?:[` + space + `]+"[^"]*")?\)`), "$1"},
	{regexp.MustCompile(`\[((?:[^\[\]]|\[[^\]]*\])*)\]\((?:[^()` + space + `]|\([^()]*\))*(?:[` + space + `]+"[^"]*")?\)`), "$1"},
	{regexp.MustCompile(`(?m)^[` + space + `]*\|?(?:[` + space + `]*:?-{2,}:?[` + space + `]*\|)+[` + space + `]*:?-*:?[` + space + `]*$`), ""},
	{regexp.MustCompile(`(?m)^[` + space + `]{0,3}(?:#{1,6}|>|[-*+]|\p{Nd}+[.)])[` + space + `]+`), ""},
	{regexp.MustCompile(`\|`), " "},
	{regexp.MustCompile("(\\*\\*|__|~~|`)"), ""},
	{regexp.MustCompile("\\\\([\\\\`*_{}\\[\\]()#+.!|<>~-])"), "$1"},
}

// stripMarkdown removes Markdown marks and leaves the visible words.
func stripMarkdown(text string) string {
	for _, m := range marks {
		text = m.re.ReplaceAllString(text, m.by)
	}
	return text
}

var spaces = regexp.MustCompile(`[` + space + `]+`)

// collapseSpaces is re.sub(r"\s+", " ", s).strip().
func collapseSpaces(s string) string {
	return strings.Trim(spaces.ReplaceAllString(s, " "), " ")
}
