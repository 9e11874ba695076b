package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/tool"
)

// The completion of each shell is a few lines that call "spyhop __complete SHELL WORD…",
// which prints what the last word can be.

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

// completionScripts are the scripts, by shell. Where nothing is printed, the shell
// completes files. That of bash keeps to bash 3.2, which macOS has.
var completionScripts = map[string]string{
	"bash": `# bash completion for spyhop
_spyhop() {
    local IFS=$'\n'
    COMPREPLY=($(spyhop __complete bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null))
}
complete -o default -F _spyhop spyhop
`,
	"zsh": `#compdef spyhop
_spyhop() {
    local -a found
    found=(${(f)"$(spyhop __complete zsh "${(@)words[2,CURRENT]}" 2>/dev/null)"})
    if (( $#found )); then _describe spyhop found; else _files; fi
}
_spyhop "$@"
`,
	"fish": `# fish completion for spyhop
function __spyhop_complete
    set -l words (commandline -opc) (commandline -ct)
    spyhop __complete fish $words[2..] 2>/dev/null
end
complete -c spyhop -f -a '(__spyhop_complete)'
complete -c spyhop -n 'test -z "$(__spyhop_complete | string collect)"' -F
`,
}

func (c *completionCmd) run(s *session) error {
	_, err := s.stdout.WriteString(completionScripts[c.Shell])
	return err
}

// candidate is what a word can be, and its help.
type candidate struct{ word, help string }

// complete prints what the last word of a command line can be, in the form of a shell.
func (s *session) complete(shell string, words []string) error {
	k, err := newParser(s, words)
	if err != nil {
		return err
	}
	for _, c := range candidates(k.Model.Node, words) {
		help, _, _ := strings.Cut(strings.TrimSuffix(c.help, "."), "\n")
		switch shell {
		case "zsh":
			fmt.Fprintln(s.stdout, c.word+":"+help)
		case "fish":
			fmt.Fprintln(s.stdout, c.word+"\t"+help)
		default:
			fmt.Fprintln(s.stdout, c.word)
		}
	}
	return nil
}

// candidates returns what the last word can be: the value of a flag, a flag, a command, or
// the first argument of one.
func candidates(root *kong.Node, words []string) (out []candidate) {
	if len(words) == 0 {
		return nil
	}
	n, arguments := root, 0
	var valueOf *kong.Flag // of the last word
	for _, w := range words[:len(words)-1] {
		switch child := childNamed(n, w); {
		case valueOf != nil:
			valueOf = nil
		case strings.HasPrefix(w, "-"):
			valueOf = flagNamed(n, w)
		case child != nil && arguments == 0:
			n = child
		default:
			arguments++
		}
	}
	last := words[len(words)-1]
	add := func(word, help string) {
		if strings.HasPrefix(word, last) {
			out = append(out, candidate{word, help})
		}
	}
	switch {
	case valueOf != nil:
		for _, v := range choices(valueOf) {
			add(v, "")
		}
	case strings.HasPrefix(last, "-"):
		for _, f := range flagsTaken(n) {
			if !f.Hidden || isSetting(f) {
				add("--"+f.Name, f.Help)
			}
		}
	case arguments == 0:
		for _, c := range n.Children {
			if c.Type == kong.CommandNode && !c.Hidden {
				add(c.Name, c.Help)
			}
		}
		for _, v := range firstArguments(n) {
			add(v, "")
		}
	}
	return out
}

func childNamed(n *kong.Node, name string) *kong.Node {
	i := slices.IndexFunc(n.Children, func(c *kong.Node) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return n.Children[i]
}

// flagsTaken are the flags that a command takes: its own, those of the child that runs when
// none is named, and those of the commands above it.
func flagsTaken(n *kong.Node) (out []*kong.Flag) {
	if n.DefaultCmd != nil {
		out = append(out, n.DefaultCmd.Flags...)
	}
	for ; n != nil; n = n.Parent {
		out = append(out, n.Flags...)
	}
	return out
}

// flagNamed is the flag of a word whose value is the next word; nil if there is none.
func flagNamed(n *kong.Node, word string) *kong.Flag {
	for _, f := range flagsTaken(n) {
		if !f.IsBool() && (word == "--"+f.Name || f.Short != 0 && word == "-"+string(f.Short)) {
			return f
		}
	}
	return nil
}

// firstArguments are the values of a command's first argument, as far as they are known.
func firstArguments(n *kong.Node) (out []string) {
	if len(n.Positional) == 0 {
		return nil
	}
	switch p := n.Positional[0]; {
	case p.Enum != "":
		return p.EnumSlice()
	case p.Name == "tool":
		return toolNames(false)
	case n.Name == "init":
		for _, c := range mcpClients("", "", "", "") {
			out = append(out, c.name)
		}
	case n.Name == "help":
		return commandNames()
	}
	return out
}

func isSetting(f *kong.Flag) bool { return f.Group != nil && f.Group.Key == "Settings" }

// toolNames are the names of the tools, and the profiles if they are asked for.
func toolNames(profiles bool) (out []string) {
	if profiles {
		for _, p := range []tool.Profile{tool.Core, tool.BrowserTools, tool.Classic, tool.Crawl, tool.All} {
			out = append(out, string(p))
		}
	}
	for _, d := range declaredTools().List() {
		out = append(out, d.Name)
	}
	return out
}

// choices are the values of a flag, nil if they are not known.
func choices(f *kong.Flag) []string {
	switch {
	case isSetting(f):
		for _, v := range config.Variables() {
			if v.Flag() == f.Name {
				return v.Choices()
			}
		}
	case f.Enum != "":
		return f.EnumSlice()
	case f.Name == "tools":
		return toolNames(true)
	case f.Name == "profile":
		return toolNames(true)[:5]
	}
	return nil
}
