package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/passage"
	"github.com/spyhop-dev/spyhop/internal/reader"
	"github.com/spyhop-dev/spyhop/result"
	"github.com/spyhop-dev/spyhop/tool"
)

// manifestRow is a line of the manifest, batchRow a line of the output.
type manifestRow struct {
	ID   json.RawMessage `json:"id"`
	URL  string          `json:"url"`
	Path string          `json:"path"`
	// Query selects passages when --query-budgets is given.
	Query string `json:"query"`
}

type batchRow struct {
	ID       json.RawMessage `json:"id"`
	Format   string          `json:"format"`
	Budget   int             `json:"budget,omitempty"` // in tokens
	Text     *string         `json:"text,omitempty"`
	MS       float64         `json:"ms"`     // wall clock, from the file to the text
	CPUMS    float64         `json:"cpu_ms"` // … and processor time, user and system
	PageType string          `json:"page_type,omitempty"`
	Verdict  result.Verdict  `json:"verdict,omitempty"`
	Omitted  *result.Omitted `json:"omitted,omitempty"`
	Error    string          `json:"error,omitempty"`
}

// batch converts the pages of a manifest, one at a time: the processor time of a page is
// that of the process, which also runs the garbage collector.
func (x *extraction) batch(s *session) error {
	// The tree of a page is garbage after its row: collecting less often saves a
	// fifth of the processor time, and a batch usually runs alone on the machine.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	lines := lineWriter{w: s.stdout}
	return eachRow(s, x.Batch, `row`, `use lines such as {"id":"a","url":"https://example.com/","path":"a.html"}`, func(row manifestRow) error {
		for _, out := range x.batchOne(row) {
			if err := lines.encode(out); err != nil {
				return err
			}
		}
		return nil
	})
}

// maxLineBytes bounds a line of a batch.
const maxLineBytes = 1 << 20

// eachRow calls f with each line of a file of JSON Lines, until its end or until the command
// is interrupted. kind and hint are for the error of a line that is not a row.
func eachRow[T any](s *session, name, kind, hint string, f func(T) error) error {
	in, err := s.open(name)
	if err != nil {
		return err
	}
	defer in.Close()
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLineBytes)
	for n := 1; lines.Scan(); n++ {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		var row T
		if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("line %d of %s is not a %s: %v", n, name, kind, err), hint)
		}
		if err := f(row); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return tool.NewError(tool.InvalidInput, "cannot read "+name+": "+err.Error(), "")
	}
	return nil
}

// batchOne returns the output rows of a page: one, or one for each budget.
func (x *extraction) batchOne(in manifestRow) (rows []batchRow) {
	out := batchRow{ID: in.ID, Format: x.format}
	defer func() {
		if p := recover(); p != nil {
			out.Text, out.Error = nil, fmt.Sprintf("internal error: %v", p)
			rows = []batchRow{out}
		}
	}()
	start, cpu := time.Now(), processTime()
	body, err := readPage(in.Path)
	if err != nil {
		out.Error = cause(err)
		return []batchRow{out}
	}
	timed := func() {
		out.MS = milliseconds(time.Since(start))
		out.CPUMS = milliseconds(processTime() - cpu)
	}
	if len(x.QueryBudgets) > 0 {
		passages, p, err := x.passages(body, in)
		if p != nil {
			out.PageType, out.Verdict, out.Omitted = string(p.Type), p.Verdict, &p.OmittedText
		}
		if err == nil {
			out.Format = "markdown"
			for _, out.Budget = range x.QueryBudgets {
				text := passages.Choose(4*out.Budget, out.Budget).Text
				timed()
				out.Text = &text
				rows = append(rows, out)
			}
			return rows
		}
		timed()
		return []batchRow{failedRow(out, err)}
	}
	a, err := x.read(body, in.Path, in.URL)
	if a != nil {
		out.PageType, out.Verdict, out.Omitted = string(a.PageType), a.Verdict, &a.Omitted
	}
	if err == nil {
		var text string
		text, err = x.text(a)
		out.Text = &text
	}
	timed()
	if err != nil {
		out = failedRow(out, err)
	}
	return []batchRow{out}
}

// text is the text of a row in its format.
func (x *extraction) text(a *reader.Answer) (string, error) {
	if x.format == "json" {
		b, err := jsonOf(a, "  ")
		return string(b), err
	}
	return a.Body(), nil
}

// failedRow is the row of a page that could not be read.
func failedRow(out batchRow, err error) batchRow {
	out.Text, out.Error = nil, err.Error()
	var ee *extract.Error
	if errors.As(err, &ee) && ee.Code == extract.NoContent {
		out.Text = new(string) // the page was read and is empty
	}
	return out
}

// passages ranks the passages of a page for the query of its row, as web_fetch
// does.
func (x *extraction) passages(body []byte, row manifestRow) (*passage.Passages, *page.Page, error) {
	f := x.decode(body, row.Path)
	o, err := x.options(row.URL)
	if err != nil {
		return nil, nil, err
	}
	main, err := extract.Document(f.Body, f.MediaType, o)
	if err != nil {
		return nil, main, err
	}
	return passage.Of(passage.Whole(main, f.Body, f.MediaType, o), main, row.Query), main, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// readPage reads a file and decompresses it when its name ends in .gz.
func readPage(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if !strings.HasSuffix(name, ".gz") {
		return readAll(f, maxInputBytes)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return readAll(z, maxInputBytes)
}
