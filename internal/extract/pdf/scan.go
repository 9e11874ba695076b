package pdf

import (
	"fmt"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"
)

// This file gets the pictures of pages without text, as files that other programs read:
// JPEG and JPEG 2000 as they are, others as Netpbm. JBIG2 is left out.

// scans passes the pictures of a page on, nil where it has none in such a file.
func (d *document) scans(s *sheet, pass func(page int, picture []byte)) {
	none := true
	for _, o := range s.pictures {
		if b := d.netpbm(o); b != nil {
			pass(s.number, b)
			none = false
		}
	}
	if none {
		pass(s.number, nil)
	}
}

// netpbm returns the file of a picture, nil for none. A picture in colour becomes gray.
func (d *document) netpbm(o types.StreamDict) []byte {
	w, _ := d.number(o.Dict["Width"])
	h, _ := d.number(o.Dict["Height"])
	if !(w >= minPicture && h >= minPicture && w*h <= maxPixels) {
		return nil
	}
	filter := ""
	if n := len(o.FilterPipeline); n > 0 {
		filter = o.FilterPipeline[n-1].Name
	}
	b := d.stream(o)
	switch filter {
	case "DCTDecode", "JPXDecode":
		return b
	case "JBIG2Decode":
		return nil
	}
	head := func(kind string) []byte { return fmt.Appendf(nil, "%s\n%d %d\n", kind, int(w), int(h)) }
	bits, _ := d.number(o.Dict["BitsPerComponent"])
	pixels, rows := int(w)*int(h), (int(w)+7)/8*int(h)
	switch {
	case bits == 8 && len(b) >= 3*pixels:
		out := append(head("P5"), "255\n"...)
		for p := b[:3*pixels]; len(p) > 0; p = p[3:] {
			out = append(out, byte((int(p[0])+int(p[1])+int(p[2]))/3))
		}
		return out
	case bits == 8 && len(b) >= pixels:
		return append(append(head("P5"), "255\n"...), b[:pixels]...)
	case bits <= 1 && len(b) >= rows: // of masks and of CCITT the dictionary may not say it
		out := head("P4")
		for _, c := range b[:rows] {
			out = append(out, ^c) // in Netpbm 1 is black
		}
		return out
	}
	return nil
}
