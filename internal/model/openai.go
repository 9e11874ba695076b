package model

import (
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
)

// chat is OpenAI's Chat Completions API, which most servers implement: POST
// /chat/completions. Gemini has it at /v1beta/openai.
type chat struct{}

type chatRequest struct {
	Model               string        `json:"model"`
	Messages            []chatMessage `json:"messages"`
	Tools               []chatTool    `json:"tools,omitempty"`
	MaxTokens           int           `json:"max_tokens,omitempty"`
	MaxCompletionTokens int           `json:"max_completion_tokens,omitempty"`
	ResponseFormat      any           `json:"response_format,omitempty"`
}

type chatMessage struct {
	Role       string     `json:"role"`
	Content    *string    `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type chatTool struct {
	Type     string       `json:"type"`
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Parameters  json.RawMessage `json:"parameters,omitempty"`
}

type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	} `json:"function"`
	// Extra has Gemini's signature of the model's thoughts, which has to go back
	// with the call.
	Extra json.RawMessage `json:"extra_content,omitempty"`
}

// request implements wire.
func (chat) request(c *Client, q *llm.Request) (string, []string, any) {
	limit := q.MaxTokens
	if limit <= 0 {
		limit = llm.DefaultMaxTokens
	}
	r := chatRequest{Model: c.model}
	if c.provider.newLimit {
		r.MaxCompletionTokens = limit
	} else {
		r.MaxTokens = limit
	}
	if q.System != "" {
		r.Messages = append(r.Messages, chatMessage{Role: "system", Content: &q.System})
	}
	for i := range q.Messages {
		r.Messages = append(r.Messages, chatTurns(&q.Messages[i])...)
	}
	for _, t := range q.Tools {
		r.Tools = append(r.Tools, chatTool{"function", chatFunction{t.Name, t.Description, t.Schema}})
	}
	if q.Schema != nil {
		r.ResponseFormat = map[string]any{"type": "json_schema",
			"json_schema": map[string]any{"name": answerName, "schema": q.Schema}}
	}
	auth := ""
	if c.o.Key != "" {
		auth = "Bearer " + c.o.Key
	}
	path := "/chat/completions"
	if strings.HasSuffix(c.base, path) {
		path = ""
	}
	return path, []string{"Authorization", auth}, r
}

// chatTurns encodes a message. Each result of a call becomes a separate message.
func chatTurns(m *llm.Message) []chatMessage {
	if len(m.Results) > 0 {
		out := make([]chatMessage, len(m.Results))
		for i := range m.Results {
			out[i] = chatMessage{Role: "tool", Content: &m.Results[i].Text, ToolCallID: m.Results[i].ID}
		}
		return out
	}
	if !m.FromModel && len(m.Calls) == 0 {
		return []chatMessage{{Role: "user", Content: &m.Text}}
	}
	out := chatMessage{Role: "assistant"}
	if m.Text != "" || len(m.Calls) == 0 {
		out.Content = &m.Text
	}
	for _, c := range m.Calls {
		call := chatCall{ID: c.ID, Type: "function", Extra: json.RawMessage(c.State)}
		call.Function.Name = c.Name
		// Gemini and vLLM refuse arguments that are not JSON.
		call.Function.Arguments, _ = json.Marshal(string(object(c.Args))) // cannot fail: a string encodes
		out.ToolCalls = append(out.ToolCalls, call)
	}
	return []chatMessage{out}
}

type chatReply struct {
	Model   string
	Error   json.RawMessage
	Choices []struct {
		Message struct {
			Content json.RawMessage
			Refusal string
			Calls   []chatCall `json:"tool_calls"`
		}
		Finish string `json:"finish_reason"`
	}
	Usage struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	}
}

// maxState bounds what an endpoint wants back with a call, in bytes.
const maxState = 256 << 10

// reply implements wire.
func (chat) reply(data []byte) (*llm.Reply, error) {
	var in chatReply
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	if isSet(in.Error) {
		return nil, failure(in.Error)
	}
	if len(in.Choices) == 0 {
		return nil, problem(cut, "")
	}
	m := in.Choices[0].Message
	out := &llm.Reply{Model: in.Model, Text: textOf(m.Content), Usage: llm.Usage{In: in.Usage.In, Out: in.Usage.Out}}
	if m.Refusal != "" {
		return nil, problem(refused, "%s", m.Refusal)
	}
	switch in.Choices[0].Finish {
	case "":
		return nil, problem(cut, "")
	case "length":
		out.Stop = llm.StopLength
	case "tool_calls", "function_call":
		out.Stop = llm.StopCalls
	case "content_filter":
		return nil, problem(refused, "a content filter ended the answer")
	default:
		out.Stop = llm.StopEnd
	}
	for _, c := range m.Calls {
		call := llm.Call{ID: c.ID, Name: c.Function.Name, Args: string(c.Function.Arguments)}
		// Mostly a string; some servers send an object.
		var args string
		if json.Unmarshal(c.Function.Arguments, &args) == nil {
			call.Args = args
		}
		if isSet(c.Extra) && len(c.Extra) <= maxState {
			call.State = string(c.Extra)
		}
		out.Calls = append(out.Calls, call)
	}
	return out, nil
}

// textOf returns the text of a content, which is a string or a list of parts.
func textOf(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var parts []struct{ Text string }
	if json.Unmarshal(raw, &parts) != nil {
		return ""
	}
	var text strings.Builder
	for _, p := range parts {
		text.WriteString(p.Text)
	}
	return text.String()
}

// isSet reports whether a member is present and not null.
func isSet(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// failure returns the error for the member "error" of a reply.
func failure(raw json.RawMessage) *replyError {
	cause, kind := said(raw)
	return &replyError{Code: codeOf(0, kind, cause), Cause: text.Quoted(cause)}
}
