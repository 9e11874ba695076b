package model

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// The bounds of a stream. An event holds at most one call with its arguments;
// the longest replies of today's models are some 500 kB of text, and each token
// of them comes in an event of a few hundred bytes.
const (
	maxEvent  = 4 << 20
	maxStream = 64 << 20
)

// eventReader reads server-sent events (WHATWG HTML, section 9.2.6). It ignores
// fields other than event and data.
type eventReader struct {
	lines *bufio.Reader
	read  int
	// cr reports whether the last line ended in a carriage return: a line feed
	// that follows belongs to that line end.
	cr bool
}

func newEventReader(r io.Reader) *eventReader {
	return &eventReader{lines: bufio.NewReaderSize(r, 32<<10)}
}

// next returns the next event that has data; io.EOF at the end. An incomplete last
// event is returned too, because some servers leave out the last blank line; if
// data is missing, decoding it fails.
func (r *eventReader) next() (name string, data []byte, err error) {
	seen := false
	for {
		line, err := r.line()
		if err != nil {
			if errors.Is(err, io.EOF) && seen {
				return name, data, nil
			}
			return "", nil, err
		}
		if len(line) == 0 {
			if seen {
				return name, data, nil
			}
			name = ""
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "event":
			name = string(value)
		case "data":
			if seen {
				data = append(data, '\n')
			}
			if len(data)+len(value) > maxEvent {
				return "", nil, problem(Endless, "an event of more than %d bytes", maxEvent)
			}
			data, seen = append(data, value...), true
		}
	}
}

// line returns a line without its end, which is LF, CR or both.
func (r *eventReader) line() ([]byte, error) {
	var line []byte
	for {
		b, err := r.lines.ReadByte()
		if err != nil {
			if errors.Is(err, io.EOF) && len(line) > 0 {
				return line, nil
			}
			return nil, err
		}
		if r.read++; r.read > maxStream {
			return nil, problem(Endless, "more than %d bytes", maxStream)
		}
		cr := r.cr
		r.cr = b == '\r'
		switch {
		case b == '\n' && cr:
			continue
		case b == '\n', b == '\r':
			return line, nil
		}
		if len(line) >= maxEvent {
			return nil, problem(Endless, "a line of more than %d bytes", maxEvent)
		}
		line = append(line, b)
	}
}
