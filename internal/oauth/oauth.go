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
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rsa"
	_ "crypto/sha256" // the hashes of the algorithms
	_ "crypto/sha512"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"slices"
	"strings"
	"sync"
	"time"
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
	keys    []key
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
	Expires time.Time
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
	parts := strings.Split(token, ".")
	if len(token) > maxToken || len(parts) != 3 {
		return Claims{}, errForm
	}
	var head struct {
		Alg  string   `json:"alg"`
		Kid  string   `json:"kid"`
		Crit []string `json:"crit"`
	}
	var body struct {
		Issuer   string          `json:"iss"`
		Subject  string          `json:"sub"`
		Audience json.RawMessage `json:"aud"`
		Expires  *float64        `json:"exp"`
		From     *float64        `json:"nbf"`
		Scope    json.RawMessage `json:"scope"`
		Scp      json.RawMessage `json:"scp"`
		Client   string          `json:"client_id"`
		Azp      string          `json:"azp"`
	}
	signature, err := base64.RawURLEncoding.DecodeString(parts[2])
	if err != nil || !decode(parts[0], &head) || !decode(parts[1], &body) || len(head.Crit) > 0 {
		return Claims{}, errForm
	}
	// The claims are compared before the signature: a token of another issuer fetches
	// nothing.
	now := v.o.Now()
	switch {
	case body.Issuer != v.o.Issuer:
		return Claims{}, errIssuer
	case !slices.Contains(list(body.Audience), v.o.Audience):
		return Claims{}, errAudience
	case body.Expires == nil || !now.Before(at(*body.Expires).Add(leeway)):
		return Claims{}, errExpired
	case body.From != nil && now.Before(at(*body.From).Add(-leeway)):
		return Claims{}, errEarly
	case body.Subject == "":
		return Claims{}, errSubject
	}
	if err := v.signed(ctx, head.Alg, head.Kid, parts[0]+"."+parts[1], signature); err != nil {
		return Claims{}, err
	}
	c := Claims{Subject: body.Subject, Client: body.Client, Scopes: list(body.Scope), Expires: at(*body.Expires)}
	if c.Client == "" {
		c.Client = body.Azp
	}
	if len(c.Scopes) == 0 {
		c.Scopes = list(body.Scp)
	}
	for _, s := range v.o.Scopes {
		if !slices.Contains(c.Scopes, s) {
			return c, ErrScope
		}
	}
	return c, nil
}

func decode(part string, to any) bool {
	data, err := base64.RawURLEncoding.DecodeString(part)
	return err == nil && json.Unmarshal(data, to) == nil
}

// list reads a list of strings, or a string of words.
func list(raw json.RawMessage) []string {
	var many []string
	if json.Unmarshal(raw, &many) == nil {
		return many
	}
	var words string
	if json.Unmarshal(raw, &words) != nil {
		return nil
	}
	return strings.Fields(words)
}

func at(seconds float64) time.Time {
	const most = 1 << 40
	return time.Unix(int64(min(max(seconds, -most), most)), 0)
}

// signed checks a signature with the keys of the issuer, which are fetched again for an
// unknown key.
func (v *Verifier) signed(ctx context.Context, alg, kid, text string, signature []byte) error {
	for again := false; ; again = true {
		keys, fresh, err := v.load(ctx, again)
		if err != nil {
			return err
		}
		known := false
		for _, k := range keys {
			if kid != "" && k.id != "" && k.id != kid {
				continue
			}
			known = true
			if k.verify(alg, []byte(text), signature) {
				return nil
			}
		}
		if known && kid != "" || again || fresh {
			return errSigned
		}
	}
}

// load returns the keys; fresh reports that they were just fetched.
func (v *Verifier) load(ctx context.Context, again bool) (keys []key, fresh bool, err error) {
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
func (v *Verifier) fetch(ctx context.Context) ([]key, error) {
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
	keys := []key{}
	for _, raw := range set.Keys[:min(len(set.Keys), mostKeys)] {
		if k, ok := parseKey(raw); ok {
			keys = append(keys, k)
		}
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

// key is a public key.
type key struct {
	id, alg string // alg may be empty
	public  crypto.PublicKey
}

// parseKey reads a JWK; ok is false for one that checks no signatures that are supported.
func parseKey(raw json.RawMessage) (k key, ok bool) {
	var j struct {
		Kty, Use, Kid, Alg, Crv, N, E, X, Y string
	}
	if json.Unmarshal(raw, &j) != nil || j.Use != "" && j.Use != "sig" {
		return k, false
	}
	number := func(s string) *big.Int {
		b, err := base64.RawURLEncoding.DecodeString(strings.TrimRight(s, "="))
		if err != nil {
			return new(big.Int)
		}
		return new(big.Int).SetBytes(b)
	}
	k.id, k.alg = j.Kid, j.Alg
	switch j.Kty + " " + j.Crv {
	case "RSA ":
		n, e := number(j.N), number(j.E)
		if n.BitLen() < leastRSA || n.BitLen() > 16384 || !e.IsInt64() || e.Int64() < 3 || e.Int64() > 1<<31-1 {
			return k, false
		}
		k.public = &rsa.PublicKey{N: n, E: int(e.Int64())}
	case "EC P-256", "EC P-384", "EC P-521":
		curve := map[string]elliptic.Curve{"P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521()}[j.Crv]
		size := (curve.Params().BitSize + 7) / 8
		x, y := number(j.X), number(j.Y)
		if x.BitLen() > 8*size || y.BitLen() > 8*size {
			return k, false
		}
		const uncompressed = 4 // SEC 1, section 2.3.3
		point := slices.Concat([]byte{uncompressed}, x.FillBytes(make([]byte, size)), y.FillBytes(make([]byte, size)))
		p, err := ecdsa.ParseUncompressedPublicKey(curve, point)
		if err != nil { // not a point of the curve
			return k, false
		}
		k.public = p
	case "OKP Ed25519":
		x, err := base64.RawURLEncoding.DecodeString(j.X)
		if err != nil || len(x) != ed25519.PublicKeySize {
			return k, false
		}
		k.public = ed25519.PublicKey(x)
	default:
		return k, false
	}
	return k, true
}

// verify checks a signature. The key decides which algorithms are possible, so that no
// token can choose a weaker one.
func (k key) verify(alg string, text, signature []byte) bool {
	if k.alg != "" && k.alg != alg {
		return false
	}
	hash := map[string]crypto.Hash{"256": crypto.SHA256, "384": crypto.SHA384, "512": crypto.SHA512}[strings.TrimLeft(alg, "RSPE")]
	digest := func() []byte { h := hash.New(); h.Write(text); return h.Sum(nil) }
	switch p := k.public.(type) {
	case *rsa.PublicKey:
		switch {
		case hash == 0:
		case strings.HasPrefix(alg, "RS"):
			return rsa.VerifyPKCS1v15(p, hash, digest(), signature) == nil
		case strings.HasPrefix(alg, "PS"):
			return rsa.VerifyPSS(p, hash, digest(), signature, &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash}) == nil
		}
	case *ecdsa.PublicKey:
		want := map[string]string{"P-256": "ES256", "P-384": "ES384", "P-521": "ES512"}[p.Params().Name]
		size := (p.Params().BitSize + 7) / 8
		if alg != want || len(signature) != 2*size {
			return false
		}
		return ecdsa.Verify(p, digest(), new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:]))
	case ed25519.PublicKey:
		return alg == "EdDSA" && ed25519.Verify(p, text, signature)
	}
	return false
}
