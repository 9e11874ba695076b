package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spyhop-dev/spyhop"
	"github.com/spyhop-dev/spyhop/internal/serve"
	"github.com/spyhop-dev/spyhop/internal/text"
	"github.com/spyhop-dev/spyhop/tool"
)

type dataCmd struct {
	URLs     []string `arg:"" name:"url" help:"Pages, or patterns such as 'example.com/products/*'."`
	Schema   string   `required:"" help:"File with a JSON Schema; - reads stdin. With an x-selector for each value no model is needed." placeholder:"FILE"`
	Prompt   string   `help:"What a model should know about the values." placeholder:"TEXT"`
	Crawl    bool     `help:"Read the pages that crawls from these pages find."`
	MaxPages int      `help:"Maximum number of pages. Default: 100 for patterns and crawls." placeholder:"N"`
	Format   string   `enum:"jsonl,csv" help:"jsonl: a line of JSON for each page; csv: a row with a column for each value." default:"jsonl"`
}

func (c *dataCmd) Run(s *session) error {
	schema, err := s.file(c.Schema)
	if err != nil {
		return err
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	table := dataTable{columnsOf(schema)}
	if c.Format == "csv" {
		if err := s.csvLine(append([]string{"url"}, table.columns...)); err != nil {
			return err
		}
	}
	sum, err := client.Data(s.ctx, spyhop.DataRequest{URLs: c.URLs, Schema: schema, Prompt: c.Prompt, Crawl: c.Crawl, MaxPages: max(c.MaxPages, 0)}, func(r spyhop.DataRow) error {
		if r.Error != nil {
			s.screen.fact("failed", printable(text.URL(r.URL)+": "+r.Error.Message))
		}
		switch {
		case c.Format != "csv":
			return s.printLine(r)
		case r.Error == nil:
			return s.csvLine(table.row(r))
		}
		return nil
	})
	s.screen.facts("note", sum.Notices)
	if sum.Rows+sum.Failed > 0 {
		s.screen.fact("data", fmt.Sprintf("%s, %d failed", text.Count(sum.Rows, "page"), sum.Failed))
	}
	if err == nil && sum.Rows == 0 {
		return tool.NewError(tool.NoContent, "no page has data", "the lines above say why")
	}
	return err
}

// csvLine prints a row (RFC 4180).
func (s *session) csvLine(cells []string) error {
	for i := range cells {
		cells[i] = printable(cells[i])
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(cells); err != nil {
		return err
	}
	w.Flush()
	_, err := s.stdout.WriteString(printable(strings.TrimSuffix(b.String(), "\n")) + "\n")
	return err
}

// dataTable makes rows of data: a column for each property of the schema, with JSON where
// it is an object or a list.
type dataTable struct{ columns []string }

// columnsOf are the properties of a schema, or of the elements of its list.
func columnsOf(schema []byte) []string {
	var s struct {
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil || len(s.Properties) == 0 {
		return []string{"data"}
	}
	return slices.Sorted(maps.Keys(s.Properties))
}

func (t dataTable) row(r spyhop.DataRow) []string {
	out := []string{r.URL}
	var members map[string]json.RawMessage
	if json.Unmarshal(r.Data, &members) != nil {
		return append(out, string(r.Data))
	}
	for _, name := range t.columns {
		value := string(members[name])
		var plain string
		if json.Unmarshal(members[name], &plain) == nil {
			value = plain
		}
		if value == "null" {
			value = ""
		}
		out = append(out, value)
	}
	return out
}

type schemaCmd struct {
	Learn learnCmd `cmd:"" help:"Have the model write the selectors of a schema, once."`
}

type learnCmd struct {
	URLs   []string `arg:"" name:"url" help:"1 to 4 pages of one kind; 2 are best."`
	Schema string   `required:"" help:"File with a JSON Schema; - reads stdin." placeholder:"FILE"`
	Prompt string   `help:"What the model should know about the values." placeholder:"TEXT"`
}

func (c *learnCmd) Run(s *session) error {
	schema, err := s.file(c.Schema)
	if err != nil {
		return err
	}
	client, err := s.client()
	if err != nil {
		return err
	}
	defer client.Close()
	learned, notices, err := client.LearnSchema(s.ctx, c.URLs, schema, c.Prompt)
	if err != nil {
		return err
	}
	s.screen.facts("note", notices)
	s.print(learned)
	return nil
}

// serverData is Client.Data as the server calls it.
func serverData(client *spyhop.Client) func(context.Context, serve.DataRequest, func(spyhop.DataRow) error) (*spyhop.DataSummary, error) {
	return func(ctx context.Context, q serve.DataRequest, each func(spyhop.DataRow) error) (*spyhop.DataSummary, error) {
		return client.Data(ctx, spyhop.DataRequest(q), each)
	}
}
