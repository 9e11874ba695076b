package main

import (
	"bufio"
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestFlagWords: a message of a part names what the user of the command can give; words
// that are of a page, or of an address, stay.
func TestFlagWords(t *testing.T) {
	for _, c := range []struct{ command, message, want string }{
		{"fetch x", "the page shows no text; mode=links lists its links, mode=raw shows what the server sent",
			"the page shows no text; --mode links lists its links, --mode raw shows what the server sent"},
		{"fetch x", "wait_for waits for a text (render=always)", "--wait-for waits for a text (--render always)"},
		{"fetch x", "fresh=true asks the site again", "--fresh asks the site again"},
		{"fetch x", "leave query, must_contain, since and start_index out", "leave --query, --must-contain, --since and --start-index out"},
		{"fetch x", "leave one of them out", "leave one of them out"},
		{"fetch x", "section does not go with mode=raw", "--section does not go with --mode raw"},
		{"fetch x", "set WEB_DATA_DIR, or leave since out", "set WEB_DATA_DIR, or leave --since out"},
		{"fetch x", "then give login=SITE", "then give --login SITE"},
		{"fetch x", "Failed to fetch https://example.com/?mode=raw&a=browser_click", "Failed to fetch https://example.com/?mode=raw&a=browser_click"},
		{"fetch x", `the page says "use mode=raw now" and browser_click`, `the page says "use mode=raw now" and spyhop browser click`},
		{"fetch x", `mode="raw" and "mode=raw"`, `mode="raw" and "mode=raw"`},
		{"extract x", "fresh=true asks the site again", "fresh=true asks the site again"}, // it has no such flag
		{"recall x", "try other words, or search the web with web_search", "try other words, or search the web with spyhop search"},
		{"browser click b1", "take a new browser_snapshot, and use a ref from it", "take a new spyhop browser snapshot, and use a ref from it"},
		{"snapshot x", "navigate_to_url and browser_click press it in a browser", "spyhop browser open and spyhop browser click press it in a browser"},
		{"call web_fetch", "mode=raw gives all of it", "mode=raw gives all of it"},
		{"plan run x", "take a new browser_snapshot", "take a new browser_snapshot"},
	} {
		args := strings.Fields(c.command)
		s := &session{stdout: bufio.NewWriter(io.Discard), stderr: io.Discard, cli: new(grammar)}
		k, err := newParser(s, args)
		if err != nil {
			t.Fatal(err)
		}
		parsed, err := k.Parse(args)
		if err != nil {
			t.Fatal(err)
		}
		if got := flagWords(parsed.Selected(), c.message); got != c.want {
			t.Errorf("spyhop %s:\ngot  %s\nwant %s", c.command, got, c.want)
		}
	}
}

// TestErrorsFit: errors, hints and facts are broken between words on a terminal, and are one
// line each elsewhere.
func TestErrorsFit(t *testing.T) {
	e := tool.NewError(tool.NoContent, strings.Repeat("what happened ", 12), strings.Repeat("the next step ", 12))
	for _, onTerminal := range []bool{true, false} {
		var out bytes.Buffer
		s := screen{stderr: &out, errTerminal: onTerminal, colour: onTerminal}
		s.error(e)
		s.fact("notice", strings.Repeat("what is to know ", 12))
		if lines := strings.Count(out.String(), "\n"); !onTerminal && lines != 3 {
			t.Errorf("%d lines:\n%s", lines, &out)
		}
		for line := range strings.Lines(out.String()) {
			plain := strings.NewReplacer("\x1b[31m", "", "\x1b[33m", "", "\x1b[2m", "", "\x1b[0m", "").Replace(line)
			if n := terminal.Columns(strings.TrimRight(plain, "\n")); onTerminal && n > usualColumns {
				t.Errorf("%d columns: %q", n, line)
			}
		}
	}
}
