package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/config"
	"github.com/spyhop-dev/spyhop/internal/private"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/wholefile"
	"github.com/spyhop-dev/spyhop/tool"
)

// settingFlags are the flags of the settings: a struct with a *string for each
// variable that has a flag, so that kong handles them like all other flags.
type settingFlags struct {
	target reflect.Value // pointer to the struct
	names  []string      // variable names by field
}

// newSettingFlags declares only the flags that the arguments may use: declaring
// all of them takes a millisecond, half of kong's start time.
func newSettingFlags(args []string) settingFlags {
	var f settingFlags
	var fields []reflect.StructField
	for _, v := range config.Variables() {
		if v.Flag() == "" || !slices.ContainsFunc(args, func(a string) bool { return concerns(a, v.Flag()) || v.Short != "" && concerns(a, v.Short) }) {
			continue
		}
		fields = append(fields, reflect.StructField{
			// The field must be exported; kong does not show its name.
			Name: "S" + v.Name,
			Type: reflect.TypeFor[*string](),
			Tag: reflect.StructTag(fmt.Sprintf(`name:%q aliases:%q help:%q placeholder:"VALUE" group:"Settings" hidden:""`,
				v.Flag(), v.Short, strings.ReplaceAll(v.Sentence(), "$", "$$"))),
		})
		f.names = append(f.names, v.Name)
	}
	f.target = reflect.New(reflect.StructOf(fields))
	return f
}

// concerns reports whether an argument may need a setting's flag: it is the flag
// or looks like a misspelling of it, or it is a command that prints all flags.
func concerns(arg, flag string) bool {
	family, _, _ := strings.Cut(flag, "-")
	return strings.HasPrefix(arg, "--"+family) || arg == "man"
}

// values returns the flags that were given, by variable.
func (f settingFlags) values() map[string]string {
	out := map[string]string{}
	for i, name := range f.names {
		if p, _ := f.target.Elem().Field(i).Interface().(*string); p != nil {
			out[name] = *p
		}
	}
	return out
}

// settings reads file, environment and flags.
func (s *session) settings() (*config.Settings, error) {
	return config.Load(config.Sources{File: s.cli.Config, Environment: s.env, Flags: s.flags.values()})
}

// configuration converts the settings to a spyhop.Config, for commands that read
// pages.
func (s *session) configuration() (spyhop.Config, error) {
	c, v, err := s.unlogged()
	if err == nil {
		c.AuditLog = s.auditLog(v)
	}
	return c, err
}

// unlogged is configuration without an audit log, for commands that read no
// pages: they create no file.
func (s *session) unlogged() (spyhop.Config, config.Values, error) {
	settings, err := s.settings()
	if err != nil {
		return spyhop.Config{}, config.Values{}, err
	}
	c := s.unloggedOf(settings)
	secrets, err := config.ReadSecrets(settings.Values.SecretsFile)
	for _, k := range secrets {
		c.SiteSecrets = append(c.SiteSecrets, spyhop.SiteSecret(k))
	}
	return c, settings.Values, err
}

func (s *session) unloggedOf(settings *config.Settings) spyhop.Config {
	c := settings.Values.Config
	c.AuditLog, c.Frontier, c.Secrets = "", cmp.Or(s.given.Frontier, c.Frontier), settings.Secrets()
	c.Record, c.Replay = s.given.Record, s.given.Replay
	c.Caller, c.EnvironmentHints, c.Resolver, c.BrowserHelper = "cli", true, resolver(), s.helper
	c.OnError, c.OnRound, c.OnProgress = s.printError, s.onRound, s.progress()
	return c
}

// auditLog returns the path of the audit log, or "" for none. If the default
// path is not writable, the command prints a note and runs without a log.
func (s *session) auditLog(v config.Values) string {
	path := v.AuditPath()
	if v.DataDir == "" {
		s.printError(errors.New("nothing is kept, because there is no home folder; set WEB_DATA_DIR to a folder of your own"))
	}
	if v.AuditLog != "" || path == "" {
		return path
	}
	if err := private.CheckDir(v.DataDir); err != nil && !errors.As(err, new(*fs.PathError)) {
		return "" // spyhop.New refuses the folder, and nothing is written there before
	}
	f, err := audit.OpenFile(path, audit.FileOptions{})
	if err != nil {
		s.printError(fmt.Errorf("no audit log is written, because %s is not writable: %s; set WEB_AUDIT_LOG to another file, or to off", path, cause(err)))
		return ""
	}
	_ = f.Close()
	return path
}

// client returns a client with the settings. The caller closes it.
func (s *session) client() (*spyhop.Client, error) {
	c, err := s.configuration()
	if err != nil {
		return nil, err
	}
	return s.clientOf(c)
}

// clientOf returns a client of a process that is all of this program, with limits of its
// memory. Where it records an archive, the command fails if something is missing there at
// its end. What net/http logs of the faults of remote servers, with bytes that they sent, is
// dropped: stderr is for people, and some programs show it to their users.
func (s *session) clientOf(c spyhop.Config) (*spyhop.Client, error) {
	log.SetOutput(io.Discard)
	c.ParseMemory = limitMemory(os.DirFS("/"))
	client, err := spyhop.New(c)
	if err != nil {
		return nil, err
	}
	if c.Record != "" {
		s.recording = client
	}
	return client, nil
}

// idle returns a client for commands that read no pages; it writes no audit log.
func (s *session) idle() (*spyhop.Client, error) {
	c, _, err := s.unlogged()
	if err != nil {
		return nil, err
	}
	return spyhop.New(c)
}

type settingsCmd struct {
	Show settingsShowCmd `cmd:"" default:"withargs" help:"Print every setting, its value and its source."`
	Init settingsInitCmd `cmd:"" help:"Write a settings file that explains every setting."`
}

type settingsShowCmd struct{}

type settingsInitCmd struct {
	Output string `short:"o" help:"The file to write; - prints it. Default: the file that spyhop reads." placeholder:"FILE"`
	Force  bool   `help:"Replace a file that exists."`
}

func (c settingsInitCmd) run(s *session) error {
	text := []byte(config.Template())
	if c.Output == "-" {
		_, err := s.stdout.Write(text)
		return err
	}
	file := cmp.Or(c.Output, s.cli.Config, config.DefaultFile(os.LookupEnv))
	if file == "" {
		return tool.NewError(tool.InvalidInput, "there is no home folder for the settings file", "name the file: spyhop config init -o FILE")
	}
	file, err := filepath.Abs(file)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	write := wholefile.Create
	if c.Force {
		write = wholefile.Replace
	}
	err = write(file, text)
	if errors.Is(err, fs.ErrExist) {
		return tool.NewError(tool.InvalidInput, file+" exists", "spyhop config init --force replaces it; spyhop config init -o - prints the settings")
	}
	if err == nil {
		fmt.Fprintln(s.stdout, printable(file))
	}
	return err
}

func (settingsShowCmd) run(s *session) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	if s.printed(settingsJSON(settings)) {
		return nil
	}
	width := 0
	for _, set := range settings.All {
		width = max(width, len(set.Name))
	}
	for _, set := range settings.All {
		from := string(set.Origin)
		if set.From != "" {
			from += " " + set.From
		}
		line := fmt.Sprintf("%-*s  %s  ", width, set.Name, quoteEmpty(printable(set.Shown()))) + s.screen.paintOut(faint, "# "+printable(from))
		fmt.Fprintln(s.stdout, terminal.Wrap(line, s.screen.columns, "    "))
	}
	return nil
}

func quoteEmpty(s string) string {
	if s == "" {
		return `""`
	}
	return s
}

type settingJSON struct {
	Name   string        `json:"name"`
	Value  string        `json:"value"`
	Origin config.Origin `json:"origin"`
	From   string        `json:"from,omitempty"`
	Form   string        `json:"form"`
	Doc    string        `json:"doc"`
	Topic  string        `json:"topic"`
	Secret bool          `json:"secret,omitempty"`
}

func settingsJSON(settings *config.Settings) any {
	out := struct {
		File     string        `json:"file,omitempty"`
		Settings []settingJSON `json:"settings"`
	}{File: settings.File}
	for _, set := range settings.All {
		out.Settings = append(out.Settings, settingJSON{set.Name, set.Shown(), set.Origin, set.From, set.Form, set.Doc, set.Topic, set.Secret})
	}
	return out
}
