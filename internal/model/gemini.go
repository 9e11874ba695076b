package model

import (
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/llm"
)

// gemini is Google's generateContent: POST
// /models/NAME:streamGenerateContent?alt=sse, with a stream of partial
// responses. Calls are never split, and mostly have no ID.
type gemini struct{}

type geminiRequest struct {
	System     *geminiContent  `json:"systemInstruction,omitempty"`
	Contents   []geminiContent `json:"contents"`
	Tools      []any           `json:"tools,omitempty"`
	Generation map[string]any  `json:"generationConfig"`
}

type geminiContent struct {
	Role  string       `json:"role,omitempty"`
	Parts []geminiPart `json:"parts"`
}

type geminiPart struct {
	Text      string          `json:"text,omitempty"`
	Thought   bool            `json:"thought,omitempty"`
	Signature string          `json:"thoughtSignature,omitempty"`
	Call      *geminiCall     `json:"functionCall,omitempty"`
	Response  *geminiResponse `json:"functionResponse,omitempty"`
}

type geminiCall struct {
	ID   string          `json:"id,omitempty"`
	Name string          `json:"name"`
	Args json.RawMessage `json:"args,omitempty"`
}

type geminiResponse struct {
	ID       string            `json:"id,omitempty"`
	Name     string            `json:"name"`
	Response map[string]string `json:"response"`
}

type geminiFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description,omitempty"`
	Schema      json.RawMessage `json:"parametersJsonSchema,omitempty"`
}

// request implements wire.
func (gemini) request(c *Client, q *llm.Request) (string, []string, any) {
	limit := q.MaxTokens
	if limit <= 0 {
		limit = llm.DefaultMaxTokens
	}
	r := geminiRequest{Generation: map[string]any{"maxOutputTokens": limit}}
	if q.System != "" {
		r.System = &geminiContent{Parts: []geminiPart{{Text: q.System}}}
	}
	for i := range q.Messages {
		r.Contents = append(r.Contents, geminiTurn(&q.Messages[i]))
	}
	if len(q.Tools) > 0 {
		functions := make([]geminiFunction, len(q.Tools))
		for i, t := range q.Tools {
			functions[i] = geminiFunction(t)
		}
		r.Tools = []any{map[string]any{"functionDeclarations": functions}}
	}
	if q.Schema != nil {
		r.Generation["responseMimeType"] = "application/json"
		r.Generation["responseJsonSchema"] = q.Schema
	}
	name := c.model
	if !strings.HasPrefix(name, "models/") && !strings.HasPrefix(name, "tunedModels/") {
		name = "models/" + name
	}
	return "/" + name + ":streamGenerateContent?alt=sse", []string{"X-Goog-Api-Key", c.o.Key}, r
}

func geminiTurn(m *llm.Message) geminiContent {
	out := geminiContent{Role: "user"}
	if m.FromModel || len(m.Calls) > 0 {
		out.Role = "model"
	}
	for _, r := range m.Results {
		key := "output"
		if r.Failed {
			key = "error"
		}
		out.Parts = append(out.Parts, geminiPart{Response: &geminiResponse{theirs(r.ID), r.Name, map[string]string{key: r.Text}}})
	}
	if m.Text != "" || len(m.Results)+len(m.Calls) == 0 {
		out.Parts = append(out.Parts, geminiPart{Text: m.Text})
	}
	for _, c := range m.Calls {
		out.Parts = append(out.Parts, geminiPart{Signature: c.State, Call: &geminiCall{theirs(c.ID), c.Name, object(c.Args)}})
	}
	return out
}

// theirs returns the ID of a call, or "" when the client has made it up.
func theirs(id string) string {
	if strings.HasPrefix(id, madeID) {
		return ""
	}
	return id
}

type geminiChunk struct {
	Error      json.RawMessage
	Model      string `json:"modelVersion"`
	Candidates []struct {
		Content      geminiContent
		FinishReason string `json:"finishReason"`
	}
	Feedback *struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	Usage *struct {
		In       int `json:"promptTokenCount"`
		Out      int `json:"candidatesTokenCount"`
		Thoughts int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}

// event implements wire.
func (gemini) event(_ string, data []byte, b *builder) (bool, error) {
	var chunk geminiChunk
	if err := decode(data, &chunk); err != nil {
		return false, err
	}
	if isSet(chunk.Error) {
		return false, failure(chunk.Error)
	}
	if chunk.Model != "" {
		b.reply.Model = chunk.Model
	}
	if u := chunk.Usage; u != nil {
		b.reply.Usage = llm.Usage{In: u.In, Out: u.Out + u.Thoughts}
	}
	if f := chunk.Feedback; f != nil && f.BlockReason != "" && f.BlockReason != "BLOCK_REASON_UNSPECIFIED" {
		return false, problem(Refused, "%s", f.BlockReason)
	}
	if len(chunk.Candidates) == 0 {
		return false, nil
	}
	one := &chunk.Candidates[0]
	for i := range one.Content.Parts {
		if err := b.geminiPart(&one.Content.Parts[i]); err != nil {
			return false, err
		}
	}
	// The token counts are in the last chunk or after it, so the stream is read to
	// its end.
	return false, b.geminiStop(one.FinishReason)
}

func (b *builder) geminiPart(p *geminiPart) error {
	if p.Call == nil {
		if p.Thought {
			return nil
		}
		return b.write(p.Text)
	}
	call, err := b.call(len(b.calls))
	if err != nil {
		return err
	}
	call.id, call.name, call.state = p.Call.ID, p.Call.Name, p.Signature
	args := string(p.Call.Args)
	if args == "" || args == "null" {
		args = "{}"
	}
	return b.argue(call, args)
}

func (b *builder) geminiStop(reason string) error {
	switch reason {
	case "", "FINISH_REASON_UNSPECIFIED":
	case "STOP":
		b.stop(llm.StopEnd)
	case "MAX_TOKENS":
		b.stop(llm.StopLength)
	case "MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS":
		return problem(Garbage, "%s", reason)
	case "SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "OTHER":
		return problem(Refused, "%s", reason)
	default: // unknown reasons, also those of compatible endpoints
		b.stop(llm.StopEnd)
	}
	return nil
}
