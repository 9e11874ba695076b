package pdf

import "bytes"

// This file reads of embedded font programs what their dictionaries leave out.

// type1Encoding reads the encoding in the clear part of a Type 1 font, which
// is PostScript: dup 65 /A put. nil where it is the standard one.
func type1Encoding(b []byte) map[int]string {
	from := bytes.Index(b, []byte("/Encoding"))
	if from < 0 {
		return nil
	}
	b = b[from:]
	if end := bytes.Index(b, []byte("eexec")); end > 0 {
		b = b[:end]
	}
	out := map[int]string{}
	l := lexer{b: b[:min(len(b), 64<<10)]}
	l.next() // the name Encoding
	var last [2]token
	for {
		t := l.next()
		if t.kind == tokEnd || t.kind == tokWord && (string(t.text) == "def" || string(t.text) == "readonly") && len(out) > 0 {
			return out
		}
		if t.kind == tokWord && string(t.text) == "StandardEncoding" {
			return nil
		}
		if t.kind == tokWord && string(t.text) == "put" && last[0].kind == tokNumber && last[1].kind == tokName {
			if c := int(last[0].num); c >= 0 && c < 256 {
				out[c] = string(last[1].text)
			}
		}
		last[0], last[1] = last[1], t
	}
}
