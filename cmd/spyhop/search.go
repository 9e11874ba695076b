package main

import (
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/terminal"
)

type searchCmd struct {
	Query      []string `arg:"" help:"What to search for; several words make one query."`
	MaxResults int      `min:"1" max:"50" short:"n" help:"Maximum number of results, from 1 to 50." default:"5" placeholder:"N"`
	Provider   string   `help:"Search provider: a name; a list, of which the next is used when one fails; or fuse, which merges the results of several. Default: WEB_SEARCH_PROVIDER." placeholder:"NAME"`
	Site       string   `help:"Only pages of this host or below this path, for example example.com/docs." placeholder:"HOST"`
	TimeRange  string   `help:"Only pages from the last day, week, month or year." placeholder:"RANGE"`
	StartDate  string   `name:"start" help:"Only pages from this date or later, for example 2006-01-02." placeholder:"DATE"`
	EndDate    string   `name:"end" help:"Only pages from this date or earlier." placeholder:"DATE"`
	Country    string   `help:"Country as two letters, for example DE." placeholder:"CODE"`
	Language   string   `help:"Language as two letters, for example de." placeholder:"CODE"`
	Topic      string   `help:"web, news, images or videos." enum:",web,news,images,videos" default:"" placeholder:"TOPIC"`
	Allowed    []string `name:"allow" help:"Only results from these domains." placeholder:"DOMAIN"`
	Blocked    []string `name:"block" help:"No results from these domains." placeholder:"DOMAIN"`
	Prefer     []string `help:"Results from these domains first." placeholder:"DOMAIN"`

	IncludeContent bool `name:"content" help:"Also fetch the first five pages and print their content."`
	MaxTokens      int  `min:"1" help:"Maximum number of tokens of all contents together (an estimate)." default:"1800" placeholder:"N"`
}

func (c *searchCmd) run(s *session, client *spyhop.Client) error {
	text := strings.Join(c.Query, " ")
	s.screen.start("searching for " + text)
	q := spyhop.SearchRequest{Text: text}
	fill(&q, *c)
	a, err := client.Search(s.ctx, q)
	s.screen.clear()
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(a)
	} else {
		s.results(a)
	}
	s.screen.fact("provider", a.Provider)
	if len(a.Results) == 0 {
		s.screen.fact("results", "none; try fewer or other words")
	}
	s.screen.facts("notice", a.Notices)
	return nil
}

// results prints an answer as text for people.
func (s *session) results(a *spyhop.SearchAnswer) {
	for i, r := range a.Results {
		if i > 0 {
			fmt.Fprintln(s.stdout)
		}
		title := printable(r.Title)
		title = s.screen.paintOut(bold, title)
		fmt.Fprintf(s.stdout, "%d. %s\n   %s\n", i+1, title, printable(r.URL))
		if r.Published != "" {
			fmt.Fprintf(s.stdout, "   %s\n", printable(r.Published))
		}
		if r.Snippet != "" {
			fmt.Fprintln(s.stdout, terminal.Wrap("   "+printable(r.Snippet), s.screen.columns, "   "))
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
