package computed

import (
	"slices"
	"strings"
)

// valid reports whether a declaration is one that browsers keep: they drop what they
// cannot parse, and an earlier declaration then wins. Values with functions that are
// replaced are valid whatever comes of them. Values whose grammar is not known here
// count as valid.
func (s *Sheets) valid(p property, value string) bool {
	v := strings.TrimSpace(plain(value))
	if isWide(v) || isSubstituted(v) {
		return true
	}
	fits := grammars[p]
	if fits == nil {
		return true
	}
	return fits(s, v, strings.IndexByte(v, '(') < 0)
}

// grammars decide whether a property has a value; word says that the value has no
// functions. A value of functions that are not known here counts as valid.
var grammars = [propAll + 1]func(s *Sheets, v string, word bool) bool{
	propDisplay:           func(_ *Sheets, v string, word bool) bool { return !word || isDisplay(v) },
	propVisibility:        func(_ *Sheets, v string, word bool) bool { return !word || isOneOf(v, "visible", "hidden", "collapse") },
	propContentVisibility: func(_ *Sheets, v string, _ bool) bool { return isOneOf(v, "visible", "hidden", "auto") },
	propPosition: func(_ *Sheets, v string, _ bool) bool {
		return isOneOf(v, "static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky")
	},
	propOpacity:    isOpacity,
	propColor:      isColor,
	propFill:       isColor,
	propFontSize:   (*Sheets).isFontSize,
	propLeft:       (*Sheets).isOffset,
	propRight:      (*Sheets).isOffset,
	propTop:        (*Sheets).isOffset,
	propBottom:     (*Sheets).isOffset,
	propMarginLeft: (*Sheets).isOffset,
	propMarginTop:  (*Sheets).isOffset,
	propTextIndent: func(s *Sheets, v string, word bool) bool {
		for _, w := range splitSpace(v) {
			if w != "hanging" && w != "each-line" && !s.fitsLength(w, word) {
				return false
			}
		}
		return true
	},
	propLineHeight: func(_ *Sheets, v string, word bool) bool {
		q, ok := simple(v)
		return v == "normal" || v == "-webkit-body" || !word || ok && q.v >= 0
	},
	propLetterSpacing: func(s *Sheets, v string, word bool) bool { return v == "normal" || s.fitsLength(v, word) },
	propTextSecurity:  func(_ *Sheets, v string, _ bool) bool { return isOneOf(v, "none", "disc", "circle", "square") },
	propContain: func(_ *Sheets, v string, _ bool) bool {
		return allOf(v, "none", "strict", "content", "size", "inline-size", "layout", "style", "paint")
	},
	propContainerType: func(_ *Sheets, v string, _ bool) bool {
		return allOf(v, "normal", "size", "inline-size", "scroll-state", "anchored")
	},
	propBlend: func(_ *Sheets, v string, _ bool) bool {
		return isOneOf(v, "normal", "multiply", "screen", "overlay", "darken", "lighten", "color-dodge", "color-burn", "hard-light", "soft-light",
			"difference", "exclusion", "hue", "saturation", "color", "luminosity", "plus-lighter", "plus-darker")
	},
	propMask:            func(_ *Sheets, v string, _ bool) bool { return areLayers(v, false) },
	propBackground:      func(_ *Sheets, v string, _ bool) bool { return areLayers(v, true) },
	propBackgroundImage: func(_ *Sheets, v string, _ bool) bool { return areLayers(v, true) },
	propWidth:           (*Sheets).isSize,
	propHeight:          (*Sheets).isSize,
	propMaxWidth:        (*Sheets).isSize,
	propMaxHeight:       (*Sheets).isSize,
	propMinWidth:        (*Sheets).isSize,
	propMinHeight:       (*Sheets).isSize,
	propOverflow:        isOverflow,
	propTransform:       func(_ *Sheets, v string, _ bool) bool { _, ok := transformOf(v); return ok || v == "none" },
	propScale:           func(_ *Sheets, v string, _ bool) bool { return isTransform(propScale, v) },
	propRotate:          func(_ *Sheets, v string, _ bool) bool { return isTransform(propRotate, v) },
	propTranslate:       func(_ *Sheets, v string, _ bool) bool { return isTransform(propTranslate, v) },
	propZoom:            isZoom,
	propFilter:          isFilter,
	propClipPath:        isClipPath,
	propFloat: func(_ *Sheets, v string, _ bool) bool {
		return isOneOf(v, "none", "left", "right", "inline-start", "inline-end")
	},
}

func isOneOf(v string, words ...string) bool { return slices.Contains(words, v) }

func isOpacity(_ *Sheets, v string, _ bool) bool {
	_, ok := cssNumber(v)
	return ok || strings.Contains(v, "sibling-")
}

func isColor(_ *Sheets, v string, _ bool) bool {
	if v == "currentcolor" {
		return true
	}
	_, ok := palette{current: black}.parse(v)
	return ok
}

func (s *Sheets) isFontSize(v string, word bool) bool {
	return !isNegative(v, word) && (isSizeName(v) || s.fitsLength(v, word))
}

func (s *Sheets) isOffset(v string, word bool) bool { return v == "auto" || s.fitsLength(v, word) }

func (s *Sheets) isSize(v string, word bool) bool {
	if isNegative(v, word) {
		return false
	}
	switch v {
	case "auto", "none", "min-content", "max-content", "fit-content", "stretch", "-webkit-fill-available", "-webkit-max-content", "-webkit-min-content", "-webkit-fit-content", "content", "intrinsic", "min-intrinsic":
		return true
	}
	return s.fitsLength(v, word)
}

// isNegative reports whether a value without functions is a number below zero.
func isNegative(v string, word bool) bool {
	q, ok := simple(v)
	return ok && q.v < 0 && word
}

// fitsLength reports whether a value is a length, or one of functions that are not
// known here.
func (s *Sheets) fitsLength(v string, word bool) bool {
	q, ok := simple(v)
	if !ok {
		return !word
	}
	return s.isLength(q) && (word || q.dim != isNumber) // a sum of numbers is not a length, 0 is one
}

// areLayers reports whether a value may be one of background or mask: layers of a picture, its
// place, and words; the last layer of a background has a colour at most once.
func areLayers(v string, ground bool) bool {
	colors := 0
	for start := 0; start <= len(v); {
		end := nextTop(v, start, &argumentEnds)
		w := v[start:end]
		_, isNumber := simple(w)
		switch {
		case w == "", isNumber, isLayerWord(w):
		case strings.IndexByte(w, '(') >= 0 && isPicture(w):
			if isForeign(w) {
				return false
			}
		case ground && isColor(nil, w, false):
			colors++
		case strings.IndexByte(w, '(') < 0:
			return false
		}
		if end < len(v) && v[end] == ',' && colors > 0 {
			return false
		}
		start = end + 1
	}
	return colors <= 1
}

func isLayerWord(w string) bool {
	switch w {
	case "none", "repeat", "repeat-x", "repeat-y", "no-repeat", "round", "space", "left", "right", "top", "bottom", "center", "x-start", "x-end", "y-start", "y-end",
		"auto", "cover", "contain", "scroll", "fixed", "local", "border-box", "padding-box", "content-box", "border-area", "fill-box", "stroke-box", "view-box",
		"text", "no-clip", "border", "padding", "content", "fill", "stroke", "view", "add", "subtract", "intersect", "exclude", "alpha", "luminance", "match-source",
		"source-over", "source-in", "source-out", "source-atop", "destination-over", "destination-in", "destination-out", "destination-atop", "xor", "copy", "clear":
		return true
	}
	return false
}

// isForeign reports whether a word has the prefix of another browser.
func isForeign(s string) bool {
	return s != "" && s[0] == '-' && (strings.HasPrefix(s, "-moz-") || strings.HasPrefix(s, "-ms-") || strings.HasPrefix(s, "-o-") || strings.HasPrefix(s, "-khtml-"))
}

// allOf reports whether all words of a value are among some.
func allOf(v string, words ...string) bool {
	for f := range strings.FieldsSeq(v) {
		if !slices.Contains(words, f) {
			return false
		}
	}
	return true
}

func isOverflow(_ *Sheets, v string, _ bool) bool {
	n := 0
	for f := range strings.FieldsSeq(v) {
		if n++; n > 2 {
			return false
		}
		switch f {
		case "visible", "hidden", "clip", "scroll", "auto", "overlay", "-webkit-paged-x", "-webkit-paged-y":
		default:
			return false
		}
	}
	return true
}

func isTransform(p property, v string) bool {
	_, ok := transformOfProperty(p, v)
	return ok || v == "none"
}

func isZoom(_ *Sheets, v string, _ bool) bool {
	q, ok := simple(v)
	return v == "normal" || v == "reset" || ok && q.v >= 0
}

// isLength reports whether a quantity is a length: in quirks mode, numbers without
// units are.
func (s *Sheets) isLength(q quantity) bool {
	return q.dim == isLength || q.dim == isPercent || q.dim == isNumber && (q.v == 0 || s.Quirks)
}

// isDisplay reports whether a value is one of display (CSS Display Module Level 3).
func isDisplay(v string) bool {
	n := 0
	for f := range strings.FieldsSeq(v) {
		n++
		switch strings.TrimPrefix(f, "inline-") {
		case "none", "contents", "block", "inline", "flow", "flow-root", "table", "flex", "grid", "ruby", "math", "list-item", "run-in",
			"table-row-group", "table-header-group", "table-footer-group", "table-row", "table-cell", "table-column-group", "table-column",
			"table-caption", "ruby-text", "-webkit-box", "-webkit-inline-box", "-webkit-flex", "-webkit-inline-flex", "grid-lanes":
		default:
			return false
		}
	}
	return n > 0 && n <= 3
}

// isFilter reports whether a value is a list of filters (Filter Effects Module Level 1,
// section 6): their shares are not negative.
func isFilter(_ *Sheets, v string, _ bool) bool {
	for v != "" {
		name, args, rest := cutCall(v)
		switch v = rest; name {
		case "opacity", "brightness", "contrast", "grayscale", "invert", "saturate", "sepia":
			if n, ok := cssNumber(args); args != "" && (!ok || n < 0) {
				return false
			}
		case "none", "blur", "drop-shadow", "hue-rotate", "url":
		default:
			return false
		}
	}
	return true
}

// isClipPath reports whether a value is a shape, a reference, and a box that it is about.
func isClipPath(_ *Sheets, v string, _ bool) bool {
	shapes := 0
	for v != "" {
		name, args, rest := cutCall(v)
		v = rest
		switch name {
		case "none", "border-box", "padding-box", "content-box", "margin-box", "fill-box", "stroke-box", "view-box":
			continue
		case "circle", "ellipse":
			radii, _, _ := strings.Cut(" "+args, " at ")
			n := 0
			for _, r := range splitSpace(radii) {
				q, ok := simple(r)
				if n++; !ok && !strings.HasSuffix(r, "-side") && !strings.HasSuffix(r, "-corner") || ok && (q.v < 0 || q.dim == isNumber && q.v != 0) {
					return false
				}
			}
			if n > 2 || (n > 0) != (name == "ellipse" && n == 2 || name == "circle" && n == 1) {
				return false
			}
		case "xywh":
			if f := splitSpace(args); len(f) >= 4 && (isNegative(f[2], true) || isNegative(f[3], true)) {
				return false
			}
		default:
			if args == "" {
				return false
			}
		}
		if shapes++; shapes > 1 {
			return false
		}
	}
	return true
}

// cutCall cuts the first word of a value off, with its arguments if it is a function.
func cutCall(v string) (name, args, rest string) {
	end := strings.IndexAny(v, "( ")
	if end < 0 {
		return v, "", ""
	}
	if name, rest = v[:end], v[end:]; rest[0] == '(' {
		end = closing(rest, 0)
		args, rest = strings.TrimSpace(rest[1:max(end, 1)]), rest[min(end+1, len(rest)):]
	}
	return name, args, strings.TrimSpace(rest)
}
