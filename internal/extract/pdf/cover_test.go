package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// withObjects writes a PDF of one page with more objects. In them, in what the
// page dictionary and the resources hold besides, and in the catalog, OBJn is the
// number of the n-th.
func withObjects(content, resources, pageMore, catalog string, objects ...string) []byte {
	w := &writer{}
	numbers := func(s string) string {
		for i := len(objects); i > 0; i-- {
			s = strings.ReplaceAll(s, fmt.Sprintf("OBJ%d", i), fmt.Sprintf("%d 0 R", i))
		}
		return s
	}
	for _, o := range objects {
		w.add(numbers(o))
	}
	c := w.add(stream("", content))
	p := w.add(fmt.Sprintf("<< /Type /Page /Parent %d 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << %s >> %s >> %s >>",
		c+2, c, plainFonts, numbers(resources), numbers(pageMore)))
	tree := w.add(fmt.Sprintf("<< /Type /Pages /Kids [%d 0 R] /Count 1 >>", p))
	return w.file(w.add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R %s >>", tree, numbers(catalog))), "")
}

func TestUnseen(t *testing.T) {
	shown := at(72, 700, "F1", 11, "SHOWN")
	words := at(72, 650, "F1", 11, "HIDDEN")
	form := func(dict, content string) string {
		return stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /Font << "+plainFonts+" >> >> "+dict, content)
	}
	const states = "/ExtGState << /Clear << /ca 0 /CA 0 >> /Half << /ca .5 >> /Multiply << /BM /Multiply >> >>"
	for _, c := range []struct {
		name, content, resources, catalog string
		objects                           []string
		kind                              page.OmissionKind
	}{
		{"covered", shown + words + "1 g 60 640 200 30 re f", "", "", nil, page.HiddenVisibility},
		{"covered by lines", shown + words + "0 .5 0 rg 60 640 m 300 640 l 300 670 l 60 670 l h f", "", "", nil, page.HiddenVisibility},
		{"struck through", shown + words + "0 g 60 652 200 2 re f", "", "", nil, ""},
		{"beside the shape", shown + words + "1 g 60 500 200 30 re f", "", "", nil, ""},
		{"below a frame", shown + words + "0 g 50 630 300 60 re 60 640 200 30 re f*", "", "", nil, ""},
		{"marked with a pen", shown + words + "/Multiply gs 1 1 0 rg 60 640 200 30 re f", states, "", nil, ""},
		{"below clear glass", shown + words + "/Half gs 1 g 60 640 200 30 re f", states, "", nil, ""},
		{"below a wide line", shown + words + "1 G 30 w 60 653 m 300 653 l S", "", "", nil, page.HiddenVisibility},
		{"below a line", shown + words + "1 G 3 w 60 653 m 300 653 l S", "", "", nil, ""},
		{"below a clear wide line", shown + words + "/Clear gs 1 G 30 w 60 653 m 300 653 l S", states, "", nil, ""},
		{"without a colorant", shown + "/C cs 0 scn " + words, "/ColorSpace << /C [/Separation /Black /DeviceGray << >>] >>", "", nil, page.HiddenColor},
		{"with a colorant", shown + "/C cs 1 scn " + words, "/ColorSpace << /C [/Separation /Black /DeviceGray << >>] >>", "", nil, ""},
		{"white of a measured space", shown + "/C cs 100 0 0 scn " + words, "/ColorSpace << /C [/Lab << /WhitePoint [.95 1 1.09] >>] >>", "", nil, page.HiddenColor},
		{"red of a measured space", shown + "/C cs 100 80 0 scn " + words, "/ColorSpace << /C [/Lab << /WhitePoint [.95 1 1.09] >>] >>", "", nil, ""},
		{"below a stroke only", shown + words + "1 g 60 640 200 30 re S", "", "", nil, ""},
		{"the shape is clipped away", shown + words + "q 0 0 10 10 re W n 1 g 60 640 200 30 re f Q", "", "", nil, ""},
		{"written again on the shape", shown + at(72, 650, "F1", 11, "other") + "1 g 60 640 200 30 re f 0 g " + at(72, 650, "F1", 11, "SHOWN"), "", "", nil, page.HiddenVisibility},
		{"below a picture that was read", shown + words + "q 612 0 0 792 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q", "", "", nil, ""},
		{"the colour of a box", shown + "0 0 .4 rg 60 640 500 30 re f " + words, "", "", nil, page.HiddenColor},
		{"white on a white box on a dark one", shown + "0 0 .4 rg 60 635 500 45 re f 1 g 60 640 500 30 re f " + words, "", "", nil, page.HiddenColor},
		{"on a box of another colour", shown + "0 0 .4 rg 60 640 500 30 re f 1 g " + words, "", "", nil, ""},
		{"on a box with something else on it", shown + "0 0 .4 rg 60 640 500 30 re f 1 0 0 rg 60 645 500 20 re f 0 0 .4 rg " + words, "", "", nil, ""},
		{"clipped away", shown + "q 0 0 50 50 re W n " + words + "Q", "", "", nil, page.HiddenClip},
		{"clipped to nothing", shown + "q 72 650 0 0 re W n " + words + "Q", "", "", nil, page.HiddenClip},
		{"within the clipping", shown + "q 60 640 200 30 re W n " + words + "Q", "", "", nil, ""},
		{"outside of the box of a form", shown + "/Fm Do", "/XObject << /Fm OBJ1 >>", "", []string{strings.Replace(form("", words), "[0 0 612 792]", "[0 0 20 20]", 1)}, page.HiddenClip},
		{"clear", shown + "/Clear gs " + words, states, "", nil, page.HiddenOpacity},
		{"half clear", shown + "/Half gs " + words, states, "", nil, ""},
		{"in a clear group", shown + "/Clear gs /Fm Do", states + " /XObject << /Fm OBJ1 >>", "", []string{form("/Group << /S /Transparency >>", words)}, page.HiddenOpacity},
		{"for clipping only", shown + "7 Tr " + words, "", "", nil, page.HiddenVisibility},
		{"white rims", shown + "1 Tr 1 G " + words, "", "", nil, page.HiddenColor},
		{"letters without width", shown + "0 Tz " + words, "", "", nil, page.HiddenSize},
		{"half a point", shown + at(72, 650, "F1", .5, "HIDDEN"), "", "", nil, page.HiddenSize},
		{"a layer that is off", shown + "/OC /L BDC " + words + " EMC", "/Properties << /L OBJ1 >>", "/OCProperties << /OCGs [OBJ1] /D << /OFF [OBJ1] >> >>", []string{"<< /Type /OCG /Name (L) >>"}, page.HiddenDisplay},
		{"a layer that is on", shown + "/OC /L BDC " + words + " EMC", "/Properties << /L OBJ1 >>", "/OCProperties << /OCGs [OBJ1] /D << /BaseState /OFF /ON [OBJ1] >> >>", []string{"<< /Type /OCG /Name (L) >>"}, ""},
		{"all layers are off", shown + "/OC /L BDC " + words + " EMC", "/Properties << /L OBJ1 >>", "/OCProperties << /OCGs [OBJ1] /D << /BaseState /OFF >> >>", []string{"<< /Type /OCG /Name (L) >>"}, page.HiddenDisplay},
		{"seen while a layer that is on is off", shown + "/OC /L BDC " + words + " EMC", "/Properties << /L OBJ1 >>", "/OCProperties << /OCGs [OBJ2] /D << >> >>", []string{"<< /Type /OCMD /OCGs [OBJ2] /P /AllOff >>", "<< /Type /OCG >>"}, page.HiddenDisplay},
		{"a form of layers that are off", shown + "/Fm Do", "/XObject << /Fm OBJ1 >>", "/OCProperties << /OCGs [OBJ2] /D << /OFF [OBJ2] >> >>", []string{form("/OC << /Type /OCMD /OCGs [OBJ2] >>", words), "<< /Type /OCG >>"}, page.HiddenDisplay},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(withObjects(c.content, c.resources, "", c.catalog, c.objects...), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if s := show(p.Blocks); strings.Contains(s, "HIDDEN") != (c.kind == "") || !strings.Contains(s, "SHOWN") {
				t.Errorf("text %q", s)
			}
			if c.kind != "" && p.Omitted(c.kind) != 1 || c.kind == "" && p.Hidden() != 0 {
				t.Errorf("omissions %v, want 1 of %q", p.Omissions, c.kind)
			}
		})
	}
}

// TestDoubted: text whose visibility is not computed has a mark, once.
func TestDoubted(t *testing.T) {
	shown := at(72, 700, "F1", 11, "SHOWN")
	words := at(72, 650, "F1", 11, "HIDDEN words")
	picture := stream("/Type /XObject /Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray", "x")
	clear := strings.Replace(picture, "/Width", "/SMask OBJ2 /Width", 1)
	mask := stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Group << /S /Transparency /CS /DeviceGray >>", "")
	const state = "/ExtGState << /M << /SMask << /S /Luminosity /G OBJ1 >> >> /N << /SMask /None >> >>"
	said := func(text, glyphs string) string {
		return "/Span << /ActualText (" + text + ") >> BDC " + at(72, 650, "F1", 11, glyphs) + " EMC "
	}
	for _, c := range []struct {
		name, content, resources string
		objects                  []string
		want                     string
	}{
		{"below a soft mask", shown + "/M gs " + words, state, []string{mask}, "SHOWN (visibility unknown) HIDDEN words"},
		{"after a soft mask", shown + "/M gs /N gs " + words, state, []string{mask}, "SHOWN HIDDEN words"},
		{"below a picture", shown + words + "q 300 0 0 40 60 640 cm /Im Do Q", "/XObject << /Im OBJ1 >>", []string{picture}, "SHOWN (visibility unknown) HIDDEN words"},
		{"below a picture of the page", shown + words + "q 612 0 0 792 0 0 cm /Im Do Q", "/XObject << /Im OBJ1 >>", []string{picture}, "SHOWN HIDDEN words"},
		{"on a picture", shown + "q 300 0 0 40 60 640 cm /Im Do Q " + words, "/XObject << /Im OBJ1 >>", []string{picture}, "SHOWN HIDDEN words"},
		{"below a picture with a mask", shown + words + "q 300 0 0 40 60 640 cm /Im Do Q", "/XObject << /Im OBJ1 >>", []string{clear, picture}, "SHOWN HIDDEN words"},
		{"much more than the glyphs say", shown + said("HIDDEN words that nobody can see here", "x"), "", nil, "SHOWN (visibility unknown) HIDDEN words that nobody can see here"},
		{"something else than the glyphs say", shown + said("HIDDEN words of a page", "The ferry at noon"), "", nil, "SHOWN (visibility unknown) HIDDEN words of a page"},
		{"what the glyphs say", shown + said("HIDDEN words of a page", "HID-DEN words of a page"), "", nil, "SHOWN HIDDEN words of a page"},
		{"a ligature", shown + said("ffi", "x"), "", nil, "SHOWN ffi"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(withObjects(c.content, c.resources, "", "", c.objects...), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestAnnotations(t *testing.T) {
	look := stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << "+plainFonts+" >> >>", at(2, 5, "F1", 11, "drawn"))
	narrow := stream("/Type /XObject /Subtype /Form /BBox [0 0 75 20] /Resources << /Font << "+plainFonts+" >> >>", at(2, 5, "F1", 11, "drawn in a field that is short"))
	empty := stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20]", "/Tx BMC EMC")
	annotation := func(s string) string { return "<< /Type /Annot /Rect [72 600 172 620] " + s + " >>" }
	for _, c := range []struct {
		name    string
		objects []string // the annotation is the first
		want    string
		hidden  int
	}{
		{"a stamp", []string{annotation("/Subtype /Stamp /AP << /N OBJ2 >>"), look}, "page drawn", 0},
		{"a field", []string{annotation("/Subtype /Widget /FT /Tx /V (value) /AP << /N OBJ2 >>"), look}, "page drawn", 0},
		{"a value that is longer than its field", []string{annotation("/Subtype /Widget /FT /Tx /V (drawn in a field that is short) /AP << /N OBJ2 >>"), narrow}, "page\n(collapsed) drawn in a field that is short", 0},
		{"another value than the field shows", []string{annotation("/Subtype /Widget /FT /Tx /V (else) /AP << /N OBJ2 >>"), narrow}, "page drawn in a field t", 1},
		{"a field without an appearance", []string{annotation("/Subtype /Widget /FT /Tx /V (the value)")}, "page\nthe value", 0},
		{"a field with an empty appearance", []string{annotation("/Subtype /Widget /Parent OBJ3 /AP << /N OBJ2 >>"), empty, "<< /FT /Tx /V <feff006700720fc> >>"}, "page\ngr\u0fc0", 0},
		{"a password", []string{annotation("/Subtype /Widget /FT /Tx /Ff 8192 /V (secret)")}, "page", 0},
		{"a choice", []string{annotation("/Subtype /Widget /FT /Ch /Ff 131072 /V (chosen)")}, "page\nchosen", 0},
		{"a list", []string{annotation("/Subtype /Widget /FT /Ch /Opt [(one) [(2) (two)]]")}, "page\none two", 0},
		{"a button by its state", []string{annotation("/Subtype /Widget /FT /Btn /AS /On /AP << /N << /On OBJ2 /Off OBJ3 >> >>"), look, empty}, "page drawn", 0},
		{"a note on the page", []string{annotation("/Subtype /FreeText /Contents (a note)")}, "page\na note", 0},
		{"a note that opens", []string{annotation("/Subtype /Popup /Contents (a note)")}, "page", 0},
		{"hidden", []string{annotation("/Subtype /Stamp /F 2 /AP << /N OBJ2 >>"), look}, "page", 1},
		{"not on a screen", []string{annotation("/Subtype /FreeText /F 32 /Contents (a note)")}, "page", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(withObjects(at(72, 700, "F1", 11, "page"), "", "/Annots [OBJ1]", "", c.objects...), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want || p.Hidden() != c.hidden {
				t.Errorf("got %q, want %q; %v", got, c.want, p.Omissions)
			}
		})
	}
	t.Run("a link has the text of its area", func(t *testing.T) {
		p, err := Read(withObjects(at(72, 700, "F1", 11, "Read on"), "", "/Annots [OBJ1]", "", "<< /Subtype /Link /Rect [70 695 200 715] /A << /S /URI /URI (https://example.com/a) >> >>"), Options{})
		if err != nil || len(p.Links) != 1 || p.Links[0] != (page.Link{URL: "https://example.com/a", Text: "Read on", Count: 1}) {
			t.Errorf("%v, %v", p.Links, err)
		}
	})
}

func TestOddContent(t *testing.T) {
	identity := "/F1 << /Type /Font /Subtype /Type0 /BaseFont /Odd /Encoding /Identity-H /ToUnicode /Identity-H /DescendantFonts [ << /Type /Font /Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >> ] >>"
	for _, c := range []struct {
		name string
		body []byte
		want string
	}{
		{"an operator between strings", documentOf(plainFonts, "BT /F1 11 Tf 72 700 Td [(one) 5 Tc ( two)] TJ ET"), "one two"},
		{"an array without its end", documentOf(plainFonts, "BT /F1 11 Tf 72 700 Td [(one) TJ ET "+at(72, 600, "F1", 11, "two")), "one two"},
		{"codes that are characters", documentOf(identity, "BT /F1 11 Tf 72 700 Td <00410062> Tj ET"), "Ab"},
		{"a short stream in digits", withObjects("/Fm Do", "/XObject << /Fm OBJ1 >>", "", "", stream("/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Filter /ASCIIHexDecode /Resources << /Font << "+plainFonts+" >> >>",
			fmt.Sprintf("%x", at(72, 700, "F1", 11, "digits")))), "digits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(c.body, Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// TestTextlessPages: pages that hold no text are counted; a scanned page makes
// the document partial.
func TestTextlessPages(t *testing.T) {
	scan := "q 612 0 0 792 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q"
	for _, c := range []struct {
		name    string
		page    string
		verdict page.Verdict
		pages   int
	}{{"text", "", page.Complete, 1}, {"a scan", scan, page.Partial, 1}, {"words", at(72, 700, "F1", 11, "b"), page.Complete, 0}} {
		p, err := Read(documentOf(plainFonts, at(72, 700, "F1", 11, "a"), c.page), Options{})
		if err != nil || p.Verdict != c.verdict || p.Omitted(page.OmittedPages) != c.pages {
			t.Errorf("%s: %s, %v, %v", c.name, p.Verdict, p.Omissions, err)
		}
	}
}
