package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"

	"github.com/spyhop-dev/spyhop/internal/egress"
	"github.com/spyhop-dev/spyhop/tool"
)

const maxFileBytes = 1 << 20

// Sources are the sources of settings. The zero value gives only the defaults.
type Sources struct {
	// File is the path of a TOML file, which must exist. Empty means
	// $XDG_CONFIG_HOME/spyhop/config.toml, or ~/.config/spyhop/config.toml when
	// XDG_CONFIG_HOME is not set; this file may be missing.
	File string
	// Environment looks up a variable, for example os.LookupEnv. Nil: no variable
	// is set.
	Environment func(name string) (string, bool)
	// Flags are values by the name of the variable.
	Flags map[string]string
}

// Origin is the kind of source that a value came from.
type Origin string

// The origins; each wins over those before it.
const (
	Default         Origin = "default"
	fromFile        Origin = "file"
	fromEnvironment Origin = "environment"
	flag            Origin = "flag"
)

// Setting is a variable with its value.
type Setting struct {
	Variable
	// Value is the given text, or the default.
	Value  string
	Origin Origin
	// From is the path of the file, the variable or the flag; empty for defaults.
	From string
}

// Shown is the value for printing: secrets are masked.
func (s Setting) Shown() string {
	if s.Secret && s.Value != "" {
		return "(set)"
	}
	if s.Query {
		shown, _ := maskURL(s.Value)
		return shown
	}
	return s.Value
}

// maskURL returns an address without what can be a secret in it, and these secrets: the
// user name and password, the values of the query, the fragment.
func maskURL(address string) (shown string, secrets []string) {
	scheme, rest, ok := strings.Cut(address, "://")
	if !ok {
		return address, nil
	}
	shown = scheme + "://"
	end := strings.IndexAny(rest, "/?#\\")
	if end < 0 {
		end = len(rest)
	}
	if at := strings.LastIndexByte(rest[:end], '@'); at >= 0 {
		secrets = strings.Split(rest[:at], ":")
		shown, rest = shown+"(set)@", rest[at+1:]
	}
	i := strings.IndexAny(rest, "?#")
	if i < 0 || i+1 == len(rest) {
		return shown + rest, secrets
	}
	for part := range strings.FieldsFuncSeq(rest[i+1:], func(r rune) bool { return r == '&' || r == ';' || r == '#' }) {
		if _, value, ok := strings.Cut(part, "="); ok {
			part = value
		}
		secrets = append(secrets, part)
	}
	return shown + rest[:i+1] + "(set)", secrets
}

// Settings are all values with their sources.
type Settings struct {
	Values Values
	// All are the settings in the order of the table.
	All []Setting
	// File is the path that was read, or "" if none was.
	File string
}

// Changed returns the names of the settings whose values differ from those of other:
// first those that a running server takes over, then the others.
func (s *Settings) Changed(other *Settings) (reload, restart []string) {
	for i, v := range s.All {
		switch {
		case v.Value == other.All[i].Value:
		case v.Reload:
			reload = append(reload, v.Name)
		default:
			restart = append(restart, v.Name)
		}
	}
	return reload, restart
}

// Error is a wrong setting.
type Error struct {
	// Name is the variable, key or flag as the user wrote it; empty when the
	// whole file cannot be read.
	Name string
	// Form says what is allowed, or has the nearest right name.
	Form string
	// From is the source: a path, "the environment" or "the flags".
	From string
	// What says what is wrong. It contains no secret.
	What string
	// Cause may be nil.
	Cause error
}

// Error returns one line: the name, what is wrong, and what is allowed.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Name != "" {
		b.WriteString(e.Name + " ")
	}
	b.WriteString(e.What)
	if e.From != "" {
		b.WriteString(" (in " + e.From + ")")
	}
	if e.Form != "" {
		b.WriteString(": " + e.Form)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Cause }

// given is a value from one source.
type given struct {
	value  string
	origin Origin
	from   string
	name   string // as written in that source
}

// Load reads all sources. The error is an [*Error].
func Load(s Sources) (*Settings, error) {
	table := Variables()
	env := s.Environment
	if env == nil {
		env = func(string) (string, bool) { return "", false }
	}
	settings := &Settings{All: make([]Setting, 0, len(table))}
	file, err := settings.readFile(s.File, env, table)
	if err != nil {
		return nil, err
	}
	look := [...]func(string) (given, bool){ // highest first
		func(name string) (given, bool) {
			v, ok := s.Flags[name]
			return given{v, flag, "the flags", "--" + strings.ReplaceAll(strings.ToLower(name), "_", "-")}, ok
		},
		func(name string) (given, bool) {
			v, ok := env(name)
			// An empty variable counts as one that is not set, as for the XDG
			// base directories.
			return given{v, fromEnvironment, "the environment", name}, ok && strings.TrimSpace(v) != ""
		},
		func(name string) (given, bool) {
			v, ok := file[strings.ToLower(name)]
			return given{v, fromFile, settings.File, strings.ToLower(name)}, ok
		},
	}
	for _, v := range table {
		set, err := settings.set(v, look[:])
		if err != nil {
			return nil, err
		}
		settings.All = append(settings.All, set)
	}
	if settings.Values.Proxy == "env" {
		if err := settings.proxyOf(env); err != nil {
			return nil, err
		}
	}
	settings.locate(env)
	return settings, nil
}

// set finds the winning source of a variable and stores its value in s.Values.
func (s *Settings) set(v Variable, look []func(string) (given, bool)) (Setting, error) {
	g, ok, err := v.find(look)
	if err != nil {
		return Setting{}, err
	}
	value := strings.TrimSpace(g.value)
	if !ok || value == "" {
		return Setting{Variable: v, Value: v.Default, Origin: Default}, nil
	}
	if err := v.set(&s.Values, value); err != nil {
		return Setting{}, v.wrong(g, v.Form, err)
	}
	from := g.from
	if g.origin != fromFile {
		from = g.name
	}
	return Setting{Variable: v, Value: value, Origin: g.origin, From: from}, nil
}

// find looks for the variable in each source, and then for its stand-ins.
func (v Variable) find(look []func(string) (given, bool)) (given, bool, error) {
	for _, last := range []bool{false, true} {
		for _, source := range look {
			if !last {
				if g, ok := source(v.Name); ok {
					return g, true, nil
				}
			}
			for _, in := range v.stand {
				g, ok := source(in.name)
				if !ok || in.last != last {
					continue
				}
				to, ok := in.translate(strings.TrimSpace(g.value))
				if !ok {
					return g, false, v.wrong(g, in.form, errForm)
				}
				g.value = to
				return g, true, nil
			}
		}
	}
	return given{}, false, nil
}

func (v Variable) wrong(g given, form string, cause error) error {
	shown := strconv.Quote(g.value)
	if len(shown) > 100 {
		shown = "a long value"
	}
	e := &Error{Name: g.name, Form: "use " + form, From: g.from, What: "= " + shown + " is not allowed", Cause: cause}
	switch {
	case v.Secret, v.Query: // a query or a user name can hold a secret
		e.What = "is not allowed"
	case cause != nil && cause != errForm:
		e.What = "is not allowed: " + cause.Error()
	}
	return e
}

// Secrets returns the secret values that are set, for masking.
func (s *Settings) Secrets() []string {
	var out []string
	for _, set := range s.All {
		if set.Secret && set.Value != "" {
			out = append(out, set.Value)
		}
		if set.Query {
			_, secrets := maskURL(set.Value)
			out = append(out, slices.DeleteFunc(secrets, func(s string) bool { return s == "" })...)
		}
	}
	return out
}

// locate sets the data folder when no source has it. Without a home folder there is
// none: a folder for temporary files is shared with other users, who could plant a
// token or a login there.
func (s *Settings) locate(env func(string) (string, bool)) {
	if dir := base(env, "XDG_CACHE_HOME", ".cache"); s.Values.DataDir == "" && dir != "" {
		s.Values.DataDir = filepath.Join(dir, "spyhop")
		for i := range s.All {
			if s.All[i].Name == "WEB_DATA_DIR" {
				s.All[i].Value = s.Values.DataDir // the real path, for printing
			}
		}
	}
}

// proxyOf takes the upstream proxy from the variables that other programs use for it. One
// that is malformed is an error; none is no proxy.
func (s *Settings) proxyOf(env func(string) (string, bool)) error {
	s.Values.Proxy = ""
	for _, name := range egress.ProxyVariables() {
		raw, _ := env(name)
		if raw = strings.TrimSpace(raw); raw == "" {
			continue
		}
		if !strings.Contains(raw, "://") {
			raw = "http://" + raw
		}
		if raw == "env" || proxy(&s.Values, strings.TrimSuffix(raw, "/")) != nil {
			return &Error{Name: name, What: "is no proxy that WEB_PROXY=env can take", Form: "use http://host:port or https://host:port", From: "the environment"}
		}
		return nil
	}
	return nil
}

// base returns a base directory of the XDG specification; relative paths are
// ignored, as it demands. Without HOME it is "".
func base(env func(string) (string, bool), variable, below string) string {
	if dir, ok := env(variable); ok && filepath.IsAbs(dir) {
		return dir
	}
	if home, ok := env("HOME"); ok && filepath.IsAbs(home) {
		return filepath.Join(home, below)
	}
	return ""
}

// DefaultFile is the path of the settings file where none is named, or "" without a
// home folder. Nobody has checked that it exists.
func DefaultFile(env func(string) (string, bool)) string {
	dir := base(env, "XDG_CONFIG_HOME", ".config")
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "spyhop", "config.toml")
}

// readFile returns the values of the file by key.
func (s *Settings) readFile(name string, env func(string) (string, bool), table []Variable) (map[string]string, error) {
	explicit := name != ""
	if !explicit {
		if name = DefaultFile(env); name == "" {
			return nil, nil
		}
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) && !explicit {
		return nil, nil
	}
	if err != nil {
		return nil, &Error{From: name, What: "cannot read the settings", Form: "check the path and its permissions", Cause: err}
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	switch {
	case err != nil:
		return nil, &Error{From: name, What: "cannot read the settings", Form: "name a file, not a folder", Cause: err}
	case len(data) > maxFileBytes:
		return nil, &Error{From: name, What: "cannot read the settings", Form: "use a file of at most 1 MiB"}
	}
	s.File = name
	return parseFile(name, data, table)
}

func parseFile(name string, data []byte, table []Variable) (map[string]string, error) {
	var raw map[string]any
	if err := toml.Unmarshal(data, &raw); err != nil {
		what := "the settings are not TOML: " + err.Error()
		var pe toml.ParseError
		if errors.As(err, &pe) {
			// The parser's text repeats the line, which may contain a secret.
			what = fmt.Sprintf("the settings are not TOML at line %d", pe.Position.Line)
		}
		return nil, &Error{From: name, What: what, Form: `use lines such as web_http = "allow"`, Cause: err}
	}
	known := make(map[string]Variable, len(table))
	var keys []string
	for _, v := range table {
		known[v.key()] = v
		keys = append(keys, v.key())
		for _, in := range v.stand {
			known[strings.ToLower(in.name)] = v
		}
	}
	written := make([]string, 0, len(raw))
	for key := range raw {
		written = append(written, key)
	}
	sort.Strings(written)
	out := make(map[string]string, len(raw))
	for _, key := range written {
		v, ok := known[key]
		if !ok {
			return nil, unknown(key, name, keys)
		}
		text, ok := plain(raw[key], v.List)
		if !ok {
			return nil, &Error{Name: key, From: name, What: "has a value of the wrong kind", Form: "use " + v.Form}
		}
		out[key] = text
	}
	return out, nil
}

func unknown(name, from string, names []string) *Error {
	e := &Error{Name: name, From: from, What: "is not a setting", Form: "run spyhop config to list the settings"}
	if near := tool.Nearest(name, names); near != "" {
		e.Form = "did you mean " + near + "?"
	}
	return e
}

// plain converts a TOML value to the text that the environment would have.
func plain(v any, isList bool) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return strconv.FormatInt(v, 10), true
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64), true
	case []any:
		if !isList {
			return "", false
		}
		parts := make([]string, len(v))
		for i, e := range v {
			s, ok := e.(string)
			if !ok || strings.Contains(s, ",") {
				return "", false
			}
			parts[i] = s
		}
		return strings.Join(parts, ","), true
	}
	return "", false
}
