package pdf

import (
	"bytes"
	"compress/zlib"
	"fmt"
	"strings"
)

// This file writes small PDFs, so that the tests show what they read.

// writer collects objects and puts them into a file with a table of contents.
type writer struct {
	objects []string
}

// add appends an object and returns its number.
func (w *writer) add(s string) int {
	w.objects = append(w.objects, s)
	return len(w.objects)
}

func stream(dict, content string) string {
	return fmt.Sprintf("<< %s /Length %d >>\nstream\n%s\nendstream", dict, len(content), content)
}

func packed(dict, content string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(content))
	_ = z.Close()
	return stream(dict+" /Filter /FlateDecode", b.String())
}

// file writes the objects; root is the number of the catalog.
func (w *writer) file(root int, trailer string) []byte {
	var b bytes.Buffer
	b.WriteString("%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
	offsets := make([]int, len(w.objects))
	for i, o := range w.objects {
		offsets[i] = b.Len()
		fmt.Fprintf(&b, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	at := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(w.objects)+1)
	for _, o := range offsets {
		fmt.Fprintf(&b, "%010d 00000 n \n", o)
	}
	fmt.Fprintf(&b, "trailer\n<< /Size %d /Root %d 0 R %s >>\nstartxref\n%d\n%%%%EOF\n", len(w.objects)+1, root, trailer, at)
	return b.Bytes()
}

const plainFonts = "/F1 << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman /Encoding /WinAnsiEncoding >> " +
	"/F2 << /Type /Font /Subtype /Type1 /BaseFont /Times-Bold /Encoding /WinAnsiEncoding >> " +
	"/F3 << /Type /Font /Subtype /Type1 /BaseFont /Courier /Encoding /WinAnsiEncoding >>"

// document writes a PDF with these pages, each a content stream, with fonts F1
// to F3 and whatever else is given.
func documentOf(fonts string, pages ...string) []byte {
	return documentWith(fonts, nil, pages...)
}

// documentWith has more objects, the first of which is TOUNICODE of the fonts.
func documentWith(fonts string, more []string, pages ...string) []byte {
	w := &writer{}
	for i, o := range more {
		if n := w.add(o); i == 0 {
			fonts = strings.Replace(fonts, "TOUNICODE", fmt.Sprint(n), 1)
		}
	}
	var kids []string
	for _, content := range pages {
		c := w.add(packed("", content))
		p := w.add(fmt.Sprintf("<< /Type /Page /Parent PARENT 0 R /MediaBox [0 0 612 792] /Contents %d 0 R /Resources << /Font << %s >> >> >>", c, fonts))
		kids = append(kids, fmt.Sprintf("%d 0 R", p))
	}
	tree := w.add(fmt.Sprintf("<< /Type /Pages /Kids [%s] /Count %d >>", strings.Join(kids, " "), len(pages)))
	for i := range w.objects {
		w.objects[i] = strings.Replace(w.objects[i], "PARENT", fmt.Sprint(tree), 1)
	}
	info := w.add("<< /Title (A small file) /Author (Ann Author) /CreationDate (D:20240229101112+01'00') >>")
	root := w.add(fmt.Sprintf("<< /Type /Catalog /Pages %d 0 R /Lang (en) >>", tree))
	return w.file(root, fmt.Sprintf("/Info %d 0 R", info))
}

// at shows a string at a place.
func at(x, y float64, font string, size float64, s string) string {
	s = strings.NewReplacer("\\", "\\\\", "(", "\\(", ")", "\\)").Replace(s)
	return fmt.Sprintf("BT /%s %g Tf %g %g Td (%s) Tj ET\n", font, size, x, y, s)
}

// lines shows lines below each other.
func lines(x, y float64, font string, size float64, text ...string) string {
	var b strings.Builder
	for i, s := range text {
		b.WriteString(at(x, y-1.2*size*float64(i), font, size, s))
	}
	return b.String()
}
