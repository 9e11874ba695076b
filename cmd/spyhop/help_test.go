package main

import (
	"bufio"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// TestExamples: the help of each command ends with the exit statuses and has two
// or three examples, which the command line accepts as calls of that command.
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
	k, _, err := parse("version")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range k.Model.Leaves(true) {
		t.Run(n.Path(), func(t *testing.T) {
			if !strings.HasSuffix(n.Detail, exitHelp) {
				t.Errorf("the help does not end with the exit statuses:\n%s", n.Detail)
			}
			_, examples, _ := strings.Cut(n.Detail, "\nExamples:\n\n")
			examples, _, _ = strings.Cut(examples, "\n\n")
			lines := strings.Split(examples, "\n")
			if len(lines) < 2 || len(lines) > 3 {
				t.Fatalf("%d examples, want 2 or 3: %q", len(lines), examples)
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
