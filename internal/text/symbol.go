package text

// The font Symbol from 0x20 and from 0xA0 on, in which \x00 is no character.
const (
	symbolLow  = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
	symbolHigh = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…│─↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪\x00〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭"
)

// Symbol is the character that the font Symbol has at a code; "" for none.
func Symbol(code rune) string {
	table, at := symbolLow, code-0x20
	if code >= 0xa0 {
		table, at = symbolHigh, code-0xa0
	}
	if list := []rune(table); at >= 0 && int(at) < len(list) && list[at] != 0 {
		return string(list[at])
	}
	return ""
}
