package readargs

import (
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestTable: each row is complete, and no name stands twice.
func TestTable(t *testing.T) {
	names, flags := map[string]bool{}, map[string]bool{}
	once := func(seen map[string]bool, name string) {
		if name == "" || seen[name] {
			t.Errorf("the name %q is empty or stands twice", name)
		}
		seen[name] = true
	}
	for _, a := range Table() {
		for _, n := range append([]string{a.Name}, a.Aliases...) {
			once(names, n)
		}
		if !a.NoFlag {
			for _, n := range append([]string{a.FlagName()}, a.FlagAliases...) {
				once(flags, n)
			}
			if help := a.FlagHelp(); !strings.HasSuffix(help, ".") || a.Enum != nil && !strings.Contains(help, "${enum}") {
				t.Errorf("%s: help %q", a.Name, help)
			}
		}
		if a.field == nil && !strings.HasPrefix(a.Name, "url") {
			t.Errorf("%s does not reach the request", a.Name)
		}
	}
}

// example is a value of an argument that is not its default, as the tool reads
// it and as the command and the library give it.
func example(a Argument) (ofTool, ofStruct any) {
	switch {
	case a.Enum != nil:
		v := a.Enum[len(a.Enum)-1]
		return v, v
	case a.Unit > 0:
		return 7, 7 * a.Unit
	case a.Kind == tool.TypeInteger:
		return 7, 7
	case a.Kind == tool.TypeBoolean:
		return true, true
	case a.Kind == tool.TypeArray:
		return []any{"x"}, []string{"x"}
	case a.Name == "schema":
		return map[string]any{"type": "string"}, json.RawMessage(`{"type":"string"}`)
	case a.Kind == tool.TypeObject:
		return map[string]string{"Accept": "x"}, map[string]string{"Accept": "x"}
	}
	return "x", "x"
}

// TestRequest: a value of each argument changes the request, and does so in the
// same way whichever surface it comes from.
func TestRequest(t *testing.T) {
	zero, err := Request(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range Table() {
		if a.field == nil {
			continue
		}
		ofTool, ofStruct := example(a)
		one, err := Request(tool.Arguments{a.Name: ofTool})
		if err != nil || reflect.DeepEqual(one, zero) {
			t.Errorf("%s=%v does not reach the request: %v", a.Name, ofTool, err)
		}
		two, err := Request(tool.Arguments{a.Name: ofStruct})
		if err != nil || !reflect.DeepEqual(one, two) {
			t.Errorf("%s: %v and %v give %+v and %+v: %v", a.Name, ofTool, ofStruct, one, two, err)
		}
		if _, err := Request(tool.Arguments{a.Name: struct{}{}}); err == nil && a.Name != "schema" {
			t.Errorf("%s takes a value of another type", a.Name)
		}
	}
}

// TestOutOfRange: a value outside the table is refused, or clamped, in the words
// of each surface. What the tool says is made from the same rows.
func TestOutOfRange(t *testing.T) {
	form := tool.Object(Properties()...)
	type fields struct {
		Most int           `argument:"max_length"`
		Time time.Duration `argument:"timeout_ms"`
		Mode reader.Mode   `argument:"mode"`
		Age  time.Duration `argument:"max_age"`
	}
	library := Fields(reflect.TypeFor[fields]())
	for _, c := range []struct {
		json            string // of the tool
		values          tool.Arguments
		tool, flag, lib string // the message, or the notice
	}{
		{`{"max_length":-3}`, tool.Arguments{"max_length": -3}, `argument "max_length": -3 is less than 0`,
			"--max-length -3 is not allowed: use a number from 0 up", "fields.Most -3 is not allowed: use a number from 0 up, or NoLimit"},
		{`{"max_tokens":0}`, tool.Arguments{"max_tokens": 0}, `argument "max_tokens": 0 is less than 1`, "--max-tokens 0 is not allowed: use a number from 1 up", ""},
		{`{"start_index":-1}`, tool.Arguments{"start_index": -1}, `argument "start_index": -1 is less than 0`, "--start-index -1 is not allowed: use a number from 0 up", ""},
		{`{"max_age":-1}`, tool.Arguments{"max_age": -time.Nanosecond}, `argument "max_age": -1 is less than 0`,
			"--max-age -1ns is not allowed: use a duration from 0 up", "fields.Age -1ns is not allowed: use a duration from 0 up, or NoLimit"},
		{`{"timeout_ms":120001}`, tool.Arguments{"timeout_ms": 2*time.Minute + 1}, "timeout_ms=120001 is out of bounds; 120000 was used",
			"--timeout 2m0.000000001s is not allowed: use a duration from 1ms up to 2m0s", "Time 2m0.000000001s is out of bounds; 2m0s was used."},
		{`{"timeout_ms":-1}`, tool.Arguments{"timeout_ms": -time.Second}, "timeout_ms=-1 is out of bounds; 0 was used",
			"--timeout -1s is not allowed: use a duration from 1ms up to 2m0s", "fields.Time -1s is not allowed: use a duration from 1ms up to 2m0s"},
		{`{"mode":"page"}`, tool.Arguments{"mode": "page"}, `argument "mode": "page" is not allowed`,
			`--mode "page" is not allowed: use one of markdown, text, html, raw, links, outline, json, data, csv`,
			`fields.Mode "page" is not allowed: use one of markdown, text, html, raw, links, outline, json, data, csv`},
	} {
		said := func(notices []string, err error) string {
			var e *tool.Error
			if errors.As(err, &e) {
				return e.Message + ": " + e.Hint
			}
			return strings.Join(notices, ", ")
		}
		_, notices, e := form.Read(json.RawMessage(c.json))
		got := strings.Join(notices, ", ")
		if e != nil {
			got = e.Message
		}
		if got != c.tool {
			t.Errorf("tool %s: %q, want %q", c.json, got, c.tool)
		}
		if got := said(Check(c.values, Flags())); got != c.flag {
			t.Errorf("flags %v: %q, want %q", c.values, got, c.flag)
		}
		if got := said(Check(c.values, library)); c.lib != "" && got != c.lib {
			t.Errorf("library %v: %q, want %q", c.values, got, c.lib)
		}
	}
	values := tool.Arguments{"timeout_ms": time.Hour}
	if _, err := Check(values, library); err != nil || values["timeout_ms"] != 2*time.Minute {
		t.Errorf("clamped to %v: %v", values["timeout_ms"], err)
	}
	if _, err := Check(tool.Arguments{"timeout_ms": time.Microsecond}, Flags()); err != nil {
		t.Errorf("a part of a unit: %v", err)
	}
}

// TestValues: a struct gives the arguments that are set in it, and Fill puts
// them back.
func TestValues(t *testing.T) {
	type request struct {
		Mode     reader.Mode   `argument:"mode"`
		Most     int           `argument:"max_length"`
		Tokens   int           `argument:"max_tokens"`
		Sections []string      `argument:"section"`
		NoImages bool          `argument:"images,not"`
		Age      time.Duration `argument:"max_age"`
		Current  bool          `argument:"max_age,zero"`
		Fresh    bool          `argument:"fresh"`
		Other    int
	}
	for _, c := range []struct {
		in   request
		want tool.Arguments
	}{
		{request{Other: 1}, tool.Arguments{"images": true}},
		{request{NoImages: true, Fresh: true, Mode: reader.Links, Sections: []string{"a"}},
			tool.Arguments{"images": false, "fresh": true, "mode": "links", "section": []string{"a"}}},
		{request{Most: NoLimit, Tokens: NoLimit, Age: NoLimit}, tool.Arguments{"images": true, "max_length": 0, "max_age": time.Duration(1<<63 - 1)}},
		{request{Most: 3, Tokens: 4, Age: time.Hour}, tool.Arguments{"images": true, "max_length": 3, "max_tokens": 4, "max_age": time.Hour}},
		{request{Current: true}, tool.Arguments{"images": true, "max_age": time.Duration(0)}},
	} {
		got := Values(c.in)
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%+v gives %v, want %v", c.in, got, c.want)
		}
		var back request
		Fill(&back, got)
		c.in.Other = 0
		if c.in.Tokens == NoLimit {
			c.in.Tokens = 0 // the same
		}
		if !reflect.DeepEqual(back, c.in) {
			t.Errorf("%v gives back %+v, want %+v", got, back, c.in)
		}
	}
	type flags struct {
		Most *int `argument:"max_length"`
	}
	if got := Values(&flags{Most: new(0)}); !reflect.DeepEqual(got, tool.Arguments{"max_length": 0}) {
		t.Errorf("a pointer to 0 gives %v", got)
	}
	if got := Values(&flags{}); len(got) > 0 {
		t.Errorf("nil gives %v", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a tag that names no argument passes")
		}
	}()
	Values(struct {
		A int `argument:"max_lenght"`
	}{})
}
