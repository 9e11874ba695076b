package extract

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

const maxFormulaBytes = 4_000 // of one formula in Markdown

// formula keeps TeX between dollar signs as it is, without emphasis and escapes in it.
type formula struct{}

func (formula) Trigger() []byte { return []byte("$") }

func (formula) Parse(_ ast.Node, block text.Reader, _ parser.Context) ast.Node {
	line, segment := block.PeekLine()
	sign := 1
	if bytes.HasPrefix(line, []byte("$$")) {
		sign = 2
	}
	in := line[sign:min(len(line), maxFormulaBytes)]
	n := bytes.Index(in, line[:sign])
	if n < 1 || util.IsSpace(in[0]) && sign == 1 || util.IsSpace(in[n-1]) && sign == 1 || !bytes.ContainsAny(in[:n], `\^_`) {
		return nil
	}
	n += 2 * sign
	if n < len(line) && (util.IsNumeric(line[n]) || line[n] == '`') {
		return nil // two prices
	}
	block.Advance(n)
	t := ast.NewTextSegment(segment.WithStop(segment.Start + n))
	t.SetRaw(true)
	return t
}
