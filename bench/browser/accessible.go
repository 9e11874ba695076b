package main

import (
	"context"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// accessible is an element that the browser's accessibility tree names and has as
// something to act on.
type accessible struct {
	Role, Name string
	// Ref is the ref that the last snapshot gave the element, what is around it, or what
	// is in it; Line is the line of the ref. Both are "" if there is none.
	Ref, Line string
	// Own reports whether the ref is of the element itself.
	Own bool
	// Hidden says why a person does not see an element without a ref; "" if a person
	// sees it.
	Hidden string
	// Markup is the beginning of the markup of an element without a ref.
	Markup string
}

// interactiveRoles are those of elements that are acted on, as Chromium writes them.
const interactiveRoles = " link button textbox searchbox combobox listbox checkbox radio switch slider spinbutton tab menuitem " +
	"menuitemcheckbox menuitemradio option treeitem DisclosureTriangle ColorWell Date DateTime InputTime "

// accessible lists what the accessibility tree of the open page's main process has to act on, and
// compares it with a new snapshot.
func (o *ours) accessible() (out []accessible, err error) {
	err = o.b.Inspect(context.Background(), browser.Place{}, func(call func(string, any, any) error, refs map[int64]browser.RefAt) error {
		var dom snapshot.DOM
		if err := call("DOMSnapshot.captureSnapshot", map[string]any{"computedStyles": []string{}}, &dom); err != nil {
			return err
		}
		var tree struct {
			Nodes []snapshot.AXNode `json:"nodes"`
		}
		if err := call("Accessibility.getFullAXTree", struct{}{}, &tree); err != nil {
			return err
		}
		near := related(dom.Documents, refs)
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			role, _ := n.Role.Value.(string)
			name, _ := n.Name.Value.(string)
			if n.Ignored || strings.TrimSpace(name) == "" || !strings.Contains(interactiveRoles, " "+role+" ") {
				continue
			}
			a := accessible{Role: role, Name: name}
			if at, ok := refs[n.BackendID]; ok {
				a.Ref, a.Line, a.Own = at.Ref, at.Line, true
			} else if at, ok := refs[near[n.BackendID]]; ok {
				a.Ref, a.Line = at.Ref, at.Line
			} else if err := a.look(call, n.BackendID); err != nil {
				return err
			}
			out = append(out, a)
		}
		return nil
	})
	return out, err
}

// related maps the nodes that have no ref to the nearest one above that has, or else to
// the first one below.
func related(docs []snapshot.Document, refs map[int64]browser.RefAt) map[int64]int64 {
	out := make(map[int64]int64)
	for d := range docs {
		n := &docs[d].Nodes
		for i := range n.Parent { // a parent comes before its children
			up := n.Parent[i]
			if up < 0 || up >= i {
				continue
			}
			if _, ok := refs[n.BackendID[up]]; ok {
				out[n.BackendID[i]] = n.BackendID[up]
			} else if above, ok := out[n.BackendID[up]]; ok {
				out[n.BackendID[i]] = above
			}
		}
		for i := len(n.Parent) - 1; i > 0; i-- {
			up := n.Parent[i]
			if up < 0 || up >= i {
				continue
			}
			id, above := n.BackendID[i], n.BackendID[up]
			if _, ok := refs[id]; !ok {
				id = out[id]
			}
			if _, ok := out[above]; !ok && id != 0 {
				out[above] = id
			}
		}
	}
	return out
}

// hiddenScript says why a person does not see an element, and returns its markup.
const hiddenScript = `function() {
	const e = this.nodeType === 1 ? this : this.parentElement;
	if (!e) return ['gone', ''];
	const markup = e.outerHTML.slice(0, 300).replace(/\s+/g, ' '), b = e.getBoundingClientRect();
	const why = () => {
		if (!e.checkVisibility({visibilityProperty: true})) return 'not drawn';
		if (!e.checkVisibility({opacityProperty: true})) return 'transparent';
		if (b.width < 2 || b.height < 2) return 'no size';
		if (b.right + scrollX <= 0 || b.bottom + scrollY <= 0 || b.left + scrollX >= Math.max(innerWidth, document.documentElement.scrollWidth)) return 'beside the page';
		for (let a = e; a; a = (a.assignedSlot || a.parentElement || a.getRootNode().host)) {
			const c = getComputedStyle(a), q = a.getBoundingClientRect();
			if (c.opacity < .05) return 'transparent';
			if (c.overflowX !== 'visible' && q.width < 2 || c.overflowY !== 'visible' && q.height < 2 || /^rect\((0|1px)/.test(c.clip) || /inset\((50|100)%/.test(c.clipPath)) return 'clipped';
			if (/hidden|clip/.test(c.overflowX + c.overflowY) && (q.right <= b.left || q.left >= b.right || q.bottom <= b.top || q.top >= b.bottom)) return 'outside of what clips it';
		}
		return '';
	};
	return [why(), markup];
}`

// look says why a person does not see an element without a ref, and how its markup begins.
func (a *accessible) look(call func(string, any, any) error, id int64) error {
	var resolved struct {
		Object struct {
			ID string `json:"objectId"`
		} `json:"object"`
	}
	if err := call("DOM.resolveNode", map[string]any{"backendNodeId": id}, &resolved); err != nil {
		a.Hidden = "gone"
		return nil
	}
	var said struct {
		Result struct {
			Value []string `json:"value"`
		} `json:"result"`
	}
	if err := call("Runtime.callFunctionOn", map[string]any{"functionDeclaration": hiddenScript, "objectId": resolved.Object.ID, "returnByValue": true}, &said); err != nil {
		return err
	}
	if v := said.Result.Value; len(v) == 2 {
		a.Hidden, a.Markup = v[0], v[1]
	}
	return nil
}
