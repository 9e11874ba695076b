package document

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // the sizes of these formats
	_ "image/jpeg"
	_ "image/png"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// readPicture writes the facts of a picture: its type, its size in pixels and
// bytes, and its EXIF data.
func readPicture(b *builder, body []byte) error {
	b.Type = page.Image
	kind := strings.TrimPrefix(b.mediaType, "image/")
	b.paragraph("Type: " + kind)
	w, h := pictureSize(body)
	switch {
	case w > 0 && h > 0:
		b.paragraph(fmt.Sprintf("Size: %d × %d pixels", w, h))
	case kind == "png" || kind == "gif" || kind == "webp": // others may have their size further on
		return &Error{Code: Malformed, Cause: errors.New("it has no size")}
	}
	b.paragraph(fmt.Sprintf("Bytes: %d", len(body)))
	for _, f := range exif(body) {
		b.paragraph(f[0] + ": " + f[1])
		switch f[0] {
		case "Title":
			b.Meta.Title = text.Line(f[1])
		case "Artist":
			b.Meta.Byline = text.Line(f[1])
		}
	}
	return nil
}

// pictureSize is the size in pixels, 0 where the format is not known.
func pictureSize(b []byte) (w, h int) {
	if c, _, err := image.DecodeConfig(bytes.NewReader(b)); err == nil {
		return c.Width, c.Height
	}
	if len(b) < 30 || string(b[:4]) != "RIFF" || string(b[8:12]) != "WEBP" {
		return 0, 0
	}
	switch v := binary.LittleEndian; string(b[12:16]) { // RFC 9649
	case "VP8 ":
		return int(v.Uint16(b[26:]) & 0x3fff), int(v.Uint16(b[28:]) & 0x3fff)
	case "VP8L":
		return int(v.Uint32(b[21:])&0x3fff) + 1, int(v.Uint32(b[21:])>>14&0x3fff) + 1
	case "VP8X":
		return int(v.Uint32(b[24:])&0xffffff) + 1, int(v.Uint32(b[26:])>>8) + 1
	}
	return 0, 0
}

// exif finds EXIF data in JPEG, PNG, WebP and TIFF and returns some of it (CIPA
// DC-008), as names and values.
func exif(b []byte) [][2]string {
	if bytes.HasPrefix(b, []byte("II*\x00")) || bytes.HasPrefix(b, []byte("MM\x00*")) {
		return tiff(b)
	}
	for _, mark := range []string{"Exif\x00\x00", "eXIf", "EXIF"} { // a length of four bytes follows the last one
		if _, data, ok := bytes.Cut(b, []byte(mark)); ok {
			return tiff(data[strings.Count(mark, "EXIF")*min(4, len(data)):])
		}
	}
	return nil
}

// exifTexts are the tags whose values are texts.
var exifTexts = map[uint16]string{
	0x010e: "Title", 0x010f: "Camera maker", 0x0110: "Camera", 0x0131: "Software", 0x013b: "Artist", 0x8298: "Copyright", 0x9003: "Taken",
}

// tiff parses the first directory of a TIFF structure and the one of EXIF.
func tiff(b []byte) (out [][2]string) {
	if len(b) < 8 {
		return nil
	}
	var order binary.ByteOrder = binary.LittleEndian
	if b[0] == 'M' {
		order = binary.BigEndian
	}
	directories := []uint32{order.Uint32(b[4:])}
	for i := 0; i < len(directories) && i < maxDirectories; i++ {
		from := uint64(directories[i])
		if from+2 > uint64(len(b)) {
			continue
		}
		entries := b[from+2:]
		for n := min(int(order.Uint16(b[from:])), maxTags); n > 0 && len(entries) >= 12; n, entries = n-1, entries[12:] {
			tag, kind, count, value := order.Uint16(entries), order.Uint16(entries[2:]), order.Uint32(entries[4:]), entries[8:12]
			switch name := exifTexts[tag]; {
			case tag == 0x8769: // the directory of EXIF
				directories = append(directories, order.Uint32(value))
			case tag == 0x8825:
				out = append(out, [2]string{"Position", "given in the EXIF data"})
			case tag == 0x0112:
				out = append(out, [2]string{"Orientation", fmt.Sprint(order.Uint16(value))})
			case name != "" && kind == 2 && count <= maxTagText:
				if count > 4 { // the value is elsewhere
					value = b[min(uint64(order.Uint32(value)), uint64(len(b))):]
				}
				out = append(out, [2]string{name, strings.TrimRight(string(value[:min(int(count), len(value))]), "\x00 ")})
			}
		}
	}
	return out
}
