package snapshot

// The thresholds of the package. Each has its unit and where its value comes from; sizes are CSS
// pixels where no other unit is named.
const (
	// Editors.
	editorNodes = 2000 // nodes that are looked at for blocks
	boldWeight  = 600  // font weight from which letters count as bold (CSS Fonts 4, section 2.2)
	mostIndent  = 80   // bytes of white space that a line of a program begins with

	// Controls.
	groupNodes = 5000 // nodes of a control whose words are looked at

	partArea   = 4  // how many times as large as an icon what it belongs to is
	leastDay   = 50 // width of a day of a calendar in which something is drawn
	labelNodes = 30 // nodes between a field and the text that names it
	labelGap   = 40 // how far that text is from it

	// Pictures drawn by cells.
	leastCells          = 9     // cells of a picture
	mostCells           = 1600  // the same
	leastRow, mostRow   = 3, 40 // cells in a row, and rows
	leastCell, mostCell = 3, 40 // sides of a cell

	// Bodies in space.
	mostFaces = 24  // faces that are compared
	frontal   = .98 // part of a face from which on it is looked at straight (11 degrees)
	edgeOn    = .1  // part below which nothing of a face can be read (84 degrees)

	// What is shown of a page that is larger than the budget, in tokens by estimate.
	gapTokens      = 10   // of a line for what is left out
	restTokens     = 45   // of the line that says how to see the rest
	longLine       = 160  // bytes of a text without controls
	mostURL        = 200  // bytes of a URL
	leastUnpainted = 1000 // text that nobody sees, to be named
	buttonRows     = 5    // lines of buttons alone that are shown first
	fewWords       = 3    // words of a control that says nothing new
	unpaintedShare = 4    // how many times as much as what is seen that is

	// Weights of lines, tried on twelve pages of the corpus, a shop's list and a thread.
	weightLine    = 30
	weightWord    = 3 // of each word that is new
	mostFresh     = 7
	weightTitle   = 40 // a heading of level 1 or 2
	weightHeading = 25
	weightInView  = 15
	weightField   = 30
	weightButton  = 15
	weightLink    = 12
	weightPrice   = 15
	weightAgain   = 35 // taken from controls that say nothing new
)

// weightRegion is what is added for the parts of a page that a line is in.
var weightRegion = map[string]int{"dialog": 60, "alert": 60, "main": 15, "search": 15, "footer": -25, "nav": -15, "aside": -15, "iframe": -5}
