package spyhop_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestStranger builds and runs testdata/stranger, a program that was written from
// go doc only, in a fresh module: what it needs for a page, a tool of its own and
// a language model of its own is exported by public packages.
func TestStranger(t *testing.T) {
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program, err := os.ReadFile(filepath.Join("testdata", "stranger", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{
		"go.mod": []byte("module example.com/stranger\n\ngo 1.26.0\n\nrequire github.com/spyhop-dev/spyhop v0.0.0\n\n" +
			"replace github.com/spyhop-dev/spyhop => " + here + "\n"),
		"go.sum":  sums,
		"main.go": program,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	// What the module needs was downloaded to build this test.
	c := exec.Command("go", "run", ".")
	c.Dir = dir
	c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "GOPROXY=off")
	out, err := c.CombinedOutput()
	want := "Fog complete 200\nAHOY Boats \"wait for the fog to lift\" [1]. true Fog\ntrue\n"
	if err != nil || string(out) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, out, want)
	}
}
