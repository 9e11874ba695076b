package crawl

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/frontier"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/terms"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// A monitor reads a site again and again and says what changed. Each round is a job of
// its own: it reads the starts, pages that are new in the map or in links, pages whose
// date in the map is new, and known pages that are due by the rate at which they were
// seen to change. What it knows after a round is one record, in a job that has nothing
// else; the job of the round, and the record before, are then dropped. So a monitor
// needs the same room after a thousand rounds.

// Kinds of the jobs of monitors.
const (
	KindMonitor = "monitor"
	KindRound   = "round"
	KindWatch   = "watch" // holds the record
)

const (
	// minEvery and maxEvery bound the time between rounds.
	minEvery, maxEvery = time.Minute, 30 * 24 * time.Hour
	// defaultMonitorPages bounds the pages of a round, and maxMonitorPages what can be
	// asked for.
	defaultMonitorPages, maxMonitorPages = 100, 5000
	// maxWatched bounds the pages that a monitor knows, maxChanges the changes that it
	// remembers: the latest ones.
	maxWatched, maxChanges = 10_000, 10_000
	// restRounds is how many rounds at most pass between two looks at a page.
	restRounds = 8
	// maxWatchedText bounds the text that is kept of a page, maxWatchedTexts that of all.
	maxWatchedText, maxWatchedTexts = 32 << 10, 8 << 20
	// maxDiff bounds the bytes of a change that are told.
	maxDiff = 1500

	watchURL = "spyhop:watch"
)

// Changes of a page.
const (
	pageAdded   = "added"
	pageChanged = "changed"
	pageGone    = "gone"
	pageSame    = "unchanged"
)

// monitoring is what a monitor remembers beside its record.
type monitoring struct {
	Round  string    `json:"round,omitempty"` // the job that runs
	Watch  string    `json:"watch,omitempty"` // the job with the record
	Rounds int       `json:"rounds,omitempty"`
	Pages  int       `json:"pages,omitempty"`
	Began  time.Time `json:"began,omitzero"` // the round
	Last   time.Time `json:"last,omitzero"`  // end of the last round
	Next   time.Time `json:"next,omitzero"`  // when the next one begins, or goes on
	Seq    int64     `json:"seq,omitempty"`  // of the latest change
}

// watch is what a monitor knows of its pages.
type watch struct {
	Pages map[string]*watched `json:"pages"`
	Log   []result.PageChange `json:"log,omitempty"`
	Seq   int64               `json:"seq"`
	text  int                 // bytes of the texts of Pages
}

// watched is a page.
type watched struct {
	Version string    `json:"version,omitempty"`
	Title   string    `json:"title,omitempty"`
	First   time.Time `json:"first"`
	Checked time.Time `json:"checked"`
	Due     time.Time `json:"due"`
	Checks  int       `json:"checks,omitempty"` // after the first
	Changes int       `json:"changes,omitempty"`
	Gone    bool      `json:"gone,omitempty"`
	// Text is the Markdown, or its beginning, from which a change is told; "" where it has
	// no room.
	Text string `json:"text,omitempty"`
}

// reads reports whether a run reads a page; modified is its date in the map.
func (w *watch) reads(url string, modified, now time.Time) bool {
	p := w.Pages[url]
	if p == nil {
		return len(w.Pages) < maxWatched
	}
	return modified.After(p.Checked) || !p.Due.After(now)
}

// rest is the time until a page is looked at again: half of the time in which it is
// expected to change, which is estimated from how often it had changed when it was
// looked at (Cho and Garcia-Molina's estimator for a Poisson process); at least every,
// and at most a few rounds.
func (p *watched) rest(every time.Duration) time.Duration {
	most := restRounds * every
	seen := p.Checked.Sub(p.First)
	if p.Checks == 0 || seen <= 0 {
		return every
	}
	n, x := float64(p.Checks), float64(p.Changes)
	rate := -math.Log((n-x+.5)/(n+.5)) / (seen.Seconds() / n)
	if rate <= 0 { // it has never changed
		return min(max(seen/2, every), most)
	}
	half := time.Duration(min(.5/rate, most.Seconds()) * float64(time.Second))
	return min(max(half, every), most)
}

// take adds what a round has found out about a page, and its text.
func (w *watch) take(m *meta, body string, o Options, first bool, at time.Time) {
	p := w.Pages[m.URL]
	change, before, every := "", "", o.Every
	switch {
	case m.Error != "" && (p == nil || p.Gone):
		return
	case m.Error != "":
		if m.Status != 404 && m.Status != 410 {
			p.Due = at.Add(every) // it says nothing about the page
			return
		}
		change, before, p.Gone = pageGone, p.Version, true
	case p == nil:
		p = &watched{First: at}
		w.Pages[m.URL] = p
		if !first {
			change = pageAdded
		}
	case p.Gone:
		change, before, p.Gone = pageAdded, p.Version, false
	case p.Version != m.Version:
		change, before = pageChanged, p.Version
	}
	if p.Checked = at; at.After(p.First) {
		p.Checks++
	}
	if change != "" && at.After(p.First) {
		p.Changes++
	}
	was := p.Text
	if m.Error == "" {
		p.Version, p.Title = m.Version, m.Title
		w.keepText(p, body)
	}
	p.Due = at.Add(p.rest(every) - every/10) // a round that begins a little early finds it
	if change == "" {
		return
	}
	c := result.PageChange{URL: m.URL, Change: change, Title: p.Title, Version: m.Version, Previous: before, At: at}
	blocks := []result.Change{{Old: was, New: body}}
	if change == pageChanged && was != "" {
		d, _ := passage.Compare(was, body[:min(len(body), maxWatchedText)], nil) // nothing stops it
		blocks = d.Changes
		c.Added, c.Removed, c.Diff = told(blocks)
	}
	if !matters(o.About, p.Title, blocks) {
		return
	}
	w.Seq++
	c.Cursor = w.Seq
	w.Log = append(w.Log, c)
	if over := len(w.Log) - maxChanges; over > 0 {
		w.Log = slices.Delete(w.Log, 0, over)
	}
}

// keepText keeps the text of a page, where there is room.
func (w *watch) keepText(p *watched, body string) {
	w.text -= len(p.Text)
	p.Text = body[:min(len(body), maxWatchedText)]
	if w.text+len(p.Text) > maxWatchedTexts {
		p.Text = ""
	}
	w.text += len(p.Text)
}

// told is a change in numbers of words and as lines with "+" and "-".
func told(blocks []result.Change) (added, removed int, diff string) {
	var b strings.Builder
	side := func(mark, s string) {
		for line := range strings.Lines(s) {
			if line = strings.TrimRight(line, "\n"); line != "" && b.Len() < maxDiff {
				b.WriteString(mark + line + "\n")
			}
		}
	}
	for _, c := range blocks {
		a, r := wordsChanged(c.Old, c.New)
		added, removed = added+a, removed+r
		side("- ", c.Old)
		side("+ ", c.New)
	}
	return added, removed, text.CutBytes(strings.TrimRight(b.String(), "\n"), maxDiff)
}

// wordsChanged counts the words that one text has and the other has not.
func wordsChanged(before, after string) (added, removed int) {
	n := map[string]int{}
	terms.Scan(before, func(w []byte) { n[string(w)]++ })
	terms.Scan(after, func(w []byte) {
		if n[string(w)] > 0 {
			n[string(w)]--
		} else {
			added++
		}
	})
	for _, k := range n {
		removed += k
	}
	return added, removed
}

// matters reports whether a change is about a query: one of the blocks, with the title, has
// at least half of its words. Every change is about "".
func matters(about, title string, blocks []result.Change) bool {
	q := NewQuery(about)
	if q.Len() == 0 {
		return true
	}
	for _, c := range blocks {
		found := map[string]bool{}
		for _, s := range []string{title, c.Old, c.New} {
			terms.Scan(s, func(w []byte) {
				if stem := string(terms.Stem(w)); slices.Contains(q.words, stem) {
					found[stem] = true
				}
			})
		}
		if 2*len(found) >= q.Len() {
			return true
		}
	}
	return false
}

// CreateMonitor stores a monitor, whose first round is due, or with an id changes one, as
// [result.MonitorRequest] says. The error is a *tool.Error.
func (c *Crawler) CreateMonitor(ctx context.Context, owner, id string, o Options) (frontier.Job, error) {
	switch {
	case id != "" && len(o.URLs) == 0 && o.Search == "":
		return c.changeMonitor(ctx, owner, id, nil)
	case (len(o.URLs) == 0) == (o.Search == ""):
		return frontier.Job{}, tool.NewError(tool.InvalidInput, "a monitor has either URLs or a search", "give the URL of a page of the site; use two monitors for both")
	case o.Search != "" && c.Web.Search == nil:
		return frontier.Job{}, tool.NewError(tool.SearchError, "there is no search to watch", "the operator can set WEB_SEARCH_PROVIDER")
	}
	if o.Cron != "" {
		s, err := parseSchedule(o.Cron)
		if err != nil {
			return frontier.Job{}, err
		}
		next := s.next(time.Now())
		o.Every = min(max(s.next(next).Sub(next), minEvery), maxEvery)
	}
	if o.Every < minEvery || o.Every > maxEvery {
		return frontier.Job{}, tool.NewError(tool.InvalidInput, fmt.Sprintf("the time between two rounds is %s, and it can be from 1m to 720h", o.Every), "for example 1h")
	}
	for _, raw := range o.URLs {
		u, err := weburl.Parse(raw)
		if err == nil {
			err = c.Web.Judge(u)
		}
		if err != nil {
			return frontier.Job{}, tool.AsError(err)
		}
	}
	o.MaxPages = min(cmp.Or(max(o.MaxPages, 0), defaultMonitorPages), maxMonitorPages)
	o.MaxDepth = cmp.Or(max(o.MaxDepth, 0), DefaultDepth)
	if id != "" {
		return c.changeMonitor(ctx, owner, id, &o)
	}
	j, err := c.Frontier.Create(ctx, frontier.Job{Owner: owner, Kind: KindMonitor, Options: encode(o), Due: time.Now()})
	if err != nil {
		return j, Error(err)
	}
	return j, nil
}

// changeMonitor gives a monitor other options, or without any has its next round begin now. A
// round that runs goes on.
func (c *Crawler) changeMonitor(ctx context.Context, owner, id string, o *Options) (frontier.Job, error) {
	if _, err := c.Monitor(ctx, owner, id); err != nil {
		return frontier.Job{}, err
	}
	j, err := Change(ctx, c.Frontier, id, func(j *frontier.Job) {
		_, p, _ := optionsOf(*j)
		next := time.Now()
		if o != nil {
			j.Options, j.State = encode(o), frontier.Running
			if o.Paused {
				j.State = frontier.Stopped
			}
			if p.Monitor.Rounds > 0 {
				next = o.after(p.Monitor.Began)
			}
		}
		if j.State != frontier.Running {
			j.Due = time.Time{}
		} else if p.Monitor.Round == "" || j.Due.IsZero() {
			SetNextRound(j, next)
			j.Due = next
		}
	})
	if err != nil {
		return j, Error(err)
	}
	return j, nil
}

// searched is a round of a monitor of a search: what it finds is its pages.
func (c *Crawler) searched(ctx context.Context, j frontier.Job, o Options, p progress, w *watch) (next time.Time, err error) {
	if c.Web.Search == nil {
		return next, tool.NewError(tool.SearchError, "there is no search to watch", "the operator can set WEB_SEARCH_PROVIDER")
	}
	began, at := time.Now(), now()
	hits, err := c.Web.Search(ctx, o.Search)
	if err != nil {
		return next, err
	}
	for _, h := range hits {
		if u, err := weburl.Parse(h.URL); err == nil && (len(w.Pages) < maxWatched || w.Pages[u.String()] != nil) {
			m := meta{CrawlPage: result.CrawlPage{URL: u.String(), Title: text.Cut(text.Line(h.Title), text.MaxQuoted)}}
			w.take(&m, "", o, p.Monitor.Rounds == 0, at)
		}
	}
	m, err := c.endRound(ctx, j, w, at, func(m *monitoring) { m.Began = began }, p.Monitor.Watch)
	return o.after(m.Began), err
}

// endRound stores what a monitor knows after a round, and drops jobs that are not needed any
// more.
func (c *Crawler) endRound(ctx context.Context, j frontier.Job, w *watch, at time.Time, change func(*monitoring), drop ...string) (monitoring, error) {
	if o, _, _ := optionsOf(j); o.Retention > 0 {
		w.Log = slices.DeleteFunc(w.Log, func(l result.PageChange) bool { return at.Sub(l.At) > o.Retention })
	}
	kept, err := c.keep(ctx, j.Owner, w)
	if err != nil {
		return monitoring{}, err
	}
	m, err := c.remember(ctx, j.ID, func(m *monitoring) {
		m.Round, m.Watch, m.Last, m.Seq, m.Pages = "", kept, at, w.Seq, w.present()
		m.Rounds++
		change(m)
	})
	if err != nil {
		return m, err
	}
	for _, gone := range drop {
		if gone == "" {
			continue
		}
		if err := c.Frontier.Drop(ctx, gone); err != nil {
			return m, err
		}
	}
	return m, nil
}

// after is when the next round of a monitor begins.
func (o Options) after(began time.Time) time.Time {
	if s, err := parseSchedule(o.Cron); o.Cron != "" && err == nil {
		return s.next(time.Now())
	}
	next := began.Add(o.Every)
	if next.Before(time.Now()) { // rounds take longer than that
		next = time.Now().Add(o.Every / 10)
	}
	return next
}

// Round runs a round of a monitor, or goes on with one. It returns when the monitor has
// to be looked at again. The error is that of the frontier, or a *tool.Error.
func (c *Crawler) Round(ctx context.Context, id string, opts RunOptions) (next time.Time, err error) {
	j, err := c.Frontier.Job(ctx, "", id)
	if err != nil {
		return next, err
	}
	o, p, err := optionsOf(j)
	if err != nil {
		return next, err
	}
	w, err := c.watch(ctx, p.Monitor.Watch)
	if err != nil {
		return next, err
	}
	if o.Search != "" {
		return c.searched(ctx, j, o, p, w)
	}
	if p.Monitor.Round == "" {
		if p.Monitor, err = c.beginRound(ctx, j, o, w); err != nil {
			return next, err
		}
	}
	opts.Keep, opts.known = true, w
	r, err := c.Run(ctx, p.Monitor.Round, opts)
	if err != nil {
		if frontier.CodeOf(err) == frontier.NotFound { // somebody has dropped it: the next one is new
			_, err = c.remember(ctx, id, func(m *monitoring) { m.Round = "" })
		}
		return time.Now(), err
	}
	save, done := context.WithTimeout(context.WithoutCancel(ctx), saveTime)
	defer done()
	if r.State == frontier.Running {
		s, err := c.Frontier.Stats(save, r.ID)
		return s.Next, err
	}
	old := p.Monitor.Watch
	now := now()
	if err := c.learn(save, w, r.ID, o, p.Monitor.Rounds == 0, now); err != nil {
		return next, err
	}
	m, err := c.endRound(save, j, w, now, func(*monitoring) {}, r.ID, old)
	return o.after(m.Began), err
}

// present counts the pages that are there.
func (w *watch) present() (n int) {
	for _, p := range w.Pages {
		if !p.Gone {
			n++
		}
	}
	return n
}

// beginRound makes the job of a round, with the known pages that are due.
func (c *Crawler) beginRound(ctx context.Context, j frontier.Job, o Options, w *watch) (monitoring, error) {
	o.Webhook = nil
	round, err := c.Frontier.Create(ctx, frontier.Job{Owner: j.Owner, Kind: KindRound, Options: encode(o),
		Limits: frontier.Limits{Pages: o.MaxPages, AtOnce: c.atOnce(o), PerTemplate: maxPerTemplate}})
	if err != nil {
		return monitoring{}, err
	}
	var links []frontier.Link
	now := time.Now()
	for url, p := range w.Pages {
		if u, err := weburl.Parse(url); err == nil && !p.Due.After(now) { // those that change come first
			links = append(links, frontier.Link{URL: url, Site: c.Web.Site(u), Priority: int32(min(p.Changes, 1000))})
		}
	}
	if err := cmp.Or(c.queue(ctx, round, o.URLs, 0), c.add(ctx, round.ID, links)); err != nil {
		return monitoring{}, err
	}
	return c.remember(ctx, j.ID, func(m *monitoring) { m.Round, m.Began = round.ID, now })
}

// remember changes what a monitor remembers.
func (c *Crawler) remember(ctx context.Context, id string, change func(*monitoring)) (m monitoring, err error) {
	_, err = Change(ctx, c.Frontier, id, func(j *frontier.Job) {
		if _, p, err := optionsOf(*j); err == nil {
			change(&p.Monitor)
			m = p.Monitor
			j.Progress = encode(p)
		}
	})
	return m, err
}

// watch reads the record of a monitor; without one nothing is known.
func (c *Crawler) watch(ctx context.Context, id string) (*watch, error) {
	w := &watch{Pages: map[string]*watched{}}
	if id == "" {
		return w, nil
	}
	rec, err := c.Frontier.Find(ctx, id, watchURL)
	if err == nil {
		err = json.Unmarshal(rec.Body, w)
	}
	for _, p := range w.Pages {
		w.text += len(p.Text)
	}
	return w, err
}

// keep stores the record in a job of its own.
func (c *Crawler) keep(ctx context.Context, owner string, w *watch) (id string, err error) {
	body, err := json.Marshal(w)
	for err == nil && len(body) > frontier.MaxBody && len(w.Log) > 0 { // long addresses: the oldest changes go
		w.Log = slices.Delete(w.Log, 0, (len(w.Log)+1)/2)
		body, err = json.Marshal(w)
	}
	if err != nil {
		return "", err
	}
	j, err := c.Frontier.Create(ctx, frontier.Job{Owner: owner, Kind: KindWatch})
	if err != nil {
		return "", err
	}
	if _, err = c.Frontier.Add(ctx, j.ID, []frontier.Link{{URL: watchURL, Site: watchURL + ":" + j.ID}}); err != nil {
		return "", err
	}
	turns, err := c.Frontier.Lease(ctx, frontier.LeaseRequest{Job: j.ID, Worker: c.Worker, TTL: TurnTime})
	if err != nil || len(turns) != 1 {
		return "", cmp.Or(err, error(tool.NewError(tool.Busy, "the record of the monitor could not be stored", "try again")))
	}
	lost, err := c.Frontier.Commit(ctx, []frontier.Commit{{Turn: turns[0], Outcomes: []frontier.Outcome{{URL: watchURL, End: frontier.Read, Meta: []byte("{}"), Body: body}}}})
	if err == nil && len(lost) > 0 {
		err = tool.NewError(tool.Busy, "the record of the monitor could not be stored", "try again")
	}
	if err != nil {
		return "", err
	}
	_, err = Change(ctx, c.Frontier, j.ID, func(j *frontier.Job) { j.State = frontier.Done })
	return j.ID, err
}

// learn adds what a round has read.
func (c *Crawler) learn(ctx context.Context, w *watch, round string, o Options, first bool, at time.Time) error {
	for after := int64(0); ; {
		list, err := c.Frontier.Records(ctx, frontier.RecordQuery{Job: round, After: after, N: reportBatch, Bodies: true, Bytes: bodyBytes})
		if err != nil || len(list) == 0 {
			return err
		}
		for _, rec := range list {
			after = rec.Cursor
			if m, ok := metaOf(rec); ok {
				w.take(&m, string(rec.Body), o, first, at)
			}
		}
	}
}

// MonitorStatus is the state of a monitor. The error is a *tool.Error.
func (c *Crawler) MonitorStatus(j frontier.Job) (*result.Monitor, error) {
	o, p, err := optionsOf(j)
	if err != nil {
		return nil, err
	}
	out := &result.Monitor{Monitor: j.ID, URLs: o.URLs, Every: o.Every.String(), Cron: o.Cron, Query: o.About, Selector: o.Selector, Search: o.Search, Scrape: o.Scrape, Rounds: p.Monitor.Rounds, Pages: p.Monitor.Pages, Changes: p.Monitor.Seq, Last: p.Monitor.Last, Running: p.Monitor.Round != "", Paused: o.Paused, Created: j.Created}
	if !out.Running && !o.Paused {
		out.Next = p.Monitor.Next
	}
	if n := p.Hook.notice(); n != "" {
		out.Notices = append(out.Notices, n)
	}
	return out, nil
}

// Monitor returns a monitor of an owner. The error is a *tool.Error.
func (c *Crawler) Monitor(ctx context.Context, owner, id string) (frontier.Job, error) {
	j, err := c.Job(ctx, owner, id)
	if err == nil && j.Kind != KindMonitor {
		err = Error(&frontier.Error{Code: frontier.NotFound, What: "a monitor"})
	}
	return j, err
}

// Monitors lists the monitors of an owner, the latest first. The error is a
// *tool.Error.
func (c *Crawler) Monitors(ctx context.Context, owner string) ([]frontier.Job, error) {
	jobs, err := c.Frontier.Jobs(ctx, frontier.JobQuery{Owner: owner, Kind: KindMonitor})
	if err != nil {
		return nil, Error(err)
	}
	return jobs, nil
}

// Changes lists changes that a monitor has seen, from the first behind a cursor and at
// a time or later. What the policy of today refuses is left out. The error is a
// *tool.Error.
func (c *Crawler) Changes(ctx context.Context, j frontier.Job, after int64, since time.Time, n int) (*result.PageChanges, error) {
	_, p, err := optionsOf(j)
	if err != nil {
		return nil, err
	}
	w, err := c.watch(ctx, p.Monitor.Watch)
	if err != nil {
		return nil, Error(err)
	}
	out := &result.PageChanges{Changes: []result.PageChange{}, Next: max(after, 0)}
	for _, l := range w.Log {
		if l.Cursor <= after || l.At.Before(since) {
			continue
		}
		if len(out.Changes) == n {
			out.More = true
			break
		}
		out.Next = l.Cursor
		if u, err := weburl.Parse(l.URL); err == nil && c.Web.Judge(u) == nil {
			out.Changes = append(out.Changes, l)
		}
	}
	return out, nil
}

// DropMonitor deletes a monitor of an owner with all that it knows. The error is a
// *tool.Error.
func (c *Crawler) DropMonitor(ctx context.Context, owner, id string) error {
	j, err := c.Monitor(ctx, owner, id)
	if err != nil {
		return err
	}
	_, p, _ := optionsOf(j) // of one that cannot be read, only itself
	for _, id := range []string{id, p.Monitor.Round, p.Monitor.Watch} {
		if id == "" {
			continue
		}
		if err := c.Frontier.Drop(ctx, id); err != nil {
			return Error(err)
		}
	}
	return nil
}

// NextRound is when a round of a monitor begins, or goes on; SetNextRound sets it. A
// monitor can be due before that because of its webhook.
func NextRound(j frontier.Job) time.Time {
	_, p, _ := optionsOf(j)
	return p.Monitor.Next
}

// SetNextRound is for [NextRound].
func SetNextRound(j *frontier.Job, t time.Time) {
	if _, p, err := optionsOf(*j); err == nil {
		p.Monitor.Next = t
		j.Progress = encode(p)
	}
}

// Parts are the jobs that belong to a monitor.
func Parts(j frontier.Job) []string {
	_, p, _ := optionsOf(j)
	return []string{p.Monitor.Round, p.Monitor.Watch}
}
