package css

import "strings"

// appliesToScreen reports whether a list of media queries surely applies to a page on a
// screen of 1280 by 800 pixels. Only the type of the medium and limits of its size are known.
func appliesToScreen(list string) bool {
	if strings.TrimSpace(list) == "" {
		return true
	}
	for query := range strings.SplitSeq(strings.ToLower(list), ",") {
		if queryApplies(strings.TrimSpace(query)) {
			return true
		}
	}
	return false
}

func queryApplies(query string) bool {
	if rest, not := strings.CutPrefix(query, "not "); not {
		return strings.TrimSpace(rest) == "print"
	}
	for part := range strings.SplitSeq(query, " and ") {
		switch part = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(part), "only ")); part {
		case "all", "screen":
			continue
		}
		feature, bracketed := strings.CutPrefix(part, "(")
		feature, closed := strings.CutSuffix(feature, ")")
		if !bracketed || !closed || !sizeApplies(feature) {
			return false
		}
	}
	return true
}

// sizeApplies evaluates a limit such as "min-width: 700px".
func sizeApplies(feature string) bool {
	name, value, _ := strings.Cut(feature, ":")
	limit, ok := parseLength(strings.ReplaceAll(value, " ", ""))
	size := screenWidth
	if strings.HasSuffix(strings.TrimSpace(name), "height") {
		size = screenHeight
	}
	if !ok || limit.percent {
		return false
	}
	switch strings.TrimSpace(name) {
	case "min-width", "min-height":
		return size >= limit.pixels(rootFontSize)
	case "max-width", "max-height":
		return size <= limit.pixels(rootFontSize)
	}
	return false
}
