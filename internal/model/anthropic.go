package model

import (
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/llm"
)

// messages is Anthropic's Messages API: POST /messages, with a stream of named
// events for the blocks of one message.
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
	Stream     bool               `json:"stream"`
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
	r := anthropicRequest{Model: c.model, MaxTokens: q.MaxTokens, System: q.System, Stream: true}
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

type anthropicEvent struct {
	Type    string
	Index   int
	Error   json.RawMessage
	Message *anthropicReply
	Block   *anthropicBlock `json:"content_block"`
	Delta   *struct {
		Type, Text string
		Partial    string `json:"partial_json"`
		StopReason string `json:"stop_reason"`
	}

	// anthropicReply has the members of a message, for endpoints that do not
	// stream.
	anthropicReply
}

type anthropicReply struct {
	Model      string
	Content    []anthropicBlock
	StopReason string `json:"stop_reason"`
	Usage      *anthropicUsage
}

type anthropicUsage struct {
	In      int `json:"input_tokens"`
	Out     int `json:"output_tokens"`
	Cached  int `json:"cache_read_input_tokens"`
	Written int `json:"cache_creation_input_tokens"`
}

// event implements wire.
func (messages) event(data []byte, b *builder) (bool, error) {
	var e anthropicEvent
	if err := decode(data, &e); err != nil {
		return false, err
	}
	b.anthropicUsage(e.Usage)
	switch e.Type {
	case "error":
		return false, failure(e.Error)
	case "message_start":
		if e.Message != nil {
			b.reply.Model = e.Message.Model
			b.anthropicUsage(e.Message.Usage)
		}
	case "content_block_start":
		if e.Block != nil {
			return false, b.anthropicBlock(e.Index, e.Block, true)
		}
	case "content_block_delta":
		return false, b.anthropicDelta(&e)
	case "message_delta":
		if e.Delta != nil {
			return false, b.anthropicStop(e.Delta.StopReason)
		}
	case "message_stop":
		return true, nil
	case "message":
		b.reply.Model = e.Model
		for i := range e.Content {
			if err := b.anthropicBlock(i, &e.Content[i], false); err != nil {
				return false, err
			}
		}
		return true, b.anthropicStop(e.StopReason)
	}
	return false, nil // pings, ends of blocks, and unknown events
}

// anthropicBlock handles the start of a block. When the reply streams, later events
// have the block's input.
func (b *builder) anthropicBlock(index int, block *anthropicBlock, streams bool) error {
	switch block.Type {
	case "text":
		return b.write(block.Text)
	case "tool_use":
		call, err := b.call(index)
		if err != nil {
			return err
		}
		call.id, call.name = block.ID, block.Name
		if input := string(block.Input); !streams || input != "{}" && input != "null" {
			return b.argue(call, input)
		}
	}
	return nil
}

func (b *builder) anthropicDelta(e *anthropicEvent) error {
	switch {
	case e.Delta == nil:
		return nil
	case e.Delta.Type == "text_delta":
		return b.write(e.Delta.Text)
	case e.Delta.Type == "input_json_delta":
		call, err := b.call(e.Index)
		if err != nil {
			return err
		}
		return b.argue(call, e.Delta.Partial)
	}
	return nil
}

func (b *builder) anthropicStop(reason string) error {
	switch reason {
	case "":
	case "refusal":
		return problem(Refused, "")
	case "max_tokens", "model_context_window_exceeded":
		b.stop(llm.StopLength)
	case "tool_use":
		b.stop(llm.StopCalls)
	default:
		b.stop(llm.StopEnd)
	}
	return nil
}

// anthropicUsage sets the counted tokens; the counts in the events are totals.
func (b *builder) anthropicUsage(u *anthropicUsage) {
	if u == nil {
		return
	}
	b.reply.Usage.In = max(b.reply.Usage.In, u.In+u.Cached+u.Written)
	b.reply.Usage.Out = max(b.reply.Usage.Out, u.Out)
}
