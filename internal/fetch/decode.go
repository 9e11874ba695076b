package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// Rules of this file:
//   - At most two encodings (T2). More are refused before a byte is read.
//   - The label is a hint: what a stream begins with decides between the
//     formats that have a mark, and text is left as it is.
//   - Between two layers there is the same guard as after the last one, so that
//     the outer layer cannot be a bomb that the inner one hides.

const (
	maxEncodings = 2
	// maxZstdWindow is what RFC 9659 section 3 asks of HTTP clients.
	maxZstdWindow = 8 << 20
	peekBytes     = 512
)

// errExpansion: the content is a decompression bomb, or near enough.
var errExpansion = errors.New("it expands to more than 100 times its size")

// decodeError is a stream that is not what its encoding says.
type decodeError struct {
	format string
	err    error
}

func (e *decodeError) Error() string {
	if errors.Is(e.err, io.ErrUnexpectedEOF) || errors.Is(e.err, io.EOF) {
		return "its " + e.format + " encoding breaks off"
	}
	return "its " + e.format + " encoding is damaged"
}
func (e *decodeError) Unwrap() error { return e.err }

// unknownEncoding is a label that nothing is known for, on a body that is not
// text.
type unknownEncoding struct{ words string }

func (e *unknownEncoding) Error() string { return e.words }

// expansion guards the output of a layer against bombs.
type expansion struct {
	r      io.Reader
	n      int64
	limit  int64 // for n; 0 means none
	ratio  int64
	from   int64
	source func() int64 // wire bytes so far
}

func (x *expansion) Read(p []byte) (int, error) {
	if x.n > x.from && x.n > x.ratio*x.source() || x.limit > 0 && x.n > x.limit {
		return 0, errExpansion
	}
	n, err := x.r.Read(p)
	x.n += int64(n)
	return n, err
}

// pipe is the content decoding of a body.
type pipe struct {
	r        *bufio.Reader // what is decoded so far
	under    *stickyReader // what r reads
	limits   *limits
	wire     func() int64
	maxInner int64
	layers   int // that were taken off
}

// newPipe takes the encodings off r, the last applied first. wire tells how
// much was read of r; maxInner bounds what is between two layers.
func newPipe(l *limits, r io.Reader, encodings []string, wire func() int64, maxInner int64) (*pipe, error) {
	p := &pipe{limits: l, wire: wire, maxInner: maxInner}
	p.source(r, 16<<10)
	if len(encodings) > maxEncodings {
		return p, &unknownEncoding{fmt.Sprintf("its content is encoded %d times", len(encodings))}
	}
	for i := len(encodings) - 1; i >= 0; i-- {
		if err := p.push(encodings[i]); err != nil {
			return p, err
		}
	}
	return p, nil
}

func (p *pipe) source(r io.Reader, size int) {
	p.under = &stickyReader{Reader: r}
	p.r = bufio.NewReaderSize(p.under, size)
}

// push takes off one encoding.
func (p *pipe) push(label string) error {
	head, err := p.r.Peek(peekBytes)
	if len(head) == 0 {
		if err == io.EOF {
			return nil // nothing is encoded as nothing
		}
		return err
	}
	format := streamFormat(label, head)
	switch format {
	case "":
		return nil
	case "?":
		return &unknownEncoding{fmt.Sprintf("its content encoding %.32q is not known", label)}
	}
	layer, err := p.layer(format)
	if err != nil {
		return err
	}
	p.source(&expansion{
		r: layer, limit: p.maxInner, ratio: p.limits.ratio, from: p.limits.ratioFrom, source: p.wire,
	}, 8<<10)
	return nil
}

// streamFormat decides what a stream is that was labelled so: "gzip", "zlib",
// "flate", "br", "zstd", "" for no encoding at all, "?" for an unknown one.
func streamFormat(label string, head []byte) string {
	switch {
	case isGzip(head):
		return "gzip"
	case bytes.HasPrefix(head, []byte("\x28\xb5\x2f\xfd")):
		return "zstd"
	case isPlain(head, label == "gzip" || label == "zstd"):
		return ""
	}
	switch label {
	case "deflate": // RFC 9110 section 8.4.1.2 means zlib; many servers send bare deflate
		if isZlib(head) {
			return "zlib"
		}
		return "flate"
	case "br", "zstd":
		return label
	case "gzip":
		if isZlib(head) {
			return "zlib"
		}
		return "gzip" // and fail there
	}
	return "?"
}

func isGzip(b []byte) bool {
	return len(b) >= 4 && b[0] == 0x1f && b[1] == 0x8b && b[2] == 8 && b[3]&0xe0 == 0
}

func isZlib(b []byte) bool {
	return len(b) >= 2 && b[0]&0x0f == 8 && b[0]>>4 <= 7 && (uint(b[0])<<8|uint(b[1]))%31 == 0
}

// isPlain says that b is text or a format that needs no encoding around it.
// Where an encoding has a mark that b lacks, any text will do; else it has to
// be long enough that compressed bytes look so once in a million times.
func isPlain(b []byte, marked bool) bool {
	if bytes.HasPrefix(b, []byte("%PDF-")) || bytes.HasPrefix(b, []byte("PK\x03\x04")) || bytes.HasPrefix(b, []byte("\x89PNG\r\n")) {
		return true
	}
	if !marked && len(b) < 16 && !bytes.HasPrefix(b, []byte("<")) && !bytes.HasPrefix(b, []byte("{")) {
		return false
	}
	for _, c := range b {
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' {
			return false
		}
	}
	return utf8.Valid(wholeRunes(b)) || startsMarkup(b)
}

func startsMarkup(b []byte) bool {
	b = bytes.TrimLeft(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), " \t\r\n")
	return hasPrefixFold(b, "<!doctype") || hasPrefixFold(b, "<html") || hasPrefixFold(b, "<?xml")
}

// layer returns a decoder of what is decoded so far. Decoders read their source to begin.
func (p *pipe) layer(format string) (l *layer, err error) {
	l = &layer{format: format, source: p.under}
	switch format {
	case "gzip":
		var z *gzip.Reader
		if z, err = gzip.NewReader(p.r); err == nil {
			z.Multistream(false)
			l.r = &members{z, p.r, p.under}
		}
	case "zlib":
		l.format = "deflate"
		l.r, err = zlib.NewReader(p.r)
	case "flate":
		l.format = "deflate"
		l.r = flate.NewReader(p.r)
	case "br":
		l.r = brotliReader{brotli.NewReader(p.r)}
	case "zstd":
		// One goroutine: ours. Dictionaries are refused by having none.
		l.r, err = zstd.NewReader(p.r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
	}
	switch {
	case err == nil:
		return l, nil
	case p.under.err != nil && p.under.err != io.EOF:
		return nil, p.under.err
	}
	return nil, &decodeError{l.format, err}
}

// layer is the common part of the decoders: it turns their errors into
// decodeErrors, and their panics too, should there be any. Errors of the source
// pass.
type layer struct {
	r      io.Reader
	format string
	source *stickyReader
}

func (l *layer) Read(p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			n, err = 0, &decodeError{l.format, fmt.Errorf("panic: %v", v)}
		}
	}()
	n, err = l.r.Read(p)
	switch {
	case err == nil || err == io.EOF:
	case l.source.err != nil && l.source.err != io.EOF:
		err = l.source.err // what the decoder makes of it tells less
	default:
		err = &decodeError{l.format, err}
	}
	return n, err
}

// stickyReader remembers how its source ended.
type stickyReader struct {
	io.Reader
	err error
}

func (s *stickyReader) Read(p []byte) (int, error) {
	n, err := s.Reader.Read(p)
	if err != nil {
		s.err = err
	}
	return n, err
}

// brotliReader takes bytes behind the end of the stream for what they are.
type brotliReader struct{ *brotli.Reader }

func (b brotliReader) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if err != nil && err.Error() == "brotli: excessive input" {
		err = io.EOF
	}
	return n, err
}

// members is the concatenation of the members of a gzip file (RFC 1952 section 2.2); what
// comes behind the last is ignored. With gzip.Reader
// doing it, nine bytes of garbage could not be told from a cut stream.
type members struct {
	z   *gzip.Reader
	r   *bufio.Reader
	src *stickyReader
}

func (m *members) Read(p []byte) (int, error) {
	for {
		n, err := m.z.Read(p)
		if err != io.EOF {
			return n, err
		}
		head, peekErr := m.r.Peek(4)
		if !isGzip(head) {
			if peekErr != nil && peekErr != io.EOF {
				m.src.err = peekErr
				return n, peekErr
			}
			return n, io.EOF
		}
		if err := m.z.Reset(m.r); err != nil {
			return n, err
		}
		m.z.Multistream(false)
		if n > 0 {
			return n, nil
		}
	}
}
