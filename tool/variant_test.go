package tool

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
)

// variantCatalog has a tool with other names, two of which give arguments.
func variantCatalog(t *testing.T) *Catalog {
	c := NewCatalog()
	err := c.Register(Declaration{
		Name: "go_to", Description: "Goes.", Level: Read, Profile: BrowserTools, AlsoIn: []Profile{Core},
		Input: Object(
			String("url", "where to").Require(),
			String("value", "").OrBoolean().ListTo("values"),
			Array("values", "", Text()).Unlist(),
			Member("element", "", Schema{}).Unlist(),
		),
		Aliases:  []string{"browser_navigate"},
		Variants: []Variant{{Name: "browser_back", Args: Arguments{"url": "back"}}},
		Handler: func(_ context.Context, c Call) (Result, error) {
			data, err := json.Marshal(map[string]any(c.Args))
			return Result{Text: c.Tool + " " + string(data)}, err
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestVariants(t *testing.T) {
	c := variantCatalog(t)
	for _, tt := range []struct{ name, args, want string }{
		{"browser_navigate", `{"url":"u"}`, `go_to {"url":"u"}`},
		{"browser_navigate", `{}`, `argument "url" is missing`},
		{"browser_back", `{}`, `go_to {"url":"back"}`},
		{"browser_back", `{"url":"u"}`, `go_to {"url":"u"}`},
		{"go_to", `{"url":"u","element":{"any":1},"value":true}`, `go_to {"element":{"any":1},"url":"u","value":"true"}`},
		{"go_to", `{"url":"u","value":["a","b"]}`, `go_to {"url":"u","values":["a","b"]}`},
		{"go_to", `{"url":true}`, `true is not a string`},
	} {
		r, err := c.Call(context.Background(), tt.name, json.RawMessage(tt.args), Options{})
		got := r.Text
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s %s: %s, want %s", tt.name, tt.args, got, tt.want)
		}
	}
	p, err := ParsePlan([]byte(`{"steps":[{"id":"a","tool":"browser_back"},{"id":"b","tool":"browser_navigate"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if problems := c.CheckPlan(p); len(problems) != 1 || problems[0].Step != "b" {
		t.Errorf("%+v", problems)
	}
	if err := c.Register(Declaration{Name: "other", Description: "Other.", Level: Read, Aliases: []string{"browser_back"},
		Handler: func(context.Context, Call) (Result, error) { return Result{}, nil }}); err == nil {
		t.Error("the name of a variant is given twice")
	}
}

// TestRare: a rare argument is left out of what a model is shown, whose schema then lets
// it pass. Programs and documents have it, and so does the hint at a misspelling.
func TestRare(t *testing.T) {
	d := Declaration{Name: "read", Description: "Read.", Kind: Browser, Level: Read, Profile: Core,
		Input: Object(String("address", "where").Require(), Integer("patience", "how long").AtLeast(1).Rarely())}
	tools := []Declaration{d}
	text := func(b []byte, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	table, _, _ := strings.Cut(Markdown(tools), "```")
	for _, c := range []struct {
		name, shown string
		rare        bool
	}{
		{"Prompt", Prompt(tools), false},
		{"OpenAI", text(OpenAI(tools)), false},
		{"Anthropic", text(Anthropic(tools)), false},
		{"Common", text(json.Marshal(d.Input.Common())), false},
		{"JSON", text(JSON(tools)), true},
		{"Markdown", table, true},
		{"Tree", Tree(tools), true},
	} {
		if strings.Contains(c.shown, "patience") != c.rare || !strings.Contains(c.shown, "address") {
			t.Errorf("%s: %s", c.name, c.shown)
		}
		if c.name != "JSON" && strings.Contains(c.shown, "additionalProperties") {
			t.Errorf("%s refuses what is not shown: %s", c.name, c.shown)
		}
	}
	if common := Object(String("address", "")).Common(); common.Open {
		t.Error("a schema that shows everything is open")
	}
	for args, want := range map[string]string{`{"address":"x","patience":3}`: "", `{"address":"x","patince":3}`: `"patience"`, `{"address":"x","patience":"long"}`: "patience"} {
		_, _, e := d.Input.Read(json.RawMessage(args))
		if (e == nil) != (want == "") || e != nil && !strings.Contains(e.Text(), want) {
			t.Errorf("%s: %v", args, e)
		}
	}
}

// TestUnlisted: neither other names nor unlisted arguments are shown anywhere.
func TestUnlisted(t *testing.T) {
	tools := variantCatalog(t).List(Core)
	if len(tools) != 1 {
		t.Fatalf("%d tools are listed in a further profile", len(tools))
	}
	data, err := JSON(tools)
	if err != nil {
		t.Fatal(err)
	}
	for _, shown := range []string{string(data), Prompt(tools), Tree(tools), Markdown(tools)} {
		for _, word := range []string{"browser_navigate", "browser_back", "element", "values"} {
			if strings.Contains(shown, word) {
				t.Errorf("%q is listed:\n%s", word, shown)
			}
		}
	}
	if !strings.Contains(string(data), `"profile":"browser","also_in":["core"]`) {
		t.Errorf("%s", data)
	}
	_, e := variantCatalog(t).Find("browser_navigte")
	if strings.Contains(e.Hint, "navigate") {
		t.Error(e.Hint)
	}
	d := tools[0]
	if _, _, e := d.Input.Read(json.RawMessage(`{"elemnt":1}`)); e == nil || strings.Contains(e.Hint, "element") {
		t.Errorf("%v", e)
	}
}
