package serve

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// Versions of pages as resources: a session lists those that it has read. Without
// a session, the list is that of the principal. Reading a version is a call: the
// policy judges it again, and the audit log records it.

const (
	versionPrefix = "spyhop://version/"
	pagePrefix    = "spyhop://page/"
	mapPrefix     = "spyhop://map/"
	versionType   = "text/markdown"
	mapType       = "text/plain"
	// maxListed bounds the versions of a list.
	maxListed = 50
	// listedBytes is what the list says of a version besides its address.
	listedBytes = 130
)

// addResources serves Options.Versions. The list is made for each request; the SDK's
// own list is the same for all.
func (m *mcpServer) addResources(s *mcp.Server) {
	s.AddResourceTemplate(&mcp.ResourceTemplate{
		Name: "page version", URITemplate: versionPrefix + "{id}", MIMEType: versionType,
		Description: "A page as it was read, by the version in an answer's metadata.",
	}, m.readVersion)
	if _, e := m.find("web_fetch"); e == nil {
		s.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: "page", URITemplate: pagePrefix + "{+url}", MIMEType: versionType,
			Description: "A page as web_fetch reads it, by its address.",
		}, m.readPage)
	}
	if _, e := m.find("web_map"); e == nil {
		s.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: "map", URITemplate: mapPrefix + "{+url}", MIMEType: mapType,
			Description: "All pages that a site names, a line each: up to 100,000. web_map shows a model a part.",
		}, m.readMap)
	}
	s.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			list, ok := r.(*mcp.ListResourcesRequest)
			if !ok {
				return next(ctx, method, r)
			}
			all := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
			cacheable(ctx, list, &all.Cacheable)
			room := defaultAnswerChars
			for _, v := range m.o.Versions.Recent(ctx, maxListed) {
				name := maskedURL(v.URL)
				if room -= len(versionPrefix+v.Hash+name) + listedBytes; room < 0 {
					break
				}
				all.Resources = append(all.Resources, &mcp.Resource{
					URI: versionPrefix + v.Hash, Name: name, MIMEType: versionType,
					Annotations: &mcp.Annotations{LastModified: v.Seen.UTC().Format(time.RFC3339)},
				})
			}
			return all, nil
		}
	})
}

// readVersion answers with a version, its text inside the fence.
func (m *mcpServer) readVersion(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	ctx, end, busy := m.quotas.begin(ctx)
	if busy != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: busy.Text()}
	}
	defer end()
	o := m.options(r)
	v, err := m.o.Versions.Version(ctx, strings.TrimPrefix(r.Params.URI, versionPrefix), o)
	if err != nil {
		e := ended(ctx, err)
		if e.Type == tool.NoContent {
			return nil, mcp.ResourceNotFoundError(r.Params.URI)
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: e.Text()}
	}
	answer := fmt.Sprintf("Contents of %s as of %s:\n\n", maskedURL(v.URL), v.Seen.UTC().Format(time.RFC3339)) + tool.Fence(v.Text)
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: versionType, Text: tool.Within(answer, o.AnswerLimit())}}}, nil
}

// readPage answers with what web_fetch answers.
func (m *mcpServer) readPage(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	got, err := m.callFor(ctx, r, "web_fetch", pagePrefix)
	if err != nil {
		return nil, err
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: versionType, Text: got.Text}}}, nil
}

// readMap answers with all pages that web_map finds. The bound of answers does not count:
// the list is for the client, which asks for it whole.
func (m *mcpServer) readMap(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	got, err := m.callFor(ctx, r, "web_map", mapPrefix)
	if err != nil {
		return nil, err
	}
	site, ok := got.Data.(*result.SiteMap)
	if !ok {
		return nil, fmt.Errorf("web_map answers with %T", got.Data)
	}
	var list strings.Builder
	for _, l := range site.Links {
		list.WriteString(text.URL(l.URL))
		if !l.Modified.IsZero() {
			list.WriteString(l.Modified.Format(" (2006-01-02)"))
		}
		if title := text.Cut(text.Line(l.Title), maxMapTitle); title != "" {
			list.WriteString(" — " + title)
		}
		list.WriteByte('\n')
	}
	facts := fmt.Sprintf("Pages of %s: %d of %d that the site names.", maskedURL(site.URL), len(site.Links), site.Total)
	answer := strings.Join(append([]string{facts}, site.Notices...), "\n") + "\n\n" + tool.Fence(list.String())
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: mapType, Text: answer}}}, nil
}

// maxMapTitle bounds the title of a page in a list, in characters.
const maxMapTitle = 120

// callFor calls a tool with the address in the URI of a resource: it is a call like any
// other.
func (m *mcpServer) callFor(ctx context.Context, r *mcp.ReadResourceRequest, name, prefix string) (got tool.Result, err error) {
	ctx, end, busy := m.quotas.begin(ctx)
	if busy != nil {
		return got, &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: busy.Text()}
	}
	defer end()
	args, err := json.Marshal(map[string]string{"url": strings.TrimPrefix(r.Params.URI, prefix)})
	if err != nil {
		return got, err
	}
	got, err = m.o.Catalog.Call(ctx, name, args, m.options(r))
	if e := tool.AsError(err); e != nil {
		return got, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: e.Text()}
	}
	return got, nil
}

// maskedURL is an address as it stands in a list and outside of the fence: the
// query can hold a token, and is left out.
func maskedURL(u string) string {
	if i := strings.IndexAny(u, "?#"); i >= 0 {
		u = u[:i+1] + "…"
	}
	return text.URL(u)
}
