package fetch

import (
	"bytes"
	"strings"
)

// declaredInside returns the label of the encoding that a document declares in
// its first bytes, by an XML declaration or by <meta> (HTML standard, "prescan
// a byte stream to determine its encoding"), or "".
func declaredInside(b []byte) string {
	if label := xmlEncoding(b); label != "" {
		return insideLabel(label)
	}
	declared := ""
	walkTags(b, func(b []byte) (rest []byte, done bool) {
		if !isTag(b, "meta") {
			return b, false
		}
		label, rest := metaCharset(b[len("<meta"):])
		if _, name := lookup(label); label != "" && name != "" {
			declared = insideLabel(label)
		}
		return rest, declared != ""
	})
	return declared
}

// walkTags calls tag with what begins at each tag of a document, comments and
// declarations left out, until it is done. tag returns what follows what it has read; a tag
// that it returns as it was is passed over.
func walkTags(b []byte, tag func(b []byte) (rest []byte, done bool)) {
	for {
		i := bytes.IndexByte(b, '<')
		if i < 0 {
			return
		}
		b = b[i:]
		rest, done := b, false
		if len(b) > 1 && isLetter(b[1]) {
			rest, done = tag(b)
		}
		switch {
		case done:
			return
		case len(rest) < len(b):
			b = rest
		case bytes.HasPrefix(b, []byte("<!--")):
			// "<!-->" is a whole comment.
			b = after(b[2:], "-->")
		case len(b) > 1 && (b[1] == '!' || b[1] == '?'):
			b = after(b, ">")
		case len(b) > 1 && (isLetter(b[1]) || b[1] == '/' && len(b) > 2 && isLetter(b[2])):
			b = afterTag(b)
		default:
			b = b[1:]
		}
	}
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

// afterTag returns what follows the tag at the start of b.
func afterTag(b []byte) []byte {
	for len(b) > 0 && !isSpace(b[0]) && b[0] != '>' {
		b = b[1:]
	}
	for more := true; more; {
		_, _, b, more = attribute(b)
	}
	return b
}

// insideLabel corrects a label that a document gives for itself: what could be
// read cannot be UTF-16.
func insideLabel(label string) string {
	if _, name := lookup(label); strings.HasPrefix(name, "utf-16") {
		return "utf-8"
	}
	return label
}

// metaCharset reads the attributes of a meta element and returns the label that
// they give, or "", and what follows the element.
func metaCharset(b []byte) (string, []byte) {
	var charset, content string
	pragma := false
	for {
		name, value, rest, more := attribute(b)
		b = rest
		if !more {
			break
		}
		switch name {
		case "charset":
			charset = value
		case "http-equiv":
			pragma = strings.EqualFold(value, "content-type")
		case "content":
			content = value
		}
	}
	if charset == "" && pragma {
		charset = contentCharset(content)
	}
	return charset, b
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

// attribute reads one attribute of a tag (HTML standard, "get an attribute");
// more is false at the end of the tag. The name is in lower case.
func attribute(b []byte) (name, value string, rest []byte, more bool) {
	for len(b) > 0 && (isSpace(b[0]) || b[0] == '/') {
		b = b[1:]
	}
	if len(b) == 0 {
		return "", "", nil, false
	}
	if b[0] == '>' {
		return "", "", b[1:], false
	}
	i := 1 // a leading "=" belongs to the name
	for i < len(b) && b[i] != '=' && b[i] != '>' && b[i] != '/' && !isSpace(b[i]) {
		i++
	}
	name, b = strings.ToLower(string(b[:i])), b[i:]
	spaces := bytes.TrimLeft(b, " \t\r\n\f")
	if len(spaces) == 0 || spaces[0] != '=' {
		return name, "", b, true
	}
	b = bytes.TrimLeft(spaces[1:], " \t\r\n\f")
	if len(b) == 0 {
		return name, "", nil, true
	}
	if q := b[0]; q == '"' || q == '\'' {
		v, rest, ok := bytes.Cut(b[1:], b[:1])
		if !ok {
			return "", "", nil, false
		}
		return name, string(v), rest, true
	}
	i = 0
	for i < len(b) && b[i] != '>' && !isSpace(b[i]) {
		i++
	}
	return name, string(b[:i]), b[i:], true
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
