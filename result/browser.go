package result

import (
	"encoding/json"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// BrowserPage is what the browser tools say about a page: where it is and what
// they read. Result.Data of browser_snapshot, navigate_to_url and of the tools
// that act is one.
type BrowserPage struct {
	URL   string `json:"url"`
	Title string `json:"title"`
	// Status is the HTTP status of the page; 0 if no server sent it.
	Status int `json:"status,omitempty"`
	// Tab and Context name the tab and its browser context.
	Tab     string `json:"tab,omitempty"`
	Context string `json:"context,omitempty"`
	// Notices say what happened besides, a sentence each.
	Notices []string `json:"notices,omitempty"`
	// Dialogs are what the page's dialogs said, each with its kind: alert "Saved".
	Dialogs []string `json:"dialogs,omitempty"`
	// Text is what was read: the page, what changed on it, or what was found.
	Text string `json:"content,omitempty"`
}

// Page is what each answer about a page has: what embeds a BrowserPage has this method too.
func (p BrowserPage) Page() BrowserPage { return p }

// Screenshot is Result.Data of take_web_screenshot.
type Screenshot struct {
	// Path is the file of the picture, Width and Height its size in pixels.
	Path   string `json:"screenshot_path"`
	Width  int    `json:"width"`
	Height int    `json:"height"`
	BrowserPage
}

// PDF is Result.Data of save_page_as_pdf.
type PDF struct {
	// Path is the file.
	Path  string `json:"pdf_path"`
	Pages int    `json:"pages"`
	BrowserPage
}

// BrowserView is what a person who watches knows of a browser context.
type BrowserView struct {
	// ID names the context among those of the caller; Context is its name in its
	// session, Tab the tab that was used last.
	ID, Context, Tab string
	// URL and Title are those of the page that was used last.
	URL, Title string
	// Steps are the last calls, the newest first. Number counts all of them.
	Steps  []BrowserStep
	Number int
	// Ended reports whether the context is closed.
	Ended bool
}

// BrowserStep is a call of a browser tool.
type BrowserStep struct {
	Time time.Time
	Tool string
	// Ref is what was acted on; may be empty. About says what else the call was about,
	// without what was typed.
	Ref, About string
	// Err is the type of the error; empty on success.
	Err tool.ErrorType
}

// BrowserPicture is a picture of a browser's window.
type BrowserPicture struct {
	JPEG          []byte
	Width, Height int
	// Ref is what was acted on last, and X, Y, W and H its place in the picture; W is 0
	// where it is not in it.
	Ref        string
	X, Y, W, H float64
}

// Program is what a program beside a browser context came to.
type Program struct {
	// Stdout and Stderr are what it has written, each at most 64 KB; Truncated reports that
	// it has written more.
	Stdout, Stderr string
	Truncated      bool
	// Result is the value that it returned, as JSON; nil for none.
	Result json.RawMessage
	// Error is why it ended early; "": it did not.
	Error string
}
