package computed

import "strings"

// matchSupports evaluates the condition of @supports (CSS Conditional Rules Module
// Level 5) for a current Chromium.
func matchSupports(cond string) bool {
	if len(cond) > maxStyle {
		return false
	}
	return condition(plain(cond), func(s string) truth {
		name, value, ok := strings.Cut(s, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || value == "" {
			return no
		}
		return is(supports(name, value))
	}, 0, func(name, arg string) truth {
		switch name {
		case "selector":
			return is(validSelectors(arg))
		case "font-tech":
			return is(isOneOf(strings.TrimSpace(arg), "features-opentype", "features-aat", "color-colrv0", "color-colrv1", "color-sbix", "color-cbdt", "variations", "palettes"))
		case "font-format":
			arg = strings.TrimSpace(arg)
			return is(arg == "woff" || arg == "woff2" || arg == "truetype" || arg == "opentype" || arg == "collection")
		case "at-rule":
			return unknown
		}
		return no
	}) == yes
}

// supports reports whether a browser knows a property, and the value where it is one
// of those that matter here.
func supports(name, value string) bool {
	if strings.HasPrefix(name, "--") {
		return true
	}
	if isForeign(name) || isForeign(value) {
		return false
	}
	p := propertyOf(name)
	if p != propNone {
		var s Sheets
		return isSubstituted(value) || s.valid(p, value)
	}
	if strings.HasPrefix(name, "-webkit-") {
		return true
	}
	return strings.Contains(knownProperties, " "+name+" ")
}

// knownProperties are the names of CSS properties that Chromium knows, besides
// those that matter here.
const knownProperties = " accent-color align-content align-items align-self alignment-baseline anchor-name anchor-scope animation-composition " +
	"animation-range animation-range-end animation-range-start animation-timing-function app-region appearance aspect-ratio backdrop-filter " +
	"background-attachment background-blend-mode background-origin background-position background-position-x background-position-y " +
	"background-repeat baseline-shift baseline-source block-size border border-block border-block-color border-block-end " +
	"border-block-start border-block-style border-block-width border-bottom border-bottom-color border-bottom-left-radius " +
	"border-bottom-right-radius border-bottom-style border-bottom-width border-collapse border-color border-end-end-radius " +
	"border-end-start-radius border-image border-image-outset border-image-repeat border-image-slice border-image-source " +
	"border-image-width border-inline border-inline-end border-inline-start border-left border-left-color border-left-style " +
	"border-left-width border-radius border-right border-right-color border-right-style border-right-width border-spacing " +
	"border-start-end-radius border-start-start-radius border-style border-top border-top-color border-top-left-radius " +
	"border-top-right-radius border-top-style border-top-width border-width box-decoration-break box-shadow box-sizing break-after " +
	"break-before break-inside buffered-rendering caption-side caret-color clear clip-rule color-interpolation " +
	"color-interpolation-filters color-rendering column-count column-fill column-gap column-rule column-rule-color column-rule-style " +
	"column-rule-width column-span column-width columns corner-shape counter-increment counter-reset counter-set cursor cx cy d direction " +
	"dominant-baseline dynamic-range-limit empty-cells field-sizing fill fill-opacity fill-rule flex-basis flex-direction flex-flow " +
	"flex-shrink flex-wrap flood-color flood-opacity font-family font-feature-settings font-kerning font-language-override " +
	"font-optical-sizing font-palette font-size-adjust font-stretch font-style font-synthesis font-synthesis-small-caps " +
	"font-synthesis-style font-synthesis-weight font-variant font-variant-alternates font-variant-caps font-variant-east-asian " +
	"font-variant-emoji font-variant-ligatures font-variant-numeric font-variant-position font-variation-settings font-weight " +
	"forced-color-adjust gap grid grid-area grid-auto-columns grid-auto-flow grid-auto-rows grid-column grid-column-end grid-column-gap " +
	"grid-column-start grid-gap grid-row grid-row-end grid-row-gap grid-row-start grid-template grid-template-areas grid-template-columns " +
	"grid-template-rows hyphenate-character hyphenate-limit-chars hyphens image-orientation image-rendering initial-letter inset-area " +
	"interactivity interpolate-size isolation justify-content justify-items justify-self lighting-color line-break list-style " +
	"list-style-image list-style-position list-style-type margin-block-end margin-bottom margin-inline-end margin-right marker marker-end " +
	"marker-mid marker-start mask-clip mask-composite mask-origin mask-repeat mask-type math-depth math-shift math-style " +
	"max-block-size max-inline-size object-fit object-position object-view-box offset offset-anchor offset-distance offset-path " +
	"offset-position offset-rotate order orphans outline outline-color outline-offset outline-style outline-width overflow-anchor " +
	"overflow-clip-margin overflow-wrap overlay overscroll-behavior overscroll-behavior-block overscroll-behavior-inline " +
	"overscroll-behavior-x overscroll-behavior-y page page-break-after page-break-before page-break-inside paint-order perspective " +
	"perspective-origin place-content place-items place-self pointer-events position-anchor position-area position-try " +
	"position-try-fallbacks position-try-order position-visibility print-color-adjust quotes r reading-flow resize row-gap ruby-align " +
	"ruby-position rx ry scroll-behavior scroll-initial-target scroll-margin scroll-margin-block scroll-margin-bottom " +
	"scroll-margin-inline scroll-margin-left scroll-margin-right scroll-margin-top scroll-marker-group scroll-padding " +
	"scroll-padding-block scroll-padding-bottom scroll-padding-inline scroll-padding-left scroll-padding-right scroll-padding-top " +
	"scroll-snap-align scroll-snap-stop scroll-snap-type scroll-timeline scroll-timeline-axis scroll-timeline-name scrollbar-color " +
	"scrollbar-gutter scrollbar-width shape-image-threshold shape-margin shape-outside shape-rendering speak stop-color stop-opacity " +
	"stroke stroke-dasharray stroke-dashoffset stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width tab-size " +
	"table-layout text-align text-align-last text-anchor text-autospace text-box text-box-edge text-box-trim text-combine-upright " +
	"text-decoration text-decoration-color text-decoration-line text-decoration-skip-ink text-decoration-style " +
	"text-decoration-thickness text-emphasis text-emphasis-color text-emphasis-position text-emphasis-style text-orientation " +
	"text-overflow text-rendering text-size-adjust text-spacing-trim text-transform text-underline-offset text-underline-position " +
	"text-wrap-style timeline-scope touch-action transform-box transform-origin transform-style transition transition-behavior " +
	"transition-delay transition-duration transition-property transition-timing-function unicode-bidi user-select vector-effect " +
	"vertical-align view-timeline view-timeline-axis view-timeline-inset view-timeline-name view-transition-class view-transition-name " +
	"white-space-collapse widows will-change word-break word-spacing word-wrap writing-mode x y "

// validSelectors reports whether browsers can parse a list of selectors, as far as
// names of pseudo-classes and pseudo-elements and stray characters tell. One invalid
// selector spoils a list, but in :is() and :where().
func validSelectors(list string) bool {
	return validList(withoutComments(list), 0)
}

func validList(list string, depth int) bool {
	if depth > maxNesting {
		return true
	}
	for part := range splitTop(list, ',') {
		if strings.TrimSpace(part) == "" || !validSelector(part, depth) {
			return false
		}
	}
	return true
}

func validSelector(s string, depth int) bool {
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '"', '\'':
			i = skipString(s, i) - 1
		case '\\':
			_, i = escape(s, i)
			i--
		case '[':
			for i < len(s) && s[i] != ']' {
				if s[i] == '"' || s[i] == '\'' {
					i = skipString(s, i)
					continue
				}
				i++
			}
		case '{', '}', ';', '!', '%', '@', '?', ')':
			return false
		case '.', '#':
			if i+1 >= len(s) || !isName(s[i+1]) && s[i+1] != '\\' || c == '.' && s[i+1] >= '0' && s[i+1] <= '9' {
				return false
			}
		case ':':
			element := i+1 < len(s) && s[i+1] == ':'
			if i++; element {
				i++
			}
			start := i
			for i < len(s) && isName(s[i]) {
				i++
			}
			name := strings.ToLower(s[start:i])
			args := ""
			if i < len(s) && s[i] == '(' {
				end := closing(s, i)
				args = s[i+1 : max(end, i+1)]
				i = end
			} else {
				i--
			}
			if element && !knownPseudoElement(name) || !element && !knownPseudoClass(name) {
				return false
			}
			switch name {
			case "not", "has":
				inner := args
				if name == "has" {
					inner = strings.TrimLeft(strings.TrimSpace(args), ">+~ ")
				}
				if !validList(inner, depth+1) {
					return false
				}
			}
		}
	}
	return true
}

func knownPseudoElement(name string) bool {
	if strings.HasPrefix(name, "-webkit-") || strings.HasPrefix(name, "-internal-") {
		return true
	}
	switch name {
	case "before", "after", "first-line", "first-letter", "marker", "placeholder", "selection", "backdrop", "cue", "slotted", "part",
		"file-selector-button", "target-text", "highlight", "spelling-error", "grammar-error", "view-transition",
		"view-transition-group", "view-transition-image-pair", "view-transition-old", "view-transition-new",
		"details-content", "scroll-marker", "scroll-marker-group", "scroll-button", "column", "checkmark", "picker", "picker-icon", "search-text":
		return true
	}
	return false
}

func knownPseudoClass(name string) bool {
	if pseudoOf(name).kind != 0 {
		return !strings.HasPrefix(name, "-moz") && name != "blank" && name != "user-error" && name != "local-link" && name != "target-within"
	}
	switch name {
	case "is", "where", "not", "has", "-webkit-any", "nth-child", "nth-last-child", "nth-of-type", "nth-last-of-type", "lang", "dir",
		"host", "host-context", "state", "active-view-transition", "active-view-transition-type", "default", "first", "left", "right",
		"modal", "muted", "paused", "seeking", "stalled", "buffering", "volume-locked", "popover-open", "has-slotted", "target-current",
		"target-before", "target-after", "-webkit-scrollbar", "horizontal", "vertical", "decrement", "increment", "start", "end",
		"double-button", "single-button", "no-button", "corner-present", "window-inactive", "-webkit-drag", "-webkit-autofill-strong-password",
		"-internal-autofill-selected", "xr-overlay", "interest-source", "interest-target":
		return true
	}
	return false
}
