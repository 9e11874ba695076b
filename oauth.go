package spyhop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// OAuthDocument returns a document of the authorization server in Config.OAuthIssuer: its
// metadata or its keys, at most 1 MB. A document on another origin is read under the
// policy for the web. Redirects are not followed.
func (s *Client) OAuthDocument(ctx context.Context, url string) ([]byte, error) {
	u, err := weburl.Parse(url)
	if err != nil {
		return nil, err
	}
	transport := s.guard.RoundTripper()
	if issuer, err := weburl.Parse(s.issuer); err == nil && issuer.Origin() == u.Origin() {
		if transport, err = s.guard.Endpoint(u); err != nil {
			return nil, err
		}
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	q.Header.Set("Accept", "application/json")
	q.Header.Set("User-Agent", "spyhop/"+Version)
	res, err := transport.RoundTrip(q)
	if err != nil {
		return nil, errors.New("the authorization server cannot be reached")
	}
	defer res.Body.Close()
	const most = 1 << 20
	body, err := io.ReadAll(io.LimitReader(res.Body, most+1))
	switch {
	case err != nil:
		return nil, errors.New("the authorization server sent a broken response")
	case res.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("the authorization server answered with HTTP %d", res.StatusCode)
	case len(body) > most:
		return nil, errors.New("a document of the authorization server has more than 1 MB")
	}
	return body, nil
}
