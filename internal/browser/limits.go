package browser

import "time"

// The limits of this package, by what they bound: pages, waits, acts, what is kept, the process.

const (
	// DefaultIdle is how long a context may be unused before it is ended.
	DefaultIdle = 15 * time.Minute
	// DefaultTimeout bounds an operation.
	DefaultTimeout = 30 * time.Second
	// MaxTabs bounds the tabs of a context, MaxContexts those of a browser.
	MaxTabs     = 5
	MaxContexts = 20
	// privateContexts is how many contexts operations may make for themselves. On two cores more
	// do not read more pages a second, measured: 4.2 with 4, 4.6 with 8.
	privateContexts = 4
)

// maxFrames bounds the frames of other processes that are read in a page; further
// frames run, and are not read.
const maxFrames = 64

// maxKids bounds the frames that are known by name, for their downloads.
const maxKids = 1000

// maxNotices and noticeBytes bound what an answer says besides the page. Pages
// write some of it: the words of alerts and questions, up to messageBytes each.
const (
	maxNotices   = 10
	noticeBytes  = 1000
	messageBytes = 200
)

// maxURL bounds the address of a page, in bytes. Scripts set addresses of any
// length (history.pushState); servers send no page for one of more.
const maxURL = 8 << 10

// loadShare is the divisor of the time that is left: a page may load for that part of
// it. A page that loads without end, such as one with a stream, is then read as it
// is.
const loadShare = 3

// sweepEvery is after how many pages the memory of those before is collected.
// Chromium does that late: left alone, the process of a tab takes 250 MiB after
// 240 pages, of which 120 are in use.
const sweepEvery = 20

const (
	navigateTries = 3
	// commitLimit is how long a document takes from the browser's answer, which
	// is milliseconds. On a machine under load it can take half of the time that
	// is left.
	commitLimit = 2 * time.Second
	commitTries = 2
)

// answerURL bounds the address of a page in answers, in bytes.
const answerURL = 2 << 10

// maxContextName bounds the name of a context.
const maxContextName = 64

const keptFailures = 32

// stepLimit bounds what the browser itself does for us and no page can delay
// for long: making and closing pages, and setting them up.
const stepLimit = 10 * time.Second

// pingLimit is how long a browser may take to answer with its version. It usually
// takes milliseconds.
const pingLimit = 2 * time.Second

const (
	// startLimit is how long a browser may take to answer for the first time where
	// the operation has no deadline. On a loaded machine with a cold disk Chromium
	// takes some seconds.
	startLimit = 20 * time.Second
	outputKept = 4 << 10
)

// ownUID stands for the user id of this process.
const ownUID = -1

// maxData bounds the writable memory of each of the browser's processes, in
// bytes: pages of the corpus take 700 MB of it, of which they use 150.
const maxData = 2 << 30

// aliveLimit is how long a page may take to say that it is there. On a loaded
// machine honest pages take some hundred milliseconds.
const aliveLimit = time.Second

// readTries is how often a page that keeps going elsewhere is read.
const readTries = 4

const (
	// motionWait bounds the wait for what an action moves: panels that slide,
	// messages that fade. loadMotion is that for a page that has just come. frameWait
	// is what a busy machine may need besides for two frames.
	motionWait = 1200 * time.Millisecond
	loadMotion = 400 * time.Millisecond
	frameWait  = 300 * time.Millisecond
	// stillFor is how long an element that a script has moved has to stand still.
	stillFor = 90 * time.Millisecond
	// requestWait bounds the wait for what an action has asked the server for.
	requestWait = 3 * time.Second
	// ChangeTokens bounds the answer to an action.
	ChangeTokens = 2000
)

// An action is repeated on a page that keeps redrawing itself for
// anewLimit, and anewTries times on a machine on which each try takes long.
const (
	anewLimit = 2 * time.Second
	anewTries = 12
)

// toastWait is how long an action that seems to change nothing is given to show something:
// toasts come within a second. toastLooks bounds how often the page is read for that, since
// some pages change all the time and show nothing of it.
const (
	toastWait  = time.Second
	toastLooks = 3
)

const (
	shortQuiet = 400 * time.Millisecond
	longQuiet  = 1100 * time.Millisecond
	restLimit  = 5 * time.Second
	// showLimit bounds the wait for what a caller names.
	showLimit = 30 * time.Second
	// restText is how many characters a page shows that has content.
	restText = 500
)

// entranceWait bounds the wait for a page that has just come, entrances and scrolling
// together.
const entranceWait = restLimit

// mostRevealed bounds the elements of [tab.noteRevealed].
const mostRevealed = 100

// The limits of [tab.scroll]. A page that looks cut is scrolled for a third of what a
// caller may ask for.
const (
	scrollScreens  = 30
	scrollRecords  = 2000
	probeScreens   = 10
	scrollWait     = 3 * time.Second // for what a step makes the page request
	scrollQuiet    = 120             // milliseconds without anything new after a step
	scrollSure     = 600             // the same, at the end of a list that has grown
	scrollBusyWait = 1500            // the same, where the page says that it loads
	recentGrowth   = 3               // steps after which a page that is not at its end is taken to have grown enough
)

// findTokens bounds the answer of Find.
const findTokens = 2000

// checkTokens bounds the answer of Check.
const checkTokens = 600

// MaxWait is the longest that WaitFor waits.
const MaxWait = 60 * time.Second

// waitStep is how often a page is looked at while waiting.
const waitStep = 200 * time.Millisecond

const maxValue = 64 << 10

// maxHTML bounds the markup that is read of a page.
const maxHTML = 16 << 20

const (
	// MaxShotPixels bounds either side of a picture.
	MaxShotPixels = 16384
	// maxShotBytes bounds a picture; a larger PNG is taken again as JPEG.
	maxShotBytes = 5 << 20
	// captureAge is how long captures are kept unless Options say otherwise.
	captureAge = 24 * time.Hour
)

// maxMarks bounds the marks of a picture; more would not be readable.
const maxMarks = 300

// delayed is how long pages wait before they show a tooltip, a submenu or a toast.
const delayed = 300 * time.Millisecond

// approaches is how often the mouse follows an element that moves.
const approaches = 4

// maxRepeats bounds how often one call presses a key. After each of the first slowKeys
// the page has time to draw.
const (
	maxRepeats = 500
	slowKeys   = 50
)

// patience is how long an element is waited for that something covers, that moves or that
// is disabled: spinners go and forms are checked within a second or two. lookEvery is how
// often it is looked at meanwhile.
const (
	patience  = 2 * time.Second
	lookEvery = 80 * time.Millisecond
)

// mostLabels is how many labels of an element are looked at.
const mostLabels = 4

// leastPart is the area of a part of an element that is more than nothing.
const leastPart = 16

const (
	// maxPath bounds the points of a path, and maxHold how long a button is held.
	maxPath = 200
	maxHold = 10 * time.Second
	// strokeStep is how far the mouse moves at a time, in pixels, and maxStrokes how often
	// between two points.
	strokeStep = 12
	maxStrokes = 40
)

// dragSteps is the number of moves of a drag: pages expect a path, not one jump.
const dragSteps = 8

// A thumb is tried with moves of firstMove pixels, doubled until its slider changes or
// the move is mostMove. mouseTurns bounds the moves after that.
const (
	firstMove  = 8
	mostMove   = 64
	mouseTurns = 24
)

// suggestWait is how long fields wait that suggest what fits: libraries take 300 ms.
const suggestWait = 400 * time.Millisecond

// keyed is how long a text for a field of one line may be that is typed key by key.
const keyed = 200

// drawnTries are how often a list that was opened is looked at for an option,
// every typedWait where the page has to be asked for it. seekTime bounds how long one that
// draws only a part of itself is scrolled, mostLoads how often it may get longer at its end,
// and mostChosen the choices that are taken back.
const (
	drawnTries = 5
	seekTime   = 10 * time.Second
	mostLoads  = 20
	mostChosen = 60
	typedWait  = 300 * time.Millisecond
)

const (
	maxDownload  = 32 << 20
	maxDownloads = 20
	allDownloads = 128 << 20
	// downloadWait is how long an answer waits for a download to be complete.
	downloadWait = 5 * time.Second
	// downloadTime is the longest time that a download may take, stallTime how long it may
	// bring nothing.
	downloadTime = 2 * time.Minute
	stallTime    = 30 * time.Second
)

const (
	// maxExchanges is how many exchanges of a tab are kept whole.
	maxExchanges = 100
	// headerBytes bounds the headers that are kept of a request, and of an answer.
	headerBytes = 8 << 10
	// shownBody bounds what is kept of posted data, and what is shown of a body.
	shownBody = 4 << 10
	// bufferedBodies and bufferedBody bound what the browser keeps of the bodies of a
	// process: of all together, and of one.
	bufferedBodies = 2 << 20
	bufferedBody   = 256 << 10
)

const (
	// journalEntries and journalBytes bound what is kept of a page that writes
	// without end.
	journalEntries = 1000
	journalBytes   = 2 << 10
	maxInflight    = 4096
)

// maxArrivals bounds the documents that were replaced at once.
const maxArrivals = 16

// maxDialogs bounds the alerts of a document, whose script is stopped then, and
// the questions that are cancelled at a time.
const maxDialogs = 20

const (
	// maxRoutes bounds the routes of a tab, maxMock the body of a mock in bytes, and
	// maxRouteHeaders the headers of a route.
	maxRoutes       = 20
	maxMock         = 1 << 20
	maxRouteHeaders = 20
)

const (
	windowWidth  = 1280
	windowHeight = 800
	// The window of a telephone, and the bounds of any window.
	mobileWidth   = 390
	mobileHeight  = 844
	leastWindow   = 100
	largestWindow = 4000
)

const (
	// maxSteps bounds the steps of a context that are remembered, maxTraceShots the pictures
	// of a trace.
	maxSteps      = 500
	maxTraceShots = 100
)

// minSecret is how long a secret is, in bytes: a shorter one would mask half of a page.
const minSecret = 4

// maskDepth bounds the nesting of data that is masked; deeper data is dropped.
const maskDepth = 64

// maxClipboard bounds what a page copies.
const maxClipboard = 1 << 20

const (
	// MaxStateBytes bounds the storage in a State, and half of it that of an
	// origin: on the pipe it may take twice as much.
	MaxStateBytes = 16 << 20
	// maxOrigins bounds the origins whose storage is looked at.
	maxOrigins = 32
)

// attendStep is the interval at which Attend reads a context that a person works in.
const attendStep = time.Second

// watchLimit bounds the time for a picture: an operation of the agent may run.
const watchLimit = 8 * time.Second

// endLimit is how long a browser with a profile may take to write what it has.
const endLimit = 5 * time.Second

// busyAgain is when a caller that finds no room may try again.
const busyAgain = 5 * time.Second

const (
	helperWord = "become-the-browser"
	doorwayFD  = 5 // after the two pipes
	// sockets is enough for all contexts, the spare one, and some that are ending.
	sockets   = MaxContexts + 8
	doorLimit = 10 * time.Second
)

// maxMessage bounds one message of the protocol, in bytes. The largest that an
// honest page makes are trees of 300,000 nodes, about 60 MB.
const maxMessage = 192 << 20
