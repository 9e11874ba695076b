package reader

import (
	"math"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
)

// Answer is what a read comes to: the result, and what makes its windows and its
// text for a model. Its JSON form is that of the result, the one object that the
// library, the REST API and --json give.
type Answer struct {
	result.Fetch

	memory   *memory // of its Reader; nil: none
	content  content
	stored   string // the Markdown of the version, where the page went before the answer was made
	picture  []byte
	evidence *passage.Stored // where there is a prompt
	before   string          // the version that was compared with, where it differs
	noted    []string        // the notices that do not depend on the window
	more     []string        // further facts for a model
	brief    bool            // the text for a model has fewer facts
	fetched  bool            // the page can be asked for again
	renders  bool            // … in a browser too
	scrolled bool            // the page was scrolled as the caller asked
	argued   bool            // the caller has the arguments of web_fetch, such as whole
	bounded  bool            // the caller has set the length of the window
	vain     bool            // rendering the page in a browser added nothing
}

// mostPicture is the largest picture that is handed on: what the largest hosts
// of models take, 5 MB in base64.
const mostPicture = 5 << 20 / 4 * 3

// Picture returns the file where the address is a picture that models can see,
// whole and not too large; nil otherwise.
func (a *Answer) Picture() (mediaType string, data []byte) {
	return a.Metadata.ContentType, a.picture
}

// Answers are what a call with several addresses comes to. The results are those
// of the answers.
type Answers struct {
	result.FetchAll

	answers       []*Answer
	limit, tokens int      // shared by the results; 0 for none
	joint         *Answer  // to a prompt
	noted         []string // about all of them
}

func (a *Answer) describe(p *page.Page) {
	a.Title, a.Byline, a.Published = p.Meta.Title, p.Meta.Byline, p.Meta.Published
	a.Excerpt, a.Language, a.SiteName = p.Meta.Excerpt, p.Meta.Language, p.Meta.SiteName
	a.PageType, a.Verdict, a.Facts = p.Type, p.Verdict, p.Facts
	a.Omitted = p.OmittedText
	a.Metadata.Method = string(p.Method)
	if p.SheetsRead {
		a.Metadata.HiddenCheck = "sheet"
	}
	if p.Judged {
		a.Metadata.HiddenCheck = "rendered"
	}
	a.HiddenRemoved = hiddenIn(p)
}

// hiddenIn counts what a page hides, by kind; nil for nothing.
func hiddenIn(p *page.Page) (out map[string]int) {
	for _, k := range page.HiddenKinds() {
		if n := p.Omitted(k); n > 0 {
			if out == nil {
				out = map[string]int{}
			}
			out[string(k)] = n
		}
	}
	return out
}

// setContent puts the content where its mode has it.
func (a *Answer) setContent(s string) {
	if len(s) < len(a.content.whole)/2 {
		s = strings.Clone(s) // a client that reads slowly would keep the whole content in memory
	}
	a.Markdown, a.Content = "", s
	if m := a.content.mode; (m == Markdown || m == JSON) && !a.content.prompted {
		a.Markdown, a.Content = s, ""
	}
}

// Version is the Markdown that the version of the page holds, where the answer has it.
func (a *Answer) Version() (md string, ok bool) {
	if !a.content.canonical {
		return "", false
	}
	return a.content.whole, true
}

// limit is the most characters of the content; 0 means no limit.
func (a *Answer) limit() int {
	if a.Metadata.Window == nil {
		return 0
	}
	return a.Metadata.Window.Limit
}

// Part is Body without the notice of a cut.
func (a *Answer) Part() string { return strings.TrimSuffix(a.Body(), a.cutNotice()) }

// cut takes a window of at most limit characters and tokens out of the whole
// content, or passages of that size; 0 means no limit. It may be called again
// with other limits.
func (a *Answer) cut(limit, tokens int) {
	c := &a.content
	if c.passages != nil {
		c.chosen = c.passages.Choose(limit, tokens)
		a.Truncated = c.chosen.Gaps
		a.setContent(c.chosen.Text)
		a.Metadata.Window = &result.Window{Length: c.size().chars, Limit: limit, FirstToken: 1,
			LastToken: text.Tokens(c.chosen.Text), Passages: c.chosen.Count}
	} else {
		part, next, cut, limit := markdown.Fit(c.window, limit, tokens)
		a.Truncated, a.NextStartIndex = cut, nil
		a.Metadata.Window = c.windowOf(min(c.start, next), next, limit)
		if cut {
			if c.mode != promptMode { // a model would have to answer again
				a.NextStartIndex = &next
			}
			part += a.cutNotice()
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
	chars := make([]int, len(all.answers))
	tokens := make([]int, len(all.answers))
	for i, a := range all.answers {
		chars[i], tokens[i] = a.content.size().chars, a.Metadata.Tokens
	}
	chars, tokens = passage.Shares(chars, limit), passage.Shares(tokens, all.tokens)
	for i, a := range all.answers {
		if a.Error != nil || a.RedirectURL != "" || a.content.mode == promptMode { // a prompt is answered in joint
			a.Notices = a.noted
			continue
		}
		a.cut(max(chars[i], min(limit, 1)), max(tokens[i], min(all.tokens, 1))) // a share of 0 is no limit to cut
	}
}

// Explained says how the content of a page was chosen.
func Explained(p *page.Page, blocks []extract.Judgement) *result.Explanation {
	x := &result.Explanation{URL: p.URL, Title: p.Meta.Title, PageType: p.Type, Verdict: p.Verdict, VerdictReason: VerdictReason(p), Method: string(p.Method), HiddenRemoved: hiddenIn(p), Blocks: make([]result.Judgement, len(blocks))}
	for i, b := range blocks {
		j := result.Judgement{Text: b.Text, Path: b.Path, Words: b.Words, Score: b.Score, Kept: b.Kept, Unit: b.Unit, Why: b.Why}
		for _, r := range b.Reasons {
			reason := result.Reason{Feature: r.Feature, Words: r.Words, Effect: r.Effect}
			if !math.IsNaN(r.Value) {
				reason.Value = &r.Value
			}
			j.Reasons = append(j.Reasons, reason)
		}
		x.Blocks[i] = j
	}
	return x
}
