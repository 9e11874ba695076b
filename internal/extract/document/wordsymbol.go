package document

// This file reads the letters of the font Symbol, which docx (ECMA-376, part 1,
// section 17.3.3.30) and RTF files name by their codes in that font.

// symbolLow and symbolHigh are the characters of the font Symbol from 0x20 and 0xa0 on.
const (
	symbolLow  = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
	symbolHigh = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
)

// symbolOf is the character that a font has at a code; "" where that is not known.
// The codes of fonts of symbols begin at U+F000.
func symbolOf(font string, code rune) string {
	if code < 0xe000 && font != "Symbol" {
		return string(code)
	}
	if code >= 0xf000 {
		code -= 0xf000
	}
	if font != "Symbol" {
		return ""
	}
	table, at := symbolLow, code-0x20
	if code >= 0xa0 {
		table, at = symbolHigh, code-0xa0
	}
	if code == 0xf2 {
		return "∫"
	}
	for _, r := range table {
		if at == 0 {
			return string(r)
		}
		at--
	}
	return ""
}
