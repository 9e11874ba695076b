package result

import "time"

// SiteMap are the pages of a site, as far as the site names them.
type SiteMap struct {
	// Success reports whether a page was found.
	Success bool `json:"success"`
	// URL is the address that was given.
	URL string `json:"url"`
	// RedirectsTo is where the address leads, if its page is another one.
	RedirectsTo string `json:"redirects_to,omitempty"`
	// Total counts the pages that were found in scope, of which Links has all or a
	// window. BySource counts them by source: "sitemap", "feed", "llms.txt",
	// "links"; a page of two sources counts in both.
	Total    int            `json:"total"`
	BySource map[string]int `json:"by_source"`
	// Newest is the latest change that a source states; zero when none states one.
	Newest time.Time `json:"newest,omitzero"`
	// Links are in the order of the sources, best first where there was a query.
	Links []MapLink `json:"links"`
	// Files are the files that were read or could not be read, in order.
	Files []MapFile `json:"files"`
	// OffSite counts addresses of other hosts, OutOfScope those that include and
	// exclude leave out, Refused those that the egress policy refuses, Undated
	// those without a date where changes since a date were asked for. Disallowed
	// counts pages in Links that robots.txt refuses to a crawl.
	OffSite    int `json:"off_site,omitempty"`
	OutOfScope int `json:"out_of_scope,omitempty"`
	Refused    int `json:"refused,omitempty"`
	Undated    int `json:"undated,omitempty"`
	Disallowed int `json:"disallowed,omitempty"`
	// Truncated reports whether the site names more than was read.
	Truncated bool     `json:"truncated"`
	Notices   []string `json:"notices,omitempty"`
}

// MapLink is a page of a site.
type MapLink struct {
	URL string `json:"url"`
	// Title is what a feed, llms.txt or a link calls the page; empty: unknown.
	Title string `json:"title,omitempty"`
	// Modified is when the page changed, according to the site; zero: unknown.
	Modified time.Time `json:"modified,omitzero"`
	// Sources are the sources that name it.
	Sources []string `json:"sources"`
	// Score says how well the page matches the query, from 0 to about 1; 0 where
	// there was no query.
	Score float64 `json:"score,omitempty"`
	// Disallowed reports whether robots.txt refuses the page to a crawl.
	Disallowed bool `json:"disallowed,omitempty"`
}

// MapFile is a file that names pages.
type MapFile struct {
	URL string `json:"url"`
	// Kind is "sitemap", "sitemap index", "list of addresses", "feed" or "llms.txt";
	// empty when the file could not be read.
	Kind string `json:"kind,omitempty"`
	// Named counts the addresses in it, Added those of them that were new and in
	// scope, Unusable entries without a usable address.
	Named    int `json:"named"`
	Added    int `json:"added"`
	Unusable int `json:"unusable,omitempty"`
	// Incomplete says why the file was not read to its end, Error why not at all.
	Incomplete string `json:"incomplete,omitempty"`
	Error      string `json:"error,omitempty"`
}
