package fetch

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Rules of this file, after the WHATWG MIME Sniffing standard where it has a
// rule:
//   - The signature of a binary format overrides the declared type.
//   - Bytes that are not text never have a text type.
//   - Text with a declared type that is not text has a text type, or that of a
//     document format whose files are text (textDocument).
//   - A declared text type stays, with two exceptions: markup decides between
//     HTML, XML and feeds, and a whole HTML page is HTML.
//   - text/plain never becomes HTML: servers send source code with that type.
// X-Content-Type-Options is ignored: no content is executed here.

const (
	typeHTML   = "text/html"
	typeXHTML  = "application/xhtml+xml"
	typeXML    = "application/xml"
	typeRSS    = "application/rss+xml"
	typeAtom   = "application/atom+xml"
	typeSVG    = "image/svg+xml"
	typePlain  = "text/plain"
	typeJSON   = "application/json"
	typeFeed   = "application/feed+json"
	typePDF    = "application/pdf"
	typeZip    = "application/zip"
	typeGzip   = "application/gzip"
	typeOctets = "application/octet-stream"
	typeMail   = "message/rfc822"
	typeMbox   = "application/mbox"
	typeCSV    = "text/csv"
	typeTSV    = "text/tab-separated-values"
)

// decideType returns the media type for a declared type and the first bytes of a
// body (up to sniffBytes).
func decideType(declared string, head []byte) string {
	if len(head) == 0 {
		return orDefault(declared, typePlain)
	}
	if len(head) > sniffBytes {
		head = head[:sniffBytes]
	}
	text := isText(head)
	if s := signature(head, text); s != "" {
		switch {
		case s == typeZip && isZipType(declared), s == "application/x-ole-storage" && isOpaqueDocument(declared),
			strings.HasPrefix(s, "image/") && strings.HasPrefix(declared, "image/") && s == "image/heif",
			s == "video/mp4" && strings.HasPrefix(declared, "audio/"):
			return declared // it is more specific
		}
		return s
	}
	if !text {
		if declared == "" || isTextType(declared) {
			return typeOctets
		}
		return declared
	}
	return decideText(declared, head)
}

// decideText is decideType for bytes that are text.
func decideText(declared string, head []byte) string {
	if t := textDocument(declared, head); t != "" {
		return t
	}
	s, whole := markup(head)
	switch {
	case isGeneric(declared):
		return orDefault(s, typePlain)
	case declared == typePlain:
		if s != "" && s != typeHTML && s != typeXHTML && s != typeXML {
			return s // feeds are often sent as plain text
		}
		return declared
	case declared == typeHTML, declared == typeXHTML:
		if s == typeRSS || s == typeAtom {
			return s
		}
		return declared
	case isXMLType(declared):
		if s == typeXML || s == "" {
			return declared
		}
		return s
	case isTextType(declared):
		if whole {
			return s
		}
		return declared
	}
	return orDefault(s, typePlain) // an image that is text, and the like
}

// textDocument returns the type of a document format whose files are text: mail
// and tables, by a declared type of theirs. Mail that is declared as plain text,
// or as nothing, is known by its header. "" stands for other text.
func textDocument(declared string, head []byte) string {
	switch declared {
	case typeMail, "message/global", "message/news":
		return typeMail
	case typeMbox:
		return typeMbox
	case "application/csv", "application/x-csv", "text/x-csv", "text/comma-separated-values", "text/x-comma-separated-values":
		return typeCSV
	case "application/tab-separated-values", "text/x-tsv", "text/tsv":
		return typeTSV
	case "application/vnd.ms-excel", "application/msexcel", "application/x-msexcel", "application/excel":
		// Programs for the web send tables of all kinds with this type.
		if s, _ := markup(head); s == "" {
			if line, _, _ := bytes.Cut(head, []byte("\n")); bytes.ContainsAny(line, ",;\t|") {
				return typeCSV
			}
		}
	case typePlain:
		if isMail(head, true) {
			return typeMail
		}
	}
	if isGeneric(declared) && isMail(head, false) {
		return typeMail
	}
	return ""
}

// isMail reports whether text begins with the header of a message. strict asks
// for a field that only a mail server or a mail program writes: patches and
// notes begin with a few fields, too.
func isMail(head []byte, strict bool) bool {
	var m mailFields
	for first := true; len(head) > 0; first = false {
		line, rest, _ := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		head = rest
		switch {
		case len(line) == 0:
			return m.origin && (m.date || m.id) && m.count >= 3 && (m.id || !strict)
		case first && bytes.HasPrefix(line, []byte("From ")), !first && (line[0] == ' ' || line[0] == '\t'):
			// the envelope, or the rest of a field
		case !m.add(line):
			return false
		}
	}
	return m.origin && m.id && m.count >= 3 // the header goes on beyond what is looked at
}

// mailFields says which fields the header of a message has.
type mailFields struct {
	origin, date, id bool
	count            int
}

// add notes a field, and reports whether the line is one.
func (m *mailFields) add(line []byte) bool {
	name, _, ok := bytes.Cut(line, []byte(":"))
	if !ok || len(name) == 0 || bytes.ContainsAny(name, " \t\"<>{}()=") {
		return false
	}
	m.count++
	switch strings.ToLower(string(name)) {
	case "from", "return-path", "sender":
		m.origin = true
	case "date":
		m.date = true
	case "message-id", "received", "mime-version", "delivered-to":
		m.id = true
	}
	return true
}

// decideWhole corrects the type by what only the whole body shows.
func decideWhole(declared, head string, body []byte, truncated bool) string {
	switch head {
	case typeZip:
		return zipType(body)
	case typePlain, typeJSON:
		if len(body) == 0 || truncated || head == typePlain && !isGeneric(declared) && declared != typePlain {
			return head
		}
		trimmed := bytes.TrimLeft(body, " \t\r\n")
		if len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '[') && json.Valid(body) {
			if trimmed[0] == '{' && bytes.Contains(body[:min(len(body), 1024)], []byte("https://jsonfeed.org/version/")) {
				return typeFeed
			}
			return typeJSON
		}
	}
	return head
}

// kindOf says how a type is read.
func kindOf(mediaType string, head []byte) kind {
	switch {
	case isTextType(mediaType):
		return textKind
	case mediaType == typePDF, isZipType(mediaType):
		return documentKind
	case strings.HasPrefix(mediaType, "image/"), mediaType == typeMail, mediaType == typeMbox:
		return imageKind
	case len(head) == 0:
		return textKind
	}
	return opaqueKind
}

// isGeneric reports whether a declared type says nothing about the content.
func isGeneric(t string) bool {
	switch t {
	case "", typeOctets, "unknown/unknown", "application/unknown", "binary/octet-stream", "application/force-download", "application/x-download", "*/*":
		return true
	}
	return false
}

// isXMLType reports whether a type is XML (RFC 7303).
func isXMLType(t string) bool {
	return t == "text/xml" || t == typeXML || strings.HasSuffix(t, "+xml")
}

// isTextType reports whether content of a type is converted to UTF-8. Mail is
// not: each of its parts has its own encoding.
func isTextType(t string) bool {
	if strings.HasPrefix(t, "text/") || isXMLType(t) || strings.HasSuffix(t, "+json") || strings.HasSuffix(t, "+yaml") {
		return t != "text/rtf"
	}
	switch t {
	case typeJSON, "application/javascript", "application/ecmascript", "application/x-javascript", "application/x-ndjson", "application/ndjson",
		"application/jsonl", "application/x-jsonlines", "application/json-seq", "application/yaml", "application/x-yaml",
		"application/toml", "application/sql", "application/graphql", "application/x-sh", "application/x-tex",
		"application/x-latex", "application/xml-dtd", "application/x-httpd-php", "application/x-python", "application/x-perl",
		"application/x-ruby", "application/n-triples", "application/n-quads", "application/trig", "application/x-subrip",
		"application/x-www-form-urlencoded", "application/typescript", "application/x-patch", "application/xhtml",
		"application/pgp-signature", "application/pgp-keys", "application/x-pem-file", "application/vnd.apple.mpegurl":
		return true
	}
	return false
}

// isZipType reports whether files of a type are zip files.
func isZipType(t string) bool {
	return t == typeZip || t == "application/x-zip-compressed" || t == "application/java-archive" || strings.HasSuffix(t, "+zip") ||
		strings.HasPrefix(t, "application/vnd.openxmlformats-officedocument.") ||
		strings.HasPrefix(t, "application/vnd.oasis.opendocument.") ||
		strings.HasPrefix(t, "application/vnd.ms-") && strings.Contains(t, ".macroenabled.")
}

// isOpaqueDocument reports whether a type is a binary format of older office
// programs.
func isOpaqueDocument(t string) bool {
	return t == "application/msword" || strings.HasPrefix(t, "application/vnd.ms-") || t == "application/vnd.visio"
}

// binaryByte reports whether c is a "binary data byte" of the standard: a control
// character other than tab, line feed, form feed, return and ESC.
func binaryByte(c byte) bool {
	return c < 0x09 || c == 0x0b || c >= 0x0e && c <= 0x1a || c >= 0x1c && c <= 0x1f
}

// isText reports whether bytes are text in some encoding. For the standard, one
// binary byte means no; here one byte in twenty may be binary, because real pages
// have stray ones. Of random bytes, one in ten is binary.
func isText(b []byte) bool {
	if hasUnicodeMark(b) || utf16Pattern(b) != "" {
		return true
	}
	n := 0
	for _, c := range b {
		if binaryByte(c) {
			n++
		}
	}
	return n*20 <= len(b) || n == 1
}

// binaryFrom returns the offset at which text turns into binary data, in steps
// of 1 KiB; 0 when it does not, or begins with binary data.
func binaryFrom(b []byte) int {
	if hasUnicodeMark(b) || utf16Pattern(b) != "" {
		return 0
	}
	const chunk = 1 << 10
	for at := 0; at < len(b); at += chunk {
		n := 0
		part := b[at:min(at+chunk, len(b))]
		for _, c := range part {
			if binaryByte(c) {
				n++
			}
		}
		// A few bytes are harmless, usually NUL padding at the end.
		if n*20 > len(part) && len(part) > 64 {
			return at
		}
	}
	return 0
}

func hasUnicodeMark(b []byte) bool {
	return bytes.HasPrefix(b, []byte("\xef\xbb\xbf")) || bytes.HasPrefix(b, []byte("\xfe\xff")) || bytes.HasPrefix(b, []byte("\xff\xfe"))
}

// markup returns the type of text that begins like HTML, XML or a feed, or "".
// whole says that it begins as a whole page or XML document does, and not just
// with a tag.
func markup(b []byte) (mediaType string, whole bool) {
	switch name := utf16Pattern(b); {
	case name == "utf-16be", bytes.HasPrefix(b, []byte("\xfe\xff")):
		b = everySecond(b, 1)
	case name == "utf-16le", bytes.HasPrefix(b, []byte("\xff\xfe")):
		b = everySecond(b, 0)
	}
	b = bytes.TrimPrefix(b, []byte("\xef\xbb\xbf"))
	commented, xml := false, false
	for {
		b = bytes.TrimLeft(b, " \t\r\n\f\x00")
		switch {
		case hasPrefixFold(b, "<?xml") && len(b) > 5 && isSpace(b[5]):
			xml = true
			b = after(b, "?>")
		case bytes.HasPrefix(b, []byte("<?")):
			b = after(b, "?>") // for example the style sheet of a feed, or PHP source
		case bytes.HasPrefix(b, []byte("<!--")):
			commented = true
			b = after(b[4:], "-->")
		case hasPrefixFold(b, "<!doctype html"):
			if xml && bytes.Contains(b[:min(len(b), 200)], []byte("XHTML")) {
				return typeXHTML, true
			}
			return typeHTML, true
		case hasPrefixFold(b, "<!doctype"):
			b = after(b, ">")
		default:
			return rootType(b, xml, commented)
		}
	}
}

// rootType returns the type by the first element.
func rootType(b []byte, xml, commented bool) (string, bool) {
	if len(b) >= 2 && b[0] == '<' {
		n := 1
		for n < len(b) && n < 64 && !isSpace(b[n]) && b[n] != '>' && b[n] != '/' {
			n++
		}
		name := strings.ToLower(string(b[1:n]))
		if t := documentType(name, b[n:min(len(b), n+1024)], xml); t != "" {
			return t, true
		}
		commented = commented || isHTMLElement(name)
	}
	switch {
	case xml:
		return typeXML, true
	case commented:
		return typeHTML, false
	}
	return "", false
}

// documentType returns the type of a document by its root element; "" for an element
// that says nothing.
func documentType(root string, attributes []byte, xml bool) string {
	has := func(namespace string) bool { return bytes.Contains(attributes, []byte(namespace)) }
	switch {
	case root == "rss", root == "rdf:rdf" && has("http://purl.org/rss/1.0/"):
		return typeRSS
	case root == "feed" && (has("http://www.w3.org/2005/Atom") || has("http://purl.org/atom/ns#")):
		return typeAtom
	case root == "svg" && (xml || has("http://www.w3.org/2000/svg")):
		return typeSVG
	case root == "html" && xml:
		return typeXHTML
	case root == "html":
		return typeHTML
	}
	return ""
}

// isHTMLElement reports whether markup that begins with an element is HTML: the table
// of the standard, section 7.1, and a few more.
func isHTMLElement(name string) bool {
	switch name {
	case "head", "body", "title", "meta", "script", "iframe", "h1", "h2", "div", "font", "table", "a", "style", "b", "br", "p",
		"center", "main", "section", "article", "link", "base", "frameset", "noscript":
		return true
	}
	return false
}

// after returns what follows the first end in b, or nothing.
func after(b []byte, end string) []byte {
	_, rest, _ := bytes.Cut(b, []byte(end))
	return rest
}

func isSpace(c byte) bool { return c == ' ' || c >= '\t' && c <= '\r' }

// everySecond takes one half of UTF-16 code units, which is enough to see
// markup.
func everySecond(b []byte, from int) []byte {
	out := make([]byte, 0, len(b)/2)
	for i := from; i < len(b); i += 2 {
		out = append(out, b[i])
	}
	if len(out) > 0 && out[0] >= 0xfe {
		out = out[1:] // the byte order mark
	}
	return out
}

// hasPrefixFold is bytes.HasPrefix without regard to case.
func hasPrefixFold(b []byte, prefix string) bool {
	return len(b) >= len(prefix) && strings.EqualFold(string(b[:len(prefix)]), prefix)
}
