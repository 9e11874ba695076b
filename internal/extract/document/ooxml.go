package document

import (
	"path"
	"strings"
)

// This file has what docx, pptx and xlsx files share: ECMA-376, parts 1 to 3.

// relation leads from one Office Open XML part to another, or to an address
// (ECMA-376, part 2, section 9.3).
type relation struct {
	kind     string // the last word of the type's address
	target   string // the name of a part, or an address
	external bool
}

// relations are those of one part, in their order and by their ids.
type relations struct {
	list []relation
	ids  map[string]string
}

// relations reads the relations of a part; "" stands for the package itself.
func (a *archive) relations(name string) relations {
	dir, file := path.Split(name)
	t := a.tree(dir + "_rels/" + file + ".rels")
	out := relations{ids: map[string]string{}}
	for _, r := range t.find("Relationship") {
		l := relation{kind: path.Base(r.attr("Type")), target: r.attr("Target"), external: r.attr("TargetMode") == "External"}
		if !l.external {
			if !strings.HasPrefix(l.target, "/") {
				l.target = path.Join(dir, l.target)
			}
			l.target = strings.TrimPrefix(l.target, "/")
		}
		out.list = append(out.list, l)
		out.ids[r.attr("Id")] = l.target
	}
	return out
}

// byID returns the target of an id; "" for none.
func (l relations) byID(id string) string { return l.ids[id] }

// byKind returns the target of the first relation of a kind; otherwise fallback.
func (l relations) byKind(kind, fallback string) string {
	for _, r := range l.list {
		if r.kind == kind && !r.external {
			return r.target
		}
	}
	return fallback
}

// openOffice opens an Office Open XML file and reads its metadata and its main part: the
// one that the package names as its document, or the one with the usual name.
func openOffice(b *builder, body []byte, usual string) (a *archive, name string, t *node, err error) {
	if a, _, err = openArchive(b, body); err != nil {
		return nil, "", nil, err
	}
	if t := a.tree(a.relations("").byKind("core-properties", "docProps/core.xml")); t != nil {
		b.metadata(t, "created", "modified")
	}
	for _, name := range []string{a.relations("").byKind("officeDocument", usual), usual} {
		if t := a.tree(name); t != nil {
			return a, name, t, nil
		}
	}
	return nil, "", nil, &Error{Code: Malformed, Cause: errNoPart}
}

// alternative is the branch of an AlternateContent that is converted: the first
// choice with content, otherwise the fallback (part 3, section 7.5).
func alternative(n *node) *node {
	for _, c := range n.kids("Choice") {
		if holds(c) {
			return c
		}
	}
	if f := n.child("Fallback"); f != nil {
		return f
	}
	return &node{}
}

// holds reports whether an element has text, a chart or a diagram.
func holds(n *node) bool {
	for _, c := range n.children {
		switch c.name {
		case "t":
			if strings.TrimSpace(c.content()) != "" {
				return true
			}
		case "chart", "relIds":
			return true
		}
		if holds(c) {
			return true
		}
	}
	return false
}

// on reports whether a toggle property is set.
func on(n *node) bool {
	v := n.attr("val")
	return n != nil && v != "0" && v != "false" && v != "none" && v != "off"
}

// isTrue parses a boolean attribute.
func isTrue(v string) bool { return v == "1" || v == "true" || v == "on" }

// either is the child with the first name, else the one with the second.
func either(n *node, first, second string) *node {
	if c := n.child(first); c != nil {
		return c
	}
	return n.child(second)
}
