package dom

import (
	"errors"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The errors of Select.
var (
	errSelector = errors.New("the selector asks for too much")
	ErrNoMatch  = errors.New("the selector fits nothing on the page")
)

// Exclude removes the elements that a selector matches, but for the root element, head
// and body. It returns false, and removes nothing, if the selector takes too long.
func Exclude(root *html.Node, s *css.Selector) bool {
	found, complete := s.Select(root)
	if !complete {
		return false
	}
	for _, n := range found {
		if n.Parent == nil || n.DataAtom == atom.Html || n.DataAtom == atom.Head || n.DataAtom == atom.Body {
			continue
		}
		n.Parent.RemoveChild(n)
	}
	return true
}

// Select chooses the elements below root that a selector fits, each with
// all that it holds. The error is errSelector where the selector asks for too
// much, or ErrNoMatch.
func Select(root *html.Node, s *css.Selector) (Selection, error) {
	found, complete := s.Select(root)
	switch {
	case !complete: // a part of what it fits would be taken for all
		return nil, errSelector
	case len(found) == 0:
		return nil, ErrNoMatch
	}
	sel := make(Selection, 2*len(found))
	for _, n := range found {
		sel[n] = KeepAll
		for up := n.Parent; up != nil && sel[up] == DropAll; up = up.Parent {
			sel[up] = Descend
		}
	}
	return sel, nil
}
