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
	c.Env = environment(os.Environ())
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

// environment is what a pager gets of these variables: those of the terminal, of the
// language and of less. The others can hold keys.
func environment(all []string) []string {
	out, less := []string{}, false
	for _, v := range all {
		name, _, _ := strings.Cut(v, "=")
		switch name {
		case "PATH", "HOME", "USER", "SHELL", "LANG", "TERM", "TERMINFO", "COLORTERM", "COLUMNS", "LINES", "TMPDIR", "XDG_CONFIG_HOME",
			"SystemRoot", "ComSpec", "PATHEXT", "TEMP", "TMP", "USERPROFILE":
		default:
			if !strings.HasPrefix(name, "LC_") && !strings.HasPrefix(name, "LESS") && !strings.HasPrefix(name, "BAT_") {
				continue
			}
		}
		less = less || name == "LESS"
		out = append(out, v)
	}
	if !less {
		out = append(out, "LESS=FRX")
	}
	return out
}
