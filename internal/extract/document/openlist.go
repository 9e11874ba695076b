package document

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file numbers the lists and headings of OpenDocument files: OpenDocument
// 1.3, part 3, sections 5.3 and 16.30.

// openCounts are the numbers of the levels of a list.
type openCounts = [openLevels]int

// openLists follows the lists of a file.
type openLists struct {
	open    listStack
	counts  map[string]*openCounts // by the id of a list, or "style " and its style
	heading openCounts
}

// outline counts a heading and returns its number, "" for none.
func (o *openFile) outline(level int) string {
	level = min(level, openLevels) - 1
	o.lists.heading[level]++
	clear(o.lists.heading[level+1:])
	return numberOf(o.styles.outline, level, &o.lists.heading).label
}

// numberOf is the number of a level by its style.
func numberOf(style *node, level int, counts *openCounts) number {
	out := number{level: level, n: counts[level]}
	levels := levelsOf(style)
	s := levels[level]
	format := s.attr("num-format")
	if format == "" || s.name == "list-level-style-bullet" {
		return out
	}
	prefix, suffix := s.attr("num-prefix"), strings.TrimSpace(s.attr("num-suffix"))
	display, _ := s.number("display-levels")
	display = max(display, 1)
	out.ordered = display == 1 && strings.TrimSpace(prefix) == "" && (suffix == "." || suffix == ")" || suffix == "") && format == "1"
	var parts []string
	for i := max(level-display+1, 0); i <= level; i++ {
		if format := levels[i].attr("num-format"); format != "" {
			parts = append(parts, numeral(format, max(counts[i], 1)))
		}
	}
	out.label = strings.TrimSpace(prefix + strings.Join(parts, ".") + suffix)
	return out
}

// levelsOf returns the levels of a style of lists or of the outline.
func levelsOf(style *node) (levels [openLevels]*node) {
	for _, c := range style.childrenOf() {
		if n, ok := c.number("level"); ok && n >= 1 && n <= openLevels {
			levels[n-1] = c
		}
	}
	return levels
}

// list writes a list that is not within another.
func (o *openFile) list(n *node) {
	style, id := n.attr("style-name"), n.attr("id")
	key := "style " + style
	counts := o.lists.counts[n.attr("continue-list")]
	if counts == nil && n.attr("continue-numbering") == "true" {
		counts = o.lists.counts[key]
	}
	if counts == nil {
		o.close() // another list begins
		counts = &openCounts{}
	}
	o.lists.counts[key] = counts
	if id != "" {
		o.lists.counts[id] = counts
	}
	o.items(n, style, counts, 0)
}

// items writes the items of a list at a level.
func (o *openFile) items(n *node, style string, counts *openCounts, level int) {
	at := min(level, openLevels-1)
	for _, item := range n.children {
		if item.name != "list-item" && item.name != "list-header" {
			continue
		}
		first := item.name == "list-item" // the number comes before what is next
		for _, c := range item.children {
			switch c.name {
			case "", "number": // which is counted
				continue
			case "list":
				inner := style
				if s := c.attr("style-name"); s != "" {
					inner = s
				}
				o.items(c, inner, counts, level+1)
			case "p", "h":
				if first {
					o.count(item, style, counts, at)
				}
				switch {
				case c.name == "p":
					o.item(c, style, counts, at, first)
				case first && o.styles.lists[style] != nil:
					o.heading(c, numberOf(o.styles.lists[style], at, counts).label)
				default:
					o.paragraph(c)
				}
			default:
				if b := o.nested(&node{children: []*node{c}}); len(b) > 0 {
					o.lists.open.more(b, o.b)
				}
			}
			first = false
		}
	}
}

// count counts an item; deeper levels begin again.
func (o *openFile) count(item *node, style string, counts *openCounts, level int) {
	if from, ok := levelsOf(o.styles.lists[style])[level].number("start-value"); ok && counts[level] == 0 {
		counts[level] = from - 1
	}
	counts[level]++
	if n, ok := item.number("start-value"); ok {
		counts[level] = n
	}
	clear(counts[level+1:])
}

// item writes a paragraph of an item; first is true for the one with the
// number.
func (o *openFile) item(p *node, style string, counts *openCounts, level int, first bool) {
	in, boxes := o.inlines(p, o.styles.look("paragraph", p.attr("style-name"), openLook{}))
	switch {
	case isEmpty(in):
	case first:
		o.lists.open.item(numberOf(o.styles.lists[style], level, counts), in, o.b)
	default:
		o.lists.open.more([]page.Block{{Kind: page.Paragraph, Inlines: in}}, o.b)
	}
	o.anchored(boxes)
}
