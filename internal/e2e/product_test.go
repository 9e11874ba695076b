package e2e_test

import (
	"bytes"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestProduct: the tests run the product, except for one file of the command,
// which the product does not have in any form.
func TestProduct(t *testing.T) {
	plain, withTag := sourceFiles(t), sourceFiles(t, "-tags", "spyhop_e2e")
	var differ []string
	for pkg := range withTag {
		if !slices.Equal(plain[pkg], withTag[pkg]) {
			differ = append(differ, pkg)
		}
	}
	const command = "github.com/spyhop-dev/spyhop/cmd/spyhop"
	if !maps.EqualFunc(plain, withTag, func(a, b []string) bool { return true }) || !slices.Equal(differ, []string{command}) {
		t.Errorf("the tag changes the packages %q", differ)
	}
	instead := slices.Clone(plain[command])
	instead[slices.Index(instead, "resolver.go")] = "resolver_e2e.go"
	if !slices.Equal(instead, withTag[command]) {
		t.Errorf("the tag changes the files of the command from\n%q to\n%q", plain[command], withTag[command])
	}
	for _, p := range []struct {
		program func() (string, error)
		has     bool
	}{{product, false}, {tagged, true}} {
		data, err := os.ReadFile(must(t, p.program))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(data, []byte("SPYHOP_E2E")) != p.has {
			t.Errorf("the variable of the tests is in the program: %v, want %v", !p.has, p.has)
		}
	}
}

// sourceFiles are the files that a build compiles, by package.
func sourceFiles(t *testing.T, flags ...string) map[string][]string {
	t.Helper()
	args := append([]string{"list", "-deps", "-f", `{{if not .Standard}}{{.ImportPath}} {{join .GoFiles " "}}{{end}}`}, flags...)
	out, err := exec.Command("go", append(args, "github.com/spyhop-dev/spyhop/cmd/spyhop")...).Output()
	if err != nil {
		t.Fatal(err)
	}
	files := make(map[string][]string)
	for line := range strings.Lines(string(out)) {
		words := strings.Fields(line)
		files[words[0]] = words[1:]
	}
	if len(files) < 20 {
		t.Fatalf("%d packages", len(files))
	}
	return files
}
