package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/fetch"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

// maxInputBytes bounds a file, unpacked.
const maxInputBytes = 64 << 20

type extractCmd struct {
	File     string `arg:"" optional:"" help:"File to read; - or nothing reads stdin."`
	URL      string `name:"url" help:"Address that the file came from: the base of its links." placeholder:"URL"`
	Format   string `help:"What to print: ${enum}." enum:"markdown,text,html,json,outline" default:"markdown"`
	Whole    bool   `help:"Convert the whole body instead of the main content."`
	Type     string `help:"Media type of the file. Left out: by the file's name, then by its bytes." placeholder:"TYPE"`
	Comments string `help:"Readers' comments: ${enum}. auto leaves them out on articles." enum:"auto,always,never" default:"auto"`
	Explain  bool   `help:"Print how each block of an HTML page was judged instead of the content."`
	Batch    string `help:"Read each page of a manifest (- is stdin)." placeholder:"FILE"`

	QueryBudgets []int `help:"With --batch: the passages that answer the query of a row best, for each of these budgets in tokens." placeholder:"N"`
}

func (extractCmd) Help() string {
	return `Reads a file as fetch reads a page, but without network access; it detects the media
type and the charset in the same way.

A line of a manifest is {"id","url","path"}; files that end in .gz are decompressed. For
each line the command prints a line {"id","format","text","ms","cpu_ms","page_type"}, in
the same order. With --query-budgets, a line of the manifest also has a "query", and the
command prints one line with "budget" for each budget. If a page fails, its line has
"error" instead of "text", and the batch continues; if a page was read but has no
content, its line has "error" and an empty "text".

Examples:

    spyhop extract --url https://example.com/fog/ page.html
    curl -s https://example.com/ | spyhop extract --url https://example.com/ -
    spyhop extract --batch manifest.jsonl --format text
` + exitHelp
}

func (c *extractCmd) Run(s *session) error {
	if s.cli.JSON {
		c.Format = "json"
	}
	if len(c.QueryBudgets) > 0 && (c.Batch == "" || slices.Min(c.QueryBudgets) < 1) {
		return tool.NewError(tool.InvalidInput, "--query-budgets takes numbers from 1 up, and goes with --batch", "give a manifest whose lines have a query")
	}
	if c.Batch != "" {
		if c.File != "" || c.URL != "" {
			return tool.NewError(tool.InvalidInput, "--batch takes its files and addresses from the manifest", "leave out FILE and --url")
		}
		return c.batch(s)
	}
	name := c.File
	if name == "" {
		name = "-"
	}
	in, err := open(name, s.stdin)
	if err != nil {
		return err
	}
	defer in.Close()
	body, err := readAll(in)
	if err != nil {
		return tool.NewError(tool.InvalidInput, "cannot read "+name+": "+cause(err), "")
	}
	if c.Explain {
		return c.explain(s, name, body)
	}
	text, p, err := c.convert(body, name, c.URL)
	if err != nil {
		return extractError(name, err)
	}
	s.content(text)
	if !s.cli.Quiet && c.Format != "json" {
		s.stdout.Flush()
		s.screen.fact("title", p.Meta.Title)
		s.screen.fact("verdict", fmt.Sprintf("%s, %s, ~%d tokens", p.Verdict, p.Type, markdown.Tokens(text)))
	}
	return nil
}

func (c *extractCmd) options(url string) extract.Options {
	comments, _ := extract.ParseComments(c.Comments) // the flag's enum has no others
	return extract.Options{URL: url, Whole: c.Whole, Comments: comments}
}

// decode finds the media type of a file and makes UTF-8 of its text.
func (c *extractCmd) decode(body []byte, name string) (text []byte, mediaType string) {
	declared := c.Type
	if declared == "" {
		declared = typeOfName(name)
	}
	text, mediaType, _ = fetch.Decode(body, declared)
	if declared == "" && mediaType == "text/plain" && beginsWithTag(text) {
		mediaType = "text/html"
	}
	return text, mediaType
}

// explain prints a line for each block: kept or not, its score, its words,
// where it stands, how it begins, and below what moved its score most.
func (c *extractCmd) explain(s *session, name string, body []byte) error {
	decoded, mediaType := c.decode(body, name)
	if mediaType != "text/html" && mediaType != "application/xhtml+xml" {
		return tool.NewError(tool.InvalidInput, "--explain reads HTML, not "+mediaType, "--type text/html when it is HTML all the same")
	}
	p, blocks, err := extract.Explain(decoded, c.options(c.URL))
	if err != nil {
		return extractError(name, err)
	}
	var out strings.Builder
	for i := range blocks {
		b := &blocks[i]
		mark := '-'
		if b.Kept {
			mark = '+'
		}
		fmt.Fprintf(&out, "%c %.3f %4d words  %s\n    %s\n   ", mark, b.Score, b.Words, b.Path, text.Cut(b.Text, 100))
		for _, r := range b.Reasons {
			fmt.Fprintf(&out, " %s=%.4g (%+.2f)", r.Feature, r.Value, r.Effect)
		}
		out.WriteByte('\n')
	}
	s.content(out.String())
	if !s.cli.Quiet {
		s.stdout.Flush()
		s.screen.fact("verdict", fmt.Sprintf("%s, %s, %s, %d blocks", p.Verdict, p.Type, p.Method, len(blocks)))
	}
	return nil
}

// convert makes the text of a file in the format that was asked for.
func (c *extractCmd) convert(body []byte, name, url string) (string, *page.Page, error) {
	text, mediaType := c.decode(body, name)
	p, err := extract.Document(text, mediaType, c.options(url))
	if err != nil {
		return "", p, err
	}
	switch c.Format {
	case "text":
		return markdown.PlainText(p), p, nil
	case "html":
		text, err := extract.ToHTML(markdown.Render(p, markdown.Options{Images: true, Titles: c.Whole}))
		return text, p, err
	case "outline":
		return markdown.OutlineText(markdown.OutlineOf(p, markdown.Options{Images: true})), p, nil
	case "json":
		text, err := encode(reader.OfFile(p, mediaType, len(body)))
		return text, p, err
	}
	return markdown.Render(p, markdown.Options{Images: true, Titles: c.Whole}), p, nil
}

// typeOfName is the media type that the end of a file's name stands for. It is
// taken for what a server declares: the bytes have the last word.
func typeOfName(name string) string {
	switch strings.ToLower(filepath.Ext(strings.TrimSuffix(name, ".gz"))) {
	case ".html", ".htm":
		return "text/html"
	case ".xhtml":
		return "application/xhtml+xml"
	case ".md", ".markdown":
		return "text/markdown"
	case ".json":
		return "application/json"
	case ".xml":
		return "application/xml"
	case ".csv":
		return "text/csv"
	case ".tsv":
		return "text/tab-separated-values"
	case ".eml":
		return "message/rfc822"
	case ".txt", ".text":
		return "text/plain"
	}
	return ""
}

// beginsWithTag reports whether a text without a name is a piece of HTML. The
// rules for what servers send know the tags that pages begin with; what is
// piped is often a part of one.
func beginsWithTag(b []byte) bool {
	b = bytes.TrimLeft(b, " \t\r\n\f")
	if len(b) < 3 || b[0] != '<' {
		return false
	}
	c := b[1] | 0x20
	return c >= 'a' && c <= 'z' || b[1] == '/' || b[1] == '!'
}

func readAll(r io.Reader) ([]byte, error) {
	body, err := io.ReadAll(io.LimitReader(r, maxInputBytes+1))
	if err == nil && len(body) > maxInputBytes {
		return nil, fmt.Errorf("it is larger than %s", size(maxInputBytes))
	}
	return body, err
}

func extractError(name string, err error) error {
	e := tool.NewError(tool.ParseError, "cannot read "+name+": "+err.Error(), "")
	var ee *extract.Error
	if errors.As(err, &ee) {
		switch ee.Code {
		case extract.Unsupported:
			e.Type, e.Hint = tool.UnsupportedContent, "--type names the media type when the file's name does not tell"
		case extract.TooLarge:
			e.Type = tool.TooLarge
		case extract.NoContent:
			e.Type, e.Hint = tool.NoContent, "--whole converts the whole body"
		}
	}
	return e
}

// cause is the short reason of an error about a file, without its name.
func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err.Error()
	}
	return err.Error()
}
