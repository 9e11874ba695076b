package pdf

// The thresholds of this package, in one table. Lengths without a unit are in parts of
// the font size. What has no source of its own is measured together by bench/pdf: F1 and
// order of 388 files, and rows kept of 27 tables without rules.

// The bounds of one document. They are counts and not seconds, so that the
// same bytes give the same page on every machine.
const (
	maxPages      = 3000
	maxSteps      = 20_000_000 // operators and glyphs
	maxDecoded    = 256 << 20  // bytes that streams unpack to, of all together
	maxStream     = 32 << 20   // of one
	maxObjects    = 400_000    // most of them in object streams; see maxRead for the others
	maxTreeDepth  = 64
	maxFrames     = 2000      // calls within calls; the library bounds its own nesting well below
	maxLibraryUse = 4_000_000 // times that the library asks whether to go on
)

// One page.
const (
	maxGlyphs    = 200_000 // of one page
	maxStrokes   = 20_000
	maxForms     = 10 // forms within forms
	maxOperand   = 512
	maxSaved     = 256
	rulesPerStep = 40  // looking for tables takes the square of the rules
	formSteps    = 100 // a form costs
	maxPoint     = 1e6 // coordinates, and sizes
	aslant       = .27 // of its length that a line rises: 15 degrees
	maxPictures  = 16  // that a page without text is made of
	maxPixels    = 40_000_000
	minPicture   = 16 // pixels of its sides
)

// Hidden text.
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
	minBeside      = 3   // of the pieces one of so many is beside the middle
	inGutter       = 25  // one of so many pieces may be in a gutter
	maxGaps        = 4   // the widest are tried
	strips         = 256 // into which the width is cut
	besidePart     = .3  // of the height that columns share
	sharedRows     = .75 // rows that columns of a table share
	closeLines     = 1.7 // between lines of text
	leaderDots     = 4   // dots that lead to a page number
)

// Running heads.
const (
	runningDepth = 3   // lines from the top and the bottom that are looked at
	runningFrom  = 3   // pages that have to show it
	numberedFrom = 10  // lines that numbers at a margin count
	maxRunning   = 160 // characters
	numberedBy   = 5   // steps of such numbers, or 1
	edgePart     = .14 // of the page's height, from either edge
)

// Lines and blocks.
const (
	smaller         = .85      // size of a superscript
	monoWidth       = .6       // of a letter of one width
	maxIndent       = 60       // spaces
	maxParagraph    = 32 << 10 // bytes to which lines are joined
	maxLevel        = 6
	maxHeading      = 200 // characters
	maxBold         = 90  // of a heading that is only bold
	maxHeadingLines = 3
	usualLeading    = 1.2
	leadingPart     = 3   // one of so many steps between lines is shorter
	apartFrom       = 1.3 // leadings that part paragraphs
	maxFirst        = 4   // indent of a first line
	minChars        = 8   // of a line whose size counts
	titleBlocks     = 8   // that are searched for a title
	fullLine        = .85 // part of the measure
	maxMeasured     = 60  // lines
	minMeasure      = 15  // of a paragraph narrower than its column
	shortSlack      = .8  // beside the first word of the next line
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

// Words and rows, tuned on the documents of Debian's packages (bench/pdf).
const (
	gapInWord  = .12 // between glyphs of a word
	gapOfSpace = .12 // between words with a space between them
	gapToLeft  = .09 // the same of writing to the left, which is not kerned,
	gapDrawn   = .12 // and where the spaces are drawn
	gapOfPiece = .8  // between pieces of a row
	sameRow    = .25 // difference of baselines

	maxRowWords = 2000 // of a row that superscripts are put into
	sameBase    = .05  // difference of baselines, and of sizes, within a word
	accentRise  = .35  // of an accent that is drawn on its own
	accentSlack = .1   // of the width of its letter
	besideGap   = .3   // between a superscript and what it belongs to
	maxOverlap  = .4
	maxRise     = .65  // of a superscript
	raised      = .2   // of the mark of a footnote
	largerSize  = 1.12 // of a heading, or of what a superscript belongs to
	otherSize   = .9
	otherSpace  = 1.3 // a space beside smaller letters, in their size
	touching    = .02
	ascent      = .8
	drawnSpaces = 15 // letters for each space where spaces are drawn
	nearlyAll   = 10 // one of so many may be otherwise
	maxMarker   = 3  // characters of the mark of a list item
)
