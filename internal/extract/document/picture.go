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

// readPicture says what a picture is: its type, its size in pixels and bytes,
// and what its EXIF data says. The picture itself is not looked at.
func readPicture(b *builder, body []byte) error {
	b.Type = page.Image
	kind := strings.TrimPrefix(b.mediaType, "image/")
	var facts [][2]string
	put := func(name, value string) {
		if value = b.clean(value); value != "" {
			facts = append(facts, [2]string{name, value})
		}
	}
	put("Type", kind)
	w, h := pictureSize(body)
	switch {
	case w > 0 && h > 0:
		put("Size", fmt.Sprintf("%d × %d pixels", w, h))
	case strings.Contains(" png gif webp bmp x-icon ", " "+kind+" "): // others may tell their size further on
		return &Error{Code: Malformed, Cause: errors.New("it has no size")}
	}
	put("Bytes", fmt.Sprint(len(body)))
	for _, f := range exif(body) {
		put(f[0], f[1])
		switch f[0] {
		case "Title":
			b.Meta.Title = text.Line(f[1])
		case "Artist":
			b.Meta.Byline = text.Line(f[1])
		}
	}
	for _, f := range facts {
		b.paragraph(f[0] + ": " + f[1])
	}
	return nil
}

// pictureSize is the size in pixels, 0 where the format is not known.
func pictureSize(b []byte) (w, h int) {
	if c, _, err := image.DecodeConfig(bytes.NewReader(b)); err == nil {
		return c.Width, c.Height
	}
	u16 := binary.LittleEndian.Uint16
	switch {
	case len(b) >= 30 && string(b[:4]) == "RIFF" && string(b[8:12]) == "WEBP":
		switch string(b[12:16]) { // RFC 9649
		case "VP8 ":
			return int(u16(b[26:]) & 0x3fff), int(u16(b[28:]) & 0x3fff)
		case "VP8L":
			v := binary.LittleEndian.Uint32(b[21:])
			return int(v&0x3fff) + 1, int(v>>14&0x3fff) + 1
		case "VP8X":
			return int(b[24]) | int(b[25])<<8 | int(b[26])<<16 + 1, int(b[27]) | int(b[28])<<8 | int(b[29])<<16 + 1
		}
	case len(b) >= 26 && string(b[:2]) == "BM":
		return int(int32(binary.LittleEndian.Uint32(b[18:]))), abs(int(int32(binary.LittleEndian.Uint32(b[22:]))))
	case len(b) >= 8 && string(b[:4]) == "\x00\x00\x01\x00":
		return (int(b[6])+255)%256 + 1, (int(b[7])+255)%256 + 1
	}
	return 0, 0
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}

// exif finds EXIF data in JPEG, PNG, WebP and TIFF and reads some of it
// (CIPA DC-008).
func exif(b []byte) [][2]string {
	const mark = "Exif\x00\x00"
	switch {
	case len(b) > 4 && (string(b[:4]) == "II*\x00" || string(b[:4]) == "MM\x00*"):
		return tiff(b)
	default:
		head := b[:min(len(b), 256<<10)]
		if i := bytes.Index(head, []byte(mark)); i >= 0 {
			return tiff(b[i+len(mark):])
		}
		for _, chunk := range []string{"eXIf", "EXIF"} {
			if i := bytes.Index(b, []byte(chunk)); i >= 0 {
				from := i + 4
				if chunk == "EXIF" {
					from += 4 // the length stands behind the name
				}
				return tiff(b[min(from, len(b)):])
			}
		}
	}
	return nil
}

// tiff reads the first directory of a TIFF structure and the one of EXIF.
func tiff(b []byte) [][2]string {
	if len(b) < 8 {
		return nil
	}
	t := tiffReader{b: b, order: binary.LittleEndian}
	if string(b[:2]) == "MM" {
		t.order = binary.BigEndian
	}
	seen := map[int]bool{}
	t.queue = []int{int(t.order.Uint32(b[4:]))}
	for len(t.queue) > 0 && len(seen) < 4 {
		at := t.queue[0]
		t.queue = t.queue[1:]
		if at < 8 || at+2 > len(b) || seen[at] {
			continue
		}
		seen[at] = true
		for i := range min(int(t.order.Uint16(b[at:])), 200) {
			e := at + 2 + 12*i
			if e+12 > len(b) {
				break
			}
			t.entry(b[e : e+12])
		}
	}
	return t.out
}

type tiffReader struct {
	b     []byte
	order binary.ByteOrder
	queue []int       // directories to read
	out   [][2]string // names and values
}

// tiffTexts are the tags whose values are texts.
var tiffTexts = map[uint16]string{
	0x010e: "Title", 0x010f: "Camera maker", 0x0110: "Camera", 0x0131: "Software", 0x013b: "Artist", 0x8298: "Copyright", 0x9003: "Taken",
}

// entry reads an entry of a directory: a tag, a type, a count and a value.
func (t *tiffReader) entry(e []byte) {
	tag, value := t.order.Uint16(e), e[8:]
	switch tag {
	case 0x8769: // the directory of EXIF
		t.queue = append(t.queue, int(t.order.Uint32(value)))
	case 0x8825:
		t.out = append(t.out, [2]string{"Position", "given in the EXIF data"})
	case 0x0112:
		t.out = append(t.out, [2]string{"Orientation", fmt.Sprint(t.order.Uint16(value))})
	}
	name := tiffTexts[tag]
	if kind := t.order.Uint16(e[2:]); name == "" || kind != 2 {
		return
	}
	count := int(t.order.Uint32(e[4:]))
	if count > 4 { // the value is elsewhere
		from := int(t.order.Uint32(value))
		value = t.b[min(from, len(t.b)):]
	}
	if count >= 1 && count <= 1<<12 && count <= len(value) {
		t.out = append(t.out, [2]string{name, strings.TrimRight(string(value[:count]), "\x00 ")})
	}
}
