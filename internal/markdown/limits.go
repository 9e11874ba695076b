package markdown

// The thresholds of the package. A row names its source where it was not chosen by hand.
const (
	maxLevel    = 6 // of headings: HTML
	maxHeadings = 4 // consecutive ones; each needs a scan of the text before it
	minFence    = 3 // backticks: CommonMark
	maxMarker   = 9 // digits of a list's number: CommonMark
	maxNumber   = 999_999_999
	maxEntity   = 33      // bytes of a character reference
	maxMail     = 256     // bytes of an e-mail address in angle brackets
	maxLabel    = 60      // characters of a footnote's label
	maxLang     = 40      // bytes of an info string
	maxSlug     = 60      // bytes of a section's ID
	maxParens   = 24      // nested parentheses in a URL; parsers stop at 32
	maxKept     = 1 << 20 // bytes of a buffer that is used again

	maxIndent                = 20      // nested lists and quotations that are indented: more would be quadratic
	maxPadding               = 8 << 20 // bytes of prefixes: what follows is at the margin
	maxBullets               = 8       // levels of lists in a cell that are indented
	repeatBytes              = 60      // of a cell that spans rows and is repeated in each
	emptyPerCell, emptyCells = 3, 1000 // empty cells that a table may add
)
