package frontier

import (
	"encoding/binary"
	"errors"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packer makes the frame of a body: its checksum, and its bytes compressed with
// zstd. The zero value is ready.
type packer struct {
	once    sync.Once
	encoder *zstd.Encoder
	decoder *zstd.Decoder
	err     error
}

func (p *packer) init() {
	p.once.Do(func() {
		if p.encoder, p.err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false), zstd.WithWindowSize(1<<20)); p.err != nil {
			return
		}
		p.decoder, p.err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*MaxBody))
	})
}

func (p *packer) close() {
	if p.decoder != nil {
		p.decoder.Close()
	}
}

const headBytes = 5 // the checksum, and 1 where the rest is compressed

func (p *packer) pack(body []byte) []byte {
	p.init()
	frame := make([]byte, headBytes, headBytes+len(body))
	if p.err == nil && len(body) >= 128 {
		if frame = p.encoder.EncodeAll(body, frame); len(frame) < headBytes+len(body) {
			frame[4] = 1
		} else {
			frame = frame[:headBytes]
		}
	}
	if frame[4] == 0 {
		frame = append(frame, body...)
	}
	binary.LittleEndian.PutUint32(frame, crc32.Checksum(frame[4:], crc32.MakeTable(crc32.Castagnoli)))
	return frame
}

func (p *packer) unpack(frame []byte) ([]byte, error) {
	p.init()
	if len(frame) < headBytes || binary.LittleEndian.Uint32(frame) != crc32.Checksum(frame[4:], crc32.MakeTable(crc32.Castagnoli)) {
		return nil, errors.New("its checksum is wrong")
	}
	if frame[4] == 0 {
		return frame[headBytes:], nil
	}
	if p.err != nil {
		return nil, p.err
	}
	return p.decoder.DecodeAll(frame[headBytes:], nil)
}
