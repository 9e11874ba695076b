package computed

import (
	"errors"

	"golang.org/x/net/html"
)

// ErrSelector means that a selector is not valid, or can match nothing.
var ErrSelector = errors.New("css: no selector that can match")

// maxSelector bounds a selector for [Compile], in bytes.
const maxSelector = 2000

// Selector is a parsed list of selectors. It is safe for concurrent use.
type Selector struct{ list []*complexSelector }

// Compile parses a selector list (Selectors Level 4). The error is ErrSelector.
// Unlike in a sheet, one invalid selector makes the list invalid, so that the
// caller learns of it.
func Compile(selector string) (*Selector, error) {
	if len(selector) > maxSelector {
		return nil, ErrSelector
	}
	budget := maxCompounds
	var s Selector
	for part := range splitTop(withoutComments(selector), ',') {
		one := compile(part, nil, 0, &budget, false)
		if one == nil {
			return nil, ErrSelector
		}
		s.list = append(s.list, one)
	}
	if len(s.list) == 0 {
		return nil, ErrSelector
	}
	return &s, nil
}

// SelectSteps is how many steps of matching one [Selector.Select] may take.
const SelectSteps = maxSteps

// Select returns the elements below root that the selector matches, in page order,
// without those inside another match. complete is false when the steps of matching
// were used up before the end.
func (s *Selector) Select(root *html.Node) (found []*html.Node, complete bool) {
	left := SelectSteps
	return s.SelectWithin(root, &left)
}

// SelectWithin is [Selector.Select] within a number of steps that several calls share;
// those that it takes are taken from left.
func (s *Selector) SelectWithin(root *html.Node, left *int) (found []*html.Node, complete bool) {
	sheets := Sheets{steps: maxSteps - *left}
	defer func() { *left = maxSteps - sheets.steps }()
	for n := root.FirstChild; n != nil; {
		if sheets.capped {
			break
		}
		if n.Type == html.ElementNode && sheets.anyMatches(s.list, n, nil) {
			found = append(found, n)
			n = after(n, root)
			continue
		}
		if n.FirstChild != nil {
			n = n.FirstChild
			continue
		}
		n = after(n, root)
	}
	return found, !sheets.capped
}

// after returns the node that follows n and all that it holds, below root.
func after(n, root *html.Node) *html.Node {
	for n != root && n.NextSibling == nil {
		n = n.Parent
	}
	if n == root {
		return nil
	}
	return n.NextSibling
}
