package document

import (
	"bytes"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
)

// This file reads header fields, encoded words and parameters: RFC 5322, 2047
// and 2231. encoding of the standard library refuses a whole header for one bad
// line; here a bad line costs only itself.

const (
	maxMailHeaders = 1000
	maxHeaderBytes = 64 << 10 // of one field
)

// mailField is one header field, unfolded and still encoded.
type mailField struct{ name, value string }

type mailHeader []mailField

// readMailHeader reads the fields at the start of a message or part and returns
// what follows the empty line after them. A line that cannot be a field ends
// the header and begins the body; so does a first line that is not a field.
func readMailHeader(b []byte) (mailHeader, []byte) {
	var h mailHeader
	for first := true; len(b) > 0; first = false {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		line = bytes.TrimSuffix(line, []byte("\r"))
		if first && (bytes.HasPrefix(line, []byte("From ")) || bytes.HasPrefix(line, []byte(">From "))) {
			b = rest // the envelope of a mailbox
			continue
		}
		if len(line) == 0 {
			return h, rest
		}
		if line[0] == ' ' || line[0] == '\t' {
			if isSpaceAlone(line, rest) {
				return h, rest
			}
			n := len(h)
			if n == 0 {
				return h, b
			}
			h[n-1].value, b = unfold(h[n-1].value, b)
			continue
		}
		name, value, ok := headerLine(line)
		if !ok {
			return h, b
		}
		if len(h) < maxMailHeaders {
			h = append(h, mailField{name, value})
		}
		b = rest
	}
	return h, nil
}

// isSpaceAlone reports whether a line of white space stands for the empty line that
// ends a header; rest is what follows.
func isSpaceAlone(line, rest []byte) bool {
	return len(bytes.TrimSpace(line)) == 0 && (len(rest) == 0 || rest[0] != ' ' && rest[0] != '\t') && !startsField(rest)
}

// unfold appends the lines at the start of b that continue a field to its value, and
// returns what follows them.
func unfold(value string, b []byte) (string, []byte) {
	out := []byte(value)
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		if isSpaceAlone(line, rest) {
			break
		}
		if len(out)+len(line) < maxHeaderBytes {
			out = append(append(out, ' '), bytes.TrimSpace(line)...)
		}
		b = rest
	}
	return string(out), b
}

// startsField reports whether the next line is a header field.
func startsField(b []byte) bool {
	line, _, _ := bytes.Cut(b, []byte("\n"))
	_, _, ok := headerLine(line)
	return ok
}

// headerLine cuts a line at its colon. A name has printable ASCII only; white
// space before the colon is allowed, as in RFC 822.
func headerLine(line []byte) (name, value string, ok bool) {
	i := bytes.IndexByte(line, ':')
	if i <= 0 || i > 128 {
		return "", "", false
	}
	key := bytes.TrimRight(line[:i], " \t")
	for _, c := range key {
		if c <= ' ' || c >= 0x7f {
			return "", "", false
		}
	}
	if len(key) == 0 {
		return "", "", false
	}
	v := bytes.TrimSpace(line[i+1:])
	return string(key), string(v[:min(len(v), maxHeaderBytes)]), true
}

// raw returns the first field with a name, still encoded; "" for none.
func (h mailHeader) raw(name string) string {
	for _, f := range h {
		if strings.EqualFold(f.name, name) {
			return f.value
		}
	}
	return ""
}

// text returns the first field with a name as one line of text.
func (h mailHeader) text(name string) string { return text.Line(decodeWords(h.raw(name))) }

// texts returns the fields with a name as text.
func (h mailHeader) texts(name string) []string {
	var out []string
	for _, f := range h {
		if strings.EqualFold(f.name, name) {
			out = append(out, decodeWords(f.value))
		}
	}
	return out
}

// decodeWords decodes the encoded words of RFC 2047. White space between two of
// them is removed. Bytes of neighbours in one charset are put together before
// they are decoded: some programs cut characters in two.
func decodeWords(s string) string {
	if !strings.Contains(s, "=?") {
		return decodeCharset([]byte(s), "")
	}
	var out strings.Builder
	var pending []byte
	charset, gap := "", ""
	flush := func() {
		out.WriteString(decodeCharset(pending, charset))
		pending, charset = nil, ""
	}
	for s != "" {
		i := strings.Index(s, "=?")
		if i < 0 {
			break
		}
		name, word, n := encodedWord(s[i:])
		if n == 0 {
			flush()
			out.WriteString(gap + decodeCharset([]byte(s[:i+2]), ""))
			s, gap = s[i+2:], ""
			continue
		}
		if between := gap + s[:i]; strings.TrimSpace(between) != "" || charset == "" {
			flush()
			out.WriteString(decodeCharset([]byte(between), ""))
		}
		if name != charset {
			flush()
		}
		charset, pending, gap, s = name, append(pending, word...), "", s[i+n:]
	}
	flush()
	out.WriteString(gap + decodeCharset([]byte(s), ""))
	return out.String()
}

// encodedWord reads the encoded word that s begins with; n is its length, or 0.
func encodedWord(s string) (charset string, word []byte, n int) {
	head, rest, ok := strings.Cut(s[2:], "?")
	if !ok || len(head) == 0 || len(head) > 64 || len(rest) < 2 || rest[1] != '?' || strings.ContainsAny(head, " \t") {
		return "", nil, 0
	}
	end := strings.Index(rest[2:], "?=")
	if end < 0 {
		return "", nil, 0
	}
	// A "=" that begins an escape of Q may follow a "?" of the text.
	body := rest[2 : 2+end]
	n = 2 + len(head) + 1 + 2 + end + 2
	charset, _, _ = strings.Cut(strings.ToLower(head), "*") // RFC 2231: a language follows
	switch rest[0] {
	case 'B', 'b':
		return charset, decodeBase64([]byte(body)), n
	case 'Q', 'q':
		var out []byte
		for i := 0; i < len(body); i++ {
			switch c := body[i]; {
			case c == '_':
				out = append(out, ' ')
			case c == '=' && i+2 < len(body) && hexValue(body[i+1]) >= 0 && hexValue(body[i+2]) >= 0:
				out = append(out, byte(hexValue(body[i+1])<<4|hexValue(body[i+2])))
				i += 2
			default:
				out = append(out, c)
			}
		}
		return charset, out, n
	}
	return "", nil, 0
}

// mailValue reads a value with parameters, such as that of Content-Type: the
// value in lower case, and the parameters by their names in lower case. Pieces
// and charsets of parameters are those of RFC 2231; encoded words occur in
// parameters too, although RFC 2047 forbids them.
func mailValue(s string) (string, map[string]string) {
	value, s, _ := strings.Cut(s, ";")
	value = strings.ToLower(text.Line(value))
	if i := strings.IndexAny(value, " ("); i > 0 {
		value = value[:i]
	}
	raw := map[string]string{}
	for s != "" && len(raw) < 200 {
		var name, v string
		name, v, s = mailParameter(s)
		if _, ok := raw[name]; name != "" && !ok {
			raw[name] = v
		}
	}
	out := map[string]string{}
	for name, v := range raw {
		base, _, _ := strings.Cut(name, "*")
		switch {
		case base == name:
			if _, ok := out[base]; !ok {
				out[base] = decodeWords(v)
			}
		case name == base+"*":
			out[base] = extendedValue(v, true)
		case name == base+"*0" || name == base+"*0*":
			out[base] = continued(raw, base)
		}
	}
	return value, out
}

// continued puts the pieces of a parameter together: name*0, name*1* and so on.
func continued(raw map[string]string, base string) string {
	var b strings.Builder
	charset := ""
	for i := range 200 {
		key := base + "*" + strconv.Itoa(i)
		v, encoded := raw[key+"*"]
		if !encoded {
			var ok bool
			if v, ok = raw[key]; !ok {
				break
			}
			b.WriteString(v)
			continue
		}
		if i == 0 {
			if c, rest, ok := strings.Cut(v, "'"); ok {
				charset = c
				_, v, _ = strings.Cut(rest, "'")
			}
		}
		b.WriteString(extendedValue(v, false))
	}
	return decodeCharset([]byte(b.String()), charset)
}

// extendedValue undoes the percent signs of RFC 2231. whole says that a charset
// and a language stand in front.
func extendedValue(v string, whole bool) string {
	charset := ""
	if c, rest, ok := strings.Cut(v, "'"); whole && ok {
		charset = c
		_, v, _ = strings.Cut(rest, "'")
	}
	out := make([]byte, 0, len(v))
	for i := 0; i < len(v); i++ {
		if v[i] == '%' && i+2 < len(v) && hexValue(v[i+1]) >= 0 && hexValue(v[i+2]) >= 0 {
			out = append(out, byte(hexValue(v[i+1])<<4|hexValue(v[i+2])))
			i += 2
			continue
		}
		out = append(out, v[i])
	}
	if !whole {
		return string(out)
	}
	return decodeCharset(out, charset)
}

// mailParameter cuts one parameter off the front of s. A value without
// quotation marks ends at the next semicolon.
func mailParameter(s string) (name, value, rest string) {
	end := strings.IndexAny(s, "=;")
	if end < 0 || s[end] == ';' {
		if end < 0 {
			return "", "", ""
		}
		return "", "", s[end+1:]
	}
	name = strings.ToLower(strings.TrimSpace(s[:end]))
	s = strings.TrimLeft(s[end+1:], " \t")
	if !strings.HasPrefix(s, `"`) {
		value, rest, _ = strings.Cut(s, ";")
		return name, strings.TrimSpace(value), rest
	}
	var b strings.Builder
	i := 1
	for ; i < len(s) && s[i] != '"'; i++ {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		b.WriteByte(s[i])
	}
	_, rest, _ = strings.Cut(s[min(i, len(s)):], ";")
	return name, b.String(), rest
}

// decodedText is the text of a part in UTF-8.
func (p *mailPart) decodedText() string {
	body := p.decoded()
	charset := p.params["charset"]
	if charset == "" && p.mediaType == "text/html" {
		charset = declaredCharset(body)
	}
	return decodeCharset(body, charset)
}

// declaredCharset is the charset that the head of an HTML part names, or "".
func declaredCharset(b []byte) string {
	head := strings.ToLower(string(b[:min(len(b), 2048)]))
	_, v, ok := strings.Cut(head, "charset=")
	if !ok {
		return ""
	}
	v = strings.TrimLeft(v, `"' `)
	return v[:len(v)-len(strings.TrimLeft(v, "abcdefghijklmnopqrstuvwxyz0123456789-_:."))]
}

// decodeCharset converts bytes to UTF-8. A charset that is not known or not
// true is replaced by UTF-8, or by windows-1252 where they are not UTF-8.
func decodeCharset(b []byte, charset string) string {
	charset = strings.ToLower(strings.Trim(charset, " \t\"'"))
	switch charset {
	case "", "utf-8", "utf8", "us-ascii", "ascii", "unknown-8bit", "8bit", "default_charset", "default":
		if utf8.Valid(b) {
			return string(b)
		}
		if strings.HasPrefix(charset, "utf") {
			return strings.ToValidUTF8(string(b), "\uFFFD")
		}
	default:
		if e, err := htmlindex.Get(charset); err == nil {
			if s, err := io.ReadAll(e.NewDecoder().Reader(bytes.NewReader(b))); err == nil {
				return string(s)
			}
		}
		if utf8.Valid(b) {
			return string(b)
		}
	}
	s, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(s)
}
