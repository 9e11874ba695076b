package dom

import (
	"net/url"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Resolver makes addresses of one document absolute.
type Resolver struct {
	base  weburl.URL
	in    string              // the encoding of queries
	seen  map[string]resolved // by reference; pages repeat their links
	added int                 // bytes
	left  int                 // references that were not resolved
	// relative counts references that stay as they are, because the document has no address.
	relative int
}

// resolved is an absolute address, as it is and without tracking parameters.
type resolved struct{ whole, clean string }

// NewResolver reads the document's URL and its first base element with an href, which may
// not leave the web. charset is the encoding that the document was sent in; "" means UTF-8.
func NewResolver(address, charset string, doc *html.Node) *Resolver {
	r := &Resolver{seen: make(map[string]resolved, 128), in: charset}
	r.base, _ = weburl.Parse(address)
	for n := range Below(doc) {
		if n.DataAtom == atom.Base && Attr(n, "href") != "" {
			if b, err := r.resolve(Attr(n, "href")); err == nil && IsWeb(b.Scheme()) {
				r.base = b
			}
			break
		}
	}
	return r
}

func (r *Resolver) resolve(ref string) (weburl.URL, error) { return r.base.ResolveIn(ref, r.in) }

// absolute returns the reference as an absolute address, or "" when it has
// none that may be given to a reader: other schemes than http, https, mailto
// and tel, and what cannot be parsed.
func (r *Resolver) absolute(ref string) resolved {
	ref = strings.TrimSpace(ref)
	if ref == "" {
		return resolved{}
	}
	if s, ok := r.seen[ref]; ok {
		return s
	}
	if r.added > maxAdded {
		r.left++
		return resolved{}
	}
	var s resolved
	if r.base.IsZero() && isRelative(ref) {
		r.relative++
		s.whole, s.clean = ref, ref
	} else if u, err := r.resolve(ref); err == nil {
		switch {
		case IsWeb(u.Scheme()):
			u = u.WithoutUserinfo()
			s.whole = u.String()
			s.clean = s.whole
			if clean, removed := u.Clean(); removed != nil {
				s.clean = clean.String()
			}
		case u.Scheme() == "mailto" || u.Scheme() == "tel":
			s.whole = u.String()
			s.clean = s.whole
		}
	}
	r.added += max(len(s.whole)-len(ref), 0)
	if len(r.seen) < maxLinks {
		r.seen[ref] = s
	}
	return s
}

// Left returns how many references were not resolved, because the base of the document is
// too long for so many.
func (r *Resolver) Left() int { return r.left }

// Relative returns how many references stayed relative, because the document has neither
// an address nor a base element.
func (r *Resolver) Relative() int { return r.relative }

// isRelative reports whether a reference has neither a scheme nor a host, so that it is a
// path, a query or a fragment, and is written without spaces and control characters.
func isRelative(ref string) bool {
	if strings.ContainsFunc(ref, func(c rune) bool { return c <= ' ' || c == '\\' || c == 0x7f }) {
		return false
	}
	head, _, _ := strings.Cut(ref, "/")
	head, _, _ = strings.Cut(head, "?")
	head, _, _ = strings.Cut(head, "#")
	return !strings.Contains(head, ":") && !strings.HasPrefix(ref, "//")
}

// Linkable is the address of a link in the form that convert asks for, without
// tracking parameters. An empty reference is that of the document itself (RFC 3986,
// section 4.4).
func (r *Resolver) Linkable(ref string) (string, bool) {
	s := r.absolute(ref).clean
	if ref == "" && IsWeb(r.base.Scheme()) {
		s = r.base.WithoutUserinfo().String()
	}
	return s, s != ""
}

// Picture is Linkable for the addresses of pictures, which stay as they are: the
// rules about tracking parameters are made for pages.
func (r *Resolver) Picture(ref string) (string, bool) {
	s := r.absolute(ref).whole
	return s, s != ""
}

// IsWeb reports whether a scheme is that of a web page.
func IsWeb(scheme string) bool { return scheme == "http" || scheme == "https" }

// ReadLinks lists the web addresses that a document links to.
func ReadLinks(doc *html.Node, r *Resolver) []page.Link {
	var out []page.Link
	index := make(map[string]int, 128)
	for n := range Below(doc) {
		if n.DataAtom != atom.A && n.DataAtom != atom.Area {
			continue
		}
		href := strings.TrimSpace(Attr(n, "href"))
		if href == "" || href[0] == '#' {
			continue
		}
		u := r.absolute(href).clean
		if u == "" || !isWebAddress(u) {
			continue
		}
		u, _, _ = strings.Cut(u, "#")
		if i, ok := index[u]; ok {
			out[i].Count++
			if out[i].Text == "" {
				out[i].Text = anchorText(n)
			}
			continue
		}
		if len(out) == maxLinks {
			break
		}
		index[u] = len(out)
		out = append(out, page.Link{URL: u, Text: anchorText(n), Count: 1})
	}
	for i := range out {
		if out[i].Text == "" {
			out[i].Text = lastSegment(out[i].URL)
		}
	}
	return out
}

func isWebAddress(u string) bool {
	return strings.HasPrefix(u, "https:") || strings.HasPrefix(u, "http:")
}

// anchorText is what a person sees of a link: its text, else the alternative
// text of its picture, its label or its title. It is one line of at most 200
// characters.
func anchorText(a *html.Node) string {
	if n := a.FirstChild; n != nil && n.NextSibling == nil && n.Type == html.TextNode { // most links
		if s := cleanLine(n.Data); s != "" {
			return s
		}
	}
	var b strings.Builder
	alt := ""
	for n := range Below(a) {
		switch {
		case n.Type == html.TextNode && !IsDropped(n.Parent.DataAtom):
			b.WriteString(n.Data)
		case n.DataAtom == atom.Img && alt == "":
			alt = Attr(n, "alt")
		case n.DataAtom != 0 && !IsInline(n.DataAtom):
			b.WriteByte(' ')
		}
		if b.Len() > 2048 {
			break
		}
	}
	for _, s := range [...]string{b.String(), alt, Attr(a, "alt"), Attr(a, "aria-label"), Attr(a, "title")} {
		if s = cleanLine(s); s != "" {
			return s
		}
	}
	return ""
}

// cleanLine makes one line of at most 200 characters.
func cleanLine(s string) string { return text.Cut(text.Line(s), 200) }

func lastSegment(u string) string {
	_, rest, _ := strings.Cut(u, "://")
	path, _, _ := strings.Cut(rest, "?")
	path = strings.TrimRight(path, "/")
	seg := path[strings.LastIndexByte(path, '/')+1:]
	if s, err := url.PathUnescape(seg); err == nil {
		seg = s
	}
	return cleanLine(seg)
}
