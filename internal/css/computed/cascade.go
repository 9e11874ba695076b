package computed

import (
	"iter"
	"math"
	"strconv"
	"strings"

	"golang.org/x/net/html"
)

// values are the declarations that win for one element.
type values struct {
	mask   mask
	gen    uint32
	cells  [numLonghands]cell
	custom []variable
	others []rolled // every declaration, where a sheet uses revert

	s     *Sheets
	node  *html.Node
	scope *scope // custom properties, those of the element included
	view  *View
	at    int // the place of node among the open elements
	// unknown is set when a value could not be computed, open as in Look.
	unknown, open bool
}

type cell struct {
	prio  uint64
	value string
	rule  int32
	gen   uint32
}

// rolled is a declaration that revert-layer may bring back.
type rolled struct {
	prop property
	cell
}

// variable is a custom property of an element.
type variable struct {
	name, value string
	prio        uint64
}

// scope holds the custom properties that an element sets, and those that it
// inherits.
type scope struct {
	up     *scope
	owner  *html.Node
	vars   []variable
	byName map[string]*variable // those that win; made at first need
}

// maxCustom bounds the custom properties that are set for one element.
const maxCustom = 4000

// find returns the declaration of a custom property that wins.
func (s *scope) find(name string) *variable {
	if s.byName == nil {
		s.byName = make(map[string]*variable, len(s.vars))
		for i := range s.vars {
			c := &s.vars[i]
			if best := s.byName[c.name]; best == nil || c.prio >= best.prio {
				s.byName[c.name] = c
			}
		}
	}
	return s.byName[name]
}

func (v *values) clear() {
	v.mask, v.unknown, v.open = 0, false, false
	v.gen++
	v.custom = v.custom[:0]
	v.others = v.others[:0]
}

// The parts of a priority, from the highest bit: importance, whether the sheet is of
// the element's own tree, the style attribute, the layer, then specificity and order.
const (
	prioImportant = 1 << 63
	prioOwn       = 1 << 62
	prioInline    = 1 << 61
	prioLayer     = 50
)

// set lets a declaration compete (CSS Cascading and Inheritance Level 5,
// section 6.1): importance, the tree of the sheet, the style attribute, layers,
// specificity with order in low, then the later one. Of important declarations,
// trees and layers count backwards.
func (v *values) set(d decl, low, layerRank uint64, rule int32, own bool) {
	if d.important {
		layerRank = maxLayers - layerRank
	}
	prio := layerRank<<prioLayer | low
	if rule == Inline {
		prio = prioInline
	}
	if own != d.important {
		prio |= prioOwn
	}
	if d.important {
		prio |= prioImportant
	}
	if d.prop == propCustom {
		if len(v.custom) < maxCustom {
			v.custom = append(v.custom, variable{d.name, d.value, prio})
		}
		return
	}
	if !v.s.valid(d.prop, d.value) {
		return
	}
	c := cell{prio, d.value, rule, v.gen}
	if v.s.reverts {
		v.others = append(v.others, rolled{d.prop, c})
	}
	if v.has(d.prop) && prio < v.cells[d.prop].prio {
		return
	}
	v.mask |= d.prop.bit()
	v.cells[d.prop] = c
}

// rollBack undoes declarations whose value is revert or revert-layer.
func (v *values) rollBack() {
	for range 4 {
		changed := false
		for i := range v.others {
			p := v.others[i].prop
			now := v.cells[p]
			word := strings.ToLower(now.value)
			if !v.has(p) || word != "revert" && word != "revert-layer" {
				continue
			}
			changed = true
			v.cells[p].gen = 0
			if word == "revert" {
				continue // there is nothing below the author's sheets but the browser's own
			}
			layer := now.prio >> prioLayer
			for _, o := range v.others {
				if o.prop == p && o.prio>>prioLayer < layer && (!v.has(p) || o.prio >= v.cells[p].prio) {
					v.cells[p] = o.cell
				}
			}
		}
		if !changed {
			return
		}
	}
}

func (v *values) has(p property) bool { return v.cells[p].gen == v.gen }

// get returns the value of a property, normalized by plain; "" when none is
// declared or its functions cannot be resolved.
func (v *values) get(p property) string {
	if !v.has(p) {
		return ""
	}
	s := plainVars(v.cells[p].value)
	if isSubstituted(s) {
		left := maxStyle
		out, ok := v.substitute(s, v.scope, 0, &left)
		if !ok {
			return ""
		}
		s = out
	}
	s = strings.TrimSpace(plain(s))
	if len(s) > stepSize && !v.s.spend(len(s)*valueSize) {
		return "" // what asks for it reads all of it
	}
	if strings.Contains(s, "sibling-") {
		s = v.countSiblings(s)
	}
	return s
}

// countSiblings replaces sibling-index() and sibling-count().
func (v *values) countSiblings(s string) string {
	at := v.s.placeOf(v.node)
	s = strings.ReplaceAll(s, "sibling-index()", strconv.Itoa(int(at.index)))
	return strings.ReplaceAll(s, "sibling-count()", strconv.Itoa(int(at.count)))
}

// plainVars resolves escapes and comments, but keeps the case, because names of
// custom properties are case-sensitive.
func plainVars(s string) string {
	if !strings.Contains(s, "--") {
		return plain(s)
	}
	return s
}

// by returns the look of an element that a property hides.
func (v *values) by(why Reason, p property) Look {
	waits := why == Display || why == Opacity
	switch p {
	case propTransform, propScale, propTranslate, propRotate, propZoom, propWidth, propHeight, propMaxWidth, propMaxHeight:
		waits = true
	}
	return Look{Why: why, Rule: v.cells[p].rule, Waits: waits}
}

// hides returns how the element is hidden together with everything in it; where it
// stands does not count, see strays.
func (v *values) hides() Look {
	display := v.get(propDisplay)
	switch display {
	case "none":
		return v.by(Display, propDisplay)
	case "contents":
		if v.node.Data == "object" { // as all that is replaced
			return v.by(Display, propDisplay)
		}
		return Look{} // there is no box
	}
	look := v.veiled()
	if look.Why == InSight && !v.isInline(display) {
		look = v.boxed()
	}
	for _, judge := range [...]func(*values) Look{(*values).spaced, (*values).clippedAway} {
		if look.Why != InSight {
			break
		}
		look = judge(v)
	}
	return look
}

// veiled judges what makes any element transparent, or replaces its content.
func (v *values) veiled() Look {
	if n, ok := cssNumber(v.get(propOpacity)); ok && n <= invisible {
		return v.by(Opacity, propOpacity)
	}
	filter := v.get(propFilter)
	if filtersAll(filter) {
		return v.by(Opacity, propFilter)
	}
	doubt := v.get(propDoubt)
	if ref, ok := call(filter, "url"); ok && (v.s.named(ref, v.node) != nil || !strings.Contains(ref, "#")) || doubt != "" && !isWide(doubt) {
		v.unknown, v.open = true, v.open || strings.Contains(doubt, "line-through")
	}
	if v.masked() {
		return v.by(Opacity, propMask)
	}
	if n, ok := cssNumber(v.get(propZoom)); ok && n <= invisible && n > 0 { // 0 is 1
		return v.by(Size, propZoom)
	}
	if isPicture(v.get(propContent)) {
		return v.by(Display, propContent)
	}
	if x := v.get(propTextSecurity); x != "" && x != "none" && !isWide(x) {
		return v.by(Visibility, propTextSecurity)
	}
	return Look{}
}

// boxed judges what only boxes have.
func (v *values) boxed() Look {
	if v.get(propContentVisibility) == "hidden" {
		return v.by(Display, propContentVisibility)
	}
	if look := v.transformed(); look.Why != InSight {
		return look
	}
	v.fill()
	return v.squeezed()
}

// spaced judges letters that lie over each other.
func (v *values) spaced() Look {
	if n, ok := pixels(v.get(propLetterSpacing)); ok && n <= -100 {
		return v.by(Place, propLetterSpacing)
	}
	return Look{}
}

// clippedAway judges clip and clip-path.
func (v *values) clippedAway() Look {
	if pos := v.get(propPosition); (pos == "absolute" || pos == "fixed") && zeroRect(v.get(propClip)) {
		return v.by(Clip, propClip)
	}
	if x := v.get(propClipPath); x != "" {
		switch v.s.clipBy(x, v.node) {
		case clipsEverything:
			return v.by(Clip, propClipPath)
		case clipsUnknown:
			v.unknown = true
		}
	}
	return Look{}
}

// masked reports whether a mask leaves nothing to see.
func (v *values) masked() bool {
	x := v.get(propMask)
	if x == "" || x == "none" || isWide(x) {
		return false
	}
	if strings.Contains(v.get(propMaskSize), "0") && isPicture(x) {
		if anyZero(splitSpace(v.get(propMaskSize))) {
			return true
		}
	}
	if _, size, ok := cutTop(x, '/'); ok {
		if f := splitSpace(size); anyZero(f[:min(len(f), 2)]) {
			return true
		}
	}
	repeat := v.get(propMaskRepeat)
	_, _, lists := cutTop(repeat, ',')
	if strings.Contains(x, "no-repeat") || repeat == "no-repeat" || lists && strings.Contains(repeat, "no-repeat") {
		if v.maskedAway(x) {
			return true
		}
	}
	mode := v.get(propMaskMode)
	_, _, several := cutTop(x, ',')
	for _, word := range [...]string{"exclude", "subtract", "intersect", "xor", "source-"} {
		if several && (strings.Contains(x, word) || strings.Contains(mode, word)) { // the last layer has nothing below it
			v.unknown, v.open = true, true
			return false
		}
	}
	if strings.Contains(x, "url(") {
		v.unknown = true
	}
	return masksAll(x, strings.Contains(mode, "luminance") || strings.Contains(x, "luminance"))
}

// maskedAway reports whether the one picture of a mask stands beside the box.
func (v *values) maskedAway(x string) bool {
	lengths := func(s string) (out []float64) {
		for _, f := range splitSpace(s) {
			if n, ok := pixels(f); ok && !strings.HasSuffix(f, "%") {
				out = append(out, n)
			}
		}
		return out
	}
	place, size, _ := cutTop(x, '/')
	at, big := lengths(place+" "+v.get(propMaskPosition)), lengths(size+" "+v.get(propMaskSize))
	_, _, several := cutTop(x, ',')
	for i, n := range at {
		most := -float64(farRight) // of a picture as large as the box
		if len(big) > 0 {
			most = -big[min(i, len(big)-1)]
		}
		if n >= farRight || n <= most {
			v.unknown = v.unknown || several
			return !several
		}
	}
	return false
}

// anyZero reports whether one of these lengths leaves nothing.
func anyZero(lengths []string) bool {
	for _, l := range lengths {
		if n, ok := pixels(l); ok && n <= 0 {
			return true
		}
	}
	return false
}

// transformed judges by transforms of a box that leave nothing of it.
func (v *values) transformed() Look {
	all, last := identity(), propNone
	for p, m := range v.transforms() {
		all.times(m)
		if last = p; m.unseen() == Size {
			return v.by(Size, p)
		}
	}
	backface := v.get(propBackface) == "hidden"
	if backface {
		v.turned(&all)
	}
	switch {
	case backface && all[2][2] < 0:
		return v.by(Size, max(last, propBackface))
	case last == propNone:
		return Look{}
	case all.unseen() == Size:
		return v.by(Size, last)
	}
	if d, ok := v.perspective(); ok && all[2][3] >= d { // behind the eye
		return v.by(Size, last)
	}
	return Look{}
}

// nearEye is from how many pixels on something may be moved behind the eye.
const nearEye = 50

// turned applies the transforms of the elements around, as far as they share a space with
// the element (CSS Transforms Module Level 2, section 4).
func (v *values) turned(m *matrix4) {
	for i := v.at - 1; v.view != nil && i >= 0; i-- {
		up := v.view.valuesOf(i, moving)
		if up.get(propTransformStyle) != "preserve-3d" {
			return
		}
		outer := identity()
		for _, t := range up.transforms() {
			outer.times(t)
		}
		outer.times(*m)
		*m = outer
	}
}

// perspective is how far the eye is away by the element around, in pixels.
func (v *values) perspective() (float64, bool) {
	if v.view == nil || v.at == 0 {
		return 0, false
	}
	return pixels(v.view.valuesOf(v.at-1, moving).get(propPerspective))
}

// transforms are the matrices of the properties that transform a box, in the order in
// which they apply.
func (v *values) transforms() iter.Seq2[property, matrix4] {
	return func(yield func(property, matrix4) bool) {
		for _, p := range [...]property{propTranslate, propRotate, propScale, propTransform} {
			x := v.get(p)
			if x == "" || x == "none" || isWide(x) {
				continue
			}
			m, ok := transformOfProperty(p, x)
			if origin := v.get(propOrigin); ok && origin != "" && p != propTranslate {
				m = m.around(v.originAt(origin))
			}
			if ok && !yield(p, m) {
				return
			}
		}
	}
}

// squeezed judges boxes that clip what does not fit into them, and that nothing
// fits into.
func (v *values) squeezed() Look {
	if !v.clips() {
		return Look{}
	}
	for i, p := range [...]property{propHeight, propMaxHeight, propWidth, propMaxWidth} {
		if v.isFlat(p) && v.clipsAlong(1-i/2) {
			look := v.by(Size, p)
			look.Leaves = v.view == nil || !v.view.holdsFixed(v.at, v.at+1) // what is fixed, and perhaps more, it does not clip
			return look
		}
	}
	if n, ok := pixels(v.get(propFlexBasis)); ok && n <= 0 && v.get(propFlexGrow) == "0" && v.length(propMinWidth) <= 1 && v.length(propMinHeight) <= 1 &&
		v.view != nil && v.view.isContainer(v.at-1) {
		return v.by(Size, propFlexBasis)
	}
	if v.sizeContained() && v.hasNoIntrinsicHeight() && v.isAutoHigh() {
		return v.by(Size, propContain)
	}
	// Text that is indented by the width of its box, and not wrapped.
	if x := v.get(propTextIndent); x != "" && strings.Contains(v.get(propWhiteSpace), "nowrap") {
		width := v.statedWidth()
		if q, ok := simple(x); ok && (q.dim == isPercent && q.v >= 1 || q.dim == isLength && (q.v >= farRight || width > 0 && q.v >= width)) {
			return v.by(Place, propTextIndent)
		}
	}
	if n, ok := cssNumber(v.get(propLineHeight)); ok && n <= invisible && v.isAutoHigh() {
		return v.by(Size, propLineHeight)
	}
	return Look{}
}

// usesVars reports whether a value that wins refers to custom properties.
func (v *values) usesVars() bool {
	if v.s.varFrames && v.has(propAnimationName) {
		return true
	}
	for p := propDisplay; p < numLonghands; p++ {
		if !v.has(p) {
			continue
		}
		if x := v.cells[p].value; strings.IndexByte(x, '(') >= 0 && (strings.Contains(x, "--") || strings.Contains(x, "if(")) || strings.IndexByte(x, '\\') >= 0 {
			return true
		}
	}
	return false
}

// inherit applies what is inherited: visibility, font size, and what opacity and
// scale of the elements around it leave.
func (v *values) inherit(p *paint) {
	switch v.get(propVisibility) {
	case "hidden", "collapse":
		p.invisible, p.invisibleBy = true, v.cells[propVisibility].rule
	case "visible", "initial":
		p.invisible = false
	}
	v.inheritSize(p)
	if x := v.get(propTextIndent); x != "" && x != "inherit" && x != "unset" && !v.isInline(v.get(propDisplay)) {
		if p.indented = farAway(x); p.indented {
			p.indentedBy = v.cells[propTextIndent].rule
		}
	}
	if v.get(propDisplay) == "contents" {
		return
	}
	if n, ok := cssNumber(v.get(propOpacity)); ok && n < 1 {
		if p.faint == 0 {
			p.faint = 1
		}
		p.faint *= max(n, 0)
		p.faintBy = v.cells[propOpacity].rule
	}
	if scale := v.scale(); scale < 1 {
		if p.small == 0 {
			p.small = 1
		}
		p.small *= scale
	}
}

// inheritSize applies the size of the font. Of a size that is relative to the usual one,
// browsers draw at least some pixels; of one that is relative to a tiny size, they draw what it
// is.
func (v *values) inheritSize(p *paint) {
	size := v.get(propFontSize)
	if part, ok := relativeSize(size); ok {
		if p.tinyBy = v.cells[propFontSize].rule; p.tiny {
			p.font *= part
			p.tiny = p.font < 2
		} else {
			p.tiny, p.font = part <= 0, 0
		}
		return
	}
	if n, ok := pixels(size); ok {
		p.tinyBy = v.cells[propFontSize].rule
		p.tiny, p.font = n < 2, n
		return
	}
	switch size {
	case "", "inherit", "unset", "smaller", "larger":
	default:
		p.tiny = false
	}
}

// relativeSize is by how much a font size changes that of the element around it.
func relativeSize(size string) (float64, bool) {
	n, unit, ok := number(size)
	switch unit {
	case "%":
		n /= 100
	case "em":
	case "ex", "ch":
		n /= 2
	default:
		return 0, false
	}
	return n, ok
}

// scale is by how much zoom and transforms change the smaller side of the element.
func (v *values) scale() float64 {
	scale := 1.0
	if n, ok := cssNumber(v.get(propZoom)); ok && n > 0 {
		scale = n
	}
	for _, t := range [...]property{propScale, propTransform} {
		if x := v.get(t); x != "" && x != "none" {
			if m, ok := transformOfProperty(t, x); ok {
				scale *= math.Min(math.Hypot(m[0][0], m[1][0]), math.Hypot(m[0][1], m[1][1]))
			}
		}
	}
	return scale
}
