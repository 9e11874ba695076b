package computed

import (
	"strconv"
	"strings"
)

// A track of a grid without a height or a width hides what stands in it, where the item or the
// grid shows nothing of what overflows it. Where an item stands is estimated by its order.

// grid are the tracks of a grid, one of which has no room.
type grid struct {
	rows, columns []track
	clips         bool // the grid shows nothing below its edge
	beyond        int  // the first column that begins beyond the edge of a grid that clips, 0 for none
	next          int  // items so far
}

// track is a row or a column of a grid: whether it has no room, whether its content cannot
// give it room, and its size in pixels and as a share of the grid.
type track struct {
	nothing, fixed bool
	size, share    float64
}

const mostTracks = 64

// grid returns the tracks of the element, nil where all have room.
func (v *values) grid() *grid {
	if !strings.Contains(v.get(propDisplay), "grid") {
		return nil
	}
	g := &grid{rows: tracksOf(v.get(propRows)), columns: tracksOf(v.get(propColumnTracks)), clips: v.clipsAlong(1)}
	if v.view != nil && v.cutsOff() && !v.isMoved() && !v.has(propMarginLeft) {
		at, room := 0., v.statedWidth()
		if room == 0 {
			_, room = v.view.widthOf(v.at)
		}
		for i, t := range g.columns {
			if at += t.size + t.share*room; at >= room && g.beyond == 0 {
				g.beyond = i + 1
			}
		}
	}
	for _, t := range append(g.rows, g.columns...) {
		if t.nothing {
			return g
		}
	}
	if g.beyond > 0 && g.beyond < len(g.columns) {
		return g
	}
	return nil
}

// isFlat reports whether a grid that clips has no height.
func (g *grid) isFlat() bool {
	if g == nil || !g.clips || len(g.rows) == 0 {
		return false
	}
	for _, t := range g.rows {
		if !t.nothing || !t.fixed {
			return false
		}
	}
	return true
}

// hasNoTrack reports whether a list of tracks has one without room, or may have one beyond the
// edge.
func hasNoTrack(_ *Sheets, v string) bool {
	if strings.IndexByte(v, '0') < 0 {
		return false
	}
	wide := 0.
	for _, t := range tracksOf(v) {
		if wide += t.size + t.share*screenWidth; t.nothing || wide >= mostLow {
			return true
		}
	}
	return false
}

func tracksOf(v string) (out []track) {
	for _, word := range splitSpace(v) {
		if word[0] == '[' || word[0] == '"' || word[0] == '\'' {
			continue // names
		}
		times := 1
		if args, ok := call(word, "repeat"); ok {
			count, list, _ := cutTop(args, ',')
			if n, err := strconv.Atoi(strings.TrimSpace(count)); err == nil {
				times = n
			}
			if words := splitSpace(list); len(words) == 1 {
				word = words[0]
			}
		}
		t := trackOf(word)
		for ; times > 0 && len(out) < mostTracks; times-- {
			out = append(out, t)
		}
	}
	return out
}

func trackOf(word string) (t track) {
	least := word
	if args, ok := call(word, "minmax"); ok {
		least, word, _ = cutTop(args, ',')
		least, word = strings.TrimSpace(least), strings.TrimSpace(word)
		t.nothing, t.fixed = isNothing(least) && isNothing(word), true
	} else {
		t.nothing, t.fixed = isNothing(word), !strings.HasSuffix(word, "fr")
	}
	if q, ok := simple(least); ok && q.dim == isPercent {
		t.share = max(q.v, 0)
	} else if ok && q.dim == isLength {
		t.size = max(q.v, 0)
	}
	return t
}

// isInNothing reports whether the element that was entered last may stand in a track without
// room, which shows nothing of it.
func (v *View) isInNothing(k int) bool {
	g := v.stack[k-1].grid
	vals := v.valuesOf(k, sizes)
	switch vals.get(propPosition) {
	case "absolute", "fixed":
		return false
	}
	if vals.get(propDisplay) == "none" {
		return false
	}
	row, column := g.next, 0
	if n := len(g.columns); n > 0 {
		row, column = row/n, row%n
	}
	g.next++
	row, column = lineOf(vals.get(propGridRow), row), lineOf(vals.get(propGridColumn), column)
	if g.beyond > 0 && column >= g.beyond {
		return true
	}
	for axis, tracks := range [...][]track{g.columns, g.rows} {
		at := [...]int{column, row}[axis]
		if at >= len(tracks) || !tracks[at].nothing {
			continue
		}
		if vals.clipsAlong(axis) && !vals.padded(axis == 1) {
			return true
		}
		if axis == 1 && g.clips && tracks[at].fixed && row == len(tracks)-1 {
			return true // nothing below it gives the grid a height
		}
	}
	return false
}

// lineOf is the track, from 0, that an item begins in; otherwise where it is not stated as a
// number.
func lineOf(v string, otherwise int) int {
	line, _, _ := strings.Cut(v, "/")
	if n, err := strconv.Atoi(strings.TrimSpace(line)); err == nil && n > 0 {
		return n - 1
	}
	return otherwise
}
