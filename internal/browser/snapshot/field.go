package snapshot

import (
	"strconv"
	"strings"
)

// This file writes the fields of forms, with their values and options.

// field writes a field of a form with its value.
func (w *writer) field(i int, kind byte, ref string) {
	d := w.d
	name := d.name(i)
	state := d.state(i, kind)
	switch kind {
	case kindCheck, kindRadio:
		name = w.brief(i, name)
	default:
		if d.tag(i) == "select" {
			chosen, options := d.options(i)
			name += "=" + clip(clean(strings.Join(chosen, ", ")), valueBytes)
			w.write(name, state, ref)
			w.raw(optionList(options))
			return
		}
		value := w.fieldValue(i, ref)
		if hint := clip(clean(d.placeholder(i)), machineBytes); value == "" && d.has(i, "aria-label") && !containsWord(name, hint) {
			name = hint + " " + name // which nobody sees
		}
		name += "=" + value
	}
	w.write(name, state, ref)
}

// level is what a slider that the page draws says of its value.
func (d *doc) level(i int) string {
	for _, name := range [...]string{"aria-valuetext", "aria-valuenow"} {
		if s := clip(clean(d.attr(i, name)), machineBytes); s != "" {
			return s
		}
	}
	return ""
}

func (w *writer) fieldValue(i int, ref string) string {
	d := w.d
	v, ok := d.values[i]
	s := d.str(v)
	switch {
	case strings.EqualFold(d.attr(i, "type"), "password") && s != "":
		return "•••"
	case w.m.views[i].opacity < seenOpacity && d.attr(i, "type") != "file" && d.attr(i, "type") != "range":
		return "" // what the page draws in its place is seen
	case ok:
	case d.tag(i) == "input" || d.tag(i) == "textarea":
		if n := d.ax(i); n != nil {
			s = n.Value.text()
		}
	default:
		if s = w.seenText(i); s == "" { // contenteditable, or a field drawn by hand
			if inner := w.m.boxed(d, i); inner > 0 {
				return w.fieldValue(inner, ref)
			}
		}
	}
	if d.attr(i, "type") == "file" {
		s = s[strings.LastIndexByte(s, '\\')+1:] // the path is made up (HTML, "fakepath")
	}
	if d.tag(i) == "textarea" {
		s = strings.ReplaceAll(strings.TrimSpace(s), "\n", " ⏎ ")
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

// options returns the labels of a list that are chosen, and all of them, with the
// names of groups and a word on those that cannot be chosen.
func (d *doc) options(i int) (chosen, all []string) {
	group := -1
	d.descend(i, 4000, func(j int) bool {
		if d.kind(j) != element || d.tag(j) != "option" || d.has(j, "hidden") {
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
		if d.selected[j] {
			chosen = append(chosen, label)
		}
		off := d.has(j, "disabled")
		if up := d.up(j); d.tag(up) == "optgroup" {
			off = off || d.has(up, "disabled")
			if name := clip(clean(d.attr(up, "label")), 60); up != group && name != "" {
				label = name + ": " + label
			}
			group = up
		}
		if off {
			label += " (disabled)"
		}
		all = append(all, label)
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
