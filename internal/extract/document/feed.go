package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"html"
	"path"
	"slices"
	"strings"

	nethtml "golang.org/x/net/html"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// entry is one entry of a feed.
type entry struct {
	title, link, author, published string
	html, plain                    string
	base                           string // of its addresses; "" for that of the feed
	files                          []enclosure
}

// enclosure is a file that belongs to an entry, for example an episode.
type enclosure struct {
	URL  string `json:"url"`
	Type string `json:"mime_type"`
}

// readFeed converts RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom (RFC 4287).
func readFeed(b *builder, body []byte) error {
	t, more, err := parseXML(body)
	if err != nil {
		return err
	}
	channel := t.first("channel")
	if channel == nil {
		channel = t.first("feed")
	}
	if channel == nil {
		return &Error{Code: Malformed, Cause: errors.New("neither a channel nor a feed")}
	}
	b.Meta.Title = plainText(channel.child("title"))
	b.Meta.Excerpt = cmp.Or(plainText(channel.child("description")), plainText(channel.child("subtitle")))
	b.Meta.Language = text.Line(channel.child("language").content())
	items := t.find("item")
	if len(items) == 0 {
		items = t.find("entry")
	}
	base := ""
	for n := t; n != nil && n.name != channel.name; {
		n = n.firstElement()
		base = b.resolved(base, n.attr("base"))
	}
	b.cut = more || len(items) > maxEntriesOfFeed
	author := b.joinNames(authorsOf(channel))
	var out []entry
	for _, i := range items[:min(len(items), maxEntriesOfFeed)] {
		e := b.entry(i, base)
		if e.author == "" && i.child("source") == nil {
			e.author = author
		}
		out = append(out, e)
	}
	b.feed(out)
	return nil
}

// linkOfEntry returns the address of an entry: that of a link to the page, or an
// identifier that is an address.
func linkOfEntry(i *node) string {
	for _, c := range i.kids("link") {
		rel, href := c.attr("rel"), c.attr("href")
		if href == "" {
			href = text.Line(c.content())
		} else if rel != "" && rel != "alternate" {
			continue
		}
		if href != "" {
			return href
		}
	}
	if g := i.child("guid"); g != nil && g.attr("isPermaLink") != "false" {
		return text.Line(g.content())
	}
	return i.attr("about") // RSS 1.0
}

// resolved is a base of addresses (xml:base; RFC 4287, section 2) within
// another; "" is that of the document.
func (b *builder) resolved(outer, base string) string {
	if base == "" {
		return outer
	}
	if u, err := weburl.Parse(cmp.Or(outer, b.o.URL)); err == nil {
		if inner, err := u.Resolve(base); err == nil {
			return inner.String()
		}
	}
	return base
}

// firstElement is the first child that is an element, or nil.
func (n *node) firstElement() *node {
	for _, c := range n.children {
		if c.name != "" {
			return c
		}
	}
	return nil
}

// authorsOf are the names of the authors of an entry or a feed.
func authorsOf(n *node) (names []string) {
	for _, kind := range []string{"creator", "author"} {
		for _, a := range n.kids(kind) {
			name := text.Line(cmp.Or(a.child("name").content(), a.content()))
			if i := strings.Index(name, " ("); i > 0 && strings.HasSuffix(name, ")") && strings.Contains(name[:i], "@") {
				name = name[i+2 : len(name)-1] // an address of RSS 2.0, with the name behind it
			}
			names = append(names, name)
		}
		if len(names) > 0 {
			break
		}
	}
	return names
}

// joinNames writes at most maxNamesOfFeed names as one line, each once.
func (b *builder) joinNames(names []string) string {
	var out []string
	for _, name := range names {
		if name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
		if len(out) == maxNamesOfFeed {
			b.cut = b.cut || len(names) > maxNamesOfFeed
			break
		}
	}
	return strings.Join(out, ", ")
}

// entry converts an entry of a feed with this base.
func (b *builder) entry(i *node, base string) entry {
	e := entry{title: plainText(i.child("title")), link: linkOfEntry(i), base: b.resolved(base, i.attr("base"))}
	names := authorsOf(i)
	if len(names) == 0 {
		names = authorsOf(i.child("source")) // the feed that it was taken from (RFC 4287, section 4.2.11)
	}
	e.author = b.joinNames(names)
	shown := ""
	for _, name := range []string{"pubDate", "published", "date", "updated"} {
		s := i.child(name).content()
		if e.published = day(s); e.published != "" {
			break
		}
		shown = cmp.Or(shown, text.Cut(text.Line(s), maxShownDate))
	}
	e.published = cmp.Or(e.published, shown)
	for _, c := range append(i.kids("enclosure"), i.kids("link")...) {
		if (c.name == "enclosure" || c.attr("rel") == "enclosure") && len(e.files) < maxFilesOfEntry {
			e.files = append(e.files, enclosure{cmp.Or(c.attr("url"), c.attr("href")), c.attr("type")})
		}
	}
	for _, c := range append(contentsOf(i), contentsOf(i.child("group"))...) {
		if src := c.attr("src"); src != "" && len(e.files) < maxFilesOfEntry {
			e.files = append(e.files, enclosure{src, c.attr("type")})
		}
		e.html, e.plain = entryText(c)
		if strings.TrimSpace(e.html+e.plain) != "" {
			e.base = b.resolved(e.base, c.attr("base"))
			break
		}
	}
	return e
}

// contentsOf are the elements that hold the text of an entry, the longest kind first.
func contentsOf(n *node) []*node {
	var out []*node
	for _, name := range []string{"encoded", "content", "description", "summary"} {
		if c := n.child(name); c != nil && c.attr("url") == "" { // media:content
			out = append(out, c)
		}
	}
	return out
}

// entryText is the text of an element of an entry, as HTML or as plain text: RFC 4287,
// section 4.1.3.
func entryText(c *node) (html, plain string) {
	switch kind := strings.ToLower(c.attr("type")); {
	case kind == "text" || kind == "text/plain":
		return "", c.content()
	case kind == "xhtml", strings.HasSuffix(kind, "/xml"), strings.HasSuffix(kind, "+xml"):
		var b bytes.Buffer
		for _, k := range c.children {
			writeHTML(&b, k)
		}
		return b.String(), ""
	case strings.Contains(kind, "/") && !strings.HasPrefix(kind, "text/"): // a picture, for example
		return "", ""
	}
	return c.content(), ""
}

// jsonAuthors are authors in JSON Feed; version 1 has one, version 1.1 a list.
type jsonAuthors struct {
	Author  struct{ Name string }
	Authors []struct{ Name string }
}

func (a jsonAuthors) names() []string {
	names := []string{text.Line(a.Author.Name)}
	for _, one := range a.Authors {
		names = append(names, text.Line(one.Name))
	}
	return names
}

// readJSONFeed converts JSON Feed 1.1.
func readJSONFeed(b *builder, body []byte) error {
	var f struct {
		jsonAuthors
		Title, Description, Language string
		Items                        []struct {
			jsonAuthors
			URL, Title, Summary string
			External            string      `json:"external_url"`
			HTML                string      `json:"content_html"`
			Text                string      `json:"content_text"`
			Published           string      `json:"date_published"`
			Modified            string      `json:"date_modified"`
			Files               []enclosure `json:"attachments"`
		}
	}
	if err := json.Unmarshal(body, &f); err != nil {
		return err
	}
	b.Meta.Title, b.Meta.Excerpt, b.Meta.Language = text.Line(f.Title), text.Line(f.Description), text.Line(f.Language)
	b.cut = len(f.Items) > maxEntriesOfFeed
	author := b.joinNames(f.names())
	var out []entry
	for _, i := range f.Items[:min(len(f.Items), maxEntriesOfFeed)] {
		e := entry{title: text.Line(i.Title), link: cmp.Or(i.URL, i.External), published: cmp.Or(day(i.Published), day(i.Modified)), html: i.HTML, plain: i.Text}
		if e.html == "" && e.plain == "" {
			e.plain = i.Summary
		}
		e.author, e.files = cmp.Or(b.joinNames(i.names()), author), i.Files[:min(len(i.Files), maxFilesOfEntry)]
		out = append(out, e)
	}
	b.feed(out)
	return nil
}

// feed appends the title and the entries of a feed, each a section.
func (b *builder) feed(entries []entry) {
	b.Type = page.Feed
	b.heading(1, b.Meta.Title)
	b.paragraph(b.Meta.Excerpt)
	for _, e := range entries {
		title := e.title
		if title == "" { // as of most short messages
			title = cmp.Or(e.published, text.Line(e.link), "Untitled")
		}
		b.add(page.Block{Kind: page.Heading, Level: 2, Inlines: b.linkFrom(e.base, e.link, title)})
		facts := e.published
		if facts == title {
			facts = ""
		}
		if e.author != "" {
			facts = strings.TrimPrefix(facts+" · "+e.author, " · ")
		}
		b.paragraph(facts)
		switch {
		case strings.Contains(e.html, "<"):
			base := ""
			if e.base != "" {
				base = `<base href="` + html.EscapeString(e.base) + `">`
			}
			b.part([]byte(base+e.html), "text/html")
		case e.html != "":
			b.lines(html.UnescapeString(e.html))
		default:
			b.lines(e.plain)
		}
		for _, f := range e.files {
			in := append(plain("Enclosure: "), b.linkFrom(e.base, f.URL, text.Line(path.Base(f.URL)))...)
			if f.Type != "" {
				in = append(in, page.Inline{Kind: page.Text, Text: " (" + text.Line(f.Type) + ")"})
			}
			b.add(page.Block{Kind: page.Paragraph, Inlines: in})
		}
	}
}

// linkFrom makes a link of a label where the address is one, from a base or from the address
// of the document.
func (b *builder) linkFrom(base, address, label string) []page.Inline {
	if address != "" {
		address = b.resolved(base, address)
	}
	return b.linked(address, plain(b.clean(label)))
}

// plainText is a title or a short text. Unless its type says that it is plain,
// it is HTML: many feeds escape tags and entities in it. Without a type, only
// those of HTML are tags.
func plainText(n *node) string {
	s, kind := n.content(), strings.ToLower(n.attr("type"))
	s = s[:min(len(s), maxTitle)]
	if kind == "text" || kind == "text/plain" || kind == "xhtml" {
		return text.Line(s)
	}
	var b strings.Builder
	z := nethtml.NewTokenizer(strings.NewReader(s))
	for z.Next() != nethtml.ErrorToken {
		raw := string(z.Raw())
		if t := z.Token(); t.Type == nethtml.TextToken || !strings.Contains(kind, "html") && t.DataAtom == 0 {
			b.WriteString(raw)
		}
	}
	return text.Line(html.UnescapeString(b.String()))
}
