package oauth

import (
	"context"
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"
)

const issuer, audience = "https://id.example.com/realm", "https://web.example.com/mcp"

// server is an authorization server with real keys.
type server struct {
	rsa    *rsa.PrivateKey
	ec     *ecdsa.PrivateKey
	ed     ed25519.PrivateKey
	kid    string
	asked  int
	broken error
	crit   []string // of the tokens
}

func newServer(t *testing.T) *server {
	t.Helper()
	s := &server{kid: "1"}
	var errs [3]error
	s.rsa, errs[0] = rsa.GenerateKey(rand.Reader, 2048)
	s.ec, errs[1] = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	_, s.ed, errs[2] = ed25519.GenerateKey(rand.Reader)
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	return s
}

func b64(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

func (s *server) get(_ context.Context, url string) ([]byte, error) {
	s.asked++
	if s.broken != nil {
		return nil, s.broken
	}
	point, err := s.ec.PublicKey.Bytes() // 4, x, y
	if err != nil {
		return nil, err
	}
	switch url {
	case "https://id.example.com/.well-known/oauth-authorization-server/realm":
		return json.Marshal(map[string]string{"issuer": issuer, "jwks_uri": "https://id.example.com/keys"})
	case "https://id.example.com/keys":
		return json.Marshal(map[string]any{"keys": []any{
			map[string]string{"kty": "RSA", "kid": "rsa" + s.kid, "use": "sig", "n": b64(s.rsa.N.Bytes()), "e": b64(big.NewInt(int64(s.rsa.E)).Bytes())},
			map[string]string{"kty": "EC", "kid": "ec" + s.kid, "crv": "P-256", "x": b64(point[1:33]), "y": b64(point[33:])},
			map[string]string{"kty": "OKP", "kid": "ed" + s.kid, "crv": "Ed25519", "x": b64(s.ed.Public().(ed25519.PublicKey))},
			map[string]string{"kty": "EC", "kid": "off", "crv": "P-256", "x": "AQ", "y": "AQ"}, map[string]string{"kty": "oct", "kid": "oct", "k": "c2VjcmV0"}, "nonsense"}})
	}
	return nil, errors.New("HTTP 404")
}

// token signs claims with a key of a kind.
func (s *server) token(t *testing.T, alg, kid string, claims map[string]any) string {
	t.Helper()
	header := map[string]any{"alg": alg, "kid": kid, "typ": "at+jwt"}
	if s.crit != nil {
		header["crit"] = s.crit
	}
	head, _ := json.Marshal(header)
	body, _ := json.Marshal(claims)
	text := b64(head) + "." + b64(body)
	sum := sha256.Sum256([]byte(text))
	var sig []byte
	var err error
	switch alg {
	case "RS256":
		sig, err = rsa.SignPKCS1v15(rand.Reader, s.rsa, crypto.SHA256, sum[:])
	case "PS256":
		sig, err = rsa.SignPSS(rand.Reader, s.rsa, crypto.SHA256, sum[:], &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash})
	case "ES256":
		r, x, e := ecdsa.Sign(rand.Reader, s.ec, sum[:])
		sig, err = append(r.FillBytes(make([]byte, 32)), x.FillBytes(make([]byte, 32))...), e
	case "EdDSA":
		sig = ed25519.Sign(s.ed, []byte(text))
	case "HS256": // with the public key as the secret
		m := hmac.New(sha256.New, s.rsa.N.Bytes())
		m.Write([]byte(text))
		sig = m.Sum(nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + b64(sig)
}

// TestVerify: who is accepted and who is not.
func TestVerify(t *testing.T) {
	s := newServer(t)
	now := time.Unix(1_800_000_000, 0)
	v := New(Options{Issuer: issuer, Audience: audience, Scopes: []string{"web"}, Get: s.get, Now: func() time.Time { return now }})
	claims := func(more ...any) map[string]any {
		c := map[string]any{"iss": issuer, "aud": audience, "sub": "ann", "exp": now.Unix() + 300, "scope": "web other", "client_id": "app"}
		for i := 0; i < len(more); i += 2 {
			if c[more[i].(string)] = more[i+1]; more[i+1] == nil {
				delete(c, more[i].(string))
			}
		}
		return c
	}
	other, critical := newServer(t), *s
	critical.crit = []string{"x"}
	for name, c := range map[string]struct {
		token string
		err   error
	}{
		"RS256":                    {s.token(t, "RS256", "rsa1", claims()), nil},
		"PS256":                    {s.token(t, "PS256", "rsa1", claims()), nil},
		"ES256":                    {s.token(t, "ES256", "ec1", claims()), nil},
		"EdDSA":                    {s.token(t, "EdDSA", "ed1", claims()), nil},
		"without a key id":         {s.token(t, "ES256", "", claims()), nil},
		"several audiences":        {s.token(t, "RS256", "rsa1", claims("aud", []string{"x", audience})), nil},
		"scopes as a list":         {s.token(t, "RS256", "rsa1", claims("scope", nil, "scp", []string{"web"})), nil},
		"just expired":             {s.token(t, "RS256", "rsa1", claims("exp", now.Unix()-30)), nil},
		"another issuer":           {s.token(t, "RS256", "rsa1", claims("iss", "https://evil.example.net")), errIssuer},
		"another audience":         {s.token(t, "RS256", "rsa1", claims("aud", "https://other.example.com/mcp")), errAudience},
		"no audience":              {s.token(t, "RS256", "rsa1", claims("aud", nil)), errAudience},
		"expired":                  {s.token(t, "RS256", "rsa1", claims("exp", now.Unix()-300)), errExpired},
		"no expiry":                {s.token(t, "RS256", "rsa1", claims("exp", nil)), errExpired},
		"not yet":                  {s.token(t, "RS256", "rsa1", claims("nbf", now.Unix()+600)), errEarly},
		"no subject":               {s.token(t, "RS256", "rsa1", claims("sub", nil)), errSubject},
		"no scope":                 {s.token(t, "RS256", "rsa1", claims("scope", "other")), ErrScope},
		"no signature":             {s.token(t, "none", "rsa1", claims()), errSigned},
		"a secret":                 {s.token(t, "HS256", "rsa1", claims()), errSigned},
		"a secret of the keys":     {s.token(t, "HS256", "oct", claims()), errSigned},
		"another key":              {other.token(t, "RS256", "rsa1", claims()), errSigned},
		"a key of another kind":    {s.token(t, "RS256", "ec1", claims()), errSigned},
		"a key that is off curve":  {s.token(t, "ES256", "off", claims()), errSigned},
		"changed":                  {strings.Replace(s.token(t, "RS256", "rsa1", claims()), ".", ".e", 1), errForm},
		"opaque":                   {"abc", errForm},
		"empty":                    {"", errForm},
		"1 MB":                     {strings.Repeat("a", 1<<20) + ".b.c", errForm},
		"critical headers":         {critical.token(t, "RS256", "rsa1", claims()), errSigned},
		"an expiry beyond all":     {s.token(t, "RS256", "rsa1", claims("exp", 1e300)), errForm},
		"an expiry before all":     {s.token(t, "RS256", "rsa1", claims("exp", -1e300)), errForm},
		"the alg of another hash":  {s.token(t, "RS512", "rsa1", claims()), errSigned},
		"the empty alg":            {s.token(t, "", "rsa1", claims()), errSigned},
		"an issuer with a slash":   {s.token(t, "RS256", "rsa1", claims("iss", issuer+"/")), errIssuer},
		"an audience as an object": {s.token(t, "RS256", "rsa1", claims("aud", map[string]int{"a": 1})), errForm},
	} {
		got, err := v.Verify(t.Context(), c.token)
		if !errors.Is(err, c.err) || (err == nil) != (c.err == nil) || err == nil && (got.Subject != "ann" || got.Client != "app") {
			t.Errorf("%s: %+v %v, want %v", name, got, err, c.err)
		}
		if err != nil && len(c.token) > 3 && strings.Contains(err.Error(), c.token) {
			t.Errorf("%s: the error has the token", name)
		}
	}
	// A new key is found when a token names it, but not more than once a minute.
	asked := s.asked
	s.kid = "2"
	next := s.token(t, "RS256", "rsa2", claims())
	for range 5 {
		if _, err := v.Verify(t.Context(), next); !errors.Is(err, errSigned) || s.asked != asked {
			t.Errorf("%v, %d requests", err, s.asked-asked)
		}
	}
	now = now.Add(2 * time.Minute)
	if _, err := v.Verify(t.Context(), next); err != nil || s.asked != asked+3 {
		t.Errorf("%v, %d requests", err, s.asked-asked)
	}
	// What is known stays good while the issuer cannot be reached, and nothing is known
	// without it.
	s.broken = errors.New("down")
	now = now.Add(time.Hour)
	if _, err := v.Verify(t.Context(), s.token(t, "RS256", "rsa2", claims("exp", now.Unix()+60))); err != nil {
		t.Error(err)
	}
	fresh := New(Options{Issuer: issuer, Audience: audience, Get: s.get, Now: func() time.Time { return now }})
	if _, err := fresh.Verify(t.Context(), s.token(t, "RS256", "rsa2", claims("exp", now.Unix()+60))); err == nil || err.Error() != "down" {
		t.Error(err)
	}
}

// FuzzVerify: nothing that is sent as a token panics, and nothing is accepted.
func FuzzVerify(f *testing.F) {
	f.Add("a.b.c")
	f.Add(b64([]byte(`{"alg":"ES256"}`)) + "." + b64([]byte(`{"iss":"i","aud":"a","sub":"s","exp":9e18}`)) + ".AA")
	f.Fuzz(func(t *testing.T, token string) {
		v := New(Options{Issuer: "i", Audience: "a", Get: func(context.Context, string) ([]byte, error) {
			return []byte(`{"issuer":"i","jwks_uri":"k","keys":[{}]}`), nil
		}})
		if _, err := v.Verify(t.Context(), token); err == nil {
			t.Fatal("accepted")
		}
	})
}
