package fetch

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

const (
	sniffBytes = 4 << 10
	// wireFactor bounds the wire bytes of an encoded body by those of the
	// decoded limit: more means that the encoding carries nothing.
	wireFactor = 2
)

// wireReader counts and bounds the bytes of a body.
type wireReader struct {
	body   io.Reader
	n      int64
	limit  int64 // for n; it grows when the type of the content is known
	report func(n int64)
	told   int64
}

func (w *wireReader) Read(p []byte) (int, error) {
	if w.n >= w.limit {
		return 0, errWire
	}
	n, err := w.body.Read(p)
	w.n += int64(n)
	if w.n-w.told >= progressBytes {
		w.told = w.n
		w.report(w.n)
	}
	return n, err
}

// errWire: an encoded body that is longer than any that could be of use.
var errWire = errors.New("its encoded form is too long")

// kind says how much of a content is read.
type kind uint8

const (
	textKind     kind = iota // up to MaxBytes, and converted to UTF-8
	imageKind                // up to MaxBytes
	documentKind             // whole, up to MaxDocumentBytes
	opaqueKind               // only the head
)

// read reads the body into res and decides what it is. It returns an *Error
// when there is nothing to give; what was cut is marked in res instead.
func (g *call) read(ctx context.Context, resp *http.Response, res *Response) error {
	res.MediaType = cmp.Or(res.DeclaredType, "text/plain")
	if res.Status == http.StatusNoContent || res.Status == http.StatusResetContent || res.Status == http.StatusNotModified {
		return nil
	}
	if isPart(resp) {
		res.cut("the server has sent only a part of it (206 Partial Content)")
	}
	limits := g.bodyLimits(res.Status)
	wire := g.wireOf(resp, res, limits)
	encodings := contentEncodings(resp.Header["Content-Encoding"])
	p, err := newPipe(&g.client.limits, wire, encodings, func() int64 { return wire.n }, wireFactor*limits.document+sniffBytes)
	defer func() { res.WireBytes = wire.n }()

	var body []byte
	if err == nil {
		body, err = p.head(len(encodings) == 0 && isTextType(res.DeclaredType))
	}
	head := decideType(res.DeclaredType, body)
	k := kindOf(head, body)
	limit := limits.of(k)
	if k == documentKind {
		wire.limit = wireFactor*limit + sniffBytes
		if p.layers == 0 && res.DeclaredBytes > limit && res.Status < 400 {
			return tooLarge(res, limit)
		}
	}
	if err == nil {
		expected := int64(0)
		if p.layers == 0 {
			expected = min(res.DeclaredBytes, limit) + 1
		}
		body, err = g.readRest(ctx, p.r, body, limit+1, expected)
	}
	res.DecodedBytes = int64(len(body))
	if int64(len(body)) > limit {
		// One byte beyond the limit says that there is more.
		body, err = body[:limit], nil
		res.DecodedBytes = limit
		if k == documentKind {
			return tooLarge(res, limit)
		}
		res.cut(fmt.Sprintf("only its first %d bytes were read", limit))
	}
	var failure *Error
	if err != nil && err != io.EOF {
		failure = g.broken(ctx, res, k, len(body) > 0, err)
	}
	g.finish(res, body, head)
	if failure == nil {
		return nil
	}
	if len(body) > 0 {
		failure.Response = res
	}
	return failure
}

// isPart reports whether a response is a part of what was requested, which was all of it
// (RFC 9110 section 15.3.7).
func isPart(resp *http.Response) bool {
	if resp.StatusCode != http.StatusPartialContent {
		return false
	}
	var from, to, of int64
	n, err := fmt.Sscanf(strings.TrimSpace(resp.Header.Get("Content-Range")), "bytes %d-%d/%d", &from, &to, &of)
	return err != nil || n < 3 || from > 0 || to+1 < of
}

// smallBody is how much of a body is read without asking for room.
const smallBody = 256 << 10

// readRest is readUpTo for a body whose head is b. A large one needs room in memory
// first: until there is some, what the site sends waits in its own system.
func (g *call) readRest(ctx context.Context, r io.Reader, b []byte, n, expected int64) ([]byte, error) {
	if g.client.options.Room == nil {
		return readUpTo(r, b, n, expected)
	}
	const small = smallBody + 1 // the last byte says that there is more
	if expected <= small {
		var err error
		if b, err = readUpTo(r, b, min(n, small), expected); err != nil || int64(len(b)) == n {
			return b, err
		}
	}
	done, err := g.client.options.Room(ctx, int(cmp.Or(expected, n)))
	if err != nil {
		return b, &noRoom{err}
	}
	defer done()
	return readUpTo(r, b, n, expected)
}

// noRoom: a large body found no room in memory.
type noRoom struct{ error }

func (e *noRoom) Unwrap() error { return e.error }

// bodyLimits are the most bytes of a body that are read, by its kind.
type bodyLimits struct{ text, document, opaque int64 }

func (g *call) bodyLimits(status int) bodyLimits {
	l := bodyLimits{g.req.MaxBytes, max(g.client.options.MaxDocumentBytes, g.req.MaxBytes), g.req.MaxBytes}
	if status >= 400 {
		l.text, l.document = min(l.text, maxErrorBodyBytes), min(l.document, maxErrorBodyBytes)
	}
	if status >= 400 || !g.req.Opaque {
		l.opaque = min(l.text, maxOpaqueBytes)
	}
	return l
}

func (l bodyLimits) of(k kind) int64 {
	switch k {
	case documentKind:
		return l.document
	case opaqueKind:
		return l.opaque
	}
	return l.text
}

// wireOf counts the bytes of an answer's body and reports them.
func (g *call) wireOf(resp *http.Response, res *Response, l bodyLimits) *wireReader {
	u := res.URL.WithoutFragment().String()
	return &wireReader{
		body: resp.Body, limit: wireFactor*l.text + sniffBytes,
		report: func(n int64) {
			g.client.observe(Event{Kind: eventProgress, URL: u, Status: res.Status, Length: res.DeclaredBytes, Bytes: n})
		},
	}
}

// head reads the first bytes of a body. Some servers compress a page and do not
// declare it: undeclared says that this may be such a page.
func (p *pipe) head(undeclared bool) ([]byte, error) {
	body, err := readUpTo(p.r, nil, sniffBytes, 0)
	if !undeclared || streamFormat("", body) != "gzip" {
		return body, err
	}
	rest := io.Reader(p.r)
	if err != nil {
		failed, end := io.Pipe() // p.r forgets how it ended
		_ = end.CloseWithError(err)
		rest = failed
	}
	p.source(io.MultiReader(bytes.NewReader(body), rest), 16<<10)
	if err := p.push("gzip"); err != nil {
		return body, err
	}
	return readUpTo(p.r, nil, sniffBytes, 0)
}

// broken decides about a body that did not come to its end: cut, which res is
// marked with, or failed.
func (g *call) broken(ctx context.Context, res *Response, k kind, some bool, err error) *Error {
	var e *Error
	var decode *decodeError
	var unknown *unknownEncoding
	var full *noRoom
	u := res.URL.String()
	switch {
	case errors.Is(err, errExpansion), errors.Is(err, errWire):
		e = &Error{Code: TooLarge, URL: u, Cause: err, cause: text.Cause(err)}
	case errors.As(err, &decode):
		e = &Error{Code: ParseError, URL: u, Cause: err, cause: text.Cause(err)}
	case errors.As(err, &unknown):
		return &Error{Code: UnsupportedContent, URL: u, Cause: err, cause: text.Cause(err)}
	case errors.As(err, &full):
		if e = g.failed(ctx, res.URL, "while waiting for room in memory", err); e.Code == ConnectionError {
			e.Code, e.cause, e.Hint = Timeout, text.Cause(full.error), "ask for fewer large pages at a time"
		}
	default:
		e = g.failed(ctx, res.URL, "while reading the body", err)
	}
	if !some || k == documentKind || e.Code == Cancelled || e.Code == Blocked {
		return e
	}
	res.incomplete = true
	res.cut(e.Error())
	return nil
}

// cut marks a response; the first reason stays.
func (r *Response) cut(why string) {
	if !r.Truncated {
		r.Truncated, r.TruncatedWhy = true, why
	}
}

func tooLarge(res *Response, limit int64) *Error {
	return &Error{
		Code: TooLarge, URL: res.URL.String(), cause: fmt.Sprintf("the document is longer than %d bytes", limit),
		Hint: "look for a shorter part of it, or for a page about it",
	}
}

// finish decides the type with all bytes at hand and converts text.
func (g *call) finish(res *Response, body []byte, head string) {
	if at := textEnd(body, head); at < len(body) {
		body = body[:at]
		res.cut(fmt.Sprintf("binary data begins after %d bytes", at))
	}
	res.Body, res.MediaType, res.Charset = decode(body, head, res.DeclaredType, charsetParam(res.Header.Get("Content-Type")), res.Truncated)
	// A byte of another encoding takes up to three in UTF-8, in Cyrillic pages about half more.
	if limit := g.bodyLimits(res.Status).text; res.Charset != "" && int64(len(res.Body))/3 > limit/2 {
		most := limit / 2 * 3
		res.Body = bytes.Clone(wholeRunes(res.Body[:most]))
		res.cut(fmt.Sprintf("its text is longer than %d bytes in UTF-8", most))
	}
}

// textEnd is where a body that begins as text ends as one.
func textEnd(body []byte, head string) int {
	if kindOf(head, body) == textKind {
		if at := binaryFrom(body); at > 0 {
			return at
		}
	}
	return len(body)
}

// decode decides the type again, by the whole body, and converts text. label
// is the charset that was declared outside of the body.
func decode(body []byte, head, declared, label string, truncated bool) (text []byte, mediaType, charset string) {
	mediaType = decideWhole(declared, head, body, truncated)
	if kindOf(mediaType, body) == textKind {
		body, charset = toUTF8(body, label, mediaType == typeHTML || isXMLType(mediaType), truncated)
	}
	return body, mediaType, charset
}

// Decode reads the bytes of a document that did not come over the wire as Get
// reads those that do: it decides the media type from a Content-Type value,
// which may be empty, and from the bytes, and converts text to UTF-8. charset
// is empty and text is body when the type is not a text type. It is pure.
func Decode(body []byte, contentType string) (text []byte, mediaType, charset string) {
	declared := declaredType(contentType)
	head := decideType(declared, body[:min(len(body), sniffBytes)])
	body = body[:textEnd(body, head)]
	return decode(body, head, declared, charsetParam(contentType), false)
}

// readUpTo appends to b until it holds n bytes; expected is how many there
// will be at most, 0 when unknown. It returns nil or how the reader ended.
func readUpTo(r io.Reader, b []byte, n, expected int64) ([]byte, error) {
	expected = min(expected, n)
	// A server that declares much and sends little costs a megabyte.
	if first := min(expected, 1<<20); int64(cap(b)) < first {
		b = append(make([]byte, 0, first), b...)
	}
	for int64(len(b)) < n {
		switch {
		case len(b) < cap(b):
		case int64(cap(b)) < expected:
			b = append(make([]byte, 0, expected), b...)
		default:
			b = append(b, 0)[:len(b)]
		}
		m, err := r.Read(b[len(b):min(int64(cap(b)), n)])
		b = b[:len(b)+m]
		if err != nil {
			return b, err
		}
	}
	return b, nil
}
