package extract

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

// TestScan: a PDF whose pages are pictures is an error that says so.
func TestScan(t *testing.T) {
	var b bytes.Buffer
	b.WriteString("%PDF-1.4\n")
	var at []int
	const draw = "q 600 0 0 800 0 0 cm /Im Do Q"
	for _, object := range []string{
		"<</Type/Catalog/Pages 2 0 R>>", "<</Type/Pages/Kids[3 0 R]/Count 1>>",
		"<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</XObject<</Im 5 0 R>>>>/Contents 4 0 R>>",
		fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(draw), draw),
		"<</Type/XObject/Subtype/Image/Width 2/Height 2/ColorSpace/DeviceGray/BitsPerComponent 8/Length 4>>stream\nabcd\nendstream",
	} {
		at = append(at, b.Len())
		fmt.Fprintf(&b, "%d 0 obj%s endobj\n", len(at), object)
	}
	xref := b.Len()
	fmt.Fprintf(&b, "xref\n0 %d\n0000000000 65535 f \n", len(at)+1)
	for _, n := range at {
		fmt.Fprintf(&b, "%010d 00000 n \n", n)
	}
	fmt.Fprintf(&b, "trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF", len(at)+1, xref)
	_, err := Document(b.Bytes(), "application/pdf", Options{})
	if err == nil || !strings.Contains(err.Error(), "its pages hold pictures only") {
		t.Errorf("%v", err)
	}
}
