package document

import (
	"bytes"
	"net/url"
	"path"

	"golang.org/x/net/html"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// readBook reads an EPUB: its chapters in the order of the spine (EPUB 3.3,
// section 5.6), each as an HTML page.
func readBook(b *builder, body []byte) error {
	a, _, err := openArchive(b, body)
	if err != nil {
		return err
	}
	name := a.tree("META-INF/container.xml").first("rootfile").attr("full-path")
	pack := a.tree(name)
	if pack == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	b.metadata(pack.first("metadata"), "date", "none")
	k := &book{b: b, a: a, dir: path.Dir(name), items: map[string]bookItem{}, read: map[string]bool{}}
	for _, i := range pack.first("manifest").find("item") {
		k.items[i.attr("id")] = bookItem{i.attr("href"), i.attr("media-type"), i.attr("fallback")}
	}
	k.encryption()
	for n, ref := range pack.first("spine").find("itemref") {
		if n >= maxChapters {
			b.cut = true
			break
		}
		if more, err := k.chapter(ref.attr("idref")); err != nil {
			return err
		} else if !more {
			break
		}
	}
	if len(b.Blocks) == 0 && k.locked {
		return &Error{Code: Malformed, Cause: errEncrypted}
	}
	b.Type = page.Document
	return nil
}

// bookItem is a file of a book; fallback is the id of the one that stands for it.
type bookItem struct{ href, mediaType, fallback string }

// book is an EPUB in reading.
type book struct {
	b      *builder
	a      *archive
	dir    string
	items  map[string]bookItem
	read   map[string]bool // chapters: a spine names each once (EPUB 3.3, section 5.6.2)
	sealed map[string]bool // files that are encrypted
	locked bool            // a chapter is
}

// encryption notes which files are encrypted (EPUB Open Container Format, section 4.2.6.3.2).
func (k *book) encryption() {
	k.sealed = map[string]bool{}
	for _, r := range k.a.tree("META-INF/encryption.xml").find("CipherReference") {
		k.sealed[path.Clean(unescaped(r.attr("URI")))] = true
	}
}

func unescaped(href string) string {
	if s, err := url.PathUnescape(href); err == nil {
		return s
	}
	return href
}

// chapter writes a file of the spine. It returns false if the bounds leave no more.
func (k *book) chapter(id string) (more bool, err error) {
	i := k.items[id]
	for range maxFallbacks {
		if i.isChapter() || i.fallback == "" {
			break
		}
		i = k.items[i.fallback]
	}
	file := path.Join(k.dir, unescaped(i.href))
	switch {
	case !i.isChapter(), k.read[file], !k.a.has(file):
		k.b.cut = true // what is left out is said
		return true, nil
	case k.sealed[file]:
		k.b.cut, k.locked = true, true
		return true, nil
	}
	k.read[file] = true
	chapter, cut, err := k.a.unpack(file)
	if err != nil || cut && len(chapter) == 0 {
		return false, err
	}
	if i.mediaType != "text/html" {
		chapter = fromXHTML(chapter)
	}
	k.b.part(chapter, "text/html")
	return true, nil
}

func (i bookItem) isChapter() bool {
	return i.mediaType == "application/xhtml+xml" || i.mediaType == "text/html" || i.mediaType == "image/svg+xml"
}

// fromXHTML makes HTML of XHTML: elements that are written as empty, e.g.
// <a id="x"/>, get an end tag.
func fromXHTML(b []byte) []byte {
	out := append(make([]byte, 0, len(b)+bytes.MinRead), "<!doctype html>"...) // it has no quirks
	z := html.NewTokenizer(bytes.NewReader(b))
	for z.Next() != html.ErrorToken {
		raw := bytes.Clone(z.Raw())
		t := z.Token()
		if t.Type == html.SelfClosingTagToken {
			z.NextIsNotRawText() // after e.g. <title/>
		}
		if t.Type == html.SelfClosingTagToken && !isVoid(t.Data) {
			raw = append(bytes.TrimSuffix(raw, []byte("/>")), "></"+t.Data+">"...)
		}
		out = append(out, raw...)
	}
	return out
}

// isVoid reports whether an element of HTML has no end tag.
func isVoid(name string) bool {
	switch name {
	case "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr":
		return true
	}
	return false
}
