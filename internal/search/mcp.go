package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// This file is the provider "mcp": any MCP (Model Context Protocol) server that
// has a search tool. The SDK speaks the protocol. mcp_choose.go chooses the tool
// and its arguments, mcp_read.go parses the results.

// MCP describes an MCP server that searches. The zero value means no server.
type MCP struct {
	// Command is a program and its arguments; it speaks MCP on stdin and stdout.
	Command []string
	// URL is that of a server over streamable HTTP; used when Command is empty.
	URL weburl.URL
	// RoundTripper carries requests to URL. Required with URL.
	RoundTripper http.RoundTripper
	// Env are the names of environment variables that Command's process gets from
	// this process besides PATH, HOME, LANG and TMPDIR.
	Env []string
	// Environ returns further variables for it: the URL of the egress proxy.
	// Nil adds none.
	Environ func() ([]string, error)
	// Tool is the name of the tool to call; "" means the tool that looks most
	// like a web search.
	Tool string
	// Version is the client's version that the server is told.
	Version string
}

const (
	// startTimeout bounds the start of a server and the listing of its tools. It
	// is long because npx may have to download the server first.
	startTimeout = 60 * time.Second
	// endGrace is how long a server may take to exit after its input was closed.
	endGrace      = time.Second
	maxMCPMessage = 4 << 20 // bytes; one real server describes its tools in 130 kB
	maxMCPTools   = 1000
)

// isZero reports whether m describes no server.
func (m *MCP) isZero() bool { return len(m.Command) == 0 && m.URL.IsZero() }

// ParseMCP parses a URL or a command line, whose words can be quoted. Its errors
// do not quote s, because s can contain a key.
func ParseMCP(s string) (MCP, error) {
	s = strings.TrimSpace(s)
	if isAddress(s) {
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
func splitCommand(s string) (words []string, err error) {
	var word []byte // nil between words
	var quote byte
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\' && quote != '\'':
			if i++; i == len(s) {
				return nil, errors.New("it ends in a backslash")
			}
			word = append(word, s[i])
		case c == quote:
			quote = 0
		case quote == 0 && (c == '\'' || c == '"'):
			quote, word = c, append([]byte{}, word...)
		case quote != 0 || strings.IndexByte(" \t\n\r", c) < 0:
			word = append(word, c)
		case word != nil:
			words, word = append(words, string(word)), nil
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if word != nil {
		words = append(words, string(word))
	}
	return words, nil
}

// mcpDefinition is what is known of every MCP server.
func mcpDefinition() definition { return definition{markup: true, takes: sites} }

// bridge is the Provider. Its session starts with the first search and lasts
// until close or until the server ends it; the next search starts a new one.
type bridge struct {
	server MCP
	life   context.Context // cancelled by close
	end    context.CancelFunc
	mu     sync.Mutex
	latest *opening // nil before the first search
}

// opening is a session that starts; session and err are set when ready is closed.
type opening struct {
	ready   chan struct{}
	session *session
	err     error
}

// useless reports whether the start has failed, or the session has ended.
func (o *opening) useless() bool {
	return o == nil || isClosed(o.ready) && (o.err != nil || isClosed(o.session.over))
}

func isClosed(c <-chan struct{}) bool {
	select {
	case <-c:
		return true
	default:
		return false
	}
}

func newBridge(m MCP) *bridge {
	b := &bridge{server: m}
	b.life, b.end = context.WithCancel(context.Background())
	return b
}

// Name implements Provider.
func (b *bridge) Name() string { return "mcp" }

// Search implements Provider.
func (b *bridge) Search(ctx context.Context, t Terms) (results []Result, err error) {
	for attempt := range 2 {
		var s *session
		if s, err = b.session(ctx); err != nil {
			break
		}
		if results, err = s.search(ctx, t); err == nil {
			return results, nil
		}
		// A server that has ended is started again, once: a search has no side effects.
		if attempt > 0 || ctx.Err() != nil || !s.gone(err) {
			break
		}
		s.close()
	}
	return nil, b.mine(ctx, err)
}

// session returns the session and starts one if none exists. When ctx ends
// before the session has started, the start goes on, for a later search.
func (b *bridge) session(ctx context.Context) (*session, error) {
	b.mu.Lock()
	o := b.latest
	if o.useless() && b.life.Err() == nil {
		o = &opening{ready: make(chan struct{})}
		b.latest = o
		go func() { // close waits for it
			defer close(o.ready)
			o.session, o.err = b.server.connect(b.life)
		}()
	}
	b.mu.Unlock()
	if b.life.Err() != nil {
		return nil, b.life.Err()
	}
	select {
	case <-o.ready:
		return o.session, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// close ends the session. When it returns, the server's process has ended.
func (b *bridge) close() {
	b.end()
	b.mu.Lock()
	o := b.latest
	b.mu.Unlock()
	if o == nil {
		return
	}
	if <-o.ready; o.session != nil {
		o.session.close()
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
		if code := classify(err.Error()); code != "" && code != nothing && !errors.Is(err, context.DeadlineExceeded) {
			e = &Error{Code: code}
		}
	}
	e.Provider = b.Name()
	if e.Code == codeBadKey {
		e.Hint = "check the key of the server in WEB_SEARCH_MCP, or name another provider"
	}
	return e
}

// session is a connection to a server, with the chosen tool.
type session struct {
	client  *mcp.ClientSession
	tool    *mcpTool
	command *exec.Cmd     // nil over HTTP
	said    tail          // of the command, on stderr
	over    chan struct{} // closed when the connection and the command have ended
	secrets []string
}

// connect starts a session and chooses the tool.
func (m *MCP) connect(ctx context.Context) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	s, err := m.dial(ctx, nil)
	if err != nil {
		return nil, err
	}
	tools, err := s.tools(ctx)
	if err == nil {
		s.tool, err = chooseTool(tools, m.Tool)
	}
	if err != nil {
		s.close()
		return nil, s.explain(ctx, err)
	}
	return s, nil
}

// dial starts a session. Only tests pass a change of its options: they answer
// requests that need a person, such as OAuth.
func (m *MCP) dial(ctx context.Context, change func(*mcp.ClientOptions, *mcp.StreamableClientTransport)) (*session, error) {
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	s := &session{over: make(chan struct{})}
	var transport mcp.Transport
	switch {
	case len(m.Command) > 0:
		if err := s.prepare(m); err != nil {
			return nil, err
		}
		transport = &mcp.CommandTransport{Command: s.command, TerminateDuration: endGrace}
	case m.RoundTripper == nil: // never the default transport
		return nil, problem(codeUnsupported, "no transport is configured for the server")
	default:
		for pair := range strings.SplitSeq(m.URL.RawQuery(), "&") {
			_, value, _ := strings.Cut(pair, "=")
			s.secrets = append(s.secrets, value)
		}
		t := &mcp.StreamableClientTransport{Endpoint: m.URL.String(), HTTPClient: &http.Client{Transport: bounded{m.RoundTripper}},
			DisableStandaloneSSE: true, MaxEventSize: maxMCPMessage}
		if change != nil {
			change(options, t)
		}
		transport = t
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "spyhop", Version: cmp.Or(m.Version, "0")}, options)
	var err error
	if s.client, err = client.Connect(ctx, transport, nil); err != nil {
		s.endGroup()
		return nil, s.explain(ctx, err)
	}
	go func() {
		defer close(s.over)
		_ = s.client.Wait()
		s.endGroup()
	}()
	return s, nil
}

// prepare makes the command of a server. A server that needs a key gets this one
// and not all the others: its environment is what every program needs, what
// m.Env names, and the egress proxy.
func (s *session) prepare(m *MCP) error {
	names := append([]string{"PATH", "HOME", "LANG", "TMPDIR"}, m.Env...)
	if runtime.GOOS == "windows" {
		names = append(names, "SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
	}
	s.command = exec.Command(m.Command[0], m.Command[1:]...)
	s.command.Env = slices.DeleteFunc(s.command.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return !slices.ContainsFunc(names, func(n string) bool { return n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name) })
	})
	s.secrets = secretsOf(append(slices.Clone(m.Command), s.command.Env...))
	if m.Environ != nil {
		proxy, err := m.Environ()
		if err != nil {
			return problem(Network, "the proxy for the server cannot be opened")
		}
		// Node ignores the proxy variables unless this one is set.
		s.command.Env = append(append(s.command.Env, proxy...), "NODE_USE_ENV_PROXY=1")
	}
	s.command.Stderr = &s.said
	s.command.WaitDelay = endGrace // a grandchild may keep stderr open
	s.command.SysProcAttr = ownGroup()
	return nil
}

// tools lists the server's tools.
func (s *session) tools(ctx context.Context) (tools []*mcp.Tool, err error) {
	for t, err := range s.client.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if tools = append(tools, t); len(tools) > maxMCPTools {
			return nil, problem(Garbage, "the server has more than %d tools", maxMCPTools)
		}
	}
	return tools, nil
}

// search calls the tool once.
func (s *session) search(ctx context.Context, t Terms) ([]Result, error) {
	answer, err := s.client.CallTool(ctx, &mcp.CallToolParams{Name: s.tool.name, Arguments: s.tool.arguments(&t)})
	if err != nil {
		return nil, err
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
	return results, err
}

// explain converts the error of a start that failed. The last line that the
// process wrote to stderr tells more than that the process has ended.
func (s *session) explain(ctx context.Context, err error) error {
	var e *Error
	switch {
	case errors.As(err, &e) || s.command == nil || ctx.Err() != nil:
		return err
	case s.command.Process == nil:
		return &Error{Code: codeUnsupported, Cause: "the server " + short(text.Path(s.command.Args[0])) + " cannot be started", Hint: "check WEB_SEARCH_MCP"}
	}
	if words := s.said.last(); words != "" {
		return problem(Network, "the server ended: %s", text.Quoted(s.mask(words)))
	}
	return problem(Network, "the command in WEB_SEARCH_MCP did not answer as an MCP server")
}

// mask replaces the server's secrets in a text.
func (s *session) mask(text string) string {
	for _, secret := range s.secrets {
		text = mask(text, secret)
	}
	return text
}

// gone reports whether an error means that the session has ended.
func (s *session) gone(err error) bool {
	return isClosed(s.over) || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, mcp.ErrSessionMissing) || errors.Is(err, io.EOF)
}

// close ends the session and waits until the server's process has ended.
func (s *session) close() {
	_ = s.client.Close()
	<-s.over
}

// endGroup kills what a server that has ended left behind.
func (s *session) endGroup() {
	if s.command != nil && s.command.Process != nil {
		endGroup(s.command.Process.Pid)
	}
}

// bounded is a RoundTripper that limits the length of response bodies and the
// time of the DELETE request that ends a session.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	limit := int64(2 * maxMCPMessage) // above that of a message, so that the SDK reports a long one itself
	if r.Method == http.MethodDelete {
		ctx, cancel := context.WithTimeout(r.Context(), endGrace)
		defer cancel()
		r, limit = r.WithContext(ctx), 0
	}
	res, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, limit), res.Body}
	return res, nil
}

// secretsOf returns the values whose names contain KEY, TOKEN, SECRET or
// PASSWORD, in words such as A_KEY=…, --api-key=… and --api-key ….
func secretsOf(words []string) (out []string) {
	for i, word := range words {
		name, value, joined := strings.Cut(word, "=")
		if !joined && i+1 < len(words) {
			value = words[i+1]
		}
		if slices.ContainsFunc([]string{"KEY", "TOKEN", "SECRET", "PASSWORD"}, func(s string) bool { return strings.Contains(strings.ToUpper(name), s) }) {
			out = append(out, value)
		}
	}
	return out
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p...)
	t.text = bytes.Clone(t.text[max(0, len(t.text)-4<<10):])
	return len(p), nil
}

// last returns the last line that is not empty.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return string(lines[len(lines)-1])
}
