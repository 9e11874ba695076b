package computed

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// paint is the state that children inherit.
type paint struct {
	invisible, tiny, flat, indented bool
	color, fill, back               rgb
	filled, dark                    bool // fill is set; the colour scheme is dark
	painted                         bool // back is that of an element inside of the effect
	based                           bool // an element around is painted: something that a blend mode mixes with
	effect                          *effect
	shown                           bool    // a shadow or an outline shows the letters whatever their colour
	font                            float64 // the size of tiny letters, in pixels
	faint, small                    float64 // the product of opacities, of scales; 0 is 1
	gone                            Look    // by the place of a box around, or by the size of one that clips
	goneAt                          int32   // the open element that clips
	backAt                          int32   // the open element that has painted back
	// The rules to blame.
	invisibleBy, tinyBy, flatBy, indentedBy, faintBy int32
}

// effect is a blend mode or a filter, which changes the colours of a whole box.
type effect struct {
	up     *effect
	blend  string
	filter string
	under  rgb  // what is behind the box
	based  bool // that is painted by an element; the canvas does not blend
}

// inheritColors applies the colours of the text and of the background.
func (v *values) inheritColors(p *paint) {
	colors := palette{current: p.color, dark: p.dark}
	if x := v.get(propColor); x != "" && x != "inherit" && x != "currentcolor" && x != "unset" {
		if x == "initial" {
			x = "canvastext"
		}
		c, ok := colors.parse(x)
		if x == bodyText && v.cells[propColor].rule == Attribute {
			c, ok = v.view.bodyColor(), true
		}
		if ok || v.s.valid(propColor, x) {
			p.color, p.flatBy = c, v.cells[propColor].rule
		}
	}
	colors.current = p.color
	v.inheritFill(p, colors)
	v.inheritOutline(p, colors)
	if blend, filter := v.blend(), v.filter(); blend != "" || filter != "" {
		p.effect = &effect{up: p.effect, blend: blend, filter: filter, under: p.back, based: p.based}
		p.painted = false
	}
	v.background(p, colors)
	p.flat = p.isFlat()
}

// bodyColor is the colour of the text of body.
func (v *View) bodyColor() rgb {
	for i := range v.stack[:min(2, len(v.stack))] {
		if f := &v.stack[i]; f.node.Data == "body" {
			return f.paint.color
		}
	}
	return black
}

// inheritFill applies the colour that letters are filled with.
func (v *values) inheritFill(p *paint, colors palette) {
	switch x := v.get(propFill); x {
	case "", "inherit", "unset":
	case "currentcolor", "initial":
		p.filled = false
	default:
		if c, ok := colors.parse(x); ok {
			p.fill, p.filled, p.flatBy = c, true, v.cells[propFill].rule
		} else {
			p.fill, p.filled = rgb{}, true
		}
	}
}

// inheritOutline applies shadows and strokes, which show letters whatever their colour.
func (v *values) inheritOutline(p *paint, colors palette) {
	if x := v.get(propTextShadow); x != "" && x != "inherit" && x != "unset" {
		p.shown = v.shadowed(x, colors, p.back)
	}
	x := v.get(propTextStroke)
	if x == "" || x == "inherit" || x == "unset" {
		return
	}
	width, color := 1.0, p.color
	for _, f := range splitSpace(x) {
		if n, ok := pixels(f); ok {
			width = n
		} else if c, ok := colors.parse(f); ok {
			color = c
		}
	}
	p.shown = p.shown || width > 0 && !color.clear && !(p.back.known && near(color, p.back))
}

// blend is the blend mode of the box, "" for the normal one.
func (v *values) blend() string {
	if x := v.get(propBlend); x != "normal" && !isWide(x) {
		return x
	}
	return ""
}

// filter is a filter that changes colours, "" for none.
func (v *values) filter() string {
	if x := v.get(propFilter); recolors(x) || strings.Contains(x, "drop-shadow(") {
		return x
	}
	return ""
}

// recolors reports whether a filter changes colours evenly.
func recolors(x string) bool {
	return strings.Contains(x, "brightness(") || strings.Contains(x, "contrast(") || strings.Contains(x, "invert(")
}

// background applies the background of the element, as far as there is a box that
// it fills.
func (v *values) background(p *paint, colors palette) {
	if v.get(propDisplay) == "contents" || v.noBox() {
		return
	}
	before, around := p.back, p.painted
	if x := v.get(propBackdrop); recolors(x) && p.back.known {
		p.back, p.based = filtered(p.back, x), true
	}
	p.painted = false
	v.backgroundColor(p, colors)
	v.backgroundImage(p, colors)
	defer func() {
		if p.painted || p.back != before { // also in the colour of what is around
			p.backAt = int32(v.at)
		}
		p.painted = p.painted || around
	}()
	if c, ok := fills(v.get(propBoxShadow), colors); ok && !c.known {
		p.back, p.based = rgb{}, true
	} else if ok {
		p.back, p.flatBy, p.painted, p.based = c, v.cells[propBoxShadow].rule, true, true
	}
}

// letters fills letters that have no colour with that of a background.
func (p *paint) letters(c rgb) {
	if p.filled && p.fill.clear {
		p.fill = c
	} else if !p.filled && p.color.clear {
		p.color = c
	}
}

func (v *values) backgroundColor(p *paint, colors palette) {
	x := v.get(propBackground)
	if x == "" {
		return
	}
	c, ok := backgroundColor(x, colors)
	switch {
	case ok && c.clear, x == "none", x == "0", x == "0 0", isWide(x) && x != "inherit":
		// the background of the element below is visible
	case v.get(propBackgroundClip) == "text" && ok:
		p.letters(c) // it is painted behind the letters only
	case ok && !c.thin:
		p.back, p.flatBy, p.painted, p.based = c, v.cells[propBackground].rule, true, true
	case ok || v.s.valid(propColor, x):
		p.back, p.based = rgb{}, true
	}
}

func (v *values) backgroundImage(p *paint, colors palette) {
	x := v.get(propBackgroundImage)
	if x == "" || !isPicture(x) {
		return
	}
	if anyZero(splitSpace(v.get(propBackgroundSize))) {
		return
	}
	c, ok := flatImage(x, colors)
	switch {
	case v.get(propBackgroundClip) == "text":
		if !ok || c.thin {
			c = rgb{} // not known
		}
		if !c.clear {
			p.letters(c)
		}
	case ok && c.clear:
	case ok && !c.thin && v.get(propBackgroundSize) == "" && !strings.Contains(x, "no-repeat"):
		p.back, p.flatBy, p.painted, p.based = c, v.cells[propBackgroundImage].rule, true, true
	default:
		p.back, p.based = rgb{}, true // a picture or a gradient
	}
}

// ground is what is behind something, if an element has painted it.
type ground struct {
	back    rgb
	painted bool
}

func isCell(n *html.Node) bool { return n.Data == "td" || n.Data == "th" }

// behindCell returns what the column of a cell, the open element i, has painted behind it.
// Rows paint over columns.
func (v *View) behindCell(i int) ground {
	table := i - 1
	for table > 0 && v.stack[table].node.Data != "table" {
		table--
	}
	if table == 0 || int(v.stack[i-1].paint.backAt) > table {
		return ground{}
	}
	if node := v.stack[table].node; v.columned != node {
		v.columned, v.columns = node, v.groundsOf(table, v.columns[:0])
	}
	at := 0
	for n := v.stack[i].node.PrevSibling; n != nil && v.s.spend(0); n = n.PrevSibling {
		if isCell(n) {
			at += span(n, "colspan")
		}
	}
	if at < len(v.columns) {
		return v.columns[at]
	}
	return ground{}
}

// groundsOf returns what is behind the columns of a table, the open element i.
func (v *View) groundsOf(i int, out []ground) []ground {
	view := v.s.View()
	for k := range i + 1 {
		view.Push(v.stack[k].node)
	}
	var add func(in *html.Node, depth int)
	add = func(in *html.Node, depth int) {
		for n := in.FirstChild; n != nil; n = n.NextSibling {
			if n.Data != "col" && (n.Data != "colgroup" || depth > 0) {
				continue
			}
			before := len(out)
			view.Push(n)
			view.exact(i + 1 + depth)
			if n.Data == "colgroup" {
				add(n, 1)
			}
			if p := &view.stack[i+1+depth].paint; len(out) == before {
				for range min(span(n, "span"), maxColumns-min(len(out), maxColumns)) {
					out = append(out, ground{p.back, int(p.backAt) > i})
				}
			}
			view.Pop()
		}
	}
	add(v.stack[i].node, 0)
	return out
}

// maxColumns bounds the columns of a table that are looked at.
const maxColumns = 1000

// span is the value of an attribute that counts columns.
func span(n *html.Node, attr string) int {
	v, _ := attrOf(n, attr)
	count, _ := strconv.Atoi(strings.TrimSpace(v))
	return min(max(count, 1), maxColumns)
}

// noBox reports whether the box of the element has no height or no width, so that
// its background is not painted; text overflows it.
func (v *values) noBox() bool {
	for _, p := range [...]property{propHeight, propMaxHeight, propWidth, propMaxWidth} {
		if n, ok := pixels(v.get(p)); ok && n <= 1 && !v.padded(p == propHeight || p == propMaxHeight) && !v.isInline(v.get(propDisplay)) {
			least := propMinWidth
			if p == propHeight || p == propMaxHeight {
				least = propMinHeight
			}
			if m, ok := pixels(v.get(least)); !ok || m <= 1 {
				return true
			}
		}
	}
	return false
}

// shadowed reports whether a text-shadow paints the letters in a colour that can be
// seen.
func (v *values) shadowed(x string, colors palette, back rgb) bool {
	if x == "none" || isWide(x) {
		return false
	}
	for layer := range splitTop(x, ',') {
		color, far := colors.current, false
		for _, f := range splitSpace(layer) {
			if n, ok := pixels(f); ok {
				far = far || n > 30 || n < -farLeft
			} else if c, ok := colors.parse(f); ok {
				color = c
			}
		}
		if !far && color.known && !color.clear && !color.thin && !(back.known && near(color, back)) {
			return true
		}
	}
	return false
}

// ink is the colour of the text.
func (p *paint) ink() rgb {
	if p.filled {
		return p.fill
	}
	return p.color
}

// isFlat reports whether text cannot be told from what is behind it.
func (p *paint) isFlat() bool {
	text, back := p.ink(), p.back
	if p.shown || !text.known {
		return false
	}
	if text.clear {
		return true
	}
	if !back.known {
		return false
	}
	painted := p.painted
	for e := p.effect; e != nil && back.known; e = e.up {
		if e.filter != "" {
			if !painted && e.casts() {
				return false
			}
			if text = filtered(text, e.filter); painted {
				back = filtered(back, e.filter)
			}
		}
		if e.blend != "" && e.based {
			if !e.under.known {
				return false
			}
			if text = blended(e.blend, text, e.under); painted {
				back = blended(e.blend, back, e.under)
			}
		}
		if !painted {
			back = e.under
		}
		if !text.known {
			return false
		}
	}
	return back.known && near(text, back)
}

// casts reports whether letters are seen by their shadow, whatever their colour.
func (e *effect) casts() bool {
	args, ok := call(e.filter, "drop-shadow")
	if !ok {
		return false
	}
	c, ok := palette{}.among(splitSpace(args))
	return ok && !c.clear && !c.thin && !(e.under.known && near(c, e.under))
}

// isTraced reports whether flat text leaves traces: mixing a colour with itself is
// exact for white and black only.
func (p *paint) isTraced() bool {
	return p.back.known && !p.color.clear && !near(p.back, white) && !near(p.back, black)
}

// blended returns how a colour looks over another in a blend mode (Compositing and
// Blending Level 1, section 9); unknown for the modes that are not computed.
func blended(mode string, c, under rgb) rgb {
	f := func(s, b float64) float64 {
		switch mode {
		case "multiply":
			return s * b
		case "screen":
			return s + b - s*b
		case "darken":
			return min(s, b)
		case "lighten":
			return max(s, b)
		case "difference":
			return max(s-b, b-s)
		case "exclusion":
			return s + b - 2*s*b
		case "plus-lighter":
			return min(1, s+b)
		case "plus-darker":
			return max(0, s+b-1)
		case "color-dodge":
			switch {
			case b == 0:
				return 0
			case s >= 1:
				return 1
			}
			return min(1, b/(1-s))
		case "color-burn":
			switch {
			case b >= 1:
				return 1
			case s <= 0:
				return 0
			}
			return 1 - min(1, (1-b)/s)
		case "hard-light", "overlay":
			if mode == "overlay" {
				s, b = b, s
			}
			if s <= .5 {
				return 2 * s * b
			}
			return s*2 - 1 + b - (s*2-1)*b
		}
		return -1
	}
	x := [3]float64{}
	for i, pair := range [3][2]uint8{{c.r, under.r}, {c.g, under.g}, {c.b, under.b}} {
		if x[i] = f(float64(pair[0])/255, float64(pair[1])/255); x[i] < 0 {
			return rgb{}
		}
	}
	return rgb{r: channel(255 * x[0]), g: channel(255 * x[1]), b: channel(255 * x[2]), known: true}
}

// filtered returns a colour behind the filters that change colours evenly (Filter
// Effects Module Level 1, section 8).
func filtered(c rgb, filter string) rgb {
	x := [3]float64{float64(c.r) / 255, float64(c.g) / 255, float64(c.b) / 255}
	for filter != "" {
		name, _, _ := strings.Cut(filter, "(")
		end := closing(filter, min(len(name), len(filter)-1))
		n, ok := cssNumber(strings.TrimSpace(filter[min(len(name)+1, end):end]))
		name, filter = strings.TrimSpace(name), filter[min(end+1, len(filter)):]
		if !ok {
			n = 1
		}
		for i := range x {
			switch name {
			case "brightness":
				x[i] *= n
			case "contrast":
				x[i] = (x[i]-.5)*n + .5
			case "invert":
				x[i] = x[i]*(1-n) + (1-x[i])*n
			}
			x[i] = min(1, max(0, x[i]))
		}
	}
	return rgb{r: channel(255 * x[0]), g: channel(255 * x[1]), b: channel(255 * x[2]), known: true}
}
