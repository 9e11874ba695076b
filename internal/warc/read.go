package warc

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Limits of an archive that is read.
const (
	maxHead    = 64 << 10 // bytes of a record's own header
	maxBlock   = maxBody + 2<<20
	maxRecords = 2_000_000
	// maxRatio bounds what an archive unpacks to, in relation to its size.
	maxRatio    = 200
	ratioFloor  = 64 << 20
	maxURIBytes = 8 << 10
	// maxAnswerHead is what is read of an answer to find its status and its type.
	maxAnswerHead = 16 << 10
)

// Error is an archive that cannot be used.
type Error struct{ Reason string }

func (e *Error) Error() string { return "the archive cannot be read: " + e.Reason }

// errTorn is the end of an archive whose last record was not written whole.
var errTorn = errors.New("the last record is torn")

// notHeld is an address that an archive does not hold. It has the form in which the
// policy's refusals are told: what is not there is not asked for elsewhere.
type notHeld struct{ URL string }

func (e *notHeld) Error() string { return "the archive does not hold " + e.URL }

// BlockedByPolicy says it to package fetch.
func (e *notHeld) BlockedByPolicy() (rule, reason, hint string) {
	return "replay", "the archive that is replayed does not hold this address", "read an address that it holds, or record this one with --record"
}

// Archive answers requests from an archive. It is safe for concurrent use.
type Archive struct {
	f     *os.File
	index map[string]entry // by address
	names []string         // the addresses, in the order of the file
}

// entry is a record within the file.
type entry struct {
	kind, uri, media string
	date             string
	at               int64 // of the record, in the file
	head, length     int64 // of its own header and of its block, unpacked
	packed           bool
	// status and content are those of the answer in a response; 0 and "" where its header
	// cannot be read.
	status  int
	content string // the media type, in lower case
}

// Open indexes an archive. Of several responses of one address, the last counts.
func Open(name string) (*Archive, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	a := &Archive{f: f, index: map[string]entry{}}
	_, err = scan(f, func(e entry) error {
		if e.kind != "response" || !strings.HasPrefix(e.media, "application/http") {
			return nil
		}
		if u, err := weburl.Parse(e.uri); err == nil {
			name := u.WithoutUserinfo().WithoutFragment().String()
			if _, known := a.index[name]; !known {
				a.names = append(a.names, name)
			}
			a.index[name] = e
		}
		return nil
	})
	if err != nil && !errors.Is(err, errTorn) {
		f.Close()
		return nil, err
	}
	if len(a.index) == 0 {
		f.Close()
		return nil, &Error{"it holds no response"}
	}
	return a, nil
}

// Close closes the file.
func (a *Archive) Close() error { return a.f.Close() }

// Len is how many addresses the archive holds.
func (a *Archive) Len() int { return len(a.index) }

// pageTypes are the media types of pages, and of documents that are read as pages. XML
// is left out, because a sitemap or a feed is about pages.
var pageTypes = []string{"text/html", "application/xhtml+xml", "text/markdown", "text/plain", "application/pdf", "application/epub+zip"}

// Pages are the addresses of pages in the order of the file: those that were answered
// with status 200 and a type of text or documents. robots.txt is not one.
func (a *Archive) Pages() []string {
	var out []string
	for _, name := range a.names {
		e := a.index[name]
		office := strings.HasPrefix(e.content, "application/vnd.o") // of OpenDocument and Office
		if e.status == http.StatusOK && (office || slices.Contains(pageTypes, e.content)) && !strings.HasSuffix(name, "/robots.txt") {
			out = append(out, name)
		}
	}
	return out
}

// scan calls each for the records of a file in order, and returns where the last
// whole one ends.
func scan(f *os.File, each func(entry) error) (end int64, err error) {
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := info.Size()
	if size == 0 {
		return 0, nil
	}
	var magic [2]byte
	if _, err := f.ReadAt(magic[:], 0); err != nil {
		return 0, &Error{"it is too short"}
	}
	packed := magic[0] == 0x1f && magic[1] == 0x8b
	left := max(size*maxRatio, ratioFloor) // what may be unpacked
	for n := 0; end < size; n++ {
		if n == maxRecords {
			return end, &Error{fmt.Sprintf("it has more than %d records", maxRecords)}
		}
		e, next, used, err := readEntry(f, end, size, packed)
		if err != nil {
			if n == 0 {
				return 0, &Error{"it does not begin with a WARC record"}
			}
			var bad *Error
			if errors.As(err, &bad) {
				return end, err
			}
			return end, errTorn
		}
		if left -= used; left < 0 {
			return end, &Error{"it unpacks to far more than its size"}
		}
		if err := each(e); err != nil {
			return end, err
		}
		end = next
	}
	return end, nil
}

// readEntry reads the record at an offset, and says where the next one is and how
// much was unpacked.
func readEntry(f *os.File, at, size int64, packed bool) (e entry, next, used int64, err error) {
	e = entry{at: at, packed: packed}
	raw := &counter{r: bufio.NewReader(io.NewSectionReader(f, at, size-at))}
	var in io.Reader = raw
	if packed {
		z, err := gzip.NewReader(raw)
		if err != nil {
			return e, 0, 0, err
		}
		z.Multistream(false)
		in = z
	}
	unpacked := &counter{r: bufio.NewReader(in)}
	if err := readHead(unpacked, &e); err != nil {
		return e, 0, 0, err
	}
	e.head = unpacked.n
	if e.kind == "response" {
		if err := e.readAnswer(unpacked); err != nil {
			return e, 0, 0, err
		}
	}
	if _, err := io.CopyN(io.Discard, unpacked, e.head+e.length+4-unpacked.n); err != nil { // CRLF CRLF
		return e, 0, 0, err
	}
	if packed {
		if n, err := io.Copy(io.Discard, io.LimitReader(unpacked, 1)); err != nil || n > 0 {
			if err == nil {
				err = &Error{"a compressed member has more than one record"}
			}
			return e, 0, 0, err
		}
		return e, at + raw.n, unpacked.n, nil
	}
	return e, at + e.head + e.length + 4, 0, nil
}

// counter counts the bytes that are read. As an io.ByteReader, it keeps gzip from
// reading ahead.
type counter struct {
	r *bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += int64(n)
	return n, err
}

func (c *counter) ReadByte() (byte, error) {
	b, err := c.r.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}

// line reads a line of at most so many bytes, without its end.
func (c *counter) line(most int64) (string, error) {
	var b []byte
	for {
		x, err := c.ReadByte()
		if err != nil {
			return "", err
		}
		if x == '\n' {
			return strings.TrimSuffix(string(b), "\r"), nil
		}
		if b = append(b, x); int64(len(b)) > most {
			return "", &Error{"a header is too long"}
		}
	}
}

func readHead(in *counter, e *entry) error {
	version, err := in.line(20)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(version, "WARC/1.") {
		return &Error{"a record does not begin with WARC/1"}
	}
	e.length = -1
	for {
		line, err := in.line(maxHead - in.n)
		if err != nil {
			return err
		}
		if line == "" {
			break
		}
		name, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		switch strings.ToLower(name) {
		case "warc-type":
			e.kind = value
		case "warc-target-uri":
			e.uri = strings.Trim(value, "<>") // as 1.0 was written
		case "warc-date":
			e.date = value
		case "content-type":
			e.media = value
		case "content-length":
			if e.length, err = strconv.ParseInt(value, 10, 64); err != nil || e.length < 0 {
				return &Error{"a length is not a number"}
			}
		}
	}
	switch {
	case e.length < 0:
		return &Error{"a record has no length"}
	case len(e.uri) > maxURIBytes:
		return &Error{"an address is too long"}
	case e.kind == "response" && e.length > maxBlock:
		return &Error{fmt.Sprintf("a response has more than %d bytes", maxBlock)}
	}
	return nil
}

// readAnswer reads the header of the answer in a response. One that is not HTTP, or is
// too long, leaves the entry without status; the error is that of the file.
func (e *entry) readAnswer(in *counter) error {
	head := make([]byte, min(e.length, maxAnswerHead))
	if _, err := io.ReadFull(in, head); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(head)), nil)
	if err != nil {
		return nil
	}
	answer.Body.Close()
	if media, _, err := mime.ParseMediaType(answer.Header.Get("Content-Type")); err == nil {
		e.content = media
	}
	e.status = answer.StatusCode
	return nil
}

// block reads the block of a response.
func (a *Archive) block(e entry) ([]byte, error) {
	in := io.Reader(io.NewSectionReader(a.f, e.at, 1<<62))
	if e.packed {
		z, err := gzip.NewReader(bufio.NewReader(in))
		if err != nil {
			return nil, err
		}
		z.Multistream(false)
		in = z
	}
	if _, err := io.CopyN(io.Discard, in, e.head); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	_, err := io.CopyN(&b, in, e.length)
	return b.Bytes(), err
}

// Transport answers requests from the archive. An address that it does not hold is a
// [notHeld]; a method but GET, and a request with credentials, too.
func (a *Archive) Transport() http.RoundTripper { return replayer{a} }

type replayer struct{ a *Archive }

func (r replayer) RoundTrip(q *http.Request) (*http.Response, error) {
	if q.Body != nil {
		q.Body.Close()
	}
	if err := context.Cause(q.Context()); err != nil {
		return nil, err
	}
	u, err := weburl.Parse(q.URL.String())
	if err != nil {
		return nil, &notHeld{q.URL.Redacted()}
	}
	name := u.WithoutUserinfo().WithoutFragment().String()
	held := q.Method == "" || q.Method == http.MethodGet
	for _, secret := range secretHeaders {
		held = held && len(q.Header.Values(secret)) == 0
	}
	e, ok := r.a.index[name]
	if !ok || !held {
		return nil, &notHeld{name}
	}
	block, err := r.a.block(e)
	if err != nil {
		return nil, &Error{"the record of an address is damaged"}
	}
	answer, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(block)), q)
	if err != nil {
		return nil, &Error{"the record of an address is not an HTTP response"}
	}
	for _, secret := range secretHeaders {
		answer.Header.Del(secret)
	}
	return answer, nil
}
