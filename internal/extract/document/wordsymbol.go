package document

// This file reads the letters of the font Symbol, which a docx file names by their
// codes in that font (ECMA-376, part 1, section 17.3.3.30).

// symbolLetters are the letters from A to Z and from a to z in the font Symbol.
const symbolLetters = "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖαβχδεφγηιϕκλμνοπθρστυϖωξψζ"

// symbolSigns are other characters of the font Symbol.
var symbolSigns = map[rune]string{
	0xa2: "′", 0xa3: "≤", 0xa5: "∞", 0xab: "↔", 0xac: "←", 0xae: "→", 0xb0: "°", 0xb1: "±", 0xb3: "≥", 0xb4: "×", 0xb6: "∂",
	0xb7: "•", 0xb8: "÷", 0xb9: "≠", 0xba: "≡", 0xbb: "≈", 0xce: "∈", 0xd6: "√", 0xd7: "⋅", 0xe5: "∑", 0xf2: "∫",
}

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
	letters := []rune(symbolLetters)
	switch {
	case code >= 'A' && code <= 'Z':
		return string(letters[code-'A'])
	case code >= 'a' && code <= 'z':
		return string(letters[26+code-'a'])
	case code >= '0' && code <= '9', code == ' ', code == '(', code == ')', code == '+', code == ',', code == '.', code == '/', code == '=', code == '<', code == '>', code == '%':
		return string(code)
	}
	return symbolSigns[code]
}
