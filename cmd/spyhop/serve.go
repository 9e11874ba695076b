package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"
	"syscall"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/internal/wholefile"
	"github.com/spyhop-dev/spyhop/tool"
)

type serveCmd struct {
	Listen    string   `help:"Address and port to listen on; port 0 selects a free port. Default: WEB_SERVE_ADDR." placeholder:"ADDR:PORT"`
	ReadyFile string   `help:"Write the URL of the server to this file when it is ready." placeholder:"FILE" type:"path"`
	Tools     []string `help:"Serve only these: profiles (core, browser, classic, all) or names of tools. Default: every tool over REST, core and browser over MCP." placeholder:"NAME"`
}

func (serveCmd) Help() string {
	return `Serves the tools over HTTP until it is interrupted: MCP at /mcp, REST at /v1/tools, and
a reference page at /docs.

If WEB_SERVE_TOKEN is set, every request except /healthz needs this bearer token. If it
is not set and other machines can reach the address, the first start makes a token,
prints it once, and stores it in WEB_DATA_DIR/serve-token. The server has no TLS: put a
TLS proxy in front of it.

Examples:

    spyhop serve
    spyhop serve --listen 127.0.0.1:8080 --tools core
    spyhop serve --listen 127.0.0.1:0 --ready-file server.url
` + exitHelp
}

func (c *serveCmd) Run(s *session) error {
	o, v, err := s.unlogged()
	if err != nil {
		return err
	}
	o.AuditLog, o.OnProgress = s.auditLog(v), nil
	address := c.Listen
	if address == "" {
		address = v.ServeAddress()
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return tool.NewError(tool.InvalidInput, "cannot listen on "+address+": "+cause(err), "name another address with --listen or WEB_SERVE_ADDR")
	}
	defer listener.Close()
	token := v.ServeToken
	if token == "" && !isLoopback(listener.Addr()) {
		if token, err = s.serveToken(v.DataDir); err != nil {
			return err
		}
		o.Secrets = append(o.Secrets, token)
	}
	client, err := spyhop.New(o)
	if err != nil {
		return err
	}
	defer client.Close()
	server, err := serve.New(serve.Options{
		Catalog: client.Catalog(), Audit: client.Audit(), Version: spyhop.Version,
		Tools: c.Tools, Token: token, AnswerChars: v.AnswerChars(), Versions: client.PageVersions(), Files: client.CaptureDir(), OnError: s.printError,
	})
	if err != nil {
		return err
	}
	url := "http://" + reachable(listener.Addr())
	if c.ReadyFile != "" { // in one step, so that no reader sees half of it
		if err := wholefile.Replace(c.ReadyFile, []byte(url+"\n")); err != nil {
			return err
		}
	}
	if !s.cli.Quiet {
		fmt.Fprintln(s.stderr, "serving at "+url+", documentation at "+url+"/docs; press Ctrl-C to stop")
	}
	collectLess()
	ctx, stop := signal.NotifyContext(s.ctx, syscall.SIGTERM)
	defer stop()
	return server.Serve(ctx, listener)
}

// isLoopback reports whether only this machine can reach an address.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// reachable returns an address that a client can connect to: for the
// unspecified address, loopback.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

func tokenFile(dir string) string { return filepath.Join(dir, "serve-token") }

// serveToken returns the token that is stored in dir, or makes one. It prints a
// token only when it makes it. If several servers start at the same time, one
// makes the token and the others read it.
func (s *session) serveToken(dir string) (string, error) {
	file := tokenFile(dir)
	token := rand.Text()
	err := wholefile.Create(file, []byte(token+"\n"))
	said := "the bearer token is " + token + ", stored in " + file
	if errors.Is(err, fs.ErrExist) {
		var kept []byte
		kept, err = os.ReadFile(file)
		token, said = strings.TrimSpace(string(kept)), "the bearer token is stored in "+file
		if err == nil && token == "" {
			err = errors.New("the file is empty; delete it, and spyhop makes a new token")
		}
	}
	if err != nil {
		return "", tool.NewError(tool.InvalidInput, "a server that other machines can reach needs a token, and "+file+" cannot be used: "+cause(err),
			"set WEB_SERVE_TOKEN, or set WEB_DATA_DIR to a writable folder")
	}
	if !s.cli.Quiet {
		fmt.Fprintln(s.stderr, said)
	}
	return token, nil
}

// collectLess makes the garbage collector run less often: a call allocates much,
// and little of it lives longer than the call. With GOGC=400 instead of 100, a
// call of web_fetch took a fifth less processor time and 15 MB more memory. For
// large pages, the memory limit applies. Values from the environment win.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(512 << 20)
	}
}

// checkServer warns when other machines can reach the server.
func checkServer(v config.Values) check {
	host, _, err := net.SplitHostPort(v.ServeAddress())
	a, parsed := netip.ParseAddr(host)
	if err != nil || host == "localhost" || parsed == nil && a.IsLoopback() {
		return check{Name: "server", State: "ok", Detail: v.ServeAddress()}
	}
	token := "WEB_SERVE_TOKEN"
	if v.ServeToken == "" {
		token = "the token in " + tokenFile(v.DataDir)
	}
	return check{"server", "warn", "other machines can reach WEB_SERVE_ADDR=" + v.ServeAddr + " with " + token + ", without TLS",
		"put a TLS proxy in front, or listen on 127.0.0.1"}
}
