package serve

import (
	"context"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/spyhop-dev/spyhop/internal/tool"
)

// Versions of pages as resources: the newest are listed, each can be read.

// Versions are pages as they were read.
type Versions interface {
	// Latest returns the versions that were seen last, the newest first, at
	// most limit, without their text.
	Latest(ctx context.Context, limit int) ([]Version, error)
	// Version returns one; ok is false where there is none.
	Version(ctx context.Context, id string) (v Version, ok bool, err error)
}

// Version is a page as it was at one time.
type Version struct {
	// ID names the version: letters and digits.
	ID string
	// URL and Title are the page's.
	URL, Title string
	// LastSeen is when it was last like this.
	LastSeen time.Time
	// Text is the page as a model reads it, in its envelope.
	Text string
}

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
			versions, err := m.o.Versions.Latest(ctx, maxListed)
			if err != nil {
				return nil, tool.AsError(err)
			}
			for _, v := range versions[:min(len(versions), maxListed)] {
				result.Resources = append(result.Resources, &mcp.Resource{
					URI: versionPrefix + v.ID, Name: v.URL, Title: v.Title, MIMEType: versionType,
					Annotations: &mcp.Annotations{LastModified: v.LastSeen.UTC().Format(time.RFC3339)},
				})
			}
			return result, nil
		}
	})
}

func (m *mcpServer) readVersion(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	v, ok, err := m.o.Versions.Version(ctx, strings.TrimPrefix(r.Params.URI, versionPrefix))
	if err != nil {
		return nil, tool.AsError(err)
	}
	if !ok {
		return nil, mcp.ResourceNotFoundError(r.Params.URI)
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: versionType, Text: v.Text}}}, nil
}
