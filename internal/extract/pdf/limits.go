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
