package result

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
	// Text is what was read: the page, what changed on it, or what was found.
	Text string `json:"content,omitempty"`
}

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
