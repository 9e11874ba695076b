package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/tool"
)

type completionCmd struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"Shell: bash, zsh or fish."`
}

func (completionCmd) Help() string {
	return `Write the script to a folder from which your shell loads completions: create the folder
if it is missing; for zsh, take one of $fpath that you can write to.

Examples:

    spyhop completion bash > ~/.local/share/bash-completion/completions/spyhop
    spyhop completion zsh > "${fpath[1]}/_spyhop"
    spyhop completion fish > ~/.config/fish/completions/spyhop.fish
` + exitHelp
}

func (c *completionCmd) Run(s *session, k *kong.Context) error {
	nodes := commandsOf(k.Model.Node)
	switch c.Shell {
	case "bash":
		bash(s.stdout, nodes, settingFlagsOf(k.Model.Node))
	case "zsh":
		zsh(s.stdout, nodes, settingFlagsOf(k.Model.Node))
	default:
		fish(s.stdout, nodes, settingFlagsOf(k.Model.Node))
	}
	return nil
}

// node is the part of a command that the generators need.
type node struct {
	path     string // words after "spyhop", joined by a space; "" for the command itself
	help     string
	children []node
	flags    []*kong.Flag // of the command itself, without hidden ones
	usual    []*kong.Flag // of the child that runs when none is named
	inherits []*kong.Flag // of the commands above it
	values   []string     // allowed values of the first argument
	files    bool         // takes files
}

// commandsOf lists the commands of the model in order, the root first.
func commandsOf(root *kong.Node) []node {
	var out []node
	var walk func(n *kong.Node, path string, above []*kong.Flag) node
	walk = func(n *kong.Node, path string, above []*kong.Flag) node {
		me := node{path: path, help: n.Help, inherits: above}
		me.flags = shown(n.Flags)
		if n.DefaultCmd != nil {
			me.usual = shown(n.DefaultCmd.Flags)
		}
		for _, p := range n.Positional {
			if p.Enum != "" {
				me.values = p.EnumSlice()
			}
			switch {
			case p.Name == "tool":
				me.values = toolNames(false)
			case path == "init":
				for _, c := range mcpClients("", "", "", "") {
					me.values = append(me.values, c.name)
				}
			case path == "help":
				for _, c := range root.Children {
					if c.Type == kong.CommandNode && !c.Hidden {
						me.values = append(me.values, c.Name)
					}
				}
			}
			me.files = me.files || p.Name == "file"
		}
		at := len(out)
		out = append(out, me)
		below := append(append([]*kong.Flag(nil), above...), me.flags...)
		for _, c := range n.Children {
			if c.Type == kong.CommandNode && !c.Hidden {
				me.children = append(me.children, walk(c, strings.TrimSpace(path+" "+c.Name), below))
			}
		}
		out[at] = me
		return me
	}
	walk(root, "", nil)
	return out
}

// shown are the flags that help lists.
func shown(all []*kong.Flag) (out []*kong.Flag) {
	for _, f := range all {
		if !f.Hidden {
			out = append(out, f)
		}
	}
	return out
}

// settingFlagsOf are the flags of the settings, which help does not list.
func settingFlagsOf(root *kong.Node) (out []*kong.Flag) {
	for _, f := range root.Flags {
		if f.Hidden && f.Group != nil && f.Group.Key == "Settings" {
			out = append(out, f)
		}
	}
	return out
}

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
	case f.Group != nil && f.Group.Key == "Settings":
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

func (n node) allFlags() []*kong.Flag {
	return slices.Concat(n.flags, n.usual, n.inherits)
}

func (n node) last() string { return n.path[strings.LastIndexByte(n.path, ' ')+1:] }

// function is the name of the command's shell function.
func (n node) function() string {
	return "_spyhop_" + strings.NewReplacer(" ", "_", "-", "_").Replace(n.path)
}

// takesFile tells whether a flag's value is a file.
func takesFile(f *kong.Flag) bool { return f.FormatPlaceHolder() == "FILE" }

// bash prints a completion function that goes by the command words so far. It
// keeps to bash 3.2, which macOS has; where it finds nothing, bash completes
// files.
func bash(w io.Writer, nodes []node, settings []*kong.Flag) {
	fmt.Fprint(w, `# bash completion for spyhop
_spyhop() {
    local cur prev path word i
    COMPREPLY=()
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD-1]}
    path=
    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}
        case "${path:+$path }$word" in
`)
	var paths []string
	for _, n := range nodes[1:] {
		paths = append(paths, `"`+n.path+`"`)
	}
	fmt.Fprintf(w, "        %s) path=${path:+$path }$word ;;\n", strings.Join(paths, " | "))
	fmt.Fprint(w, "        esac\n    done\n    case \"$path $prev\" in\n")
	for _, n := range nodes {
		for _, f := range slices.Concat(n.flags, n.usual) {
			switch {
			case choices(f) != nil:
				fmt.Fprintf(w, "    %s)\n        COMPREPLY=($(compgen -W %q -- \"$cur\")); return ;;\n", bashCase(n, f), strings.Join(choices(f), " "))
			case !f.IsBool(): // a file name, or a value that cannot be completed
				fmt.Fprintf(w, "    %s) return ;;\n", bashCase(n, f))
			}
		}
	}
	var names []string
	for _, f := range settings {
		names = append(names, "--"+f.Name)
		if of := choices(f); of != nil {
			fmt.Fprintf(w, "    *\" --%s\")\n        COMPREPLY=($(compgen -W %q -- \"$cur\")); return ;;\n", f.Name, strings.Join(of, " "))
		}
	}
	fmt.Fprint(w, "    esac\n")
	// The flags of the settings are completed when their begin is typed: there are many.
	fmt.Fprintf(w, "    case \"$cur\" in --web-*|--searxng-*)\n        COMPREPLY=($(compgen -W %q -- \"$cur\")); return ;;\n    esac\n", strings.Join(names, " "))
	fmt.Fprint(w, "    case \"$path\" in\n")
	for _, n := range nodes {
		words := append([]string(nil), n.values...)
		for _, c := range n.children {
			words = append(words, c.last())
		}
		var flags []string
		for _, f := range n.allFlags() {
			flags = append(flags, "--"+f.Name)
		}
		fmt.Fprintf(w, "    %q)\n", n.path)
		fmt.Fprintf(w, "        if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W %q -- \"$cur\"))\n", strings.Join(flags, " "))
		if words != nil {
			fmt.Fprintf(w, "        else COMPREPLY=($(compgen -W %q -- \"$cur\"))\n", strings.Join(words, " "))
		}
		fmt.Fprint(w, "        fi ;;\n")
	}
	fmt.Fprint(w, "    esac\n}\ncomplete -o default -F _spyhop spyhop\n")
}

// bashCase matches a flag below its command; global flags match anywhere.
func bashCase(n node, f *kong.Flag) string {
	if n.path == "" {
		return `*" --` + f.Name + `"`
	}
	return `"` + n.path + " --" + f.Name + `"`
}

// zsh prints a function for each command.
func zsh(w io.Writer, nodes []node, settings []*kong.Flag) {
	fmt.Fprint(w, "#compdef spyhop\n\n# The file is read once, and its functions are called for each completion.\ntypeset -ga _spyhop_settings\n_spyhop_settings=(\n")
	for _, f := range settings {
		help, _, _ := strings.Cut(f.Help, ";")
		values := ""
		if of := choices(f); of != nil {
			values = "(" + strings.Join(of, " ") + ")"
		}
		fmt.Fprintf(w, "    '--%s=[%s]:value:%s'\n", f.Name, zshText(help), values)
	}
	fmt.Fprint(w, ")\n")
	for _, n := range nodes {
		fmt.Fprintf(w, "\n%s() {\n", strings.TrimSuffix(n.function(), "_"))
		if n.children != nil {
			fmt.Fprint(w, "    local line state\n")
		}
		fmt.Fprint(w, "    _arguments -C \"${_spyhop_settings[@]}\"")
		for _, f := range n.allFlags() {
			names := "--" + f.Name
			if f.Short != 0 {
				names = fmt.Sprintf("(-%c --%s)'{-%c,--%s}'", f.Short, f.Name, f.Short, f.Name)
			}
			value := ""
			switch {
			case f.IsBool():
			case choices(f) != nil:
				value = ":value:(" + strings.Join(choices(f), " ") + ")"
			case takesFile(f):
				value = ":file:_files"
			default:
				value = ":" + strings.ToLower(f.FormatPlaceHolder()) + ":"
			}
			fmt.Fprintf(w, " \\\n        '%s[%s]%s'", names, zshText(f.Help), value)
		}
		switch {
		case n.children != nil:
			fmt.Fprint(w, " \\\n        '1: :->command' \\\n        '*::arg:->args'\n    case $state in\n    command)\n        local -a commands=(\n")
			for _, c := range n.children {
				fmt.Fprintf(w, "            '%s:%s'\n", c.last(), zshText(c.help))
			}
			fmt.Fprint(w, "        )\n        _describe command commands ;;\n    args)\n        case $line[1] in\n")
			for _, c := range n.children {
				fmt.Fprintf(w, "        %s) %s ;;\n", c.last(), c.function())
			}
			fmt.Fprint(w, "        esac ;;\n    esac\n")
		case n.values != nil:
			fmt.Fprintf(w, " \\\n        '1:value:(%s)'\n", strings.Join(n.values, " "))
		case n.files:
			fmt.Fprint(w, " \\\n        '*:file:_files'\n")
		default:
			fmt.Fprint(w, "\n")
		}
		fmt.Fprint(w, "}\n")
	}
	fmt.Fprint(w, "\n_spyhop \"$@\"\n")
}

// zshText quotes help within '…[…]'.
func zshText(s string) string {
	return strings.NewReplacer(`'`, `'\''`, `[`, `\[`, `]`, `\]`, `:`, `\:`).Replace(strings.TrimSuffix(s, "."))
}

// fish prints a complete line for each command and flag.
func fish(w io.Writer, nodes []node, settings []*kong.Flag) {
	fmt.Fprint(w, "# fish completion for spyhop\ncomplete -c spyhop -f\n")
	for _, f := range settings {
		help, _, _ := strings.Cut(f.Help, ";")
		values := ""
		if of := choices(f); of != nil {
			values = " -a " + fishText(strings.Join(of, " "))
		}
		fmt.Fprintf(w, "complete -c spyhop -l %s -x%s -d %s\n", f.Name, values, fishText(help))
	}
	for _, n := range nodes {
		when := "__fish_use_subcommand"
		if n.path != "" {
			var seen []string
			for word := range strings.FieldsSeq(n.path) {
				seen = append(seen, "__fish_seen_subcommand_from "+word)
			}
			when = strings.Join(seen, "; and ")
		}
		// alone holds until a child is named.
		alone := when
		if n.path != "" && n.children != nil {
			alone += "; and not __fish_seen_subcommand_from"
			for _, c := range n.children {
				alone += " " + c.last()
			}
		}
		for _, c := range n.children {
			fmt.Fprintf(w, "complete -c spyhop -n %s -a %s -d %s\n", fishText(alone), c.last(), fishText(c.help))
		}
		for _, v := range n.values {
			fmt.Fprintf(w, "complete -c spyhop -n %s -a %s\n", fishText(when), v)
		}
		if n.files {
			fmt.Fprintf(w, "complete -c spyhop -n %s -F\n", fishText(when))
		}
		for _, f := range n.flags {
			if n.path == "" {
				fmt.Fprintln(w, fishFlag("", f))
			} else {
				fmt.Fprintln(w, fishFlag(when, f))
			}
		}
		for _, f := range n.usual {
			fmt.Fprintln(w, fishFlag(alone, f))
		}
	}
}

// fishFlag is the line of a flag; when is the condition under which it is offered, empty
// for always.
func fishFlag(when string, f *kong.Flag) string {
	line := "complete -c spyhop"
	if when != "" {
		line += " -n " + fishText(when)
	}
	if f.Short != 0 {
		line += fmt.Sprintf(" -s %c", f.Short)
	}
	line += " -l " + f.Name
	switch {
	case f.IsBool():
	case choices(f) != nil:
		line += " -x -a " + fishText(strings.Join(choices(f), " "))
	case takesFile(f):
		line += " -r -F"
	default:
		line += " -x"
	}
	return line + " -d " + fishText(strings.TrimSuffix(f.Help, "."))
}

func fishText(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(s) + "'"
}
