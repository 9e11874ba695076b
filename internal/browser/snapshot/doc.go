// Package snapshot provides pages of a browser as text that a model can read
// and act on: one text in reading order, in the manner of Markdown, with what
// can be acted on in its place as [name](ref).
//
//	refs := snapshot.NewRefs() // one for each tab
//	page := snapshot.Make(snapshot.Input{Processes: processes}, refs, window)
//	fmt.Print(page.Within(2400))
//
//	<main>
//	# Sign in
//	Sign in to go on, or [make an account](a7).
//	[Email=ada@example.org; required](t1)[Password=](t2)
//	[Remember me; checked](x1)[Sign in](b2)
//
// The input is what the DevTools protocol says: a DOM snapshot with boxes and
// styles, which decides what is seen and in which order, and the accessibility
// trees, which give names and states. Shadow roots and the frames of other
// processes are put in their places. A ref is a letter for the kind (a link, b
// button, c list of choices, f file, k other that takes clicks, n region, o
// option, p passage, r radio, s slider, t text, x check box) and a number; [](k3) with an
// empty name stands for the area that follows it.
//
// # Guarantees
//
// The package is pure. It takes any input, bounds its work by [maxNodes] and
// its depth by [maxDepth], and never panics. The same element keeps its ref;
// a ref never names two elements, unless one takes the other's place (keep.go). Text of the page cannot look like a ref. What
// is hidden (see sight.go) does not enter as text; a control without visible text is
// named by its markup, in at most 80 bytes.
//
// # Limits
//
// Text that a script draws on a canvas is not text. A text is judged as a whole: one of
// which a part is clipped or covered counts as seen. Text is taken for seen where a
// picture lies behind it, whatever its colour.
package snapshot
