package document

import (
	"bytes"
	"encoding/base64"
	"strings"
)

// This file cuts a message into its parts: RFC 2045 and 2046. Mail on the web is
// often damaged, so that a missing boundary, a header that breaks off and junk
// within an encoding cost nothing but themselves.

const (
	maxMailParts = 2000 // with those that hold others
	maxMailDepth = 10
	maxMailText  = 16 << 20
)

// mailPart is a message or a part of one.
type mailPart struct {
	header     mailHeader
	mediaType  string // in lower case
	params     map[string]string
	name       string // of a file; "" for none
	attachment bool   // the sender wants it to be stored, not shown
	body       []byte // still encoded
	children   []*mailPart
	nested     *mailPart // the message that this part holds
	cut        bool      // parts are left out
}

// parse reads a part. fallback is the type of a part that does not say one.
func (r *mailReader) parse(raw []byte, fallback string, depth int) *mailPart {
	r.parts--
	p := &mailPart{}
	p.header, p.body = readMailHeader(raw)
	p.mediaType, p.params = mailValue(p.header.raw("Content-Type"))
	if !strings.Contains(p.mediaType, "/") {
		if p.mediaType = fallback; p.header.raw("Content-Type") != "" {
			p.mediaType = "text/plain"
		}
	}
	disposition, file := mailValue(p.header.raw("Content-Disposition"))
	p.attachment = disposition == "attachment"
	if p.name = file["filename"]; p.name == "" {
		p.name = p.params["name"]
	}
	switch {
	case strings.HasPrefix(p.mediaType, "multipart/"):
		r.split(p, depth)
	case p.mediaType == "message/rfc822", p.mediaType == "message/news", p.mediaType == "message/global":
		if depth >= maxMailDepth || r.parts <= 0 {
			p.cut = true
			return p
		}
		if inner := r.parse(p.decoded(), "text/plain", depth+1); len(inner.header) > 0 {
			p.nested = inner
		} else {
			p.mediaType = "text/plain"
		}
	case p.mediaType == "text/rfc822-headers", p.mediaType == "message/partial", p.mediaType == "message/external-body":
		p.mediaType, p.attachment = "text/plain", false
	}
	return p
}

// split cuts a multipart into its children.
func (r *mailReader) split(p *mailPart, depth int) {
	pieces := splitParts(p.body, p.params["boundary"])
	if len(pieces) == 0 {
		p.mediaType = "text/plain" // the boundary is missing: all of it is text
		return
	}
	if depth >= maxMailDepth {
		p.cut = true
		return
	}
	fallback := "text/plain"
	if p.mediaType == "multipart/digest" {
		fallback = "message/rfc822"
	}
	for _, piece := range pieces {
		if r.parts <= 0 {
			p.cut = true
			return
		}
		p.children = append(p.children, r.parse(piece, fallback, depth+1))
	}
}

// splitParts returns what stands between the lines of a boundary. Without a
// boundary the first line that looks like one is taken. A last part may lack its
// end.
func splitParts(body []byte, boundary string) [][]byte {
	var out [][]byte
	from := -1
	mark := []byte("--" + strings.TrimRight(boundary, " \t"))
	for at := 0; at < len(body); {
		end := len(body)
		if i := bytes.IndexByte(body[at:], '\n'); i >= 0 {
			end = at + i + 1
		}
		line := bytes.TrimRight(body[at:end], " \t\r\n")
		if len(mark) == 2 && len(line) > 3 && len(line) < 200 && bytes.HasPrefix(line, mark) && !bytes.ContainsAny(line, " \t") {
			mark = bytes.Clone(line)
		}
		if len(mark) > 2 && bytes.HasPrefix(line, mark) {
			rest := string(line[len(mark):])
			if rest == "" || rest == "--" {
				if from >= 0 {
					out = append(out, trimLineEnd(body[from:at]))
				}
				if from = end; rest == "--" {
					return out
				}
			}
		}
		at = end
	}
	if from >= 0 && from < len(body) {
		out = append(out, body[from:])
	}
	return out
}

// trimLineEnd removes the line end that belongs to the boundary after it.
func trimLineEnd(b []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(b, []byte("\n")), []byte("\r"))
}

const richest = 3

// rank says how rich an alternative is; 0 is what a mail program does not show
// in the place of a message.
func (p *mailPart) rank() int {
	switch {
	case p.attachment || p.nested != nil:
		return 0
	case p.mediaType == "text/html":
		return richest
	case p.mediaType == "text/plain", p.mediaType == "text/enriched", p.mediaType == "text/richtext":
		return 2
	case p.mediaType == "text/calendar", p.mediaType == "text/x-amp-html", p.mediaType == "text/watch-html":
		return 1
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

// decoded undoes the transfer encoding of a part.
func (p *mailPart) decoded() []byte {
	switch strings.ToLower(strings.TrimSpace(p.header.raw("Content-Transfer-Encoding"))) {
	case "base64":
		return decodeBase64(p.body)
	case "quoted-printable":
		return decodeQuotedPrintable(p.body)
	case "x-uuencode", "uuencode", "x-uue", "uue":
		return decodeUU(p.body)
	}
	return p.body
}

// decodeBase64 decodes what is base64 in b and ignores everything else. A
// quantum that breaks off gives the bytes that it holds.
func decodeBase64(b []byte) []byte {
	clean := make([]byte, 0, len(b))
	for _, c := range b {
		switch {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '+', c == '/':
			clean = append(clean, c)
		case c == '-':
			clean = append(clean, '+')
		case c == '_':
			clean = append(clean, '/')
		case c == '=' && len(clean)%4 > 1: // the end, or encodings one after the other
			for len(clean)%4 != 0 {
				clean = append(clean, '=')
			}
		}
	}
	if len(clean)%4 == 1 {
		clean = clean[:len(clean)-1]
	}
	for len(clean)%4 != 0 {
		clean = append(clean, '=')
	}
	// A padding in the middle ends an encoding: each is decoded by itself.
	out := make([]byte, 0, len(clean)/4*3)
	for len(clean) > 0 {
		n := len(clean)
		if i := bytes.IndexByte(clean, '='); i >= 0 {
			n = (i/4 + 1) * 4
		}
		piece := make([]byte, n/4*3)
		k, _ := base64.StdEncoding.Decode(piece, clean[:n])
		out = append(out, piece[:k]...)
		clean = clean[n:]
	}
	return out
}

// decodeQuotedPrintable undoes RFC 2045, section 6.7. An escape that is not one
// stays as it is.
func decodeQuotedPrintable(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for len(b) > 0 {
		line, rest, _ := bytes.Cut(b, []byte("\n"))
		ended := len(line) < len(b)
		b = rest
		line = bytes.TrimRight(line, " \t\r")
		soft := bytes.HasSuffix(line, []byte("="))
		if soft {
			line = line[:len(line)-1]
		}
		for i := 0; i < len(line); i++ {
			if line[i] == '=' && i+2 < len(line) {
				if hi, lo := hexValue(line[i+1]), hexValue(line[i+2]); hi >= 0 && lo >= 0 {
					out = append(out, byte(hi<<4|lo))
					i += 2
					continue
				}
			}
			out = append(out, line[i])
		}
		if ended && !soft {
			out = append(out, '\n')
		}
	}
	return out
}

func hexValue(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	}
	return -1
}

// decodeUU undoes uuencode. Lines before "begin" and after "end" are left out.
func decodeUU(b []byte) []byte {
	var out []byte
	began := false
	for line := range bytes.Lines(b) {
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case !began:
			began = bytes.HasPrefix(line, []byte("begin "))
			continue
		case string(line) == "end":
			return out
		case len(line) == 0:
			continue
		}
		n := int(line[0]-' ') & 63
		var quad [4]byte
		for i := 1; i < len(line) && n > 0; i += 4 {
			for k := range quad {
				quad[k] = 0
				if i+k < len(line) {
					quad[k] = (line[i+k] - ' ') & 63
				}
			}
			three := [3]byte{quad[0]<<2 | quad[1]>>4, quad[1]<<4 | quad[2]>>2, quad[2]<<6 | quad[3]}
			k := min(n, 3)
			out = append(out, three[:k]...)
			n -= k
		}
	}
	return out
}
