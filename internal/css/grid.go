package css

import (
	"strconv"
	"strings"
)

// A track of a grid without a height or a width hides what stands in it, where the item or the
// grid shows nothing of what overflows it. Where an item stands is estimated by its order.

// grid are the tracks of a grid, one of which has no room.
type grid struct {
	rows, columns []track
	clips         bool // the grid shows nothing beyond its edges
	next          int  // items so far
}

// track is a row or a column of a grid: whether it has no room, and whether its content could
// give it room.
type track struct{ nothing, fixed bool }

const mostTracks = 64

// grid returns the tracks of the element, nil where all have room.
func (v *values) grid() *grid {
	if !strings.Contains(v.get(propDisplay), "grid") {
		return nil
	}
	g := &grid{rows: tracksOf(v.get(propRows)), columns: tracksOf(v.get(propColumnTracks)), clips: v.clipsAlong(1)}
	for _, t := range append(g.rows, g.columns...) {
		if t.nothing {
			return g
		}
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

// hasNoTrack reports whether a list of tracks has one without room.
func hasNoTrack(_ *Sheets, v string) bool {
	if strings.IndexByte(v, '0') < 0 {
		return false
	}
	for _, t := range tracksOf(v) {
		if t.nothing {
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

func trackOf(word string) track {
	if args, ok := call(word, "minmax"); ok {
		least, most, _ := cutTop(args, ',')
		if word = strings.TrimSpace(most); !isNothing(strings.TrimSpace(least)) {
			return track{}
		}
		return track{isNothing(word), true}
	}
	return track{isNothing(word), !strings.HasSuffix(word, "fr")}
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
