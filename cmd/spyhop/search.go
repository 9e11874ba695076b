package main

import (
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop"
)

type searchCmd struct {
	Query      []string `arg:"" help:"What to look for; several words are one query."`
	MaxResults int      `short:"n" help:"Most results, from 1 to 50." default:"5" placeholder:"N"`
	Provider   string   `help:"Who is asked: a name, a list that fails over, or fuse. Left out: WEB_SEARCH_PROVIDER." placeholder:"NAME"`
	Site       string   `help:"Only below this host, as example.com/docs." placeholder:"HOST"`
	TimeRange  string   `help:"Only as new as this: day, week, month or year." placeholder:"RANGE"`
	Start      string   `help:"Not older than this, as 2006-01-02." placeholder:"DATE"`
	End        string   `help:"Not newer than this." placeholder:"DATE"`
	Country    string   `help:"Two letters, as DE." placeholder:"CODE"`
	Language   string   `help:"Two letters, as de." placeholder:"CODE"`
	Allow      []string `help:"Only results of these domains." placeholder:"DOMAIN"`
	Block      []string `help:"No results of these domains." placeholder:"DOMAIN"`
	Content    bool     `help:"Read the first five pages too, and print their content."`
	MaxTokens  int      `help:"Most tokens of the contents together, by estimate." default:"1800" placeholder:"N"`
}

func (searchCmd) Help() string {
	return `Results go to stdout, who answered to stderr. Without any setting DuckDuckGo is asked;
"spyhop config" shows the keys of others. Names besides these are wikipedia,
stackexchange, hackernews, github, arxiv and crossref.
` + exitHelp
}

func (c *searchCmd) Run(s *session) error {
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	text := strings.Join(c.Query, " ")
	if !s.cli.Quiet {
		s.screen.start("searching for " + text)
	}
	a, err := client.Search(s.ctx, spyhop.SearchRequest{Text: text, MaxResults: c.MaxResults, Provider: c.Provider, Site: c.Site,
		TimeRange: c.TimeRange, StartDate: c.Start, EndDate: c.End, Country: c.Country, Language: c.Language,
		Allowed: c.Allow, Blocked: c.Block, IncludeContent: c.Content, MaxTokens: c.MaxTokens})
	s.screen.clear()
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(a)
	} else {
		s.results(a)
	}
	if !s.cli.Quiet {
		s.stdout.Flush()
		s.screen.fact("provider", a.Provider)
		if len(a.Results) == 0 {
			s.screen.fact("results", "none; try fewer or other words")
		}
		for _, n := range a.Notices {
			s.screen.fact("notice", n)
		}
	}
	return nil
}

// results prints an answer for people.
func (s *session) results(a *spyhop.SearchAnswer) {
	for i, r := range a.Results {
		if i > 0 {
			fmt.Fprintln(s.stdout)
		}
		title := printable(r.Title)
		if s.screen.outTerminal {
			title = s.screen.paint(bold, title)
		}
		fmt.Fprintf(s.stdout, "%d. %s\n   %s\n", i+1, title, r.URL)
		if r.Published != "" {
			fmt.Fprintf(s.stdout, "   %s\n", printable(r.Published))
		}
		if r.Snippet != "" {
			fmt.Fprintf(s.stdout, "   %s\n", printable(r.Snippet))
		}
		if r.Error != nil {
			fmt.Fprintf(s.stdout, "   not read: %s\n", printable(r.Error.Message))
		}
		if r.Content != "" {
			fmt.Fprintln(s.stdout)
			s.content(strings.TrimSpace(r.Content))
		}
	}
}
