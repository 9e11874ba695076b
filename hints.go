package spyhop

import (
	"reflect"
	"strings"

	"github.com/spyhop-dev/spyhop/tool"
)

// This file makes hints name what their reader can set. The parts name a setting
// by its variable, WEB_DATA_DIR. The user of the command sets that one; a program
// that uses this package sets Config.DataDir.

// hints rewrites the names of settings.
type hints struct {
	environment bool // they stay the names of variables
}

// explain returns err with a hint that names fields of Config. A nil error stays
// nil.
func (h hints) explain(err error) error {
	e := tool.AsError(err)
	if e == nil {
		return err
	}
	if h.environment {
		return variables(err, e)
	}
	message, hint := h.text(e.Message), h.text(e.Hint)
	if message == e.Message && hint == e.Hint {
		return err
	}
	named := *e // e may belong to several callers: a failure is remembered
	named.Message, named.Hint, named.Cause = message, hint, err
	return &named
}

// variables returns the error for a field of Config with the name of its variable.
func variables(err error, e *tool.Error) error {
	rest, ok := strings.CutPrefix(e.Message, invalidPrefix)
	if !ok {
		return err
	}
	end := strings.IndexFunc(rest+" ", func(r rune) bool { return r == ' ' || r == ':' })
	for variable, field := range settingFields() {
		if field == rest[:end] {
			named := *e
			named.Message, named.Cause = variable+rest[end:], err
			return &named
		}
	}
	return err
}

// reporter returns what calls f with errors whose text names fields of Config;
// nil where f is nil.
func (h hints) reporter(f func(error)) func(error) {
	if f == nil || h.environment {
		return f
	}
	return func(err error) { f(reported{h.text(err.Error()), err}) }
}

// reported is an error with another text.
type reported struct {
	text  string
	cause error
}

func (e reported) Error() string { return e.text }

func (e reported) Unwrap() error { return e.cause }

// text replaces each name of a setting.
func (h hints) text(s string) string {
	if h.environment || !strings.Contains(s, "_") {
		return s
	}
	var b strings.Builder
	fields := settingFields()
	for s != "" {
		i := strings.IndexFunc(s, inName)
		if i < 0 {
			i = len(s)
		}
		end := i + strings.IndexFunc(s[i:]+" ", func(r rune) bool { return !inName(r) })
		b.WriteString(s[:i])
		b.WriteString(fieldOf(fields, s[i:end]))
		s = s[end:]
	}
	return b.String()
}

func inName(r rune) bool { return r >= 'A' && r <= 'Z' || r == '_' }

// fieldOf returns the field of Config that is the setting of that name, or the
// name itself.
func fieldOf(fields map[string]string, name string) string {
	if field, ok := fields[name]; ok {
		return "Config." + field
	}
	provider, ok := strings.CutSuffix(name, "_API_KEY")
	switch {
	case !ok || provider == "":
		return name
	case provider == "OPENAI" || provider == "ANTHROPIC" || provider == "GEMINI":
		return `Config.ModelKeys["` + name + `"]`
	}
	return `Config.SearchKeys["` + strings.ToLower(provider) + `"]`
}

// settingFields has the fields of Config by the tag "setting".
func settingFields() map[string]string {
	fields := map[string]string{}
	for f := range reflect.TypeFor[Config]().Fields() {
		if name := f.Tag.Get("setting"); name != "" {
			fields[name] = f.Name
		}
	}
	return fields
}
