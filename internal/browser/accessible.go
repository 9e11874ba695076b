package browser

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
)

// Accessible is an element that the browser's accessibility tree names and has as
// something to act on.
type Accessible struct {
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

// Accessible lists what the accessibility tree of a tab's main process has to act on, and
// compares it with a new snapshot. It is for measurements.
func (b *Browser) Accessible(ctx context.Context, at Place) ([]Accessible, error) {
	var out []Accessible
	err := b.on(ctx, at, b.options.Timeout, func(ctx context.Context, _ *browserContext, t *tab) error {
		p, err := t.capture(ctx)
		if err != nil {
			return err
		}
		t.last = p
		in, err := readProcess(ctx, t.main)
		if err != nil {
			return err
		}
		var tree struct {
			Nodes []snapshot.AXNode `json:"nodes"`
		}
		if err := t.main.Call(ctx, accessibility.GetFullAXTree.Method, accessibility.GetFullAXTreeParams{}, &tree); err != nil {
			return err
		}
		refs := t.refsByNode(p)
		near := related(in.DOM.Documents, refs)
		for i := range tree.Nodes {
			n := &tree.Nodes[i]
			role, _ := n.Role.Value.(string)
			name, _ := n.Name.Value.(string)
			if n.Ignored || strings.TrimSpace(name) == "" || !strings.Contains(interactiveRoles, " "+role+" ") {
				continue
			}
			a := Accessible{Role: role, Name: name}
			if at, ok := refs[n.BackendID]; ok {
				a.Ref, a.Line, a.Own = at.ref, at.line, true
			} else if at, ok := refs[near[n.BackendID]]; ok {
				a.Ref, a.Line = at.ref, at.line
			} else if err := t.unnamed(ctx, n.BackendID, &a); err != nil {
				return err
			}
			out = append(out, a)
		}
		return nil
	})
	return out, err
}

type refAt struct{ ref, line string }

// refsByNode are the refs of a page by the protocol's ids of their elements.
func (t *tab) refsByNode(p *snapshot.Page) map[int64]refAt {
	out := make(map[int64]refAt)
	for i := range p.Lines {
		for _, ref := range p.Lines[i].Refs {
			if n, ok := t.refs.Node(ref); ok && n.Process == string(t.main.id) {
				out[n.ID] = refAt{ref, p.Lines[i].Text}
			}
		}
	}
	return out
}

// related maps the nodes that have no ref to the nearest one above that has, or else to
// the first one below.
func related(docs []snapshot.Document, refs map[int64]refAt) map[int64]int64 {
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
const hiddenScript = `function() {` + membersScript + `
	const e = this.nodeType === 1 ? this : this.parentElement;
	if (!e) return ['gone', ''];
	const markup = e.outerHTML.slice(0, 300).replace(/\s+/g, ' '), b = boxOf(e);
	const why = () => {
		if (!isDrawn(e, {visibilityProperty: true})) return 'not drawn';
		if (!isDrawn(e, {opacityProperty: true})) return 'transparent';
		if (b.width < 2 || b.height < 2) return 'no size';
		if (b.right + scrollX <= 0 || b.bottom + scrollY <= 0 || b.left + scrollX >= Math.max(innerWidth, document.documentElement.scrollWidth)) return 'beside the page';
		for (let a = e; a; a = parentOf(a)) {
			const c = getComputedStyle(a), q = boxOf(a);
			if (c.opacity < .05) return 'transparent';
			if (c.overflowX !== 'visible' && q.width < 2 || c.overflowY !== 'visible' && q.height < 2 || /^rect\((0|1px)/.test(c.clip) || /inset\((50|100)%/.test(c.clipPath)) return 'clipped';
			if (/hidden|clip/.test(c.overflowX + c.overflowY) && (q.right <= b.left || q.left >= b.right || q.bottom <= b.top || q.top >= b.bottom)) return 'outside of what clips it';
		}
		return '';
	};
	return [why(), markup];
}`

// unnamed looks at an element without a ref.
func (t *tab) unnamed(ctx context.Context, id int64, a *Accessible) error {
	object, err := call(ctx, t.main, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: cdp.BackendNodeID(id), ObjectGroup: world})
	if err != nil {
		a.Hidden = "gone"
		return unlessRefused(err)
	}
	raw, err := t.main.function(ctx, object.Object.ObjectID, hiddenScript)
	if err != nil {
		return err
	}
	var said []string
	if err := json.Unmarshal(raw, &said); err != nil || len(said) != 2 {
		return err
	}
	a.Hidden, a.Markup = said[0], said[1]
	return do(ctx, t.main, runtime.ReleaseObjectGroup, runtime.ReleaseObjectGroupParams{ObjectGroup: world})
}
