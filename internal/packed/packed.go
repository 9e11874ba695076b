// Package packed provides the texts that the program carries compressed. The text itself
// stands beside its packed form, for people and for tests:
//
//	//go:embed cases.jsonl.gz
//	var cases string
//
//	text, err := packed.Text(cases)
//
// The test of this package compares all of them, and writes the packed forms with the flag
// -update. Only texts that few commands need are packed: unpacking takes milliseconds.
package packed

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
)

// Text decompresses a text that is part of the program.
func Text(packed string) ([]byte, error) {
	z, err := gzip.NewReader(strings.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// pack compresses a text.
func pack(text []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level is a valid one
	_, _ = z.Write(text)                                  // a buffer takes all
	_ = z.Close()
	return b.Bytes()
}
