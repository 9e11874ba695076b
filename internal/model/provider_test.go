package model

import (
	"errors"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/llm"
	"github.com/spyhop-dev/spyhop/tool"
)

func TestEndpoint(t *testing.T) {
	for _, c := range []struct{ model, url, want, err string }{
		{"openai/gpt-5", "", "https://api.openai.com/v1", ""},
		{"qwen3", "http://127.0.0.1:11434", "http://127.0.0.1:11434/v1", ""},
		{"qwen3", "", "", "PROVIDER/qwen3 with one of openai, anthropic, gemini, openrouter, ollama, vllm, llamacpp, or set WEB_MODEL_URL"},
		{"mine/qwen3", "", "", "not one of openai, anthropic"},
		{"mine/qwen3", "http://127.0.0.1:1/v2", "http://127.0.0.1:1/v2", ""},
		{"", "", "", "the providers are openai"},
		{"/x", "", "", "provider/name"},
	} {
		var u weburl.URL
		if c.url != "" {
			u = parse(t, c.url)
		}
		got, err := Endpoint(c.model, u)
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%q, %q: %v, want %q", c.model, c.url, err, c.err)
			}
		} else if err != nil || got.String() != c.want {
			t.Errorf("%q, %q: %s, %v; want %s", c.model, c.url, got, err, c.want)
		}
	}
}

// TestMissingKey: the setting is named, and no request is sent.
func TestMissingKey(t *testing.T) {
	for _, c := range []struct{ model, url, key, want string }{
		{"openai/gpt-5", "", "", "OPENAI_API_KEY"},
		{"anthropic/claude-sonnet-5", "https://api.anthropic.com/v1", "", "ANTHROPIC_API_KEY"},
		{"openai/gpt-5", "", "key", ""},
		{"openai/gpt-5", "http://127.0.0.1:4000/v1", "", ""}, // a gateway may want none
		{"ollama/qwen3", "", "", ""},
		{"qwen3", "http://127.0.0.1:11434/v1", "", ""},
	} {
		var u weburl.URL
		if c.url != "" {
			u = parse(t, c.url)
		}
		if got := MissingKey(c.model, u, c.key); got != c.want {
			t.Errorf("%q, %q: %q, want %q", c.model, c.url, got, c.want)
		}
	}
	client, err := New(Options{Model: "openai/gpt-5"}) // without a round tripper: a request would panic
	if err != nil {
		t.Fatal(err)
	}
	_, err = client.Ask(t.Context(), llm.Request{Messages: []llm.Message{{Text: "x"}}})
	var e *tool.Error
	if !errors.As(err, &e) || e.Type != tool.ModelError || !strings.Contains(e.Hint, "set OPENAI_API_KEY") {
		t.Errorf("%v", err)
	}
}

func parse(t *testing.T, s string) weburl.URL {
	t.Helper()
	u, err := weburl.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}
