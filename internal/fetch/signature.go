package fetch

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"strings"
)

// signature returns the type of a binary format with a mark; "" when there is
// none. Marks that are words of plain text count only when text is false.
func signature(b []byte, text bool) string {
	has := func(s string) bool { return len(b) >= len(s) && string(b[:len(s)]) == s }
	at := func(i int, s string) bool { return len(b) >= i+len(s) && string(b[i:i+len(s)]) == s }
	switch {
	case has("%PDF-"), at(0, "\xef\xbb\xbf%PDF-"), bytes.HasPrefix(bytes.TrimLeft(b[:min(len(b), 64)], " \t\r\n"), []byte("%PDF-")):
		return typePDF
	case has("%!PS-Adobe"):
		return "application/postscript"
	case has("{\\rtf"):
		return "application/rtf"
	case text:
		return ""
	case has("PK\x03\x04"), has("PK\x05\x06"), has("PK\x07\x08PK\x03\x04"):
		return typeZip
	case has("\x89PNG\r\n\x1a\n"):
		return "image/png"
	case has("\xff\xd8\xff"):
		return "image/jpeg"
	case has("GIF87a"), has("GIF89a"):
		return "image/gif"
	case has("RIFF") && at(8, "WEBP"):
		return "image/webp"
	case has("RIFF") && at(8, "WAVE"):
		return "audio/wav"
	case has("RIFF") && at(8, "AVI "):
		return "video/x-msvideo"
	case at(4, "ftypavif"), at(4, "ftypavis"):
		return "image/avif"
	case at(4, "ftyphei"), at(4, "ftypmif1"), at(4, "ftyphev"):
		return "image/heif"
	case at(4, "ftyp"):
		return "video/mp4"
	case has("II*\x00"), has("MM\x00*"):
		return "image/tiff"
	case has("\x00\x00\x01\x00"):
		return "image/x-icon"
	case has("BM") && at(6, "\x00\x00\x00\x00"):
		return "image/bmp"
	case has("\x00\x00\x00\x0cJXL "), has("\xff\x0a"):
		return "image/jxl"
	case isGzip(b):
		return typeGzip
	case has("\x28\xb5\x2f\xfd"):
		return "application/zstd"
	case has("BZh"):
		return "application/x-bzip2"
	case has("\xfd7zXZ\x00"):
		return "application/x-xz"
	case has("7z\xbc\xaf\x27\x1c"):
		return "application/x-7z-compressed"
	case has("Rar!\x1a\x07"):
		return "application/vnd.rar"
	case at(257, "ustar"):
		return "application/x-tar"
	case has("\x1a\x45\xdf\xa3"):
		return "video/webm"
	case has("OggS\x00"):
		return "application/ogg"
	case has("ID3"), has("\xff\xfb"), has("\xff\xf3"):
		return "audio/mpeg"
	case has("fLaC"):
		return "audio/flac"
	case has("wOFF"):
		return "font/woff"
	case has("wOF2"):
		return "font/woff2"
	case has("OTTO"), has("\x00\x01\x00\x00"):
		return "font/otf"
	case has("\x00asm"):
		return "application/wasm"
	case has("SQLite format 3\x00"):
		return "application/vnd.sqlite3"
	case has("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"):
		return "application/x-ole-storage"
	}
	return ""
}

// The bounds of a look into a zip file.
const (
	maxZipEntries = 20_000
	maxZipPart    = 1 << 20 // of an entry that says what the file is
)

// zipType tells the formats that are zip files apart: by the entry "mimetype"
// that EPUB and OpenDocument have, by the types that Office Open XML gives its
// parts, and by the names that these parts usually have.
func zipType(b []byte) string {
	if t := zipMimetype(b); t != "" {
		return t
	}
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return typeZip
	}
	found := typeZip
	for _, f := range r.File[:min(len(r.File), maxZipEntries)] {
		switch name := strings.TrimPrefix(f.Name, "/"); name {
		case "mimetype":
			if t := declaredType(strings.TrimSpace(zipEntry(f))); isZipType(t) {
				return t
			}
		case "[Content_Types].xml":
			if t := officeType(zipEntry(f)); t != "" {
				return t
			}
		case "META-INF/manifest.xml":
			if t := manifestType(zipEntry(f)); t != "" {
				return t
			}
		case "word/document.xml":
			found = officeXML + "wordprocessingml.document"
		case "xl/workbook.xml", "xl/workbook.bin":
			found = officeXML + "spreadsheetml.sheet"
		case "ppt/presentation.xml":
			found = officeXML + "presentationml.presentation"
		case "META-INF/container.xml":
			if found == typeZip {
				found = "application/epub+zip"
			}
		}
	}
	return found
}

const officeXML = "application/vnd.openxmlformats-officedocument."

// zipEntry unpacks the beginning of an entry.
func zipEntry(f *zip.File) string {
	r, err := f.Open()
	if err != nil {
		return ""
	}
	defer r.Close()
	b, _ := io.ReadAll(io.LimitReader(r, maxZipPart)) // what a damaged entry gives is used
	return string(b)
}

// officeType returns the type of an Office Open XML file whose parts have these
// types; "" for others. Templates, shows and files with macros count as the
// format that they are.
func officeType(types string) string {
	for _, k := range []struct{ part, is string }{
		{"wordprocessingml.document.main+xml", "wordprocessingml.document"}, {"wordprocessingml.template.main+xml", "wordprocessingml.document"},
		{"ms-word.document.macroEnabled.main+xml", "wordprocessingml.document"}, {"ms-word.template.macroEnabledTemplate.main+xml", "wordprocessingml.document"},
		{"spreadsheetml.sheet.main+xml", "spreadsheetml.sheet"}, {"spreadsheetml.template.main+xml", "spreadsheetml.sheet"},
		{"ms-excel.sheet.macroEnabled.main+xml", "spreadsheetml.sheet"}, {"ms-excel.template.macroEnabled.main+xml", "spreadsheetml.sheet"},
		{"presentationml.presentation.main+xml", "presentationml.presentation"}, {"presentationml.template.main+xml", "presentationml.presentation"},
		{"presentationml.slideshow.main+xml", "presentationml.presentation"}, {"ms-powerpoint.presentation.macroEnabled.main+xml", "presentationml.presentation"},
		{"ms-powerpoint.slideshow.macroEnabled.main+xml", "presentationml.presentation"},
	} {
		if strings.Contains(types, k.part) {
			return officeXML + k.is
		}
	}
	return ""
}

// manifestType returns the type that the manifest of an OpenDocument file gives
// the whole file; "" for others.
func manifestType(manifest string) string {
	for entry := range strings.SplitSeq(manifest, "<") {
		if !strings.Contains(entry, `full-path="/"`) {
			continue
		}
		_, t, _ := strings.Cut(entry, `media-type="`)
		t, _, _ = strings.Cut(t, `"`)
		if t = declaredType(t); isZipType(t) {
			return t
		}
	}
	return ""
}

// zipMimetype returns the type that an entry "mimetype" at the start of a zip
// file gives; "" when there is none.
func zipMimetype(b []byte) string {
	if len(b) <= 38 || string(b[30:38]) != "mimetype" {
		return ""
	}
	size := int(binary.LittleEndian.Uint32(b[18:]))
	from := 38 + int(binary.LittleEndian.Uint16(b[28:]))
	if size <= 0 || size >= 128 || from+size > len(b) {
		return ""
	}
	if t := declaredType(string(b[from : from+size])); isZipType(t) {
		return t
	}
	return ""
}
