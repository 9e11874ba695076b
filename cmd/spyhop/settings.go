package main

import (
	"fmt"
	"os"
	"reflect"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/audit"
	"github.com/spyhop-dev/spyhop/internal/config"
)

// settingFlags are the flags that the table of settings makes: a struct with a
// *string for each variable that has a flag, so that kong reads, completes and
// documents them like any other.
type settingFlags struct {
	target reflect.Value // pointer to the struct
	names  []string      // variable names by field
}

// newSettingFlags declares the flags where the arguments may have to do with
// them: half of what kong takes to start, a millisecond, is for these.
func newSettingFlags(args []string) settingFlags {
	var f settingFlags
	var fields []reflect.StructField
	for _, v := range config.Variables() {
		if v.Flag() == "" || !slices.ContainsFunc(args, func(a string) bool { return concerns(a, v.Flag()) }) {
			continue
		}
		help := v.Doc + "; " + v.Form
		if v.Default != "" {
			help += " (" + v.Default + ")"
		}
		fields = append(fields, reflect.StructField{
			// An exported name that kong does not show.
			Name: "S" + v.Name,
			Type: reflect.TypeFor[*string](),
			Tag: reflect.StructTag(fmt.Sprintf(`name:%q help:%q placeholder:"VALUE" group:"Settings" hidden:""`,
				v.Flag(), strings.ReplaceAll(help, "$", "$$"))),
		})
		f.names = append(f.names, v.Name)
	}
	f.target = reflect.New(reflect.StructOf(fields))
	return f
}

// concerns reports whether an argument can make use of a setting's flag: as the
// flag, as a misspelt one, or since it is the command that prints them all.
func concerns(arg, flag string) bool {
	family, _, _ := strings.Cut(flag, "-")
	return strings.HasPrefix(arg, "--"+family) || arg == "completion" || arg == "man"
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
	return config.Load(config.Sources{File: s.cli.Config, Environment: os.LookupEnv, Flags: s.flags.values()})
}

// configuration is the library's form of the settings, for commands that read
// pages.
func (s *session) configuration() (spyhop.Config, error) {
	c, v, err := s.unlogged()
	if err == nil {
		c.AuditLog = s.auditLog(v)
	}
	return c, err
}

// unlogged is configuration for commands that read nothing: they leave no file
// behind.
func (s *session) unlogged() (spyhop.Config, config.Values, error) {
	settings, err := s.settings()
	if err != nil {
		return spyhop.Config{}, config.Values{}, err
	}
	v := settings.Values
	return spyhop.Config{
		HTTP:             spyhop.HTTPMode(v.HTTP),
		Redirects:        spyhop.RedirectPolicy(v.Redirects),
		Blocklist:        v.DomainBlocklist,
		Allowlist:        v.DomainAllowlist,
		AllowPrivate:     v.AllowPrivate,
		Proxy:            v.Proxy,
		HeadersAllowed:   v.HeadersAllowed,
		MaxResponseBytes: v.MaxResponseBytes,
		MaxContentChars:  v.MaxContentChars,
		Timeout:          v.FetchTimeout,
		UserAgent:        v.UserAgent,
		HostConcurrency:  v.HostConcurrency,
		HostRate:         v.HostRate,
		NegativeTTL:      v.NegativeTTL,
		Robots:           v.Robots,
		Provenance:       spyhop.Provenance(v.URLProvenance),
		Given:            v.URLGiven,
		Secrets:          settings.Secrets(),
		Caller:           "cli",
		DataDir:          v.DataDir,
		CacheTTL:         v.CacheTTL,
		CacheBytes:       v.CacheBytes,
		OnError:          s.trouble,
		SearchProvider:   v.SearchProvider,
		SearchKeys:       v.SearchKeys,
		SearchMCP:        v.SearchMCP,
		SearchMCPTool:    v.SearchMCPTool,
		SearxngURL:       v.SearxngURL,
		Browser:          v.Browser,
		BrowserHelper:    s.helper,
		BrowserHeaded:    v.BrowserHeaded,
		DenyInteractive:  v.DenyInteractive,
		AllowScript:      v.AllowScript,
		UploadDir:        v.UploadDir,
		SessionKey:       v.SessionKey,
		Model:            v.Model,
		ModelURL:         v.ModelURL,
		ModelKeys:        map[string]string{"OPENAI_API_KEY": v.OpenAIKey, "ANTHROPIC_API_KEY": v.AnthropicKey, "GEMINI_API_KEY": v.GeminiKey},
		Resolver:         resolver(),
		OnProgress:       s.progress(),
		EnvironmentHints: true,
	}, v, nil
}

// auditLog is the path of the audit log. Where nobody has named one, a folder
// that cannot be written is said and no reason to refuse.
func (s *session) auditLog(v config.Values) string {
	path := v.AuditPath()
	if v.AuditLog != "" || path == "" {
		return path
	}
	f, err := audit.OpenFile(path, audit.FileOptions{})
	if err != nil {
		s.trouble(fmt.Errorf("no audit log is kept: %s cannot be written: %s; WEB_AUDIT_LOG names another file, or is off", path, cause(err)))
		return ""
	}
	_ = f.Close()
	return path
}

// client returns a client with the settings, which the caller closes.
func (s *session) client() (*spyhop.Client, error) {
	c, err := s.configuration()
	if err != nil {
		return nil, err
	}
	return newClient(c)
}

// newClient returns the client of a command that soon ends.
func newClient(c spyhop.Config) (*spyhop.Client, error) {
	collectLater()
	return spyhop.New(c)
}

// collectLater puts the first collection of garbage off from 4 MB to 16: most
// commands end before that. From then on it is as ever, so that a large page
// takes no more memory than it did. What the environment sets stays.
func collectLater() {
	if os.Getenv("GOGC") != "" {
		return
	}
	before := debug.SetGCPercent(400)
	runtime.AddCleanup(new([16]byte), func(percent int) { debug.SetGCPercent(percent) }, before)
}

// idle returns a client that reads nothing and keeps no log.
func (s *session) idle() (*spyhop.Client, error) {
	c, _, err := s.unlogged()
	if err != nil {
		return nil, err
	}
	return spyhop.New(c)
}

type settingsCmd struct{}

func (settingsCmd) Help() string {
	return `Settings come from a file, the environment and flags, in that rising order. The
file is --config FILE, else $XDG_CONFIG_HOME/spyhop/config.toml; its keys are the
names of the variables in lower case:

    web_http = "allow"
    web_domain_blocklist = ["ads.example.com"]

Every variable but the secret ones is a flag as well: WEB_HTTP is --web-http.
Secrets are masked.
` + exitHelp
}

func (settingsCmd) Run(s *session) error {
	settings, err := s.settings()
	if err != nil {
		return err
	}
	if s.cli.JSON {
		s.print(settingsJSON(settings))
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
		fmt.Fprintf(s.stdout, "%-*s  %s  # %s\n", width, set.Name, quoteEmpty(printable(set.Shown())), printable(from))
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
	Secret bool          `json:"secret,omitempty"`
}

func settingsJSON(settings *config.Settings) any {
	out := struct {
		File     string        `json:"file,omitempty"`
		Settings []settingJSON `json:"settings"`
	}{File: settings.File}
	for _, set := range settings.All {
		out.Settings = append(out.Settings, settingJSON{set.Name, set.Shown(), set.Origin, set.From, set.Form, set.Doc, set.Secret})
	}
	return out
}
