package model

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// provider is a service or a program that serves models, as data.
type provider struct {
	name, base string
	key        string // the setting with its key; empty: it takes none
	wire       wire
	// newLimit: the reply is bounded by max_completion_tokens, since newer
	// models of OpenAI refuse max_tokens, and others do not know the new name.
	newLimit bool
}

// find returns a provider; who is unknown is taken for an OpenAI-compatible
// endpoint, which has to be named by its URL.
func find(name string) provider {
	const openAIKey = "OPENAI_API_KEY"
	switch name {
	case "openai":
		return provider{name, "https://api.openai.com/v1", openAIKey, chat{}, true}
	case "openrouter":
		return provider{name, "https://openrouter.ai/api/v1", openAIKey, chat{}, false}
	case "ollama":
		return provider{name, "http://127.0.0.1:11434/v1", "", chat{}, false}
	case "vllm":
		return provider{name, "http://127.0.0.1:8000/v1", "", chat{}, false}
	case "llamacpp", "llama.cpp":
		return provider{name, "http://127.0.0.1:8080/v1", "", chat{}, false}
	case "anthropic":
		return provider{name, "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", messages{}, false}
	case "gemini":
		return provider{name, "https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY", gemini{}, false}
	}
	return provider{name, "", openAIKey, chat{}, false}
}

// Providers lists the names that need no URL.
func Providers() []string {
	return []string{"openai", "anthropic", "gemini", "openrouter", "ollama", "vllm", "llamacpp"}
}

// Options are what a Client works with.
type Options struct {
	// Model is "provider/name", as "anthropic/claude-sonnet-5". Required.
	Model string
	// URL is the endpoint, as http://localhost:11434/v1; zero means the
	// provider's own. Its path may be left out.
	URL weburl.URL
	// Key is the provider's; empty sends none.
	Key string
	// RoundTripper reaches the endpoint and no other place. Required.
	RoundTripper http.RoundTripper
	// Timeout bounds a call with its retries; 0 means 5 minutes.
	Timeout time.Duration
	// Silence is how long nothing may come once an answer has begun; 0 means 2
	// minutes.
	Silence time.Duration
	// UserAgent is sent with each request; may be empty.
	UserAgent string
}

const (
	defaultTimeout = 5 * time.Minute
	defaultSilence = 2 * time.Minute
)

// Client asks one model.
type Client struct {
	o        Options
	provider provider
	model    string
	base     string
	// wait sleeps; tests do not.
	wait func(context.Context, time.Duration) error
}

// Endpoint is the URL that a model is asked at, without the path of a single
// request: what the policy has to let through. The error says what is allowed.
func Endpoint(model string, u weburl.URL) (weburl.URL, error) {
	p, _, err := split(model)
	if err != nil {
		return u, err
	}
	if u.IsZero() {
		if p.base == "" {
			return u, fmt.Errorf("provider %q is none of %s: WEB_MODEL_URL has to name its endpoint", p.name, strings.Join(Providers(), ", "))
		}
		return weburl.Parse(p.base)
	}
	if s := u.Scheme(); s != "http" && s != "https" || u.HasUserinfo() || u.RawQuery() != "" {
		return weburl.URL{}, fmt.Errorf("the endpoint is an http or https URL without user name and query")
	}
	if strings.Trim(u.Path(), "/") == "" {
		path := "/v1"
		if p.name == "gemini" {
			path = "/v1beta"
		}
		return weburl.Parse(u.Origin() + path)
	}
	return u, nil
}

// KeySetting names the setting that holds the key for a model; "" where none is
// taken.
func KeySetting(model string) string {
	p, _, err := split(model)
	if err != nil {
		return ""
	}
	return p.key
}

// split reads "provider/name".
func split(model string) (provider, string, error) {
	name, model, ok := strings.Cut(model, "/")
	if !ok || name == "" || model == "" {
		return provider{}, "", fmt.Errorf("a model is named as provider/name, as in anthropic/claude-sonnet-5")
	}
	for _, r := range model {
		// It stands in the path of Gemini's requests.
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.:/@+", r) {
			return provider{}, "", fmt.Errorf("the name of a model has letters, digits and -_.:/@+")
		}
	}
	if strings.Contains("/"+model+"/", "/../") || strings.Contains("/"+model+"/", "/./") {
		return provider{}, "", fmt.Errorf("the name of a model is no path")
	}
	return find(name), model, nil
}

// New returns a Client. Nothing is dialled.
func New(o Options) (*Client, error) {
	p, name, err := split(o.Model)
	if err != nil {
		return nil, err
	}
	u, err := Endpoint(o.Model, o.URL)
	if err != nil {
		return nil, err
	}
	if o.Timeout <= 0 {
		o.Timeout = defaultTimeout
	}
	if o.Silence <= 0 {
		o.Silence = defaultSilence
	}
	base := strings.TrimRight(u.WithoutFragment().String(), "/")
	return &Client{o: o, provider: p, model: name, base: base, wait: sleep}, nil
}

// Name is "provider/name".
func (c *Client) Name() string { return c.o.Model }

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
