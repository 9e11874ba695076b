package pdf

import (
	"fmt"
	"strings"
	"testing"
)

// letters is a font without metrics worth a name: each code stands for one of
// these texts and is half an em wide, but for what is drawn over others.
func letters(texts ...string) string {
	var codes, widths, names []string
	for i, s := range texts {
		width := "500"
		if isMark(s) || s == "^" {
			width = "0"
		}
		widths = append(widths, width)
		names = append(names, fmt.Sprintf("/g%d", i))
		hex := ""
		for _, r := range strings.Trim(s, "^_") {
			hex += fmt.Sprintf("%04X", r)
		}
		if hex != "" {
			codes = append(codes, fmt.Sprintf("<%02X> <%s>", i+'A', hex))
		}
	}
	cmap := fmt.Sprintf("1 begincodespacerange <00> <FF> endcodespacerange %d beginbfchar %s endbfchar", len(codes), strings.Join(codes, " "))
	return fmt.Sprintf("/F1 << /Type /Font /Subtype /Type1 /BaseFont /None /FirstChar 65 /LastChar %d /Widths [%s] /Encoding << /Differences [65 %s] >> /ToUnicode TOUNICODE 0 R >>",
		64+len(texts), strings.Join(widths, " "), strings.Join(names, " ")) + "\x00" + cmap
}

func TestRightToLeft(t *testing.T) {
	// Codes A, B, C … as the programs place them; _ has no text, ^ no width.
	hebrew := letters("ש", "ל", "ו", "ם", "ע", "(", ")", "1", "2", " ", "x", "y", ".")
	arabic := letters("ك", "ت", "ا", "ب", "َ", "ل", "أ^", "ـ", "_", " ", "\ufefb", "ّ", "^")
	draw := func(s string) string { return "BT /F1 10 Tf 100 700 Td " + s + " TJ ET\n" }
	for _, c := range []struct{ name, font, content, want string }{
		{"drawn as seen", hebrew, draw("[(DCBA)-300(DBCE)]"), "עולם שלום"},
		{"drawn letter by letter from the right", hebrew, "BT /F1 10 Tf 1 0 0 1 100 700 Tm (A) Tj 1 0 0 1 95 700 Tm (B) Tj 1 0 0 1 90 700 Tm (C) Tj 1 0 0 1 85 700 Tm (D) Tj ET", "שלום"},
		{"numbers are read to the right", hebrew, draw("[(HI)-300(DCBA)]"), "שלום 12"},
		{"numbers one after the other are not", hebrew, draw("[(H)-300(I)-300(DCBA)]"), "שלום 2 1"},
		{"Latin words keep their order", hebrew, draw("[(DCBA)-300(KL)-300(KK)-300(DBCE)]"), "עולם xy xx שלום"},
		{"a bracket that says how it looks", hebrew, draw("[(FKLG)-300(DCBA)]"), "שלום (xy)"},
		{"a bracket that says what it means", hebrew, draw("[(GKLF)-300(DCBA)]"), "שלום (xy)"},
		{"the brackets of a Latin word", hebrew, draw("[(KFLG)-300(DCBA)]"), "שלום x(y)"},
		{"empty brackets of a Latin word", hebrew, draw("[(KLFG)-300(DCBA)]"), "שלום xy()"},
		{"a full stop at the left end", hebrew, draw("[(MKL)-300(DCBA)]"), "שלום xy."},
		{"a word within Latin text", hebrew, draw("[(KLLKLK)-300(DCBA)-300(KLKLLL)]"), "xyyxyx שלום xyxyyy"},
		{"a mark is drawn before its letter", arabic, draw("[(BEA)]"), "كَت"},
		{"a mark at another height", arabic, "BT /F1 10 Tf 100 700 Td (E) Tj 3 Ts (L) Tj 0 Ts (AB) Tj ET", "تك\u0651\u064e"},
		{"a ligature of two glyphs", arabic, draw("[(GF)(C)]"), "الأ"},
		{"drawn three times", hebrew, "BT /F1 10 Tf 100 700 Td (DCBA) Tj 1 0.5 Td (DCBA) Tj 1 0.5 Td (DCBA) Tj ET", "שלום"},
		{"a presentation form", arabic, draw("[(DKA)]"), "كلاب"},
		{"letters that are stretched", arabic, draw("[(DHHHCBA)]"), "كتاب"},
		{"a stroke that is typed stays", arabic, draw("[(DHCBA)]"), "كتاـب"},
		{"stretched with what has no text", arabic, draw("[(DIIICBA)]"), "كتاب"},
	} {
		t.Run(c.name, func(t *testing.T) {
			font, cmap, _ := strings.Cut(c.font, "\x00")
			body := documentWith(font, []string{stream("", cmap)}, c.content)
			p, err := Read(body, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestPageToLeft(t *testing.T) {
	font, cmap, _ := strings.Cut(letters("א", "ב", "ג", "ד", "ה", "ו", "ז", "ח", ".", " "), "\x00")
	read := func(content string) string {
		p, err := Read(documentWith(font, []string{stream("", cmap)}, content), Options{})
		if err != nil {
			t.Fatal(err)
		}
		return show(p.Blocks)
	}
	column := func(x float64, letter string) string {
		var text []string
		for range 6 {
			text = append(text, strings.Repeat(strings.Repeat(letter, 5)+"J", 7))
		}
		return lines(x, 700, "F1", 10, text...)
	}
	if got := read(column(72, "A") + column(330, "B")); strings.LastIndex(got, "ב") > strings.Index(got, "א") {
		t.Errorf("the left column is read first: %q", got)
	}
	table := rules([]float64{72, 172, 272}, []float64{700, 680, 660}) +
		at(176, 685, "F1", 10, "AB") + at(76, 685, "F1", 10, "CD") + at(176, 665, "F1", 10, "EF") + at(76, 665, "F1", 10, "GH")
	if got, want := read(table), "| בא | דג\n| וה | חז"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	// The second line ends in the middle of the page: the paragraph is over.
	full := strings.Repeat("ABCDJ", 16)
	if got := read(at(72, 700, "F1", 10, full) + at(272, 688, "F1", 10, "I"+full[:40]) + at(72, 676, "F1", 10, full)); strings.Count(got, "\n") != 1 {
		t.Errorf("paragraphs: %q", got)
	}
}

func FuzzLogical(f *testing.F) {
	f.Add("שלום (xy) 12-3 אב", true)
	f.Add("see كَتب 1.5 [x] (y", false)
	f.Fuzz(func(t *testing.T, s string, left bool) {
		var line []element
		for _, r := range s {
			line = append(line, element{string(r), directionOf(string(r))})
		}
		got := logical(line, left)
		count := func(s string) int { return strings.Count(s, "") }
		if count(got) != count(strings.ToValidUTF8(string([]rune(s)), "")) {
			t.Errorf("%q lost letters: %q", s, got)
		}
	})
}
