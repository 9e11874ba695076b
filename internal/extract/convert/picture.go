package convert

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Pictures and media. In main content:
//
//   - A placeholder (the file in src until a script loads the picture) and an icon
//     lose their URL and keep their text.
//   - A picture that the page has shown before, in this size or another one, in light or in
//     dark, is omitted unless it has another text now. So is one directly after a
//     picture with the same text.
//
// Videos, recordings and players in frames are links.

// picture has the attributes of an img element.
type picture struct {
	src, lazy, set string // lazy: a URL that a script puts into src
	alt, title     string
	class          string
	width, height  string
}

func pictureOf(n *html.Node) (f picture) {
	for i := range n.Attr {
		val := strings.TrimSpace(n.Attr[i].Val)
		switch key := n.Attr[i].Key; key {
		case "src":
			f.src = val
		case "data-src", "data-original", "data-lazy-src", "data-lazy", "data-actualsrc", "data-hi-res-src", "data-orig-file", "data-url":
			if f.lazy == "" && !dom.HasPrefixFold(val, "data:") {
				f.lazy = val
			}
		case "srcset", "data-srcset", "data-lazy-srcset":
			if f.set == "" || key != "srcset" {
				f.set = val
			}
		case "alt":
			f.alt = val
		case "title":
			f.title = val
		case "class":
			f.class = val
		case "width":
			f.width = val
		case "height":
			f.height = val
		}
	}
	return f
}

// image converts a picture. A picture of a formula or an emoji becomes text; a
// tracking pixel is omitted.
func (c *converter) image(n *html.Node) {
	f := pictureOf(n)
	if (f.width == "0" || f.width == "1") && (f.height == "0" || f.height == "1") {
		return
	}
	alt := c.clean(f.alt)
	if alt != "" && c.imageAsText(f, alt) {
		return
	}
	url := c.source(f)
	if url == "" {
		if f2, ok := besides(n); ok {
			url = c.source(f2)
		}
	}
	if !c.o.Empty && !c.shows(&url, alt) || url == "" && alt == "" {
		return
	}
	c.inline(page.Inline{Kind: page.ImageInline, URL: url, Title: c.clean(f.title), Text: alt})
	c.lastAlt, c.lastKey = alt, pictureKey(url)
}

// shows reports whether a picture shows something new, and removes a URL that does not.
func (c *converter) shows(url *string, alt string) bool {
	if alt != "" && alt == c.lastAlt {
		return false
	}
	if *url == "" {
		return alt != ""
	}
	key := pictureKey(*url)
	text, again := c.pictures[key]
	if again && (alt == "" || alt == text) {
		return false
	}
	if c.pictures == nil {
		c.pictures = map[string]string{}
	}
	if len(c.pictures) < maxPictures {
		c.pictures[key] = alt
	}
	return true
}

// source returns the URL of a picture, absolute, or "".
func (c *converter) source(f picture) string {
	src := f.src
	if dom.HasPrefixFold(src, "data:") {
		src = ""
		if f.lazy == "" && f.set == "" {
			c.omit(page.OmittedDataURI, 1)
		}
	}
	if f.lazy != "" {
		src = f.lazy
	}
	if !c.o.Empty && isPlaceholder(src) {
		src = ""
	}
	if src == "" {
		src = largest(f.set)
	}
	if src == "" || !c.o.Empty && isIcon(f) {
		return ""
	}
	resolve := c.o.Picture
	if resolve == nil || isCodeOrData(src) {
		resolve = c.resolved
	}
	if url, ok := resolve(src); ok {
		return url
	}
	return ""
}

// largest returns the URL of the largest candidate of a srcset. URLs can contain commas.
func largest(set string) (best string) {
	most := -1.0
	for {
		set = strings.TrimLeft(set, ", \t\r\n\f")
		if set == "" {
			return best
		}
		end := strings.IndexAny(set, " \t\r\n\f")
		if end < 0 {
			end = len(set)
		}
		url, size := set[:end], ""
		if set = set[end:]; !strings.HasSuffix(url, ",") {
			size, set, _ = strings.Cut(set, ",")
		}
		n, err := strconv.ParseFloat(strings.TrimRight(strings.TrimSpace(size), "wxh"), 64)
		if err != nil {
			n = 0
		}
		if n > most && !dom.HasPrefixFold(url, "data:") {
			best, most = strings.TrimRight(url, ","), n
		}
	}
}

// besides returns the picture that a page has for browsers without scripts or for other
// formats: in a noscript element or a source beside n.
func besides(n *html.Node) (picture, bool) {
	for _, k := range [...]*html.Node{n, n.Parent} {
		if s := nextElement(k); s != nil && s.DataAtom == atom.Noscript {
			return withoutScripts(s)
		}
	}
	i := 0
	for s := n.PrevSibling; s != nil && i < maxSiblings; s, i = s.PrevSibling, i+1 {
		if s.DataAtom == atom.Source {
			return pictureOf(s), true
		}
	}
	return picture{}, false
}

// withoutScripts returns the picture of a noscript element that has nothing else.
func withoutScripts(n *html.Node) (picture, bool) {
	if n.FirstChild == nil || n.FirstChild.Type != html.TextNode || len(n.FirstChild.Data) > maxTeX {
		return picture{}, false
	}
	for _, k := range dom.ParseFragment(n.FirstChild.Data) {
		for d := k; d != nil; d = dom.Following(d, k) {
			if d.DataAtom == atom.Img {
				return pictureOf(d), true
			}
		}
	}
	return picture{}, false
}

// noscript converts the picture of a noscript element, unless the page shows it before. Most
// others count visits.
func (c *converter) noscript(n *html.Node) {
	f, ok := withoutScripts(n)
	alt, url := c.clean(f.alt), c.source(f)
	if !ok || !isPicture(url) || strings.Contains(url, ".gif?") || pictureKey(url) == c.lastKey || alt != "" && alt == c.lastAlt || !c.o.Empty && !c.shows(&url, alt) {
		return
	}
	c.inline(page.Inline{Kind: page.ImageInline, URL: url, Text: alt})
}

// imageAsText writes the alternative text of a picture of a formula or an emoji, and
// reports whether it did.
func (c *converter) imageAsText(f picture, alt string) bool {
	if strings.Contains(f.src, "tex=") || strings.Contains(f.src, "/latex") && strings.ContainsAny(alt, `\^_=`) {
		c.formula(alt, false)
		return true
	}
	for tok := range strings.FieldsSeq(f.class) {
		switch tok {
		case "mwe-math-fallback-image-inline", "mwe-math-fallback-image-display", "mwe-math-fallback-image", "tex", "latex":
			c.formula(stripDisplayStyle(alt), strings.HasSuffix(tok, "display"))
			return true
		case "emoji", "wp-smiley", "twemoji", "emojione":
			if len(alt) <= shortText {
				c.textNode(alt)
				return true
			}
		}
	}
	return false
}

// media converts a video, a recording or the frame of a player to a link.
func (c *converter) media(n *html.Node) {
	src := dom.Attr(n, "src")
	for k := range dom.Below(n) {
		if src == "" && k.DataAtom == atom.Source {
			src = dom.Attr(k, "src")
		}
	}
	if src == "" {
		src = dom.Attr(n, "data-src")
	}
	if n.DataAtom == atom.Iframe && !isPlayer(n, src) {
		return
	}
	label := dom.FirstNonBlank(dom.Attr(n, "title"), dom.Attr(n, "aria-label"), mediaNames[n.DataAtom])
	if _, name, ok := strings.Cut(src, "//"); ok {
		label = dom.FirstNonBlank(label, name)
	}
	c.linkLine(src, c.clean(dom.FirstNonBlank(label, src)))
}

// linkLine adds a link as a paragraph.
func (c *converter) linkLine(src, label string) {
	url, ok := c.resolved(strings.TrimSpace(src))
	if !ok || url == "" || label == "" || c.inLink() {
		return
	}
	c.flush()
	c.inline(page.Inline{Kind: page.LinkInline, URL: url, Children: []page.Inline{{Kind: page.Text, Text: label}}})
	c.flush()
}

var mediaNames = map[atom.Atom]string{atom.Video: "video", atom.Audio: "audio"}

// isPlayer reports whether a frame plays or shows one thing, e.g.
// "https://www.youtube.com/embed/…", rather than an advertisement.
func isPlayer(n *html.Node, src string) bool {
	path, _, _ := strings.Cut(src, "?")
	for part := range strings.FieldsFuncSeq(strings.ToLower(path), isPunctuation) {
		switch part {
		case "embed", "player", "video", "videos", "maps":
			return true
		}
	}
	return dom.HasAttr(n, "allowfullscreen") && dom.HasAttr(n, "title")
}

// isIcon reports whether a picture is an icon by its size, its class or its file.
func isIcon(f picture) bool {
	return isSmall(f.width) && isSmall(f.height) || hasPart(strings.ToLower(f.class), iconParts) || hasPart(strings.ToLower(fileName(f.src)), iconParts)
}

const iconParts = "icon icons ico favicon chevron caret spinner sprite bullet"

// isSmall reports whether an attribute gives at most iconPixels.
func isSmall(length string) bool {
	n, err := strconv.Atoi(strings.TrimSuffix(length, "px"))
	return err == nil && n <= iconPixels
}

// isPlaceholder reports whether a URL is that of a file that is shown until the picture is loaded.
func isPlaceholder(url string) bool {
	name, _, _ := strings.Cut(strings.ToLower(fileName(url)), ".")
	return dom.HasToken("blank pixel transparent loading loader clear empty dummy grey gray trans lazy", strings.Trim(name, "-_0123456789x")) ||
		name == "1x1" || hasPart(name, "placeholder spacer lazyload preloader noimage")
}

// hasPart reports whether one of the parts of a name is in a list, e.g. "copy" of "copy-btn".
func hasPart(name, list string) bool {
	for at := 0; at < len(name); {
		end := at + strings.IndexFunc(name[at:], isPunctuation)
		if end < at {
			end = len(name)
		}
		if part := name[at:end]; part != "" && strings.Contains(list, part) && dom.HasToken(list, part) {
			return true
		}
		at = end + 1
	}
	return false
}

func isPunctuation(r rune) bool {
	switch r {
	case '-', '_', '.', '@', '/', ':', ' ':
		return true
	}
	return false
}

// fileName is the last segment of the path of a URL.
func fileName(url string) string {
	if i := strings.IndexAny(url, "?#"); i >= 0 {
		url = url[:i]
	}
	return url[strings.LastIndexByte(url, '/')+1:]
}

// pictureKey is a URL of a picture without its query, which gives a size.
func pictureKey(url string) string {
	if path, _, _ := strings.Cut(url, "?"); isPicture(path) {
		return path
	}
	return url
}

// isPicture reports whether a URL is that of a picture file.
func isPicture(url string) bool {
	name := strings.ToLower(fileName(url))
	return dom.HasToken("jpg jpeg png gif webp avif svg", name[strings.LastIndexByte(name, '.')+1:])
}

func isNumber(s string) bool { return strings.Trim(s, "0123456789") == "" }
