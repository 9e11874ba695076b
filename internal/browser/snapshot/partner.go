package snapshot

import "strings"

// Rules of partners. Libraries hide a control of the browser's and draw their own in its
// place: a switch beside a check box that nobody sees, a box around a field of no width.
// What can be clicked then has the name and the state of the hidden control.
//
//   - The partner is in what can be clicked, directly before it, or beside it where nothing
//     else around can be acted on. It is a box, a radio button, or a list that one types into.
//   - Something with more words than a name has no partner.
//   - A hidden range stands for the thumb that it is in, and is acted on itself.
//   - A box by its role and the box of the browser's in it are one (WAI-ARIA 1.2, Children
//     Presentational): what has the state and reacts is acted on.

// partners finds the hidden controls that stand for what can be clicked.
func (m *marks) partners(d *doc) {
	for i := range d.first {
		if m.control[i] != kindClick || m.size[i] > nameBytes || d.said(i) != "" {
			continue
		}
		_, lone := m.lone(d, i)
		j, ok := m.partner(d, i, i)
		if !lone && (!ok || d.classify(j) != kindText || d.given(j) == "") { // tags are controls beside the field
			continue
		}
		if up := d.up(i); lone && !ok && up > 0 {
			if _, lone := m.lone(d, up); lone {
				j, ok = m.partner(d, up, i)
			}
		}
		if !ok {
			j, ok = m.hiddenBefore(d, i)
		}
		if !ok {
			continue
		}
		if m.control[j] != noControl && !d.heard(i).mouse && d.labelText(j) != "" {
			m.control[i] = noControl // it takes clicks itself, and so does its label
			continue
		}
		if m.stands == nil {
			m.stands = make(map[int]int)
		}
		m.stands[i] = j
		m.control[j] = noControl
		m.control[i] = d.classify(j)
		if m.control[i] == kindText {
			m.control[i] = kindCombo
		}
	}
}

// partner is the only hidden control in an element that is not below another one.
func (m *marks) partner(d *doc, in, control int) (found int, ok bool) {
	n := 0
	d.descend(in, partnerNodes, func(j int) bool {
		if d.kind(j) != element || m.control[j] != noControl && !d.laidOver(j, m.views[j]) || d.layout[j] == 0 && in != control {
			return true
		}
		switch tag := d.tag(j); {
		case tag == "input" || strings.EqualFold(d.attr(j, "role"), "switch"):
		default:
			return true
		}
		switch d.classify(j) {
		case kindCheck, kindRadio:
		case kindText, kindCombo:
			if !strings.EqualFold(d.attr(j, "role"), "combobox") {
				return true
			}
		default:
			return true
		}
		found = j
		n++
		return n < 2
	})
	return found, n == 1
}

// hiddenBefore is the check box or radio button that nobody sees directly before an element.
func (m *marks) hiddenBefore(d *doc, i int) (found int, ok bool) {
	if up := d.up(i); up > 0 {
		for c := int(d.first[up]); c != 0 && c != i; c = int(d.next[c]) {
			if d.kind(c) == element {
				found = c
			}
		}
	}
	if found == 0 || d.tag(found) != "input" || m.control[found] != noControl {
		return 0, false
	}
	k := d.classify(found)
	return found, k == kindCheck || k == kindRadio
}

// lone reports whether one thing at most in an element can be acted on, and which; 0 for none.
func (m *marks) lone(d *doc, i int) (only int, ok bool) {
	return only, !d.any(i, partnerNodes, func(j int) bool {
		more := m.control[j] != noControl && only > 0
		if m.control[j] != noControl {
			only = j
		}
		return more
	})
}

// partnered writes what can be clicked by the name of its partner; false where that has
// none.
func (w *writer) partnered(i, j, depth int, kind byte, ref string) bool {
	d := w.d
	name := clip(clean(d.given(j)), nameBytes)
	seen := w.seenText(i)
	if name == "" {
		if name = seen; name == "" {
			return false
		}
		seen = ""
	}
	switch {
	case kind == kindCombo:
		name += "=" + seen
	case seen != "" && !containsWord(name, seen):
		name = seen + " " + name
	}
	w.write(name, d.state(j, kind), ref)
	if w.m.inside[i] { // a sign that clears it, for example
		mute := w.mute
		w.space, w.mute = true, true
		w.children(i, depth)
		w.mute = mute
	}
	return true
}

// doubled is the kind of a check box or radio button by its role, which may have one of
// the browser's in it that is seen as well. One of them is acted on.
func (m *marks) doubled(d *doc, i int) byte {
	inner, lone := m.lone(d, i)
	end := int(d.last[i])
	if !lone || inner == 0 || end-i > partnerNodes || d.tag(inner) != "input" || m.control[inner] != m.control[i] {
		return m.control[i]
	}
	if !d.has(i, "aria-checked") || d.hollow(i) {
		return noControl
	}
	m.control[inner] = noControl
	for j := i; j <= end; j++ {
		m.inside[j] = false
	}
	return m.control[i]
}

// thumb reports whether a range that is not seen stands in something that is: the thumb
// that a library draws.
func (m *marks) thumb(d *doc, i int) bool {
	if d.tag(i) != "input" || !strings.EqualFold(d.attr(i, "type"), "range") || d.layout[i] == 0 {
		return false
	}
	for up, n := d.up(i), 0; up > 0 && n < partnerLevels; up, n = d.up(up), n+1 {
		_, _, width, height, ok := d.box(up)
		if ok && width >= leastThumb && height >= leastThumb && d.seen(up, m.views[up]) {
			return true
		}
	}
	return false
}

// Libraries write the label of an empty field where its text comes, and make the field
// itself transparent.

// transparent shows the fields that nobody sees because their label lies over them.
func (m *marks) transparent(d *doc) {
	for i := range d.first {
		if d.kind(i) != element || m.control[i] != noControl || d.layout[i] == 0 || m.views[i].opacity >= seenOpacity {
			continue
		}
		tag := d.tag(i)
		if strings.EqualFold(d.attr(i, "role"), "combobox") || m.inCombo(d, i) || strings.EqualFold(d.attr(i, "aria-hidden"), "true") && d.attr(i, "tabindex") == "-1" {
			continue // what is drawn around it opens the list; or it is there for the form alone
		}
		if tag != "textarea" && (tag != "input" || inputKind(strings.ToLower(d.attr(i, "type"))) != kindText) {
			continue
		}
		v := m.views[i]
		v.opacity = 1
		if _, _, width, _, _ := d.box(i); width < leastField || !d.seen(i, v) || !m.labelOver(d, i) {
			continue
		}
		m.control[i], m.shown[i] = kindText, true
		for up := d.up(i); up > 0; up = d.up(up) {
			m.shown[up], m.inside[up] = true, true
		}
	}
}

// boxed is the text field in a list (ARIA 1.1, combobox), which shows what is chosen, if nothing else in it can be acted
// on beside what it opens; else 0.
func (m *marks) boxed(d *doc, i int) (field int) {
	n := 0
	d.walk(i, partnerNodes, func(j int) step {
		switch {
		case m.popup[j]:
			return past
		case m.control[j] == noControl:
			return into
		}
		n, field = n+1, j
		return past
	})
	if n != 1 || m.control[field] != kindText {
		return 0
	}
	return field
}

// inCombo reports whether an element is in a list that opens.
func (m *marks) inCombo(d *doc, i int) bool {
	up := d.up(i)
	for n := 0; n < labelLevels && up > 0 && m.control[up] != kindCombo; n++ {
		up = d.up(up)
	}
	return up > 0 && m.control[up] == kindCombo
}

// labelOver reports whether a text that is seen stands in the place of a field.
func (m *marks) labelOver(d *doc, i int) bool {
	x, y, w, h, _ := d.box(i)
	up := i
	for n := 0; n < labelLevels && d.up(up) > 0; n++ {
		up = d.up(up)
	}
	return d.any(up, 2*partnerNodes, func(j int) bool {
		left, top, width, height, ok := d.box(j)
		return ok && d.kind(j) == textNode && m.shown[j] && left+width > x && left < x+w && top+height > y-h && top < y+h
	})
}
