package spyhop

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/internal/meaning"
	"github.com/spyhop-dev/spyhop/internal/model"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file connects the language model and the embedding model of a Config.

// modelEndpoint is where the configured model is asked; zero where there is none.
func (c Config) modelEndpoint() (weburl.URL, error) {
	if c.LanguageModel != nil {
		return weburl.URL{}, nil
	}
	return endpointOf("Model", "ModelURL", c.Model, c.ModelURL)
}

// embedEndpoint is where the embedding model is asked; zero where there is none.
func (c Config) embedEndpoint() (weburl.URL, error) {
	return endpointOf("EmbedModel", "EmbedURL", c.EmbedModel, c.EmbedURL)
}

// endpointOf is the endpoint of a model that a field configures; zero where there is none.
func endpointOf(field, urlField, name, address string) (weburl.URL, error) {
	var u weburl.URL
	if name == "" {
		return u, nil
	}
	if address != "" {
		var err error
		// The value could hold a password.
		if u, err = weburl.Parse(address); err != nil {
			return u, invalid(urlField, "", fmt.Errorf("it is an http or https URL without a user name"))
		}
	}
	u, err := model.Endpoint(name, u)
	if err != nil {
		return u, invalid(field, name, err)
	}
	return u, nil
}

// The limits of embeddings: a call does not wait longer for them, and a server that does
// not answer is not asked again for a while.
const embedTimeout, embedRest = 20 * time.Second, 30 * time.Second

// embedder makes the function that gives texts their vectors; nil where there is none.
func (c Config) embedder(guard *egress.Guard) (func(context.Context, []string) ([]meaning.Vector, error), error) {
	u, err := c.embedEndpoint()
	if err != nil || c.EmbedModel == "" {
		return nil, err
	}
	rt, err := guard.Endpoint(u)
	if err != nil {
		return nil, invalid("EmbedURL", "", err)
	}
	client, err := model.New(model.Options{Model: c.EmbedModel, URL: u, Key: c.ModelKeys[model.KeySetting(c.EmbedModel)], RoundTripper: rt, Timeout: embedTimeout, UserAgent: "spyhop/" + Version})
	if err != nil {
		return nil, invalid("EmbedModel", c.EmbedModel, err)
	}
	var until atomic.Int64 // in seconds since 1970
	return func(ctx context.Context, texts []string) ([]meaning.Vector, error) {
		if time.Now().Unix() < until.Load() {
			return nil, tool.NewError(tool.ModelError, "the server failed less than 30 seconds ago", "")
		}
		vectors, err := client.Embed(ctx, texts)
		if err != nil {
			if tool.AsError(err).Type != tool.Cancelled {
				until.Store(time.Now().Add(embedRest).Unix())
			}
			return nil, err
		}
		out := make([]meaning.Vector, len(vectors))
		for i, v := range vectors {
			out[i] = meaning.Quantize(v)
		}
		return out, nil
	}, nil
}

// languageModel makes the client of the model; nil where there is none.
func (c Config) languageModel(guard *egress.Guard) (llm.Model, error) {
	if c.LanguageModel != nil || c.Model == "" {
		return c.LanguageModel, nil
	}
	u, err := c.modelEndpoint()
	if err != nil {
		return nil, err
	}
	rt, err := guard.Endpoint(u)
	if err != nil {
		return nil, invalid("ModelURL", "", err)
	}
	client, err := model.New(model.Options{Model: c.Model, URL: u, Key: c.ModelKeys[model.KeySetting(c.Model)], RoundTripper: rt, UserAgent: "spyhop/" + Version})
	if err != nil {
		return nil, invalid("Model", c.Model, err)
	}
	return client, nil
}

// completer is a model as prompts use it: one question, no tools.
type completer struct{ llm.Model }

// Complete implements tool.Model.
func (c completer) Complete(ctx context.Context, q tool.Question) (string, error) {
	if q.MaxTokens == 0 {
		q.MaxTokens = 1000
	}
	r, err := c.Ask(ctx, llm.Request{System: q.System, Messages: []llm.Message{{Text: q.Text}}, Schema: q.Schema, MaxTokens: q.MaxTokens})
	if err != nil {
		return "", err
	}
	return r.Text, nil
}
