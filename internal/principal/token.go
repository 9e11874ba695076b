package principal

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// maxName bounds the name of a token; maxTokens bounds the tokens of a server,
// since each request is compared with all of them.
const (
	maxName   = 64
	maxTokens = 1000
)

// Token is a bearer token with the name of its principal.
type Token struct {
	// Name is the principal: 1 to 64 lower-case letters, digits, points, dashes and
	// underscores. Local and Anonymous are reserved.
	Name string
	// SHA256 is the hash of the token. The token itself is not kept.
	SHA256 [sha256.Size]byte
	Quota  Quota
}

// Quota limits the calls of a principal. The zero value has no limits of its own.
type Quota struct {
	// MaxCalls is the number of calls that may run at a time; 0 means no limit.
	MaxCalls int
	// CallsPerMinute is the rate of calls; 0 means no limit. A minute's calls may
	// come at once.
	CallsPerMinute int
	// Weight is the principal's share where callers wait for a place, relative to
	// those of the others; 0 means 1.
	Weight int
}

// Tokens are the tokens that a server knows. They do not change: a file that is
// read again makes others. A nil *Tokens has none.
type Tokens struct{ all []Token }

// NewTokens checks tokens. The error names the entry.
func NewTokens(all ...Token) (*Tokens, error) {
	if len(all) > maxTokens {
		return nil, fmt.Errorf("there are %d tokens, and at most %d are allowed", len(all), maxTokens)
	}
	names, hashes := make(map[string]bool), make(map[[sha256.Size]byte]string)
	for _, t := range all {
		if err := CheckName(t.Name); err != nil {
			return nil, err
		}
		other, same := hashes[t.SHA256]
		q := t.Quota
		switch {
		case names[t.Name]:
			return nil, fmt.Errorf("there are two tokens with the name %q", t.Name)
		case same:
			return nil, fmt.Errorf("%q and %q have the same token", other, t.Name)
		case t.SHA256 == sha256.Sum256(nil) || t.SHA256 == [sha256.Size]byte{}:
			return nil, fmt.Errorf("the token %q is empty", t.Name)
		case q.MaxCalls < 0 || q.CallsPerMinute < 0 || q.Weight < 0:
			return nil, fmt.Errorf("the token %q has a negative quota", t.Name)
		}
		names[t.Name], hashes[t.SHA256] = true, t.Name
	}
	return &Tokens{all: append([]Token(nil), all...)}, nil
}

// CheckName returns an error for a text that cannot be the name of a token.
func CheckName(name string) error {
	switch {
	case name == "" || len(name) > maxName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789._-") != "":
		return fmt.Errorf("%.70q cannot be the name of a token: use up to %d lower-case letters, digits, points, dashes and underscores", name, maxName)
	case name == Local || name == Anonymous:
		return errors.New("the names " + Local + " and " + Anonymous + " are reserved: use another name")
	}
	return nil
}

// Len is the number of tokens.
func (t *Tokens) Len() int {
	if t == nil {
		return 0
	}
	return len(t.all)
}

// Find returns the entry of a token. The time that it takes does not depend on the
// token, nor on which entry it is.
func (t *Tokens) Find(token string) (found Token, ok bool) {
	if t == nil {
		return Token{}, false
	}
	sum := sha256.Sum256([]byte(token))
	at := -1
	for i := range t.all {
		at = subtle.ConstantTimeSelect(subtle.ConstantTimeCompare(sum[:], t.all[i].SHA256[:]), i, at)
	}
	if at < 0 {
		return Token{}, false
	}
	return t.all[at], true
}

// Has reports whether there is a token of this name with this hash.
func (t *Tokens) Has(name string, sum [sha256.Size]byte) bool {
	return t != nil && slices.ContainsFunc(t.all, func(is Token) bool { return is.Name == name && is.SHA256 == sum })
}

// Quota returns the quota of a principal; the zero Quota for one without a token.
func (t *Tokens) Quota(name string) Quota {
	if t != nil {
		for i := range t.all {
			if t.all[i].Name == name {
				return t.all[i].Quota
			}
		}
	}
	return Quota{}
}
