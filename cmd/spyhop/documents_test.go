package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/tool"
)

// written are the pages of docs/ that are written from declarations, by their file.
func written(t *testing.T) map[string]string {
	return map[string]string{
		"settings.md": settingsPage(),
		"errors.md":   errorsPage(),
		"command.md":  commandPage(t),
	}
}

func settingsPage() string {
	return `# Settings

Settings come from a file, the environment and flags. The environment wins over the file, and flags win over both.

` + "```sh" + `
spyhop config init                  # writes a settings file in which every setting is explained
spyhop config                       # prints every setting, its value and its source
WEB_HTTP=allow spyhop config        # a variable of the environment
spyhop config --web-http allow      # the same as a flag; every command takes it
` + "```" + `

The file is ` + "`--config FILE`, else `$XDG_CONFIG_HOME/spyhop/config.toml` (`~/.config/spyhop/config.toml`)" + `. Its keys are the names
below in lower case. A value that is not allowed stops the start with the name of the setting and the allowed form.

This page is written from the table in ` + "`internal/config/table.go`, by `go test ./cmd/spyhop -run TestDocuments -update`" + `.

` + config.Markdown()
}

func errorsPage() string {
	var b strings.Builder
	b.WriteString(`# Errors

Every surface has the same error: a type from the closed set below, a message, whether a retry can help, and a hint with the next step.
[Troubleshooting](troubleshooting.md) says what to do.

- **Command**: the message and the hint on stderr, and the exit code; with ` + "`--json`" + ` the object below on stdout.
- **HTTP**: a problem document (RFC 9457) with the same members and the HTTP status.
- **MCP**: a result with ` + "`isError`" + `, with the message and the hint as text.
- **Go**: a ` + "`*spyhop.Error`" + `.

` + "```json" + `
{"error": true, "error_type": "Blocked", "error_message": "…", "retry_possible": false, "hint": "…"}
` + "```" + `

| type | meaning | exit code | HTTP status | retry |
|---|---|---|---|---|
`)
	for _, e := range tool.ErrorTypes() {
		retry := "no"
		if e.RetryPossible(503) {
			retry = "yes"
			if !e.RetryPossible(0) {
				retry = "if the status is 408, 425, 429 or 5xx"
			}
		}
		fmt.Fprintf(&b, "| `%s` | %s | %d | %d | %s |\n", e, e.Meaning(), e.ExitCode(), e.HTTPStatus(), retry)
	}
	b.WriteString("\n## Exit codes\n\n| code | meaning |\n|---|---|\n")
	for _, row := range exitCodes {
		fmt.Fprintf(&b, "| %s | %s |\n", row[0], row[1])
	}
	b.WriteString("\nThis page is written from `tool/error.go`, by `go test ./cmd/spyhop -run TestDocuments -update`.\n")
	return b.String()
}

// commandPage is the help of every command as one page.
func commandPage(t *testing.T) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`# Command

` + "`spyhop COMMAND --help`" + ` prints the help of a command, and ` + "`spyhop man`" + ` all of it. A command line that begins with a URL is ` + "`spyhop fetch URL`" + `.

This page is written from the declarations in ` + "`cmd/spyhop`, by `go test ./cmd/spyhop -run TestDocuments -update`" + `.
`)
	s := &session{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard, cli: new(grammar)}
	k, err := newParser(s, nil)
	if err != nil {
		t.Fatal(err)
	}
	group := ""
	var walk func(n *kong.Node)
	walk = func(n *kong.Node) {
		for _, c := range n.Children {
			if c.Type != kong.CommandNode || c.Hidden {
				continue
			}
			level := "###"
			if n == k.Model.Node && c.Group != nil && c.Group.Title != group {
				group = c.Group.Title
				fmt.Fprintf(&b, "\n## %s\n", strings.TrimSuffix(group, ":"))
			}
			fmt.Fprintf(&b, "\n%s spyhop %s\n\n%s\n", level, c.Path(), c.Help)
			detail := strings.TrimSuffix(c.Detail, exitHelp)
			examples, rest, _ := strings.Cut(strings.TrimPrefix(detail, "Examples:\n\n"), "\n\n")
			fmt.Fprintf(&b, "\n```sh\n%s\n```\n", strings.TrimSpace(unindented(examples)))
			if c.Name == "config" { // settings.md has them
				rest, _, _ = strings.Cut(rest, "\nAll settings,")
			}
			if rest = strings.TrimSpace(rest); rest != "" {
				fmt.Fprintf(&b, "\n%s\n", paragraphsOf(rest))
			}
			for _, p := range c.Positional {
				fmt.Fprintf(&b, "\n- `%s`: %s", p.Summary(), p.Help)
			}
			for _, f := range c.Flags {
				if f.Hidden {
					continue
				}
				name := "--" + f.Name
				if f.Short != 0 {
					name = fmt.Sprintf("-%c, %s", f.Short, name)
				}
				if !f.IsBool() {
					name += "=" + f.FormatPlaceHolder()
				}
				fmt.Fprintf(&b, "\n- `%s`: %s", name, f.Help)
			}
			if len(c.Positional)+len(c.Flags) > 0 {
				b.WriteByte('\n')
			}
			walk(c)
		}
	}
	walk(k.Model.Node)
	b.WriteString("\n## Flags of every command\n")
	for _, f := range k.Model.Flags {
		if !f.Hidden {
			fmt.Fprintf(&b, "\n- `--%s`: %s", f.Name, f.Help)
		}
	}
	b.WriteString("\n\n## Other names\n\nThese commands repeat a mode of another one. They work and are not listed: `spyhop links`")
	for _, n := range k.Model.Children {
		if n.Hidden {
			fmt.Fprintf(&b, " `spyhop %s`", n.Name)
		}
	}
	return b.String() + ".\n"
}

// unindented removes the four spaces before the lines of code of a help text.
func unindented(s string) string {
	return strings.ReplaceAll(strings.TrimPrefix(s, "    "), "\n    ", "\n")
}

// paragraphsOf is the text of help as Markdown: indented lines are code, and what looks like
// markup is text.
func paragraphsOf(s string) string {
	var out []string
	for p := range strings.SplitSeq(s, "\n\n") {
		if strings.HasPrefix(p, "    ") {
			p = "```text\n" + unindented(p) + "\n```"
		} else {
			p = strings.NewReplacer("<", "&lt;", "_", "\\_", "*", "\\*").Replace(p)
		}
		out = append(out, p)
	}
	return strings.Join(out, "\n\n")
}

// TestDocuments: the generated pages of docs/ are what the declarations give; -update
// writes them.
func TestDocuments(t *testing.T) {
	for name, want := range written(t) {
		file := "../../docs/" + name
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got, err := os.ReadFile(file); err != nil || string(got) != want {
			t.Errorf("docs/%s is not current: run go test ./cmd/spyhop -run TestDocuments -update (%v)", name, err)
		}
	}
}
