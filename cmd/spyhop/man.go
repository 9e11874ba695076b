package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/config"
)

type manCmd struct{}

func (manCmd) run(s *session) error {
	man(s.stdout, s.command.Parent)
	return nil
}

// man prints the page for man(7).
func man(w io.Writer, root *kong.Node) {
	fmt.Fprintf(w, ".TH SPYHOP 1 \"\" \"spyhop %s\" \"User Commands\"\n", spyhop.Version)
	fmt.Fprint(w, ".SH NAME\nspyhop \\- web access for language\\-model agents\n")
	fmt.Fprint(w, ".SH SYNOPSIS\n.B spyhop\n.RI [ flags ] \" command \" [ arguments ]\n")
	fmt.Fprint(w, ".SH DESCRIPTION\n")
	paragraphs(w, about+`

It fetches pages as clean Markdown: the content goes to stdout, facts about it to stderr. The egress policy checks every URL before spyhop connects to it, redirects included.`)
	fmt.Fprint(w, ".SH FLAGS\nThese flags work with every command.\n")
	manFlags(w, root.Flags)
	fmt.Fprint(w, ".SH COMMANDS\n")
	manCommands(w, root, "")
	fmt.Fprint(w, ".SH EXIT STATUS\n")
	for _, row := range exitCodes {
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", row[0], roff(row[1]))
	}
	fmt.Fprint(w, ".SH ENVIRONMENT\n")
	paragraphs(w, "Each variable is also a key of the settings file, in lower case, and a flag, with dashes for underscores; secrets have no flag.")
	topic := ""
	for _, v := range config.Variables() {
		if v.Topic != topic {
			topic = v.Topic
			fmt.Fprintf(w, ".SS %s\n", roff(topic))
		}
		fmt.Fprintf(w, ".TP\n.B %s\n%s\n", roff(v.Name), roff(v.Sentence()))
	}
	fmt.Fprint(w, ".TP\n.B NO_COLOR\n"+roff("when set and not empty, output has no colours")+"\n")
	fmt.Fprint(w, ".SH FILES\n.TP\n.I $XDG_CONFIG_HOME/spyhop/config.toml\nthe settings file\n.TP\n.I $XDG_CACHE_HOME/spyhop\nthe data folder\n")
	fmt.Fprint(w, ".SH EXAMPLES\n.nf\nspyhop example.com\nspyhop fetch \\-\\-json example.com\nspyhop policy check http://10.0.0.1/\nspyhop demo\n.fi\n")
}

// manCommands prints a section for each command that can be run, in order.
func manCommands(w io.Writer, n *kong.Node, path string) {
	for _, c := range n.Children {
		if c.Type != kong.CommandNode || c.Hidden {
			continue
		}
		name := strings.TrimSpace(path + " " + c.Name)
		if !c.Leaf() {
			manCommands(w, c, name)
			continue
		}
		fmt.Fprintf(w, ".SS spyhop %s", roff(name))
		for _, p := range c.Positional {
			fmt.Fprint(w, " "+roff(p.Summary()))
		}
		fmt.Fprintln(w)
		paragraphs(w, c.Help)
		// Exit statuses have their own section.
		detail, _, _ := strings.Cut(c.Detail, strings.TrimSpace(exitHelp))
		if detail = strings.TrimSpace(detail); detail != "" {
			fmt.Fprintln(w, ".PP")
			paragraphs(w, detail)
		}
		for _, p := range c.Positional {
			fmt.Fprintf(w, ".TP\n.I %s\n%s\n", roff(p.Summary()), roff(p.Help))
		}
		manFlags(w, c.Flags)
	}
}

func manFlags(w io.Writer, flags []*kong.Flag) {
	for _, f := range flags {
		if f.Hidden {
			continue
		}
		name := "--" + f.Name
		if f.Short != 0 {
			name = fmt.Sprintf("-%c, %s", f.Short, name)
		}
		fmt.Fprint(w, ".TP\n.B "+roff(name))
		if !f.IsBool() {
			fmt.Fprint(w, "=\\fI"+roff(f.FormatPlaceHolder())+"\\fR")
		}
		fmt.Fprintf(w, "\n%s\n", roff(f.Help))
	}
}

// paragraphs prints text with blank lines between paragraphs; indented lines
// stay as they are.
func paragraphs(w io.Writer, text string) {
	for i, p := range strings.Split(strings.TrimSpace(text), "\n\n") {
		if i > 0 {
			fmt.Fprintln(w, ".PP")
		}
		if strings.HasPrefix(p, "    ") {
			fmt.Fprint(w, ".nf\n"+roff(p)+"\n.fi\n")
			continue
		}
		fmt.Fprintln(w, roff(p))
	}
}

// roff escapes what roff would read as markup.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	var b strings.Builder
	for _, r := range strings.Join(lines, "\n") {
		if r < 0x80 {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, `\[u%04X]`, r) // plain troff reads no UTF-8
		}
	}
	return b.String()
}
