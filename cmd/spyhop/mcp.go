package main

import (
	"errors"
	"os"
	"os/signal"
	"syscall"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/serve"
)

type mcpCmd struct {
	Tools []string `help:"Serve only these: profiles (core, browser, classic, crawl, all) or names of tools. Default: core, crawl and browser." placeholder:"NAME"`
}

func (c *mcpCmd) run(s *session) error {
	config, v, err := s.unlogged()
	if err != nil {
		return err
	}
	config.AuditLog, config.OnProgress = s.auditLog(v), nil
	client, err := s.clientOf(config)
	if err != nil {
		return err
	}
	defer client.Close()
	if f, ok := s.stdin.(*os.File); ok && isTerminal(f) {
		s.screen.fact("serving", "MCP on stdin and stdout, for programs; spyhop init sets up an MCP client; Ctrl-D ends this")
	}
	// When the program exits, the closed pipe ends the session. SIGPIPE would kill
	// this process before it cleans up.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(s.ctx, syscall.SIGTERM)
	defer stop()
	err = serve.Stdio(ctx, s.stdin, s.pipe, serve.Options{
		Catalog: client.Catalog(), Audit: client.Audit(), Version: spyhop.Version,
		Tools: c.Tools, AnswerChars: v.AnswerChars(), Versions: client.PageVersions(), OnError: s.printError,
	})
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
