package css

import "strings"

// valid reports whether a declaration is one that browsers keep: they drop what they
// cannot parse, and an earlier declaration then wins. Values with functions that are
// replaced are valid whatever comes of them. Values whose grammar is not known here
// count as valid.
func (s *Sheets) valid(p property, value string) bool {
	v := strings.TrimSpace(plain(value))
	if isWide(v) || isSubstituted(v) {
		return true
	}
	word := strings.IndexByte(v, '(') < 0
	switch p {
	case propDisplay:
		return !word || isDisplay(v)
	case propVisibility:
		return v == "visible" || v == "hidden" || v == "collapse" || !word
	case propContentVisibility:
		return v == "visible" || v == "hidden" || v == "auto"
	case propPosition:
		switch v {
		case "static", "relative", "absolute", "fixed", "sticky", "-webkit-sticky":
			return true
		}
		return false
	case propOpacity:
		_, ok := cssNumber(v)
		return ok || strings.Contains(v, "sibling-")
	case propColor, propFill:
		if v == "currentcolor" {
			return true
		}
		_, ok := palette{current: black}.parse(v)
		return ok
	case propFontSize:
		q, ok := simple(v)
		if ok && q.v < 0 && word {
			return false
		}
		return isSizeName(v) || ok && s.isLength(q) || !ok && !word
	case propLeft, propRight, propTop, propBottom, propMarginLeft, propMarginTop:
		q, ok := simple(v)
		return v == "auto" || ok && s.isLength(q) || !ok && !word
	case propTextIndent:
		q, ok := simple(splitSpace(v + " 0")[0])
		return ok && s.isLength(q) || !ok && !word
	case propWidth, propHeight, propMaxWidth, propMaxHeight, propMinWidth, propMinHeight:
		q, ok := simple(v)
		if ok && q.v < 0 && word {
			return false
		}
		switch v {
		case "auto", "none", "min-content", "max-content", "fit-content", "stretch", "-webkit-fill-available", "-webkit-max-content", "-webkit-min-content", "-webkit-fit-content", "content", "intrinsic", "min-intrinsic":
			return true
		}
		return ok && s.isLength(q) || !ok && !word
	case propOverflow:
		for f := range strings.FieldsSeq(v) {
			switch f {
			case "visible", "hidden", "clip", "scroll", "auto", "overlay", "-webkit-paged-x", "-webkit-paged-y":
			default:
				return false
			}
		}
	case propTransform:
		_, ok := transformOf(v)
		return ok || v == "none"
	case propScale, propRotate, propTranslate:
		_, ok := transformOfProperty(p, v)
		return ok || v == "none"
	case propZoom:
		q, ok := simple(v)
		return v == "normal" || v == "reset" || ok && q.v >= 0
	case propFloat:
		switch v {
		case "none", "left", "right", "inline-start", "inline-end":
			return true
		}
		return false
	}
	return true
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
