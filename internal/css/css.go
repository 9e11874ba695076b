// Package css provides what style sheets and style attributes hide on a page, and CSS selectors.
//
//	var s css.Sheets
//	s.Add(".q{display:none}", "", 0)
//	v := s.View()
//	state := v.Push(node) // from the root down
//	...
//	v.Pop()
//
// One table (table.go) has a row for each way of hiding: display, visibility, opacity, font
// size, boxes without area, positions outside of the page, indentation, clips, transforms and
// colours. Rules without a property of the table are dropped while a sheet is parsed. The
// cascade has importance, style attributes, layers, specificity and order; custom properties
// are resolved. Package cascadia matches simple selectors.
//
// # Guarantees
//
// Every input gives a result within the limits of limits.go, and never a panic. Nothing is
// fetched. A Sheets and its View must be used by one goroutine only; a Selector is safe for
// concurrent use.
//
// # Limits
//
// What the table does not compute is visible: masks, filters, grids without room, text that
// something else covers, calc(), colours other than names, hexadecimal digits, rgb() and
// hsl(), queries other than the type and size of the screen, @container, @scope and @import.
// An element that a keyframe animation moves is visible. After 2 MiB of sheets, 100,000
// selectors or 4 million steps of matching, the rest is visible too.
//
// # Files
//
// Callers come before what they call: table.go has the ways of hiding, view.go and agent.go
// the values of an element; match.go finds its rules in those of sheet.go with color.go,
// ancestors.go, media.go, value.go, selector.go, property.go and token.go; state.go and
// limits.go have the types and numbers of all.
package css
