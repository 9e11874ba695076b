package terminal

import (
	"strings"
	"testing"
	"unicode"
)

func TestWrap(t *testing.T) {
	for _, c := range []struct {
		in     string
		width  int
		indent string
		want   string
	}{
		{"one two three four five six", 20, "", "one two three four\nfive six"},
		{"one two three four five six", 5, "", "one two three four\nfive six"}, // at least 20
		{"one two three four five six", 0, "", "one two three four five six"},
		{"- one two three four five six", 20, "  ", "- one two three four\n  five six"},
		{"see https://example.com/a/very/long/address now", 20, "", "see\nhttps://example.com/a/very/long/address\nnow"},
		{"name              a value of several words", 20, "    ", "name              a\n    value of several\n    words"},
		{"a long name         value", 20, "    ", "a long name\n    value"}, // the spaces of a column
		{"name      value of several words", 20, "          ", "name      value of\n          several\n          words"},
		{"name       value of several words", 20, "           ", "name       value of\n  several words"}, // half of the line
		{"    spyhop fetch --json example.com", 20, "      ", "    spyhop fetch\n      --json\n      example.com"},
		{"鯨鯨鯨鯨 鯨鯨鯨鯨 鯨鯨鯨鯨", 20, "", "鯨鯨鯨鯨 鯨鯨鯨鯨\n鯨鯨鯨鯨"},
	} {
		if got := Wrap(c.in, c.width, c.indent); got != c.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", c.in, c.width, got, c.want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	for _, c := range []struct{ in, plain, coloured string }{
		{"# Fog at sea\n", "Fog at sea\n", bold + "Fog at sea" + reset + "\n"},
		{"a **strong** and *soft* word\n", "a strong and soft word\n", "a " + bold + "strong" + reset + " and " + italic + "soft" + reset + " word\n"},
		{"[log](https://example.com/log)\n", "log <https://example.com/log>\n", underline + "log" + reset + faint + " <https://example.com/log>" + reset + "\n"},
		{"[a [b] c](x \"title\")\n", "a [b] c <x>\n", ""},
		{"[not a link] (x)\n", "[not a link] (x)\n", ""},
		{"2 \\* 3, `a*b*c`\n", "2 * 3, a*b*c\n", ""},
		{"- one\n  - two\n1. three\n> four\n", "• one\n  • two\n1. three\n│ four\n", ""},
		{"```go\nx := *y\n```\nafter\n", "    x := *y\nafter\n", ""},
		{"| a | b |\n| --- | --- |\n| 1<br>2 | 3 |\n", "| a | b |\n| ─── | ─── |\n| 1 / 2 | 3 |\n", ""},
		{"2<sup>48</sup>, H<sub>2</sub>O, x<sup>a</sup>, y<sup>ab</sup>, <sup>open\n", "2⁴⁸, H₂O, x^a, y^(ab), <sup>open\n", ""},
		{"un*closed [link](x\n", "un*closed [link](x\n", ""},
	} {
		if got := Markdown(c.in, Style{}); got != c.plain {
			t.Errorf("%q:\n%q, want\n%q", c.in, got, c.plain)
		}
		if got := Markdown(c.in, Style{Colour: true}); c.coloured != "" && got != c.coloured {
			t.Errorf("%q in colours:\n%q, want\n%q", c.in, got, c.coloured)
		}
	}
	long := "- " + strings.Repeat("word ", 20) + "\n"
	for line := range strings.Lines(Markdown(long, Style{Width: 20})) {
		if Columns(strings.TrimRight(line, "\n")) > 20 {
			t.Errorf("%q is wider than 20 columns", line)
		}
	}
}

func TestTable(t *testing.T) {
	const tides = "| Port | High water | Remarks |\n| --- | --- | --- |\n| Lantern Bay | 7:11 | a strong current at the green buoy \\| keep north |\n| 潮 | **7:40** | |\n"
	for _, c := range []struct {
		name  string
		in    string
		width int
		want  string
	}{
		{"it fits", tides, 100, "" +
			"Port        │ High water │ Remarks\n" +
			"────────────┼────────────┼────────────────────────────────────────────────\n" +
			"Lantern Bay │ 7:11       │ a strong current at the green buoy | keep north\n" +
			"潮          │ 7:40       │\n"},
		{"it does not fit", tides, 20, "" +
			"Port: Lantern Bay\nHigh water: 7:11\nRemarks: a strong\n  current at the\n  green buoy | keep\n  north\n\nPort: 潮\nHigh water: 7:40\n"},
		{"no head", "| a | b |\n| c | d |\n", 40, "a │ b\nc │ d\n"},
		{"only bars", "||\n", 40, "\n"},
		{"text around it", "before\n\n| a |\n| --- |\n| b |\n\nafter\n", 40, "before\n\na\n─\nb\n\nafter\n"},
	} {
		if got := Markdown(c.in, Style{Width: c.width}); got != c.want {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.want)
		}
	}
}

func FuzzMarkdown(f *testing.F) {
	f.Add("# h\n- [a](b) **c** `d`\n```\nx\n```\n", 20) // each kind of line
	f.Add("[[[[[[[[](", 0)                              // brackets that are not closed
	f.Add("\x1b]0;title\x07\u009b31m", 80)              // sequences that control a terminal
	f.Fuzz(func(t *testing.T, in string, width int) {
		if len(in) > 10_000 {
			return
		}
		out := visible(Markdown(in, Style{Width: width % 200, Colour: true}))
		for _, r := range out {
			if r != '\n' && r != '\t' && unicode.IsControl(r) {
				t.Fatalf("%q has the control character %U", out, r)
			}
		}
	})
}

func TestPager(t *testing.T) {
	env := func(values map[string]string) func(string) (string, bool) {
		return func(name string) (string, bool) { v, ok := values[name]; return v, ok }
	}
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"PAGER": "more -s"}, "more -s"},
		{map[string]string{"PAGER": "more", "SPYHOP_PAGER": "less -R"}, "less -R"},
		{map[string]string{"PAGER": ""}, ""},
		{map[string]string{"PAGER": "cat"}, ""},
	} {
		if got := strings.Join(Pager(env(c.env)), " "); got != c.want {
			t.Errorf("Pager(%v) = %q, want %q", c.env, got, c.want)
		}
	}
}

// TestPagerEnvironment: a pager gets what a terminal needs, and no key.
func TestPagerEnvironment(t *testing.T) {
	got := strings.Join(environment([]string{"PATH=/bin", "OPENAI_API_KEY=secret", "WEB_SERVE_TOKEN=secret", "AWS_SECRET=secret", "LC_ALL=C", "TERM=xterm", "LESSOPEN=|x"}), " ")
	if want := "PATH=/bin LC_ALL=C TERM=xterm LESSOPEN=|x LESS=FRX"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got := environment([]string{"LESS=R"}); len(got) != 1 {
		t.Errorf("the user's LESS is replaced: %q", got)
	}
}
