package dom

import (
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A browser knows what it paints. Markup that it has judged carries marks at what a person does
// not see (package text, OwnMark): ReadJudgement reads them, and RemoveHidden then follows the
// browser, not the style sheets. Of what a control of the page shows the browser only knows that
// it is not there yet: within it, the sheets decide.

const (
	judgedAttr = "spyhop-judged" // of the body
	unseenAttr = "spyhop-unseen" // of a text, or of an element that paints an attribute
)

// ReadJudgement takes the marks out of a document that a browser has judged, and keeps what they
// say for [RemoveHidden]. Any mark means that the text is not seen.
func ReadJudgement(doc *html.Node) {
	setOwnAttr(Body(doc), judgedAttr, "true")
	for n := doc; n != nil; {
		next := Following(n, doc)
		switch n.Type {
		case html.TextNode:
			readMarks(n)
		case html.ElementNode:
			for i := range n.Attr {
				if before, _, marked, after, ok := text.CutOwnMark(n.Attr[i].Val); ok {
					n.Attr[i].Val = before + marked + after
					setOwnAttr(n, unseenAttr, "true")
					break
				}
			}
		}
		n = next
	}
}

// readMarks divides a text at its marks.
func readMarks(n *html.Node) {
	before, _, marked, after, ok := text.CutOwnMark(n.Data)
	for ok {
		if before != "" {
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: before}, n)
		}
		part := &html.Node{Type: html.TextNode, Data: marked}
		setOwnAttr(part, unseenAttr, "true")
		n.Parent.InsertBefore(part, n)
		before, _, marked, after, ok = text.CutOwnMark(after)
	}
	if n.Data != before {
		n.Data = before
		if before == "" {
			n.Parent.RemoveChild(n)
		}
	}
}

// isUnseen reports whether the browser does not show a text, or the attribute that an element
// paints.
func isUnseen(n *html.Node) bool { return ownAttr(n, unseenAttr) != "" }

func isJudged(body *html.Node) bool { return ownAttr(body, judgedAttr) != "" }

// ForgetJudgement is for a body whose content did not come from the browser.
func ForgetJudgement(body *html.Node) {
	for i := range body.Attr {
		if a := &body.Attr[i]; a.Namespace == ownSpace && a.Key == judgedAttr {
			a.Val = ""
		}
	}
}

// unseenElements returns the elements that have text, none of which is seen.
func unseenElements(body *html.Node) map[*html.Node]bool {
	out := map[*html.Node]bool{}
	var walk func(n *html.Node) (seen, unseen bool)
	walk = func(n *html.Node) (seen, unseen bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			switch {
			case c.Type == html.TextNode && IsWordy(c):
				seen, unseen = seen || !isUnseen(c), unseen || isUnseen(c)
			case c.Type == html.ElementNode && c.DataAtom != atom.Annotation && !IsDropped(c.DataAtom):
				s, u := walk(c)
				out[c] = u && !s
				seen, unseen = seen || s, unseen || u
			}
		}
		return seen, unseen
	}
	walk(body)
	return out
}
