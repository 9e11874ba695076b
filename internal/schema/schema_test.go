package schema

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestFits validates values. What is wrong is said with the place and the
// value, always in the same words.
func TestFits(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"type":"array","items":{"type":"string"},"minItems":1}`, `["a"]`, ""},
		{`{"type":"array","items":{"type":"string"}}`, `["a",1]`, `"[1]" does not fit: type: 1 has type "integer", want "string"`},
		{`{"type":"array","minItems":2}`, `[1]`, "it does not fit: minItems: array length 1 is less than 2"},
		{`{"type":["string","null"]}`, `null`, ""},
		{`{"type":["string","null"]}`, `1`, `it does not fit: type: 1 has type "integer", want one of "string, null"`},
		{`{"type":"integer","maximum":5}`, `6`, "it does not fit: maximum: 6/1 is greater than 5.000000"},
		{`{"type":"integer"}`, `1.5`, `it does not fit: type: 1.5 has type "number", want "integer"`},
		{`{"type":"number"}`, `1.5`, ""},
		{`{"enum":["a","b"]}`, `"c"`, "it does not fit: enum: c does not equal any of: [a b]"},
		{`{"const":{"a":1}}`, `{"a":1}`, ""},
		{`{"maxLength":2}`, `"größe"`, `it does not fit: maxLength: "größe" contains 5 Unicode code points, more than 2`},
		{`{"properties":{"a":{"properties":{"b":{"type":"boolean"}}}}}`, `{"a":{"b":1}}`, `"a.b" does not fit: type: 1 has type "integer", want "boolean"`},
		{`{"additionalProperties":{"type":"string"}}`, `{"a":1}`, `"a" does not fit: type: 1 has type "integer", want "string"`},
		{`{"required":["a","b"]}`, `{"b":1}`, `"a" is missing`},
		{`{"properties":{"a":false}}`, `{"a":1}`, `"a" should not be there`},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"c":1,"b":1,"a":1}`, `"b" should not be there`},
		{`true`, `{"a":1}`, ""},

		{`{"$ref":"#/$defs/n","$defs":{"n":{"type":"number"}}}`, `"x"`, `it does not fit: type: x has type "string", want "number"`},
		{`{"$ref":"#/$defs/a~1b%20c","$defs":{"a/b c":{"type":"number"}}}`, `1`, ""},
		{`{"items":{"$ref":"#n"},"$defs":{"x":{"$anchor":"n","type":"number"}}}`, `[1,"x"]`, `"[1]" does not fit: type: x has type "string", want "number"`},
		{`{"type":"object","properties":{"next":{"$ref":"#"},"n":{"type":"integer"}},"required":["n"]}`, `{"n":1,"next":{"n":2,"next":{}}}`,
			`"next.next.n" is missing`},
		{`{"$schema":"https://json-schema.org/draft/2019-09/schema","$id":"person.json","type":"string"}`, `"x"`, ""},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `null`, ""},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `1`, "it does not fit the schema"},
		{`{"properties":{"a":{"pattern":"^[a-z]+$"}}}`, `{"a":"A"}`, `"a" does not fit: pattern: "A" does not match regular expression "^[a-z]+$"`},
		{`{"prefixItems":[{"type":"string"}],"items":{"type":"integer"}}`, `["a",1,"b"]`, `"[2]" does not fit: type: b has type "string", want "integer"`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"string"}],"additionalItems":{"type":"null"}}`, `["a",1]`, "it does not fit the schema"},
	} {
		var v any
		if err := json.Unmarshal([]byte(c.value), &v); err != nil {
			t.Fatal(err)
		}
		s, err := read(json.RawMessage(c.schema))
		if err != nil {
			t.Errorf("%s: %v", c.schema, err)
			continue
		}
		if got, _ := s.Problem(v); got != c.want {
			t.Errorf("%s of %s: %q, want %q", c.value, c.schema, got, c.want)
		}
	}
}

// TestSchemaRefused: nothing is fetched, and what cannot be read or could cost
// too much is refused before a model is asked.
func TestSchemaRefused(t *testing.T) {
	for _, c := range []struct{ schema, want string }{
		{`[]`, "not a JSON object"},
		{` `, "not a JSON object"},
		{`{"type":"text"}`, `type "text" is unknown`},
		{`{"properties":{"a":{"type":["string",1]}}}`, "not a JSON Schema"},
		{`{"properties":7}`, "not a JSON Schema"},
		{`{"properties":{"a":null}}`, `"/properties/a" is null`},
		{`{"$ref":"https://example.com/person.json"}`, `names "https://example.com/person.json", which is not fetched`},
		{`{"$ref":"person.json#/a"}`, "which is not fetched"},
		{`{"$ref":"#/$defs/a"}`, `names "#/$defs/a", which is not in it`},
		{`{"$dynamicRef":"#a","$defs":{"x":{"$dynamicAnchor":"a"}}}`, "dynamic references"},
		{`{"$defs":{"x":{"$id":"https://example.com/x"}}}`, "$id below its root"},
		{`{"$defs":{"x":{"$anchor":"a"},"y":{"$anchor":"a"}}}`, "there twice"},
		{`{"pattern":"(?=x)"}`, "RE2"},
		{`{"pattern":"((a{0,100}){0,10}b){0,1}"}`, "too large"},
		{`{"patternProperties":{"[":{}}}`, "RE2"},
		{strings.Repeat(`{"not":`, 80) + "{}" + strings.Repeat("}", 80), "deeper than 64 levels"},
		{`{"title":"` + strings.Repeat("x", maxSchema) + `"}`, "more than 32768 bytes"},
	} {
		if _, err := read(json.RawMessage(c.schema)); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.80s: %v, want %q", c.schema, err, c.want)
		}
	}
}

// TestSchemaBounds: a schema and a value that would take for ever together are
// told so at once.
func TestSchemaBounds(t *testing.T) {
	double := `{"$defs":{`
	for i := range 40 {
		double += fmt.Sprintf(`"d%d":{"allOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%d"}]},`, i, i+1, i+1)
	}
	double += `"d40":{}},"$ref":"#/$defs/d0"}`
	nested := strings.Repeat("[", 60) + strings.Repeat("]", 60)
	for name, c := range map[string]struct{ schema, value string }{
		"a circle":               {`{"$ref":"#"}`, `1`},
		"a circle of two":        {`{"$defs":{"a":{"allOf":[{"$ref":"#/$defs/b"}]},"b":{"$ref":"#/$defs/a"}},"$ref":"#/$defs/a"}`, `1`},
		"a circle below not":     {`{"not":{"$ref":"#"}}`, `1`},
		"doubling references":    {double, `1`},
		"doubling at each level": {`{"anyOf":[{"items":{"$ref":"#"}},{"items":{"$ref":"#"}}]}`, nested},
		"a large value, often":   {`{"anyOf":[` + strings.Repeat(`{"type":"null"},`, 1500) + `{}]}`, `"` + strings.Repeat("x", 60_000) + `"`},
		"a pattern, often":       {`{"items":{"pattern":"(a|b|ab){0,40}(x{0,90}){0,2}c"}}`, `[` + strings.Repeat(`"`+strings.Repeat("ab", 400)+`",`, 400) + `"c"]`},
		"a deep value":           {`{"items":{"$ref":"#"}}`, strings.Repeat("[", 5000) + strings.Repeat("]", 5000)},
	} {
		t.Run(name, func(t *testing.T) {
			s, err := read(json.RawMessage(c.schema))
			if err != nil {
				t.Fatal(err)
			}
			if _, problem := s.Fit(c.value); !strings.Contains(problem, "takes too much work") {
				t.Errorf("%.200q", problem)
			}
		})
	}
}

// TestSchemaProblemIsBounded: the names in a model's answer stand in notices and errors as
// one short line.
func TestSchemaProblemIsBounded(t *testing.T) {
	s, err := read(json.RawMessage(`{"additionalProperties":{"type":["number","object"],"additionalProperties":{"$ref":"#"}}}`))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{strings.Repeat("n", 2000), `a\u202eb\u0007`, strings.Repeat("x", 100)} {
		value := `"no"`
		for range 11 {
			value = `{"` + name + `":` + value + `}`
		}
		if _, problem := s.Fit(value); problem == "" || len(problem) > 500 || strings.ContainsAny(problem, "\u202e\a") {
			t.Errorf("%d bytes: %.300q", len(problem), problem)
		}
	}
}

// FuzzFits: any schema that is taken judges any value without a panic and in the
// same words.
func FuzzFits(f *testing.F) {
	f.Add(`{"type":"object","properties":{"a":{"items":{"type":["string","null"]}}}}`, `{"a":["one two three"]}`)
	f.Add(`{"enum":[[1],{}],"const":null}`, `[[1],"a b c"]`)
	f.Add(`{"$defs":{"x":{"$anchor":"a","not":{"$ref":"#a"}}},"anyOf":[{"$ref":"#/$defs/x"},true]}`, `null`)
	f.Add(`{"dependentSchemas":{"a":{"required":["b"]}},"unevaluatedProperties":false,"propertyNames":{"pattern":"^a"}}`, `{"a":1,"b":{}}`)
	f.Fuzz(func(t *testing.T, text, value string) {
		if len(text) > 1<<12 || len(value) > 1<<12 {
			return
		}
		s, err := read(json.RawMessage(text))
		if err != nil {
			return
		}
		v, problem := s.Fit(value)
		if problem == "" && !json.Valid([]byte(v)) {
			t.Fatalf("%q was taken for JSON", v)
		}
		if _, again := s.Fit(value); again != problem {
			t.Fatalf("%q, then %q", problem, again)
		}
	})
}
