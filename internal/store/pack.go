package store

import (
	"bytes"
	"errors"
	"hash/crc32"
	"io"
	"sync"

	"github.com/klauspost/compress/flate"
)

// packer decompresses bodies, which pack compresses with DEFLATE (RFC 1951). The zero value is ready.
//
// Zstandard decompresses in half the time (0.2 ms for 100 KB) and its output is a
// sixth smaller. But its encoder adds 270 kB to the program, and building its
// tables takes a millisecond of a short run. The DEFLATE decompressor is in the
// program anyway, for the network.
type packer struct{ inflaters sync.Pool }

// pack returns s compressed, or s itself when that is not shorter. It reads s in parts: a
// copy of a large text is not in memory.
func pack[T string | []byte](s T) []byte {
	const part, before = 256 << 10, 8 << 10 // before is what a part is compressed with
	out := bytes.NewBuffer(make([]byte, 0, len(s)/3))
	var b []byte
	for at := 0; at < len(s); at += part {
		from, to := max(at-before, 0), min(at+part, len(s))
		b = append(b[:0], s[from:to]...)
		if len(s) < 64 || flate.StatelessDeflate(out, b[at-from:], to == len(s), b[:at-from]) != nil || out.Len() >= len(s) {
			return []byte(s)
		}
	}
	return out.Bytes()
}

// checksum returns the checksum of a row. The upper half is that of key and
// metadata, the lower half that of the body as it is stored.
func checksum(key, meta, body []byte) int64 {
	table := crc32.MakeTable(crc32.Castagnoli) // the package builds it only once
	head := crc32.Update(crc32.Update(0, table, key), table, meta)
	return int64(uint64(head)<<32 | uint64(crc32.Checksum(body, table)))
}

var errUnpack = errors.New("the body is not what was saved")

// unpack reverses pack; length is the length of the body before compression.
func (p *packer) unpack(b []byte, length int) ([]byte, error) {
	switch {
	case len(b) == length:
		return b, nil
	case len(b) > length || length > MaxBody:
		return nil, errUnpack
	}
	in := bytes.NewReader(b)
	r, ok := p.inflaters.Get().(io.ReadCloser)
	if !ok {
		r = flate.NewReader(in)
	} else if err := r.(flate.Resetter).Reset(in, nil); err != nil {
		return nil, errors.Join(errUnpack, err)
	}
	out := make([]byte, length+1) // one more byte, to detect a longer body
	n, err := io.ReadFull(r, out)
	if n != length || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) || in.Len() > 0 {
		return nil, errUnpack
	}
	p.inflaters.Put(r)
	return out[:length], nil
}
