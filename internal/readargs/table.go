// Package readargs provides the arguments of a read, each declared once: its name, its
// documentation, its kind, its bounds, its default and its other names.
//
// An argument is declared by the tags of its field in reader.Request. From the table
// follow the schema of web_fetch, the flags of the commands that
// read, the mapping of the library's FetchRequest, and the checks of values. A
// surface takes its values into [tool.Arguments] ([Values] does so for a struct),
// has them checked by [Check], and gets its reader.Request from [Request].
//
// # Limits
//
// The table has no credentials (a model has no argument for them) and no
// addresses: one request can be made for several. What does not go together is
// for package reader to refuse.
package readargs

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/tool"
)

// Argument is one row of the table.
type Argument struct {
	// Name is that of the tool's argument, for example max_length. The flag is
	// the same with "-" for "_", unless Flag says otherwise.
	Name string
	// Doc says what it does, without a capital and a full stop: in the schema, in
	// docs/tools.md, and in the help of the flag. Help replaces it there, where a
	// flag needs other words; ${enum} in it stands for the allowed values.
	Doc, Help string
	// Kind is the type of its value. The elements of a list are strings.
	Kind tool.Type
	// Unit makes a duration of an integer: the tool has a number of units, flags
	// and the library have a time.Duration. 0: it is a number.
	Unit time.Duration
	// Enum lists the allowed strings; nil allows all.
	Enum []string
	// Default is the value of the tool where none is given, and of a flag that
	// has an Enum; nil for none.
	Default any
	// Min and Max bound an integer, both included; nil for no bound.
	Min, Max *int
	// Clamped: the tool and the library replace a number that is out of bounds,
	// and say so. The library refuses a negative one, a flag any.
	Clamped bool
	// Aliases and Synonyms are other names, and other spellings of values, that
	// the tool accepts; Plural is the argument that takes a list of several.
	Aliases  []string
	Synonyms map[string]string
	Plural   string
	// SetsLength: a call that gives it chooses how long its answer is.
	SetsLength bool
	// NoLibrary and NoFlag: that surface does not have it.
	NoLibrary, NoFlag bool
	// Network: it has no meaning for a file, so extract does not have it.
	Network bool
	// Stored: it uses something secret that is stored for the caller.
	Stored bool
	// Rare: a model is not shown it, though the tool takes it.
	Rare bool
	// Flag is the flag's name where it is another one. Not: the flag is the
	// opposite of the argument, which is then true where the flag is not given.
	Flag string
	Not  bool
	// FlagAliases are other names of the flag, Placeholder is what help shows for
	// its value, Whole: the value of a flag that can be repeated is not split at
	// commas.
	FlagAliases []string
	Placeholder string
	Whole       bool

	// noLimit is the value that the library's NoLimit means; nil: it is refused
	// like other negative numbers.
	noLimit any
	field   []int // of reader.Request; nil for those of the URLs
}

// omitted is a noLimit that means no value.
type omitted struct{}

// Table returns every argument, in the order in which they are documented.
func Table() []Argument { return slices.Clone(table()) }

// table is made once: each read goes through it. Nobody may change it.
var table = sync.OnceValue(func() []Argument {
	all := []Argument{
		{Name: "url", Doc: "URL to fetch; https:// is added where there is no scheme", Kind: tool.TypeString,
			Aliases: []string{"target"}, Plural: "urls", NoFlag: true, Network: true},
		{Name: "urls", Doc: "up to 12 URLs that share one budget, instead of url", Kind: tool.TypeArray,
			NoLibrary: true, NoFlag: true, Network: true},
	}
	for f := range reflect.TypeFor[reader.Request]().Fields() {
		if f.Tag.Get("arg") != "" {
			all = append(all, declared(f))
		}
	}
	return all
})

// declared reads the declaration of an argument: the tags of a field.
func declared(f reflect.StructField) Argument {
	tag := func(key string) string { return f.Tag.Get(key) }
	is := strings.Split(tag("is"), ",")
	list := func(key string) []string {
		if tag(key) == "" {
			return nil
		}
		return strings.Split(tag(key), ",")
	}
	number := func(key string) *int {
		n, err := strconv.Atoi(tag(key))
		if err != nil {
			return nil
		}
		return &n
	}
	a := Argument{Name: tag("arg"), Flag: tag("flag"), Doc: tag("doc"), Help: tag("help"), Placeholder: tag("placeholder"),
		Enum: list("enum"), Aliases: list("alias"), FlagAliases: list("flagalias"), Min: number("min"), Max: number("max"),
		Network: slices.Contains(is, "network"), Rare: slices.Contains(is, "rare"), Stored: slices.Contains(is, "stored"), Clamped: slices.Contains(is, "clamped"),
		SetsLength: slices.Contains(is, "length"), Not: slices.Contains(is, "not"), Whole: slices.Contains(is, "whole"), field: f.Index}
	a.Unit, _ = time.ParseDuration(tag("unit"))
	for _, pair := range list("synonyms") {
		from, to, _ := strings.Cut(pair, "=")
		a.Synonyms = map[string]string{from: to}
	}
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t.Kind() == reflect.Bool:
		a.Kind = tool.TypeBoolean
	case t.Kind() == reflect.String:
		a.Kind = tool.TypeString
	case t.Kind() == reflect.Map, t == reflect.TypeFor[json.RawMessage]():
		a.Kind = tool.TypeObject
	case t.Kind() == reflect.Slice:
		a.Kind = tool.TypeArray
	default:
		a.Kind = tool.TypeInteger
	}
	if text, ok := f.Tag.Lookup("default"); ok {
		a.Default = text
		if a.Kind != tool.TypeString {
			_ = json.Unmarshal([]byte(text), &a.Default)
		}
		if n, ok := a.Default.(float64); ok {
			a.Default = int(n)
		}
	}
	switch tag("nolimit") {
	case "0":
		a.noLimit = 0
	case "omit":
		a.noLimit = omitted{}
	case "max":
		a.noLimit = time.Duration(math.MaxInt64)
	}
	return a
}

// FlagName is the name of the flag, without dashes.
func (a Argument) FlagName() string {
	if a.Flag != "" {
		return a.Flag
	}
	return strings.ReplaceAll(a.Name, "_", "-")
}

// FlagHelp is the help of the flag; ${enum} in it stands for the allowed values.
func (a Argument) FlagHelp() string {
	if a.Help != "" {
		return a.Help
	}
	help := strings.ToUpper(a.Doc[:1]) + a.Doc[1:]
	if a.Enum != nil {
		help += ": ${enum}"
	}
	return help + "."
}

// Properties returns the arguments of web_fetch.
func Properties() []tool.Property {
	var out []tool.Property
	for _, a := range Table() {
		out = append(out, a.property())
	}
	return out
}

// Window returns those arguments of web_fetch that choose a part of the content, for
// every tool that returns the content of a page.
func Window() []tool.Property {
	names := []string{"start_index", "max_length", "max_tokens"}
	return slices.DeleteFunc(Properties(), func(p tool.Property) bool { return !slices.Contains(names, p.Name) })
}

func (a Argument) property() tool.Property {
	s := tool.Schema{Type: a.Kind, Enum: a.Enum, Default: a.Default, Open: a.Kind == tool.TypeObject}
	if a.Kind == tool.TypeArray {
		s.Items = new(tool.Text())
	}
	if a.Min != nil {
		s.Minimum = new(float64(*a.Min))
	}
	if a.Clamped {
		s.Minimum = new(0.0) // which means the default, for many clients
	}
	if a.Max != nil {
		s.Maximum = new(float64(*a.Max))
	}
	if a.Name == "schema" {
		s.Properties = []tool.Property{tool.Map("properties", "")}
	}
	p := tool.Member(a.Name, a.Doc, s)
	p.Aliases, p.Synonyms, p.Plural, p.Clamped, p.Length, p.Stored, p.Rare = a.Aliases, a.Synonyms, a.Plural, a.Clamped, a.SetsLength, a.Stored, a.Rare
	return p
}

// queryTokens bounds the passages for a query of a call that sets no length.
const queryTokens = 1500

// Request makes a request, without an address, of values that were checked. The
// error means that a value has a type that its argument does not take.
func Request(values tool.Arguments) (reader.Request, error) {
	q := reader.Request{CallerSetsTimeout: true}
	for _, a := range table() {
		v, given := values[a.Name]
		if !given || a.field == nil {
			continue
		}
		if err := a.put(reflect.ValueOf(&q).Elem().FieldByIndex(a.field), v); err != nil {
			return q, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	if values["max_length"] == nil && values["max_tokens"] == nil && q.Query != "" && q.MustContain == "" {
		q.MaxTokens, q.Brief = queryTokens, true
	}
	return q, nil
}

// put sets the field of an argument to a value, as a tool, a flag or the library gives it.
func (a Argument) put(field reflect.Value, v any) error {
	switch x := v.(type) {
	case int:
		if a.Unit > 0 {
			v = min(time.Duration(x), math.MaxInt64/a.Unit) * a.Unit
		}
	case []any:
		v = tool.Arguments{"v": x}.Strings("v")
	}
	if _, raw := v.(json.RawMessage); field.Type() == reflect.TypeFor[json.RawMessage]() && !raw {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		v = json.RawMessage(data)
	}
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	value := reflect.ValueOf(v)
	if !value.IsValid() || value.Kind() != field.Kind() || !value.CanConvert(field.Type()) {
		return fmt.Errorf("a %T is not a %v", v, field.Type())
	}
	field.Set(value.Convert(field.Type()))
	return nil
}
