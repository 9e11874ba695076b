package terminal

import (
	"slices"
	"strings"
)

// Tables whose rows fit into the width are drawn with columns; of others, each row becomes
// lines "head: cell".

const between = " │ "

// table draws the rows of a Markdown table. Without a width they stay rows of cells.
func (s Style) table(rows []string) string {
	var b strings.Builder
	if s.Width == 0 {
		for _, line := range rows {
			b.WriteString(s.row(line) + "\n")
		}
		return b.String()
	}
	head := len(rows) > 1 && isRule(rows[1])
	if head {
		rows = slices.Delete(rows, 1, 2)
	}
	cells := make([][]string, len(rows))
	var widths []int
	for r, line := range rows {
		cells[r] = cellsOf(line)
		for c, cell := range cells[r] {
			if c == len(widths) {
				widths = append(widths, 1)
			}
			widths[c] = max(widths[c], Columns(Style{}.inline(cell)))
		}
	}
	total := Columns(between) * (len(widths) - 1)
	rules := make([]string, len(widths))
	for c, w := range widths {
		total += w
		rules[c] = strings.Repeat("─", w)
	}
	if total > s.Width {
		return s.records(cells, head)
	}
	for r, row := range cells {
		named := head && r == 0
		b.WriteString(strings.TrimRight(s.columns(row, widths, named), " ") + "\n")
		if named {
			b.WriteString(s.paint(faint, strings.Join(rules, "─┼─")) + "\n")
		}
	}
	return b.String()
}

// columns draws a row. named says that it has the names of the columns.
func (s Style) columns(row []string, widths []int, named bool) string {
	var b strings.Builder
	for c, w := range widths {
		if c > 0 {
			b.WriteString(s.paint(faint, between))
		}
		cell := ""
		if c < len(row) {
			cell = row[c]
		}
		plain := Style{}.inline(cell)
		if named {
			b.WriteString(s.paint(bold, plain))
		} else {
			b.WriteString(s.inline(cell))
		}
		b.WriteString(strings.Repeat(" ", w-Columns(plain)))
	}
	return b.String()
}

// records draws a table that is too wide for its columns: a line for each cell.
func (s Style) records(rows [][]string, head bool) string {
	var b strings.Builder
	var names []string
	if head {
		names, rows = rows[0], rows[1:]
		if len(rows) == 0 {
			rows = [][]string{names}
			names = nil
		}
	}
	for r, row := range rows {
		if r > 0 {
			b.WriteByte('\n')
		}
		for c, cell := range row {
			name := ""
			if c < len(names) && names[c] != "" {
				name = s.paint(bold, s.inline(names[c])) + ": "
			}
			if cell != "" {
				b.WriteString(s.wrapped(name, s.inline(cell), "  ") + "\n")
			}
		}
	}
	return b.String()
}

// isRule reports whether a row is the one below the head.
func isRule(line string) bool { return strings.Trim(line, "|-: ") == "" && strings.Contains(line, "-") }

// cellsOf splits a row at bars that are not escaped.
func cellsOf(line string) []string {
	line = strings.TrimPrefix(strings.TrimSpace(line), "|")
	var out []string
	from := 0
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '|':
			out = append(out, strings.TrimSpace(line[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(line[from:]); rest != "" {
		out = append(out, rest)
	}
	return out
}
