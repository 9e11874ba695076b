package main

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/recall"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
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
	a, err := client.Search(s.ctx, spyhop.SearchRequest{Text: text, MaxResults: c.MaxResults, Provider: c.Provider, Site: c.Site, TimeRange: c.TimeRange,
		StartDate: c.StartDate, EndDate: c.EndDate, Country: c.Country, Language: c.Language, Topic: c.Topic, Prefer: c.Prefer,
		Allowed: c.Allowed, Blocked: c.Blocked, IncludeContent: c.IncludeContent, MaxTokens: c.MaxTokens})
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
func (s *session) results(a *result.Search) {
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
