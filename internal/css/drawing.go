package css

import (
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// This file says of which text in an SVG drawing a person sees at least the beginning: it
// stands within the drawing, in a colour that no style and no shape of the drawing is near.

// drawable are the attributes of drawings that do not hide a text, or are looked at.
const drawable = " x y width height viewbox fill stroke font-size font-family font-weight font-style text-anchor " +
	"transform id class href xmlns role rx ry version lang aria-label tabindex "

// shaping are the properties that change where the parts of a drawing are, or how they look.
var shaping = [...]property{propWidth, propHeight, propMaxHeight, propPosition, propTransform, propTranslate, propScale, propRotate, propZoom, propFilter,
	propMask, propClipPath, propClip, propFontSize, propOpacity, propBlend, propLetterSpacing, propAnimationName, propTextStroke, propDoubt,
	propMaxWidth, propMinWidth, propPaddingLeft, propFlexGrow, propFlexBasis, propOrigin, propDisplay, propVisibility, propWhiteSpace}

// isAny reports whether one of the properties is declared.
func (v *values) isAny(all []property) bool { return slices.ContainsFunc(all, v.has) }

const (
	mostParts    = 500 // nodes of a drawing that is looked at
	deepest      = 16  // elements around a text in it
	leastDrawing = 8   // pixels of width and height
	leastDrawn   = 5   // pixels of height of the letters
	leastRoom    = 100 // pixels of width of what is around a drawing
	thickest     = 3   // pixels of width of a line that hides no letters
	letterWidth  = .45 // of a usual letter, for its height
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
	if px := v.stack[root].paint.font; px > 0 {
		size = px
	}
	if v.isSurrounded(root) {
		return false
	}
	x, y, right, down, opacity, low := 0.0, 0.0, 0.0, 0.0, 1.0, 0.0
	for i := root; i <= k; i++ {
		n := v.stack[i].node
		if v.valuesOf(i, ^mask(0)).isAny(shaping[:]) || i > root && i < k && n.Data != "g" && n.Data != "a" {
			return false
		}
		ok := true
		read := func(key string, to *float64) {
			if s := valueOf(n, key); s != "" {
				q, isNumber := sized(s)
				*to, ok = q.v, ok && isNumber && q.dim != isPercent
			}
		}
		for _, a := range n.Attr {
			ok = ok && a.Namespace != "xml" // its white space may count
			if s := strings.ToLower(strings.TrimSpace(a.Val)); a.Namespace == "" {
				switch key := strings.ToLower(a.Key); key {
				case "fill":
					fill = s
				case "stroke":
					stroke = s
				case "text-anchor":
					anchor = s
				case "dominant-baseline":
					low = 1
				case "transform":
					name, args, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
					all, known := numbers(strings.FieldsFunc(args, isBetween))
					if ok = ok && known && i > root && name == "translate" && len(all) > 0; ok {
						right += all[0]
						if len(all) > 1 {
							down += all[1]
						}
					}
				case "opacity", "fill-opacity":
					q, isNumber := sized(s)
					opacity *= q.v
					ok = ok && isNumber && opacity > partOpaque
				case "style":
					ok = ok && (strings.Contains(a.Val, "fill") || !strings.Contains(s, "fill")) && !strings.Contains(s, "font") && !strings.Contains(s, "opacity") && !isOddStyle(s)
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
	lines, long, run, left := 0.0, 0, 0, x // letters of the longest part with a place of its own
	for _, c := range nodesIn(n, nil) {
		if c.Type == html.TextNode {
			trimmed := strings.TrimLeft(c.Data, " \t\r\n")
			if strings.TrimSpace(trimmed) != strings.Trim(trimmed, " \t\r\n") {
				return false // it may begin with room
			}
			run += utf8.RuneCountInString(strings.TrimSpace(trimmed))
			long = max(long, run)
		}
		if c.Type != html.ElementNode || n.Data == "foreignObject" {
			if c.Type == html.ElementNode {
				lines++
				ok = ok && len(c.Attr) == 0 && len(v.s.rules) == 0
			}
			continue
		}
		if c.Data != "tspan" {
			return false
		}
		for _, a := range c.Attr {
			q, isNumber := sized(a.Val)
			switch a.Key {
			case "x":
				ok = ok && isNumber && q.v >= seen.left && q.v < seen.right
				x, run, left = q.v, 0, max(left, q.v)
			case "y":
				ok = ok && isNumber && q.v > seen.top && q.v < seen.bottom
				y = q.v
			case "dx":
				ok = ok && isNumber && q.v >= -4 && q.v < size
			case "dy":
				ok = ok && isNumber && q.dim != isPercent && q.v >= -4 && q.v < 4*size
				low += q.v
			case "font-weight", "font-style", "text-decoration":
			default:
				ok = false
			}
		}
	}
	switch wide := float64(long) * size * letterWidth; {
	case n.Data == "foreignObject":
	case anchor == "middle":
		x, left = x-wide/2, left+wide/2
	case anchor == "end":
		x -= wide
	default:
		left += wide
	}
	x, y, left = x+right, y+down, left+right
	if n.Data == "foreignObject" {
		area := [2]float64{seen.right - x, seen.bottom - y}
		for i, key := range [...]string{"width", "height"} {
			if s := valueOf(n, key); s != "100%" {
				q, _ := sized(s)
				area[i] = min(area[i], q.v)
			}
		}
		if left = 0; area[0] < 6*size || area[1] < 1.3*size*max(lines, 1) || area[0]*area[1] < float64(long)*size*size {
			return false
		}
		y += size
	}
	if !ok || left > seen.right || !seen.holds(x, y-size/2) || low != 0 && !seen.holds(x, y+low+size) || size*scale < leastDrawn {
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
		if stroke != "none" {
			if c, known = parseColor(stroke); !known {
				return false
			}
			inks = append(inks, c)
		}
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
		if !before && c.Type == html.TextNode && strings.ContainsFunc(c.Data, isBlock) && !drawnAround(n, c) {
			return false
		}
		if c.Type != html.ElementNode || c.Namespace != "svg" {
			continue
		}
		shape := valueOf(c, "fill")
		back, known := rgb{}, false
		if shape != "" {
			back, known = parseColor(strings.ToLower(shape))
		}
		thick, move := valueOf(c, "stroke-width"), valueOf(c, "transform")
		q, isNumber := quantity{}, true
		if thick != "" {
			q, isNumber = sized(thick)
		}
		if isOddStyle(valueOf(c, "style")) || thick != "" && (!isNumber || q.v > thickest || q.dim == isPercent) || move != "" && !strings.Contains(move, "translate") && !drawnAround(c, n) {
			return false // lines can hide the letters
		}
		switch c.Data {
		case "rect", "circle", "ellipse", "path", "polygon", "polyline":
		case "text", "tspan", "g", "a":
			if !before && !drawnAround(n, c) && shape != "" && (!known || near(back, ground)) {
				return false // letters can hide letters
			}
			continue
		case "line", "title", "desc", "style":
			continue
		case "svg", "foreignObject":
			if c == n {
				continue
			}
			return false
		default:
			return false // pictures, copies, gradients, masks, animations
		}
		at, plain := shapeBox(c)
		plain = plain && (c.Parent == svg || c.Parent == n.Parent && right == 0 && down == 0) && !v.isShaped(c)
		switch near := !plain || at.holds(x, y-size/2) || at.holds(x+beginning, y-size/2); {
		case !near, strings.EqualFold(shape, "none") && len(v.s.fills) == 0:
		case !before, len(v.s.fills) > 0, n.Data == "foreignObject":
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

// sized is [simple], in one place: many attributes are read here, few drawings have text.
//
//go:noinline
func sized(s string) (quantity, bool) { return simple(s) }

// valueOf is the value of an attribute, "" where there is none.
//
//go:noinline
func valueOf(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

// isOddStyle reports whether a style may place, or paint, the text of a drawing in a way that
// is not looked at.
func isOddStyle(style string) bool {
	if style == "" {
		return false
	}
	style = strings.ReplaceAll(strings.ToLower(style), "flex-direction", "")
	for _, word := range [...]string{`\`, "stroke", "anchor", "baseline", "direction", "writing", "paint-order", "spacing", "all:"} {
		if strings.Contains(style, word) {
			return true
		}
	}
	return false
}

// isBlock reports whether a character is a box as wide as a letter, and about as high.
func isBlock(r rune) bool { return r >= 0x2580 && r < 0x2600 }

// drawnAround reports whether an element is around another one, or the same.
func drawnAround(n, other *html.Node) bool {
	for ; other != nil && other != n; other = other.Parent {
	}
	return other == n
}

// isSurrounded reports whether what is around a drawing, the open element root, may place its
// texts elsewhere or paint them.
func (v *View) isSurrounded(root int) bool {
	found, known := v.shaped[v.stack[root].node]
	if known {
		return found
	}
	for i := range root {
		n := v.stack[i].node
		style, dir := valueOf(n, "style"), valueOf(n, "dir")
		if isOddStyle(style) || strings.Contains(strings.ToLower(style), "fill") || dir != "" && !strings.EqualFold(dir, "ltr") {
			found = true
		}
		for _, p := range [...]property{propWidth, propMaxWidth} {
			if n, ok := pixels(v.valuesOf(i, sizes).get(p)); ok && n < leastRoom {
				found = true
			}
		}
	}
	v.noteShaped(v.stack[root].node, found)
	return found
}

func (v *View) noteShaped(n *html.Node, is bool) {
	if v.shaped == nil {
		v.shaped = map[*html.Node]bool{}
	}
	v.shaped[n] = is
}

// isShaped reports whether rules of the sheets change a shape in the element at work.
func (v *View) isShaped(n *html.Node) bool {
	if len(v.s.rules) == 0 {
		return false
	}
	shaped, known := v.shaped[n]
	if !known {
		k := len(v.stack)
		v.enter(n.Parent) // once more: its keys are compared
		v.enter(n)
		shaped = v.valuesOf(k+1, ^mask(0)).isAny(shaping[:])
		v.keys = v.keys[:v.stack[k].own]
		v.stack = v.stack[:k]
		v.noteShaped(n, shaped)
	}
	return shaped
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
		s := valueOf(n, key)
		if s == "" || s == "100%" || s == "auto" {
			return usual
		}
		q, _ := sized(s)
		if q.dim == isPercent {
			return 0 // of what is around
		}
		return q.v
	}
	box := valueOf(n, "viewBox")
	f := strings.FieldsFunc(box, isBetween)
	if box == "" {
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
		seen.bottom, seen.right = seen.bottom+farUp, seen.right+farUp
	}
	return seen, scale, big
}

// shapeBox returns where a shape is; false where it is not plain.
func shapeBox(n *html.Node) (drawnBox, bool) {
	get := func(key string) float64 {
		q, _ := sized(valueOf(n, key))
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
