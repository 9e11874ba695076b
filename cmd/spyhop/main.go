// Command spyhop gives language-model agents and people access to the web: it
// searches, reads pages as clean Markdown and drives a browser. Private and
// internal addresses are blocked.
//
//	spyhop example.com                    # the content on stdout, facts on stderr
//	spyhop fetch --json example.com       # content and facts as one JSON object
//	spyhop links example.com              # the links within the site
//	spyhop search how whales sleep        # titles, URLs and snippets
//	spyhop ask "why do whales spyhop?"    # a model searches, fetches and answers
//	spyhop extract --url URL page.html    # read a file, without network access
//	spyhop policy check http://10.0.0.1/  # is this URL allowed, and why
//	spyhop login example.com              # log in in a browser window; then fetch --login
//	spyhop tools --prompt                 # the tools, for a system prompt
//	spyhop plan run plan.json             # several calls that use each other's results
//	spyhop demo                           # everything on a local site, without internet
//
// "spyhop COMMAND --help" prints the usage, examples and flags of a command;
// "spyhop man" prints all of them as a man page.
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
	"fmt"
	"io"
	"os"
	"os/signal"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
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
	Config string      `group:"everywhere" help:"Settings file (TOML)." placeholder:"FILE" type:"path"`
	JSON   bool        `group:"everywhere" name:"json" help:"Print JSON on stdout, errors included."`
	Quiet  bool        `group:"everywhere" short:"q" help:"Do not print facts and progress on stderr."`
	Plain  bool        `group:"everywhere" help:"On a terminal, print Markdown as it is, without a pager."`
	About  versionFlag `group:"everywhere" name:"version" help:"Print the version."`
	// Plugins are the flags of the settings, and the commands.
	kong.Plugins
}

// commands are the commands, in the order in which help lists them. Hidden ones are other
// ways to call a command that is listed: they work, and are not listed.
type commands struct {
	Fetch   fetchCmd   `cmd:"" group:"read" help:"Fetch pages as Markdown; spyhop URL does the same."`
	Extract extractCmd `cmd:"" group:"read" help:"Convert files (HTML, PDF, office, mail, …) to Markdown, without network access."`
	Search  searchCmd  `cmd:"" group:"read" help:"Search the web."`
	Ask     askCmd     `cmd:"" group:"read" help:"Answer a question with a language model and the tools."`
	Data    dataCmd    `cmd:"" group:"read" help:"Print the same data of many pages, by a JSON Schema."`
	Schema  schemaCmd  `cmd:"" group:"read" help:"Write schemas for data."`
	Browse  browseCmd  `cmd:"" group:"read" hidden:"" help:"Fetch a page with the web_browse tool."`
	Recall  recallCmd  `cmd:"" group:"read" help:"Search the pages that were fetched before, and quote them."`

	Map     mapCmd     `cmd:"" group:"sites" help:"List the pages of a site."`
	Crawl   crawlCmd   `cmd:"" group:"sites" help:"Fetch the pages of a site."`
	Batch   batchCmd   `cmd:"" group:"sites" help:"Fetch every URL listed in a file."`
	Monitor monitorCmd `cmd:"" group:"sites" help:"Watch sites and report what changes."`

	Browser    browserCmd    `cmd:"" group:"browser" help:"Use a browser that stays open: open, snapshot, click, type, screenshot, …"`
	Login      loginCmd      `cmd:"" group:"browser" help:"Log in to a site in a browser window, for fetch --login."`
	Snapshot   snapshotCmd   `cmd:"" group:"browser" hidden:"" help:"Print a page as the browser tools see it."`
	Screenshot screenshotCmd `cmd:"" group:"browser" hidden:"" help:"Take a screenshot of a page."`
	PDF        pdfCmd        `cmd:"" group:"browser" hidden:"" name:"pdf" help:"Save a page as PDF."`

	MCP   mcpCmd   `cmd:"" group:"agents" name:"mcp" help:"Serve the tools over MCP on stdin and stdout."`
	Init  initCmd  `cmd:"" group:"agents" help:"Add spyhop to the MCP clients of this user."`
	Tools toolsCmd `cmd:"" group:"agents" help:"Print the tools, for example for a system prompt."`
	Call  callCmd  `cmd:"" group:"agents" help:"Call a tool with JSON arguments, as a model does."`
	Plan  planCmd  `cmd:"" group:"agents" help:"Check or run a plan of tool calls."`

	Serve serveCmd `cmd:"" group:"serve" help:"Serve the tools over HTTP: REST, MCP, Firecrawl's API, and a page for people."`
	Demo  demoCmd  `cmd:"" group:"serve" help:"Try everything on a local demo site, without internet."`

	Settings   settingsCmd   `cmd:"" group:"settings" name:"config" help:"Print the settings, or write a settings file."`
	Policy     policyCmd     `cmd:"" group:"settings" help:"Check URLs against the egress policy."`
	Doctor     doctorCmd     `cmd:"" group:"settings" help:"Check this machine and the settings."`
	Completion completionCmd `cmd:"" group:"settings" help:"Print a completion script for a shell."`
	Help       helpCmd       `cmd:"" group:"settings" help:"Show the help of a command, or: help exit-codes."`
	Man        manCmd        `cmd:"" group:"settings" help:"Print the man page."`
	Version    versionCmd    `cmd:"" group:"settings" help:"Print the version."`
}

// groups are the headings of the commands and of the flags in help.
var groups = []kong.Group{
	{Key: "read", Title: "Fetch pages and search:"},
	{Key: "sites", Title: "Work on sites:"},
	{Key: "browser", Title: "Use a browser:"},
	{Key: "agents", Title: "Connect agents:"},
	{Key: "serve", Title: "Serve and try:"},
	{Key: "settings", Title: "Settings and help:"},
	{Key: "everywhere", Title: "Flags of every command:"},
}

const about = "Web access for language-model agents: fetch, search, crawl and browse. Private and internal addresses are blocked."

// firstHelp comes below about in the help of spyhop itself.
const firstHelp = `Examples:

    spyhop example.com
    spyhop fetch --query "opening hours" example.com
    spyhop search how whales sleep
    spyhop doctor
    spyhop demo
`

// session holds what the commands share.
type session struct {
	ctx    context.Context
	env    func(string) (string, bool) // of the settings; nil: there are none
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
	// given are flags of several commands that the configuration needs. Frontier can hold a
	// password, and secrets have no flag of settings.
	given struct{ Record, Replay, Frontier string }
	// rounds has onRound print rounds of monitors, one at a time.
	rounds  atomic.Bool
	roundMu sync.Mutex
	// recording writes record; nil: none does.
	recording *spyhop.Client
}

// exit carries an exit status out of kong, which would otherwise end the
// process itself.
type exit int

// run is the whole command; it returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer, helper spyhop.BrowserHelper) int {
	return runIn(os.LookupEnv, args, stdin, stdout, stderr, helper)
}

// runIn is run with other variables of the environment for the settings.
func runIn(env func(string) (string, bool), args []string, stdin io.Reader, stdout, stderr io.Writer, helper spyhop.BrowserHelper) (status int) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	context.AfterFunc(ctx, stop) // a second Ctrl-C kills the process
	s := &session{ctx: ctx, env: env, stdin: stdin, stdout: bufio.NewWriter(stdout), pipe: stdout, stderr: stderr,
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
	args = pageArguments(helpArguments(args))
	if len(args) > 1 && args[0] == "__complete" {
		if err := s.complete(args[1], args[2:]); err != nil {
			return tool.ExitOther
		}
		return 0
	}
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
		return s.fail(misused(err))
	}
	s.command, s.screen.quiet, s.screen.out = command.Selected(), s.cli.Quiet, s.stdout
	s.screen.words = func(message string) string { return flagWords(s.command, message) }
	if err := outOfBounds(command); err != nil {
		return s.fail(err)
	}
	s.applyFlags()
	if err := cmp.Or(s.runCommand(), s.endRecording()); err != nil {
		return s.fail(err)
	}
	return 0
}

// endRecording closes the archive of the call, if there is one.
func (s *session) endRecording() error {
	if s.recording == nil {
		return nil
	}
	if missing := s.recording.Close(); missing != nil {
		return tool.NewError(tool.Internal, missing.Error(), "make room on the disk and run the command again: what the archive has is whole")
	}
	return nil
}

// applyFlags takes the flags of the command, and of those above it.
func (s *session) applyFlags() {
	for n := s.command; n != nil; n = n.Parent {
		for name, to := range map[string]*string{"Record": &s.given.Record, "Replay": &s.given.Replay, "Frontier": &s.given.Frontier} {
			if f := n.Target.FieldByName(name); f.IsValid() {
				*to = f.String()
			}
		}
	}
}

// runCommand runs the command that was parsed: with a client, if it has one as an argument.
func (s *session) runCommand() error {
	switch c := s.command.Target.Addr().Interface().(type) {
	case interface{ run(*session) error }:
		return c.run(s)
	case interface {
		run(*session, *spyhop.Client) error
	}:
		client, err := s.client()
		if err != nil {
			return err
		}
		defer client.Close()
		return c.run(s, client)
	}
	return fmt.Errorf("the command %s has no run", s.command.Path())
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
		kong.ExplicitGroups(groups),
		kong.Help(s.printHelp),
		kong.TypeMapper(reflect.TypeFor[time.Duration](), kong.MapperFunc(durationOf)),
	)
	if err == nil {
		describe(k.Model.Node)
		k.Model.Detail, k.Model.HelpFlag.Help, k.Model.HelpFlag.Group = firstHelp, "Print this help.", &groups[len(groups)-1]
	}
	return k, err
}

// isCommand reports whether a word is the name of a command.
func isCommand(word string) bool {
	for f := range reflect.TypeFor[commands]().Fields() {
		if commandName(f) == word {
			return true
		}
	}
	return false
}

// commandNames are the commands that help lists.
func commandNames() (names []string) {
	for f := range reflect.TypeFor[commands]().Fields() {
		if _, hidden := f.Tag.Lookup("hidden"); !hidden {
			names = append(names, commandName(f))
		}
	}
	return names
}

func commandName(f reflect.StructField) string {
	return cmp.Or(f.Tag.Get("name"), strings.ToLower(f.Name))
}

// newCommands declares the command that the first argument names, and only this
// one: to declare all of them takes kong two milliseconds. It declares all of them
// if the first argument is not a command, or is one that prints all commands.
func newCommands(args []string) any {
	v := reflect.ValueOf(new(commands))
	if len(args) > 0 && args[0] != "man" {
		for f := range v.Type().Elem().Fields() {
			if commandName(f) == args[0] {
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
