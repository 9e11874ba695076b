package config

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"

	"github.com/spyhop-dev/spyhop/internal/principal"
)

// defaultToken is the name of the principal of WEB_SERVE_TOKEN.
const defaultToken = "default"

// The limits of the quotas in a file.
const (
	maxCalls  = 10_000
	maxRate   = 100_000 // calls a minute
	maxWeight = 1000
)

type tokenEntry struct {
	Name           string `toml:"name"`
	SHA256         string `toml:"sha256"`
	MaxCalls       int    `toml:"max_calls"`
	CallsPerMinute int    `toml:"calls_per_minute"`
	Weight         int    `toml:"weight"`
}

// Tokens reads the bearer tokens of "spyhop serve": those of the file
// WEB_SERVE_TOKENS, and own with the name default unless it is empty. It may be
// called again to read a changed file. The error is an [*Error], which contains
// nothing of the file.
func (v Values) Tokens(own string) (*principal.Tokens, error) {
	var all []principal.Token
	if v.ServeTokens != "" {
		var err error
		if all, err = readTokens(v.ServeTokens); err != nil {
			return nil, err
		}
	}
	if own != "" {
		all = append(all, principal.Token{Name: defaultToken, SHA256: sha256.Sum256([]byte(own))})
	}
	tokens, err := principal.NewTokens(all...)
	if err != nil {
		return nil, wrongTokens(v.ServeTokens, "is not allowed: "+err.Error(), err)
	}
	return tokens, nil
}

func readTokens(file string) ([]principal.Token, error) {
	var f struct {
		Token []tokenEntry `toml:"token"`
	}
	if err := readEntries(file, &f); err != nil {
		return nil, wrongTokens(file, "cannot be used: "+err.Error(), err)
	}
	out := make([]principal.Token, len(f.Token))
	for i, e := range f.Token {
		sum, err := hex.DecodeString(e.SHA256)
		if err != nil || len(sum) != sha256.Size {
			return nil, wrongTokens(file, fmt.Sprintf("has no SHA-256 of 64 hexadecimal digits in entry %d (%.70q)", i+1, e.Name), nil)
		}
		for _, q := range []struct {
			key         string
			value, most int
		}{{"max_calls", e.MaxCalls, maxCalls}, {"calls_per_minute", e.CallsPerMinute, maxRate}, {"weight", e.Weight, maxWeight}} {
			if q.value < 0 || q.value > q.most {
				return nil, wrongTokens(file, fmt.Sprintf("has %s = %d in entry %d (%.70q)", q.key, q.value, i+1, e.Name), nil)
			}
		}
		out[i] = principal.Token{Name: e.Name, SHA256: [sha256.Size]byte(sum),
			Quota: principal.Quota{MaxCalls: e.MaxCalls, CallsPerMinute: e.CallsPerMinute, Weight: e.Weight}}
	}
	return out, nil
}

func wrongTokens(file, what string, cause error) *Error {
	return &Error{Name: "WEB_SERVE_TOKENS", From: file, What: what, Cause: cause,
		Form: fmt.Sprintf(`use a file of your own with mode 0600, and make an entry with spyhop serve --new-token NAME; max_calls is at most %d, calls_per_minute %d, weight %d`, maxCalls, maxRate, maxWeight)}
}

// TokenEntry is the text of an entry of the file for a token.
func TokenEntry(name, token string) (string, error) {
	if err := principal.CheckName(name); err != nil {
		return "", err
	}
	if name == defaultToken {
		return "", errors.New("the name " + defaultToken + " is that of WEB_SERVE_TOKEN: use another name")
	}
	sum := sha256.Sum256([]byte(token))
	return fmt.Sprintf("[[token]]\nname = %q\nsha256 = %q\n", name, hex.EncodeToString(sum[:])), nil
}
