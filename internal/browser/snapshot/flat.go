package snapshot

import "strings"

// Rules of the flat tree (DOM Standard, 4.2.2.4, and CSS Scoping 1, 3.4). What a person
// sees of an element with a shadow tree is the shadow tree, and in its slots the
// element's own children; a child without a slot is not drawn. The browser lists nodes
// as the markup has them: flatten puts them into the order in which they are drawn, so
// that everything behind it sees one tree.

// flatten returns a document in the order of the flat tree, and of each element that
// stands in a slot of a closed shadow tree, the element that holds that tree: page
// scripts know of no slot there.
func flatten(src *Document, strs []string, most int) (*Document, map[int]int) {
	n := min(len(src.Nodes.Parent), len(src.Nodes.Type), len(src.Nodes.Name), len(src.Nodes.Value),
		len(src.Nodes.BackendID), len(src.Nodes.Attributes), max(most, 0))
	f := &flattener{src: src, strs: strs, first: make([]int32, n), next: make([]int32, n), roots: make(map[int]int), closed: make(map[int]bool), after: make(map[int]bool)}
	src.Nodes.Shadow.each(func(k, v int) {
		if k <= 0 || k >= n || src.Nodes.Type[k] != fragmentNode {
			return
		}
		if kind, up := f.str(v), src.Nodes.Parent[k]; kind != "user-agent" && up >= 0 && up < k {
			f.roots[up], f.closed[k] = k, kind == "closed"
		}
	})
	f.pseudos(n)
	if len(f.roots) == 0 && len(f.after) == 0 {
		return src, nil
	}
	for i := n - 1; i > 0; i-- {
		if up := src.Nodes.Parent[i]; up >= 0 && up < i {
			f.next[i] = f.first[up]
			f.first[up] = int32(i)
		}
	}
	f.place = make([]int, n)
	f.put(0, -1, -1, 0)
	return f.document()
}

// A flattener puts nodes in order. Where a node has several places, the first counts.
type flattener struct {
	src         *Document
	strs        []string
	first, next []int32
	roots       map[int]int  // the shadow root of an element
	closed      map[int]bool // shadow roots that scripts do not see
	after       map[int]bool // elements with a ::after that has text
	order       []int        // nodes in the flat order
	parent      []int        // of each of them, as an index of order
	via         map[int]int  // as flatten returns it, by indices of order
	place       []int        // of a node in order, plus one
}

func (f *flattener) str(i int) string {
	if i < 0 || i >= len(f.strs) {
		return ""
	}
	return f.strs[i]
}

// put adds a node and what is drawn in it; host is the element whose shadow tree the
// node stands in, -1 for none.
func (f *flattener) put(i, parent, host, depth int) {
	if f.place[i] > 0 || depth > maxDepth {
		return
	}
	at := len(f.order)
	f.place[i] = at + 1
	f.order, f.parent = append(f.order, i), append(f.parent, parent)
	if root, ok := f.roots[i]; ok {
		f.put(root, at, i, depth+1)
		return
	}
	if host >= 0 && strings.EqualFold(f.str(f.src.Nodes.Name[i]), "slot") && f.slot(i, at, host, depth) {
		return
	}
	after := 0
	for c := int(f.first[i]); c != 0; c = int(f.next[c]) {
		if f.after[i] && f.isAfter(c) {
			after = c
			continue
		}
		f.put(c, at, host, depth+1)
	}
	if after > 0 {
		f.put(after, at, host, depth+1)
	}
}

// pseudos notes the elements with a ::after that has text: the browser lists it before the
// children, and it is drawn after them.
func (f *flattener) pseudos(n int) {
	texts := make(map[int]bool)
	for j := range min(len(f.src.Layout.Node), len(f.src.Layout.Text)) {
		if f.src.Layout.Text[j] >= 0 {
			texts[f.src.Layout.Node[j]] = true
		}
	}
	for _, i := range f.src.Nodes.Pseudo.Index {
		if i > 0 && i < n && texts[i] && f.isAfter(i) && f.src.Nodes.Parent[i] >= 0 && f.src.Nodes.Parent[i] < i {
			f.after[f.src.Nodes.Parent[i]] = true
		}
	}
}

func (f *flattener) isAfter(i int) bool { return f.str(f.src.Nodes.Name[i]) == "::after" }

// slot adds the children of a host that belong into a slot, and reports whether there
// are any.
func (f *flattener) slot(i, at, host, depth int) bool {
	name, any := f.attr(i, "name"), false
	for c := int(f.first[host]); c != 0; c = int(f.next[c]) {
		kind := f.src.Nodes.Type[c]
		if f.roots[host] == c || kind != element && kind != textNode || f.attr(c, "slot") != name {
			continue
		}
		any = true
		if f.closed[f.roots[host]] {
			if f.via == nil {
				f.via = make(map[int]int)
			}
			f.via[len(f.order)] = f.place[host] - 1
		}
		f.put(c, at, f.hostOf(host), depth+1)
	}
	return any
}

// hostOf is the element whose shadow tree another element stands in, -1 for none.
func (f *flattener) hostOf(i int) int {
	for n := 0; i > 0 && n < maxDepth; n++ {
		up := f.src.Nodes.Parent[i]
		if up < 0 || up >= i {
			return -1
		}
		if f.roots[up] == i {
			return up
		}
		i = up
	}
	return -1
}

func (f *flattener) attr(i int, name string) string {
	a := f.src.Nodes.Attributes[i]
	for k := 0; k+1 < len(a); k += 2 {
		if strings.EqualFold(f.str(a[k]), name) {
			return f.str(a[k+1])
		}
	}
	return ""
}

// document returns the document with its nodes in the flat order.
func (f *flattener) document() (*Document, map[int]int) {
	out, from := *f.src, &f.src.Nodes
	n := len(f.order)
	out.Nodes = Nodes{Parent: f.parent, Type: make([]int, n), Name: make([]int, n), Value: make([]int, n), BackendID: make([]int64, n), Attributes: make([][]int, n)}
	for at, i := range f.order {
		out.Nodes.Type[at], out.Nodes.Name[at], out.Nodes.Value[at] = from.Type[i], from.Name[i], from.Value[i]
		out.Nodes.BackendID[at], out.Nodes.Attributes[at] = from.BackendID[i], from.Attributes[i]
	}
	to := &out.Nodes
	for _, c := range [...]struct{ from, to *Rare }{
		{&from.Shadow, &to.Shadow}, {&from.TextValue, &to.TextValue}, {&from.InputValue, &to.InputValue}, {&from.Checked, &to.Checked}, {&from.Selected, &to.Selected},
		{&from.Content, &to.Content}, {&from.Pseudo, &to.Pseudo}, {&from.Clickable, &to.Clickable}, {&from.Source, &to.Source},
	} {
		f.rare(c.from, c.to)
	}
	out.Layout.Node = make([]int, len(f.src.Layout.Node))
	for j, i := range f.src.Layout.Node {
		out.Layout.Node[j] = -1
		if i >= 0 && i < len(f.place) {
			out.Layout.Node[j] = f.place[i] - 1
		}
	}
	return &out, f.via
}

func (f *flattener) rare(from, to *Rare) {
	for k, i := range from.Index {
		if i < 0 || i >= len(f.place) || f.place[i] == 0 {
			continue
		}
		to.Index = append(to.Index, f.place[i]-1)
		if k < len(from.Value) {
			to.Value = append(to.Value, from.Value[k])
		}
	}
}
