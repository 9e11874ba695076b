package sitemap

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"golang.org/x/net/html"
)

// XML is read with the tokenizer of HTML: it takes linear time, and it goes on
// where real files are broken. A strict parser loses the rest of a file at its
// first bare ampersand, which is the most frequent error of sitemaps.

// entry is what was read of the entry at hand.
type entry struct {
	address, title, modified string
	depth                    int             // of elements within the entry
	weight                   int             // of the address: a better one replaces a worse one
	text                     strings.Builder // of the entry itself, in an index
}

// markup reads sitemaps, indexes, RSS and Atom.
func (c *collector) markup(body []byte) error {
	z := html.NewTokenizer(deadline.Reader(bytes.NewReader(body), c.stop))
	z.SetMaxBuf(maxTag)
	z.AllowCDATA(true)
	var e *entry
	field, fieldDepth := "", 0 // the element of an entry whose text is collected
	var value strings.Builder
	for {
		kind := z.Next()
		switch kind {
		case html.ErrorToken:
			if c.stop != nil && c.stop() != nil {
				c.incomplete("the time of the call was over")
			} else if err := z.Err(); err != io.EOF {
				c.incomplete("the file has a tag or a text of more than 256 KiB")
			} else if e != nil {
				if e.address != "" { // only its end tag is missing
					c.addEntry(e)
				}
				c.incomplete("the file ends within an entry")
			}
			if c.file.Kind == 0 {
				return &Error{What: "markup of another kind"}
			}
			return nil
		case html.StartTagToken, html.SelfClosingTagToken:
			raw, more := z.TagName()
			name := localName(string(raw))
			if c.file.Kind == 0 {
				if err := c.root(name); err != nil {
					return err
				}
				continue
			}
			// The tokenizer takes the content of these for text of HTML; in a feed they are
			// elements like others.
			z.NextIsNotRawText()
			if c.isEntry(name) {
				// One that begins within another ends it: its end tag is missing.
				if e != nil && !c.addEntry(e) {
					return nil
				}
				e, field = &entry{}, ""
				continue
			}
			if e == nil {
				continue
			}
			if name == "link" && more && e.depth == 0 {
				e.atomLink(z)
			}
			if kind == html.SelfClosingTagToken {
				continue
			}
			e.depth++
			if field == "" && c.isField(name, e.depth) {
				field, fieldDepth = name, e.depth
				value.Reset()
			}
		case html.TextToken:
			if e != nil && field == "" && e.depth == 0 && c.file.Kind == Index && e.text.Len() < maxField {
				t := z.Text()
				e.text.Write(t[:min(len(t), maxField-e.text.Len())])
				continue
			}
			// One byte more than fits makes the address unusable instead of a wrong one.
			if t := z.Text(); field != "" && value.Len() <= maxField {
				value.Write(t[:min(len(t), maxField+1-value.Len())])
			}
		case html.EndTagToken:
			raw, _ := z.TagName()
			name := localName(string(raw))
			switch {
			case e == nil:
			case c.isEntry(name), name == "urlset", name == "sitemapindex": // the last entry may not be closed
				if !c.addEntry(e) {
					return nil
				}
				e, field = nil, ""
			default:
				if field == name && e.depth <= fieldDepth {
					if field == "loc" && e.weight == locWeight { // a second one in the same entry
						if !c.addEntry(e) {
							return nil
						}
						e.weight = 0
					}
					e.set(field, value.String())
					field = ""
				}
				e.depth = max(0, e.depth-1)
			}
		}
	}
}

// root decides by the first element what the file is.
func (c *collector) root(name string) error {
	switch name {
	case "urlset":
		c.file.Kind = Pages
	case "sitemapindex":
		c.file.Kind = Index
	case "rss", "feed", "rdf", "channel":
		c.file.Kind = Feed
	case "html", "head", "body", "div", "title", "script", "meta":
		return &Error{What: "an HTML page"}
	case "error":
		return &Error{What: "an error message in XML"}
	default:
		return &Error{What: "XML of another kind"}
	}
	return nil
}

// localName is a name without its prefix; names of the extensions for news and
// video keep it, since "image:title" does not name the page.
func localName(name string) string {
	prefix, local, ok := strings.Cut(name, ":")
	if !ok {
		return name
	}
	switch prefix {
	case "image", "media", "itunes", "source":
		return name
	}
	return local
}

// isEntry depends on the kind: a feed's picture has a <url> as well.
func (c *collector) isEntry(name string) bool {
	switch c.file.Kind {
	case Pages:
		return name == "url"
	case Index:
		return name == "sitemap"
	}
	return name == "item" || name == "entry"
}

// isField reports whether the text of an element says something of the entry.
// Deeper elements speak of something else (an entry's source, its author), except
// in sitemaps, where news and videos are elements of their own.
func (c *collector) isField(name string, depth int) bool {
	switch name {
	case "loc", "lastmod", "link", "guid", "id", "pubdate", "updated", "published", "date", "modified":
		return depth == 1
	case "title", "publication_date":
		return depth == 1 || c.file.Kind == Pages
	}
	return false
}

func (c *collector) addEntry(e *entry) bool {
	if e.address == "" { // an index that has its files without <loc>
		if t := strings.TrimSpace(e.text.String()); strings.HasPrefix(t, "http://") || strings.HasPrefix(t, "https://") {
			e.address = t
		}
	}
	return c.add(e.address, e.title, parseDate(e.modified))
}

// set takes the text of an element.
func (e *entry) set(field, value string) {
	value = strings.TrimSpace(value)
	if value == "" {
		return
	}
	switch field {
	case "loc", "link":
		e.offer(value, locWeight)
	case "guid", "id":
		if strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://") {
			e.offer(value, 1)
		}
	case "title":
		if e.title == "" {
			e.title = value
		}
	case "lastmod", "updated", "modified":
		e.modified = value
	default:
		if e.modified == "" {
			e.modified = value
		}
	}
}

// locWeight is that of an address that the entry names as its own.
const locWeight = 3

// offer takes an address unless there is a better one.
func (e *entry) offer(address string, weight int) {
	if weight > e.weight {
		e.address, e.weight = address, weight
	}
}

// atomLink takes the address of <link href> (RFC 4287 section 4.2.7): the entry's
// page is the alternate one, which is also the default.
func (e *entry) atomLink(z *html.Tokenizer) {
	href, rel := "", "alternate"
	for {
		key, value, more := z.TagAttr()
		switch string(key) {
		case "href":
			href = string(value[:min(len(value), maxField+1)])
		case "rel":
			rel = strings.ToLower(string(value[:min(len(value), 64)]))
		}
		if !more {
			break
		}
	}
	if href != "" && rel == "alternate" {
		e.offer(href, 2)
	}
}

// jsonFeed reads a JSON Feed (jsonfeed.org, version 1.1).
func (c *collector) jsonFeed(body []byte) error {
	var head struct {
		Version string `json:"version"`
		Items   []struct {
			URL      string `json:"url"`
			External string `json:"external_url"`
			ID       any    `json:"id"`
			Title    string `json:"title"`
			Modified string `json:"date_modified"`
			Date     string `json:"date_published"`
		} `json:"items"`
	}
	err := json.Unmarshal(body, &head)
	if !strings.Contains(head.Version, "jsonfeed.org") {
		return &Error{What: "JSON of another kind"}
	}
	c.file.Kind = Feed
	if err != nil {
		c.incomplete("a member of the JSON is not what the format wants")
	}
	for _, i := range head.Items {
		address := i.URL
		if id, ok := i.ID.(string); address == "" && ok && strings.HasPrefix(id, "http") {
			address = id
		}
		date := i.Modified
		if date == "" {
			date = i.Date
		}
		if !c.add(address, i.Title, parseDate(date)) {
			return nil
		}
	}
	return nil
}

// dates are the forms that files have: W3C date and time, as the protocol wants
// them, with and without what it makes optional, and those of RFC 822.
var dates = []string{
	time.RFC3339, "2006-01-02T15:04Z07:00", "2006-01-02", "2006-01", "2006",
	"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04:05-0700", "2006-01-02 15:04:05 -0700", "2006-01-02 15:04:05 MST",
	time.RFC1123Z, time.RFC1123, "Mon, 2 Jan 2006 15:04:05 -0700", "Mon, 2 Jan 2006 15:04:05 MST",
	"2 Jan 2006 15:04:05 -0700", "2 Jan 2006 15:04:05 MST", "Mon, 2 Jan 2006", "2 Jan 2006",
}

// parseDate returns zero for what it cannot read.
func parseDate(s string) time.Time {
	s = strings.TrimSpace(s)
	if s == "" || len(s) > 64 {
		return time.Time{}
	}
	for _, form := range dates {
		if t, err := time.Parse(form, s); err == nil {
			if t.Year() < 1990 || t.Year() > 2200 {
				return time.Time{} // "0001-01-01" stands for an unknown date
			}
			return t.UTC()
		}
	}
	return time.Time{}
}
