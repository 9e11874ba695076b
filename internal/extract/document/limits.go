package document

// The limits of all formats. Each bounds what a hostile document can cost;
// none is reached by an ordinary one.
const (
	maxBlocks     = 100_000
	maxLinks      = 5000
	maxCells      = 50_000 // of all tables of a document
	maxCellBytes  = 32 << 10
	maxTableBytes = 32 << 20 // of all cells together: a sheet may repeat one text
	maxColumns    = 256

	// Zip files. The sizes in their directory are not trusted.
	maxEntries     = 20_000
	maxPart        = 9 << 20  // bytes that one entry unpacks to: its tree takes several times as many
	maxUnpacked    = 32 << 20 // of all entries that are unpacked
	maxCompression = 100      // the stated size is allocated up to this ratio
	maxListed      = 1000     // entries in the list of a zip file

	// XML.
	maxNodes    = 300_000 // elements; twice as many with the pieces of text
	maxXMLDepth = 200

	// Office files.
	maxSheets        = 100
	maxColumnLetters = 3 // XFD is the last column of Excel
	maxSlides        = 5000
	maxOrderedShapes = 200 // of a slide; sorting compares them in pairs
	maxSeries        = 100 // of a chart
	maxPoints        = 2000
	maxObjects       = 1000        // embedded in an OpenDocument file
	maxStyleDepth    = 20          // styles that inherit from each other
	maxFields        = 64          // in each other
	maxInstruction   = 4096        // bytes of the instruction of a field
	maxSpaces        = 1000        // that one element stands for
	maxListNumber    = 999_999_999 // nine digits, as in CommonMark
	maxRepeated      = 780         // ECMA-376, 17.18.59: z is repeated up to 30 times
	maxRoman         = 3999

	// Books.
	maxChapters  = 5000
	maxFallbacks = 16 // a chain of fallbacks may be a circle

	// Mail.
	maxMailParts  = 2000 // with those that contain others
	maxMailDepth  = 10
	maxMailText   = 16 << 20
	maxMailHeader = 256 << 10
	maxQuotes     = 10 // quotations in each other

	// Feeds and notebooks.
	maxEntriesOfFeed = 1000
	maxNamesOfFeed   = 20 // authors, who are repeated at each entry without its own
	maxFilesOfEntry  = 20
	maxTitle         = 4096
	maxShownDate     = 40 // bytes of a date that is shown as in the feed
	maxNotebookCells = 5000
	notebookHead     = 256 // bytes in which a notebook names itself, at its beginning or its end
	notebookTail     = 4096

	// JSON.
	maxJSONDepth   = 1000
	outlineItems   = 3       // of an array that are shown
	outlineKeys    = 60      // of an object that are shown
	outlineText    = 120     // characters of a text that are shown
	outlineDepth   = 8       // levels that are shown
	outlineLines   = 1500    // of all
	indentMinBytes = 1 << 20 // that indentation may add to a short text
	indentFactor   = 3       // of its length, that it may add to a long text

	// Pictures.
	maxDirectories = 4
	maxTags        = 200 // of a directory
	maxTagText     = 1 << 12
)

// The measures of the formats.
const (
	deepestHeading  = 6        // of HTML
	wordLevels      = 9        // of a list: ECMA-376, 17.9.6
	openLevels      = 10       // of a list: OpenDocument 1.3, part 3, 19.880
	maxDecimals     = 15       // digits that spreadsheets count with
	daysToYear10000 = 2958466  // the first day that is not a date in Excel
	phantomDay      = 61       // the day after 29 February 1900, which did not exist
	hugeNumber      = 1e15     // from which on a number has an exponent
	tinyNumber      = 1e-5     // below which it has one
	shapeOverlap    = 4        // a shape may overlap its neighbour by a quarter: by eye on generated decks
	separatorHead   = 64 << 10 // bytes in which the separator of a table is
	firstZipYear    = 1980     // the date of entries without one
	lastZipYear     = 2200
)
