package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/internal/weburl"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// folderWriter writes each page into a file that is named after its path, "docs/wal.md" for
// https://example.com/docs/wal.html. At the end, links between these pages become relative,
// and index.md lists them. The folder is opened as a root: the name of a page leads nowhere
// else. Where a run ends before that, the next one with the same folder does it.
type folderWriter struct {
	root     *os.Root
	html     bool
	login    string
	client   *spyhop.Client
	failures *lineWriter // failures.jsonl; nil before the first failure
	failed   int
	host     string            // of the first page; those of other hosts are in folders of their own
	names    map[string]string // of pages, by URL
	taken    map[string]bool   // names in small letters, since file systems exist that know no others
	pages    []writtenPage
}

type writtenPage struct{ name, title string }

const (
	// failuresFile has a line for each page that could not be read, indexFile the list of pages.
	failuresFile = "failures.jsonl"
	indexFile    = "index.md"
	maxNameBytes = 80 // of a part of a name
	maxNameParts = 12
)

// openFolder opens a folder for the pages of a crawl. The failures of an earlier run are
// written again.
func openFolder(client *spyhop.Client, o outputOptions) (*folderWriter, error) {
	if err := os.MkdirAll(o.path, 0o755); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(o.path)
	if err != nil {
		return nil, err
	}
	if err := root.Remove(failuresFile); err != nil && !errors.Is(err, fs.ErrNotExist) {
		root.Close()
		return nil, err
	}
	return &folderWriter{root: root, client: client, html: o.format == "html", login: o.login, names: map[string]string{}, taken: map[string]bool{indexFile: true, failuresFile: true}}, nil
}

// fail writes a line for a page that could not be read.
func (f *folderWriter) fail(p *spyhop.CrawlPage) error {
	f.failed++
	if f.failures == nil {
		file, err := f.root.Create(failuresFile)
		if err != nil {
			return err
		}
		f.failures = &lineWriter{w: bufio.NewWriter(file), closes: []io.Closer{file}}
	}
	return f.failures.encode(result.CrawlFailure{URL: p.URL, ErrorType: p.ErrorType, Reason: p.Error})
}

func (f *folderWriter) write(p *spyhop.CrawlPage) error {
	if p.Error != "" {
		return f.fail(p)
	}
	body := frontMatter(p) + p.Markdown + "\n"
	if f.html {
		res, err := f.client.Fetch(context.Background(), spyhop.FetchRequest{URL: p.URL, Mode: spyhop.ModeHTML, Login: f.login, MaxLength: spyhop.NoLimit})
		if err != nil {
			return f.fail(&spyhop.CrawlPage{URL: p.URL, ErrorType: string(tool.AsError(err).Type), Error: tool.AsError(err).Message})
		}
		body = "<!doctype html>\n<meta charset=\"utf-8\">\n" + res.Content + "\n"
	}
	name := f.nameOf(p.URL)
	f.names[p.URL] = name
	if p.RequestedURL != "" && f.names[p.RequestedURL] == "" {
		f.names[p.RequestedURL] = name
	}
	f.pages = append(f.pages, writtenPage{name, p.Title})
	if err := f.root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	return f.root.WriteFile(name, []byte(body), 0o644)
}

func (f *folderWriter) close() error {
	err := f.finish()
	if f.failures != nil {
		if e := f.failures.close(); err == nil {
			err = e
		}
	}
	if e := f.root.Close(); err == nil {
		err = e
	}
	return err
}

// finish makes links relative and writes the index.
func (f *folderWriter) finish() error {
	for _, p := range f.pages {
		if f.html {
			break
		}
		whole, err := f.root.ReadFile(p.name)
		if err != nil {
			return err
		}
		if changed, ok := f.relative(p.name, string(whole)); ok {
			if err := f.root.WriteFile(p.name, []byte(changed), 0o644); err != nil {
				return err
			}
		}
	}
	slices.SortFunc(f.pages, func(a, b writtenPage) int { return strings.Compare(a.name, b.name) })
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", text.Name(f.host))
	for _, p := range f.pages {
		title := strings.NewReplacer("[", "\\[", "]", "\\]").Replace(text.Line(p.title))
		if title == "" {
			title = p.name
		}
		fmt.Fprintf(&b, "- [%s](%s)\n", title, p.name)
	}
	if f.failed > 0 {
		fmt.Fprintf(&b, "\n%s could not be read: [%s](%s)\n", text.Count(f.failed, "page"), failuresFile, failuresFile)
	}
	return f.root.WriteFile(indexFile, []byte(b.String()), 0o644)
}

// relative writes the links of a Markdown file to other files of the folder as paths. Code
// stays as it is.
func (f *folderWriter) relative(name, md string) (string, bool) {
	var b strings.Builder
	changed, fence := false, ""
	for line := range strings.Lines(md) {
		mark := strings.TrimLeft(line, " >")
		switch {
		case fence == "" && (strings.HasPrefix(mark, "```") || strings.HasPrefix(mark, "~~~")):
			fence = mark[:3]
		case fence != "" && strings.HasPrefix(mark, fence):
			fence = ""
		case fence == "":
			for {
				i := strings.Index(line, "](http")
				if i < 0 {
					break
				}
				i += len("](")
				n := strings.IndexAny(line[i:], " )>\n")
				if n < 0 {
					break
				}
				to, ok := f.file(name, line[i:i+n])
				b.WriteString(line[:i] + to)
				changed = changed || ok
				line = line[i+n:]
			}
		}
		b.WriteString(line)
	}
	return b.String(), changed
}

// file is a link to a page as the path from a file to that of the page; false: it has none.
func (f *folderWriter) file(from, link string) (string, bool) {
	u, err := weburl.Parse(link)
	if err != nil {
		return link, false
	}
	fragment := ""
	if u.Fragment() != "" && !page.IsRoute(u.Fragment()) {
		fragment, u = "#"+u.Fragment(), u.WithoutFragment()
	}
	to := f.names[u.String()]
	if to == "" {
		return link, false
	}
	to, err = filepath.Rel(path.Dir(from), to)
	return filepath.ToSlash(to) + fragment, err == nil
}

// nameOf is the name of a page's file. Two pages never share one, also where a file system
// does not tell capitals from small letters: the second one gets a part of its URL's hash.
func (f *folderWriter) nameOf(address string) string {
	ext := ".md"
	if f.html {
		ext = ".html"
	}
	name := f.plainName(address)
	for i := 0; f.taken[strings.ToLower(name+ext)]; i++ {
		sum := sha256.Sum256([]byte(fmt.Sprint(address, i)))
		name = f.plainName(address) + "-" + hex.EncodeToString(sum[:4])
	}
	f.taken[strings.ToLower(name+ext)] = true
	return name + ext
}

// plainName is the path of a URL as the name of a file.
func (f *folderWriter) plainName(address string) string {
	u, err := weburl.Parse(address)
	if err != nil {
		return "page"
	}
	var parts []string
	host := strings.TrimPrefix(u.Origin(), u.Scheme()+"://")
	if f.host == "" {
		f.host = host
	} else if host != f.host {
		parts = append(parts, cleanName(host))
	}
	segments := strings.Split(strings.TrimPrefix(u.Path(), "/"), "/")
	if over := len(segments) - maxNameParts; over > 0 {
		segments = append(segments[:maxNameParts-1], segments[len(segments)-1])
	}
	for i, s := range segments {
		last := i == len(segments)-1
		if last {
			s = withoutExtension(s)
		}
		if s = cleanName(s); s == "" && last {
			s = "index"
			if len(parts) == 0 {
				s = "home" // index.md is the list
			}
		}
		if s == "" {
			s = "-"
		}
		if !last && (strings.HasSuffix(s, ".md") || strings.HasSuffix(s, ".html") || strings.HasSuffix(s, ".jsonl")) {
			s += "-" // a file can have that name
		}
		parts = append(parts, s)
	}
	name := strings.Join(parts, "/")
	for _, more := range []string{u.RawQuery(), u.Fragment()} {
		if more = strings.Trim(cleanName(more), "-"); more != "" {
			name += "-" + more
		}
	}
	return name
}

// withoutExtension drops the extensions of web pages.
func withoutExtension(s string) string {
	switch ext := path.Ext(s); strings.ToLower(ext) {
	case ".html", ".htm", ".xhtml", ".php", ".asp", ".aspx", ".jsp", ".md":
		if rest := strings.TrimSuffix(s, ext); rest != "" {
			return rest
		}
	}
	return s
}

// cleanName is a part of a URL in letters, digits, ".", "_" and "-", without a point at its
// beginning.
func cleanName(s string) string {
	if plain, err := url.PathUnescape(s); err == nil && utf8.ValidString(plain) {
		s = plain
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '.' || r == '_' || r == '-' {
			return r
		}
		return '-'
	}, s)
	end := min(len(s), maxNameBytes)
	for end < len(s) && !utf8.RuneStart(s[end]) {
		end--
	}
	return strings.TrimLeft(s[:end], ".")
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
	for _, l := range [][2]string{{"url", p.URL}, {"requested_url", p.RequestedURL}, {"title", p.Title}, {"published", p.Published}, {"language", p.Language},
		{"page_type", string(p.PageType)}, {"verdict", string(p.Verdict)}, {"verdict_reason", p.VerdictReason}, {"version", p.Version}, {"change", p.Change}} {
		line(l[0], l[1])
	}
	if !p.FetchedAt.IsZero() {
		line("fetched_at", p.FetchedAt.Format("2006-01-02T15:04:05Z"))
	}
	b.WriteString("---\n\n")
	return b.String()
}
