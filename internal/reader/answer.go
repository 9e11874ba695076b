package reader

import (
	"fmt"
	"slices"
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
	NextStartIndex *int `json:"next_start_index,omitempty"`
	// Truncated says that the content is less than the whole: a window of it, or
	// passages that were chosen out of more.
	Truncated bool `json:"truncated"`
	// Notices say what the reader has to know about the content, one sentence or
	// two each, for example that it begins at a section.
	Notices []string `json:"notices,omitempty"`
	// AnsweredBy says who answered a prompt: "model " and the model's name, or
	// one of the constants below. It is empty where there was no prompt.
	AnsweredBy    string         `json:"answered_by,omitempty"`
	HiddenRemoved map[string]int `json:"hidden_removed,omitempty"`
	Error         *tool.Error    `json:"error,omitempty"`
	Metadata      Metadata       `json:"metadata"`

	content  content
	picture  []byte
	evidence *Evidence // where there is a prompt
	noted    []string  // the notices that do not depend on the window
	brief    brevity   // of the text for a model
}

// The values of AnsweredBy beside "model provider/name" for the configured
// model.
const (
	// AnsweredByClient: the caller's own model.
	AnsweredByClient = "client model"
	// AnsweredByPassages: no model; the content is the passages that match the
	// prompt best.
	AnsweredByPassages = "passages"
	// AnsweredByPage: no model, and no word in the prompt to look for; the
	// content is the page from its beginning.
	AnsweredByPage = "page"
)

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
	// Truncated says that the window cut Content.
	Truncated bool `json:"truncated,omitempty"`
	// Notices are about Content, or about all results; each result has those
	// about itself.
	Notices []string `json:"notices,omitempty"`
	// AnsweredBy is that of [Answer].
	AnsweredBy string `json:"answered_by,omitempty"`

	limit, tokens int      // shared by the results; 0 for none
	joint         *Answer  // to a prompt
	noted         []string // about all of them
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
	Status        int       `json:"status,omitzero"`
	FetchedAt     time.Time `json:"fetched_at,omitzero"`
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
	ReadAs   string `json:"read_as,omitempty"`
	ReadFrom string `json:"read_from,omitempty"`
	// Unfiltered says that the content is markup as the page has it (modes raw
	// and html).
	Unfiltered bool `json:"unfiltered,omitempty"`
	// Window is the part of the content that the answer has; nil where there is
	// no content.
	Window *Window `json:"window,omitempty"`
	// Since is what has changed after the version that was asked about; nil
	// where nothing was compared.
	Since   *Changes `json:"since,omitempty"`
	Timings Timings  `json:"timings"`
}

// Changes counts the blocks that differ from an earlier version.
type Changes struct {
	Version string `json:"version"`
	Added   int    `json:"added"`
	Removed int    `json:"removed"`
	Changed int    `json:"changed"`
}

// String is the counts as a person reads them.
func (c Changes) String() string {
	if c.Added+c.Removed+c.Changed == 0 {
		return "not modified"
	}
	return fmt.Sprintf("%d added, %d removed, %d changed", c.Added, c.Removed, c.Changed)
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

// OfFile is the answer of a page that was made from a file of so many bytes,
// whole; URL is that of the page, and may be empty.
func OfFile(p *page.Page, mediaType string, bytes int) *Answer {
	a := &Answer{Success: p.Verdict.Success(), URL: p.URL, FinalURL: p.URL,
		Metadata: Metadata{ContentType: mediaType, ContentLength: int64(bytes), HiddenCheck: "inline"}}
	a.describe(p)
	a.render(p, compiled{Request: Request{Mode: Markdown, Images: true, NoFragment: true}})
	a.content.mode = Markdown
	a.Metadata.Tokens = markdown.Tokens(a.content.whole)
	a.Metadata.Version = hashOf(markdown.Render(p, markdown.Options{}))
	a.cut(0, 0)
	return a
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

// limit is the most characters of the content; 0 means no limit.
func (a *Answer) limit() int {
	if a.Metadata.Window == nil {
		return 0
	}
	return a.Metadata.Window.Limit
}

// Body is the content in whatever mode it was asked for.
func (a *Answer) Body() string {
	if a.Markdown != "" {
		return a.Markdown
	}
	return a.Content
}

// Part is Body without the notice of a cut.
func (a *Answer) Part() string { return strings.TrimSuffix(a.Body(), "\n\n"+cutNotice(a.limit())) }

// cut takes a window of at most limit characters and tokens out of the whole
// content, or passages of that size; 0 means no limit. It may be called again
// with other limits.
func (a *Answer) cut(limit, tokens int) {
	c := &a.content
	if c.passages != nil {
		c.chosen = c.passages.Choose(limit, tokens)
		a.Truncated = c.chosen.Gaps
		a.setContent(c.chosen.Text)
		a.Metadata.Window = &Window{Length: utf8.RuneCountInString(c.whole), Limit: limit, FirstToken: 1,
			LastToken: markdown.Tokens(c.chosen.Text), Passages: c.chosen.Count}
	} else {
		part, next, cut, limit := fit(c.window, limit, tokens)
		a.Truncated, a.NextStartIndex = cut, nil
		a.Metadata.Window = c.windowOf(min(c.start, next), next, limit)
		if cut {
			if c.mode != promptMode { // a model would have to answer again
				a.NextStartIndex = &next
			}
			part += "\n\n" + cutNotice(limit)
		}
		a.setContent(part)
	}
	a.Notices = append(slices.Clone(a.noted), c.notices()...)
}

// cut shares a budget in characters between the answers, and that in tokens in
// the same way.
func (all *Answers) cut(limit int) {
	all.Notices = slices.Clone(all.noted)
	if all.joint != nil {
		all.joint.cut(limit, all.tokens)
		all.Content, all.Truncated = all.joint.Content, all.joint.Truncated
		all.Notices = append(slices.Clone(all.joint.Notices), all.noted...)
	}
	chars := make([]int, len(all.Results))
	tokens := make([]int, len(all.Results))
	for i, a := range all.Results {
		chars[i], tokens[i] = utf8.RuneCountInString(a.content.whole), a.Metadata.Tokens
	}
	chars, tokens = shares(chars, limit), shares(tokens, all.tokens)
	for i, a := range all.Results {
		if a.Error != nil || a.RedirectURL != "" || a.content.mode == promptMode { // a prompt is answered in joint
			a.Notices = a.noted
			continue
		}
		a.cut(chars[i], tokens[i])
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
