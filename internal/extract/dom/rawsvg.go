package dom

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// An eighth of the elements of pages are the shapes of icons, and the tree builder asks for each
// of them whether it leaves svg. Where an svg element holds only shapes, and each ends where it
// should, these are cut out together with the attributes of the svg element, and built here.
// Elements with text are left to the tree builder, which remembers that there was some.

const (
	maxShapeDepth = 8      // of shapes within each other
	maxShapes     = 20_000 // of a page: the limits of Parse do not count them
)

// isShape reports whether an element of svg can be built here: the tree builder changes neither
// its name nor, because of it, what follows.
func isShape(name []byte) bool {
	switch string(name) {
	case "g", "path", "circle", "ellipse", "line", "polyline", "polygon", "rect", "use", "defs", "symbol", "mask", "stop":
		return true
	}
	return false
}

// cutShapes cuts out what stands in the svg element that has just begun, if its attributes are
// cut out, too.
func (w *rawWalk) cutShapes() {
	if w.done != w.i-1 || w.inSelect { // in select, the tree builder leaves svg elements out
		return
	}
	in := rawWalk{body: w.body, i: w.i}
	n, end := in.shapes(nil, nil)
	if n == 0 || w.drawn+n > maxShapes {
		return
	}
	w.drawn += n
	w.attrs[len(w.attrs)-1].inner = span{int32(w.i), int32(end)}
	w.out = append(w.out, '>')
	w.i, w.done = end, end
}

// shapes reads the shapes of an svg element up to its end tag, and returns how many there are,
// and where the end tag begins. There are none where anything else stands between them. With an
// element and a reader of attributes, it builds them.
func (w *rawWalk) shapes(in *html.Node, r *attrReader) (n, end int) {
	w.foreign = []string{"svg"} // so that tag looks at the names of attributes
	var open [maxShapeDepth][]byte
	depth := 0
	for {
		next := bytes.IndexByte(w.body[w.i:], '<')
		if next < 0 || w.i+next+1 >= len(w.body) {
			return 0, 0
		}
		blank := w.body[w.i : w.i+next]
		for _, c := range blank {
			if !isBlank(c) {
				return 0, 0
			}
		}
		if in != nil && next > 0 {
			in.AppendChild(r.node(html.Node{Type: html.TextNode, Data: newlines(string(blank))}))
		}
		end = w.i + next
		if w.i = end + 1; w.body[w.i] == '/' {
			w.i++
			name, attrs, _, ok := w.tag()
			switch {
			case !ok || attrs > 0:
				return 0, 0
			case depth == 0 && string(name) == "svg":
				return n, end
			case depth == 0 || !bytes.Equal(name, open[depth-1]):
				return 0, 0
			}
			if depth--; in != nil {
				in = in.Parent
			}
			continue
		}
		begin := w.i
		name, attrs, selfClosing, ok := w.tag()
		text := w.body[begin+len(name) : max(w.i-1, begin+len(name))]
		if !ok || !isShape(name) || w.strange || attrs > mostMarked || len(text) > mostAttrBytes || bytes.IndexByte(text, 0) >= 0 || !selfClosing && depth == maxShapeDepth {
			return 0, 0
		}
		n++
		var shape *html.Node
		if in != nil {
			shape = r.node(html.Node{Type: html.ElementNode, Namespace: "svg", DataAtom: atom.Lookup(name), Data: atom.String(name), Attr: r.read(r.hold(text))})
			adjustSVG(shape.Attr)
			in.AppendChild(shape)
		}
		if !selfClosing {
			open[depth] = name
			if depth++; in != nil {
				in = shape
			}
		}
	}
}
