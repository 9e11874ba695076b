package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

type recallCmd struct {
	Query  []string `arg:"" optional:"" help:"Words to look for in the pages that were fetched; several make one query."`
	Site   string   `help:"Only pages of this host and its subdomains." placeholder:"HOST"`
	Since  string   `help:"Only pages that were last fetched since this date, for example 2026-01-31 or 7d." placeholder:"DATE"`
	Job    string   `help:"Only pages that this crawl has fetched." placeholder:"JOB"`
	Limit  int      `min:"1" max:"10" short:"n" help:"Print at most this many pages, up to 10." default:"5" placeholder:"N"`
	Forget string   `help:"Remove the pages of this host and its subdomains from what can be recalled; all removes every page." placeholder:"SITE"`
	For    string   `help:"Whose pages: the name of a token of spyhop serve, or anonymous for its callers without one. Default: local, the command and MCP on stdio." placeholder:"NAME"`
	replayFlags
}

func (c *recallCmd) run(s *session) error {
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
		if err == nil && !s.printed(map[string]int{"forgotten": n}) {
			s.content("forgot " + text.Count(n, "version") + " of pages")
		}
		return err
	}
	r, err := client.Recall(s.ctx, spyhop.RecallRequest{Query: query, Site: c.Site, Job: c.Job, Since: since, Pages: c.Limit})
	if err != nil {
		return err
	}
	if s.printed(r) {
		return nil
	}
	if s.screen.outTerminal && !s.cli.Plain {
		s.markdown(recalled(r))
	} else {
		s.recallLines(r)
	}
	s.screen.fact("recall", recall.Facts(r))
	s.screen.facts("notice", r.Notices)
	return nil
}

// recallLines prints the pages as text for programs: one line for each passage.
func (s *session) recallLines(r *result.Recall) {
	for _, p := range r.Pages {
		for _, line := range recall.Lines(p, len(p.Passages)) {
			fmt.Fprintln(s.stdout, printable(line))
		}
	}
}

// recalled writes the pages as Markdown for a person: a heading for each page, below it its
// URL, then its passages. Passages of several lines, such as code, keep their lines.
func recalled(r *result.Recall) string {
	var b strings.Builder
	for _, p := range r.Pages {
		fmt.Fprintf(&b, "## %s\n%s\nfetched %s, version %s\n\n", escaped(cmp.Or(text.Line(p.Title), p.URL)), escaped(p.URL), p.Seen.Format("2006-01-02"), p.Version)
		section := ""
		for _, q := range p.Passages {
			if q.Section != section {
				section = q.Section
				fmt.Fprintf(&b, "**%s**\n", escaped(text.Line(section)))
			}
			if passage := strings.Trim(q.Text, "\n"); strings.Contains(passage, "\n") {
				fence := "```"
				for strings.Contains(passage, fence) {
					fence += "`"
				}
				b.WriteString(fence + "\n" + passage + "\n" + fence + "\n\n")
			} else {
				b.WriteString("> " + escaped(passage) + "\n\n")
			}
		}
	}
	return b.String()
}

// escaped is a text in which nothing is read as Markdown.
func escaped(s string) string {
	return strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "[", "\\[", "]", "\\]", "<", "\\<", "!", "\\!").Replace(s)
}
