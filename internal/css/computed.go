package css

import "golang.org/x/net/html"

// Computed judges elements by the computed styles that a browser gives, with the
// rules that View has for sheets. The zero value is the state before the root; a copy
// goes to each child.
type Computed struct {
	p    paint
	open bool
}

// computed are the properties that Computed needs, with the values that hide nothing.
var computed = [...]struct {
	name, usual string
	prop        property
}{
	{"color", "", propColor},
	{"-webkit-text-fill-color", "", propFill},
	{"background-color", "rgba(0, 0, 0, 0)", propBackground},
	{"background-image", "none", propBackgroundImage},
	{"background-clip", "border-box", propBackgroundClip},
	{"background-size", "auto", propBackgroundSize},
	{"text-shadow", "none", propTextShadow},
	{"-webkit-text-stroke-width", "0px", propTextStroke},
	{"mix-blend-mode", "normal", propBlend},
	{"filter", "none", propFilter},
	{"mask-image", "none", propMask},
	{"mask-size", "auto", propMaskSize},
	{"mask-mode", "match-source", propMaskMode},
	{"transform", "none", propTransform},
	{"rotate", "none", propRotate},
	{"scale", "none", propScale},
	{"translate", "none", propTranslate},
	{"backface-visibility", "visible", propBackface},
	{"clip-path", "none", propClipPath},
	{"content", "normal", propContent},
	{"-webkit-text-security", "none", propTextSecurity},
	{"display", "block", propDisplay},
	{"position", "static", propPosition},
}

// ComputedStyles are the names of the computed styles that [Computed.Enter] reads, in
// this order.
func ComputedStyles() []string {
	names := make([]string, len(computed))
	for i := range computed {
		names[i] = computed[i].name
	}
	return names
}

// Enter returns the state within an element, and why nothing of the element is
// painted. get returns the computed styles by their place in [ComputedStyles]; "" is
// the usual value.
func (c Computed) Enter(tag string, get func(int) string) (Computed, Reason) {
	if !c.open {
		c.p.color, c.p.back, c.open = black, white, true
	}
	v := values{gen: 1, s: &Sheets{}, node: &html.Node{Type: html.ElementNode, Data: tag}}
	for i := range computed {
		if computed[i].prop == propTextSecurity && tag == "input" {
			continue // the browser masks what a password field holds, not the field
		}
		if x := get(i); x != "" && x != computed[i].usual {
			v.cells[computed[i].prop] = cell{value: x, gen: 1}
		}
	}
	v.inheritColors(&c.p)
	return c, v.hides().Why
}

// SameColor reports whether text in the element has the colour of its background, as
// far as the elements around it tell; known is false where a picture lies behind it, or
// something shows the letters whatever their colour.
func (c Computed) SameColor() (same, known bool) {
	text := c.p.color
	if c.p.filled {
		text = c.p.fill
	}
	return c.p.flat, !c.p.shown && text.known && (text.clear || c.p.back.known)
}

// Shown reports whether a shadow or an outline paints the letters whatever their
// colour.
func (c Computed) Shown() bool { return c.p.shown }

// Changed reports whether a filter or a blend mode changes the colours.
func (c Computed) Changed() bool { return c.p.effect != nil }

// Same reports whether text of one colour cannot be told from another one behind it;
// ok is false when one of them cannot be read.
func Same(text, back string) (same, ok bool) {
	a, ok1 := parseColor(text)
	b, ok2 := parseColor(back)
	return a.clear || near(a, b), ok1 && (ok2 || a.clear)
}

// Opaque reports whether a colour is one through which nothing can be seen.
func Opaque(color string) bool {
	c, ok := parseColor(color)
	return ok && !c.clear && !c.thin
}
