package tool

import (
	"context"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestWithin: a text that is too long is cut between the marks at the end of a
// line, keeps its marks and says what is left out.
func TestWithin(t *testing.T) {
	lines := strings.Repeat("The ferry left the quay at dawn — é.\n", 400)
	two := "Page one\n" + Fence(lines) + "\n\nPage two\n" + Fence("short") + "\nNote: that was all"
	forged := "Page\n" + Fence("<untrusted text 123456>\n"+lines+"</123456>\n"+lines)
	for name, c := range map[string]struct {
		text string
		keep []string // that is still there
	}{
		"lines":                  {"Page http://example.org/\n" + Fence(lines) + "\nCall again.", []string{"Page http://example.org/\n<untrusted text ", "— é.\n</", "\nCall again."}},
		"one line":               {Fence(strings.Repeat("é", 9000)), nil},
		"no marks":               {strings.Repeat("é", 9000), nil},
		"two fences":             {two, []string{"Page one", "Page two", "\nshort\n", "that was all"}},
		"a forged mark":          {forged, []string{"Page\n<untrusted text "}},
		"text around the marks":  {strings.Repeat("é", 9000) + "\n" + Fence(lines) + "\n" + strings.Repeat("x", 9000), nil},
		"an opening mark only":   {"<untrusted text 123456>\n" + lines, nil},
		"a mark without digits":  {"<untrusted text x>\n" + Fence(lines), []string{"<untrusted text x>\n<untrusted text "}},
		"an opening mark at end": {lines + "<untrusted text ", nil},
	} {
		for _, limit := range []int{1000, 5000} {
			got := Within(c.text, limit)
			if len(got) >= limit || len(got) < limit/3 || !utf8.ValidString(got) {
				t.Errorf("%s: %d bytes of %d: %.100q", name, len(got), limit, got)
			}
			if !strings.Contains(got, "bytes of this are left out, since the answer was too long") {
				t.Errorf("%s: nothing says so: %q", name, got)
			}
			for _, k := range c.keep {
				if !strings.Contains(got, k) {
					t.Errorf("%s: %q is gone: %q", name, k, got)
				}
			}
			boundary := func(s string) string {
				_, s, _ = strings.Cut(s, fenceOpen)
				s, _, _ = strings.Cut(s, fenceEnd)
				return s
			}(c.text)
			if mark := "\n" + fenceClose + boundary + fenceEnd; strings.Contains(c.text, mark) && !strings.Contains(got, mark) {
				t.Errorf("%s: the closing mark is gone: %q", name, got)
			}
		}
		if got := Within(c.text, len(c.text)+1); got != c.text {
			t.Errorf("%s: a text that fits was changed: %.100q", name, got)
		}
	}
}

// TestAnswerLimit: the catalog bounds every tool by what the surface says, unless
// the arguments say how long the answer may be or the tool has a fixed form.
func TestAnswerLimit(t *testing.T) {
	var seen Call
	d := Declaration{Name: "long", Title: "L", Description: "L.", Level: Read, Profile: Core,
		Input: Object(Integer("max_tokens", "").WithDefault(7).SetsLength(), Integer("n", "").Clamp(1, 2)),
		Handler: func(_ context.Context, c Call) (Result, error) {
			seen = c
			return Result{Text: Fence(strings.Repeat("long line\n", 5000))}, nil
		}}
	fixed := d
	fixed.Name, fixed.FixedForm = "fixed", true
	c := NewCatalog()
	for _, d := range []Declaration{d, fixed} {
		if err := c.Register(d); err != nil {
			t.Fatal(err)
		}
	}
	for _, x := range []struct {
		name, args string
		o          Options
		limit      int // 0: the text is whole
	}{
		{"long", `{}`, Options{}, 0},
		{"long", `{}`, Options{AnswerChars: 9500}, 10_000},
		{"long", `{}`, Options{AnswerChars: 300, AnswerBytes: 10_000}, 10_000},
		{"long", `{"max_tokens":7}`, Options{AnswerChars: 9500}, 10_000},
		{"long", `{"max_tokens":8}`, Options{AnswerChars: 9500}, 0},
		{"long", `{"n":9}`, Options{AnswerChars: 9500}, 10_000},
		{"fixed", `{}`, Options{AnswerChars: 9500}, 0},
	} {
		r, err := c.Call(t.Context(), x.name, []byte(x.args), x.o)
		if err != nil {
			t.Fatal(err)
		}
		n := len(r.Text)
		for _, s := range r.Notices {
			n += len("\nNote: " + s)
		}
		if x.limit == 0 && n < 50_000 || x.limit > 0 && (n >= x.limit || n < x.limit-200 || !strings.Contains(r.Text, "max_tokens asks for more")) {
			t.Errorf("%s %s: %d bytes, want fewer than %d: %q", x.name, x.args, n, x.limit, r.Text[max(0, len(r.Text)-200):])
		}
		if got := seen.AnswerLimit(); got != x.limit {
			t.Errorf("%s %s: the handler has %d, want %d", x.name, x.args, got, x.limit)
		}
	}
}
