package spyhop_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The README's commands are run: the set-up command that can be run here, and
// every session in a console block, whose output has to be what stands there.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(readme)
	for _, command := range []string{"go run ./cmd/spyhop demo", "make check"} {
		if !strings.Contains(text, "\n"+command) {
			t.Errorf("the README does not tell %q", command)
		}
	}
	makefile, err := os.ReadFile("Makefile")
	if err != nil || !bytes.Contains(makefile, []byte("\ncheck:")) {
		t.Errorf("there is no make check: %v", err)
	}

	dir, home := t.TempDir(), t.TempDir()
	bin := filepath.Join(dir, "spyhop")
	if out, err := exec.Command("go", "build", "-o", bin, "./cmd/spyhop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(bin, "demo").CombinedOutput(); err != nil {
		t.Errorf("demo: %v\n%s", err, out)
	}

	sessions := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
		command, want, _ := strings.Cut(block[1], "\n")
		command, ok := strings.CutPrefix(command, "$ spyhop ")
		if !ok {
			t.Errorf("a session does not begin with \"$ spyhop\": %s", command)
			continue
		}
		sessions++
		c := exec.Command("sh", "-c", "exec "+bin+" "+command)
		c.Dir = filepath.Join("testdata", "readme")
		c.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
		out, err := c.Output()
		if got := string(out); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("spyhop %s: %v\n--- prints\n%s%s\n--- the README says\n%s", command, err, got, exitText(err), want)
		}
	}
	if sessions < 3 {
		t.Errorf("%d sessions were run", sessions)
	}
}

// exitText is what a failed command said on stderr.
func exitText(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}
