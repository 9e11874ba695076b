package toolset

import (
	"context"
	"errors"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// cssRef begins a ref that is a CSS selector: css=#go. Programs that wrote their steps
// beforehand have no refs.
const cssRef = "css="

// errFound ends a look-up.
var errFound = errors.New("found")

// locate returns the ref of the first element that a CSS selector matches and that has
// one: what can be acted on.
func (o Options) locate(ctx context.Context, at browser.Place, selector string) (string, error) {
	const most = 100 // elements that are asked for
	ref, matched := "", 0
	err := o.Browser.Inspect(ctx, at, func(call func(method string, params, result any) error, refs map[int64]browser.RefAt) error {
		var doc struct {
			Root struct {
				NodeID int64 `json:"nodeId"`
			} `json:"root"`
		}
		if err := call("DOM.getDocument", map[string]any{"depth": 0}, &doc); err != nil {
			return err
		}
		var found struct {
			NodeIDs []int64 `json:"nodeIds"`
		}
		if err := call("DOM.querySelectorAll", map[string]any{"nodeId": doc.Root.NodeID, "selector": selector}, &found); err != nil {
			return tool.NewError(tool.InvalidInput, "the selector "+text.Quoted(selector)+" cannot be read", "give a CSS selector, for example #go or button.next")
		}
		matched = len(found.NodeIDs)
		for _, id := range found.NodeIDs[:min(matched, most)] {
			var one struct {
				Node struct {
					BackendNodeID int64 `json:"backendNodeId"`
				} `json:"node"`
			}
			if err := call("DOM.describeNode", map[string]any{"nodeId": id}, &one); err != nil {
				return err
			}
			if r, ok := refs[one.Node.BackendNodeID]; ok {
				ref = r.Ref
				return errFound
			}
		}
		return nil
	})
	switch {
	case errors.Is(err, errFound):
		return ref, nil
	case err != nil:
		return "", err
	case matched == 0:
		return "", tool.NewError(tool.NoContent, "no element of the page matches "+text.Quoted(selector), "browser_snapshot shows the page; wait for the element first if a script adds it")
	}
	return "", tool.NewError(tool.NoContent, text.Quoted(selector)+" matches no element that can be acted on", "select the button, link or field itself")
}

// located replaces the selectors in a call's refs.
func (o Options) located(ctx context.Context, c tool.Call) error {
	for _, name := range []string{"ref", "from", "to"} {
		selector, ok := strings.CutPrefix(c.Args.String(name), cssRef)
		if !ok {
			continue
		}
		ref, err := o.locate(ctx, o.place(c), selector)
		if err != nil {
			return err
		}
		c.Args[name] = ref
	}
	return nil
}
