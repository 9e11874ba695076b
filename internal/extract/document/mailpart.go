package document

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/emersion/go-message"
	"github.com/emersion/go-message/textproto"
	"golang.org/x/net/html/charset"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// This file splits a message into parts. Header fields and transfer encodings
// are parsed by package message (RFC 2045, 5322). Charsets are decoded here,
// because many mails name one that is unknown or wrong.

// mailPart is a message or a part of one.
type mailPart struct {
	header     message.Header
	mediaType  string // in lower case
	params     map[string]string
	name       string // of a file; "" for none
	attachment bool   // the sender wants it to be stored, not shown
	body       []byte // decoded, in its charset; nil for a multipart
	children   []*mailPart
	nested     *mailPart // the message in a part such as message/rfc822
	cut        bool      // something was left out
}

// parse reads a message or a part. fallback is the type of a part without one.
func (r *mailReader) parse(raw []byte, fallback string, depth int) *mailPart {
	header, raw := readMailHeader(raw)
	r.parts--
	p := &mailPart{header: message.Header{Header: header}}
	p.mediaType, p.params = mailValue(header.Get("Content-Type"))
	if !strings.Contains(p.mediaType, "/") {
		p.mediaType = fallback
	}
	disposition, file := mailValue(header.Get("Content-Disposition"))
	p.attachment, p.name = disposition == "attachment", file["filename"]
	if p.name == "" {
		p.name = p.params["name"]
	}
	if strings.HasPrefix(p.mediaType, "multipart/") {
		if r.split(p, raw, depth); len(p.children) > 0 || p.cut {
			return p
		}
		p.mediaType = "text/plain" // its boundary is missing
	}
	e, err := message.New(p.header, bytes.NewReader(raw))
	switch {
	case message.IsUnknownEncoding(err):
		p.attachment, p.body = true, raw
	default:
		p.body, err = io.ReadAll(e.Body)
		p.cut = err != nil // it is damaged: what comes before is kept
	}
	switch p.mediaType {
	case "message/rfc822", "message/news", "message/global":
		if depth >= maxMailDepth || r.parts <= 0 {
			p.cut = true
		} else {
			p.nested = r.parse(p.body, "text/plain", depth+1)
		}
	case "text/rfc822-headers", "message/delivery-status", "message/partial", "message/external-body":
		p.mediaType, p.attachment = "text/plain", false
	}
	return p
}

// readMailHeader splits a message. A line that cannot be a header field begins
// the body. Fields are unfolded before package message parses them, because
// its cost grows with the square of the lines of a field.
func readMailHeader(raw []byte) (textproto.Header, []byte) {
	if bytes.HasPrefix(raw, []byte("From ")) || bytes.HasPrefix(raw, []byte(">From ")) { // the envelope of a mailbox
		_, raw, _ = bytes.Cut(raw, []byte("\n"))
	}
	end, body := len(raw), len(raw)
	for _, empty := range []string{"\n", "\r\n"} {
		if bytes.HasPrefix(raw, []byte(empty)) {
			return textproto.Header{}, raw[len(empty):]
		}
		if i := bytes.Index(raw[:end], []byte("\n"+empty)); i >= 0 {
			end, body = i+1, i+1+len(empty)
		}
	}
	head := []byte(unfold.Replace(string(raw[:min(end, maxMailHeader)])))
	source := bytes.NewReader(head)
	buffered := bufio.NewReader(source)
	header, err := textproto.ReadHeader(buffered)
	if err == nil || err == io.EOF {
		return header, raw[body:]
	}
	read := len(head) - source.Len() - buffered.Buffered()
	start := bytes.LastIndexByte(bytes.TrimRight(head[:read], "\n"), '\n') + 1
	return header, append(append(head[start:], '\n'), raw[body:]...)
}

// unfold joins the lines of a header field.
var unfold = strings.NewReplacer("\r\n ", " ", "\r\n\t", " ", "\n ", " ", "\n\t", " ", "\r\n", "\n")

// split parses the parts of a multipart: what is between the lines of its
// boundary (RFC 2046, section 5.1). The last one may lack its end.
func (r *mailReader) split(p *mailPart, raw []byte, depth int) {
	fallback := "text/plain"
	if p.mediaType == "multipart/digest" {
		fallback = "message/rfc822"
	}
	boundary := strings.TrimRight(p.params["boundary"], " \t")
	if boundary == "" {
		return
	}
	from := -1
	part := func(end int) (last bool) {
		if from < 0 {
			return false
		}
		if p.cut = r.parts <= 0 || depth >= maxMailDepth; !p.cut {
			piece := bytes.TrimSuffix(bytes.TrimSuffix(raw[from:end], []byte("\n")), []byte("\r"))
			p.children = append(p.children, r.parse(piece, fallback, depth+1))
		}
		return p.cut
	}
	at := 0
	for line := range bytes.Lines(raw) {
		if rest, ok := bytes.CutPrefix(line, []byte("--"+boundary)); ok {
			if end := string(bytes.TrimSpace(rest)); end == "" || end == "--" {
				if part(at) || end == "--" {
					return
				}
				from = at + len(line)
			}
		}
		at += len(line)
	}
	if from >= 0 && from < len(raw) {
		part(len(raw))
	}
}

// rank says how rich an alternative is; 0 is what a mail program does not show
// in place of the message.
func (p *mailPart) rank() int {
	switch {
	case p.attachment || p.nested != nil:
		return 0
	case p.mediaType == "text/html":
		return richest
	case p.mediaType == "text/plain":
		return richest - 1
	case strings.HasPrefix(p.mediaType, "multipart/"):
		best := 0
		for _, c := range p.children {
			best = max(best, c.rank())
		}
		return best
	case strings.HasPrefix(p.mediaType, "text/"):
		return 1
	}
	return 0
}

const richest = 3

// mailValue splits a header value with parameters. Values that break the rules
// of RFC 2045, e.g. a file name with spaces and without quotation marks, are
// split at their semicolons.
func mailValue(s string) (string, map[string]string) {
	if s == "" {
		return "", nil
	}
	value, params, err := mime.ParseMediaType(decodeCharset([]byte(s), ""))
	if err != nil {
		fields := strings.Split(s, ";")
		value, params = strings.ToLower(text.Line(fields[0])), map[string]string{}
		for _, field := range fields[1:] {
			name, v, _ := strings.Cut(field, "=")
			params[strings.ToLower(strings.TrimSpace(name))] = strings.Trim(v, " \t\"")
		}
	}
	for name, v := range params {
		params[name] = decodeWords(v)
	}
	return value, params
}

// text is a header field as one line; "" for none.
func (p *mailPart) text(name string) string { return text.Line(decodeWords(p.header.Get(name))) }

// decodeWords decodes the encoded words of RFC 2047.
func decodeWords(s string) string {
	d := mime.WordDecoder{CharsetReader: func(name string, input io.Reader) (io.Reader, error) {
		b, err := io.ReadAll(input)
		return strings.NewReader(decodeCharset(b, name)), err
	}}
	s = decodeCharset([]byte(s), "")
	if out, err := d.DecodeHeader(s); err == nil {
		return strings.ToValidUTF8(out, "\uFFFD")
	}
	return s
}

// decodedText is the text of a part in UTF-8.
func (p *mailPart) decodedText() string { return decodeCharset(p.body, p.params["charset"]) }

// decodeCharset converts bytes to UTF-8. What is UTF-8 beyond ASCII is nothing else,
// whatever its charset is said to be; an unknown charset is looked for in the bytes, as in
// those of HTML.
func decodeCharset(b []byte, name string) string {
	if utf8.Valid(b) && (name == "" || strings.ContainsFunc(string(b), func(r rune) bool { return r > unicode.MaxASCII })) {
		return string(b)
	}
	e, _, _ := charset.DetermineEncoding(b, "text/html; charset="+strings.Trim(name, " \t\"'"))
	s, err := e.NewDecoder().Bytes(b)
	if err != nil {
		s = b
	}
	return strings.ToValidUTF8(string(s), "\uFFFD")
}
