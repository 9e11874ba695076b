package e2e_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
)

// folder holds the programs that the tests build. TestMain removes it.
var folder string

func TestMain(m *testing.M) {
	var err error
	if folder, err = os.MkdirTemp("", "spyhop-e2e-"); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(folder)
	os.Exit(code)
}

// The two programs are built once, when a test first wants them.
var (
	// product is the released program.
	product = sync.OnceValues(func() (string, error) { return build("product") })
	// tagged is the program with one file more, which takes the addresses of
	// names from the environment: resolver_e2e.go.
	tagged = sync.OnceValues(func() (string, error) { return build("tagged", "-tags", "spyhop_e2e") })
)

func build(name string, flags ...string) (string, error) {
	program := filepath.Join(folder, name, "spyhop")
	args := append([]string{"build", "-o", program}, flags...)
	c := exec.Command("go", append(args, "github.com/spyhop-dev/spyhop/cmd/spyhop")...)
	c.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return program, nil
}

// must returns the program, or ends the test.
func must(t testing.TB, program func() (string, error)) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}
