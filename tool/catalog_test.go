package tool

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

// sample is a catalog with one tool of each shape that the built-in ones have.
func sample(t testing.TB) *Catalog {
	t.Helper()
	ok := func(_ context.Context, c Call) (Result, error) { return Result{Text: c.Tool, Data: c.Args}, nil }
	c := NewCatalog()
	mode := String("mode", "what to make of it").OneOf("markdown", "text", "raw").WithDefault("markdown").Alias("extractMode", "format")
	mode.Synonyms = map[string]string{"readability": "markdown"}
	for _, d := range []Declaration{
		{
			Name: "web_fetch", Title: "Fetch", Level: Read, Profile: Core, Handler: ok, Aliases: []string{"web-fetch", "WebFetch"},
			Description: "Read a page.\n\nUse it when an address is known.",
			Input: Object(
				String("url", "the address").ListTo("urls").Alias("target"),
				Array("urls", "several addresses", Schema{Type: TypeString}),
				mode,
				Integer("max_length", "characters; 0 lifts the limit").AtLeast(0),
				Integer("start_index", "first character").AtLeast(0).WithDefault(0).Alias("offset"),
				Map("headers", "request headers"),
				Boolean("images", "keep pictures").WithDefault(false),
			),
			Output:      Object(String("markdown", "the content").Require(), Boolean("truncated", "whether it was cut")),
			Annotations: Annotations{ReadOnly: true, OpenWorld: true, Idempotent: true},
			Strengths:   []string{"reads <main> content & tables"},
		},
		{
			Name: "web_browse", Title: "Browse", Level: Read, Profile: Classic, Handler: ok,
			Description: "Browse a website and return content as Markdown.",
			Input:       Object(String("url", "the address").Require()),
			Output:      Text(),
		},
		{
			Name: "google_search", Title: "Search", Level: Search, Kind: Browser, Profile: Classic, Handler: ok,
			Description: "Find pages.",
			Input: Object(
				Integer("num_results", "how many").Clamp(1, 50).WithDefault(10).Alias("maxResults"),
				String("query", "what to look for").Require(),
			),
			Output: Object(Array("results", "the pages", Object(String("link", "address")))),
		},
		{
			Name: "close_browser", Title: "Close", Level: CleanUp, Kind: Browser, Profile: BrowserTools, Handler: ok,
			Description: "Close the browser.", Permission: Interactive,
		},
	} {
		if err := c.Register(d); err != nil {
			t.Fatal(err)
		}
	}
	return c
}

func TestRegisterRefuses(t *testing.T) {
	handler := func(context.Context, Call) (Result, error) { return Result{}, nil }
	good := Declaration{Name: "new_tool", Description: "New.", Level: Read, Handler: handler}
	if err := sample(t).Register(good); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		why    string
		change func(*Declaration)
	}{
		{"name taken", func(d *Declaration) { d.Name = "web_fetch" }},
		{"name taken in another spelling", func(d *Declaration) { d.Aliases = []string{"webBrowse"} }},
		{"alias taken", func(d *Declaration) { d.Aliases = []string{"WebFetch"} }},
		{"empty name", func(d *Declaration) { d.Name = "" }},
		{"capital in the name", func(d *Declaration) { d.Name = "NewTool" }},
		{"no description", func(d *Declaration) { d.Description = " \n" }},
		{"no level", func(d *Declaration) { d.Level = 0 }},
		{"no handler", func(d *Declaration) { d.Handler = nil }},
		{"unknown kind", func(d *Declaration) { d.Kind = "robot" }},
		{"unknown permission", func(d *Declaration) { d.Permission = "anything" }},
		{"input no object", func(d *Declaration) { d.Input = Text() }},
		{"property twice", func(d *Declaration) { d.Input = Object(String("a", ""), String("b", "").Alias("a")) }},
		{"default of another type", func(d *Declaration) { d.Input = Object(Integer("a", "").WithDefault("5")) }},
		{"default out of bounds", func(d *Declaration) { d.Input = Object(Integer("a", "").AtLeast(1).WithDefault(0)) }},
		{"default not allowed", func(d *Declaration) { d.Input = Object(String("a", "").OneOf("x").WithDefault("y")) }},
		{"plural missing", func(d *Declaration) { d.Input = Object(String("a", "").ListTo("as")) }},
	} {
		d := good
		c.change(&d)
		if err := sample(t).Register(d); err == nil {
			t.Errorf("%s: registered", c.why)
		}
	}
}

func TestFind(t *testing.T) {
	for _, c := range []struct{ name, want, hint string }{
		{"web_fetch", "web_fetch", ""},
		{"web-fetch", "web_fetch", ""},
		{"WebFetch", "web_fetch", ""},
		{"webBrowse", "web_browse", ""},
		{"web_fecth", "", `did you mean "web_fetch"?`},
		{"browse", "", `did you mean "web_browse"?`},
		{"search", "", `did you mean "google_search"?`},
		{"paint", "", "the tools that do not act on pages are web_fetch, web_browse, google_search"},
		{"", "", "the tools that do not act on pages are web_fetch, web_browse, google_search"},
		{"close_brwser", "", "a tool with a similar name acts on pages; such a tool needs its exact name, which is in the list of tools"},
	} {
		d, err := sample(t).Find(c.name)
		hint := ""
		if err != nil {
			hint = err.Hint
		}
		if d.Name != c.want || hint != c.hint {
			t.Errorf("Find(%q) = %q, hint %q; want %q, %q", c.name, d.Name, hint, c.want, c.hint)
		}
	}
}

// TestSwitchedOff: a tool that is left out says so under each of its names, so that a model
// does not look for another spelling.
func TestSwitchedOff(t *testing.T) {
	c := sample(t)
	d := Declaration{Name: "run_script", Aliases: []string{"evaluate", "web_fetch"}}
	c.SwitchOff(d, "it runs scripts", "set ALLOW")
	for _, name := range []string{"run_script", "evaluate", "RunScript"} {
		_, e := c.Find(name)
		if e == nil || e.Type != Blocked || !strings.HasSuffix(e.Message, " is switched off: it runs scripts") || e.Hint != "set ALLOW" {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if _, e := c.Find("web_fetch"); e != nil {
		t.Errorf("a registered tool: %v", e)
	}
	if _, ok := c.Lookup("run_script"); ok || len(c.List()) != len(sample(t).List()) {
		t.Error("a tool that is switched off is listed")
	}
}

func TestListByProfile(t *testing.T) {
	for _, c := range []struct {
		profiles []Profile
		want     string
	}{
		{nil, "web_fetch web_browse google_search close_browser"},
		{[]Profile{All}, "web_fetch web_browse google_search close_browser"},
		{[]Profile{Core, BrowserTools}, "web_fetch close_browser"},
		{[]Profile{"none"}, ""},
	} {
		var names []string
		for _, d := range sample(t).List(c.profiles...) {
			names = append(names, d.Name)
		}
		if got := strings.Join(names, " "); got != c.want {
			t.Errorf("List(%v) = %q, want %q", c.profiles, got, c.want)
		}
	}
}

func TestCall(t *testing.T) {
	c := sample(t)
	boom := func(v any) Handler { return func(context.Context, Call) (Result, error) { panic(v) } }
	fail := func(err error) Handler { return func(context.Context, Call) (Result, error) { return Result{}, err } }
	for name, h := range map[string]Handler{
		"panics": boom("secret"), "fails": fail(errors.New("secret")),
		"blocked": fail(NewError(Blocked, "refused", "")), "late": fail(context.DeadlineExceeded),
		"stopped": fail(context.Canceled),
	} {
		if err := c.Register(Declaration{Name: name, Description: "Fails.", Level: Read, Handler: h}); err != nil {
			t.Fatal(err)
		}
	}
	for _, tc := range []struct {
		tool, args string
		want       ErrorType
	}{
		{"web-fetch", `{"url":"https://example.com/"}`, ""},
		{"web_fetch", `{"url":5`, InvalidInput},
		{"nothing", `{}`, InvalidInput},
		{"web_browse", `{}`, InvalidInput},
		{"panics", "", Internal},
		{"fails", "", Internal},
		{"blocked", "", Blocked},
		{"late", "", Timeout},
		{"stopped", "", Cancelled},
	} {
		r, err := c.Call(t.Context(), tc.tool, json.RawMessage(tc.args), Options{})
		var e *Error
		switch {
		case tc.want == "" && (err != nil || r.Text != "web_fetch"):
			t.Errorf("%s: %+v, %v", tc.tool, r, err)
		case tc.want != "" && (!errors.As(err, &e) || e.Type != tc.want):
			t.Errorf("%s: error %v, want %s", tc.tool, err, tc.want)
		case e != nil && strings.Contains(e.Text(), "secret"):
			t.Errorf("%s: the text shows the cause: %s", tc.tool, e.Text())
		}
	}

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Call(cancelled, "web_browse", json.RawMessage(`{"url":"x"}`), Options{}); AsError(err).Type != Cancelled {
		t.Errorf("cancelled before the call: %v", err)
	}
	r, err := c.Call(t.Context(), "google_search", json.RawMessage(`{"query":"whales","num_results":500}`), Options{})
	if err != nil || len(r.Notices) != 1 || r.Data.(Arguments).Int("num_results") != 50 {
		t.Errorf("clamped call: %+v, %v", r, err)
	}
}

// A handler hears by which name it was called and what the catalog has to say
// about the arguments; the object of a result has the notices in any case.
func TestNamesAndNotices(t *testing.T) {
	c := NewCatalog()
	var got Call
	noted := false
	err := c.Register(Declaration{Name: "read_it", Description: "Reads.", Level: Read, Input: Object(Integer("n", "").Clamp(1, 5)), Handler: func(_ context.Context, call Call) (Result, error) {
		got = call
		return Result{Data: map[string]any{"a": "<b>"}, Noted: noted}, nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"read_it", "ReadIt", "read-it"} {
		r, err := c.Call(t.Context(), name, json.RawMessage(`{"n":9}`), Options{})
		if err != nil || got.Tool != "read_it" || got.Name != name || len(got.Notices) != 1 || len(r.Notices) != 1 {
			t.Errorf("%s: %v, %+v, %+v", name, err, got, r)
		}
		if object, err := r.Object(); err != nil || string(object) != `{"a":"<b>","notices":["`+r.Notices[0]+`"]}` {
			t.Errorf("%s %v", object, err)
		}
	}
	noted = true
	r, err := c.Call(t.Context(), "read_it", json.RawMessage(`{"n":9}`), Options{})
	if object, e := r.Object(); err != nil || e != nil || string(object) != `{"a":"<b>"}` {
		t.Errorf("%s %v %v", object, err, e)
	}
	for _, x := range []struct {
		r    Result
		want string
	}{
		{Result{Text: "x"}, `{"result":"x"}`},
		{Result{Text: "x", Notices: []string{"n"}}, `{"notices":["n"],"result":"x"}`},
		{Result{Data: struct{}{}, Notices: []string{"n"}}, `{"notices":["n"]}`},
		{Result{Data: map[string]any{"notices": []string{"own"}}, Notices: []string{"n", "own"}}, `{"notices":["own","n"]}`},
		{Result{Data: []int{1}, Notices: []string{"n"}}, `[1]`},
	} {
		if object, err := x.r.Object(); err != nil || string(object) != x.want {
			t.Errorf("%s %v, want %s", object, err, x.want)
		}
	}
}
