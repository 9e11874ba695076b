package model

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/deadline"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// provider describes a service or a program that serves models.
type provider struct {
	name, base string
	key        string // the setting with its API key; "" when it has none
	wire       wire
	// newLimit: the parameter for the length of the reply is max_completion_tokens.
	// Newer models of OpenAI refuse max_tokens, and other servers do not know the
	// new name.
	newLimit bool
}

// providers are those that have a default URL, in the order in which messages name
// them.
var providers = []provider{
	{"openai", "https://api.openai.com/v1", openAIKey, chat{}, true},
	{"anthropic", "https://api.anthropic.com/v1", "ANTHROPIC_API_KEY", messages{}, false},
	{"gemini", "https://generativelanguage.googleapis.com/v1beta/openai", "GEMINI_API_KEY", chat{}, false},
	{"openrouter", "https://openrouter.ai/api/v1", openAIKey, chat{}, false},
	{"ollama", "http://127.0.0.1:11434/v1", "", chat{}, false},
	{"vllm", "http://127.0.0.1:8000/v1", "", chat{}, false},
	{"llamacpp", "http://127.0.0.1:8080/v1", "", chat{}, false},
}

// openAIKey is the setting with the key of OpenAI and of each endpoint that is
// compatible with it.
const openAIKey = "OPENAI_API_KEY"

// find returns a provider. An unknown name means an OpenAI-compatible endpoint,
// whose URL must be configured.
func find(name string) provider {
	for _, p := range providers {
		if p.name == name || name == "llama.cpp" && p.name == "llamacpp" {
			return p
		}
	}
	return provider{name: name, key: openAIKey, wire: chat{}}
}

// Providers returns the names of the providers that have a default URL.
func Providers() []string {
	names := make([]string, len(providers))
	for i, p := range providers {
		names[i] = p.name
	}
	return names
}

// Options configure a [Client]. Model and RoundTripper are required.
type Options struct {
	// Model is "provider/name", for example "anthropic/claude-sonnet-5".
	Model string
	// URL is the endpoint, for example http://localhost:11434/v1; the zero value
	// means the provider's default. The path can be left out.
	URL weburl.URL
	// Key is the API key; "" sends none.
	Key string
	// RoundTripper carries requests to the endpoint. It should refuse all other
	// addresses.
	RoundTripper http.RoundTripper
	// Timeout bounds a call with its retries; 0 means 5 minutes.
	Timeout time.Duration
	// UserAgent is the User-Agent header of each request; "" sets none.
	UserAgent string
}

const defaultTimeout = 5 * time.Minute

// Client sends requests to one model. It is safe for concurrent use. Make one with
// [New].
type Client struct {
	o        Options
	provider provider
	model    string
	origin   string // of the endpoint
	base     string
	// wait sleeps; tests replace it.
	wait func(context.Context, time.Duration) error
}

// Endpoint returns the base URL for a model, which the egress policy must allow. u
// is the configured URL, or zero. The error says what is valid.
func Endpoint(model string, u weburl.URL) (weburl.URL, error) {
	p, _, err := split(model)
	if err != nil {
		return u, err
	}
	if u.IsZero() {
		if p.name == "" {
			return u, fmt.Errorf("it names no provider: write PROVIDER/%s with one of %s, or set WEB_MODEL_URL to the endpoint", text.Name(model), strings.Join(Providers(), ", "))
		}
		if p.base == "" {
			return u, fmt.Errorf("provider %q is not one of %s: WEB_MODEL_URL must name its endpoint", p.name, strings.Join(Providers(), ", "))
		}
		return weburl.Parse(p.base)
	}
	if s := u.Scheme(); s != "http" && s != "https" || u.HasUserinfo() || u.RawQuery() != "" {
		return weburl.URL{}, fmt.Errorf("the endpoint must be an http or https URL without user name and query")
	}
	if strings.Trim(u.Path(), "/") == "" {
		path := "/v1"
		if p.name == "gemini" {
			path = "/v1beta/openai"
		}
		return weburl.Parse(u.Origin() + path)
	}
	return u, nil
}

// MissingKey returns the name of the setting with the API key that a model's provider
// wants; "" if it has a key, wants none, or another endpoint is configured.
func MissingKey(model string, u weburl.URL, key string) string {
	p, _, err := split(model)
	if err != nil || p.base == "" || key != "" {
		return ""
	}
	if base := strings.TrimRight(u.WithoutFragment().String(), "/"); !u.IsZero() && base != p.base {
		return ""
	}
	return p.key
}

// KeySetting returns the name of the setting with the API key for a model; "" when
// the provider has no key.
func KeySetting(model string) string {
	p, _, err := split(model)
	if err != nil {
		return ""
	}
	return p.key
}

// split parses "provider/name", or a name alone, whose endpoint must be configured.
func split(model string) (provider, string, error) {
	name, rest, ok := strings.Cut(model, "/")
	if !ok {
		name, rest = "", model
	}
	if model = rest; model == "" || ok && name == "" {
		return provider{}, "", fmt.Errorf("write the model as provider/name, for example anthropic/claude-sonnet-5; the providers are %s", strings.Join(Providers(), ", "))
	}
	for _, r := range model {
		if (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.:/@+", r) {
			return provider{}, "", fmt.Errorf("the name of a model can only have letters, digits and -_.:/@+")
		}
	}
	return find(name), model, nil
}

// New returns a Client. It sends no request. The error says which option is not
// valid.
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
	// The path and the query of an endpoint can hold a key; the origin cannot.
	base := strings.TrimRight(u.WithoutFragment().String(), "/")
	return &Client{o: o, provider: p, model: name, origin: u.Origin(), base: base, wait: deadline.Sleep}, nil
}

// Name returns the model as it was configured.
func (c *Client) Name() string { return c.o.Model }
