package document

import (
	"bytes"
	"html"
	"net/url"
	"path"
	"strings"

	nethtml "golang.org/x/net/html"
)

// This file prepares the chapters of a book for the extraction of HTML: linked
// style sheets are put into the chapter, since they can hide text, and elements
// that XHTML writes as empty get an end tag.

// bookSheets has the style sheets of a book.
type bookSheets struct {
	a      *archive
	byName map[string][]byte
	left   int // bytes
}

// sheet is the style sheet at an address within the book; nil for none.
func (s *bookSheets) sheet(dir, href string) []byte {
	href, _, _ = strings.Cut(href, "#")
	if u, err := url.PathUnescape(href); err == nil {
		href = u
	}
	if href == "" || strings.Contains(href, ":") {
		return nil
	}
	name := path.Join(dir, href)
	b, ok := s.byName[name]
	if !ok {
		b, _ = s.a.part(name) // a sheet that cannot be unpacked hides nothing
		if len(b) > maxBookSheet {
			b = nil
		}
		b = bytes.ReplaceAll(b, []byte("</"), []byte(`<\/`))
		s.byName[name] = b
	}
	if s.left -= len(b); s.left < 0 {
		return nil
	}
	return b
}

// chapter returns a chapter in a folder of the book as HTML.
func (s *bookSheets) chapter(b []byte, dir string, xhtml bool) []byte {
	out := make([]byte, 0, len(b)+bytes.MinRead)
	if xhtml { // which has no quirks
		out = append(out, "<!doctype html>"...)
	}
	z := nethtml.NewTokenizer(bytes.NewReader(b))
	for z.Next() != nethtml.ErrorToken {
		raw := bytes.Clone(z.Raw())
		t := z.Token()
		if t.Type == nethtml.SelfClosingTagToken { // e.g. <title/>
			z.NextIsNotRawText()
		}
		switch selfClosing := t.Type == nethtml.SelfClosingTagToken; {
		case t.Data == "link" && (selfClosing || t.Type == nethtml.StartTagToken):
			if css := s.linked(t, dir); css != nil {
				out = append(out, css...)
			}
		case xhtml && selfClosing && !isVoid(t.Data):
			out = append(append(out, bytes.TrimSuffix(raw, []byte("/>"))...), "></"+t.Data+">"...)
		default:
			out = append(out, raw...)
		}
	}
	return out
}

// linked is the style sheet that an element links to, as a style element.
func (s *bookSheets) linked(link nethtml.Token, dir string) []byte {
	attrs := map[string]string{}
	for _, a := range link.Attr {
		attrs[a.Key] = a.Val
	}
	rel := " " + strings.ToLower(attrs["rel"]) + " "
	if !strings.Contains(rel, " stylesheet ") || strings.Contains(rel, " alternate ") {
		return nil
	}
	css := s.sheet(dir, attrs["href"])
	if css == nil {
		return nil
	}
	return append(append([]byte(`<style media="`+html.EscapeString(attrs["media"])+`">`), css...), "</style>"...)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// isVoid reports whether an element of HTML has no end tag.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}
