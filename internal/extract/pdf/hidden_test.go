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
	const states = "/ExtGState << /Clear << /ca 0 /CA 0 >> /Half << /ca .5 >> >>"
	for _, c := range []struct {
		name, content, resources, catalog string
		objects                           []string
		kind                              page.OmissionKind
	}{
		{"with a colorant", shown + "/C cs 1 scn " + words, "/ColorSpace << /C [/Separation /Black /DeviceGray << >>] >>", "", nil, ""},
		{"text that only a shape covers stays", shown + words + "1 g 60 640 200 30 re f", "", "", nil, ""},
		{"below a picture that was read", shown + words + "q 612 0 0 792 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q", "", "", nil, ""},
		{"on a box of another colour", shown + "0 0 .4 rg 60 640 500 30 re f 1 g " + words, "", "", nil, ""},
		{"clear", shown + "/Clear gs " + words, states, "", nil, page.HiddenOpacity},
		{"half clear", shown + "/Half gs " + words, states, "", nil, ""},
		{"for clipping only", shown + "7 Tr " + words, "", "", nil, page.HiddenVisibility},
		{"white rims", shown + "1 Tr 1 G " + words, "", "", nil, page.HiddenColor},
		{"letters without width", shown + "0 Tz " + words, "", "", nil, page.HiddenSize},
		{"half a point", shown + at(72, 650, "F1", .5, "HIDDEN"), "", "", nil, page.HiddenSize},
		{"a layer that is off", shown + "/OC /L BDC " + words + " EMC", "/Properties << /L OBJ1 >>", "/OCProperties << /OCGs [OBJ1] /D << /OFF [OBJ1] >> >>", []string{"<< /Type /OCG /Name (L) >>"}, page.HiddenDisplay},
		{"a layer that is on", shown + "/OC /L BDC " + words + " EMC", "/Properties << /L OBJ1 >>", "/OCProperties << /OCGs [OBJ1] /D << /BaseState /OFF /ON [OBJ1] >> >>", []string{"<< /Type /OCG /Name (L) >>"}, ""},
		{"all layers are off", shown + "/OC /L BDC " + words + " EMC", "/Properties << /L OBJ1 >>", "/OCProperties << /OCGs [OBJ1] /D << /BaseState /OFF >> >>", []string{"<< /Type /OCG /Name (L) >>"}, page.HiddenDisplay},
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

func TestAnnotations(t *testing.T) {
	look := stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Resources << /Font << "+plainFonts+" >> >>", at(2, 5, "F1", 11, "drawn"))
	empty := stream("/Type /XObject /Subtype /Form /BBox [0 0 100 20]", "/Tx BMC EMC")
	annotation := func(s string) string { return "<< /Type /Annot /Rect [72 600 172 620] " + s + " >>" }
	for _, c := range []struct {
		name    string
		objects []string // the annotation is the first
		want    string
		hidden  int
	}{
		{"a stamp", []string{annotation("/Subtype /Stamp /AP << /N OBJ2 >>"), look}, "page\ndrawn", 0},
		{"a field", []string{annotation("/Subtype /Widget /FT /Tx /V (value) /AP << /N OBJ2 >>"), look}, "page\ndrawn", 0},
		{"a button by its state", []string{annotation("/Subtype /Widget /FT /Btn /AS /On /AP << /N << /On OBJ2 /Off OBJ3 >> >>"), look, empty}, "page\ndrawn", 0},
		{"a note that opens", []string{annotation("/Subtype /Popup /Contents (a note)")}, "page", 0},
		{"hidden", []string{annotation("/Subtype /Stamp /F 2 /AP << /N OBJ2 >>"), look}, "page", 1},
		{"not on a screen", []string{annotation("/Subtype /FreeText /F 32 /AP << /N OBJ2 >>"), look}, "page", 1},
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
		{"an array without its end", documentOf(plainFonts, "BT /F1 11 Tf 72 700 Td [(one) TJ ET "+at(72, 600, "F1", 11, "two")), "one\ntwo"},
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
