package pdf

// The thresholds of this package. Lengths without a unit are in parts of the font size.
const (
	groundCells = 64  // cells along either edge of a page: a bit each of an uint64
	scannedPart = 4   // a page whose pictures cover more than one of so many parts is a scan
	middle      = .3  // height of the middle of a lowercase letter
	whiteFrom   = .97 // of all components
	clearTo     = .02 // of opacity
	tooSmall    = .75 // points
	tooNarrow   = .02 // of the width of letters
	maxLayers   = 10_000

	widestSpaced = .8 // how far apart letters of a word may be set
	widestGiven  = 5  // gap in the drawing of an ActualText
)

// Tables.
const (
	maxRules       = 1000
	maxGrid        = 100 // rows or columns
	ruleSlack      = 3.0 // points by which rules may miss each other
	minLevelRule   = 12  // points
	minUprightRule = 5   // points
	thickRule      = 2   // points

	minTableRows = 3
	gapOfCell    = .55 // between cells
	gapOfPart    = .35 // between parts of a cell over several columns
	gapOfRow     = 2   // that makes a line a row of its own
	maxRowStep   = 3   // between rows
	minRowStep   = .85 // less is the same row
	maxWrapStep  = 1.5 // between the lines of a cell
	widerStep    = 1.15
	maxFails     = 4   // starts of tables that are tried in a run
	maxSingle    = 3   // rows of one cell in a row
	widestSpan   = .7  // part of a table that a row of one cell covers
	sameSize     = .15 // difference of sizes
	filledCell   = .8  // part of its column that a line of prose fills
	wrapFill     = .6  // part of its column that a line fills before it wraps
	alignedPart  = .7  // of the cells of a column
	alignedSlack = .4
)

// Columns.
const (
	maxColumnDepth = 12
	maxLooks       = 12  // times that each piece is looked at for a gutter
	minColumnRows  = 4   // rows that a column needs
	minColumn      = .1  // of the width of both
	minFill        = .55 // of a column's width that its typical line takes
	minColumnEms   = 11  // length of that line
	proseFull      = .6  // lines of prose that are full
	noteStep       = 2   // between the lines of a side note
	leaderDots     = 4   // dots that lead to a page number
)

// Running heads.
const (
	runningDepth = 3   // lines from the top and the bottom that are looked at
	runningFrom  = 3   // pages that have to show it
	numberedFrom = 10  // lines that numbers at a margin count
	maxRunning   = 160 // characters
	edgePart     = .14 // of the page's height, from either edge
)

// Lines and blocks.
const (
	smaller     = .85 // size of a superscript
	monoWidth   = .6  // of a letter of one width
	maxIndent   = 60  // spaces
	fullLine    = .85 // part of the measure
	maxMeasured = 60  // lines
	minMeasure  = 15  // of a paragraph narrower than its column
	shortSlack  = .8  // beside the first word of the next line
)

// Numbers of content streams.
const maxNumber = 1e15

// Annotations.
const (
	maxAnnotations = 1000 // of one page
	maxLinks       = 5000
	maxLabels      = 20_000_000 // glyphs that are looked at for the texts of links
	maxLabel       = 400        // bytes
)

// Texts that stand for glyphs, in bytes.
const (
	maxText  = 4096 // an ActualText
	maxEntry = 128  // an entry of a ToUnicode CMap
)
