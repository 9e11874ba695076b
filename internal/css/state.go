package css

// Cause is the way in which something is hidden.
type Cause uint8

// The causes.
const (
	Seen         Cause = iota
	ByDisplay          // display, content-visibility, attributes
	ByVisibility       // visibility
	ByOpacity          // opacity, filter
	BySize             // no width or height, scale
	ByFont             // font size
	ByPlace            // outside of the page
	ByClip             // clip, clip-path
	ByColor            // no colour, or that of the background
)

// Waits reports whether pages use a cause to hide content until a script shows it.
func (c Cause) Waits() bool { return c != Seen && c <= BySize }

// State says how an element is hidden.
type State struct {
	// All is how the element is hidden with everything in it. Text is how the text in it is
	// hidden, of which other elements in it may be seen again.
	All, Text Cause
	// Rule identifies the rule that hides; it is StyleRule for a style attribute.
	Rule any
	// Guessed reports that Text is ByColor, and that another element paints the background.
	Guessed bool
}

type hidden struct {
	cause Cause
	by    *rule
}
