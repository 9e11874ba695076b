package snapshot

// The browser lists the nodes of a page as they are drawn, with shadow trees in their hosts and
// slotted content in the slots, but ::after before the children of its element. inDrawnOrder
// puts it behind them, so that everything else sees one order.

// inDrawnOrder returns a document in the order in which its nodes are drawn.
func inDrawnOrder(src *Document, strs []string, most int) *Document {
	n := min(len(src.Nodes.Parent), len(src.Nodes.Type), len(src.Nodes.Name), len(src.Nodes.Value),
		len(src.Nodes.BackendID), len(src.Nodes.Attributes), max(most, 0))
	o := orderer{src: src, isAfter: make([]bool, n), first: make([]int32, n), next: make([]int32, n)}
	if !o.find(n, strs) {
		return src
	}
	for i := n - 1; i > 0; i-- {
		if up := src.Nodes.Parent[i]; up >= 0 && up < i {
			o.next[i] = o.first[up]
			o.first[up] = int32(i)
		}
	}
	o.place = make([]int, n)
	o.put(0, -1, 0)
	return o.document()
}

type orderer struct {
	src         *Document
	isAfter     []bool // a ::after with text
	first, next []int32
	order       []int // nodes in the order in which they are drawn
	parent      []int // of each of them, as an index of order
	place       []int // of a node in order, plus one
}

// find notes each ::after with text, and reports whether there is one.
func (o *orderer) find(n int, strs []string) (found bool) {
	texts := make(map[int]bool)
	for j := range min(len(o.src.Layout.Node), len(o.src.Layout.Text)) {
		if o.src.Layout.Text[j] >= 0 {
			texts[o.src.Layout.Node[j]] = true
		}
	}
	for _, i := range o.src.Nodes.Pseudo.Index {
		if i > 0 && i < n && texts[i] && o.src.Nodes.Name[i] >= 0 && o.src.Nodes.Name[i] < len(strs) && strs[o.src.Nodes.Name[i]] == "::after" {
			o.isAfter[i], found = true, true
		}
	}
	return found
}

// put adds a node and what is drawn in it.
func (o *orderer) put(i, parent, depth int) {
	if o.place[i] > 0 || depth > maxDepth {
		return
	}
	at := len(o.order)
	o.place[i] = at + 1
	o.order, o.parent = append(o.order, i), append(o.parent, parent)
	after := 0
	for c := int(o.first[i]); c != 0; c = int(o.next[c]) {
		if o.isAfter[c] {
			after = c
			continue
		}
		o.put(c, at, depth+1)
	}
	if after > 0 {
		o.put(after, at, depth+1)
	}
}

// document returns the document with its nodes in this order.
func (o *orderer) document() *Document {
	out, from := *o.src, &o.src.Nodes
	n := len(o.order)
	out.Nodes = Nodes{Parent: o.parent, Type: make([]int, n), Name: make([]int, n), Value: make([]int, n), BackendID: make([]int64, n), Attributes: make([][]int, n)}
	for at, i := range o.order {
		out.Nodes.Type[at], out.Nodes.Name[at], out.Nodes.Value[at] = from.Type[i], from.Name[i], from.Value[i]
		out.Nodes.BackendID[at], out.Nodes.Attributes[at] = from.BackendID[i], from.Attributes[i]
	}
	to := &out.Nodes
	for _, c := range [...]struct{ from, to *Rare }{
		{&from.Shadow, &to.Shadow}, {&from.TextValue, &to.TextValue}, {&from.InputValue, &to.InputValue}, {&from.Checked, &to.Checked}, {&from.Selected, &to.Selected},
		{&from.Content, &to.Content}, {&from.Pseudo, &to.Pseudo}, {&from.Clickable, &to.Clickable}, {&from.Source, &to.Source},
	} {
		o.rare(c.from, c.to)
	}
	out.Layout.Node = make([]int, len(o.src.Layout.Node))
	for j, i := range o.src.Layout.Node {
		out.Layout.Node[j] = -1
		if i >= 0 && i < len(o.place) {
			out.Layout.Node[j] = o.place[i] - 1
		}
	}
	return &out
}

func (o *orderer) rare(from, to *Rare) {
	for k, i := range from.Index {
		if i < 0 || i >= len(o.place) || o.place[i] == 0 {
			continue
		}
		to.Index = append(to.Index, o.place[i]-1)
		if k < len(from.Value) {
			to.Value = append(to.Value, from.Value[k])
		}
	}
}
