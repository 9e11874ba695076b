package tool

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestRead is the specification of lenient reading: what is sent, what the
// handler sees, or what the caller is told.
func TestRead(t *testing.T) {
	const defaults = `"images":false,"mode":"markdown","start_index":0`
	for _, c := range []struct {
		name, sent, want, problem string
	}{
		{"nothing", ``, `{` + defaults + `}`, ""},
		{"null", `null`, `{` + defaults + `}`, ""},
		{"empty", `{}`, `{` + defaults + `}`, ""},
		{"object in a string", `"{\"url\":\"u\"}"`, `{` + defaults + `,"url":"u"}`, ""},
		{"argument null", `{"url":null}`, `{` + defaults + `}`, ""},
		{"as declared", `{"url":"u","max_length":5}`, `{"images":false,"max_length":5,"mode":"markdown","start_index":0,"url":"u"}`, ""},
		{"number in a string", `{"max_length":" 5 "}`, `{"images":false,"max_length":5,"mode":"markdown","start_index":0}`, ""},
		{"whole float", `{"max_length":5.0}`, `{"images":false,"max_length":5,"mode":"markdown","start_index":0}`, ""},
		{"exponent", `{"max_length":2e3}`, `{"images":false,"max_length":2000,"mode":"markdown","start_index":0}`, ""},
		{"boolean in a string", `{"images":"True"}`, `{"images":true,"mode":"markdown","start_index":0}`, ""},
		{"number for a string", `{"url":5}`, `{` + defaults + `,"url":"5"}`, ""},
		{"long number for a string", `{"url":12345678901234567890}`, `{` + defaults + `,"url":"12345678901234567890"}`, ""},
		{"camel case", `{"maxLength":5,"startIndex":7}`, `{"images":false,"max_length":5,"mode":"markdown","start_index":7}`, ""},
		{"kebab case", `{"max-length":5}`, `{"images":false,"max_length":5,"mode":"markdown","start_index":0}`, ""},
		{"alias", `{"target":"u","offset":"7","format":"RAW"}`, `{"images":false,"mode":"raw","start_index":7,"url":"u"}`, ""},
		{"synonym", `{"extractMode":"readability"}`, `{` + defaults + `}`, ""},
		{"list of one", `{"url":["u"]}`, `{` + defaults + `,"url":"u"}`, ""},
		{"list for the plural", `{"url":["u","v"]}`, `{` + defaults + `,"urls":["u","v"]}`, ""},
		{"one for a list", `{"urls":"u"}`, `{` + defaults + `,"urls":["u"]}`, ""},
		{"list in a string", `{"urls":"[\"u\",\"v\"]"}`, `{` + defaults + `,"urls":["u","v"]}`, ""},
		{"free object", `{"headers":{"A":"b","n":1}}`, `{"headers":{"A":"b","n":1},"images":false,"mode":"markdown","start_index":0}`, ""},
		{"object in a string as value", `{"headers":"{\"A\":\"b\"}"}`, `{"headers":{"A":"b"},"images":false,"mode":"markdown","start_index":0}`, ""},
		{"same twice", `{"url":"u","target":"u"}`, `{` + defaults + `,"url":"u"}`, ""},

		{"twice", `{"url":"u","target":"v"}`, "", `argument "url" is given twice with different values`},
		{"near name", `{"max_lenght":5}`, "", `did you mean "max_length"?`},
		{"word of a name", `{"length":5}`, "", `did you mean "max_length"?`},
		{"short name", `{"ur":"u"}`, "", `did you mean "url"?`},
		{"far name", `{"colour":"red"}`, "", `the arguments are url, urls, mode`},
		{"near value", `{"mode":"markdwn"}`, "", `did you mean "markdown"?`},
		{"far value", `{"mode":"pdf"}`, "", `mode takes one of markdown, text, raw`},
		{"fraction", `{"max_length":5.5}`, "", `5.5 is not a whole number`},
		{"words", `{"max_length":"many"}`, "", `"many" is not a number`},
		{"hexadecimal", `{"max_length":"0x10"}`, "", `is not a number`},
		{"infinity", `{"max_length":"inf"}`, "", `is not a number`},
		{"too big for a float", `{"max_length":1e400}`, "", `is not a number`},
		{"too big for an integer", `{"max_length":1e300}`, "", `is not a whole number`},
		{"below the bound", `{"max_length":-1}`, "", `max_length takes a whole number, 0 or more`},
		{"yes is not true", `{"images":"yes"}`, "", `is neither true nor false`},
		{"object for a string", `{"url":{"a":1}}`, "", `is not a string`},
		{"boolean for a string", `{"url":true}`, "", `true is not a string`},
		{"list for a number", `{"max_length":[1,2]}`, "", `a list of 2 values was given where one value is expected`},
		{"wrong element", `{"urls":["u",{}]}`, "", `element 2: {} is not a string`},
		{"string for an object", `{"headers":"A: b"}`, "", `is not an object`},
		{"array", `[1]`, "", `not a JSON object`},
		{"number", `5`, "", `not a JSON object`},
		{"cut", `{"url":"u"`, "", `not JSON`},
		{"two values", `{} {}`, "", `not JSON`},
		{"long", `{"url":"` + strings.Repeat("a", MaxArgumentBytes) + `"}`, "", `longer than 1048576 bytes`},
	} {
		t.Run(c.name, func(t *testing.T) {
			d, _ := sample(t).Lookup("web_fetch")
			args, _, err := d.Input.Read(json.RawMessage(c.sent))
			if c.problem != "" {
				if err == nil || err.Type != InvalidInput || !strings.Contains(err.Text(), c.problem) {
					t.Fatalf("got %v, %+v; want a problem with %q", args, err, c.problem)
				}
				return
			}
			if err != nil {
				t.Fatal(err.Text())
			}
			if got, _ := json.Marshal(args); string(got) != c.want {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestReadRequiredAndClamped(t *testing.T) {
	d, _ := sample(t).Lookup("google_search")
	if _, _, err := d.Input.Read(nil); err == nil || err.Message != `argument "query" is missing` {
		t.Errorf("missing: %+v", err)
	}
	args, notices, err := d.Input.Read(json.RawMessage(`{"query":"q","maxResults":"0"}`))
	if err != nil || args.Int("num_results") != 1 || len(notices) != 1 || notices[0] != "num_results=0 is out of bounds; 1 was used" {
		t.Errorf("clamped: %v, %q, %v", args, notices, err)
	}
	if _, _, err := d.Input.Read(json.RawMessage(`{"query":"q","maxResults":1.5}`)); err == nil {
		t.Error("a fraction was clamped")
	}
	none, _ := sample(t).Lookup("close_browser")
	if _, _, err := none.Input.Read(json.RawMessage(`{"force":true}`)); err == nil || err.Hint != "this tool takes no arguments" {
		t.Errorf("no arguments: %+v", err)
	}
}

func TestArguments(t *testing.T) {
	a := Arguments{"s": "x", "n": 3, "b": true, "l": []any{"p", "q"}}
	var into struct {
		S string   `json:"s"`
		N *int     `json:"n"`
		M *int     `json:"m"`
		L []string `json:"l"`
	}
	if err := a.Decode(&into); err != nil || into.S != "x" || *into.N != 3 || into.M != nil || len(into.L) != 2 {
		t.Errorf("Decode: %+v, %v", into, err)
	}
	if a.String("s") != "x" || a.Int("n") != 3 || !a.Bool("b") || len(a.Strings("l")) != 2 || *a.IntPointer("n") != 3 {
		t.Error("an accessor does not see its value")
	}
	if a.String("n") != "" || a.Int("s") != 0 || a.IntPointer("x") != nil || a.Strings("x") != nil || a.Has("x") {
		t.Error("an accessor sees a value that is not there")
	}
}

func TestNearest(t *testing.T) {
	if got := Nearest("rul", []string{"url"}); got != "url" {
		t.Errorf("neighbours that were swapped are %q", got)
	}
	names := []string{"web_http", "web_host_rate", "web_browser", "web_data_dir", "searxng_url"}
	for _, c := range []struct{ name, want string }{
		{"web-http", "web_http"},
		{"webHTTP", "web_http"},
		{"web_htpt", "web_http"},
		{"web_browsr", "web_browser"},
		{"searxng", "searxng_url"},
		{"data_dir", "web_data_dir"},
		{"rate_host_web", "web_host_rate"},
		{"x", ""},
		{"xyz", ""},
		{"", ""},
		{strings.Repeat("web_http", 20), ""},
	} {
		if got := Nearest(c.name, names); got != c.want {
			t.Errorf("Nearest(%q) = %q, want %q", c.name, got, c.want)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(`{"url":["u","v"],"maxLength":"5"}`)             // the lenient ways
	f.Add(`"{\"headers\":{\"a\":[[[1e400]]]}}"`)           // a number that no float holds
	f.Add(`{"headers":` + strings.Repeat("[", 100) + `1}`) // nesting
	f.Add("{\"\xff\":\"\xff\"}")                           // not UTF-8
	f.Fuzz(func(t *testing.T, raw string) {
		for _, d := range sample(t).List() {
			args, _, err := d.Input.Read(json.RawMessage(raw))
			if err != nil {
				if err.Type != InvalidInput || len(err.Text()) > 1000 {
					t.Errorf("error %q", err.Text())
				}
				continue
			}
			// What was read is read again to the same.
			data, mErr := json.Marshal(args)
			if mErr != nil {
				t.Fatal(mErr)
			}
			again, _, err := d.Input.Read(data)
			if err != nil {
				t.Fatalf("%s: %s", data, err.Text())
			}
			if data2, _ := json.Marshal(again); string(data) != string(data2) {
				t.Errorf("%s became %s", data, data2)
			}
		}
	})
}

func BenchmarkRead(b *testing.B) {
	d, _ := sample(b).Lookup("web_fetch")
	raw := json.RawMessage(`{"url":"https://example.com/","mode":"markdown","max_length":9500}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, _, err := d.Input.Read(raw); err != nil {
			b.Fatal(err)
		}
	}
}
