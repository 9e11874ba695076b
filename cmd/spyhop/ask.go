package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type askCmd struct {
	Question  []string      `arg:"" help:"The question; several words make one question."`
	Tools     []string      `help:"Tools that the model may call. Default: web_search, web_fetch and the browser tools." placeholder:"NAME"`
	MaxSteps  int           `min:"1" help:"Maximum number of tool calls." default:"12" placeholder:"N"`
	MaxTokens int           `min:"1" help:"Maximum number of tokens that the model reads and writes." default:"60000" placeholder:"N"`
	Timeout   time.Duration `help:"Stop after this time." default:"5m" placeholder:"DURATION"`
}

func (askCmd) Help() string {
	return `A language model searches and reads the web with the tools, and then answers the
question. stderr shows each tool call. stdout gets the answer and the pages that it
cites; all of them were read. Quotations that are not on these pages are marked. --json
prints the whole transcript.

WEB_MODEL selects the model: openai/NAME, anthropic/NAME, gemini/NAME or openrouter/NAME,
each with its key; ollama/NAME, vllm/NAME or llamacpp/NAME on this machine; or any
OpenAI-compatible endpoint, with WEB_MODEL_URL.

Examples:

    spyhop ask "how do whales sleep?"
    spyhop ask --web-model ollama/qwen3 --max-steps 6 "what is new in Go 1.24?"
    spyhop ask --json --tools web_fetch "what does https://example.com/ say?"
` + exitHelp
}

// askOutcome is what --json prints: the transcript, and the error when there is
// no answer.
type askOutcome struct {
	Success bool `json:"success"`
	*spyhop.AgentAnswer
	Error *tool.Error `json:"error,omitempty"`
}

func (c *askCmd) Run(s *session) error {
	if c.Timeout <= 0 {
		return tool.NewError(tool.InvalidInput, "--timeout must be greater than 0", "leave it out to use the default")
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
	if !s.cli.Quiet {
		s.screen.start("the model thinks")
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
	s.markdown(answerText(a))
	if !s.cli.Quiet {
		s.stdout.Flush()
		s.askFacts(a)
	}
	return nil
}

// answerText returns the answer, followed by the pages that it cites.
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

// askFacts prints facts about an answer: model, limits that were reached,
// citations and quotations.
func (s *session) askFacts(a *spyhop.AgentAnswer) {
	estimated := ""
	if a.Usage.Estimated {
		estimated = " (in part estimated)"
	}
	s.screen.fact("model", fmt.Sprintf("%s, %s, %s, %d tokens read, %d written%s, %.1f s", a.Model, text.Count(a.Usage.Turns, "turn"), text.Count(a.Usage.Steps, "call"),
		a.Usage.TokensIn, a.Usage.TokensOut, estimated, a.Usage.Seconds))
	if a.Stopped != "" {
		s.screen.fact("stopped", string(a.Stopped)+"; the answer uses only what was read before that")
	}
	if len(a.Citations) == 0 {
		s.screen.fact("citations", "none; the answer cites no page that was read")
	}
	wrong := 0
	for _, q := range a.Quotes {
		if !q.Verified {
			wrong++
		}
	}
	if wrong > 0 {
		s.screen.fact("quotes", fmt.Sprintf("%d of %d are not on any page that was read", wrong, len(a.Quotes)))
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
