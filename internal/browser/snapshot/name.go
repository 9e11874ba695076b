package snapshot

import (
	"cmp"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// Rules of names: a control is named by its label, its words, its picture or its
// address.

// given is the name that the page gives to an element, without a look at what
// stands in it: as assistive technology has it, or as the markup says (Accessible
// Name and Description Computation 1.2, section 4.3, steps 2B, 2D, 2E, 2I).
func (d *doc) given(i int) string {
	if n := d.ax(i); n != nil && !n.Ignored {
		if s := n.Name.text(); s != "" {
			return s
		}
	}
	if ids := d.attr(i, "aria-labelledby"); ids != "" {
		var names []string
		for n, id := range strings.Fields(ids) {
			if j, ok := d.find(d.byID, i, id); ok && n < 8 {
				names = append(names, d.textOf(j))
			}
		}
		if s := strings.Join(names, " "); strings.TrimSpace(s) != "" {
			return s
		}
	}
	if s := d.attr(i, "aria-label"); s != "" {
		return s
	}
	if d.formControl(i) {
		if s := d.labelText(i); s != "" {
			return s
		}
	}
	return d.attr(i, "title")
}

// labelText is the text of the label of a field: the one around it, or one that
// names it.
func (d *doc) labelText(i int) string {
	for up, n := d.up(i), 0; up > 0 && n < 32; up, n = d.up(up), n+1 {
		if d.tag(up) == "label" {
			return d.textOf(up)
		}
	}
	if j, ok := d.find(d.labels, i, d.attr(i, "id")); ok {
		return d.textOf(j)
	}
	return ""
}

// textOf is the text in an element, whether it is seen or not, without that of
// fields.
func (d *doc) textOf(i int) string {
	var b strings.Builder
	if d.kind(i) == element {
		b.WriteString(d.attr(i, "aria-label"))
	}
	d.descend(i, 300, func(j int) bool {
		if d.kind(j) == textNode {
			switch d.tag(d.up(j)) {
			case "option", "script", "style", "textarea":
			default:
				b.WriteString(" " + d.str(d.src.Nodes.Value[j]))
			}
		}
		return b.Len() < 400
	})
	return b.String()
}

// name finds a name for a control that has no text to be seen: what assistive
// technology calls it, its title, a picture, the text beside it, a file, an
// identifier.
func (d *doc) name(i int) string {
	for _, source := range [...]func(int) string{d.given, d.placeholder, d.pictureName} {
		if s := clip(clean(source(i)), nameBytes); s != "" {
			return s
		}
	}
	for _, source := range [...]func(int) string{d.tip, d.drawnLabel, d.labelAfter, d.iconName, d.target, d.ownID, d.labelBefore, d.ownClass} {
		if s := clip(clean(withoutCodes(source(i))), machineBytes); s != "" {
			return s
		}
	}
	if t := d.tag(i); t != "input" {
		return t
	}
	if t := d.attr(i, "type"); t != "" {
		return t
	}
	return "text"
}

// tip is the text that a library shows beside an element under the mouse, by the attributes that libraries read.
func (d *doc) tip(i int) string {
	for _, a := range [...]string{"data-tooltip", "data-tip", "data-title", "data-original-title", "data-bs-original-title", "data-tippy-content"} {
		if s := d.attr(i, a); s != "" {
			return s
		}
	}
	return ""
}

// labelAfter is the text of a label that names no field itself and follows one, with no other field between
// them: libraries draw it above.
func (d *doc) labelAfter(i int) string {
	switch d.classify(i) {
	case kindText, kindCombo, kindSlider:
	default:
		return ""
	}
	field := func(j int) bool { return d.formControl(j) && d.attr(j, "tabindex") != "-1" }
	for n := 0; n < partnerLevels && i > 0; i, n = d.up(i), n+1 {
		for c := int(d.next[i]); c != 0; c = int(d.next[c]) {
			switch {
			case d.kind(c) != element || d.layout[c] == 0:
			case field(c) || d.any(c, labelNodes, field):
				return ""
			case d.tag(c) == "label" && !d.has(c, "for"):
				return d.textOf(c)
			}
		}
	}
	return ""
}

// isColour reports whether a value may be the name of a colour or #aabbcc.
func isColour(v string) bool {
	switch strings.ToLower(v) {
	case "", "none", "transparent", "currentcolor", "inherit", "initial", "unset", "revert":
		return false
	}
	for i, r := range v {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && (r != '#' || i > 0) {
			return false
		}
	}
	return len(v) <= 20
}

func (d *doc) placeholder(i int) (s string) {
	if s = d.attr(i, "placeholder"); s == "" && strings.EqualFold(d.attr(i, "role"), "combobox") {
		d.any(i, partnerNodes, func(j int) bool { s = d.attr(j, "placeholder"); return s != "" }) // of its field
	}
	if s != "" {
		return s
	}
	switch d.attr(i, "type") {
	case "submit", "button", "reset":
		return d.attr(i, "value")
	}
	return ""
}

// pictureName is the alternative text, title or label of a picture inside.
func (d *doc) pictureName(i int) string {
	name := d.drawnLabel(i)
	if name != "" {
		return name // what is in a list or field is a part of its own
	}
	d.descend(i, 60, func(j int) bool {
		if d.kind(j) != element {
			if d.kind(j) == textNode && d.tag(d.up(j)) == "title" {
				name = d.str(d.src.Nodes.Value[j])
			}
			return name == ""
		}
		for _, a := range [...]string{"alt", "aria-label", "title"} {
			if s := strings.TrimSpace(d.attr(j, a)); s != "" {
				name = s
				return false
			}
		}
		return true
	})
	return name
}

// iconName reads what an icon is called: fa-cart, icon-search, lucide-x, #cart, cart.svg.
func (d *doc) iconName(i int) string {
	name := ""
	look := func(j int) bool {
		if d.kind(j) != element {
			return true
		}
		for _, class := range strings.Fields(d.attr(j, "class")) {
			for _, p := range [...]string{"fa-", "icon-", "bi-", "mdi-", "glyphicon-", "octicon-", "lucide-", "icon_"} {
				if s, ok := strings.CutPrefix(class, p); ok && (len(s) > 2 || s == "x") && name == "" {
					name = s
				}
			}
		}
		for _, a := range [...]string{"href", "xlink:href"} {
			if s := d.attr(j, a); d.tag(j) == "use" && name == "" {
				name = s[strings.LastIndexAny(s, "#/")+1:]
			}
		}
		if strings.HasSuffix(d.tag(j), "-icon") {
			name = cmp.Or(name, d.attr(j, "name"), d.attr(j, "icon"), d.attr(j, "shape"))
		}
		if src := d.attr(j, "src"); d.tag(j) == "img" && name == "" && !strings.HasPrefix(src, "data:") {
			name = fileName(src)
		}
		return name == ""
	}
	if look(i) {
		d.descend(i, 60, look)
	}
	return strings.NewReplacer("-", " ", "_", " ").Replace(name)
}

// target is the last part of where a link leads.
func (d *doc) target(i int) string {
	href := d.attr(i, "href")
	if href == "" || strings.HasPrefix(href, "javascript:") {
		return ""
	}
	if s := fileName(href); s != "" {
		return strings.NewReplacer("-", " ", "_", " ").Replace(s)
	}
	return strings.TrimPrefix(strings.TrimPrefix(href, "https://"), "http://")
}

// identifier is what programs call an element.
func (d *doc) identifier(i int) string { return cmp.Or(withoutCodes(d.ownID(i)), d.ownClass(i)) }

func (d *doc) ownID(i int) string {
	for _, a := range [...]string{"value", "name", "id", "data-testid", "data-action"} {
		if s := d.attr(i, a); s != "" && (a != "value" || d.classify(i) == kindRadio && s != "on") { // radio buttons have one name
			return s
		}
	}
	return ""
}

// drawnLabel is labelBefore for a field that the page draws itself.
func (d *doc) drawnLabel(i int) string {
	switch roleKind(strings.ToLower(d.attr(i, "role"))) {
	case kindText, kindCombo, kindSlider:
		if !isField(d.tag(i)) {
			return d.labelBefore(i)
		}
	}
	return ""
}

// labelBefore is the text beside or above a field that no markup names. Numbers, as those at the
// ends of a slider, are none.
func (d *doc) labelBefore(i int) string {
	switch d.classify(i) {
	case kindText, kindCombo, kindSlider, kindFile:
	default:
		return ""
	}
	if box := d.boxAround(i); box > 0 && d.style(box, styleDisplay) == "table-cell" {
		return "" // its row and column say what it is
	}
	x, y, w, h, ok := d.box(i)
	for j := i - 1; ok && j > max(0, i-labelNodes); j-- {
		if d.formControl(j) || d.tag(j) == "button" || d.tag(j) == "a" {
			return ""
		}
		left, top, width, height, seen := d.box(j)
		if d.kind(j) != textNode || !seen || isSign(d.letters(j)) || d.viewed != nil && !d.seen(j, d.viewed[j]) {
			continue
		}
		if d.onAnother(j) {
			return ""
		}
		beside := top < y+h && top+height > y
		if above := y - top - height; left > x+w && d.classify(i) != kindSlider || top > y+h || above > labelGap || beside && left+width < x-labelGap {
			return ""
		}
		return strings.TrimRight(clean(d.letters(j)), ": *")
	}
	return ""
}

// onAnother reports whether a text is that of a link, or of a control by its role.
func (d *doc) onAnother(i int) bool {
	for n := 0; n < labelLevels && d.up(i) > 0; n++ {
		if i = d.up(i); d.tag(i) == "a" {
			return true
		}
		switch d.classify(i) {
		case kindButton, kindLink, kindOption, kindCheck, kindRadio, kindCombo:
			return true
		}
	}
	return false
}

// ownClass is the class that an element is called by: the first one, or, where its siblings
// have that too, the first one that tells all of them apart, as in "icon reply" and "icon like",
// if it is a word: others are made by programs.
func (d *doc) ownClass(i int) string {
	own := strings.Fields(d.attr(i, "class"))
	if len(own) < 2 {
		return strings.Join(own, "")
	}
	var others [][]string
	up := d.up(i)
	if up < 0 {
		return own[0]
	}
	for c := int(d.first[up]); c != 0 && len(others) < mostAlike; c = int(d.next[c]) {
		if classes := strings.Fields(d.attr(c, "class")); c != i && len(classes) > 0 && classes[0] == own[0] {
			others = append(others, classes)
		}
	}
	for k := 1; k < len(own) && len(others) > 0; k++ {
		said := map[string]bool{own[k]: true}
		for _, classes := range others {
			if k < len(classes) {
				said[classes[k]] = true
			}
		}
		if len(said) == len(others)+1 && strings.Trim(own[k], "abcdefghijklmnopqrstuvwxyz-_") == "" {
			return own[k]
		}
	}
	return own[0]
}

// fileName is the last part of a path, without its extension and query.
func fileName(s string) string {
	if i := strings.IndexAny(s, "?#"); i >= 0 {
		s = s[:i]
	}
	s = strings.TrimRight(s, "/")
	if strings.Count(s, "/") < 3 && strings.Contains(s, "://") {
		return ""
	}
	s = s[strings.LastIndexByte(s, '/')+1:]
	if plain, err := url.PathUnescape(s); err == nil && plain != s { // a whole address may be a part of another one
		s = plain[strings.LastIndexByte(strings.TrimRight(plain, "/"), '/')+1:]
	}
	if i := strings.LastIndexByte(s, '.'); i > 0 {
		s = s[:i]
	}
	return s
}

// withoutCodes leaves out of a name what only programs read: words such as
// O8aFd2MOq4cf8b3yUR2p, and with them the other parts of a UUID.
func withoutCodes(s string) string {
	words := strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune(" _.-:«»()", r) })
	if !slices.ContainsFunc(words, isCode) {
		return s
	}
	words = slices.DeleteFunc(words, func(w string) bool { return isCode(w) || isHex(w) || strings.Trim(w, "0123456789") == "" })
	return strings.Join(words, " ")
}

// isCode reports whether a word was made by a program: letters and numbers in turns, but for a
// number at the end, or one at the beginning with a short word behind it, as in step2 and 24h.
func isCode(word string) bool {
	rest := strings.TrimRightFunc(word, unicode.IsDigit)
	if len(rest) < len(word)-3 && len(rest) > 0 {
		return true
	}
	if short := strings.TrimLeftFunc(rest, unicode.IsDigit); len(short) <= 2 {
		return false
	}
	return strings.ContainsFunc(rest, unicode.IsDigit)
}

// isHex reports whether a word may be a hexadecimal number that is a part of a code.
func isHex(word string) bool {
	return len(word)%4 == 0 && strings.Trim(word, "0123456789abcdefABCDEF") == ""
}

// clean makes one line of the first 8 KiB of a text.
func clean(s string) string {
	s = strings.ToValidUTF8(s[:min(len(s), 8<<10)], "")
	if strings.ContainsFunc(s, isGlyph) {
		s = strings.Map(func(r rune) rune {
			if isGlyph(r) {
				return ' '
			}
			return r
		}, s)
	}
	return text.Line(s)
}

// clip shortens a line to at most n bytes.
func clip(s string, n int) string { return text.CutBytes(s, n) }
