package css

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// This file says of which text in an SVG drawing a person sees at least the beginning: it
// stands within the drawing, in a colour that no style and no shape of the drawing is near.

// drawable are the attributes of drawings that do not hide a text, or are looked at.
const drawable = " x y width height viewbox fill stroke stroke-width font-size font-family font-weight font-style text-anchor " +
	"dominant-baseline transform id class href xmlns role rx ry color xml:space version lang aria-label tabindex "

// shaping are the properties that change where the parts of a drawing are, or how they look.
var shaping = [...]property{propWidth, propHeight, propMaxHeight, propPosition, propTransform, propTranslate, propScale, propRotate, propZoom, propFilter,
	propMask, propClipPath, propClip, propFontSize, propOpacity, propBlend, propLetterSpacing, propAnimationName, propTextStroke, propDoubt}

// isAny reports whether one of the properties is declared.
func (v *values) isAny(all []property) bool { return slices.ContainsFunc(all, v.has) }

const (
	mostParts    = 500 // nodes of a drawing that is looked at
	deepest      = 16  // elements around a text in it
	leastDrawing = 8   // pixels of width and height
	leastDrawn   = 5   // pixels of height of the letters
	beginning    = 24  // pixels of a text that a shape may cover
)

// box is where a part of a drawing is, in its own units.
type drawnBox struct{ left, top, right, bottom float64 }

func (b drawnBox) holds(x, y float64) bool {
	return x >= b.left && x < b.right && y > b.top && y <= b.bottom
}

// Drawn reports whether the text of a drawing that was entered last, or what a foreignObject
// holds, is surely in sight. Of others it is not known.
func (v *View) Drawn() bool {
	k := len(v.stack) - 1
	root := k
	for root > 0 && v.stack[root].node.Namespace == "svg" && v.stack[root].node.Data != "svg" {
		root--
	}
	svg := v.stack[root].node
	if root == 0 || k-root > deepest || svg.Data != "svg" || v.stack[root-1].node.Namespace != "" || v.s.Unread || v.s.oddFill || len(v.s.fills) > mostGrounds {
		return false
	}
	v.exact(k)
	fill, stroke, anchor, color, size := "black", "none", "start", v.stack[k].paint.color, 16.0
	x, y, shift := 0.0, 0.0, identity()
	for i := root; i <= k; i++ {
		n := v.stack[i].node
		if v.valuesOf(i, ^mask(0)).isAny(shaping[:]) || i > root && i < k && n.Data != "g" && n.Data != "a" {
			return false
		}
		ok := true
		read := func(key string, to *float64) {
			if s, has := attrOf(n, key); has {
				q, isNumber := simple(s)
				*to, ok = q.v, ok && isNumber && q.dim != isPercent
			}
		}
		for _, a := range n.Attr {
			if s := strings.ToLower(strings.TrimSpace(a.Val)); a.Namespace == "" {
				switch key := strings.ToLower(a.Key); key {
				case "fill":
					fill = s
				case "stroke":
					stroke = s
				case "text-anchor":
					anchor = s
				case "color":
					c, known := parseColor(attributeColor(s))
					color, ok = c, ok && known
				case "transform":
					name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
					all, known := numbers(strings.FieldsFunc(args, isBetween))
					switch ok = ok && known && i > root && len(all) > 0; {
					case !ok:
					case name == "translate":
						at := identity()
						at[0][3], at[1][3] = all[0], 0
						if len(all) > 1 {
							at[1][3] = all[1]
						}
						shift.times(at)
					case name == "scale" && len(all) == 1 && all[0] > .3:
						at := identity()
						at[0][0], at[1][1] = all[0], all[0]
						shift.times(at)
					default:
						ok = false
					}
				case "opacity", "fill-opacity":
					q, isNumber := simple(s)
					ok = ok && isNumber && q.v > partOpaque
				case "style":
					ok = ok && (strings.Contains(a.Val, "fill") || !strings.Contains(s, "fill")) && !strings.Contains(s, "font") && !strings.Contains(s, "stroke") && !strings.Contains(s, "opacity")
				default:
					ok = ok && strings.Contains(drawable, " "+key+" ")
				}
			}
		}
		if read("font-size", &size); i == k {
			read("x", &x)
			read("y", &y)
		}
		if !ok {
			return false
		}
	}
	n := v.stack[k].node
	seen, scale, ok := v.drawing(root)
	long := 0
	for _, c := range nodesIn(n, nil) {
		if c.Type == html.TextNode {
			long += len(c.Data)
		}
		if c.Type != html.ElementNode || c.Namespace != "svg" || c.Data != "tspan" {
			continue
		}
		for _, a := range c.Attr {
			q, isNumber := simple(a.Val)
			switch a.Key {
			case "x":
				ok = ok && isNumber && q.v >= seen.left
				if x = q.v; c.PrevSibling != nil { // it is further on
					x = max(seen.left, min(q.v, seen.right-1))
				}
			case "y":
				ok = ok && isNumber && q.v < seen.bottom
				y = q.v
			case "dx", "dy":
				ok = ok && isNumber && q.v >= -4 && q.v < 4*size
			case "font-weight", "font-style", "text-decoration":
			default:
				ok = false
			}
		}
	}
	switch half := float64(long) * size / 5; anchor {
	case "middle":
		x -= half
	case "end":
		x -= 2 * half
	}
	x, y = x*shift[0][0]+shift[0][3], y*shift[1][1]+shift[1][3]
	size *= shift[1][1]
	if n.Data == "foreignObject" {
		high := 0.0
		if s, _ := attrOf(n, "height"); strings.HasSuffix(s, "%") {
			high = size
		} else {
			q, _ := simple(s)
			high = q.v
		}
		if s, ok := attrOf(n, "width"); !ok || s == "0" || high < size {
			return false
		}
		y += size
	}
	if !ok || !seen.holds(x, y-size/2) || size*scale < leastDrawn {
		return false
	}
	ground := v.stack[root].paint.back
	inks := v.s.fills
	if n.Data != "foreignObject" {
		if fill == "none" {
			fill = stroke
		}
		c, known := color, true
		if fill != "currentcolor" {
			c, known = parseColor(fill)
		}
		if !known || c.clear || c.thin {
			return false
		}
		inks = append([]rgb{c}, inks...)
	}
	before := true
	parts := nodesIn(svg, nil)
	if len(parts) >= mostParts {
		return false
	}
	for _, c := range parts {
		if c == n {
			before = false
		}
		if c.Type != html.ElementNode || c.Namespace != "svg" {
			continue
		}
		switch c.Data {
		case "rect", "circle", "ellipse", "path", "polygon", "polyline", "image", "use":
		case "line", "text", "tspan", "g", "a", "title", "desc", "svg", "style", "foreignObject":
			continue
		default:
			return false // gradients, masks, animations
		}
		at, plain := shapeBox(c)
		plain = plain && c.Parent == n.Parent || c.Parent == svg && plain
		shape, _ := attrOf(c, "fill")
		back, known := parseColor(strings.ToLower(shape))
		switch near := !plain || at.holds(x, y-size/2) || at.holds(x+beginning, y-size/2); {
		case strings.EqualFold(shape, "none"), !near:
		case !before:
			return false
		case plain && at.holds(x, y-size/2) && known && !back.clear && !back.thin:
			ground = back
		case shape == "":
			back, known = black, true
			fallthrough
		default:
			if !known || back.thin || !back.clear && nearAny(inks, back) {
				return false
			}
		}
	}
	return ground.known && !nearAny(inks, ground)
}

// nodesIn appends the nodes in n, as many as are looked at.
func nodesIn(n *html.Node, out []*html.Node) []*html.Node {
	for c := n.FirstChild; c != nil && len(out) < mostParts; c = c.NextSibling {
		out = nodesIn(c, append(out, c))
	}
	return out
}

func nearAny(all []rgb, c rgb) bool {
	for _, one := range all {
		if one.clear || one.thin || near(one, c) {
			return true
		}
	}
	return false
}

// isBetween reports whether a character parts the numbers of an attribute.
func isBetween(r rune) bool { return r == ' ' || r == ',' }

// drawing returns what of a drawing, the open element i, is in sight, and by how much it is
// scaled.
func (v *View) drawing(i int) (seen drawnBox, scale float64, ok bool) {
	n := v.stack[i].node
	side := func(key string, usual float64) float64 {
		s, has := attrOf(n, key)
		if !has || strings.HasSuffix(s, "%") || s == "auto" {
			return usual
		}
		q, _ := simple(s)
		return q.v
	}
	box, has := attrOf(n, "viewBox")
	f := strings.FieldsFunc(box, isBetween)
	if !has {
		w, h := side("width", 300), side("height", 150)
		seen, scale = drawnBox{0, 0, w, h}, 1
	} else if all, numeric := numbers(f); !numeric || len(all) != 4 || all[2] <= 0 || all[3] <= 0 {
		return seen, 0, false
	} else {
		w := side("width", screenWidth/2)
		scale = min(w/all[2], side("height", w*all[3]/all[2])/all[3])
		seen = drawnBox{all[0], all[1], all[0] + all[2], all[1] + all[3]}
	}
	big := (seen.right-seen.left)*scale >= leastDrawing && (seen.bottom-seen.top)*scale >= leastDrawing
	if v.valuesOf(i, 1<<propOverflow).get(propOverflow) == "visible" {
		seen.bottom += farUp
	}
	return seen, scale, big
}

// shapeBox returns where a shape is; false where it is not plain.
func shapeBox(n *html.Node) (drawnBox, bool) {
	get := func(key string) float64 {
		s, _ := attrOf(n, key)
		q, _ := simple(s)
		if q.dim == isPercent {
			return q.v * 1e5
		}
		return q.v
	}
	for _, key := range [...]string{"transform", "style", "class"} {
		if hasAttr(n, key) {
			return drawnBox{}, false
		}
	}
	switch n.Data {
	case "rect":
		x, y := get("x"), get("y")
		return drawnBox{x, y, x + get("width"), y + get("height")}, true
	case "circle", "ellipse":
		x, y, rx, ry := get("cx"), get("cy"), max(get("r"), get("rx")), max(get("r"), get("ry"))
		return drawnBox{x - rx, y - ry, x + rx, y + ry}, true
	}
	return drawnBox{}, false
}
