package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/browser"
)

// server is an MCP server on stdio.
type server struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	id   int
	open string // the tool that opens an address
	of   string // its name
}

func newSpyhop(program string, env ...string) (*server, error) {
	cmd := exec.Command(program, "mcp")
	cmd.Env = append(append(os.Environ(), "WEB_ALLOW_PRIVATE=127.0.0.1", "WEB_AUDIT_LOG=off"), env...)
	return newServer("spyhop", "navigate_to_url", cmd)
}

func newPlaywright(cli string) (*server, error) {
	path, err := browser.Find("", false)
	if err != nil {
		return nil, err
	}
	return newServer("playwright", "browser_navigate", exec.Command("node", cli, "--headless", "--no-sandbox", "--isolated", "--executable-path", path,
		"--proxy-server", "http://127.0.0.1:9", "--proxy-bypass", "127.0.0.1"))
}

func newServer(of, open string, cmd *exec.Cmd) (_ *server, err error) {
	p := &server{cmd: cmd, of: of, open: open}
	p.cmd.Dir = os.TempDir() // Playwright writes a folder with its output there
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	p.out = bufio.NewReaderSize(out, 1<<20)
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	if _, err := p.call("initialize", map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{},
		"clientInfo": map[string]string{"name": "bench", "version": "1"}}); err != nil {
		return nil, err
	}
	_, err = io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return p, err
}

func (p *server) name() string { return p.of }

func (p *server) close() {
	_ = p.in.Close()
	_ = p.cmd.Wait()
}

func (p *server) navigate(url string) error {
	_, err := p.tool(p.open, map[string]any{"url": url})
	return err
}

func (p *server) snapshot() (string, error) { return p.tool("browser_snapshot", map[string]any{}) }

func (p *server) tool(name string, args map[string]any) (string, error) {
	raw, err := p.call("tools/call", map[string]any{"name": name, "arguments": args})
	if err != nil {
		return "", err
	}
	var r struct {
		IsError bool
		Content []struct{ Text string }
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	var text strings.Builder
	for _, c := range r.Content {
		text.WriteString(c.Text)
	}
	if r.IsError {
		return "", errors.New(text.String())
	}
	return text.String(), nil
}

func (p *server) call(method string, params any) (json.RawMessage, error) {
	p.id++
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": p.id, "method": method, "params": params})
	if err != nil {
		return nil, err
	}
	if _, err := p.in.Write(append(data, '\n')); err != nil {
		return nil, err
	}
	for {
		line, err := p.out.ReadBytes('\n')
		if err != nil {
			return nil, err
		}
		var m struct {
			ID     int
			Result json.RawMessage
			Error  *struct{ Message string }
		}
		if json.Unmarshal(line, &m) != nil || m.ID != p.id {
			continue
		}
		if m.Error != nil {
			return nil, errors.New(m.Error.Message)
		}
		return m.Result, nil
	}
}
