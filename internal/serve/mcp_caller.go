package serve

//lint:file-ignore SA1019 sampling, roots and logging are deprecated since 2026-07-28 and work for a year more; there is nothing in their place

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file asks a client while a tool runs. In a session the server asks at once.
// Without a session, the result of the call has the questions; the client calls again
// with its answers, and the tool runs again and finds them. Answers of earlier rounds
// come back in the request state. The state needs no signature: a client that could
// forge it could also give that answer, and an answer counts only for its question.

// stateless is the first revision without sessions.
const stateless = "2026-07-28"

// maxAnswers bounds the rounds of one call.
const maxAnswers = 64

// abilities gives a call what its client declared.
func abilities(r *mcp.CallToolRequest, o *tool.Options) *questions {
	c := r.ClientCapabilities()
	if c == nil {
		return nil
	}
	var q *questions
	ask := func(ctx context.Context, p mcp.InputRequest) (reply, error) { return inSession(ctx, r.Session, p) }
	if r.ProtocolVersion() >= stateless {
		q = newQuestions(r.Params)
		ask = q.ask
	}
	if c.Sampling != nil {
		o.Model = clientModel{ask}
	}
	if e := c.Elicitation; e != nil && (e.Form != nil || e.URL == nil) {
		o.Person = clientPerson{ask}
	}
	return q
}

// reply is a client's answer.
type reply struct {
	Text string `json:"text,omitempty"`
	Yes  bool   `json:"yes,omitempty"`
}

type asker func(context.Context, mcp.InputRequest) (reply, error)

type clientModel struct{ ask asker }

// Complete has the client's model answer.
func (m clientModel) Complete(ctx context.Context, q tool.Question) (string, error) {
	if q.MaxTokens == 0 {
		q.MaxTokens = 1000
	}
	r, err := m.ask(ctx, &mcp.CreateMessageParams{
		SystemPrompt: q.System, MaxTokens: int64(q.MaxTokens),
		Messages: []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: q.Text}}},
	})
	if err == nil && r.Text == "" {
		err = tool.NewError(tool.ModelError, "the client's model gave no text", "set WEB_MODEL to use a model of your own")
	}
	return r.Text, err
}

type clientPerson struct{ ask asker }

// Confirm has the client ask its user.
func (p clientPerson) Confirm(ctx context.Context, question string) (bool, error) {
	r, err := p.ask(ctx, &mcp.ElicitParams{Mode: "form", Message: question,
		RequestedSchema: json.RawMessage(`{"type":"object","properties":{}}`)})
	return r.Yes, err
}

// inSession asks at once.
func inSession(ctx context.Context, s *mcp.ServerSession, p mcp.InputRequest) (reply, error) {
	switch p := p.(type) {
	case *mcp.CreateMessageParams:
		r, err := s.CreateMessage(ctx, p)
		if err != nil {
			return reply{}, asked(ctx, "the client's model", err)
		}
		return replyOf(&mcp.CreateMessageWithToolsResult{Content: []mcp.Content{r.Content}}), nil
	case *mcp.ElicitParams:
		r, err := s.Elicit(ctx, p)
		if err != nil {
			return reply{}, asked(ctx, "the client", err)
		}
		return replyOf(r), nil
	}
	return reply{}, errors.New("unknown kind of question")
}

// asked is the error of a question that was not answered.
func asked(ctx context.Context, who string, err error) error {
	if ctx.Err() != nil {
		return tool.AsError(ctx.Err())
	}
	return &tool.Error{Type: tool.ModelError, Message: who + " did not answer", Hint: "try again, or leave out the argument that needs an answer of the client", Cause: err}
}

// replyOf reads a client's result. An unknown result is neither an answer nor consent.
func replyOf(r mcp.InputResponse) reply {
	switch r := r.(type) {
	case *mcp.ElicitResult:
		return reply{Yes: r.Action == "accept"}
	case *mcp.CreateMessageWithToolsResult:
		var parts []string
		for _, c := range r.Content {
			if t, ok := c.(*mcp.TextContent); ok {
				parts = append(parts, t.Text)
			}
		}
		return reply{Text: strings.Join(parts, "\n")}
	}
	return reply{}
}

// questions are those of a call without a session: the ones that were answered
// in earlier rounds, and the ones of this round. Nil has none.
type questions struct {
	mu      sync.Mutex
	answers map[string]reply
	asked   mcp.InputRequestMap
}

func newQuestions(p *mcp.CallToolParamsRaw) *questions {
	q := &questions{answers: make(map[string]reply), asked: make(mcp.InputRequestMap)}
	// A state that is none of ours has no answers: all is asked again.
	if state, err := base64.RawURLEncoding.DecodeString(p.RequestState); err == nil && json.Unmarshal(state, &q.answers) != nil || q.answers == nil {
		q.answers = make(map[string]reply)
	}
	for key, r := range p.InputResponses {
		q.answers[key] = replyOf(r)
	}
	return q
}

// errAsked ends a round.
var errAsked = tool.NewError(tool.ModelError, "the client has to answer first", "call again with its answer")

func (q *questions) ask(_ context.Context, p mcp.InputRequest) (reply, error) {
	text, err := json.Marshal(p)
	if err != nil {
		return reply{}, err
	}
	sum := sha256.Sum256(text)
	key := hex.EncodeToString(sum[:12])
	q.mu.Lock()
	defer q.mu.Unlock()
	if r, ok := q.answers[key]; ok {
		return r, nil
	}
	if len(q.answers)+len(q.asked) >= maxAnswers {
		return reply{}, tool.NewError(tool.ModelError, "the call asks too much of the client", "ask for less at a time")
	}
	q.asked[key] = p
	return reply{}, errAsked
}

// open is the result that asks; nil: nothing is left to ask.
func (q *questions) open() *mcp.CallToolResult {
	if q == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.asked) == 0 {
		return nil
	}
	state, err := json.Marshal(q.answers)
	if err != nil {
		return nil // it has only strings and booleans
	}
	return &mcp.CallToolResult{InputRequests: q.asked, RequestState: base64.RawURLEncoding.EncodeToString(state)}
}
