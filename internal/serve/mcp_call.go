package serve

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// This file converts a call of a tool from the protocol to the catalog, and its result
// back.

// call calls a tool. Its errors are results that the model sees; the error
// that it returns is the protocol's.
func (m *mcpServer) call(ctx context.Context, d tool.Declaration, r *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if e, ok := ctx.Value(mistakeKey{}).(*tool.Error); ok {
		return failure(e, nil), nil
	}
	if unlisted, ok := ctx.Value(unlistedKey{}).(tool.Declaration); ok {
		d = unlisted
	}
	ctx, end, e := m.quotas.begin(ctx)
	if e != nil {
		return failure(e, nil), nil
	}
	defer end()
	m.watch(r.Session, principal.Of(ctx))
	o := m.options(r)
	var stop func()
	o.Progress, stop = progress(ctx, r)
	defer stop()
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
		e := ended(ctx, err)
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
	return out, nil
}

// options are those of every request of a client.
func (m *mcpServer) options(r interface {
	mcp.Request
	ClientInfo() *mcp.Implementation
}) tool.Options {
	o := tool.Options{Caller: callerName(r.ClientInfo()), Session: ownerOf(m.caller(r)),
		AnswerChars: m.o.AnswerChars, AnswerBytes: max(m.o.AnswerChars, defaultAnswerChars) + tool.AnswerFrame}
	if x := r.GetExtra(); x != nil {
		o.RequestID = x.Header.Get(requestHeader)
	}
	return o
}

// failure is an error as a result, which has only its text. A second form for
// programs, in _meta, was tried: Gemini CLI 0.61 shows that to the model too. The
// message has a bound of its own, so that the hint is seen.
func failure(e *tool.Error, notices []string) *mcp.CallToolResult {
	const mostMessage, most = 4_000, defaultAnswerChars + tool.AnswerFrame // bytes
	short := *e
	short.Message = tool.Within(e.Message, mostMessage)
	return &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: tool.Within(noted(short.Text(), notices), most)}}}
}

// noted adds notices to a text. Whether the text has them already, only
// Result.Noted says: a line of the text can be a page's.
func noted(text string, notices []string) string {
	for _, n := range notices {
		text += "\nNote: " + n
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

// progressEvery is how often a client hears of a call whose tool has nothing to report.
const progressEvery = 2 * time.Second

// progress reports steps to a client that asked for them; nil: it did not. A tool that
// reports no steps is reported by the seconds that have passed, so that clients which
// stop silent calls wait. The protocol wants numbers that grow; those of a tool need not.
func progress(ctx context.Context, r *mcp.CallToolRequest) (report func(tool.Progress), stop func()) {
	token := r.Params.GetProgressToken()
	if token == nil {
		return nil, func() {}
	}
	var mu sync.Mutex
	last, own := -1.0, false
	send := func(at, total float64, message string) {
		if last = max(last+1, at); total < last {
			total = 0 // unknown
		}
		// An error does not matter: the client gets the answer, or has disconnected.
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Progress: last, Total: total, Message: message})
	}
	ctx, cancel := context.WithCancel(ctx)
	var ticking sync.WaitGroup
	ticking.Go(func() {
		begun := time.Now()
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			mu.Lock()
			if !own {
				send(0, 0, fmt.Sprintf("%s: %.0f s", text.Name(r.Params.Name), time.Since(begun).Seconds()))
			}
			mu.Unlock()
		}
	})
	report = func(p tool.Progress) {
		mu.Lock()
		defer mu.Unlock()
		own = true
		send(float64(p.Done), float64(p.Total), p.Message)
	}
	return report, func() { cancel(); ticking.Wait() }
}

func trimmed(s string) string { return strings.TrimSpace(s) }
