package computed

import (
	"math"
	"slices"
	"strings"
)

// An animation is judged by what a person who looks at the page for a while sees
// of it (CSS Animations Level 1, section 4): the states from restFrom to restTo
// seconds after the page was loaded. Text that is painted in one of them is seen.
const (
	restFrom = 2.
	restTo   = 20.
)

// keyframe is one frame of an animation: what it declares at a time from 0 to 1.
type keyframe struct {
	at    float64
	decls []decl
}

const (
	maxKeyframes  = 2000 // of all sheets
	maxAnimations = 8    // of one element
	timeSteps     = 4    // that it costs to judge an element at one time of its animations
)

// layers are the longhands of animation, one value for each layer. The order is that
// of animationLonghands.
type layers [7][]string

var animationLonghands = [...]property{propAnimationName, propAnimationDuration, propAnimationDelay, propAnimationCount,
	propAnimationDirection, propAnimationFill, propAnimationPlay}

// expandAnimation expands the shorthand, whose layers are apart by commas.
func expandAnimation(out []decl, d decl) []decl {
	v := plain(d.value)
	var all layers
	switch {
	case isWide(v):
		for i := range all {
			all[i] = []string{v}
		}
	case isSubstituted(v):
		return out
	default:
		value := d.value // names have a case
		if strings.IndexByte(value, '\\') >= 0 || strings.Contains(value, "/*") {
			value = v
		}
		for layer := range splitTop(value, ',') {
			for i, word := range animationLayer(layer) {
				all[i] = append(all[i], word)
			}
		}
	}
	for i, p := range animationLonghands {
		out = append(out, d.with(p, strings.Join(all[i], ",")))
	}
	return out
}

// animationLayer reads one layer of the shorthand: its words come in any order.
func animationLayer(layer string) [7]string {
	one := [7]string{"none", "0s", "0s", "1", "normal", "none", "running"}
	times := 0
	for _, word := range splitSpace(layer) {
		low := strings.ToLower(word)
		if q, ok := simple(low); ok && q.dim == isTime {
			one[min(1+times, 2)] = low
			times++
			continue
		} else if ok && q.dim == isNumber {
			one[3] = low
			continue
		}
		switch low {
		case "infinite":
			one[3] = low
		case "reverse", "alternate", "alternate-reverse":
			one[4] = low
		case "forwards", "backwards", "both":
			one[5] = low
		case "paused", "running":
			one[6] = low
		default:
			if !isTiming(low) {
				one[0] = strings.Trim(word, `"'`)
			}
		}
	}
	return one
}

// isTiming reports whether a word of the shorthand is none that counts here: an easing
// function or a keyword that is the default.
func isTiming(word string) bool {
	switch word {
	case "none", "normal", "auto", "linear":
		return true
	}
	return strings.HasPrefix(word, "ease") || strings.HasPrefix(word, "step") || strings.IndexByte(word, '(') >= 0
}

// addKeyframe keeps a frame of the animation with a name.
func (s *Sheets) addKeyframe(name, selector string, decls []decl) {
	if s.keyframes == nil {
		s.keyframes = map[string][]keyframe{}
	}
	for _, d := range decls {
		s.varFrames = s.varFrames || isSubstituted(d.value)
	}
	for at := range strings.SplitSeq(selector, ",") {
		at = strings.ToLower(strings.TrimSpace(at))
		k := keyframe{decls: decls}
		if _, rest, ok := strings.Cut(at, " "); ok { // a named range of a timeline
			at = strings.TrimSpace(rest)
		}
		switch at {
		case "from":
		case "to":
			k.at = 1
		default:
			q, ok := simple(at)
			if !ok || q.dim != isPercent || q.v < 0 || q.v > 1 {
				continue
			}
			k.at = q.v
		}
		if s.frames++; s.frames > maxKeyframes {
			s.capped = true
			return
		}
		s.keyframes[name] = append(s.keyframes[name], k)
	}
}

// animationAsks returns the properties to cascade for an element with these
// animations: those of their frames that may hide.
func (s *Sheets) animationAsks(names string) (ask mask) {
	if len(s.keyframes) == 0 {
		return 0
	}
	if isSubstituted(names) {
		return animations | 1<<propOpacity | 1<<propVisibility | 1<<propDisplay
	}
	for name := range strings.SplitSeq(names, ",") {
		for _, k := range s.keyframes[animationName(name)] {
			for _, d := range k.decls {
				if d.prop != propAnimationName && s.asks(d) != 0 {
					ask |= together(d.prop) | animations
				}
			}
		}
	}
	return ask
}

func animationName(s string) string { return strings.Trim(strings.TrimSpace(s), `"'`) }

// animate applies what the animations of the element show of it for a while: a
// state in which it is seen, else the last one.
func (v *values) animate() {
	if len(v.s.keyframes) == 0 || !v.has(propAnimationName) {
		return
	}
	names := v.list(propAnimationName)
	if len(names) == 0 || len(names) > maxAnimations {
		return
	}
	base := v.cells
	times := []float64{restFrom, 3.3, 5, 7.7, 11, restTo}
	for i, name := range names {
		duration, delay := v.seconds(propAnimationDuration, i), v.seconds(propAnimationDelay, i)
		if duration <= 0 {
			continue
		}
		for _, k := range v.s.keyframes[animationName(name)] {
			if len(times) < 64 {
				t := delay + k.at*duration
				for t < restFrom {
					t += duration * math.Ceil(math.Max(1, (restFrom-t)/duration))
				}
				if t <= restTo {
					times = append(times, t)
				}
			}
		}
	}
	if v.scrolls(len(names)) {
		v.animateByScrolling(names, times)
		return
	}
	for n, t := range times {
		v.cells = base
		for i, name := range names {
			v.applyAnimation(animationName(name), i, t)
		}
		if v.s.steps += timeSteps; v.s.steps > maxSteps {
			v.s.capped = true
			return
		}
		if n == len(times)-1 || v.seenNow() {
			return
		}
	}
}

// scrolls reports whether one of so many animations runs with a scroll position, and not
// with time.
func (v *values) scrolls(n int) bool {
	for i := range n {
		if line := v.item(propAnimationTimeline, i); line != "" && line != "auto" {
			return true
		}
	}
	return false
}

// animateByScrolling applies animations that run with a scroll position. What is seen
// without them and at the beginning is seen before anybody scrolls, and what is in view has
// gone through a part of the states, see inView. Whether there is anything to scroll, only a
// layout says: else, what is seen in some states only is unknown.
func (v *values) animateByScrolling(names []string, times []float64) {
	base := v.cells
	shown, hidden := base, !v.seenNow()
	still := !hidden
	seen := still
	var at [3]bool // at the beginning, in the middle, at the end
	for n, t := range append([]float64{restFrom, (restFrom + restTo) / 2, restTo}, times...) {
		if v.s.steps += timeSteps; v.s.steps > maxSteps {
			v.s.capped = true
			return
		}
		v.cells = base
		for i, name := range names {
			v.applyAnimation(animationName(name), i, t)
		}
		now := v.seenNow()
		if now {
			shown, seen = v.cells, true
		} else {
			hidden = true
		}
		if n < len(at) {
			at[n] = now
		}
	}
	v.cells = base
	sure := true
	for i := range names {
		line := v.item(propAnimationTimeline, i)
		sure = sure && (strings.HasPrefix(line, "view(") && v.inView(i, still, at) || strings.HasPrefix(line, "scroll(") && still && at[0])
	}
	v.cells = shown
	v.unknown = v.unknown || seen && hidden && !sure
}

// inView reports whether the i-th animation shows what stands in the window, where it runs
// with the way of the element through it. still says that it is seen without the animation, at
// that it is seen at the beginning, in the middle and at the end.
func (v *values) inView(i int, still bool, at [3]bool) bool {
	fill := v.item(propAnimationFill, i)
	before, after := still, still
	if fill == "both" || fill == "backwards" {
		before = at[0]
	}
	if fill == "both" || fill == "forwards" {
		after = at[2]
	}
	switch ranges := v.item(propAnimationRange, i); {
	case strings.HasPrefix(ranges, "exit"): // it begins when the element leaves
		return before
	case strings.HasPrefix(ranges, "entry") && !containsAny(ranges, "cover", "contain", "exit"):
		return after
	}
	return at[1] && (at[2] || !at[0])
}

// seenNow reports whether the values paint the element's text.
func (v *values) seenNow() bool {
	if v.hides().Why != InSight {
		return false
	}
	if x := v.get(propVisibility); x == "hidden" || x == "collapse" {
		return false
	}
	if n, ok := pixels(v.get(propFontSize)); ok && n < 2 {
		return false
	}
	c, ok := parseColor(v.get(propColor))
	return !ok || !c.clear
}

// list returns the values of a list that commas separate.
func (v *values) list(p property) []string {
	x := v.cells[p].value
	if isSubstituted(x) {
		x = v.get(p)
	}
	if x == "" || !v.has(p) {
		return nil
	}
	return slices.Collect(splitTop(x, ','))
}

// item returns the i-th of a list, which is repeated as often as needed.
func (v *values) item(p property, i int) string {
	l := v.list(p)
	if len(l) == 0 {
		return ""
	}
	return strings.ToLower(strings.TrimSpace(l[i%len(l)]))
}

func (v *values) seconds(p property, i int) float64 {
	q, _ := simple(v.item(p, i))
	return q.v
}

// applyAnimation sets what the i-th animation makes of the element at a time.
func (v *values) applyAnimation(name string, i int, t float64) {
	frames := v.s.keyframes[name]
	if len(frames) == 0 {
		return
	}
	rounds, ended, ok := v.roundsAt(i, t)
	if !ok {
		return
	}
	round := math.Floor(rounds)
	progress := rounds - round
	if progress == 0 && rounds > 0 && (ended || rounds == 1) {
		progress, round = 1, round-1
	}
	switch direction := v.item(propAnimationDirection, i); {
	case direction == "reverse", direction == "alternate" && math.Mod(round, 2) == 1, direction == "alternate-reverse" && math.Mod(round, 2) == 0:
		progress = 1 - progress
	}
	v.applyFrames(frames, progress)
}

// roundsAt returns how often the i-th animation has run at a time, with the part of
// the current round, and whether it has ended. It returns false if the animation does
// not apply at that time.
func (v *values) roundsAt(i int, t float64) (rounds float64, ended, ok bool) {
	duration, delay := v.seconds(propAnimationDuration, i), v.seconds(propAnimationDelay, i)
	count := v.roundsOf(i)
	at := t - delay
	if v.item(propAnimationPlay, i) == "paused" {
		at = -delay
	}
	total := 0.0
	if duration > 0 && count > 0 {
		total = duration * count
	}
	ended = at >= total
	fill := v.item(propAnimationFill, i)
	if line := v.item(propAnimationTimeline, i); line != "" && line != "auto" {
		return (t - restFrom) / (restTo - restFrom), ended, true // a person scrolls
	}
	switch {
	case at < 0:
		return 0, ended, fill == "backwards" || fill == "both"
	case !ended:
		return at / duration, ended, true
	case math.IsInf(count, 1):
		count = 1
	}
	return count, ended, fill == "forwards" || fill == "both"
}

// roundsOf is how often the i-th animation runs.
func (v *values) roundsOf(i int) float64 {
	c := v.item(propAnimationCount, i)
	if c == "infinite" {
		return math.Inf(1)
	}
	if q, ok := simple(c); ok {
		return q.v
	}
	return 1
}

// applyFrames sets what the frames declare at a progress from 0 to 1.
func (v *values) applyFrames(frames []keyframe, progress float64) {
	var done mask
	for _, k := range frames {
		for _, d := range k.decls {
			if d.prop == propCustom || done&d.prop.bit() != 0 && d.prop < firstOfGroups {
				continue
			}
			if v.s.steps > maxSteps {
				v.s.capped = true
				return
			}
			done |= d.prop.bit()
			value := v.between(frames, d.prop, progress)
			if c := &v.cells[d.prop]; v.has(d.prop) && c.prio>>63 == 1 {
				continue // important declarations win over animations
			}
			if value == "" {
				continue
			}
			v.mask |= d.prop.bit()
			v.cells[d.prop] = cell{gen: v.gen, prio: 1 << 61, value: value, rule: v.cells[propAnimationName].rule}
		}
	}
}

// between returns the value of a property between the two frames around a progress.
// Numbers are interpolated, other values are those of the nearer frame; what one of
// the frames shows is shown between them.
func (v *values) between(frames []keyframe, p property, progress float64) string {
	before, after := v.cells[p].value, v.cells[p].value
	from, to := 0.0, 1.0
	looked := 0
	for _, f := range frames {
		looked += 1 + len(f.decls)
		for _, e := range f.decls {
			if e.prop != p {
				continue
			}
			if f.at <= progress && f.at >= from {
				before, from = e.value, f.at
			}
			if f.at >= progress && f.at <= to {
				after, to = e.value, f.at
			}
		}
	}
	v.s.steps += looked / stepSize
	if to <= from {
		return before
	}
	part := (progress - from) / (to - from)
	a, ok1 := frameNumber(p, before)
	b, ok2 := frameNumber(p, after)
	steps := p == propDisplay || p == propVisibility
	switch {
	case ok1 && ok2:
		return formatNumber(a + part*(b-a))
	case part > 0 && part < 1 && (p == propDisplay && before == "none" || p == propVisibility && before != "visible"):
		return after
	case part > .5 && !steps, part >= 1:
		return after
	}
	return before
}

// frameNumber is the number of a value; an opacity that is not set is 1.
func frameNumber(p property, value string) (float64, bool) {
	if value == "" && p == propOpacity {
		return 1, true
	}
	return cssNumber(plain(value))
}
