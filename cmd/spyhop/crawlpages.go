package main

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
)

// pageWriter writes the pages of a crawl. close ends the output; a page is complete
// in it only then.
type pageWriter interface {
	write(*spyhop.CrawlPage) error
	close() error
}

// openPages opens the output of a crawl: "-" is JSON Lines on stdout, "" none.
func (s *session) openPages(output string) (pageWriter, error) {
	lower := strings.ToLower(output)
	switch {
	case output == "":
		return nil, nil
	case output == "-":
		return &lineWriter{w: s.stdout}, nil
	case strings.HasSuffix(lower, ".jsonl"):
		return openLines(output, false)
	case strings.HasSuffix(lower, ".jsonl.zst"):
		return openLines(output, true)
	case strings.HasSuffix(lower, ".warc"), strings.HasSuffix(lower, ".warc.gz"):
		if s.record != "" || s.replay != "" {
			return nil, s.usage("--output to a WARC file records the crawl: leave --record and --replay out")
		}
		s.record = output
		return &archiveWriter{}, nil
	case strings.HasSuffix(output, "/"), path.Ext(lower) == "":
	default:
		if info, err := os.Stat(output); err != nil || !info.IsDir() {
			return nil, s.usage(fmt.Sprintf("--output is a folder, or a file that ends in .jsonl, .jsonl.zst, .warc or .warc.gz, not %q", output))
		}
	}
	return openFolder(output)
}

// lineWriter writes one page on each line, as JSON.
type lineWriter struct {
	w      *bufio.Writer
	closes []io.Closer
}

func openLines(name string, compressed bool) (*lineWriter, error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	l := &lineWriter{closes: []io.Closer{f}}
	var w io.Writer = f
	if compressed {
		z, err := zstd.NewWriter(f, zstd.WithEncoderConcurrency(1))
		if err != nil {
			f.Close()
			return nil, err
		}
		w, l.closes = z, []io.Closer{z, f}
	}
	l.w = bufio.NewWriter(w)
	return l, nil
}

func (l *lineWriter) write(p *spyhop.CrawlPage) error { return l.encode(p) }

func (l *lineWriter) encode(p any) error {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(p); err != nil {
		return err
	}
	_, err := l.w.Write(text.VisibleJSON(b.Bytes())) // it may be a terminal
	return err
}

func (l *lineWriter) close() error {
	err := l.w.Flush()
	for _, c := range l.closes {
		if e := c.Close(); err == nil {
			err = e
		}
	}
	return err
}

// archiveWriter adds the Markdown of each page to the archive that the client records.
type archiveWriter struct{ client *spyhop.Client }

func (a *archiveWriter) write(p *spyhop.CrawlPage) error {
	if p.Error != "" {
		return nil
	}
	return a.client.ArchivePage(p)
}

func (a *archiveWriter) close() error { return nil } // the client ends the archive

// folderWriter writes each page as a Markdown file with front matter. The folder is
// opened as a root: the name of a page leads nowhere else.
type folderWriter struct {
	root     *os.Root
	failures *lineWriter // failures.jsonl; nil before the first failure
}

// failuresFile has a line for each page that could not be read.
const failuresFile = "failures.jsonl"

// openFolder opens a folder for the pages of a crawl. The failures of an earlier run are
// written again.
func openFolder(name string) (*folderWriter, error) {
	if err := os.MkdirAll(name, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	if err := root.Remove(failuresFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		root.Close()
		return nil, err
	}
	return &folderWriter{root: root}, nil
}

// fail writes a line for a page that could not be read.
func (f *folderWriter) fail(p *spyhop.CrawlPage) error {
	if f.failures == nil {
		file, err := f.root.Create(failuresFile)
		if err != nil {
			return err
		}
		f.failures = &lineWriter{w: bufio.NewWriter(file), closes: []io.Closer{file}}
	}
	return f.failures.encode(spyhop.CrawlFailure{URL: p.URL, ErrorType: p.ErrorType, Reason: p.Error})
}

func (f *folderWriter) write(p *spyhop.CrawlPage) error {
	if p.Error != "" {
		return f.fail(p)
	}
	name := pageFile(p.URL)
	if err := f.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return f.root.WriteFile(name, []byte(frontMatter(p)+p.Markdown+"\n"), 0o644)
}

func (f *folderWriter) close() error {
	var err error
	if f.failures != nil {
		err = f.failures.close()
	}
	if e := f.root.Close(); err == nil {
		err = e
	}
	return err
}

// frontMatter is what is known of a page, as YAML. Strings are written as JSON,
// which YAML includes.
func frontMatter(p *spyhop.CrawlPage) string {
	var b strings.Builder
	b.WriteString("---\n")
	line := func(name, value string) {
		if value != "" {
			quoted, _ := json.Marshal(value) // a string always can be
			fmt.Fprintf(&b, "%s: %s\n", name, quoted)
		}
	}
	line("url", p.URL)
	line("requested_url", p.RequestedURL)
	line("title", p.Title)
	line("published", p.Published)
	line("language", p.Language)
	line("page_type", string(p.PageType))
	line("verdict", string(p.Verdict))
	line("verdict_reason", p.VerdictReason)
	line("version", p.Version)
	line("change", p.Change)
	if !p.FetchedAt.IsZero() {
		line("fetched_at", p.FetchedAt.Format("2006-01-02T15:04:05Z"))
	}
	b.WriteString("---\n\n")
	return b.String()
}

// pageFile is the name of a page's file: host/path.md. Characters that a file system
// could take for something else become "-", and a name that was changed gets a part
// of the address's hash, so that two pages never share a file.
func pageFile(address string) string {
	sum := sha256.Sum256([]byte(address))
	hash := hex.EncodeToString(sum[:4])
	u, err := weburl.Parse(address)
	if err != nil {
		return hash + ".md"
	}
	clean := func(s string) (string, bool) {
		const most = 80
		out := strings.Map(func(r rune) rune {
			switch {
			case 'a' <= r && r <= 'z', '0' <= r && r <= '9', r == '.', r == '_', r == '-':
				return r
			}
			return '-'
		}, s)
		out = strings.TrimLeft(out[:min(len(out), most)], ".")
		return out, out == s
	}
	host, same := clean(strings.TrimPrefix(u.Origin(), u.Scheme()+"://"))
	parts := []string{host}
	segments := strings.Split(strings.Trim(u.Path(), "/"), "/")
	for i, s := range segments {
		if i == 12 {
			same = false
			break
		}
		name, ok := clean(s)
		same = same && ok
		if name == "" {
			name = "index"
		} else if i == len(segments)-1 && strings.HasSuffix(u.Path(), "/") {
			name += "/index" // "/a" and "/a/" are two pages
		}
		parts = append(parts, name)
	}
	if u.RawQuery() != "" {
		same = false
	}
	name := strings.Join(parts, "/")
	if !same {
		name += "-" + hash
	}
	return name + ".md"
}
