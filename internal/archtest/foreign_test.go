package archtest_test

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A foreign string is one that comes from a page, a server, a file or a caller's
// arguments. This test holds the places where strings stand outside of the fence
// (sinks) to one rule: what flows into a sink is a constant, a number, or a
// foreign string that went through the writer (internal/text/foreign.go,
// tool.Fence).
//
// The test walks backwards from the sinks over the types and the syntax of the
// whole module: from a field to all that is ever assigned to it, from a parameter
// to the arguments of all calls, from a call to what the function returns. It
// knows neither the order of statements nor their conditions. What it cannot
// follow is foreign: a field of another module's struct, a decoded value, the text
// of an error, a call through an interface of another module.

// sinks are the fields that stand outside of the fence.
var sinks = []string{
	"tool.Error.Message", "tool.Error.Hint",
	"tool.Call.Notices", "tool.Result.Notices", "tool.Result.Text", "tool.Progress.Message",
	"result.Fetch.Notices", "result.FetchAll.Notices", "result.BrowserPage.Notices", "result.Search.Notices",
	mcpModule + ".Resource.Name", mcpModule + ".Resource.Title", mcpModule + ".Resource.Description",
	mcpModule + ".ResourceContents.Text", mcpModule + ".TextContent.Text",
	mcpModule + ".ProgressNotificationParams.Message", mcpModule + ".ElicitParams.Message",
	"github.com/modelcontextprotocol/go-sdk/jsonrpc.Error.Message",
}

const mcpModule = "github.com/modelcontextprotocol/go-sdk/mcp"

// writers make a foreign string safe.
var writers = map[string]string{
	"internal/text.Quoted": "",
	"internal/text.Name":   "",
	"internal/text.URL":    "",
	"internal/text.Cause":  "",
	"internal/text.Path":   "for people's own files",
	"tool.Fence":           "the fence itself",
	"snippet.safe":         "of the tests of this test",
}

// trusted are functions, types and fields whose strings the walk does not follow,
// with the reason why they are safe.
var trusted = map[string]string{
	"net/http.StatusText": "a table", "net/url.QueryEscape": "letters, digits, %, + and dashes", "time.Duration.String": "numbers", "time.Time.Format": "numbers", "time.Month.String": "a table",
	"strconv.Itoa": "numbers", "strconv.FormatInt": "numbers", "strconv.FormatFloat": "numbers", "strconv.FormatUint": "numbers",
	"strconv.FormatBool": "true and false", "strconv.AppendInt": "numbers", "strconv.AppendUint": "numbers", "crypto/rand.Text": "random letters", "encoding/hex.EncodeToString": "hexadecimal digits", "encoding/base64.Encoding.EncodeToString": "letters, digits, +, /, - and _",
	"net/url.PathEscape": "letters, digits, % and punctuation of ASCII", "net/url.Values.Encode": "the same", "reflect.StructTag.Get": "tags of our own fields",
	"internal/sitemap.Error.Error": "our own words", "internal/sitemap.File.Incomplete": "our own words", "internal/live.Handler.target": "paths of our own views, with a query that http.Redirect escapes",
	mcpModule + ".PromptArgument.Name":           "constants",
	"github.com/alecthomas/kong.Value.EnumSlice": "our own grammar", "github.com/alecthomas/kong.Flag.FormatPlaceHolder": "the same", "github.com/alecthomas/kong.Value.Name": "the same",
	"github.com/alecthomas/kong.Value.Help": "the same", "github.com/alecthomas/kong.Node.Name": "the same", "github.com/alecthomas/kong.Node.Help": "the same",
	"github.com/alecthomas/kong.Kong.Stdout": "our own help", "runtime.Version": "of the build", "runtime/debug.BuildSetting.Value": "of the build",
	"context.Context.Err": "two constants", "reflect.StructField.Name": "names of our own fields", "reflect.Type.Name": "names of our own types",
	"encoding/json.Number.String":            "a number",
	mcpModule + ".SupportedProtocolVersions": "constants",
	"internal/weburl.URL.Host":               "canonical: letters, digits, dots and dashes, at most 253 bytes",
	"internal/weburl.URL.Hostname":           "the same",
	"internal/weburl.URL.Site":               "the same",
	"internal/weburl.URL.RegistrableDomain":  "the same",
	"internal/weburl.Host.String":            "the same",
	"internal/browser.Secrets.mask":          "what it is given, which was written already, with masks in it",
	"tool.shorten":                           "the writer of a package that imports nothing of ours",
	"tool.errorJSON.Message":                 "what MarshalJSON wrote",
	"tool.errorJSON.Hint":                    "what MarshalJSON wrote",
	"internal/toolset.browse":                "SPEC section 5 gives web_browse the form of a string without a fence",
	"internal/weburl.URL.host":               "canonical: letters, digits, dots and dashes, at most 253 bytes",
	"internal/weburl.URL.TopSite":            "the same",
	"internal/weburl.URL.scheme":             "letters, digits, +, - and .",
	"internal/weburl.URL.Origin":             "canonical", "internal/weburl.URL.Scheme": "canonical", "internal/weburl.URL.Port": "digits",
	"tool.Error.Type": "a closed set", "tool.errorJSON.Type": "a closed set, checked by UnmarshalJSON", "result.Fetch.ReadAs": "a name of internal/sites, and a canonical host",
	"internal/fetch.response.TruncatedWhy": "our own words", "internal/fetch.Response.TruncatedWhy": "our own words",
	"result.Changes.Version": "a hash that was found among those of stored versions",
	"tool.Question.Text":     "a prompt: pages stand between marks that they cannot forge (internal/reader/prompt.go)", "tool.Question.System": "the same",
	"result.Search.Provider":              "a name of the table of providers",
	"internal/search.Answer.Provider":     "a name of the table of providers",
	"internal/serve.clientPerson.Confirm": "the question is written by the program that asks", "internal/search.Searcher.failover": "names of the table, checked by pick",
	"internal/search.Searcher.fuse":                        "the same",
	mcpModule[:len(mcpModule)-3] + "auth.TokenInfo.UserID": "the name of a token, from the operator's file",
	"result.Fetch.AnsweredBy":                              "the operator's model, or a constant", "result.FetchAll.AnsweredBy": "the same",
	"llm.Message.Text":        "a prompt: pages stand between marks that they cannot forge (internal/reader/prompt.go, internal/agent/history.go)",
	"llm.Request.System":      "the same",
	"net.JoinHostPort":        "of canonical hosts",
	"(reflect.Type).Name":     "names of our own types",
	"result.Metadata.Version": "a hash, or a version that was found among stored hashes",
	"result.Fetch.Verdict":    "a closed set",

	"cmd/spyhop.lossyWriter.waiting": "lines that were judged where they are written to the screen",
}

// ofPeople are packages whose strings a person has given on the same machine: the
// command and the settings. The command's screen takes control characters out of
// all that it prints.
var ofPeople = []string{"cmd/spyhop", "internal/config"}

// carriers are packages that handle pages, and functions that return addresses: all
// text of theirs is foreign, and the walk does not look for where it comes from.
var carriers = []string{"tool.Arguments.*", "internal/page.*", "internal/extract.*", "internal/extract/*", "internal/markdown.*", "internal/sites.*", "internal/sitemap.*",
	"internal/store.*", "internal/browser/snapshot.*", "internal/weburl.URL.String", "internal/weburl.URL.Path", "internal/weburl.URL.RawQuery", "internal/weburl.URL.Fragment"}

func carrier(name string) bool {
	return slices.ContainsFunc(carriers, func(p string) bool { return guarded(p, name) })
}

// transparent are functions of other modules that return their arguments, or parts
// of these.
var transparent = []string{"strings.*", "slices.*", "maps.*", "cmp.Or", "bytes.*", "strconv.Quote", "strconv.Unquote", "strconv.QuoteToASCII",
	"fmt.Sprint", "fmt.Sprintf", "fmt.Sprintln", "fmt.Errorf", "errors.New", "errors.Join", "path.*", "path/filepath.*", "os.ExpandEnv", "unicode/utf8.AppendRune", "internal/text.*"}

// TestForeignStrings reports each foreign string of the module that reaches a sink.
func TestForeignStrings(t *testing.T) {
	goList := listPackages(t)
	fset := token.NewFileSet()
	m := newModule(fset, goList.importer(fset, nil))
	for _, p := range goList.own { // in the order of imports
		var files []*ast.File
		for _, f := range p.GoFiles {
			file, err := parser.ParseFile(fset, filepath.Join(p.Dir, f), nil, 0)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, file)
		}
		if pkg, _ := relative(p.ImportPath); strings.HasPrefix(pkg, "bench") || pkg == "internal/reader/gen" { // not of the program
			continue
		}
		if err := m.add(p.ImportPath, files); err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range m.foreign(sinks) {
		t.Error(s)
	}
	t.Run("terminal", func(t *testing.T) {
		for _, s := range m.onTerminal() {
			t.Error(s)
		}
	})
}

// TestForeignStringsCatch shows that the test finds a foreign string on each way to
// a sink, and passes what is safe. The snippets are a package "tool" of their own,
// with the sink E.Message.
func TestForeignStringsCatch(t *testing.T) {
	goList := listPackages(t)
	const head = `package tool
import ("bufio"; "bytes"; "context"; "encoding/json"; "errors"; "fmt"; "io"; "log/slog"; "net/http"; "os"; "strings"; "text/template"; "time")
type E struct{ Message string }
type page struct{ title, own string }
type model interface{ answer(s string) string }
func safe(string) string { return "" } // in the table of writers
var _, _, _, _, _ = json.Marshal, fmt.Sprint, os.Getenv, strings.Join, time.Now
var _, _, _, _, _ = errors.New, bufio.NewWriter, bytes.NewReader, context.Background, io.Copy
var _ = template.New
var _ slog.Level
var _ http.Handler
`
	for _, c := range []struct {
		name, src string
		found     bool
	}{
		{"a literal", `func f() E { return E{os.Getenv("x")} }`, true},
		{"a named field", `func f() E { return E{Message: os.Getenv("x")} }`, true},
		{"an assignment", `func f(e *E) { e.Message = os.Getenv("x") }`, true},
		{"appended", `func f(e *E) { e.Message += os.Getenv("x") }`, true},
		{"a part of a sum", `func f() E { return E{"a " + os.Getenv("x") + "."} }`, true},
		{"formatted", `func f() E { return E{fmt.Sprintf("%d %q", 1, os.Getenv("x"))} }`, true},
		{"through a variable", `func f() E { s := ""; s = os.Getenv("x"); return E{s} }`, true},
		{"through a parameter", `func g(s string) E { return E{s} }; func f() E { return g(os.Getenv("x")) }`, true},
		{"through variadic parameters", `func g(s ...any) E { return E{fmt.Sprint(s...)} }; func f() E { return g(1, os.Getenv("x")) }`, true},
		{"through a result", `func g() (int, string) { return 1, os.Getenv("x") }; func f() E { _, s := g(); return E{s} }`, true},
		{"through a named result", `func g() (s string) { s = os.Getenv("x"); return }; func f() E { return E{g()} }`, true},
		{"through a function that passes it on", `func g(s string) string { return "a" + s }; func f() E { return E{g(os.Getenv("x"))} }`, true},
		{"through a field", `func g(p *page) { p.title = os.Getenv("x") }; func f(p page) E { return E{p.title} }`, true},
		{"through a builder", `func f() E { var b strings.Builder; b.WriteString(os.Getenv("x")); return E{b.String()} }`, true},
		{"printed into a builder", `func f() E { var b strings.Builder; fmt.Fprintf(&b, "%s", os.Getenv("x")); return E{b.String()} }`, true},
		{"through a list", `func f() E { l := []string{"a"}; l = append(l, os.Getenv("x")); return E{strings.Join(l, ",")} }`, true},
		{"through a map", `func f() E { m := map[string]string{}; m["a"] = os.Getenv("x"); return E{m["b"]} }`, true},
		{"through range", `func f() E { e := E{}; for _, s := range os.Environ() { e.Message = s }; return e }`, true},
		{"through a closure", `func f() E { g := func(s string) string { return s }; return E{g(os.Getenv("x"))} }`, true},
		{"through an interface of ours", `type m struct{}; func (m) answer(s string) string { return s }; func f(x model) E { return E{x.answer(os.Getenv("x"))} }`, true},
		{"through a type of ours", `type word string; func f() E { w := word(os.Getenv("x")); return E{string(w)} }`, true},
		{"through a method String", `type w struct{ s string }; func (w w) String() string { return os.Getenv("x") }; func f(x w) E { return E{fmt.Sprint(x)} }`, true},
		{"the text of an error", `func f(err error) E { return E{err.Error()} }`, true},
		{"a formatted error", `func f(err error) E { return E{fmt.Sprintf("%v", err)} }`, true},
		{"decoded", `func f(b []byte) E { var p struct{ T string }; _ = json.Unmarshal(b, &p); return E{p.T} }`, true},
		{"decoded by a generic function", `type d struct{ T string }; func g[T any](b []byte) T { var v T; _ = json.Unmarshal(b, &v); return v }; func f(b []byte) E { return E{g[d](b).T} }`, true},
		{"a parameter that nobody shows", `func f(s string) E { return E{s} }`, true},
		{"a type assertion", `func f(v any) E { return E{v.(string)} }`, true},
		{"a struct that is printed", `func f(p page) E { p.title = os.Getenv("x"); return E{fmt.Sprint(p)} }`, true},
		{"a pointer to a struct that is printed", `func f() E { p := &page{title: os.Getenv("x")}; return E{fmt.Sprintf("%+v", p)} }`, true},
		{"a list of structs that is printed", `func f() E { return E{fmt.Sprint([]page{{title: os.Getenv("x")}})} }`, true},
		{"a struct in an interface", `func f() E { var v any = page{title: os.Getenv("x")}; return E{fmt.Sprint(v)} }`, true},
		{"a struct within a struct", `type book struct{ first page }; func f() E { b := book{}; b.first.title = os.Getenv("x"); return E{fmt.Sprint(b)} }`, true},
		{"a method Format", `type w struct{}; func (w) Format(s fmt.State, _ rune) { io.WriteString(s, os.Getenv("x")) }; func f() E { return E{fmt.Sprint(w{})} }`, true},
		{"a method GoString", `type w struct{}; func (w) GoString() string { return os.Getenv("x") }; func f() E { return E{fmt.Sprintf("%#v", w{})} }`, true},
		{"io.WriteString into a builder", `func f() E { var b strings.Builder; io.WriteString(&b, os.Getenv("x")); return E{b.String()} }`, true},
		{"a template into a builder", `func f() E { var b strings.Builder; _ = template.Must(template.New("").Parse("{{.}}")).Execute(&b, os.Getenv("x")); return E{b.String()} }`, true},
		{"an encoder into a builder", `func f() E { var b strings.Builder; _ = json.NewEncoder(&b).Encode(os.Getenv("x")); return E{b.String()} }`, true},
		{"a copy into a builder", `func f() E { var b strings.Builder; io.Copy(&b, strings.NewReader(os.Getenv("x"))); return E{b.String()} }`, true},
		{"a buffer that reads", `func f() E { var b bytes.Buffer; b.ReadFrom(strings.NewReader(os.Getenv("x"))); return E{b.String()} }`, true},
		{"a writer around a builder", `func f() E { var b strings.Builder; w := bufio.NewWriter(&b); w.WriteString(os.Getenv("x")); w.Flush(); return E{b.String()} }`, true},
		{"a builder as a writer", `func f() E { var b strings.Builder; var w io.Writer = &b; fmt.Fprint(w, os.Getenv("x")); return E{b.String()} }`, true},
		{"a builder as a parameter that writes", `func g(w io.Writer) { fmt.Fprint(w, os.Getenv("x")) }; func f() E { var b strings.Builder; g(&b); return E{b.String()} }`, true},
		{"an embedded builder", `type w struct{ strings.Builder }; func f() E { var x w; x.WriteString(os.Getenv("x")); return E{x.String()} }`, true},
		{"printed into an embedded builder", `type w struct{ strings.Builder }; func f() E { var x w; fmt.Fprint(&x, os.Getenv("x")); return E{x.String()} }`, true},
		{"copied bytes", `func f() E { b := make([]byte, 9); copy(b, os.Getenv("x")); return E{string(b)} }`, true},
		{"a replacer", `func f() E { r := strings.NewReplacer("a", os.Getenv("x")); return E{r.Replace("a")} }`, true},
		{"through a pointer", `func f(e *E) { p := &e.Message; *p = os.Getenv("x") }`, true},
		{"through a pointer that is passed", `func g(p *string) { *p = os.Getenv("x") }; func f(e *E) { g(&e.Message) }`, true},
		{"through the pointer to a variable", `func f() E { s := ""; p := &s; *p = os.Getenv("x"); return E{s} }`, true},
		{"a converted struct", `type other struct{ Message string }; func f() E { o := other{os.Getenv("x")}; return E(o) }`, true},
		{"decoded into the sink", `func f(b []byte) (e E) { _ = json.Unmarshal(b, &e); return e }`, true},
		{"what a panic had", `func f() (e E) { defer func() { e.Message = fmt.Sprint(recover()) }(); return e }`, true},
		{"an interface that is an error", `func f(err error) E { var n interface { error; Timeout() bool }; _ = errors.As(err, &n); return E{n.Error()} }`, true},
		{"joined errors", `func f(err error) E { return E{errors.Join(err).Error()} }`, true},
		{"wrapped errors", `func f(err error) E { return E{fmt.Errorf("a: %w", err).Error()} }`, true},
		{"through a channel", `func f() E { c := make(chan string, 1); c <- os.Getenv("x"); return E{<-c} }`, true},
		{"through a method value", `func (p page) get() string { return os.Getenv("x") }; func f(p page) E { g := p.get; return E{g()} }`, true},
		{"through a function in a map", `func f() E { m := map[int]func() string{1: func() string { return os.Getenv("x") }}; return E{m[1]()} }`, true},
		{"through a function in a field", `type h struct{ g func() string }; func f() E { x := h{func() string { return os.Getenv("x") }}; return E{x.g()} }`, true},
		{"through a generic struct", `type box[T any] struct{ v T }; func f() E { b := box[string]{os.Getenv("x")}; return E{b.v} }`, true},
		{"through an embedded struct", `type big struct{ E }; func f() (b big) { b.Message = os.Getenv("x"); return b }`, true},
		{"through an outer variable of a goroutine", `func f() E { s := ""; d := make(chan bool); go func() { s = os.Getenv("x"); close(d) }(); <-d; return E{s} }`, true},
		{"through an iterator", `func g(yield func(string) bool) { yield(os.Getenv("x")) }; func f() (e E) { for s := range g { e.Message = s }; return e }`, true},
		{"answered as an error of HTTP", `func f(w http.ResponseWriter) { http.Error(w, os.Getenv("x"), 400) }`, true},
		{"logged", `func f(l *slog.Logger) { l.Info("a", "b", os.Getenv("x")) }`, true},
		{"logged as an attribute", `func f(l *slog.Logger) { l.LogAttrs(context.Background(), slog.LevelInfo, "a", slog.String("b", os.Getenv("x"))) }`, true},

		{"the key of a map", `func f() (e E) { m := map[string]bool{}; m[os.Getenv("x")] = true; for k := range m { e.Message = k }; return e }`, true},
		{"the key of a map in a literal", `func f() (e E) { m := map[string]bool{os.Getenv("x"): true}; for k := range m { e.Message = k }; return e }`, true},
		{"a loop over a channel", `func f() (e E) { c := make(chan string, 1); c <- os.Getenv("x"); close(c); for s := range c { e.Message = s }; return e }`, true},
		{"a loop that assigns to the sink", `func f() (e E) { for _, e.Message = range os.Environ() {}; return e }`, true},
		{"a received value in a select", `func f() (e E) { c := make(chan string, 1); c <- os.Getenv("x"); select { case e.Message = <-c: }; return e }`, true},
		{"a method expression", `func (p page) with(s string) string { return p.own + s }; func f() E { return E{page.with(page{}, os.Getenv("x"))} }`, true},
		{"the receiver of a method expression", `type w string; func (w w) own() string { return string(w) }; func f() E { return E{w.own(w(os.Getenv("x")))} }`, true},
		{"a method expression in a variable", `func (p page) with(s string) string { return p.own + s }; func f() E { g := page.with; return E{g(page{}, os.Getenv("x"))} }`, true},
		{"a method value with an argument", `func (p page) with(s string) string { return p.own + s }; func f() E { g := page{}.with; return E{g(os.Getenv("x"))} }`, true},
		{"a struct without a name", `func f() E { var e E = struct{ Message string }{os.Getenv("x")}; return e }`, true},
		{"a struct without a name that is returned", `func f() E { return struct{ Message string }{os.Getenv("x")} }`, true},
		{"a struct without a name that is passed", `func g(e E) {}; func f() { g(struct{ Message string }{os.Getenv("x")}) }`, true},
		{"a converted list", `type other struct{ Message string }; type l []E; func f() l { o := []struct{ Message string }{{os.Getenv("x")}}; return l{E(o[0])} }`, true},
		{"an allocated value", `func f() E { p := new(os.Getenv("x")); return E{*p} }`, true},
		{"an allocated sink", `func f() *E { p := new(E); p.Message = os.Getenv("x"); return p }`, true},
		{"a switch on a type", `func f(v any) (e E) { switch v := v.(type) { case string: e.Message = v }; return e }`, true},
		{"a value of a constraint", `func g[T ~string](s T) E { return E{string(s)} }; func f() E { return g(os.Getenv("x")) }`, true},
		{"a method of a constraint", `type sayer interface{ say() string }; type w struct{}; func (w) say() string { return os.Getenv("x") }; func g[T sayer](s T) E { return E{s.say()} }; func f() E { return g(w{}) }`, true},
		{"a generic method", `type box[T any] struct{ v T }; func (b *box[T]) set(v T) { b.v = v }; func f() E { var b box[string]; b.set(os.Getenv("x")); return E{b.v} }`, true},
		{"an explicit instance", `func g[T any](v T) T { return v }; func f() E { return E{g[string](os.Getenv("x"))} }`, true},
		{"an instance in a variable", `func g[T any](v T) T { return v }; func f() E { h := g[string]; return E{h(os.Getenv("x"))} }`, true},
		{"deferred", `func f() (e E) { defer func(s string) { e.Message = s }(os.Getenv("x")); return e }`, true},
		{"a goroutine with an argument", `func f(e *E) { go func(s string) { e.Message = s }(os.Getenv("x")) }`, true},
		{"a callback", `func g(put func(string)) { put(os.Getenv("x")) }; func f() (e E) { g(func(s string) { e.Message = s }); return e }`, true},
		{"a callback in a field", `type h struct{ put func(string) }; func (x h) run() { x.put(os.Getenv("x")) }; func f() (e E) { x := h{func(s string) { e.Message = s }}; x.run(); return e }`, true},
		{"a callback that is a method", `type h struct{ e E }; func (x *h) put(s string) { x.e.Message = s }; func g(put func(string)) { put(os.Getenv("x")) }; func f() E { x := h{}; g(x.put); return x.e }`, true},
		{"a function that returns a function", `func g() func(string) string { return func(s string) string { return s } }; func f() E { return E{g()(os.Getenv("x"))} }`, true},
		{"an iterator of pairs", `func g(yield func(int, string) bool) { yield(1, os.Getenv("x")) }; func f() (e E) { for _, s := range g { e.Message = s }; return e }`, true},
		{"an iterator that is made", `func g() func(func(string) bool) { return func(yield func(string) bool) { yield(os.Getenv("x")) } }; func f() (e E) { for s := range g() { e.Message = s }; return e }`, true},
		{"a bytes slice that is grown", `func f() E { var b []byte; b = append(b, os.Getenv("x")...); return E{string(b)} }`, true},
		{"formatted bytes", `func f() E { return E{string(fmt.Appendf(nil, "%s", os.Getenv("x")))} }`, true},
		{"runes", `func f() E { var r []rune; for _, c := range os.Getenv("x") { r = append(r, c) }; return E{string(r)} }`, true},
		{"bytes one by one", `func f() E { var b []byte; s := os.Getenv("x"); for i := range len(s) { b = append(b, s[i]) }; return E{string(b)} }`, true},
		{"a byte of a list", `func f() E { b := make([]byte, 1); b[0] = os.Getenv("x")[0]; return E{string(b)} }`, true},
		{"a rune in a builder", `func f() E { var b strings.Builder; for _, c := range os.Getenv("x") { b.WriteRune(c) }; return E{b.String()} }`, true},
		{"an array", `func f() E { var a [2]string; a[0] = os.Getenv("x"); return E{a[0]} }`, true},
		{"a pointer in a struct", `type h struct{ p *string }; func f() E { s := os.Getenv("x"); x := h{&s}; return E{*x.p} }`, true},
		{"a pointer to a sink in a struct", `type h struct{ p *string }; func f() (e E) { x := h{&e.Message}; *x.p = os.Getenv("x"); return e }`, true},
		{"a list of pointers", `func f() (e E) { for _, p := range []*string{&e.Message} { *p = os.Getenv("x") }; return e }`, true},
		{"a pointer in a map", `func f() (e E) { m := map[int]*string{1: &e.Message}; *m[1] = os.Getenv("x"); return e }`, true},
		{"a pointer from a function", `func g(e *E) *string { return &e.Message }; func f() (e E) { *g(&e) = os.Getenv("x"); return e }`, true},
		{"a struct copied by its pointer", `type other struct{ e *E }; func f(o other) { *o.e = E{os.Getenv("x")} }`, true},
		{"scanned", `func f() (e E) { fmt.Sscan(os.Getenv("x"), &e.Message); return e }`, true},
		{"read into a slice", `func f(r io.Reader) E { b := make([]byte, 9); n, _ := r.Read(b); return E{string(b[:n])} }`, true},
		{"read in full", `func f(r io.Reader) E { b := make([]byte, 9); io.ReadFull(r, b); return E{string(b)} }`, true},
		{"read into an array", `func f(r io.Reader) E { var b [9]byte; r.Read(b[:]); return E{string(b[:])} }`, true},
		{"a scanner", `func f(r io.Reader) (e E) { s := bufio.NewScanner(r); for s.Scan() { e.Message = s.Text() }; return e }`, true},
		{"a value of a context", `func f(ctx context.Context) E { s, _ := ctx.Value(1).(string); return E{s} }`, true},
		{"the cause of a context", `func f(ctx context.Context) E { return E{fmt.Sprint(context.Cause(ctx))} }`, true},
		{"marshalled", `func f() E { b, _ := json.Marshal(page{title: os.Getenv("x")}); return E{string(b)} }`, true},
		{"marshalled by the method of a type", `type w struct{}; func (w) MarshalText() ([]byte, error) { return []byte(os.Getenv("x")), nil }; func f() E { b, _ := json.Marshal(w{}); return E{string(b)} }`, true},
		{"logged with a context", `func f(l *slog.Logger) { l.InfoContext(context.Background(), "a", "b", os.Getenv("x")) }`, true},
		{"logged as an error with a context", `func f() { slog.ErrorContext(context.Background(), os.Getenv("x")) }`, true},
		{"logged as a literal attribute", `func f(l *slog.Logger) { l.LogAttrs(context.Background(), slog.LevelInfo, "a", slog.Attr{Key: "b", Value: slog.StringValue(os.Getenv("x"))}) }`, true},
		{"logged as a key", `func f(l *slog.Logger) { l.LogAttrs(context.Background(), slog.LevelInfo, "a", slog.Int(os.Getenv("x"), 1)) }`, true},
		{"logged in a group", `func f(l *slog.Logger) { l.WithGroup(os.Getenv("x")).Info("a") }`, true},
		{"logged by a method of a type", `type w struct{}; func (w) LogValue() slog.Value { return slog.StringValue(os.Getenv("x")) }; func f(l *slog.Logger) { l.Info("a", "b", w{}) }`, true},
		{"logged by a function in a variable", `func f() { g := slog.Info; g(os.Getenv("x")) }`, true},
		{"in a header", `func f(w http.ResponseWriter) { w.Header().Set("a", os.Getenv("x")) }`, true},
		{"in a header that is added", `func f(w http.ResponseWriter) { w.Header().Add("a", os.Getenv("x")) }`, true},
		{"in a header by its map", `func f(w http.ResponseWriter) { w.Header()["a"] = []string{os.Getenv("x")} }`, true},
		{"in a header by a variable", `func f(w http.ResponseWriter) { h := w.Header(); h.Set("a", os.Getenv("x")) }`, true},
		{"a redirect", `func f(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, os.Getenv("x"), 302) }`, true},

		{"a constant", `const c = "x"; func f() E { return E{"a" + c} }`, false},
		{"a number", `func f(n int, d time.Duration) E { return E{fmt.Sprintf("%d %s", n, d)} }`, false},
		{"the writer", `func f() E { return E{"a " + safe(os.Getenv("x"))} }`, false},
		{"a variable that is written", `func f() E { s := safe(os.Getenv("x")); return E{s} }`, false},
		{"constants through a parameter", `func g(s string) E { return E{s} }; func f() E { return g("a") }`, false},
		{"a function that passes a constant on, and elsewhere a foreign string", `func g(s string) string { return s }; func f() E { return E{g("a")} }; func h() string { return g(os.Getenv("x")) }`, false},
		{"another field", `func f(p page) E { p.title = os.Getenv("x"); p.own = "a"; return E{p.own} }`, false},
		{"another result", `func g() (string, string) { return os.Getenv("x"), "a" }; func f() E { _, s := g(); return E{s} }`, false},
		{"a choice of constants", `func g(n int) string { switch n { case 1: return "a" }; return "b" }; func f() E { return E{g(2)} }`, false},
		{"a struct of our own words that is printed", `func f(p page) E { p.own = "a"; p.title = safe(os.Getenv("x")); return E{fmt.Sprint(p)} }`, false},
		{"a pointer to what is written", `func f(e *E) { p := &e.Message; *p = safe(os.Getenv("x")) }`, false},
		{"a logged constant", `func f(l *slog.Logger) { l.Info("a", "b", 1, "c", safe(os.Getenv("x"))) }`, false},
		{"a builder that is written to", `func f() E { var b strings.Builder; var w io.Writer = &b; fmt.Fprint(w, safe(os.Getenv("x"))); io.WriteString(&b, "a"); return E{b.String()} }`, false},
		{"recursion", `func g(n int) string { if n == 0 { return "a" }; return "b" + g(n-1) }; func f() E { return E{g(2)} }`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := snippet(t, goList, "snippet", head+c.src)
			found := m.foreign([]string{"snippet.E.Message"})
			if len(found) > 0 != c.found {
				t.Errorf("found %q", found)
			}
		})
	}
}

// TestForeignStringsCatchOnScreen shows the same for what the command prints.
func TestForeignStringsCatchOnScreen(t *testing.T) {
	goList := listPackages(t)
	const head = `package main
import ("bufio"; "bytes"; "encoding/json"; "fmt"; "io"; "os"; "text/template")
type page struct{ title string }
type session struct{ stdout *bufio.Writer; stderr io.Writer }
func printable(string) string { return "" } // in the table of writers
var _, _, _, _ = json.Marshal, template.New, bytes.NewBuffer, fmt.Sprint
var _ os.Signal
var _ io.Writer
`
	for _, c := range []struct {
		name, src string
		found     bool
	}{
		{"printed", `func f(s session) { fmt.Fprintln(s.stdout, os.Getenv("x")) }`, true},
		{"printed to stderr", `func f(s session) { fmt.Fprintf(s.stderr, "%s", os.Getenv("x")) }`, true},
		{"printed without a writer", `func f() { fmt.Println(os.Getenv("x")) }`, true},
		{"printed to the process's stderr", `func f() { fmt.Fprintln(os.Stderr, os.Getenv("x")) }`, true},
		{"a struct that is printed", `func f(s session) { fmt.Fprintln(s.stdout, page{os.Getenv("x")}) }`, true},
		{"written", `func f(s session) { s.stdout.WriteString(os.Getenv("x")) }`, true},
		{"io.WriteString", `func f(s session) { io.WriteString(s.stdout, os.Getenv("x")) }`, true},
		{"copied", `func f(s session, r io.Reader) { io.Copy(s.stdout, r) }`, true},
		{"encoded", `func f(s session) { json.NewEncoder(s.stdout).Encode(os.Getenv("x")) }`, true},
		{"a struct that is encoded", `func f(s session) { e := json.NewEncoder(s.stdout); e.Encode(&page{os.Getenv("x")}) }`, true},
		{"a template", `func f(s session, t *template.Template) { t.Execute(s.stdout, os.Getenv("x")) }`, true},
		{"a buffer that writes itself", `func f(s session) { var b bytes.Buffer; b.WriteString(os.Getenv("x")); b.WriteTo(s.stdout) }`, true},
		{"through a parameter", `func g(w io.Writer) { fmt.Fprint(w, os.Getenv("x")) }; func f(s session) { g(s.stdout) }`, true},
		{"through a field", `type list struct{ w io.Writer }; func (l list) put() { fmt.Fprint(l.w, os.Getenv("x")) }; func f(s session) { list{s.stdout}.put() }`, true},
		{"through a writer of ours around it", `type lines struct{ to io.Writer }; func (l lines) Write(p []byte) (int, error) { return l.to.Write(p) }; func f(s session) { w := lines{s.stderr}; fmt.Fprint(w, os.Getenv("x")) }`, true},
		{"what a writer of ours passes on", `type lines struct{ to io.Writer }; func (l lines) Write(p []byte) (int, error) { return l.to.Write(p) }; func f(s session) { w := lines{s.stderr}; fmt.Fprint(w, "a", printable(os.Getenv("x"))) }`, false},
		{"through a writer around it", `func f(s session) { w := bufio.NewWriter(s.stderr); w.WriteString(os.Getenv("x")) }`, true},

		{"the writer", `func f(s session) { fmt.Fprintln(s.stdout, printable(os.Getenv("x"))) }`, false},
		{"a file", `func f(w *os.File) { fmt.Fprintln(w, os.Getenv("x")) }`, false},
		{"a buffer", `func f(s session) { var b bytes.Buffer; fmt.Fprint(&b, os.Getenv("x")); s.stdout.WriteString(printable(b.String())) }`, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := snippet(t, goList, "cmd/spyhop", head+c.src)
			m.foreign(nil)
			if found := m.onTerminal(); len(found) > 0 != c.found {
				t.Errorf("found %q", found)
			}
		})
	}
}

// snippet is a module that is one package of one file.
func snippet(t *testing.T, goList packageList, pkg, src string) *module {
	t.Helper()
	fset := token.NewFileSet()
	m := newModule(fset, goList.importer(fset, nil))
	file, err := parser.ParseFile(fset, "snippet.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.add(modulePath+"/"+pkg, []*ast.File{file}); err != nil {
		t.Fatal(err)
	}
	return m
}

// module is the syntax and the types of all packages, and what flows where.
type module struct {
	fset  *token.FileSet
	other types.Importer
	own   map[string]*types.Package
	info  *types.Info
	files []*ast.File

	into     map[types.Object][]flow // by variable, parameter or field
	returns  map[types.Object][]flow // by function; flow.result says which result
	literals map[*ast.FuncLit][]flow
	taken    map[types.Object]bool      // functions used as values
	decoded  map[types.Object]token.Pos // variables, fields and type parameters that other modules fill, and where
	methods  map[string][]*types.Func
	isAPI    map[types.Object]bool // parameters that other programs pass
	passedOn map[types.Object]bool // parameters of writers: what is written into one is followed where it is written
	dynamic  []dynamicCall
	sunk     []flow                  // arguments of sinkCalls
	shown    []shown                 // what is written into writers
	yields   map[types.Object][]flow // what is passed to a function in a parameter
}

// dynamicCall is a call of a method of an interface of ours.
type dynamicCall struct {
	call   *ast.CallExpr
	method *types.Func
}

// public are the packages that other programs call. What they pass is theirs.
var public = []string{modulePath, "tool", "llm", "result"}

// flow is a value that flows somewhere: the n-th result of an expression, or a
// variable.
type flow struct {
	expr   ast.Expr
	result int
	from   types.Object
	pos    token.Pos
	call   *ast.CallExpr // of fmt.Fprintf and kin: all that it writes
	whole  bool          // all fields of what is written, as fmt, JSON and templates do
	// argument marks what a call passes to a parameter.
	argument bool
	// asked is the duty in which the walk came to a field or a parameter that this
	// value flows to, at the place why; nil for what flows to a sink.
	asked *flow
	why   token.Pos
}

func newModule(fset *token.FileSet, other types.Importer) *module {
	return &module{fset: fset, other: other, own: map[string]*types.Package{},
		info: &types.Info{Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{}, Types: map[ast.Expr]types.TypeAndValue{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Instances: map[*ast.Ident]types.Instance{}, Implicits: map[ast.Node]types.Object{}},
		into: map[types.Object][]flow{}, returns: map[types.Object][]flow{}, literals: map[*ast.FuncLit][]flow{},
		taken: map[types.Object]bool{}, decoded: map[types.Object]token.Pos{}, methods: map[string][]*types.Func{}, isAPI: map[types.Object]bool{}, yields: map[types.Object][]flow{}, passedOn: map[types.Object]bool{}}
}

// Import gives the packages of the module their one identity.
func (m *module) Import(path string) (*types.Package, error) {
	if p := m.own[path]; p != nil {
		return p, nil
	}
	return m.other.Import(path)
}

func (m *module) add(path string, files []*ast.File) error {
	conf := types.Config{Importer: m}
	p, err := conf.Check(path, m.fset, files, m.info)
	if err != nil {
		return err
	}
	m.own[path] = p
	m.files = append(m.files, files...)
	return nil
}

// foreign returns the findings for some sinks, sorted.
func (m *module) foreign(sinks []string) []string {
	for _, f := range m.files {
		m.collect(f)
	}
	for _, d := range m.dynamic {
		for _, fn := range m.methodsOf(d.method) {
			for i, a := range d.call.Args {
				if n := fn.Signature().Params().Len(); n > 0 {
					m.bind(fn.Signature().Params().At(min(i, n-1)), a)
				}
			}
		}
	}
	m.spreadDecoded()
	w := m.newWalk(sinks)
	for sink := range w.sinks {
		w.ask(sink, token.NoPos)
		if m.decoded[sink].IsValid() && !m.isOwnData(m.decoded[sink]) {
			w.duty = flow{pos: sink.Pos()}
			w.report(m.decoded[sink], "%s, which is decoded,", w.sinks[sink])
		}
	}
	for _, f := range m.sunk {
		w.owe(f)
	}
	return w.walk()
}

func (m *module) newWalk(sinks []string) *walk {
	return &walk{module: m, sinks: m.fields(sinks), safe: m.fields(slices.Collect(maps.Keys(trusted))), asked: map[types.Object]bool{}, frames: map[frame]*frame{}}
}

// walk follows all duties, and returns the findings, sorted.
func (w *walk) walk() []string {
	for len(w.duties) > 0 {
		w.duty, w.duties = w.duties[0], w.duties[1:]
		w.seen = map[any]bool{}
		w.flow(w.duty, nil)
	}
	slices.Sort(w.out)
	return slices.Compact(w.out)
}

// collect notes what flows where in a file.
func (m *module) collect(f *ast.File) {
	var stack []ast.Node
	ast.Inspect(f, func(n ast.Node) bool {
		if n == nil {
			stack = stack[:len(stack)-1]
			return false
		}
		stack = append(stack, n)
		switch n := n.(type) {
		case *ast.AssignStmt:
			m.assign(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			var names []ast.Expr
			for _, id := range n.Names {
				names = append(names, id)
			}
			m.assign(names, n.Values)
		case *ast.IncDecStmt:
			m.key(n.X)
		case *ast.RangeStmt:
			for i, e := range []ast.Expr{n.Key, n.Value} {
				if e != nil && (i == 1 || !countsKeys(m.under(n.X))) {
					m.flowTo(e, flow{expr: n.X, pos: n.X.Pos()})
				}
			}
		case *ast.TypeSwitchStmt:
			m.typeSwitch(n)
		case *ast.CompositeLit:
			m.literal(n)
		case *ast.CallExpr:
			m.call(n)
		case *ast.ReturnStmt:
			m.returned(n, stack)
		case *ast.SendStmt:
			m.flowTo(n.Chan, flow{expr: n.Value, pos: n.Value.Pos()})
		case *ast.Ident:
			if fn, ok := m.info.Uses[n].(*types.Func); ok && !called(stack) {
				m.taken[fn.Origin()] = true
				m.sinkTaken(fn, n.Pos())
			}
		case *ast.FuncDecl:
			if fn, ok := m.info.Defs[n.Name].(*types.Func); ok {
				if p := shortPath(fn.Pkg().Path()); fn.Exported() && slices.Contains(public, p) || trusted[shortPath(nameOf(fn))] != "" {
					for i := range fn.Signature().Params().Len() {
						m.isAPI[fn.Signature().Params().At(i)] = true
					}
				}
				if fn.Signature().Recv() != nil && fn.Name() == "Write" && fn.Signature().Params().Len() == 1 {
					m.passedOn[fn.Signature().Params().At(0)] = true
				}
				if fn.Signature().Recv() != nil {
					m.methods[fn.Name()] = append(m.methods[fn.Name()], fn)
				}
				m.named(fn, fn.Signature())
			}
		}
		return true
	})
}

// called reports whether the identifier at the top of the stack is what a call
// calls.
func called(stack []ast.Node) bool {
	inner := stack[len(stack)-1]
	for i := len(stack) - 2; i >= 0; i-- {
		switch n := stack[i].(type) {
		case *ast.SelectorExpr:
			if n.Sel != inner {
				return false
			}
		case *ast.IndexExpr:
			if n.X != inner {
				return false
			}
		case *ast.IndexListExpr, *ast.ParenExpr:
		case *ast.CallExpr:
			return n.Fun == inner
		default:
			return false
		}
		inner = stack[i]
	}
	return false
}

// named results flow to the results of their function.
func (m *module) named(fn types.Object, s *types.Signature) {
	for i := range s.Results().Len() {
		if v := s.Results().At(i); v.Name() != "" && v.Name() != "_" {
			m.returns[fn] = append(m.returns[fn], flow{from: v, result: i, pos: v.Pos()})
		}
	}
}

func (m *module) assign(left, right []ast.Expr) {
	for i, l := range left {
		switch {
		case len(left) == len(right):
			m.flowTo(l, flow{expr: right[i], pos: right[i].Pos()})
		case len(right) == 1:
			m.flowTo(l, flow{expr: right[0], result: i, pos: right[0].Pos()})
		}
	}
}

// flowTo notes that a value flows to what an expression names. What goes where the test
// cannot follow it, through a pointer that a function returns, has to be safe there.
func (m *module) flowTo(to ast.Expr, f flow) {
	m.key(to)
	if f.expr != nil {
		m.converted(m.info.TypeOf(to), m.info.TypeOf(f.expr), f.pos)
	}
	obj := m.base(to)
	if id, ok := to.(*ast.Ident); ok && id.Name == "_" {
		return
	} else if obj == nil {
		m.sunk = append(m.sunk, f)
		return
	}
	m.into[obj] = append(m.into[obj], f)
	m.alias(f.expr, obj, f.pos)
}

// key notes that the key of an element of a map is in the map.
func (m *module) key(e ast.Expr) {
	i, ok := ast.Unparen(e).(*ast.IndexExpr)
	if !ok {
		return
	}
	if _, isMap := m.under(i.X).(*types.Map); isMap {
		m.flowTo(i.X, flow{expr: i.Index, pos: i.Index.Pos()})
	}
}

// alias notes that what is written through a variable changes another one, whose address
// or buffer it has.
func (m *module) alias(e ast.Expr, by types.Object, pos token.Pos) {
	for _, x := range m.pointees(e) {
		if x != by {
			m.into[x] = append(m.into[x], flow{from: by, pos: pos})
		}
	}
}

// base is the variable or field that an expression names or is a part of.
func (m *module) base(e ast.Expr) types.Object {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return origin(cmp.Or(m.info.Defs[e], m.info.Uses[e]))
	case *ast.SelectorExpr:
		return origin(m.info.Uses[e.Sel])
	case *ast.IndexExpr:
		return m.base(e.X)
	case *ast.SliceExpr:
		return m.base(e.X)
	case *ast.StarExpr:
		return m.base(e.X)
	case *ast.UnaryExpr:
		return m.base(e.X)
	}
	return nil
}

// origin is the variable or function that an instance of a generic one is of.
func origin(obj types.Object) types.Object {
	switch o := obj.(type) {
	case *types.Var:
		return o.Origin()
	case *types.Func:
		return o.Origin()
	case nil:
		return nil
	}
	return obj
}

func (m *module) under(e ast.Expr) types.Type {
	if t := m.info.TypeOf(e); t != nil {
		return t.Underlying()
	}
	return types.Typ[types.Invalid]
}

// countsKeys reports whether the first variable of a loop over a value is a number.
func countsKeys(t types.Type) bool {
	switch t.(type) {
	case *types.Map, *types.Chan, *types.Signature:
		return false
	}
	return true
}

func isFunc(t types.Type) bool { _, ok := t.(*types.Signature); return ok }

func (m *module) typeSwitch(n *ast.TypeSwitchStmt) {
	a, ok := n.Assign.(*ast.AssignStmt)
	if !ok {
		return
	}
	of := ast.Unparen(a.Rhs[0]).(*ast.TypeAssertExpr) // x.(type), which has no type of its own
	for _, c := range n.Body.List {
		if obj := m.info.Implicits[c]; obj != nil {
			m.into[obj] = append(m.into[obj], flow{expr: of.X, pos: a.Pos()})
			m.alias(of.X, obj, a.Pos())
		}
	}
}

func (m *module) literal(n *ast.CompositeLit) {
	s, ok := m.under(n).(*types.Struct)
	if !ok {
		if p, isPointer := m.under(n).(*types.Pointer); isPointer {
			s, ok = p.Elem().Underlying().(*types.Struct)
		}
	}
	if !ok {
		return
	}
	for i, e := range n.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			m.flowTo(kv.Key, flow{expr: kv.Value, pos: kv.Value.Pos()})
		} else if i < s.NumFields() {
			f := s.Field(i).Origin()
			m.into[f] = append(m.into[f], flow{expr: e, pos: e.Pos()})
			m.converted(f.Type(), m.info.TypeOf(e), e.Pos())
			m.alias(e, f, e.Pos())
		}
	}
}

// callee is the function or variable that a call calls; nil for a conversion, a
// builtin and an expression.
func (m *module) callee(c *ast.CallExpr) types.Object {
	fun := ast.Unparen(c.Fun)
	switch x := fun.(type) {
	case *ast.IndexExpr:
		fun = x.X
	case *ast.IndexListExpr:
		fun = x.X
	}
	return m.base(fun)
}

func (m *module) call(c *ast.CallExpr) {
	obj := m.callee(c)
	fn, _ := obj.(*types.Func)
	own := fn != nil && m.isOwn(fn)
	if fn != nil {
		m.written(c, fn)
		m.sinkCall(c, fn)
		m.showCall(c, fn)
	}
	if tv := m.info.Types[c.Fun]; tv.IsType() && len(c.Args) == 1 {
		m.converted(tv.Type, m.info.TypeOf(c.Args[0]), c.Pos())
	} else if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && tv.IsBuiltin() && id.Name == "copy" {
		m.flowTo(c.Args[0], flow{expr: c.Args[1], pos: c.Pos()})
	}
	if v, ok := obj.(*types.Var); ok {
		for _, a := range c.Args {
			m.yields[v] = append(m.yields[v], flow{expr: a, pos: a.Pos()})
		}
	}
	var s *types.Signature
	switch {
	case own:
		s = fn.Signature()
		if s.Recv() != nil && types.IsInterface(s.Recv().Type()) {
			m.dynamic = append(m.dynamic, dynamicCall{c, fn})
		}
		if sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr); ok && s.Recv() != nil && m.info.Selections[sel] != nil && !m.isExpression(c, s) {
			m.bind(s.Recv(), sel.X)
		}
	case obj != nil:
		for _, lit := range m.functionsOf(obj) { // a local function
			s, _ = m.under(lit).(*types.Signature)
		}
	}
	for i, a := range c.Args {
		if s != nil && m.isExpression(c, s) {
			if i--; i < 0 {
				m.bind(s.Recv(), a)
			}
		}
		if s != nil && i >= 0 && s.Params().Len() > 0 && (i < s.Params().Len() || s.Variadic()) {
			m.bind(s.Params().At(min(i, s.Params().Len()-1)), a)
		}
		if own {
			continue
		}
		if tv := m.info.Types[c.Fun]; tv.IsType() || tv.IsBuiltin() {
			continue
		}
		if b := m.base(a); b != nil && (isPointer(m.under(a)) || isBytes(m.under(a))) {
			m.markDecoded(b, m.info.TypeOf(a), fn, a.Pos())
		}
	}
}

// isExpression reports whether a call names a method by its type: T.method(receiver, …).
func (m *module) isExpression(c *ast.CallExpr, method *types.Signature) bool {
	called, ok := m.under(c.Fun).(*types.Signature)
	return ok && method.Recv() != nil && called.Params().Len() == method.Params().Len()+1
}

func isBytes(t types.Type) bool {
	s, ok := t.(*types.Slice)
	return ok && isKind(s.Elem(), types.Byte)
}

func isKind(t types.Type, k types.BasicKind) bool {
	b, ok := t.Underlying().(*types.Basic)
	return ok && b.Kind() == k
}

func isPointer(t types.Type) bool { _, ok := t.(*types.Pointer); return ok }

// bind notes an argument of a call.
func (m *module) bind(param *types.Var, arg ast.Expr) {
	param = param.Origin()
	m.into[param] = append(m.into[param], flow{expr: arg, pos: arg.Pos(), argument: true})
	m.converted(param.Type(), m.info.TypeOf(arg), arg.Pos())
	m.alias(arg, param, arg.Pos())
	if isFunc(m.under(arg)) { // the function calls it
		if f := m.base(arg); f != nil {
			m.yields[f] = append(m.yields[f], flow{from: param})
		}
	}
}

// isBuffer reports whether a type is a strings.Builder or a bytes.Buffer, or a
// pointer to one.
func isBuffer(t types.Type) bool {
	n := namedOf(t)
	return n != nil && (nameOf(n.Obj()) == "strings.Builder" || nameOf(n.Obj()) == "bytes.Buffer")
}

func (m *module) isOwn(obj types.Object) bool {
	return obj.Pkg() != nil && m.own[obj.Pkg().Path()] != nil
}

// markDecoded notes that another module fills a variable: decoders do.
func (m *module) markDecoded(b types.Object, t types.Type, by *types.Func, at token.Pos) {
	if by == nil || !slices.ContainsFunc([]string{"Unmarshal", "Decode", "Scan", "scan", "Read"}, func(s string) bool { return strings.Contains(by.Name(), s) }) {
		return
	}
	m.decoded[b] = at
	m.markType(t, at)
}

// markType marks the fields of a struct that is decoded.
func (m *module) markType(t types.Type, at token.Pos) {
	for {
		switch u := types.Unalias(t).(type) {
		case *types.Pointer:
			t = u.Elem()
			continue
		case *types.TypeParam:
			m.decoded[u.Obj()] = at
			return
		}
		break
	}
	switch u := t.Underlying().(type) {
	case *types.Slice:
		m.markType(u.Elem(), at)
	case *types.Map:
		m.markType(u.Elem(), at)
	case *types.Struct:
		for i := range u.NumFields() {
			f := u.Field(i).Origin()
			if m.isForeignSince(f, at) && m.isOwn(f) && (f.Exported() || f.Embedded()) {
				m.decoded[f] = at
				m.markType(f.Type(), at)
			}
		}
	}
}

// isForeignSince reports whether a field is news at a place that decodes: what is decoded
// from strangers counts, also where the program's own data is decoded into the same type.
func (m *module) isForeignSince(f types.Object, at token.Pos) bool {
	return !m.decoded[f].IsValid() || m.isOwnData(m.decoded[f]) && !m.isOwnData(at)
}

// ownData are files that decode what this program has written, from strings that went
// through the writer then.
var ownData = map[string]string{"internal/search/search.go": "answers from the cache of searches"}

func (m *module) isOwnData(at token.Pos) bool {
	name := m.fset.Position(at).Filename
	for file := range ownData {
		if strings.HasSuffix(name, file) {
			return true
		}
	}
	return false
}

// spreadDecoded marks the types that generic functions decode into.
func (m *module) spreadDecoded() {
	for range 3 {
		for id, inst := range m.info.Instances {
			fn, ok := m.info.Uses[id].(*types.Func)
			if !ok {
				continue
			}
			if slices.ContainsFunc(ofPeople, func(p string) bool { return strings.Contains(m.fset.Position(id.Pos()).Filename, p+"/") }) {
				continue
			}
			params := fn.Origin().Signature().TypeParams()
			for i := range params.Len() {
				if at := m.decoded[params.At(i).Obj()]; at.IsValid() {
					m.markType(inst.TypeArgs.At(i), at)
				}
			}
		}
	}
}

// functionsOf are the function literals that a variable holds.
func (m *module) functionsOf(obj types.Object) (out []*ast.FuncLit) {
	for _, f := range m.into[obj] {
		if lit, ok := f.expr.(*ast.FuncLit); ok {
			out = append(out, lit)
		}
	}
	return out
}

func (m *module) returned(n *ast.ReturnStmt, stack []ast.Node) {
	for i := len(stack) - 1; i >= 0; i-- {
		var add func(flow)
		var of *types.Signature
		switch fn := stack[i].(type) {
		case *ast.FuncLit:
			of, _ = m.under(fn).(*types.Signature)
			add = func(f flow) { m.literals[fn] = append(m.literals[fn], f) }
		case *ast.FuncDecl:
			obj := m.info.Defs[fn.Name]
			of, _ = obj.Type().(*types.Signature)
			add = func(f flow) { m.returns[obj] = append(m.returns[obj], f) }
		default:
			continue
		}
		for k, e := range n.Results {
			add(flow{expr: e, result: k, pos: e.Pos()})
			if len(n.Results) == of.Results().Len() {
				m.converted(of.Results().At(k).Type(), m.info.TypeOf(e), e.Pos())
			}
		}
		if call, ok := singleCall(n.Results); ok {
			if t, ok := m.info.TypeOf(call).(*types.Tuple); ok {
				for k := 1; k < t.Len(); k++ {
					add(flow{expr: call, result: k, pos: call.Pos()})
				}
			}
		}
		return
	}
}

func singleCall(results []ast.Expr) (*ast.CallExpr, bool) {
	if len(results) != 1 {
		return nil, false
	}
	c, ok := ast.Unparen(results[0]).(*ast.CallExpr)
	return c, ok
}

// fields are the fields that names such as "tool.Error.Message" are of.
func (m *module) fields(names []string) map[types.Object]string {
	out := map[types.Object]string{}
	for _, name := range names {
		path, field := cutLast(name)
		path, typeName := cutLast(path)
		p, err := m.Import(path)
		if m.own[modulePath+"/"+path] != nil {
			p, err = m.own[modulePath+"/"+path], nil
		}
		if err != nil {
			continue
		}
		if tn, ok := p.Scope().Lookup(typeName).(*types.TypeName); ok {
			if s, ok := tn.Type().Underlying().(*types.Struct); ok {
				for i := range s.NumFields() {
					if s.Field(i).Name() == field {
						out[s.Field(i)] = name
					}
				}
			}
		}
	}
	return out
}

func cutLast(s string) (before, after string) {
	i := strings.LastIndexByte(s, '.')
	return s[:max(i, 0)], s[i+1:]
}

// shortPath is a path without that of the module.
func shortPath(path string) string { return strings.TrimPrefix(path, modulePath+"/") }

// walk goes backwards from sinks.
type walk struct {
	*module
	sinks  map[types.Object]string
	safe   map[types.Object]string // fields of the table of what is trusted
	asked  map[types.Object]bool   // fields and parameters whose values are duties
	duties []flow                  // what has to be safe
	duty   flow                    // the one that the walk is at
	seen   map[any]bool            // within the duty
	frames map[frame]*frame
	out    []string
	// screen says that the sinks are the command's stdout and stderr.
	screen bool
	// printing says that fmt writes the value at hand.
	printing bool
}

// ask makes duties of all that flows to a field, a parameter or a variable of a
// package: each is reported where it stands.
func (w *walk) ask(obj types.Object, pos token.Pos) {
	if !w.asked[obj] {
		w.asked[obj] = true
		for _, f := range w.into[obj] {
			if duty := w.duty; pos.IsValid() {
				f.asked, f.why = &duty, pos
			}
			w.owe(f)
		}
	}
}

// owe makes a duty of what flows somewhere, unless it is of people.
func (w *walk) owe(f flow) {
	if pkg := path.Dir(w.fset.Position(f.pos).Filename); w.screen || !slices.ContainsFunc(ofPeople, func(p string) bool { return strings.HasSuffix(pkg, p) }) {
		w.duties = append(w.duties, f)
	}
}

// frame is a call whose function the walk has entered from its result: there a
// parameter is the argument of this call, and not those of all calls.
type frame struct {
	call  *ast.CallExpr
	fn    any // *types.Func or *ast.FuncLit
	outer *frame
	depth int
}

// maxFrames bounds the calls that are told apart within each other.
const maxFrames = 12

func (w *walk) enter(c *ast.CallExpr, fn any, outer *frame) *frame {
	f := frame{call: c, fn: fn, outer: outer, depth: 1}
	if outer != nil {
		f.depth = outer.depth + 1
	}
	for o := outer; o != nil; o = o.outer {
		if o.call == c || f.depth > maxFrames { // recursion
			return outer
		}
	}
	if known := w.frames[f]; known != nil {
		return known
	}
	w.frames[f] = &f
	return &f
}

func (w *walk) report(pos token.Pos, format string, args ...any) {
	line := fmt.Sprintf("%s: %s is not written by internal/text/foreign.go", w.fset.Position(w.duty.pos), fmt.Sprintf(format, args...))
	if w.fset.Position(pos).Line != w.fset.Position(w.duty.pos).Line {
		line += fmt.Sprintf(" (it comes from %s)", w.fset.Position(pos))
	}
	for d := &w.duty; d.asked != nil; d = d.asked {
		line += fmt.Sprintf("\n\tfor %s", w.fset.Position(d.why))
	}
	w.out = append(w.out, line)
}

// variable follows all that flows to a variable, a parameter or a field.
func (w *walk) variable(obj types.Object, pos token.Pos, in *frame) {
	v, ok := obj.(*types.Var)
	if !ok || !carries(v.Type()) || w.safe[obj] != "" {
		return
	}
	isGlobal := v.Parent() == v.Pkg().Scope()
	if w.sinks[obj] != "" { // it has duties of its own
		return
	}
	key := [3]any{obj, in, w.printing}
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	switch {
	case w.decoded[obj].IsValid():
		w.report(pos, "%s, which is decoded,", obj.Name())
	case !w.isOwn(obj):
		w.report(pos, "%s of package %s", obj.Name(), obj.Pkg().Path())
	case v.IsField() && carrier(shortPath(v.Pkg().Path())+"."+v.Name()):
		w.report(pos, "%s of package %s", v.Name(), v.Pkg().Path())
	case v.IsField() || isGlobal:
		w.ask(obj, pos)
	case v.Kind() == types.ParamVar || v.Kind() == types.RecvVar:
		for f := in; f != nil; f = f.outer {
			if arg, n, ok := w.argument(f, v); ok {
				for _, a := range arg {
					w.value(a, n, f.outer)
				}
				w.assigned(v, in)
				return
			}
		}
		if !slices.ContainsFunc(w.into[obj], func(f flow) bool { return f.argument }) && !w.isAPI[obj] && !(w.screen && w.passedOn[obj]) {
			w.report(v.Pos(), "parameter %s, which no call shows,", v.Name())
		}
		w.ask(obj, pos)
	default:
		w.assigned(v, in)
	}
}

// assigned follows what the function of a variable assigns to it.
func (w *walk) assigned(v *types.Var, in *frame) {
	for _, f := range w.into[v] {
		if !f.argument {
			w.flow(f, in)
		}
	}
}

// argument returns the arguments of a frame's call that a parameter stands for.
func (w *walk) argument(f *frame, v *types.Var) (args []ast.Expr, result int, ok bool) {
	var s *types.Signature
	switch fn := f.fn.(type) {
	case *types.Func:
		s = fn.Signature()
	case *ast.FuncLit:
		s, _ = w.under(fn).(*types.Signature)
	}
	if s == nil {
		return nil, 0, false
	}
	given := f.call.Args
	if w.isExpression(f.call, s) && len(given) > 0 {
		if s.Recv().Origin() == v {
			return given[:1], 0, true
		}
		given = given[1:]
	} else if r := s.Recv(); r != nil && r.Origin() == v {
		if sel, ok := ast.Unparen(f.call.Fun).(*ast.SelectorExpr); ok {
			return []ast.Expr{sel.X}, 0, true
		}
	}
	for i := range s.Params().Len() {
		if s.Params().At(i).Origin() != v {
			continue
		}
		switch {
		case len(given) == 1 && s.Params().Len() > 1 && !s.Variadic(): // f(g())
			return given, i, true
		case s.Variadic() && i == s.Params().Len()-1:
			return given[min(i, len(given)):], 0, true
		case i < len(given):
			return given[i : i+1], 0, true
		}
	}
	return nil, 0, false
}

func (w *walk) flow(f flow, in *frame) {
	switch {
	case f.call != nil:
		for _, a := range f.call.Args[1:] {
			w.printed(a, in)
		}
	case f.from != nil:
		w.variable(f.from, f.pos, in)
	case f.whole:
		w.printed(f.expr, in)
	default:
		w.value(f.expr, f.result, in)
	}
}

// carries reports whether a value of a type can carry text by itself. Structs do
// so by their fields, which are followed one by one, and by their methods Error
// and String.
func carries(t types.Type) bool {
	if isBuffer(t) || isHolder(t) || speaks(t) != nil {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Info()&types.IsString != 0
	case *types.Slice:
		return isCharacter(u.Elem()) || carries(u.Elem())
	case *types.Array:
		return isCharacter(u.Elem()) || carries(u.Elem())
	case *types.Map:
		return carries(u.Key()) || carries(u.Elem())
	case *types.Pointer:
		_, isStruct := u.Elem().Underlying().(*types.Struct)
		return !isStruct && carries(u.Elem())
	case *types.Chan:
		return carries(u.Elem())
	case *types.Interface, *types.Tuple:
		return true
	case *types.Signature: // an iterator
		for i := range u.Params().Len() {
			if p := u.Params().At(i).Type(); carries(p) || isFunc(p.Underlying()) {
				return true
			}
		}
	}
	return false
}

// isCharacter reports whether values of a type are bytes or runes, of which text is made.
func isCharacter(t types.Type) bool { return isKind(t, types.Byte) || isKind(t, types.Rune) }

// speaks is the method Error or String of a named type that is not an interface;
// nil when it has none.
func speaks(t types.Type) *types.Func {
	named := namedOf(t)
	if named == nil || types.IsInterface(named) {
		return nil
	}
	for _, name := range []string{"Format", "Error", "String", "GoString"} {
		if obj, _, _ := types.LookupFieldOrMethod(t, true, named.Obj().Pkg(), name); obj != nil {
			if fn, ok := obj.(*types.Func); ok && (fn.Signature().Params().Len() == 0 || name == "Format" && isFormatter(fn)) {
				return fn
			}
		}
	}
	return nil
}

// isFormatter reports whether a method is that of fmt.Formatter.
func isFormatter(fn *types.Func) bool {
	p := fn.Signature().Params()
	return p.Len() == 2 && types.TypeString(p.At(0).Type(), nil) == "fmt.State"
}

// value follows the n-th result of an expression.
func (w *walk) value(e ast.Expr, n int, in *frame) {
	e = ast.Unparen(e)
	if _, ok := e.(*ast.BadExpr); ok {
		w.report(e.Pos(), "what a function is called with that stands here as a value")
		return
	}
	tv := w.info.Types[e]
	if tv.Value != nil || tv.IsNil() || tv.IsType() || tv.Type == nil {
		return
	}
	if isCharacter(tv.Type) && !w.printing {
		w.report(e.Pos(), "a character")
		return
	}
	if w.printing {
		w.whole(tv.Type, e.Pos(), in)
		if !holdsAny(tv.Type) { // what is behind it, is not what is printed
			w.printing = false
			defer func() { w.printing = true }()
		}
	}
	if !carries(tv.Type) {
		return
	}
	if types.IsInterface(tv.Type) && types.Implements(tv.Type, types.Universe.Lookup("error").Type().Underlying().(*types.Interface)) {
		w.report(e.Pos(), "the text of an error")
		return
	}
	if fn := speaks(tv.Type); fn != nil && !isBuffer(tv.Type) {
		switch _, isString := tv.Type.Underlying().(*types.Basic); {
		case fn.Name() == "Format":
			w.report(e.Pos(), "a %s, whose Format writes what it likes,", tv.Type)
			return
		case trusted[w.nameOfFunc(fn)] != "":
			return
		case isString: // the string itself, or a name for a number
		case carrier(w.nameOfFunc(fn)):
			w.report(e.Pos(), "the text of a %s", tv.Type)
			return
		case w.isOwn(fn):
			w.results(w.returns[fn.Origin()], 0, nil)
			return
		default:
			w.report(e.Pos(), "a %s", tv.Type)
			return
		}
		if b, ok := tv.Type.Underlying().(*types.Basic); ok && b.Info()&types.IsString == 0 {
			if w.isOwn(fn) {
				w.results(w.returns[fn.Origin()], 0, nil)
			}
			return
		}
	}
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr:
		if fn, ok := w.base(e).(*types.Func); ok {
			w.yielded(fn.Type(), in)
		} else if obj := w.base(e); obj != nil {
			w.variable(obj, e.Pos(), in)
		}
	case *ast.BinaryExpr:
		w.value(e.X, 0, in)
		w.value(e.Y, 0, in)
	case *ast.IndexExpr:
		w.value(e.X, 0, in)
	case *ast.SliceExpr:
		w.value(e.X, 0, in)
	case *ast.StarExpr:
		w.value(e.X, 0, in)
	case *ast.UnaryExpr:
		w.value(e.X, 0, in)
	case *ast.TypeAssertExpr:
		w.value(e.X, 0, in)
	case *ast.CompositeLit:
		for _, x := range e.Elts {
			if kv, ok := x.(*ast.KeyValueExpr); ok {
				if _, isMap := w.under(e).(*types.Map); isMap {
					w.value(kv.Key, 0, in)
				}
				x = kv.Value
			}
			w.value(x, 0, in)
		}
	case *ast.CallExpr:
		w.result(e, n, in)
	case *ast.FuncLit:
		w.yielded(tv.Type, in)
	default:
		w.report(e.Pos(), "an expression that this test does not know (%T)", e)
	}
}

// result follows the n-th result of a call.
func (w *walk) result(c *ast.CallExpr, n int, in *frame) {
	if t, ok := w.info.TypeOf(c).(*types.Tuple); ok && (n >= t.Len() || !carries(t.At(n).Type())) {
		return
	}
	if tv := w.info.Types[c.Fun]; tv.IsType() || tv.IsBuiltin() {
		if id, ok := ast.Unparen(c.Fun).(*ast.Ident); ok && tv.IsBuiltin() && id.Name == "recover" {
			w.report(c.Pos(), "what a panic had")
		}
		for _, a := range c.Args {
			if b, ok := w.under(a).(*types.Basic); tv.IsType() && ok && b.Info()&types.IsInteger != 0 && w.info.Types[a].Value == nil {
				w.report(a.Pos(), "a character")
			}
			w.value(a, 0, in)
		}
		return
	}
	obj := w.callee(c)
	name := w.nameOfFunc(obj)
	if fn, ok := obj.(*types.Func); ok && name == "" {
		name = fn.FullName()
	}
	if _, ok := writers[name]; ok || trusted[name] != "" || w.screen && screenWriters[name] != "" {
		return
	}
	sel, isSel := c.Fun.(*ast.SelectorExpr)
	isMethod := isSel && w.info.Selections[sel] != nil
	if isMethod && obj != nil && obj.Name() == "Error" && obj.Pkg() == nil { // the text of an error
		w.value(sel.X, 0, in)
		return
	}
	if carrier(name) {
		w.report(c.Pos(), "the result of %s", name)
		return
	}
	if slices.ContainsFunc(transparent, func(p string) bool { return guarded(p, name) }) {
		if f := w.info.Selections[sel]; isMethod && len(f.Index()) > 1 && embeddedBuffer(f.Recv()) != nil {
			w.variable(embeddedBuffer(f.Recv()), sel.Pos(), in)
		} else if isMethod { // b.String()
			w.value(sel.X, 0, in)
		}
		for _, a := range c.Args {
			if strings.HasPrefix(name, "fmt.") {
				w.printed(a, in)
			} else {
				w.value(a, 0, in)
			}
		}
		return
	}
	switch obj := obj.(type) {
	case *types.Func:
		recv := obj.Signature().Recv()
		switch {
		case recv != nil && types.IsInterface(recv.Type()) && w.isOwn(obj):
			w.implementations(c, obj, n, in)
		case w.isOwn(obj):
			w.results(w.returns[obj], n, w.enter(c, obj, in))
		default:
			w.report(c.Pos(), "the result of %s", cmp.Or(name, obj.FullName()))
		}
	case *types.Var: // a function in a variable or a field
		if len(w.into[obj]) == 0 {
			w.report(c.Pos(), "the result of the function in %s", obj.Name())
		}
		w.functions(c, obj, n, in)
	default:
		if lit, ok := ast.Unparen(c.Fun).(*ast.FuncLit); ok {
			w.results(w.literals[lit], n, w.enter(c, lit, in))
			return
		}
		w.report(c.Pos(), "the result of a call")
	}
}

// functions follows the n-th result of all functions that a variable can hold.
func (w *walk) functions(c *ast.CallExpr, v *types.Var, n int, in *frame) {
	key := [4]any{c, v, n, in}
	if w.seen[key] {
		return
	}
	w.seen[key] = true
	for _, f := range w.into[v] {
		switch x := ast.Unparen(f.expr).(type) {
		case *ast.FuncLit:
			w.results(w.literals[x], n, w.enter(c, x, in))
		case *ast.Ident, *ast.SelectorExpr:
			switch obj := w.base(x).(type) {
			case *types.Func:
				if w.isOwn(obj) {
					w.results(w.returns[obj], n, w.enter(c, obj, in))
				} else {
					w.report(c.Pos(), "the result of %s", obj.FullName())
				}
			case *types.Var:
				w.functions(c, obj, n, in)
			}
		default:
			w.report(c.Pos(), "the result of a function that this test cannot follow")
		}
	}
}

func (w *walk) results(all []flow, n int, in *frame) {
	for _, f := range all {
		if f.result != n {
			continue
		}
		if c, ok := f.expr.(*ast.CallExpr); ok {
			if _, tuple := w.info.TypeOf(c).(*types.Tuple); !tuple {
				f.result = 0
			}
		} else {
			f.result = 0
		}
		key := [4]any{f.expr, f.from, f.result, in}
		if !w.seen[key] {
			w.seen[key] = true
			w.flow(f, in)
		}
	}
}

// implementations follows a method of an interface of ours: those of all types
// that have it.
func (w *walk) implementations(c *ast.CallExpr, method *types.Func, n int, in *frame) {
	for _, fn := range w.methodsOf(method) {
		w.results(w.returns[fn], n, w.enter(c, fn, in))
	}
}

// methodsOf are the methods that a method of an interface can be.
func (m *module) methodsOf(method *types.Func) (out []*types.Func) {
	iface, _ := method.Signature().Recv().Type().Underlying().(*types.Interface)
	for _, fn := range m.methods[method.Name()] {
		t := fn.Signature().Recv().Type()
		if types.Implements(t, iface) || types.Implements(types.NewPointer(t), iface) {
			out = append(out, fn)
		}
	}
	return out
}

// nameOfFunc is nameOf with the short path of a package of ours.
func (w *walk) nameOfFunc(obj types.Object) string {
	if fn, ok := obj.(*types.Func); ok && fn.Signature().Recv() != nil && types.IsInterface(fn.Signature().Recv().Type()) {
		return ""
	}
	return shortPath(nameOf(obj))
}
