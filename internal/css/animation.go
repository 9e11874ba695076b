package css

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
)

// expandAnimation expands the shorthand, whose layers are apart by commas.
func expandAnimation(out []decl, d decl) []decl {
	v := plain(d.value)
	var lists [7][]string
	if isSubstituted(v) || isWide(v) {
		for i := range lists {
			lists[i] = []string{v}
		}
		if !isWide(v) {
			return out
		}
	} else {
		for layer := range splitTop(plainVars(d.value), ',') {
			one := [7]string{"none", "0s", "0s", "1", "normal", "none", "running"}
			times := 0
			for _, word := range splitSpace(layer) {
				low := strings.ToLower(word)
				q, isQuantity := simple(low)
				switch {
				case isQuantity && q.dim == isTime:
					one[min(1+times, 2)] = low
					times++
				case isQuantity && q.dim == isNumber || low == "infinite":
					one[3] = low
				case low == "reverse" || low == "alternate" || low == "alternate-reverse":
					one[4] = low
				case low == "forwards" || low == "backwards" || low == "both":
					one[5] = low
				case low == "paused" || low == "running":
					one[6] = low
				case low == "none" || low == "normal" || low == "auto" || strings.HasPrefix(low, "ease") || low == "linear" ||
					strings.HasPrefix(low, "step") || strings.IndexByte(low, '(') >= 0:
				default:
					one[0] = strings.Trim(word, `"'`)
				}
			}
			for i := range lists {
				lists[i] = append(lists[i], one[i])
			}
		}
	}
	for i, p := range [...]property{propAnimationName, propAnimationDuration, propAnimationDelay, propAnimationCount, propAnimationDirection, propAnimationFill, propAnimationPlay} {
		d.prop, d.value = p, strings.Join(lists[i], ",")
		out = append(out, d)
	}
	return out
}

// addKeyframe keeps a frame of the animation with a name.
func (s *Sheets) addKeyframe(name, selector string, decls []decl) {
	if s.keyframes == nil {
		s.keyframes = map[string][]keyframe{}
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
	for n, t := range times {
		v.cells = base
		for i, name := range names {
			v.applyAnimation(animationName(name), i, t)
		}
		if n == len(times)-1 || v.seenNow() {
			return
		}
	}
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
	duration, delay := v.seconds(propAnimationDuration, i), v.seconds(propAnimationDelay, i)
	count := 1.0
	if c := v.item(propAnimationCount, i); c == "infinite" {
		count = math.Inf(1)
	} else if q, ok := simple(c); ok {
		count = q.v
	}
	fill := v.item(propAnimationFill, i)
	at := t - delay
	if v.item(propAnimationPlay, i) == "paused" {
		at = -delay
	}
	total := 0.0
	if duration > 0 && count > 0 {
		total = duration * count
	}
	rounds := 0.0 // how often it has run, with the part of the current round
	if line := v.item(propAnimationTimeline, i); line != "" && line != "auto" {
		rounds = (t - restFrom) / (restTo - restFrom) // a person scrolls
	} else if at < 0 {
		if fill != "backwards" && fill != "both" {
			return
		}
	} else if at >= total {
		if fill != "forwards" && fill != "both" {
			return
		}
		if rounds = count; math.IsInf(count, 1) {
			rounds = 1
		}
	} else {
		rounds = at / duration
	}
	round := math.Floor(rounds)
	progress := rounds - round
	if progress == 0 && rounds > 0 && (at >= total || rounds == 1) {
		progress, round = 1, round-1
	}
	switch direction := v.item(propAnimationDirection, i); {
	case direction == "reverse", direction == "alternate" && math.Mod(round, 2) == 1, direction == "alternate-reverse" && math.Mod(round, 2) == 0:
		progress = 1 - progress
	}
	v.applyFrames(frames, progress)
}

// applyFrames sets what the frames declare at a progress from 0 to 1. Numbers are
// interpolated, other values are those of the nearer frame; what one of two frames
// shows is shown between them.
func (v *values) applyFrames(frames []keyframe, progress float64) {
	var done mask
	for _, k := range frames {
		for _, d := range k.decls {
			if d.prop == propCustom || done&d.prop.bit() != 0 && d.prop < firstOfGroups {
				continue
			}
			done |= d.prop.bit()
			before, after := v.cells[d.prop].value, v.cells[d.prop].value
			from, to := 0.0, 1.0
			for _, f := range frames {
				for _, e := range f.decls {
					if e.prop != d.prop {
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
			value := before
			if to > from {
				part := (progress - from) / (to - from)
				a, ok1 := cssNumber(plain(before))
				if before == "" && d.prop == propOpacity {
					a, ok1 = 1, true
				}
				b, ok2 := cssNumber(plain(after))
				if after == "" && d.prop == propOpacity {
					b, ok2 = 1, true
				}
				switch {
				case ok1 && ok2:
					value = formatNumber(a + part*(b-a))
				case part > 0 && part < 1 && (d.prop == propDisplay && before == "none" || d.prop == propVisibility && before != "visible"):
					value = after
				case part > .5 && d.prop != propDisplay && d.prop != propVisibility, part >= 1:
					value = after
				}
			}
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
