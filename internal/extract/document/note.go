package document

import (
	"strconv"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// noteLabels are the labels of the footnotes so far. Parts, for example
// chapters, number their notes by themselves.
type noteLabels map[string]bool

// unique gives the footnotes of a part labels that no part before it has, e.g.
// "1-2" to the first note of the second part.
func (l *noteLabels) unique(blocks []page.Block, part int) {
	if *l == nil {
		*l = noteLabels{}
	}
	names := map[string]string{}
	eachBlock(blocks, func(b *page.Block) {
		if b.Kind == page.Footnote && names[b.ID] == "" {
			names[b.ID] = b.ID
			if (*l)[b.ID] {
				names[b.ID] = b.ID + "-" + strconv.Itoa(part)
			}
		}
	})
	if len(names) == 0 {
		return
	}
	for _, name := range names {
		(*l)[name] = true
	}
	eachBlock(blocks, func(b *page.Block) {
		if b.Kind == page.Footnote {
			b.ID = names[b.ID]
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

// eachBlock calls do for all blocks, with those within others.
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
