package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/alecthomas/kong"
	"github.com/spyhop-dev/spyhop/internal/readargs"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/tool"
)

// readFlags are the flags of a command that reads pages, made from the table of
// arguments: a struct with a field for each row that the command has.
type readFlags struct{ kong.Plugins }

// newReadFlags declares the flags of the rows for which has reports true.
func newReadFlags(has func(readargs.Argument) bool) readFlags {
	var fields []reflect.StructField
	for _, a := range readargs.Table() {
		if !a.NoFlag && has(a) {
			fields = append(fields, readFlag(a))
		}
	}
	return readFlags{kong.Plugins{reflect.New(reflect.StructOf(fields)).Interface()}}
}

// declare makes the flags of the rows that a command has.
func (c *fetchCmd) declare() {
	c.readFlags = newReadFlags(func(readargs.Argument) bool { return true })
}

func (c *extractCmd) declare() {
	c.readFlags = newReadFlags(func(a readargs.Argument) bool { return !a.Network })
}

// urlHelp documents the addresses of a command.
func urlHelp() string {
	table := readargs.Table()
	return table[slices.IndexFunc(table, func(a readargs.Argument) bool { return a.Name == "url" })].FlagHelp()
}

// readFlag is the field of a row. readargs.Values takes its value by the tag argument.
func readFlag(a readargs.Argument) reflect.StructField {
	var tag strings.Builder
	add := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&tag, "%s:%s ", name, strconv.Quote(value))
		}
	}
	add("name", a.FlagName())
	add("help", a.FlagHelp())
	add("aliases", strings.Join(a.FlagAliases, ","))
	add("placeholder", a.Placeholder)
	if a.Enum != nil {
		add("enum", strings.Join(a.Enum, ","))
		add("default", fmt.Sprint(a.Default))
	}
	if a.Whole {
		add("sep", "none")
	}
	bind := a.Name
	if a.Not {
		bind += ",not"
		add("negatable", strings.TrimPrefix(a.FlagName(), "no-"))
	}
	add("argument", bind)
	return reflect.StructField{Name: "R_" + a.Name, Type: flagType(a), Tag: reflect.StructTag(strings.TrimSpace(tag.String()))}
}

// flagType is the type of a flag. The flag of an object is a file, or a list of
// its members.
func flagType(a readargs.Argument) reflect.Type {
	switch {
	case a.Unit > 0:
		return reflect.TypeFor[*time.Duration]()
	case a.Kind == tool.TypeInteger:
		return reflect.TypeFor[*int]()
	case a.Kind == tool.TypeBoolean:
		return reflect.TypeFor[bool]()
	case a.Kind == tool.TypeArray, a.Whole:
		return reflect.TypeFor[[]string]()
	}
	return reflect.TypeFor[string]()
}

// values are the arguments that were given, checked. --json, and the mode json,
// print the whole answer; --schema and --header become what they stand for.
func (f readFlags) values(s *session) (tool.Arguments, error) {
	values := readargs.Values(f.Plugins[0])
	if _, err := readargs.Check(values, readargs.Flags()); err != nil {
		return nil, err
	}
	if values.String("mode") == string(reader.JSON) {
		s.cli.JSON, values["mode"] = true, string(reader.Markdown)
	}
	if name := values.String("schema"); name != "" {
		schema, err := s.file(name, maxSmall)
		if err != nil {
			return nil, err
		}
		values["schema"] = json.RawMessage(schema)
	}
	if given, ok := values["headers"].([]string); ok {
		header, err := headers(given)
		if err != nil {
			return nil, err
		}
		values["headers"] = header
	}
	return values, nil
}

// headers reads request headers as "Name: value".
func headers(given []string) (map[string]string, error) {
	out := map[string]string{}
	for _, h := range given {
		name, value, ok := strings.Cut(h, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || strings.ContainsAny(h, "\r\n\x00") {
			return nil, tool.NewError(tool.InvalidInput, fmt.Sprintf("--header %q is not a header", h), `use the form "Name: value"`)
		}
		switch http.CanonicalHeaderKey(name) {
		case "Authorization", "Cookie", "Proxy-Authorization":
			return nil, tool.NewError(tool.InvalidInput, "--header "+name+" would go to other hosts as well",
				"use --auth, --bearer or --cookie, which are bound to the URL")
		}
		out[name] = value
	}
	return out, nil
}
