package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/terminal"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// progressAfter is how long a call may last before progress is shown.
const progressAfter = 300 * time.Millisecond

// progressEvery is how often the line is drawn again.
const progressEvery = 200 * time.Millisecond

// screen writes to stderr, and knows whether stdout and stderr are terminals.
type screen struct {
	stderr io.Writer
	out    *bufio.Writer // stdout; nil: nothing waits there
	quiet  bool          // --quiet
	// outTerminal and errTerminal report whether stdout and stderr are terminals.
	outTerminal, errTerminal bool
	// colour and outColour report whether stderr and stdout show colours.
	colour, outColour bool
	// columns and lines are the size of the terminal; columns is 0 if stdout is none.
	columns, lines int
	shown          *progressLine
	// words writes a message in the words of the command that runs; nil changes nothing.
	words func(string) string
}

func newScreen(stdout, stderr io.Writer, env func(string) (string, bool)) screen {
	s := screen{stderr: stderr, outTerminal: isTerminal(stdout), errTerminal: isTerminal(stderr), shown: new(progressLine)}
	noColor, _ := env("NO_COLOR") // no-color.org: set and not empty
	term, _ := env("TERM")
	s.colour = s.errTerminal && noColor == "" && term != "dumb" && terminal.ANSI(stderr.(*os.File))
	s.outColour = s.outTerminal && noColor == "" && term != "dumb" && terminal.ANSI(stdout.(*os.File))
	if f, ok := stdout.(*os.File); ok && s.outTerminal {
		if s.columns, s.lines, ok = terminal.Size(f); !ok {
			s.columns, s.lines = usualColumns, 0
		}
	}
	return s
}

// usualColumns is the width of a terminal that does not say its own.
const usualColumns = 80

// errColumns is the width for lines on stderr.
func (s screen) errColumns() int {
	if f, ok := s.stderr.(*os.File); ok {
		if columns, _, ok := terminal.Size(f); ok {
			return columns
		}
	}
	return usualColumns
}

// isTerminal reports whether w is a character device other than the null
// device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err != nil || !os.SameFile(info, null)
}

const (
	red    = "31"
	green  = "32"
	yellow = "33"
	faint  = "2"
	bold   = "1"
)

func (s screen) paint(code, text string) string {
	if !s.colour {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// paintOut is paint for stdout.
func (s screen) paintOut(code, text string) string {
	s.colour = s.outColour
	return s.paint(code, text)
}

func (s screen) error(e *tool.Error) {
	s.line(red, "error", s.inWords(e.Message))
	if e.Hint != "" {
		s.line(yellow, "hint", s.inWords(e.Hint))
	}
}

func (s screen) inWords(message string) string {
	if s.words == nil {
		return message
	}
	return s.words(message)
}

// line writes a label and a text on stderr.
func (s screen) line(code, label, value string) {
	s.fitted(s.paint(code, printable(label)+":")+" "+printable(value), "  ")
}

// fitted writes a line on stderr; a terminal gets it in lines that fit, of which the
// second begins with indent.
func (s screen) fitted(line, indent string) {
	if s.errTerminal {
		line = terminal.Wrap(line, s.errColumns(), indent)
	}
	fmt.Fprintln(s.stderr, line)
}

// printError prints an error that does not stop the command.
func (s *session) printError(err error) {
	if !s.screen.quiet {
		s.screen.clear()
		s.screen.line(yellow, "note", err.Error())
	}
}

// tell prints a line of ours on stderr, unless --quiet is given.
func (s *session) tell(line string) {
	if !s.screen.quiet {
		fmt.Fprintln(s.stderr, printable(line))
	}
}

// facts prints a line for each of the values.
func (s screen) facts(name string, values []string) {
	for _, v := range values {
		s.fact(name, v)
	}
}

// fact prints one short line about a result, below what stdout has; nothing with --quiet.
func (s screen) fact(name, value string) {
	if s.quiet {
		return
	}
	if s.out != nil {
		s.out.Flush()
	}
	switch {
	case value == "":
	case name == "notice":
		s.line(faint, name, s.inWords(value))
	default: // it may be of a page
		s.line(faint, name, value)
	}
}

// printable is a text as a part of one line of ours, without characters that steer a
// terminal or that nobody sees. Titles, messages and arguments come from pages, servers
// and models; with a line end they could write lines that look like ours.
func printable(s string) string {
	return strings.NewReplacer("\n", " ", "\t", " ").Replace(text.Clean(s, text.Verbatim, nil))
}

// size formats a number of bytes for people; KB is 1000 bytes.
func size(n int64) string {
	switch {
	case n < 1000:
		return strconv.FormatInt(n, 10) + "B"
	case n < 999_950:
		return strconv.FormatFloat(float64(n)/1e3, 'f', 1, 64) + "KB"
	case n < 999_950_000:
		return strconv.FormatFloat(float64(n)/1e6, 'f', 1, 64) + "MB"
	}
	return strconv.FormatFloat(float64(n)/1e9, 'f', 1, 64) + "GB"
}

// progressLine is a line on the terminal that is overwritten.
type progressLine struct {
	mu      sync.Mutex
	timer   *time.Timer
	text    string
	updated bool // by the command, not by its requests
	visible bool
	begun   time.Time
}

// progress returns the callback for the progress of fetches; nil when stderr is
// not a terminal or --quiet is given.
func (s *session) progress() func(spyhop.Progress) {
	if !s.screen.errTerminal || s.screen.quiet {
		return nil
	}
	return s.screen.hear
}

// start shows the line if the call is still running after progressAfter.
func (s screen) start(what string) {
	if !s.errTerminal || s.quiet {
		return
	}
	p := s.shown
	p.mu.Lock()
	defer p.mu.Unlock()
	p.text, p.begun, p.updated = what, time.Now(), false
	if p.timer != nil {
		p.timer.Stop()
	}
	p.timer = time.AfterFunc(progressAfter, s.tick)
}

// tick draws the line and calls itself again, so that a person sees that time passes
// while nothing arrives.
func (s screen) tick() {
	p := s.shown
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer == nil {
		return
	}
	p.visible = true
	s.draw()
	p.timer.Reset(progressEvery)
}

func (s screen) hear(e spyhop.Progress) {
	text := "waiting for " + e.URL
	if e.Bytes > 0 {
		text = "receiving " + e.URL + " " + size(e.Bytes)
		if e.Length > 0 {
			text += " of " + size(e.Length)
		}
	}
	s.change(text, false)
}

// update changes the text of the line that start has begun.
func (s screen) update(what string) { s.change(what, true) }

func (s screen) change(what string, byCommand bool) {
	p := s.shown
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.updated && !byCommand {
		return // the work as a whole says more than one of its requests
	}
	p.text, p.updated = what, byCommand
}

// draw needs the lock of s.shown. A line that says how long the work will take does not say
// how long it took: two times beside each other are read as one.
func (s screen) draw() {
	passed := fmt.Sprintf(" %.0f s", time.Since(s.shown.begun).Seconds())
	if strings.HasSuffix(s.shown.text, " to go") {
		passed = ""
	}
	words := text.Cut(printable(s.shown.text), max(s.errColumns()-len(passed)-2, 1))
	fmt.Fprint(s.stderr, "\r\x1b[K"+s.paint(faint, words+passed))
}

// clear removes the progress line.
func (s screen) clear() {
	p := s.shown
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.timer != nil {
		p.timer.Stop()
		p.timer = nil
	}
	if p.visible {
		fmt.Fprint(s.stderr, "\r\x1b[K")
		p.visible = false
	}
}

// content writes page content to stdout and ends it with a newline. On a
// terminal, control characters are removed; a pipe gets the bytes unchanged.
func (s *session) content(c string) {
	s.stdout.WriteString(s.shown(c))
	if !strings.HasSuffix(c, "\n") {
		s.stdout.WriteByte('\n')
	}
}

// sentence writes a line of ours to stdout; a terminal gets it in lines that fit.
func (s *session) sentence(line string) { s.content(terminal.Wrap(line, s.screen.columns, "  ")) }

// shown is content as stdout gets it.
func (s *session) shown(c string) string {
	if s.screen.outTerminal {
		return text.WithoutControls(c)
	}
	return c
}

// markdown writes Markdown: drawn for a person on a terminal, in a pager if it is longer
// than the screen; as it is in a pipe and with --plain.
func (s *session) markdown(markdown string) {
	if !s.screen.outTerminal || s.cli.Plain {
		s.content(markdown)
		return
	}
	drawn := terminal.Markdown(markdown, terminal.Style{Width: s.screen.columns, Colour: s.screen.outColour})
	out, isFile := s.pipe.(*os.File)
	in, _ := s.stdin.(*os.File)
	if isFile && in != nil && isTerminal(in) && s.screen.lines > 0 && strings.Count(drawn, "\n") > s.screen.lines-2 {
		if pager := terminal.Pager(os.LookupEnv); pager != nil {
			s.stdout.Flush()
			if terminal.Page(s.ctx, pager, drawn, out, os.Stderr) == nil {
				return
			}
		}
	}
	s.stdout.WriteString(drawn)
}

// printed prints a value where --json asks for it.
func (s *session) printed(v any) bool {
	if s.cli.JSON {
		s.print(v)
	}
	return s.cli.JSON
}

// print writes a value as indented JSON.
func (s *session) print(v any) {
	b, err := jsonOf(v, "  ")
	if err != nil {
		fmt.Fprintln(s.stderr, "error: cannot print the result as JSON: "+printable(err.Error()))
		return
	}
	s.stdout.Write(text.VisibleJSON(b))
}

// jsonOf is a value as JSON and a line end; with an indent, on several lines.
func jsonOf(v any, indent string) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	err := e.Encode(v)
	return b.Bytes(), err
}
