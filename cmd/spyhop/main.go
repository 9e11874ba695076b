// Command spyhop gives a language-model agent, or a person, the web: it reads
// pages as clean Markdown, and reaches nothing that it should not.
//
//	spyhop fetch example.com              # the page on stdout, the facts on stderr
//	spyhop fetch --json example.com       # all of it as one JSON object
//	spyhop links example.com              # the links within the site
//	spyhop search how whales sleep        # titles, addresses and snippets
//	spyhop ask "why do whales spyhop?"    # a model answers, with what it read
//	spyhop extract --url URL page.html    # the same reading without a network
//	spyhop policy check http://10.0.0.1/  # what the policy says, and why
//	spyhop login example.com              # sign in once, in a window; then fetch --login
//	spyhop tools --prompt                 # the catalog for a model
//	spyhop plan run plan.json             # several calls, one taking what another gave
//	spyhop demo                           # all of it, with no internet
//
// "spyhop COMMAND --help" has the flags and the exit statuses of each command,
// "spyhop man" all of it as a man page.
//
// # Limits
//
// The command has no logic of its own: it reads flags, calls package spyhop,
// and prints. What extract and policy check print comes from the same
// packages that a fetch runs through.
package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"slices"
	"syscall"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/tool"
)

func main() {
	helper := spyhop.NewBrowserHelper() // does not return where the browser begins
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, helper))
}

// grammar is the command line: what kong reads, and what help, completion and
// the man page are made from.
type grammar struct {
	Config string           `help:"Settings file (TOML)." placeholder:"FILE" type:"path"`
	JSON   bool             `name:"json" help:"Print JSON on stdout, errors included."`
	Quiet  bool             `short:"q" help:"Print no facts and no progress on stderr."`
	About  kong.VersionFlag `name:"version" help:"Print the version."`
	kong.Plugins

	Fetch      fetchCmd      `cmd:"" help:"Read pages as Markdown."`
	Browse     browseCmd     `cmd:"" help:"Read a page as the web_browse tool does."`
	Links      linksCmd      `cmd:"" help:"List the links of a page within its site."`
	Search     searchCmd     `cmd:"" help:"Search the web."`
	Snapshot   snapshotCmd   `cmd:"" help:"Print a page as the browser's tools see it."`
	Screenshot screenshotCmd `cmd:"" help:"Take a picture of a page."`
	PDF        pdfCmd        `cmd:"" name:"pdf" help:"Save a page as PDF."`
	Ask        askCmd        `cmd:"" help:"Have a language model answer a question with the tools."`
	Extract    extractCmd    `cmd:"" help:"Read files instead of addresses, without a network."`
	Policy     policyCmd     `cmd:"" help:"Ask the policy about addresses."`
	Login      loginCmd      `cmd:"" help:"Sign in to a site in a browser, to read it with fetch --login."`
	Tools      toolsCmd      `cmd:"" help:"Print the catalog of tools."`
	Call       callCmd       `cmd:"" help:"Call a tool with JSON, as a model does."`
	Plan       planCmd       `cmd:"" help:"Check or run a plan of tool calls."`
	MCP        mcpCmd        `cmd:"" name:"mcp" help:"Serve the tools over MCP on stdin and stdout."`
	Serve      serveCmd      `cmd:"" help:"Serve the tools over HTTP: MCP and a plain interface."`
	Settings   settingsCmd   `cmd:"" name:"config" help:"Print every setting and where it came from."`
	Doctor     doctorCmd     `cmd:"" help:"Check this machine and the settings."`
	Demo       demoCmd       `cmd:"" help:"Show it all on a site of its own, with no internet."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
	Man        manCmd        `cmd:"" help:"Print the man page."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
}

const about = "Give a language-model agent the web, without letting it reach where it should not."

// session is what a command works with.
type session struct {
	ctx    context.Context
	stdin  io.Reader
	stdout *bufio.Writer
	// pipe is stdout without the buffer.
	pipe   io.Writer
	stderr io.Writer
	screen screen
	cli    *grammar
	flags  settingFlags
	helper spyhop.BrowserHelper
}

// exit carries a status out of kong, which wants to leave the process itself.
type exit int

// run is the whole command; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, helper spyhop.BrowserHelper) (status int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C ends what does not end
	s := &session{ctx: ctx, stdin: stdin, stdout: bufio.NewWriter(stdout), pipe: stdout, stderr: stderr,
		screen: newScreen(stdout, stderr, os.LookupEnv), cli: new(grammar), helper: helper}
	defer func() {
		switch e := recover().(type) {
		case nil:
		case exit:
			status = int(e)
		default:
			panic(e)
		}
		// A pipe that nobody reads any longer needs no words: mostly the signal
		// has already ended the process.
		if err := s.stdout.Flush(); err != nil && !errors.Is(err, syscall.EPIPE) {
			s.screen.error(tool.NewError(tool.Internal, "cannot write to stdout: "+cause(err), ""))
			status = max(status, tool.ExitOther)
		}
	}()
	parser, err := newParser(s, args)
	if err != nil {
		return s.fail(err)
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	command, err := parser.Parse(args)
	if err != nil {
		// Kong sets no flags when it fails.
		s.cli.JSON = slices.Contains(args, "--json")
		return s.fail(usage(err))
	}
	if err := command.Run(s); err != nil {
		return s.fail(err)
	}
	return 0
}

// newParser builds the command line. The settings of the table become hidden
// flags; "spyhop man" and "spyhop config" show them.
func newParser(s *session, args []string) (*kong.Kong, error) {
	s.flags = newSettingFlags(args)
	s.cli.Plugins = kong.Plugins{s.flags.target.Interface()}
	return kong.New(s.cli,
		kong.Name("spyhop"),
		kong.Description(about),
		kong.Writers(s.stdout, s.stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoExpandSubcommands: true}),
		kong.Vars{"version": versionLine()},
		kong.Bind(s),
	)
}

// usage turns an error of the parser into one of ours.
func usage(err error) error {
	hint := "spyhop --help shows the commands"
	var pe *kong.ParseError
	if errors.As(err, &pe) {
		if n := pe.Context.Selected(); n != nil {
			hint = "spyhop " + n.Path() + " --help shows how"
		}
	}
	return tool.NewError(tool.InvalidInput, err.Error(), hint)
}

// fail prints an error where it belongs and returns its exit status.
func (s *session) fail(err error) int {
	var done failed
	if errors.As(err, &done) {
		return int(done)
	}
	e := s.asError(err)
	s.screen.clear()
	if s.cli.JSON {
		s.print(e)
	} else {
		s.screen.error(e)
	}
	return e.ExitCode()
}

// asError knows the errors that are not the library's.
func (s *session) asError(err error) *tool.Error {
	var te *tool.Error
	var ce *config.Error
	switch {
	case errors.As(err, &te):
		if te.Type == tool.Cancelled || s.ctx.Err() == nil {
			return te
		}
		return tool.AsError(context.Canceled)
	case errors.As(err, &ce):
		return tool.NewError(tool.InvalidInput, ce.Error(), "")
	case s.ctx.Err() != nil:
		return tool.AsError(context.Canceled)
	}
	// What is left are files that cannot be read or written: their errors say
	// what and where.
	return &tool.Error{Type: tool.Internal, Message: err.Error(), Cause: err}
}

// failed is an exit status whose cause was already printed.
type failed int

func (f failed) Error() string { return "failed" }
