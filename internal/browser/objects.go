package browser

import (
	"context"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/target"

	"github.com/spyhop-dev/spyhop/internal/browser/snapshot"
	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// What there is while a browser runs: the Browser of the program has an engine, which is a process;
// that has contexts, and these have tabs. Their methods are in the files above.

// Browser starts and keeps the browser. Make one with [New]; its methods may
// be called from several goroutines.
type Browser struct {
	options Options
	plain   *Browser // of what is not done in a person's browser; nil: this one
	direct  string   // tests: go to these hosts without the proxy, and leave out the flags that lead there

	starting chan struct{} // held by the goroutine that starts or ends the engine
	lastTab  atomic.Int64

	mu       sync.Mutex // taken before the lock of a context, never while that is held
	engine   *engine    // nil while none runs
	contexts map[contextKey]*browserContext
	noStart  bool // the last start has failed
	lastName int
	idle     *time.Timer
	closed   bool

	work sync.WaitGroup
}

// Place says where an operation happens. The zero value is the current tab of
// the context that the owner "" used last.
type Place struct {
	// Owner is the caller whose contexts these are.
	Owner string
	// Context is the name of a context of the owner; empty: the one used last.
	Context string
	// Tab is "t1" and so on; empty: the current one.
	Tab string

	private bool // of an operation that makes a context for itself
}

// contextKey is what a context is found by.
type contextKey struct{ owner, name string }

// An engine is one running browser with its contexts and pages. If its process dies,
// all of them are invalid, and the next call starts another engine.
type engine struct {
	process   *process
	userAgent string   // of its pages; empty: the browser's own
	root      *session // the browser's own
	// trusts decides about a certificate that the browser does not trust; nil: none is.
	trusts   func(context.Context, weburl.URL) bool
	proxy    *egress.Proxy // of the profile that lasts; nil: there is none
	work     sync.WaitGroup
	ctx      context.Context // ends when the engine is closed
	stop     context.CancelFunc
	closing  sync.RWMutex // no work begins while it is held for writing
	failures atomic.Int32 // pages in a row that could not be made
	hung     atomic.Bool  // since the last page was made, one hung for good

	mu      sync.Mutex
	pages   map[target.ID]*tab
	homes   map[cdp.BrowserContextID]*browserContext
	changed chan struct{} // closed and replaced when pages has a new one
	// downloads are those that go on, by their names in the protocol.
	downloads map[string]*download
	ids       map[target.ID]string // of tabs of an attached browser that belong to nobody here
}

// A browserContext has cookies, storage, tabs and a proxy of its own.
type browserContext struct {
	browser *Browser
	engine  *engine
	id      cdp.BrowserContextID
	proxy   *egress.Proxy
	opening chan struct{} // held by the operation that opens a tab where none is
	name    string
	mark    string    // of the principal, in the names of its captures
	used    time.Time // guarded by browser.mu
	private bool      // made by an operation for itself
	calls   int       // that use it now; guarded by browser.mu

	// downloads is the folder of its downloads; saved and savedBytes are those that it
	// had, which belong to the engine's lock.
	downloads  *os.Root // nil: downloads are refused
	saved      int
	savedBytes int64

	mu       sync.Mutex
	copied   string   // the clipboard
	restored []string // origins of a restored state
	steps    []deed   // what was done, the last of it
	traced   bool     // a trace is made
	untaken  bool     // of the last step, a picture is due
	shots    int      // of the trace
	sessions string   // the script that fills the sessionStorage of its tabs; "": none
	tabs     []*tab
	current  *tab
	failures []egress.Exchange // the last ones, for the errors of navigations
}

// deed is a line of the test.
type deed struct {
	at   time.Time
	code string
	url  string
	shot []byte // JPEG; nil: none was taken
}

// A tab is a page. Its state is set by events; operations wait for it to
// change.
type tab struct {
	engine   *engine
	target   target.ID
	main     *session
	id       string // t1; set when a context takes it
	opened   bool   // by a page
	opener   *tab   // whose page opened it; may be nil
	borrowed bool   // of an attached browser, and not opened here
	home     *browserContext
	turn     turn // of the operation that runs in it

	prepared   chan struct{}
	prepareErr error

	mu sync.Mutex
	moment

	frames    map[target.SessionID]*session // of other processes, by session
	reached   map[string]bool               // lifecycle events of the main document
	arrivals  map[cdp.LoaderID]arrival      // of main documents, those that did not stay among them
	inflight  map[network.RequestID]bool
	saves     []*download          // that go on
	kids      map[cdp.FrameID]bool // frames of the page's own process
	unkept    map[cdp.FrameID]bool // frames whose documents came with Cache-Control: no-store
	asksFiles cdp.BackendNodeID    // the field of the file chooser that was opened last; 0: none
	untrusted string               // the host of the certificate that was refused last
	alerts    int                  // of the main document
	notices   []string             // what happened since the last answer: dialogs, popups, downloads
	dialogs   []string             // what closed dialogs said since then
	noticed   int                  // the bytes of notices
	unsaid    int                  // what happened besides
	journal   journal
	routes    []Route                            // the one that was added last decides
	overhear  func(method string, params []byte) // gets events first; may be nil

	// The fields below belong to operations, of which there is one at a time.
	refs        *snapshot.Refs
	mouse       point // where it is
	visits      int
	last        *snapshot.Page        // that a diff starts from
	shownLoader cdp.LoaderID          // of the document that refs belong to
	calmLoader  cdp.LoaderID          // of the document whose content was awaited last
	revealed    map[int64]bool        // see [snapshot.Process.Revealed]
	revealedIn  cdp.LoaderID          // the document of revealed
	begins      page.ScriptIdentifier // of the script that fills its sessionStorage
	device                            // that the page is told of; its size is that of the window
	locale      string                // that it is told; "": the browser's own
}

// A moment is what events have told of a tab most recently.
type moment struct {
	changed  chan struct{} // closed and replaced when the tab changes
	gone     error         // why the tab is closed; nil while it is open
	loader   cdp.LoaderID  // of the main document
	url      string
	moving   bool        // the main frame is about to navigate
	dialog   *openDialog // the question that the page asks; nil: none
	started  int         // requests so far
	finished int
	thrown   int // errors of scripts that no script has caught
}

// A turn lets one operation of a tab run at a time. A tab that takes the place of one that
// hangs has the turn of that one.
type turn chan struct{} // holds one

// openDialog is a question of the page that waits for an answer.
type openDialog struct {
	kind, message string
	preset        string // what a prompt suggests
}

// arrival is what is known of the answer with a tab's document.
type arrival struct {
	// first is the address that was asked for, url the one that redirects led to.
	first, url string
	// status is 0 until a server or the proxy has answered.
	status  int
	noStore bool
}

// download is one that has begun.
type download struct {
	tab   *tab
	home  *browserContext
	guid  string      // its name in the protocol, and that of its file
	name  string      // that the page gives it
	stall *time.Timer // gives it up; nil: it was refused at once

	// The lock of the tab guards these.
	received, total float64 // bytes; total is 0 where it is not known
	told            bool    // an answer has said that it goes on
}

// A device is a screen and what a page is told of it. Sizes are in CSS pixels; scale is how many
// pixels of the screen make one of them, 0 for 1.
type device struct {
	width, height, scale float64
	mobile               bool
	agent                string // in its user agent; "": the browser's own
}

// Route is what becomes of the requests with a pattern.
type Route struct {
	// Pattern is a URL with * for any characters.
	Pattern string
	// Action is "block", "mock", "headers", or "clear", which ends the route of the pattern,
	// or all routes for an empty one.
	Action string
	// Status, Body and Type are those of a mock; 0 is 200, and "" application/json.
	Status     int
	Body, Type string
	// Headers are set in requests (headers) or in the response (mock).
	Headers map[string]string
}

// Page is where a tab is.
type Page struct {
	URL   string
	Title string
	// Status is the HTTP status of the main document; 0 if it has none.
	Status int
	// Context and Tab say where the page is, for the next operation there.
	Context, Tab string
	// Notices are other events, such as a closed alert. Dialogs are the texts of the
	// page's dialogs, by their kind.
	Notices, Dialogs []string
}

// State is what sites have stored in a context. It contains secrets: its String is
// a constant, and its JSON is only for encrypted storage.
type State struct {
	Cookies []StateCookie   `json:"cookies"`
	Origins []OriginStorage `json:"origins"`
}

// StateCookie is a cookie with its value.
type StateCookie struct {
	Name   string `json:"name"`
	Value  string `json:"value"`
	Domain string `json:"domain"` // with a leading dot: its subdomains too
	Path   string `json:"path"`
	// Expires is zero for one that ends with the context.
	Expires  time.Time `json:"expires,omitzero"`
	Secure   bool      `json:"secure,omitempty"`
	HTTPOnly bool      `json:"http_only,omitempty"`
	SameSite string    `json:"same_site,omitempty"`
	// FromTLS says that it came over https, and Port by which port.
	FromTLS bool `json:"from_tls,omitempty"`
	Port    int  `json:"port,omitempty"`
	// TopSite is the site in whose pages alone a partitioned cookie is sent;
	// Nested says that a page of another site stood between.
	TopSite string `json:"top_site,omitempty"`
	Nested  bool   `json:"nested,omitempty"`
}

// OriginStorage is what an origin has stored.
type OriginStorage struct {
	Origin string `json:"origin"`
	// Items is JSON as the page's own engine writes and reads it, a list of
	// pairs: values may hold half characters, which only that keeps.
	Items string `json:"items"`
	// Session is the sessionStorage of the tab that was used last, in the form of Items, and
	// Databases is JSON of the databases of IndexedDB; "" is none.
	Session   string `json:"session,omitempty"`
	Databases string `json:"databases,omitempty"`
}
