package markdown

import (
	"strconv"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// link writes an inline link. Within another link it writes only the text, because
// Markdown has no nested links.
func (w *writer) link(x *page.Inline) {
	if w.o.NoLinks || w.inLink > 0 || x.URL == "" && len(x.Children) == 0 {
		w.inlines(x.Children, 0)
		return
	}
	if w.o.Words {
		w.linkWords(x)
		return
	}
	// Spaces at the edges are written outside.
	lead, in, tail := splitSpace(x.Children)
	if lead {
		w.text(" ", 'x')
	}
	w.bang()
	w.b = append(w.b, '[')
	w.inLink++
	w.inlines(in, ']')
	w.inLink--
	w.trim(w.bol)
	if w.o.References {
		w.reference(x.URL)
		if tail {
			w.text(" ", 0)
		}
		return
	}
	w.b = append(w.b, ']', '(')
	w.destination(x.URL, w.o.Titles && x.Title != "")
	if w.o.Titles {
		w.title(x.Title)
	}
	w.b = append(w.b, ')')
	if tail {
		w.text(" ", 0)
	}
}

// bang escapes an exclamation mark that would make an image of what follows.
func (w *writer) bang() {
	if n := len(w.b); n > w.bol && w.b[n-1] == '!' && !w.escaped() {
		w.b = append(w.b[:n-1], '\\', '!')
	}
}

// reference writes the number of a URL behind the text of a link.
func (w *writer) reference(url string) {
	n, ok := w.numbers[url]
	if !ok {
		if w.numbers == nil {
			w.numbers = map[string]int{}
		}
		w.urls = append(w.urls, url)
		n = len(w.urls)
		w.numbers[url] = n
	}
	w.b = append(w.b, "]["...)
	w.b = strconv.AppendInt(w.b, int64(n), 10)
	w.b = append(w.b, ']')
}

// references writes the URLs of the numbers.
func (w *writer) references() {
	for i, url := range w.urls {
		if w.b = append(w.b, '\n'); i == 0 {
			w.b = append(w.b, '\n')
		}
		w.b = append(w.b, '[')
		w.b = strconv.AppendInt(w.b, int64(i+1), 10)
		w.b = append(w.b, "]: "...)
		w.destination(url, false)
	}
}

func (w *writer) image(x *page.Inline) {
	if w.o.NoImages {
		return
	}
	if w.o.Images && x.URL != "" {
		w.bang()
		w.b = append(w.b, "!["...)
		w.inLink++
		w.text(x.Text, ']')
		w.inLink--
		w.b = append(w.b, ']', '(')
		w.destination(x.URL, w.o.Titles && x.Title != "")
		if w.o.Titles {
			w.title(x.Title)
		}
		w.b = append(w.b, ')')
		return
	}
	if x.Text == "" || w.o.Words && w.worded {
		return
	}
	w.bang()
	w.b = append(w.b, "[image: "...)
	w.inLink++
	w.text(x.Text, ']')
	w.inLink--
	w.b = append(w.b, ']')
}

// destination writes the URL of a link so that a parser finds its end: without
// white space and angle brackets, with balanced parentheses. Characters that are
// not allowed in a URL are percent-encoded, which gives the same URL. Invisible
// ones are replaced, percent-encoded ones too: a model reads what they spell.
func (w *writer) destination(url string, titled bool) {
	if url == "" {
		if titled {
			w.b = append(w.b, "<>"...)
		}
		return
	}
	url = text.VisibleURL(url)
	const hex = "0123456789ABCDEF"
	balanced := areBalanced(url)
	for i := 0; i < len(url); i++ {
		switch c := url[i]; c {
		case '(', ')':
			if !balanced {
				w.b = append(w.b, '\\')
			}
			w.b = append(w.b, c)
		case '<', '>', '`', '|', '\\', '"', ' ':
			w.b = append(w.b, '%', hex[c>>4], hex[c&15])
		case '&':
			w.ampersand(isEntity(url[i:]))
		default:
			if c < ' ' || c == 0x7f {
				w.b = append(w.b, '%', hex[c>>4], hex[c&15])
				continue
			}
			w.b = append(w.b, c)
		}
	}
}

// ampersand writes & so that it does not begin a character reference: as a reference
// itself, because common parsers resolve references in URLs after they have
// removed backslashes.
func (w *writer) ampersand(escape bool) {
	w.b = append(w.b, '&')
	if escape {
		w.b = append(w.b, "amp;"...)
	}
}

func (w *writer) title(t string) {
	if t == "" {
		return
	}
	w.b = append(w.b, ' ', '"')
	for i := 0; i < len(t); i++ {
		switch c := t[i]; c {
		case '"', '\\', '`':
			w.b = append(w.b, '\\', c)
		case '<':
			w.b = append(w.b, "&lt;"...)
		case '|':
			if w.inCell {
				w.b = append(w.b, '\\')
			}
			w.b = append(w.b, c)
		case '&':
			w.ampersand(isEntity(t[i:]))
		case '\n', '\r':
			w.b = append(w.b, ' ')
		default:
			w.b = append(w.b, c)
		}
	}
	w.b = append(w.b, '"')
}

// holdsWords reports whether inlines hold text beside images.
func holdsWords(in []page.Inline) bool {
	for i := range in {
		switch x := &in[i]; x.Kind {
		case page.Text, page.CodeSpan, page.MathInline:
			if len(x.Text) > 0 && x.Text != " " {
				return true
			}
		case page.ImageInline:
		default:
			if holdsWords(x.Children) {
				return true
			}
		}
	}
	return false
}

// cellHoldsWords is holdsWords for the blocks of a cell.
func cellHoldsWords(blocks []page.Block) bool {
	for i := range blocks {
		if b := &blocks[i]; len(b.Children) > 0 || b.Table != nil || b.Text != "" || holdsWords(b.Inlines) {
			return true
		}
	}
	return false
}

// linkWords writes a link without its URL. Adjacent menu entries, and a link after its hidden
// sort key ("Doe, JaneJane Doe"), are separated: nothing else would do that.
func (w *writer) linkWords(x *page.Inline) {
	if w.linkEnd > w.bol && w.linkEnd == len(w.b) || unicode.IsLower(w.before()) && unicode.IsUpper(w.firstRune(x.Children, 0)) {
		w.text(" ", 'x')
	}
	w.inlines(x.Children, 0)
	w.linkEnd = len(w.b)
}

// areBalanced reports whether the parentheses of a URL can stay as they are (CommonMark 6.3).
func areBalanced(url string) bool {
	depth := 0
	for i := range len(url) {
		switch url[i] {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth < 0 || depth > maxParens {
			return false
		}
	}
	return depth == 0
}
