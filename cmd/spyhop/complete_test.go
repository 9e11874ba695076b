package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// script writes the completion script of a shell to a file.
func script(t *testing.T, shell, file string) {
	t.Helper()
	var out bytes.Buffer
	s := &session{stdout: bufio.NewWriter(&out), stderr: io.Discard, cli: new(grammar)}
	args := []string{"completion", shell}
	k, err := newParser(s, args)
	if err != nil {
		t.Fatal(err)
	}
	c, err := k.Parse(args)
	if err == nil {
		s.command = c.Selected()
		err = s.runCommand()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.stdout.Flush()
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// completions are lines of which the last word is completed.
var completions = []struct {
	line string
	want []string // nil: none
	not  string
}{
	{"spyhop fet", []string{"fetch"}, ""},
	{"spyhop fetch --mo", []string{"--mode"}, ""},
	{"spyhop fetch --mode l", []string{"links"}, ""},
	{"spyhop call web_", []string{"web_browse", "web_crawl", "web_fetch", "web_map", "web_recall", "web_search"}, ""},
	{"spyhop crawl --ren", []string{"--render"}, ""}, // of the command that runs when none is named
	{"spyhop crawl --render a", []string{"always", "auto"}, ""},
	{"spyhop crawl li", []string{"list"}, ""},
	{"spyhop crawl list --ren", nil, ""},
	{"spyhop plan run ", nil, "validate"}, // it takes a file
	{"spyhop plan v", []string{"validate"}, ""},
	{"spyhop help fet", []string{"fetch"}, ""},
	{"spyhop browser cl", []string{"click", "close"}, ""},
	{"spyhop fetch --web-http re", []string{"refuse"}, ""},
	{"spyhop --web-robots ", []string{"off", "on"}, ""},
	{"spyhop fetch --web-allow-p", []string{"--web-allow-private"}, ""},
	{"spyhop completion z", []string{"zsh"}, ""},
}

func TestCompletion(t *testing.T) {
	self, err := os.Executable() // which is spyhop under that name, see TestMain
	if err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	if err := os.Symlink(self, filepath.Join(bin, "spyhop")); err != nil {
		t.Skip(err)
	}
	ask := func(t *testing.T, shell string, args ...string) string {
		t.Helper()
		path, err := exec.LookPath(shell)
		if err != nil {
			t.Skip("no " + shell + " on this machine")
		}
		c := exec.Command(path, args...)
		c.Dir = t.TempDir()
		c.Env = append(os.Environ(), "HOME="+c.Dir, "XDG_CONFIG_HOME="+c.Dir, "XDG_DATA_HOME="+c.Dir, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := c.CombinedOutput()
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return string(out)
	}
	check := func(t *testing.T, line string, got, want []string, not string) {
		t.Helper()
		slices.Sort(got)
		if not != "" {
			if slices.Contains(got, not) {
				t.Errorf("%q is completed by %q", line, got)
			}
		} else if !slices.Equal(got, want) {
			t.Errorf("%q is completed by %q, want %q", line, got, want)
		}
	}
	dir := t.TempDir()
	t.Run("bash", func(t *testing.T) {
		file := filepath.Join(dir, "bash")
		script(t, "bash", file)
		ask := func(line string) string {
			return ask(t, "bash", "--norc", "-c", `. "$1"; COMP_WORDS=($2); [[ $2 == *" " ]] && COMP_WORDS+=(""); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _spyhop; echo "${COMPREPLY[@]}"`, "-", file, line)
		}
		for _, c := range completions {
			check(t, c.line, strings.Fields(ask(c.line)), c.want, c.not)
		}
	})
	t.Run("fish", func(t *testing.T) {
		file := filepath.Join(dir, "fish")
		script(t, "fish", file)
		for _, c := range completions {
			var got []string
			for line := range strings.Lines(ask(t, "fish", "--no-config", "-c", "source $argv[1]; complete -C $argv[2]", file, c.line)) {
				word, _, _ := strings.Cut(strings.TrimSpace(line), "\t")
				got = append(got, word)
			}
			check(t, c.line, got, c.want, c.not)
		}
	})
	t.Run("zsh", func(t *testing.T) {
		file := filepath.Join(dir, "_spyhop")
		script(t, "zsh", file)
		for _, c := range completions {
			out := ask(t, "zsh", "-f", "-c", `words=(${=2}); [[ $2 == *" " ]] && words+=(""); CURRENT=$#words; _files() { }; _describe() { print -rl -- "${(@)${(@P)2}%%:*}" }; . $1`, "-", file, c.line)
			check(t, c.line, strings.Fields(out), c.want, c.not)
		}
	})
}
