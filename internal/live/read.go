package live

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// The view Read: a page as Spyhop reads it, and why.

// readForm is what a person asks for.
type readForm struct {
	URL, Query, Prompt, Section, Render, Schema string
	Show                                        string // one of shows
	Start                                       int
	Fresh                                       bool
	Shows                                       []show
	Recent                                      []tool.Version
	More                                        bool // the further fields are in use
}

// show is a way to look at a page.
type show struct{ ID, Name string }

func readFormOf(q url.Values) readForm {
	f := readForm{URL: strings.TrimSpace(q.Get("url")), Query: q.Get("query"), Prompt: q.Get("prompt"), Section: q.Get("section"), Render: q.Get("render"),
		Schema: strings.TrimSpace(q.Get("schema")), Show: q.Get("show"), Fresh: q.Get("fresh") != ""}
	f.Start, _ = strconv.Atoi(q.Get("start"))
	f.Start = max(f.Start, 0)
	f.More = f.Query != "" || f.Prompt != "" || f.Render != "" || f.Schema != "" || f.Fresh
	return f
}

// With is the address of the view with another way to look at the page, for the
// template.
func (f readForm) With(show string) string {
	q := url.Values{"url": {f.URL}}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("query", f.Query)
	set("prompt", f.Prompt)
	set("section", f.Section)
	set("render", f.Render)
	set("schema", f.Schema)
	set("show", show)
	return "/?" + q.Encode()
}

// At is the address of another part of the page.
func (f readForm) At(start int) string { return f.With(f.Show) + "&start=" + strconv.Itoa(start) }

// In is the address of one section.
func (f readForm) In(section string) string {
	f.Section, f.Query, f.Prompt, f.Schema = section, "", "", ""
	return f.With("")
}

func (h *Handler) read(w http.ResponseWriter, r *http.Request) {
	f := readFormOf(query(r))
	for _, s := range []show{{"", "Content"}, {"source", "Source"}, {"blocks", "Blocks"}, {"outline", "Outline"}, {"links", "Links"}, {"screenshot", "Screenshot"}, {"details", "Details"}} {
		if (s.ID != "blocks" || h.o.Explain != nil) && (s.ID != "screenshot" || h.serves("take_web_screenshot") && h.o.File != nil) {
			f.Shows = append(f.Shows, s)
		}
	}
	if !slices.ContainsFunc(f.Shows, func(s show) bool { return s.ID == f.Show }) {
		f.Show = ""
	}
	p := h.layout(r, "Read", "/")
	if f.URL == "" {
		if h.o.Versions != nil {
			f.Recent = h.o.Versions.Recent(r.Context(), 8)
		}
		h.write(w, r, http.StatusOK, p, "read-empty", f)
		return
	}
	h.writeLater(w, r, p, "read-form", f, "Reading "+text.URL(f.URL), func(ctx context.Context) part { return h.readPart(ctx, f, "http://"+r.Host) })
}

// readResult is what the view shows of a page.
type readResult struct {
	Form    readForm
	Page    *result.Fetch
	Facts   []fact
	Hidden  []hidden
	Check   string
	Content content
	Source  string
	Cut     *cut
	Blocks  []block
	Kept    int
	Dropped int
	More    int // blocks that are not shown
	Copies  []snippet
	Note    string
	Picture string // the path of a screenshot, of Width and Height pixels
	Width   int
	Height  int
}

// fact is a figure with its name.
type fact struct{ Name, Value, Kind string }

// hidden is a way to hide text, and how often the page uses it.
type hidden struct {
	Kind, Meaning string
	Count         int
}

// cut says which part of the content is shown.
type cut struct {
	From, To, Length int
	Next             int // 0: none
	Before           int // -1: none
}

// snippet is a call in some language.
type snippet struct{ ID, Name, Text string }

func (h *Handler) readPart(ctx context.Context, f readForm, origin string) part {
	out := readResult{Form: f}
	if f.Show == "blocks" {
		x, err := h.o.Explain(ctx, f.URL)
		if err != nil {
			return failed(err)
		}
		out.explain(x)
		out.Copies = copies(f, origin, h.o.NeedsToken())
		return part{"read-result", out, 0}
	}
	if f.Show == "screenshot" {
		return h.picture(ctx, out, origin)
	}
	args := map[string]any{"url": f.URL, "query": f.Query, "prompt": f.Prompt, "section": f.Section, "render": f.Render, "fresh": f.Fresh, "start_index": f.Start, "images": true}
	if f.Schema != "" {
		if !json.Valid([]byte(f.Schema)) {
			return failed(tool.NewError(tool.InvalidInput, "the schema is not JSON", "paste a JSON Schema; an x-selector in each value needs no model"))
		}
		args["schema"] = json.RawMessage(f.Schema)
	}
	switch f.Show {
	case "outline", "links":
		args = map[string]any{"url": f.URL, "render": f.Render, "mode": f.Show}
	}
	page, err := called[result.Fetch](ctx, h, "web_fetch", args)
	if err != nil {
		return failed(err)
	}
	if page.RedirectURL != "" {
		f.URL = page.RedirectURL
		return part{"read-moved", struct {
			From, To, Read string
		}{page.URL, page.RedirectURL, f.With(f.Show)}, 0}
	}
	out.Page, out.Facts, out.Copies = page, factsOf(page), copies(f, origin, h.o.NeedsToken())
	out.Hidden, out.Check = hiddenOf(page.HiddenRemoved), checkWords(page.Metadata.HiddenCheck)
	body := page.Body()
	if win := page.Metadata.Window; win != nil && page.Truncated {
		body, out.Cut = strings.TrimSpace(strings.TrimSuffix(body, "\n\n"+win.GoesOn())), cutOf(page)
	}
	switch f.Show {
	case "source":
		out.Source = body
	case "":
		out.Content = contentOf(ctx, body, page.FinalURL, page.Title)
	}
	return part{"read-result", out, 0}
}

// cutOf says which part of a page with a window is shown.
func cutOf(page *result.Fetch) *cut {
	win := page.Metadata.Window
	c := &cut{From: win.Start, To: win.End, Length: win.Length, Before: -1}
	if page.NextStartIndex != nil {
		c.Next = *page.NextStartIndex
	}
	if win.Start > 0 && win.Limit > 0 {
		c.Before = max(0, win.Start-win.Limit)
	}
	return c
}

// picture takes a screenshot of the page.
func (h *Handler) picture(ctx context.Context, out readResult, origin string) part {
	f := out.Form
	got, err := h.call(ctx, "take_web_screenshot", map[string]any{"url": f.URL, "full_page": true})
	if err != nil {
		return failed(err)
	}
	shot, ok := got.Data.(result.Screenshot)
	if !ok || got.File == "" {
		return failed(tool.NewError(tool.Internal, "take_web_screenshot answered with something else than a picture", ""))
	}
	out.Picture, out.Width, out.Height = h.o.File(got.File), shot.Width, shot.Height
	out.Page = &result.Fetch{Success: true, URL: f.URL, FinalURL: cmp.Or(shot.URL, f.URL), Title: shot.Title}
	out.Facts = []fact{{"size", strconv.Itoa(shot.Width) + " × " + strconv.Itoa(shot.Height), ""}}
	out.Copies = copies(f, origin, h.o.NeedsToken())
	return part{"read-result", out, 0}
}

// explain fills the view of blocks.
func (out *readResult) explain(x *result.Explanation) {
	out.Page = &result.Fetch{Success: true, URL: out.Form.URL, FinalURL: x.URL, Title: x.Title, PageType: x.PageType, Verdict: x.Verdict}
	out.Hidden = hiddenOf(x.HiddenRemoved)
	for i, b := range x.Blocks {
		if b.Kept {
			out.Kept++
		} else {
			out.Dropped++
		}
		if i >= maxBlocks {
			out.More++
			continue
		}
		out.Blocks = append(out.Blocks, blockOf(b))
	}
	out.Facts = []fact{{"type", string(x.PageType), ""}, {"verdict", string(x.Verdict), verdictKind(x.Verdict)}, {"kept", strconv.Itoa(out.Kept) + " of " + strconv.Itoa(out.Kept+out.Dropped) + " blocks", ""}}
	out.Note = "These are the blocks of the page as the server sends it, before any script runs. The colour is the score: the probability that the block is main content."
	if len(x.Blocks) == 0 {
		out.Note = "No blocks were judged on this page: the content was taken as a whole."
	}
}

// maxBlocks bounds the blocks of a page that are shown, maxBlockText their characters.
const (
	maxBlocks    = 1500
	maxBlockText = 1200
)

// block is a block of a page with its colour.
type block struct {
	Text, Path string
	Words      int
	Percent    int
	Kept       bool
	Unit, Why  string
	Reasons    []reason
}

// reason is why a score is what it is. Width is that of its bar, at most 50.
type reason struct {
	Words string
	Plus  bool
	Width int
}

func blockOf(b result.Judgement) block {
	out := block{Text: text.Cut(b.Text, maxBlockText), Path: b.Path, Words: b.Words, Percent: int(math.Round(b.Score * 100)), Kept: b.Kept, Unit: b.Unit, Why: b.Why}
	for _, r := range b.Reasons {
		out.Reasons = append(out.Reasons, reason{r.Words, r.Effect > 0, int(math.Round(min(math.Abs(r.Effect)/3, 1) * 50))})
	}
	return out
}

// Minus is where a bar to the left begins, for the template.
func (r reason) Minus() int { return -r.Width }

// Step is the colour of a block, from 0 to 10.
func (b block) Step() int { return min(max((b.Percent+5)/10, 0), 10) }

// factsOf are what is known of a page, in the order in which people ask.
func factsOf(p *result.Fetch) []fact {
	m := p.Metadata
	all := []fact{
		{"type", string(p.PageType), ""}, {"verdict", string(p.Verdict), verdictKind(p.Verdict)},
		{"tokens", text.Grouped(m.Tokens), ""}, {"returned", returned(m), ""}, {"by", p.Byline, ""}, {"published", p.Published, ""}, {"language", p.Language, ""}, {"site", p.SiteName, ""},
		{"size", bytesWords(m.ContentLength), ""}, {"time", fmt.Sprintf("%.0f ms", m.Timings.FetchMS+m.Timings.ReadMS), ""},
	}
	if m.Cached {
		all = append(all, fact{"from", "cache", ""})
	}
	if m.Rendered {
		all = append(all, fact{"rendered", "in a browser", ""})
	}
	if p.AnsweredBy != "" {
		all = append(all, fact{"answered by", p.AnsweredBy, ""})
	}
	return slices.DeleteFunc(all, func(f fact) bool { return f.Value == "" })
}

// returned is how much of a page is shown, in tokens; "" where all of it is.
func returned(m result.Metadata) string {
	if m.Window == nil {
		return ""
	}
	n := max(m.Window.LastToken-m.Window.FirstToken+1, 0)
	if n >= m.Tokens {
		return ""
	}
	return text.Grouped(n) + " tokens"
}

func verdictKind(v result.Verdict) string {
	switch v {
	case result.VerdictComplete:
		return "good"
	case result.VerdictPartial, result.VerdictThin:
		return "warn"
	}
	return "bad"
}

// hiddenOf explains what was hidden.
func hiddenOf(counts map[string]int) (out []hidden) {
	for kind, n := range counts {
		if n <= 0 || kind == "comments" { // markup that no browser shows to anybody
			continue
		}
		of, ok := hiddenWords()[kind]
		switch {
		case !ok:
			of.many = strings.ReplaceAll(kind, "_", " ")
		case n == 1:
			of.many = of.one
		}
		out = append(out, hidden{kind, of.many, n})
	}
	slices.SortStableFunc(out, func(a, b hidden) int { return cmp.Or(b.Count-a.Count, strings.Compare(a.Kind, b.Kind)) })
	return out
}

// hiddenWords are the kinds of hidden things as a person calls one and several of them.
func hiddenWords() map[string]struct{ one, many string } {
	return map[string]struct{ one, many string }{
		"display":    {"element that is not displayed", "elements that are not displayed"},
		"visibility": {"element that is invisible", "elements that are invisible"},
		"opacity":    {"transparent element", "transparent elements"},
		"zero_size":  {"element or text without size", "elements or texts without size"},
		"off_screen": {"element outside of the screen", "elements outside of the screen"},
		"same_color": {"text in the colour of its background", "texts in the colour of their background"},
		"clip":       {"element that is clipped away", "elements that are clipped away"},
		"invisible":  {"invisible character", "invisible characters"},
	}
}

func checkWords(check string) string {
	switch check {
	case "inline":
		return "The check covers attributes and style attributes, but not style sheets."
	case "sheet":
		return "The check covers attributes, style attributes and the style sheets inside the page."
	case "rendered":
		return "A browser rendered the page: what the browser does not show is removed."
	}
	return ""
}

// copies are the call of this view for other surfaces.
func copies(f readForm, origin string, token bool) []snippet {
	type pair struct{ name, field, value string }
	var given []pair
	for _, p := range []pair{{"url", "URL", f.URL}, {"query", "Query", f.Query}, {"prompt", "Prompt", f.Prompt}, {"section", "Sections", f.Section}, {"render", "Render", f.Render}} {
		if p.value != "" {
			given = append(given, p)
		}
	}
	var members, fields []string
	for _, p := range given {
		members = append(members, jsonText(p.name)+":"+jsonText(p.value))
		value := strconv.Quote(p.value)
		if p.field == "Sections" {
			value = "[]string{" + value + "}"
		}
		fields = append(fields, p.field+": "+value)
	}
	args := "{" + strings.Join(members, ",") + "}"
	header := ""
	if token {
		header = " \\\n  -H 'Authorization: Bearer TOKEN'"
	}
	return []snippet{
		{"copy-curl", "curl", "curl " + origin + "/v1/tools/web_fetch" + header + " \\\n  -d '" + strings.ReplaceAll(args, "'", `'\''`) + "'"},
		{"copy-mcp", "MCP", `{"method":"tools/call","params":{"name":"web_fetch","arguments":` + args + "}}"},
		{"copy-go", "Go", "page, err := client.Fetch(ctx, spyhop.FetchRequest{\n\t" + strings.Join(fields, ",\n\t") + ",\n})"},
	}
}
