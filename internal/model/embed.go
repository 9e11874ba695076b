package model

import (
	"context"
	"encoding/json"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/tool"
)

// embedBatch is how many texts one request has, maxEmbedBody bounds its response: a
// number takes about twelve bytes.
const (
	embedBatch   = 64
	maxEmbedBody = 16 << 20
)

// Embed returns the embedding of each text, by OpenAI's POST /embeddings, which Ollama and
// most servers have. A request is not repeated. The error is a *tool.Error.
func (c *Client) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	ctx, cancel := deadline.With(ctx, c.o.Timeout)
	defer cancel()
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		batch := texts[:min(embedBatch, len(texts))]
		texts = texts[len(batch):]
		vectors, err := c.embed(ctx, batch)
		if err != nil {
			if over := deadline.Err(ctx); over != nil {
				return nil, tool.AsError(over)
			}
			e, ok := err.(*replyError)
			if !ok {
				e = problem(network, "")
			}
			return nil, c.toolError(e)
		}
		out = append(out, vectors...)
	}
	return out, nil
}

func (c *Client) embed(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(map[string]any{"model": c.model, "input": texts, "encoding_format": "float"})
	if err != nil {
		return nil, err
	}
	auth := ""
	if c.o.Key != "" {
		auth = "Bearer " + c.o.Key
	}
	data, err := c.post(ctx, "/embeddings", []string{"Authorization", auth}, body, maxEmbedBody)
	if err != nil {
		return nil, err
	}
	var reply struct {
		Data []struct {
			Index     int
			Embedding []float32
		}
	}
	if err := decode(data, &reply); err != nil {
		return nil, err
	}
	out := make([][]float32, len(texts))
	for _, d := range reply.Data {
		if d.Index < 0 || d.Index >= len(out) {
			return nil, problem(garbage, "an embedding of a text that was not sent")
		}
		out[d.Index] = d.Embedding
	}
	for _, v := range out {
		if len(v) == 0 {
			return nil, problem(garbage, "a text without an embedding")
		}
	}
	return out, nil
}
