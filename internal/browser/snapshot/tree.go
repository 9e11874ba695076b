package snapshot

import (
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// A doc is a document with its columns made into rows.
type doc struct {
	process *process
	src     *Document
	strings []string
	tags    []string // names of nodes in lower case

	first, next []int32 // first child and next sibling as they are drawn; 0 is none (the root is nobody's child)
	last        []int32 // the last node in a node, or itself
	layout      []int32 // box of a node plus one; 0 is none
	shadow      map[int]string
	values      map[int]int // input and text values
	checked     map[int]bool
	selected    map[int]bool
	content     map[int]int
	pseudo      map[int]bool
	generated   map[int]string // texts of pseudo-elements
	printed     map[int]rect   // where these texts stand
	clickable   map[int]bool
	scopes      []int // of trees
	byID        map[scopedID]int
	viewed      []view           // of views
	angled      map[int]bool     // faces of bodies that are seen at an angle
	roving      map[int]bool     // grids whose cells pass the focus on, and others
	dragged     int8             // of drags: 0 not looked for yet, -1 nothing is
	window      Viewport         // zero for a document that is not shown
	locked      bool             // a modal dialog keeps the page from being scrolled: what is below the window is behind it
	labels      map[scopedID]int // the first label elements by the id that they are for
	maps        map[string]int   // image maps by the word that pictures have for them
}

type process struct {
	src   *Process
	ax    map[int64]*AXNode
	hears map[int64]hearing
	docs  []*doc
}

func newProcess(p *Process) *process {
	out := &process{src: p, ax: make(map[int64]*AXNode, len(p.AX)), hears: hearings(p.Listeners)}
	for i := range p.AX {
		n := &p.AX[i]
		if old, ok := out.ax[n.BackendID]; !ok || old.Ignored {
			out.ax[n.BackendID] = n
		}
	}
	left := maxNodes
	for i := range p.DOM.Documents {
		d := newDoc(out, i, left)
		left -= len(d.first)
		out.docs = append(out.docs, d)
	}
	return out
}

// newDoc indexes a document. Whatever the columns say, all indices that it
// keeps are within them, and a child comes after its parent.
func newDoc(p *process, i, most int) *doc {
	src := &p.src.DOM.Documents[i]
	n := min(len(src.Nodes.Parent), len(src.Nodes.Type), len(src.Nodes.Name), len(src.Nodes.Value),
		len(src.Nodes.BackendID), len(src.Nodes.Attributes), max(most, 0))
	d := &doc{
		process: p, src: src, strings: p.src.DOM.Strings, tags: tagsOf(src, p.src.DOM.Strings, n),
		first: make([]int32, n), next: make([]int32, n), last: make([]int32, n), layout: make([]int32, n),
		shadow: make(map[int]string), generated: make(map[int]string), maps: make(map[string]int), values: make(map[int]int), content: make(map[int]int), byID: make(map[scopedID]int), labels: make(map[scopedID]int), roving: make(map[int]bool),
		checked: src.Nodes.Checked.set(), selected: src.Nodes.Selected.set(), pseudo: src.Nodes.Pseudo.set(), clickable: src.Nodes.Clickable.set(),
	}
	d.link()
	l := &src.Layout
	for j := range min(len(l.Node), len(l.Bounds), len(l.Styles)) {
		k := l.Node[j]
		if k < 0 || k >= n || len(l.Bounds[j]) != 4 {
			continue
		}
		if d.pseudo[k] && d.layout[k] > 0 {
			continue // the text in a pseudo-element: its box came before
		}
		d.layout[k] = int32(j + 1)
	}
	// One pseudo-element has several boxes with texts, for its counters for example. One rule
	// of a style sheet can give the same text to all elements of a page.
	left := maxGenerated
	for j := range min(len(l.Node), len(l.Text), len(l.Bounds)) {
		k := l.Node[j]
		if s := d.str(l.Text[j]); d.pseudo[k] && d.layout[k] > 0 && s != "" && len(d.generated[k]) < nameBytes && len(l.Bounds[j]) == 4 {
			s = text.CutBytes(s, min(left, mostGenerated))
			left -= len(s)
			b := l.Bounds[j]
			box := rect{b[0], b[1], b[0] + b[2], b[1] + b[3], true}
			if at, ok := d.printed[k]; ok {
				box = rect{min(box.left, at.left), min(box.top, at.top), max(box.right, at.right), max(box.bottom, at.bottom), true}
			}
			if d.printed == nil {
				d.printed = make(map[int]rect)
			}
			d.generated[k], d.printed[k] = d.generated[k]+s, box
		}
	}
	src.Nodes.Shadow.each(func(k, v int) { d.shadow[k] = d.str(v) })
	src.Nodes.TextValue.each(func(k, v int) { d.values[k] = v })
	src.Nodes.InputValue.each(func(k, v int) { d.values[k] = v })
	src.Nodes.Content.each(func(k, v int) { d.content[k] = v })
	d.scopes = d.trees()
	for i := range n {
		if src.Nodes.Type[i] == element {
			switch d.tag(i) {
			case "label":
				if id := d.scoped(i, d.attr(i, "for")); d.labels[id] == 0 {
					d.labels[id] = i
				}
			case "map":
				d.maps["#"+d.attr(i, "name")] = i
			}
			if id := d.scoped(i, d.attr(i, "id")); id.id != "" {
				if _, taken := d.byID[id]; !taken {
					d.byID[id] = i
				}
			}
		}
	}
	return d
}

// link notes who is in whom. The browser lists the nodes of a page as they are drawn, with shadow
// trees in their hosts and slotted content in the slots, but ::after before the other children of
// its element: here it is the last one.
func (d *doc) link() {
	for _, after := range [...]bool{true, false} {
		for i := len(d.first) - 1; i > 0; i-- {
			if up := d.up(i); up >= 0 && (d.tags[i] == "::after") == after {
				d.next[i] = d.first[up]
				d.first[up] = int32(i)
			}
		}
	}
	for i := len(d.first) - 1; i >= 0; i-- {
		d.last[i] = max(d.last[i], int32(i))
		if up := d.up(i); up >= 0 {
			d.last[up] = max(d.last[up], d.last[i])
		}
	}
}

// A scopedID is the id of an element in its tree: shadow trees have ids of their own.
type scopedID struct {
	host int // of the shadow tree; 0 for the document
	id   string
}

// trees returns the host of the shadow tree that each node belongs to, 0 for the document; nil
// where there is no such tree. The browser lists the nodes of a shadow tree in their host, and
// what is in a slot in the slot.
func (d *doc) trees() []int {
	if len(d.shadow) == 0 {
		return nil
	}
	out := make([]int, len(d.first))
	for i := range out {
		up := d.up(i)
		switch {
		case up < 0:
		case d.tag(up) == "slot" && out[up] > 0:
			out[i] = out[out[up]]
		case d.shadow[i] != "" && (d.shadow[up] == "" || strings.Contains(d.tag(up), "-")):
			out[i] = up
		default:
			out[i] = out[up]
		}
	}
	return out
}

// scoped is an id in the tree of an element.
func (d *doc) scoped(i int, id string) scopedID {
	if d.scopes == nil {
		return scopedID{0, id}
	}
	return scopedID{d.scopes[i], id}
}

// find looks an id up in the tree of an element, and in the trees around that.
func (d *doc) find(in map[scopedID]int, i int, id string) (int, bool) {
	for at := d.scoped(i, id); ; at = d.scoped(at.host, id) {
		if j, ok := in[at]; ok || at.host == 0 {
			return j, ok && id != ""
		}
	}
}

const (
	element      = 1
	textNode     = 3
	commentNode  = 8
	documentNode = 9
	doctypeNode  = 10
)

func (r *rare) each(f func(node, value int)) {
	for i := range min(len(r.Index), len(r.Value)) {
		f(r.Index[i], r.Value[i])
	}
}

func (r *rare) set() map[int]bool {
	m := make(map[int]bool, len(r.Index))
	for _, i := range r.Index {
		m[i] = true
	}
	return m
}

func (d *doc) str(i int) string {
	if i < 0 || i >= len(d.strings) {
		return ""
	}
	return d.strings[i]
}

func (d *doc) kind(i int) int { return d.src.Nodes.Type[i] }

// up is the parent of a node; -1 where it has none.
func (d *doc) up(i int) int {
	if up := d.src.Nodes.Parent[i]; up < i {
		return max(up, -1)
	}
	return -1
}

// tagsOf are the names of the first n nodes in lower case. Most of them are the same few.
func tagsOf(src *Document, strs []string, n int) []string {
	out, known := make([]string, n), make(map[int]string)
	for i := range out {
		at := src.Nodes.Name[i]
		name, ok := known[at]
		if !ok && at >= 0 && at < len(strs) {
			name = strings.ToLower(strs[at])
			known[at] = name
		}
		out[i] = name
	}
	return out
}

// tag is the name of an element in lower case.
func (d *doc) tag(i int) string { return d.tags[i] }

func (d *doc) node(i int) Node { return Node{d.process.src.Name, d.src.Nodes.BackendID[i]} }

func (d *doc) ax(i int) *AXNode { return d.process.ax[d.src.Nodes.BackendID[i]] }

// attr returns an attribute's value, or "".
func (d *doc) attr(i int, name string) string {
	v, _ := d.lookup(i, name)
	return v
}

func (d *doc) has(i int, name string) bool {
	_, ok := d.lookup(i, name)
	return ok
}

func (d *doc) lookup(i int, name string) (string, bool) {
	a := d.src.Nodes.Attributes[i]
	for k := 0; k+1 < len(a); k += 2 {
		if strings.EqualFold(d.str(a[k]), name) {
			return d.str(a[k+1]), true
		}
	}
	return "", false
}

// box returns the place of a node.
func (d *doc) box(i int) (x, y, w, h float64, ok bool) {
	j := d.layout[i]
	if j == 0 {
		return 0, 0, 0, 0, false
	}
	b := d.src.Layout.Bounds[j-1]
	return b[0], b[1], b[2], b[3], true
}

// textBox returns the place of the letters in a node: those of a pseudo-element can be
// outside of its box.
func (d *doc) textBox(i int) (x, y, w, h float64, ok bool) {
	if at, ok := d.printed[i]; ok {
		return at.left, at.top, at.width(), at.height(), true
	}
	return d.box(i)
}

// boxAround is the nearest node around a node that has a box; -1 where there is none.
func (d *doc) boxAround(i int) int {
	for i = d.up(i); i >= 0 && d.layout[i] == 0; {
		i = d.up(i)
	}
	return i
}

// within reports whether a node is another one or in it.
func (d *doc) within(i, above int) bool { return i >= above && i <= int(d.last[above]) }

// A step is where a walk goes from a node.
type step int

const (
	into step = iota // to what is in it
	past             // to what follows it
	stop
)

// walk calls f for at most `most` descendants in the order in which they are drawn.
func (d *doc) walk(i, most int, f func(int) step) {
	for j := int(d.first[i]); j > 0 && most > 0; most-- {
		next, to := int(d.first[j]), f(j)
		if to == stop {
			return
		}
		if to == past {
			next = 0
		}
		for ; next == 0 && j > i; j = d.up(j) {
			next = int(d.next[j])
		}
		j = next
	}
}

// descend calls f for at most `most` descendants in the order in which they are drawn, until it
// returns false.
func (d *doc) descend(i, most int, f func(int) bool) {
	d.walk(i, most, func(j int) step {
		if f(j) {
			return into
		}
		return stop
	})
}

// any reports whether f does of one of at most `most` descendants.
func (d *doc) any(i, most int, f func(int) bool) (found bool) {
	d.descend(i, most, func(j int) bool {
		found = f(j)
		return !found
	})
	return found
}
