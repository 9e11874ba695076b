package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	wide "github.com/spyhop-dev/spyhop/internal/terminal"
	"golang.org/x/sys/unix"
)

// A seat is a person at a terminal in which the command runs.
type seat struct {
	t      *testing.T
	screen *os.File // the other side of the terminal
	ended  chan int // the exit status
	text   string   // everything that was printed
}

// theEnd is on the screen after what the command has printed.
const theEnd = "\x1e"

// sitDown starts the command with a terminal of 80 columns as its stdin, stdout and
// stderr.
func sitDown(t *testing.T, home string, args ...string) *seat {
	t.Helper()
	return sitDownAt(t, home, 80, args...)
}

// sitDownAt is sitDown with a terminal of another width.
func sitDownAt(t *testing.T, home string, columns uint16, args ...string) *seat {
	t.Helper()
	screen, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no terminals on this machine: ", err)
	}
	t.Cleanup(func() { screen.Close() })
	n, err := unix.IoctlGetInt(int(screen.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = errors.Join(unix.IoctlSetPointerInt(int(screen.Fd()), unix.TIOCSPTLCK, 0),
			unix.IoctlSetWinsize(int(screen.Fd()), unix.TIOCSWINSZ, &unix.Winsize{Row: 24, Col: columns}))
	}
	if err != nil {
		t.Fatal(err)
	}
	terminal, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { terminal.Close() }) // not before: the kernel may drop what was printed last
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(home, "spyhop")
	if err := os.Symlink(self, program); err != nil && !errors.Is(err, fs.ErrExist) {
		t.Fatal(err)
	}
	c := exec.CommandContext(t.Context(), program, args...)
	c.Env = []string{"HOME=" + home, "TERM=dumb", "WEB_DATA_DIR=" + filepath.Join(home, "data")}
	c.Stdin, c.Stdout, c.Stderr = terminal, terminal, terminal
	c.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	s := &seat{t: t, screen: screen, ended: make(chan int, 1)}
	go func() {
		_ = c.Wait()
		_, _ = terminal.WriteString(theEnd)
		s.ended <- c.ProcessState.ExitCode()
	}()
	return s
}

// reads waits until a text is on the screen.
func (s *seat) reads(want string) {
	s.t.Helper()
	buf := make([]byte, 4096)
	for !strings.Contains(s.text, want) {
		if strings.HasSuffix(s.text, theEnd) {
			s.t.Fatalf("%q is not on the screen:\n%s", want, s.text)
		}
		n, err := s.screen.Read(buf)
		s.text += string(buf[:n])
		if err != nil {
			s.t.Fatalf("%v: %s", err, s.text)
		}
	}
}

func (s *seat) types(keys string) {
	s.t.Helper()
	if _, err := s.screen.WriteString(keys); err != nil {
		s.t.Fatal(err)
	}
}

// ends waits for the end of the command and returns its exit status.
func (s *seat) ends() int {
	s.reads(theEnd)
	s.text = strings.TrimSuffix(s.text, theEnd)
	return <-s.ended
}

// TestTerminal: a command that reads a terminal says so, and one Ctrl-C ends it; Ctrl-D
// ends its input. A question is asked without that line.
func TestTerminal(t *testing.T) {
	const ctrlC, ctrlD = "\x03", "\x04"
	for _, c := range []struct {
		args, first, keys string
		exit              int
		last              string
	}{
		{"extract", "reading stdin: end it with Ctrl-D", ctrlC, 130, "the call was cancelled"},
		{"extract -", "reading stdin: end it with Ctrl-D", ctrlC, 130, "the call was cancelled"},
		{"plan run -", "reading stdin: ", ctrlC, 130, "the call was cancelled"},
		{"call web_fetch -", "reading stdin: ", ctrlC, 130, "the call was cancelled"},
		{"policy check --batch -", "reading stdin: ", ctrlC, 130, "the call was cancelled"},
		{"extract", "reading stdin: ", "<h1>Fog</h1><p>The ferry met the fog.</p>\r" + ctrlD, 0, "The ferry met the fog."},
		{"extract", "reading stdin: ", "<title>Buoys</title><p>2<sup>48</sup> buoys met the fog.</p>\r" + ctrlD, 0, "Buoys\r\n\r\n2⁴⁸ buoys met the fog."},
		{"mcp", "serving: MCP on stdin and stdout, for programs", ctrlD, 0, ""},
		{"init cursor", "add spyhop to Cursor, in ", "n\r", 0, "declined:"},
		{"init cursor", "add spyhop to Cursor, in ", ctrlC, 130, ""},
	} {
		t.Run(c.args, func(t *testing.T) {
			s := sitDown(t, t.TempDir(), strings.Fields(c.args)...)
			s.reads(c.first)
			s.types(c.keys)
			if exit := s.ends(); exit != c.exit || !strings.Contains(s.text, c.last) {
				t.Errorf("exit status %d:\n%s", exit, s.text)
			}
			if strings.HasPrefix(c.args, "init") && strings.Contains(s.text, "reading stdin") {
				t.Errorf("a question says it twice:\n%s", s.text)
			}
		})
	}
}

// TestTerminalWidth: what is printed on a terminal fits into it, on stdout and stderr; only
// a word that is longer than a line is not broken.
func TestTerminalWidth(t *testing.T) {
	for _, columns := range []uint16{20, 80, 200} {
		for _, args := range []string{"config", "tools", "policy check http://2130706433/latest/meta-data", "fetch ./page.html", "fetch http://10.0.0.1/", "doctor --config nowhere.toml", "login --list"} {
			t.Run(fmt.Sprintf("%s in %d", args, columns), func(t *testing.T) {
				s := sitDownAt(t, t.TempDir(), columns, strings.Fields(args)...)
				s.ends()
				if strings.TrimSpace(s.text) == "" {
					t.Fatal("nothing was printed")
				}
				for line := range strings.Lines(strings.ReplaceAll(s.text, "\r\n", "\n")) {
					longest := 0
					for _, word := range strings.Fields(line) {
						longest = max(longest, wide.Columns(word))
					}
					if n := wide.Columns(strings.TrimRight(line, "\n")); n > int(columns) && longest <= int(columns)-10 {
						t.Errorf("%d columns: %q", n, line)
					}
				}
			})
		}
	}
}
