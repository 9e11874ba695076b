package main

import (
	"encoding/json"
	"fmt"

	"github.com/spyhop-dev/spyhop"
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

func (c *dataCmd) run(s *session, client *spyhop.Client) error {
	schema, err := s.file(c.Schema, maxSmall)
	if err != nil {
		return err
	}
	rows := &lineWriter{w: s.stdout}
	var table *csvWriter // nil: JSON Lines
	if c.Format == "csv" {
		columns, err := propertiesOf(schema)
		if err != nil {
			columns = []string{"data"}
		}
		table = &csvWriter{lineWriter: rows, s: s, columns: append([]string{"url"}, columns...)}
	}
	sum, err := client.Data(s.ctx, spyhop.DataRequest{URLs: c.URLs, Schema: schema, Prompt: c.Prompt, Crawl: c.Crawl, MaxPages: max(c.MaxPages, 0)}, func(r spyhop.DataRow) error {
		if r.Error != nil {
			s.screen.fact("failed", printable(text.URL(r.URL)+": "+r.Error.Message))
		}
		switch {
		case table == nil:
			return rows.encode(r)
		case r.Error != nil:
			return nil
		}
		var record map[string]json.RawMessage
		if json.Unmarshal(r.Data, &record) != nil {
			record = map[string]json.RawMessage{"data": r.Data}
		}
		var err error
		if record["url"], err = json.Marshal(r.URL); err != nil {
			return err
		}
		return table.encode(record)
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

type schemaCmd struct {
	Learn learnCmd `cmd:"" help:"Have the model write the selectors of a schema, once."`
}

type learnCmd struct {
	URLs   []string `arg:"" name:"url" help:"1 to 4 pages of one kind; 2 are best."`
	Schema string   `required:"" help:"File with a JSON Schema; - reads stdin." placeholder:"FILE"`
	Prompt string   `help:"What the model should know about the values." placeholder:"TEXT"`
}

func (c *learnCmd) run(s *session, client *spyhop.Client) error {
	schema, err := s.file(c.Schema, maxSmall)
	if err != nil {
		return err
	}
	learned, notices, err := client.LearnSchema(s.ctx, c.URLs, schema, c.Prompt)
	if err != nil {
		return err
	}
	s.screen.facts("note", notices)
	s.print(learned)
	return nil
}
