package model

import (
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/llm"
)

// messages is Anthropic's Messages API: POST /messages.
type messages struct{}

// anthropicVersion is the API's version.
const anthropicVersion = "2023-06-01"

// answerName names the schema of a structured answer. In this API it is a tool
// that the model must call, which works with every model.
const answerName = "answer"

type anthropicRequest struct {
	Model      string             `json:"model"`
	MaxTokens  int                `json:"max_tokens"`
	System     string             `json:"system,omitempty"`
	Messages   []anthropicMessage `json:"messages"`
	Tools      []anthropicTool    `json:"tools,omitempty"`
	ToolChoice any                `json:"tool_choice,omitempty"`
}

type anthropicTool struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	InputSchema json.RawMessage `json:"input_schema"`
}

type anthropicMessage struct {
	Role    string           `json:"role"`
	Content []anthropicBlock `json:"content"`
}

type anthropicBlock struct {
	Type      string          `json:"type"`
	Text      string          `json:"text,omitempty"`
	ID        string          `json:"id,omitempty"`
	Name      string          `json:"name,omitempty"`
	Input     json.RawMessage `json:"input,omitempty"`
	ToolUseID string          `json:"tool_use_id,omitempty"`
	Content   resultText      `json:"content,omitempty"`
	IsError   bool            `json:"is_error,omitempty"`
}

// resultText is the content of a tool's result, which only requests have. The
// blocks of an answer may have a list in its place, for example of what the
// server's own search found; it is left out.
type resultText string

// UnmarshalJSON reads nothing.
func (*resultText) UnmarshalJSON([]byte) error { return nil }

// request implements wire.
func (messages) request(c *Client, q *llm.Request) (string, []string, any) {
	r := anthropicRequest{Model: c.model, MaxTokens: q.MaxTokens, System: q.System}
	if r.MaxTokens <= 0 {
		r.MaxTokens = llm.DefaultMaxTokens
	}
	for i := range q.Messages {
		m := anthropicTurn(&q.Messages[i])
		// Roles must alternate: consecutive messages of one role are merged.
		if n := len(r.Messages); n > 0 && r.Messages[n-1].Role == m.Role {
			r.Messages[n-1].Content = append(r.Messages[n-1].Content, m.Content...)
			continue
		}
		r.Messages = append(r.Messages, m)
	}
	for _, t := range q.Tools {
		r.Tools = append(r.Tools, anthropicTool{t.Name, t.Description, t.Schema})
	}
	if q.Schema != nil {
		// The input of a tool must be an object: another schema is wrapped in one.
		r.Tools = []anthropicTool{{answerName, "Gives the answer.", wrapSchema(q.Schema)}}
		r.ToolChoice = map[string]string{"type": "tool", "name": answerName}
	}
	path := "/messages"
	if strings.HasSuffix(c.base, path) {
		path = ""
	}
	return path, []string{"X-Api-Key", c.o.Key, "Anthropic-Version", anthropicVersion}, r
}

// wrapSchema returns schema if it is the schema of an object, else the schema of
// an object whose only property it is.
func wrapSchema(schema json.RawMessage) json.RawMessage {
	if isObjectSchema(schema) {
		return schema
	}
	data, err := json.Marshal(map[string]any{"type": "object", "required": []string{answerName},
		"properties": map[string]any{answerName: schema}})
	if err != nil {
		return schema
	}
	return data
}

// unwrap takes an answer out of the object that wrapSchema added.
func unwrap(schema json.RawMessage, args string) string {
	if isObjectSchema(schema) {
		return args
	}
	var m map[string]json.RawMessage
	if json.Unmarshal([]byte(args), &m) == nil && len(m[answerName]) > 0 {
		return string(m[answerName])
	}
	return args
}

func isObjectSchema(schema json.RawMessage) bool {
	var s struct{ Type string }
	return json.Unmarshal(schema, &s) == nil && s.Type == "object"
}

func anthropicTurn(m *llm.Message) anthropicMessage {
	out := anthropicMessage{Role: "user"}
	for _, r := range m.Results {
		text := r.Text
		if text == "" {
			text = "(empty)"
		}
		out.Content = append(out.Content, anthropicBlock{Type: "tool_result", ToolUseID: r.ID, Content: resultText(text), IsError: r.Failed})
	}
	if m.FromModel || len(m.Calls) > 0 {
		out.Role = "assistant"
	}
	if text := m.Text; strings.TrimSpace(text) != "" || len(m.Calls)+len(m.Results) == 0 {
		if strings.TrimSpace(text) == "" {
			text = "(nothing)" // the API refuses empty blocks
		}
		out.Content = append(out.Content, anthropicBlock{Type: "text", Text: text})
	}
	for _, c := range m.Calls {
		out.Content = append(out.Content, anthropicBlock{Type: "tool_use", ID: c.ID, Name: c.Name, Input: object(c.Args)})
	}
	return out
}

type anthropicReply struct {
	Error      json.RawMessage
	Model      string
	Content    []anthropicBlock
	StopReason string `json:"stop_reason"`
	Usage      struct {
		In      int `json:"input_tokens"`
		Out     int `json:"output_tokens"`
		Cached  int `json:"cache_read_input_tokens"`
		Written int `json:"cache_creation_input_tokens"`
	}
}

// reply implements wire.
func (messages) reply(data []byte) (*llm.Reply, error) {
	var in anthropicReply
	if err := decode(data, &in); err != nil {
		return nil, err
	}
	if isSet(in.Error) {
		return nil, failure(in.Error)
	}
	out := &llm.Reply{Model: in.Model, Usage: llm.Usage{In: in.Usage.In + in.Usage.Cached + in.Usage.Written, Out: in.Usage.Out}}
	switch in.StopReason {
	case "":
		return nil, problem(cut, "")
	case "refusal":
		return nil, problem(refused, "")
	case "max_tokens", "model_context_window_exceeded":
		out.Stop = llm.StopLength
	case "tool_use":
		out.Stop = llm.StopCalls
	default:
		out.Stop = llm.StopEnd
	}
	for _, block := range in.Content { // others are thoughts, and what the service itself has found
		switch block.Type {
		case "text":
			out.Text += block.Text
		case "tool_use":
			out.Calls = append(out.Calls, llm.Call{ID: block.ID, Name: block.Name, Args: string(block.Input)})
		}
	}
	return out, nil
}
