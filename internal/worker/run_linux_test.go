package worker

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// script writes a program of the shell, and returns its path.
func script(t *testing.T, body string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "program")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"+body), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestRun: a program has its arguments, its input and its variables, and nothing else.
func TestRun(t *testing.T) {
	t.Setenv("SECRET_OF_TEST", "hunter2")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("hunter2\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newPool(t, Options{})
	out, err := p.Run(t.Context(), Command{Name: script(t, `
read line
echo "args $*; input $line; variable $GIVEN; secret $SECRET_OF_TEST."
{ read stolen < `+secret+` && echo "read $stolen"; } 2>&1
{ echo more > `+secret+` && echo "writes a file"; } 2>&1
true
`), Args: []string{"-l", "deu"}, Env: []string{"GIVEN=yes"}, Input: []byte("hello\n")})
	if err != nil {
		t.Fatal(err)
	}
	got := string(out)
	if !strings.HasPrefix(got, "args -l deu; input hello; variable yes; secret .\n") {
		t.Errorf("%q", got)
	}
	if _, held, err := p.Probe(t.Context()); err != nil {
		t.Error(err)
	} else if slices.Contains(held, "landlock") && strings.Contains(got, "hunter2") {
		t.Errorf("it reads a file: %q", got)
	}
	if strings.Contains(got, "writes a file") {
		t.Errorf("%q", got)
	}
	if out, err := p.Run(t.Context(), Command{Name: script(t, "(echo starts a process)")}); err == nil {
		t.Errorf("it %s", out)
	}
	if b, err := os.ReadFile(secret); err != nil || string(b) != "hunter2\n" {
		t.Errorf("the file has %q, %v", b, err)
	}
}

// TestRunEnds: programs that hang, flood or fail end, and one that is missing is named.
func TestRunEnds(t *testing.T) {
	p := newPool(t, Options{MaxReply: 1 << 20})
	ctx, cancel := context.WithTimeout(t.Context(), 500*time.Millisecond)
	defer cancel()
	from := time.Now()
	if _, err := p.Run(ctx, Command{Name: script(t, "while :; do :; done")}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a program that hangs: %v", err)
	}
	if d := time.Since(from); d > 10*time.Second {
		t.Errorf("it took %v", d)
	}
	var e *Error
	if _, err := p.Run(t.Context(), Command{Name: script(t, "while echo 0123456789012345678901234567890123456789; do :; done")}); !errors.As(err, &e) || e.Code != Ended {
		t.Errorf("a program that floods: %v", err)
	}
	if _, err := p.Run(t.Context(), Command{Name: script(t, "echo broken picture >&2; exit 3")}); !errors.As(err, &e) || !strings.Contains(err.Error(), "broken picture") {
		t.Errorf("a program that fails: %v", err)
	}
	if _, err := p.Run(t.Context(), Command{Name: "no-such-program-of-spyhop"}); !errors.Is(err, ErrNotInstalled) {
		t.Errorf("a program that is missing: %v", err)
	}
	if out, err := p.Run(t.Context(), Command{Name: script(t, "echo works")}); err != nil || string(out) != "works\n" {
		t.Errorf("the next program: %q, %v", out, err)
	}
}
