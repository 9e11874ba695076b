package snapshot

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
)

// Some of what a page styles has no box in a DOM snapshot: the content of details, the
// placeholder of a field, the options of a closed list, what is behind a modal dialog. Their
// styles are asked for apart, and judged as those of elements.

// Parts are the styles of such parts in the main document of a process. The zero value is
// none.
type Parts struct {
	// Elements is the number of elements of the document, outside of shadow trees, and Places
	// are those of elements with parts among them. If the snapshot has another number, the page
	// has changed meanwhile, and nothing is known.
	Elements int   `json:"elements"`
	Places   []int `json:"places"`
	// IDs are those elements' ids in the browser; nil where the places tell them.
	IDs []int64 `json:"-"`
	// Rows are styles in the order of [Styles]; "" is not known.
	Rows [][]string `json:"rows"`
	// At says of elements, by their index in Places, which row their part has; Lines says the
	// same of those with letters in other styles (::first-line, ::highlight, ::selection), and
	// Backs of those with a ::backdrop.
	At    [][2]int `json:"at"`
	Lines [][2]int `json:"lines"`
	Backs [][2]int `json:"backs"`
	// Canvases are opaque parts of drawings, by the index in Places: left, top, right and bottom
	// in canvasCells of the box.
	Canvases [][5]int `json:"canvases"`
	// Over says that there are more than was asked for: what is missing is not known.
	Over bool `json:"over"`
}

const canvasCells = 32

// PartElements is a selector of the elements that have parts: the ::details-content of an
// open details element, the ::placeholder of a field that shows it, the options and groups of
// a list themselves.
const PartElements = "details,option,optgroup,input,textarea"

// HasParts reports whether parts of the main document have to be asked for. Scripts can open
// dialogs and paint letters, and linked sheets have first lines.
func (d *DOM) HasParts() bool {
	for _, s := range d.Strings {
		switch s {
		case "DETAILS", "OPTION", "OPTGROUP", "DIALOG", "SCRIPT", "LINK", "placeholder", "popover":
			return true
		}
		if strings.Contains(s, ":first-line") {
			return true
		}
	}
	return false
}

// HasShadow reports whether the first document has shadow trees of its own.
func (d *DOM) HasShadow() bool {
	return len(d.Documents) > 0 && slices.ContainsFunc(d.Documents[0].Nodes.Shadow.Value, func(v int) bool {
		return v >= 0 && v < len(d.Strings) && d.Strings[v] != "user-agent"
	})
}

// partsOf are the parts of a document, by the ids of their elements.
type partsOf struct {
	at, lines, backs map[int64][]string
	canvases         map[int64][]rect // in parts of their boxes
	over             bool
}

// find finds the elements of parts.
func (p *Parts) find(src *Document, strs []string) (out partsOf) {
	out.over = p.Over
	ids := p.IDs
	if ids == nil && len(p.Places) > 0 {
		n := min(len(src.Nodes.Parent), len(src.Nodes.Type), len(src.Nodes.Name), len(src.Nodes.BackendID))
		tags := tagsOf(src, strs, n)
		inner := make([]bool, n) // in trees of the browser's own
		src.Nodes.Shadow.each(func(k, _ int) {
			if k >= 0 && k < n {
				inner[k] = true
			}
		})
		all := make([]int64, 0, n)
		for i := range n {
			up := src.Nodes.Parent[i]
			inner[i] = inner[i] || up >= 0 && up < i && inner[up]
			if src.Nodes.Type[i] == element && !inner[i] && !strings.HasPrefix(tags[i], "::") {
				all = append(all, src.Nodes.BackendID[i])
			}
		}
		if len(all) != p.Elements {
			out.over = true
			return out
		}
		for _, at := range p.Places {
			if at < 0 || at >= len(all) {
				out.over = true
				return out
			}
			ids = append(ids, all[at])
		}
	}
	out.at, out.lines, out.backs = p.rowsOf(p.At, ids), p.rowsOf(p.Lines, ids), p.rowsOf(p.Backs, ids)
	for _, c := range p.Canvases {
		if c[0] < 0 || c[0] >= len(ids) {
			continue
		}
		if out.canvases == nil {
			out.canvases = make(map[int64][]rect)
		}
		part := func(n int) float64 { return float64(max(0, min(n, canvasCells))) / canvasCells }
		out.canvases[ids[c[0]]] = append(out.canvases[ids[c[0]]], rect{part(c[1]), part(c[2]), part(c[3]), part(c[4]), true})
	}
	return out
}

// rowsOf are the rows of elements, by their ids; nil for none.
func (p *Parts) rowsOf(at [][2]int, ids []int64) map[int64][]string {
	if len(at) == 0 {
		return nil
	}
	out := make(map[int64][]string, len(at))
	for _, at := range at {
		if at[0] < 0 || at[0] >= len(ids) || at[1] < 0 || at[1] >= len(p.Rows) || len(p.Rows[at[1]]) != len(styles)+len(css.ComputedStyles()) {
			continue
		}
		out[ids[at[0]]] = p.Rows[at[1]]
	}
	return out
}

// firstLine is a view inside an element of which the first line may be hidden by its own style:
// which text stands on it is not known.
func (d *doc) firstLine(i int, v view) view {
	if row := d.parts.lines[d.src.Nodes.BackendID[i]]; row != nil && d.layout[i] > 0 {
		if _, look := d.partIn(row, v); look.Why != css.InSight && v.why == css.InSight {
			v.unknown = true
		}
	}
	return v
}

// part returns the styles of the part of an element; nil where they are not known.
func (d *doc) part(i int) []string { return d.parts.at[d.src.Nodes.BackendID[i]] }

// partIn returns the view inside of a part that stands in an element with this view, and
// why nothing of it is seen.
func (d *doc) partIn(row []string, v view) (view, css.Look) {
	if o := row[styleOpacity]; o != "" {
		if f, err := strconv.ParseFloat(o, 64); err == nil {
			v.opacity *= f
		}
	}
	before := v.judged
	inside, why := v.judged.Enter(&html.Node{Type: html.ElementNode, Data: "div"}, func(k int) string { return row[styleJudged+k] })
	d.partViews++
	v.judged, v.verdict = inside, -d.partViews
	switch {
	case why == css.Unknown:
		v.unknown = true
	case v.why == css.InSight && why != css.Opacity && why != css.Place:
		v.why = why
	}
	if inside.Filled(before) {
		v.ground = &ground{v.ground, -1, rect{}, inside}
	}
	if v.why != css.InSight {
		return v, css.Look{Why: v.why}
	}
	size, err := strconv.ParseFloat(strings.TrimSuffix(row[styleFontSize], "px"), 64)
	switch shown := row[styleVisibility]; {
	case v.opacity < seenOpacity:
		return v, css.Look{Why: css.Opacity}
	case shown != "" && shown != "visible":
		return v, css.Look{Why: css.Visibility}
	case err == nil && size < leastSize:
		return v, css.Look{Why: css.Size}
	}
	return v, lookOf(inside.Flat())
}

// enterDetails returns the view inside of what a details element shows when it is open.
func (d *doc) enterDetails(i int, v view) view {
	row := d.part(i)
	if row == nil || d.layout[i] == 0 {
		return v
	}
	v, look := d.partIn(row, v)
	if look.Why != css.Color && v.why == css.InSight {
		v.why = look.Why // an element in it can have another colour
	}
	if x, y, w, h, _ := d.box(i); cuts(row[styleOverflowX]) || cuts(row[styleOverflowY]) {
		v.port = v.port.cut(rect{x, y, x + w, y + h, true})
	}
	return v
}

// isDisclosed reports whether a node stands in the content of details elements.
func (d *doc) isDisclosed(i, up int) bool {
	return len(d.parts.at) > 0 && d.tag(up) == "details" && d.tag(i) != "summary" && !d.pseudo[i]
}

// listed says whether a person sees an option, or the label of a group, in its list, when that
// is open.
func (d *doc) listed(i int) css.Look {
	list := d.up(i)
	if list > 0 && d.tag(list) == "optgroup" {
		list = d.up(list)
	}
	if list <= 0 || list >= len(d.viewed) {
		return css.Look{}
	}
	v := d.viewed[list]
	v.opacity, v.why, v.unknown = 1, css.InSight, false // it opens over what the page draws in its place
	clear := v.judged.Clear()
	if up := d.up(i); up != list {
		if row := d.part(up); row != nil {
			var look css.Look
			if v, look = d.partIn(row, v); look.Why != css.InSight && look.Why != css.Color {
				return look
			}
		}
	}
	row := d.part(i)
	if row == nil && d.parts.over {
		return css.Look{Why: css.Unknown}
	}
	if row == nil {
		return css.Look{}
	}
	v, look := d.partIn(row, v)
	if look.Why == css.Color && clear && v.judged.Clear() {
		return css.Look{} // of a transparent list, too
	}
	return look
}

// showsLabel reports whether a person sees the text that a field or a button shows in itself:
// a placeholder, or the words on an input element.
func (d *doc) showsLabel(i int) bool {
	if i >= len(d.viewed) || d.layout[i] == 0 {
		return true
	}
	if d.has(i, "placeholder") {
		row := d.part(i)
		if row == nil {
			return !d.parts.over
		}
		_, look := d.partIn(row, d.viewed[i])
		return look.Why == css.InSight || look.Why == css.Unknown
	}
	return d.flat(i, d.viewed[i]).Why == css.InSight
}

// backdrop reports whether what the browser paints behind an element of the top layer hides the
// page (CSS Positioned Layout Module Level 4, section 3).
func (d *doc) backdrop(i int) bool {
	row := d.parts.backs[d.src.Nodes.BackendID[i]]
	if row == nil || row[styleDisplay] == "none" || row[styleVisibility] != "visible" || row[styleOpacity] != "1" {
		return false
	}
	return css.Opaque(row[styleBackColor]) || css.OpaqueImage(row[styleBackImage]) || css.Washes(row[styleBackdrop])
}
