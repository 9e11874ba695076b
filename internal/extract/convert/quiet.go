package convert

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Pictures and links that say nothing are left out of main content:
//
//   - A placeholder (the file that stands in src until a script puts the picture
//     there) loses its address and keeps its text.
//   - An icon without a text is left out; one with a text loses its address.
//   - A picture that was there before, in this size or another one, in light or in
//     dark, is left out, unless it now has another text. So is one that directly
//     follows another picture with the same text.
//   - A picture without a text in a link is left out, unless the link leads to the
//     picture itself; then the link is left out.
//   - A link around nothing is left out.
//
// A page that would be empty without them keeps them.

// iconPixels is the side of the largest picture that counts as an icon.
const iconPixels = 32

// isIcon reports whether a picture is an icon by its size, its class or its file.
func isIcon(f imageFacts) bool {
	if isSmall(f.width) && isSmall(f.height) {
		return true
	}
	for tok := range strings.FieldsSeq(f.class) {
		if hasPart(strings.ToLower(tok), iconParts[:]) {
			return true
		}
	}
	return hasPart(strings.ToLower(fileName(f.src)), iconParts[:])
}

var iconParts = [...]string{"icon", "icons", "ico", "favicon", "chevron", "caret", "spinner", "sprite", "bullet"}

// isSmall reports whether an attribute gives at most iconPixels.
func isSmall(length string) bool {
	n, digits := 0, 0
	for digits < len(length) && length[digits] >= '0' && length[digits] <= '9' && digits < 6 {
		n = 10*n + int(length[digits]-'0')
		digits++
	}
	unit := length[digits:]
	return digits > 0 && n <= iconPixels && (unit == "" || unit == "px" || n <= 2 && (unit == "em" || unit == "rem"))
}

// isPlaceholder reports whether an address is that of a file that stands in the
// place of a picture.
func isPlaceholder(address string) bool {
	name := strings.ToLower(fileName(address))
	name, _, _ = strings.Cut(name, ".")
	switch strings.Trim(name, "-_0123456789x") {
	case "blank", "pixel", "transparent", "loading", "loader", "clear", "empty", "dummy", "grey", "gray", "trans", "lazy":
		return true
	}
	return name == "1x1" || hasPart(name, placeholderParts[:])
}

var placeholderParts = [...]string{"placeholder", "spacer", "lazyload", "preloader", "noimage"}

// hasPart reports whether one of the parts of a name, between punctuation, is in a
// list.
func hasPart(name string, list []string) bool {
	for part := range strings.FieldsFuncSeq(name, isPunctuation) {
		for _, w := range list {
			if part == w {
				return true
			}
		}
	}
	return false
}

func isPunctuation(r rune) bool { return r == '-' || r == '_' || r == '.' || r == '@' || r == '/' }

// fileName is the last segment of the path of an address.
func fileName(address string) string {
	if i := strings.IndexAny(address, "?#"); i >= 0 {
		address = address[:i]
	}
	return address[strings.LastIndexByte(address, '/')+1:]
}

// pictureKey is an address without what says the size, the quality or the colour
// scheme of the picture.
func pictureKey(address string) string {
	address, _, _ = strings.Cut(address, "#")
	path, query, _ := strings.Cut(address, "?")
	cut := strings.LastIndexByte(path, '/') + 1
	var b strings.Builder
	b.WriteString(path[:cut])
	for part := range strings.FieldsFuncSeq(path[cut:], isPunctuation) {
		if part != "light" && part != "dark" && !isDimensions(part) {
			b.WriteByte('-')
			b.WriteString(part)
		}
	}
	for pair := range strings.SplitSeq(query, "&") {
		name, _, _ := strings.Cut(pair, "=")
		switch name {
		case "", "w", "h", "width", "height", "q", "quality", "fit", "crop", "auto", "format", "fm", "dpr", "resize", "size", "sz", "v", "ver", "wid", "hei":
		default:
			b.WriteByte('&')
			b.WriteString(pair)
		}
	}
	return b.String()
}

// isDimensions reports whether a part of a file's name is a size, for example
// 300x200 or 2x.
func isDimensions(s string) bool {
	w, h, ok := strings.Cut(s, "x")
	return ok && w != "" && strings.Trim(w, "0123456789") == "" && strings.Trim(h, "0123456789") == ""
}

// isPicture reports whether an address is that of a picture file.
func isPicture(address string) bool {
	name := strings.ToLower(fileName(address))
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "jpg", "jpeg", "png", "gif", "webp", "avif":
		return true
	}
	return false
}

// quieter leaves out what says nothing.
type quieter struct {
	seen map[string]string // texts of pictures, by key
	last string            // text of the picture directly before
}

// maxPictures bounds the pictures that are remembered.
const maxPictures = 20_000

// quiet returns blocks without what says nothing.
func quiet(blocks []page.Block) []page.Block {
	if !holdPicture(blocks) {
		return blocks
	}
	q := quieter{seen: map[string]string{}}
	if out := q.blocks(blocks); len(out) > 0 {
		return out
	}
	return blocks
}

// holdPicture reports whether blocks hold a picture.
func holdPicture(blocks []page.Block) bool {
	for i := range blocks {
		b := &blocks[i]
		if hasPictureInline(b.Inlines) || holdPicture(b.Children) {
			return true
		}
		if b.Table == nil {
			continue
		}
		if hasPictureInline(b.Table.Caption) {
			return true
		}
		for _, row := range b.Table.Rows {
			for i := range row {
				if holdPicture(row[i].Blocks) {
					return true
				}
			}
		}
	}
	return false
}

func hasPictureInline(in []page.Inline) bool {
	for i := range in {
		if in[i].Kind == page.ImageInline || hasPictureInline(in[i].Children) {
			return true
		}
	}
	return false
}

// blocks returns new slices: what it was given stays as it is, for a page that
// would be empty.
func (q *quieter) blocks(in []page.Block) []page.Block {
	out := make([]page.Block, 0, len(in))
	for _, b := range in {
		had := len(b.Inlines) + len(b.Children)
		if hasPictureInline(b.Inlines) {
			b.Inlines = trimEnds(q.inlines(b.Inlines, ""))
		} else if len(b.Inlines) > 0 {
			q.last = ""
		}
		b.Children = q.blocks(b.Children)
		if b.Table != nil {
			b.Table = q.table(b.Table)
		}
		if had == 0 || len(b.Inlines)+len(b.Children) > 0 || b.Label != "" {
			out = append(out, b)
		}
	}
	if len(out) == 0 {
		return nil
	}
	return out
}

func (q *quieter) table(t *page.Table) *page.Table {
	out := *t
	if hasPictureInline(t.Caption) {
		out.Caption = trimEnds(q.inlines(t.Caption, ""))
	}
	out.Rows = make([][]page.Cell, len(t.Rows))
	for i, row := range t.Rows {
		out.Rows[i] = make([]page.Cell, len(row))
		for k, cell := range row {
			cell.Blocks = q.blocks(cell.Blocks)
			out.Rows[i][k] = cell
		}
	}
	return &out
}

// inlines filters inlines; link is the address of the link around them, if any.
func (q *quieter) inlines(in []page.Inline, link string) []page.Inline {
	out := make([]page.Inline, 0, len(in))
	for _, x := range in {
		switch x.Kind {
		case page.ImageInline:
			if !q.picture(&x, link) {
				continue
			}
		case page.LinkInline:
			x.Children = trimEnds(q.inlines(x.Children, x.URL))
			if len(x.Children) == 0 {
				continue
			}
			if only := x.Children[0]; len(x.Children) == 1 && only.Kind == page.ImageInline && only.Text == "" {
				x = only // the link leads to the picture itself
			}
		case page.Text:
			if strings.TrimSpace(x.Text) != "" {
				q.last = ""
			}
			if n := len(out); n > 0 && out[n-1].Kind == page.Text { // what was between is gone
				text := x.Text
				if strings.HasSuffix(out[n-1].Text, " ") {
					text = strings.TrimLeft(text, " ")
				}
				out[n-1].Text += text
				continue
			}
		case page.Break, page.FootnoteRef:
		case page.CodeSpan, page.MathInline:
			q.last = ""
		default:
			if x.Children = q.inlines(x.Children, link); len(x.Children) == 0 {
				continue
			}
		}
		out = append(out, x)
	}
	return out
}

// picture reports whether a picture is kept, and removes an address that says
// nothing.
func (q *quieter) picture(x *page.Inline, link string) bool {
	if x.URL != "" && isPlaceholder(x.URL) {
		x.URL = ""
	}
	if x.Text == "" && (x.URL == "" || link != "" && !isPicture(link)) || x.Text != "" && x.Text == q.last {
		return false
	}
	if x.URL != "" {
		key := pictureKey(x.URL)
		text, again := q.seen[key]
		if again && (x.Text == "" || x.Text == text) {
			return false
		}
		if len(q.seen) < maxPictures {
			q.seen[key] = x.Text
		}
	}
	q.last = x.Text
	return true
}

// trimEnds removes white space and breaks at the ends of a paragraph that stood
// beside a picture.
func trimEnds(in []page.Inline) []page.Inline {
	for len(in) > 0 {
		x := &in[0]
		if x.Kind == page.Text {
			x.Text = strings.TrimLeft(x.Text, " ")
		}
		if x.Kind != page.Break && (x.Kind != page.Text || x.Text != "") {
			break
		}
		in = in[1:]
	}
	for len(in) > 0 {
		x := &in[len(in)-1]
		if x.Kind == page.Text {
			x.Text = strings.TrimRight(x.Text, " ")
		}
		if x.Kind != page.Break && (x.Kind != page.Text || x.Text != "") {
			break
		}
		in = in[:len(in)-1]
	}
	return in
}
