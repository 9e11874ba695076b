package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type monitorCmd struct {
	Add    monitorAddCmd    `cmd:"" default:"withargs" help:"Read a site again and again, and say what changes."`
	List   monitorListCmd   `cmd:"" help:"List the monitors."`
	Show   monitorShowCmd   `cmd:"" help:"Print what a monitor has seen change."`
	Remove monitorRemoveCmd `cmd:"" help:"Remove a monitor with what it knows."`
	Run    monitorRunCmd    `cmd:"" help:"Run the monitors until it is interrupted."`
}

func (monitorCmd) Help() string {
	return `Examples:

    spyhop monitor example.com/docs --every 6h
    spyhop monitor run
    spyhop monitor list
` + exitHelp
}

type monitorAddCmd struct {
	URLs       []string      `arg:"" name:"url" help:"Where each round begins; each address names a site."`
	Every      time.Duration `help:"The time between rounds, from 1m to 720h." default:"1h" placeholder:"TIME"`
	MaxPages   int           `min:"1" help:"Read at most this many pages in a round." default:"100" placeholder:"N"`
	MaxDepth   int           `min:"1" help:"Follow at most this many links from a start." default:"5" placeholder:"N"`
	Include    []string      `help:"Only pages whose path matches, for example /docs/*." placeholder:"GLOB"`
	Exclude    []string      `help:"No pages whose path matches." placeholder:"GLOB"`
	EntireSite bool          `help:"Read the pages of the whole host, not only those below the path of the URL."`
	Subdomains bool          `help:"Add the other hosts of the domain."`
	Webhook    string        `help:"Tell this address of changes, by signed POSTs." placeholder:"URL"`
}

func (monitorAddCmd) Help() string {
	return `Stores a monitor. "spyhop serve" and "spyhop monitor run" run its rounds. The first round
finds the pages; later ones read the start, pages that are new, and known pages at the
rate at which they were seen to change. With --webhook it prints the secret with which the
receiver checks signatures.

Examples:

    spyhop monitor add example.com/docs --every 6h
    spyhop monitor add example.com --include '/news/*' --webhook https://hooks.example.org/take
` + exitHelp
}

func (c *monitorAddCmd) Run(s *session) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	m, err := client.AddMonitor(s.ctx, spyhop.MonitorRequest{URLs: c.URLs, Every: c.Every, MaxPages: c.MaxPages, MaxDepth: c.MaxDepth, Include: c.Include, Exclude: c.Exclude,
		Subdomains: c.Subdomains, EntireSite: c.EntireSite, Webhook: c.Webhook})
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(m)
		return nil
	}
	fmt.Fprintln(s.stdout, printable(m.Monitor))
	if m.WebhookSecret != "" {
		fmt.Fprintln(s.stderr, "the secret of the webhook: "+printable(m.WebhookSecret))
	}
	if !s.cli.Quiet {
		s.screen.fact("next", "spyhop serve or spyhop monitor run runs it; spyhop monitor show "+m.Monitor+" prints what changed")
	}
	return nil
}

type monitorListCmd struct{}

func (monitorListCmd) Help() string {
	return `Prints the monitors of this user, the newest first.

Examples:

    spyhop monitor list
    spyhop monitor list --json
` + exitHelp
}

func (monitorListCmd) Run(s *session) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	all, err := client.Monitors(s.ctx)
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(all)
		return nil
	}
	for _, m := range all {
		last := "not yet"
		if !m.Last.IsZero() {
			last = m.Last.Format("2006-01-02 15:04")
		}
		fmt.Fprintf(s.stdout, "%s\tevery %s\t%s\t%s, %s\t%s\n", printable(m.Monitor), m.Every, last, text.Count(int(m.Pages), "page"), text.Count(int(m.Changes), "change"), printable(strings.Join(m.URLs, " ")))
		for _, n := range m.Notices {
			s.screen.fact("notice", n)
		}
	}
	if len(all) == 0 && !s.cli.Quiet {
		s.screen.fact("monitors", "none yet; spyhop monitor add URL makes one")
	}
	return nil
}

type monitorShowCmd struct {
	Monitor string `arg:"" help:"The monitor, for example c7."`
	Since   string `help:"Only changes from this time on: a date, a time, or a duration such as 24h." placeholder:"TIME"`
}

func (monitorShowCmd) Help() string {
	return `Prints the changes that a monitor has seen, the oldest first: time, added, changed or gone,
address, title.

Examples:

    spyhop monitor show c7
    spyhop monitor show --since 24h c7
` + exitHelp
}

func (c *monitorShowCmd) Run(s *session) error {
	since, err := crawl.ParseSince(c.Since, time.Now())
	if err != nil {
		return err
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	list, err := client.MonitorChanges(s.ctx, c.Monitor, 0, since, 100_000)
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(list)
		return nil
	}
	for _, l := range list.Changes {
		fmt.Fprintf(s.stdout, "%s\t%s\t%s\t%s\n", l.At.Format("2006-01-02 15:04"), printable(string(l.Change)), printable(l.URL), printable(l.Title))
	}
	if len(list.Changes) == 0 && !s.cli.Quiet {
		s.screen.fact("changes", "none")
	}
	return nil
}

type monitorRemoveCmd struct {
	Monitor string `arg:"" help:"The monitor, for example c7, or its address."`
}

func (monitorRemoveCmd) Help() string {
	return `Removes a monitor with what it knows.

Examples:

    spyhop monitor remove c7
    spyhop monitor remove https://example.com/docs
` + exitHelp
}

func (c *monitorRemoveCmd) Run(s *session) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
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
		i := slices.IndexFunc(all, func(m *spyhop.Monitor) bool { return slices.Contains(m.URLs, u.WithoutFragment().String()) })
		if i < 0 {
			return tool.NewError(tool.InvalidInput, "no monitor begins at this address", "spyhop monitor list prints them")
		}
		id = all[i].Monitor
	}
	return client.RemoveMonitor(s.ctx, id)
}

type monitorRunCmd struct{}

func (monitorRunCmd) Help() string {
	return `Runs what is due: the rounds of monitors, and the crawls that a server has left. It ends with
Ctrl-C; what it has begun goes on the next time. A server does the same by itself.

Examples:

    spyhop monitor run
    spyhop monitor run --quiet
` + exitHelp
}

func (monitorRunCmd) Run(s *session) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	if !s.cli.Quiet {
		s.screen.fact("monitors", "running; press Ctrl-C to stop")
	}
	defer s.untilTerminated()()
	client.RunJobs(s.ctx)
	return nil
}
