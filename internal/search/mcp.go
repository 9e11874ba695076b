package search

import (
	"context"
	"errors"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file is the provider "mcp": any MCP (Model Context Protocol) server that
// has a search tool. mcp_session.go manages the connection, mcp_choose.go chooses
// the tool and its arguments, mcp_read.go parses the answers.

// MCP describes an MCP server that searches. The zero value means no server.
type MCP struct {
	// Command is a program and its arguments; it speaks MCP on stdin and stdout.
	Command []string
	// URL is the address of a server over streamable HTTP; used when Command is
	// empty.
	URL weburl.URL
	// RoundTripper carries requests to URL. Required with URL.
	RoundTripper http.RoundTripper
	// Env are the names of environment variables that Command's process gets from
	// this process besides PATH, HOME, LANG and TMPDIR.
	Env []string
	// Environ returns further variables for it: the address of the egress proxy.
	// Nil adds none.
	Environ func() ([]string, error)
	// Tool is the name of the tool to call; "" means the tool that looks most
	// like a web search.
	Tool string
	// Version is the client's version that the server is told.
	Version string
}

// IsZero reports whether m describes no server.
func (m *MCP) IsZero() bool { return len(m.Command) == 0 && m.URL.IsZero() }

// ParseMCP parses a URL or a command line, whose words can be quoted. Its errors
// do not quote s, because s can contain a key.
func ParseMCP(s string) (MCP, error) {
	s = strings.TrimSpace(s)
	if strings.HasPrefix(s, "http://") || strings.HasPrefix(s, "https://") {
		u, err := weburl.Parse(s)
		if err != nil || u.HasUserinfo() {
			return MCP{}, errors.New("it is not a valid URL, or it has a user name")
		}
		return MCP{URL: u}, nil
	}
	words, err := splitCommand(s)
	return MCP{Command: words}, err
}

// splitCommand splits a command line into words. It understands quotes and
// backslashes as a shell does, and nothing else.
func splitCommand(s string) ([]string, error) {
	var words []string
	var word strings.Builder
	var quote byte
	inWord := false
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '\\' && quote != '\'':
			if i++; i == len(s) {
				return nil, errors.New("it ends in a backslash")
			}
			word.WriteByte(s[i])
			inWord = true
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word.WriteByte(c)
		case c == '\'' || c == '"':
			quote, inWord = c, true
		case strings.IndexByte(" \t\n\r", c) >= 0:
			if inWord {
				words = append(words, word.String())
				word.Reset()
			}
			inWord = false
		default:
			word.WriteByte(c)
			inWord = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if inWord {
		words = append(words, word.String())
	}
	return words, nil
}

// mcpDefinition is what is known of every MCP server. The features of a server
// follow from the arguments of its tool.
func mcpDefinition() definition { return definition{markup: true} }

// bridge is the Provider. Its session starts with the first search and lasts
// until close or until the server ends it; after that, the next search starts a
// new session.
type bridge struct {
	server  MCP
	life    context.Context // cancelled by close
	end     context.CancelFunc
	turn    chan struct{} // holds one token; its holder may change current
	current *session      // nil: none
}

func newBridge(m MCP) *bridge {
	b := &bridge{server: m, turn: make(chan struct{}, 1)}
	b.life, b.end = context.WithCancel(context.Background())
	b.turn <- struct{}{}
	return b
}

// Name implements Provider.
func (b *bridge) Name() string { return "mcp" }

// Search implements Provider.
func (b *bridge) Search(ctx context.Context, t Terms) ([]Result, error) {
	results, _, err := b.search(ctx, t)
	return results, err
}

// search is Search; it also returns the features of the query that the server
// filtered by.
func (b *bridge) search(ctx context.Context, t Terms) (results []Result, takes features, err error) {
	for attempt := 0; ; attempt++ {
		s, err := b.session(ctx)
		if err != nil {
			return nil, 0, b.mine(ctx, err)
		}
		results, takes, err := s.search(ctx, t)
		// A server that has ended is started again, once: a search has no side
		// effects, so it can be repeated.
		if err != nil && s.gone(err) && attempt == 0 && ctx.Err() == nil {
			b.drop(s)
			continue
		}
		if err != nil {
			return nil, takes, b.mine(ctx, err)
		}
		return results, takes, nil
	}
}

// session returns the session and starts one if none exists. When ctx ends
// before the session has started, the start goes on, and a later search finds
// the session.
func (b *bridge) session(ctx context.Context) (*session, error) {
	select {
	case <-b.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	type outcome struct {
		session *session
		err     error
	}
	began := make(chan outcome, 1)
	go func() { // close waits for this goroutine: it takes the token
		defer func() { b.turn <- struct{}{} }()
		s, err := b.begin()
		began <- outcome{s, err}
	}()
	select {
	case o := <-began:
		return o.session, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// begin is session for the holder of the token.
func (b *bridge) begin() (*session, error) {
	if b.life.Err() != nil {
		return nil, problem(Network, "the client is closed")
	}
	if b.current != nil && b.current.ended() {
		b.current.close()
		b.current = nil
	}
	if b.current == nil {
		s, err := b.server.connect(b.life, nil)
		if err != nil {
			return nil, err
		}
		b.current = s
	}
	return b.current, nil
}

// drop ends a session that has failed, unless another search has already
// replaced it.
func (b *bridge) drop(s *session) {
	<-b.turn
	defer func() { b.turn <- struct{}{} }()
	if b.current == s {
		b.current = nil
		s.close()
	}
}

// close ends the session. When it returns, the server's process has ended.
func (b *bridge) close() {
	b.end()
	<-b.turn
	defer func() { b.turn <- struct{}{} }()
	if b.current != nil {
		b.current.close()
		b.current = nil
	}
}

// mine converts an error of the session to an *Error of this provider. Messages
// of the SDK are not quoted: they can contain the server's URL, and with it a key.
func (b *bridge) mine(ctx context.Context, err error) error {
	var e *Error
	switch {
	case errors.As(err, &e):
	case errors.Is(ctx.Err(), context.Canceled):
		return ctx.Err()
	case b.life.Err() != nil:
		e = problem(Network, "the client is closed")
	default:
		e = networkError(ctx, err)
		if !errors.Is(err, context.DeadlineExceeded) {
			if code := classify(err.Error()); code != "" && code != nothing {
				e = &Error{Code: code}
			}
		}
	}
	e.Provider = b.Name()
	if e.Hint == "" {
		switch e.Code {
		case BadKey:
			e.Hint = "check the key of the server in WEB_SEARCH_MCP, or name another provider"
		case Unsupported:
			e.Hint = "make the query simpler, set WEB_SEARCH_MCP_TOOL, or name another provider"
		}
	}
	return e
}

// search calls the tool once.
func (s *session) search(ctx context.Context, t Terms) ([]Result, features, error) {
	args, takes := s.tool.arguments(&t)
	answer, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: s.tool.name, Arguments: args})
	if err != nil {
		return nil, takes, err
	}
	results, err := readAnswer(answer)
	for i := range results {
		r := &results[i]
		r.Title, r.URL, r.Snippet, r.Published = s.mask(r.Title), s.mask(r.URL), s.mask(r.Snippet), s.mask(r.Published)
	}
	var e *Error
	if errors.As(err, &e) {
		e.Cause = text.Quoted(s.mask(e.Cause))
	}
	return results, takes, err
}
