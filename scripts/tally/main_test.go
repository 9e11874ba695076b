package main

import (
	"io"
	"strings"
	"testing"
)

func TestTally(t *testing.T) {
	for _, c := range []struct {
		name, in string
		wantLast string
		wantHas  string
		ok       bool
	}{
		{"all well", `{"Action":"run","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Test":"TestA","Output":"noise\n"}
{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Elapsed":0.5}
`, "1 passed, 0 failed, 0 skipped", "ok    p", true},
		{"a failure shows its output", `{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:3: broken\n"}
{"Action":"fail","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"fail","Package":"p"}
`, "1 passed, 1 failed, 0 skipped", "a_test.go:3: broken", false},
		{"a skip says why", `{"Action":"output","Package":"p","Test":"TestA","Output":"a_test.go:3: no browser\n"}
{"Action":"skip","Package":"p","Test":"TestA"}
{"Action":"pass","Package":"p","Test":"TestB"}
{"Action":"pass","Package":"p"}
`, "1 passed, 0 failed, 1 skipped", "no browser", true},
		{"a package that does not build", `{"ImportPath":"p","Action":"build-output","Output":"a.go:1:1: syntax error\n"}
{"ImportPath":"p","Action":"build-fail"}
{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}
{"Action":"fail","Package":"p","FailedBuild":"p"}
{"Action":"pass","Package":"q","Test":"TestA"}
{"Action":"pass","Package":"q"}
`, "1 passed, 1 failed, 0 skipped", "syntax error", false},
		{"a panic outside a test", `{"Action":"pass","Package":"p","Test":"TestA"}
{"Action":"output","Package":"p","Output":"panic: late\n"}
{"Action":"fail","Package":"p"}
`, "1 passed, 1 failed, 0 skipped", "panic: late", false},
		{"no test", `{"Action":"skip","Package":"p"}
`, "0 passed, 0 failed, 0 skipped", "no test ran", false},
		{"words of the go command", "go: cannot find module\n", "0 passed, 0 failed, 0 skipped", "cannot find module", false},
		{"last line without an end", `{"Action":"pass","Package":"p","Test":"TestA"}`, "1 passed, 0 failed, 0 skipped", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			ok := tally(strings.NewReader(c.in), &b, io.Discard)
			lines := strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n")
			if last := lines[len(lines)-1]; last != c.wantLast || ok != c.ok || !strings.Contains(b.String(), c.wantHas) {
				t.Errorf("ok %v, printed:\n%s\nwant ok %v, %q, last line %q", ok, b.String(), c.ok, c.wantHas, c.wantLast)
			}
		})
	}
}

// TestFew: few failed tests are listed by the name that go test -run takes, and nothing where
// the cause is certain or many fail.
func TestFew(t *testing.T) {
	fail := func(test, said string) string {
		return `{"Action":"output","Package":"p","Test":"` + test + `","Output":"` + said + `\n"}
{"Action":"fail","Package":"p","Test":"` + test + `"}
`
	}
	end := `{"Action":"fail","Package":"p"}` + "\n"
	for _, c := range []struct{ name, in, want string }{
		{"a test and its parts", fail("TestA/x", "late") + fail("TestA", "") + end, "p TestA\n"},
		{"two", fail("TestA", "late") + fail("TestB", "late") + end, "p TestA\np TestB\n"},
		{"none", `{"Action":"pass","Package":"p","Test":"TestA"}` + "\n", ""},
		{"many", fail("TestA", "") + fail("TestB", "") + fail("TestC", "") + fail("TestD", "") + end, ""},
		{"a race", fail("TestA", "late") + fail("TestB", "WARNING: DATA RACE") + end, ""},
		{"a panic", fail("TestA", "panic: nil") + end, ""},
		{"a package that does not build", fail("TestA", "late") + end + `{"Action":"fail","Package":"q"}` + "\n", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			var few strings.Builder
			tally(strings.NewReader(c.in), io.Discard, &few)
			if few.String() != c.want {
				t.Errorf("%q, want %q", few.String(), c.want)
			}
		})
	}
}
