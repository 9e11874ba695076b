package main

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/terminal"
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
