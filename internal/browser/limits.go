package browser

import "time"

// The limits of this package. Times bound waits: what is not there then is read, or done, as it is.

// Contexts, tabs and pages.
const (
	defaultIdle    = 15 * time.Minute // a context that was unused for so long is ended
	defaultTimeout = 30 * time.Second // of an operation
	maxTabs        = 5                // of a context
	MaxContexts    = 20               // of a browser
	// privateContexts is how many contexts operations may make for themselves. On two cores more
	// do not read more pages a second, measured: 4.2 with 4, 4.6 with 8.
	privateContexts = 4
	maxContextName  = 64
	keptFailures    = 32               // requests of a context that failed
	maxFrames       = 64               // of other processes that are read; further ones run, and are not read
	maxKids         = 1000             // frames that are known by name, for their downloads
	maxArrivals     = 16               // documents that were replaced at once
	maxInflight     = 4096             // requests
	maxDialogs      = 20               // alerts of a document, whose script is stopped then, and questions that are cancelled at a time
	mostFiltered    = 200              // bytes of a text that is typed key by key into a field with a mask
	maxURL          = 8 << 10          // bytes: scripts set URLs of any length (history.pushState)
	maxMessage      = 192 << 20        // bytes of a message of the protocol; trees of 300,000 nodes have 60 MB
	busyAgain       = 5 * time.Second  // a caller that finds no room may try again
	stepLimit       = 10 * time.Second // for what the browser itself does and no page can delay for long
	endLimit        = 5 * time.Second  // for a browser with a profile to write what it has
	attendStep      = time.Second      // between two looks at a context that a person works in
	watchLimit      = 8 * time.Second  // for a picture for a person: an operation may run
	// sweepEvery is after how many pages the memory of those before is collected. Chromium does
	// that late: left alone, the process of a tab takes 250 MiB after 240 pages, of which 120 are
	// in use.
	sweepEvery = 20
)

// The process.
const (
	// startLimit is how long a browser may take to answer for the first time where the operation has
	// no deadline. On a loaded machine with a cold disk Chromium takes some seconds.
	startLimit = 20 * time.Second
	outputKept = 4 << 10 // bytes
	ownUID     = -1      // stands for the user id of this process
	// maxData bounds the writable memory of each of the browser's processes, in bytes: pages of the
	// corpus take 700 MB of it, of which they use 150.
	maxData    = 2 << 30
	helperWord = "become-the-browser"
	doorwayFD  = 5               // after the two pipes
	sockets    = MaxContexts + 8 // for all contexts, and some that are ending
	doorLimit  = 10 * time.Second
)

// Waits for a page. A page that loads without end may load for a share of the time that is left.
const (
	loadShare     = 3 // the divisor
	navigateTries = 3
	commitTries   = 2
	readTries     = 4                      // of a page that keeps going elsewhere
	readLimit     = 5 * time.Second        // after which it is read as it is
	aliveLimit    = time.Second            // to say that it is there; on a loaded machine honest pages take some hundred milliseconds
	requestWait   = 3 * time.Second        // for what an action has asked the server for
	afterLoad     = 250 * time.Millisecond // for what a page draws by timers, see [tab.waiting]
	restLimit     = 5 * time.Second        // until a page that has come is at rest, and for its entrances
	showLimit     = 30 * time.Second
	shortQuiet    = 400 * time.Millisecond
	longQuiet     = 1100 * time.Millisecond
	restText      = 500                     // characters that a page shows that has content
	motionWait    = 1200 * time.Millisecond // for panels that slide, messages that fade
	loadMotion    = 400 * time.Millisecond  // the same, on a page that has just come
	frameWait     = 300 * time.Millisecond  // what a busy machine may need besides for two frames
	stillFor      = 90 * time.Millisecond   // an element that a script has moved has to stand still
	mostRevealed  = 100                     // elements that were seen while the page was scrolled
	waitStep      = 200 * time.Millisecond  // between two looks at what a caller waits for
	MaxWait       = 60 * time.Second        // of WaitFor
	downloadWait  = 5 * time.Second
)

// Scrolling to the end of a page. One that looks cut is scrolled for a third of what a caller may
// ask for. The quiet times are milliseconds without anything new.
const (
	scrollScreens  = 30
	probeScreens   = 10
	scrollRecords  = 2000
	scrollQuiet    = 120
	scrollSure     = 600  // at the end of a list that has grown
	scrollBusyWait = 1500 // where the page says that it loads
	recentGrowth   = 3    // steps after which a page that is not at its end is taken to have grown enough
)

// Actions.
const (
	// patience is how long an element is waited for that something covers, that moves, is disabled
	// or redrawn, and a document or an answer of the browser that is a matter of milliseconds.
	patience    = 2 * time.Second
	lookEvery   = 80 * time.Millisecond
	anewTries   = 12                     // of an action on a page that keeps redrawing itself, where each try takes long
	delayed     = 300 * time.Millisecond // before a page shows a tooltip, a submenu, a list or a toast
	suggestWait = 400 * time.Millisecond // before a field suggests what fits
	toastWait   = time.Second            // for an action that seems to change nothing
	toastLooks  = 3                      // some pages change all the time and show nothing of it
	approaches  = 4                      // of the mouse to an element that moves
	maxRepeats  = 500                    // of a key
	slowKeys    = 50                     // after each of the first ones the page has time to draw
	maxPath     = 200                    // points
	maxHold     = 10 * time.Second       // of a button
	strokeStep  = 12                     // pixels that the mouse moves at a time
	maxStrokes  = 40                     // moves between two points
	dragSteps   = 8                      // pages expect a path, not one jump
	firstMove   = 8                      // pixels of a thumb, doubled until its slider changes
	mostMove    = 64
	mouseTurns  = 24               // moves of a thumb after that
	drawnTries  = 5                // looks at a list that was opened
	seekTime    = 10 * time.Second // for which a list that draws a part of itself is scrolled
	mostLoads   = 20               // times that a list may get longer at its end
	mostChosen  = 60               // choices that are taken back
)

// What answers have, and what is kept. Pages write some of the notices.
const (
	changeTokens    = 2000 // of the answer to an action, or of Find
	checkTokens     = 600
	maxNotices      = 10
	noticeBytes     = 1000
	messageBytes    = 200      // of a dialog
	answerURL       = 2 << 10  // bytes
	maxValue        = 64 << 10 // bytes of the value of a script
	maxHTML         = 16 << 20 // bytes
	maxShotPixels   = 16384    // of either side of a picture
	maxShotBytes    = 5 << 20  // a larger PNG is taken again as JPEG
	maxMarks        = 300      // of a picture
	captureAge      = 24 * time.Hour
	maxExchanges    = 100       // that are kept whole
	headerBytes     = 8 << 10   // of a request, and of a response
	shownBody       = 4 << 10   // bytes
	bufferedBodies  = 2 << 20   // bytes that the browser keeps of the bodies of a process
	bufferedBody    = 256 << 10 // and of one of them
	journalEntries  = 1000
	journalBytes    = 2 << 10 // of an entry
	maxSteps        = 500     // of a context that are remembered
	maxTraceShots   = 100
	maxRoutes       = 20
	maxMock         = 1 << 20 // bytes
	maxRouteHeaders = 20
	minSecret       = 4  // bytes: a shorter one would mask half of a page
	maskDepth       = 64 // deeper data is dropped
	maxClipboard    = 1 << 20
	maxStateBytes   = 16 << 20 // half of it of an origin: on the pipe it may take twice as much
	maxOrigins      = 32       // whose storage is looked at
	maxDownload     = 32 << 20 // bytes
	maxDownloads    = 20       // of a context
	allDownloads    = 128 << 20
	stallTime       = 30 * time.Second // for which a download may bring nothing
)

// Windows, in CSS pixels.
const (
	windowWidth   = 1280
	windowHeight  = 800
	mobileWidth   = 390
	mobileHeight  = 844
	leastWindow   = 100
	largestWindow = 4000
)
