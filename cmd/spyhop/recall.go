package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type recallCmd struct {
	Query  []string `arg:"" optional:"" help:"Words to look for in the pages that were read; several make one query."`
	Site   string   `help:"Only pages of this host and its subdomains." placeholder:"HOST"`
	Since  string   `help:"Only pages that were last read since this date, for example 2026-01-31 or 7d." placeholder:"DATE"`
	Job    string   `help:"Only pages that this crawl has read." placeholder:"JOB"`
	Limit  int      `min:"1" max:"10" short:"n" help:"Print at most this many pages, up to 10." default:"5" placeholder:"N"`
	Forget string   `help:"Remove the pages of this host and its subdomains from what can be recalled; all removes every page." placeholder:"SITE"`
	For    string   `help:"Whose pages: the name of a token of spyhop serve, or anonymous for its callers without one. Default: local, the command and MCP on stdio." placeholder:"NAME"`
	replayFlags
}

func (recallCmd) Help() string {
	return `Searches the pages that were read before, by their words, and quotes them: the address and
the version of the page, the passage, its place in characters, and a text fragment that
leads to it in a browser. Nothing is requested from the network; the policy judges each
page again.

Every page that spyhop reads can be recalled, for 90 days and within WEB_RECALL_BYTES;
WEB_RECALL=off switches that off. Pages that were read with a login belong to its owner.
Pages that were read with a password, a token or cookies are not found.

--replay reads the pages of an archive first, once, and searches only these.

Examples:

    spyhop recall how are deadlocks found
    spyhop recall --site docs.example.com --since 7d --json "autovacuum cost delay"
    spyhop recall --forget example.com
    spyhop recall --replay docs.warc.gz how are deadlocks found
` + exitHelp
}

func (c *recallCmd) Run(s *session) error {
	query := strings.Join(c.Query, " ")
	if (query == "") == (c.Forget == "") {
		return tool.NewError(tool.InvalidInput, "recall takes a query or --forget", `run: spyhop recall words to look for`)
	}
	since, err := crawl.ParseSince(c.Since, time.Now())
	if err != nil {
		return err
	}
	o, err := s.configuration()
	if err != nil {
		return err
	}
	o.Owner = c.For
	client, err := s.clientOf(o)
	if err != nil {
		return err
	}
	defer client.Close()
	if c.Forget != "" {
		n, err := client.ForgetPages(s.ctx, c.Forget)
		if err != nil {
			return err
		}
		if s.cli.JSON {
			s.print(map[string]int{"forgotten": n})
		} else {
			s.content("forgot " + text.Count(n, "version") + " of pages")
		}
		return nil
	}
	r, err := client.Recall(s.ctx, spyhop.RecallRequest{Query: query, Site: c.Site, Job: c.Job, Since: since, Pages: c.Limit})
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(r)
		return nil
	}
	for _, p := range r.Pages {
		for _, line := range recall.Lines(p, len(p.Passages)) {
			fmt.Fprintln(s.stdout, printable(line))
		}
	}
	if !s.cli.Quiet {
		s.stdout.Flush()
		s.screen.fact("recall", recall.Facts(r))
		for _, n := range r.Notices {
			s.screen.fact("notice", n)
		}
	}
	return nil
}
