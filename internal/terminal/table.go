package terminal

import (
	"strings"
)

// Tables are drawn with columns of one width each; cells that do not fit are broken. Where
// the columns would be narrower than leastColumn, each row becomes lines "head: cell".

const (
	leastColumn = 8
	between     = " │ "
)

// table draws the rows of a Markdown table. Without a width they stay rows of cells.
func (s Style) table(rows []string) string {
	var b strings.Builder
	if s.Width == 0 {
		for _, line := range rows {
			b.WriteString(s.row(line) + "\n")
		}
		return b.String()
	}
	var cells [][]string
	columns, head := 0, false
	for i, line := range rows {
		if i == 1 && isRule(line) {
			head = true
			continue
		}
		cells = append(cells, cellsOf(line))
		columns = max(columns, len(cells[len(cells)-1]))
	}
	room := s.Width - (columns-1)*len([]rune(between))
	if columns == 0 || room/columns < leastColumn {
		return s.records(cells, head)
	}
	widths := s.widths(cells, columns, room)
	plain := Style{}
	for r, row := range cells {
		code := ""
		if head && r == 0 {
			code = bold
		}
		lines := make([][]string, columns)
		height := 1
		for c := range lines {
			if c < len(row) {
				lines[c] = broken(plain.inline(row[c]), widths[c])
			}
			height = max(height, len(lines[c]))
		}
		for l := range height {
			var line strings.Builder
			for c := range lines {
				part, drawn := "", ""
				if l < len(lines[c]) {
					part = lines[c][l]
					drawn = s.paint(code, part)
				}
				if height == 1 && c < len(row) && code == "" { // colours cannot go over the end of a line
					drawn = s.inline(row[c])
				}
				line.WriteString(drawn)
				if c < columns-1 {
					line.WriteString(strings.Repeat(" ", max(widths[c]-Columns(part), 0)) + s.paint(faint, between))
				}
			}
			b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		}
		if head && r == 0 {
			rules := make([]string, columns)
			for c, w := range widths {
				rules[c] = strings.Repeat("─", w)
			}
			b.WriteString(s.paint(faint, strings.Join(rules, "─┼─")) + "\n")
		}
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

// widths shares the room: columns that need less than an equal part get what they need.
func (s Style) widths(rows [][]string, columns, room int) []int {
	need := make([]int, columns)
	for _, row := range rows {
		for c, cell := range row {
			need[c] = max(need[c], Columns(Style{}.inline(cell)))
		}
	}
	out := make([]int, columns)
	for left := columns; left > 0; {
		part, given := max(room/left, 1), false
		for c := range out {
			if out[c] == 0 && need[c] <= part {
				out[c] = max(need[c], 1)
				room -= out[c]
				left--
				given = true
			}
		}
		if !given {
			for c := range out {
				if out[c] == 0 {
					out[c] = part
				}
			}
			break
		}
	}
	return out
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

// broken breaks a text into lines of at most width columns: at spaces, and within words
// that are longer than a line.
func broken(s string, width int) []string {
	var out []string
	line, at := "", 0
	add := func(word string, n int) {
		if line != "" && at+1+n > width {
			out = append(out, line)
			line, at = "", 0
		}
		if line != "" {
			line, at = line+" ", at+1
		}
		line, at = line+word, at+n
	}
	for _, word := range strings.Fields(s) {
		for n := Columns(word); n > width; n = Columns(word) {
			end, used := 0, 0
			for i, r := range word {
				if used+columnsOf(r) > width && i > 0 {
					break
				}
				used += columnsOf(r)
				end = i + len(string(r))
			}
			add(word[:end], used)
			word = word[end:]
		}
		if word != "" {
			add(word, Columns(word))
		}
	}
	if line != "" {
		out = append(out, line)
	}
	return out
}
