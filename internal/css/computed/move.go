package computed

import (
	"math"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// This file judges by offsets, margins and transforms what stands beyond the edges of the
// page. One move can undo another: that of an element around, or of the padding. So each
// move that leads out of sight is added up with the moves of all elements around it, and
// what stands in a box that is out of sight is looked at for moves that lead back.

// An offset is how far something is moved, in CSS pixels.
type offset struct{ x, y float64 }

func (o offset) plus(x, y float64) offset { return offset{o.x + x, o.y + y} }

// isLarge reports whether an offset is more than the gaps that layouts have.
func (o offset) isLarge() bool { return math.Abs(o.x) >= largeMove || math.Abs(o.y) >= largeMove }

const (
	largeMove = 300
	nearEdge  = 100 // something that begins no further beyond an edge is seen in part
)

// origins are what the places of elements in an element are counted from, each as far as
// it is moved itself.
type origins struct {
	flow    offset // the content of the element
	block   offset // the containing block of what is absolutely positioned
	window  offset // that of what is fixed: an element with a transform, or the window
	blockAt int    // the open element that is this containing block
	turned  bool   // an element around is turned: what is to the right of it may be below
}

const moving = places | 1<<propWidth | 1<<propHeight | 1<<propMarginLeft | 1<<propMarginTop | 1<<propDisplay | 1<<propRotate | 1<<propScale | 1<<propTextIndent | boxes

// movers are the properties that can lead out of sight.
const movers mask = 1<<propLeft | 1<<propRight | 1<<propTop | 1<<propBottom | 1<<propTransform | 1<<propTranslate | 1<<propMarginLeft | 1<<propMarginTop

// originsOf returns the origins in the open element i. They hold until it is left.
func (v *View) originsOf(i int) origins {
	if i < 0 {
		return origins{}
	}
	for k := len(v.origins); k <= i; k++ {
		up := origins{}
		if k > 0 {
			up = v.origins[k-1]
		}
		v.origins = append(v.origins, v.valuesOf(k, moving).originsIn(up, k))
	}
	return v.origins[i]
}

// originsIn returns the origins in the element, which is the open element k, from those
// around it.
func (v *values) originsIn(up origins, k int) origins {
	if v.get(propDisplay) == "contents" {
		return up
	}
	o, position := up, v.get(propPosition)
	switch position {
	case "absolute":
		o.flow = v.placed(up.flow, up.block)
	case "fixed":
		o.flow = v.placed(up.flow, up.window)
	case "relative":
		o.flow = v.placed(up.flow, up.flow)
	}
	o.flow = o.flow.plus(v.length(propMarginLeft), v.length(propMarginTop))
	transformed := false
	for _, m := range v.transforms() {
		o.flow, transformed = o.flow.plus(m[0][3], m[1][3]), true
		o.turned = o.turned || math.Abs(m[0][1]) > .5
	}
	if transformed {
		o.window = o.flow
	}
	if transformed || position != "" && position != "static" {
		o.block, o.blockAt = o.flow, k
	}
	o.flow = o.flow.plus(v.length(propPaddingLeft), v.length(propPaddingTop))
	return o
}

// placed applies the offsets of the sides, from where the element would stand and from
// what they are counted from.
func (v *values) placed(flow, base offset) offset {
	if n, ok := v.side(propLeft); ok {
		flow.x = base.x + n
	} else if n, ok := v.side(propRight); ok {
		flow.x = base.x - n
	}
	if n, ok := v.side(propTop); ok {
		flow.y = base.y + n
	} else if n, ok := v.side(propBottom); ok {
		flow.y = base.y - n
	}
	return flow
}

// side is the value of left, right, top or bottom; false for auto.
func (v *values) side(p property) (float64, bool) {
	x := v.get(p)
	n, ok := pixels(x)
	if strings.HasSuffix(x, "%") && (p == propTop || p == propBottom) {
		n *= screenHeight / float64(screenWidth)
	}
	return n, ok
}

// strays works out whether what stands in the element k that is judged is out of sight
// because of a place.
func (v *View) strays(k int, p *paint, ask mask) {
	moves := ask&movers != 0 || v.vals.has(propMarginRight) || v.vals.has(propArea) || v.vals.length(propPaddingLeft) >= largeMove || v.vals.length(propTextIndent) >= largeMove
	if !moves && p.gone.Why == InSight {
		return
	}
	own := v.vals.strays()
	if own.Why == InSight && moves {
		own = v.outside(k)
	}
	if own.Why == InSight && p.gone.Why == InSight {
		return
	}
	up := v.originsOf(k - 1)
	now := v.vals.originsIn(up, k)
	if len(v.origins) == k {
		v.origins = append(v.origins, now)
	}
	if up.turned && own.Why == Place {
		v.maybe = true
		return
	}
	if p.gone.Why == Size { // what a box around clips that no containing block is in
		switch v.vals.get(propPosition) {
		case "absolute":
			if up.blockAt < int(p.goneAt) {
				p.gone = Look{}
			}
		case "fixed":
			if !v.holdsFixed(int(p.goneAt), k) {
				p.gone = Look{}
			}
		}
		if own.Why == InSight {
			return
		}
	}
	// What has to be large to lead back: the moves around and the padding, or in a box
	// that is out of sight, those of the element.
	back := now.flow.plus(-up.flow.x, -up.flow.y)
	if p.gone.Why == InSight {
		alone := v.vals.originsIn(origins{}, k).flow
		back = now.flow.plus(v.vals.length(propPaddingLeft)-alone.x, v.vals.length(propPaddingTop)-alone.y)
	}
	own.Leaves = true
	if own.Why == Clip && v.vals.length(propPaddingLeft) >= largeMove && p.gone.Why == InSight {
		p.gone = own // the padding itself leads out of the box
		return
	}
	if !back.isLarge() && !v.vals.opposed() {
		if p.gone.Why == InSight {
			p.gone = own
		}
		return
	}
	switch {
	case now.flow.x > -nearEdge && now.flow.y > -nearEdge && now.flow.x < farRight && now.flow.y < farDown:
		p.gone = Look{}
	case now.flow.x > -farLeft && now.flow.y > -farUp && now.flow.x < farRight && now.flow.y < farDown:
		p.gone, v.maybe = Look{}, true
	case p.gone.Why == InSight:
		p.gone = own
	}
}

// littleAway is from how far above the page or below the window on a box without a height
// is out of sight: it is that high at most.
const littleAway = 200

// outside judges boxes that are positioned beside the window or the page, or in a box that
// clips them. Where the box around stands is known of these only.
func (v *View) outside(k int) Look {
	vals, up := &v.vals, v.originsOf(k-1)
	fixed := vals.get(propPosition) == "fixed"
	if !fixed && vals.get(propPosition) != "absolute" {
		return v.pushed(k)
	}
	if !fixed && up.blockAt > 0 {
		return v.clippedBy(up.blockAt)
	}
	if up.block.isLarge() || up.window.isLarge() {
		return Look{}
	}
	size := func(p property, usual float64) float64 {
		if n, ok := pixels(vals.get(p)); ok && !strings.HasSuffix(vals.get(p), "%") {
			return n
		}
		return usual
	}
	width, height := size(propWidth, screenWidth), size(propHeight, littleAway)
	if n, ok := vals.side(propTop); ok {
		if n <= -height {
			return vals.by(Place, propTop)
		}
	} else if n, ok := vals.side(propBottom); ok && (n >= screenHeight || fixed && n <= -height) {
		return vals.by(Place, propBottom)
	}
	if n, ok := vals.side(propTop); ok && n >= farDown {
		vals.unknown = true
	}
	if n, ok := vals.side(propLeft); ok {
		if n <= -width {
			return vals.by(Place, propLeft)
		}
		vals.unknown = vals.unknown || n >= screenWidth
	} else if n, ok := vals.side(propRight); ok && (n >= screenWidth || fixed && n <= -width) {
		return vals.by(Place, propRight)
	}
	return Look{}
}

// clippedBy reports whether the element that is judged stands beyond an edge of its
// containing block, the open element i, which shows nothing there.
func (v *View) clippedBy(i int) Look {
	for _, p := range [...]property{propLeft, propRight, propTop, propBottom} {
		if x := v.vals.get(p); strings.HasSuffix(x, "%") {
			if n, ok := pixels(x); ok && n >= screenWidth && v.valuesOf(i, sizes).clips() {
				return v.vals.by(Clip, p)
			}
		}
	}
	if v.vals.slides() && v.valuesOf(i, sizes).clips() {
		return v.vals.by(Clip, propTransform)
	}
	for axis, sides := range [...][6]property{
		{propLeft, propRight, propWidth, propMinWidth, propPaddingLeft, propPaddingRight},
		{propTop, propBottom, propHeight, propMinHeight, propPaddingTop, propPaddingBottom},
	} {
		pad := func(vals *values) float64 { return max(0, vals.length(sides[4])) + max(0, vals.length(sides[5])) }
		own, ok := stated(v.vals.get(sides[2]))
		if own = max(own, v.vals.length(sides[3])) + pad(&v.vals); !ok {
			own = 0
		}
		at, okAt := stated(v.vals.get(sides[0]))
		end, okEnd := stated(v.vals.get(sides[1]))
		if !okAt && !okEnd {
			continue
		}
		block := v.valuesOf(i, sizes|boxes)
		size, ok := stated(block.get(sides[2]))
		if !ok || !block.clipsAlong(axis) {
			continue
		}
		size = max(size, block.length(sides[3])) + pad(block)
		if grow, _ := cssNumber(block.get(propFlexGrow)); grow != 0 || v.isContainer(i-1) {
			continue // the container gives it its size
		}
		switch {
		case okAt && at >= size, own > 0 && okAt && at <= -own:
			return v.vals.by(Clip, sides[0])
		case !okAt && (end >= size || own > 0 && end <= -own):
			return v.vals.by(Clip, sides[1])
		}
	}
	return Look{}
}

// pushed reports whether the element that is judged, which stands in the flow, is moved out
// of a box around that clips.
func (v *View) pushed(k int) Look {
	vals := &v.vals
	for _, by := range [...]property{propMarginLeft, propLeft, propPaddingLeft, propTextIndent} {
		x := vals.get(by)
		n, ok := pixels(x)
		if !ok || n < largeMove || by == propLeft && vals.get(propPosition) != "relative" || by == propTextIndent && !v.isOneLine(k) {
			continue
		}
		return v.cutBy(k, by, x, n)
	}
	return v.slidOut(k)
}

// isOneLine reports whether the text of the element that is judged is not wrapped.
func (v *View) isOneLine(k int) bool {
	space := v.vals.get(propWhiteSpace)
	for i := k - 1; i > 1 && space == ""; i-- {
		space = v.valuesOf(i, boxes).get(propWhiteSpace)
	}
	return strings.Contains(space, "nowrap")
}

// cutBy reports whether a box around the element that is judged shows nothing of what x, a
// length of n pixels, moves to the right. What moves only the text, the element itself may cut
// off.
func (v *View) cutBy(k int, by property, x string, n float64) Look {
	vals, from := &v.vals, k-1
	if by == propPaddingLeft || by == propTextIndent {
		from = k
	}
	for i := from; i > 1; i-- {
		box := v.valuesOf(i, sizes|places|1<<propMarginLeft)
		if i < k && (box.has(propLeft) || box.has(propMarginLeft) || box.isMoved()) {
			break
		}
		if width := box.statedWidth(); box.cutsOff() && (n >= screenWidth || !strings.HasSuffix(x, "%") && width > 0 && n >= width) {
			return vals.by(Clip, by)
		}
		if width := box.get(propWidth); width != "" && width != "auto" && strings.HasSuffix(x, "%") {
			break // 100 % of it are less than the width of what is around it
		}
	}
	return Look{}
}

// slidOut reports whether a block is moved by its own size in a box that clips it.
func (v *View) slidOut(k int) Look {
	vals := &v.vals
	if k == 0 || vals.has(propWidth) || vals.isTrack() || vals.isInline(vals.get(propDisplay)) {
		return Look{}
	}
	for p, m := range vals.transforms() {
		x, y := math.Abs(m[0][3]) >= boxWidth, math.Abs(m[1][3]) >= boxHeight
		if !strings.Contains(vals.get(p), "%") || !x && !y || !v.valuesOf(k-1, sizes).cutsOff() {
			continue
		}
		if x {
			return vals.by(Clip, p)
		}
		v.maybe = true
	}
	return Look{}
}

// isMoved reports whether the box has a transform.
func (v *values) isMoved() bool {
	for range v.transforms() {
		return true
	}
	return false
}

// stated is a length that depends on nothing around.
func stated(s string) (float64, bool) {
	if strings.IndexByte(s, '%') >= 0 {
		return 0, false
	}
	return pixels(s)
}

// slides reports whether a box that fills its containing block is moved by its own size.
func (v *values) slides() bool {
	if !v.spans() {
		return false
	}
	for p, m := range v.transforms() {
		if strings.Contains(v.get(p), "%") && (math.Abs(m[0][3]) >= boxWidth || math.Abs(m[1][3]) >= boxHeight) {
			return true
		}
	}
	return false
}

// opposed reports whether moves of the element itself lead into opposite directions.
func (v *values) opposed() bool {
	var sides offset
	if x := v.get(propPosition); x != "" && x != "static" {
		sides = v.placed(offset{}, offset{})
	}
	all := [...]offset{sides, {v.length(propMarginLeft), v.length(propMarginTop)}, {}}
	for _, m := range v.transforms() {
		all[2] = all[2].plus(m[0][3], m[1][3])
	}
	var least, most offset
	for _, o := range all {
		least, most = offset{min(least.x, o.x), min(least.y, o.y)}, offset{max(most.x, o.x), max(most.y, o.y)}
	}
	return least.x <= -largeMove && most.x >= largeMove || least.y <= -largeMove && most.y >= largeMove
}

// holdsFixed reports whether the box of the element is the containing block of what is fixed
// in it.
func (v *values) holdsFixed() bool {
	style, _ := attrOf(v.node, "style")
	return v.s.announces || strings.Contains(strings.ToLower(style), "will-change") || slices.ContainsFunc(holding[:], v.has) || v.isMoved()
}

// holding are the properties that clip what is fixed, or that it is placed by, apart from
// transforms.
var holding = [...]property{propContain, propFilter, propBackdrop, propPerspective, propTransformStyle, propContentVisibility, propClipPath, propMask, propAnimationName}

// holdsFixed is that for one of the open elements from i on, up to k.
func (v *View) holdsFixed(i, k int) bool {
	for ; i < k; i++ {
		if v.valuesOf(i, ^mask(0)).holdsFixed() {
			return true
		}
	}
	return false
}

// strays judges whether the element is moved beyond the edges of the page, from where it
// would stand.
func (v *values) strays() Look {
	if display := v.get(propDisplay); display == "contents" {
		return Look{}
	} else if !v.isInline(display) {
		if look := v.carried(); look.Why != InSight {
			return look
		}
		if farAway(v.get(propMarginTop)) {
			return v.by(Place, propMarginTop)
		}
	}
	return v.moved()
}

// carried judges by transforms that move a box.
func (v *values) carried() Look {
	all, last := identity(), propNone
	for p, m := range v.transforms() {
		all.times(m)
		if last == propNone || m.unseen() == Place {
			last = p
		}
	}
	if last == propNone {
		return Look{}
	}
	if v.get(propPosition) != "fixed" && all.unseen() == Place && all[1][3] == 0 && v.isTrack() {
		v.unknown = true
		return Look{}
	}
	v.unknown = v.unknown || all[0][3] >= screenWidth && all[0][3] < farRight && !strings.Contains(v.get(last), "%")
	if all.unseen() == Place || v.get(propPosition) == "fixed" && v.shiftedAway(all[0][3], all[1][3]) {
		return v.by(Place, last)
	}
	return Look{}
}

// isTrack reports whether the children of the element may stand beside each other in a row
// that is longer than the element: what a transform moves out of sight is then only the
// first of them.
func (v *values) isTrack() bool {
	switch v.get(propDisplay) {
	case "flex", "inline-flex", "-webkit-box", "-webkit-flex":
		return true
	}
	return strings.Contains(v.get(propWhiteSpace), "nowrap")
}

// shiftedAway reports whether a box that is fixed to an edge is moved beyond that edge
// by its own size.
func (v *values) shiftedAway(x, y float64) bool {
	at := func(p property) bool { n, ok := pixels(v.get(p)); return ok && n <= 0 }
	return at(propLeft) && x <= -boxWidth || at(propRight) && x >= boxWidth || at(propTop) && y <= -boxHeight || at(propBottom) && y >= boxHeight
}

// moved judges boxes beyond the edges of the page.
func (v *values) moved() Look {
	switch pos := v.get(propPosition); pos {
	case "absolute", "fixed":
		v.unknown = v.unknown || v.s.anchors && v.get(propArea) != "" && v.get(propArea) != "none"
		limits := &pageEdges
		if pos == "fixed" {
			limits = &screenEdges
		}
		for _, p := range [...]property{propLeft, propRight, propTop, propBottom} {
			if !v.overruled(p) && v.isBeyond(p, limits[p-propLeft]) {
				return v.by(Place, p)
			}
			v.unknown = v.unknown || v.s.anchoredAway(v.get(p))
		}
	case "relative":
		for _, p := range [...]property{propLeft, propTop, propRight, propBottom} {
			if !v.overruled(p) && v.isShifted(p) {
				return v.by(Place, p)
			}
		}
	}
	if x := v.get(propMarginRight); farOff(strings.TrimPrefix(x, "-"), farRight) {
		if p := v.get(propPosition); v.get(propFloat) == "right" || (p == "absolute" || p == "fixed") && v.has(propRight) && !v.has(propLeft) {
			return v.by(Place, propMarginRight)
		}
	}
	if x := v.get(propMarginLeft); farAway(x) || farOff(x, farRight) {
		if strings.HasSuffix(x, "%") && v.has(propFloat) && follows(v.node) {
			n, _ := pixels(x)
			v.unknown = v.view == nil || v.view.floated(v.at) < -n // else it stands over what is before it
			return Look{}
		}
		return v.by(Place, propMarginLeft)
	}
	for _, p := range [...]property{propMarginLeft, propPaddingLeft, propTextIndent, propLeft} {
		n, ok := stated(v.get(p))
		if !ok || n < screenWidth || p == propLeft && v.get(propPosition) != "relative" || p == propTextIndent && !strings.Contains(v.get(propWhiteSpace), "nowrap") {
			continue
		}
		v.unknown = true // it stands beside the window, and can be scrolled to
	}
	return Look{}
}

// floated returns how wide the floats before the open element i are together, in pixels of the
// screen.
func (v *View) floated(i int) (wide float64) {
	defer v.setAside()()
	v.exact(i - 1) // once, for all that stand in the same elements
	view := &View{s: v.s, scratch: v.scratch, stack: slices.Clone(v.stack[:i]), keys: slices.Clone(v.keys[:v.stack[i].own])}
	count := 0
	for n := v.stack[i].node.PrevSibling; n != nil && count < mostItems; n = n.PrevSibling {
		if count++; n.Type != html.ElementNode {
			continue
		}
		view.enter(n)
		vals := view.valuesOf(i, sizes|1<<propMarginLeft)
		if float := vals.get(propFloat); float == "left" || float == "right" {
			wide += max(0, vals.length(propWidth)) + max(0, vals.length(propMarginLeft))
		}
		view.keys = view.keys[:view.stack[i].own]
		view.stack = view.stack[:i]
	}
	return wide
}

// farDown is from which offset on nobody scrolls to something.
const farDown = 5000

// From these offsets on, a box is beyond an edge: by left, right, top and bottom.
var (
	pageEdges   = [4]float64{farRight, farRight, math.Inf(1), farDown}
	screenEdges = [4]float64{screenWidth, screenWidth, screenHeight, screenHeight}
)

// isBeyond reports whether an offset places a box beyond an edge.
func (v *values) isBeyond(p property, limit float64) bool {
	x := v.get(p)
	if x == "" || x == "auto" {
		return false
	}
	n, ok := v.side(p)
	if !ok {
		return false
	}
	if p == propRight && limit == farRight && n > -farRight { // it can be scrolled to
		v.unknown = v.unknown || n <= -farLeft
		return n >= limit
	}
	return farAway(x) && !(strings.HasSuffix(x, "%") && n > -farLeft) || n >= limit
}

// overruled reports whether an offset is that of the right or the lower side, and the other
// side says where the box begins.
func (v *values) overruled(p property) bool {
	if p != propRight && p != propBottom {
		return false
	}
	_, begins := v.side(p - 1)
	return begins
}

// isShifted reports whether an offset moves a relative box beyond an edge.
func (v *values) isShifted(p property) bool {
	x := v.get(p)
	switch p {
	case propLeft:
		return farAway(x) && !strings.HasSuffix(x, "%") || farOff(x, farRight)
	case propTop:
		return farAway(x) && !strings.HasSuffix(x, "%")
	}
	return farOff(x, farLeft)
}
