package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
	"github.com/spyhop-dev/spyhop/internal/oauth"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// The server as a protected resource of OAuth 2: hosts of models that speak OAuth to
// remote MCP servers find the authorization server by the metadata (RFC 9728), whose URL
// is in WWW-Authenticate of each refusal, and come back with its tokens. The tokens of the
// operator stay valid beside it.

// OAuth says whose access tokens are accepted.
type OAuth struct {
	// Issuer is the URL of the authorization server, Audience what its tokens are for:
	// the URL of /mcp of this server, as clients know it. Both are required.
	Issuer, Audience string
	// Scopes have to be in every token; nil: none.
	Scopes []string
	// Get returns a document of the issuer. Required.
	Get func(ctx context.Context, url string) ([]byte, error)
}

const metadataPath = "/.well-known/oauth-protected-resource"

// oauthTime bounds the check of a token, which may fetch keys.
const oauthTime = 10 * time.Second

// resource is the server as a protected resource; nil: it is none.
type resource struct {
	*OAuth
	verifier *oauth.Verifier
}

func newResource(o *OAuth) *resource {
	if o == nil {
		return nil
	}
	return &resource{o, oauth.New(oauth.Options{Issuer: o.Issuer, Audience: o.Audience, Scopes: o.Scopes, Get: o.Get})}
}

// caller returns the principal of an access token: a name made of issuer and subject, so
// that the same user of the same issuer is the same principal. The error says why the token
// is refused.
func (r *resource) caller(ctx context.Context, token string) (principal.Caller, error) {
	ctx, stop := context.WithTimeout(ctx, oauthTime)
	defer stop()
	claims, err := r.verifier.Verify(ctx, token)
	if err != nil {
		return principal.Caller{Name: principal.Anonymous}, err
	}
	sum := sha256.Sum256([]byte(r.Issuer + "\n" + claims.Subject))
	return principal.Caller{Name: "oauth." + hex.EncodeToString(sum[:10])}, nil
}

// metadataURL is where clients find the metadata.
func (r *resource) metadataURL(q *http.Request) string {
	base, path := baseURL(q), "/mcp"
	if u, err := weburl.Parse(r.Audience); err == nil && strings.HasPrefix(r.Audience, "http") {
		base, path = u.Origin(), strings.TrimSuffix(u.Path(), "/")
	}
	return base + metadataPath + path
}

// challenge is the value of WWW-Authenticate (RFC 6750 section 3, RFC 9728 section 5.1).
func (r *resource) challenge(q *http.Request, err error) string {
	const realm = `Bearer realm="spyhop"`
	if r == nil {
		return realm
	}
	c := realm + `, resource_metadata="` + text.URL(r.metadataURL(q)) + `"`
	switch {
	case errors.Is(err, oauth.ErrScope):
		c += `, error="insufficient_scope", scope="` + strings.Join(r.Scopes, " ") + `"`
	case err != nil:
		c += `, error="invalid_token", error_description="` + strings.NewReplacer(`"`, "'", `\`, "").Replace(visible(text.Cause(err))) + `"`
	}
	return c
}

// isMetadata reports whether a request is for the metadata, which anybody may read, pages
// of other sites too.
func (s *Server) isMetadata(q *http.Request) bool {
	return s.resource != nil && (q.URL.Path == metadataPath || strings.HasPrefix(q.URL.Path, metadataPath+"/"))
}

// metadata answers with it.
func (s *Server) metadata(w http.ResponseWriter, q *http.Request) {
	m := &oauthex.ProtectedResourceMetadata{Resource: s.resource.Audience, AuthorizationServers: []string{s.resource.Issuer}, ScopesSupported: s.resource.Scopes,
		BearerMethodsSupported: []string{"header"}, ResourceName: "Spyhop", ResourceDocumentation: website}
	if !strings.HasPrefix(m.Resource, "http") {
		m.Resource = baseURL(q) + "/mcp"
	}
	auth.ProtectedResourceMetadataHandler(m).ServeHTTP(w, q)
}

// refuseToken answers a request whose token is missing or wrong.
func (s *Server) refuseToken(w http.ResponseWriter, q *http.Request, err error) {
	w.Header().Set("WWW-Authenticate", s.resource.challenge(q, err))
	if s.resource == nil || err == nil {
		hint := "send the header Authorization: Bearer TOKEN; the token is in WEB_SERVE_TOKEN, was printed by spyhop serve --new-token, or is where spyhop serve said when it made it"
		if s.resource != nil {
			hint = "send the header Authorization: Bearer TOKEN; " + text.URL(s.resource.metadataURL(q)) + " says who gives tokens"
		}
		s.turnAway(w, q, http.StatusUnauthorized, tool.NewError(tool.Blocked, "the bearer token is missing or wrong", hint))
		return
	}
	status := http.StatusUnauthorized
	if errors.Is(err, oauth.ErrScope) {
		status = http.StatusForbidden
	}
	s.turnAway(w, q, status, tool.NewError(tool.Blocked, text.Cause(err), text.URL(s.resource.metadataURL(q))+" says who gives tokens"))
}
