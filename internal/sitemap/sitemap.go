// Package sitemap provides what the files of a site say about its addresses:
// sitemaps and sitemap indexes (sitemaps.org 0.9), in XML, as plain text and
// compressed, feeds (RSS, Atom, JSON Feed) and llms.txt.
//
//	f, err := sitemap.Parse(body, at, 0)
//	if err != nil {
//		return err // the body is something else; its message says what
//	}
//	for _, l := range f.Links {
//		fmt.Println(l.URL, l.Modified, l.Title)
//	}
//
// The links of an index are further files to read; the links of every other
// kind are pages. The package reads bytes and fetches nothing: the caller decides
// which files it requests, and which of the links are in its scope. A sitemap
// suggests addresses and authorizes none: each one passes the policy when it is
// requested.
//
// # Guarantees
//
// Parse takes linear time, never panics, and keeps at most as many links as it
// was told. Broken files give what they hold up to the break and beyond it:
// unescaped ampersands, wrong or missing namespaces, text before the XML
// declaration, an early end. Nothing is lost silently: [File] counts what had no
// usable address and says why it is incomplete.
//
// # Limits
//
// Priorities and change frequencies are not read: search engines ignore them,
// because most files state one value for all pages. A file's encoding is UTF-8,
// as the protocol demands; fetch converts others by their header.
package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// maxLinks is how many links the protocol allows in one file, and the default
// limit of [Parse].
const maxLinks = 50_000

// Kind is what a file is.
type Kind uint8

const (
	Pages Kind = iota + 1 // an XML sitemap
	Index                 // an XML sitemap index: its links are sitemaps
	List                  // a text file with one address on each line
	Feed                  // RSS, Atom or JSON Feed
	LLMs                  // llms.txt: Markdown with links
)

// String names the kind for people: "sitemap", "sitemap index", "list of
// addresses", "feed", "llms.txt".
func (k Kind) String() string {
	switch k {
	case Pages:
		return "sitemap"
	case Index:
		return "sitemap index"
	case List:
		return "list of addresses"
	case Feed:
		return "feed"
	case LLMs:
		return "llms.txt"
	}
	return "unknown"
}

// Link is an address that a file names.
type Link struct {
	URL weburl.URL // without fragment
	// Title is the entry's title in one cleaned line of at most 200 characters;
	// empty when the file has none. XML sitemaps have one only for news and video.
	Title string
	// Modified is when the page last changed according to the file, or when a feed
	// published it; zero when the file does not say or the date cannot be read.
	Modified time.Time
}

// File is what one file says.
type File struct {
	Kind Kind
	// Links are in the order of the file, without repetitions.
	Links []Link
	// Unusable counts entries without a usable address: empty, not http or https,
	// malformed or too long.
	Unusable int
	// Incomplete says why Links are not all that the file names, in words that fit
	// after "incomplete: "; empty when they are.
	Incomplete string
}

// An Error says why a body is not a file that Parse reads.
type Error struct {
	// What says what the body is instead, in words that fit after "this is".
	What string
}

func (e *Error) Error() string {
	return "this is " + e.What + ", and not a sitemap, a feed or llms.txt"
}

// ErrEmpty is the error of Parse for a file that is well-formed and names no
// address at all.
var ErrEmpty = errors.New("the file names no URL")

const (
	maxTitle = 200       // characters of a title
	maxField = 8 << 10   // bytes of an address, a title or a date
	maxTag   = 256 << 10 // bytes of one token: a tag with its attributes, a run of text
)

// Parse reads a file that was fetched from an address, to which relative
// addresses refer. It keeps at most limit links; 0 means [maxLinks]. A body that
// is compressed is for [Decompress] first. stop, which may be nil, is asked once in a while;
// where it returns an error, the file is incomplete. The error is an *Error or ErrEmpty;
// with ErrEmpty the File says how many entries were unusable.
func Parse(body []byte, at weburl.URL, limit int, stop func() error) (File, error) {
	if limit <= 0 {
		limit = maxLinks
	}
	c := &collector{base: at, limit: limit, stop: stop, known: map[string]bool{}}
	// A byte order mark, which is what a compressed file still has, is invisible.
	body = bytes.TrimLeftFunc(body, func(r rune) bool { return unicode.IsSpace(r) || text.ClassOf(r).Invisible() })
	var err error
	switch {
	case len(body) == 0:
		err = &Error{What: "an empty file"}
	case body[0] == '{':
		err = c.jsonFeed(body)
	case body[0] == '<':
		err = c.markup(body)
	case rootAt(body) > 0: // a warning of the program that made it
		err = c.markup(body[rootAt(body):])
	case isList(body):
		c.list(body)
	default:
		err = c.markdown(body)
	}
	if err == nil && len(c.file.Links) == 0 {
		err = ErrEmpty
	}
	return c.file, err
}

// maxJunk is how many bytes of something else may come before the markup of a file.
const maxJunk = 2 << 10

// rootAt is where the markup of a sitemap or feed begins; -1: nowhere near the beginning.
func rootAt(body []byte) int {
	head := body[:min(len(body), maxJunk)]
	for _, root := range []string{"<?xml", "<urlset", "<sitemapindex", "<rss", "<feed"} {
		if i := bytes.Index(head, []byte(root)); i >= 0 {
			return i
		}
	}
	return -1
}

// collector gathers links up to a limit.
type collector struct {
	base  weburl.URL
	limit int
	stop  func() error
	asked int // how often over was
	known map[string]bool
	file  File
}

// over asks stop, once in a while, and reports whether reading is to end.
func (c *collector) over() bool {
	if c.asked++; c.stop == nil || c.asked%256 != 0 || c.stop() == nil {
		return false
	}
	c.incomplete("the time of the call was over")
	return true
}

// add takes an entry. It returns false if the bound is reached.
func (c *collector) add(address, title string, modified time.Time) bool {
	u, ok := c.resolve(address)
	if !ok {
		c.file.Unusable++
		return true
	}
	s := u.String()
	if c.known[s] {
		return true
	}
	if len(c.file.Links) >= c.limit {
		c.incomplete(fmt.Sprintf("the first %d URLs were read", c.limit))
		return false
	}
	c.known[s] = true
	c.file.Links = append(c.file.Links, Link{URL: u, Title: text.Cut(text.Line(title), maxTitle), Modified: modified})
	return true
}

func (c *collector) resolve(address string) (weburl.URL, bool) {
	address = strings.TrimSpace(address)
	if address == "" || len(address) > maxField {
		return weburl.URL{}, false
	}
	u, err := c.base.Resolve(address)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" {
		return weburl.URL{}, false
	}
	return u.WithoutUserinfo().WithoutFragment(), true
}

// incomplete keeps the first reason.
func (c *collector) incomplete(why string) {
	if c.file.Incomplete == "" {
		c.file.Incomplete = why
	}
}

// isList reports whether the first lines are addresses.
func isList(body []byte) bool {
	line, _, _ := bytes.Cut(body, []byte{'\n'})
	line = bytes.ToLower(bytes.TrimSpace(line[:min(len(line), maxField)]))
	return bytes.HasPrefix(line, []byte("http://")) || bytes.HasPrefix(line, []byte("https://"))
}

// list reads a text sitemap: one address on each line, nothing else.
func (c *collector) list(body []byte) {
	c.file.Kind = List
	for len(body) > 0 && !c.over() {
		var line []byte
		line, body, _ = bytes.Cut(body, []byte{'\n'})
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		if !isList(line) { // addresses are absolute here
			c.file.Unusable++
			continue
		}
		if !c.add(string(line), "", time.Time{}) {
			return
		}
	}
}

// markdown reads llms.txt: a title, and lists of links [title](address). The
// proposal (llmstxt.org) wants a first line that is a heading.
func (c *collector) markdown(body []byte) error {
	if body[0] != '#' && !bytes.Contains(body[:min(len(body), maxTag)], []byte("](")) {
		return &Error{What: "text without links"}
	}
	c.file.Kind = LLMs
	ends := 0 // before this offset, no address ends
	for at := 0; !c.over(); {
		i := bytes.Index(body[at:], []byte("]("))
		if i < 0 {
			break
		}
		before := body[max(at, at+i-maxField) : at+i]
		at += i + 2
		// The title begins at the last bracket of the same line that is near.
		if n := bytes.LastIndexByte(before, '\n'); n >= 0 {
			before = before[n+1:]
		}
		title, ok := linkText(before)
		if ends < at {
			if n := bytes.IndexAny(body[at:], ")\n"); n >= 0 {
				ends = at + n
			} else {
				ends = len(body)
			}
		}
		if !ok || ends-at >= maxField || ends == len(body) || body[ends] != ')' {
			c.file.Unusable++
			continue
		}
		address, _, _ := strings.Cut(strings.TrimSpace(string(body[at:ends])), " ") // a second title, in quotes, may follow
		at = ends + 1
		if strings.HasPrefix(address, "#") || strings.HasPrefix(strings.ToLower(address), "mailto:") {
			continue
		}
		if !c.add(strings.Trim(address, "<>"), title, time.Time{}) {
			break
		}
	}
	return nil
}

// linkText is what stands between the last bracket of a line and the one that
// opens it. Brackets within are in pairs or escaped.
func linkText(line []byte) (string, bool) {
	closed := 0
	for i := len(line) - 1; i >= 0; i-- {
		if i > 0 && line[i-1] == '\\' {
			continue
		}
		switch line[i] {
		case ']':
			closed++
		case '[':
			if closed--; closed < 0 {
				title := string(line[i+1:])
				return strings.ReplaceAll(strings.ReplaceAll(title, `\[`, "["), `\]`, "]"), true
			}
		}
	}
	return "", false
}
