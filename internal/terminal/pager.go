package terminal

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"strings"
)

// Pager is the command that shows long texts: SPYHOP_PAGER, else PAGER, else less if
// it is installed; "" is none. "cat" is none too.
func Pager(env func(string) (string, bool)) []string {
	for _, name := range []string{"SPYHOP_PAGER", "PAGER"} {
		if value, ok := env(name); ok {
			words := strings.Fields(value)
			if len(words) == 0 || words[0] == "cat" {
				return nil
			}
			return words
		}
	}
	if path, err := exec.LookPath("less"); err == nil {
		return []string{path}
	}
	return nil
}

// Page shows a text in a pager, and waits until the user leaves it. Leaving it early is
// no error. less gets its flags from LESS, else it keeps colours, and ends at once if
// the text fits.
func Page(ctx context.Context, pager []string, text string, stdout, stderr *os.File) error {
	c := exec.CommandContext(ctx, pager[0], pager[1:]...)
	c.Stdout, c.Stderr = stdout, stderr
	c.Env = os.Environ()
	if _, ok := os.LookupEnv("LESS"); !ok {
		c.Env = append(c.Env, "LESS=FRX")
	}
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	_, _ = io.WriteString(in, text) // it fails when the user leaves early
	_ = in.Close()
	var exit *exec.ExitError
	if err := c.Wait(); err != nil && !errors.As(err, &exit) {
		return err
	}
	return nil
}
