package sites

import (
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file has the builder of pages and the layout of threads, which is the same
// for all sites: one line before a post has its author, date and votes. Posts of
// a flat thread are sections, so that a caller can ask for one; posts of a tree
// are nested list items.

const (
	maxPosts = 500 // of a page
	// maxNesting is the deepest level of nested replies. Deeper replies stay at
	// this level: their indentation would cost more tokens than it tells.
	maxNesting = 8
	maxText    = 1 << 20 // bytes of one post
	maxLine    = 4000    // characters of a title or a fact: an abstract is one
)

// builder builds a page.
type builder struct {
	*page.Page
	o    Options
	room int    // posts that can still be added
	left int    // posts that were left out, or not requested
	noun string // what left counts; "" means comments
	// linked maps an address to its index in Links.
	linked map[string]int
}

func (b *builder) add(blocks ...page.Block) { b.Blocks = append(b.Blocks, blocks...) }

// paragraph appends a paragraph.
func (b *builder) paragraph(in []page.Inline) { b.add(page.Block{Kind: page.Paragraph, Inlines: in}) }

// title sets the title of the page and appends it as the first heading.
func (b *builder) title(s string) {
	b.Meta.Title = clean(s)
	b.heading(1, s, "")
}

// heading appends a heading unless its text is empty.
func (b *builder) heading(level int, s, id string) {
	if s = clean(s); s != "" {
		b.add(page.Block{Kind: page.Heading, Level: level, Inlines: plain(s), ID: id})
	}
}

// facts appends a line of facts; empty ones are left out.
func (b *builder) facts(facts ...string) {
	if s := join(facts...); s != "" {
		b.paragraph(plain(s))
	}
}

// fact returns "name: value", or "" without a value.
func fact(name, value string) string {
	if value = clean(value); value == "" {
		return ""
	}
	return name + ": " + value
}

// join joins the facts that are not empty in one line.
func join(facts ...string) string {
	var b strings.Builder
	for _, f := range facts {
		if f = clean(f); f == "" {
			continue
		}
		if b.Len() > 0 {
			b.WriteString(" · ")
		}
		b.WriteString(f)
	}
	return b.String()
}

// link appends a paragraph with a link, after the text before if that is not "".
func (b *builder) link(before, address, text string) {
	if in := b.linkTo(address, text); in != nil {
		if before != "" {
			in = append(plain(before+" "), in...)
		}
		b.paragraph(in)
	}
}

// linkTo returns a link; only its text when the address is not valid, and nil when
// the text is empty too.
func (b *builder) linkTo(address, text string) []page.Inline {
	u := b.resolve(address)
	if text = clean(text); text == "" {
		text = u
	}
	switch {
	case text == "":
		return nil
	case u == "":
		return plain(text)
	}
	b.countLink(u, text)
	return []page.Inline{{Kind: page.LinkInline, URL: u, Children: plain(text)}}
}

// countLink adds a link to the links of the page.
func (b *builder) countLink(u, text string) {
	u, _, _ = strings.Cut(u, "#")
	if b.linked == nil {
		b.linked = map[string]int{}
	}
	if i, ok := b.linked[u]; ok {
		b.Links[i].Count++
		return
	}
	b.linked[u] = len(b.Links)
	b.Links = append(b.Links, page.Link{URL: u, Text: text, Count: 1})
}

// resolve returns the absolute form of an http or https address, "" for all
// others.
func (b *builder) resolve(address string) string {
	base, err := weburl.Parse(b.o.URL)
	if err != nil || address == "" || len(address) > 4096 {
		return ""
	}
	u, err := base.Resolve(address)
	if err != nil || u.Scheme() != "http" && u.Scheme() != "https" {
		return ""
	}
	return u.String()
}

// body converts a part of the page from another format. Its headings get levels
// below level.
func (b *builder) body(text, mediaType string, level int) []page.Block {
	return b.bodyAt(text, mediaType, b.o.URL, level)
}

// bodyAt is body with another base address for links.
func (b *builder) bodyAt(source, mediaType, base string, level int) []page.Block {
	if len(source) > maxText {
		source = strings.ToValidUTF8(source[:maxText], "")
		b.cut()
	}
	if strings.TrimSpace(source) == "" {
		return nil
	}
	if mediaType == "text/html" && !strings.ContainsAny(source, "<&") || mediaType == "text/plain" {
		var removed text.Removed
		defer b.count(&removed)
		return document.Paragraphs(source, &removed)
	}
	if mediaType == "text/x-rst" {
		var removed text.Removed
		defer b.count(&removed)
		return []page.Block{document.Source(source, "rst", &removed)}
	}
	p, err := b.o.Read([]byte(source), mediaType, base, "")
	if p == nil || err != nil {
		return nil
	}
	b.take(p)
	return lower(p.Blocks, level)
}

// count adds the number of removed characters to the page's omissions.
func (b *builder) count(removed *text.Removed) {
	if n := removed.Total(); n > 0 {
		b.Omit(page.HiddenCharacters, n)
	}
}

// take adds the omissions and links of another page.
func (b *builder) take(p *page.Page) {
	for _, o := range p.Omissions {
		b.Omit(o.Kind, o.Count)
	}
	for _, l := range p.Links {
		b.countLink(l.URL, l.Text)
	}
}

// whole replaces the page by another one, but keeps its address and the name of
// its site.
func (b *builder) whole(p *page.Page, err error) error {
	if err != nil {
		return err
	}
	if p == nil || len(p.Blocks) == 0 || !p.Verdict.Success() {
		return errShape
	}
	site := b.Meta.SiteName
	u := b.URL
	*b.Page = *p
	b.URL, b.Method = u, page.MethodDocument
	if site != "" {
		b.Meta.SiteName = site
	}
	return nil
}

// cut marks the page as partial.
func (b *builder) cut() {
	if b.Verdict == page.Complete {
		b.Miss(page.Sign{Kind: page.MissingParts})
		b.Omit(page.OmittedRest, 1)
	}
}

// lower gives the headings of a part levels below level.
func lower(blocks []page.Block, level int) []page.Block {
	least := 6
	for i := range blocks {
		if blocks[i].Kind == page.Heading {
			least = min(least, blocks[i].Level)
		}
	}
	if least > level {
		return blocks
	}
	for i := range blocks {
		if blocks[i].Kind == page.Heading {
			blocks[i].Level = min(blocks[i].Level+level+1-least, 6)
		}
	}
	return blocks
}

// post is one post or comment.
type post struct {
	ID           string   // the anchor on the site's own page
	Author       string   // "" when the site does not name one
	Facts        []string // shown after the author: date, votes
	Text, Format string   // Format is a media type: text/html, text/markdown, text/plain
	Replies      []post
	Comments     []post // replies that are omitted where comments are not wanted
}

// by returns the line before a post: author and facts.
func (p *post) by() string {
	author := p.Author
	if clean(author) == "" {
		author = "unknown author"
	}
	return join(append([]string{author}, p.Facts...)...)
}

// section appends a post of a flat thread as a section, with its replies as a
// list.
func (b *builder) section(level int, p post) {
	if !b.enter() {
		b.left += countAll(p.Replies)
		return
	}
	b.heading(level, p.by(), p.ID)
	b.add(b.body(p.Text, p.Format, level)...)
	b.thread(p.Replies)
}

// thread appends posts as a list, with replies nested below their post.
func (b *builder) thread(posts []post) {
	if l := b.list(posts, 1); len(l.Children) > 0 {
		b.add(l)
	}
}

func (b *builder) list(posts []post, depth int) page.Block {
	l := page.Block{Kind: page.List, Loose: true}
	b.answers(&l, posts, depth, "")
	return l
}

// answers appends posts to a list. to is the author of the post that they reply to,
// "" when the nesting shows that.
func (b *builder) answers(l *page.Block, posts []post, depth int, to string) {
	for i := range posts {
		p := &posts[i]
		if !b.enter() {
			b.left += countAll(p.Replies)
			continue
		}
		name, facts, _ := strings.Cut(p.by(), " · ")
		in := []page.Inline{{Kind: page.Strong, Children: plain(name)}}
		if to != "" {
			facts = join("to "+to, facts)
		}
		if facts != "" {
			in = append(in, plain(" · "+facts)...)
		}
		item := page.Block{Kind: page.Item, Children: append([]page.Block{{Kind: page.Paragraph, Inlines: in}}, b.body(p.Text, p.Format, 4)...)}
		if depth < maxNesting && len(p.Replies) > 0 {
			if inner := b.list(p.Replies, depth+1); len(inner.Children) > 0 {
				item.Children = append(item.Children, inner)
			}
		}
		l.Children = append(l.Children, item)
		if depth >= maxNesting {
			b.answers(l, p.Replies, depth, name)
		}
	}
}

// enter reports whether there is room for one more post, and counts the post.
func (b *builder) enter() bool {
	if b.room == 0 {
		b.left++
		return false
	}
	b.room--
	return true
}

func countAll(posts []post) int {
	n := len(posts)
	for i := range posts {
		n += countAll(posts[i].Replies)
	}
	return n
}

// missing adds n posts that the site has and did not send. noun is what they are.
func (b *builder) missing(n int, noun string) {
	if n > 0 {
		b.noun = noun
		b.left += n
	}
}

// finish appends a line about posts that were left out.
func (b *builder) finish() {
	if b.left == 0 {
		return
	}
	if b.noun == "" {
		b.noun = "comment"
	}
	b.cut()
	are := " are left out."
	if b.left == 1 {
		are = " is left out."
	}
	b.facts(text.Count(b.left, b.noun) + are)
}

func plain(s string) []page.Inline { return []page.Inline{{Kind: page.Text, Text: s}} }

// clean returns a title, a name or a fact as one line of at most maxLine
// characters.
func clean(s string) string {
	return text.Cut(text.Line(strings.ToValidUTF8(s[:min(len(s), 4*maxLine)], "")), maxLine)
}

// day returns the date of a time as APIs write it (RFC 3339); "" when it is not
// valid.
func day(s string) string {
	if len(s) >= 10 {
		if t, err := time.Parse(time.DateOnly, s[:10]); err == nil {
			return t.Format(time.DateOnly)
		}
	}
	return ""
}

// moment returns a time as APIs write it, for metadata; "" when it is not valid.
func moment(s string) string {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		return t.Format(time.RFC3339)
	}
	return day(s)
}
