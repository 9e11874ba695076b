package fetch

import (
	"bytes"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/tags"
)

// declaredInside returns the label of the encoding that a document declares in
// its first bytes, by an XML declaration or by <meta> (HTML standard, "prescan
// a byte stream to determine its encoding"), or "".
func declaredInside(b []byte) string {
	if label := xmlEncoding(b); label != "" {
		return insideLabel(label)
	}
	declared := ""
	tags.Each(b, true, func(name string, attrs map[string]string) (done bool) {
		if name != "meta" {
			return false
		}
		label := attrs["charset"]
		if label == "" && strings.EqualFold(attrs["http-equiv"], "content-type") {
			label = contentCharset(attrs["content"])
		}
		if _, known := lookup(label); known != "" {
			declared = insideLabel(label)
		}
		return declared != ""
	})
	return declared
}

// xmlEncoding returns the encoding of an XML declaration at the start of a
// document, or "".
func xmlEncoding(b []byte) string {
	if !bytes.HasPrefix(b, []byte("<?xml")) {
		return ""
	}
	decl, _, ok := bytes.Cut(b, []byte(">"))
	if !ok {
		return ""
	}
	_, v, _ := bytes.Cut(decl, []byte("encoding"))
	if v = bytes.TrimLeft(v, " \t\r\n"); len(v) < 2 || v[0] != '=' {
		return ""
	}
	if v = bytes.TrimLeft(v[1:], " \t\r\n"); len(v) < 2 || v[0] != '"' && v[0] != '\'' {
		return ""
	}
	label, _, ok := bytes.Cut(v[1:], v[:1])
	if !ok {
		return ""
	}
	return string(label)
}

// insideLabel corrects a label that a document gives for itself: what could be
// read cannot be UTF-16.
func insideLabel(label string) string {
	if _, name := lookup(label); strings.HasPrefix(name, "utf-16") {
		return "utf-8"
	}
	return label
}

// contentCharset finds "charset=" in the content of a pragma.
func contentCharset(s string) string {
	for {
		i := strings.Index(strings.ToLower(s), "charset")
		if i < 0 {
			return ""
		}
		s = strings.TrimLeft(s[i+len("charset"):], " \t\r\n\f")
		if !strings.HasPrefix(s, "=") {
			continue
		}
		s = strings.TrimLeft(s[1:], " \t\r\n\f")
		if s != "" && (s[0] == '"' || s[0] == '\'') {
			label, _, ok := strings.Cut(s[1:], s[:1])
			if !ok {
				return ""
			}
			return label
		}
		if i := strings.IndexAny(s, " \t\r\n\f;"); i >= 0 {
			s = s[:i]
		}
		return s
	}
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
