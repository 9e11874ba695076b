package search

import (
	"bytes"
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
)

const (
	// startTimeout bounds the start of a server and the listing of its tools. It
	// is long because npx may have to download the server first.
	startTimeout = 60 * time.Second
	// endGrace is how long a server may take to exit after its input was closed.
	endGrace = time.Second
	// maxMCPMessage is the maximum length of one message of a server, in bytes.
	// One real server describes its tools in 130 kB.
	maxMCPMessage = 4 << 20
	maxMCPTools   = 1000
)

// session is a connection to a server, with the chosen tool.
type session struct {
	client  *mcp.ClientSession
	tool    *mcpTool
	process *process // nil over HTTP
	over    chan struct{}
	secrets []string
}

// adjust changes the options of the connection. Only tests use it, to answer
// OAuth and elicitation requests, which need a person.
type adjust func(*mcp.ClientOptions, *mcp.StreamableClientTransport)

// connect starts a session and chooses the tool. change may be nil.
func (m *MCP) connect(ctx context.Context, change adjust) (*session, error) {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	s, err := m.dial(ctx, change)
	if err != nil {
		return nil, err
	}
	tools, err := s.tools(ctx)
	if err == nil {
		s.tool, err = chooseTool(tools, m.Tool)
	}
	if err != nil {
		err = s.explain(ctx, err)
		s.close()
		return nil, err
	}
	return s, nil
}

// dial starts a session.
func (m *MCP) dial(ctx context.Context, change adjust) (*session, error) {
	options := &mcp.ClientOptions{Capabilities: &mcp.ClientCapabilities{}}
	s := &session{over: make(chan struct{})}
	var transport mcp.Transport
	if len(m.Command) > 0 {
		p, err := m.start()
		if err != nil {
			return nil, err
		}
		s.process, s.secrets = p, p.secrets
		transport = &mcp.IOTransport{Reader: p.stdout, Writer: p.stdin, MaxLineLength: maxMCPMessage}
	} else {
		if m.RoundTripper == nil { // never the default transport
			return nil, problem(Unsupported, "no transport is configured for the server")
		}
		t := &mcp.StreamableClientTransport{Endpoint: m.URL.String(), HTTPClient: &http.Client{Transport: bounded{m.RoundTripper}},
			DisableStandaloneSSE: true, MaxEventSize: maxMCPMessage}
		if change != nil {
			change(options, t)
		}
		for pair := range strings.SplitSeq(m.URL.RawQuery(), "&") {
			if _, value, _ := strings.Cut(pair, "="); len(value) >= minKey {
				s.secrets = append(s.secrets, value)
			}
		}
		transport = t
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "spyhop", Version: first(m.Version, "0")}, options)
	var err error
	if s.client, err = client.Connect(ctx, transport, nil); err != nil {
		if s.process != nil {
			s.process.end()
		}
		return nil, s.explain(ctx, err)
	}
	go func() {
		defer close(s.over)
		_ = s.client.Wait()
		if s.process != nil {
			s.process.end()
		}
	}()
	return s, nil
}

// tools lists the server's tools.
func (s *session) tools(ctx context.Context) ([]*mcp.Tool, error) {
	var tools []*mcp.Tool
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

// explain converts the error of a start that failed. The last line that the
// process wrote to stderr says more than that the process has ended.
func (s *session) explain(ctx context.Context, err error) error {
	var e *Error
	if errors.As(err, &e) || s.process == nil || ctx.Err() != nil {
		return err
	}
	if words := s.process.said.last(); words != "" {
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

// ended reports whether the connection has ended.
func (s *session) ended() bool {
	select {
	case <-s.over:
		return true
	default:
		return false
	}
}

// gone reports whether an error means that the session has ended.
func (s *session) gone(err error) bool {
	return s.ended() || errors.Is(err, mcp.ErrConnectionClosed) || errors.Is(err, mcp.ErrSessionMissing) || errors.Is(err, io.EOF)
}

// close ends the session and waits until the server's process has ended.
func (s *session) close() {
	_ = s.client.Close()
	<-s.over
}

// bounded is a RoundTripper that limits the length of response bodies and the
// time of the DELETE request that ends a session.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodDelete {
		ctx, cancel := context.WithTimeout(r.Context(), endGrace)
		defer cancel()
		r = r.WithContext(ctx)
	}
	res, err := b.next.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	if r.Method == http.MethodDelete {
		_ = res.Body.Close() // the body of this answer does not matter
		res.Body = http.NoBody
		return res, nil
	}
	// The limit is above that of a message, so that the SDK reports long messages
	// itself.
	res.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(res.Body, 2*maxMCPMessage), res.Body}
	return res, nil
}

// process is a server on stdin and stdout.
type process struct {
	command *exec.Cmd
	stdin   io.WriteCloser
	stdout  io.ReadCloser
	said    tail
	secrets []string
	once    sync.Once
}

// start starts the server's process. Its environment is what allowed returns, plus
// the variables for the egress proxy.
func (m *MCP) start() (*process, error) {
	p := &process{command: exec.Command(m.Command[0], m.Command[1:]...)}
	environment := allowed(p.command.Environ(), m.Env)
	p.secrets = append(secretsOf(environment), argumentSecrets(m.Command)...)
	if m.Environ != nil {
		proxy, err := m.Environ()
		if err != nil {
			return nil, problem(Network, "the proxy for the server cannot be opened")
		}
		// Node ignores the proxy variables unless this one is set.
		environment = append(append(environment, proxy...), "NODE_USE_ENV_PROXY=1")
	}
	p.command.Env = environment
	p.command.Stderr = &p.said
	p.command.WaitDelay = endGrace // a grandchild may hold stderr
	p.command.SysProcAttr = ownGroup()
	var err error
	if p.stdin, err = p.command.StdinPipe(); err == nil {
		p.stdout, err = p.command.StdoutPipe()
	}
	if err == nil {
		err = p.command.Start()
	}
	if err != nil {
		return nil, &Error{Code: Unsupported, Cause: "the server " + short(text.Path(m.Command[0])) + " cannot be started", Hint: "check WEB_SEARCH_MCP"}
	}
	return p, nil
}

// end closes the server's input, waits up to endGrace for its exit, and kills the
// server and its children if they are still running.
func (p *process) end() {
	p.once.Do(func() {
		_ = p.stdin.Close()
		id := p.command.Process.Pid
		timer := time.AfterFunc(endGrace, func() { endGroup(id) })
		_ = p.command.Wait()
		timer.Stop()
		endGroup(id)
	})
}

// allowed returns the variables that every program needs to run, and those that
// names lists. A server that needs a key gets this one and not all the others.
func allowed(environment, names []string) []string {
	names = append([]string{"PATH", "HOME", "LANG", "TMPDIR"}, names...)
	if runtime.GOOS == "windows" {
		names = append(names, "SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE", "APPDATA", "LOCALAPPDATA")
	}
	var out []string
	for _, v := range environment {
		name, _, _ := strings.Cut(v, "=")
		if slices.ContainsFunc(names, func(n string) bool { return n == name || runtime.GOOS == "windows" && strings.EqualFold(n, name) }) {
			out = append(out, v)
		}
	}
	return out
}

// secretsOf returns the values of variables whose names contain KEY, TOKEN,
// SECRET or PASSWORD.
func secretsOf(environment []string) []string {
	var out []string
	for _, v := range environment {
		name, value, _ := strings.Cut(v, "=")
		for _, mark := range []string{"KEY", "TOKEN", "SECRET", "PASSWORD"} {
			if strings.Contains(strings.ToUpper(name), mark) && len(value) >= minKey {
				out = append(out, value)
				break
			}
		}
	}
	return out
}

// argumentSecrets returns the values of arguments such as --api-key=… and
// --api-key ….
func argumentSecrets(command []string) []string {
	var out []string
	for i, word := range command {
		name, value, joined := strings.Cut(word, "=")
		if !joined && i+1 < len(command) {
			value = command[i+1]
		}
		out = append(out, secretsOf([]string{name + "=" + value})...)
	}
	return out
}

// tail keeps the end of what is written to it.
type tail struct {
	mu   sync.Mutex
	text []byte
}

const maxTail = 4 << 10

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-maxTail):]...)
	t.text = t.text[max(0, len(t.text)-maxTail):]
	return len(p), nil
}

// last returns the last line that is not empty.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return string(lines[len(lines)-1])
}
