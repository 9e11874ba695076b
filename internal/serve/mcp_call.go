package serve

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/tool"
)

// A call of a tool, from the protocol's form to the catalog's and back.

// call calls a tool. Its errors are results that the model sees; the error
// that it returns is the protocol's.
func (m *mcpServer) call(ctx context.Context, d tool.Declaration, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if e, ok := ctx.Value(mistakeKey{}).(*tool.Error); ok {
		return failure(e, nil), nil
	}
	select {
	case m.calls <- struct{}{}:
		defer func() { <-m.calls }()
	case <-ctx.Done():
		return failure(tool.AsError(ctx.Err()), nil), nil
	}
	o := tool.Options{Caller: callerName(r.ClientInfo()), Session: m.session(r), Progress: progress(ctx, r),
		AnswerChars: m.o.AnswerChars, AnswerBytes: max(m.o.AnswerChars, defaultAnswerChars) + tool.AnswerFrame}
	asked := abilities(r, &o)
	name, ok := ctx.Value(calledKey{}).(string)
	if !ok {
		name = d.Name
	}
	result, err := m.o.Catalog.Call(ctx, name, r.Params.Arguments, o)
	if q := asked.open(); q != nil {
		return q, nil
	}
	if err != nil {
		e := tool.AsError(err)
		if e.Type == tool.Internal {
			m.o.OnError(fmt.Errorf("%s: %w", e.Message, e.Cause))
		}
		return failure(e, result.Notices), nil
	}
	if result.Noted {
		result.Notices = nil
	}
	out := &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: noted(result.Text, result.Notices)}}}
	for _, p := range result.Pictures {
		out.Content = append(out.Content, &mcp.ImageContent{MIMEType: p.MediaType, Data: p.Data})
	}
	if d.Structured {
		out.StructuredContent = result.Data
	}
	return out, nil
}

// session names what the client's browser state belongs to: on stdio the
// process, over HTTP its session, where it has one. The session's id is as good
// as a password, and the name stands in logs.
func (m *mcpServer) session(r *mcp.CallToolRequest) string {
	if m.process {
		return ""
	}
	if id := r.Session.ID(); id != "" {
		sum := sha256.Sum256([]byte(id))
		return "mcp-" + hex.EncodeToString(sum[:8])
	}
	return tool.Stateless
}

// failure is an error as a result: its text alone. A second form for programs,
// in _meta, was tried: Gemini CLI 0.61 shows a model that too. The message is
// bounded by itself, since the hint has to be seen.
func failure(e *tool.Error, notices []string) *mcp.CallToolResult {
	const mostMessage, most = 4_000, defaultAnswerChars + tool.AnswerFrame // bytes
	short := *e
	short.Message = tool.Within(e.Message, mostMessage)
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: tool.Within(noted(short.Text(), notices), most)}}}
}

// noted adds the notices that a text does not have yet.
func noted(text string, notices []string) string {
	for _, n := range notices {
		if line := "Note: " + n; !strings.Contains(text, line) {
			text += "\n" + line
		}
	}
	return text
}

// callerName names a client for the audit log.
func callerName(c *mcp.Implementation) string {
	if c == nil {
		return "mcp"
	}
	name := strings.Map(func(r rune) rune {
		if r <= ' ' || r > '~' {
			return '-'
		}
		return r
	}, c.Name)
	const most = 64
	if name = strings.Trim(name[:min(len(name), most)], "-"); name == "" {
		return "mcp"
	}
	return "mcp:" + name
}

// progress passes steps on to a client that asked for them; nil: it did not.
// Its numbers have to grow, a tool's need not.
func progress(ctx context.Context, r *mcp.CallToolRequest) func(tool.Progress) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return nil
	}
	last := -1.0
	return func(p tool.Progress) {
		last = max(last+1, float64(p.Done))
		total := float64(p.Total)
		if total < last {
			total = 0 // unknown
		}
		// Who does not hear it will hear the answer, or is gone.
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: last, Total: total, Message: p.Message})
	}
}

func trimmed(s string) string { return strings.TrimSpace(s) }
