package crawl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

const (
	maxAnswerPages  = 1000
	passagePages    = 5   // pages that passages are taken from
	passageTokens   = 200 // of one page at least
	maxListedTokens = 120 // of a page's line
	maxPageError    = 500 // bytes
	maxFailed       = 100 // failures of a status
	saidFailed      = 10  // of them in the text for a model
)

// Job returns a job of an owner. The error is a *tool.Error.
func (c *Crawler) Job(ctx context.Context, owner, id string) (frontier.Job, error) {
	j, err := c.Frontier.Job(ctx, owner, id)
	if frontier.CodeOf(err) == frontier.NotFound {
		e := Error(err)
		e.Message = "job " + text.Name(id) + " does not exist, or belongs to another caller"
		return j, e
	}
	if err != nil {
		return j, Error(err)
	}
	return j, nil
}

// Status is the state of a job, without pages. The error is a *tool.Error.
func (c *Crawler) Status(ctx context.Context, j frontier.Job) (*result.Crawl, error) {
	o, p, err := optionsOf(j)
	if err != nil {
		return nil, err
	}
	s, err := c.Frontier.Stats(ctx, j.ID)
	if err != nil {
		return nil, Error(err)
	}
	out := &result.Crawl{Success: s.Read > 0 || j.State == frontier.Running, Job: j.ID, Kind: j.Kind, State: string(j.State), Stopped: j.Reason, URLs: o.URLs, Query: o.Query, Scrape: o.Scrape,
		Read: s.Read, Failures: s.Failed, Failed: []result.CrawlFailure{}, Skipped: s.Skipped, Left: s.Queued, Known: s.Known, Sites: s.Sites, Reasons: s.Reasons, Created: j.Created, Updated: j.Updated, MaxPages: j.Limits.Pages}
	if now := time.Now(); j.State == frontier.Running && !worked(s, p) {
		switch {
		case j.Due.IsZero() && now.Sub(j.Updated) > forsaken:
			out.State, out.Stopped = string(frontier.Stopped), StopAsked
			out.Notices = append(out.Notices, "The process that ran the job has ended. The job can be resumed.")
		case !j.Due.IsZero() && !j.Due.After(now):
			out.State = stateQueued
		}
	}
	if s.Failed > 0 {
		list, err := c.Frontier.Records(ctx, frontier.RecordQuery{Job: j.ID, Failed: true, N: maxFailed})
		if err != nil {
			return nil, Error(err)
		}
		for _, rec := range list {
			if m, ok := metaOf(rec); ok {
				m.CrawlPage = c.judged(m.CrawlPage)
				out.Failed = append(out.Failed, result.CrawlFailure{URL: m.URL, ErrorType: m.ErrorType, Reason: m.Error})
			}
		}
	}
	for i, raw := range o.URLs {
		if u, err := weburl.Parse(raw); err == nil && i < len(p.Below) {
			out.Scope = append(out.Scope, u.Origin()+cmp.Or(p.Below[i], "/")+"*")
		}
	}
	out.RobotsRefused = p.Robots
	for _, n := range p.Notices {
		out.Notices = append(out.Notices, n.String())
	}
	if n := p.Hook.notice(); n != "" {
		out.Notices = append(out.Notices, n)
	}
	for _, reason := range []string{reasonRobots, reasonNoFile, reasonSignal, reasonPolicy} {
		out.Refused += s.Reasons[reason]
	}
	out.NearDuplicates = s.Reasons[reasonNear]
	if l := j.Limits; l.PerSite > 0 && j.Reason == stopPageLimit && s.Read < int64(l.Pages) {
		out.Notices = append(out.Notices, fmt.Sprintf("One site may take %d of the %d pages of this crawl, because it begins on several sites.", l.PerSite, l.Pages))
	}
	for _, w := range notFollowed {
		if n := s.Reasons[w.reason]; n > 0 {
			if out.NotFollowed == nil {
				out.NotFollowed = map[string]int64{}
			}
			out.NotFollowed[w.reason] = n
			out.Notices = append(out.Notices, "Not followed, because "+w.because+": "+text.Count(int(n), "link")+"."+w.next)
		}
	}
	return out, nil
}

// notFollowed are the reasons why links of pages are not followed, in the order in which they
// are reported.
var notFollowed = []struct{ reason, because, next string }{
	{reasonDepth, "they are too far from the start", " A larger max_depth follows them."},
	{reasonOutside, "they are not below the path of the start", " entire_site follows them."},
	{reasonEndless, "their pages are near-duplicates without end", ""},
	{frontier.ReasonLimit, "too many URLs differ only in numbers or parameters", ""},
	{reasonScripts, "scripts may make them, which were not run (pages are counted)", ""},
	{reasonRoutes, "only scripts can show them", " render=auto follows them."},
	{reasonTrap, "their URLs are very long or repeat themselves, as those of endless parts do", ""},
}

// unused is for how long a turn of a job that a worker reads may be had and is not taken.
const unused = 5 * time.Second

// forsaken is for how long nobody reads a job that only the process that began it reads,
// until that process is taken for dead.
const forsaken = time.Minute

// worked reports whether some process reads a job now: workers do not claim the jobs
// that they read.
func worked(s frontier.Stats, p progress) bool {
	return s.Leased > 0 || p.MappedBy.After(time.Now()) || s.Known > s.Queued && !s.Next.IsZero() && time.Since(s.Next) < unused
}

// answer is the state of a job with its pages, best first where there is a query,
// and with passages of at most so many tokens. The error is a *tool.Error.
func (c *Crawler) answer(ctx context.Context, j frontier.Job, tokens int) (*result.Crawl, error) {
	out, err := c.Status(ctx, j)
	if err != nil {
		return nil, err
	}
	for after := int64(0); ; {
		list, err := c.Frontier.Records(ctx, frontier.RecordQuery{Job: j.ID, After: after, N: reportBatch})
		if err != nil {
			return nil, Error(err)
		}
		for _, rec := range list {
			after = rec.Cursor
			m, ok := metaOf(rec)
			if !ok {
				continue
			}
			switch m.Change {
			case "added":
				out.Added++
			case "changed":
				out.Changed++
			case "gone":
				out.Gone++
			}
			out.Pages = append(out.Pages, c.judged(m.CrawlPage))
		}
		if len(list) < reportBatch {
			break
		}
	}
	if out.Query != "" {
		sort.SliceStable(out.Pages, func(i, j int) bool { return out.Pages[i].Match > out.Pages[j].Match })
		if err := c.passages(ctx, out, tokens); err != nil {
			return nil, err
		}
	}
	out.Pages = out.Pages[:min(len(out.Pages), maxAnswerPages)]
	return out, nil
}

// passages chooses parts of the best pages.
func (c *Crawler) passages(ctx context.Context, out *result.Crawl, tokens int) error {
	pages := min(passagePages, max(tokens/passageTokens, 1))
	for i, p := range out.Pages {
		if i == pages || p.Match == 0 || p.Error != "" {
			break
		}
		rec, err := c.Frontier.Find(ctx, out.Job, p.URL)
		if err != nil {
			return Error(err)
		}
		chosen := passage.OfMarkdown(string(rec.Body), out.Query).Choose(0, tokens/pages)
		out.Passages = append(out.Passages, result.CrawlPassage{URL: p.URL, Title: p.Title, Version: p.Version, Section: headingOf(chosen.Text), Text: chosen.Text})
	}
	return nil
}

// headingOf is the first heading of a Markdown text.
func headingOf(md string) string {
	for line := range strings.Lines(md) {
		if h := strings.TrimLeft(line, "#"); h != line && strings.HasPrefix(h, " ") {
			return text.Cut(text.Line(h), text.MaxQuoted)
		}
	}
	return ""
}

// Stop stops a job of an owner; what it has read stays, and it can be resumed. The
// error is a *tool.Error.
func (c *Crawler) Stop(ctx context.Context, owner, id string) (frontier.Job, error) {
	j, err := c.Job(ctx, owner, id)
	if err != nil || j.State != frontier.Running {
		return j, err
	}
	j, err = Change(ctx, c.Frontier, id, func(j *frontier.Job) {
		if j.State == frontier.Running {
			j.State, j.Reason = frontier.Stopped, StopAsked
		}
	})
	if err != nil {
		return j, Error(err)
	}
	return j, nil
}

// grow raises the limit of pages of a job that has reached it, so that it can go on.
// The error is a *tool.Error.
func (c *Crawler) grow(ctx context.Context, j frontier.Job, pages int) (frontier.Job, error) {
	j.Limits.Pages += max(pages, 0)
	if j.Limits.PerTemplate > 0 {
		j.Limits.PerTemplate = max(j.Limits.PerTemplate, j.Limits.Pages)
	}
	if j.Limits.PerSite > 0 {
		j.Limits.PerSite += max(pages, 0)
	}
	j, err := c.Frontier.Update(ctx, j)
	if err != nil {
		return j, Error(err)
	}
	return j, nil
}

// Summary is the line of facts of a job for people: "read 30, refused 2, near-duplicates 4,
// left 1,103; stopped: page limit reached".
func Summary(c *result.Crawl) string { return crawlFacts(c, StopText(c.Stopped)) }

// crawlFacts is the line of facts with the reason why the job stopped.
func crawlFacts(c *result.Crawl, stopped string) string {
	if c.Stopped != "" && c.Stopped != StopAsked {
		return counts(c) + "; stopped: " + stopped
	}
	return counts(c) + "; " + text.Name(c.State)
}

func counts(c *result.Crawl) string {
	facts := []string{fmt.Sprintf("read %s", text.Grouped(c.Read))}
	for _, f := range []struct {
		n    int64
		what string
	}{{c.Failures, "failed"}, {c.Refused, "refused"}, {c.NearDuplicates, "near-duplicates"}, {c.Added, "added"}, {c.Changed, "changed"}, {c.Gone, "gone"}} {
		if f.n > 0 {
			facts = append(facts, f.what+" "+text.Grouped(f.n))
		}
	}
	return strings.Join(append(facts, "left "+text.Grouped(c.Left)), ", ")
}

// NothingRead is the error of a job that has read no page; nil where it has read one, or
// runs. hint is the next step where the reason says none.
func NothingRead(c *result.Crawl, hint string) error {
	if c.Read > 0 || c.Stopped == "" {
		return nil
	}
	e := tool.NewError(tool.NoContent, "no page was read: "+Summary(c), hint)
	switch c.Stopped {
	case stopBlockedByRobots, stopBlockedByPolicy:
		e.Type = tool.Blocked
	case stopTimeLimit:
		e.Type = tool.Timeout
	case StopAsked:
		e.Type = tool.Cancelled
	}
	if len(c.Failed) > 0 {
		first := c.Failed[0]
		e.Type = tool.ErrorType(first.ErrorType)
		e.Message = fmt.Sprintf("no page was read: %s: %s", text.URL(first.URL), text.Quoted(first.Reason))
		if more := c.Failures - 1; more > 0 {
			e.Message += fmt.Sprintf(" (and %s)", text.Count(int(more), "further failure"))
		}
	}
	return e
}

// CrawlText is a job as text for a model: the line of facts, passages or a list of
// pages inside the fence, the next step. recall says that web_recall is listed. bytes
// bounds the text; 0: not.
func CrawlText(c *result.Crawl, recall bool, tokens, bytes int) string {
	parts := crawlParts(c)
	n := len(parts)
	if c.Query == "" {
		cost := 0
		for n = 0; n < len(parts); n++ {
			if cost += text.Tokens(parts[n]) + 1; cost > tokens && n > 0 {
				break
			}
		}
	}
	for ; ; n-- {
		s := crawlText(c, recall, parts[:n], len(parts)-n)
		if bytes == 0 || len(s) < bytes || n <= 1 {
			if bytes > 0 && len(s) >= bytes && n == 1 {
				over := len(s) - bytes + 1
				parts[0] = text.CutBytes(parts[0], max(len(parts[0])-over, 1))
				s = crawlText(c, recall, parts[:1], len(parts)-1)
			}
			return s
		}
	}
}

// crawlParts are the passages of a crawl with a query, else the lines of its pages.
func crawlParts(c *result.Crawl) (parts []string) {
	if c.Query == "" {
		for _, p := range c.Pages {
			parts = append(parts, pageLine(p))
		}
		return parts
	}
	for _, p := range c.Passages {
		head := text.URL(p.URL) + " (version " + text.Name(p.Version)
		if p.Section != "" {
			head += ", section " + text.Quoted(p.Section)
		}
		parts = append(parts, head+"):\n"+p.Text)
	}
	return parts
}

func crawlText(c *result.Crawl, recall bool, parts []string, left int) string {
	var b strings.Builder
	b.WriteString(crawlFacts(c, text.Name(c.Stopped)) + "\n\n")
	join := "\n"
	if c.Query != "" {
		join = "\n\n"
	}
	switch {
	case len(parts) > 0:
		b.WriteString(tool.Fence(strings.Join(parts, join)))
	case c.Read == 0:
		b.WriteString("No page was read." + whyNone(c))
	default:
		b.WriteString("No page that was read matches the query.")
	}
	for i, f := range c.Failed {
		if c.Query == "" && c.Read > 0 || i == saidFailed { // the list of pages has them
			break
		}
		b.WriteString("\nFailed: " + text.URL(f.URL) + " (" + text.Name(f.ErrorType) + ": " + text.Quoted(f.Reason) + ")")
	}
	if left > 0 && c.Query == "" {
		fmt.Fprintf(&b, "\n%d further pages are not listed.", left)
	}
	for _, n := range c.Notices {
		b.WriteString("\nNote: " + n)
	}
	fmt.Fprintf(&b, "\nCall web_crawl with job=%s to go on", text.Name(c.Job))
	if recall && c.Read > 0 {
		fmt.Fprintf(&b, ", or web_recall with job=%s and a query", text.Name(c.Job))
	}
	b.WriteString(".")
	return b.String()
}

// whyNone says in a few words why nothing was read.
func whyNone(c *result.Crawl) string {
	var reasons []string
	for reason, n := range c.Reasons {
		reasons = append(reasons, fmt.Sprintf("%s %d", text.Name(reason), n))
	}
	if len(reasons) == 0 {
		return ""
	}
	slices.Sort(reasons)
	return " Reasons: " + strings.Join(reasons, ", ") + "."
}

// pageLine is "- title — url (article, 1,200 tokens)".
func pageLine(p result.CrawlPage) string {
	s := "- "
	if t := text.Cut(text.Line(p.Title), maxListedTokens); t != "" {
		s += t + " — "
	}
	s += text.URL(p.URL)
	if p.Error != "" {
		return s + " (not read: " + text.Cut(text.Line(p.Error), maxListedTokens) + ")"
	}
	s += fmt.Sprintf(" (%s, %s tokens", text.Name(string(p.PageType)), text.Grouped(p.Tokens))
	if p.Verdict == page.Partial {
		s += ", partial"
	}
	if p.Change != "" {
		s += ", " + text.Name(p.Change)
	}
	return s + ")"
}
