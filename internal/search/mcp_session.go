package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// startTimeout bounds the start of a server and the listing of its tools:
	// npx may have to load it first.
	startTimeout = 60 * time.Second
	// endGrace is how long a server has to leave by itself, once its input is
	// closed.
	endGrace = time.Second
	// maxMCPMessage bounds one message of a server. One real server describes
	// its tools in 130 kB.
	maxMCPMessage = 4 << 20
	maxMCPTools   = 1000
)

// session is a connection with a server whose tool was chosen.
type session struct {
	client  *mcp.ClientSession
	tool    *mcpTool
	process *process // nil over HTTP
	over    chan struct{}
	secrets []string
}

// adjust lets tests answer what only a person can, as OAuth and elicitation:
// the bridge has nobody to ask.
type adjust func(*mcp.ClientOptions, *mcp.StreamableClientTransport)

// connect begins a session and chooses the tool.
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

// dial begins a session.
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
			return nil, problem(Unsupported, "there is no way to the server")
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

// explain makes an error of a start that failed: the last words of a process
// say more than that it is gone.
func (s *session) explain(ctx context.Context, err error) error {
	var e *Error
	if errors.As(err, &e) || s.process == nil || ctx.Err() != nil {
		return err
	}
	if words := s.process.said.last(); words != "" {
		return problem(Network, "the server ended: %s", line(s.mask(words), false, maxCause))
	}
	return problem(Network, "the server of WEB_SEARCH_MCP did not answer as one")
}

// mask takes what looks like a secret of the server out of a text.
func (s *session) mask(text string) string {
	for _, secret := range s.secrets {
		text = mask(text, secret)
	}
	return text
}

// ended reports whether the server has gone.
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

// close ends the session and waits until nothing of it is left.
func (s *session) close() {
	_ = s.client.Close()
	<-s.over
}

// bounded is a RoundTripper whose bodies end, and whose farewells do not last.
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
		_ = res.Body.Close() // nothing that it says matters
		res.Body = http.NoBody
		return res, nil
	}
	// One more byte than a message may have: the SDK then fails by itself.
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

// start starts the server. It gets this process's environment without our own
// settings, and the way to the guard's proxy.
func (m *MCP) start() (*process, error) {
	p := &process{command: exec.Command(m.Command[0], m.Command[1:]...)}
	environment := p.command.Environ()
	p.secrets = append(secretsOf(environment), argumentSecrets(m.Command)...)
	environment = without(environment, "WEB_")
	if m.Environ != nil {
		proxy, err := m.Environ()
		if err != nil {
			return nil, problem(Network, "the proxy for the server cannot be opened")
		}
		// Node takes no proxy from its environment unless it is told to.
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
		return nil, &Error{Code: Unsupported, Cause: "the server " + short(m.Command[0]) + " cannot be started", Hint: "check WEB_SEARCH_MCP"}
	}
	return p, nil
}

// end closes the server's input, gives it a moment, and ends what is left of
// it and of its children.
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

// without leaves out the variables whose names begin so.
func without(environment []string, prefix string) []string {
	var out []string
	for _, v := range environment {
		if !strings.HasPrefix(v, prefix) {
			out = append(out, v)
		}
	}
	return out
}

// secretsOf are the values of variables whose names say that they are secret.
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

// argumentSecrets are the values of arguments such as --api-key=… and
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

// last is the last line that says something.
func (t *tail) last() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	lines := bytes.Split(bytes.TrimSpace(t.text), []byte("\n"))
	return string(lines[len(lines)-1])
}
