package frontier

import (
	"sync"

	"github.com/klauspost/compress/zstd"
)

// packer compresses bodies with zstd, with a checksum. The zero value is ready.
type packer struct {
	once    sync.Once
	encoder *zstd.Encoder
	decoder *zstd.Decoder
}

func (p *packer) init() {
	p.once.Do(func() { // neither fails with these options
		p.encoder, _ = zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<20))
		p.decoder, _ = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(2*MaxBody))
	})
}

func (p *packer) close() {
	if p.decoder != nil {
		p.decoder.Close()
	}
}

func (p *packer) pack(body []byte) []byte {
	p.init()
	return p.encoder.EncodeAll(body, nil)
}

func (p *packer) unpack(frame []byte) ([]byte, error) {
	p.init()
	return p.decoder.DecodeAll(frame, nil)
}
