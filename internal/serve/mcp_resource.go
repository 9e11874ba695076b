package serve

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Versions of pages as resources: the newest are listed, each can be read.

const (
	versionPrefix = "spyhop://version/"
	versionType   = "text/markdown"
	// maxListed bounds the versions of a list.
	maxListed = 50
)

// addResources serves Options.Versions. The list is made anew each time, which
// the SDK's own cannot be.
func (m *mcpServer) addResources(s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "page version", URITemplate: versionPrefix + "{id}", MIMEType: versionType,
		Description: "A page as it was read, by the version in an answer's metadata.",
	}, m.readVersion)
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			list, ok := r.(*mcp.ListResourcesRequest)
			if !ok {
				return next(ctx, method, r)
			}
			result := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
			cacheable(ctx, list, &result.Cacheable)
			for _, v := range m.o.Versions.Recent(ctx, maxListed) {
				result.Resources = append(result.Resources, &mcp.Resource{
					URI: versionPrefix + v.Hash, Name: v.URL, MIMEType: versionType,
					Annotations: &mcp.Annotations{LastModified: v.Seen.UTC().Format(time.RFC3339)},
				})
			}
			return result, nil
		}
	})
}

// readVersion answers with a version in the envelope that all of a page's text
// has for a model.
func (m *mcpServer) readVersion(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	v, ok := m.o.Versions.Version(ctx, strings.TrimPrefix(r.Params.URI, versionPrefix))
	if !ok {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	boundary := rand.Text()
	text := fmt.Sprintf("Contents of %s as of %s:\n\n<<<untrusted web content %s>>>\n%s\n<<<end of untrusted web content %[3]s>>>",
		v.URL, v.Seen.UTC().Format(time.RFC3339), boundary, v.Text)
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: versionType, Text: text}}}, nil
}
