package snapshot

// The browser numbers the layers of a page in the order of painting, each before those in it.
// What stands in a layer itself is painted after the layers in it that have a negative
// z-index, though its number is lower: ranks put it into its place (CSS 2, appendix E).

// ranks say when the layers of a document are painted, by their numbers: what stands in them;
// their own background comes before everything in them.
type ranks struct {
	content []int
	ground  int // the layer before which nothing is painted; -1 if there is none
}

const (
	rankBits = 6 // of a rank are for layers that end together
	maxSunk  = 1000
)

func (d *doc) newRanks() ranks {
	most := 0
	for _, n := range d.src.Layout.Order {
		most = max(most, n)
	}
	if most > 2*len(d.first) { // numbers that no browser gives
		return ranks{ground: -1}
	}
	out := ranks{make([]int, most+1), 0}
	for k := range out.content {
		out.content[k] = k<<rankBits | 1
	}
	for i := range d.first {
		if d.kind(i) == element && d.tag(i) == "html" && d.layout[i] > 0 && int(d.layout[i]) <= len(d.src.Layout.Order) {
			out.ground = d.order(i)
			break
		}
	}
	if d.sink(out.content) {
		out.ground = -1
	}
	return out
}

// A sunkLayer is a layer with a negative z-index.
type sunkLayer struct {
	root, last int // the node that begins it, and the last layer in it
	outer      int // the place of the one around it, -1 for none
}

// sink raises the ranks of layers over those in them with a negative z-index, and reports
// whether there are any.
func (d *doc) sink(out []int) bool {
	var all []sunkLayer
	in := make(map[int]int) // by nodes, the place of the layer around them
	for i := range d.first {
		at := -1
		if len(all) > 0 {
			if k, ok := in[d.up(i)]; ok {
				at, in[i] = k, k
			}
		}
		if d.layout[i] == 0 || int(d.layout[i]) > len(d.src.Layout.Order) || d.kind(i) != element {
			continue
		}
		if at >= 0 {
			all[at].last = max(all[at].last, d.order(i))
		}
		if z := d.style(i, styleZIndex); len(z) > 0 && z[0] == '-' && d.beginsLayer(i) && len(all) < maxSunk {
			in[i] = len(all)
			all = append(all, sunkLayer{i, d.order(i), at})
		}
	}
	for k := len(all) - 1; k >= 0; k-- { // inner ones first
		l := all[k]
		if l.outer >= 0 {
			all[l.outer].last = max(all[l.outer].last, l.last)
		}
		under := d.underOf(l.root)
		if under < 0 || under >= len(out) {
			continue
		}
		for layer := d.order(l.root); layer <= l.last && layer < len(out); layer++ {
			out[under] = max(out[under], out[layer]+1)
		}
	}
	return len(all) > 0
}

// beginsLayer reports whether an element is painted as a layer of its own.
func (d *doc) beginsLayer(i int) bool {
	up := d.boxAround(i)
	return up < 0 || int(d.layout[up]) > len(d.src.Layout.Order) || d.order(up) != d.order(i)
}

// boxAround is the nearest node around a node that has a box; -1 where there is none.
func (d *doc) boxAround(i int) int {
	for i = d.up(i); i >= 0 && d.layout[i] == 0; {
		i = d.up(i)
	}
	return i
}

// underOf returns the number of the layer that a layer with a negative z-index is painted
// into the ground of: the content of that layer is painted over it. It is -1 without one.
func (d *doc) underOf(i int) int {
	order, most := d.order(i), -1
	for up := d.boxAround(i); up >= 0; up = d.boxAround(up) {
		if int(d.layout[up]) <= len(d.src.Layout.Order) && d.order(up) < order {
			most = max(most, d.order(up))
		}
	}
	return most
}

// text is the rank of what stands in the layer of a node.
func (r *ranks) text(d *doc, i int) int {
	order := d.order(i)
	if order >= 0 && order < len(r.content) {
		return r.content[order]
	}
	return order<<rankBits | 1
}

// back is the rank of the background of an element.
func (r *ranks) back(d *doc, i int) int {
	if d.beginsLayer(i) {
		return d.order(i) << rankBits
	}
	return r.text(d, i)
}
