package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/tool"
)

// notFiles refuses paths of files where an address is expected. The hint names
// the command that reads files.
func notFiles(addresses ...string) error {
	for _, a := range addresses {
		if file, ok := fileOf(a); ok {
			return tool.NewError(tool.InvalidInput, a+" is a file, not a URL", "run: spyhop extract "+shellWord(file))
		}
	}
	return nil
}

// fileOf returns the path of a file that was given as an address: it looks like
// a path, or a file of this name exists and its extension is that of a page.
func fileOf(address string) (path string, ok bool) {
	_, err := weburl.ParseLenient(address)
	var e *weburl.Error
	if errors.As(err, &e) && e.Code == weburl.FilePath {
		return strings.TrimSpace(address), true
	}
	const scheme = "file:"
	if len(address) > len(scheme) && strings.EqualFold(address[:len(scheme)], scheme) {
		path := strings.TrimPrefix(address[len(scheme):], "//")
		if plain, err := url.PathUnescape(path); err == nil {
			path = plain
		}
		return path, true
	}
	if reader.TypeOfName(address) == "" {
		return "", false
	}
	info, err := os.Stat(address)
	return address, err == nil && info.Mode().IsRegular()
}

// shellWord quotes s so that a shell reads it as one word.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+=:@%,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// input is stdin for a command that reads it. On a terminal it says that it waits.
func (s *session) input() io.Reader {
	if f, ok := s.stdin.(*os.File); ok && isTerminal(f) {
		s.screen.fact("reading stdin", "end it with Ctrl-D on a line of its own, or stop with Ctrl-C")
	}
	return s.interruptible()
}

// interruptible is stdin as a reader whose reads Ctrl-C ends. A read of a terminal cannot be
// cancelled, so that the goroutine ends with the process.
func (s *session) interruptible() io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, s.stdin)
		w.CloseWithError(err) // nil is the end
	}()
	context.AfterFunc(s.ctx, func() { w.CloseWithError(s.ctx.Err()) })
	return r
}

// outputFlag is the flag of the commands that write what they read to files.
type outputFlag struct {
	Output string `short:"o" help:"Write to this file; with several URLs or files, into this folder." placeholder:"FILE" type:"path"`
}

// saver returns the function that writes answers, nil without --output. It prints the
// path of each file.
func (o outputFlag) saver(s *session, several bool, mode string) (func(name string, r *spyhop.FetchResult) error, error) {
	if o.Output == "" {
		return nil, nil
	}
	info, err := os.Stat(o.Output)
	folder := several || err == nil && info.IsDir()
	switch {
	case err == nil && several && !info.IsDir():
		return nil, tool.NewError(tool.InvalidInput, text.Path(o.Output)+" is a file, and several answers need a folder", "name a folder with -o")
	case folder && errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(o.Output, 0o755); err != nil {
			return nil, err
		}
	}
	taken := map[string]bool{}
	return func(name string, r *spyhop.FetchResult) error {
		path := o.Output
		if folder {
			path = filepath.Join(o.Output, fileName(name, mode, s.cli.JSON, taken))
		}
		body := []byte(strings.TrimSuffix(r.Body(), "\n") + "\n")
		if s.cli.JSON {
			var err error
			if body, err = jsonOf(r, "  "); err != nil {
				return err
			}
		}
		if err := os.WriteFile(path, body, 0o644); err != nil {
			return err
		}
		s.content(path)
		return nil
	}, nil
}

// fileName makes a name of an address or a path: letters, digits, dots and dashes, and
// the end that fits the content. A name that was used gets a number.
func fileName(name, mode string, asJSON bool, taken map[string]bool) string {
	_, after, ok := strings.Cut(name, "://")
	if !ok {
		after = name
	}
	plain := strings.Trim(cleanName(after), "-.")
	if plain == "" {
		plain = "page"
	}
	end := map[string]string{"text": ".txt", "html": ".html", "links": ".txt", "outline": ".md", "raw": ""}
	suffix, ok := end[mode]
	switch {
	case asJSON:
		suffix = ".json"
	case !ok:
		suffix = ".md"
	}
	out := plain + suffix
	for n := 2; taken[strings.ToLower(out)]; n++ { // some file systems ignore case
		out = fmt.Sprintf("%s-%d%s", plain, n, suffix)
	}
	taken[strings.ToLower(out)] = true
	return out
}
