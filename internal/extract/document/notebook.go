package document

import (
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// notebook is what is read of a Jupyter notebook, format 4 (and 3, whose cells
// stand in worksheets).
type notebook struct {
	Metadata struct {
		Title    string `json:"title"`
		Language struct {
			Name string `json:"name"`
		} `json:"language_info"`
		Kernel struct {
			Language string `json:"language"`
		} `json:"kernelspec"`
	} `json:"metadata"`
	Cells      []notebookCell `json:"cells"`
	Worksheets []struct {
		Cells []notebookCell `json:"cells"`
	} `json:"worksheets"`
}

type notebookCell struct {
	Type    string           `json:"cell_type"`
	Level   int              `json:"level"`
	Source  lineList         `json:"source"`
	Input   lineList         `json:"input"`
	Outputs []notebookOutput `json:"outputs"`
}

type notebookOutput struct {
	Type  string              `json:"output_type"`
	Text  lineList            `json:"text"`
	Data  map[string]lineList `json:"data"`
	Name  string              `json:"ename"`
	Value string              `json:"evalue"`
}

// text returns what a person reads of an output: an error, or plain text.
func (o *notebookOutput) text() string {
	if o.Type == "error" || o.Type == "pyerr" {
		return o.Name + ": " + o.Value
	}
	if o.Text != "" {
		return string(o.Text)
	}
	return string(o.Data["text/plain"])
}

// cell adds one cell; lang is the language of code.
func (b *builder) cell(c *notebookCell, lang string) {
	source := string(c.Source)
	switch c.Type {
	case "markdown":
		b.part([]byte(source), "text/markdown")
	case "heading":
		b.heading(c.Level, source)
	case "code":
		if source == "" {
			source = string(c.Input)
		}
		b.source(source, lang)
		for i := range c.Outputs {
			b.source(c.Outputs[i].text(), "")
		}
	case "raw":
		b.source(source, "")
	}
}

// source adds code that is more than white space.
func (b *builder) source(s, lang string) {
	if strings.TrimSpace(s) != "" {
		b.add(Source(s, lang, &b.removed))
	}
}

// lineList is a text that may be given as a list of lines; other values are
// taken for none.
type lineList string

func (l *lineList) UnmarshalJSON(b []byte) error {
	var one string
	var many []string
	switch {
	case json.Unmarshal(b, &one) == nil:
		*l = lineList(one)
	case json.Unmarshal(b, &many) == nil:
		*l = lineList(strings.Join(many, ""))
	}
	return nil
}

// IsNotebook reports whether JSON looks like a notebook: servers send them
// under the type of JSON.
func IsNotebook(body []byte) bool {
	s := string(body[:min(len(body), 256)]) + string(body[max(0, len(body)-4096):])
	return strings.Contains(s, `"nbformat"`) && (strings.Contains(s, `"cells"`) || strings.Contains(s, `"worksheets"`) || strings.Contains(s, `"metadata"`))
}

// readNotebook reads a Jupyter notebook: Markdown cells as Markdown, code
// fenced with its language, text output fenced without.
func readNotebook(b *builder, body []byte) error {
	var n notebook
	if err := json.Unmarshal(body, &n); err != nil {
		return err
	}
	for _, w := range n.Worksheets {
		n.Cells = append(n.Cells, w.Cells...)
	}
	lang := strings.ToLower(text.Line(n.Metadata.Language.Name))
	if lang == "" {
		lang = strings.ToLower(text.Line(n.Metadata.Kernel.Language))
	}
	b.Meta.Title = text.Line(n.Metadata.Title)
	for i, c := range n.Cells {
		if i >= maxNotebookCells {
			b.cut = true
			break
		}
		b.cell(&c, lang)
	}
	if b.Meta.Title == "" {
		for _, block := range b.Blocks[:min(len(b.Blocks), 3)] {
			if block.Kind == page.Heading {
				b.Meta.Title = page.InlineText(block.Inlines)
				break
			}
		}
	}
	return nil
}
