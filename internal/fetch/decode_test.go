package fetch

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zlib"
	"github.com/klauspost/compress/zstd"
)

// pack encodes; "deflate" is zlib and "raw" is deflate without it.
func pack(t testing.TB, format string, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	var w io.WriteCloser
	var err error
	switch format {
	case "gzip":
		w = gzip.NewWriter(&out)
	case "deflate":
		w = zlib.NewWriter(&out)
	case "raw":
		w, err = flate.NewWriter(&out, 6)
	case "br":
		w = brotli.NewWriterLevel(&out, 5)
	case "zstd":
		w, err = zstd.NewWriter(&out, zstd.WithEncoderConcurrency(1))
	default:
		t.Fatal(format)
	}
	if err == nil {
		_, err = w.Write(b)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// unpack runs the pipe as the body of an answer would.
func unpack(encodings []string, wire []byte) ([]byte, error) {
	l := defaultLimits()
	r := bytes.NewReader(wire)
	p, err := newPipe(&l, r, encodings, func() int64 { return int64(len(wire) - r.Len()) }, 64<<20)
	if err != nil {
		return nil, err
	}
	b, err := readUpTo(p.r, nil, 64<<20, 0)
	if err == io.EOF {
		err = nil
	}
	return b, err
}

const fable = "The quick brown fox jumps over the lazy dog. Příliš žluťoučký kůň. "

func TestDecode(t *testing.T) {
	text := []byte(strings.Repeat(fable, 50))
	gz, zz, br, zs, raw := pack(t, "gzip", text), pack(t, "deflate", text), pack(t, "br", text), pack(t, "zstd", text), pack(t, "raw", text)
	badSum := bytes.Clone(gz)
	badSum[len(badSum)-5] ^= 1
	join := func(parts ...[]byte) []byte { return bytes.Join(parts, nil) }
	var decodeErr *decodeError
	var unknown *unknownEncoding
	for _, c := range []struct {
		name      string
		encodings string // separated by spaces
		wire      []byte
		want      []byte
		err       any // target of errors.As; nil means none
	}{
		{"none", "", text, text, nil},
		{"gzip", "gzip", gz, text, nil},
		{"br", "br", br, text, nil},
		{"zstd", "zstd", zs, text, nil},
		{"deflate is zlib", "deflate", zz, text, nil},
		{"deflate is bare", "deflate", raw, text, nil},
		{"two layers", "br gzip", pack(t, "gzip", br), text, nil},
		{"two times gzip", "gzip gzip", pack(t, "gzip", gz), text, nil},
		{"three layers", "gzip gzip gzip", pack(t, "gzip", pack(t, "gzip", gz)), nil, &unknown},
		{"many layers", strings.TrimSpace(strings.Repeat("gzip ", 10)), gz, nil, &unknown},
		{"empty", "gzip", nil, nil, nil},
		{"empty in gzip", "gzip", pack(t, "gzip", nil), nil, nil},
		{"two members", "gzip", join(gz, gz), join(text, text), nil},
		{"ten thousand empty members", "gzip", bytes.Repeat(pack(t, "gzip", nil), 10_000), nil, nil},
		{"two frames", "zstd", join(zs, zs), join(text, text), nil},
		{"trailing garbage", "gzip", join(gz, []byte("garbage and more garbage")), text, nil},
		{"little trailing garbage", "gzip", join(gz, []byte("\x00\x00")), text, nil},
		{"garbage behind br", "br", join(br, []byte("garbage")), text, nil},
		{"bad checksum", "gzip", badSum, text, &decodeErr},
		{"second member cut", "gzip", join(gz, gz[:len(gz)-9]), nil, &decodeErr},
		{"says br, is gzip", "br", gz, text, nil},
		{"says gzip, is zstd", "gzip", zs, text, nil},
		{"says deflate, is gzip", "deflate", gz, text, nil},
		{"says gzip, is zlib", "gzip", zz, text, nil},
		{"says gzip, is text", "gzip", text, text, nil},
		{"says gzip, is short text", "gzip", []byte("ok"), []byte("ok"), nil},
		{"says br, is text", "br", []byte("plain text of some length"), []byte("plain text of some length"), nil},
		{"says br, is HTML in Czech", "br", []byte("<!DOCTYPE html><p>Příliš žluťoučký"), []byte("<!DOCTYPE html><p>Příliš žluťoučký"), nil},
		{"says zstd, is PDF", "zstd", []byte("%PDF-1.7\n\x80\x81"), []byte("%PDF-1.7\n\x80\x81"), nil},
		{"twice gzip by label, once in fact", "gzip gzip", gz, text, nil},
		{"unknown label on text", "compress", text, text, nil},
		{"unknown label", "compress", []byte("\x1f\x9d\x90\x01\x02\x03\x80\x81"), nil, &unknown},
		{"gzip with garbage", "gzip", []byte("\x80\x81\x82\x83\x84\x85\x86\x87\x88\x89\x8a"), nil, &decodeErr},
		{"br with garbage", "br", []byte("\xff\xff\xff\xff\xff\xff\xff"), nil, &decodeErr},
		{"zstd window of 2 GiB", "zstd", []byte("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00"), nil, &decodeErr},
		{"zstd dictionary", "zstd", []byte("\x28\xb5\x2f\xfd\x21\x2a\x05\x29\x00\x00hello"), nil, &decodeErr},
		{"br large window", "br", []byte("\x11\x1e\x03\x00"), nil, &decodeErr},
	} {
		got, err := unpack(strings.Fields(c.encodings), c.wire)
		if c.err == nil && err != nil || c.err != nil && (err == nil || !errors.As(err, c.err)) {
			t.Errorf("%s: error %v", c.name, err)
		}
		if c.want != nil && !bytes.Equal(got, c.want) || c.want == nil && c.err == nil && len(got) > 0 {
			t.Errorf("%s: %d bytes: %.60q", c.name, len(got), got)
		}
	}
}

// A stream that is cut gives its beginning, in every format.
func TestDecodeCut(t *testing.T) {
	text := prose(1 << 20)
	for _, format := range []string{"gzip", "deflate", "br", "zstd"} {
		wire := pack(t, format, text)
		got, err := unpack([]string{format}, wire[:len(wire)*3/4])
		var de *decodeError
		if !errors.As(err, &de) || !strings.Contains(err.Error(), "breaks off") {
			t.Errorf("%s: error %v", format, err)
		}
		if len(got) == 0 || !bytes.HasPrefix(text, got) {
			t.Errorf("%s: %d bytes", format, len(got))
		}
	}
}

// The outer layer is a bomb of which the inner one makes nothing.
func TestDecodeInnerBomb(t *testing.T) {
	wire := pack(t, "gzip", bytes.Repeat(pack(t, "gzip", nil), 500_000))
	if _, err := unpack([]string{"gzip", "gzip"}, wire); !errors.Is(err, errExpansion) {
		t.Errorf("%v", err)
	}
}

func FuzzDecode(f *testing.F) {
	for _, format := range []string{"gzip", "deflate", "raw", "br", "zstd"} {
		f.Add(strings.Replace(format, "raw", "deflate", 1), pack(f, format, []byte(fable)))
	}
	f.Add("gzip", []byte("\x1f\x8b\x08\xff"))                 // a head with all flags that does not end
	f.Add("zstd", []byte("\x50\x2a\x4d\x18\xff\xff\xff\xff")) // a frame to skip, of 4 GiB
	f.Add("br", []byte("\x11\x1e"))                           // a large window
	f.Fuzz(func(t *testing.T, encodings string, wire []byte) {
		got, err := unpack(contentEncodings([]string{encodings}), wire)
		if limit := max(2<<20, 110*len(wire)); len(got) > limit {
			t.Fatalf("%d bytes of %d, %v", len(got), len(wire), err)
		}
	})
}

// prose makes words in changing order, for want of a real text.
func prose(n int) []byte {
	words := strings.Fields(fable)
	var b []byte
	for x := uint32(1); len(b) < n; {
		x = x*1664525 + 1013904223
		b = append(append(b, words[x>>16%uint32(len(words))]...), ' ')
	}
	return b
}

func BenchmarkDecode(b *testing.B) {
	text := prose(1 << 20)
	for _, format := range []string{"gzip", "deflate", "br", "zstd"} {
		wire := pack(b, format, text)
		b.Run(format, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := unpack([]string{format}, wire); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
