package snapshot

import (
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
)

// Some of what a page styles has no box in a DOM snapshot: the content of details, the
// placeholder of a field, the options of a closed list. Their styles are asked for apart, and
// judged as those of elements.

// Parts are the styles of such parts in the main document of a process. The zero value is
// none.
type Parts struct {
	// Count is the number of elements that [PartElements] names, outside of shadow trees. If
	// the snapshot has another one, the page has changed meanwhile, and nothing is known.
	Count int `json:"count"`
	// Rows are styles in the order of [Styles]; "" is not known.
	Rows [][]string `json:"rows"`
	// At says of elements, by their place among those of Count, which row their part has.
	At [][2]int `json:"at"`
	// Lines says the same of elements with a ::first-line, by their place among all Elements;
	// these are 0 without any.
	Lines    [][2]int `json:"lines"`
	Elements int      `json:"elements"`
}

// PartElements is a selector of the elements that have parts: the ::details-content of an
// open details element, the ::placeholder of a field that shows it, the options and groups of
// a list themselves.
const PartElements = "details,option,optgroup,input,textarea"

func hasParts(tag string) bool {
	switch tag {
	case "details", "option", "optgroup", "input", "textarea":
		return true
	}
	return false
}

// HasParts reports whether parts of the main document have to be asked for.
func (d *DOM) HasParts() bool {
	for _, s := range d.Strings {
		switch s {
		case "DETAILS", "OPTION", "OPTGROUP", "placeholder":
			return true
		}
		if strings.Contains(s, ":first-line") {
			return true
		}
	}
	return false
}

// findParts finds the nodes of parts and those of first lines, by their ids.
func (p *Parts) findParts(src *Document, strs []string, n int) (parts, lines map[int64][]string) {
	if p.Count == 0 && p.Elements == 0 {
		return nil, nil
	}
	tags := tagsOf(src, strs, n)
	var ids, all []int64
	shadow := make([]bool, n)
	for i := range n {
		up := src.Nodes.Parent[i]
		shadow[i] = src.Nodes.Type[i] == fragmentNode || up >= 0 && up < i && shadow[up]
		if shadow[i] || src.Nodes.Type[i] != element || strings.HasPrefix(tags[i], "::") {
			continue
		}
		if all = append(all, src.Nodes.BackendID[i]); hasParts(tags[i]) {
			ids = append(ids, src.Nodes.BackendID[i])
		}
	}
	return p.rowsOf(p.At, ids, p.Count), p.rowsOf(p.Lines, all, p.Elements)
}

// rowsOf are the rows of elements, by their ids; nil if their number is another one.
func (p *Parts) rowsOf(at [][2]int, ids []int64, count int) map[int64][]string {
	if len(ids) != count {
		return nil
	}
	out := make(map[int64][]string, len(at))
	for _, at := range at {
		if at[0] >= 0 && at[0] < len(ids) && at[1] >= 0 && at[1] < len(p.Rows) && len(p.Rows[at[1]]) == len(styles)+len(css.ComputedStyles()) {
			out[ids[at[0]]] = p.Rows[at[1]]
		}
	}
	return out
}

// firstLine is a view inside an element of which the first line may be hidden by its own style:
// which text stands on it is not known.
func (d *doc) firstLine(i int, v view) view {
	if row := d.lines[d.src.Nodes.BackendID[i]]; row != nil && d.layout[i] > 0 {
		if _, look := d.partIn(row, v); look.Why != css.InSight && v.why == css.InSight {
			v.unknown = true
		}
	}
	return v
}

// part returns the styles of the part of an element; nil where they are not known.
func (d *doc) part(i int) []string { return d.parts[d.src.Nodes.BackendID[i]] }

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
	return len(d.parts) > 0 && d.tag(up) == "details" && d.tag(i) != "summary" && !d.pseudo[i]
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
			return true
		}
		_, look := d.partIn(row, d.viewed[i])
		return look.Why == css.InSight || look.Why == css.Unknown
	}
	return d.flat(i, d.viewed[i]).Why == css.InSight
}
