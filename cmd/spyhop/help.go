package main

import (
	"reflect"
	"slices"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type helpCmd struct {
	Command []string `arg:"" optional:"" help:"The command, for example: fetch."`
}

func (helpCmd) Help() string {
	return `Shows the flags, examples and exit statuses of a command, as --help does.

Examples:

    spyhop help
    spyhop help fetch
    spyhop help plan run
` + exitHelp
}

// Run is not called: helpArguments has replaced the command.
func (helpCmd) Run(*session) error { return nil }

// helpArguments makes "COMMAND --help" of "help COMMAND", so that only one command is
// declared.
func helpArguments(args []string) []string {
	if len(args) == 0 || args[0] != "help" || slices.Contains(args, "--help") || slices.Contains(args, "-h") {
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
