package pdf

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/text/unicode/norm"
)

// show prints blocks in a form that a table can hold.
func show(blocks []page.Block) string {
	var out []string
	for _, b := range blocks {
		switch b.Kind {
		case page.Heading:
			out = append(out, fmt.Sprintf("h%d %s", b.Level, page.InlineText(b.Inlines)))
		case page.Code:
			out = append(out, "code "+strings.ReplaceAll(b.Text, "\n", "|"))
		case page.List:
			for _, i := range b.Children {
				out = append(out, "- "+page.InlineText(i.Children[0].Inlines))
			}
		case page.TableBlock:
			for _, row := range b.Table.Rows {
				var cells []string
				for _, c := range row {
					s := ""
					if len(c.Blocks) > 0 {
						s = page.InlineText(c.Blocks[0].Inlines)
					}
					if c.ColSpan > 1 {
						s += fmt.Sprintf("*%d", c.ColSpan)
					}
					cells = append(cells, s)
				}
				out = append(out, "| "+strings.Join(cells, " | "))
			}
		default:
			text := page.InlineText(b.Inlines)
			for i, in := range b.Inlines {
				if in.Kind == page.Break {
					text = page.InlineText(b.Inlines[:i]) + " / " + page.InlineText(b.Inlines[i+1:])
				}
			}
			out = append(out, text)
		}
	}
	return strings.Join(out, "\n")
}

const long = "The quick brown fox jumps over the lazy dog and goes on"

// rules draws a grid.
func rules(xs, ys []float64) string {
	var b strings.Builder
	for _, x := range xs {
		fmt.Fprintf(&b, "%g %g m %g %g l S\n", x, ys[0], x, ys[len(ys)-1])
	}
	for _, y := range ys {
		fmt.Fprintf(&b, "%g %g m %g %g l S\n", xs[0], y, xs[len(xs)-1], y)
	}
	return b.String()
}

func TestLayout(t *testing.T) {
	columnAt := func(x, top float64, word string) string {
		var text []string
		for i := range 8 {
			text = append(text, fmt.Sprintf("%s line %d of the column is here as text", word, i))
		}
		return lines(x, top, "F1", 11, text...)
	}
	column := func(x float64, word string) string { return columnAt(x, 700, word) }
	spoken := func(x float64, word string) string { // by the line
		content := ""
		for i := range 8 {
			line := fmt.Sprintf("%s line %d of the column is here as text", word, i)
			content += "/P << /ActualText (" + line + ") >> BDC " + at(x, 700-13*float64(i), "F1", 11, line) + " EMC "
		}
		return content
	}
	manuscript, numbers := []string{}, ""
	for i := range 14 {
		manuscript = append(manuscript, fmt.Sprintf("Line %c of a paper", 'a'+i))
		numbers += at(40, 700-13.2*float64(i), "F1", 6, fmt.Sprint(i+1))
	}
	filled := func(x, top float64, word string) string { // gaps in all of its lines
		content := ""
		for i := range 9 {
			content += at(x, top-14*float64(i), "F1", 10, fmt.Sprintf("%s %d has a title of words", word, i)) + at(x+190, top-14*float64(i), "F1", 10, "12")
		}
		return content
	}
	for _, c := range []struct {
		name, fonts, content, want string
	}{
		{"a heading and a paragraph", "", at(72, 720, "F2", 18, "A title") + lines(72, 690, "F1", 11, long, "in a second line."),
			"h1 A title\n" + long + " in a second line."},
		{"a hyphen at the end of a line", "", lines(72, 690, "F1", 11, long+" in docu-", "ments."), long + " in documents."},
		{"soft hyphens that are drawn", "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Type /Encoding /Differences [1 /uni00AD] >> >>",
			lines(72, 690, "F1", 11, long+" of e\x01mail in docu\x01", "ments."), long + " of e-mail in documents."},
		{"a hyphen before a capital", "", lines(72, 690, "F1", 11, long+" in Anglo-", "Saxon."), long + " in Anglo- Saxon."},
		{"words without space glyphs", "", "BT /F1 11 Tf 72 700 Td [(Two)-300(words)-20(here)] TJ ET", "Two wordshere"},
		{"letters that are kerned", "", "BT /F1 11 Tf 72 700 Td [(A)80(V)60(A)] TJ ET", "AVA"},
		{"a superscript", "", "BT /F1 11 Tf 72 700 Td (2) Tj /F1 7 Tf 4 Ts (10) Tj /F1 11 Tf 0 Ts ( bytes of text) Tj ET", "210 bytes of text"},
		{"two columns", "", column(320, "Right") + column(72, "Left"), "Left line 0"},
		{"a title over two columns", "", at(150, 740, "F2", 18, "A title that crosses the gutter of the page") + column(320, "Right") + column(72, "Left"),
			"h1 A title that crosses the gutter of the page\nLeft line 0"},
		{"two columns below a long abstract", "", lines(72, 760, "F1", 11, slices.Repeat([]string{long + " as all of them do, over and over"}, 22)...) +
			columnAt(320, 440, "Right") + columnAt(72, 440, "Left"), long},
		{"two columns with a line that is too long", "", column(320, "Right") + column(72, "Left") + at(250, 660.4, "F1", 11, "and it is much too long"), "Left line 0"},
		{"two columns with ActualText", "", spoken(320, "Right") + spoken(72, "Left"), "Left line 0"},
		{"two columns of contents", "", filled(320, 696, "Right") + filled(72, 700, "Left"), "| Left 0"},
		{"numbers of lines", "", numbers + lines(72, 700, "F1", 11, manuscript...), strings.Join(manuscript, " ")},
		{"rows of a table without rules stay", "", lines(72, 700, "F1", 11, "One", "Two", "Three", "Four", "Five") + lines(300, 700, "F1", 11, "1", "2", "3", "4", "5"),
			"| One | 1\n| Two | 2\n| Three | 3\n| Four | 4\n| Five | 5"},
		{"a ruled table", "", rules([]float64{72, 172, 272}, []float64{700, 680, 660}) + at(76, 685, "F1", 11, "Name") + at(176, 685, "F1", 11, "Size") +
			at(76, 665, "F1", 11, "whale") + at(176, 665, "F1", 11, "12 m"), "| Name | Size\n| whale | 12 m"},
		{"a frame is no table", "", rules([]float64{72, 272}, []float64{700, 680}) + at(76, 685, "F1", 11, "Framed words"), "Framed words"},
		{"code", "", lines(72, 700, "F3", 10, "func main() {", "  return", "}"), "code func main() {|  return|}"},
		{"a list", "", lines(72, 700, "F1", 11, "\x95 one", "\x95 two"), "- one\n- two"},
		{"indents part paragraphs", "", at(72, 700, "F1", 11, long+".") + at(72, 687, "F1", 11, long) + at(90, 674, "F1", 11, "Next one") + at(72, 661, "F1", 11, long),
			long + ". " + long + "\nNext one / " + long},
		{"turned text comes last", "", "BT /F1 11 Tf 0 1 -1 0 40 300 Tm (Margin) Tj ET " + at(72, 700, "F1", 11, long), long + "\nMargin"},
		{"what stands beside the page", "", at(900, 700, "F1", 11, "Hidden") + at(72, 700, "F1", 11, "Seen"), "Seen"},
		{"an inline image is passed", "", "BI /W 2 /H 2 /BPC 8 /CS /G ID \x01(\x02 EI " + at(72, 700, "F1", 11, "After"), "After"},
		{"accents of their own", "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Differences [1 /dieresis] >> >>",
			"BT /F1 11 Tf 72 700 Td [(f)(\x01)380(u)(r)] TJ ET", "f\u00fcr"},
		{"ligatures and names", "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding << /Differences [1 /fi /Aacute /alpha /uni20AC] >> >>",
			"BT /F1 11 Tf 72 700 Td (\x01x \x02 \x03 \x04) Tj ET", "fix Á α €"},
		{"a predefined CMap", "/F1 << /Type /Font /Subtype /Type0 /BaseFont /Ryumin /Encoding /90ms-RKSJ-H /DescendantFonts [ << /Type /Font /Subtype /CIDFontType0 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >> ] >>",
			"BT /F1 11 Tf 72 700 Td <93fa967b8cea> Tj ET", "日本語"},
		{"identifiers of a collection", "/F1 << /Type /Font /Subtype /Type0 /BaseFont /Ryumin /Encoding /Identity-H /DescendantFonts [ << /Type /Font /Subtype /CIDFontType0 /CIDSystemInfo << /Registry (Adobe) /Ordering (Japan1) /Supplement 2 >> >> ] >>",
			"BT /F1 11 Tf 72 700 Td <0cd40e8a> Tj ET", "日本"},
		{"a table of contents", "", lines(72, 700, "F1", 11, "1 Whales . . . . . . . . . 3", "2 Boats . . . . . . . . . . 12"), "1 Whales … 3\n2 Boats … 12"},
		{"letters of bitmaps", "/F1 << /Type /Font /Subtype /Type3 /FontBBox [-2 -11 44 43] /FontMatrix [1 0 0 1 0 0] /CharProcs << >> /Encoding << /Differences [65 /A /B] >> /FirstChar 65 /LastChar 66 /Widths [30 30] >>",
			"BT /F1 .24 Tf 72 700 Td (AB) Tj ET", "AB"},
		{"a quotation mark is no accent", "", "BT /F1 11 Tf 72 700 Td [(it\\))120(`)] TJ ET", "it)`"},
		{"ActualText", "", "/Span << /ActualText (whole) >> BDC " + at(72, 700, "F1", 11, "parts") + " EMC", "whole"},
	} {
		t.Run(c.name, func(t *testing.T) {
			fonts := c.fonts
			if fonts == "" {
				fonts = plainFonts
			}
			p, err := Read(documentOf(fonts, c.content), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want && !(strings.HasSuffix(c.want, " 0") || c.want == long) || !strings.HasPrefix(got, c.want) {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if strings.Contains(c.name, "two columns") {
				if text := show(p.Blocks); strings.Index(text, "Right line 0") < strings.Index(text, "Left line 7") || strings.Index(text, "Right 0") < strings.Index(text, "Left 8") {
					t.Errorf("the right column begins before the left one ends: %q", text)
				}
			}
		})
	}
}

func TestHidden(t *testing.T) {
	seen := at(72, 700, "F1", 11, "Seen")
	hidden := at(72, 650, "F1", 11, "hidden words")
	for _, c := range []struct {
		name, content, want string
		kind                page.OmissionKind
	}{
		{"white on nothing", seen + "1 g " + hidden, "Seen", page.HiddenColor},
		{"all but white", seen + ".99 .98 1 rg " + hidden, "Seen", page.HiddenColor},
		{"white of four inks", seen + "0 0 0 0 k " + hidden, "Seen", page.HiddenColor},
		{"white of a colour space", seen + "/DeviceRGB cs 1 1 1 sc " + hidden, "Seen", page.HiddenColor},
		{"all of an ink that has no name", seen + "/Spot cs 1 scn " + hidden, "Seen\nhidden words", ""},
		{"white on white", "1 g 0 0 612 792 re f 0 g " + seen + "1 g " + hidden, "Seen", page.HiddenColor},
		{"white on a bar", seen + "0 0 .5 rg 60 640 200 30 re f 1 g " + hidden, "Seen\nhidden words", ""},
		{"white on a wide line", seen + "30 w 60 620 m 300 620 l S 1 g " + at(72, 630, "F1", 11, "hidden words"), "Seen\nhidden words", ""},
		{"white beside a bar", seen + "0 0 .5 rg 300 640 200 30 re f 1 g " + hidden, "Seen", page.HiddenColor},
		{"white on a shading", seen + "/S sh 1 g " + hidden, "Seen\nhidden words", ""},
		{"white on a disc of a font", seen + "BT /F4 20 Tf 72 650 Td (l) Tj ET 1 g " + at(78, 653, "F1", 8, "1"), "Seen\n1 ●", ""},
		{"white with a black rim", seen + "1 g 2 Tr " + hidden, "Seen\nhidden words", ""},
		{"black again", seen + "q 1 g Q " + hidden, "Seen\nhidden words", ""},
		{"without ink", seen + "3 Tr " + hidden, "Seen", page.HiddenVisibility},
		{"without ink under a picture that was read", seen + "3 Tr " + hidden + "q 612 0 0 792 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q", "Seen\nhidden words", ""},
		{"without ink on a coloured page", ".9 g 0 0 612 792 re f 0 g " + seen + "3 Tr " + hidden, "Seen", page.HiddenVisibility},
		{"beside the page", seen + at(900, 700, "F1", 11, "hidden words"), "Seen", page.HiddenOffScreen},
		{"too small", seen + at(72, 650, "F1", .1, "hidden words"), "Seen", page.HiddenSize},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(documentOf(plainFonts+" /F4 << /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats >>", c.content), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.kind != "" && p.Omitted(c.kind) != 1 || c.kind == "" && p.Hidden() != 0 {
				t.Errorf("omissions %v, want one of %q", p.Omissions, c.kind)
			}
		})
	}
}

func TestPages(t *testing.T) {
	var pages []string
	for i := range 4 {
		pages = append(pages, at(72, 760, "F1", 9, "The running head")+at(300, 30, "F1", 9, fmt.Sprint(i+1))+
			lines(72, 600, "F1", 11, fmt.Sprintf("Page %s begins here and", []string{"one", "two", "three", "four"}[i]), "goes on."))
	}
	body := documentOf(plainFonts, pages...)
	p, err := Read(body, Options{URL: "https://example.com/a.pdf"})
	if err != nil {
		t.Fatal(err)
	}
	if got := show(p.Blocks); strings.Contains(got, "running") || strings.Contains(got, "1") || !strings.Contains(got, "Page three begins here and goes on.") {
		t.Errorf("blocks %q", got)
	}
	for i, want := range []string{"page=1", "page=2", "page=3", "page=4"} {
		if p.Blocks[i].ID != want {
			t.Errorf("block %d has ID %q, want %q", i, p.Blocks[i].ID, want)
		}
	}
	// A paragraph that goes on over the page leaves the anchor to the next one.
	on, err := Read(documentOf(plainFonts, at(72, 600, "F1", 11, "A paragraph goes"), at(72, 600, "F1", 11, "on here.")+at(72, 500, "F1", 11, "The next one.")), Options{})
	if err != nil || len(on.Blocks) != 2 || on.Blocks[0].ID != "page=1" || on.Blocks[1].ID != "page=2" {
		t.Errorf("blocks %+v, %v", on, err)
	}
	if p.Meta.Title != "A small file" || p.Meta.Byline != "Ann Author" || p.Meta.Published != "2024-02-29T10:11:12+01:00" || p.Meta.Language != "en" {
		t.Errorf("meta %+v", p.Meta)
	}
	if p.Type != page.Document || p.Verdict != page.Complete {
		t.Errorf("type %s, verdict %s", p.Type, p.Verdict)
	}
	whole, err := Read(body, Options{Whole: true})
	if err != nil || !strings.Contains(show(whole.Blocks), "The running head") {
		t.Errorf("whole: %v %q", err, show(whole.Blocks))
	}
}

func TestBadInput(t *testing.T) {
	good := documentOf(plainFonts, at(72, 700, "F1", 11, long))
	loop := &writer{}
	loop.add("<< /Type /Pages /Kids [1 0 R 1 0 R] /Count 1000000000 >>")
	loop.add("<< /Type /Catalog /Pages 1 0 R >>")
	form := &writer{}
	form.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	form.add("<< /Type /Catalog /Pages 1 0 R >>")
	form.add("<< /Type /Page /Parent 1 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>")
	form.add(stream("", "/X Do"))
	form.add(stream("/Type /XObject /Subtype /Form /Resources << /XObject << /X 5 0 R >> >>", strings.Repeat("/X Do ", 40)))
	bomb := &writer{}
	bomb.add("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
	bomb.add("<< /Type /Catalog /Pages 1 0 R >>")
	bomb.add("<< /Type /Page /Parent 1 0 R /MediaBox [0 0 612 792] /Contents 4 0 R >>")
	bomb.add(packed("", strings.Repeat(" ", maxStream+1)))
	for _, c := range []struct {
		name string
		body []byte
		want errorCode
	}{
		{"nothing", nil, Malformed},
		{"no PDF", []byte("%PDF-1.4\nhello"), Malformed},
		{"cut in the middle", good[:len(good)/3], Malformed},
		{"no text", documentOf(plainFonts, "0 0 m 10 10 l S"), NoContent},
		{"a page tree in a circle", loop.file(2, ""), NoContent},
		{"a form within itself", form.file(2, ""), NoContent},
		{"a stream that unpacks to too much", bomb.file(2, ""), NoContent},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Read(c.body, Options{})
			var e *Error
			if !errors.As(err, &e) || e.Code != c.want {
				t.Errorf("got %v, want code %d", err, c.want)
			}
		})
	}
}

// TestFilterOfItself: a stream whose filter is the stream ends soon.
func TestFilterOfItself(t *testing.T) {
	body := withObjects(at(72, 700, "F1", 11, "words"), "/XObject << /X OBJ1 >>", "", "", "<< /Length 3 /Filter OBJ1 >>\nstream\nabc\nendstream")
	var e *Error
	if _, err := Read(body, Options{}); err != nil && !errors.As(err, &e) {
		t.Errorf("untyped error %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(documentOf(plainFonts, at(72, 720, "F2", 18, "A title")+lines(72, 690, "F1", 11, long)))
	f.Add(documentOf(plainFonts, rules([]float64{72, 172, 272}, []float64{700, 680, 660})))
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 1<<16 {
			return
		}
		p, err := Read(body, Options{})
		var e *Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("untyped error %v", err)
		}
		if err == nil && len(p.Blocks) == 0 {
			t.Fatal("no blocks and no error")
		}
	})
}

// FuzzContent needs no valid file around a content stream.
func FuzzContent(f *testing.F) {
	f.Add([]byte(at(72, 720, "F2", 18, "A title") + "[(a)-300(b)] TJ BI ID x EI q Q /Span <</ActualText(x)>> BDC EMC"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if _, err := Read(documentOf(plainFonts, string(content)), Options{}); err != nil {
			var e *Error
			if !errors.As(err, &e) {
				t.Fatal(err)
			}
		}
	})
}

func FuzzCMap(f *testing.F) {
	f.Add([]byte("1 begincodespacerange <00> <ffff> endcodespacerange 1 beginbfrange <0041> <0043> <0061> endbfrange 1 beginbfchar <05> <00660069> endbfchar"))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := parseCMap(b)
		for c := range uint32(300) {
			_, _ = m.text(c)
			_, _ = m.cid(c)
		}
		if _, n := m.cut([]byte{1, 2, 3, 4}); n < 1 {
			t.Fatal("a code without a byte")
		}
	})
}

func BenchmarkRead(b *testing.B) {
	var text []string
	for range 50 {
		text = append(text, long+" and on to the end")
	}
	var pages []string
	for range 10 {
		pages = append(pages, lines(72, 750, "F1", 11, text...))
	}
	body := documentOf(plainFonts, pages...)
	b.SetBytes(int64(len(body)))
	for b.Loop() {
		if _, err := Read(body, Options{}); err != nil {
			b.Fatal(err)
		}
	}
}

// compact is a font file in the Compact Font Format whose code 'x' shows fi and 'y' a ligature
// with a name of its own.
func compact() string {
	const head = "\x01\x00\x04\x01" + "\x00\x01\x01\x01\x02A" // header, names
	const at = len(head) + 2 + 1 + 2 + 12 + 2 + 1 + 2 + 5     // where the charset begins
	dict := "\x1d\x00\x00\x00" + string(rune(at)) + "\x0f" + "\x1d\x00\x00\x00" + string(rune(at+5)) + "\x10"
	return head + "\x00\x01\x01\x01\x0d" + dict + "\x00\x01\x01\x01\x06f_f_l" +
		"\x00\x00\x6d\x01\x87" + // charset: fi, and the first string of the file
		"\x00\x02xy" // encoding
}

func TestCompactFont(t *testing.T) {
	const font = `/F1 << /Type /Font /Subtype /Type1 /BaseFont /AAAAAA+Own /FontDescriptor << /Type /FontDescriptor /FontFile3 TOUNICODE 0 R >> >>`
	for _, c := range []struct{ name, file, shown, want string }{
		// Fixed bug: letters whose codes only the font file has were lost: "e cient nal wa e".
		{"an encoding of its own", compact(), "efxcient xnal waye", "efficient final waffle"},
		{"a file that breaks off", compact()[:40], "exit", "exit"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(documentWith(font, []string{stream("/Subtype /Type1C", c.file)}, at(72, 700, "F1", 12, c.shown)), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := norm.NFKC.String(page.InlineText(p.Blocks[0].Inlines)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func FuzzCompactFont(f *testing.F) {
	f.Add([]byte(compact()))
	f.Fuzz(func(_ *testing.T, b []byte) { compactEncoding(b) })
}

func TestSpacedLetters(t *testing.T) {
	for _, c := range []struct{ name, content, want string }{
		{"letters apart", "BT /F1 11 Tf 72 700 Td 3 Tc (CONTENTS of) Tj ( it) Tj ET", "CONTENTS of it"},
		{"letters in columns", "BT /F1 11 Tf 72 700 Td 20 Tc (123) Tj ET", "1 2 3"},
		{"words apart", "BT /F1 11 Tf 72 700 Td 1 Tc [(one) -600 (two)] TJ ET", "one two"},
	} {
		p, err := Read(documentOf(plainFonts, c.content), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := page.InlineText(p.Blocks[0].Inlines); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}
