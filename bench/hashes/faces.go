package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// faces adds what the program prints about itself: the help of each command,
// the catalog in each form, the man page.
func (r *recorder) faces() error {
	version, err := r.output("version")
	if err != nil {
		return err
	}
	if fields := strings.Fields(version); len(fields) > 1 {
		r.version = fields[1]
	}
	if err := r.help(); err != nil {
		return err
	}
	for _, form := range []string{"--json", "--openai", "--anthropic", "--prompt", "--tree", "--markdown"} {
		out, err := r.output("tools", form)
		if err != nil {
			return err
		}
		r.add("tools "+form, out)
	}
	out, err := r.output("man")
	if err != nil {
		return err
	}
	r.add("man page", out)
	return nil
}

// help adds the help of the command named by path and of all commands below it.
func (r *recorder) help(path ...string) error {
	out, err := r.output(append(path[:len(path):len(path)], "--help")...)
	if err != nil {
		return err
	}
	r.add("help "+strings.Join(append([]string{"spyhop"}, path...), "-"), out)
	_, list, _ := strings.Cut(out, "\nCommands:\n")
	for row := range strings.Lines(list) {
		fields := strings.Fields(row)
		if len(fields) == 0 {
			break // the list ends with an empty line
		}
		if strings.HasPrefix(row, "   ") {
			continue // more words of the command above
		}
		name := strings.Fields(strings.TrimPrefix(strings.Join(fields, " "), strings.Join(path, " ")))[0]
		if err := r.help(append(path[:len(path):len(path)], name)...); err != nil {
			return err
		}
	}
	return nil
}

// openapi adds the OpenAPI document of the HTTP server.
func (r *recorder) openapi() (err error) {
	ready := filepath.Join(r.home, "ready")
	server := r.command("serve", "--listen", "127.0.0.1:0", "--ready-file", ready)
	if err := server.Start(); err != nil {
		return err
	}
	defer func() {
		_ = server.Process.Signal(os.Interrupt)
		_ = server.Wait()
	}()
	address, err := waitFor(ready)
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(r.ctx, http.MethodGet, address+"/openapi.json", nil)
	if err != nil {
		return err
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("/openapi.json answered %s", response.Status)
	}
	text := strings.ReplaceAll(string(body), address, "SERVER")
	if r.version != "" {
		text = strings.ReplaceAll(text, r.version, "VERSION")
	}
	r.add("openapi document", text)
	return nil
}

// waitFor returns the one line of a file as soon as the file is there, and
// waits ten seconds at most.
func waitFor(file string) (string, error) {
	for range 200 {
		if raw, err := os.ReadFile(file); err == nil && len(raw) > 0 {
			return strings.TrimRight(strings.TrimSpace(string(raw)), "/"), nil
		}
		time.Sleep(50 * time.Millisecond)
	}
	return "", errors.New("the server was not ready within ten seconds")
}
