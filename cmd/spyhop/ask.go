package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type askCmd struct {
	Question  []string      `arg:"" help:"The question; several words make one question."`
	Depth     string        `enum:"quick,deep" help:"quick: one search and one request to the model; deep: the model calls tools." default:"deep"`
	Schema    string        `help:"File with a JSON Schema: the answer is JSON, with evidence for each value." placeholder:"FILE" type:"path"`
	Domains   []string      `help:"Search and fetch only these hosts, for example example.com." placeholder:"HOST"`
	URL       []string      `help:"Begin with this page." placeholder:"URL" name:"url"`
	MaxCost   float64       `help:"Maximum cost in US dollars; needs WEB_MODEL_PRICE." placeholder:"USD"`
	Tools     []string      `help:"Tools that the model may call. Default: web_search, web_fetch and the browser tools." placeholder:"NAME"`
	MaxSteps  int           `min:"1" help:"Maximum number of tool calls." default:"12" placeholder:"N"`
	MaxTokens int           `min:"1" help:"Maximum number of tokens that the model reads and writes." default:"60000" placeholder:"N"`
	Timeout   time.Duration `help:"Stop after this time." default:"5m" placeholder:"DURATION"`
}

// askOutcome is what --json prints: the transcript, and the error when there is
// no answer.
type askOutcome struct {
	Success bool `json:"success"`
	*spyhop.AgentAnswer
	Error *tool.Error `json:"error,omitempty"`
}

func (c *askCmd) run(s *session, client *spyhop.Client) error {
	if c.Timeout <= 0 {
		return tool.NewError(tool.InvalidInput, "--timeout must be greater than 0", "leave it out to use the default")
	}
	q := spyhop.AnswerRequest{Question: strings.Join(c.Question, " "), Depth: spyhop.Depth(c.Depth), Domains: c.Domains, URLs: c.URL, Tools: c.Tools,
		Budget: spyhop.Budget{Calls: c.MaxSteps, Tokens: c.MaxTokens, USD: c.MaxCost}, Timeout: c.Timeout, OnStep: s.step}
	if c.Schema != "" {
		var err error
		if q.Schema, err = s.file(c.Schema, maxSmall); err != nil {
			return err
		}
	}
	s.screen.start("the model thinks")
	a, err := client.Answer(s.ctx, q)
	s.screen.clear()
	if s.cli.JSON {
		out := askOutcome{Success: err == nil, AgentAnswer: a}
		if err != nil {
			out.Error = s.asError(err)
		}
		s.print(out)
		if err != nil {
			return failed(out.Error.ExitCode())
		}
		return nil
	}
	if err != nil {
		return err
	}
	s.markdown(answerText(a))
	s.askFacts(a)
	return nil
}

// answerText returns the answer, followed by its citations.
func answerText(a *spyhop.AgentAnswer) string {
	var b strings.Builder
	if a.Data != nil {
		var indented bytes.Buffer
		_ = json.Indent(&indented, a.Data, "", "  ") // cannot fail: the library validated it
		b.WriteString("```json\n" + indented.String() + "\n```\n\n")
		for _, e := range a.Evidence {
			fmt.Fprintf(&b, "- %s: %s", e.Field, e.Confidence)
			if e.Citation > 0 {
				fmt.Fprintf(&b, " [%d]", e.Citation)
			}
			b.WriteString("\n")
		}
	} else {
		b.WriteString(a.Text + "\n")
	}
	for i, c := range a.Citations {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

// askFacts prints facts about an answer: model, limits that were reached,
// citations and quotations.
func (s *session) askFacts(a *spyhop.AgentAnswer) {
	estimated, cost := "", ""
	if a.Usage.USD > 0 {
		cost = fmt.Sprintf(", $%.4f", a.Usage.USD)
	}
	if a.Usage.Estimated {
		estimated = " (in part estimated)"
	}
	s.screen.fact("model", fmt.Sprintf("%s, %s, %s, %d tokens read, %d written%s%s, %.1f s", a.Model, text.Count(a.Usage.Turns, "turn"), text.Count(a.Usage.Steps, "call"),
		a.Usage.TokensIn, a.Usage.TokensOut, estimated, cost, a.Usage.Seconds))
	if a.Stopped != "" {
		s.screen.fact("stopped", string(a.Stopped)+"; the answer uses only what was read before that")
	}
	s.screen.facts("note", a.Notices)
	if len(a.Citations) == 0 {
		s.screen.fact("citations", "none; no quotation of a page supports the answer")
	}
	if a.Unverified > 0 {
		s.screen.fact("unverified", fmt.Sprintf("%d of %d statements; no quotation of a page supports them", a.Unverified, a.Statements))
	}
}

// step prints a call: its head when it begins, its result when it ends.
func (s *session) step(e spyhop.AgentStep) {
	if s.cli.Quiet {
		return
	}
	s.screen.clear()
	head := s.screen.paint(green, "●") + " " + printable(stepHead(e))
	if !e.Done {
		s.screen.fitted(head, "  ")
		s.screen.start(e.Title + " " + e.Subject)
		return
	}
	if e.Chars == 0 && e.Err != nil && e.Title == e.Tool {
		s.screen.fitted(head, "  ") // the call failed before it began
	}
	s.screen.fitted("  └ "+printable(stepResult(e)), "    ")
	s.screen.start("the model thinks")
}

func stepHead(e spyhop.AgentStep) string { return e.Title + "(" + e.Subject + ")" }

// stepResult describes the result of a call in one line.
func stepResult(e spyhop.AgentStep) string {
	var said string
	switch {
	case e.Err != nil:
		message, _, _ := strings.Cut(e.Err.Message, "\n")
		return string(e.Err.Type) + ": " + message
	case e.RedirectURL != "": // to another host, which needs a new call
		said = fmt.Sprintf("Redirected to %s (%s)", e.RedirectURL, status(e.Status))
	case e.Results != nil:
		said = "Found " + text.Count(*e.Results, "result")
	case e.Status != 0:
		said = fmt.Sprintf("Received %s (%s)", size(e.Bytes), status(e.Status))
	default:
		said = "Received " + text.Count(e.Chars, "character")
	}
	if e.Cached {
		said += " (cached)"
	}
	return said
}
