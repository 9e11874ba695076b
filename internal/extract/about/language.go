package about

import (
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
)

// Bounds on the text whose script is looked at: bytes read, and letters that
// it takes to contradict what a page states.
const (
	maxScriptText    = 4096
	minScriptLetters = 80
)

// scripts are the writing systems that indicate a language, or exclude some. A
// script has a language here only if no other language is written in it.
var scripts = [...]struct {
	table    *unicode.RangeTable
	language string
}{
	{unicode.Latin, ""},
	{unicode.Cyrillic, ""},
	{unicode.Arabic, ""},
	{unicode.Devanagari, ""},
	{unicode.Greek, "el"},
	{unicode.Hebrew, "he"},
	{unicode.Thai, "th"},
	{unicode.Hangul, "ko"},
	{unicode.Han, "zh"},
	{unicode.Hiragana, "ja"},
	{unicode.Katakana, "ja"},
}

// checkLanguage returns the language that a page states, corrected by the
// script of its text where the two cannot both be right: templates say "en" in
// all countries. If the page states none, the script can decide.
func checkLanguage(stated string, body *html.Node) string {
	c := countScripts(body)
	if c.total < minScriptLetters {
		return stated
	}
	const hiragana, katakana = len(scripts) - 2, len(scripts) - 1
	if (c.of[hiragana]+c.of[katakana])*10 > c.total { // the Han characters beside them are Japanese too
		c.of[katakana] = c.total
	}
	for i := range scripts {
		if 10*c.of[i] < 7*c.total {
			continue
		}
		if stated != "" && (i == 0 || !latinOnly(stated)) {
			return stated
		}
		return scripts[i].language
	}
	return stated
}

// scriptCounts are letters by script, in the order of scripts.
type scriptCounts struct {
	of    [len(scripts)]int
	total int
}

// countScripts counts the letters of a text, until it is plain what most pages
// are: Latin.
func countScripts(body *html.Node) (c scriptCounts) {
	left := maxScriptText
	for n := range dom.Below(body) {
		if n.Type != html.TextNode || n.Parent == nil || dom.IsDropped(n.Parent.DataAtom) {
			continue
		}
		text := n.Data[:min(len(n.Data), left)]
		c.add(text)
		left -= len(text)
		if left == 0 || c.total > 2*minScriptLetters && 10*c.of[0] > 9*c.total {
			break
		}
	}
	return c
}

func (c *scriptCounts) add(text string) {
	for i := 0; i < len(text); {
		if b := text[i]; b < utf8.RuneSelf {
			if b|0x20 >= 'a' && b|0x20 <= 'z' {
				c.of[0]++
				c.total++
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		i += size
		if !unicode.IsLetter(r) {
			continue
		}
		for k := range scripts {
			if unicode.Is(scripts[k].table, r) {
				c.of[k]++
				c.total++
				break
			}
		}
	}
}

// latinOnly reports whether a language is written in Latin letters and in no
// others.
func latinOnly(tag string) bool {
	if len(tag) > 2 && tag[2] != '-' {
		return false
	}
	switch tag[:min(len(tag), 2)] {
	case "en", "de", "fr", "es", "it", "pt", "nl", "sv", "da", "no", "nb", "nn", "fi", "pl", "cs", "sk", "hu", "ro", "tr", "id", "vi", "et", "lv", "lt", "hr", "sl", "ca", "is", "ga":
		return true
	}
	return false
}
