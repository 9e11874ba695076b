package e2e_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
)

// world is an internet, and the program of its user: a folder of his own, his
// settings, and the servers that he has started.
type world struct {
	t        testing.TB
	n        *internet
	program  string
	home     string
	settings []string // NAME=value, for every process

	serving sync.Mutex
	address string // of the HTTP server, once it runs
	stdio   *mcp.ClientSession
	http    map[string]*mcp.ClientSession // by protocol version
}

// newWorld makes one with these hosts beside the standing ones, and
// settings as NAME=value. Failures are not remembered and hosts are asked
// without a rate, unless the settings say otherwise.
func newWorld(t testing.TB, hosts map[string]http.HandlerFunc, settings ...string) *world {
	t.Helper()
	all := standing()
	maps.Copy(all, hosts)
	w := &world{t: t, n: newInternet(t, spyhop.Config{}, all), program: must(t, tagged), home: shortDir(t), http: map[string]*mcp.ClientSession{}}
	authority := filepath.Join(w.home, "authority.pem")
	if err := os.WriteFile(authority, w.n.pem, 0o600); err != nil {
		t.Fatal(err)
	}
	w.settings = append([]string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + w.home, "TMPDIR=" + w.home, "NO_COLOR=1",
		"WEB_PROXY=" + w.n.config.Proxy, "SSL_CERT_FILE=" + authority, "SPYHOP_E2E_NAMES=" + names(),
		"WEB_NEGATIVE_TTL=off", "WEB_HOST_RATE=1000/s",
	}, settings...)
	return w
}

// shortDir is a folder with a short path, which Chromium wants.
func shortDir(t testing.TB) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "e")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// with is the same world with further settings, and without its servers.
func (w *world) with(t testing.TB, settings ...string) *world {
	t.Helper()
	home := shortDir(t)
	return &world{t: t, n: w.n, program: w.program, home: home, http: map[string]*mcp.ClientSession{},
		settings: append(append(slices.Clone(w.settings), "HOME="+home, "TMPDIR="+home), settings...)}
}

// data is the folder of a part's cache, log and captures: the parts of a world
// share none, so that none answers from what another has read.
func (w *world) data(part string) string {
	return filepath.Join(w.home, strings.ReplaceAll(part, " ", "-"))
}

// command is the program with its settings; part names its data folder.
func (w *world) command(ctx context.Context, part string, args ...string) *exec.Cmd {
	c := exec.CommandContext(ctx, w.program, args...)
	c.Env = append([]string{"WEB_DATA_DIR=" + w.data(part)}, w.settings...)
	c.Dir = w.home
	return c
}

// ran is the output and the exit status of a process.
type ran struct {
	stdout, stderr string
	exit           int
}

// run runs the program to its end.
func (w *world) run(args ...string) ran { return w.runAs("command", "", args...) }

// runAs runs the command with its own data folder, and with a text on stdin.
func (w *world) runAs(part, stdin string, args ...string) ran {
	var out, errs bytes.Buffer
	c := w.command(context.Background(), part, args...)
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(stdin), &out, &errs
	err := c.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		w.t.Errorf("%q: %v", args, err)
	}
	return ran{out.String(), errs.String(), c.ProcessState.ExitCode()}
}

// url is the address of the world's HTTP server, which the first call starts.
func (w *world) url() (string, error) {
	w.serving.Lock()
	defer w.serving.Unlock()
	if w.address != "" {
		return w.address, nil
	}
	c := w.command(context.Background(), "serve", "serve", "--listen", "127.0.0.1:0", "--tools", "all")
	address, err := start(w.t, c)
	w.address = address
	return address, err
}

// start runs a server until the test ends and returns its address.
func start(t testing.TB, c *exec.Cmd) (string, error) {
	stderr, err := c.StderrPipe()
	if err != nil {
		return "", err
	}
	if err := c.Start(); err != nil {
		return "", err
	}
	lines := bufio.NewReader(stderr)
	line, err := lines.ReadString('\n')
	rest := make(chan struct{})
	var said bytes.Buffer // a panic, at worst
	go func() { _, _ = io.Copy(&said, lines); close(rest) }()
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		<-rest
		if err := c.Wait(); err != nil {
			t.Errorf("serve: %v\n%.6000s", err, said.Bytes())
		}
	})
	_, address, _ := strings.Cut(line, "serving at ")
	address, _, ok := strings.Cut(address, ",")
	if !ok {
		return "", fmt.Errorf("serve says %q, %v", line, err)
	}
	return address, nil
}

// The two eras of MCP over HTTP.
const (
	withSession    = "2025-11-25"
	withoutSession = "2026-07-28"
)

// overHTTP is a client of the world's server, of an era.
func (w *world) overHTTP(era string) (*mcp.ClientSession, error) {
	url, err := w.url()
	if err != nil {
		return nil, err
	}
	w.serving.Lock()
	defer w.serving.Unlock()
	if w.http[era] == nil {
		w.http[era], err = w.connect(&mcp.StreamableClientTransport{Endpoint: url + "/mcp"}, era)
	}
	return w.http[era], err
}

// onStdio is a client that has started the program as its server.
func (w *world) onStdio() (*mcp.ClientSession, error) {
	w.serving.Lock()
	defer w.serving.Unlock()
	var err error
	if w.stdio == nil {
		c := w.command(context.Background(), "mcp", "mcp", "--tools", "all")
		w.stdio, err = w.connect(&mcp.CommandTransport{Command: c, TerminateDuration: 20 * time.Second}, withSession)
	}
	return w.stdio, err
}

func (w *world) connect(by mcp.Transport, era string) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil)
	s, err := client.Connect(context.Background(), by, &mcp.ClientSessionOptions{ProtocolVersion: era})
	if err == nil {
		w.t.Cleanup(func() { _ = s.Close() })
	}
	return s, err
}

// library is a client of the Go API that lives there, with the settings of the
// world as far as calls on every surface need them.
func (w *world) library() (*spyhop.Client, error) {
	c := spyhop.Config{Proxy: w.n.config.Proxy, Resolver: w.n.config.Resolver, RootCAs: w.n.config.RootCAs,
		HostRate: spyhop.NoLimit, NegativeTTL: spyhop.Off, DataDir: w.data(byGo)}
	list := func(s string) []string { return strings.Split(s, ",") }
	for _, s := range w.settings { // the last one counts
		name, value, _ := strings.Cut(s, "=")
		n, _ := strconv.Atoi(value)
		switch name {
		case "WEB_FETCH_TIMEOUT_MS":
			c.Timeout = time.Duration(n) * time.Millisecond
		case "WEB_MAX_CONTENT_CHARS":
			c.MaxContentChars = n
		case "WEB_MAX_RESPONSE_BYTES":
			c.MaxResponseBytes = int64(n)
		case "WEB_HTTP":
			c.HTTP = spyhop.HTTPMode(value)
		case "WEB_ALLOW_HTTP":
			c.HTTP = map[string]spyhop.HTTPMode{"true": spyhop.HTTPAllow, "false": spyhop.HTTPRefuse}[value]
		case "WEB_DOMAIN_BLOCKLIST":
			c.Blocklist = list(value)
		case "WEB_DOMAIN_ALLOWLIST":
			c.Allowlist = list(value)
		case "WEB_SEARCH_PROVIDER":
			c.SearchProvider = value
		case "WEB_BROWSER":
			c.Browser = value
		}
	}
	return spyhop.New(c)
}

// needsBrowser skips a test where there is no browser.
func needsBrowser(t testing.TB) {
	t.Helper()
	if _, err := browser.Find("", false); err != nil {
		t.Skip("no browser on this machine: scripts/setup installs one")
	}
}

// must makes a call on a surface, or ends the test.
func (w *world) must(t testing.TB, surface string, q request) outcome {
	t.Helper()
	o, err := w.on(surface, q)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

// lists is the tools that a server of MCP, started with these flags, shows.
func (w *world) lists(t testing.TB, flags ...string) []*mcp.Tool {
	t.Helper()
	c := w.command(context.Background(), "listing", append([]string{"mcp"}, flags...)...)
	s, err := w.connect(&mcp.CommandTransport{Command: c, TerminateDuration: 20 * time.Second}, withSession)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	all, err := s.ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return all.Tools
}

func namesOf(tools []*mcp.Tool) string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return strings.Join(out, " ")
}
