package about

// The bounds of what one page may state. What is beyond them is dropped, and
// [Graph.Cut] reports it.
const (
	maxValueBytes  = 2 << 20  // of one value of a script
	maxScriptBytes = 12 << 20 // of all scripts of a page; a value that is read twice counts twice
	maxScriptNodes = 300_000  // values of all scripts of a page
	maxDepth       = 96       // levels of a value
	maxScripts     = 256
	maxTries       = 256 // literals of a script

	maxItems      = 2_000
	maxValues     = 20_000
	maxMembers    = 200 // of an item
	maxTypes      = 8   // of an item
	maxItemDepth  = 16
	maxName       = 80      // characters of a type or a member's name
	maxText       = 2_000   // bytes of a printed value
	maxAllText    = 4 << 20 // bytes of all values
	maxTextNodes  = 500_000 // nodes searched for the texts of microdata: members within members share theirs
	maxProperties = 200     // of Open Graph and its kin

	maxPieces = 4_000 // texts of the state of a shell

	maxHints = 500   // names and texts of each kind that are stated
	maxPart  = 4_000 // characters of one

	maxCandidates = 12 // visible authors, dates, headings each
	maxAuthors    = 12
	maxFeeds      = 8
	maxOthers     = 64
	maxURL        = 4096
	maxMetaText   = 300 // characters of a title or a name
	maxExcerpt    = 600

	maxFact       = 160     // characters of a fact
	maxNames      = 4       // values of a fact
	maxCurrencies = 3       // of a price
	maxDigits     = 13      // of a number: the hundredths of more are not exact
	maxDuration   = 1e9     // seconds
	maxShown      = 2 << 20 // bytes of the text in which facts are looked up
)

// What decides.
const (
	maxAlike        = 4   // of fewer items with one name, the first is the subject
	minTitleLetters = 8   // bytes of a name that may be a part of a title
	aroundYear      = 24  // bytes around the year of a date that have its day and month
	aroundPrice     = 20  // bytes around an amount that have its currency
	minState        = 100 // bytes of data that may be content
	shellWords      = 200 // words outside of links up to which a page may be a shell
	shellSure       = 50  // words of it that are rather content than not (a product's own text has 76, shells have 45)
	bareShell       = 60  // words chosen of it from which on the state needs one long text
	minUnpack       = 20  // words that are worth a replacement
	longerBy        = 100 // words by which JSON-LD must exceed a page that is not a shell
	mostShared      = .5  // share of the data's word runs that the page may show already
	minWords        = 4   // words of a piece
	minLongWord     = 4   // letters of a word by which titles are compared
	maxSectionWords = 4   // words of a heading that can name a section
	maxTitleWords   = 22
	minTitled       = 40  // words of a piece that has the title of the page
	proseWords      = 8   // words of a text that is not a label
	enoughWithout   = 100 // words of a page from which on texts of other pages are teasers
	repeated        = .7  // share of the word runs of a piece that are in longer ones
	gramWords       = 5   // words of a run
	meanWord        = 5   // bytes

	maxNear        = 40  // pieces of text behind the title
	maxLong        = 2   // long pieces among them: a subtitle, a summary
	maxBehindLong  = 10  // pieces behind a long one
	maxSubtitle    = 3   // pieces behind which a heading is not a subtitle
	maxBefore      = 6   // pieces before the title that may have the date
	maxBeforeStep  = 120 // nodes before the title
	maxBeforeUp    = 5   // levels above it
	maxLine        = 100 // characters of a short line
	maxPiece       = 200 // characters of a piece
	longPiece      = 150 // bytes
	maxShort       = 60  // characters of a line that is a date or a name
	maxShownWords  = 6   // of what is shown as a name
	maxBylineWords = 8   // of a line that begins with "by"
	maxPersonWords = 4

	maxRecordUp    = 10     // levels above a date or a name that are searched for a heading of its record
	maxTitleUp     = 6      // levels above a date within which it is at the title
	maxRecordNodes = 400    // of one record
	maxRecordLooks = 40_000 // nodes searched for records
	fewRecords     = 3      // dates alike that are those of records
	maxNameWords   = 4      // a shorter heading may be the name of an author
	maxNameBytes   = 20
)
