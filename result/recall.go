package result

import "time"

// Recall are the pages that were read before and answer a query.
type Recall struct {
	// Success reports whether a page was found.
	Success bool   `json:"success"`
	Query   string `json:"query"`
	// Searched counts the versions of pages that were looked through.
	Searched int `json:"searched"`
	// Pages are the best first.
	Pages []RecalledPage `json:"pages"`
	// Refused counts pages that match and that the egress policy refuses today; they
	// are left out.
	Refused int      `json:"refused,omitempty"`
	Notices []string `json:"notices,omitempty"`
}

// RecalledPage is a version of a page that was read before.
type RecalledPage struct {
	URL string `json:"url"`
	// Title is the page's title; empty where it has none.
	Title string `json:"title,omitempty"`
	// Version names the content, as Metadata.Version of a read does, and Seen is when
	// it was last read.
	Version string    `json:"version"`
	Seen    time.Time `json:"seen"`
	// Login reports whether the page was read with a login.
	Login bool `json:"login,omitempty"`
	// Score is the rank of the page in this answer, from 1 for the first to 0.
	Score float64 `json:"score"`
	// Passages are quotations, in the order of the page.
	Passages []Passage `json:"passages"`
}

// Passage is a quotation from a page.
type Passage struct {
	// Text is the text of the page, word for word, without marks of Markdown.
	Text string `json:"text"`
	// Section is the heading above the passage; empty before the first one.
	Section string `json:"section,omitempty"`
	// Start and End delimit the passage in the version's Markdown, in characters.
	Start int `json:"start"`
	End   int `json:"end"`
	// Score compares the passages of a page; the best one has 1.
	Score float64 `json:"score"`
	// Link is the address with a text fragment that leads to the passage.
	Link string `json:"link"`
}
