package fetch

import (
	"archive/zip"
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDecideType(t *testing.T) {
	binary := string(bytes.Repeat([]byte{0, 1, 2, 3, 200}, 100))
	for _, c := range []struct{ name, declared, body, want string }{
		{"html", "text/html", "<!DOCTYPE html><p>x", "text/html"},
		{"html without type", "", " \n<!-- c --><HTML lang=en>", "text/html"},
		{"html by a mere tag", "", "<p>x", "text/html"},
		{"no tag", "", "<paragraph>", "text/plain"},
		{"image that is html", "image/png", "<!doctype html>", "text/html"},
		{"html that is an image", "text/html", "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "image/png"},
		{"json that is an html page", "application/json", "<!doctype html><p>error", "text/html"},
		{"markdown that begins with a tag", "text/markdown", "<h1 align=center>x</h1>\n\n# y", "text/markdown"},
		{"plain text that is source", "text/plain", "<!doctype html><p>x", "text/plain"},
		{"octet-stream that is html", "application/octet-stream", "<html>", "text/html"},
		{"xhtml", "application/xhtml+xml", "<?xml version='1.0'?><html>", "application/xhtml+xml"},
		{"xml that is xhtml", "text/xml", "<?xml version='1.0'?><!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.0'><html>", "application/xhtml+xml"},
		{"xml", "", "<?xml version='1.0'?><note/>", "application/xml"},
		{"more than xml", "application/mathml+xml", "<?xml version='1.0'?><math/>", "application/mathml+xml"},
		{"rss as xml", "text/xml", "<?xml version='1.0'?><?xml-stylesheet href='x'?><rss version='2.0'>", "application/rss+xml"},
		{"rss as html", "text/html", "<rss version='2.0'>", "application/rss+xml"},
		{"rss as text", "text/plain", "<rss version='2.0'>", "application/rss+xml"},
		{"rss 1.0", "", "<?xml version='1.0'?><rdf:RDF xmlns='http://purl.org/rss/1.0/'>", "application/rss+xml"},
		{"atom", "application/xml", "<feed xmlns='http://www.w3.org/2005/Atom'>", "application/atom+xml"},
		{"atom 0.3", "text/xml", "<?xml version='1.0'?><feed version='0.3' xmlns='http://purl.org/atom/ns#'>", "application/atom+xml"},
		{"svg", "", "<svg xmlns='http://www.w3.org/2000/svg'>", "image/svg+xml"},
		{"utf-16 html", "", string(utf16le("\uFEFF<!doctype html><p>x")), "text/html"},
		{"utf-16 html without mark", "", string(utf16le("<!doctype html><p>x")), "text/html"},
		{"pdf", "text/html", "%PDF-1.7\n", "application/pdf"},
		{"pdf as octets", "application/octet-stream", "\n%PDF-1.7\n", "application/pdf"},
		{"pdf later in html is html", "text/html", "<html>" + strings.Repeat(" ", 900) + "%PDF-1.7", "text/html"},
		{"gif and html", "text/html", "GIF89a\x01\x00\x01\x00\x00\x00\x00<html>", "image/gif"},
		{"text that begins like a bitmap", "text/plain", "BM is a company", "text/plain"},
		{"webp", "", "RIFF\x10\x00\x00\x00WEBPVP8 " + binary, "image/webp"},
		{"gzip", "application/gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03", "application/gzip"},
		{"binary as text", "text/plain", binary, "application/octet-stream"},
		{"binary as html", "text/html", binary, "application/octet-stream"},
		{"binary", "", binary, "application/octet-stream"},
		{"binary with a name", "application/x-thing", binary, "application/x-thing"},
		{"text as image", "image/jpeg", "not found", "text/plain"},
		{"text as octets", "application/octet-stream", "hello", "text/plain"},
		{"stray NUL in html", "text/html", "<html><p>a\x00b</p>", "text/html"},
		{"ANSI log", "text/plain", strings.Repeat("\x1b[31mred\x1b[0m\n", 20), "text/plain"},
		{"empty", "text/css", "", "text/css"},
		{"empty without type", "", "", "text/plain"},
		{"json by content", "text/plain", `{"a": [1, 2]}`, "application/json"},
		{"json without type", "", ` [1, 2]`, "application/json"},
		{"nearly json", "text/plain", `{"a": }`, "text/plain"},
		{"json feed", "application/json", `{"version": "https://jsonfeed.org/version/1.1"}`, "application/feed+json"},
		{"csv stays", "text/csv", `[1,2]`, "text/csv"},
		{"mail", "message/rfc822", "From: a@example.com\n\nhello", "message/rfc822"},
		{"mail of another name", "message/global", "From: a@example.com\n\nhello", "message/rfc822"},
		{"mail without type", "", "From a@example.com Fri Mar  1 10:00:00 2024\nReturn-Path: <a@example.com>\nFrom: a@example.com\nDate: Fri, 1 Mar 2024 10:00:00 +0000\n\nhello", "message/rfc822"},
		{"mail as text", "text/plain", "Received: from x\n\tby y\r\nFrom: a@example.com\r\nSubject: x\r\n\r\nhello", "message/rfc822"},
		{"a patch is text", "text/plain", "From 0123 Mon Sep 17 00:00:00 2001\nFrom: A <a@example.com>\nDate: Fri, 1 Mar 2024 10:00:00 +0000\nSubject: [PATCH] x\n\n---\n", "text/plain"},
		{"notes with fields are text", "text/plain", "From: here\nTo: there\nDate: today\n\nA plan.", "text/plain"},
		{"a mailbox", "application/mbox", "From a@example.com Fri Mar  1 10:00:00 2024\n\nhello", "application/mbox"},
		{"csv of another name", "application/csv", "a,b\n1,2", "text/csv"},
		{"csv as excel", "application/vnd.ms-excel", "a;b\n1;2", "text/csv"},
		{"a page as excel", "application/vnd.ms-excel", "<html><table><tr><td>a,b</table>", "text/html"},
		{"a sentence as excel", "application/vnd.ms-excel", "not found", "text/plain"},
		{"tsv of another name", "text/tsv", "a\tb\n1\t2", "text/tab-separated-values"},
		{"word", "application/octet-stream", zipOf(t, "[Content_Types].xml", "word/document.xml"), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"word without compression", "", storedZip(t, "word/document.xml", "<w:document>"+strings.Repeat("<w:t>The harbour office opens at seven.</w:t>", 200)), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"excel", "application/zip", zipOf(t, "[Content_Types].xml", "xl/workbook.xml"), "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
		{"word of the web", "", zipOf(t, "word/document2.xml"), "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
		{"powerpoint", "text/html", zipOf(t, "ppt/presentation.xml"), "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
		{"epub", "", zipOf(t, "mimetype=application/epub+zip", "META-INF/container.xml"), "application/epub+zip"},
		{"opendocument", "", zipOf(t, "mimetype=application/vnd.oasis.opendocument.text", "content.xml"), "application/vnd.oasis.opendocument.text"},
		{"opendocument with its type later", "", zipOf(t, "content.xml", "mimetype=application/vnd.oasis.opendocument.text"), "application/vnd.oasis.opendocument.text"},
		{"gzip with few binary bytes", "application/gzip", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + strings.Repeat("\x8dsX\xe9", 500), "application/gzip"},
		{"gzip with few binary bytes, as octets", "application/octet-stream", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff" + strings.Repeat("\x8dsX\xe9", 500), "application/gzip"},
		{"zip of uncompressed text", "application/zip", zipOf(t, "a.txt="+strings.Repeat("words of a text ", 500)), "application/zip"},
		{"zip", "", zipOf(t, "backup/word/document.xml"), "application/zip"},
		{"zip without end", "", "PK\x03\x04\x14\x00\x00\x00\x00\x00", "application/zip"},
	} {
		head := decideType(c.declared, []byte(c.body))
		if got := decideWhole(c.declared, head, []byte(c.body), false); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// zipOf makes a zip file with entries "name" or "name=stored content".
func zipOf(t testing.TB, entries ...string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, e := range entries {
		name, content, _ := strings.Cut(e, "=")
		// CreateRaw writes the sizes in front, as the makers of these files do.
		h := &zip.FileHeader{Name: name, Method: zip.Store, CompressedSize64: uint64(len(content)), UncompressedSize64: uint64(len(content))}
		w, err := z.CreateRaw(h)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(content)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestBinaryFrom(t *testing.T) {
	text := strings.Repeat("words and words\n", 1024)
	noise := string(bytes.Repeat([]byte{0, 1, 2, 250}, 4096))
	for _, c := range []struct {
		name, body string
		want       int
	}{
		{"text", text, 0},
		{"text, then binary", text + noise, len(text)},
		{"binary", noise, 0},
		{"a few NULs at the end", text + "\x00\x00\x00", 0},
		{"utf-16", string(utf16le(text)), 0},
	} {
		if got := binaryFrom([]byte(c.body)); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
}

func FuzzSniff(f *testing.F) {
	f.Add("text/html", []byte("<!doctype html>"))
	f.Add("", []byte("<!--"))                      // a comment without end
	f.Add("text/xml", []byte("<?xml ?><!DOCTYPE")) // likewise
	f.Add("", []byte("PK\x03\x04mimetype"))        // a zip file that ends early
	f.Add("", []byte(zipOf(f, "mimetype=application/epub+zip", "a", "b")))
	f.Add("image/png", []byte("\xfe\xff\x00<"))
	f.Fuzz(func(t *testing.T, declared string, body []byte) {
		declared = declaredType(declared)
		head := decideType(declared, body)
		got := decideWhole(declared, head, body, false)
		if declaredType(got) != got || got == "" {
			t.Fatalf("%q is no media type", got)
		}
		binaryFrom(body)
		if !utf8.ValidString(got) {
			t.Fatal("not valid")
		}
	})
}

// What is read from a file goes the way of what is fetched.
func TestDecodeFile(t *testing.T) {
	for _, c := range []struct{ body, contentType, text, mediaType, charset string }{
		{"<p>caf\xe9</p>", "", "<p>café</p>", "text/html", "windows-1252"},
		{"<meta charset=windows-1251><p>\xcf\xf0\xe8\xe2\xe5\xf2", "text/html", "<meta charset=windows-1251><p>Привет", "text/html", "windows-1251"},
		{"\xef\xbb\xbfplain", "text/plain; charset=latin1", "plain", "text/plain", "utf-8"},
		{"%PDF-1.7", "text/html", "%PDF-1.7", "application/pdf", ""},
		{`{"a":1}`, "", `{"a":1}`, "application/json", "utf-8"},
		{"", "text/markdown", "", "text/markdown", "utf-8"},
	} {
		text, mediaType, charset := Decode([]byte(c.body), c.contentType)
		if string(text) != c.text || mediaType != c.mediaType || charset != c.charset {
			t.Errorf("%q as %q: %q %q %q", c.body, c.contentType, text, mediaType, charset)
		}
	}
}

// storedZip is a zip file with one entry that is not compressed.
func storedZip(t *testing.T, name, content string) string {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write([]byte(content)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
