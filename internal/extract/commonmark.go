package extract

// Markdown is parsed by goldmark, whose cost is not linear: a delimiter is
// compared with all before it, an unclosed code span or title is searched for
// to the end of its paragraph, each line asks all containers around it, a short
// table row is filled up to the width of the header, and a reference repeats
// its address. The rules of this file make its cost linear:
//
//   - Inline markup pays for the work that it may cause. What a paragraph
//     cannot pay for stays literal: the rest of the paragraph is plain text.
//   - Containers nest to a depth; deeper markers are text.
//   - Tables, footnotes and repeated addresses have a budget per document.
//   - What follows the last line that is parsed comes as one code block.
//
// No character of the document is lost by any of them.

import (
	"bytes"
	"io"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The bounds of a Markdown document. A step is about the time that goldmark
// takes to compare two delimiters or to look at two bytes.
const (
	stepsPerByte    = 48        // that a paragraph may cost for each of its bytes
	sharedSteps     = 100 << 20 // that the paragraphs of a document may cost beyond these
	maxMarkdownOpen = 40        // containers in each other; a list has two for each level
	maxMarkdownLine = 100_000   // lines that are parsed
	maxMarks        = 100_000   // pieces of inline markup
	maxFootnotes    = 5_000
	maxNoteMarks    = 20_000  // references to footnotes: each gets a link in both directions
	maxContainers   = 100_000 // lists, items, quotations: a page has no more elements
	maxTableCells   = 150_000 // of all tables, with those that fill up short rows
	maxEscapedPipes = 2_000   // of all tables
	maxRunLength    = 64      // of one delimiter run
	definitionLines = 64      // that one step of reading reference definitions looks at
	maxLineStates   = 250_000 // that goldmark keeps of the lines of one block
	minExpansion    = 100_000 // bytes that references may add to a short document
)

// flavor is what a Markdown document may hold beside CommonMark and GFM.
type flavor struct {
	unsafe      bool // raw HTML stays
	definitions bool // definition lists
}

// convertMarkdown writes a Markdown document as HTML. It reports whether some
// markup was left literal by a bound. spent is what documents before it, which are parts of
// the same one, took from the shared steps; it is added to. stop, which may be nil, is asked now and
// then; its error ends the conversion.
func convertMarkdown(w io.Writer, src []byte, f flavor, spent *int, stop func() error) (literal bool, err error) {
	src, rest := cutLines(src, maxMarkdownLine)
	src = withBlankLines(src)
	b := &bounds{Context: parser.NewContext(), stop: stop, shared: sharedSteps - *spent, cells: maxTableCells, pipes: maxEscapedPipes,
		expansion: max(minExpansion, len(src))}
	p, r := newMarkdown(f)
	tree := p.Parse(text.NewReader(src), parser.WithContext(b))
	*spent = sharedSteps - b.shared
	if b.err != nil {
		return false, b.err
	}
	if err := r.Render(w, src, tree); err != nil {
		return false, err
	}
	if len(rest) > 0 {
		b.literal = true
		for _, part := range [][]byte{[]byte("<pre><code>"), util.EscapeHTML(rest), []byte("</code></pre>\n")} {
			if _, err := w.Write(part); err != nil {
				return true, err
			}
		}
	}
	return b.literal, nil
}

// newMarkdown makes a parser, whose parts are goldmark's behind the bounds, and
// a renderer.
func newMarkdown(f flavor) (parser.Parser, renderer.Renderer) {
	blocks := []util.PrioritizedValue{
		util.Prioritized(parser.NewSetextHeadingParser(), 100),
		util.Prioritized(parser.NewThematicBreakParser(), 200),
		util.Prioritized(container{BlockParser: parser.NewListParser()}, 300),
		util.Prioritized(container{parser.NewListItemParser(), true}, 400),
		util.Prioritized(parser.NewCodeBlockParser(), 500),
		util.Prioritized(parser.NewATXHeadingParser(), 600),
		util.Prioritized(parser.NewFencedCodeBlockParser(), 700),
		util.Prioritized(container{BlockParser: parser.NewBlockquoteParser()}, 800),
		util.Prioritized(parser.NewHTMLBlockParser(), 900),
		util.Prioritized(container{BlockParser: footnotes{extension.NewFootnoteBlockParser()}}, 999),
		util.Prioritized(parser.NewParagraphParser(), 1000),
	}
	htmlOptions := []html.Option{}
	if f.unsafe {
		htmlOptions = append(htmlOptions, html.WithUnsafe())
	}
	nodes := []util.PrioritizedValue{
		util.Prioritized(html.NewRenderer(htmlOptions...), 1000),
		util.Prioritized(extension.NewTableHTMLRenderer(), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(extension.NewTaskCheckBoxHTMLRenderer(), 500),
		util.Prioritized(extension.NewFootnoteHTMLRenderer(), 500),
	}
	if f.definitions {
		blocks = append(blocks,
			util.Prioritized(container{BlockParser: extension.NewDefinitionListParser()}, 101),
			util.Prioritized(container{extension.NewDefinitionDescriptionParser(), true}, 102))
		nodes = append(nodes, util.Prioritized(extension.NewDefinitionListHTMLRenderer(), 500))
	}
	p := parser.NewParser(
		parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(
			util.Prioritized(meter{}, 1),
			util.Prioritized(extension.NewTaskCheckBoxParser(), 0),
			util.Prioritized(parser.NewCodeSpanParser(), 100),
			util.Prioritized(formula{}, 100),
			util.Prioritized(extension.NewFootnoteParser(), 101),
			util.Prioritized(parser.NewLinkParser(), 200),
			util.Prioritized(parser.NewAutoLinkParser(), 300),
			util.Prioritized(parser.NewRawHTMLParser(), 400),
			util.Prioritized(parser.NewEmphasisParser(), 500),
			util.Prioritized(extension.NewStrikethroughParser(), 500),
			util.Prioritized(extension.NewLinkifyParser(), 999),
		),
		parser.WithParagraphTransformers(
			util.Prioritized(definitions{parser.LinkReferenceParagraphTransformer}, 100),
			util.Prioritized(tables{extension.NewTableParagraphTransformer()}, 200),
		),
		parser.WithASTTransformers(
			util.Prioritized(extension.NewTableASTTransformer(), 0),
			util.Prioritized(extension.NewFootnoteASTTransformer(), 999),
		),
	)
	return p, renderer.NewRenderer(renderer.WithNodeRenderers(nodes...))
}

// cutLines splits a document after its first n lines.
func cutLines(src []byte, n int) (first, rest []byte) {
	end := 0
	for ; n > 0; n-- {
		i := bytes.IndexByte(src[end:], '\n')
		if i < 0 {
			return src, nil
		}
		end += i + 1
	}
	return src[:end], src[end:]
}

// withBlankLines puts a blank line where lines within containers go on for so
// long that goldmark would keep too much of them: only on a blank line does
// [container.Continue] get rid of it.
func withBlankLines(src []byte) []byte {
	states, from := 0, 0
	var out []byte
	for at := 0; at < len(src); {
		end := at + bytes.IndexByte(src[at:], '\n') + 1
		if end == at {
			end = len(src)
		}
		for _, c := range src[at:end] {
			if c == '>' {
				states++
			} else if c == '\t' {
				states += 4
			} else if c != ' ' {
				break
			} else {
				states++
			}
		}
		if at = end; states > maxLineStates {
			out = append(append(out, src[from:at]...), '\n')
			states, from = 0, at
		}
	}
	if out == nil {
		return src
	}
	return append(out, src[from:]...)
}

// bounds is goldmark's state of one document with what is left of its budgets.
type bounds struct {
	parser.Context
	stop    func() error
	err     error // of stop; nothing more is parsed
	literal bool  // some markup was left as text

	// Of the block whose inlines are parsed.
	block      ast.Node
	own        int // steps
	lines      int
	end        int // offset in the source
	flat       bool
	delimiters int
	seen       int           // pieces of markup
	labels     []int         // for each open bracket, seen at that time
	word       int           // offset up to which no space was found
	tagEnd     int           // offset of a > in the source; -1 before one was looked for
	noEnd      bool          // no tag of the block can end any more
	ticks      map[int][]int // offsets of the runs of backticks, by length; nil until it is needed

	// Of the document.
	shared    int // steps
	marks     int
	asked     int
	states    int // about what goldmark keeps of the lines of the open block
	footnotes int
	noteMarks int
	opened    int // containers
	cells     int
	pipes     int
	expansion int // bytes that references may still add
}

// Reference finds a reference while its address may still be repeated.
func (b *bounds) Reference(label string) (parser.Reference, bool) {
	ref, ok := b.Context.Reference(label)
	if !ok {
		return nil, false
	}
	if b.expansion -= len(ref.Destination()) + len(ref.Title()); b.expansion < 0 {
		b.literal = true
		return nil, false
	}
	return ref, true
}

// stopped asks stop, once in a while.
func (b *bounds) stopped() bool {
	if b.asked++; b.asked%1024 == 0 && b.stop != nil && b.err == nil {
		b.err = b.stop()
	}
	return b.err != nil
}

// enter begins with the inlines of a block.
func (b *bounds) enter(block ast.Node) {
	lines := block.Lines()
	size := 0
	for i := range lines.Len() {
		s := lines.At(i)
		size += s.Len()
		b.end = s.Stop
	}
	b.block, b.lines, b.own = block, lines.Len(), size*stepsPerByte
	b.flat, b.noEnd, b.tagEnd, b.delimiters, b.seen, b.labels, b.word, b.ticks = false, false, -1, 0, 0, b.labels[:0], 0, nil
}

// pay takes steps from the budgets of the block and of the document.
func (b *bounds) pay(steps int) bool {
	if b.own -= steps; b.own < 0 {
		b.shared += b.own
		b.own = 0
	}
	return b.shared >= 0
}

// meter is the first of the inline parsers: it lets the others read markup that
// the budgets can pay for, and takes the rest as text. It takes markup that
// cannot be closed as text too, as the others would after a search.
type meter struct{}

func (meter) Trigger() []byte { return []byte("*_~`[]!<( ") }

func (meter) Parse(parent ast.Node, block text.Reader, pc parser.Context) ast.Node {
	b := pc.(*bounds)
	if parent != b.block {
		b.enter(parent)
	}
	line, segment := block.PeekLine()
	c := line[0]
	if !b.flat && (b.stopped() || util.IsPunct(c) && b.marks >= maxMarks) {
		b.flat, b.literal = true, true
	}
	if b.flat {
		return literalText(parent, block, len(bytes.TrimRight(line, " \\\r\n")))
	}
	run := 1
	if c == '*' || c == '_' || c == '~' || c == '`' {
		for run < len(line) && line[run] == c {
			run++
		}
	}
	at, rest := segment.Start, block.Source()[segment.Start:max(b.end, segment.Start)]
	steps := 1
	switch c {
	case '*', '_':
		if run > maxRunLength {
			return literalText(parent, block, run)
		}
		b.delimiters++
		steps = b.delimiters
	case '~':
		if run > 2 {
			return literalText(parent, block, run-1)
		}
		b.delimiters++
		steps = b.delimiters
	case '`':
		if b.ticks == nil {
			b.findTicks(block.Source())
		}
		if !b.closed(run, at) {
			return literalText(parent, block, run)
		}
	case '[':
		b.labels = append(b.labels, b.seen)
		if len(line) > 1 && line[1] == '^' {
			steps += b.footnotes
			if b.noteMarks++; b.noteMarks > maxNoteMarks {
				b.literal = true
				return literalText(parent, block, 1)
			}
		}
	case '!':
		if len(line) > 2 && line[1] == '[' && line[2] == '^' {
			steps += b.footnotes
		}
	case ']':
		if n := len(b.labels); n > 0 {
			steps = b.seen - b.labels[n-1] + b.lines + linkLength(rest[1:])
			b.labels = b.labels[:n-1]
		}
	case '<':
		if b.tagEnd < at && !b.noEnd { // one search for all that begin before it
			i := bytes.IndexByte(rest, '>')
			b.tagEnd, b.noEnd = at+i, i < 0
		}
		if b.noEnd {
			return literalText(parent, block, run)
		}
		end := b.tagEnd - at
		if len(line) > 1 && !util.IsSpace(line[1]) && line[1] != '<' {
			steps = min(end, 1024)*8 + tagLength(rest)
		}
	}
	link := false // a space before an address
	switch c {
	case '`', '[', ']', '!', '<':
	default: // here an address may begin
		length := b.wordLength(at, rest)
		steps += length
		word := bytes.TrimLeft(line[:min(8, len(line))], " *_~(")
		address := bytes.HasPrefix(word, []byte("http")) || bytes.HasPrefix(word, []byte("ftp:")) || bytes.HasPrefix(word, []byte("www."))
		if address {
			steps += 64 + 8*min(length, 256)
		}
		link = c == ' ' && (address || bytes.IndexByte(rest[:length], '@') >= 0)
	}
	if util.IsPunct(c) {
		b.seen++
		b.marks++
	} else if link {
		b.marks++
	}
	if !b.pay(steps) || link && b.marks > maxMarks {
		b.flat, b.literal = true, true
		return literalText(parent, block, len(bytes.TrimRight(line, " \\\r\n")))
	}
	return nil
}

// literalText takes n bytes of a line as text, or nil. They continue
// the text before them where there is some: a node for each mark that is not markup
// would cost thirty times the memory of the source.
func literalText(parent ast.Node, block text.Reader, n int) ast.Node {
	if n == 0 {
		return nil
	}
	_, segment := block.PeekLine()
	block.Advance(n)
	if t, ok := parent.LastChild().(*ast.Text); ok && t.Segment.Stop == segment.Start && segment.Padding == 0 && !t.SoftLineBreak() && !t.HardLineBreak() && !t.IsRaw() {
		t.Segment = t.Segment.WithStop(segment.Start + n)
		return t // its parent takes it out and in again
	}
	return ast.NewTextSegment(segment.WithStop(segment.Start + n))
}

// wordLength is the number of bytes from an offset to the next space. rest is
// the source from there on.
func (b *bounds) wordLength(at int, rest []byte) int {
	if at >= b.word || util.IsSpace(rest[0]) {
		n := 1 + bytes.IndexAny(rest[1:], " \t\n")
		if n == 0 {
			n = len(rest)
		}
		b.word = at + n
	}
	return b.word - at
}

// linkLength is about what goldmark reads of a link's address and title. rest
// begins behind the closing bracket of its text.
func linkLength(rest []byte) int {
	if len(rest) == 0 || rest[0] != '(' && rest[0] != '[' {
		return 1
	}
	if rest[0] == '[' {
		return 1 + max(bytes.IndexAny(rest[1:], "[]"), 0)
	}
	n := 1 + len(rest[1:]) - len(bytes.TrimLeft(rest[1:], " \t\n"))
	for n < len(rest) && !util.IsSpace(rest[n]) && rest[n] != ')' {
		n++
	}
	if n < len(rest) && rest[n] == ')' {
		if bytes.IndexByte(rest[1:n], '(') < 0 {
			return n
		}
		for n < len(rest) && !util.IsSpace(rest[n]) {
			n++
		}
	}
	n = len(rest) - len(bytes.TrimLeft(rest[n:], " \t\n"))
	if n >= len(rest) {
		return n
	}
	closer := rest[n]
	switch closer {
	case '(':
		closer = ')'
	case '"', '\'':
	default:
		return n
	}
	i := bytes.IndexByte(rest[n+1:], closer)
	if i < 0 {
		return len(rest)
	}
	return n + i
}

// tagLength is the length of what goldmark searches through for the end of a
// comment, a processing instruction or a declaration.
func tagLength(rest []byte) int {
	var closer string
	switch {
	case bytes.HasPrefix(rest, []byte("<!--")):
		closer = "-->"
	case bytes.HasPrefix(rest, []byte("<![CDATA[")):
		closer = "]]>"
	case bytes.HasPrefix(rest, []byte("<?")):
		closer = "?>"
	default:
		return 0
	}
	if i := bytes.Index(rest, []byte(closer)); i >= 0 {
		return i
	}
	return len(rest)
}

// findTicks finds the runs of backticks of a block.
func (b *bounds) findTicks(source []byte) {
	b.ticks = make(map[int][]int)
	lines := b.block.Lines()
	for i := range lines.Len() {
		s := lines.At(i)
		for at := s.Start; at < s.Stop; at++ {
			n := at
			for n < s.Stop && source[n] == '`' {
				n++
			}
			if n > at {
				b.ticks[n-at] = append(b.ticks[n-at], at)
				at = n
			}
		}
	}
}

// closed reports whether a run of as many backticks follows one at an offset.
func (b *bounds) closed(run, at int) bool {
	offsets := b.ticks[run]
	for len(offsets) > 0 && offsets[0] <= at {
		offsets = offsets[1:]
	}
	b.ticks[run] = offsets
	return len(offsets) > 0
}

// container bounds the depth of a parser's blocks.
type container struct {
	parser.BlockParser
	part bool // of a list, which has a place for it
}

func (c container) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	b := pc.(*bounds)
	if c.part {
		return c.open(parent, reader, b)
	}
	open := len(pc.OpenedBlocks())
	if b.stopped() || open >= maxMarkdownOpen || b.opened >= maxContainers {
		b.literal = true
		return nil, parser.NoChildren
	}
	if open == 0 {
		b.states = 0
	}
	return c.open(parent, reader, b)
}

// open counts what the parser opens.
func (c container) open(parent ast.Node, reader text.Reader, b *bounds) (ast.Node, parser.State) {
	node, state := c.BlockParser.Open(parent, reader, b)
	if node != nil {
		b.opened++
	}
	return node, state
}

func (c container) Continue(node ast.Node, reader text.Reader, pc parser.Context) parser.State {
	b := pc.(*bounds)
	if b.states++; b.states > maxLineStates {
		// goldmark keeps a state of each line for each container until no
		// container is open.
		if line, _ := reader.PeekLine(); util.IsBlank(line) && node.Parent() != nil && node.Parent().Kind() == ast.KindDocument {
			b.literal = true
			return parser.Close
		}
	}
	return c.BlockParser.Continue(node, reader, pc)
}

// footnotes bounds their number: each reference is compared with all.
type footnotes struct{ parser.BlockParser }

func (f footnotes) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	b := pc.(*bounds)
	if b.footnotes >= maxFootnotes {
		b.literal = true
		return nil, parser.NoChildren
	}
	node, state := f.BlockParser.Open(parent, reader, pc)
	if node != nil {
		b.footnotes++
	}
	return node, state
}

// definitions reads the reference definitions at the beginning of a paragraph,
// some lines at a time: goldmark copies all lines that are left for each
// definition, and looks for the end of a title to the end of the paragraph.
type definitions struct{ parser.ParagraphTransformer }

func (d definitions) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	lines := node.Lines()
	if lines.Len() <= definitionLines {
		d.ParagraphTransformer.Transform(node, reader, pc)
		return
	}
	read := 0 // lines that are definitions
	for read < lines.Len() {
		part := ast.NewParagraph()
		part.SetLines(copyOf(lines, read, definitionsEnd(lines, read, reader.Source())))
		n := part.Lines().Len()
		node.Parent().InsertBefore(node.Parent(), node, part)
		d.ParagraphTransformer.Transform(part, reader, pc)
		if part.Parent() == nil { // all of them
			node.Parent().RemoveChild(node.Parent(), node.PreviousSibling())
			read += n
			continue
		}
		node.Parent().RemoveChild(node.Parent(), part)
		if part.Lines().Len() == n {
			break
		}
		read += n - part.Lines().Len()
	}
	if read == 0 {
		return
	}
	if read < lines.Len() {
		node.SetLines(copyOf(lines, read, lines.Len()))
		return
	}
	empty := ast.NewTextBlock()
	empty.SetBlankPreviousLines(node.HasBlankPreviousLines())
	node.Parent().ReplaceChild(node.Parent(), node, empty)
}

// definitionsEnd is the line before which a part of definitions that begins at
// a line may end: one that can begin a definition, for a definition can have
// several lines.
func definitionsEnd(lines *text.Segments, from int, source []byte) int {
	if from+definitionLines >= lines.Len() {
		return lines.Len()
	}
	for end := from + definitionLines; end > from+1; end-- {
		line := lines.At(end)
		if bytes.HasPrefix(bytes.TrimLeft(line.Value(source), " "), []byte("[")) {
			return end
		}
	}
	return from + definitionLines
}

func copyOf(lines *text.Segments, from, to int) *text.Segments {
	out := text.NewSegments()
	out.AppendAll(lines.Sliced(from, to))
	return out
}

// tables bounds the cells of tables: goldmark fills up each row to the width of
// the header. It bounds the escaped pipes, too, of which each is compared with
// all pieces of code.
type tables struct{ parser.ParagraphTransformer }

func (t tables) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	b, lines, source := pc.(*bounds), node.Lines(), reader.Source()
	for i := 1; i < lines.Len(); i++ {
		line := lines.At(i)
		s := line.Value(source)
		if len(bytes.Trim(s, "-|: \t\r\n")) > 0 {
			continue
		}
		cells := (bytes.Count(s, []byte("|")) + 1) * (lines.Len() - i)
		pipes := 0
		for k := range lines.Len() {
			line := lines.At(k)
			pipes += bytes.Count(line.Value(source), []byte(`\|`))
		}
		if cells > b.cells || pipes > b.pipes {
			b.literal = true
			return
		}
		b.cells -= cells
		b.pipes -= pipes
		break
	}
	t.ParagraphTransformer.Transform(node, reader, pc)
}
