package document

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file numbers the lists and headings of OpenDocument files: OpenDocument
// 1.3, part 3, sections 5.3 and 16.30.

const openLevels = 10

// openLists follows the lists of a file.
type openLists struct {
	styles  *openStyles
	open    listStack
	counts  map[string]*[openLevels]int // by the id of a list, or "style " and its style
	heading [openLevels]int
}

func newOpenLists(s *openStyles) openLists {
	return openLists{styles: s, counts: map[string]*[openLevels]int{}}
}

// outline counts a heading and returns its number, "" for none.
func (l *openLists) outline(level int) string {
	level = min(level, openLevels) - 1
	l.heading[level]++
	clear(l.heading[level+1:])
	return numberOf(l.styles.outline, "outline-level-style", level, &l.heading).label
}

// numberOf is the number of a level by its style; counts are those of all
// levels.
func numberOf(style *node, element string, level int, counts *[openLevels]int) number {
	out := number{level: level, n: counts[level]}
	levels := levelsOf(style, element)
	s := levels[level]
	if s == nil || s.attr("num-format") == "" || s.name == "list-level-style-bullet" {
		return out
	}
	prefix, suffix := strings.TrimSpace(s.attr("num-prefix")), strings.TrimSpace(s.attr("num-suffix"))
	display, ok := s.number("display-levels")
	if !ok || display < 1 {
		display = 1
	}
	out.ordered = display == 1 && prefix == "" && (suffix == "." || suffix == ")" || suffix == "") && s.attr("num-format") == "1"
	var parts []string
	for i := max(level-display+1, 0); i <= level; i++ {
		if format := levels[i].attr("num-format"); format != "" {
			parts = append(parts, numeral(format, max(counts[i], 1)))
		}
	}
	out.label = strings.TrimSpace(s.attr("num-prefix") + strings.Join(parts, ".") + suffix)
	return out
}

// levelsOf returns the levels of a style that are elements of a name; "" stands for
// those of lists.
func levelsOf(style *node, element string) (levels [openLevels]*node) {
	for _, c := range style.childrenOf() {
		if c.name != element && (element != "" || !strings.HasPrefix(c.name, "list-level-style-")) {
			continue
		}
		if n, ok := c.number("level"); ok && n >= 1 && n <= openLevels {
			levels[n-1] = c
		}
	}
	return levels
}

// childrenOf are the children; none of nil.
func (n *node) childrenOf() []*node {
	if n == nil {
		return nil
	}
	return n.children
}

// list writes a list that no list is around.
func (o *openFile) list(n *node) {
	style := n.attr("style-name")
	key := "style " + style
	counts := &[openLevels]int{}
	if from := o.lists.counts[n.attr("continue-list")]; from != nil {
		counts = from
	} else if old := o.lists.counts[key]; old != nil && n.attr("continue-numbering") == "true" {
		counts = old
	} else if len(o.lists.open.levels) > 0 && o.lists.counts[key] != counts {
		o.close() // another list begins
	}
	o.lists.counts[key] = counts
	if id := n.attr("id"); id != "" {
		o.lists.counts[id] = counts
	}
	o.items(n, style, counts, 0)
}

// items writes the items of a list at a level.
func (o *openFile) items(n *node, style string, counts *[openLevels]int, level int) {
	for _, item := range n.children {
		if item.name != "list-item" && item.name != "list-header" {
			continue
		}
		first := item.name == "list-item" // the number stands before what comes next
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
				at := min(level, openLevels-1)
				if first {
					o.count(item, style, counts, at)
				}
				switch {
				case c.name == "p":
					o.item(c, style, counts, at, first)
				case first && o.styles.lists[style] != nil:
					o.close()
					o.numbered(c, func(int) string { return numberOf(o.styles.lists[style], "", at, counts).label })
				default:
					o.close()
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
func (o *openFile) count(item *node, style string, counts *[openLevels]int, level int) {
	if counts[level] == 0 {
		for _, c := range o.styles.lists[style].childrenOf() {
			if n, ok := c.number("level"); ok && n == level+1 {
				if from, ok := c.number("start-value"); ok {
					counts[level] = from - 1
				}
			}
		}
	}
	counts[level]++
	if n, ok := item.number("start-value"); ok {
		counts[level] = n
	}
	clear(counts[level+1:])
}

// item writes a paragraph of an item. first says that the number stands before
// it.
func (o *openFile) item(p *node, style string, counts *[openLevels]int, level int, first bool) {
	in, boxes := o.inlines(p, o.styles.look("paragraph", p.attr("style-name"), openLook{ground: o.ground}))
	if !isEmpty(in) {
		if first {
			o.lists.open.item(numberOf(o.styles.lists[style], "", level, counts), in, o.b)
		} else {
			o.lists.open.more([]page.Block{{Kind: page.Paragraph, Inlines: in}}, o.b)
		}
	}
	o.anchored(boxes)
}

// more appends blocks to the last item; without a list they stand by
// themselves.
func (s *listStack) more(blocks []page.Block, b *builder) {
	if len(s.levels) == 0 {
		b.add(blocks...)
		return
	}
	last := s.list(len(s.levels) - 1).lastItem()
	last.Children = append(last.Children, blocks...)
}
