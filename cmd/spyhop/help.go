package main

import (
	_ "embed"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/text"
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

// describe gives the commands their texts.
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
