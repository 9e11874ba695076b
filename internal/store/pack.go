package store

import (
	"errors"
	"hash/crc32"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packer compresses bodies. Its zero value is ready; the coders are made when
// they are first needed.
type packer struct {
	enc struct {
		once sync.Once
		*zstd.Encoder
	}
	dec struct {
		once sync.Once
		*zstd.Decoder
	}
}

// packWindow bounds the memory of the encoder, and so what its first use costs:
// 2 ms with 512 KiB, 1 ms with this.
const packWindow = 128 << 10

// pack returns b compressed, or b itself where that is not shorter.
func (p *packer) pack(b []byte) ([]byte, error) {
	if len(b) < 64 {
		return b, nil
	}
	var err error
	p.enc.once.Do(func() {
		p.enc.Encoder, err = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest),
			zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(packWindow), zstd.WithLowerEncoderMem(true), zstd.WithEncoderCRC(false)) // rows have their own
	})
	if p.enc.Encoder == nil {
		return b, err
	}
	if packed := p.enc.EncodeAll(b, make([]byte, 0, len(b)/3)); len(packed) < len(b) {
		return packed, nil
	}
	return b, nil
}

// checksum is that of a row: of key and meta in its upper half, of the body as
// it is stored in its lower one.
func checksum(key, meta, body []byte) int64 {
	table := crc32.MakeTable(crc32.Castagnoli) // made once
	head := crc32.Update(crc32.Update(0, table, key), table, meta)
	return int64(uint64(head)<<32 | uint64(crc32.Checksum(body, table)))
}

var errUnpack = errors.New("the body is not what was saved")

// unpack undoes pack; length is that of the body before.
func (p *packer) unpack(b []byte, length int) ([]byte, error) {
	switch {
	case len(b) == length:
		return b, nil
	case len(b) > length || length > MaxBody:
		return nil, errUnpack
	}
	var err error
	p.dec.once.Do(func() {
		p.dec.Decoder, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(maxConns), zstd.WithDecoderMaxMemory(MaxBody))
	})
	if p.dec.Decoder == nil {
		return nil, errors.Join(errUnpack, err)
	}
	out, err := p.dec.DecodeAll(b, make([]byte, 0, length))
	if err != nil || len(out) != length {
		return nil, errors.Join(errUnpack, err)
	}
	return out, nil
}
