package tool

import (
	"fmt"
	"strings"
)

// Markdown prints the tools as a document for people.
func Markdown(tools []Declaration) string {
	var b strings.Builder
	b.WriteString("| tool | kind | level | profile | permission | what it does |\n|---|---|---|---|---|---|\n")
	for _, d := range tools {
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %d %s | %s | %s | %s |\n", d.Name, d.Name, d.Kind, d.Level, d.Level, d.profiles(), d.Permission, cell(d.Summary()))
	}
	for _, d := range tools {
		d.section(&b)
	}
	return b.String()
}

// profiles are the names of the profiles that list the tool.
func (d *Declaration) profiles() string {
	out := string(d.Profile)
	for _, p := range d.AlsoIn {
		out += ", " + string(p)
	}
	return out
}

func (d *Declaration) section(b *strings.Builder) {
	fmt.Fprintf(b, "\n## %s\n\n%s\n", d.Name, strings.TrimSpace(d.Description))
	if len(d.Strengths) > 0 {
		b.WriteString("\nGood at: " + strings.Join(d.Strengths, "; ") + ".\n")
	}
	if len(d.Input.listed()) == 0 {
		b.WriteString("\nIt takes no arguments.\n")
	} else {
		b.WriteString("\n| argument | type | default | meaning |\n|---|---|---|---|\n")
		for _, p := range d.Input.inCallOrder() {
			p.row(b)
		}
	}
	switch form := d.Form(); {
	case form.Type == TypeString:
		b.WriteString("\nIt returns text.\n")
	case form.Type == TypeObject:
		if d.Output.IsZero() {
			b.WriteString("\nIt returns text. Programs and plans get these fields:")
		} else {
			b.WriteString("\nIt returns these fields:")
		}
		b.WriteString("\n\n| field | type | meaning |\n|---|---|---|\n")
		form.fields(b, "")
	}
	b.WriteString("\n```\n" + d.PromptLine() + "\n```\n")
}

func (p *Property) row(b *strings.Builder) {
	value := "required"
	switch {
	case p.Required:
	case p.Default != nil:
		value = "`" + pythonLiteral(p.Default) + "`"
	default:
		value = ""
	}
	meaning := p.Description
	if p.Enum != nil {
		meaning += "; " + p.want()
	}
	switch {
	case p.Minimum != nil && p.Maximum != nil:
		meaning += "; from " + number(*p.Minimum) + " to " + number(*p.Maximum)
	case p.Minimum != nil && *p.Minimum != 0:
		meaning += "; " + number(*p.Minimum) + " or more"
	}
	if len(p.Aliases) > 0 {
		meaning += "; also `" + strings.Join(p.Aliases, "`, `") + "`"
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Name, p.python(), cell(value), cell(strings.TrimPrefix(meaning, "; ")))
}

// fields writes a row for each field of an object, nested fields included.
func (s *Schema) fields(b *strings.Builder, prefix string) {
	for _, p := range s.Properties {
		name := prefix + p.Name
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", name, p.python(), cell(p.Description))
		if p.Type == TypeArray && p.Items != nil {
			p.Items.fields(b, name+"[].")
		} else {
			p.fields(b, name+".")
		}
	}
}

// cell escapes text for a cell of a table.
func cell(s string) string { return strings.ReplaceAll(strings.ReplaceAll(s, "\n", " "), "|", `\|`) }
