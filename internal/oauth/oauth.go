// Package oauth provides the check of access tokens of an OAuth 2 authorization server:
// signed JWTs (RFC 9068, RFC 7519), whose keys the server publishes (RFC 7517).
//
//	v := oauth.New(oauth.Options{Issuer: "https://id.example.com", Audience: "https://web.example.com/mcp", Get: get})
//	claims, err := v.Verify(ctx, token)
//
// # Guarantees
//
// A token is accepted only if its signature is that of a key of the issuer, by an
// asymmetric algorithm, if it names the issuer and the audience, has a subject, and has not
// expired. Keys are fetched when they are first needed, again after ten minutes, and for an
// unknown key at most once a minute. Tokens have at most 16 KB, documents of the issuer at
// most 1 MB. No error contains a token. A Verifier is safe for concurrent use.
//
// # Limits
//
// Opaque tokens, encrypted tokens and revocation (RFC 7662, RFC 7009) are not supported: a
// token is good until it expires.
package oauth

import (
	"cmp"
	"context"
	"crypto/rsa"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
)

const (
	maxToken    = 16 << 10
	maxDocument = 1 << 20
	keysKept    = 10 * time.Minute
	keysAgain   = time.Minute
	// leeway is how much the clocks of issuer and server may differ.
	leeway = time.Minute
	// leastRSA is the least size of RSA keys, in bits (RFC 7518 section 3.3).
	leastRSA = 2048
	mostKeys = 100
)

// algorithms are those of public keys: with one of a shared secret, who knows the public key
// could sign.
var algorithms = []jose.SignatureAlgorithm{jose.RS256, jose.RS384, jose.RS512, jose.PS256, jose.PS384, jose.PS512, jose.ES256, jose.ES384, jose.ES512, jose.EdDSA}

// Options configure a Verifier. All but Now are required.
type Options struct {
	// Issuer is the URL of the authorization server, as tokens have it.
	Issuer string
	// Audience is what tokens have to be for: mostly the URL of this server.
	Audience string
	// Scopes have to be in every token; nil: none.
	Scopes []string
	// Get returns a document of the issuer, of at most 1 MB.
	Get func(ctx context.Context, url string) ([]byte, error)
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Verifier checks tokens. Make one with [New].
type Verifier struct {
	o Options

	mu      sync.Mutex
	keys    []jose.JSONWebKey
	fetched time.Time // also when it failed
	failed  error
}

// New returns a Verifier. It makes no request.
func New(o Options) *Verifier {
	if o.Now == nil {
		o.Now = time.Now
	}
	return &Verifier{o: o}
}

// Claims are what a token says.
type Claims struct {
	Subject string
	Client  string // client_id, or azp
	Scopes  []string
}

// ErrScope is the error of a token without the scopes that are needed.
var ErrScope = errors.New("the token lacks a scope that this server needs")

// The errors of tokens. Others are of the network or of the issuer's documents.
var (
	errForm     = errors.New("the token is not a signed JWT")
	errSigned   = errors.New("the token is not signed by a key of the issuer")
	errIssuer   = errors.New("the token is of another issuer")
	errAudience = errors.New("the token is for another audience")
	errExpired  = errors.New("the token has expired, or has no expiry")
	errEarly    = errors.New("the token is not valid yet")
	errSubject  = errors.New("the token names no subject")
)

// Verify checks a token.
func (v *Verifier) Verify(ctx context.Context, token string) (Claims, error) {
	if len(token) > maxToken {
		return Claims{}, errForm
	}
	parsed, err := jwt.ParseSigned(token, algorithms)
	switch {
	case errors.As(err, new(*jose.ErrUnexpectedSignatureAlgorithm)):
		return Claims{}, errSigned
	case err != nil:
		return Claims{}, errForm
	}
	var body claims
	if parsed.UnsafeClaimsWithoutVerification(&body) != nil {
		return Claims{}, errForm
	}
	// The claims are compared before the signature: a token of another issuer fetches
	// nothing.
	if err := v.compare(body); err != nil {
		return Claims{}, err
	}
	if err := v.signed(ctx, parsed); err != nil {
		return Claims{}, err
	}
	c := Claims{Subject: body.Subject, Client: cmp.Or(body.Client, body.Azp), Scopes: body.Scope}
	if len(c.Scopes) == 0 {
		c.Scopes = body.Scp
	}
	for _, s := range v.o.Scopes {
		if !slices.Contains(c.Scopes, s) {
			return c, ErrScope
		}
	}
	return c, nil
}

// claims are those of a token.
type claims struct {
	jwt.Claims
	Scope  words  `json:"scope"`
	Scp    words  `json:"scp"`
	Client string `json:"client_id"`
	Azp    string `json:"azp"`
}

// compare checks what a token says of itself.
func (v *Verifier) compare(c claims) error {
	now := v.o.Now()
	switch {
	case c.Issuer != v.o.Issuer:
		return errIssuer
	case !c.Audience.Contains(v.o.Audience):
		return errAudience
	case c.Expiry == nil || !now.Before(c.Expiry.Time().Add(leeway)):
		return errExpired
	case c.NotBefore != nil && now.Before(c.NotBefore.Time().Add(-leeway)):
		return errEarly
	case c.Subject == "":
		return errSubject
	}
	return nil
}

// words is a list of strings, or a string of words; anything else is none.
type words []string

// UnmarshalJSON implements json.Unmarshaler.
func (w *words) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*w = strings.Fields(text)
	} else if json.Unmarshal(raw, (*[]string)(w)) != nil {
		*w = nil
	}
	return nil
}

// signed checks the signature with the keys of the issuer, which are fetched again for an
// unknown key.
func (v *Verifier) signed(ctx context.Context, token *jwt.JSONWebToken) error {
	head := token.Headers[0]
	for again := false; ; again = true {
		keys, fresh, err := v.load(ctx, again)
		if err != nil {
			return err
		}
		known := false
		for _, k := range keys {
			if head.KeyID != "" && k.KeyID != "" && k.KeyID != head.KeyID {
				continue
			}
			known = true
			if (k.Algorithm == "" || k.Algorithm == head.Algorithm) && token.Claims(k.Key) == nil {
				return nil
			}
		}
		if known && head.KeyID != "" || again || fresh {
			return errSigned
		}
	}
}

// load returns the keys; fresh reports that they were just fetched.
func (v *Verifier) load(ctx context.Context, again bool) (keys []jose.JSONWebKey, fresh bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	age := v.o.Now().Sub(v.fetched)
	if age < keysAgain || age < keysKept && !again {
		if v.keys == nil {
			return nil, true, v.failed
		}
		return v.keys, age < keysAgain, nil
	}
	found, err := v.fetch(ctx)
	if err != nil && ctx.Err() != nil {
		return nil, false, err // the caller went away; that says nothing of the issuer
	}
	v.fetched, v.failed = v.o.Now(), err
	if err == nil {
		v.keys = found
	}
	if v.keys == nil {
		return nil, true, err
	}
	return v.keys, true, nil
}

// fetch reads the metadata of the issuer (RFC 8414, OpenID Connect Discovery) and its keys.
func (v *Verifier) fetch(ctx context.Context) ([]jose.JSONWebKey, error) {
	var meta struct {
		Issuer string `json:"issuer"`
		JWKS   string `json:"jwks_uri"`
	}
	base := strings.TrimSuffix(v.o.Issuer, "/")
	origin, path := base, ""
	if i := strings.Index(base, "://"); i >= 0 {
		if j := strings.IndexByte(base[i+3:], '/'); j >= 0 {
			origin, path = base[:i+3+j], base[i+3+j:]
		}
	}
	var err error
	for _, url := range []string{base + "/.well-known/openid-configuration", origin + "/.well-known/oauth-authorization-server" + path} {
		if err = v.document(ctx, url, &meta); err == nil {
			break
		}
	}
	switch {
	case err != nil:
		return nil, err
	case meta.Issuer != v.o.Issuer || meta.JWKS == "":
		return nil, errors.New("the metadata of the issuer names another issuer, or no keys")
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := v.document(ctx, meta.JWKS, &set); err != nil {
		return nil, err
	}
	keys := []jose.JSONWebKey{}
	for _, raw := range set.Keys[:min(len(set.Keys), mostKeys)] {
		var k jose.JSONWebKey
		if json.Unmarshal(raw, &k) != nil || !k.IsPublic() || k.Use != "" && k.Use != "sig" {
			continue // of another kind, or for encryption
		}
		if p, ok := k.Key.(*rsa.PublicKey); ok && p.N.BitLen() < leastRSA {
			continue
		}
		keys = append(keys, k)
	}
	return keys, nil
}

func (v *Verifier) document(ctx context.Context, url string, to any) error {
	data, err := v.o.Get(ctx, url)
	if err != nil {
		return err
	}
	if len(data) > maxDocument || json.Unmarshal(data, to) != nil {
		return errors.New("a document of the issuer is not JSON, or is too long")
	}
	return nil
}
