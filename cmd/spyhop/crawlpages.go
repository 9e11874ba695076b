package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/crawl"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
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

// checkOutput refuses what cannot be written, and completes o.
func (s *session) checkOutput(o *outputOptions) error {
	records := o.schema != nil || o.chunks > 0
	if o.path == "" {
		if o.format == "" && !records {
			return nil
		}
		if o.format == "md" || o.format == "html" || o.format == "warc" {
			return s.usage("--format " + o.format + " needs --output")
		}
		o.path = "-"
	}
	if o.format == "" {
		if o.format = formatOf(o.path); o.format == "" {
			return s.usage(fmt.Sprintf("--output is a folder, or a file that ends in .jsonl, .jsonl.zst, .csv, .warc or .warc.gz, not %q", o.path))
		}
	}
	switch {
	case o.schema != nil && o.chunks > 0:
		return s.usage("give either --schema or --chunks")
	case records && o.format != "jsonl" && (o.format != "csv" || o.chunks > 0):
		return s.usage("--schema is written as jsonl or csv, and --chunks as jsonl: give --format, or a file that ends so")
	case o.format == "warc" && (s.given.Record != "" || s.given.Replay != ""):
		return s.usage("--output to a WARC file records the crawl: leave --record and --replay out")
	case o.format == "warc":
		s.given.Record = o.path
	}
	return nil
}

// openPages opens the output of a crawl; nil where there is none.
func (s *session) openPages(client *spyhop.Client, o outputOptions) (pageWriter, error) {
	switch o.format {
	case "":
		return nil, nil
	case "md", "html":
		return openFolder(client, o)
	case "warc":
		return &archiveWriter{client}, nil
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
		return s.newSchemaWriter(client, rows, o)
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

func (a *archiveWriter) write(p *spyhop.CrawlPage) error {
	if p.Error != "" {
		return nil
	}
	return a.client.ArchivePage(p)
}

func (a *archiveWriter) close() error { return nil } // the client ends the archive

// This file writes what programs take: tables, a record of each page, and chunks of text.

// pageColumns are the members of a page in a table.
var pageColumns = []string{"url", "title", "status", "page_type", "verdict", "tokens", "language", "published", "version", "change", "depth", "fetched_at", "error_type", "error", "markdown"}

// csvWriter writes rows as CSV with a first line of names (RFC 4180).
type csvWriter struct {
	*lineWriter
	s       *session
	columns []string
	begun   bool
}

func (c *csvWriter) write(p *spyhop.CrawlPage) error { return c.encode(p) }

// encode writes the members of a value that the table has columns for.
func (c *csvWriter) encode(v any) error {
	raw, err := json.Marshal(v)
	if err != nil {
		return err
	}
	var members map[string]json.RawMessage
	if err := json.Unmarshal(raw, &members); err != nil {
		return err
	}
	row := make([]string, len(c.columns))
	for i, name := range c.columns {
		row[i] = c.s.shown(cell(members[name]))
	}
	w := csv.NewWriter(c.w)
	if !c.begun {
		c.begun = true
		names := make([]string, len(c.columns))
		for i, name := range c.columns {
			names[i] = printable(name)
		}
		if err := w.Write(names); err != nil {
			return err
		}
	}
	if err := w.Write(row); err != nil {
		return err
	}
	w.Flush()
	return w.Error()
}

// cell is a value as the text of a table: a string without quotes, nothing for null.
func cell(v json.RawMessage) string {
	var s string
	if json.Unmarshal(v, &s) == nil || len(v) == 0 {
		return s
	}
	if string(v) == "null" {
		return ""
	}
	return string(v)
}

// schemaWriter writes a record of each page, which a JSON Schema describes. Its values are
// read from the cached page: by x-selector, or by the configured model.
type schemaWriter struct {
	rows interface {
		encode(any) error
		close() error
	}
	o      outputOptions
	client *spyhop.Client
}

func (s *session) newSchemaWriter(client *spyhop.Client, rows *lineWriter, o outputOptions) (*schemaWriter, error) {
	w := &schemaWriter{rows: rows, o: o, client: client}
	if o.format == "csv" {
		columns, err := propertiesOf(o.schema)
		if err != nil {
			rows.close()
			return nil, err
		}
		columns = slices.DeleteFunc(columns, func(name string) bool { return name == "url" })
		w.rows = &csvWriter{lineWriter: rows, s: s, columns: append(append([]string{"url"}, columns...), "error")}
	}
	return w, nil
}

func (s *schemaWriter) write(p *spyhop.CrawlPage) error {
	if p.Error != "" {
		return nil
	}
	q := spyhop.FetchRequest{URL: p.URL, Schema: s.o.schema, Render: s.o.render, Login: s.o.login, MaxLength: spyhop.NoLimit}
	if !bytes.Contains(s.o.schema, []byte(`"x-selector"`)) {
		q.Prompt = "the values that the schema describes"
	}
	record := map[string]any{}
	res, err := s.client.Fetch(context.Background(), q)
	e := &tool.Error{}
	if err != nil {
		e = tool.AsError(err)
	}
	switch {
	case err == nil:
		if err := json.Unmarshal([]byte(res.Content), &record); err != nil {
			return tool.NewError(tool.ModelError, "the answer to the schema is not a JSON object", "give a schema of an object; a model has to be configured unless each value has an x-selector")
		}
	case e.Type == tool.InvalidInput: // of the schema, not of the page
		return err
	default:
		record["error"] = e.Message
	}
	record["url"] = p.URL
	return s.rows.encode(record)
}

func (s *schemaWriter) close() error { return s.rows.close() }

// propertiesOf are the names of the properties of an object's schema, in their order.
func propertiesOf(schema []byte) ([]string, error) {
	wrong := tool.NewError(tool.InvalidInput, "the schema is not that of an object with properties", `for example {"type":"object","properties":{"title":{"type":"string","x-selector":"h1"}}}`)
	var members struct{ Properties json.RawMessage }
	if json.Unmarshal(schema, &members) != nil || len(members.Properties) == 0 {
		return nil, wrong
	}
	d := json.NewDecoder(bytes.NewReader(members.Properties))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil, wrong
	}
	var names []string
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err == nil {
			err = d.Decode(&value)
		}
		if err != nil {
			return nil, wrong
		}
		names = append(names, fmt.Sprint(name))
	}
	return names, nil
}

// chunkWriter writes parts of pages for an index.
type chunkWriter struct {
	*lineWriter
	tokens int
}

func (c *chunkWriter) write(p *spyhop.CrawlPage) error {
	if p.Error != "" {
		return nil
	}
	for i, chunk := range crawl.Chunks(p.Markdown, c.tokens) {
		if err := c.encode(struct {
			ID    string `json:"id"`
			URL   string `json:"url"`
			Title string `json:"title,omitempty"`
			crawl.Chunk
			Version string `json:"version"`
		}{fmt.Sprintf("%s:%d", p.Version, i), p.URL, p.Title, chunk, p.Version}); err != nil {
			return err
		}
	}
	return nil
}

// schemaFile reads the file of --schema; nil for none.
func (s *session) schemaFile(name string) ([]byte, error) {
	if name == "" {
		return nil, nil
	}
	b, err := s.file(name, maxSmall)
	if err == nil && !json.Valid(b) {
		return nil, s.usage(fmt.Sprintf("--schema: %s is not JSON", strings.TrimSpace(name)))
	}
	return b, err
}
