package extract

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// scannedPDF writes a PDF: a page for each text, and a picture in the place of "".
func scannedPDF(t *testing.T, pages ...string) []byte {
	t.Helper()
	var picture, out bytes.Buffer
	if err := jpeg.Encode(&picture, image.NewGray(image.Rect(0, 0, 300, 400)), nil); err != nil {
		t.Fatal(err)
	}
	objects := []string{"<</Type/Catalog/Pages 2 0 R/Lang(de)>>", "",
		"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
		fmt.Sprintf("<</Type/XObject/Subtype/Image/Width 300/Height 400/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/DCTDecode/Length %d>>stream\n%s\nendstream", picture.Len(), &picture)}
	kids := ""
	for _, text := range pages {
		content := "q 600 0 0 780 6 6 cm /P Do Q"
		if text != "" {
			content = "BT /F 12 Tf 72 700 Td (" + text + ") Tj ET"
		}
		n := len(objects)
		kids += fmt.Sprintf("%d 0 R ", n+1)
		objects = append(objects, fmt.Sprintf("<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents %d 0 R/Resources<</Font<</F 3 0 R>>/XObject<</P 4 0 R>>>>>>", n+2),
			fmt.Sprintf("<</Length %d>>stream\n%s\nendstream", len(content), content))
	}
	objects[1] = fmt.Sprintf("<</Type/Pages/Count %d/Kids[%s]>>", len(pages), kids)
	out.WriteString("%PDF-1.7\n")
	table := ""
	for i, o := range objects {
		table += fmt.Sprintf("%010d 00000 n \n", out.Len())
		fmt.Fprintf(&out, "%d 0 obj\n%s\nendobj\n", i+1, o)
	}
	fmt.Fprintf(&out, "xref\n0 %d\n0000000000 65535 f \n%strailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n", len(objects)+1, table, len(objects)+1, out.Len())
	return out.Bytes()
}

// recognizer finds the same text in each picture, and fails from the second on if it is so told.
func recognizer(t *testing.T, err error) func([]byte, string) ([]string, error) {
	n := 0
	return func(picture []byte, language string) ([]string, error) {
		if c, kind, err := image.DecodeConfig(bytes.NewReader(picture)); err != nil || c.Width != 300 || kind != "jpeg" || language != "de" {
			t.Errorf("a picture of %d pixels, %s, %q, %v", c.Width, kind, language, err)
		}
		if n++; err != nil && n > 1 {
			return nil, err
		}
		return []string{fmt.Sprintf("Picture %d.", n), "More."}, nil
	}
}

// TestScans: the text of pictures has its place among the other pages, also when another
// process reads the document, and the verdict says when some is missing.
func TestScans(t *testing.T) {
	late := errors.New("the time is over")
	for name, c := range map[string]struct {
		pages           []string
		err             error
		want, reason    string
		verdict         page.Verdict
		count, textless int
	}{
		"between":     {pages: []string{"First.", "", "Third."}, want: "First. Picture 1. More. Third.", count: 1, verdict: page.Complete},
		"only scans":  {pages: []string{"", ""}, want: "Picture 1. More. Picture 2. More.", count: 2, verdict: page.Complete},
		"one in time": {pages: []string{"", "Second.", ""}, err: late, want: "Picture 1. More. Second.", count: 1, reason: "the time is over", verdict: page.Partial, textless: 1},
		"many":        {pages: append([]string{"Text."}, make([]string, maxScans+1)...), verdict: page.Partial, textless: 1},
	} {
		for _, elsewhere := range []func(...[]byte) ([]byte, error){nil, func(r ...[]byte) ([]byte, error) { return Serve(bytes.Join(r, nil)), nil }} {
			p, err := Document(scannedPDF(t, c.pages...), "application/pdf", Options{Recognize: recognizer(t, c.err), Elsewhere: elsewhere})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			var got []string
			for _, b := range p.Blocks {
				got = append(got, page.InlineText(b.Inlines))
			}
			if s := strings.Join(got, " "); c.want != "" && (s != c.want || p.Recognized != c.count || p.Unrecognized != c.reason) || p.Verdict != c.verdict || p.Omitted(page.OmittedPages) != c.textless {
				t.Errorf("%s: %q, %q, %s, %v", name, s, p.Unrecognized, p.Verdict, p.Omissions)
			}
		}
	}
}

// TestScansWithoutText: a scan of which nothing can be recognized stays an error that names
// the reason.
func TestScansWithoutText(t *testing.T) {
	missing := errors.New("tesseract is not installed")
	_, err := Document(scannedPDF(t, ""), "application/pdf", Options{Recognize: func([]byte, string) ([]string, error) { return nil, missing }})
	var e *Error
	if !errors.As(err, &e) || e.Code != NoContent || !errors.Is(err, missing) || !errors.Is(err, errPictures) {
		t.Error(err)
	}
	if _, err = Document(scannedPDF(t, ""), "application/pdf", Options{Recognize: func([]byte, string) ([]string, error) { return nil, nil }}); !errors.As(err, &e) || e.Code != NoContent {
		t.Error(err)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 300, 400)), nil); err != nil {
		t.Fatal(err)
	}
	if p, err := Document([]byte("<svg><text>words</text></svg>"), "image/svg+xml", Options{Recognize: func([]byte, string) ([]string, error) { return nil, missing }}); err != nil || p.Unrecognized != "" {
		t.Error(p, err)
	}
	for _, text := range [][]string{nil, {"A sign."}} {
		p, err := Document(b.Bytes(), "image/jpeg", Options{Recognize: func([]byte, string) ([]string, error) { return text, nil }})
		if err != nil || len(p.Blocks) != 3+len(text) || p.Recognized != len(text) || p.Verdict != page.Complete {
			t.Error(p, err)
		}
	}
}
