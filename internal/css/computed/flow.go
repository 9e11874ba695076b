package computed

import (
	"math"
	"strings"

	"golang.org/x/net/html"
)

// This package has no layout, but one thing can be said without one: a box that clips what
// does not fit, and is lower than what declared heights, margins and offsets put before
// a text, does not show that text. Only low boxes are looked at: in others the estimate
// would cost more than it finds.

// mostLow is the height of a low box, in CSS pixels; where it is more than maxLow, lines of
// text do not count.
const (
	maxLow  = 64
	mostLow = 400
)

// flow is the place of an element in a low box that clips.
type flow struct {
	limit float64 // the height of the box, 0 for none
	at    float64 // how far down the content of the element begins, at least
	used  float64 // how much of the element its children take up so far, at least
	rule  int32
	row   bool // its children stand beside each other
	// margin is the part of at that is margin: the first margin below collapses with it.
	margin float64
	// open is set where a margin collapses through the box itself.
	open bool
	box  bool // it is the low box itself
	// breaks is set where its children may stand in rows or columns that it does not show.
	breaks bool
	// guess is how much more the lines of text take up, as far as that can be told without
	// their width; lined says that the current line is counted.
	guess         float64
	inline, lined bool
	width         float64 // of the box; 0 if it is not known
}

// The usual height of a line, the width of a letter, and what two estimates may differ by.
const (
	usualLine   = 18
	usualLetter = 6
	usualFont   = 16
	lineSlack   = 2
)

// beyond reports whether what comes next in the element is below what the box shows.
func (f *flow) beyond() bool { return f.limit > 0 && f.at+f.used+1 >= f.limit }

// mayBeBeyond is beyond with the lines of text before it.
func (f *flow) mayBeBeyond() bool {
	return f.limit > 0 && f.limit <= maxLow && f.guess > 0 && f.at+f.used+f.guess+lineSlack >= f.limit
}

// Wrote is called behind a text that was in sight, directly in the element that was
// entered last, and with a size of 0 for a line break.
func (v *View) Wrote(size int) {
	k := len(v.stack) - 1
	if k >= 0 && v.stack[k].line != nil {
		if v.stack[k].line.used += leastLetter * float64(size); size == 0 {
			v.stack[k].line.used = 0
		}
	}
	for k > 0 && v.stack[k].flow.inline {
		k--
	}
	if k < 0 || v.stack[k].flow.limit == 0 || v.s.Unread {
		return
	}
	f := &v.stack[k].flow
	if !f.lined { // a line break is a line, too, where nothing stands before it
		f.guess += usualLine
	}
	if f.width > 0 {
		f.guess += usualLine * math.Floor(float64(size)*usualLetter/f.width)
	}
	f.lined = size > 0
}

// line is the one line of a narrow box that shows nothing beyond its edge: how wide it is, and
// how wide the text in it is so far, at least.
type line struct{ room, used float64 }

const leastLetter = 4 // the width of a narrow letter, in CSS pixels

// line returns the line of the element, if it is such a box.
func (v *values) line(ask mask) *line {
	if ask&sizes != sizes || !strings.Contains(v.get(propWhiteSpace), "nowrap") || !v.cutsOff() || v.isTablePart() {
		return nil
	}
	for _, p := range [...]property{propWidth, propMaxWidth} {
		if n, ok := stated(v.get(p)); ok && n > 1 && n <= mostLow {
			if v.get(propBoxSizing) == "border-box" {
				n -= v.length(propPaddingLeft)
			}
			return &line{room: n}
		}
	}
	return nil
}

// isNarrow reports whether declarations make a narrow box of one line that clips.
func isNarrow(decls []decl) bool {
	narrow, clips, one := false, false, false
	for _, d := range decls {
		switch d.prop {
		case propWhiteSpace:
			one = one || strings.Contains(d.value, "nowrap")
		case propOverflow:
			clips = clips || strings.Contains(d.value, "hidden") || strings.Contains(d.value, "clip")
		case propWidth, propMaxWidth:
			n, ok := stated(plain(d.value))
			narrow = narrow || ok && n <= mostLow
		}
	}
	return narrow && clips && one
}

const flowing = sizes | places | 1<<propMarginTop | 1<<propMarginLeft | 1<<propTransform

// isLow reports whether declarations may make a low box that clips.
func isLow(decls []decl) bool {
	low, clips := false, false
	for _, d := range decls {
		switch d.prop {
		case propLineClamp:
			low, clips = true, true // it means something only together with that
		case propOverflow:
			clips = clips || strings.Contains(d.value, "hidden") || strings.Contains(d.value, "clip")
		case propHeight, propMaxHeight:
			n, ok := pixels(plain(d.value))
			low = low || ok && n <= mostLow
		}
	}
	return low && clips
}

// isFixedAway reports whether declarations may fix a box beyond an edge of the screen by
// a percentage; of other boxes, percentages mean little without a layout.
func isFixedAway(decls []decl) bool {
	fixed, away := false, false
	for _, d := range decls {
		switch d.prop {
		case propPosition:
			fixed = fixed || d.value == "fixed"
		case propLeft, propRight, propTop, propBottom:
			away = away || strings.HasSuffix(d.value, "%") && farOff(d.value, screenHeight)
		}
	}
	return fixed && away
}

// place works out where an element stands in a low box around it, or that it is one.
// hidden is set when the box shows nothing of the element.
func (v *View) place(k int, ask mask) (hidden bool) {
	f := &v.stack[k]
	var up *flow
	if k > 0 && v.stack[k-1].flow.limit > 0 {
		up = &v.stack[k-1].flow
	}
	if up == nil && ask&sizes != sizes {
		return false
	}
	vals := v.valuesOf(k, flowing)
	if up != nil && up.breaks {
		v.maybe = true
		up.used += max(0, vals.length(propHeight))
		return false
	}
	display := vals.get(propDisplay)
	if display == "contents" {
		if up != nil {
			f.flow = flow{limit: up.limit, at: up.at + up.used, rule: up.rule, guess: up.guess, width: up.width, row: up.row}
		}
		return false
	}
	if vals.isInline(display) {
		if up != nil {
			f.flow = flow{limit: up.limit, at: up.at + up.used, rule: up.rule, guess: up.guess, inline: true, width: up.width}
			if vals.get(propPosition) == "relative" {
				f.flow.at += vals.length(propTop)
			}
			if up.lined && up.guess > 0 { // it goes on in the line
				f.flow.guess -= usualLine
			}
		}
		return false
	}
	if up != nil {
		f.flow = flow{limit: up.limit, at: up.at, rule: up.rule, width: up.width}
		if position := vals.get(propPosition); position != "absolute" && !up.row {
			f.flow.guess = up.guess
		}
		if !vals.flowIn(&f.flow, up, v.stack[k-1].positioned) {
			f.flow = flow{} // the box may not clip it
			return false
		}
		hidden = f.flow.beyond()
		v.maybe = v.maybe || !hidden && (f.flow.mayBeBeyond() || f.flow.at <= -usualLine && v.isAbove(f.node, &f.flow))
	}
	pos := vals.get(propPosition)
	f.positioned = pos == "relative" || pos == "absolute" || k > 0 && v.stack[k-1].positioned && up != nil
	switch display {
	case "flex", "grid", "inline-flex", "inline-grid", "table-row", "-webkit-box":
		f.flow.row = true
	}
	if up == nil && !hidden {
		if low, ok := vals.lowBox(); ok {
			low.row = f.flow.row && !vals.has(propLineClamp)
			low.breaks = vals.breaks(display)
			items, stacks := strings.Contains(display, "flex"), vals.stacks()
			if grow, _ := cssNumber(vals.get(propFlexGrow)); grow == 0 || !v.isContainer(k-1) || !v.valuesOf(k-1, boxes).stacks() {
				if low.breaks && items && v.itemsFit(k, stacks, low) {
					low.breaks, low.row = false, true
				}
				v.stack[k].flow = low
			}
		}
	}
	return hidden
}

// isAbove reports whether what begins with text ends above the low box that it is in, as far as that can
// be told from the number of its letters.
func (v *View) isAbove(n *html.Node, f *flow) bool {
	if first := n.FirstChild; first == nil || first.Type != html.TextNode || strings.TrimSpace(first.Data) == "" {
		return false // what is in it asks itself
	}
	room := f.width
	if room == 0 {
		room = screenWidth / 2
	}
	return f.at+usualLine*(2+float64(v.lettersIn(n))*usualLetter/room) <= 0
}

// lettersIn returns the size of the text in an element.
func (v *View) lettersIn(n *html.Node) (size int) {
	for c := range n.Descendants() {
		if c.Type == html.TextNode && v.s.spend(0) {
			size += len(strings.TrimSpace(c.Data))
		}
	}
	return size
}

// mostItems bounds the items of a container that are looked at together.
const mostItems = 100

// itemsFit reports whether all items of a flex container, the open element k, which stand below
// each other or in rows, fit into the low box that it is.
func (v *View) itemsFit(k int, stacks bool, box flow) bool {
	room := box.width
	if room == 0 {
		room = screenWidth
	}
	need, row, width, count := box.at, 0., 0., 0
	for n := v.stack[k].node.FirstChild; n != nil; n = n.NextSibling {
		if count++; count > mostItems {
			return false
		}
		high, wide := v.sizeOfItem(n, stacks, room)
		if width += wide; stacks || width > room+1 {
			need, row, width = need+row, 0, wide
		}
		row = max(row, high)
	}
	return need+row <= box.limit
}

// sizeOfItem returns how high and wide an item of the flex container that was entered last is
// at least. One that can shrink is as high as its text.
func (v *View) sizeOfItem(n *html.Node, stacks bool, room float64) (high, wide float64) {
	size := 0
	switch n.Type {
	case html.TextNode:
		size = len(strings.TrimSpace(n.Data))
	case html.ElementNode:
		size = v.lettersIn(n)
		k := len(v.stack)
		v.enter(n)
		vals := v.valuesOf(k, flowing)
		if position := vals.get(propPosition); position == "absolute" || position == "fixed" || vals.get(propDisplay) == "none" {
			size = 0
		} else {
			high = max(0, vals.length(propMarginTop)) + max(0, vals.length(propPaddingTop)) + max(0, vals.length(propPaddingBottom))
			if h, ok := stated(vals.get(propHeight)); ok && (!stacks || vals.get(propFlexShrink) == "0") {
				high += h
			}
			high = max(high, vals.length(propMinHeight))
			x := vals.get(propFlexBasis)
			if x == "" || x == "auto" {
				x = vals.get(propWidth)
			}
			if w, ok := along(x, room); ok {
				wide = w
				room = min(room, max(w, 1))
			}
		}
		v.keys = v.keys[:v.stack[k].own]
		v.stack = v.stack[:k]
	}
	if size > 0 {
		high = max(high, usualLine*(1+math.Floor(float64(size)*usualLetter/room)))
		if wide == 0 {
			wide = min(float64(size)*usualLetter, room)
		}
	}
	return high, wide
}

// breaks reports whether the content of a box goes on in other rows or columns, which the
// box may not show.
func (v *values) breaks(display string) bool {
	if columns := v.get(propColumns); columns != "" && columns != "auto" && !isWide(columns) {
		return true
	}
	if !strings.Contains(display, "flex") {
		return false
	}
	return v.stacks() || strings.Contains(v.get(propFlexWrap), "wrap") && !strings.Contains(v.get(propFlexWrap), "nowrap")
}

func (v *values) length(p property) float64 { n, _ := pixels(v.get(p)); return n }

// flowIn moves f to where the element begins in the low box around it, or returns
// false if the box may not clip it. positioned says that the element around is.
func (v *values) flowIn(f, up *flow, positioned bool) bool {
	above := max(0, v.length(propPaddingTop))
	switch position := v.get(propPosition); position {
	case "fixed":
		return false
	case "absolute":
		top, bottom := v.get(propTop), v.get(propBottom)
		share := strings.HasSuffix(top, "%")
		if share && !up.box || bottom != "" && bottom != "auto" || !positioned {
			return false
		}
		if q, ok := simple(top); ok && share {
			f.at = q.v * up.limit
		} else if top != "" && top != "auto" {
			f.at = v.length(propTop)
		} else {
			f.at += up.used
		}
	default:
		if strings.Contains(v.get(propTransform)+v.get(propTranslate), "%") {
			return false // of a height that is not known
		}
		f.collapse(up, v.length(propMarginTop), above)
		if v.floats() && v.drawnAside() && f.beyond() { // unless it fits into the row of another
			v.view.maybe = true
			return false
		}
		if position == "relative" {
			f.at += v.length(propTop)
		}
	}
	for _, p := range [...]property{propTransform, propTranslate} {
		if m, ok := transformOfProperty(p, v.get(p)); ok && !strings.Contains(v.get(p), "%") {
			f.at += m[1][3]
		}
	}
	f.at += above
	return true
}

// collapse adds the margin above an element, or what of it is more than the margin
// above the element around it; above is the padding.
func (f *flow) collapse(up *flow, margin, above float64) {
	if up.used > 0 {
		f.at += up.used + margin
	} else if margin < 0 {
		f.at += margin
	} else if !up.open {
		f.at += max(0, margin-up.margin)
	}
	if above == 0 {
		f.margin, f.open = margin, up.open && up.used == 0
		if up.used == 0 {
			f.margin = max(margin, up.margin)
		}
	}
}

// lowBox returns the flow of a low box that clips; false if the element is none.
func (v *values) lowBox() (flow, bool) {
	clips, block := false, false
	for w := range strings.FieldsSeq(v.get(propOverflow)) {
		clips, block = clips || w == "hidden" || w == "clip", block || w == "hidden"
	}
	clips = clips && v.clipsAlong(1)
	h, ok := pixels(v.get(propHeight))
	if m, isMax := stated(v.get(propMaxHeight)); isMax && (!ok || m < h) {
		h, ok = m, true
	}
	least := v.length(propMinHeight)
	if n, isNumber := cssNumber(v.get(propLineClamp)); isNumber && n >= 1 && (!ok || h > n*usualLine+1) {
		h, ok = n*usualLine+1, true
	}
	if !clips || !ok || v.isTablePart() || h > mostLow || least > mostLow || strings.HasSuffix(v.get(propHeight), "%") {
		return flow{}, false
	}
	above, below := max(0, v.length(propPaddingTop)), max(0, v.length(propPaddingBottom), .1)
	limit := max(h, least, 0) + above + below
	if v.get(propBoxSizing) == "border-box" {
		limit = max(h, least, above+below)
	}
	line, ok := stated(v.get(propLineHeight))
	if n, isNumber := cssNumber(v.get(propLineHeight)); isNumber && !ok {
		line = n * usualFont
	}
	return flow{
		limit: limit,
		at:    above + max(0, line-usualLine)/2, // text stands in the middle of its line
		box:   true,
		open:  !block && above == 0,
		rule:  v.cells[propHeight].rule,
		width: v.statedWidth(),
	}, true
}

// statedWidth is the width of the box in pixels where it is stated so; 0 where it is not.
func (v *values) statedWidth() float64 {
	for _, p := range [...]property{propWidth, propMaxWidth} {
		if n, ok := pixels(v.get(p)); ok && n >= maxLow && !strings.HasSuffix(v.get(p), "%") {
			return max(n, v.length(propMinWidth))
		}
	}
	return 0
}

func (v *values) floats() bool {
	float := v.get(propFloat)
	return float == "left" || float == "right"
}

// drawnAside reports whether the box takes up less of its row than it is wide.
func (v *values) drawnAside() bool {
	return v.length(propMarginLeft) < 0 || v.length(propMarginRight) < 0
}

// fillsRow reports whether a float leaves nothing of its row in a low box.
func (v *values) fillsRow(up *flow) bool {
	width, most := v.get(propWidth), v.get(propMaxWidth)
	if v.drawnAside() || most != "" && most != "none" && most != "100%" {
		return false
	}
	n, ok := pixels(width)
	return width == "100%" || up.box && up.width > 0 && ok && n >= up.width && !strings.HasSuffix(width, "%")
}

// fill notes how much of its row the element takes up, where the box around shows one row
// and cuts it off: what follows in a full row is not seen.
func (v *values) fill() {
	if v.view == nil || v.at < 2 {
		return
	}
	width := v.get(propMinWidth)
	if n, _ := pixels(width); n < slideWidth {
		if width = v.get(propFlexBasis); width == "" || width == "auto" {
			width = v.get(propWidth)
		}
		if v.get(propFlexShrink) != "0" && v.get(propDisplay) != "inline-block" {
			return
		}
	}
	n, ok := pixels(width)
	if !ok || n < slideWidth {
		return
	}
	up := v.view.valuesOf(v.at-1, sizes|places|1<<propMarginLeft)
	display := up.get(propDisplay)
	inLine := v.get(propDisplay) == "inline-block" && strings.Contains(up.get(propWhiteSpace), "nowrap")
	if !inLine && !strings.Contains(display, "flex") || up.breaks(display) || up.has(propLeft) || up.has(propMarginLeft) {
		return
	}
	if up.isMoved() {
		return
	}
	room := up.statedWidth()
	if room == 0 || strings.HasSuffix(width, "%") {
		room = screenWidth
	}
	if up.cutsOff() || v.view.valuesOf(v.at-2, sizes).cutsOff() {
		v.view.stack[v.at-1].row += n / room
	}
}

// slideWidth is from how many pixels on an element may fill a row.
const slideWidth = 200

// isRigid reports whether declarations may make an element that fills a row and does not
// shrink.
func isRigid(decls []decl) bool {
	rigid, inLine, width := false, false, 0.
	for _, d := range decls {
		rigid = rigid || d.prop == propFlexShrink && d.value == "0"
		inLine = inLine || d.prop == propDisplay && d.value == "inline-block"
		if n, ok := pixels(plain(d.value)); ok && d.prop == propWidth {
			width = n
		}
	}
	return (rigid || inLine) && width >= slideWidth
}

// cutsOff reports whether the box neither shows what does not fit nor can be scrolled.
func (v *values) cutsOff() bool {
	first, _, _ := strings.Cut(v.get(propOverflow), " ")
	return first == "hidden" || first == "clip"
}

// follows reports whether another element stands before an element.
func follows(n *html.Node) bool {
	for n = n.PrevSibling; n != nil; n = n.PrevSibling {
		if n.Type == html.ElementNode {
			return true
		}
	}
	return false
}

// leave adds what an element takes up to the element around it.
func (v *View) leave(k int) {
	if k == 0 || v.stack[k].flow.limit == 0 || v.stack[k-1].flow.limit == 0 || v.stack[k-1].flow.row {
		return
	}
	vals := v.valuesOf(k, flowing)
	display := vals.get(propDisplay)
	if display == "none" {
		return
	}
	if vals.floats() {
		if !vals.fillsRow(&v.stack[k-1].flow) {
			return
		}
	} else if strings.HasPrefix(display, "inline") || display == "" && inlineTag(v.stack[k].node.Data) {
		return
	}
	switch vals.get(propPosition) {
	case "absolute", "fixed":
		return
	}
	take := v.stack[k].flow.used
	if h, ok := pixels(vals.get(propHeight)); ok && !strings.HasSuffix(vals.get(propHeight), "%") {
		take = h
	}
	for _, p := range [...]property{propPaddingTop, propPaddingBottom, propMarginTop} {
		n, _ := pixels(vals.get(p))
		take += n
	}
	take += min(0, vals.length(propMarginBottom))
	up := &v.stack[k-1].flow
	up.used, up.lined = up.used+max(0, take), false
	if take == v.stack[k].flow.used { // its height is that of its content
		up.guess = max(up.guess, v.stack[k].flow.guess)
	}
}
