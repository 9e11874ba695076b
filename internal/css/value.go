package css

import (
	"math"
	"strconv"
	"strings"
)

// length is a length or a percentage.
type length struct {
	n       float64
	percent bool
	font    bool // n counts sizes of the font
}

// units are the units of lengths in pixels.
var units = map[string]length{
	"px": {n: 1}, "": {n: 1}, "in": {n: 96}, "cm": {n: 96 / 2.54}, "mm": {n: 96 / 25.4}, "q": {n: 96 / 101.6}, "pt": {n: 96. / 72}, "pc": {n: 16},
	"vw": {n: screenWidth / 100}, "vh": {n: screenHeight / 100}, "vmax": {n: screenWidth / 100}, "vmin": {n: screenHeight / 100},
	"dvw": {n: screenWidth / 100}, "dvh": {n: screenHeight / 100}, "vi": {n: screenWidth / 100}, "vb": {n: screenHeight / 100},
	"rem": {n: rootFontSize}, "em": {n: 1, font: true}, "ex": {n: .5, font: true}, "ch": {n: .5, font: true},
	"%": {n: 1, percent: true},
}

// parseLength parses a length in lower case. Calculations are not computed.
func parseLength(s string) (length, bool) {
	end := len(s)
	for end > 0 && (s[end-1] >= 'a' && s[end-1] <= 'z' || s[end-1] == '%') {
		end--
	}
	unit, known := units[s[end:]]
	n, err := strconv.ParseFloat(s[:end], 64)
	if !known || err != nil || math.IsNaN(n) || math.IsInf(n, 0) || end == len(s) && n != 0 {
		return length{}, false
	}
	unit.n *= n
	return unit, true
}

// pixels returns a length in pixels in a font of this size. A percentage stays as it is.
func (l length) pixels(font float64) float64 {
	if l.font {
		return l.n * font
	}
	return l.n
}

// isUpTo reports whether a text is a length of at most some pixels, e.g. "0" or "1px".
func isUpTo(s string, most, font float64) bool {
	l, ok := parseLength(s)
	return ok && (!l.percent || l.n == 0) && l.pixels(font) <= most
}

// isFar reports whether a text is a negative length that moves out of sight, or a percentage
// that moves by a box of its size.
func isFar(s string, font float64) bool {
	l, ok := parseLength(s)
	return ok && (l.percent && l.n <= -fullBox || !l.percent && l.pixels(font) <= -farAway)
}

// fraction parses a number or a percentage, such as an opacity.
func fraction(s string) (float64, bool) {
	number, percent := strings.CutSuffix(s, "%")
	n, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(n) {
		return 0, false
	}
	if percent {
		n /= fullBox
	}
	return min(max(n, 0), 1), true
}

// calls returns the functions of a value with their arguments: "scale(0) rotate(1deg)".
func calls(s string) (out [][2]string) {
	for _, f := range fields(s) {
		name, args, ok := strings.Cut(f, "(")
		if args, closed := strings.CutSuffix(args, ")"); ok && closed {
			out = append(out, [2]string{name, args})
		}
	}
	return out
}

// arguments divides the arguments of a function at commas, or at white space.
func arguments(s string) []string { return fields(strings.ReplaceAll(s, ",", " ")) }

// isAway reports what a transform does to a box: it has no area (BySize), or it is moved out of
// sight (ByPlace).
func isAway(transform string, font float64) Cause {
	for _, call := range calls(transform) {
		args := arguments(call[1])
		first, second := "", ""
		if len(args) > 0 {
			first, second = args[0], args[0]
		}
		if len(args) > 1 {
			second = args[1]
		}
		switch call[0] {
		case "scale", "scalex", "scaley", "scale3d":
			if isSmall(first) || isSmall(second) {
				return BySize
			}
		case "rotatex", "rotatey":
			if degrees, ok := strings.CutSuffix(first, "deg"); ok {
				if n, err := strconv.ParseFloat(degrees, 64); err == nil && math.Abs(n) == edgeOn {
					return BySize
				}
			}
		case "matrix":
			if isFlat(args) {
				return BySize
			}
		case "translate", "translatex", "translate3d", "translatey":
			if isFarLength(first, font) || len(args) > 1 && isFarLength(second, font) {
				return ByPlace
			}
		}
	}
	return Seen
}

// isFarLength is isFar for lengths only: a percentage is of the box itself.
func isFarLength(s string, font float64) bool {
	return !strings.HasSuffix(s, "%") && isFar(s, font)
}

func isSmall(s string) bool {
	n, err := strconv.ParseFloat(s, 64)
	return err == nil && math.Abs(n) <= faint
}

// isFlat reports whether matrix(a, b, c, d, …) leaves no area.
func isFlat(args []string) bool {
	var m [4]float64
	if len(args) < len(m) {
		return false
	}
	for i := range m {
		n, err := strconv.ParseFloat(args[i], 64)
		if err != nil {
			return false
		}
		m[i] = n
	}
	return math.Abs(m[0]*m[3]-m[1]*m[2]) <= faint*faint
}

// clipsAll reports whether a clip-path leaves nothing of a box.
func clipsAll(path string) bool {
	for _, call := range calls(path) {
		shape, _, _ := strings.Cut(call[1], " round ")
		radii, _, _ := strings.Cut(" "+call[1], " at ")
		args := arguments(radii)
		switch call[0] {
		case "inset":
			if side := fields(shape); len(side) > 0 {
				vertical := isHalf(side[0]) && isHalf(side[sideOf(2, len(side))])
				return vertical || isHalf(side[sideOf(1, len(side))]) && isHalf(side[sideOf(3, len(side))])
			}
		case "circle":
			return len(args) == 1 && isUpTo(args[0], 0, 0)
		case "ellipse":
			return len(args) == 2 && (isUpTo(args[0], 0, 0) || isUpTo(args[1], 0, 0))
		case "polygon":
			return isLine(call[1])
		}
	}
	return false
}

// isHalf reports whether an inset from one side is half of the box or more.
func isHalf(s string) bool {
	l, ok := parseLength(s)
	return ok && l.percent && l.n >= halfBox
}

// sideOf returns which of 1 to 4 values is that of a side: top, right, bottom, left.
func sideOf(side, values int) int {
	for side >= values {
		side = max(side-2, 0)
	}
	return side
}

// isLine reports whether all corners of a polygon have the same x or the same y.
func isLine(corners string) bool {
	sameX, sameY, n := true, true, 0
	var x, y string
	for corner := range strings.SplitSeq(corners, ",") {
		at := fields(corner)
		if len(at) != 2 {
			return false
		}
		if n++; n == 1 {
			x, y = at[0], at[1]
		}
		sameX, sameY = sameX && at[0] == x, sameY && at[1] == y
	}
	return n > 0 && (sameX || sameY)
}

// clipIsEmpty reports whether the rectangle of the clip property has no area, or a pixel.
func clipIsEmpty(clip string) bool {
	for _, call := range calls(clip) {
		side := arguments(call[1])
		if call[0] != "rect" || len(side) != 4 {
			return false
		}
		var px [4]float64
		for i := range side {
			l, ok := parseLength(side[i])
			if !ok {
				return false
			}
			px[i] = l.pixels(rootFontSize)
		}
		return px[2]-px[0] <= tiny || px[1]-px[3] <= tiny
	}
	return false
}
