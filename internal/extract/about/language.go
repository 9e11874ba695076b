package about

import (
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"golang.org/x/net/html"
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
	{kana, "ja"},
}

// kana are the scripts of Japanese beside its Han characters.
var kana = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 'ぁ', Hi: 'ヿ', Stride: 1}}}

// checkLanguage returns the language that a page states, corrected by the
// script of its text where the two cannot both be right: templates say "en" in
// all countries. If the page states none, the script can decide.
func checkLanguage(stated string, body *html.Node) string {
	var letters [len(scripts)]int
	total, left := 0, maxScriptText
	for n := range dom.Below(body) {
		if n.Type != html.TextNode || dom.IsDropped(n.Parent.DataAtom) {
			continue
		}
		text := n.Data[:min(len(n.Data), left)]
		for _, r := range text {
			if !unicode.IsLetter(r) {
				continue
			}
			total++
			for k := range scripts {
				if unicode.Is(scripts[k].table, r) {
					letters[k]++
					break
				}
			}
		}
		if left -= len(text); left == 0 || total > 2*minScriptLetters && letters[0] > total*9/10 {
			break
		}
	}
	if last := len(scripts) - 1; letters[last] > total/10 {
		letters[last] = total // the Han characters beside kana are Japanese too
	}
	for k := len(scripts) - 1; k >= 0; k-- {
		if total >= minScriptLetters && letters[k] >= total*7/10 {
			if stated != "" && (k == 0 || !latinOnly[stated[:2]]) {
				return stated
			}
			return scripts[k].language
		}
	}
	return stated
}

// latinOnly are languages that are written in Latin letters and in no others.
var latinOnly = map[string]bool{
	"en": true, "de": true, "fr": true, "es": true, "it": true, "pt": true, "nl": true, "sv": true, "da": true, "no": true, "nb": true, "nn": true, "fi": true, "pl": true, "cs": true,
	"sk": true, "hu": true, "ro": true, "tr": true, "id": true, "vi": true, "et": true, "lv": true, "lt": true, "hr": true, "sl": true, "ca": true, "is": true, "ga": true,
}
