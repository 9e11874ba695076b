package main

import (
	"fmt"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"syscall"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/internal/tool"
)

type serveCmd struct {
	Listen    string   `help:"Address and port to listen on; port 0 takes a free one. Left out: WEB_SERVE_ADDR." placeholder:"ADDR:PORT"`
	ReadyFile string   `help:"Write the URL of the server to this file when it is ready." placeholder:"FILE" type:"path"`
	Tools     []string `help:"Serve these profiles and tools alone; core, browser, classic, all or names." placeholder:"NAME"`
}

func (serveCmd) Help() string {
	return `Serves the tools over HTTP until it is interrupted: MCP at /mcp, plain HTTP under
/v1/tools, a page about it at /docs.
` + exitHelp
}

func (c *serveCmd) Run(s *session) error {
	config, v, err := s.unlogged()
	if err != nil {
		return err
	}
	config.AuditLog, config.Progress = s.auditLog(v), nil
	address := c.Listen
	if address == "" {
		address = v.ServeAddress()
	}
	client, err := spyhop.New(config)
	if err != nil {
		return err
	}
	defer client.Close()
	server, err := serve.New(serve.Options{
		Catalog: client.Catalog(), Audit: client.Audit(), Version: spyhop.Version,
		Tools: c.Tools, Token: v.ServeToken, AnswerChars: v.MCPAnswerChars, Trouble: s.trouble,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return tool.NewError(tool.InvalidInput, "cannot listen on "+address+": "+cause(err), "name another address with --listen or WEB_SERVE_ADDR")
	}
	url := "http://" + listener.Addr().String()
	if !s.cli.Quiet {
		fmt.Fprintln(s.stderr, "serving at "+url+" (Ctrl-C ends)")
	}
	if err := writeReady(c.ReadyFile, url); err != nil {
		return err
	}
	// A call leaves half a megabyte of garbage and a small heap: collecting at
	// twice the heap takes a quarter of all processor time (bench/mcp).
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(200)
	}
	ctx, stop := signal.NotifyContext(s.ctx, syscall.SIGTERM)
	defer stop()
	return server.Serve(ctx, listener)
}

// writeReady writes the file whole or not at all: who waits for it reads no
// half of it.
func writeReady(file, url string) error {
	if file == "" {
		return nil
	}
	f, err := os.CreateTemp(filepath.Dir(file), ".ready-*")
	if err != nil {
		return err
	}
	_, err = f.WriteString(url + "\n")
	if e := f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(f.Name(), file)
	}
	if err != nil {
		_ = os.Remove(f.Name())
	}
	return err
}
