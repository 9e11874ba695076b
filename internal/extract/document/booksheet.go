package document

import (
	"bytes"
	"net/url"
	"path"
	"strings"
)

// This file prepares the chapters of a book for the reader of HTML: linked style
// sheets stand in the chapter, since they can hide text, and elements that XHTML
// writes as empty have an end, since HTML knows no such elements.

const (
	maxBookSheet  = 1 << 20  // bytes of one style sheet
	maxBookSheets = 16 << 20 // of those of all chapters together
)

// bookSheets reads the style sheets of a book.
type bookSheets struct {
	a      *archive
	byName map[string][]byte
	left   int
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
		b, _ = s.a.part(name) // a sheet that cannot be read hides nothing
		if len(b) > maxBookSheet {
			b = nil
		}
		b = s.imported(b, path.Dir(name), 0)
		b = bytes.ReplaceAll(b, []byte("</"), []byte(`<\/`))
		if s.byName == nil {
			s.byName = map[string][]byte{}
		}
		s.byName[name] = b
	}
	if s.left -= len(b); s.left < 0 {
		return nil
	}
	return b
}

// maxImports bounds how deep sheets import others, and how many one imports.
const (
	importDepth = 3
	maxImports  = 20
)

// imported is a style sheet of a folder with the sheets that it imports in their places.
func (s *bookSheets) imported(b []byte, dir string, depth int) []byte {
	if depth >= importDepth {
		return b
	}
	var before []byte
	rest := bytes.TrimSpace(b)
	for range maxImports {
		for bytes.HasPrefix(rest, []byte("/*")) || hasRule(rest, "@charset") {
			end := []byte("*/")
			if rest[0] == '@' {
				end = []byte(";")
			}
			_, after, ok := bytes.Cut(rest, end)
			if !ok {
				return append(before, rest...)
			}
			rest = bytes.TrimSpace(after)
		}
		if !hasRule(rest, "@import") {
			break
		}
		rule, after, ok := bytes.Cut(rest[len("@import"):], []byte(";"))
		if !ok {
			break
		}
		href, media := importOf(string(rule))
		name := path.Join(dir, href)
		if sheet, err := s.a.part(name); err == nil && len(sheet) > 0 && len(before)+len(sheet) <= maxBookSheet && !strings.Contains(href, ":") {
			sheet = s.imported(sheet, path.Dir(name), depth+1)
			if media != "" {
				sheet = []byte("@media " + media + "{" + string(sheet) + "}")
			}
			before = append(append(before, sheet...), '\n')
		}
		rest = bytes.TrimSpace(after)
	}
	if len(before) == 0 {
		return b
	}
	return append(before, rest...)
}

func hasRule(b []byte, name string) bool {
	return len(b) > len(name) && strings.EqualFold(string(b[:len(name)]), name)
}

// importOf is the address and the media query of an @import; layers and conditions of
// support are left out.
func importOf(rule string) (href, media string) {
	rule = strings.TrimSpace(rule)
	if inner, ok := strings.CutPrefix(rule, "url("); ok {
		href, media, _ = strings.Cut(inner, ")")
		href = strings.Trim(strings.TrimSpace(href), `"'`)
	} else if rule != "" && (rule[0] == '"' || rule[0] == '\'') {
		href, media, _ = strings.Cut(rule[1:], rule[:1])
	}
	return href, strings.TrimSpace(media)
}

// chapter returns a chapter of a folder of the book as HTML.
func (s *bookSheets) chapter(b []byte, dir string, xhtml bool) []byte {
	out := make([]byte, 0, len(b)+len(b)/8)
	if xhtml { // which has no quirks
		out = append(out, "<!doctype html>"...)
	}
	for len(b) > 0 {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			break
		}
		out, b = append(out, b[:i]...), b[i:]
		n := markupEnd(b)
		tag := b[:n]
		b = b[n:]
		name, attrs := tagName(tag)
		switch {
		case name == "link" && hasWord(attribute(attrs, "rel"), "stylesheet") && !hasWord(attribute(attrs, "rel"), "alternate"):
			if css := s.sheet(dir, attribute(attrs, "href")); css != nil {
				out = append(out, `<style media="`+strings.ReplaceAll(attribute(attrs, "media"), `"`, "")+`">`...)
				out = append(append(out, css...), "</style>"...)
			}
		case xhtml && name != "" && !isVoid(name) && bytes.HasSuffix(tag, []byte("/>")):
			out = append(append(out, tag[:len(tag)-2]...), "></"+name+">"...)
		case name == "style", name == "script":
			end := endOf(b, name)
			out, b = append(append(out, tag...), b[:end]...), b[end:]
		default:
			out = append(out, tag...)
		}
	}
	return append(out, b...)
}

// endOf is the offset of the end tag of an element, or the end of b.
func endOf(b []byte, name string) int {
	for at := 0; ; {
		i := bytes.Index(b[at:], []byte("</"))
		if i < 0 {
			return len(b)
		}
		at += i + 2
		if len(b)-at >= len(name) && strings.EqualFold(string(b[at:at+len(name)]), name) {
			return at - 2
		}
	}
}

// markupEnd is the length of the tag or comment that b begins with. A quotation
// mark hides ">" within a tag.
func markupEnd(b []byte) int {
	if bytes.HasPrefix(b, []byte("<!--")) {
		if i := bytes.Index(b[4:], []byte("-->")); i >= 0 {
			return i + 7
		}
		return len(b)
	}
	if len(b) < 2 || !isLetter(b[1]) {
		return 1
	}
	quote := byte(0)
	for i, c := range b {
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			quote = c
		case c == '>':
			return i + 1
		}
	}
	return len(b)
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

// tagName is the name of a start tag in lower case, and what follows it; "" for
// anything else.
func tagName(tag []byte) (string, string) {
	if len(tag) < 3 || !isLetter(tag[1]) {
		return "", ""
	}
	n := 1
	for n < len(tag) && !isSpace(tag[n]) && tag[n] != '/' && tag[n] != '>' {
		n++
	}
	return strings.ToLower(string(tag[1:n])), string(tag[n:])
}

// attribute is the value of an attribute in the rest of a tag; "" for none.
func attribute(s, name string) string {
	for s != "" {
		i := strings.IndexByte(s, '=')
		if i < 0 {
			return ""
		}
		key := strings.ToLower(strings.TrimSpace(s[:i]))
		s = strings.TrimLeft(s[i+1:], " \t\r\n")
		var v string
		switch {
		case strings.HasPrefix(s, `"`), strings.HasPrefix(s, "'"):
			v, s, _ = strings.Cut(s[1:], s[:1])
		default:
			end := strings.IndexAny(s, " \t\r\n>")
			if end < 0 {
				end = len(s)
			}
			v, s = s[:end], s[end:]
		}
		if f := strings.Fields(key); len(f) > 0 && f[len(f)-1] == name {
			return v
		}
	}
	return ""
}

func hasWord(s, word string) bool {
	for _, f := range strings.Fields(s) {
		if strings.EqualFold(f, word) {
			return true
		}
	}
	return false
}

// isVoid reports whether an element of HTML has no end tag.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}
