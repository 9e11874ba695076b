package document

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

const maxEntriesOfFeed = 1000

// entry is one entry of a feed.
type entry struct {
	title, link, author, published string
	html, plain                    string
}

// readFeed reads RSS 0.9 to 2.0, RSS 1.0 (RDF) and Atom (RFC 4287).
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
	b.Meta.Excerpt = plainText(channel.child("description"))
	if b.Meta.Excerpt == "" {
		b.Meta.Excerpt = plainText(channel.child("subtitle"))
	}
	if b.Meta.Excerpt == "" {
		b.Meta.Excerpt = plainText(channel.child("tagline")) // Atom 0.3
	}
	b.Meta.Language = text.Line(channel.child("language").content())
	items := t.find("item")
	if len(items) == 0 {
		items = t.find("entry")
	}
	var out []entry
	for _, i := range items[:min(len(items), maxEntriesOfFeed)] {
		out = append(out, readEntry(i))
	}
	b.cut = more || len(items) > maxEntriesOfFeed
	b.feed(out)
	return nil
}

// linkOfEntry returns the address of an entry: that of a link to the page, or an
// identifier that is an address.
func linkOfEntry(i *node) string {
	for _, c := range i.children {
		if c.name != "link" {
			continue
		}
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
	return ""
}

func readEntry(i *node) entry {
	e := entry{title: plainText(i.child("title")), author: text.Line(i.child("creator").content())}
	if e.author == "" {
		a := i.child("author")
		if e.author = text.Line(a.child("name").content()); e.author == "" {
			e.author = text.Line(a.content())
		}
	}
	e.link = linkOfEntry(i)
	for _, name := range []string{"pubDate", "published", "issued", "date", "updated", "created", "modified"} {
		if e.published = day(i.child(name).content()); e.published != "" {
			break
		}
	}
	for _, name := range []string{"encoded", "content", "description", "summary"} {
		c := i.child(name)
		if c == nil || c.attr("url") != "" { // media:content
			continue
		}
		e.html, e.plain = entryText(c)
		if strings.TrimSpace(e.html+e.plain) != "" {
			break
		}
	}
	return e
}

// entryText is the text of an element of an entry, as HTML or as plain text:
// RFC 4287, section 4.1.3, and the modes of Atom 0.3.
func entryText(c *node) (html, plain string) {
	kind, mode := strings.ToLower(c.attr("type")), c.attr("mode")
	isText := kind == "" || kind == "text" || kind == "html" || strings.HasPrefix(kind, "text/")
	isXML := kind == "xhtml" || strings.HasSuffix(kind, "/xml") || strings.HasSuffix(kind, "+xml")
	s := c.content()
	switch {
	case mode == "base64", !isText && !isXML && strings.Contains(kind, "/"):
		b := decodeBase64([]byte(s))
		if !isText && !isXML || !utf8.Valid(b) {
			return "", "" // a picture, for example
		}
		s = string(b)
	case isXML, mode == "xml" && c.hasElement():
		var b bytes.Buffer
		for _, k := range c.children {
			writeHTML(&b, k)
		}
		return b.String(), ""
	}
	if kind == "text" || kind == "text/plain" {
		return "", s
	}
	return s, ""
}

// readJSONFeed reads JSON Feed 1.1.
func readJSONFeed(b *builder, body []byte) error {
	var f struct {
		Title       string `json:"title"`
		Description string `json:"description"`
		Language    string `json:"language"`
		Items       []struct {
			URL       string `json:"url"`
			External  string `json:"external_url"`
			Title     string `json:"title"`
			HTML      string `json:"content_html"`
			Text      string `json:"content_text"`
			Summary   string `json:"summary"`
			Published string `json:"date_published"`
			Authors   []struct {
				Name string `json:"name"`
			} `json:"authors"`
		} `json:"items"`
	}
	if err := json.Unmarshal(body, &f); err != nil {
		return err
	}
	b.Meta.Title, b.Meta.Excerpt, b.Meta.Language = text.Line(f.Title), text.Line(f.Description), text.Line(f.Language)
	var out []entry
	for _, i := range f.Items[:min(len(f.Items), maxEntriesOfFeed)] {
		e := entry{title: text.Line(i.Title), link: i.URL, published: day(i.Published), html: i.HTML, plain: i.Text}
		if e.link == "" {
			e.link = i.External
		}
		if e.html == "" && e.plain == "" {
			e.plain = i.Summary
		}
		for _, a := range i.Authors {
			e.author = strings.TrimPrefix(e.author+", "+text.Line(a.Name), ", ")
		}
		out = append(out, e)
	}
	b.cut = len(f.Items) > maxEntriesOfFeed
	b.feed(out)
	return nil
}

// feed appends the title and the entries of a feed, each a section.
func (b *builder) feed(entries []entry) {
	b.Type = page.Feed
	b.heading(1, b.Meta.Title)
	b.paragraph(b.Meta.Excerpt)
	base, baseErr := weburl.Parse(b.o.URL)
	for _, e := range entries {
		title := e.title
		if title == "" {
			title = "Untitled"
		}
		in := plain(title)
		u, err := weburl.Parse(e.link)
		if err != nil && baseErr == nil && e.link != "" {
			u, err = base.Resolve(e.link)
		}
		if err == nil {
			in = []page.Inline{{Kind: page.LinkInline, URL: u.String(), Children: in}}
			b.link(u, title)
		}
		b.add(page.Block{Kind: page.Heading, Level: 2, Inlines: in})
		facts := e.published
		if e.author != "" {
			facts = strings.TrimPrefix(facts+" · "+e.author, " · ")
		}
		b.paragraph(facts)
		switch {
		case strings.Contains(e.html, "<"):
			b.part([]byte(e.html), "text/html")
		case e.html != "":
			b.lines(e.html)
		default:
			b.lines(e.plain)
		}
	}
}

// plainText is a title, in which some feeds escape tags.
func plainText(n *node) string {
	s := n.content()
	s = s[:min(len(s), 4096)]
	for {
		from := strings.IndexByte(s, '<')
		if from < 0 {
			break
		}
		to := strings.IndexByte(s[from:], '>')
		if to < 0 {
			break
		}
		s = s[:from] + s[from+to+1:]
	}
	return text.Line(s)
}

// day makes ISO 8601 of the dates that feeds have.
func day(s string) string {
	s = text.Line(s)
	for _, layout := range []string{time.RFC3339, time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST", "2 Jan 2006 15:04:05 -0700"} {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Format("2006-01-02T15:04:05Z07:00")
		}
	}
	return isoDate(s)
}
