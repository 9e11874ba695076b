// Package config provides the settings of Spyhop: one table of every variable,
// and one way to read them from a file, the environment and flags, in that
// rising order.
//
//	settings, err := config.Load(config.Sources{Environment: os.LookupEnv})
//	if err != nil {
//		return err // names the variable and the allowed form
//	}
//	client, err := spyhop.New(settings.Values)
//
// The file is TOML; its keys are the names of the variables in lower case:
//
//	web_http = "allow"
//	web_domain_blocklist = ["ads.example.com", "=example.org"]
//	web_max_content_chars = 40000
//
// [Values] is what comes of it: a plain struct whose zero value is the default
// of everything. [Settings] also knows where each value came from, which is
// what "spyhop config" prints.
//
// # Guarantees
//
// A wrong value, and a key of the file that is no variable, is an [*Error] with
// the name and what is allowed; nothing is guessed and nothing is passed over.
// Secrets are never in an error and never in what [Setting.Shown] returns. The
// environment is read through a function, the file once.
//
// # Limits
//
// A file of more than 1 MiB is refused. That a value is allowed does not mean
// that it works: a model or a search provider is asked only when it is used.
package config

import (
	"path/filepath"
	"time"
)

// Values are the settings as the parts of Spyhop take them. The zero value is
// the default of every setting.
type Values struct {
	// SearchProvider is a name, a list, "auto", "fuse" or "none"; empty
	// means auto.
	SearchProvider string
	SearchMCP      string
	SearchMCPTool  string
	SearxngURL     string
	// SearchKeys are API keys by the provider's name in lower case.
	SearchKeys map[string]string

	// DomainBlocklist and DomainAllowlist are host patterns.
	DomainBlocklist []string
	DomainAllowlist []string
	// AllowPrivate lists hosts, addresses and networks, each with an optional
	// port, that the rules for private addresses do not hold for.
	AllowPrivate []string
	// HeadersAllowed names further request headers that a model may set.
	HeadersAllowed []string

	// HTTP is "upgrade", "allow" or "refuse"; empty means upgrade.
	HTTP string
	// Redirects is "same-host" or "follow"; empty leaves it to the surface.
	Redirects string
	// Robots asks robots.txt before reads.
	Robots bool
	// URLProvenance is "off" or "strict"; empty means off.
	URLProvenance string
	// URLGiven lists addresses that count as given by the user.
	URLGiven []string
	// Proxy is the URL of an upstream proxy.
	Proxy string

	// MaxResponseBytes bounds a decoded text; 0 means 5242880.
	MaxResponseBytes int64
	// MaxContentChars is the window of answers; 0 means 20000.
	MaxContentChars int
	// MCPAnswerChars is the window of answers over MCP; 0 means 9500.
	MCPAnswerChars int
	// FetchTimeout bounds a read; 0 means 30 s.
	FetchTimeout time.Duration

	// CacheTTL is how long a response is fresh; 0 means 15 minutes, less means
	// no cache.
	CacheTTL time.Duration
	// CacheBytes bounds the cache; 0 means 268435456.
	CacheBytes int64
	// NegativeTTL is how long a failure is remembered; 0 means 60 s, less means
	// not at all.
	NegativeTTL time.Duration
	// DataDir holds cache, captures and logs. Load always sets it.
	DataDir string

	// HostConcurrency bounds the requests to one host at a time; 0 means 4.
	HostConcurrency int
	// HostRate bounds the requests to one host per second; 0 means 5.
	HostRate float64
	// UserAgent is sent with each request; empty means a Firefox-compatible
	// string that names Spyhop and its version.
	UserAgent string
	// AuditLog is a file, or "off"; empty means audit.jsonl in DataDir.
	AuditLog string

	// Browser is the path of a browser; empty means the one that is found.
	Browser       string
	BrowserHeaded bool
	// DenyInteractive takes away the tools that type, click and upload.
	DenyInteractive bool
	// AllowScript offers the tool that runs script in a page.
	AllowScript bool
	// UploadDir is the only folder that files are uploaded from; empty refuses
	// uploads.
	UploadDir string
	// SessionKey is the file with the key of saved sessions; empty means one in
	// DataDir.
	SessionKey string

	// Model is "provider/name"; empty means none.
	Model     string
	ModelURL  string
	OpenAIKey string
	// AnthropicKey and GeminiKey are keys for these providers.
	AnthropicKey string
	GeminiKey    string

	// ServeAddr is where "spyhop serve" listens; empty means 127.0.0.1:7749.
	ServeAddr  string
	ServeToken string
}

// AuditPath is the path of the audit log, or "" when there is to be none.
func (v Values) AuditPath() string {
	switch v.AuditLog {
	case "off":
		return ""
	case "":
		return filepath.Join(v.DataDir, "audit.jsonl")
	}
	return v.AuditLog
}

// AnswerChars is the window of answers over MCP: the smaller of MCPAnswerChars
// and MaxContentChars, or the one that is set; 0 where neither is.
func (v Values) AnswerChars() int {
	if v.MCPAnswerChars == 0 || v.MaxContentChars == 0 {
		return max(v.MCPAnswerChars, v.MaxContentChars)
	}
	return min(v.MCPAnswerChars, v.MaxContentChars)
}

// ServeAddress is where "spyhop serve" listens.
func (v Values) ServeAddress() string {
	if v.ServeAddr == "" {
		return "127.0.0.1:7749"
	}
	return v.ServeAddr
}

// MaxFetchTimeout is the longest that WEB_FETCH_TIMEOUT_MS may be.
const MaxFetchTimeout = 120 * time.Second
