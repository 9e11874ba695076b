package main

import (
	"bufio"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestExamples: the help of each command ends with the exit statuses and has two
// to five examples, which the command line accepts as calls of that command.
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
	for _, n := range k.Model.Leaves(true) {
		t.Run(n.Path(), func(t *testing.T) {
			if !strings.HasSuffix(n.Detail, exitHelp) {
				t.Errorf("the help does not end with the exit statuses:\n%s", n.Detail)
			}
			_, examples, _ := strings.Cut(n.Detail, "\nExamples:\n\n")
			examples, _, _ = strings.Cut(examples, "\n\n")
			lines := strings.Split(examples, "\n")
			if len(lines) < 2 || len(lines) > 5 {
				t.Fatalf("%d examples, want 2 to 5: %q", len(lines), examples)
			}
			for _, line := range lines {
				words := exampleWords(line)
				if words == nil {
					t.Fatalf("%q is not a call of spyhop", line)
				}
				_, c, err := parse(words...)
				if err != nil || c.Selected().FullPath() != n.FullPath() {
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
		if name == "completion" || name == "man" {
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
