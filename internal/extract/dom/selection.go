package dom

import "golang.org/x/net/html"

// Choice says what becomes of an element or text node when the tree is
// converted.
type Choice uint8

const (
	DropAll Choice = iota // skip the subtree; the choice for everything that is not named
	KeepAll               // take the whole subtree
	Descend               // look at the children
)

// Selection holds the choices for the nodes that matter: of chosen subtrees
// the top, of elements that are chosen in part the children too.
type Selection map[*html.Node]Choice

// Of returns the choice for a node.
func (s Selection) Of(n *html.Node) Choice { return s[n] }
