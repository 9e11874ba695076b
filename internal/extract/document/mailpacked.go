package document

import (
	"bytes"
	"encoding/binary"
	"strings"
)

// This file reads what Outlook packs into winmail.dat (TNEF, MS-OXTNEF, section 2.1): the names
// and sizes of the files, and the text where the message has none beside it.

const (
	packedSignature = 0x223e9f78

	packedCodePage = 0x00069007
	packedText     = 0x0002800c
	packedMessage  = 0x00069003 // properties
	packedBegin    = 0x00069002 // of a file
	packedName     = 0x00018010 // short
	packedFile     = 0x0006800f
	packedAbout    = 0x00069005 // properties of the file

	propertyText = 0x1000
	propertyHTML = 0x1013
	propertyRich = 0x1009 // compressed
	propertyName = 0x3707 // whole
)

// packed names the files in a part of this kind, and reports whether it is one that holds any
// or a text.
func (r *mailReader) packed(p *mailPart) bool {
	b := p.decoded()
	if len(b) < 6 || binary.LittleEndian.Uint32(b) != packedSignature {
		return false
	}
	charset, found := "windows-1252", false
	name, size, open := "", -1, false // of a file
	end := func() {
		if open {
			r.name(name, p.mediaType, size)
			r.parts--
			name, size, open, found = "", -1, false, true
		}
	}
	for b = b[6:]; len(b) >= 9 && r.parts > 0; {
		kind, n := binary.LittleEndian.Uint32(b[1:]), int64(binary.LittleEndian.Uint32(b[5:]))
		if b = b[9:]; n > int64(len(b)) {
			r.b.cut = true // it breaks off
			break
		}
		value := b[:n]
		b = b[min(n+2, int64(len(b))):] // with a sum
		switch kind {
		case packedCodePage:
			if len(value) >= 4 {
				charset = codePage(int(binary.LittleEndian.Uint32(value)))
			}
		case packedText:
			if value, _, _ = bytes.Cut(value, []byte{0}); !r.shown && len(value) > 0 {
				found = true
				r.show(&mailPart{mediaType: "text/plain", params: map[string]string{"charset": charset}, body: value})
			}
		case packedMessage:
			for _, id := range []uint16{propertyHTML, propertyText} {
				if s := property(value, id, charset); !r.shown && s != "" {
					found = true
					r.show(&mailPart{mediaType: map[uint16]string{propertyHTML: "text/html", propertyText: "text/plain"}[id], body: []byte(s)})
				}
			}
			r.b.cut = r.b.cut || !r.shown && property(value, propertyRich, "") != ""
		case packedAbout:
			if s := property(value, propertyName, charset); s != "" {
				name = s
			}
		case packedBegin:
			end()
			open = true
		case packedName:
			value, _, _ = bytes.Cut(value, []byte{0})
			name = decodeCharset(value, charset)
		case packedFile:
			size = len(value)
		}
	}
	end()
	r.b.cut = r.b.cut || len(b) >= 9
	return found
}

// property is the text of a property with one value; "" for none. Properties have their lengths
// before them, so that the mark of one is looked for in all of them.
func property(all []byte, id uint16, charset string) string {
	for _, kind := range []uint16{0x1f, 0x1e, 0x102} { // UTF-16, letters, bytes
		mark := binary.LittleEndian.AppendUint16(binary.LittleEndian.AppendUint16(nil, kind), id)
		_, rest, ok := bytes.Cut(all, append(mark, 1, 0, 0, 0))
		if !ok || len(rest) < 4 || int64(binary.LittleEndian.Uint32(rest)) > int64(len(rest)-4) {
			continue
		}
		value := rest[4 : 4+binary.LittleEndian.Uint32(rest)]
		if kind == 0x1f {
			charset = "utf-16le"
		}
		return strings.TrimRight(decodeCharset(value, charset), "\x00")
	}
	return ""
}
