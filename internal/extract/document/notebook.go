package document

import (
	"cmp"
	"encoding/json"
	"strings"

	"github.com/spyhop-dev/spyhop/internal/page"
	"github.com/spyhop-dev/spyhop/internal/text"
)

// notebook is what is used of a Jupyter notebook, format 4.
type notebook struct {
	Metadata struct {
		Title    string
		Language struct{ Name string }     `json:"language_info"`
		Kernel   struct{ Language string } `json:"kernelspec"`
	}
	Cells []struct {
		Type    string `json:"cell_type"`
		Source  lineList
		Outputs []notebookOutput
	}
}

type notebookOutput struct {
	Type  string `json:"output_type"`
	Text  lineList
	Data  map[string]lineList
	Name  string `json:"ename"`
	Value string `json:"evalue"`
}

// text is what a person sees of an output: an error, or plain text.
func (o *notebookOutput) text() string {
	if o.Type == "error" {
		return o.Name + ": " + o.Value
	}
	return cmp.Or(string(o.Text), string(o.Data["text/plain"]))
}

// lineList is a text that may be a list of lines; other values are none.
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
	s := string(body[:min(len(body), notebookHead)]) + string(body[max(0, len(body)-notebookTail):])
	return strings.Contains(s, `"nbformat"`) && (strings.Contains(s, `"cells"`) || strings.Contains(s, `"metadata"`))
}

// readNotebook converts a Jupyter notebook: Markdown cells as Markdown, code
// fenced with its language, text output fenced without.
func readNotebook(b *builder, body []byte) error {
	var n notebook
	if err := json.Unmarshal(body, &n); err != nil {
		return err
	}
	lang := strings.ToLower(text.Line(cmp.Or(n.Metadata.Language.Name, n.Metadata.Kernel.Language)))
	b.Meta.Title = text.Line(n.Metadata.Title)
	for i, c := range n.Cells {
		if i >= maxNotebookCells {
			b.cut = true
			break
		}
		switch c.Type {
		case "markdown":
			b.part([]byte(c.Source), "text/markdown")
		case "code":
			b.source(string(c.Source), lang)
			for k := range c.Outputs {
				b.source(c.Outputs[k].text(), "")
			}
		case "raw":
			b.source(string(c.Source), "")
		}
	}
	if len(b.Blocks) > 0 && b.Blocks[0].Kind == page.Heading {
		b.Meta.Title = cmp.Or(b.Meta.Title, page.InlineText(b.Blocks[0].Inlines))
	}
	return nil
}

// source adds code that is more than white space.
func (b *builder) source(s, lang string) {
	if strings.TrimSpace(s) != "" {
		b.add(Source(s, lang, &b.removed))
	}
}
