package reader

import (
	"encoding/json"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spyhop-dev/spyhop/tool"
)

// TestProperties: each name is there once, and the lists of words are those that this package
// knows.
func TestProperties(t *testing.T) {
	names, modes := map[string]bool{}, []Mode{Markdown, Text, HTML, Raw, Links, Outline, JSON, Data, CSV}
	for _, p := range Properties() {
		for _, n := range append([]string{p.Name}, p.Aliases...) {
			if names[n] {
				t.Errorf("the name %q is there twice", n)
			}
			names[n] = true
		}
		switch p.Name {
		case "mode":
			if !slices.EqualFunc(p.Enum, modes, func(s string, m Mode) bool { return s == string(m) }) {
				t.Errorf("modes %q, want %q", p.Enum, modes)
			}
		case "remove":
			if want := strings.Join(removals(), ", "); !strings.HasSuffix(p.Description, ": "+want) {
				t.Errorf("%q does not end with %q", p.Description, want)
			}
		}
	}
}

// TestFromCall: a value of each argument changes the request; the tool reads the headers.
func TestFromCall(t *testing.T) {
	zero := FromCall(nil)
	for _, p := range Properties() {
		var v any
		switch p.Type {
		case tool.TypeBoolean:
			v = true
		case tool.TypeInteger:
			v = 7
		case tool.TypeArray:
			v = []any{"x"}
		case tool.TypeObject:
			v = map[string]any{"type": "string"}
		default:
			v = "x"
		}
		if q := FromCall(tool.Arguments{p.Name: v}); reflect.DeepEqual(q, zero) != (p.Name == "headers") {
			t.Errorf("%s=%v gives %+v", p.Name, v, q)
		}
	}
	q := FromCall(tool.Arguments{"max_length": 0, "max_age": 0, "timeout_ms": 7, "schema": map[string]any{"type": "string"}})
	if q.MaxLength != NoLimit || !q.Revalidate || *q.maxAge() != 0 || q.Timeout != 7*time.Millisecond || string(q.Schema) != `{"type":"string"}` {
		t.Errorf("%+v", q)
	}
	if q := FromCall(tool.Arguments{"max_age": 1 << 62}); *q.maxAge() <= 0 {
		t.Errorf("a great age is %v", *q.maxAge())
	}
}

// TestOutOfRange: a number out of bounds is refused, or clamped, in the words of each surface.
func TestOutOfRange(t *testing.T) {
	form := tool.Object(Properties()...)
	for _, c := range []struct{ json, want string }{
		{`{"max_length":-3}`, `argument "max_length": -3 is less than 0`},
		{`{"max_tokens":0}`, `argument "max_tokens": 0 is less than 1`},
		{`{"start_index":-1}`, `argument "start_index": -1 is less than 0`},
		{`{"max_age":-1}`, `argument "max_age": -1 is less than 0`},
		{`{"timeout_ms":120001}`, "timeout_ms=120001 is out of bounds; 120000 was used"},
		{`{"timeout_ms":-1}`, "timeout_ms=-1 is out of bounds; 0 was used"},
		{`{"mode":"page"}`, `argument "mode": "page" is not allowed`},
	} {
		_, notices, e := form.Read(json.RawMessage(c.json))
		got := strings.Join(notices, ", ")
		if e != nil {
			got = e.Message
		}
		if got != c.want {
			t.Errorf("tool %s: %q, want %q", c.json, got, c.want)
		}
	}
	const most = 2 * time.Minute
	for _, c := range []struct {
		err  error
		want string
	}{
		{InFlag("--n", new(-3), 0, 0), "--n -3 is not allowed: use a number from 0 up"},
		{InFlag("--n", new(0), 1, 0), "--n 0 is not allowed: use a number from 1 up"},
		{InFlag[int]("--n", nil, 1, 0), ""},
		{InFlag("--d", new(-time.Nanosecond), 0, 0), "--d -1ns is not allowed: use a duration from 0 up"},
		{InFlag("--d", new(most+1), time.Millisecond, most), "--d 2m0.000000001s is not allowed: use a duration from 1ms up to 2m0s"},
		{InFlag("--d", new(time.Microsecond), time.Millisecond, most), ""}, // a part of a unit is one
		{InField("N", -3, 0, 0, true), "N -3 is not allowed: use a number from 0 up, or NoLimit"},
		{InField("N", NoLimit, 1, 0, true), ""},
		{InField("N", 0, 1, 0, false), ""},
		{InField("N", NoLimit, 0, 0, false), "N -1 is not allowed: use a number from 0 up"},
		{OneOf("M", "page", "a", "b"), `M "page" is not allowed: use one of a, b`},
		{OneOf("M", "", "a"), ""},
	} {
		got := ""
		var e *tool.Error
		if errors.As(c.err, &e) {
			got = e.Message + ": " + e.Hint
		}
		if got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
	if d, notices := Clamped("Time", most+1, most); d != most || strings.Join(notices, "") != "Time 2m0.000000001s is out of bounds; 2m0s was used." {
		t.Errorf("%v %q", d, notices)
	}
}
