package e2e_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/principal"
	surface "github.com/spyhop-dev/spyhop/internal/serve"
)

// oauthBearer adds a token to the requests of a client.
type oauthBearer string

func (b oauthBearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestOAuth: a client of MCP finds the authorization server by the metadata, and its
// tokens are accepted beside the operator's; the others are refused, with the URL of the
// metadata. Two users are two principals.
func TestOAuth(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	b64 := base64.RawURLEncoding.EncodeToString
	var issuer *httptest.Server
	issuer = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/.well-known/openid-configuration":
			_ = json.NewEncoder(w).Encode(map[string]string{"issuer": issuer.URL, "jwks_uri": issuer.URL + "/jwks"})
		case "/jwks":
			_ = json.NewEncoder(w).Encode(map[string]any{"keys": []any{map[string]string{"kty": "RSA", "kid": "k", "n": b64(key.N.Bytes()), "e": b64(big.NewInt(int64(key.E)).Bytes())}}})
		default:
			http.NotFound(w, r)
		}
	}))
	defer issuer.Close()
	client, err := spyhop.New(spyhop.Config{OAuthIssuer: issuer.URL})
	if err != nil {
		t.Fatal(err)
	}
	defer client.Close()
	over := httptest.NewUnstartedServer(nil)
	audience := "http://" + over.Listener.Addr().String() + "/mcp"
	static, err := principal.NewTokens(principal.Token{Name: "operator", SHA256: sha256.Sum256([]byte("static-token-of-the-operator"))})
	if err != nil {
		t.Fatal(err)
	}
	server, err := surface.New(surface.Options{Catalog: client.Catalog(), Audit: client.Audit(), Version: "test", Tokens: static,
		OAuth: &surface.OAuth{Issuer: issuer.URL, Audience: audience, Scopes: []string{"web"}, Get: client.OAuthDocument}})
	if err != nil {
		t.Fatal(err)
	}
	over.Config.Handler = server.Handler()
	over.Start()
	defer over.Close()
	defer over.CloseClientConnections()
	token := func(sub, aud, scope string, lasts time.Duration) string {
		body, _ := json.Marshal(map[string]any{"iss": issuer.URL, "aud": aud, "sub": sub, "scope": scope, "exp": time.Now().Add(lasts).Unix()})
		text := b64([]byte(`{"alg":"RS256","kid":"k"}`)) + "." + b64(body)
		sum := sha256.Sum256([]byte(text))
		sig, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
		if err != nil {
			t.Fatal(err)
		}
		return text + "." + b64(sig)
	}
	metadata := "http://" + over.Listener.Addr().String() + "/.well-known/oauth-protected-resource/mcp"
	for name, c := range map[string]struct {
		token  string
		status int
		says   string
	}{
		"none":             {"", 401, ""},
		"another audience": {token("ann", "https://other.example.com/mcp", "web", time.Hour), 401, `error="invalid_token", error_description="the token is for another audience"`},
		"expired":          {token("ann", audience, "web", -time.Hour), 401, "expired"},
		"no scope":         {token("ann", audience, "mail", time.Hour), 403, `error="insufficient_scope", scope="web"`},
		"nonsense":         {"nonsense", 401, "invalid_token"},
	} {
		q, _ := http.NewRequestWithContext(t.Context(), "POST", over.URL+"/mcp", strings.NewReader(`{}`))
		if c.token != "" {
			q.Header.Set("Authorization", "Bearer "+c.token)
		}
		res, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		challenge := res.Header.Get("WWW-Authenticate")
		if res.StatusCode != c.status || !strings.Contains(challenge, `resource_metadata="`+metadata+`"`) || !strings.Contains(challenge, c.says) || c.token != "" && strings.Contains(string(body)+challenge, c.token+".") {
			t.Errorf("%s: %d %s %s", name, res.StatusCode, challenge, body)
		}
	}
	// The SDK of MCP reads the metadata as its clients do; a page of another site may too.
	m, err := oauthex.GetProtectedResourceMetadata(t.Context(), metadata, audience, http.DefaultClient)
	if err != nil || len(m.AuthorizationServers) != 1 || m.AuthorizationServers[0] != issuer.URL || m.Resource != audience {
		t.Errorf("%+v %v", m, err)
	}
	q, _ := http.NewRequestWithContext(t.Context(), "GET", metadata, nil)
	q.Header.Set("Origin", "https://inspector.example.com")
	if res, err := http.DefaultClient.Do(q); err != nil || res.StatusCode != 200 || res.Header.Get("Access-Control-Allow-Origin") != "*" {
		t.Errorf("%v %v", res, err)
	}
	names := map[string]bool{}
	events, end := client.Audit().Subscribe(100)
	for _, secret := range []string{token("ann", audience, "web", time.Hour), token("ann", audience, "openid web", 2*time.Hour), token("bob", audience, "web", time.Hour), "static-token-of-the-operator"} {
		session, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: over.URL + "/mcp", HTTPClient: &http.Client{Transport: oauthBearer(secret)}}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "web_fetch", Arguments: map[string]any{"url": "http://169.254.169.254/"}}); err != nil || !r.IsError {
			t.Errorf("%v %+v", err, r)
		}
		session.Close()
	}
	end()
	for e := range events {
		if e.Owner != "" { // the requests for keys belong to nobody
			names[e.Owner] = true
		}
	}
	if len(names) != 3 || !names["operator"] {
		t.Errorf("%v", names)
	}
}
