package document

import (
	"net/url"
	"path"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

const maxChapters = 2000

// readBook reads an EPUB: its chapters in the order of the spine (EPUB 3.3,
// section 5.6), each as an HTML page.
func readBook(b *builder, body []byte) error {
	a, _, err := openArchive(b, body)
	if err != nil {
		return err
	}
	container, err := a.tree("META-INF/container.xml")
	if err != nil {
		return err
	}
	name := container.first("rootfile").attr("full-path")
	pack, err := a.tree(name)
	if err != nil {
		return err
	}
	if pack == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	meta := pack.first("metadata")
	b.Meta.Title = text.Line(meta.first("title").content())
	b.Meta.Byline = text.Line(meta.first("creator").content())
	b.Meta.Published = isoDate(meta.first("date").content())
	b.Meta.Language = text.Line(meta.first("language").content())
	b.Meta.Excerpt = text.Line(meta.first("description").content())
	type item struct{ href, mediaType string }
	read := map[string]bool{} // chapters: a spine names each once (EPUB 3.3, section 5.6.2)
	items := map[string]item{}
	for _, i := range pack.first("manifest").find("item") {
		items[i.attr("id")] = item{i.attr("href"), i.attr("media-type")}
	}
	sheets := &bookSheets{a: a, left: maxBookSheets}
	for n, ref := range pack.first("spine").find("itemref") {
		if n >= maxChapters {
			b.cut = true
			break
		}
		i := items[ref.attr("idref")]
		if i.mediaType != "application/xhtml+xml" && i.mediaType != "text/html" {
			continue
		}
		href, err := url.PathUnescape(i.href)
		if err != nil {
			href = i.href
		}
		file := path.Join(path.Dir(name), href)
		if read[file] {
			b.cut = true // what is left out is said
			continue
		}
		read[file] = true
		chapter, cut, err := a.unpack(file)
		if err != nil {
			return err
		}
		if cut && len(chapter) == 0 {
			break
		}
		b.part(sheets.chapter(chapter, path.Dir(path.Join(path.Dir(name), href)), i.mediaType == "application/xhtml+xml"), "text/html")
	}
	b.Type = page.Document
	return nil
}
