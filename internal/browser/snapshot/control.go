package snapshot

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// control writes something that can be acted on.
func (w *writer) control(i, depth int) {
	d, kind := w.d, w.m.control[i]
	if w.repeatsLink(i) {
		return
	}
	if level := w.headingInside(i); level > 0 && kind != kindText {
		w.brk()
		w.prefix, w.line.Level = strings.Repeat("#", level)+" "+w.number(), level
		defer w.brk()
	}
	w.look(i)
	if len(w.buf) > 0 {
		w.apart(i)
	}
	if day := w.dayOf(i, kind); day != "" {
		w.space = true
		w.words(day + ": ")
	}
	n := d.node(i)
	at := place{frame: d.str(d.src.FrameID), marks: w.records.of(i), inView: w.inWindow(i), key: d.identity(i, kind), pressed: kind == kindClick && d.pressed(i)}
	if at.marks == nil {
		at.near = w.records.near(i)
	}
	ref := w.refs.name(n, kind, at.marks)
	if href := d.attr(i, "href"); kind == kindLink && href != "" {
		w.page.links[ref] = link{d.str(d.src.BaseURL), href}
	}
	w.marks = at.marks
	from := len(w.page.Lines)
	defer func() {
		at.from, at.to = from, len(w.page.Lines)+1
		w.page.nodes[n] = at
	}()
	if d.tag(i) == "label" {
		j, _ := d.labelled(i)
		seen := w.seenText(i)
		w.write(d.labelName(i, j, seen), d.state(j, kind), ref)
		return
	}
	if j, ok := w.m.stands[i]; ok && w.partnered(i, j, depth, kind, ref) {
		return
	}
	switch kind {
	case kindText, kindCombo, kindSlider, kindFile, kindCheck, kindRadio:
		switch {
		case kind == kindText && w.isEditor(i):
			w.editor(i, depth, ref)
			return
		case kind == kindText, isField(d.tag(i)):
			w.field(i, kind, ref)
			return
		}
	}
	text := w.seenText(i)
	if level := d.level(i); kind == kindSlider && level != "" && (text == "" || text == level) {
		w.write(d.name(i)+"="+level, d.state(i, kind), ref)
		return
	}
	if given := clean(cmp.Or(d.given(i), d.drawnLabel(i))); kind == kindCombo && given != "" && given != text {
		w.field(i, kind, ref)
		w.popups(i, depth)
		return
	}
	if w.m.inside[i] || len(text) > insideBytes || kind == kindClick && (w.holdsForms(i) || d.scrolls(i) || d.holdsRows(i)) {
		w.area(i, depth, d.state(i, kind), ref)
		return
	}
	w.write(w.controlText(i, text), d.state(i, kind), ref)
	w.fallback(i)
}

// controlText is what names a control, given the text that is seen of it.
func (w *writer) controlText(i int, text string) string {
	d := w.d
	switch {
	case text != "":
		text = w.called(i, text)
		if d.tag(i) == "text" {
			text += " " + d.looks(i)
		}
	case w.m.sameTarget(d, i) > 0:
		// Another link with words has the same target.
		words := strings.ToLower(w.seenText(w.m.sameTarget(d, i)))
		text = clip(clean(d.pictureName(i)), nameBytes)
		if sameName(text, words) {
			text = "image"
		}
		text = clip(text, machineBytes)
	default:
		// The look of something with a name says nothing more, but for what is drawn.
		text = d.name(i)
		t := d.tag(i)
		if form := d.form(i); form != t && text == t {
			text = form
		}
		named := clip(clean(d.given(i)), nameBytes) == text || clip(clean(d.pictureName(i)), nameBytes) == text
		if look := d.looks(i); look != "" && !strings.Contains(text, look) && (!named || shape(t) || t == "canvas" || t == "svg") {
			text += " " + look
		}
		text = w.brief(i, text)
	}
	return text
}

// popups writes what a list shows that is open and holds that itself, the buttons in it that have a name, as
// those that take back what was chosen, and its fields if it has several, as those of a time.
func (w *writer) popups(i, depth int) {
	fields := 0
	for j := i + 1; j <= int(w.d.last[i]); j++ {
		if w.m.control[j] == kindText {
			fields++
		}
	}
	for j := i + 1; j <= int(w.d.last[i]); j++ {
		part := w.m.control[j] == kindButton && w.d.said(j) != "" || w.m.control[j] == kindText && fields > 1
		if part || w.m.popup[j] && w.m.shown[j] {
			if !part {
				w.brk()
			}
			w.node(j, depth)
			j = int(w.d.last[j])
		}
	}
}

// labelName is the name of a control by the text of its label. One that says almost nothing,
// such as a star, is followed by the name of the control or the title of the label.
func (d *doc) labelName(label, control int, seen string) string {
	sign := isSign(seen)
	name := clip(clean(d.given(control)), nameBytes)
	if sign && letters(name) <= letters(seen) {
		name = clip(clean(d.attr(label, "title")), nameBytes)
	}
	switch {
	case len(seen) > shortText || letters(name) <= letters(seen):
	case containsWord(name, seen):
		return name
	case sign:
		return seen + " " + name
	}
	return seen
}

// brief shortens the name of a control that nobody sees where it says what is written
// beside it: the name of the control before, the words that it is named by, or the title of
// the record that the control is in.
func (w *writer) brief(i int, name string) string {
	last := w.told
	w.told = name
	if w.d.formControl(i) && w.d.labelText(i) != "" && w.d.attr(i, "aria-labelledby") == "" { // its label may not be written
		return name
	}
	switch {
	case name == last:
		return clip(name, repeatedBytes)
	case len(name) <= machineBytes:
	case w.labelledNear(i):
		return clip(name, repeatedBytes)
	default:
		return w.untitled(i, name)
	}
	return name
}

// labelledNear reports whether an element is named by the words of controls near it: those
// are written with them.
func (w *writer) labelledNear(i int) bool {
	ids := strings.Fields(w.d.attr(i, "aria-labelledby"))
	return len(ids) > 0 && !slices.ContainsFunc(ids, func(id string) bool {
		j, ok := w.d.find(w.d.byID, i, id)
		return !ok || w.m.size[j] == 0 || max(i-j, j-i) > farNodes || !w.onOther(i, j)
	})
}

// onOther reports whether a node stands on another control than i.
func (w *writer) onOther(i, j int) bool {
	for n := 0; n < pictureLevels && j > 0 && j != i; n++ {
		if w.m.control[j] != noControl {
			return true
		}
		j = w.d.up(j)
	}
	return false
}

// untitled is a name without the title of a record, if that is seen in the record. Names
// often have the title without its first word, as that of a brand.
func (w *writer) untitled(i int, name string) string {
	said := steady(w.d.said(i))
	for _, m := range w.marks {
		for words := range strings.SplitSeq(m.Words, "\n") {
			title := strings.TrimSuffix(words, "…")
			for len(title) >= leastTitle && !strings.Contains(said, title) {
				_, title, _ = strings.Cut(title, " ")
			}
			if len(title) < leastTitle || len(title) >= len(said) || !strings.Contains(w.lowerText(w.recordAt(i, m)), strings.ToLower(title)) {
				continue
			}
			before, after, whole := strings.Cut(name, title)
			if !whole || before+after == "" {
				return clip(name, machineBytes)
			}
			return before + "…" + after
		}
	}
	return name
}

// recordAt is the element of a record that a control is in.
func (w *writer) recordAt(i int, m Mark) int {
	for range m.Up {
		i = w.d.up(i)
	}
	return i
}

// lowerText is the text to be seen in an element, in lower case.
func (w *writer) lowerText(i int) string {
	words, ok := w.m.words[i]
	if !ok {
		words = strings.ToLower(w.seenText(i))
		w.m.words[i] = words
	}
	return words
}

// sameName reports whether the name of a picture says nothing more than words in lower
// case.
func sameName(name, words string) bool {
	name = strings.ToLower(name)
	return name == "" || strings.Contains(words, name) || strings.Contains(name, words) && len(name) < 2*len(words)
}

// repeatsLink reports whether a link is only a picture, and a link with words leads to
// the same address: then that one is enough.
func (w *writer) repeatsLink(i int) bool {
	d := w.d
	if w.m.control[i] != kindLink || w.m.inside[i] || w.m.size[i] > 0 || d.heard(i).mouse {
		return false
	}
	other := w.m.sameTarget(d, i)
	if other == 0 {
		return false
	}
	if said := d.said(i); said != "" && said != d.said(other) {
		return false
	}
	return w.seenText(i) == "" && sameName(clip(clean(d.pictureName(i)), nameBytes), strings.ToLower(w.seenText(other)))
}

// isSign reports whether a text says almost nothing: a number, a sign, a letter.
func isSign(s string) bool {
	n := 0
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			n++
		}
	}
	return n < 2
}

// called is the name of a control with a short text: its name for assistive
// technology, if that says more.
func (w *writer) called(i int, seen string) string {
	if len(seen) > shortText {
		return seen
	}
	name := clip(clean(w.d.said(i)), nameBytes)
	if name == "" && isSign(seen) && !(letters(seen) == 0 && strings.HasPrefix(w.d.attr(i, "href"), "#")) { // the mark of a heading's own address
		if name = clip(clean(w.d.given(i)), nameBytes); letters(name) <= letters(seen) { // the day of a calendar has its month for screen readers alone
			name = clip(clean(w.d.attr(i, "title")), nameBytes)
		}
	}
	if letters(name) <= letters(seen) || strings.EqualFold(name, seen) {
		return seen
	}
	if name = w.brief(i, name); containsWord(name, seen) {
		return name
	}
	return seen + " " + name
}

// said is the name that an element has by an attribute for assistive technology.
func (d *doc) said(i int) string {
	if d.attr(i, "aria-label") == "" && d.attr(i, "aria-labelledby") == "" {
		return ""
	}
	return d.given(i)
}

// containsWord reports whether a text stands in another one between other characters
// than letters and digits.
func containsWord(s, word string) bool {
	s, word = strings.ToLower(s), strings.ToLower(word)
	if word == "" {
		return true
	}
	for from := 0; ; {
		n := strings.Index(s[from:], word)
		if n < 0 {
			return false
		}
		begin, end := from+n, from+n+len(word)
		before, _ := utf8.DecodeLastRuneInString(s[:begin])
		after, _ := utf8.DecodeRuneInString(s[end:])
		inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
		if !inWord(before) && !inWord(after) {
			return true
		}
		from = end
	}
}

// area writes a control that contains other controls, or many words. Few words outside of the
// other controls, with none between them, are its name; of others, the first ones get its ref.
func (w *writer) area(i, depth int, state, ref string) {
	owner, mute := w.owner, w.mute
	defer func() { w.owner, w.mute = owner, mute }()
	w.owner, w.mute = nil, false // the name of what is around has no words of a control in it
	inside, headed := w.m.inside[i], w.headingInside(i) > 0
	switch {
	case w.d.tag(i) == "svg":
		// Places in a drawing are chosen by its forms.
		_, _, width, height, _ := w.d.box(i)
		w.write(strings.TrimPrefix(w.d.name(i)+" svg ", "svg ")+round(width)+"x"+round(height), state, ref)
		w.space = true
	case inside && !w.m.loose[i], w.m.size[i] == 0:
		w.write(w.ground(i), state, ref)
		w.space = true
	case (inside || w.holdsForms(i)) && !headed && w.together(i):
		w.write(w.ownText(i), state, ref)
		w.space, w.mute = true, true
	default:
		w.owner = &owned{state, ref}
		if headed { // the heading in it has a line of its own
			w.prefix, w.line.Level = "", 0
		}
	}
	w.children(i, depth)
	if w.owner != nil {
		w.write(w.ground(i), state, ref) // its words were not where they seemed to be
	}
}

// together reports whether the words in an element that are on no other control are few, and none
// is between them.
func (w *writer) together(i int) bool {
	d, size, parted, ok := w.d, 0, false, true
	d.walk(i, groupNodes, func(j int) step {
		if w.m.control[j] != noControl || w.m.dialog[j] {
			parted = size > 0
			return past
		}
		if w.m.shown[j] && (d.kind(j) == textNode || d.pseudo[j]) {
			size += len(d.shownText(j)) + 1
			if ok = !parted && size <= nameBytes; !ok {
				return stop
			}
		}
		return into
	})
	return ok && size > 0
}

// holdsForms reports whether forms of a drawing stand in a control: where they are says where
// to point.
func (w *writer) holdsForms(i int) bool {
	return w.d.any(i, partnerNodes, func(j int) bool { return w.m.shapes[j] })
}

// holdsRows reports whether a control contains rows of a table, which stay rows.
func (d *doc) holdsRows(i int) bool {
	rows := 0
	return d.any(i, 2*partnerNodes, func(j int) bool {
		if d.style(j, styleDisplay) == "table-row" {
			rows++
		}
		return rows > 1
	})
}

// ground is the name of an area that has other controls in it, but no other words.
func (w *writer) ground(i int) string {
	d := w.d
	if name := clip(clean(d.said(i)), nameBytes); name != "" {
		return name
	}
	if w.m.control[i] == kindLink {
		// All of its words are on what is in it: the first ones say where it leads.
		if words := clip(w.seenText(i), machineBytes); words != "" {
			return words
		}
	}
	name := clip(clean(withoutCodes(d.identifier(i))), machineBytes)
	if name == "" {
		name = d.tag(i)
	}
	_, _, width, height, _ := d.box(i)
	return name + " " + round(width) + "x" + round(height)
}

// An owned is an area whose ref waits for its words.
type owned struct{ state, ref string }

// firstWords cuts a text after its first words, as many as a name may have.
func firstWords(s string) (first, rest string) {
	s = strings.TrimLeft(s, " \t\n")
	if len(s) <= nameBytes {
		return s, ""
	}
	end := strings.LastIndexAny(s[:machineBytes], " \t\n")
	if end <= 0 {
		for end = machineBytes; end > 0 && !utf8.RuneStart(s[end]); {
			end--
		}
	}
	return s[:end], s[end:]
}

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

// plainBrackets writes a name with other brackets than those of the notation.
var plainBrackets = strings.NewReplacer("[", "(", "]", ")")

// write writes [name; state](ref).
func (w *writer) write(name, state, ref string) {
	name = plainBrackets.Replace(name)
	if state != "" {
		name += "; " + state
	}
	if len(w.buf) == w.ended {
		w.space = false // brackets set controls apart
	}
	w.raw("[" + name + "](" + ref + ")")
	w.ended = len(w.buf)
	w.line.Refs = append(w.line.Refs, ref)
}

// state returns the state of a control: checked, open, disabled and so on.
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
		say("current", d.isCurrent(i))
		return strings.Join(out, ", ")
	}
	say("checked", d.checked[i] || d.attr(i, "aria-checked") == "true")
	say("mixed", d.attr(i, "aria-checked") == "mixed")
	say("pressed", d.attr(i, "aria-pressed") == "true")
	say("expanded", d.attr(i, "aria-expanded") == "true")
	say("collapsed", d.attr(i, "aria-expanded") == "false")
	say("selected", d.attr(i, "aria-selected") == "true")
	say("disabled", d.has(i, "disabled") || d.attr(i, "aria-disabled") == "true" || len(d.process.ax) > 0 && d.inert(i))
	say("required", d.has(i, "required") || d.attr(i, "aria-required") == "true")
	say("readonly", d.has(i, "readonly"))
	say("current", d.isCurrent(i))
	return strings.Join(out, ", ")
}

// isCurrent reports whether an element is the one of its like that a person is at (ARIA,
// aria-current): a page, a step, a date.
func (d *doc) isCurrent(i int) bool {
	v := d.attr(i, "aria-current")
	return v != "" && v != "false"
}

// inert reports whether nothing can be done with what is in an element around i (HTML, inert
// subtrees). The accessibility tree leaves that out.
func (d *doc) inert(i int) bool {
	for ; i > 0; i = d.up(i) {
		if d.has(i, "inert") {
			return true
		}
	}
	return false
}

// seenText is the text to be seen in an element, on one line.
func (w *writer) seenText(i int) string { return w.textIn(i, true) }

// ownText is seenText without that on other controls.
func (w *writer) ownText(i int) string { return w.textIn(i, false) }

func (w *writer) textIn(i int, controls bool) string {
	sub := writer{frames: w.frames, refs: w.refs, page: new(Page), d: w.d, m: w.m, region: -1}
	w.d.walk(i, groupNodes, func(j int) step {
		switch {
		case w.m.popup[j], !controls && (w.m.control[j] != noControl || w.m.dialog[j]):
			return past
		case w.d.pseudo[j] && w.m.shown[j]:
			sub.apart(j)
			sub.words(w.d.generated[j])
		case w.d.kind(j) != textNode:
		case w.m.shown[j]:
			sub.apart(j)
			sub.words(w.d.letters(j))
		case w.d.layout[j] > 0:
			sub.gap(j)
		}
		if len(sub.buf) >= 4096 {
			return stop
		}
		return into
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
		if w.m.dialog[j] {
			return false
		}
		if w.m.shown[j] {
			level = headingLevel(w.d.tag(j))
		}
		return level == 0
	})
	return level
}

// picture writes the name of a picture.
func (w *writer) picture(i int, tag string, depth int) {
	if tag == "svg" {
		w.children(i, depth) // text of charts, forms of drawings
	}
	name := w.d.attr(i, "alt")
	if tag != "img" {
		name = w.d.attr(i, "aria-label")
	}
	if name = clip(clean(name), nameBytes); name != "" {
		w.look(i)
		w.raw("![" + plainBrackets.Replace(name) + "]")
		w.text = true
	}
	if m, ok := w.d.maps[w.d.attr(i, "usemap")]; ok && tag == "img" && m > 0 {
		w.areas(m)
	}
}

// areas writes the parts of an image map, which have no boxes of their own.
func (w *writer) areas(m int) {
	d := w.d
	d.descend(m, 4*mostParts, func(j int) bool {
		if d.kind(j) == element && d.tag(j) == "area" && (d.has(j, "href") || d.heard(j).mouse) {
			n := d.node(j)
			ref := w.refs.name(n, kindLink, nil)
			w.page.nodes[n] = place{from: len(w.page.Lines), to: len(w.page.Lines) + 1, frame: d.str(d.src.FrameID)}
			name := clip(clean(d.attr(j, "alt")), nameBytes)
			if name == "" {
				name = d.name(j)
			}
			w.space = true
			w.write(name, "", ref)
			w.space = true
		}
		return true
	})
}
