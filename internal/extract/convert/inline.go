package convert

import (
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// inlines is the paragraph that is being made.
type inlines struct {
	marks  []mark  // open in the tree
	over   int     // marks open beyond maxMarks
	frames []frame // open in the paragraph: frames[0] is the paragraph, frames[i+1] belongs to marks[i]
	buf    []byte  // text that is not in a frame yet
	isCode bool    // buf is code
	code   int     // code elements around

	started bool // the paragraph has content
	space   bool // white space is due before the next content
	br      int  // line breaks are due before the next content
	hold    bool // the next text follows without white space
}

type mark struct {
	kind       page.InlineKind
	none       bool // not shown: repeats one that is open, or is not wanted
	fold       bool // shown once only: b within b is not bolder
	url, title string
	link       linkForm
	spent      bool // a link around blocks has been shown
}

// linkForm says where a link is shown that has blocks within it, as cards do:
// once, or a page of cards becomes nothing but links.
type linkForm uint8

const (
	linkPlain   linkForm = iota
	linkHeading          // in the first heading
	linkText             // in the first paragraph with text
	linkAny              // in the first paragraph
)

type frame struct {
	in   []page.Inline
	none bool // children go to the parent
}

func (c *converter) push(m mark) {
	if len(c.marks) >= maxMarks {
		c.over++
		return
	}
	if m.kind != page.LinkInline && c.code > 0 {
		m.none = true
	}
	n := 0
	for i := range c.marks {
		if c.marks[i].kind == m.kind && !c.marks[i].none {
			if m.fold || c.marks[i].fold || m.kind != page.Emphasis && m.kind != page.Strong {
				m.none = true
			}
			n++
		}
	}
	if n >= sameMarks {
		m.none = true
	}
	c.marks = append(c.marks, m)
}

func (c *converter) pop() {
	if c.over > 0 {
		c.over--
		return
	}
	if len(c.frames) > len(c.marks) {
		c.closeFrame()
	}
	c.marks = c.marks[:len(c.marks)-1]
}

// marked converts an element that marks its text. By the HTML standard em and
// strong add up when nested; the others do not.
func (c *converter) marked(n *html.Node, v dom.Choice, k page.InlineKind) {
	if k == page.Sup && c.noteRef(n) || (k == page.Sup || k == page.Sub) && c.scriptAsText(n, v) {
		return
	}
	if isCents(n.NextSibling) { // a mark around one half of a number says nothing
		c.children(n, v)
		return
	}
	c.push(mark{kind: k, fold: n.DataAtom != atom.Em && n.DataAtom != atom.Strong})
	c.children(n, v)
	c.pop()
}

// begin prepares the paragraph for content: it writes a pending space or line
// break, then opens the marks around the content.
func (c *converter) begin(isText bool) {
	if isText {
		c.lastAlt = ""
		clear(c.pictures) // a picture that is shown again behind text says it again, e.g. the sign of a note
	}
	switch {
	case !c.started:
		c.started = true
		c.check = nil
	case c.br > 0:
		c.lineBreak()
	case c.space && !c.hold:
		if c.isCode && (c.code == 0 || len(c.buf) == 0 || len(c.frames) <= len(c.marks)) {
			c.flushText()
			c.isCode = false
		}
		c.buf = append(c.buf, ' ')
	}
	c.space, c.br, c.hold = false, 0, false
	for len(c.frames) <= len(c.marks) {
		c.flushText()
		c.frames = append(c.frames, c.frameOf(&c.marks[len(c.frames)-1], isText))
	}
	if isCode := c.code > 0; isCode != c.isCode {
		c.flushText()
		c.isCode = isCode
	}
}

// lineBreak writes the br elements that were met: two and more end the
// paragraph.
func (c *converter) lineBreak() {
	if c.br > 1 && c.only == 0 {
		c.flush()
		c.started = true
		return
	}
	c.flushText()
	if c.heading > 0 {
		c.isCode = false
		c.buf = append(c.buf, ' ')
		return
	}
	f := &c.frames[len(c.frames)-1]
	f.in = append(f.in, page.Inline{Kind: page.Break})
}

// frameOf opens a mark in the paragraph. Of a link around several blocks, only
// the block that the form of the link names is marked.
func (c *converter) frameOf(m *mark, isText bool) frame {
	f := frame{none: m.none}
	if m.kind == page.LinkInline && m.link != linkPlain {
		f.none = m.none || m.spent || m.link == linkHeading && c.heading == 0 || m.link == linkText && !isText
	}
	return f
}

// flushText moves the text buffer into the innermost frame.
func (c *converter) flushText() {
	if len(c.buf) == 0 {
		return
	}
	f := &c.frames[len(c.frames)-1]
	k := page.Text
	if c.isCode {
		k = page.CodeSpan
	}
	if n := len(f.in); n > 0 && f.in[n-1].Kind == k && len(f.in[n-1].Text) < maxJoined {
		f.in[n-1].Text += string(c.buf)
	} else {
		f.in = append(f.in, page.Inline{Kind: k, Text: string(c.buf)})
	}
	c.buf = c.buf[:0]
}

// inline adds an inline that is not text.
func (c *converter) inline(in page.Inline) {
	c.begin(false)
	c.flushText()
	f := &c.frames[len(c.frames)-1]
	f.in = append(f.in, in)
}

func (c *converter) closeFrame() {
	c.flushText()
	n := len(c.frames) - 1
	f := c.frames[n]
	c.frames[n] = frame{}
	c.frames = c.frames[:n]
	if len(f.in) == 0 {
		return
	}
	p := &c.frames[n-1]
	if f.none {
		for i := range f.in {
			p.in = appendInline(p.in, f.in[i])
		}
		return
	}
	m := &c.marks[n-1]
	if m.link != linkPlain {
		m.spent = true
	}
	p.in = appendInline(p.in, page.Inline{Kind: m.kind, URL: m.url, Title: m.title, Children: f.in})
}

// appendInline appends one inline; text joins text, and a mark that goes on
// directly joins too: Markdown cannot say where one ends and the next begins.
func appendInline(in []page.Inline, x page.Inline) []page.Inline {
	if n := len(in); n > 0 && in[n-1].Kind == x.Kind {
		last := &in[n-1]
		switch x.Kind {
		case page.Text, page.CodeSpan:
			if len(last.Text) < maxJoined {
				last.Text += x.Text
				return in
			}
		case page.Emphasis, page.Strong, page.Strike, page.Sub, page.Sup:
			for i := range x.Children {
				last.Children = appendInline(last.Children, x.Children[i])
			}
			return in
		}
	}
	return append(in, x)
}

// takeInlines ends the paragraph and returns its content.
func (c *converter) takeInlines() []page.Inline {
	for len(c.frames) > 1 {
		c.closeFrame()
	}
	c.flushText()
	in := c.frames[0].in
	c.frames[0].in = nil
	c.started, c.space, c.br, c.hold = false, false, 0, false
	return in
}

// flush ends the paragraph: adds it to the container, or, where there are
// inlines only, makes a break due.
func (c *converter) flush() {
	if c.only > 0 {
		if c.started {
			if c.br = max(c.br, 1); c.heading > 0 {
				c.br, c.space = 0, true
			}
		}
		return
	}
	if in := c.takeInlines(); len(in) > 0 {
		c.out = append(c.out, page.Block{Kind: page.Paragraph, Inlines: in})
	}
}

// word adds a text of our own.
func (c *converter) word(s string) {
	c.begin(true)
	c.buf = append(c.buf, s...)
	c.hold = true
}

// glue adds a text of our own that follows without white space.
func (c *converter) glue(s string) {
	c.hold = true
	c.begin(true)
	c.buf = append(c.buf, s...)
	c.hold = s == "("
}

func (c *converter) codeInline(n *html.Node, v dom.Choice) {
	if c.only == 0 && c.code == 0 && isCodeBlock(n) {
		c.preformatted(n, v)
		return
	}
	if c.code == 0 {
		c.flushText()
	}
	c.code++
	c.children(n, v)
	c.code--
	if c.code == 0 {
		c.flushText()
		c.isCode = false
	}
}
