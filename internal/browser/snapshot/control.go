package snapshot

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/text"
)

const (
	// nameBytes bounds the name of a control that is not the text to be seen on it.
	nameBytes = 80
	// insideBytes is how long the text on a control may be to stand in its
	// brackets; a longer one follows it as a part of the page.
	insideBytes = 240
	// machineBytes bounds names that were made for programs: they can be long, and
	// their beginning says as much.
	machineBytes = 40
	valueBytes   = 200
	// shownOptions are as many as a list shows without being opened.
	shownOptions = 12
)

// control writes something that can be acted on.
func (w *writer) control(i, depth int) {
	d, kind := w.d, w.m.control[i]
	w.look(i)
	if len(w.buf) > 0 {
		w.apart(i)
	}
	n := d.node(i)
	ref := w.refs.name(n, kind)
	if level := w.headingInside(i); level > 0 {
		w.brk()
		w.prefix, w.line.Level = strings.Repeat("#", level)+" ", level
		defer w.brk()
	}
	from := len(w.page.Lines)
	defer func() { w.page.nodes[n] = place{from, len(w.page.Lines) + 1, d.str(d.src.FrameID)} }()
	if d.tag(i) == "label" {
		j, _ := d.labelled(i)
		w.write(w.seenText(i), d.state(j, kind), ref)
		return
	}
	switch kind {
	case kindText, kindCombo, kindSlider, kindFile, kindCheck, kindRadio:
		if t := d.tag(i); t == "input" || t == "textarea" || t == "select" || kind == kindText {
			w.field(i, kind, ref)
			return
		}
	}
	text := w.seenText(i)
	if given := clean(d.given(i)); kind == kindCombo && given != "" && given != text {
		w.field(i, kind, ref)
		return
	}
	if w.m.inside[i] || len(text) > insideBytes {
		w.area(i, depth, d.state(i, kind), ref)
		return
	}
	switch {
	case text != "":
		// A sign alone, as × or ⋮, says less than what the page calls it.
		if given := clip(clean(d.given(i)), nameBytes); kind != kindLink && letters(text) < 2 && letters(given) > 1 {
			text += " " + given
		}
	case w.m.told[d.attr(i, "href")]:
		text = "image" // a link with words leads there too
	default:
		text = d.name(i)
		if look := d.looks(i); look != "" && !strings.Contains(text, look) {
			text += " " + look
		}
	}
	w.write(text, d.state(i, kind), ref)
}

// area writes what other controls or many words stand in. Few words that are
// on no other control are its name; of more, the first ones bear its ref.
func (w *writer) area(i, depth int, state, ref string) {
	owner, mute := w.owner, w.mute
	defer func() { w.owner, w.mute = owner, mute }()
	w.owner = nil
	loose := ""
	if w.m.inside[i] && w.m.loose[i] && !mute {
		loose = w.textWithout(i, true)
	}
	switch {
	case w.d.tag(i) == "svg":
		_, _, width, height, _ := w.d.box(i)
		w.write(strings.TrimPrefix(w.d.name(i)+" svg ", "svg ")+round(width)+"x"+round(height), state, ref)
		w.space = true
	case loose == "":
		w.write("", state, ref)
		w.space = true
	case len(loose) <= nameBytes:
		w.write(loose, state, ref)
		w.space, w.mute = true, true
	default:
		w.owner = &owned{state, ref}
	}
	w.children(i, depth)
	if w.owner != nil {
		w.write("", state, ref) // its words were not where they seemed to be
	}
}

// An owned is an area whose ref waits for its words.
type owned struct{ state, ref string }

// letters counts what is more than a sign; a digit says enough.
func letters(s string) (n int) {
	for _, r := range s {
		switch {
		case unicode.IsLetter(r):
			n++
		case unicode.IsDigit(r):
			n += 2
		}
	}
	return n
}

// write writes [name; state](ref).
func (w *writer) write(name, state, ref string) {
	name = strings.NewReplacer("[", "(", "]", ")").Replace(name)
	if state != "" {
		name += "; " + state
	}
	w.raw("[" + name + "](" + ref + ")")
	w.line.Refs = append(w.line.Refs, ref)
}

// field writes a field of a form with its value.
func (w *writer) field(i int, kind byte, ref string) {
	d := w.d
	name := d.name(i)
	state := d.state(i, kind)
	switch kind {
	case kindCheck, kindRadio:
	case kindCombo:
		if d.tag(i) == "select" {
			chosen, options := d.options(i)
			name += "=" + clip(clean(strings.Join(chosen, ", ")), valueBytes)
			w.write(name, state, ref)
			w.raw(optionList(options))
			return
		}
		name += "=" + w.fieldValue(i, ref)
	case kindFile:
		name += "=" + w.fieldValue(i, ref)
	default:
		name += "=" + w.fieldValue(i, ref)
	}
	w.write(name, state, ref)
}

func (w *writer) fieldValue(i int, ref string) string {
	d := w.d
	v, ok := d.values[i]
	s := d.str(v)
	switch {
	case strings.EqualFold(d.attr(i, "type"), "password") && s != "":
		return "•••"
	case ok:
	case d.tag(i) == "input" || d.tag(i) == "textarea":
		if n := d.ax(i); n != nil {
			s = n.Value.text()
		}
	default:
		s = w.seenText(i) // contenteditable, or a field drawn by hand
	}
	if d.attr(i, "type") == "file" {
		s = s[strings.LastIndexByte(s, '\\')+1:] // the path is made up (HTML, "fakepath")
	}
	s = clean(s)
	if len(s) > valueBytes {
		if w.page.values == nil {
			w.page.values = make(map[string]string)
		}
		w.page.values[ref] = s
	}
	return clip(s, valueBytes)
}

// options returns the labels of a list that are chosen, and all of them.
func (d *doc) options(i int) (chosen, all []string) {
	d.descend(i, 4000, func(j int) bool {
		if d.kind(j) != element || d.tag(j) != "option" {
			return true
		}
		label := d.attr(j, "label")
		if label == "" {
			for c := d.first[j]; c != 0; c = d.next[c] {
				if d.kind(int(c)) == textNode {
					label += d.str(d.src.Nodes.Value[c])
				}
			}
		}
		if label = clip(clean(label), 60); label == "" {
			label = clip(clean(d.attr(j, "value")), 60)
		}
		all = append(all, label)
		if d.selected[j] {
			chosen = append(chosen, label)
		}
		return true
	})
	return chosen, all
}

func optionList(options []string) string {
	if len(options) == 0 {
		return ""
	}
	more := ""
	if n := len(options) - shownOptions; n > 1 {
		options, more = options[:shownOptions], " | +"+strconv.Itoa(n)
	}
	return " {" + strings.NewReplacer("](", "] (").Replace(strings.Join(options, " | ")) + more + "}"
}

// state returns what can be said of a control besides its name.
func (d *doc) state(i int, kind byte) string {
	var out []string
	say := func(word string, on bool) {
		if on {
			out = append(out, word)
		}
	}
	if n := d.ax(i); n != nil && !n.Ignored {
		for _, p := range n.Properties {
			switch p.Name {
			case "checked", "pressed":
				if p.Value.text() == "mixed" {
					say("mixed", true)
				} else {
					say(p.Name, p.Value.on())
				}
			case "expanded":
				if d.tag(i) == "select" {
					continue // its options stand beside it
				}
				say("expanded", p.Value.on())
				say("collapsed", !p.Value.on())
			case "selected", "disabled", "required", "readonly":
				say(p.Name, p.Value.on())
			case "invalid":
				say("invalid", p.Value.text() != "" && p.Value.text() != "false")
			}
		}
		return strings.Join(out, ", ")
	}
	say("checked", d.checked[i] || d.attr(i, "aria-checked") == "true")
	say("mixed", d.attr(i, "aria-checked") == "mixed")
	say("pressed", d.attr(i, "aria-pressed") == "true")
	say("expanded", d.attr(i, "aria-expanded") == "true")
	say("collapsed", d.attr(i, "aria-expanded") == "false")
	say("selected", d.attr(i, "aria-selected") == "true")
	say("disabled", d.has(i, "disabled") || d.attr(i, "aria-disabled") == "true")
	say("required", d.has(i, "required") || d.attr(i, "aria-required") == "true")
	say("readonly", d.has(i, "readonly"))
	return strings.Join(out, ", ")
}

// seenText is the text to be seen in an element, on one line.
func (w *writer) seenText(i int) string { return w.textWithout(i, false) }

// textWithout is seenText, without that on other controls if they are to be
// left out.
func (w *writer) textWithout(i int, controls bool) string {
	left := math.MaxInt // the control whose descendants are left out
	sub := writer{in: w.in, refs: w.refs, page: &Page{nodes: make(map[Node]place)}, d: w.d, m: w.m, procs: w.procs, region: -1}
	w.d.descend(i, 5000, func(j int) bool {
		switch {
		case w.d.src.Nodes.Parent[j] >= left:
			return true
		case controls && w.m.control[j] != noControl:
			left = j
			return true
		}
		left = math.MaxInt
		switch {
		case w.d.kind(j) != textNode || w.d.shadow[j] == "user-agent":
		case w.m.shown[j]:
			sub.apart(j)
			sub.words(w.d.letters(j))
		case w.d.layout[j] > 0:
			sub.gap(w.d.letters(j))
		}
		return len(sub.buf) < 4096
	})
	return strings.TrimSpace(string(sub.buf))
}

// headingInside returns the level of a heading that stands within a control.
func (w *writer) headingInside(i int) int {
	if len(w.buf) > 0 && w.text {
		return 0
	}
	level := 0
	w.d.descend(i, 40, func(j int) bool {
		if t := w.d.tag(j); w.d.kind(j) == element && len(t) == 2 && t[0] == 'h' && t[1] >= '1' && t[1] <= '6' && w.m.shown[j] {
			level = int(t[1] - '0')
		}
		return level == 0
	})
	return level
}

// picture writes what a picture is of.
func (w *writer) picture(i int, tag string, depth int) {
	if tag == "svg" {
		w.children(i, depth) // text of charts
	}
	name := w.d.attr(i, "alt")
	if tag != "img" {
		name = w.d.attr(i, "aria-label")
	}
	if name = clip(clean(name), nameBytes); name != "" {
		w.look(i)
		w.raw("![" + strings.NewReplacer("[", "(", "]", ")").Replace(name) + "]")
		w.text = true
	}
}

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
			if j, ok := d.byID[id]; ok && n < 8 {
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
	for up, n := d.src.Nodes.Parent[i], 0; up > 0 && up < len(d.first) && n < 32; up, n = d.src.Nodes.Parent[up], n+1 {
		if d.tag(up) == "label" {
			return d.textOf(up)
		}
	}
	if j, ok := d.labels[d.attr(i, "id")]; ok && d.attr(i, "id") != "" {
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
			switch d.tag(d.src.Nodes.Parent[j]) {
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
	for _, source := range [...]func(int) string{d.iconName, d.target, d.identifier} {
		if s := clip(clean(source(i)), machineBytes); s != "" {
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

// looks says of something without words what a person sees: for a drawing its
// form and size, and the colour that the markup gives it.
func (d *doc) looks(i int) string {
	tag, out := d.tag(i), ""
	drawn := tag == "canvas" || tag == "svg" && d.name(i) == tag || shape(tag)
	if drawn {
		if d.name(i) != tag {
			out = tag
		}
	}
	if c := d.paint(i); c != "" {
		out += " " + c
	}
	if x, y, w, h, ok := d.box(i); drawn && ok {
		out += " " + round(w) + "x" + round(h)
		if left, top, ok := d.drawing(i); ok {
			out += " at " + round(x+w/2-left) + "," + round(y+h/2-top)
		}
	}
	return strings.TrimSpace(out)
}

func round(f float64) string { return strconv.Itoa(int(math.Round(f))) }

// drawing is the corner of the drawing that a form is in: places in it are
// counted from there.
func (d *doc) drawing(i int) (x, y float64, ok bool) {
	if !shape(d.tag(i)) {
		return 0, 0, false
	}
	for up, n := d.src.Nodes.Parent[i], 0; up > 0 && up < len(d.first) && n < 32; up, n = d.src.Nodes.Parent[up], n+1 {
		if d.tag(up) == "svg" {
			x, y, _, _, ok = d.box(up)
			return x, y, ok
		}
	}
	return 0, 0, false
}

// paint is the colour of an element as its own markup says it.
func (d *doc) paint(i int) string {
	for decl := range strings.SplitSeq(clip(d.attr(i, "style"), 400), ";") {
		name, value, _ := strings.Cut(decl, ":")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "background", "background-color", "fill":
			if r, g, b, _, ok := colour(strings.TrimSpace(value)); ok {
				return fmt.Sprintf("#%02x%02x%02x", r&255, g&255, b&255)
			}
			if v := strings.TrimSpace(value); isColour(v) {
				return v
			}
		}
	}
	if v := d.attr(i, "fill"); isColour(v) {
		return v
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

func (d *doc) placeholder(i int) string {
	if s := d.attr(i, "placeholder"); s != "" {
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
	name := ""
	d.descend(i, 60, func(j int) bool {
		if d.kind(j) != element {
			if d.kind(j) == textNode && d.tag(d.src.Nodes.Parent[j]) == "title" {
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

// iconName reads what an icon is called: fa-cart, icon-search, #cart, cart.svg.
func (d *doc) iconName(i int) string {
	name := ""
	look := func(j int) bool {
		if d.kind(j) != element {
			return true
		}
		for _, class := range strings.Fields(d.attr(j, "class")) {
			for _, p := range [...]string{"fa-", "icon-", "bi-", "mdi-", "glyphicon-", "octicon-", "icon_"} {
				if s, ok := strings.CutPrefix(class, p); ok && len(s) > 2 && name == "" {
					name = s
				}
			}
		}
		for _, a := range [...]string{"href", "xlink:href"} {
			if s := d.attr(j, a); d.tag(j) == "use" && name == "" {
				name = s[strings.LastIndexAny(s, "#/")+1:]
			}
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
		return s
	}
	return strings.TrimPrefix(strings.TrimPrefix(href, "https://"), "http://")
}

func (d *doc) identifier(i int) string {
	for _, a := range [...]string{"name", "id", "data-testid", "data-action"} {
		if s := d.attr(i, a); s != "" {
			return s
		}
	}
	class, _, _ := strings.Cut(strings.TrimSpace(d.attr(i, "class")), " ")
	return class
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
	if i := strings.LastIndexByte(s, '.'); i > 0 {
		s = s[:i]
	}
	return s
}

// clean makes one line of the first 8 KiB of a text.
func clean(s string) string {
	return text.Line(strings.ToValidUTF8(s[:min(len(s), 8<<10)], ""))
}

// clip shortens a line to at most n bytes.
func clip(s string, n int) string { return text.CutBytes(s, n) }
