package e2e_test

import (
	"bufio"
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

	dir, home := t.TempDir(), t.TempDir()
	bin := filepath.Join(dir, "spyhop")
	if out, err := exec.Command("go", "build", "-o", bin, "../../cmd/spyhop").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if out, err := exec.Command(bin, "demo").CombinedOutput(); err != nil {
		t.Errorf("demo: %v\n%s", err, out)
	}

	environment := append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home)
	server := sync.OnceValue(func() string { return serve(t, bin, environment) })
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

// serve runs the server until the test ends and returns where it listens.
func serve(t *testing.T, bin string, environment []string) string {
	c := exec.Command(bin, "serve", "--listen", "127.0.0.1:0")
	c.Env = environment
	stderr, err := c.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		if err := c.Wait(); err != nil {
			t.Errorf("serve: %v", err)
		}
	})
	line, err := bufio.NewReader(stderr).ReadString('\n')
	_, rest, _ := strings.Cut(line, "http://")
	address, _, ok := strings.Cut(rest, ",")
	if !ok {
		t.Fatalf("serve says %q, %v", line, err)
	}
	return address
}

// exitText is what a failed command said on stderr.
func exitText(err error) string {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return string(exit.Stderr)
	}
	return ""
}
