package document

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// This file builds the lists of all formats, and writes their numbers.

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

// more appends blocks to the last item; without a list they follow
// the text.
func (s *listStack) more(blocks []page.Block, b *builder) {
	if len(s.levels) == 0 {
		b.add(blocks...)
		return
	}
	last := s.list(len(s.levels) - 1).lastItem()
	last.Children = append(last.Children, blocks...)
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

// numeral writes a number in a format of section 17.18.59; formats without
// letters of their own here are written in digits.
func numeral(format string, n int) string {
	switch format {
	case "lowerLetter", "upperLetter", "a", "A":
		if n < 1 || n > maxRepeated {
			break
		}
		s := strings.Repeat(string(rune('a'+(n-1)%26)), (n-1)/26+1)
		if format == "upperLetter" || format == "A" {
			s = strings.ToUpper(s)
		}
		return s
	case "lowerRoman", "upperRoman", "i", "I":
		if n < 1 || n > maxRoman {
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
