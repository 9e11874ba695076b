package classify

import (
	"strings"
	"sync"

	"github.com/spyhop-dev/spyhop/internal/extract/blocks"
	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file says when the scripts of a page probably bring content that is not
// in its bytes. Its size does not identify a shell: menus and footers of real
// shells have up to a thousand words, and pages of forty words are whole. The block
// model's probabilities of the words do. Figures are in
// the decision on when a page needs the browser; make escalate measures them.

const (
	likely       = .5 // probability of a block that counts as content
	fewGood      = 30 // good words of a page that may be waiting
	fewHolders   = 3  // placeholders of a shell: a whole page may have one for its search box
	rowHolders   = 12 // empty placeholders of a list that is missing: three rows
	commentWords = 12 // words of a section for comments without one: its heading, "be the first"
	rootWords    = 5  // words of an app's element that is still empty: "Loading, please wait"

	maxElements = 20_000
	maxRoots    = 8
)

// ShellOf gives the strongest reason to run the scripts of a page of a type. It is asked
// before the page's data has been looked at.
func ShellOf(doc *html.Node, v page.Verdict, w blocks.Weights, t page.Type) page.Shell {
	switch {
	case !v.Success() && v != page.EmptyShell, w.Good > maxGood, !dom.HasScript(doc):
		return ""
	case v == page.EmptyShell:
		return page.ShellEmpty
	}
	s, small := signsOf(doc), w.All <= maxFrame
	switch {
	case s.emptyRoot && small:
		return page.ShellRoot
	case w.Best < likely && small, w.Best < blocks.FairChance:
		return page.ShellUnlikely
	case w.Good <= fewGood && (s.busy || s.holders >= fewHolders),
		(t == page.Listing || t == page.Collection) && s.bare >= rowHolders, // filters are words, too
		w.Good <= fewGood && small && s.unfilled:
		return page.ShellWaiting
	}
	return ""
}

// FewWords is how many words a page may show for what is on its canvas to be its content.
const FewWords = 30

// HasCanvas reports whether a page has a canvas, on which a script draws.
func HasCanvas(doc *html.Node) bool {
	for n := range dom.Below(doc) {
		if n.DataAtom == atom.Canvas {
			return true
		}
	}
	return false
}

// CommentsShell returns page.ShellComments for a page whose scripts bring its comments: it
// has scripts, and a section for comments with nothing in it.
func CommentsShell(doc *html.Node) page.Shell {
	if !dom.HasScript(doc) {
		return ""
	}
	seen := 0
	for n := range dom.Below(doc) {
		if n.Type != html.ElementNode {
			continue
		}
		if seen++; seen > maxElements {
			break
		}
		switch n.DataAtom {
		case atom.Div, atom.Section, atom.Aside, atom.Ol, atom.Ul, atom.Article:
			if (isCommentName(dom.Attr(n, "id")) || isCommentName(dom.Attr(n, "class")) || isCommentHeading(firstElement(n))) && !holdsMoreThan(n, commentWords) {
				return page.ShellComments
			}
		}
	}
	return ""
}

// shellSigns are what authors write into a page that scripts complete.
type shellSigns struct {
	emptyRoot bool // the element that an app fills holds next to nothing
	busy      bool // it says that it is loading
	holders   int  // grey boxes instead of content
	bare      int  // those of them that hold nothing
	unfilled  bool // a list or table has no entry
}

func signsOf(doc *html.Node) (s shellSigns) {
	seen, roots := 0, 0
	for n := range dom.Below(doc) {
		if n.Type != html.ElementNode {
			continue
		}
		if seen++; seen > maxElements {
			break
		}
		if roots < maxRoots && isAppRoot(n) {
			roots++
			s.emptyRoot = s.emptyRoot || !holdsMoreThan(n, rootWords)
		}
		s.unfilled = s.unfilled || isUnfilled(n)
		s.busy = s.busy || dom.Attr(n, "aria-busy") == "true"
		if isPlaceholder(dom.Attr(n, "class")) {
			s.holders++
			if n.FirstChild == nil {
				s.bare++
			}
		}
	}
	return s
}

// isAppRoot reports whether an element is the one that a framework fills: by
// the ids and names that their starting templates give it.
func isAppRoot(n *html.Node) bool {
	if n.Data == "app-root" { // Angular
		return true
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "id":
			switch a.Val {
			case "root", "app", "__next", "__nuxt", "___gatsby", "react-root", "app-root", "svelte", "q-app":
				return n.DataAtom != atom.Html && n.DataAtom != atom.Body
			}
		case "ng-view", "data-ng-view", "ui-view": // AngularJS
			return true
		}
	}
	return false
}

// isCommentName reports whether an id or the classes of an element are those of a section
// for comments: of one's own, or of a service for them.
func isCommentName(s string) bool {
	for name := range strings.FieldsSeq(strings.ToLower(s[:min(len(s), 200)])) {
		switch strings.Trim(strings.NewReplacer("_", "-", "--", "-").Replace(name), "-") {
		case "comments", "comment-list", "commentlist", "comments-area", "comments-section", "comment-section", "comments-container", "comments-list",
			"disqus-thread", "discussion", "giscus", "utterances", "isso-thread", "remark42", "commento", "coral-thread", "responses", "replies":
			return true
		}
	}
	return false
}

// isCommentHeading reports whether an element is the heading of comments.
func isCommentHeading(n *html.Node) bool {
	if n == nil || n.FirstChild == nil || n.FirstChild.Type != html.TextNode {
		return false
	}
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4:
		switch strings.ToLower(strings.Trim(n.FirstChild.Data, " \t\r\n:()0123456789")) {
		case "comments", "discussion", "responses", "replies", "reader comments", "kommentare", "commentaires", "comentarios", "commenti", "comentários", "opmerkingen", "reacties", "komentarze", "комментарии", "コメント", "评论":
			return true
		}
	}
	return false
}

func firstElement(n *html.Node) *html.Node {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if c.Type == html.ElementNode {
			return c
		}
	}
	return nil
}

// isUnfilled reports whether an element is a list or table without an entry.
func isUnfilled(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Tbody, atom.Dl:
		return !holdsMoreThan(n, 0) && firstElement(n) == nil
	}
	return false
}

// isPlaceholder reports whether an element is a placeholder for content, by the
// class names that component libraries give such boxes.
func isPlaceholder(class string) bool {
	if class == "" || len(class) > 2000 {
		return false
	}
	class = strings.ToLower(class)
	if !placeholders().In(class) {
		return false
	}
	return strings.Contains(class, "skeleton") || strings.Contains(class, "shimmer") || dom.HasToken(class, "animate-pulse") ||
		dom.HasToken(class, "placeholder-glow") || dom.HasToken(class, "placeholder-wave")
}

// placeholders finds what is in all of these names.
var placeholders = sync.OnceValue(func() *dom.Finder {
	return dom.NewFinder("skeleton", "shimmer", "animate-pulse", "placeholder-")
})

// holdsMoreThan reports whether an element has more than n words of text that
// is not for scripts.
func holdsMoreThan(root *html.Node, n int) bool {
	for d := range dom.Below(root) {
		if d.Type != html.TextNode {
			continue
		}
		switch d.Parent.DataAtom {
		case atom.Script, atom.Style, atom.Noscript, atom.Template:
			continue
		}
		for range strings.FieldsSeq(d.Data) {
			if n--; n < 0 {
				return true
			}
		}
	}
	return false
}
