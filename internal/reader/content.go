package reader

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// content is what an answer is cut from.
type content struct {
	mode  Mode
	whole string
	sized measured // of whole; see size
	start int      // of the window, in characters
	lines bool     // the window has whole lines …
	head  int      // … of which the first one, of so many bytes, is a heading
	// sections are those that begin in whole. places are their indexes in the
	// outline of the page, which has count of them; nil where all are there.
	sections []markdown.Section
	places   []int
	count    int
	// canonical says that whole is what a version of the page holds.
	canonical bool
	// passages stand in place of a window where there is a query. asked is the
	// argument that they answer.
	passages *passage.Passages
	chosen   passage.Chosen
	asked    string
	sought   bool // it says whether a text is there
	prompted bool // it stands in for the answer to a prompt, and is given where that is
}

// size measures the whole content, once.
func (c *content) size() measured {
	if c.sized.text != c.whole {
		c.sized = measure(c.whole)
	}
	return c.sized
}

// notices are those that depend on the window.
func (c *content) notices() (out []string) {
	if c.passages == nil {
		if n := c.size().chars; c.start > n {
			out = append(out, fmt.Sprintf("start_index %d is beyond the end: the content has %s.", c.start, text.Count(n, "character")))
		}
		return out
	}
	if c.start > 0 {
		out = append(out, fmt.Sprintf("start_index %d was not used: with %s the passages are chosen from the whole page.", c.start, c.asked))
	}
	if c.chosen.Gaps {
		out = append(out, passage.Gap+" marks what was left out; without "+c.asked+" the page is read from the top.")
	}
	return out
}

// fill makes the content of the answer, whole.
func (a *Answer) fill(ctx context.Context, s *loaded, q compiled) error {
	p, res := s.page, s.res
	a.Success, a.bounded = true, q.MaxLength != 0
	links := q.Mode == Links
	a.weigh(p, links, links || q.asksData() || q.MustContain != "" || q.terms != nil)
	if res.Truncated && a.Verdict == page.Complete { // as it came: raw has no page
		a.Verdict = page.Partial
	}
	a.noteDocument(p)
	c := &a.content
	c.mode, c.start = q.Mode, q.StartIndex
	if len(q.Sections) > 0 {
		var err error
		if p, err = a.choose(p, q.Sections); err != nil {
			return err
		}
	}
	if q.JQ != "" {
		return a.jq(ctx, s, p, q)
	}
	if q.fields != nil {
		if err := a.filled(ctx, q, s); err != nil {
			return err
		}
		a.Metadata.Tokens = c.size().tokens
		return nil
	}
	if q.MustContain != "" {
		c.sought, c.whole = true, search(ctx, s, p, q)
		a.Metadata.Tokens = c.size().tokens
		return nil
	}
	if q.terms != nil {
		return a.read(ctx, s, p, q)
	}
	err := a.fillMode(ctx, s, p, q)
	a.Metadata.Tokens = c.size().tokens
	a.Metadata.Unfiltered = q.Mode == Raw || q.Mode == HTML
	return err
}

// noteDocument notes what is to be known of the document as a whole.
func (a *Answer) noteDocument(p *page.Page) {
	if p.Omitted(page.RelativeLinks) > 0 {
		a.noted = append(a.noted, "Links are relative, because the URL of the document is not known.")
	}
	if n := p.Omitted(page.OmittedPages); n > 0 {
		a.noted = append(a.noted, "Without text, empty or a picture: "+text.Count(n, "page")+" of the document.")
	}
	if p.Recognized > 0 {
		a.noted = append(a.noted, "The text of "+text.Count(p.Recognized, "picture")+" was recognized (OCR), and may have errors.")
	}
	if p.Unrecognized != "" {
		a.noted = append(a.noted, "The text of pictures was not recognized: "+text.Quoted(p.Unrecognized)+".")
	}
}

// fillMode makes the content of a mode.
func (a *Answer) fillMode(ctx context.Context, s *loaded, p *page.Page, q compiled) (err error) {
	c, res := &a.content, s.res
	switch q.Mode {
	case Raw:
		if res.Charset == "" && len(res.Body) > 0 {
			return &extract.Error{Code: extract.Unsupported, MediaType: res.MediaType}
		}
		c.whole = text.WithoutControls(string(res.Body))
		if res.Judged {
			c.whole = text.WithoutOwnMarks(c.whole)
		}
	case Text:
		c.whole = markdown.PlainText(p)
	case Links:
		a.listLinks(p)
		if len(a.Links) == 0 && !p.Verdict.Success() {
			err = &extract.Error{Code: extract.NoContent, Verdict: p.Verdict}
		}
	case Outline:
		a.Outline = markdown.OutlineOf(p, markdown.Options{Images: q.Images})
		c.whole, c.lines = markdown.OutlineText(a.Outline), true
		c.whole = cmp.Or(c.whole, noHeadings)
	case Data:
		err = a.data(ctx, s, p, q)
	case CSV:
		err = a.csv(ctx, s, p, q)
	case HTML:
		md := markdown.Render(p, markdown.Options{Images: true, Titles: q.Titles})
		a.release(s)
		c.whole, err = extract.ToHTML(md)
	default:
		a.render(p, q)
		a.keepPicture(res)
	}
	return err
}

// keepPicture keeps a picture that models can see.
func (a *Answer) keepPicture(res *fetch.Response) {
	seen := []string{"image/png", "image/jpeg", "image/gif", "image/webp"}
	if slices.Contains(seen, res.MediaType) && !res.Truncated && len(res.Body) <= mostPicture {
		a.picture = res.Body
	}
}

// render makes Markdown, and begins it at the section that the address names.
func (a *Answer) render(p *page.Page, q compiled) {
	c := &a.content
	made := a.memory.markdown(p, q.markdown())
	c.whole, c.sized, c.sections = made.text, made.measured, made.sections
	if p.Method == page.MethodTokens {
		c.whole = "<error>Extraction to markdown failed; returning raw content</error>\n\n" + c.whole
	}
	if c.places == nil {
		c.count = len(c.sections)
		c.canonical = q.markdown() == markdown.Options{} && q.excluded == "" && p.Method != page.MethodTokens
	}
	if len(q.Sections) > 0 || q.Selector != "" || q.NoFragment || q.StartIndex > 0 {
		return
	}
	_, fragment, _ := strings.Cut(p.URL, "#")
	anchor, text, _ := strings.Cut(fragment, ":~:text=")
	at := textStart(c.whole, text)
	if at == 0 {
		at = anchorStart(p, c, anchor, markdown.Options{Images: q.Images})
	}
	if at > 0 {
		c.start = at
		a.noted = append(a.noted, "This begins where the fragment of the URL leads; without the fragment, the page is read from the top.")
	}
}

// anchorStart is the character at which the section that an anchor names
// begins, or the block that bears it, or 0.
func anchorStart(p *page.Page, c *content, anchor string, o markdown.Options) int {
	if plain, err := url.PathUnescape(anchor); err == nil {
		anchor = plain
	}
	if parts, _ := markdown.Parts(p, []string{anchor}); len(parts) > 0 && parts[0].Section < len(c.sections) {
		return c.sections[parts[0].Section].Start
	}
	i := slices.IndexFunc(p.Blocks, func(b page.Block) bool { return anchor != "" && b.ID == anchor })
	if i <= 0 {
		return 0
	}
	before := *p
	before.Blocks = p.Blocks[:i]
	head := strings.TrimRight(markdown.Render(&before, o), "\n")
	if !strings.HasPrefix(c.whole, head) {
		return 0
	}
	rest := c.whole[len(head):]
	return utf8.RuneCountInString(c.whole[:len(c.whole)-len(strings.TrimLeft(rest, "\n"))])
}

// textStart is the character at which the line with the text of a directive
// begins ([prefix-,]start[,end][,-suffix]; WICG, URL Fragment Text Directives),
// or 0.
func textStart(md, directive string) int {
	directive, _, _ = strings.Cut(directive, "&")
	parts := strings.Split(directive, ",")
	if len(parts) > 1 && strings.HasSuffix(parts[0], "-") {
		parts = parts[1:] // the prefix
	}
	text, err := url.PathUnescape(parts[0])
	if err != nil || text == "" {
		return 0
	}
	for from := range passage.Seek(text).In(md) {
		return utf8.RuneCountInString(md[:strings.LastIndexByte(md[:from], '\n')+1])
	}
	return 0
}

// release lets go of a page of which another form is made next, so that both are not in
// memory at a time. What is stored of it is made before.
func (a *Answer) release(s *loaded) {
	if s.wanted || len(s.res.Body) <= maxKeptBytes {
		return
	}
	a.stored = a.memory.markdown(s.page, markdown.Options{}).text
	s.page = nil
}

// read makes passages. What extraction has left out is read too, where nothing
// but the query limits the page.
func (a *Answer) read(ctx context.Context, s *loaded, p *page.Page, q compiled) error {
	more, kind := len(q.Sections) == 0 && q.Selector == "" && hasMore(p), p.Type
	main, whole := passage.Render(p), ""
	a.release(s) // p is not used from here on
	if more {
		o := s.again(ctx)
		o.Whole = true
		if p, err := extract.Document(s.res.Body, s.res.MediaType, o); err == nil {
			whole = passage.Render(p)
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	passages := passage.New(whole, main, kind, q.terms)
	if q.brief {
		passages.Brief()
	}
	if q.embed != nil {
		if err := passages.ByMeaning(ctx, q.Query, q.embed); err != nil {
			a.noted = append(a.noted, "The passages were chosen by words alone, because the server of WEB_EMBED_MODEL did not answer: "+text.Cause(err))
		}
	}
	a.Metadata.Tokens = text.Tokens(passages.Markdown())
	if !passages.Matches() {
		return a.noMatch(ctx, s, q)
	}
	a.content.passages, a.content.asked, a.content.whole = passages, q.asked, passages.Markdown()
	return nil
}

const noHeadings = "The page has no headings."

// noMatchTokens bounds the outline of a page that has nothing on a query.
const noMatchTokens = 300

// noMatch makes the outline of the page the content: its passages are not about the query.
func (a *Answer) noMatch(ctx context.Context, s *loaded, q compiled) error {
	a.NoMatch = true
	a.noted = append(a.noted, "Note: no passage of this page matches the "+q.asked+"; this is its outline. Without "+q.asked+" the page is read from the top.")
	a.content.whole, a.content.lines = noHeadings, true
	p, err := extract.Document(s.res.Body, s.res.MediaType, s.again(ctx))
	if err != nil {
		return ctx.Err()
	}
	sections := markdown.Outline(p)
	n := len(sections)
	for n > 0 && text.Tokens(markdown.OutlineText(sections[:n])) > noMatchTokens-10 {
		n = n * 9 / 10
	}
	if n > 0 {
		a.content.whole = markdown.OutlineText(sections[:n])
		if n < len(sections) {
			a.content.whole += fmt.Sprintf("\n- … and %s", text.Count(len(sections)-n, "more section"))
		}
	}
	return nil
}

// hasMore reports whether a page may be less than the whole body of its document. Only
// HTML is read in this way.
func hasMore(p *page.Page) bool { return p.Method == page.MethodSpyhop }

// choose returns the page with nothing but the named sections.
func (a *Answer) choose(p *page.Page, names []string) (*page.Page, error) {
	outline := markdown.Outline(p)
	parts, missing := markdown.Parts(p, names)
	if len(parts) == 0 {
		return nil, noSection(missing, outline)
	}
	for _, name := range missing {
		a.noted = append(a.noted, "There is no section "+text.Quoted(name)+"; mode=outline lists them.")
	}
	one := *p
	one.Blocks = nil
	a.content.count = len(outline)
	a.content.places = []int{}
	for _, x := range parts {
		blocks := p.Blocks[x.From:x.To]
		one.Blocks = append(one.Blocks, blocks...)
		for i := range markdown.Outline(&page.Page{Blocks: blocks}) {
			a.content.places = append(a.content.places, x.Section+i)
		}
	}
	return &one, nil
}

// noSection says which sections there are instead.
func noSection(missing []string, outline []markdown.Section) error {
	const most = 12
	ids := make([]string, len(outline))
	for i := range outline {
		ids[i] = outline[i].ID
	}
	hint := "the page has no headings; leave section out"
	if near := tool.Nearest(missing[0], ids); near != "" {
		hint = "did you mean " + text.Quoted(near) + "? mode=outline lists the sections"
	} else if len(ids) > most {
		hint = "mode=outline lists the sections; the first are " + text.Quoted(strings.Join(ids[:most], ", "))
	} else if len(ids) > 0 {
		hint = "the sections are " + text.Quoted(strings.Join(ids, ", "))
	}
	return tool.NewError(tool.InvalidInput, "section "+text.Quoted(missing[0])+" is not on the page", hint)
}

// mostPlaces is how many places of a text are listed.
const mostPlaces = 10

// search says whether the content has a text, and where; or else all that the page shows.
func search(ctx context.Context, s *loaded, p *page.Page, q compiled) string {
	md, sections := markdown.RenderOutline(p, markdown.Options{})
	where := ""
	places := occurrences(nil, md, q.sought, func(char int) string {
		if s := markdown.SectionAt(sections, char); s != nil {
			return fmt.Sprintf("section %s, start_index %d", s.ID, char)
		}
		return fmt.Sprintf("before the first section, start_index %d", char)
	})
	if len(places) == 0 && len(q.Sections) == 0 && q.Selector == "" && hasMore(p) {
		where = ", outside of the main content"
		shown, _ := extract.Shown(s.res.Body, s.again(ctx)) // with an error, nothing is found
		for _, x := range shown {
			places = occurrences(places, x.Text, q.sought, func(int) string {
				switch x.Part {
				case "":
					return "outside of the main content"
				case "box":
					return "in a box beside the main content"
				}
				return "in the " + x.Part
			})
		}
	}
	times := fmt.Sprintf("%d times", len(places))
	switch len(places) {
	case 0:
		return fmt.Sprintf("No: %s is not on the page.", text.Quoted(q.MustContain))
	case 1:
		times = "once"
	}
	out := fmt.Sprintf("Yes: %s is on the page %s%s.\n", text.Quoted(q.MustContain), times, where)
	for _, p := range places[:min(len(places), mostPlaces)] {
		out += "\n- " + p
	}
	if more := len(places) - mostPlaces; more > 0 {
		out += "\n- and in " + text.Count(more, "more place")
	}
	return out
}

// occurrences adds where a text has a normalized one to places. Those that are not listed
// are empty.
func occurrences(places []string, in string, want passage.Sought, where func(char int) string) []string {
	at, char := 0, 0
	for from, to := range want.In(in) {
		if len(places) >= mostPlaces {
			places = append(places, "")
			continue
		}
		char, at = char+utf8.RuneCountInString(in[at:from]), from
		places = append(places, where(char)+": "+around(in, from, to))
	}
	return places
}

// around is the text from byte i to j with what stands next to it on its line,
// cut at words.
func around(md string, i, j int) string {
	const reach = 60 // bytes on each side
	left := strings.LastIndexByte(md[:i], '\n') + 1
	rest, _, _ := strings.Cut(md[j:], "\n")
	right := j + len(rest)
	before, after := "", ""
	if left < i-reach {
		left, before = i-reach, "…"
		left += strings.IndexByte(md[left:i], ' ') + 1
	}
	if right > j+reach {
		right, after = j+reach, "…"
		if n := strings.LastIndexByte(md[j:right], ' '); n >= 0 {
			right = j + n
		}
	}
	return before + pageText(strings.ToValidUTF8(md[left:right], ""), right-left+1) + after
}

// ownLinks are the links to the page's own site, most frequent first.
func ownLinks(p *page.Page) []result.Link {
	base, err := weburl.Parse(p.URL)
	if err != nil {
		return nil
	}
	own := slices.DeleteFunc(slices.Clone(p.Links), func(l page.Link) bool {
		u, err := weburl.Parse(l.URL)
		return err != nil || !weburl.SameSite(base, u)
	})
	slices.SortStableFunc(own, func(a, b page.Link) int { return b.Count - a.Count })
	out := make([]result.Link, len(own))
	for i, l := range own {
		out[i] = result.Link{Text: l.Text, URL: l.URL}
	}
	return out
}

// listLinks makes the links of a page the content.
func (a *Answer) listLinks(p *page.Page) {
	a.Links = ownLinks(p)
	c := &a.content
	c.mode, c.lines, c.whole = Links, true, linkList(p.URL, a.Links)
	c.head = max(strings.IndexByte(c.whole, '\n'), 0)
}

// linkList prints links, a line each.
func linkList(u string, links []result.Link) string {
	if len(links) == 0 {
		return "No links found on " + u + " - it may require JavaScript or authentication."
	}
	var b strings.Builder
	fmt.Fprintf(&b, "All %d links found on %s\n", len(links), u)
	for _, l := range links {
		b.WriteString("\n- " + l.Text + ": " + l.URL)
	}
	return b.String()
}
