package extract

import "golang.org/x/net/html"

// verdict says what becomes of an element or text node when the tree is
// converted.
type verdict uint8

const (
	dropAll verdict = iota // skip the subtree; the verdict of everything that is not named
	keepAll                // take the whole subtree
	descend                // look at the children
)

// selection holds the verdicts of the nodes that matter: of chosen subtrees
// the top, of elements that are chosen in part the children too.
type selection map[*html.Node]verdict

func (s selection) of(n *html.Node) verdict { return s[n] }
