package document

import (
	"strconv"
	"strings"
)

// This file numbers the paragraphs of a docx file (ECMA-376, part 1, section
// 17.9). Markdown has numbers with a point only: other numbers, such as "(a)"
// and "4.2", are text before the item, because other clauses refer to them.

// number is what comes before a paragraph of a list.
type number struct {
	level   int
	ordered bool   // Markdown can write it: it is n with a point or a bracket
	n       int    // the number, counted from 1 unless the list says otherwise
	label   string // as in the document; "" for a bullet
}

// wordLevel is one level of a numbering.
type wordLevel struct {
	format, pattern string
	start           int
	style           string // the paragraph style of this level
	indent          int    // of the text, in twips
}

type numbering struct {
	levels  [wordLevels]wordLevel
	counts  *[wordLevels]int // shared by the lists of one abstract numbering
	begun   bool
	resetTo map[int]int // the numbers with which levels start again in this list
}

type wordLists struct {
	byID map[string]*numbering
	open []openLevel // of the open list, the outermost first
}

// openLevel is a level of the open list.
type openLevel struct {
	list          string
	level, indent int
}

func readWordLists(t *node) *wordLists {
	l := &wordLists{byID: map[string]*numbering{}}
	abstract, byStyle, counts := map[string]*node{}, map[string]*node{}, map[string]*[wordLevels]int{}
	for _, a := range t.find("abstractNum") {
		id := a.attr("abstractNumId")
		abstract[id], counts[id] = a, new([wordLevels]int)
		for i := range counts[id] {
			counts[id][i] = notBegun
		}
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
			n.levels[i] = wordLevel{format: "decimal", start: 1}
		}
		for _, lvl := range a.kids("lvl") {
			n.setLevel(lvl)
		}
		for _, o := range num.kids("lvlOverride") {
			if lvl := o.child("lvl"); lvl != nil {
				n.setLevel(lvl)
			}
			i, ok1 := o.number("ilvl")
			if from, ok := o.child("startOverride").number("val"); ok && ok1 && i >= 0 && i < wordLevels {
				n.resetTo[i], n.levels[i].start = from, from
			}
		}
		l.byID[num.attr("numId")] = n
	}
	return l
}

const notBegun = -1 << 31

func (n *numbering) setLevel(lvl *node) {
	i, ok := lvl.number("ilvl")
	if !ok || i < 0 || i >= wordLevels {
		return
	}
	l := wordLevel{format: "decimal", start: 1, style: lvl.child("pStyle").attr("val"), pattern: lvl.child("lvlText").attr("val")}
	if f := lvl.first("numFmt"); f != nil {
		l.format = f.attr("val")
	}
	if v, ok := lvl.child("start").number("val"); ok {
		l.start = v
	}
	l.indent, _ = indentOf(lvl.child("pPr"))
	if on(lvl.child("rPr").child("vanish")) {
		l.format, l.pattern = "none", ""
	}
	n.levels[i] = l
}

// indentOf is the indent on the left in the properties of a paragraph.
func indentOf(props *node) (int, bool) {
	if n, ok := props.child("ind").number("left"); ok {
		return n, true
	}
	return props.child("ind").number("start")
}

// next counts a paragraph of a list and returns its number. ok is false where
// there is no such list.
func (l *wordLists) next(at wordNumber, props *node) (out number, ok bool) {
	if at.list == "" || at.list == "0" {
		return number{}, false
	}
	n := l.byID[at.list]
	if n == nil {
		return number{level: l.depth(openLevel{list: at.list, level: at.level})}, true
	}
	level := min(max(at.level, 0), wordLevels-1)
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
	for i := level + 1; i < wordLevels; i++ {
		n.counts[i] = n.levels[i].start - 1
	}
	out = n.number(level)
	indent, own := indentOf(props)
	if !own {
		indent = n.levels[level].indent
	}
	out.level = l.depth(openLevel{at.list, level, indent})
	return out, true
}

// depth is how many open levels a paragraph is within. A level of another list
// is deeper if its text is: programs write sub-lists as lists of their own.
func (l *wordLists) depth(at openLevel) int {
	for n := len(l.open); n > 0; n-- {
		o := l.open[n-1]
		if o.list == at.list && o.level == at.level {
			l.open = l.open[:n]
			return n - 1
		}
	}
	for n := len(l.open); n > 0; n-- {
		o := l.open[n-1]
		if o.list == at.list && o.level < at.level || o.list != at.list && o.indent < at.indent {
			break
		}
		l.open = l.open[:n-1]
	}
	l.open = append(l.open, at)
	return len(l.open) - 1
}

func (n *numbering) number(level int) number {
	l := n.levels[level]
	out := number{n: n.counts[level]}
	switch l.format {
	case "bullet", "none", "":
		if l.format == "none" && !strings.Contains(l.pattern, "%") {
			out.label = strings.TrimSpace(l.pattern)
		}
		return out
	}
	own := "%" + strconv.Itoa(level+1)
	out.ordered = l.format == "decimal" && out.n >= 0 && out.n < maxListNumber && (l.pattern == own+"." || l.pattern == own+")" || l.pattern == own)
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
