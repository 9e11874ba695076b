package result

import (
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// Fetch is a page.
type Fetch struct {
	// Success reports whether the page was read, which its Verdict explains.
	Success bool `json:"success"`
	// URL is the address that was asked for, FinalURL the one that answered.
	URL      string `json:"url"`
	FinalURL string `json:"final_url"`
	// RedirectURL is where the page leads, when that is another host and
	// redirects are not followed; Content is empty then.
	RedirectURL string `json:"redirect_url,omitempty"`
	// Title and the following fields are what the page says about itself; empty
	// ones are unknown. Byline has the authors' names, separated by ", ";
	// Published is an ISO 8601 date, with the time where the page gives it;
	// Language is a BCP 47 tag.
	Title     string `json:"title"`
	Byline    string `json:"byline,omitempty"`
	Published string `json:"published,omitempty"`
	Excerpt   string `json:"excerpt,omitempty"`
	Language  string `json:"language,omitempty"`
	SiteName  string `json:"site_name,omitempty"`
	// PageType is the kind of the page, Verdict whether its content is complete.
	PageType PageType `json:"page_type"`
	Verdict  Verdict  `json:"verdict"`
	// Markdown is the content in the modes markdown and json; Content is that of
	// the other modes, and the answer to a prompt, a query for a text or for
	// changes. A content that was cut ends in a line that says so.
	Markdown string `json:"markdown,omitempty"`
	Content  string `json:"content,omitempty"`
	// Links are the links of mode links, most frequent first.
	Links []Link `json:"links,omitempty"`
	// Stated is what Content of mode data is made of; nil in other modes.
	Stated any `json:"-"`
	// Outline are the sections of mode outline, in page order.
	Outline []Section `json:"outline,omitempty"`
	// Facts are what the page's own data says about its subject; nil where it names
	// none.
	Facts *Facts `json:"facts,omitempty"`
	// Quotes are the quotations in the answer to a prompt.
	Quotes []Quote `json:"quotes,omitempty"`
	// NextStartIndex is the character at which the next window begins; nil at
	// the end.
	NextStartIndex *int `json:"next_start_index,omitempty"`
	// Truncated reports whether the content is less than the whole: a window of
	// it, or passages that were chosen out of more.
	Truncated bool `json:"truncated"`
	// Notices say what the reader has to know about the content, one sentence or
	// two each, for example that it begins at a section.
	Notices []string `json:"notices,omitempty"`
	// AnsweredBy names what answered a prompt or filled a schema: "model " and the
	// model's name, or one of the constants AnsweredBy…; empty where there was neither.
	AnsweredBy string `json:"answered_by,omitempty"`
	// Omitted counts the text that the page shows and its main content does not contain.
	// Navigation, the page's header and footer, and boxes that sites repeat do not count.
	Omitted Omitted `json:"omitted"`
	// HiddenRemoved counts what a person does not see and was removed, by kind;
	// nil for nothing.
	HiddenRemoved map[string]int `json:"hidden_removed,omitempty"`
	// NoMatch says that no passage of the page matches the query; the content is then the
	// outline of the page.
	NoMatch bool `json:"no_match,omitempty"`
	// UpstreamStatus is the HTTP status that the site answered with; 0 where none did, as
	// for a file.
	UpstreamStatus int `json:"upstream_status"`
	// Error says why the page was not read; nil on success.
	Error    *tool.Error `json:"error,omitempty"`
	Metadata Metadata    `json:"metadata"`
}

// The values of Fetch.AnsweredBy beside "model provider/name" for the configured
// model.
const (
	// AnsweredByClient: the caller's own model.
	AnsweredByClient = "client model"
	// AnsweredByPassages: no model; the content is the passages that match the
	// prompt best.
	AnsweredByPassages = "passages"
	// AnsweredBySelectors: no model; the selectors of the schema found the values.
	AnsweredBySelectors = "selectors"
	// AnsweredByPage: no model, and no word in the prompt to look for; the
	// content is the page from its beginning.
	AnsweredByPage = "page"
)

// Body returns the content in whatever mode it was asked for: Markdown, or else
// Content.
func (f *Fetch) Body() string {
	if f.Markdown != "" {
		return f.Markdown
	}
	return f.Content
}

// ReadAs returns what was read in place of the page, for example "raw file from
// raw.githubusercontent.com"; "" where it was the page itself.
func (f *Fetch) ReadAs() string {
	if f.Metadata.ReadAs == "" {
		return ""
	}
	// The address is in its canonical form: scheme, host, path.
	_, rest, _ := strings.Cut(f.Metadata.ReadFrom, "://")
	host, _, _ := strings.Cut(rest, "/")
	return f.Metadata.ReadAs + " from " + host
}

// Omitted is an amount of text.
type Omitted struct {
	Words  int `json:"words"`
	Blocks int `json:"blocks"`
}

// FetchAll are several pages, in the order in which they were asked for.
type FetchAll struct {
	// Results has one page for each address; a page that was not read has an
	// Error.
	Results []*Fetch `json:"results"`
	// Content is the answer to a prompt, once over all results; Quotes are its
	// quotations, and Error says why the answer is missing.
	Content string      `json:"content,omitempty"`
	Quotes  []Quote     `json:"quotes,omitempty"`
	Error   *tool.Error `json:"error,omitempty"`
	// Truncated reports whether Content was cut.
	Truncated bool `json:"truncated,omitempty"`
	// Notices are about Content, or about all results; each result has those
	// about itself.
	Notices []string `json:"notices,omitempty"`
	// AnsweredBy is as in Fetch.
	AnsweredBy string `json:"answered_by,omitempty"`
}

// Facts are what a page's own data (JSON-LD, microdata, RDFa, Open Graph) says about
// the subject of the page. They are not content.
type Facts struct {
	// Type is the kind of the subject: product, article, event, recipe, job, video or
	// question.
	Type   string `json:"type"`
	Values []Fact `json:"values"`
}

// Fact is a property of the subject of a page, for example its price.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	// FromData reports that only the page's data has it: the page does not show it.
	FromData bool `json:"from_data,omitempty"`
}

// String returns the facts as one line; what the page does not show has a mark.
func (f *Facts) String() string {
	if f == nil || len(f.Values) == 0 {
		return ""
	}
	parts := make([]string, len(f.Values))
	for i, v := range f.Values {
		parts[i] = v.Name + " " + strings.ReplaceAll(v.Value, ";", ",")
		if v.FromData {
			parts[i] += " (from the page's data)"
		}
	}
	return f.Type + ": " + strings.Join(parts, "; ")
}

// Link is a link to the page's own site.
type Link struct {
	Text string `json:"text"`
	// URL is absolute.
	URL string `json:"url"`
}

// Section is a heading and what stands below it, up to the next heading of its
// level or above.
type Section struct {
	// ID names the section within the page: the heading's words in lower case,
	// joined by hyphens, with -2, -3, … where they repeat. It does not change as
	// long as the headings do not.
	ID string `json:"id"`
	// Anchor is the heading's anchor in the page, the fragment of a URL; may be
	// empty.
	Anchor string `json:"anchor,omitempty"`
	// Title is plain text, Level from 1 to 6.
	Title string `json:"title"`
	Level int    `json:"level"`
	// Tokens is an estimate for the section with its subsections.
	Tokens int `json:"tokens"`
	// Start and End delimit the section in the page's Markdown, in characters.
	Start int `json:"start"`
	End   int `json:"end"`
}

// Metadata says how a page was read.
type Metadata struct {
	// ContentType is the media type, ContentLength the decoded size in bytes.
	ContentType   string `json:"content_type"`
	ContentLength int64  `json:"content_length"`
	// Status is the HTTP status; 0 for a file.
	Status int `json:"status,omitzero"`
	// FetchedAt is when the page came from its site, or was last found to be
	// current; zero for a file.
	FetchedAt time.Time `json:"fetched_at,omitzero"`
	// Cached reports whether the page came from the cache, Rendered whether a
	// browser ran its scripts; RenderNote says why it did or did not.
	Cached     bool   `json:"cached"`
	Rendered   bool   `json:"rendered"`
	RenderNote string `json:"render_note,omitempty"`
	// Version names the content by a hash of it.
	Version string `json:"version"`
	// Tokens is an estimate for the whole content.
	Tokens int `json:"tokens"`
	// HiddenCheck says how hidden text was found: by "inline" styles, by a
	// "sheet" too, or as "rendered" in a browser.
	HiddenCheck string `json:"hidden_check"`
	// Method says how the content was chosen: "spyhop" (main content),
	// "whole_body", "tokens" (bare text of broken markup), or "document" (another
	// format than HTML).
	Method string `json:"extraction_method,omitempty"`
	// ReadAs and ReadFrom are set where the site has a better form of the page
	// and that was read: which one, for example "raw file", and its address.
	ReadAs   string `json:"read_as,omitempty"`
	ReadFrom string `json:"read_from,omitempty"`
	// Unfiltered reports that the content is markup as the page has it (modes
	// raw and html).
	Unfiltered bool `json:"unfiltered,omitempty"`
	// Window is the part of the content that the answer has; nil where there is
	// no content.
	Window *Window `json:"window,omitempty"`
	// Since is what has changed after the version that was asked about; nil
	// where nothing was compared.
	Since   *Changes `json:"since,omitempty"`
	Timings Timings  `json:"timings"`
}

// Window is a part of a content.
type Window struct {
	// Start and End are characters of the whole content, which has Length of
	// them. Passages are chosen from the whole: both are 0.
	Start  int `json:"start"`
	End    int `json:"end"`
	Length int `json:"length"`
	// Limit is the most characters of the part; 0 means no limit.
	Limit int `json:"limit,omitempty"`
	// FirstToken and LastToken are the part's place among the tokens of the
	// whole, counted from 1, by estimate. Passages begin at 1.
	FirstToken int `json:"first_token"`
	LastToken  int `json:"last_token"`
	// Sections are the places of the part's sections in the outline, counted
	// from 1; the outline has SectionCount of them.
	Sections     []int `json:"sections,omitempty"`
	SectionCount int   `json:"section_count,omitempty"`
	// Passages is how many there are in place of one part; 0 without a query.
	Passages int `json:"passages,omitempty"`
}

// GoesOn is the sentence that follows content that is cut where the caller has set no length.
func (w *Window) GoesOn() string {
	return fmt.Sprintf("The content goes on: these are characters %d to %d of %d.", w.Start+1, w.End, w.Length)
}

// Changes counts the blocks that differ from an earlier version.
type Changes struct {
	// Version is the one that was compared with, and Seen is when it was last seen.
	Version string    `json:"version"`
	Seen    time.Time `json:"seen,omitzero"`
	Added   int       `json:"added"`
	Removed int       `json:"removed"`
	Changed int       `json:"changed"`
}

// String returns the counts as a person reads them.
func (c Changes) String() string {
	if c.Added+c.Removed+c.Changed == 0 {
		return "not modified"
	}
	return fmt.Sprintf("%d added, %d removed, %d changed", c.Added, c.Removed, c.Changed)
}

// Timings are how long the parts of a read took, in milliseconds: the fetch, and
// everything after it.
type Timings struct {
	FetchMS float64 `json:"fetch_ms"`
	ReadMS  float64 `json:"read_ms"`
}
