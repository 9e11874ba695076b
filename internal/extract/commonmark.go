package extract

// Markdown is parsed by goldmark, whose cost is not linear: a delimiter is
// compared with all before it, a code span is searched for to the end of its
// paragraph. So documents are cut at a number of lines and marks, paragraphs are
// split at a number of bytes, and containers nest to a depth. No text is lost.

import (
	"bytes"
	"io"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// The limits of a Markdown document. With them every hostile shape of package
// shapes takes less than 3 s at 5 MB.
const (
	maxMarkdownLines = 100_000 // that are parsed; the rest is one block of code
	maxMarks         = 100_000 // bytes of inline markup, likewise
	dearMark         = 50      // marks that a footnote or a tag without an end counts for, and cells that an escaped pipe does
	maxTag           = 1024    // bytes in which a tag ends
	maxParagraph     = 8 << 10
	maxContainers    = 24      // in each other; a list has two for each level
	maxTableCells    = 150_000 // with those that fill up short rows
	minExpansion     = 100_000 // bytes that references may add to a short document
)

// bounds is goldmark's state of one document with what is left of its limits.
type bounds struct {
	parser.Context
	stop             func() error
	err              error // of stop
	literal          bool  // a limit was met
	cells, expansion int   // left
}

// convertMarkdown writes a Markdown document as HTML, and reports whether a
// limit was met. A foreign one may have raw HTML and definition lists. spent
// counts the marks of the parts of one document. stop, which may be nil, is
// asked now and then; its error ends the conversion.
func convertMarkdown(w io.Writer, src []byte, foreign bool, spent *int, stop func() error) (literal bool, err error) {
	end := cutMarkdown(src, spent)
	b := &bounds{Context: parser.NewContext(), stop: stop, literal: end < len(src), cells: maxTableCells, expansion: max(minExpansion, len(src))}
	var blocks []util.PrioritizedValue
	for _, v := range parser.DefaultBlockParsers() {
		if p := v.Value.(parser.BlockParser); p == parser.NewListParser() || p == parser.NewBlockquoteParser() {
			v.Value = container{p}
		}
		blocks = append(blocks, v)
	}
	md := goldmark.New(goldmark.WithExtensions(extension.GFM, extension.Footnote), goldmark.WithParser(parser.NewParser(parser.WithBlockParsers(blocks...),
		parser.WithInlineParsers(append(parser.DefaultInlineParsers(), util.Prioritized(formula{}, 100))...), parser.WithParagraphTransformers(append(parser.DefaultParagraphTransformers(), util.Prioritized(splitter{}, 0))...))))
	if foreign {
		extension.DefinitionList.Extend(md)
		md.Renderer().AddOptions(html.WithUnsafe())
	}
	tree := md.Parser().Parse(text.NewReader(src[:end]), parser.WithContext(b))
	if b.err != nil {
		return false, b.err
	}
	if err = md.Renderer().Render(w, src[:end], tree); err == nil && end < len(src) {
		_, err = w.Write([]byte("<pre><code>" + string(util.EscapeHTML(src[end:])) + "</code></pre>\n"))
	}
	return b.literal, err
}

// cutMarkdown is the offset at which a document is beyond the limits of lines
// and marks.
func cutMarkdown(src []byte, spent *int) int {
	lines := 0
	for i, c := range src {
		rest := src[i:min(len(src), i+maxTag)]
		switch {
		case c == '\n':
			lines++
		case c == '<' && bytes.IndexByte(rest, '>') < 0, bytes.HasPrefix(rest, []byte("[^")):
			*spent += dearMark
		case bytes.IndexByte([]byte("*_~`[]!<@"), c) >= 0, bytes.HasPrefix(rest, []byte("://")), bytes.HasPrefix(rest, []byte("www.")):
			*spent++
		}
		if lines > maxMarkdownLines || *spent > maxMarks {
			return i
		}
	}
	return len(src)
}

// Reference finds a reference while its address may still be repeated.
func (b *bounds) Reference(label string) (parser.Reference, bool) {
	ref, ok := b.Context.Reference(label)
	if ok {
		b.expansion -= len(ref.Destination()) + len(ref.Title())
		b.literal = b.literal || b.expansion < 0
	}
	return ref, ok && b.expansion >= 0
}

// container limits the depth of lists and quotations.
type container struct{ parser.BlockParser }

func (c container) Open(parent ast.Node, reader text.Reader, pc parser.Context) (ast.Node, parser.State) {
	if b := pc.(*bounds); b.err != nil || len(pc.OpenedBlocks()) >= maxContainers {
		b.literal = true
		return nil, parser.NoChildren
	}
	return c.BlockParser.Open(parent, reader, pc)
}

// splitter splits long paragraphs, and makes a table of too many cells a block
// of code: goldmark fills up each row to the width of the header.
type splitter struct{}

func (splitter) Transform(node *ast.Paragraph, reader text.Reader, pc parser.Context) {
	b, lines, source := pc.(*bounds), node.Lines(), reader.Source()
	if b.err == nil && b.stop != nil {
		b.err = b.stop()
	}
	if cells := cellsOf(lines, source); cells > 0 {
		if b.cells -= cells; b.cells < 0 {
			code := ast.NewCodeBlock()
			code.SetLines(lines)
			node.Parent().ReplaceChild(node.Parent(), node, code)
			b.literal = true
		}
		return
	}
	part, size := text.NewSegments(), 0
	for i := 0; i < lines.Len(); i++ {
		line := lines.At(i)
		if line.Len() > maxParagraph { // split after a space
			end := line.Start + maxParagraph
			if space := bytes.LastIndexByte(source[line.Start:end], ' '); space >= 0 {
				end = line.Start + space + 1
			}
			lines.Set(i, line.WithStart(end))
			line, i = line.WithStop(end), i-1
		}
		if size += line.Len(); size > maxParagraph && part.Len() > 0 {
			before := ast.NewParagraph()
			before.SetLines(part)
			node.Parent().InsertBefore(node.Parent(), node, before)
			parser.LinkReferenceParagraphTransformer.Transform(before, reader, pc)
			part, size, b.literal = text.NewSegments(), line.Len(), true
		}
		part.Append(line)
	}
	node.SetLines(part)
}

// cellsOf is the cost of a table; 0 for other paragraphs.
func cellsOf(lines *text.Segments, source []byte) int {
	for i := 1; i < lines.Len(); i++ {
		line, first, last := lines.At(i), lines.At(0), lines.At(lines.Len()-1)
		if row := line.Value(source); len(bytes.Trim(row, "-|: \t\r\n")) == 0 {
			return (bytes.Count(row, []byte("|"))+1)*(lines.Len()-i) + dearMark*bytes.Count(source[first.Start:last.Stop], []byte(`\|`))
		}
	}
	return 0
}
