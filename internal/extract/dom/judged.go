package dom

import (
	"strconv"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// A browser knows what it paints. Markup that it has judged carries marks at what a
// person does not see (package text, OwnMark): ReadJudgement reads them, and RemoveHidden
// then follows the browser, not the style sheets. Of what a control of the page shows the
// browser only knows that it is not there yet: within it, the sheets decide.

const (
	judgedAttr = "spyhop-judged" // of the body
	unseenAttr = "spyhop-unseen" // of a text, or of an element that paints an attribute
)

// ReadJudgement takes the marks out of a document that a browser has judged, and keeps
// what they say for [RemoveHidden].
func ReadJudgement(doc *html.Node) {
	setOwnAttr(Body(doc), judgedAttr, "true")
	for n := doc; n != nil; {
		next := Following(n, doc)
		switch n.Type {
		case html.TextNode:
			readMarks(n)
		case html.ElementNode:
			for i := range n.Attr {
				if before, code, marked, after, ok := text.CutOwnMark(n.Attr[i].Val); ok {
					n.Attr[i].Val = before + marked + after
					setOwnAttr(n, unseenAttr, strconv.Itoa(code))
					break
				}
			}
		}
		n = next
	}
}

// readMarks divides a text at its marks.
func readMarks(n *html.Node) {
	before, code, marked, after, ok := text.CutOwnMark(n.Data)
	for ok {
		if before != "" {
			n.Parent.InsertBefore(&html.Node{Type: html.TextNode, Data: before}, n)
		}
		part := &html.Node{Type: html.TextNode, Data: marked}
		setOwnAttr(part, unseenAttr, strconv.Itoa(code))
		n.Parent.InsertBefore(part, n)
		before, code, marked, after, ok = text.CutOwnMark(after)
	}
	if n.Data != before {
		n.Data = before
		if before == "" {
			n.Parent.RemoveChild(n)
		}
	}
}

// toldOf is what the browser has said about a text, or about the attribute that an
// element paints.
func toldOf(n *html.Node) css.Look {
	code, _ := strconv.Atoi(ownAttr(n, unseenAttr))
	return css.LookOf(code)
}

func isJudged(body *html.Node) bool { return ownAttr(body, judgedAttr) != "" }

// ForgetJudgement is for a body whose content did not come from the browser.
func ForgetJudgement(body *html.Node) {
	for i := range body.Attr {
		if a := &body.Attr[i]; a.Namespace == ownSpace && a.Key == judgedAttr {
			a.Val = ""
		}
	}
}

// unseen lists the elements all text of which is out of sight, with the reason for the
// first of it; that is [css.Skipped] only if the browser has judged none of it.
func unseen(body *html.Node) map[*html.Node]css.Look {
	out := map[*html.Node]css.Look{}
	var walk func(n *html.Node) (look css.Look, seen bool)
	walk = func(n *html.Node) (look css.Look, seen bool) {
		for c := n.FirstChild; c != nil; c = c.NextSibling {
			var l css.Look
			s := false
			switch {
			case c.Type == html.TextNode && IsWordy(c):
				l = toldOf(c)
				s = l.Why == css.InSight || l.Why == css.Unknown
			case c.Type == html.ElementNode && c.DataAtom != atom.Annotation && !IsDropped(c.DataAtom):
				if l, s = walk(c); l.Why != css.InSight && !s {
					out[c] = l
				}
			}
			if seen = seen || s; look.Why == css.InSight || look.Why == css.Skipped && l.Why != css.InSight {
				look = l
			}
		}
		return look, seen
	}
	walk(body)
	return out
}
