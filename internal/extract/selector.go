package extract

import (
	"errors"

	"github.com/spyhop-dev/spyhop/internal/css"
	"golang.org/x/net/html"
)

// What selectedBy cannot do.
var (
	errSelector = errors.New("the selector cannot be read, or asks for too much")
	errNoMatch  = errors.New("the selector fits nothing on the page")
)

// selectedBy chooses the elements below root that a selector fits, each with
// all that it holds. The error is errSelector or errNoMatch.
func selectedBy(root *html.Node, selector string) (selection, error) {
	s, err := css.Compile(selector)
	if err != nil {
		return nil, errSelector
	}
	found, complete := s.Select(root)
	if len(found) == 0 {
		if !complete {
			return nil, errSelector
		}
		return nil, errNoMatch
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
