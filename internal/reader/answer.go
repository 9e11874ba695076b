package reader

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/tool"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// Answer is what a read comes to. Its JSON form is the one object that the
// library, the REST API and --json give.
type Answer struct {
	Success     bool               `json:"success"`
	URL         string             `json:"url"`
	FinalURL    string             `json:"final_url"`
	RedirectURL string             `json:"redirect_url,omitempty"`
	Title       string             `json:"title"`
	Byline      string             `json:"byline,omitempty"`
	Published   string             `json:"published,omitempty"`
	Excerpt     string             `json:"excerpt,omitempty"`
	Language    string             `json:"language,omitempty"`
	SiteName    string             `json:"site_name,omitempty"`
	PageType    page.Type          `json:"page_type"`
	Verdict     page.Verdict       `json:"verdict"`
	Markdown    string             `json:"markdown,omitempty"`
	Content     string             `json:"content,omitempty"`
	Links       []Link             `json:"links,omitempty"`
	Outline     []markdown.Section `json:"outline,omitempty"`
	// NextStartIndex is where the next window begins; nil at the end.
	NextStartIndex *int           `json:"next_start_index,omitempty"`
	Truncated      bool           `json:"truncated"`
	HiddenRemoved  map[string]int `json:"hidden_removed,omitempty"`
	Error          *tool.Error    `json:"error,omitempty"`
	Metadata       Metadata       `json:"metadata"`

	mode       Mode
	start, end int // the window, in characters
	limit      int
}

// Link is a link of the page's own site.
type Link struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// Metadata is how the answer came about.
type Metadata struct {
	ContentType   string    `json:"content_type"`
	ContentLength int64     `json:"content_length"` // decoded bytes
	Status        int       `json:"status"`
	FetchedAt     time.Time `json:"fetched_at"`
	Cached        bool      `json:"cached"`
	Rendered      bool      `json:"rendered"`
	Version       string    `json:"version"` // hash of what the server sent
	Tokens        int       `json:"tokens"`  // estimate for the whole content
	HiddenCheck   string    `json:"hidden_check"`
	Method        string    `json:"extraction_method,omitempty"`
	Timings       Timings   `json:"timings"`
}

// Timings are in milliseconds.
type Timings struct {
	FetchMS float64 `json:"fetch_ms"`
	ReadMS  float64 `json:"read_ms"`
}

func (a *Answer) describe(p *page.Page) {
	a.Title, a.Byline, a.Published = p.Meta.Title, p.Meta.Byline, p.Meta.Published
	a.Excerpt, a.Language, a.SiteName = p.Meta.Excerpt, p.Meta.Language, p.Meta.SiteName
	a.PageType, a.Verdict = p.Type, p.Verdict
	a.Metadata.Method = string(p.Method)
	if p.SheetsRead {
		a.Metadata.HiddenCheck = "sheet"
	}
	for _, k := range page.HiddenKinds() {
		if n := p.Count(k); n > 0 {
			if a.HiddenRemoved == nil {
				a.HiddenRemoved = map[string]int{}
			}
			a.HiddenRemoved[string(k)] = n
		}
	}
}

func (a *Answer) setContent(m Mode, s string) {
	a.mode = m
	if m == Markdown || m == JSON {
		a.Markdown = s
	} else {
		a.Content = s
	}
}

// Body is the content in whatever mode it was asked for.
func (a *Answer) Body() string {
	if a.Markdown != "" {
		return a.Markdown
	}
	return a.Content
}

// Part is Body without the notice of a cut.
func (a *Answer) Part() string { return strings.TrimSuffix(a.Body(), "\n\n"+cutNotice(a.limit)) }

// cut takes the window out of the whole content.
func (a *Answer) cut(q Request, whole string, limit int) {
	a.limit = limit
	if q.MaxTokens > 0 {
		// Four bytes a token: characters are never more than bytes.
		if n := 4 * q.MaxTokens; limit == 0 || n < limit {
			limit = n
			a.limit = n
		}
	}
	part, next, cut := markdown.Window(whole, q.StartIndex, limit)
	for q.MaxTokens > 0 && markdown.Tokens(part) > q.MaxTokens && limit > 1 {
		limit = limit * q.MaxTokens / max(markdown.Tokens(part), 1)
		part, next, cut = markdown.Window(whole, q.StartIndex, max(limit, 1))
	}
	a.start, a.end = q.StartIndex, next
	if cut {
		a.Truncated = true
		a.NextStartIndex = &next
		part += "\n\n" + cutNotice(a.limit)
	}
	a.setContent(q.Mode, part)
}

func cutNotice(limit int) string {
	return "<error>Content truncated. The output has been limited to " + strconv.Itoa(limit) + " characters</error>"
}

// ForModel is the answer as text for a model: what it is, then the content in
// a fence that no page can forge, then what to do next.
func (a *Answer) ForModel(toolName string) string {
	if a.RedirectURL != "" {
		return "The URL redirected to: " + a.RedirectURL + "\nPlease make a new " + toolName + " request with this URL."
	}
	var b strings.Builder
	b.WriteString("Contents of " + a.FinalURL + ":\n")
	var facts []string
	if t := pageText(a.Title, 120); t != "" {
		facts = append(facts, "title "+strconv.Quote(t))
	}
	facts = append(facts, "verdict "+string(a.Verdict))
	if a.NextStartIndex != nil || a.start > 0 {
		facts = append(facts, fmt.Sprintf("part tokens ~%d-%d of ~%d", a.start/4+1, a.end/4, a.Metadata.Tokens))
	} else {
		facts = append(facts, fmt.Sprintf("tokens ~%d", a.Metadata.Tokens))
	}
	if a.Metadata.Cached {
		facts = append(facts, "cached")
	}
	if a.Metadata.Rendered {
		facts = append(facts, "rendered")
	}
	if a.mode == Raw || a.mode == HTML {
		facts = append(facts, "unfiltered")
	}
	b.WriteString(strings.Join(facts, "; ") + "\n\n")
	b.WriteString(tool.Fence(a.Part()))
	if a.Truncated {
		b.WriteString("\n\n" + cutNotice(a.limit))
	}
	if a.NextStartIndex != nil {
		fmt.Fprintf(&b, "\nCall %s again with start_index=%d to read on.", toolName, *a.NextStartIndex)
	}
	return b.String()
}

// pageText makes one cleaned line of what a page says, cut to n characters.
func pageText(s string, n int) string {
	s = strings.Join(strings.Fields(s), " ")
	for i := range s {
		if n--; n < 0 {
			return s[:i] + "…"
		}
	}
	return s
}

// ownLinks are the links to the page's own site, most frequent first.
func ownLinks(p *page.Page) []Link {
	base, err := weburl.Parse(p.URL)
	if err != nil {
		return nil
	}
	var own []page.Link
	for _, l := range p.Links {
		if u, err := weburl.Parse(l.URL); err == nil && weburl.SameSite(base, u) {
			own = append(own, l)
		}
	}
	sort.SliceStable(own, func(i, j int) bool { return own[i].Count > own[j].Count })
	out := make([]Link, len(own))
	for i, l := range own {
		out[i] = Link{l.Text, l.URL}
	}
	return out
}

// linkList prints links in whole lines within the window, and reports whether
// some are left out.
func linkList(u string, links []Link, limit int) (text string, cut bool) {
	if len(links) == 0 {
		return "No links found on " + u + " - it may require JavaScript or authentication.", false
	}
	var b strings.Builder
	fmt.Fprintf(&b, "All %d links found on %s\n", len(links), u)
	chars := 0
	for _, l := range links {
		line := "\n- " + l.Text + ": " + l.URL
		chars += utf8.RuneCountInString(line)
		if limit > 0 && chars > limit {
			b.WriteString("\n\n" + cutNotice(limit))
			return b.String(), true
		}
		b.WriteString(line)
	}
	return b.String(), false
}
