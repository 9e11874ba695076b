package tool

import (
	"bytes"
	"fmt"
	"strings"
)

// PromptLine is the tool as one line of a system prompt, with types and
// defaults in Python's syntax and without rare arguments:
//
//   - web_browse: Browse a website and return content as Markdown. | args=(url: str) -> str
//
// Browser tools end in " | LEVEL 2 | browser_tool".
func (d Declaration) PromptLine() string {
	var b strings.Builder
	b.WriteString("- " + d.Name + ": " + d.Summary() + " | args=(")
	in := d.Input.Common()
	for i, p := range in.inCallOrder() {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(p.Name + ": " + p.python())
		switch {
		case p.Required:
		case p.Default == nil:
			b.WriteString(" | None = None")
		default:
			b.WriteString(" = " + pythonLiteral(p.Default))
		}
	}
	b.WriteString(")")
	if d.Output.Type != "" {
		b.WriteString(" -> " + d.Output.python())
	}
	if d.Kind == Browser {
		fmt.Fprintf(&b, " | LEVEL %d | %s", d.Level, Browser)
	}
	return b.String()
}

// inCallOrder returns the properties in the order of a Python signature:
// required ones first.
func (s *Schema) inCallOrder() []Property {
	out := make([]Property, 0, len(s.Properties))
	for _, required := range []bool{true, false} {
		for _, p := range s.listed() {
			if p.Required == required {
				out = append(out, p)
			}
		}
	}
	return out
}

// Prompt prints a line for each tool; each ends in a newline.
func Prompt(tools []Declaration) string {
	var b strings.Builder
	for _, d := range tools {
		b.WriteString(d.PromptLine() + "\n")
	}
	return b.String()
}

// MarshalJSON writes the declaration without its handler and its aliases, which
// are never listed.
func (d Declaration) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	w := objectWriter{b: &b}
	w.open()
	err := d.members(&w)
	w.close()
	return b.Bytes(), err
}

func (d *Declaration) members(w *objectWriter) error {
	w.member("name", d.Name)
	w.member("title", d.Title)
	w.member("description", strings.TrimSpace(d.Description))
	w.member("kind", d.Kind)
	w.member("level", int(d.Level))
	w.member("permission", d.Permission)
	w.member("profile", d.Profile)
	if d.AlsoIn != nil {
		w.member("also_in", d.AlsoIn)
	}
	if d.Strengths != nil {
		w.member("strengths", d.Strengths)
	}
	w.member("annotations", d.Annotations)
	w.member("input_schema", d.Input)
	if !d.Output.IsZero() {
		w.member("output_schema", d.Output)
	} else if !d.Data.IsZero() {
		w.member("data_schema", d.Data)
	}
	return w.err
}

// JSON prints the tools as a JSON array of declarations, one on each line.
func JSON(tools []Declaration) ([]byte, error) {
	return array(tools, func(w *objectWriter, d Declaration) error { return d.members(w) })
}

// OpenAI prints the tools as the "tools" member of an OpenAI chat request, without rare
// arguments.
func OpenAI(tools []Declaration) ([]byte, error) {
	return array(tools, func(w *objectWriter, d Declaration) error {
		w.member("type", "function")
		var f bytes.Buffer
		inner := objectWriter{b: &f}
		inner.open()
		inner.member("name", d.Name)
		inner.member("description", strings.TrimSpace(d.Description))
		inner.member("parameters", d.Input.Common())
		inner.close()
		w.raw("function", f.Bytes())
		return inner.err
	})
}

// Anthropic prints the tools as the "tools" member of an Anthropic messages
// request, without rare arguments.
func Anthropic(tools []Declaration) ([]byte, error) {
	return array(tools, func(w *objectWriter, d Declaration) error {
		w.member("name", d.Name)
		w.member("description", strings.TrimSpace(d.Description))
		w.member("input_schema", d.Input.Common())
		return nil
	})
}

func array(tools []Declaration, fill func(*objectWriter, Declaration) error) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("[")
	for i, d := range tools {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n")
		w := objectWriter{b: &b}
		w.open()
		if err := fill(&w, d); err != nil {
			return nil, err
		}
		w.close()
		if w.err != nil {
			return nil, w.err
		}
	}
	b.WriteString("\n]\n")
	return b.Bytes(), nil
}

// Tree prints the tools by kind and level, for people.
func Tree(tools []Declaration) string {
	var b strings.Builder
	for _, kind := range []Kind{Plain, Browser} {
		levels := byLevel(tools, kind)
		if len(levels) == 0 {
			continue
		}
		if b.Len() > 0 {
			b.WriteString("\n")
		}
		b.WriteString(string(kind) + "\n")
		for i, group := range levels {
			branch, trunk := "├─ ", "│  "
			if i == len(levels)-1 {
				branch, trunk = "└─ ", "   "
			}
			fmt.Fprintf(&b, "%slevel %d: %s\n", branch, group[0].Level, group[0].Level)
			for j, d := range group {
				leaf, below := "├─ ", "│  "
				if j == len(group)-1 {
					leaf, below = "└─ ", "   "
				}
				b.WriteString(trunk + leaf + d.Name + "\n")
				below = trunk + below
				if in := d.Input.signature(); in != "" {
					b.WriteString(below + "input: " + in + "\n")
				}
				form := d.Form()
				if out := form.signature(); out != "" {
					b.WriteString(below + "output: " + out + "\n")
				}
				b.WriteString(below + d.Summary() + "\n")
			}
		}
	}
	return b.String()
}

func byLevel(tools []Declaration, kind Kind) [][]Declaration {
	var out [][]Declaration
	for l := Search; l <= CleanUp; l++ {
		var group []Declaration
		for _, d := range tools {
			if d.Kind == kind && d.Level == l {
				group = append(group, d)
			}
		}
		if group != nil {
			out = append(out, group)
		}
	}
	return out
}

// signature names the properties with their types; "?" marks optional ones.
func (s *Schema) signature() string {
	if s.Type != TypeObject || s.Properties == nil {
		if s.Type == "" || s.Type == TypeObject {
			return ""
		}
		return s.python()
	}
	parts := make([]string, 0, len(s.Properties))
	for _, p := range s.inCallOrder() {
		mark := "?"
		if p.Required {
			mark = ""
		}
		parts = append(parts, p.Name+mark+" ("+p.python()+")")
	}
	return strings.Join(parts, ", ")
}
