package main

import (
	"fmt"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
)

type mapCmd struct {
	URL        string        `arg:"" name:"url" help:"A page of the site."`
	Query      string        `help:"Only pages whose URL or title has words of this, best first." placeholder:"WORDS"`
	Include    []string      `help:"Only pages whose path matches, for example /docs/*." placeholder:"GLOB"`
	Exclude    []string      `help:"No pages whose path matches." placeholder:"GLOB"`
	Subdomains bool          `help:"Add the other hosts of the domain."`
	Sources    []string      `help:"Where to look: sitemap, feed, llms.txt, links. Default: everywhere." placeholder:"NAME"`
	After      string        `name:"since" help:"Only pages that changed since this date, for example 2026-01-31 or 7d." placeholder:"DATE"`
	Limit      int           `min:"0" short:"n" help:"Print at most this many pages; 0 prints all." default:"0" placeholder:"N"`
	Tree       bool          `help:"Print the folders of the site with their numbers of pages instead of the pages."`
	Timeout    time.Duration `help:"Maximum time for the whole call, for example 30s. Default: WEB_FETCH_TIMEOUT_MS." placeholder:"TIME"`
	replayFlags
}

func (c *mapCmd) run(s *session, client *spyhop.Client) error {
	since, err := crawl.ParseSince(c.After, time.Now())
	if err != nil {
		return err
	}
	for _, name := range c.Sources {
		if !crawl.IsSource(name) {
			return s.usage(fmt.Sprintf("--sources: there is no source %q; the sources are sitemap, feed, llms.txt and links", name))
		}
	}
	s.screen.start("looking for the pages of " + c.URL)
	m, err := client.Map(s.ctx, spyhop.MapRequest{Since: since, URL: c.URL, Query: c.Query, Include: c.Include, Exclude: c.Exclude, Subdomains: c.Subdomains, Sources: c.Sources, Timeout: c.Timeout})
	s.screen.clear()
	if err != nil {
		return err
	}
	facts := crawl.MapFacts(m)
	if c.Limit > 0 && len(m.Links) > c.Limit {
		m.Links = m.Links[:c.Limit]
	}
	switch {
	case s.cli.JSON:
		s.print(m)
	case c.Tree:
		const lines = 60
		for _, p := range crawl.Tree(m.Links, lines) {
			fmt.Fprintln(s.stdout, printable(p.String()))
		}
	default:
		for _, l := range m.Links {
			fmt.Fprintln(s.stdout, printable(l.URL))
		}
	}
	s.screen.fact("map", facts)
	s.screen.facts("notice", m.Notices)
	if len(m.Links) == 0 {
		s.screen.fact("pages", "none matches the query; try other words, or leave --query out")
	}
	return nil
}
