package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"path"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// pageWriter writes the pages of a crawl. close ends the output; a page is complete
// in it only then.
type pageWriter interface {
	write(*spyhop.CrawlPage) error
	close() error
}

// outputOptions say what is written of the pages of a crawl, and where.
type outputOptions struct {
	path   string // of a file or a folder; "-" is stdout, "" nothing
	format string // md, jsonl, html, csv or warc; "": as the name of the file says
	schema []byte // of a record for each page; nil: the page itself
	// schemaFile is the file that schema comes from.
	schemaFile string
	chunks     int // tokens of a chunk; 0: whole pages
	render     spyhop.Render
	login      string // as of the crawl, for what is read of a page again
}

// formatOf is the format that a name of a file or a folder stands for; "" for none.
func formatOf(name string) string {
	lower := strings.ToLower(name)
	switch {
	case name == "-", strings.HasSuffix(lower, ".jsonl"), strings.HasSuffix(lower, ".jsonl.zst"):
		return "jsonl"
	case strings.HasSuffix(lower, ".csv"):
		return "csv"
	case strings.HasSuffix(lower, ".warc"), strings.HasSuffix(lower, ".warc.gz"):
		return "warc"
	case strings.HasSuffix(name, "/"), path.Ext(lower) == "":
		return "md"
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return "md"
	}
	return ""
}

// openPages opens the output of a crawl; nil where there is none.
func (s *session) openPages(o outputOptions) (pageWriter, error) {
	records := o.schema != nil || o.chunks > 0
	if o.path == "" {
		if o.format == "" && !records {
			return nil, nil
		}
		if o.format == "md" || o.format == "html" || o.format == "warc" {
			return nil, s.usage("--format " + o.format + " needs --output")
		}
		o.path = "-"
	}
	if o.format == "" {
		if o.format = formatOf(o.path); o.format == "" {
			return nil, s.usage(fmt.Sprintf("--output is a folder, or a file that ends in .jsonl, .jsonl.zst, .csv, .warc or .warc.gz, not %q", o.path))
		}
	}
	if o.schema != nil && o.chunks > 0 {
		return nil, s.usage("give either --schema or --chunks")
	}
	if records && o.format != "jsonl" && (o.format != "csv" || o.chunks > 0) {
		return nil, s.usage("--schema is written as jsonl or csv, and --chunks as jsonl: give --format, or a file that ends so")
	}
	switch o.format {
	case "md", "html":
		return openFolder(o)
	case "warc":
		if s.given.Record != "" || s.given.Replay != "" {
			return nil, s.usage("--output to a WARC file records the crawl: leave --record and --replay out")
		}
		s.given.Record = o.path
		return &archiveWriter{}, nil
	}
	rows := &lineWriter{w: s.stdout}
	if o.path != "-" {
		var err error
		if rows, err = openLines(o.path, strings.HasSuffix(strings.ToLower(o.path), ".zst")); err != nil {
			return nil, err
		}
	}
	switch {
	case o.schema != nil:
		return s.newSchemaWriter(rows, o)
	case o.chunks > 0:
		return &chunkWriter{rows, o.chunks}, nil
	case o.format == "csv":
		return &csvWriter{lineWriter: rows, s: s, columns: pageColumns}, nil
	}
	return rows, nil
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
	b, err := jsonOf(p, "")
	if err == nil {
		_, err = l.w.Write(text.VisibleJSON(b)) // it may be a terminal
	}
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

func (a *archiveWriter) use(c *spyhop.Client) { a.client = c }

func (a *archiveWriter) write(p *spyhop.CrawlPage) error {
	if p.Error != "" {
		return nil
	}
	return a.client.ArchivePage(p)
}

func (a *archiveWriter) close() error { return nil } // the client ends the archive
