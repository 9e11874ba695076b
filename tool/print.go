package tool

import (
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
	out := struct {
		Name        string      `json:"name"`
		Title       string      `json:"title"`
		Description string      `json:"description"`
		Kind        Kind        `json:"kind"`
		Level       int         `json:"level"`
		Permission  Permission  `json:"permission"`
		Profile     Profile     `json:"profile"`
		AlsoIn      []Profile   `json:"also_in,omitempty"`
		Strengths   []string    `json:"strengths,omitempty"`
		Annotations Annotations `json:"annotations"`
		Input       Schema      `json:"input_schema"`
		Output      Schema      `json:"output_schema,omitzero"`
		Data        Schema      `json:"data_schema,omitzero"`
	}{d.Name, d.Title, strings.TrimSpace(d.Description), d.Kind, int(d.Level), d.Permission, d.Profile, d.AlsoIn, d.Strengths, d.Annotations, d.Input, d.Output, d.Data}
	if !d.Output.IsZero() {
		out.Data = Schema{}
	}
	return encode(out)
}

// JSON prints the tools as a JSON array of declarations, one on each line.
func JSON(tools []Declaration) ([]byte, error) {
	return array(tools, func(d Declaration) any { return d })
}

// OpenAI prints the tools as the "tools" member of an OpenAI chat request, without rare
// arguments.
func OpenAI(tools []Declaration) ([]byte, error) {
	type function struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Parameters  Schema `json:"parameters"`
	}
	return array(tools, func(d Declaration) any {
		return struct {
			Type     string   `json:"type"`
			Function function `json:"function"`
		}{"function", function{d.Name, strings.TrimSpace(d.Description), d.Input.Common()}}
	})
}

// Anthropic prints the tools as the "tools" member of an Anthropic messages
// request, without rare arguments.
func Anthropic(tools []Declaration) ([]byte, error) {
	return array(tools, func(d Declaration) any {
		return struct {
			Name        string `json:"name"`
			Description string `json:"description"`
			Input       Schema `json:"input_schema"`
		}{d.Name, strings.TrimSpace(d.Description), d.Input.Common()}
	})
}

// array prints a form of each tool on a line of its own.
func array(tools []Declaration, form func(Declaration) any) ([]byte, error) {
	lines := make([]string, len(tools))
	for i, d := range tools {
		data, err := encode(form(d))
		if err != nil {
			return nil, err
		}
		lines[i] = "\n" + string(data)
	}
	return []byte("[" + strings.Join(lines, ",") + "\n]\n"), nil
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
