package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/terminal"
)

// The table of settings as documents for people: help, a settings file, a page of
// the manual. They all say the same about a setting.

// Sentence is what the setting does, what is allowed, and its default, as one line.
func (v Variable) Sentence() string {
	var b strings.Builder
	b.WriteString(strings.ToUpper(v.Doc[:1]) + v.Doc[1:])
	b.WriteString(". Allowed: " + v.Form + ".")
	if v.Default != "" {
		b.WriteString(" Default: " + v.Default + ".")
	}
	return b.String()
}

// notes are the properties of a setting that are true of only some of them.
func (v Variable) notes() []string {
	var out []string
	if v.Secret {
		out = append(out, "A secret: it has no flag and is never printed.")
	}
	if v.Reload {
		out = append(out, "A running spyhop serve takes it over on SIGHUP.")
	}
	return out
}

// Help returns the settings as text of at most width columns, by topic.
func Help(width int) string {
	var b strings.Builder
	for _, settings := range topics() {
		b.WriteString("\n" + settings[0].Topic + ":\n\n")
		for _, v := range settings {
			name := v.Name
			if v.Default != "" {
				name += "=" + v.Default
			}
			b.WriteString("    " + name + "\n")
			b.WriteString(terminal.Wrap("        "+strings.ToUpper(v.Doc[:1])+v.Doc[1:]+". Allowed: "+v.Form+".", width, "        ") + "\n")
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// Template returns a settings file in which every setting is explained and commented
// out, each with an example: it changes nothing until a line is uncommented.
func Template() string {
	var b strings.Builder
	b.WriteString("# Settings of Spyhop. Remove the # in front of a setting to use it.\n" +
		"# Environment variables win over this file (WEB_HTTP for web_http), and flags win over\n" +
		"# both (--web-http). spyhop config prints every value and where it came from.\n")
	for _, settings := range topics() {
		b.WriteString("\n\n# === " + settings[0].Topic + " ===\n")
		for _, v := range settings {
			b.WriteString("\n")
			b.WriteString(terminal.Wrap("# "+strings.Join(append([]string{v.Sentence()}, v.notes()...), " "), 88, "# ") + "\n")
			b.WriteString("#" + v.key() + " = " + v.toml(v.Example) + "\n")
		}
	}
	return b.String()
}

// toml writes a value as the file has it.
func (v Variable) toml(value string) string {
	if v.List {
		parts := strings.Split(value, ",")
		for i, p := range parts {
			parts[i] = strconv.Quote(strings.TrimSpace(p))
		}
		return "[" + strings.Join(parts, ", ") + "]"
	}
	if _, err := strconv.ParseInt(value, 10, 64); err == nil || value == "true" || value == "false" {
		return value
	}
	return strconv.Quote(value)
}

// Markdown returns the settings as the sections of a page.
func Markdown() string {
	var b strings.Builder
	for _, settings := range topics() {
		b.WriteString("\n## " + settings[0].Topic + "\n")
		for _, v := range settings {
			fmt.Fprintf(&b, "\n### `%s`\n\n%s.", v.Name, strings.ToUpper(v.Doc[:1])+v.Doc[1:])
			for _, n := range v.notes() {
				b.WriteString(" " + n)
			}
			fmt.Fprintf(&b, "\n\n- Allowed: %s\n", v.Form)
			if v.Default != "" {
				fmt.Fprintf(&b, "- Default: `%s`\n", v.Default)
			}
			fmt.Fprintf(&b, "- Example: `%s = %s`", v.key(), v.toml(v.Example))
			if v.Flag() != "" {
				fmt.Fprintf(&b, "; flag: `--%s`", v.Flag())
			}
			b.WriteString("\n")
		}
	}
	return strings.TrimPrefix(b.String(), "\n")
}

// topics returns the settings by topic, in the order of the table.
func topics() (out [][]Variable) {
	for _, v := range Variables() {
		if last := len(out) - 1; last >= 0 && out[last][0].Topic == v.Topic {
			out[last] = append(out[last], v)
		} else {
			out = append(out, []Variable{v})
		}
	}
	return out
}
