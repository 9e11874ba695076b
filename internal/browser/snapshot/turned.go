package snapshot

import (
	"strconv"
	"strings"
)

// Rules of what is turned in space. A face with its back to the window is not seen if the page
// hides backs, or if another face of the same body is in front of it. Of the faces that are seen,
// those that are not the most frontal one are "at an angle".

// A turn is how an element is turned in space: its axes, by columns (CSS Transforms Module Level
// 2, section 6.1).
type turn [9]float64

// front is how much of a face is turned to the window: 1 all of it, less than 0 its back.
func (t *turn) front() float64 {
	if t == nil {
		return 1
	}
	return t[8]
}

// turnOf is the turn of an element in what is around it; nil for none.
func (d *doc) turnOf(i int, around *turn) *turn {
	list, is := strings.CutPrefix(d.style(i, styleTransform), "matrix3d(")
	if !is {
		return around
	}
	var own turn
	f := strings.Split(strings.TrimSuffix(list, ")"), ",")
	for k := range own {
		n := k/3*4 + k%3
		if n >= len(f) {
			return around
		}
		var err error
		if own[k], err = strconv.ParseFloat(strings.TrimSpace(f[n]), 64); err != nil {
			return around
		}
	}
	if around == nil {
		return &own
	}
	var out turn
	for column := range 3 {
		for row := range 3 {
			for k := range 3 {
				out[column*3+row] += around[k*3+row] * own[column*3+k]
			}
		}
	}
	return &out
}

// face turns a view into that of an element which is turned with what is around it.
func (d *doc) face(i int, v view) view {
	around := v.turn
	v.turn = d.turnOf(i, around)
	front := v.turn.front()
	if v.turn != nil {
		best := front
		if up := d.up(i); up > 0 && d.style(up, styleTransformStyle) == "preserve-3d" && front < frontal {
			for c, n := d.first[up], 0; c != 0 && n < mostFaces; c, n = d.next[c], n+1 {
				if strings.HasPrefix(d.style(int(c), styleTransform), "matrix3d(") {
					best = max(best, d.turnOf(int(c), around).front())
				}
			}
		}
		v.gone = v.gone || front < 0 && d.style(i, styleBackface) == "hidden" || front < edgeOn && best > front+edgeOn
		if best > front+edgeOn && !v.gone {
			if d.angled == nil {
				d.angled = make(map[int]bool)
			}
			d.angled[i] = true
		}
	}
	if d.style(i, styleTransformStyle) != "preserve-3d" {
		v.turn = nil // it is flat, and what is in it is drawn on it
	}
	return v
}
