package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/wholefile"
	"github.com/spyhop-dev/spyhop/tool"
)

type initCmd struct {
	Clients []string `arg:"" optional:"" name:"client" help:"Clients to set up: claude-code, claude-desktop, codex, cursor, gemini, vscode, windsurf, zed. Default: those that are found."`
	Yes     bool     `short:"y" help:"Write without asking."`
	Tools   string   `help:"Tools that the clients get: profiles or names of tools. Default: core, crawl and browser." placeholder:"NAME"`
}

// mcpClient is a program that can start spyhop mcp.
type mcpClient struct {
	name, title string
	// file has its settings; marks are folders and files that tell that it is there.
	file  string
	marks []string
	// outer is the member of the servers; "" means the TOML of Codex.
	outer string
	// typed adds the kind of the connection.
	typed bool
}

// mcpClients lists the clients with their places for an operating system.
func mcpClients(system, home, appData, configHome string) []mcpClient {
	join := filepath.Join
	settings := configHome // of desktop programs
	if settings == "" {
		settings = join(home, ".config")
	}
	zed := join(settings, "zed")
	switch system {
	case "darwin":
		settings, zed = join(home, "Library", "Application Support"), join(home, ".config", "zed")
	case "windows":
		settings, zed = appData, join(appData, "Zed")
	}
	return []mcpClient{
		{name: "claude-code", title: "Claude Code", file: join(home, ".claude.json"), marks: []string{join(home, ".claude.json"), join(home, ".claude")}, outer: "mcpServers", typed: true},
		{name: "claude-desktop", title: "Claude Desktop", file: join(settings, "Claude", "claude_desktop_config.json"), marks: []string{join(settings, "Claude")}, outer: "mcpServers"},
		{name: "codex", title: "Codex", file: join(home, ".codex", "config.toml"), marks: []string{join(home, ".codex")}},
		{name: "cursor", title: "Cursor", file: join(home, ".cursor", "mcp.json"), marks: []string{join(home, ".cursor")}, outer: "mcpServers"},
		{name: "gemini", title: "Gemini CLI", file: join(home, ".gemini", "settings.json"), marks: []string{join(home, ".gemini")}, outer: "mcpServers"},
		{name: "vscode", title: "VS Code", file: join(settings, "Code", "User", "mcp.json"), marks: []string{join(settings, "Code", "User")}, outer: "servers", typed: true},
		{name: "windsurf", title: "Windsurf", file: join(home, ".codeium", "windsurf", "mcp_config.json"), marks: []string{join(home, ".codeium", "windsurf")}, outer: "mcpServers"},
		{name: "zed", title: "Zed", file: join(zed, "settings.json"), marks: []string{zed}, outer: "context_servers"},
	}
}

// installed reports whether a client has left something on this machine.
func (c mcpClient) installed() bool {
	return slices.ContainsFunc(c.marks, func(name string) bool { _, err := os.Stat(name); return err == nil })
}

// with returns the settings with spyhop. The error is errThere if they have it.
func (c mcpClient) with(settings, program string, args []string) (string, error) {
	if c.outer == "" {
		return withTOML(settings, program, args)
	}
	server := struct {
		Type    string   `json:"type,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}{Command: program, Args: args}
	if c.typed {
		server.Type = "stdio"
	}
	value, err := json.Marshal(server)
	if err != nil {
		return "", err
	}
	return addMember(settings, c.outer, "spyhop", string(value))
}

// lines are the settings of a client that has no others, on one line.
func (c mcpClient) lines(program string, args []string) string {
	settings, err := c.with("", program, args)
	if err != nil {
		return "spyhop mcp"
	}
	if c.outer == "" {
		return strings.ReplaceAll(strings.TrimSpace(settings), "\n", "; ")
	}
	var b bytes.Buffer
	if json.Compact(&b, []byte(settings)) != nil {
		return settings
	}
	return b.String()
}

// isReadOnly reports whether the owner of a file may not write it. A new file could take
// its place, but its mode says that somebody does not want that.
func isReadOnly(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().Perm()&0o200 == 0
}

// withTOML appends a table, which TOML allows at the end of any file.
func withTOML(settings, program string, args []string) (string, error) {
	for line := range strings.Lines(settings) {
		if name := strings.NewReplacer(" ", "", `"`, "", "'", "").Replace(line); strings.HasPrefix(name, "[mcp_servers.spyhop]") || strings.HasPrefix(name, "mcp_servers.spyhop") {
			return "", errThere
		}
	}
	if settings != "" && !strings.HasSuffix(settings, "\n") {
		settings += "\n"
	}
	if settings != "" {
		settings += "\n"
	}
	words := make([]string, len(args))
	for i, a := range args {
		words[i] = strconv.Quote(a)
	}
	return settings + "[mcp_servers.spyhop]\ncommand = " + strconv.Quote(program) + "\nargs = [" + strings.Join(words, ", ") + "]\n", nil
}

// setup is what happened with a client, for --json.
type setup struct {
	Client string `json:"client"`
	File   string `json:"file"`
	State  string `json:"state"` // written, there, declined, failed
	Backup string `json:"backup,omitempty"`
	Reason string `json:"reason,omitempty"`
}

func (c *initCmd) run(s *session) error {
	home, err := os.UserHomeDir()
	if err != nil {
		return tool.NewError(tool.InvalidInput, "no home folder was found: "+cause(err), "set HOME to your home folder")
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	all := mcpClients(runtime.GOOS, home, os.Getenv("APPDATA"), os.Getenv("XDG_CONFIG_HOME"))
	chosen, err := c.choose(all)
	if err != nil {
		return err
	}
	args := []string{"mcp"}
	if c.Tools != "" {
		args = append(args, "--tools", c.Tools)
	}
	// A question says itself that it waits.
	answers := bufio.NewScanner(s.interruptible())
	var done []setup
	worst := 0
	for _, client := range chosen {
		d := c.setUp(s, client, program, args, answers)
		if s.ctx.Err() != nil {
			return s.ctx.Err()
		}
		if d.State == "failed" {
			worst = tool.ExitOther
		}
		done = append(done, d)
		if !s.cli.JSON {
			line := fmt.Sprintf("%-15s %s: %s", client.title, d.State, printable(text.Path(d.File)))
			if d.Reason != "" {
				line += " (" + printable(d.Reason) + ")"
			}
			s.sentence(line)
			s.stdout.Flush()
		}
	}
	if s.cli.JSON {
		s.print(map[string]any{"clients": done})
	} else if slices.ContainsFunc(done, func(d setup) bool { return d.State == "written" }) {
		s.screen.fact("next", "start these clients again; in a chat, ask for a page")
	}
	if worst != 0 {
		return failed(worst)
	}
	return nil
}

// choose returns the named clients, or those that are installed.
func (c *initCmd) choose(all []mcpClient) ([]mcpClient, error) {
	var names []string
	for _, client := range all {
		names = append(names, client.name)
	}
	if len(c.Clients) == 0 {
		found := slices.DeleteFunc(slices.Clone(all), func(client mcpClient) bool { return !client.installed() })
		if len(found) == 0 {
			return nil, tool.NewError(tool.InvalidInput, "no MCP client was found", "name one: spyhop init "+strings.Join(names, "|"))
		}
		return found, nil
	}
	var chosen []mcpClient
	for _, name := range c.Clients {
		i := slices.Index(names, name)
		if i < 0 {
			return nil, tool.NewError(tool.InvalidInput, "client "+text.Quoted(name)+" is unknown", "it is one of "+strings.Join(names, ", "))
		}
		chosen = append(chosen, all[i])
	}
	return chosen, nil
}

// setUp changes the settings of one client.
func (c *initCmd) setUp(s *session, client mcpClient, program string, args []string, answers *bufio.Scanner) setup {
	d := setup{Client: client.name, File: client.file, State: "failed"}
	// A link is followed: people keep such files elsewhere.
	if real, err := filepath.EvalSymlinks(client.file); err == nil {
		d.File = real
	}
	before, err := os.ReadFile(d.File)
	missing := errors.Is(err, fs.ErrNotExist)
	if err != nil && !missing {
		d.Reason = cause(err)
		return d
	}
	after, err := client.with(string(before), program, args)
	switch {
	case errors.Is(err, errThere):
		d.State, d.Reason = "there", "it has spyhop; nothing was changed"
		return d
	case err != nil:
		d.Reason = err.Error() + "; mend the file, or add by hand: " + client.lines(program, args)
		return d
	case !missing && isReadOnly(d.File):
		d.Reason = "the file is read-only; make it writable, or add by hand: " + client.lines(program, args)
		return d
	}
	if !c.Yes {
		fmt.Fprintf(s.stderr, "add spyhop to %s, in %s? [y/N] ", client.title, printable(text.Path(d.File)))
		answer := ""
		if answers.Scan() {
			answer = strings.ToLower(strings.TrimSpace(answers.Text()))
		} else {
			fmt.Fprintln(s.stderr)
		}
		if answer != "y" && answer != "yes" {
			d.State, d.Reason = "declined", "nothing was changed; --yes writes without asking"
			return d
		}
	}
	if err := writeSettings(&d, before, []byte(after), missing); err != nil {
		d.Reason = cause(err)
		return d
	}
	d.State = "written"
	return d
}

// writeSettings writes a copy of the old file, and then the new one in one step. The
// mode of the file stays.
func writeSettings(d *setup, before, after []byte, missing bool) error {
	mode := fs.FileMode(0o600)
	if missing {
		if err := os.MkdirAll(filepath.Dir(d.File), 0o755); err != nil {
			return err
		}
	} else {
		info, err := os.Stat(d.File)
		if err != nil {
			return err
		}
		mode = info.Mode().Perm()
		d.Backup = d.File + ".before-spyhop"
		for n := 2; ; n++ { // an older copy stays
			err := wholefile.Create(d.Backup, before)
			if err == nil {
				break
			}
			if !errors.Is(err, fs.ErrExist) || n > 100 {
				return err
			}
			d.Backup = d.File + ".before-spyhop-" + strconv.Itoa(n)
		}
	}
	if err := wholefile.Replace(d.File, after); err != nil {
		return err
	}
	return os.Chmod(d.File, mode)
}
