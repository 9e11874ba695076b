// Package config provides the settings of Spyhop: one table of all variables,
// and one function that reads them from a file, the environment and flags. The
// environment wins over the file, and flags win over both.
//
//	settings, err := config.Load(config.Sources{Environment: os.LookupEnv})
//	if err != nil {
//		return err // names the variable and the allowed form
//	}
//	client, err := spyhop.New(settings.Values.Config)
//
// The file is TOML; its keys are the names of the variables in lower case:
//
//	web_http = "allow"
//	web_domain_blocklist = ["ads.example.com", "=example.org"]
//	web_max_content_chars = 40000
//
// [Values] is the result: a plain struct with the configuration of a client. [Settings] also has the source of each value, which "spyhop
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

	"github.com/spyhop-dev/spyhop"
)

// Values are the settings, converted to Go types: those of a client, and those of the
// command and its server. The table says what each one means, and what is allowed. The zero
// value means the default of every setting.
type Values struct {
	spyhop.Config
	NoAudit     bool   // AuditLog is empty
	SecretsFile string // has the SiteSecrets

	MCPAnswerChars int

	ServeOwner                                           string
	ServeAddr                                            string
	ServeToken                                           string
	ServeTokens                                          string
	ServeMaxCalls, ServeMaxConnections, ServeMaxSessions int
	ServeGrace, ServeDelay                               time.Duration
	ServeOAuthAudience, ServeOAuthScopes                 string
	AccessLog                                            string
	AdminAddr                                            string
}

// AuditPath is the path of the audit log, or "" when it is switched off.
func (v Values) AuditPath() string {
	if v.NoAudit || v.AuditLog != "" || v.DataDir == "" {
		return v.AuditLog
	}
	return filepath.Join(v.DataDir, "audit.jsonl")
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
