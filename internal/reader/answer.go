package reader

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
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
	// Quotes are the quotations in the answer to a prompt.
	Quotes []Quote `json:"quotes,omitempty"`
	// NextStartIndex is where the next window begins; nil at the end.
	NextStartIndex *int           `json:"next_start_index,omitempty"`
	Truncated      bool           `json:"truncated"`
	HiddenRemoved  map[string]int `json:"hidden_removed,omitempty"`
	Error          *tool.Error    `json:"error,omitempty"`
	Metadata       Metadata       `json:"metadata"`

	content    content
	picture    []byte
	evidence   *Evidence // where there is a prompt
	since      string    // what has changed, as a fact
	notices    []string  // beside the content: what the reader has to know
	start, end int       // the window, in characters
	limit      int       // … and what it was limited to
}

// mostPicture is the largest picture that is handed on: what the largest hosts
// of models take, 5 MB in base64.
const mostPicture = 5 << 20 / 4 * 3

// Picture returns the file where the address is a picture that models can see,
// whole and not too large; nil otherwise.
func (a *Answer) Picture() (mediaType string, data []byte) {
	return a.Metadata.ContentType, a.picture
}

// Answers are what a call with several addresses comes to.
type Answers struct {
	Results []*Answer `json:"results"`
	// Content answers a prompt, once over all results; Quotes are its
	// quotations, Error says why there is none.
	Content string      `json:"content,omitempty"`
	Quotes  []Quote     `json:"quotes,omitempty"`
	Error   *tool.Error `json:"error,omitempty"`

	limit, tokens int      // shared by the results; 0 for none
	joint         *Answer  // to a prompt
	notices       []string // about all of them
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
	// RenderNote is how it was decided about the browser, and why.
	RenderNote  string `json:"render_note,omitempty"`
	Version     string `json:"version"` // hash of the content
	Tokens      int    `json:"tokens"`  // estimate for the whole content
	HiddenCheck string `json:"hidden_check"`
	Method      string `json:"extraction_method,omitempty"`
	// ReadAs and ReadFrom say in what form of its site's the page was read, and
	// from where, as "raw file"; both are empty where it was the page itself.
	ReadAs   string  `json:"read_as,omitempty"`
	ReadFrom string  `json:"read_from,omitempty"`
	Timings  Timings `json:"timings"`
}

// Timings are in milliseconds.
type Timings struct {
	FetchMS float64 `json:"fetch_ms"`
	ReadMS  float64 `json:"read_ms"`
}

// ReadAs says what was read in place of the page; "" where it was the page.
func (a *Answer) ReadAs() string {
	u, err := weburl.Parse(a.Metadata.ReadFrom)
	if a.Metadata.ReadAs == "" || err != nil {
		return ""
	}
	return a.Metadata.ReadAs + " from " + u.Host()
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

// setContent puts the content where its mode has it.
func (a *Answer) setContent(s string) {
	a.Markdown, a.Content = "", s
	if m := a.content.mode; m == Markdown || m == JSON {
		a.Markdown, a.Content = s, ""
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

// Notices say what the answers do not, as that nobody has answered a prompt.
func (all *Answers) Notices() []string {
	if all.joint != nil {
		return append(all.joint.Notices(), all.notices...)
	}
	return all.notices
}

// Notices say what the content does not, as that it begins at a section.
func (a *Answer) Notices() []string {
	p := a.content.passages
	switch {
	case p == nil:
		return a.notices
	case !p.matched:
		return append(slices.Clip(a.notices), "No word of the query is on the page; this is its beginning.")
	case a.content.chosen.Gaps:
		return append(slices.Clip(a.notices), gap+" marks what was left out; without query the page is read from the top.")
	}
	return a.notices
}

// cut takes a window of at most limit characters and tokens out of the whole
// content, or passages of that size; 0 means no limit. It may be called again with other limits.
func (a *Answer) cut(limit, tokens int) {
	c := &a.content
	if c.passages != nil {
		c.chosen = c.passages.Choose(limit, tokens)
		a.limit = limit
		a.setContent(c.chosen.Text)
		return
	}
	part, next, cut, limit := fit(c.window, limit, tokens)
	a.start, a.end, a.limit = min(c.start, next), next, limit
	a.Truncated, a.NextStartIndex = cut, nil
	if cut {
		if c.mode != promptMode { // a model would have to answer anew
			a.NextStartIndex = &next
		}
		part += "\n\n" + cutNotice(limit)
	}
	a.setContent(part)
}

// fit makes windows smaller until one has no more than so many tokens, and says
// what it was limited to; 0 tokens are no limit.
func fit(window func(limit int) (string, int, bool), limit, tokens int) (part string, next int, cut bool, limited int) {
	if tokens > 0 && (limit == 0 || 4*tokens < limit) {
		limit = 4 * tokens // characters are never more than bytes
	}
	part, next, cut = window(limit)
	for tokens > 0 && limit > 1 && markdown.Tokens(part) > tokens {
		limit = max(limit*tokens/markdown.Tokens(part), 1)
		part, next, cut = window(limit)
	}
	return part, next, cut, limit
}

// window is markdown.Window, that ends at the end of a line where the content
// is a list of lines.
func (c *content) window(limit int) (part string, next int, cut bool) {
	if limit > 0 && c.start < c.head {
		limit += c.head - c.start
	}
	part, next, cut = markdown.Window(c.whole, c.start, limit)
	if !cut || !c.lines {
		return part, next, cut
	}
	if i := strings.LastIndexByte(part, '\n'); i > 0 {
		next -= utf8.RuneCountInString(part[i:])
		part = part[:i]
	}
	return part, next, true
}

// cut shares a budget in characters between the answers, and that in tokens in
// the same way.
func (all *Answers) cut(limit int) {
	if all.joint != nil {
		all.joint.cut(limit, all.tokens)
		all.Content = all.joint.Content
	}
	chars := make([]int, len(all.Results))
	tokens := make([]int, len(all.Results))
	for i, a := range all.Results {
		chars[i], tokens[i] = utf8.RuneCountInString(a.content.whole), a.Metadata.Tokens
	}
	chars, tokens = shares(chars, limit), shares(tokens, all.tokens)
	for i, a := range all.Results {
		if a.Error == nil && a.RedirectURL == "" {
			a.cut(chars[i], tokens[i])
		}
	}
}

// shares divides a budget: each gets what it needs or an equal part of what
// those that need less have left, and at least 1. A budget of 0 is none.
func shares(needs []int, budget int) []int {
	out := make([]int, len(needs))
	if budget <= 0 {
		return out
	}
	order := make([]int, len(needs))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return needs[a] - needs[b] })
	for i, k := range order {
		out[k] = max(1, min(needs[k], budget/(len(order)-i)))
		budget -= min(out[k], budget)
	}
	return out
}

func cutNotice(limit int) string {
	return "<error>Content truncated. The output has been limited to " + strconv.Itoa(limit) + " characters</error>"
}
