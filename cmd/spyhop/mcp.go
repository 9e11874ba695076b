package main

import (
	"errors"
	"io"
	"log"
	"os/signal"
	"syscall"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/serve"
)

type mcpCmd struct {
	Tools []string `help:"Serve these profiles and tools alone; core, browser, classic, all or names." placeholder:"NAME"`
}

func (mcpCmd) Help() string {
	return `Serves the tools to a program over the Model Context Protocol, on stdin and stdout,
until stdin ends. Programs start it by themselves: their settings name it. What is
served over HTTP instead is under "spyhop serve".
` + exitHelp
}

func (c *mcpCmd) Run(s *session) error {
	config, v, err := s.unlogged()
	if err != nil {
		return err
	}
	config.AuditLog, config.OnProgress = s.auditLog(v), nil
	client, err := spyhop.New(config)
	if err != nil {
		return err
	}
	defer client.Close()
	// stdout is the protocol's, and stderr is shown to people by some programs:
	// net/http writes there what servers do wrong.
	log.SetOutput(io.Discard)
	// A program that is gone ends the session by its closed pipe. The signal
	// would end the process before anything is put away.
	signal.Ignore(syscall.SIGPIPE)
	ctx, stop := signal.NotifyContext(s.ctx, syscall.SIGTERM)
	defer stop()
	err = serve.Stdio(ctx, s.stdin, s.pipe, serve.Options{
		Catalog: client.Catalog(), Audit: client.Audit(), Version: spyhop.Version,
		Tools: c.Tools, AnswerChars: v.AnswerChars(), Versions: client.PageVersions(), Trouble: s.trouble,
	})
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
