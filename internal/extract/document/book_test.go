package document_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

func epub(manifest, spine string, parts ...string) []byte {
	return zipOf(append([]string{"META-INF/container.xml", `<container><rootfile full-path="p.opf"/></container>`,
		"p.opf", `<package><metadata><dc:title>B</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo</dc:creator></metadata><manifest>` + manifest + `</manifest><spine>` + spine + `</spine></package>`}, parts...)...)
}

func TestBooks(t *testing.T) {
	const items = `<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="b.xhtml" media-type="application/xhtml+xml"/>`
	const both = `<itemref idref="a"/><itemref idref="b"/>`
	note := func(s string) string {
		return `<html><body><p>` + s + `<a epub:type="noteref" href="#n">1</a></p><aside epub:type="footnote" id="n"><p>note of ` + s + `</p></aside></body></html>`
	}
	const sealed = `<encryption><EncryptedData><CipherData><CipherReference URI="b.xhtml"/></CipherData></EncryptedData></encryption>`
	for _, c := range []struct {
		name    string
		body    []byte
		want    string
		verdict page.Verdict
	}{
		{"notes of chapters that number them alike", epub(items, both, "a.xhtml", note("one"), "b.xhtml", note("two")), "one[^1]\n\n[^1]: note of one\n\ntwo[^1-2]\n\n[^1-2]: note of two", page.Complete},
		{"a fallback", epub(items+`<item id="x" href="x.xml" media-type="application/x-dtbook+xml" fallback="b"/>`, `<itemref idref="x"/>`, "b.xhtml", "<p>two</p>", "x.xml", "<p/>"), "two", page.Complete},
		{"fallbacks in a circle", epub(items+`<item id="x" href="x.xml" media-type="a/b" fallback="y"/><item id="y" href="y.xml" media-type="a/b" fallback="x"/>`, `<itemref idref="a"/><itemref idref="x"/>`, "a.xhtml", "<p>one</p>"), "one", page.Partial},
		// Fixed bug: a chapter that is not in the file was left out of a complete book.
		{"a chapter that is missing", epub(items, both, "a.xhtml", "<p>one</p>"), "one", page.Partial},
		{"a chapter that is encrypted", epub(items, both, "META-INF/encryption.xml", sealed, "a.xhtml", "<p>one</p>", "b.xhtml", "\x01\x02#!garbage"), "one", page.Partial},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := extract.Document(c.body, "application/epub+zip", extract.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(markdown.Render(p, markdown.Options{})); got != c.want || p.Verdict != c.verdict {
				t.Errorf("got  %q (%s)\nwant %q (%s)", got, p.Verdict, c.want, c.verdict)
			}
			if p.Meta.Byline != "Ann, Bo" {
				t.Errorf("byline %q", p.Meta.Byline)
			}
		})
	}
	_, err := document.Read(epub(items, `<itemref idref="b"/>`, "META-INF/encryption.xml", sealed, "b.xhtml", "garbage"), "application/epub+zip", document.Options{Read: asText})
	var e *document.Error
	if !errors.As(err, &e) || e.Code != document.Malformed || !strings.Contains(e.Error(), "encrypted") {
		t.Errorf("a book that is encrypted: %v", err)
	}
}
