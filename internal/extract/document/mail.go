package document

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// Rules of this file:
//   - A message has its subject, its people, its date, and then its parts in
//     order. A part that cannot be shown is named with its size.
//   - Of alternatives the richest is shown, as in a mail program.
//   - A message within a message is a section one level deeper.
//   - A mailbox file (RFC 4155) is a sequence of messages.

// shownHeaders are the header fields that a message shows above its body.
var shownHeaders = []string{"From", "To", "Cc", "Newsgroups", "Date"}

// mailReader writes messages into a page.
type mailReader struct {
	b        *builder
	parts    int // left, of all messages together
	left     int // bytes of text left
	attached []string
}

// readMail reads a message by RFC 5322 and its parts by RFC 2045 to 2049, or a
// mailbox of messages.
func readMail(b *builder, body []byte) error {
	r := &mailReader{b: b, parts: maxMailParts, left: maxMailText}
	messages := splitMailbox(body)
	for i, raw := range messages {
		p := r.parse(raw, "text/plain", 0)
		if i == 0 {
			b.Meta.Title, b.Meta.Byline = p.text("Subject"), p.text("From")
			b.Meta.Published = day(p.text("Date"))
		}
		r.message(p, 1)
		if r.parts <= 0 && i+1 < len(messages) {
			b.cut = true
			break
		}
	}
	if len(messages) > 1 {
		b.Meta.Title, b.Meta.Byline, b.Meta.Published = "", "", ""
	}
	return nil
}

// message writes one message and the list of what is attached to it.
func (r *mailReader) message(p *mailPart, level int) {
	outer := r.attached
	r.attached = nil
	r.b.heading(level, p.text("Subject"))
	var facts []page.Inline
	for _, key := range shownHeaders {
		for _, v := range p.header.Values(key) {
			s := r.b.clean(decodeWords(v))
			if s == "" {
				continue
			}
			if len(facts) > 0 {
				facts = append(facts, page.Inline{Kind: page.Break})
			}
			facts = append(facts, page.Inline{Kind: page.Text, Text: key + ": " + s})
		}
	}
	if len(facts) > 0 {
		r.b.add(page.Block{Kind: page.Paragraph, Inlines: facts})
	}
	r.part(p, level)
	if len(r.attached) > 0 {
		r.b.paragraph("Attachments:")
		items := make([]page.Block, len(r.attached))
		for i, name := range r.attached {
			items[i] = page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: plain(name)}}}
		}
		r.b.add(page.Block{Kind: page.List, Children: items})
	}
	r.attached = outer
}

// part writes one part, or names it among the attachments.
func (r *mailReader) part(p *mailPart, level int) {
	r.b.cut = r.b.cut || p.cut
	switch {
	case p.mediaType == "multipart/alternative":
		r.alternatives(p, level)
	case p.mediaType == "multipart/related":
		r.related(p, level)
	case strings.HasPrefix(p.mediaType, "multipart/"):
		for _, c := range p.children {
			r.part(c, level)
		}
	case p.nested != nil:
		r.message(p.nested, min(level+1, deepestHeading))
	case p.attachment || !strings.HasPrefix(p.mediaType, "text/"):
		r.attach(p)
	default:
		r.show(p)
	}
}

// alternatives writes the richest alternative that holds something to read.
// What is attached within another alternative is named all the same.
func (r *mailReader) alternatives(p *mailPart, level int) {
	shown := -1
	for rank := richest; rank > 0 && shown < 0; rank-- {
		for i := len(p.children) - 1; i >= 0 && shown < 0; i-- {
			c := p.children[i]
			if c.rank() != rank {
				continue
			}
			before := r.b.count
			if r.part(c, level); r.b.count > before {
				shown = i
			}
		}
	}
	for i, c := range p.children {
		if i != shown && c.rank() == 0 {
			r.part(c, level)
		}
	}
}

// related writes the first part (RFC 2387), and names what is attached. Other
// parts are shown only where the first one refers to them, as to pictures.
func (r *mailReader) related(p *mailPart, level int) {
	for i, c := range p.children {
		if i == 0 || c.rank() == 0 {
			r.part(c, level)
		} else {
			r.b.Omit(page.HiddenDisplay, 1)
		}
	}
}

// show writes a part that is text.
func (r *mailReader) show(p *mailPart) {
	s := r.within(p.decodedText())
	if p.mediaType == "text/html" {
		r.b.part([]byte(s), "text/html")
		return
	}
	r.b.quoted(strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n"), 0)
}

// within cuts a text to what may still be shown.
func (r *mailReader) within(s string) string {
	if len(s) > r.left {
		s, r.b.cut = strings.ToValidUTF8(s[:r.left], ""), true
	}
	r.left -= len(s)
	return s
}

// attach names a part that is not shown.
func (r *mailReader) attach(p *mailPart) {
	name := text.Line(p.name)
	if name == "" {
		name = "without a name"
	}
	r.attached = append(r.attached, fmt.Sprintf("%s (%s, %s)", name, text.Line(p.mediaType), text.Count(len(p.body), "byte")))
}

// quoted appends lines of plain text. Lines that begin with ">" are a quotation.
func (b *builder) quoted(lines []string, depth int) {
	isQuote := func(l string) bool { return strings.HasPrefix(l, ">") && depth < maxQuotes }
	for len(lines) > 0 {
		n := 1
		switch {
		case isQuote(lines[0]):
			for n < len(lines) && isQuote(lines[n]) {
				n++
			}
			inner := make([]string, n)
			for i, l := range lines[:n] {
				inner[i] = strings.TrimPrefix(l[1:], " ")
			}
			if c := b.collect(func() { b.quoted(inner, depth+1) }); len(c) > 0 {
				b.add(page.Block{Kind: page.Quote, Children: c})
			}
		default:
			for n < len(lines) && !isQuote(lines[n]) {
				n++
			}
			b.lines(strings.Join(lines[:n], "\n"))
		}
		lines = lines[n:]
	}
}

// splitMailbox splits a mailbox into its messages: each begins with a line
// "From " after an empty line. A line of text that begins so has a ">" before it.
func splitMailbox(body []byte) [][]byte {
	const mark = "\n\nFrom "
	body = bytes.TrimLeft(bytes.TrimPrefix(body, []byte(text.ByteOrderMark)), "\r\n")
	if !bytes.HasPrefix(body, []byte("From ")) {
		return [][]byte{body}
	}
	var out [][]byte
	body = append([]byte("\n\n"), bytes.ReplaceAll(body, []byte("\r\n"), []byte("\n"))...)
	for i, piece := range bytes.Split(body, []byte(mark))[1:] {
		envelope, message, _ := bytes.Cut(piece, []byte("\n"))
		if i > 0 && bytes.Count(envelope, []byte(":")) < 2 { // it has no time of day: it is text
			out[len(out)-1] = append(append(out[len(out)-1], mark...), piece...)
			continue
		}
		out = append(out, bytes.ReplaceAll(message, []byte("\n>From "), []byte("\nFrom ")))
	}
	return out
}
