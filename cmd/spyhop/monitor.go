package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

type monitorCmd struct {
	Add    monitorAddCmd    `cmd:"" default:"withargs" help:"Watch a site and report what changes."`
	List   monitorListCmd   `cmd:"" help:"List the monitors."`
	Show   monitorShowCmd   `cmd:"" help:"Print the changes that a monitor has seen."`
	Remove monitorRemoveCmd `cmd:"" help:"Delete a monitor."`
	Run    monitorRunCmd    `cmd:"" help:"Run the monitors until Ctrl-C."`
}

type monitorAddCmd struct {
	URLs     []string      `arg:"" optional:"" name:"url" help:"Where each round begins: it stays below the path of this URL."`
	Every    time.Duration `help:"The time between rounds, from 1m to 720h." default:"1h" placeholder:"TIME"`
	Cron     string        `help:"A schedule in place of --every: minute, hour, day of the month, month, day of the week; in the time zone of the process, or of CRON_TZ=Europe/Berlin before it." placeholder:"FIELDS"`
	Query    string        `help:"Report only changes of blocks with at least half of these words." placeholder:"WORDS"`
	Selector string        `help:"Report only changes of what this CSS selector selects." placeholder:"CSS"`
	Search   string        `help:"Report what this search of the web newly finds, in place of pages." placeholder:"WORDS"`
	MaxPages int           `min:"1" help:"Fetch at most this many pages in a round." default:"100" placeholder:"N"`
	scopeFlags
	Webhook string `help:"Send changes to this URL, as signed POSTs." placeholder:"URL"`
}

func (c *monitorAddCmd) run(s *session, client *spyhop.Client) error {
	m, err := client.AddMonitor(s.ctx, spyhop.MonitorRequest{URLs: c.URLs, Every: c.Every, Cron: c.Cron, Query: c.Query, Selector: c.Selector, Search: c.Search,
		MaxPages: c.MaxPages, MaxDepth: c.MaxDepth, Include: c.Include, Exclude: c.Exclude, Subdomains: c.Subdomains, EntireSite: c.EntireSite, Webhook: c.Webhook})
	if err != nil {
		return err
	}
	if s.printed(m) {
		return nil
	}
	fmt.Fprintln(s.stdout, printable(m.Monitor))
	if m.WebhookSecret != "" {
		fmt.Fprintln(s.stderr, "the secret of the webhook: "+printable(m.WebhookSecret))
	}
	s.screen.fact("next", "spyhop serve or spyhop monitor run runs it; spyhop monitor show "+m.Monitor+" prints what changed")
	return nil
}

type monitorListCmd struct{}

func (monitorListCmd) run(s *session, client *spyhop.Client) error {
	all, err := client.Monitors(s.ctx)
	if err != nil {
		return err
	}
	if s.printed(all) {
		return nil
	}
	if len(all) == 0 {
		s.screen.fact("monitors", "none yet; spyhop monitor URL makes one")
		return nil
	}
	rows := [][]string{{"MONITOR", "EVERY", "LAST ROUND", "PAGES", "CHANGES", "OF"}}
	for _, m := range all {
		last := "not yet"
		if !m.Last.IsZero() {
			last = minute(m.Last)
		}
		rows = append(rows, []string{m.Monitor, cmp.Or(m.Cron, m.Every), last, text.Grouped(m.Pages), text.Grouped(m.Changes), watchedOf(m)})
	}
	s.table(rows)
	for _, m := range all {
		for _, n := range m.Notices {
			s.screen.fact("notice", m.Monitor+": "+n)
		}
	}
	return nil
}

// watchedOf says what a monitor watches.
func watchedOf(m *result.Monitor) string {
	if m.Search != "" {
		return "search: " + m.Search
	}
	what := strings.Join(m.URLs, " ")
	if m.Selector != "" {
		what += " (" + m.Selector + ")"
	}
	if m.Query != "" {
		what += " (about " + m.Query + ")"
	}
	return what
}

type monitorShowCmd struct {
	Monitor string `arg:"" help:"The monitor, for example c7."`
	Since   string `help:"Only changes from this time on: a date, a time, or a duration such as 24h." placeholder:"TIME"`
}

func (c *monitorShowCmd) run(s *session, client *spyhop.Client) error {
	since, err := crawl.ParseSince(c.Since, time.Now())
	if err != nil {
		return err
	}
	list, err := client.MonitorChanges(s.ctx, c.Monitor, 0, since, 100_000)
	if err != nil {
		return err
	}
	if s.printed(list) {
		return nil
	}
	for _, l := range list.Changes {
		s.printChange(l)
	}
	if len(list.Changes) == 0 {
		s.screen.fact("changes", "none")
	}
	return nil
}

// printChange prints what happened to a page.
func (s *session) printChange(l result.PageChange) {
	line := fmt.Sprintf("%s  %-7s  %s", minute(l.At), printable(l.Change), printable(l.URL))
	if l.Title != "" {
		line += "  " + printable(l.Title)
	}
	if l.Added+l.Removed > 0 {
		line += fmt.Sprintf("  (%s added, %s removed)", text.Count(l.Added, "word"), text.Count(l.Removed, "word"))
	}
	fmt.Fprintln(s.stdout, line)
	for part := range strings.Lines(l.Diff) {
		fmt.Fprintln(s.stdout, "    "+printable(strings.TrimRight(part, "\n")))
	}
}

type monitorRemoveCmd struct {
	Monitor string `arg:"" help:"The monitor, for example c7, or its URL."`
}

func (c *monitorRemoveCmd) run(s *session, client *spyhop.Client) error {
	id := c.Monitor
	if strings.ContainsAny(id, "./:") {
		u, err := reader.Address(id)
		if err != nil {
			return err
		}
		all, err := client.Monitors(s.ctx)
		if err != nil {
			return err
		}
		i := slices.IndexFunc(all, func(m *result.Monitor) bool { return slices.Contains(m.URLs, u.WithoutFragment().String()) })
		if i < 0 {
			return tool.NewError(tool.InvalidInput, "no monitor begins at this URL", "spyhop monitor list prints them")
		}
		id = all[i].Monitor
	}
	return client.RemoveMonitor(s.ctx, id)
}

type monitorRunCmd struct{}

func (monitorRunCmd) run(s *session, client *spyhop.Client) error {
	s.screen.fact("monitors", "running; press Ctrl-C to stop")
	s.rounds.Store(true)
	defer s.untilTerminated()()
	client.RunJobs(s.ctx)
	return nil
}

// onRound prints a round that "spyhop monitor run" runs.
func (s *session) onRound(r result.Round) {
	if !s.rounds.Load() {
		return
	}
	s.roundMu.Lock()
	defer s.roundMu.Unlock()
	for _, c := range r.Changes {
		s.printChange(c)
	}
	what := r.Monitor.Monitor + ", " + watchedOf(&r.Monitor) + ": "
	switch {
	case r.Error != "":
		what += "the round failed: " + r.Error
	case !r.Ended && r.Monitor.Next.IsZero():
		what += "round " + text.Grouped(r.Monitor.Rounds+1) + " begins"
	case !r.Ended:
		what += "the round goes on at " + r.Monitor.Next.Local().Format("15:04:05")
	default:
		what += fmt.Sprintf("round %s ended: %s, %s; next at %s", text.Grouped(r.Monitor.Rounds), text.Count(r.Monitor.Pages, "page"), text.Count(len(r.Changes), "change"), minute(r.Monitor.Next))
	}
	s.screen.fact(time.Now().Format("15:04:05"), what)
}
