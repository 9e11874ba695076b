// Package jq provides jq's filter language over JSON documents from the web.
//
//	reply, err := workers.Do(ctx, jq.Request(".items[] | .name", body)...)
//	out, cut, err := jq.Reply(reply) // one result a line
//
// A filter and a document can be written to take all memory, which an interpreter cannot
// prevent: where that matters, a process with limits runs the filter. [Request] writes
// what such a process gets, [Serve] runs it there, [Reply] reads what comes back.
//
// # Guarantees
//
// A filter reads its input and nothing else: no environment, no files, no modules, no
// further input. It ends with its context. Its output is bounded.
//
// # Limits
//
// Results are compact JSON; there are no options of the command jq. [First] has no bounds of
// its own: it is for programs of ours, which take time and memory that are linear in the input.
package jq

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/itchyny/gojq"
	"github.com/spyhop-dev/spyhop/internal/text"
)

const (
	maxFilter = 4 << 10 // bytes
	maxOutput = 1 << 20 // bytes
	maxCause  = 300     // bytes of an error
	// maxTime bounds a filter where a process runs it.
	maxTime = 3 * time.Second
)

// Check reports whether a filter can be read. The error ends the sentence "the filter
// cannot be used: ".
func Check(filter string) error {
	if len(filter) > maxFilter {
		return fmt.Errorf("it has more than %d bytes", maxFilter)
	}
	_, err := compile(filter)
	return err
}

func compile(filter string) (*gojq.Code, error) {
	q, err := gojq.Parse(filter)
	if err != nil {
		return nil, err
	}
	return gojq.Compile(q, gojq.WithEnvironLoader(func() []string { return nil }))
}

// run applies a filter to each JSON value of a document, and returns the results, one a
// line. cut reports that there are more than are returned. The error is that of the
// filter, of the document, or of ctx.
func run(ctx context.Context, filter string, document []byte) (out string, cut bool, err error) {
	code, err := compile(filter)
	if err != nil {
		return "", false, err
	}
	var b strings.Builder
	d := json.NewDecoder(bytes.NewReader(document))
	d.UseNumber()
	for {
		var input any
		if err := d.Decode(&input); errors.Is(err, io.EOF) {
			return strings.TrimSuffix(b.String(), "\n"), false, nil
		} else if err != nil {
			return "", false, errors.New("the document is not JSON: " + err.Error())
		}
		results := code.RunWithContext(ctx, input)
		for {
			v, ok := results.Next()
			if !ok {
				break
			}
			if err, failed := v.(error); failed {
				return "", false, err
			}
			line, err := gojq.Marshal(v)
			if err != nil {
				return "", false, err
			}
			if b.Len()+len(line) > maxOutput {
				return strings.TrimSuffix(b.String(), "\n"), true, nil
			}
			b.Write(line)
			b.WriteByte('\n')
		}
	}
}

// mark begins a request: it is no request of another service of the same process.
const mark = "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xffjq"

// The kinds of a reply.
const (
	results byte = iota
	moreResults
	failed
)

// Request is a request for [Serve].
func Request(filter string, document []byte) [][]byte {
	return [][]byte{binary.AppendUvarint([]byte(mark), uint64(len(filter))), []byte(filter), document}
}

// Serve answers a request of [Request]; ok is false for another one.
func Serve(request []byte) (reply []byte, ok bool) {
	rest, ok := bytes.CutPrefix(request, []byte(mark))
	n, size := binary.Uvarint(rest)
	if !ok || size <= 0 || n > uint64(len(rest)-size) {
		return nil, false
	}
	ctx, cancel := context.WithTimeout(context.Background(), maxTime)
	defer cancel()
	rest = rest[size:]
	out, cut, err := run(ctx, string(rest[:n]), rest[n:])
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return append([]byte{failed}, fmt.Sprintf("it takes more than %s", maxTime)...), true
	case err != nil:
		return append([]byte{failed}, text.CutBytes(err.Error(), maxCause)...), true
	case cut:
		return append([]byte{moreResults}, out...), true
	}
	return append([]byte{results}, out...), true
}

// Reply reads a reply of [Serve], which is text from outside.
func Reply(reply []byte) (out string, cut bool, err error) {
	if len(reply) == 0 || reply[0] > failed || len(reply) > maxOutput+1 {
		return "", false, errors.New("the reply of the process breaks the protocol")
	}
	out = strings.ToValidUTF8(text.WithoutControls(string(reply[1:])), "\uFFFD")
	if reply[0] == failed {
		return "", false, errors.New(text.CutBytes(text.Line(out), maxCause))
	}
	return out, reply[0] == moreResults, nil
}

// First returns the first result of a program of ours over a value of the forms that
// encoding/json decodes into any, as JSON.
func First(program string, input any) ([]byte, error) {
	code, err := compile(program)
	if err != nil {
		return nil, err
	}
	v, ok := code.Run(input).Next()
	if !ok {
		return nil, errors.New("the program has no result")
	}
	if err, failed := v.(error); failed {
		return nil, err
	}
	return gojq.Marshal(v)
}
