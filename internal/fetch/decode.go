package fetch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"sync"
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
//   - Decoders come from pools and are never given back after a panic.

const (
	maxEncodings = 2
	// maxZstdWindow is what RFC 9659 section 3 asks of HTTP clients.
	maxZstdWindow = 8 << 20
	peekBytes     = 512
)

// decoders are pools, by format. The zero value is ready.
type decoders struct{ gzip, zlib, flate, brotli, zstd sync.Pool }

// decoder is one layer: it reads its source and gives decoded bytes.
type decoder interface {
	io.Reader
	// release gives the decoder back. It must not be read any more.
	release()
}

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
	layers   []decoder
	decoders *decoders
	limits   *limits
	wire     func() int64
	maxInner int64
}

// newPipe takes the encodings off r, the last applied first. wire tells how
// much was read of r; maxInner bounds what is between two layers. The caller
// calls release in any case.
func newPipe(d *decoders, l *limits, r io.Reader, encodings []string, wire func() int64, maxInner int64) (*pipe, error) {
	p := &pipe{decoders: d, limits: l, wire: wire, maxInner: maxInner}
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
	var layer decoder
	switch format := streamFormat(label, head); format {
	case "":
		return nil
	case "gzip":
		layer, err = p.decoders.newGzip(p.r, p.under)
	case "zlib":
		layer, err = p.decoders.newZlib(p.r, p.under)
	case "flate":
		layer, err = p.decoders.newFlate(p.r, p.under)
	case "br":
		layer, err = p.decoders.newBrotli(p.r, p.under)
	case "zstd":
		layer, err = p.decoders.newZstd(p.r, p.under)
	default:
		return &unknownEncoding{fmt.Sprintf("its content encoding %.32q is not known", label)}
	}
	if err != nil {
		return err
	}
	p.layers = append(p.layers, layer)
	p.source(&expansion{
		r: layer, limit: p.maxInner, ratio: p.limits.ratio, from: p.limits.ratioFrom, source: p.wire,
	}, 8<<10)
	return nil
}

func (p *pipe) release() {
	for _, l := range p.layers {
		l.release()
	}
	p.layers = nil
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

// layer is the common part of the decoders: it turns their errors into
// decodeErrors, and their panics too, should there be any. Errors of the source
// pass.
type layer struct {
	r      io.Reader
	format string
	source *stickyReader
	put    func()
	broken bool
}

func (l *layer) Read(p []byte) (n int, err error) {
	defer func() {
		if v := recover(); v != nil {
			l.broken = true
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

func (l *layer) release() {
	if !l.broken {
		l.put()
	}
	l.r = nil
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

func (d *decoders) newZlib(r *bufio.Reader, src *stickyReader) (decoder, error) {
	z, ok := d.zlib.Get().(io.ReadCloser)
	var err error
	if ok {
		err = z.(zlib.Resetter).Reset(r, nil)
	} else {
		z, err = zlib.NewReader(r)
	}
	if err != nil {
		return nil, startError("deflate", src, err)
	}
	return &layer{r: z, format: "deflate", source: src, put: func() {
		_ = z.(zlib.Resetter).Reset(nothing(), nil)
		d.zlib.Put(z)
	}}, nil
}

func (d *decoders) newFlate(r *bufio.Reader, src *stickyReader) (decoder, error) {
	z, ok := d.flate.Get().(io.ReadCloser)
	if ok {
		if err := z.(flate.Resetter).Reset(r, nil); err != nil {
			return nil, startError("deflate", src, err)
		}
	} else {
		z = flate.NewReader(r)
	}
	return &layer{r: z, format: "deflate", source: src, put: func() {
		_ = z.(flate.Resetter).Reset(nothing(), nil)
		d.flate.Put(z)
	}}, nil
}

func (d *decoders) newBrotli(r *bufio.Reader, src *stickyReader) (decoder, error) {
	z, ok := d.brotli.Get().(*brotli.Reader)
	if ok {
		_ = z.Reset(r) // always nil
	} else {
		z = brotli.NewReader(r)
	}
	return &layer{r: brotliReader{z}, format: "br", source: src, put: func() {
		_ = z.Reset(nothing())
		d.brotli.Put(z)
	}}, nil
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

func (d *decoders) newZstd(r *bufio.Reader, src *stickyReader) (decoder, error) {
	z, ok := d.zstd.Get().(*zstd.Decoder)
	var err error
	if ok {
		err = z.Reset(r)
	} else {
		// One goroutine: ours. Dictionaries are refused by having none.
		z, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxWindow(maxZstdWindow))
	}
	if err != nil {
		return nil, startError("zstd", src, err)
	}
	return &layer{r: z, format: "zstd", source: src, put: func() {
		if z.Reset(nil) == nil { // lets go of the source
			d.zstd.Put(z)
		}
	}}, nil
}

// newGzip reads all members of a gzip file (RFC 1952 section 2.2) and ignores
// what stands behind the last.
func (d *decoders) newGzip(r *bufio.Reader, src *stickyReader) (decoder, error) {
	z, ok := d.gzip.Get().(*gzip.Reader)
	var err error
	if ok {
		err = z.Reset(r)
	} else {
		z, err = gzip.NewReader(r)
	}
	if err != nil {
		return nil, startError("gzip", src, err)
	}
	z.Multistream(false)
	return &layer{r: &members{z, r, src}, format: "gzip", source: src, put: func() {
		_ = z.Reset(nothing()) // lets go of the source, and fails for want of a header
		d.gzip.Put(z)
	}}, nil
}

// members is the concatenation of the members of a gzip file. With gzip.Reader
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

func nothing() *bytes.Reader { return bytes.NewReader(nil) }

// startError is the failure of a decoder that had to read to begin.
func startError(format string, src *stickyReader, err error) error {
	if src.err != nil && src.err != io.EOF {
		return src.err
	}
	return &decodeError{format, err}
}
