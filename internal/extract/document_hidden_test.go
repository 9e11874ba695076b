package extract

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// TestHiddenInDocuments: what the HTML within a document hides is left out and
// counted as on a page.
func TestHiddenInDocuments(t *testing.T) {
	mail := func(html string) []byte {
		return []byte("Subject: s\r\nContent-Type: text/html\r\n\r\n" + html)
	}
	book := func(chapter string) []byte {
		var b bytes.Buffer
		w := zip.NewWriter(&b)
		for _, f := range [][2]string{
			{"META-INF/container.xml", `<container><rootfiles><rootfile full-path="OPS/p.opf"/></rootfiles></container>`},
			{"OPS/p.opf", `<package><manifest><item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`},
			{"OPS/text/a.xhtml", chapter},
		} {
			part, err := w.Create(f[0])
			if err == nil {
				_, err = part.Write([]byte(f[1]))
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	const epub = "application/epub+zip"
	for _, c := range []struct {
		name, mediaType string
		body            []byte
		kind            page.OmissionKind
	}{
		{"mail: display", "message/rfc822", mail(`<p>SHOWN<p style="display:none">HIDDEN`), page.HiddenDisplay},
		{"mail: nothing waits for scripts", "message/rfc822", mail(`<p>SHOWN<p style="opacity:0">` + strings.Repeat("HIDDEN ", 50) + `<script>x</script>`), page.HiddenOpacity},
		{"mail: a style sheet", "message/rfc822", mail(`<style>.a{display:none}</style><p>SHOWN<p class=a>HIDDEN`), page.HiddenDisplay},
		{"book: an attribute", epub, book(`<html><body><p>SHOWN</p><p hidden="hidden">HIDDEN</p></body></html>`), page.HiddenDisplay},
		{"mail: an alternative that no program shows", "message/rfc822", []byte("Subject: s\r\nContent-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n\r\nHIDDEN\r\n--b\r\nContent-Type: text/html\r\n\r\n<p>SHOWN<p hidden>HIDDEN\r\n--b--"), page.HiddenDisplay},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Document(c.body, c.mediaType, Options{URL: "https://example.com/d"})
			if err != nil {
				t.Fatal(err)
			}
			if s := markdown.PlainText(p); strings.Contains(s, "HIDDEN") || !strings.Contains(s, "SHOWN") {
				t.Errorf("text %q", s)
			}
			if p.Omitted(c.kind) == 0 {
				t.Errorf("omissions %v, want %s", p.Omissions, c.kind)
			}
		})
	}
}
