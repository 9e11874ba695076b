package worker

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A frame is a kind (one byte), a length (four bytes, big endian) and as many
// bytes. A worker begins with frameHello; then it gets frameAsk or frameProbe
// and answers each with frameReply. Any other order ends it.
const (
	frameHello = 'H' // from the worker: protocol, then the name of the service
	frameAsk   = 'A' // to the worker: milliseconds (eight bytes), then the request
	frameProbe = 'P' // to the worker: empty
	frameReply = 'R' // from the worker
)

// protocol changes with the frames.
const protocol = "spyhop-worker/1\n"

const maxRequest = 256 << 20

var errFrame = errors.New("a frame breaks the protocol")

// writeFrame writes a frame whose payload is in parts.
func writeFrame(w io.Writer, kind byte, parts ...[]byte) error {
	size := 0
	for _, p := range parts {
		size += len(p)
	}
	if size > maxRequest {
		return fmt.Errorf("a frame of %d bytes: %w", size, errFrame)
	}
	var head [5]byte
	head[0] = kind
	binary.BigEndian.PutUint32(head[1:], uint32(size))
	if _, err := w.Write(head[:]); err != nil {
		return err
	}
	for _, p := range parts {
		if _, err := w.Write(p); err != nil {
			return err
		}
	}
	return nil
}

// readFrame reads a frame of one of the kinds with at most so many bytes.
// Memory is taken as bytes arrive, not as the length promises them.
func readFrame(r io.Reader, most int, kinds ...byte) (kind byte, payload []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	size := binary.BigEndian.Uint32(head[1:])
	if bytes.IndexByte(kinds, head[0]) < 0 || uint64(size) > uint64(most) {
		return 0, nil, fmt.Errorf("a frame of kind %q with %d bytes: %w", head[0], size, errFrame)
	}
	const step = 1 << 20
	for len(payload) < int(size) {
		n := min(int(size)-len(payload), max(step, len(payload)))
		at := len(payload)
		payload = append(payload, make([]byte, n)...)
		if _, err := io.ReadFull(r, payload[at:]); err != nil {
			return 0, nil, err
		}
	}
	return head[0], payload, nil
}
