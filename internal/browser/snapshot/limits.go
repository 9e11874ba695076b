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
)
