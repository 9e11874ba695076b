package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/terminal"
)

// TestExamples: the help of each command ends with where the exit codes are, and has two
// to five examples, which the command line accepts as calls of that command, or of one of
// its commands. The help of spyhop itself has examples too.
func TestExamples(t *testing.T) {
	parse := func(args ...string) (*kong.Kong, *kong.Context, error) {
		s := &session{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard, cli: new(grammar)}
		k, err := newParser(s, args)
		if err != nil {
			t.Fatal(err)
		}
		c, err := k.Parse(args)
		return k, c, err
	}
	k, _, _ := parse()
	nodes := []*kong.Node{k.Model.Node}
	for i := 0; i < len(nodes); i++ {
		for _, c := range nodes[i].Children {
			if !c.Hidden {
				nodes = append(nodes, c)
			}
		}
	}
	for _, n := range nodes {
		t.Run(n.Path(), func(t *testing.T) {
			if n != k.Model.Node && !strings.HasSuffix(n.Detail, exitHelp) {
				t.Errorf("the help does not end with the exit codes:\n%s", n.Detail)
			}
			_, examples, _ := strings.Cut("\n"+n.Detail, "\nExamples:\n\n")
			examples, _, _ = strings.Cut(strings.TrimSuffix(examples, "\n"), "\n\n")
			lines := strings.Split(examples, "\n")
			if len(lines) < 2 || len(lines) > 5 {
				t.Fatalf("%d examples, want 2 to 5: %q", len(lines), examples)
			}
			for _, line := range lines {
				words := exampleWords(line)
				if words == nil {
					t.Fatalf("%q is not a call of spyhop", line)
				}
				_, c, err := parse(pageArguments(words)...)
				if err != nil || n.Leaf() && c.Selected().FullPath() != n.FullPath() || !strings.HasPrefix(c.Selected().FullPath(), n.FullPath()) {
					t.Errorf("%q: %v", line, err)
				}
			}
		})
	}
}

// exampleWords returns the arguments of the spyhop call in a shell line: pipes
// and redirections are left out. Nil when there is no such call.
func exampleWords(line string) []string {
	var words []string
	found := false
	for _, m := range regexp.MustCompile(`"([^"]*)"|'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		switch w := m[1] + m[2] + m[3]; {
		case !found:
			found = w == "spyhop"
		case m[3] == "|" || m[3] == ">" || m[3] == "<":
			return words
		default:
			words = append(words, w)
		}
	}
	return words
}

// TestOneCommand: a call of a command declares that command and no other one; a
// call of no command, and those that print all commands, declare all of them.
func TestOneCommand(t *testing.T) {
	declared := func(args ...string) (names []string) {
		s := &session{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard, cli: new(grammar)}
		k, err := newParser(s, args)
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range k.Model.Children {
			names = append(names, n.Name)
		}
		return names
	}
	all := declared()
	for _, name := range all {
		want := []string{name}
		if name == "man" {
			want = all
		}
		if got := declared(name, "--help"); !slices.Equal(got, want) {
			t.Errorf("%s declares %v, want %v", name, got, want)
		}
	}
	for _, args := range [][]string{{"--help"}, {"--config", "fetch", "links"}, {"fetsh"}} {
		if got := declared(args...); !slices.Equal(got, all) {
			t.Errorf("%q declares %v, want all", args, got)
		}
	}
}

// TestHelpFits: help fits into a terminal of any width, except for words that are longer
// than a line; it says the same in each.
func TestHelpFits(t *testing.T) {
	words := func(columns int, command string) (string, []string) {
		var out bytes.Buffer
		s := &session{stdout: bufio.NewWriter(&out), stderr: io.Discard, cli: new(grammar), screen: screen{columns: columns}}
		args := []string{command, "--help"}
		k, err := newParser(s, args)
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() { _ = recover() }() // help ends with an exit
			_, _ = k.Parse(args)
		}()
		s.stdout.Flush()
		return out.String(), strings.Fields(out.String())
	}
	for _, command := range []string{"fetch", "serve", "browser", "policy"} {
		_, want := words(0, command)
		if len(want) < 20 {
			t.Fatalf("%s: %q", command, want)
		}
		for _, columns := range []int{20, 45, 60, 79, 80, 200} {
			help, got := words(columns, command)
			if !slices.Equal(got, want) {
				t.Errorf("%s in %d columns has other words:\n%s", command, columns, help)
			}
			for line := range strings.Lines(help) {
				if n := terminal.Columns(strings.TrimRight(line, "\n")); n > columns && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%s: %d columns in %d: %s", command, n, columns, line)
				}
			}
		}
	}
}

// TestExamplesFirst: help begins with the usage, one line about the command, and examples.
func TestExamplesFirst(t *testing.T) {
	for _, command := range []string{"fetch", "policy", "config"} {
		var out bytes.Buffer
		s := &session{stdout: bufio.NewWriter(&out), stderr: io.Discard, cli: new(grammar), screen: screen{columns: 80}}
		k, err := newParser(s, []string{command, "--help"})
		if err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() { _ = recover() }() // help ends with an exit
			_, _ = k.Parse([]string{command, "--help"})
		}()
		s.stdout.Flush()
		if !regexp.MustCompile(`^Usage: spyhop .*\n\n(.+\n){1,2}\nExamples:\n\n    `).MatchString(out.String()) {
			t.Errorf("%s: %.300s", command, out.String())
		}
	}
}

// TestSkill: the command line accepts every call in the skill file for agents.
func TestSkill(t *testing.T) {
	skill, err := os.ReadFile(filepath.Join("..", "..", "packaging", "skill", "SKILL.md"))
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	for line := range strings.Lines(string(skill)) {
		line, _, _ = strings.Cut(line, " #")
		if !strings.HasPrefix(line, "spyhop ") {
			continue
		}
		calls++
		args := exampleWords(line)
		s := &session{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard, cli: new(grammar)}
		k, err := newParser(s, args)
		if err == nil {
			_, err = k.Parse(args)
		}
		if err != nil {
			t.Errorf("%s: %v", strings.TrimSpace(line), err)
		}
	}
	if calls < 15 {
		t.Errorf("%d calls were found", calls)
	}
}
