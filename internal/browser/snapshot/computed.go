package snapshot

import (
	"strconv"
	"strings"
)

// Styles are the computed styles that a DOM snapshot has to be captured with,
// in this order.
func Styles() []string { return styles[:] }

var styles = [...]string{
	styleDisplay: "display", styleVisibility: "visibility", styleOpacity: "opacity", stylePosition: "position", styleOverlay: "overlay",
	styleOverflowX: "overflow-x", styleOverflowY: "overflow-y", styleClipMargin: "overflow-clip-margin", styleClip: "clip", styleClipPath: "clip-path", styleContain: "contain", styleContentVisibility: "content-visibility",
	styleTransform: "transform", styleTranslate: "translate", styleRotate: "rotate", styleScale: "scale", styleFilter: "filter", stylePerspective: "perspective", styleTransformStyle: "transform-style", styleBackface: "backface-visibility",
	styleFontSize: "font-size", styleFontWeight: "font-weight", styleFontStyle: "font-style", styleBreaks: "white-space-collapse",
	styleCursor: "cursor", styleBackColor: "background-color", styleFill: "fill", styleStroke: "stroke",
}

const (
	styleDisplay = iota
	styleVisibility
	styleOpacity
	stylePosition
	styleOverlay
	styleOverflowX
	styleOverflowY
	styleClipMargin
	styleClip
	styleClipPath
	styleContain
	styleContentVisibility
	styleTransform
	styleTranslate
	styleRotate
	styleScale
	styleFilter
	stylePerspective
	styleTransformStyle
	styleBackface
	styleFontSize
	styleFontWeight
	styleFontStyle
	styleBreaks
	styleCursor
	styleBackColor
	styleFill
	styleStroke
)

// style returns a computed style, "" for a node without a box.
func (d *doc) style(i, which int) string {
	j := d.layout[i]
	if j == 0 {
		return ""
	}
	s := d.src.Layout.Styles[j-1]
	if which >= len(s) {
		return ""
	}
	return d.str(s[which])
}

// pixels reads a length as computed styles have it: "12.5px".
func pixels(s string) (float64, bool) {
	f, err := strconv.ParseFloat(strings.TrimSuffix(s, "px"), 64)
	return f, err == nil
}

// fontSize is the size of the letters in a node, in pixels; 0 where it is not known.
func (d *doc) fontSize(i int) float64 {
	f, _ := pixels(d.style(i, styleFontSize))
	return f
}

func scrolls(overflow string) bool { return overflow == "auto" || overflow == "scroll" }

func cuts(overflow string) bool { return overflow == "hidden" || overflow == "clip" }

// colour reads "rgb(r, g, b)" and "rgba(r, g, b, a)", as computed styles are
// written.
func colour(s string) (r, g, b int, a float64, ok bool) {
	name, list, _ := strings.Cut(strings.TrimSuffix(s, ")"), "(")
	f := strings.Split(list, ",")
	if !strings.HasPrefix(name, "rgb") || len(f) < 3 {
		return 0, 0, 0, 0, false
	}
	var n [3]int
	for i := range n {
		var err error
		if n[i], err = strconv.Atoi(strings.TrimSpace(f[i])); err != nil {
			return 0, 0, 0, 0, false
		}
	}
	a = 1
	if len(f) > 3 {
		var err error
		if a, err = strconv.ParseFloat(strings.TrimSpace(f[3]), 64); err != nil {
			return 0, 0, 0, 0, false
		}
	}
	return n[0], n[1], n[2], a, true
}
