// Package dom provides the tree of an HTML page as a reader sees it: parsed
// within bounds, without what the page hides from a person, with its links and
// with the elements that a selector names.
//
//	doc, err := dom.Parse(body, p, nil)        // p counts what was left out
//	dom.RemoveHidden(dom.Body(doc), p, nil)
//	links := dom.ReadLinks(doc, dom.NewResolver(url, "", doc))
//	chosen, err := dom.Select(dom.Body(doc), selector)
//
// The tree is that of package html. Files with a rule of their own: parse.go
// bounds markup, finder.go looks for many texts at once, shadow.go puts shadow roots
// into place, sheets.go reads style sheets, hidden.go removes what is hidden and
// control.go says what a control shows all the same, noscript.go decides when
// noscript elements are the page, display.go says which elements end a line,
// words.go how text is compared. A [Selection] is what a choice of nodes looks
// like to the converter.
//
// # Guarantees
//
// The functions are pure but for the tree and the page that they are given, and
// safe for concurrent use on different trees. Every input of any size gives a
// tree or an error in linear time, and never a panic.
//
// # Limits
//
// 120,000 start tags, 510 levels, 256 attributes of a tag and 32 KiB of an attribute
// are read. Style sheets of other addresses are not fetched, and scripts are not
// run: an element that only a script hides is seen.
package dom
