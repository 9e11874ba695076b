package extract

import (
	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
)

// CheckSelector reports whether Options.Selector can be read. The error has
// the code BadSelector.
func CheckSelector(s string) error {
	if _, err := css.Compile(s); err != nil {
		return &Error{Code: BadSelector}
	}
	return nil
}

// selectedBy chooses the elements below root that a selector fits, each with
// all that it holds.
func selectedBy(root *html.Node, selector string) (selection, error) {
	s, err := css.Compile(selector)
	if err != nil {
		return nil, &Error{Code: BadSelector}
	}
	found, complete := s.Select(root)
	if len(found) == 0 {
		if !complete {
			return nil, &Error{Code: BadSelector}
		}
		return nil, &Error{Code: NoMatch}
	}
	sel := make(selection, 2*len(found))
	for _, n := range found {
		sel[n] = keepAll
		for up := n.Parent; up != nil && sel[up] == dropAll; up = up.Parent {
			sel[up] = descend
		}
	}
	return sel, nil
}
