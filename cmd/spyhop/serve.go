package main

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/principal"
	"github.com/spyhop-dev/spyhop/internal/private"
	"github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/wholefile"
	"github.com/spyhop-dev/spyhop/tool"
)

type serveCmd struct {
	Listen    string   `help:"Address and port to listen on; port 0 selects a free port. Default: WEB_SERVE_ADDR." placeholder:"ADDR:PORT"`
	ReadyFile string   `help:"Write the URL of the server to this file when it is ready." placeholder:"FILE" type:"path"`
	Tools     []string `help:"Serve only these: profiles (core, browser, classic, crawl, all) or names of tools. Default: every tool over REST, core, crawl and browser over MCP." placeholder:"NAME"`
	NewToken  *string  `help:"Print a new bearer token of this name and its entry for the file in WEB_SERVE_TOKENS, and exit." placeholder:"NAME"`
	recordFlags
}

func (c *serveCmd) run(s *session) error {
	if c.NewToken != nil {
		return s.printToken(*c.NewToken)
	}
	settings, err := s.settings()
	if err != nil {
		return err
	}
	plain, log := s.stderr, newLossyWriter(s.stderr)
	s.stderr = log
	defer func() { log.close(); s.stderr = plain }()
	o, v := s.unloggedOf(settings), settings.Values
	o.AuditLog, o.OnProgress = s.auditLog(v), nil
	given, err := activated(os.Getenv, os.Getpid())
	if err != nil {
		return err
	}
	defer given.close()
	if len(given.calls) == 0 {
		address := cmp.Or(c.Listen, v.ServeAddress())
		listener, err := net.Listen("tcp", address)
		if err != nil {
			return tool.NewError(tool.InvalidInput, "cannot listen on "+address+": "+cause(err), "name another address with --listen or WEB_SERVE_ADDR")
		}
		given.calls = []net.Listener{listener}
	}
	running := serving{settings: settings}
	beyond := slices.IndexFunc(given.calls, func(l net.Listener) bool { return !isLoopback(l.Addr()) }) // the first that other machines reach
	reached := ""
	if beyond >= 0 {
		reached = given.calls[beyond].Addr().String()
	}
	if err := running.open(s, v, reached); err != nil {
		return err
	}
	if running.token != v.ServeToken { // the server's own, which is no setting
		o.Secrets = append(o.Secrets, running.token)
	}
	o.ParseSlots = v.ServeMaxCalls
	moreThreads(os.DirFS("/"))
	o.Weight = func(owner string) int { return running.tokens.Load().Quota(owner).Weight }
	client, err := s.clientOf(o)
	if err != nil {
		return err
	}
	defer client.Close()
	so := serve.Options{
		Catalog: client.Catalog(), Audit: client.Audit(), Explain: client.Explain, Data: client.Data, Compare: spyhop.Compare, Parse: client.ReadDocument, Program: client.RunProgram, Tell: client.TellWebhook, Browsers: client, Jobs: client, Monitors: client, Version: spyhop.Version,
		Tools: c.Tools, Tokens: running.tokens.Load(), LocalOwner: beyond < 0 && v.ServeOwner != "anonymous", SessionEnded: client.EndSession, AnswerChars: v.AnswerChars(), Versions: client.PageVersions(), Files: client.CaptureDir(), FilesKeep: v.CaptureKeep, OnError: s.printError,
		Health: client, AccessLog: accessLog(v.AccessLog, s.stderr), LogLost: log.lost.Load,
	}
	so.Act = func(ctx context.Context, session, task string, tools []string) (*spyhop.AgentAnswer, error) {
		return client.Answer(ctx, spyhop.AnswerRequest{Question: task, Depth: spyhop.DepthDeep, Tools: tools, Session: session})
	}
	if v.OAuthIssuer != "" {
		so.OAuth = &serve.OAuth{Issuer: v.OAuthIssuer, Audience: v.ServeOAuthAudience, Scopes: strings.Fields(v.ServeOAuthScopes), Get: client.OAuthDocument}
	}
	setLimits(&so, v)
	server, err := serve.New(so)
	if err != nil {
		return err
	}
	running.client, running.server = client, server
	endAdmin, err := s.admin(v, given.admin, server)
	if err != nil {
		return err
	}
	defer endAdmin() // after the calls: /readyz says that the server ends
	if err := s.announce(c.ReadyFile, given.calls); err != nil {
		return err
	}
	return running.serve(s, given.calls)
}

// open reads the tokens. A server that other machines reach, at the address reached, needs
// one, and makes it where none is set.
func (r *serving) open(s *session, v config.Values, reached string) (err error) {
	if (v.OAuthIssuer == "") != (v.ServeOAuthAudience == "") {
		return tool.NewError(tool.InvalidInput, "WEB_SERVE_OAUTH_ISSUER and WEB_SERVE_OAUTH_AUDIENCE need each other", "set both, the audience to the URL of /mcp of this server as clients know it")
	}
	r.token = v.ServeToken
	needed := reached != "" && v.OAuthIssuer == ""
	if needed && r.token == "" && v.ServeTokens == "" {
		if r.token, err = s.serveToken(v.DataDir); err != nil {
			return err
		}
	}
	tokens, err := v.Tokens(r.token)
	if err == nil && needed && tokens.Len() == 0 {
		err = tool.NewError(tool.InvalidInput, "WEB_SERVE_TOKENS has no token, and other machines can reach "+reached, "make one with: spyhop serve --new-token NAME")
	}
	r.tokens.Store(tokens)
	return err
}

// announce says where the server is: on stderr, and in a file for programs.
func (s *session) announce(readyFile string, listeners []net.Listener) error {
	var urls []string
	for _, l := range listeners {
		urls = append(urls, "http://"+reachable(l.Addr()))
	}
	if readyFile != "" { // in one step, so that no reader sees half of it
		if err := wholefile.Replace(readyFile, []byte(urls[0]+"\n")); err != nil {
			return err
		}
	}
	s.tell("serving at " + strings.Join(urls, " and ") + ", documentation at " + urls[0] + "/docs; press Ctrl-C to stop")
	return nil
}

// serve answers calls and runs jobs until a signal ends it. A second one cuts the calls that
// run, and SIGHUP reads the settings again.
func (r *serving) serve(s *session, listeners []net.Listener) error {
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(signals)
	ctx, end := context.WithCancel(context.WithoutCancel(s.ctx))
	var working sync.WaitGroup
	defer working.Wait()
	defer end() // before that
	working.Go(func() { r.client.RunJobs(ctx) })
	served := make(chan error, 1)
	go func() { served <- r.server.Serve(ctx, listeners...) }()
	for {
		select {
		case err := <-served:
			return err
		case received := <-signals:
			switch {
			case received == syscall.SIGHUP:
				if err := r.reload(s); err != nil {
					s.printError(fmt.Errorf("the settings and tokens stay as they were: %w", err))
				}
			case ctx.Err() != nil:
				r.server.Cut()
			default:
				end()
				s.tell("ending when the running calls have ended; a second signal ends at once")
			}
		}
	}
}

// setLimits sets the bounds of a server, which SIGHUP replaces.
func setLimits(o *serve.Options, v config.Values) {
	o.MaxConnections, o.MaxSessions, o.Grace, o.Delay = v.ServeMaxConnections, v.ServeMaxSessions, cmp.Or(v.ServeGrace, defaultGrace), v.ServeDelay
}

// admin starts the admin listener, if there is one: on the socket that systemd passed for
// it, else on WEB_ADMIN_ADDR. end stops it and waits.
func (s *session) admin(v config.Values, listener net.Listener, server *serve.Server) (end func(), err error) {
	setting := "the socket named " + adminSocket
	if listener == nil {
		if v.AdminAddr == "" {
			return func() {}, nil
		}
		setting = "WEB_ADMIN_ADDR=" + v.AdminAddr
		if listener, err = net.Listen("tcp", v.AdminAddr); err != nil {
			return nil, tool.NewError(tool.InvalidInput, "cannot listen on "+v.AdminAddr+": "+cause(err), "name another address with WEB_ADMIN_ADDR")
		}
	}
	if !isLoopback(listener.Addr()) {
		return nil, errors.Join(tool.NewError(tool.InvalidInput, setting+" can be reached by other machines, and the admin listener asks for no token",
			"use an address of this machine, for example 127.0.0.1:7750"), listener.Close())
	}
	ctx, stop := context.WithCancel(context.WithoutCancel(s.ctx))
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		if err := server.ServeAdmin(ctx, listener); err != nil {
			s.printError(err)
		}
	}()
	s.tell("admin listener at http://" + listener.Addr().String() + "/readyz")
	return func() { stop(); <-ended }, nil
}

// accessLog returns the log of requests; nil for none.
func accessLog(form string, w io.Writer) *slog.Logger {
	switch form {
	case "text":
		return slog.New(slog.NewTextHandler(w, nil))
	case "json":
		return slog.New(slog.NewJSONHandler(w, nil))
	}
	return nil
}

// serving is a server with what SIGHUP replaces.
type serving struct {
	settings *config.Settings
	token    string // WEB_SERVE_TOKEN, or the server's own
	tokens   atomic.Pointer[principal.Tokens]
	client   *spyhop.Client
	server   *serve.Server
}

// reload reads the settings and the tokens again and says what it did. Where something
// is wrong, it changes nothing. Without tokens a server that has some would be open to
// everybody: that is wrong, too.
func (r *serving) reload(s *session) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	old, v := r.tokens.Load(), settings.Values
	tokens, err := v.Tokens(r.token)
	if err != nil {
		return err
	}
	if tokens.Len() == 0 && old.Len() > 0 {
		return errors.New("WEB_SERVE_TOKENS has none")
	}
	o := s.unloggedOf(settings)
	o.ParseSlots = v.ServeMaxCalls
	if err := r.client.Reload(o); err != nil {
		return err
	}
	r.tokens.Store(tokens)
	r.server.SetTokens(tokens)
	var bound serve.Options
	setLimits(&bound, v)
	r.server.SetLimits(bound)
	if !s.cli.Quiet {
		taken, restart := settings.Changed(r.settings)
		line := fmt.Sprintf("read the settings and tokens again: %s instead of %d", text.Count(tokens.Len(), "token"), old.Len())
		if len(taken) > 0 {
			line += "; changed: " + strings.Join(taken, ", ")
		}
		if len(restart) > 0 {
			line += "; restart the server to change " + strings.Join(restart, ", ")
		}
		fmt.Fprintln(s.stderr, line)
	}
	for i := range r.settings.All { // the others are still those of the start
		if settings.All[i].Reload {
			r.settings.All[i] = settings.All[i]
		}
	}
	return nil
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

// printToken makes a token. The entry for the file has no secret; the token stands
// apart from it, on stderr.
func (s *session) printToken(name string) error {
	token := rand.Text()
	entry, err := config.TokenEntry(name, token)
	if err != nil {
		return tool.NewError(tool.InvalidInput, err.Error(), "for example: spyhop serve --new-token research")
	}
	if s.printed(map[string]string{"name": name, "token": token, "entry": entry}) {
		return nil
	}
	fmt.Fprintln(s.stderr, "the token, shown only now: "+token)
	_, err = fmt.Fprint(s.stdout, entry)
	return err
}

func tokenFile(dir string) string { return filepath.Join(dir, "serve-token") }

// serveToken returns the token that is stored in dir, or makes one. It prints a
// token only when it makes it. If several servers start at the same time, one
// makes the token and the others read it.
func (s *session) serveToken(dir string) (string, error) {
	if dir == "" {
		return "", tool.NewError(tool.InvalidInput, "a server that other machines can reach needs a token, and there is no folder to store it in", "set WEB_SERVE_TOKEN, WEB_SERVE_TOKENS or WEB_DATA_DIR")
	}
	file := tokenFile(dir)
	token := rand.Text()
	err := wholefile.Create(file, []byte(token+"\n"))
	said := "the bearer token is " + token + ", stored in " + file
	if errors.Is(err, fs.ErrExist) {
		var kept []byte
		kept, err = private.ReadFile(file, 1<<10)
		token, said = strings.TrimSpace(string(kept)), "the bearer token is stored in "+file
		if err == nil && token == "" {
			err = errors.New("the file is empty; delete it, and spyhop makes a new token")
		}
	}
	if err != nil {
		return "", tool.NewError(tool.InvalidInput, "a server that other machines can reach needs a token, and "+file+" cannot be used: "+cause(err),
			"set WEB_SERVE_TOKEN, or set WEB_DATA_DIR to a writable folder")
	}
	s.tell(said)
	return token, nil
}

// defaultGrace is as long as the longest call, and the time to write its answer.
const defaultGrace = spyhop.MaxTimeout + 5*time.Second

// checkServer warns when other machines can reach the server.
func checkServer(v config.Values) check {
	host, _, err := net.SplitHostPort(v.ServeAddress())
	a, parsed := netip.ParseAddr(host)
	if err != nil || host == "localhost" || parsed == nil && a.IsLoopback() {
		return check{Name: "server", State: "ok", Detail: v.ServeAddress()}
	}
	token := "WEB_SERVE_TOKEN"
	switch {
	case v.ServeTokens != "":
		token = "the tokens in " + v.ServeTokens
	case v.ServeToken == "":
		token = "the token in " + tokenFile(v.DataDir)
	}
	return check{"server", "warn", "other machines can reach WEB_SERVE_ADDR=" + v.ServeAddr + " with " + token + ", without TLS",
		"put a TLS proxy in front, or listen on 127.0.0.1"}
}
