package fetch

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"strings"
)

// signature returns the type of a binary format with a mark, or "". text says that the
// bytes look like text: then marks that could be words of it do not count. A mark with a
// binary byte is not such a word: compressed text that repeats itself, for example a
// large sitemap, has so few binary bytes that it looks like text.
func signature(b []byte, text bool) string {
	if bytes.HasPrefix(bytes.TrimLeft(b[:min(len(b), 64)], " \t\r\n"), []byte("%PDF-")) {
		return typePDF
	}
	for i := range signatures {
		s := &signatures[i]
		if (!text || s.isText || strings.ContainsFunc(s.mark, func(r rune) bool { return r < 0x80 && binaryByte(byte(r)) })) && hasAt(b, s.at, s.mark) && hasAt(b, s.then, s.also) {
			return s.mediaType
		}
	}
	if isGzip(b) {
		return typeGzip
	}
	return ""
}

func hasAt(b []byte, at int, mark string) bool {
	return len(b) >= at+len(mark) && string(b[at:at+len(mark)]) == mark
}

// signatures are the marks of formats: bytes at an offset, and for some formats others
// at a second offset. isText says that files with this mark can be text. The first row
// that fits counts.
var signatures = [...]struct {
	mediaType string
	at        int
	mark      string
	then      int
	also      string
	isText    bool
}{
	{mediaType: typePDF, mark: "\xef\xbb\xbf%PDF-", isText: true},
	{mediaType: "application/postscript", mark: "%!PS-Adobe", isText: true},
	{mediaType: "application/rtf", mark: "{\\rtf", isText: true},
	{mediaType: typeZip, mark: "PK\x03\x04", isText: true},           // where the entries are text and stored
	{mediaType: typeZip, mark: "PK\x05\x06", isText: true},           // where the entries are text and stored
	{mediaType: typeZip, mark: "PK\x07\x08PK\x03\x04", isText: true}, // where the entries are text and stored
	{mediaType: "image/png", mark: "\x89PNG\r\n\x1a\n"},
	{mediaType: "image/jpeg", mark: "\xff\xd8\xff"},
	{mediaType: "image/gif", mark: "GIF87a"},
	{mediaType: "image/gif", mark: "GIF89a"},
	{mediaType: "image/webp", mark: "RIFF", then: 8, also: "WEBP"},
	{mediaType: "audio/wav", mark: "RIFF", then: 8, also: "WAVE"},
	{mediaType: "video/x-msvideo", mark: "RIFF", then: 8, also: "AVI "},
	{mediaType: "image/avif", at: 4, mark: "ftypavif"},
	{mediaType: "image/avif", at: 4, mark: "ftypavis"},
	{mediaType: "image/heif", at: 4, mark: "ftyphei"},
	{mediaType: "image/heif", at: 4, mark: "ftypmif1"},
	{mediaType: "image/heif", at: 4, mark: "ftyphev"},
	{mediaType: "video/mp4", at: 4, mark: "ftyp"},
	{mediaType: "image/tiff", mark: "II*\x00"},
	{mediaType: "image/tiff", mark: "MM\x00*"},
	{mediaType: "image/x-icon", mark: "\x00\x00\x01\x00"},
	{mediaType: "image/bmp", mark: "BM", then: 6, also: "\x00\x00\x00\x00"},
	{mediaType: "image/jxl", mark: "\x00\x00\x00\x0cJXL "},
	{mediaType: "image/jxl", mark: "\xff\x0a"},
	{mediaType: "application/zstd", mark: "\x28\xb5\x2f\xfd"},
	{mediaType: "application/x-bzip2", mark: "BZh"},
	{mediaType: "application/x-xz", mark: "\xfd7zXZ\x00"},
	{mediaType: "application/x-7z-compressed", mark: "7z\xbc\xaf\x27\x1c"},
	{mediaType: "application/vnd.rar", mark: "Rar!\x1a\x07"},
	{mediaType: "application/x-tar", at: 257, mark: "ustar"},
	{mediaType: "video/webm", mark: "\x1a\x45\xdf\xa3"},
	{mediaType: "application/ogg", mark: "OggS\x00"},
	{mediaType: "audio/mpeg", mark: "ID3"},
	{mediaType: "audio/mpeg", mark: "\xff\xfb"},
	{mediaType: "audio/mpeg", mark: "\xff\xf3"},
	{mediaType: "audio/flac", mark: "fLaC"},
	{mediaType: "font/woff", mark: "wOFF"},
	{mediaType: "font/woff2", mark: "wOF2"},
	{mediaType: "font/otf", mark: "OTTO"},
	{mediaType: "font/otf", mark: "\x00\x01\x00\x00"},
	{mediaType: "application/wasm", mark: "\x00asm"},
	{mediaType: "application/vnd.sqlite3", mark: "SQLite format 3\x00"},
	{mediaType: "application/x-ole-storage", mark: "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"},
}

// The bounds of a look into a zip file.
const (
	maxZipEntries = 20_000
	maxZipPart    = 1 << 10 // of the entry that says what the file is
)

// zipType tells the formats that are zip files apart: by the entry "mimetype" that EPUB and
// OpenDocument have, and by the folders of the others.
func zipType(b []byte) string {
	r, err := zip.NewReader(bytes.NewReader(b), int64(len(b)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return typeZip
	}
	found := typeZip
	for _, f := range r.File[:min(len(r.File), maxZipEntries)] {
		switch name := strings.TrimPrefix(f.Name, "/"); {
		case name == "mimetype":
			if t := declaredType(strings.TrimSpace(zipEntry(f))); isZipType(t) {
				return t
			}
		case strings.HasPrefix(name, "word/document"): // Word for the web has "word/document2.xml"
			found = officeXML + "wordprocessingml.document"
		case strings.HasPrefix(name, "xl/workbook"):
			found = officeXML + "spreadsheetml.sheet"
		case strings.HasPrefix(name, "ppt/presentation"):
			found = officeXML + "presentationml.presentation"
		case name == "META-INF/container.xml" && found == typeZip:
			found = "application/epub+zip"
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
