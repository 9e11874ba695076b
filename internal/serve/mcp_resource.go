package serve

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// Versions of pages as resources: the newest are listed, each can be read.

const (
	versionPrefix = "spyhop://version/"
	versionType   = "text/markdown"
	// maxListed bounds the versions of a list.
	maxListed = 50
	// mostURL is how many bytes of an address stand outside of the fence;
	// listedBytes is what the list says of a version besides its address.
	mostURL, listedBytes = 300, 130
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
			room := defaultAnswerChars
			for _, v := range m.o.Versions.Recent(ctx, maxListed) {
				name := shownURL(v.URL)
				if room -= len(versionPrefix+v.Hash+name) + listedBytes; room < 0 {
					break
				}
				result.Resources = append(result.Resources, &mcp.Resource{
					URI: versionPrefix + v.Hash, Name: name, MIMEType: versionType,
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
	answer := fmt.Sprintf("Contents of %s as of %s:\n\n", shownURL(v.URL), v.Seen.UTC().Format(time.RFC3339)) + tool.Fence(v.Text)
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: versionType, Text: answer}}}, nil
}

// shownURL is the beginning of an address, as it stands outside of the fence.
func shownURL(u string) string {
	if len(u) <= mostURL {
		return u
	}
	return strings.ToValidUTF8(u[:mostURL], "") + "…"
}
