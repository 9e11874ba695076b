package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command, for example: fetch."`
}

// helpTexts has what the help of a command says below its first line: "== spyhop COMMAND"
// begins the text of a command.
//
//go:embed help.txt
var helpTexts string

// exitHelp ends the help of each command.
const exitHelp = "\nExit codes: spyhop help exit-codes"

// describe gives the commands their texts, and the flags their defaults.
func describe(root *kong.Node) {
	texts := map[string]string{}
	for part := range strings.SplitSeq("\n"+helpTexts, "\n== spyhop ") {
		path, body, _ := strings.Cut(part, "\n")
		texts[path] = strings.TrimRight(body, "\n") + "\n"
	}
	var walk func(*kong.Node)
	walk = func(n *kong.Node) {
		if body, ok := texts[n.Path()]; ok {
			if n.Path() == "config" {
				body = strings.Replace(body, "SETTINGS\n", config.Help(80), 1)
			}
			n.Detail = body + exitHelp
		}
		for _, f := range n.Flags { // a placeholder hides the default
			if f.PlaceHolder != "" && f.Default != "" && f.Default != "0" && !strings.Contains(f.Help, "efault") {
				f.Help += " Default: " + f.Default + "."
			}
		}
		for _, c := range n.Children {
			walk(c)
		}
		if n.DefaultCmd != nil && n.Detail == "" {
			n.Detail = n.DefaultCmd.Detail
		}
	}
	walk(root)
}

// exitCodes are what the command returns to the shell, with the error types that lead to them.
var exitCodes = [][2]string{
	{"0", "done"}, {"1", "other failure"}, {"2", "usage, or a wrong setting"}, {"3", "blocked by the policy"}, {"4", "HTTP error of the site"},
	{"5", "network error or timeout"}, {"6", "nothing to read"}, {"7", "browser missing"}, {"130", "cancelled"},
}

// run is called for exit-codes only: helpArguments has replaced all others.
func (c helpCmd) run(s *session) error {
	for _, row := range exitCodes {
		fmt.Fprintf(s.stdout, "%4s  %s\n", row[0], row[1])
	}
	return nil
}

// helpArguments makes "COMMAND --help" of "help COMMAND", so that only one command is
// declared.
func helpArguments(args []string) []string {
	if len(args) == 0 || args[0] != "help" || slices.Contains(args, "--help") || slices.Contains(args, "-h") || slices.Equal(args, []string{"help", "exit-codes"}) {
		return args
	}
	return append(slices.Clone(args[1:]), "--help")
}

// durationOf reads a duration of a flag.
func durationOf(c *kong.DecodeContext, target reflect.Value) error {
	var value string
	if err := c.Scan.PopValueInto("duration", &value); err != nil {
		return err
	}
	d, ok := config.Duration(value)
	if !ok {
		return tool.NewError(tool.InvalidInput, text.Quoted(value)+" is not a duration: use seconds, or a number with a unit, for example 90s, 5m, 1h", "")
	}
	target.SetInt(int64(d))
	return nil
}

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
	for line := range strings.SplitSeq(strings.TrimSuffix(whole.String(), "\n"), "\n") {
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

// This file makes messages name what the user of the command can give. The parts name
// arguments and tools as a model calls them, mode=raw and browser_snapshot; the user gives
// the flag --mode raw, and runs spyhop browser snapshot.

// flagWords rewrites a message for the command n: arguments that it has as flags, and tools
// that are commands. What is in quotation marks is somebody else's and is kept as it is.
func flagWords(n *kong.Node, message string) string {
	if n == nil || slices.Contains([]string{"call", "plan", "mcp", "serve", "ask"}, strings.Fields(n.Path() + " ")[0]) {
		return message // the messages of these are about the arguments of tools
	}
	words := strings.Split(message, " ")
	quoted, listed := false, false
	for i, word := range words {
		inside := quoted
		if strings.Count(word, `"`)%2 == 1 {
			quoted = !quoted
		}
		if inside || quoted {
			continue
		}
		switch word {
		case "leave":
			listed = slices.Contains(words[i:], "out")
		case "out":
			listed = false
		}
		core := strings.Trim(word, `(),;:."`)
		if core == "" || strings.Contains(word, `"`) {
			continue
		}
		subject := i == 0 && len(words) > 2 && words[1] == "does" && words[2] == "not"
		if shown := flagWord(n, core, listed || subject); shown != core {
			words[i] = strings.Replace(word, core, shown, 1)
		}
	}
	return strings.Join(words, " ")
}

// flagWord is one word. A name that can be an ordinary word is taken for an argument only
// if argument is set.
func flagWord(n *kong.Node, word string, argument bool) string {
	name, value, hasValue := strings.Cut(word, "=")
	if !hasValue && !argument && !strings.Contains(name, "_") {
		return word
	}
	dashed := strings.ReplaceAll(name, "_", "-")
	for _, group := range n.AllFlags(true) {
		for _, f := range group {
			switch {
			case f.Name != dashed || f.Hidden:
			case hasValue && !(f.IsBool() && value == "true"):
				return "--" + dashed + " " + value
			default:
				return "--" + dashed
			}
		}
	}
	if hasValue {
		return word
	}
	if command, ok := toolCommands[name]; ok {
		return "spyhop " + command
	}
	if i := slices.IndexFunc(actions, func(a action) bool { return a.tool == name }); i >= 0 {
		return "spyhop browser " + actions[i].name
	}
	return word
}

// toolCommands are the commands that do what tools do, beside those of spyhop browser.
var toolCommands = map[string]string{
	"web_search": "search", "web_fetch": "fetch", "web_map": "map", "web_crawl": "crawl", "web_recall": "recall",
}
