package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"sync"
	"time"

	"github.com/spyhop-dev/spyhop/internal/extract"
	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/reader"
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
	MS       float64         `json:"ms"`     // wall clock of the conversion
	CPUMS    float64         `json:"cpu_ms"` // processor time of its thread
	PageType string          `json:"page_type,omitempty"`
	Error    string          `json:"error,omitempty"`
}

// batchJob is a row in progress; done is closed when out is set.
type batchJob struct {
	row  manifestRow
	out  []batchRow
	done chan struct{}
}

// batch converts the pages of a manifest on all processors. The output is in
// input order; at most four rows per worker are queued.
func (x *extraction) batch(s *session) error {
	in, err := s.open(x.Batch)
	if err != nil {
		return err
	}
	defer in.Close()
	// The tree of a page is garbage after its row: collecting less often saves a
	// fifth of the processor time, and a batch usually runs alone on the machine.
	defer debug.SetGCPercent(debug.SetGCPercent(400))
	workers := runtime.GOMAXPROCS(0)
	queue := make(chan *batchJob, 4*workers) // rows to print, in input order
	work := make(chan *batchJob)
	var running sync.WaitGroup
	for range workers {
		running.Go(func() {
			// On a locked thread, threadTime counts only this worker.
			runtime.LockOSThread()
			for j := range work {
				j.out = x.batchOne(j)
				close(j.done)
			}
		})
	}
	var readErr error
	running.Go(func() {
		defer close(queue)
		defer close(work)
		readErr = x.manifest(s, in, func(j *batchJob) {
			queue <- j
			work <- j
		})
	})
	var writeErr error
	for j := range queue { // also after an error, or the workers would block
		<-j.done
		for _, row := range j.out {
			if writeErr == nil {
				writeErr = s.printLine(row)
			}
		}
	}
	running.Wait()
	if writeErr != nil {
		return writeErr
	}
	return readErr
}

// manifest reads rows and passes them to give, until the end of the manifest or
// until the command is interrupted.
func (x *extraction) manifest(s *session, in io.Reader, give func(*batchJob)) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, maxLineBytes)
	for n := 1; lines.Scan(); n++ {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		if len(bytes.TrimSpace(lines.Bytes())) == 0 {
			continue
		}
		j := &batchJob{done: make(chan struct{})}
		if err := json.Unmarshal(lines.Bytes(), &j.row); err != nil {
			return tool.NewError(tool.InvalidInput, fmt.Sprintf("line %d of %s is not a row: %v", n, x.Batch, err),
				`use lines such as {"id":"a","url":"https://example.com/","path":"a.html"}`)
		}
		give(j)
	}
	if err := lines.Err(); err != nil {
		return tool.NewError(tool.InvalidInput, "cannot read "+x.Batch+": "+err.Error(), "")
	}
	return nil
}

// batchOne returns the output rows of a page: one, or one for each budget.
func (x *extraction) batchOne(j *batchJob) (rows []batchRow) {
	out := batchRow{ID: j.row.ID, Format: x.format}
	defer func() {
		if p := recover(); p != nil {
			out.Text, out.Error = nil, fmt.Sprintf("internal error: %v", p)
			rows = []batchRow{out}
		}
	}()
	body, err := readPage(j.row.Path)
	if err != nil {
		out.Error = cause(err)
		return []batchRow{out}
	}
	start, cpu := time.Now(), threadTime()
	timed := func() {
		out.MS = milliseconds(time.Since(start))
		out.CPUMS = milliseconds(threadTime() - cpu)
	}
	if len(x.QueryBudgets) > 0 {
		passages, p, err := x.passages(body, j.row)
		if err != nil {
			timed()
			return []batchRow{failedRow(out, typeOf(p), err)}
		}
		out.PageType, out.Format = string(p.Type), "markdown"
		for _, budget := range x.QueryBudgets {
			row := out
			text := passages.Choose(4*budget, budget).Text
			timed()
			row.MS, row.CPUMS, row.Budget, row.Text = out.MS, out.CPUMS, budget, &text
			rows = append(rows, row)
		}
		return rows
	}
	text, kind, err := x.convert(body, j.row)
	timed()
	if err != nil {
		return []batchRow{failedRow(out, kind, err)}
	}
	out.PageType, out.Text = string(kind), &text
	return []batchRow{out}
}

// convert is the text of a row, in its format, and the type of the page.
func (x *extraction) convert(body []byte, row manifestRow) (text string, kind page.Type, err error) {
	a, err := x.read(body, row.Path, row.URL)
	if a != nil {
		kind = a.PageType
	}
	switch {
	case err != nil:
		return "", kind, err
	case x.format == "json":
		text, err = encode(a)
		return text, kind, err
	}
	return a.Body(), kind, nil
}

// failedRow is the row of a page that could not be read.
func failedRow(out batchRow, kind page.Type, err error) batchRow {
	out.PageType = string(kind)
	out.Error = err.Error()
	var ee *extract.Error
	if errors.As(err, &ee) && ee.Code == extract.NoContent {
		out.Text = new(string) // the page was read and is empty
	}
	return out
}

// passages ranks the passages of a page for the query of its row, as web_fetch
// does.
func (x *extraction) passages(body []byte, row manifestRow) (*reader.Passages, *page.Page, error) {
	f := x.decode(body, row.Path)
	o, err := x.options(row.URL)
	if err != nil {
		return nil, nil, err
	}
	main, err := extract.Document(f.Body, f.MediaType, o)
	if err != nil {
		return nil, main, err
	}
	return reader.NewPassages(reader.Whole(main, f.Body, f.MediaType, o), main, row.Query), main, nil
}

func typeOf(p *page.Page) page.Type {
	if p == nil {
		return ""
	}
	return p.Type
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
		return readAll(f)
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	return readAll(z)
}

func encode(v any) (string, error) {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	err := e.Encode(v)
	return b.String(), err
}
