// Command spyhop gives language-model agents and people access to the web: it
// searches, reads pages as clean Markdown and drives a browser. Private and
// internal addresses are blocked.
//
//	spyhop fetch example.com              # the content on stdout, facts on stderr
//	spyhop fetch --json example.com       # content and facts as one JSON object
//	spyhop links example.com              # the links within the site
//	spyhop search how whales sleep        # titles, addresses and snippets
//	spyhop ask "why do whales spyhop?"    # a model searches, reads and answers
//	spyhop extract --url URL page.html    # read a file, without network access
//	spyhop policy check http://10.0.0.1/  # is this address allowed, and why
//	spyhop login example.com              # sign in in a browser window; then fetch --login
//	spyhop tools --prompt                 # the tools, for a system prompt
//	spyhop plan run plan.json             # several calls that use each other's results
//	spyhop demo                           # everything on a local site, without internet
//
// "spyhop COMMAND --help" prints the flags, examples and exit statuses of a
// command; "spyhop man" prints all of them as a man page.
//
// # Limits
//
// The command contains no logic: it reads flags, calls package spyhop,
// and prints. The commands extract and policy check use the same packages as a
// fetch.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/browser"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/tool"
)

func main() {
	spyhop.RunWorker()                  // does not return in a process that reads documents
	helper := spyhop.NewBrowserHelper() // does not return in the process that becomes the browser
	if exit, done := browser.AsInit(); done {
		os.Exit(exit)
	}
	keepDescriptors() // after the helper, whose browser needs some
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, helper))
}

// grammar declares the command line. kong parses it; help, completion and the
// man page are generated from it.
type grammar struct {
	Config string      `help:"Settings file (TOML)." placeholder:"FILE" type:"path"`
	JSON   bool        `name:"json" help:"Print JSON on stdout, errors included."`
	Quiet  bool        `short:"q" help:"Do not print facts and progress on stderr."`
	Plain  bool        `help:"On a terminal, print Markdown as it is, without a pager."`
	About  versionFlag `name:"version" help:"Print the version."`
	// Plugins are the flags of the settings, and the commands.
	kong.Plugins
}

// commands are the commands, in the order in which help lists them.
type commands struct {
	Fetch      fetchCmd      `cmd:"" help:"Read pages as Markdown."`
	Browse     browseCmd     `cmd:"" help:"Read a page with the web_browse tool."`
	Links      linksCmd      `cmd:"" help:"List the links of a page to its own site."`
	Map        mapCmd        `cmd:"" help:"List the pages of a site."`
	Crawl      crawlCmd      `cmd:"" help:"Read the pages of a site."`
	Batch      batchCmd      `cmd:"" help:"Read the pages whose addresses stand in a file."`
	Monitor    monitorCmd    `cmd:"" help:"Read sites again and again, and say what changes."`
	Recall     recallCmd     `cmd:"" help:"Search the pages that were read before, and quote them."`
	Search     searchCmd     `cmd:"" help:"Search the web."`
	Snapshot   snapshotCmd   `cmd:"" help:"Print a page as the browser tools see it."`
	Screenshot screenshotCmd `cmd:"" help:"Take a picture of a page."`
	PDF        pdfCmd        `cmd:"" name:"pdf" help:"Save a page as PDF."`
	Browser    browserCmd    `cmd:"" help:"Use a browser that stays open between commands."`
	Ask        askCmd        `cmd:"" help:"Answer a question with a language model and the tools."`
	Data       dataCmd       `cmd:"" help:"Print the same data of many pages, by a JSON Schema."`
	Schema     schemaCmd     `cmd:"" help:"Make schemas for data."`
	Extract    extractCmd    `cmd:"" help:"Read files instead of addresses, without network access."`
	Policy     policyCmd     `cmd:"" help:"Check addresses against the egress policy."`
	Login      loginCmd      `cmd:"" help:"Sign in to a site in a browser window, for fetch --login."`
	Tools      toolsCmd      `cmd:"" help:"Print the catalog of tools."`
	Call       callCmd       `cmd:"" help:"Call a tool with JSON arguments, as a model does."`
	Plan       planCmd       `cmd:"" help:"Check or run a plan of tool calls."`
	MCP        mcpCmd        `cmd:"" name:"mcp" help:"Serve the tools over MCP on stdin and stdout."`
	Init       initCmd       `cmd:"" help:"Add spyhop to the MCP clients of this user."`
	Serve      serveCmd      `cmd:"" help:"Serve the tools over HTTP: MCP and REST."`
	Settings   settingsCmd   `cmd:"" name:"config" help:"Print every setting and where it came from."`
	Doctor     doctorCmd     `cmd:"" help:"Check this machine and the settings."`
	Demo       demoCmd       `cmd:"" help:"Show everything on a local demo site, without internet."`
	Completion completionCmd `cmd:"" help:"Print a completion script for a shell."`
	Help       helpCmd       `cmd:"" help:"Show the help of a command."`
	Man        manCmd        `cmd:"" help:"Print the man page."`
	Version    versionCmd    `cmd:"" help:"Print the version."`
}

const about = "Web access for language-model agents: search, read and browse. Private and internal addresses are blocked."

// firstHelp stands below about in the help of spyhop itself.
const firstHelp = `Examples:

    spyhop fetch example.com
    spyhop search how whales sleep
    spyhop doctor
    spyhop demo
`

// session holds what the commands share.
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
	// command is the one that runs.
	command *kong.Node
	// frontier is --frontier of spyhop crawl. It can hold a password, and secrets have no
	// flag of settings.
	frontier string
	// record and replay are the files of archiveFlags.
	record, replay string
}

// exit carries an exit status out of kong, which would otherwise end the
// process itself.
type exit int

// run is the whole command; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, helper spyhop.BrowserHelper) (status int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills the process
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
		// A closed pipe is not reported: usually SIGPIPE has already ended the
		// process.
		if err := s.stdout.Flush(); err != nil && !errors.Is(err, syscall.EPIPE) {
			s.screen.error(tool.NewError(tool.Internal, "cannot write to stdout: "+cause(err), ""))
			status = max(status, tool.ExitOther)
		}
	}()
	args = helpArguments(args)
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
		return s.fail(misused(err, args))
	}
	s.command = command.Selected()
	s.screen.words = func(message string) string { return flagWords(s.command, message) }
	if err := outOfBounds(command); err != nil {
		return s.fail(err)
	}
	if err := command.Run(s); err != nil {
		return s.fail(err)
	}
	return 0
}

// untilTerminated has SIGTERM end the context of the commands that have something to
// store then, as Ctrl-C does. A second signal kills the process. The returned function
// ends that; a context that a signal has ended stays.
func (s *session) untilTerminated() func() {
	before := s.ctx
	ctx, stop := signal.NotifyContext(before, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	s.ctx = ctx
	return func() {
		if ctx.Err() == nil {
			s.ctx = before
		}
		stop()
	}
}

// newParser builds the command line. The settings of the table become hidden
// flags; "spyhop man" and "spyhop config" show them.
func newParser(s *session, args []string) (*kong.Kong, error) {
	s.flags = newSettingFlags(args)
	s.cli.Plugins = kong.Plugins{s.flags.target.Interface(), newCommands(args)}
	k, err := kong.New(s.cli,
		kong.Name("spyhop"),
		kong.Description(about),
		kong.Writers(s.stdout, s.stderr),
		kong.Exit(func(code int) { panic(exit(code)) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, NoExpandSubcommands: true}),
		kong.Help(s.printHelp),
		kong.Vars{"url_help": urlHelp()},
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(durationOf)),
		kong.Bind(s),
	)
	if err == nil {
		k.Model.Detail, k.Model.HelpFlag.Help = firstHelp, "Print this help."
	}
	return k, err
}

// newCommands declares the command that the first argument names, and only this
// one: to declare all of them takes kong two milliseconds. It declares all of them
// if the first argument is not a command, or is one that prints all commands.
func newCommands(args []string) any {
	v := reflect.ValueOf(new(commands))
	if len(args) > 0 && args[0] != "completion" && args[0] != "man" {
		for f := range v.Type().Elem().Fields() {
			if cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name)) == args[0] {
				v = reflect.New(reflect.StructOf([]reflect.StructField{f}))
				break
			}
		}
	}
	for i := range v.Elem().NumField() {
		if c, ok := v.Elem().Field(i).Addr().Interface().(interface{ declare() }); ok {
			c.declare()
		}
	}
	return v.Interface()
}

// fail prints an error, on stdout with --json and else on stderr, and returns its
// exit status.
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

// asError converts any error to a *tool.Error.
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
	// Other errors are about files that cannot be read or written; their text
	// names the file and the cause.
	return &tool.Error{Type: tool.Internal, Message: err.Error(), Cause: err}
}

// failed is an exit status whose cause was already printed.
type failed int

func (f failed) Error() string { return "failed" }
