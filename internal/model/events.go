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

// eventReader reads server-sent events (WHATWG HTML, section 9.2.6), of which only
// the field data is of use: each wire says in the data what it is.
type eventReader struct {
	lines *bufio.Scanner
	in    *io.LimitedReader
}

func newEventReader(r io.Reader) *eventReader {
	in := &io.LimitedReader{R: r, N: maxStream + 1}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 32<<10), maxEvent)
	return &eventReader{lines, in}
}

// next returns the data of the next event that has some; io.EOF at the end. An
// incomplete last event is returned too, because some servers leave out the last
// blank line; if data is missing, decoding it fails.
func (r *eventReader) next() (data []byte, err error) {
	seen := false
	for r.lines.Scan() {
		line := r.lines.Bytes()
		if len(line) == 0 && seen {
			return data, nil
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		if string(field) != "data" {
			continue
		}
		if seen {
			data = append(data, '\n')
		}
		data, seen = append(data, bytes.TrimPrefix(value, []byte(" "))...), true
		if len(data) > maxEvent {
			return nil, problem(Endless, "an event of more than %d bytes", maxEvent)
		}
	}
	switch err := r.lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, problem(Endless, "a line of more than %d bytes", maxEvent)
	case err != nil:
		return nil, err
	case r.in.N <= 0:
		return nil, problem(Endless, "more than %d bytes", maxStream)
	case seen:
		return data, nil
	}
	return nil, io.EOF
}
