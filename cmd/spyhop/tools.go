package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type toolsCmd struct {
	OpenAI    bool     `name:"openai" xor:"form" help:"Print the tools as JSON for an OpenAI chat request."`
	Anthropic bool     `xor:"form" help:"Print the tools as JSON for an Anthropic messages request."`
	Prompt    bool     `xor:"form" help:"Print the tools as lines for a system prompt."`
	Tree      bool     `xor:"form" help:"Print the tools as a tree, by kind and level."`
	Markdown  bool     `xor:"form" help:"Print the tools as a Markdown document (docs/tools.md)."`
	Profile   []string `help:"Print only the tools of these profiles: core, browser, classic, crawl, all." placeholder:"NAME"`
}

func (c *toolsCmd) run(s *session) error {
	profiles := make([]tool.Profile, len(c.Profile))
	for i, p := range c.Profile {
		switch profiles[i] = tool.Profile(p); profiles[i] {
		case tool.Core, tool.BrowserTools, tool.Classic, tool.Crawl, tool.All:
		default:
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("profile %q is unknown", p), "use core, browser, classic, crawl or all")
		}
	}
	client, err := s.idle()
	if err != nil {
		return err
	}
	defer client.Close()
	tools := client.Catalog().List(profiles...)
	var out []byte
	switch {
	case c.OpenAI:
		out, err = tool.OpenAI(tools)
	case c.Anthropic:
		out, err = tool.Anthropic(tools)
	case c.Prompt:
		out = []byte(tool.Prompt(tools))
	case c.Tree:
		out = []byte(tool.Tree(tools))
	case c.Markdown:
		out = []byte(tool.Markdown(tools))
	case s.cli.JSON:
		out, err = tool.JSON(tools)
	default:
		longest := 0
		for _, d := range tools {
			longest = max(longest, len(d.Name))
		}
		for _, d := range tools {
			line := fmt.Sprintf("%-*s  %s", longest, d.Name, d.Summary())
			out = append(out, terminal.Wrap(line, s.screen.columns, strings.Repeat(" ", longest+2))+"\n"...)
		}
	}
	if err != nil {
		return err
	}
	s.stdout.WriteString(s.shown(string(out)))
	return nil
}

type callCmd struct {
	Tool string `arg:"" help:"Name of the tool; spyhop tools lists the names."`
	Args string `arg:"" optional:"" name:"json" help:"Arguments as a JSON object; - reads stdin."`
}

func (c *callCmd) run(s *session, client *spyhop.Client) error {
	args := []byte(c.Args)
	if c.Args == "-" {
		var err error
		if args, err = s.file("-", tool.MaxArgumentBytes); err != nil {
			return err
		}
	}
	s.screen.start("calling " + c.Tool)
	r, err := client.Call(s.ctx, c.Tool, json.RawMessage(args), tool.Options{Caller: "cli", Session: tool.Alone, Given: true})
	s.screen.clear()
	if err != nil {
		return err
	}
	s.screen.facts("notice", r.Notices)
	object, err := r.Object()
	if err != nil {
		return err
	}
	if !s.printed(object) {
		s.content(r.Text)
	}
	if d, _ := client.Catalog().Lookup(c.Tool); d.Name == "web_browse" && strings.HasPrefix(r.Text, "Error: ") {
		return failed(browseStatus(r.Text))
	}
	return nil
}

type planCmd struct {
	Validate planValidateCmd `cmd:"" help:"Check a plan and list its errors."`
	Run      planRunCmd      `cmd:"" help:"Check a plan and run its steps."`
}

type planValidateCmd struct {
	File string `arg:"" help:"The plan; - reads stdin."`
}

// verdictOnPlan is what "plan validate --json" prints.
type verdictOnPlan struct {
	Valid    bool           `json:"valid"`
	Steps    int            `json:"steps"`
	Problems []tool.Problem `json:"problems"`
}

func (c *planValidateCmd) run(s *session) error {
	p, err := s.plan(c.File)
	if err != nil {
		return err
	}
	client, err := s.idle()
	if err != nil {
		return err
	}
	defer client.Close()
	problems := client.Catalog().CheckPlan(p)
	if len(problems) == 0 && !s.printed(verdictOnPlan{true, len(p.Steps), []tool.Problem{}}) {
		fmt.Fprintf(s.stdout, "the plan is valid: %s\n", text.Count(len(p.Steps), "step"))
	}
	return s.problems(p, problems)
}

type planRunCmd struct {
	File string `arg:"" help:"The plan; - reads stdin."`
}

// planOutcome is what "plan run --json" prints.
type planOutcome struct {
	Success bool              `json:"success"`
	Steps   []tool.StepResult `json:"steps"`
}

func (c *planRunCmd) run(s *session, client *spyhop.Client) error {
	p, err := s.plan(c.File)
	if err != nil {
		return err
	}
	if err := s.problems(p, client.Catalog().CheckPlan(p)); err != nil {
		return err
	}
	start := time.Now()
	options := tool.Options{Caller: "cli", Given: true, Progress: func(e tool.Progress) {
		s.screen.start(e.Message)
	}}
	results, err := client.Catalog().RunPlan(s.ctx, p, options, func(r tool.StepResult) {
		s.screen.clear()
		if !s.cli.JSON && r.Err == nil {
			s.product(r, len(p.Steps))
		}
		if r.Err == nil {
			s.screen.fact(r.ID, fmt.Sprintf("%s, %.1f s", r.Tool, time.Since(start).Seconds()))
			s.screen.facts("notice", r.Result.Notices)
		}
		start = time.Now()
	})
	if s.cli.JSON && results != nil {
		s.print(planOutcome{err == nil, results})
		if err != nil {
			return failed(s.asError(err).ExitCode())
		}
		return nil
	}
	return err
}

// product prints the result of a step, below a line with its id and tool if
// there are several steps.
func (s *session) product(r tool.StepResult, steps int) {
	if steps > 1 {
		fmt.Fprintf(s.stdout, "== %s: %s\n", printable(r.ID), printable(r.Tool))
	}
	s.content(r.Result.Text)
	if steps > 1 {
		s.stdout.WriteByte('\n')
	}
	s.stdout.Flush()
}

// plan reads a plan from a file or from stdin.
func (s *session) plan(file string) (*tool.Plan, error) {
	data, err := s.file(file, maxSmall)
	if err != nil {
		return nil, err
	}
	return tool.ParsePlan(json.RawMessage(data))
}

// problems prints the errors in a plan, one on each line; nil: there are none.
func (s *session) problems(p *tool.Plan, problems []tool.Problem) error {
	if len(problems) == 0 {
		return nil
	}
	if !s.printed(verdictOnPlan{false, len(p.Steps), problems}) {
		for _, problem := range problems {
			fmt.Fprintln(s.stdout, printable(problem.Text()))
		}
	}
	return failed(tool.ExitUsage)
}
