package document

import (
	"strconv"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// noteLabels are the labels of footnotes in the parts that were written, with the number that the
// last one of each got. Parts, for example chapters, number their notes by themselves.
type noteLabels map[string]int

// unique gives the footnotes of a part labels that no other part has.
func (l *noteLabels) unique(blocks []page.Block) {
	var names map[string]string
	own := map[string]bool{}
	eachBlock(blocks, func(b *page.Block) {
		if b.Kind != page.Footnote || own[b.ID] {
			return
		}
		if own[b.ID] = true; *l == nil {
			*l = noteLabels{}
		}
		name, n := b.ID, (*l)[b.ID]
		for (*l)[name] > 0 {
			n++
			name = b.ID + "-" + strconv.Itoa(n)
		}
		(*l)[b.ID] = max(n, 1) // the next one begins to count there
		if name != b.ID {
			(*l)[name] = 1
			if names == nil {
				names = map[string]string{}
			}
			names[b.ID] = name
		}
	})
	if names == nil {
		return
	}
	eachBlock(blocks, func(b *page.Block) {
		if name := names[b.ID]; b.Kind == page.Footnote && name != "" {
			b.ID = name
		}
		relabel(b.Inlines, names)
	})
}

func relabel(in []page.Inline, names map[string]string) {
	for i := range in {
		if name := names[in[i].Text]; in[i].Kind == page.FootnoteRef && name != "" {
			in[i].Text = name
		}
		relabel(in[i].Children, names)
	}
}

// eachBlock calls do for all blocks, those within others too.
func eachBlock(blocks []page.Block, do func(*page.Block)) {
	for i := range blocks {
		do(&blocks[i])
		eachBlock(blocks[i].Children, do)
		if t := blocks[i].Table; t != nil {
			for _, row := range t.Rows {
				for k := range row {
					eachBlock(row[k].Blocks, do)
				}
			}
		}
	}
}
