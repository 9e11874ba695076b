package text

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestVisibleJSON(t *testing.T) {
	for in, want := range map[string]string{
		"plain":       `"plain"`,
		"\x1b[31m":    `"\u001b[31m"`, // JSON's own
		"\u009b31m":   `"\u009b31m"`,
		"\x7f":        `"\u007f"`,
		"\u0085":      `"\u0085"`,
		"a\u202eb":    `"a\u202eb"`,
		"\u200b":      `"\u200b"`,
		"\U000e0041":  `"\udb40\udc41"`,
		"\U0001fffe":  `"\ud83f\udffe"`,
		"é 漢 🚢":       `"é 漢 🚢"`,
		"می\u200cخوا": "\"می\u200cخوا\"",
		"\xff":        `"` + "\ufffd" + `"`,
	} {
		raw, err := json.Marshal(in)
		if err != nil {
			t.Fatal(err)
		}
		got := string(VisibleJSON(raw))
		if want == `"`+"\ufffd"+`"` {
			want = strings.ReplaceAll(want, "\ufffd", `\ufffd`) // as encoding/json has it
		}
		if got != want {
			t.Errorf("%+q: %+q, want %+q", in, got, want)
		}
	}
	if got := string(VisibleJSON([]byte("\"\xff\x9b\""))); got != "\"\ufffd\ufffd\"" {
		t.Errorf("%+q", got)
	}
}

func FuzzVisibleJSON(f *testing.F) {
	f.Add("a\u202e\U000e0041\u009b")
	f.Fuzz(func(t *testing.T, s string) {
		s = strings.ToValidUTF8(s, "\ufffd")
		raw, _ := json.Marshal(s)
		out := VisibleJSON(raw)
		var back string
		if err := json.Unmarshal(out, &back); err != nil || back != s || !utf8.Valid(out) {
			t.Errorf("%v %+q became %+q by %q", err, s, back, out)
		}
	})
}
