package snapshot

// The thresholds of the package, in one table. Sizes are CSS pixels where no other unit is named.
// "Corpus" are the twelve pages of make bench-browser and the pages of its comparison, "tasks" those
// of internal/testweb and make widgets: there the value was tried. "Bound" is work on a hostile page.
const (
	// Bounds.
	maxNodes      = 300_000 // nodes of a page
	maxDepth      = 1000    // levels: parsers stop at 512, scripts do not
	maxDocuments  = 64      // documents of a page
	maxGenerated  = 1 << 20 // bytes of the texts of a document's pseudo-elements
	mostGenerated = 2000    // bytes of each of them
	maxRefs       = 50_000  // refs that are remembered; then all become stale
	groupNodes    = 5000    // nodes of a control or canvas whose words are looked at
	editorNodes   = 2000    // nodes of an editor that are looked at for blocks
	partnerNodes  = 60      // nodes around a control that are looked at for one that it stands for
	mostParts     = 400     // parts of one element that get a ref of their own
	mostInRow     = 400     // cells of rows
	mostLooks     = 4000    // nodes of a document whose looks are compared
	far           = 1e9     // beyond every edge

	// What is seen.
	seenOpacity  = .05 // corpus: entrances that have not begun
	leastSize    = 2   // letters, and boxes that clip; corpus: texts for screen readers
	mostOfWindow = .8  // part of a side that a cover hides; tasks: dialogs
	leastDialog  = 40  // sides of a dialog
	mostFaces    = 24  // faces of a body that are compared
	frontal      = .98 // part of a face from which on it is looked at straight (11 degrees)
	edgeOn       = .1  // part below which nothing of a face can be read (84 degrees)

	// Names, in bytes.
	nameBytes     = 80  // a name that is not the text of the control
	machineBytes  = 40  // a name that was made for programs: its beginning says as much
	insideBytes   = 240 // the text on a control; a longer one follows as a part of the page
	valueBytes    = 200 // the value of a field
	shortText     = 24  // a text that says less than the name that the page gives
	repeatedBytes = 16  // of a name that the control before has too
	leastTitle    = 16  // a title that names do not repeat
	mostAlike     = 12  // siblings of one class that are told apart by another one
	shownOptions  = 12  // options of a list before it is opened
	farNodes      = 80  // nodes between two links of one thing: a card has fewer, head and foot of a page more
	pictureLevels = 6   // levels of a text in a control
	labelNodes    = 30  // nodes between a field and the text that names it
	labelGap      = 40  // how far that text is from it
	labelLevels   = 5   // levels around a transparent field in which its label is

	// What can be acted on; tasks.
	rootTypes     = 25     // kinds of events that only the root of a framework hears
	mostGrip      = 64     // sides of a handle
	mostCard      = 320    // sides of a card that is dragged
	leastGround   = 10_000 // area of something to point into
	leastTarget   = 40     // sides of a place to drop something on
	menuHeight    = 120    // of what opens a menu
	partnerLevels = 3      // levels around a range that is hidden in its thumb
	leastThumb    = 6      // sides of a thumb
	leastField    = 40     // width of a transparent field
	leastInRow    = 5      // cells of a row that are there to be clicked
	keyLevels     = 3      // elements around a control that may name what it belongs to

	// Records.
	recordLevels = 8   // levels around a control
	recordNodes  = 200 // nodes of a record: what is larger is a part of the page
	recordBytes  = 100 // bytes of a text of one
	recordTexts  = 3   // texts that tell one from others

	// Lines.
	cellHeight  = 64  // of a cell of a row
	cellBytes   = 48  // of its text
	leastDay    = 50  // width of a day of a calendar in which something is drawn
	letterGap   = .4  // of the size of letters, between two that are one word
	saidLetters = 12  // letters of a marker that are more than a number
	boldWeight  = 600 // font weight from which letters are bold (CSS Fonts 4, section 2.2)
	mostIndent  = 80  // bytes of white space that a line of a program begins with
	longChange  = 120 // bytes of a line of which only the changed parts are shown
	mostMoved   = 3   // lines of which the new place is said
	lookLines   = 6   // lines about looks

	// Drawings.
	leastDrawing        = 60    // sides of a drawing whose forms are listed
	mostShapes          = 60    // its forms
	mostPaths           = 12    // its curves
	leastSwatch         = 6     // sides of a box of colour
	mostSwatch          = 160   // the same
	leastColour         = 60    // between its strongest and its weakest colour, of 255
	leastCells          = 9     // cells of a picture
	mostCells           = 1600  // the same
	leastRow, mostRow   = 3, 40 // cells in a row, and rows
	leastCell, mostCell = 3, 40 // sides of a cell

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
