package document

import "slices"

// This file sorts the shapes of a slide into reading order.

// box is the position of a shape.
type box struct{ left, top, right, bottom int }

// placedShape is a shape with its position in the tree and on the slide.
type placedShape struct {
	*node
	at int
	box
}

// inOrder returns the shapes of a tree from top to bottom and from left to
// right. Programs write them in the order in which they are painted. Without
// all positions that order is kept.
func (s *slides) inOrder(tree *node) []*node {
	var all []placedShape
	known := true
	for _, c := range tree.childrenOf() {
		for c != nil && c.name == "AlternateContent" {
			c = firstShape(alternative(c))
		}
		if c == nil || !isShapeName(c.name) || isTitle(c) || !holds(c) { // a title is the heading
			continue
		}
		b, ok := s.boxOf(c)
		known = known && ok
		all = append(all, placedShape{c, len(all), b})
	}
	if known && len(all) <= maxOrderedShapes {
		all = readingOrder(all)
	}
	out := make([]*node, len(all))
	for i, p := range all {
		out[i] = p.node
	}
	return out
}

func isShapeName(name string) bool {
	return name == "sp" || name == "cxnSp" || name == "grpSp" || name == "graphicFrame"
}

func firstShape(n *node) *node {
	for _, c := range n.children {
		if isShapeName(c.name) || c.name == "AlternateContent" {
			return c
		}
	}
	return nil
}

// boxOf is the box of a shape, or that of its placeholder on the layout or the
// master; ok is false where none is known.
func (s *slides) boxOf(c *node) (b box, ok bool) {
	xfrm := c.child("xfrm")
	for _, props := range []string{"spPr", "grpSpPr"} {
		if xfrm == nil {
			xfrm = c.child(props).child("xfrm")
		}
	}
	if ph := c.first("ph"); xfrm == nil && ph != nil {
		for _, layout := range s.layouts {
			for _, sp := range layout.find("sp") {
				if p := sp.first("ph"); xfrm == nil && p != nil && p.attr("type") == ph.attr("type") && (p.attr("idx") == ph.attr("idx") || layout != s.layouts[0]) {
					xfrm = sp.child("spPr").child("xfrm")
				}
			}
		}
	}
	x, ok1 := xfrm.child("off").number("x")
	y, ok2 := xfrm.child("off").number("y")
	w, _ := xfrm.child("ext").number("cx")
	h, _ := xfrm.child("ext").number("cy")
	return box{x, y, x + w, y + h}, ok1 && ok2
}

// readingOrder sorts shapes by cutting the slide along gaps, into rows or into
// columns. Where both are possible, as in a grid, the order of the file is
// nearer to one of them.
func readingOrder(all []placedShape) []placedShape {
	if len(all) < 2 {
		return all
	}
	rows := cutShapes(all, func(b box) (int, int) { return b.top, b.bottom })
	columns := cutShapes(all, func(b box) (int, int) { return b.left, b.right })
	parts := rows
	if len(rows) == 1 || len(columns) > 1 && inversions(columns) < inversions(rows) {
		parts = columns
	}
	if len(parts) == 1 { // they overlap
		slices.SortStableFunc(all, func(a, b placedShape) int { return a.top - b.top })
		return all
	}
	var out []placedShape
	for _, p := range parts {
		out = append(out, readingOrder(p)...)
	}
	return out
}

// cutShapes groups shapes between which there is a gap in one direction.
func cutShapes(all []placedShape, span func(box) (from, to int)) [][]placedShape {
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b placedShape) int {
		x, _ := span(a.box)
		y, _ := span(b.box)
		return x - y
	})
	var out [][]placedShape
	end := 0
	for i, p := range all {
		from, to := span(p.box)
		// Boxes are larger than their text, so that neighbours overlap a little.
		if i == 0 || from+(to-from)/shapeOverlap >= end {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
		end = max(end, to)
		if i == 0 {
			end = to
		}
	}
	return out
}

// inversions counts the pairs that the order of the file has the other way.
func inversions(parts [][]placedShape) int {
	n := 0
	flat := slices.Concat(parts...)
	for i, a := range flat {
		for _, b := range flat[i+1:] {
			if b.at < a.at {
				n++
			}
		}
	}
	return n
}
