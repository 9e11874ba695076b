package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// A mistake in a command line: what is missing or unknown in the words of a person, and
// the help that says how.

// usage is an error of a command about its own arguments.
func (s *session) usage(message string) error {
	return tool.NewError(tool.InvalidInput, message, helpHint(s.command))
}

// misused converts an error of the parser to a *tool.Error.
func misused(err error) error {
	var pe *kong.ParseError
	if !errors.As(err, &pe) {
		return tool.NewError(tool.InvalidInput, err.Error(), helpHint(nil))
	}
	n := pe.Context.Selected()
	message, hint := err.Error(), helpHint(n)
	if missing, ok := strings.CutPrefix(message, "expected "); ok {
		message = missingIn(n, missing)
	}
	if rest, ok := strings.CutPrefix(message, "unexpected argument "); ok && (n == nil || len(n.Children) > 0) {
		message = "there is no command " + rest
		if n != nil {
			message = "spyhop " + n.Path() + " has no command " + rest
		}
	}
	return tool.NewError(tool.InvalidInput, message, hint)
}

// outOfBounds refuses a number that is outside of the bounds of its flag, which are the tags
// min and max.
func outOfBounds(c *kong.Context) error {
	for _, f := range c.Flags() {
		n, ok := f.Target.Interface().(int)
		if !ok || !f.Tag.Has("min") {
			continue
		}
		least, _ := strconv.Atoi(f.Tag.Get("min"))
		most, form := math.MaxInt, "use a number from "+f.Tag.Get("min")+" up"
		if f.Tag.Has("max") {
			most, _ = strconv.Atoi(f.Tag.Get("max"))
			form = "use a number from " + f.Tag.Get("min") + " to " + f.Tag.Get("max")
		}
		if n < least || n > most {
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("--%s %d is not allowed", f.Name, n), form)
		}
	}
	return nil
}

// missingIn says what a command line lacks; missing is what kong says of it.
func missingIn(n *kong.Node, missing string) string {
	if n == nil {
		return "a command is missing"
	}
	var commands []string
	for _, c := range n.Children {
		if !c.Hidden {
			commands = append(commands, c.Name)
		}
	}
	if len(commands) > 0 {
		return "spyhop " + n.Path() + " needs a command: " + strings.Join(commands, ", ")
	}
	return "spyhop " + n.Path() + " needs " + strings.ReplaceAll(strings.TrimPrefix(missing, "one of "), `"`, "")
}

// pageArguments makes "fetch URL" of a command line that begins with a URL, and "extract FILE"
// of one that begins with a file. "links" is another name of "fetch --mode links".
func pageArguments(args []string) []string {
	for i := 0; i < len(args); i++ {
		a := args[i]
		if strings.HasPrefix(a, "-") && a != "-" {
			if a == "--config" || strings.HasPrefix(a, "--web-") && !strings.Contains(a, "=") {
				i++ // its value
			}
			continue
		}
		if a == "links" {
			return slices.Concat(args[:i], []string{"fetch", "--mode", "links"}, args[i+1:])
		}
		if isCommand(a) {
			return args
		}
		command := ""
		if _, ok := fileOf(a); ok {
			command = "extract"
		} else if u, err := weburl.ParseLenient(a); err == nil &&
			(strings.Contains(a, "://") || strings.Contains(u.Host(), ".") || u.Host() == "localhost") {
			command = "fetch"
		}
		if command == "" {
			return args
		}
		return slices.Concat([]string{command}, args)
	}
	return args
}

// helpHint is the hint that leads to the help of a command; nil is that of all.
func helpHint(n *kong.Node) string {
	if n == nil {
		return "spyhop --help shows the commands"
	}
	if n.Parent != nil && n.Parent.DefaultCmd == n {
		n = n.Parent
	}
	return "spyhop " + n.Path() + " --help shows how"
}

// leastHelp is the least width that kong can write its two columns in.
const leastHelp = 60

// printHelp writes help that fits into the terminal.
func (s *session) printHelp(o kong.HelpOptions, c *kong.Context) error {
	if n := c.Selected(); n != nil {
		if run := n.DefaultCmd; run != nil { // "spyhop crawl URL" takes its arguments
			n.Positional, n.Flags, run.Hidden = run.Positional, append(run.Flags, n.Flags...), true
		}
		n.Detail = examplesFirst(n.Detail)
	}
	if s.screen.columns == 0 {
		return kong.DefaultHelpPrinter(o, c)
	}
	o.WrapUpperBound = max(s.screen.columns, leastHelp)
	var whole bytes.Buffer
	stdout := c.Stdout
	c.Stdout = &whole
	err := kong.DefaultHelpPrinter(o, c)
	c.Stdout = stdout
	for _, line := range helpLines(whole.String(), s.screen.columns < leastHelp) {
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if indent != "" {
			indent += "  "
		}
		if _, werr := io.WriteString(stdout, terminal.Wrap(line, s.screen.columns, indent)+"\n"); werr != nil {
			return werr
		}
	}
	return err
}

// examplesFirst moves the examples of a help text before the rest.
func examplesFirst(detail string) string {
	before, rest, ok := strings.Cut("\n"+detail, "\nExamples:\n\n")
	if !ok {
		return detail
	}
	examples, after, _ := strings.Cut(rest, "\n\n")
	if before = strings.TrimSpace(before); before != "" {
		before = "\n\n" + before
	}
	return "Examples:\n\n" + strings.TrimRight(examples, "\n") + before + "\n\n" + after
}

// helpLines returns the lines of a help text. With joined, lines that kong has broken are
// one again: those of a paragraph, and those of the second column.
func helpLines(help string, joined bool) []string {
	const secondColumn = 10 // spaces at least
	var out []string
	for _, line := range strings.Split(strings.TrimSuffix(help, "\n"), "\n") {
		text := strings.TrimLeft(line, " ")
		indent := len(line) - len(text)
		last := len(out) - 1
		if joined && text != "" && last >= 0 && out[last] != "" &&
			(indent >= secondColumn || indent == 0 && !strings.HasPrefix(out[last], " ")) {
			out[last] += " " + text
			continue
		}
		out = append(out, line)
	}
	return out
}
