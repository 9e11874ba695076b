package model

import (
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/llm"
)

// chat is OpenAI's Chat Completions API, which most servers implement: POST
// /chat/completions, with a stream of chunks that ends in [DONE]. Gemini has it at
// /v1beta/openai: its calls come whole and have no index.
type chat struct{}

type chatRequest struct {
	Model               string          `json:"model"`
	Messages            []chatMessage   `json:"messages"`
	Tools               []chatTool      `json:"tools,omitempty"`
	Stream              bool            `json:"stream"`
	StreamOptions       map[string]bool `json:"stream_options"`
	MaxTokens           int             `json:"max_tokens,omitempty"`
	MaxCompletionTokens int             `json:"max_completion_tokens,omitempty"`
	ResponseFormat      any             `json:"response_format,omitempty"`
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
	Index    *int   `json:"index,omitempty"`
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
	r := chatRequest{Model: c.model, Stream: true, StreamOptions: map[string]bool{"include_usage": true}}
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

type chatChunk struct {
	Model   string
	Error   json.RawMessage
	Choices []struct {
		Delta   *chatDelta
		Message *chatDelta // of endpoints that do not stream
		Finish  string     `json:"finish_reason"`
	}
	Usage *struct {
		In  int `json:"prompt_tokens"`
		Out int `json:"completion_tokens"`
	}
}

type chatDelta struct {
	Content json.RawMessage
	Refusal string
	Calls   []chatCall `json:"tool_calls"`
}

// event implements wire.
func (chat) event(data []byte, b *builder) (bool, error) {
	if string(data) == "[DONE]" {
		return true, nil
	}
	var chunk chatChunk
	if err := decode(data, &chunk); err != nil {
		return false, err
	}
	if isSet(chunk.Error) {
		return false, failure(chunk.Error)
	}
	if chunk.Model != "" {
		b.reply.Model = chunk.Model
	}
	if chunk.Usage != nil {
		b.reply.Usage = llm.Usage{In: chunk.Usage.In, Out: chunk.Usage.Out}
	}
	if len(chunk.Choices) == 0 {
		return false, nil
	}
	choice := chunk.Choices[0]
	delta := choice.Delta
	if delta == nil {
		delta = choice.Message
	}
	if delta != nil {
		if err := delta.read(b); err != nil {
			return false, err
		}
	}
	switch choice.Finish {
	case "":
	case "length":
		b.stop(llm.StopLength)
	case "tool_calls", "function_call":
		b.stop(llm.StopCalls)
	case "content_filter":
		return false, problem(Refused, "a content filter ended the answer")
	default:
		b.stop(llm.StopEnd)
	}
	return false, nil
}

// maxState bounds what an endpoint wants back with a call, in bytes.
const maxState = 256 << 10

func (d *chatDelta) read(b *builder) error {
	if d.Refusal != "" {
		return problem(Refused, "%s", d.Refusal)
	}
	if err := b.write(textOf(d.Content)); err != nil {
		return err
	}
	for _, c := range d.Calls {
		call, err := b.chatCall(&c)
		if err != nil {
			return err
		}
		if c.ID != "" {
			call.id = c.ID
		}
		if c.Function.Name != "" {
			call.name = c.Function.Name
		}
		if isSet(c.Extra) && len(c.Extra) <= maxState {
			call.state = string(c.Extra)
		}
		// Mostly a string with a part of the arguments; some servers send an object.
		args := string(c.Function.Arguments)
		var part string
		if json.Unmarshal(c.Function.Arguments, &part) == nil {
			args = part
		}
		if err := b.argue(call, args); err != nil {
			return err
		}
	}
	return nil
}

// chatCall returns the call that a part belongs to. Without an index, a new ID or a
// name starts a call, and another part belongs to the last call.
func (b *builder) chatCall(c *chatCall) (*callBuilder, error) {
	if c.Index != nil {
		return b.call(*c.Index)
	}
	for i := len(b.calls) - 1; i >= 0; i-- {
		if b.calls[i].id == c.ID && c.ID != "" || c.ID == "" && c.Function.Name == "" {
			return b.calls[i], nil
		}
	}
	return b.call(-1 - len(b.calls)) // negative: differs from every index of an endpoint
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

// failure returns the error for the member "error" of an event.
func failure(raw json.RawMessage) *Error {
	cause, kind := said(raw)
	return &Error{Code: codeOf(0, kind, cause), Cause: text.Quoted(cause)}
}
