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
	Listen    string   `help:"Address and port to listen on; port 0 takes a free one. Left out: WEB_SERVE_ADDR." placeholder:"ADDR:PORT"`
	ReadyFile string   `help:"Write the URL of the server to this file when it is ready." placeholder:"FILE" type:"path"`
	Tools     []string `help:"Serve these profiles and tools alone; core, browser, classic, all or names." placeholder:"NAME"`
}

func (serveCmd) Help() string {
	return `Serves the tools over HTTP until it is interrupted: MCP at /mcp, plain HTTP under
/v1/tools, a page about it at /docs.

Beyond this machine a bearer token is asked for: WEB_SERVE_TOKEN, else one that is
made at the first start, told once, and kept in WEB_DATA_DIR/serve-token. There is
no TLS: put a proxy in front that ends it.
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
		Tools: c.Tools, Token: token, AnswerChars: v.AnswerChars(), Versions: client.PageVersions(), Files: client.CaptureDir(), Trouble: s.trouble,
	})
	if err != nil {
		return err
	}
	url := "http://" + reachable(listener.Addr())
	if c.ReadyFile != "" { // who waits for it reads no half of it
		if err := wholefile.Replace(c.ReadyFile, []byte(url+"\n")); err != nil {
			return err
		}
	}
	if !s.cli.Quiet {
		fmt.Fprintln(s.stderr, "serving at "+url+", for people at "+url+"/docs; Ctrl-C ends")
	}
	collectLess()
	ctx, stop := signal.NotifyContext(s.ctx, syscall.SIGTERM)
	defer stop()
	return server.Serve(ctx, listener)
}

// isLoopback reports whether only this machine reaches an address.
func isLoopback(a net.Addr) bool {
	tcp, ok := a.(*net.TCPAddr)
	return ok && tcp.IP.IsLoopback()
}

// reachable is an address that can be asked for: of all addresses, the one of
// this machine.
func reachable(a net.Addr) string {
	if tcp, ok := a.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		return net.JoinHostPort("127.0.0.1", strconv.Itoa(tcp.Port))
	}
	return a.String()
}

func tokenFile(dir string) string { return filepath.Join(dir, "serve-token") }

// serveToken returns the token that is kept in dir, and makes it when there is
// none. It is told once: when it is made. Of servers that start at the same time
// one makes it, and the others read it.
func (s *session) serveToken(dir string) (string, error) {
	file := tokenFile(dir)
	token := rand.Text()
	err := wholefile.Create(file, []byte(token+"\n"))
	said := "the bearer token is " + token + ", kept in " + file
	if errors.Is(err, fs.ErrExist) {
		var kept []byte
		kept, err = os.ReadFile(file)
		token, said = strings.TrimSpace(string(kept)), "the bearer token is kept in "+file
		if err == nil && token == "" {
			err = errors.New("it holds no token; delete it to have one made")
		}
	}
	if err != nil {
		return "", tool.NewError(tool.InvalidInput, "a server beyond this machine needs a token, and "+file+" cannot be used: "+cause(err),
			"set WEB_SERVE_TOKEN, or WEB_DATA_DIR to a folder of yours")
	}
	if !s.cli.Quiet {
		fmt.Fprintln(s.stderr, said)
	}
	return token, nil
}

// collectLess has the garbage collector run less often: little is alive between
// calls, and each makes much. At 400 instead of 100 a call of web_fetch took a
// fifth less processor time, for 15 MB more. Where pages are large, the limit
// holds instead. What the environment sets stays.
func collectLess() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(512 << 20)
	}
}

// checkServer tells who reaches the server where that is more than this machine.
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
	return check{"server", "warn", "other machines reach WEB_SERVE_ADDR=" + v.ServeAddr + " with " + token + ", without TLS",
		"put a proxy in front that ends TLS, or listen on 127.0.0.1"}
}
