package snapshot

import "slices"

// Rules of what is behind a dialog. A dialog is modal if something that is painted
// before it covers the window: its backdrop, an element around it, or one beside it
// with a colour. What is painted before that cannot be reached. It is kept, to be
// looked for, and written as one line. A dialog that stands in the flow of the page,
// as one does whose style sheet did not come, is not over anything.

// A veil is what a dialog puts over the page.
type veil struct {
	cover, dialog, order int
}

// veil looks for a modal dialog in the main document.
func (w *writer) veilOf(d *doc, m *marks) *veil {
	if w.window.Height <= 0 {
		return nil
	}
	var dialogs, covers []int
	for i := range d.first {
		if d.layout[i] == 0 || int(d.layout[i]) > len(d.src.Layout.Order) || d.kind(i) != element {
			continue
		}
		if m.shown[i] && d.regionKind(i, d.tag(i)) == "dialog" {
			dialogs = append(dialogs, i)
		}
		if p := d.style(i, stylePosition); (p == "fixed" || p == "absolute") && w.coversWindow(d, i) && d.style(i, styleVisibility) != "hidden" {
			covers = append(covers, i)
		}
	}
	var out *veil
	for _, dialog := range dialogs {
		modal := d.modal(dialog)
		lifted := d.tag(dialog) == "dialog" || d.lifted(dialog)
		if modal && d.tag(dialog) == "dialog" {
			// The browser itself blocks the page behind (HTML, modal dialogs).
			if v := (&veil{dialog, dialog, d.order(dialog)}); out == nil || v.order > out.order {
				out = v
			}
		}
		for _, c := range covers {
			if !lifted && !d.within(c, dialog) {
				continue
			}
			_, _, _, a, ok := colour(d.style(c, styleBackColor))
			tinted := ok && a > seenOpacity && m.views[c].opacity >= seenOpacity || d.tag(c) == "::backdrop"
			if !tinted && !(modal && d.backs(c, dialog)) || d.order(c) > d.order(dialog) && !d.within(c, dialog) {
				continue
			}
			if v := (&veil{c, dialog, d.order(c)}); out == nil || v.order > out.order {
				out = v
			}
		}
	}
	return out
}

// lifted reports whether an element or one around it is out of the flow of the page.
func (d *doc) lifted(i int) bool {
	for ; i > 0; i = d.up(i) {
		if p := d.style(i, stylePosition); p == "fixed" || p == "absolute" {
			return true
		}
	}
	return false
}

// backs reports whether an element without colour can be the backdrop of a dialog: it is
// around it, in it, or beside it.
func (d *doc) backs(cover, dialog int) bool {
	return d.within(dialog, cover) || d.within(cover, dialog) || d.up(cover) == d.up(dialog)
}

// modal reports whether a dialog says that it is modal.
func (d *doc) modal(i int) bool {
	if n := d.ax(i); n != nil && slices.ContainsFunc(n.Properties, func(p axProperty) bool { return p.Name == "modal" && p.Value.on() }) {
		return true
	}
	return d.attr(i, "aria-modal") == "true"
}

// hasModal reports whether a modal dialog is in the window.
func (d *doc) hasModal() bool {
	for i := range d.first {
		if d.kind(i) == element && d.showsModal(i) {
			return true
		}
	}
	return false
}

// showsModal reports whether an element is a modal dialog in the window.
func (d *doc) showsModal(i int) bool {
	if d.attr(i, "aria-modal") != "true" && d.tag(i) != "dialog" || d.layout[i] == 0 || !d.lifted(i) || d.style(i, styleVisibility) != "visible" {
		return false
	}
	x, y, w, h, _ := d.box(i)
	x, y = x-d.src.ScrollX, y-d.src.ScrollY
	return w >= leastDialog && h >= leastDialog && x < d.window.Width && y < d.window.Height && x+w > 0 && y+h > 0
}

// order is the place of an element in the order in which the browser paints; 0 for one without a box.
func (d *doc) order(i int) int {
	if j := int(d.layout[i]); j > 0 && j <= len(d.src.Layout.Order) {
		return d.src.Layout.Order[j-1]
	}
	return 0
}

// coversWindow reports whether an element covers most of the window.
func (w *writer) coversWindow(d *doc, i int) bool {
	x, y, width, height, _ := d.box(i)
	x, y = x-d.src.ScrollX, y-d.src.ScrollY
	return min(x+width, w.window.Width)-max(x, 0) >= mostOfWindow*w.window.Width && min(y+height, w.window.Height)-max(y, 0) >= mostOfWindow*w.window.Height
}

// folds reports whether some of the page may be behind a dialog.
func (w *writer) folds() bool { return w.veil != nil || w.frameBehind || w.locked }

// behind reports whether a node of the main document is behind the dialog.
func (w *writer) behind(i int) bool {
	v, d := w.veil, w.d
	if !w.inMain {
		return w.frameBehind
	}
	if v == nil {
		_, y, _, _, ok := d.box(i)
		return w.locked && ok && y >= d.src.ScrollY+w.window.Height && d.style(i, stylePosition) != "fixed"
	}
	if d.layout[i] == 0 || int(d.layout[i]) > len(d.src.Layout.Order) {
		return false
	}
	return d.order(i) < v.order && !d.within(i, v.dialog) && !d.within(i, v.cover)
}

// front is the page with one line for what is behind a dialog.
func (p *Page) front() *Page {
	n := 0
	for i := range p.Lines {
		if p.Lines[i].behind {
			n++
		}
	}
	if n == 0 {
		return p
	}
	out := *p
	out.Lines = nil
	first := true
	for _, l := range p.Lines {
		if !l.behind {
			out.Lines = append(out.Lines, l)
			continue
		}
		if first {
			out.Lines = append(out.Lines, Line{Text: foldText(n), Region: -1})
		}
		first = false
	}
	return &out
}
