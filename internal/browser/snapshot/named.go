package snapshot

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Rules of names. What can be acted on is named by a ref, or by a role and the name
// that a snapshot writes in brackets: button "Save", textbox "Email", dialog
// "Settings". Without a role that is known, nothing is a name, so that a wrong ref
// is never taken for one. Names are compared without regard to case. The best
// matches count: the same name, then one that begins with it, then one that holds it.

// A Name is a role and a name that stand for a ref.
type Name struct {
	Role, Text string
	nth        int // of the matches, from 1; 0: the only one
	kinds      string
	region     string
}

// roleKinds are the kinds of controls that a role stands for, as letters of refs.
func roleKinds(role string) (kinds, region string) {
	switch strings.ToLower(role) {
	case "link":
		return "a", ""
	case "button", "tab", "menuitem":
		return "bkoa", ""
	case "textbox", "searchbox", "textarea", "input", "field", "spinbutton":
		return "tc", ""
	case "combobox", "listbox", "select", "list":
		return "ct", ""
	case "checkbox", "switch":
		return "x", ""
	case "radio":
		return "r", ""
	case "slider":
		return "s", ""
	case "file":
		return "f", ""
	case "option", "treeitem", "listitem":
		return "okba", ""
	case "text", "element", "generic", "img", "image", "cell", "gridcell", "heading", "canvas", "svg":
		return "abcfkoprstx", ""
	case "dialog", "form", "search", "main", "nav", "aside", "alert", "iframe":
		return "", strings.ToLower(role)
	case "navigation":
		return "", "nav"
	}
	return "", ""
}

// ParseName reads a role and a name: button "Save", also link 'Next' and button
// "Delete"#2 for the second one. False where it is none.
func ParseName(s string) (Name, bool) {
	role, rest, ok := strings.Cut(strings.TrimSpace(s), " ")
	rest = strings.TrimSpace(rest)
	if !ok || len(rest) > 400 {
		return Name{}, false
	}
	n := Name{Role: strings.ToLower(role)}
	if n.kinds, n.region = roleKinds(role); n.kinds == "" && n.region == "" {
		return Name{}, false
	}
	if at := strings.LastIndexByte(rest, '#'); at >= 0 {
		body := strings.TrimSpace(rest[:at])
		if i, err := strconv.Atoi(rest[at+1:]); err == nil && i > 0 && len(body) > 1 && strings.ContainsAny(body[len(body)-1:], `"'`) {
			rest, n.nth = body, i
		}
	}
	for _, q := range [...]string{`"`, `'`} {
		if len(rest) > 1 && strings.HasPrefix(rest, q) && strings.HasSuffix(rest, q) {
			rest = rest[1 : len(rest)-1]
			break
		}
	}
	n.Text = clean(rest)
	return n, n.Text != ""
}

// A Match is a control that has a name, with the line that it is in.
type Match struct{ Ref, Line string }

// Named returns what a name stands for on the page: the best matches, in order.
func (p *Page) Named(n Name) []Match {
	var out []Match
	best := 0
	take := func(rank int, ref string, line int) {
		if rank == 0 || rank < best {
			return
		}
		if rank > best {
			out, best = nil, rank
		}
		if !slices.ContainsFunc(out, func(m Match) bool { return m.Ref == ref }) {
			out = append(out, Match{ref, p.Lines[line].Text})
		}
	}
	if n.region != "" {
		for i := range p.Regions {
			if g := &p.Regions[i]; g.Kind == n.region && g.line >= 0 {
				take(rankOf(g.Name, n.Text), g.Ref, g.line)
			}
		}
	}
	for i := range p.Lines {
		l := &p.Lines[i]
		for _, ref := range l.Refs {
			if !strings.Contains(n.kinds, ref[:1]) {
				continue
			}
			rank := rankOf(label(l.Text, ref), n.Text)
			if rank > 0 && ref[0] == n.kinds[0] {
				rank++ // rather a button than something else that can be clicked
			}
			if rank == 0 && strings.EqualFold(p.beside(i, ref), n.Text) {
				rank = 1
			}
			take(rank, ref, i)
		}
	}
	if n.nth > 0 {
		if n.nth > len(out) {
			return nil
		}
		return out[n.nth-1 : n.nth]
	}
	return out
}

// label is what a line writes in the brackets of a ref, or after them where they are
// empty.
func label(line, ref string) string {
	before, after, ok := strings.Cut(line, "]("+ref+")")
	if !ok {
		return ""
	}
	name := before[strings.LastIndexByte(before, '[')+1:]
	if name != "" && !strings.HasPrefix(name, "; ") {
		return name
	}
	words, _, _ := strings.Cut(after, "[")
	return strings.TrimSpace(words)
}

// beside is what a page writes for a person as the name of a field whose markup has none: the
// words behind a box, and those before another field or in the line above it.
func (p *Page) beside(i int, ref string) string {
	if !strings.Contains("xrtcsf", ref[:1]) {
		return ""
	}
	before, after, _ := strings.Cut(p.Lines[i].Text, "]("+ref+")")
	before = before[:max(strings.LastIndexByte(before, '['), 0)]
	words, _, _ := strings.Cut(after, "[")
	if ref[0] != 'x' && ref[0] != 'r' {
		words = before[strings.LastIndexByte(before, ')')+1:]
		if before == "" && i > 0 && len(p.Lines[i-1].Refs) == 0 {
			words = p.Lines[i-1].Text
		}
	}
	return strings.Trim(words, " :*|")
}

// rankOf is how well a label matches a name; 0 means not at all.
func rankOf(label, name string) int {
	label, name = strings.ToLower(label), strings.ToLower(name)
	rest, begins := strings.CutPrefix(label, name)
	switch {
	case begins && (rest == "" || strings.HasPrefix(rest, "; ") || strings.HasPrefix(rest, "=")):
		return 6
	case begins:
		return 4
	case strings.Contains(label, name):
		return 2
	}
	return 0
}

// Called returns the role and the name of the control of a ref, and which of the controls with
// both in its frame it is, from 0; -1 where it is the only one. The zero Name is that of a control
// without a role or a name.
func (p *Page) Called(ref string, refs *Refs) (n Name, nth int) {
	of := func(i int, ref string) string {
		name, _, _ := strings.Cut(label(p.Lines[i].Text, ref), "; ")
		name, _, _ = strings.Cut(name, "=")
		return cmp.Or(strings.TrimSpace(name), p.beside(i, ref))
	}
	node, _ := refs.Node(ref)
	at := slices.IndexFunc(p.Lines, func(l Line) bool { return slices.Contains(l.Refs, ref) })
	if at < 0 {
		return Name{}, -1
	}
	if n.Role, n.Text = roleOf[ref[0]], of(at, ref); n.Role == "" || n.Text == "" || strings.ContainsAny(n.Text, "\"…") {
		return Name{}, -1
	}
	nth, all := -1, 0
	for i := range p.Lines {
		if !strings.Contains(p.Lines[i].Text, n.Text) && i != at {
			continue
		}
		for _, other := range p.Lines[i].Refs {
			if other == ref {
				nth = all
			}
			if o, ok := refs.Node(other); ok && other[0] == ref[0] && p.Frame(o) == p.Frame(node) && of(i, other) == n.Text {
				all++
			}
		}
	}
	if all == 1 {
		nth = -1
	}
	return n, nth
}

// roleOf has the role of each kind of ref in the accessibility tree.
var roleOf = map[byte]string{'a': "link", 'b': "button", 't': "textbox", 'c': "combobox", 'x': "checkbox", 'r': "radio", 's': "slider", 'o': "option"}

// nameFor returns a role and a name that stand for a ref of a line alone; zero if none do.
func (p *Page) nameFor(ref, line string) Name {
	n := Name{kinds: ref[:1]}
	for _, n.Role = range [...]string{"link", "button", "textbox", "combobox", "checkbox", "radio", "slider", "option", "element"} {
		if kinds, _ := roleKinds(n.Role); strings.Contains(kinds, n.kinds) {
			n.kinds = kinds
			break
		}
	}
	n.Text, _, _ = strings.Cut(label(line, ref), "; ")
	n.Text, _, _ = strings.Cut(n.Text, "=")
	if found := p.Named(n); n.Text == "" || strings.ContainsAny(n.Text, `"…`) || len(found) != 1 || found[0].Ref != ref {
		return Name{}
	}
	return n
}
