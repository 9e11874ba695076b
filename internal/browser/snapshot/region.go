package snapshot

import "strings"

// regionKind returns what part of a page an element is, "" for none.
func (d *doc) regionKind(i int, tag string) string {
	role := strings.ToLower(d.attr(i, "role"))
	if n := d.ax(i); n != nil && !n.Ignored {
		role = n.Role.text()
	}
	switch role {
	case "navigation":
		return "nav"
	case "main":
		return "main"
	case "banner":
		return "header"
	case "contentinfo":
		return "footer"
	case "complementary":
		return "aside"
	case "search":
		return "search"
	case "dialog", "alertdialog":
		return "dialog"
	case "alert":
		return "alert"
	case "form":
		return "form"
	}
	switch tag {
	case "nav", "main", "aside", "dialog", "search":
		if role == "" {
			return tag
		}
	case "form":
		return "form"
	case "header", "footer":
		if role == "" && d.ax(i) == nil {
			return tag
		}
	case "iframe", "frame":
		return "iframe"
	}
	return ""
}

// enterRegion begins a region where an element is one, and returns what ends
// it.
func (w *writer) enterRegion(i int, tag string) func() {
	kind := w.d.regionKind(i, tag)
	if kind == "" || w.m.control[i] != noControl {
		return func() {}
	}
	name := clip(clean(w.d.given(i)), 60)
	if kind == "form" && name == "" {
		return func() {}
	}
	w.brk()
	up := w.region
	w.page.Regions = append(w.page.Regions, Region{Kind: kind, Name: name, up: up, node: w.d.node(i), line: -1})
	w.region = len(w.page.Regions) - 1
	return func() {
		w.brk()
		w.region = up
	}
}

// written is a region, or the next one around it, that has a line; -1 for none.
func (p *Page) written(r int) int {
	for r >= 0 && p.Regions[r].line < 0 {
		r = p.Regions[r].up
	}
	return r
}

// openRegion writes the line of a region before its first content, and those
// around it.
func (w *writer) openRegion(r int, behind bool) {
	if r < 0 || w.page.Regions[r].line >= 0 {
		return
	}
	w.page.Regions[r].line = 0 // regions are in no circle, but depth is bounded all the same
	w.openRegion(w.page.Regions[r].up, behind)
	g := &w.page.Regions[r]
	text := "<" + g.Kind
	if g.Name != "" {
		text += " " + g.Name
	}
	g.line = len(w.page.Lines)
	g.Ref = w.refs.name(g.node, kindRegion, nil)
	w.page.Lines = append(w.page.Lines, Line{Text: text + ">", Region: r, opens: true, behind: behind})
}

// frame writes the document of a frame.
func (w *writer) frame(i, depth int) {
	if !w.d.seen(i, w.m.views[i]) {
		return
	}
	was := w.frameBehind
	w.frameBehind = w.behind(i)
	defer func() { w.frameBehind = was }()
	if inner := w.frames.in(w.d, i); inner != nil {
		inner.openInFrame()
		w.document(inner, depth+1)
	}
}
