package convert

// The thresholds of the package. A row names its source where it was not chosen by hand.
const (
	maxColSpan   = 1000        // HTML standard
	maxRowSpan   = 65534       // HTML standard
	maxListStart = 999_999_999 // CommonMark reads nine digits

	maxMarks  = 16   // open marks in a paragraph; real pages have five
	sameMarks = 3    // em or strong in each other
	maxJoined = 4096 // bytes of texts that are joined again and again
	maxClean  = 4096 // bytes of an attribute
	nesting   = 4    // levels of blocks that a list or a table may add

	emptyNodes  = 4    // nodes of an element that was written empty
	shortText   = 32   // bytes: labels, numbers, names of languages
	maxSiblings = 40   // that are looked at for each of many elements: their number would count twice
	labelBytes  = 80   // of a tab, a title of a note
	proseBytes  = 160  // from here on a text is no heading
	lookBytes   = 1000 // of a control, to judge it
	commandLen  = 6    // words of a button that is an action

	maxOptions  = 50 // of a list that is given in full; countries have 200
	iconPixels  = 32 // side of the largest icon
	maxPictures = 20_000

	layoutBytes   = 400  // one row with more text, without headers, is layout
	layoutPerCell = 1500 // bytes
	alignRows     = 4    // that are asked for the alignment of a column
	maxTableDepth = 4    // elements between an ARIA table and its rows

	maxTeX      = 4000   // bytes of a formula in a text
	maxFormulas = 50_000 // in texts: each takes sixty times the memory of its letters
	maxFormula  = 48     // nesting of MathML that is translated
	mathNodes   = 20_000 // a wrapper of a formula is smaller
	mostUntold  = 3      // words of TeX that are not painted: names of colours and labels
	wordLetters = 4      // letters of such a word

	noteNodes   = 400 // of a note that are searched for its backlink
	noteLabelLn = 24  // bytes
)
