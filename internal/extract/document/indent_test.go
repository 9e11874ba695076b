package document

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

func TestIndentJSON(t *testing.T) {
	for _, c := range []struct{ name, in string }{
		{"object", `{"a":1,"b":[true,false,null],"c":{}}`},
		{"empty", `{"a":[],"b":{},"c":[[],{}]}`},
		{"spaces", " { \"a\" : [ 1 , 2 ] ,\n\t\"b\" : \"x, {y}: [z]\" } "},
		{"escapes", `{"a\"b":"\\","c":"é\u00e9","d":-1.5e+10}`},
		{"text", `"a"`},
		{"number", `12`},
		{"nested", strings.Repeat(`[`, 60) + strings.Repeat(`]`, 60)},
		{"long array", `[` + strings.Repeat("1234,", 1000) + `1]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want bytes.Buffer
			if err := json.Indent(&want, bytes.TrimSpace([]byte(c.in)), "", "  "); err != nil {
				t.Fatal(err)
			}
			if got := IndentJSON([]byte(c.in)); string(got) != want.String() {
				t.Errorf("got\n%s\nwant\n%s", got, want.String())
			}
		})
	}
}

// TestIndentJSONBound shows that what indentation would make much longer stays
// as it is.
func TestIndentJSONBound(t *testing.T) {
	wide := strings.Repeat(`[`, 50) + strings.Repeat("1,", 200_000) + "1" + strings.Repeat(`]`, 50)
	for name, in := range map[string]string{
		"9,990 brackets": strings.Repeat("[", 9_990) + strings.Repeat("]", 9_990),
		"objects":        strings.Repeat(`{"a":`, 9_990) + "1" + strings.Repeat("}", 9_990),
		"steps":          strings.Repeat("[1,", 9_990) + "1" + strings.Repeat("]", 9_990),
		"deep and wide":  wide,
	} {
		got := IndentJSON([]byte(in))
		if string(got) != in {
			t.Errorf("%s: %d bytes become %d", name, len(in), len(got))
		}
	}
	if in := "{not: json"; string(IndentJSON([]byte(in))) != in {
		t.Error("what is not JSON changed")
	}
}

func FuzzIndentJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"\""}],"c":{}}`))
	f.Add([]byte(`[[[`))
	f.Fuzz(func(t *testing.T, in []byte) {
		got := IndentJSON(in)
		var want, again bytes.Buffer
		if json.Compact(&want, in) != nil {
			return
		}
		if err := json.Compact(&again, got); err != nil || !bytes.Equal(want.Bytes(), again.Bytes()) {
			t.Fatalf("%q became %q: %v", in, got, err)
		}
	})
}
