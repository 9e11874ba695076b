package search

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/modelcontextprotocol/go-sdk/oauthex"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// conform is the client of the conformance suite (`make bridges`): the
// bridge's own connection, on which a scenario is carried out. What the suite
// wants a person to answer, consent to OAuth and elicitation, is answered here.
func conform(scenario, address string) {
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if err := carryOut(ctx, scenario, address); err != nil {
		fmt.Fprintln(os.Stderr, scenario+":", err)
		os.Exit(1)
	}
}

func carryOut(ctx context.Context, scenario, address string) error {
	u, err := weburl.Parse(address)
	if err != nil {
		return err
	}
	m := MCP{URL: u, RoundTripper: http.DefaultTransport}
	var failed error
	s, err := m.dial(ctx, func(o *mcp.ClientOptions, t *mcp.StreamableClientTransport) {
		t.OAuthHandler, failed = consent()
		if scenario == "elicitation-sep1034-client-defaults" {
			t.DisableStandaloneSSE = false // the bridge has nobody to ask, and does not wait for questions
			o.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
				return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
			}
		}
	})
	if err := errors.Join(err, failed); err != nil {
		return err
	}
	defer s.close()
	tools, err := s.tools(ctx)
	if err != nil {
		return err
	}
	for _, t := range tools {
		args := map[string]any{}
		if t.Name == "add_numbers" {
			args = map[string]any{"a": 5, "b": 3}
		}
		if _, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: t.Name, Arguments: args}); err != nil {
			return err
		}
	}
	return nil
}

// consent is a person who agrees to everything.
func consent() (auth.OAuthHandler, error) {
	o := &auth.AuthorizationCodeHandlerConfig{
		RedirectURL: "http://localhost:3000/callback",
		AuthorizationCodeFetcher: func(ctx context.Context, a *auth.AuthorizationArgs) (*auth.AuthorizationResult, error) {
			r, err := http.NewRequestWithContext(ctx, http.MethodGet, a.URL, nil)
			if err != nil {
				return nil, err
			}
			res, err := http.DefaultTransport.RoundTrip(r) // the suite's server redirects at once
			if err != nil {
				return nil, err
			}
			defer res.Body.Close()
			to, err := res.Location()
			if err != nil {
				return nil, err
			}
			return &auth.AuthorizationResult{Code: to.Query().Get("code"), State: to.Query().Get("state"), Iss: to.Query().Get("iss")}, nil
		},
		ClientIDMetadataDocumentConfig:  &auth.ClientIDMetadataDocumentConfig{URL: "https://conformance-test.local/client-metadata.json"},
		DynamicClientRegistrationConfig: &auth.DynamicClientRegistrationConfig{Metadata: &oauthex.ClientRegistrationMetadata{RedirectURIs: []string{"http://localhost:3000/callback"}}},
	}
	var given struct {
		ID     string `json:"client_id"`
		Secret string `json:"client_secret"`
	}
	_ = json.Unmarshal([]byte(os.Getenv("MCP_CONFORMANCE_CONTEXT")), &given) // most scenarios have none
	if given.ID != "" {
		o.PreregisteredClient = &oauthex.ClientCredentials{ClientID: given.ID, ClientSecretAuth: &oauthex.ClientSecretAuth{ClientSecret: given.Secret}}
	}
	return auth.NewAuthorizationCodeHandler(o)
}
