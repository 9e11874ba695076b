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
	"px": {n: 1}, "": {n: 1}, "in": {n: 96}, "cm": {n: 96 / 2.54}, "mm": {n: 96 / 25.4}, "pt": {n: 96. / 72}, "pc": {n: 16},
	"vw": {n: screenWidth / 100}, "vh": {n: screenHeight / 100}, "vmax": {n: screenWidth / 100}, "vmin": {n: screenHeight / 100},
	"rem": {n: rootFontSize}, "em": {n: 1, font: true}, "ex": {n: .5, font: true}, "ch": {n: .5, font: true}, "%": {n: 1, percent: true},
}

// parseLength parses a length in lower case. Calculations are not computed.
func parseLength(s string) (length, bool) {
	end := strings.LastIndexAny(s, "0123456789.") + 1
	unit, known := units[s[end:]]
	n, err := strconv.ParseFloat(s[:end], 64)
	if !known || err != nil || end == len(s) && n != 0 {
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
	if percent {
		n /= fullBox
	}
	return min(max(n, 0), 1), err == nil && !math.IsNaN(n)
}

// calls returns the functions of a value with their arguments: "scale(0) rotate(1deg)".
func calls(s string) (out [][2]string) {
	if !strings.HasSuffix(s, ")") {
		return nil
	}
	for _, f := range fields(s) {
		if name, args, ok := strings.Cut(strings.TrimSuffix(f, ")"), "("); ok {
			out = append(out, [2]string{name, args})
		}
	}
	return out
}

// arguments divides the arguments of a function at commas, slashes and white space.
func arguments(s string) []string {
	return strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(space+",/", r) })
}

// away returns what a transform does to a box: it has no area (BySize), or it is moved out of
// sight (ByPlace).
func away(p property, value string, font float64) Cause {
	switch p {
	case propScale:
		value = "scale(" + value + ")"
	case propTranslate:
		value = "translate(" + value + ")"
	}
	for _, call := range calls(value) {
		for i, arg := range arguments(call[1]) {
			number, isAngle := strings.CutSuffix(arg, "deg")
			n, err := strconv.ParseFloat(number, 64)
			switch {
			case i > 1: // the depth
			case strings.HasPrefix(call[0], "scale") && err == nil && math.Abs(n) <= faint,
				(call[0] == "rotatex" || call[0] == "rotatey") && isAngle && math.Abs(n) == edgeOn:
				return BySize
			case strings.HasPrefix(call[0], "translate") && !strings.HasSuffix(arg, "%") && isFar(arg, font):
				return ByPlace
			}
		}
	}
	return Seen
}

// isEmptyPath reports whether a clip-path leaves nothing of a box.
func isEmptyPath(path string) bool {
	for _, call := range calls(path) {
		args := arguments(call[1])
		if len(args) == 0 {
			continue
		}
		l, ok := parseLength(args[0])
		switch call[0] {
		case "inset":
			return ok && l.percent && l.n >= halfBox && len(args) < 3
		case "circle", "ellipse":
			return ok && l.n == 0
		}
	}
	return false
}

// isEmptyClip reports whether the rectangle of the clip property has no area, or a pixel:
// rect(0, 0, 0, 0), rect(1px 1px 1px 1px).
func isEmptyClip(clip string) bool {
	list := calls(clip)
	if len(list) == 0 || list[0][0] != "rect" {
		return false
	}
	for _, side := range arguments(list[0][1]) {
		if !isUpTo(side, tiny, rootFontSize) {
			return false
		}
	}
	return true
}
