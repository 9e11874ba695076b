// Package config provides the settings of Spyhop: one table of all variables,
// and one function that reads them from a file, the environment and flags. The
// environment wins over the file, and flags win over both.
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
// [Values] is the result: a plain struct whose zero value means the default of
// every setting. [Settings] also has the source of each value, which "spyhop
// config" prints.
//
// # Guarantees
//
// A wrong value, or an unknown key in the file, is an [*Error] with the name and
// the allowed values; nothing is guessed or ignored. Errors and [Setting.Shown]
// never contain a secret. The environment is read through a function, the file
// once.
//
// # Limits
//
// A file of more than 1 MiB is refused. Load checks only the form of a value: a
// wrong key of a model or a search provider shows when it is first used.
package config

import (
	"path/filepath"
	"time"
)

// Values are the settings, converted to Go types. The zero value means the
// default of every setting.
type Values struct {
	// SearchProvider is a name, a list, "auto", "fuse" or "none"; empty
	// means auto.
	SearchProvider string
	SearchMCP      string
	SearchMCPTool  string
	// SearchMCPEnv are names of variables that the process of SearchMCP gets.
	SearchMCPEnv []string
	SearxngURL   string
	Frontier     string
	// SearchKeys are API keys by the provider's name in lower case.
	SearchKeys map[string]string

	// DomainBlocklist and DomainAllowlist are host patterns.
	DomainBlocklist []string
	DomainAllowlist []string
	// TLSInsecure are host patterns whose certificates are not checked.
	TLSInsecure []string
	// AllowPrivate lists hosts, addresses and networks, each with an optional
	// port, that are allowed although they are private.
	AllowPrivate []string
	// HeadersAllowed names further request headers that a model may set.
	HeadersAllowed []string

	// HTTP is "upgrade", "allow" or "refuse"; empty means upgrade.
	HTTP string
	// Redirects is "same-host" or "follow"; empty: each surface has its default.
	Redirects string
	// Cookies is "call" or "off".
	Cookies string
	// Robots makes reads obey robots.txt.
	Robots bool
	// URLProvenance is "off" or "strict"; empty means off.
	URLProvenance string
	// URLGiven lists addresses that count as given by the user.
	URLGiven []string
	// Proxy is the URL of an upstream proxy.
	Proxy string

	// MaxResponseBytes bounds the decoded text of a response, in bytes; 0 means
	// 5242880.
	MaxResponseBytes int64
	// MaxContentChars is the window of an answer, in characters; 0 means 20000.
	MaxContentChars int
	// MCPAnswerChars is the window of an answer over MCP, in characters; 0 means
	// 9500.
	MCPAnswerChars int
	// FetchTimeout is the time limit of a read; 0 means 30 s.
	FetchTimeout time.Duration

	// CacheTTL is how long a cached response is fresh; 0 means 15 minutes, a
	// negative value means no cache.
	CacheTTL time.Duration
	// CacheBytes bounds the size of the cache, in bytes; 0 means 268435456.
	CacheBytes int64
	// NoRecall keeps pages that are read from being searched later.
	NoRecall bool
	// RecallBytes bounds the pages that can be searched later, in bytes; 0 means
	// 268435456.
	RecallBytes int64
	// NegativeTTL is how long a failure is cached; 0 means 60 s, a negative value
	// means that failures are not cached.
	NegativeTTL time.Duration
	// DataDir is the folder of the cache, captures and logs; empty if no source sets
	// it and the user has no home folder. Then nothing is kept, and calls are logged only
	// if AuditLog names a file.
	DataDir string

	// HostConcurrency bounds the simultaneous requests to one host; 0 means 4, and 2
	// for a crawl.
	HostConcurrency int
	// HostRate bounds the requests to one host per second; 0 means 5.
	HostRate float64
	// UserAgent is the User-Agent header; empty means a Firefox-compatible string
	// that names Spyhop and its version.
	UserAgent string
	// AuditLog is the path of the audit log, or "off"; empty means audit.jsonl in
	// DataDir.
	AuditLog string

	// AuditKeep bounds the bytes of the audit log with its older files; 0 means
	// 83886080. CaptureKeep and VersionKeep are how long captures and the versions of
	// pages are kept; 0 means a day and 90 days.
	AuditKeep                int64
	CaptureKeep, VersionKeep time.Duration
	// JobKeep is how long jobs are kept after their end.
	JobKeep time.Duration

	// Browser is the path of a browser; empty means that Spyhop looks for one.
	Browser       string
	BrowserHeaded bool
	// SecretsFile has the secrets that the browser types, see [ReadSecrets]; empty means none.
	SecretsFile string
	// BrowserCDP is the URL of a running browser, BrowserProfile the folder of a profile
	// that lasts; empty means none.
	BrowserCDP, BrowserProfile string
	// BrowserUID is the browser's user id where spyhop is root; 0 means an unused
	// one, -1 that of spyhop.
	BrowserUID int
	// DenyInteractive removes the tools that type, click and upload.
	DenyInteractive bool
	// SessionBudget and MaxUses bound what a session may use; empty means no bound.
	SessionBudget, MaxUses string
	// AllowScript adds the tool that runs script in a page.
	AllowScript bool
	// UploadDir is the only folder from which files can be uploaded; empty means
	// that uploads are refused.
	UploadDir string
	// SessionKey is the file with the key that encrypts saved logins and browser
	// states; empty means session.key in DataDir.
	SessionKey string

	// Model is "provider/name"; empty means none.
	Model    string
	ModelURL string
	// ModelPrice is "in/out", in US dollars for a million tokens; empty means unknown.
	ModelPrice string
	OpenAIKey  string
	// EmbedModel and EmbedURL are those of the embedding model; empty means none.
	EmbedModel, EmbedURL string
	// AnthropicKey and GeminiKey are keys for these providers.
	AnthropicKey string
	GeminiKey    string

	// ServeOwner is "local" or "anonymous".
	ServeOwner string
	// ServeAddr is where "spyhop serve" listens; empty means 127.0.0.1:7749.
	ServeAddr  string
	ServeToken string
	// ServeMaxCalls, ServeMaxConnections, ServeMaxSessions and ServeMaxJobs are limits of the HTTP
	// server; 0 means 64, 1024 and 10,000. ServeGrace is how long its calls may go on
	// when it ends; 0 means 125 s.
	ServeMaxCalls, ServeMaxConnections, ServeMaxSessions, ServeMaxJobs int
	ServeGrace                                                         time.Duration
	// ServeDelay is how long it takes new calls after it was told to end; 0 means not
	// at all.
	ServeDelay time.Duration
	// AccessLog is "off", "text" or "json"; empty means off.
	AccessLog string
	// AdminAddr is where the admin listener listens; empty means that it is off.
	// AdminPprof adds profiles.
	AdminAddr  string
	AdminPprof bool
	// ServeTokens is the path of a file with named tokens, which Tokens reads.
	ServeTokens string
	// ServeOAuthIssuer, ServeOAuthAudience and ServeOAuthScopes say which access tokens
	// "spyhop serve" accepts; without an issuer, none.
	ServeOAuthIssuer, ServeOAuthAudience, ServeOAuthScopes string
}

// AuditPath is the path of the audit log, or "" when it is switched off.
func (v Values) AuditPath() string {
	switch v.AuditLog {
	case "off":
		return ""
	case "":
		if v.DataDir == "" {
			return ""
		}
		return filepath.Join(v.DataDir, "audit.jsonl")
	}
	return v.AuditLog
}

// AnswerChars is the window of answers over MCP, in characters: the smaller of
// MCPAnswerChars and MaxContentChars, or the one that is set; 0 if neither is.
func (v Values) AnswerChars() int {
	if v.MCPAnswerChars == 0 || v.MaxContentChars == 0 {
		return max(v.MCPAnswerChars, v.MaxContentChars)
	}
	return min(v.MCPAnswerChars, v.MaxContentChars)
}

// ServeAddress is the address and port on which "spyhop serve" listens.
func (v Values) ServeAddress() string {
	if v.ServeAddr == "" {
		return "127.0.0.1:7749"
	}
	return v.ServeAddr
}

// MaxFetchTimeout is the largest value of WEB_FETCH_TIMEOUT_MS.
const MaxFetchTimeout = 120 * time.Second
