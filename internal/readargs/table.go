// Package readargs provides the arguments of a read, each declared once: its name, its
// documentation, its kind, its bounds, its default and its other names.
//
// From the table follow the schema of web_fetch, the flags of the commands that
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
	"slices"
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
	// Links: the command links has it too.
	Links bool
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
	set     func(*reader.Request, any) error
}

// omitted is a noLimit that means no value.
type omitted struct{}

// table is Table, made once: each read goes through it. Nobody may change it.
var table = sync.OnceValue(Table)

// Table returns every argument, in the order in which they are documented.
func Table() []Argument {
	return []Argument{
		{Name: "url", Doc: "URL to fetch; https:// is added where there is no scheme", Kind: tool.TypeString,
			Aliases: []string{"target"}, Plural: "urls", NoFlag: true, Network: true},
		{Name: "urls", Doc: "up to 12 URLs that share one budget, instead of url", Kind: tool.TypeArray,
			NoLibrary: true, NoFlag: true, Network: true},
		{Name: "mode", Doc: "what to return", Kind: tool.TypeString, Enum: modes(), Default: string(reader.Markdown),
			Aliases: []string{"extractMode", "format"}, Synonyms: map[string]string{"readability": string(reader.Markdown)},
			FlagAliases: []string{"format"}, set: func(q *reader.Request, v any) error { return put((*string)(&q.Mode), v) }},
		{Name: "query", Doc: "return the passages that match this best, in page order", Kind: tool.TypeString,
			Help:        "Print only the passages that match this best, in page order.",
			Placeholder: "TEXT", set: into(func(q *reader.Request) *string { return &q.Query })},
		{Name: "prompt", Doc: "a question about the page for a language model", Kind: tool.TypeString,
			Help:    "Have the model of WEB_MODEL answer this from the page; several URLs are answered once.",
			Network: true, Placeholder: "TEXT", set: into(func(q *reader.Request) *string { return &q.Prompt })},
		{Name: "schema", Doc: "JSON Schema of the answer to prompt, or with x-selectors", Kind: tool.TypeObject,
			Help:        "File with a JSON Schema for the answer to --prompt, or with an x-selector for each value; - reads stdin.",
			Placeholder: "FILE", set: setSchema},
		{Name: "jq", Doc: "jq filter over the JSON that the URL serves, or over mode=data of a page", Kind: tool.TypeString,
			Help:    "Print the results of this jq filter over the JSON that the URL serves, or over the data of a page.",
			Network: true, Placeholder: "FILTER", set: into(func(q *reader.Request) *string { return &q.JQ })},
		{Name: "section", Doc: "read only these sections: IDs from mode=outline", Kind: tool.TypeArray,
			Help:        "Read only this section: an ID of --mode outline, or an anchor; can be repeated.",
			Placeholder: "ID", set: setSections},
		{Name: "selector", Doc: "CSS selector: read only what matches", Kind: tool.TypeString,
			Help:        "Read only what matches this CSS selector.",
			Placeholder: "CSS", set: into(func(q *reader.Request) *string { return &q.Selector })},
		{Name: "must_contain", Doc: "return whether this text is on the page, and where", Kind: tool.TypeString,
			Help:        "Say whether this text is on the page, and where, instead of printing the page.",
			Placeholder: "TEXT", set: into(func(q *reader.Request) *string { return &q.MustContain })},
		{Name: "since", Doc: "last, or a version: answer with what has changed after it", Kind: tool.TypeString,
			Help:    "Print what has changed after this version of the page; last means the newest stored version.",
			Network: true, Placeholder: "VERSION", set: into(func(q *reader.Request) *string { return &q.Since })},
		{Name: "max_length", Doc: "characters; 0 for all", Kind: tool.TypeInteger, Min: new(0),
			Help:  "Print at most this many characters of content; 0 prints all. Default: WEB_MAX_CONTENT_CHARS; for a file, all.",
			Links: true, SetsLength: true, Placeholder: "N", noLimit: 0, set: setMaxLength},
		{Name: "max_tokens", Doc: "tokens, by estimate", Kind: tool.TypeInteger, Min: new(1),
			Help:       "Print at most this many tokens of content (an estimate).",
			SetsLength: true, Placeholder: "N", noLimit: omitted{}, set: into(func(q *reader.Request) *int { return &q.MaxTokens })},
		{Name: "start_index", Doc: "character to start at", Kind: tool.TypeInteger, Min: new(0), Default: 0,
			Help:    "Begin at this character of the content, to read on.",
			Aliases: []string{"offset"}, Placeholder: "N", set: into(func(q *reader.Request) *int { return &q.StartIndex })},
		{Name: "exclude", Doc: "CSS selectors: leave out what matches", Kind: tool.TypeArray, Rare: true,
			Help: "Leave out what matches this CSS selector; can be repeated.", Whole: true,
			Placeholder: "CSS", set: func(q *reader.Request, v any) error { return putStrings(&q.Exclude, v) }},
		{Name: "remove", Doc: "leave out these: " + strings.Join(reader.Removals(), ", "), Kind: tool.TypeArray, Rare: true,
			Placeholder: "KIND", set: func(q *reader.Request, v any) error { return putStrings(&q.Remove, v) }},
		{Name: "links", Doc: "references: numbers in the text, and the URLs at its end", Kind: tool.TypeString, Enum: []string{reader.InlineLinks, reader.ReferenceLinks}, Default: reader.InlineLinks, Rare: true,
			Help: "Links in Markdown: ${enum}. references writes numbers in the text and the URLs at its end.",
			set:  into(func(q *reader.Request) *string { return &q.Links })},
		{Name: "comments", Doc: "readers' comments; auto leaves them out on articles", Kind: tool.TypeString,
			Enum: []string{"auto", "always", "never"}, Default: "auto", Rare: true,
			Help: "Readers' comments: ${enum}. auto leaves them out on articles.",
			set:  into(func(q *reader.Request) *string { return &q.Comments })},
		{Name: "images", Doc: "keep the URLs of pictures", Kind: tool.TypeBoolean, Default: false, Rare: true,
			Help: "Write [image: alt] instead of URLs of pictures.",
			Flag: "no-images", Not: true, set: into(func(q *reader.Request) *bool { return &q.Images })},
		{Name: "whole", Doc: "read the whole body instead of the main content", Kind: tool.TypeBoolean,
			Rare: true, set: into(func(q *reader.Request) *bool { return &q.Whole })},
		{Name: "render", Doc: "run scripts in a browser; auto where content seems to be missing", Kind: tool.TypeString,
			Enum: []string{reader.RenderAuto, reader.RenderNever, reader.RenderAlways}, Default: reader.RenderAuto,
			Help:    "Run the page's scripts in a browser: ${enum}. auto does where content seems to be missing without them.",
			Network: true, set: into(func(q *reader.Request) *string { return &q.Render })},
		{Name: "wait_for", Doc: "text or CSS selector to wait for; runs scripts", Kind: tool.TypeString,
			Help:    "Run the page's scripts and wait for this text or CSS selector.",
			Network: true, Placeholder: "TEXT", set: into(func(q *reader.Request) *string { return &q.WaitFor })},
		{Name: "scroll", Doc: "scroll to the end of the page in a browser, at most 30 screens, for lists that grow", Kind: tool.TypeBoolean, Default: false,
			Help:    "Run the page's scripts and scroll until nothing new comes, at most 30 screens.",
			Network: true, Rare: true, set: into(func(q *reader.Request) *bool { return &q.Scroll })},
		{Name: "login", Doc: "site of a saved login, or name of a saved browser_state, to read with", Kind: tool.TypeString,
			Help:    "Read with the login of this site, which spyhop login has saved, or with the browser state of this name; only for addresses of its sites.",
			Network: true, Links: true, Stored: true, Placeholder: "SITE", set: into(func(q *reader.Request) *string { return &q.Login })},
		{Name: "timeout_ms", Doc: "give up after this many milliseconds; 0 is the default", Kind: tool.TypeInteger, Unit: time.Millisecond,
			Min: new(1), Max: new(120_000), Clamped: true, Flag: "timeout", Help: "Give up after this time, for example 10s; at most 2m.",
			Network: true, Rare: true, Links: true, Placeholder: "DURATION",
			set: func(q *reader.Request, v any) error { return putDuration(&q.Timeout, v, time.Millisecond) }},
		{Name: "max_age", Doc: "accept a stored copy of at most this many seconds", Kind: tool.TypeInteger, Unit: time.Second, Min: new(0),
			Help:    "Accept a stored copy of at most this age, for example 1h; 0 asks the site for changes. Default: WEB_CACHE_TTL.",
			Network: true, Rare: true, Links: true, Placeholder: "DURATION", noLimit: time.Duration(math.MaxInt64), set: setMaxAge},
		{Name: "fresh", Doc: "request the page again", Kind: tool.TypeBoolean, Default: false,
			Network: true, Links: true, set: into(func(q *reader.Request) *bool { return &q.Fresh })},
		{Name: "headers", Doc: "Accept, Accept-Language, If-None-Match, If-Modified-Since or Referer", Kind: tool.TypeObject,
			Flag: "header", Help: "Further request header; can be repeated.", Whole: true,
			Network: true, Rare: true, Links: true, Placeholder: "NAME:VALUE", set: into(func(q *reader.Request) *map[string]string { return &q.Header })},
	}
}

func modes() []string {
	out := make([]string, len(reader.Modes))
	for i, m := range reader.Modes {
		out[i] = string(m)
	}
	return out
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
		if !given || a.set == nil {
			continue
		}
		if err := a.set(&q, v); err != nil {
			return q, fmt.Errorf("%s: %w", a.Name, err)
		}
	}
	if values["max_length"] == nil && values["max_tokens"] == nil && q.Query != "" && q.MustContain == "" {
		q.MaxTokens = queryTokens
	}
	return q, nil
}

// into sets a field to a value of its own type.
func into[T any](field func(*reader.Request) *T) func(*reader.Request, any) error {
	return func(q *reader.Request, v any) error { return put(field(q), v) }
}

func put[T any](field *T, v any) error {
	x, ok := v.(T)
	if !ok {
		return fmt.Errorf("a %T is not a %T", v, x)
	}
	*field = x
	return nil
}

// putDuration takes a number of units too.
func putDuration(field *time.Duration, v any, unit time.Duration) error {
	if n, ok := v.(int); ok {
		v = min(time.Duration(n), math.MaxInt64/unit) * unit
	}
	return put(field, v)
}

func setMaxLength(q *reader.Request, v any) error {
	q.MaxLength = new(int)
	return put(q.MaxLength, v)
}

func setMaxAge(q *reader.Request, v any) error {
	q.MaxAge = new(time.Duration)
	return putDuration(q.MaxAge, v, time.Second)
}

func setSections(q *reader.Request, v any) error { return putStrings(&q.Sections, v) }

func putStrings(field *[]string, v any) error {
	if _, ok := v.([]any); ok {
		v = tool.Arguments{"v": v}.Strings("v")
	}
	return put(field, v)
}

func setSchema(q *reader.Request, v any) error {
	if _, ok := v.(json.RawMessage); !ok {
		data, err := json.Marshal(v)
		if err != nil {
			return err
		}
		v = json.RawMessage(data)
	}
	return put(&q.Schema, v)
}
