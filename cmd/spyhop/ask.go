package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

type askCmd struct {
	Question  []string      `arg:"" help:"The question; several words are one."`
	Tools     []string      `help:"The only tools that may be called. Left out: web_search, web_fetch and the browser's." placeholder:"NAME"`
	MaxSteps  int           `help:"Most calls of tools." default:"12" placeholder:"N"`
	MaxTokens int           `help:"Most tokens that the model reads and writes." default:"60000" placeholder:"N"`
	Timeout   time.Duration `help:"Give up after this long." default:"5m" placeholder:"DURATION"`
}

func (askCmd) Help() string {
	return `A language model answers, with what it searches and reads by the tools. Each call is
shown on stderr; the answer goes to stdout with the pages that it cites, all of which
were read. Quotations that stand on none of them are marked. --json prints the whole
transcript.

WEB_MODEL says which model: openai/NAME, anthropic/NAME, gemini/NAME, openrouter/NAME
with their keys, ollama/NAME, vllm/NAME, llamacpp/NAME on this machine, or any
OpenAI-compatible endpoint that WEB_MODEL_URL names.
` + exitHelp
}

// askOutcome is what --json prints: the transcript, and why there is no answer.
type askOutcome struct {
	Success bool `json:"success"`
	*spyhop.AgentAnswer
	Error *tool.Error `json:"error,omitempty"`
}

func (c *askCmd) Run(s *session) error {
	if c.MaxSteps < 1 || c.MaxTokens < 1 || c.Timeout <= 0 {
		return tool.NewError(tool.InvalidInput, "a question without steps, tokens or time has no answer", "leave out --max-steps, --max-tokens and --timeout for their defaults")
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	agent, err := client.Agent(spyhop.AgentOptions{Tools: c.Tools, MaxSteps: c.MaxSteps, MaxTokens: c.MaxTokens, Timeout: c.Timeout, OnStep: s.step})
	if err != nil {
		return err
	}
	a, err := agent.Ask(s.ctx, strings.Join(c.Question, " "))
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
	s.content(answerText(a))
	if !s.cli.Quiet {
		s.stdout.Flush()
		s.askFacts(a)
	}
	return nil
}

// answerText is an answer with the pages that it cites.
func answerText(a *spyhop.AgentAnswer) string {
	var b strings.Builder
	b.WriteString(a.Text + "\n")
	for i, c := range a.Citations {
		if i == 0 {
			b.WriteString("\n")
		}
		b.WriteString(c.String() + "\n")
	}
	return b.String()
}

// askFacts says what a reader has to know of an answer beside its text.
func (s *session) askFacts(a *spyhop.AgentAnswer) {
	tokens := a.Usage.TokensIn + a.Usage.TokensOut
	s.screen.fact("model", fmt.Sprintf("%s, %s, %s, %d tokens, %.1f s", a.Model, counted(a.Usage.Turns, "turn"), counted(a.Usage.Steps, "call"), tokens, a.Usage.Seconds))
	if a.Stopped != "" {
		s.screen.fact("stopped", string(a.Stopped)+"; the answer rests on what was read until then")
	}
	if len(a.Citations) == 0 {
		s.screen.fact("citations", "none; the answer rests on nothing that was read")
	}
	wrong := 0
	for _, q := range a.Quotes {
		if !q.Verified {
			wrong++
		}
	}
	if wrong > 0 {
		s.screen.fact("quotes", fmt.Sprintf("%d of %d stand on no page that was read", wrong, len(a.Quotes)))
	}
}

// step shows a call: its head when it begins, what came of it when it is done.
func (s *session) step(e spyhop.AgentStep) {
	if s.cli.Quiet {
		return
	}
	s.screen.clear()
	head := s.screen.paint(green, "●") + " " + printable(stepHead(e))
	if !e.Done {
		fmt.Fprintln(s.stderr, head)
		s.screen.start(e.Title + " " + e.Subject)
		return
	}
	if e.Chars == 0 && e.Err != nil && e.Title == e.Tool {
		fmt.Fprintln(s.stderr, head) // it never began
	}
	fmt.Fprintln(s.stderr, "  └ "+printable(stepResult(e)))
}

func stepHead(e spyhop.AgentStep) string { return e.Title + "(" + e.Subject + ")" }

// stepResult says in a line what came of a call.
func stepResult(e spyhop.AgentStep) string {
	var text string
	switch {
	case e.Err != nil:
		message, _, _ := strings.Cut(e.Err.Message, "\n")
		return string(e.Err.Type) + ": " + message
	case e.RedirectURL != "": // to another host: it has to be asked for again
		text = fmt.Sprintf("Redirected to %s (%s)", e.RedirectURL, status(e.Status))
	case e.Results != nil:
		text = "Found " + counted(*e.Results, "result")
	case e.Status != 0:
		text = fmt.Sprintf("Received %s (%s)", size(e.Bytes), status(e.Status))
	default:
		text = "Received " + counted(e.Chars, "character")
	}
	if e.Cached {
		text += " (cached)"
	}
	return text
}
