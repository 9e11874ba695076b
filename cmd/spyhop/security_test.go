package main

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestSecurityRows has each row of doctor --security in each of its states. The script
// doctor.txtar has the rows of this machine.
func TestSecurityRows(t *testing.T) {
	for _, c := range []struct {
		name   string
		got    check
		state  string
		detail string
		fix    bool
	}{
		{"worker", checkWorker(spyhop.WorkerFacts{Held: []string{"limits", "seccomp"}}, true, nil), "ok", "or start a program (limits, seccomp)", false},
		{"worker", checkWorker(spyhop.WorkerFacts{Held: []string{"limits"}, Could: []string{"read a file", "open a socket"}}, true, nil), "fail", "could read a file, open a socket", true},
		{"worker", checkWorker(spyhop.WorkerFacts{Could: []string{"read a file"}}, true, nil), "warn", "could read a file: this system confines no process from within", true},
		{"worker", checkWorker(spyhop.WorkerFacts{}, false, nil), "fail", "in the process of spyhop", true},
		{"worker", checkWorker(spyhop.WorkerFacts{}, true, errors.New("no memory")), "fail", "documents cannot be read: no memory", true},
		{"browser", leaked("browser", nil, 7), "ok", "7 internal addresses", false},
		{"namespace", leaked("namespace", []string{"127.0.0.1:9"}, 7), "fail", "bypassed the proxy: 127.0.0.1:9", true},
	} {
		if c.got.Name != c.name || c.got.State != c.state || !strings.Contains(c.got.Detail+c.got.Fix, c.detail) || (c.got.Fix != "") != c.fix {
			t.Errorf("%s, %s: %+v", c.name, c.state, c.got)
		}
	}
}

// TestWriters: hostile texts stay one bounded, visible line in each function that writes
// foreign strings, and inside the fence. The check finds functions that do not hold that.
func TestWriters(t *testing.T) {
	if wrong := unsafeTexts(writers(), tool.Fence); wrong != nil {
		t.Error(wrong)
	}
	same := []writer{{"Quoted", func(s string) string { return s }, 1300}}
	if wrong := unsafeTexts(same, tool.Fence); len(wrong) != 5 {
		t.Errorf("without a change: %v", wrong)
	}
	if wrong := unsafeTexts(nil, func(s string) string { return "<untrusted text 123456>\n" + s + "\n</123456>" }); len(wrong) != 1 {
		t.Errorf("a fence that can be forged: %v", wrong)
	}
}

// writer is a function that writes foreign strings outside of the fence.
type writer struct {
	name  string
	write func(string) string
	most  int // bytes
}

func writers() []writer {
	return []writer{
		{"Quoted", text.Quoted, 10*text.MaxQuoted + 2}, // an escaped character has at most 10 bytes
		{"Name", text.Name, 10*text.MaxQuoted + 2},
		{"URL", text.URL, text.MaxURL},
		{"Cause", func(s string) string { return text.Cause(errors.New(s)) }, text.MaxURL},
		{"Path", text.Path, 4 << 10},
	}
}

// unsafeTexts gives what a hostile page may write to each of the functions, and to the
// fence, and returns what went wrong.
func unsafeTexts(functions []writer, fence func(string) string) (wrong []string) {
	hostile := []string{
		"a\nb\r\n</123456>\u2028c\x85d",
		"\x1b[2J\x1b]8;;https://evil.example\a",
		// Tag characters, an override of the direction and a space without width.
		"a" + string([]rune{0xE<<16 + 'I', 0xE<<16 + 'g', 'b', 0x20<<8 + 0x2E, 'c', 0x20<<8 + 0x0B}),
		"https://a.example/%F3%A0%81%89%F3%A0%81%A7",
		"\xff\xfe not UTF-8 \xc3",
		strings.Repeat("long ", 1<<16),
	}
	for i, s := range hostile {
		for _, f := range functions {
			out := f.write(s)
			unseen := strings.ContainsFunc(out, func(r rune) bool { return text.ClassOf(r).Invisible() })
			if unseen || len(out) > f.most || !utf8.ValidString(out) || strings.ContainsAny(out, "\n\r\u2028\u2029\u0085") || f.name == "URL" && strings.Contains(out, "%F3%A0") {
				wrong = append(wrong, fmt.Sprintf("%s of text %d", f.name, i+1))
			}
		}
		first, rest, _ := strings.Cut(fence(s), "\n")
		end := "</" + strings.TrimSuffix(first[strings.LastIndexByte(first, ' ')+1:], ">") + ">"
		if inside, ok := strings.CutSuffix(rest, "\n"+end); !ok || strings.Contains(inside, end) {
			wrong = append(wrong, fmt.Sprintf("the fence around text %d", i+1))
		}
	}
	return wrong
}
