package computed

import (
	"strings"

	"golang.org/x/net/html"
)

// Computed judges elements by the computed styles that a browser gives, with the
// rules that View has for sheets. The zero value is the state before the root; a copy
// goes to each child.
type Computed struct {
	p    paint
	open bool
}

// computed are the properties that Computed needs, with the values that hide nothing.
// A value with more set is added to the property's value before it.
var computed = [...]struct {
	name, usual string
	prop        property
	more        bool
}{
	ComputedColor:           {name: "color", prop: propColor},
	ComputedFill:            {name: "-webkit-text-fill-color", prop: propFill},
	ComputedBackground:      {name: "background-color", usual: "rgba(0, 0, 0, 0)", prop: propBackground},
	ComputedBackgroundImage: {name: "background-image", usual: "none", prop: propBackgroundImage},
	ComputedClipPath:        {name: "clip-path", usual: "none", prop: propClipPath},
	ComputedColorScheme:     {name: "color-scheme", usual: "normal", prop: propColorScheme},
	ComputedDisplay:         {name: "display", usual: "block", prop: propDisplay},
	ComputedPosition:        {name: "position", usual: "static", prop: propPosition},
	ComputedBackgroundSize:  {name: "background-size", usual: "auto", prop: propBackgroundSize},
	ComputedTransform:       {name: "transform", usual: "none", prop: propTransform},
	ComputedTranslate:       {name: "translate", usual: "none", prop: propTranslate},
	ComputedRotate:          {name: "rotate", usual: "none", prop: propRotate},
	ComputedScale:           {name: "scale", usual: "none", prop: propScale},
	ComputedBackface:        {name: "backface-visibility", usual: "visible", prop: propBackface},
	ComputedFilter:          {name: "filter", usual: "none", prop: propFilter},
	ComputedBackdrop:        {name: "backdrop-filter", usual: "none", prop: propBackdrop},
	{name: "background-clip", usual: "border-box", prop: propBackgroundClip},
	{name: "background-repeat", usual: "repeat", prop: propBackgroundImage, more: true},
	{name: "text-shadow", usual: "none", prop: propTextShadow},
	{name: "-webkit-text-stroke-width", usual: "0px", prop: propTextStroke},
	{name: "-webkit-text-stroke-color", prop: propTextStroke, more: true},
	{name: "mix-blend-mode", usual: "normal", prop: propBlend},
	{name: "mask-image", usual: "none", prop: propMask},
	{name: "mask-repeat", usual: "repeat", prop: propMaskRepeat},
	{name: "mask-position", usual: "0% 0%", prop: propMaskPosition},
	{name: "mask-size", usual: "auto", prop: propMaskSize},
	{name: "mask-mode", usual: "match-source", prop: propMaskMode},
	{name: "content", usual: "normal", prop: propContent},
	{name: "-webkit-text-security", usual: "none", prop: propTextSecurity},
}

// The places of some of them in [ComputedStyles].
const (
	ComputedColor           = 0
	ComputedFill            = 1
	ComputedBackground      = 2
	ComputedBackgroundImage = 3
	ComputedClipPath        = 4
	ComputedColorScheme     = 5
	ComputedDisplay         = 6
	ComputedPosition        = 7
	ComputedBackgroundSize  = 8
	ComputedTransform       = 9
	ComputedTranslate       = 10
	ComputedRotate          = 11
	ComputedScale           = 12
	ComputedBackface        = 13
	ComputedFilter          = 14
	ComputedBackdrop        = 15
)

// ComputedStyles are the names of the computed styles that [Computed.Enter] reads, in
// this order.
func ComputedStyles() []string {
	names := make([]string, len(computed))
	for i := range computed {
		names[i] = computed[i].name
	}
	return names
}

// Enter returns the state within an element, and why nothing of the element is painted;
// Unknown where that could not be computed. Of the element it reads the name, and what a
// clip-path and a filter refer to in its document. get returns the computed styles by their place in
// [ComputedStyles]; "" is the usual value.
func (c Computed) Enter(n *html.Node, get func(int) string) (Computed, Reason) {
	c = c.opened()
	v := values{gen: 1, s: &Sheets{}, node: n}
	for i := range computed {
		p := &computed[i]
		if p.prop == propTextSecurity && n.Data == "input" {
			continue // the browser masks what a password field holds, not the field
		}
		x, to := get(i), &v.cells[p.prop]
		switch {
		case x == "" || x == p.usual:
		case !p.more:
			*to = cell{value: x, gen: 1}
		case to.gen == 1:
			to.value += " " + x
		}
	}
	if n.Data == "html" {
		// Of a page that has both schemes, the colour of its text tells which is shown.
		text, _ := parseColor(get(ComputedColor))
		if x := v.get(propColorScheme); strings.Contains(x, "dark") && (!strings.Contains(x, "light") || near(text, white)) {
			c.p.back = darkCanvas
		}
	}
	v.inheritColors(&c.p)
	why := v.hides().Why
	if why == InSight && v.unknown {
		why = Unknown
	}
	return c, why
}

// opened is the state at the root.
func (c Computed) opened() Computed {
	if !c.open {
		c.p.color, c.p.back, c.open = black, white, true
	}
	return c
}

// Filled reports whether the element has painted a background over what was behind it in
// the state before it.
func (c Computed) Filled(before Computed) bool { return c.p.back != before.opened().p.back }

// Over is the state with the background of another one behind the text.
func (c Computed) Over(ground Computed) Computed {
	c = c.opened()
	c.p.back = ground.opened().p.back
	c.p.flat = c.p.isFlat()
	return c
}

// Flat reports whether text in the element has no colour, or that of its background, as
// far as the elements around it tell. traced is set as in [Look].
func (c Computed) Flat() (same, traced bool) { return c.p.flat, c.p.flat && c.p.isTraced() }

// On is the state with a colour behind the text; one that cannot be read is not known.
func (c Computed) On(color string) Computed {
	c = c.opened()
	if c.p.back, _ = parseColor(color); c.p.back.thin {
		c.p.back = rgb{}
	}
	c.p.flat = c.p.isFlat()
	return c
}

// Clear reports whether the letters have no colour at all.
func (c Computed) Clear() bool { return c.p.ink().clear && !c.p.shown }

// Changed reports whether a filter or a blend mode changes the colours.
func (c Computed) Changed() bool { return c.p.effect != nil }

// Opaque reports whether a colour is one through which nothing can be seen.
func Opaque(color string) bool {
	if color == noColor {
		return false
	}
	c, ok := parseColor(color)
	return ok && !c.clear && !c.thin
}

// noColor is the computed value of transparent, which most elements of a page have.
const noColor = "rgba(0, 0, 0, 0)"

// Transparent reports whether a colour paints nothing.
func Transparent(color string) bool {
	if color == noColor {
		return true
	}
	c, ok := parseColor(color)
	return ok && c.clear
}
