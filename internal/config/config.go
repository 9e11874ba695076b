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

// Values are the settings, converted to Go types; the table says what each one means, and
// what is allowed. The zero value means the default of every setting. Where 0 is a value of
// its own, -1 stands for it: a CacheTTL or a NegativeTTL below 0 is off, a BrowserUID of -1
// is that of spyhop. SearchKeys has the keys of search providers by their names.
type Values struct {
	SearchProvider string
	SearchMCP      string
	SearchMCPTool  string
	SearchMCPEnv   []string
	SearxngURL     string
	Frontier       string
	SearchKeys     map[string]string

	DomainBlocklist []string
	DomainAllowlist []string
	TLSInsecure     []string
	AllowPrivate    []string
	HeadersAllowed  []string

	HTTP          string
	Redirects     string
	Cookies       string
	Robots        bool
	URLProvenance string
	URLGiven      []string
	Proxy         string

	MaxResponseBytes int64
	MaxContentChars  int
	MCPAnswerChars   int
	FetchTimeout     time.Duration

	CacheTTL    time.Duration
	CacheBytes  int64
	OCR         string
	NoRecall    bool
	RecallBytes int64
	NegativeTTL time.Duration
	DataDir     string

	HostConcurrency int
	HostRate        float64
	UserAgent       string
	AuditLog        string

	AuditKeep                int64
	CaptureKeep, VersionKeep time.Duration
	JobKeep                  time.Duration

	Browser                    string
	BrowserHeaded              bool
	SecretsFile                string
	BrowserCDP, BrowserProfile string
	BrowserUID                 int
	DenyInteractive            bool
	SessionBudget, MaxUses     string
	AllowScript                bool
	UploadDir                  string
	SessionKey                 string

	Model        string
	ModelURL     string
	ModelPrice   string
	OpenAIKey    string
	EmbedModel   string
	EmbedURL     string
	AnthropicKey string
	GeminiKey    string

	ServeOwner                                                         string
	ServeAddr                                                          string
	ServeToken                                                         string
	ServeMaxCalls, ServeMaxConnections, ServeMaxSessions, ServeMaxJobs int
	ServeGrace                                                         time.Duration
	ServeDelay                                                         time.Duration
	AccessLog                                                          string
	AdminAddr                                                          string
	AdminPprof                                                         bool
	ServeTokens                                                        string
	ServeOAuthIssuer, ServeOAuthAudience, ServeOAuthScopes             string
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

// maxFetchTimeout is the largest value of WEB_FETCH_TIMEOUT_MS.
const maxFetchTimeout = 120 * time.Second
