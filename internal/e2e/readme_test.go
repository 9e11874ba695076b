package e2e_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// The README's commands are run: the set-up command that can be run here, and
// every session in a console block, whose output has to be what stands there.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := string(readme)
	for _, command := range []string{"go run ./cmd/spyhop demo", "make check"} {
		if !strings.Contains(text, "\n"+command) {
			t.Errorf("the README does not tell %q", command)
		}
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil || !bytes.Contains(makefile, []byte("\ncheck:")) {
		t.Errorf("there is no make check: %v", err)
	}

	home, bin := t.TempDir(), must(t, product)
	dir := filepath.Dir(bin)
	if out, err := exec.Command(bin, "demo").CombinedOutput(); err != nil {
		t.Errorf("demo: %v\n%s", err, out)
	}

	environment := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	server := sync.OnceValue(func() string {
		c := exec.Command(bin, "serve", "--listen", "127.0.0.1:0")
		c.Env = environment
		url, err := start(t, c)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimPrefix(url, "http://")
	})
	sessions := 0
	for _, block := range regexp.MustCompile("(?s)```console\n(.*?)```").FindAllStringSubmatch(text, -1) {
		command, want, _ := strings.Cut(block[1], "\n")
		command, ok := strings.CutPrefix(command, "$ ")
		switch {
		case ok && strings.HasPrefix(command, "spyhop "):
			command = dir + "/" + command
		case ok && strings.HasPrefix(command, "curl "):
			if _, err := exec.LookPath("curl"); err != nil {
				t.Logf("not run, there is no curl: %s", command)
				continue
			}
			command = strings.Replace(command, "127.0.0.1:7749", server(), 1)
		default:
			t.Errorf("a session begins with neither \"$ spyhop\" nor \"$ curl\": %s", command)
			continue
		}
		sessions++
		c := exec.Command("sh", "-c", "exec "+command)
		c.Dir = filepath.Join("testdata", "readme")
		c.Env = environment
		out, err := c.Output()
		if got := string(out); strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: %v\n--- prints\n%s%s\n--- the README says\n%s", command, err, got, exitText(err), want)
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
