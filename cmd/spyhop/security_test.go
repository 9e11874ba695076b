package main

import (
	"errors"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/tool"
)

// TestSecurityRows has each row of doctor --security in each of its states. The script
// doctor.txtar has the rows of this machine.
func TestSecurityRows(t *testing.T) {
	wrote := func(write func(string) string) []writer { return []writer{{"Quoted", write, 1300}} }
	const quoted = `"x"`
	same := func(s string) string { return s }
	constant := func(string) string { return quoted }
	for _, c := range []struct {
		name   string
		got    check
		state  string
		detail string
		fix    bool
	}{
		{"writer", checkWriter(writers(), tool.Fence), "ok", "6 hostile texts stayed one bounded, visible line in each of 5 functions", false},
		{"writer", checkWriter(wrote(same), tool.Fence), "fail", "Quoted of text 1, Quoted of text 2, Quoted of text 3, Quoted of text 5, Quoted of text 6", true},
		{"writer", checkWriter(wrote(constant), tool.Fence), "ok", "1 functions", false},
		{"writer", checkWriter(nil, func(s string) string { return "<untrusted text 123456>\n" + s + "\n</123456>" }), "fail", "the fence around text 1", true},
		{"worker", checkWorker(spyhop.WorkerFacts{Held: []string{"limits", "seccomp"}}, true, nil), "ok", "or start a program (limits, seccomp)", false},
		{"worker", checkWorker(spyhop.WorkerFacts{Held: []string{"limits"}, Could: []string{"read a file", "open a socket"}}, true, nil), "fail", "could read a file, open a socket", true},
		{"worker", checkWorker(spyhop.WorkerFacts{Could: []string{"read a file"}}, true, nil), "warn", "could read a file: this system confines no process from within", true},
		{"worker", checkWorker(spyhop.WorkerFacts{}, false, nil), "fail", "in the process of spyhop", true},
		{"worker", checkWorker(spyhop.WorkerFacts{}, true, errors.New("no memory")), "fail", "documents cannot be read: no memory", true},
		{"owners", checkOwners(nil), "ok", "one caller sees nothing of another", false},
		{"owners", checkOwners(errors.New("one caller sees another one's logins")), "fail", "another one's logins", true},
		{"browser", leaked("browser", nil, 7), "ok", "7 internal addresses", false},
		{"namespace", leaked("namespace", []string{"127.0.0.1:9"}, 7), "fail", "bypassed the proxy: 127.0.0.1:9", true},
	} {
		if c.got.Name != c.name || c.got.State != c.state || !strings.Contains(c.got.Detail+c.got.Fix, c.detail) || (c.got.Fix != "") != c.fix {
			t.Errorf("%s, %s: %+v", c.name, c.state, c.got)
		}
	}
}
