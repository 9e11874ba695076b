package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file numbers the paragraphs of a docx file (ECMA-376, part 1, section
// 17.9) and puts the items of all formats into lists. Markdown knows numbers
// with a point only: other numbers, such as "(a)" and "4.2", stand as text before
// the item, because other clauses refer to them.

// number is what stands before a paragraph of a list.
type number struct {
	level   int
	ordered bool   // Markdown can write it: it is n with a point or a bracket
	n       int    // the number, counted from 1 unless the list says otherwise
	label   string // as it stands in the document; "" for a bullet
}

// level is one level of a numbering.
type listLevel struct {
	format, pattern string
	start           int
	restart         int    // after a paragraph of this level or a higher one; -1: never
	style           string // the paragraph style of this level
	unseen          bool   // nobody sees the number
}

type numbering struct {
	levels  [9]listLevel
	counts  *[9]int // shared by the lists of one abstract numbering
	begun   bool
	resetTo map[int]int // the numbers with which levels start again in this list
}

type wordLists struct{ byID map[string]*numbering }

func readWordLists(t *node) *wordLists {
	l := &wordLists{byID: map[string]*numbering{}}
	abstract := map[string]*node{}
	byStyle := map[string]*node{}
	counts := map[string]*[9]int{}
	for _, a := range t.find("abstractNum") {
		id := a.attr("abstractNumId")
		abstract[id], counts[id] = a, newCounts()
		if s := a.child("styleLink").attr("val"); s != "" {
			byStyle[s] = a
		}
	}
	for _, num := range t.find("num") {
		id := num.child("abstractNumId").attr("val")
		a := abstract[id]
		if s := a.child("numStyleLink").attr("val"); byStyle[s] != nil {
			a = byStyle[s]
		}
		if a == nil {
			continue
		}
		n := &numbering{counts: counts[id], resetTo: map[int]int{}}
		for i := range n.levels {
			n.levels[i] = listLevel{format: "decimal", start: 1}
		}
		for _, lvl := range a.kids("lvl") {
			n.setLevel(lvl)
		}
		for _, o := range num.kids("lvlOverride") {
			if lvl := o.child("lvl"); lvl != nil {
				n.setLevel(lvl)
			}
			i, ok1 := o.number("ilvl")
			if from, ok := o.child("startOverride").number("val"); ok && ok1 && i >= 0 && i < 9 {
				n.resetTo[i] = from
				n.levels[i].start = from
			}
		}
		l.byID[num.attr("numId")] = n
	}
	return l
}

// newCounts are counters that have not begun.
func newCounts() *[9]int {
	var c [9]int
	for i := range c {
		c[i] = notBegun
	}
	return &c
}

const notBegun = -1 << 31

func (n *numbering) setLevel(lvl *node) {
	i, ok := lvl.number("ilvl")
	if !ok || i < 0 || i >= 9 {
		return
	}
	l := listLevel{format: "decimal", start: 1, restart: i, style: lvl.child("pStyle").attr("val"), pattern: lvl.child("lvlText").attr("val")}
	if f := lvl.child("numFmt"); f != nil {
		l.format = f.attr("val")
	} else if f := lvl.first("numFmt"); f != nil { // in an AlternateContent
		l.format = f.attr("val")
	}
	if v, ok := lvl.child("start").number("val"); ok {
		l.start = v
	}
	if v, ok := lvl.child("lvlRestart").number("val"); ok {
		l.restart = v
		if v == 0 {
			l.restart = -1
		}
	}
	look := overlay(wordLook{}, lvl.child("rPr"))
	l.unseen = look.vanish || look.clear || look.size > 0 && look.size <= tinyHalfPoints || look.drawnIn("FFFFFF") && len(l.pattern) >= webMark
	n.levels[i] = l
}

// next counts a paragraph of a list and returns its number. ok is false where
// there is no such list.
func (l *wordLists) next(at wordNumber) (out number, ok bool) {
	if at.list == "" || at.list == "0" {
		return number{}, false
	}
	n := l.byID[at.list]
	if n == nil {
		return number{level: at.level}, true
	}
	level := min(max(at.level, 0), 8)
	if at.style != "" {
		for i := range n.levels {
			if n.levels[i].style == at.style {
				level = i
			}
		}
	}
	if !n.begun {
		n.begun = true
		for i, from := range n.resetTo {
			n.counts[i] = from - 1
		}
	}
	if n.counts[level] == notBegun {
		n.counts[level] = n.levels[level].start - 1
	}
	n.counts[level]++
	for i := level + 1; i < 9; i++ {
		if r := n.levels[i].restart; r < 0 || r > level+1 && r != i {
			continue
		}
		n.counts[i] = n.levels[i].start - 1
	}
	return n.number(level), true
}

func (n *numbering) number(level int) number {
	l := n.levels[level]
	out := number{level: level, n: n.counts[level]}
	if l.unseen {
		return out
	}
	switch l.format {
	case "bullet", "none", "":
		if l.format == "none" && !strings.Contains(l.pattern, "%") {
			out.label = strings.TrimSpace(l.pattern)
		}
		return out
	}
	own := "%" + strconv.Itoa(level+1)
	out.ordered = l.format == "decimal" && out.n >= 0 && out.n < 1e9 && (l.pattern == own+"." || l.pattern == own+")" || l.pattern == own)
	label := l.pattern
	for i := level; i >= 0; i-- {
		c := n.counts[i]
		if c == notBegun {
			c = n.levels[i].start
		}
		label = strings.ReplaceAll(label, "%"+strconv.Itoa(i+1), numeral(n.levels[i].format, c))
	}
	out.label = strings.TrimSpace(label)
	return out
}

// numeral writes a number in a format of section 17.18.59; formats without
// letters of their own here are written in digits.
func numeral(format string, n int) string {
	switch format {
	case "lowerLetter", "upperLetter", "a", "A":
		if n < 1 || n > 780 {
			break
		}
		s := strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
		if format == "upperLetter" || format == "A" {
			s = strings.ToUpper(s)
		}
		return s
	case "lowerRoman", "upperRoman", "i", "I":
		if n < 1 || n > 3999 {
			break
		}
		s := roman(n)
		if format == "lowerRoman" || format == "i" {
			s = strings.ToLower(s)
		}
		return s
	case "decimalZero":
		if n >= 0 && n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "bullet", "none":
		return ""
	}
	return strconv.Itoa(n)
}

func roman(n int) string {
	out := ""
	for _, r := range []struct {
		n int
		s string
	}{{1000, "M"}, {900, "CM"}, {500, "D"}, {400, "CD"}, {100, "C"}, {90, "XC"}, {50, "L"}, {40, "XL"}, {10, "X"}, {9, "IX"}, {5, "V"}, {4, "IV"}, {1, "I"}} {
		for n >= r.n {
			out += r.s
			n -= r.n
		}
	}
	return out
}

// listStack is a list in the making, with the lists within its last item.
type listStack struct {
	root   page.Block
	levels []int // of the open lists, the outermost first
}

// item appends a paragraph. A list that cannot go on with it, because its kind or
// its number is another, ends, and a new one begins.
func (s *listStack) item(n number, in []page.Inline, b *builder) {
	item := page.Block{Kind: page.Item, Children: []page.Block{{Kind: page.Paragraph, Inlines: labelled(labelOf(n), in)}}}
	for len(s.levels) > 1 && s.levels[len(s.levels)-1] > n.level {
		s.levels = s.levels[:len(s.levels)-1]
	}
	depth := len(s.levels)
	switch {
	case depth == 0:
	case s.levels[depth-1] < n.level: // one level deeper
		last := s.list(depth - 1).lastItem()
		last.Children = append(last.Children, newList(n, item))
		s.levels = append(s.levels, n.level)
		return
	case s.list(depth - 1).goesOn(n):
		s.levels[depth-1] = n.level
		l := s.list(depth - 1)
		l.Children = append(l.Children, item)
		return
	case depth > 1: // another list within the same item
		last := s.list(depth - 2).lastItem()
		last.Children = append(last.Children, newList(n, item))
		return
	}
	if l, ok := s.take(); ok {
		b.add(l)
	}
	s.root, s.levels = newList(n, item), []int{n.level}
}

func labelOf(n number) string {
	if n.ordered {
		return ""
	}
	return n.label
}

func newList(n number, item page.Block) page.Block {
	l := page.Block{Kind: page.List, Ordered: n.ordered, Children: []page.Block{item}}
	if n.ordered {
		l.Start = n.n
	}
	return l
}

// openList is a list that items are appended to.
type openList struct{ *page.Block }

// list is the open list at a depth.
func (s *listStack) list(depth int) openList {
	l := &s.root
	for range depth {
		item := &l.Children[len(l.Children)-1]
		l = &item.Children[len(item.Children)-1]
	}
	return openList{l}
}

func (l openList) lastItem() *page.Block { return &l.Children[len(l.Children)-1] }

// goesOn reports whether a number is the next one of the list.
func (l openList) goesOn(n number) bool {
	if l.Ordered != n.ordered {
		return false
	}
	return !n.ordered || n.n == l.Start+len(l.Children)
}

// take returns the list and begins without one.
func (s *listStack) take() (page.Block, bool) {
	l, ok := s.root, len(s.levels) > 0
	*s = listStack{}
	return l, ok
}
