package document

import (
	"errors"
	"strconv"
	"strings"
)

var errNoPart = errors.New("its main part is missing")

const (
	maxSheets  = 100
	maxColumns = 256
)

// readSheets reads an xlsx file: ECMA-376, part 1, section 18. Values come as
// they are stored, but for dates, which are written as ISO 8601 does.
func readSheets(b *builder, body []byte) error {
	a, _, err := openArchive(body)
	if err != nil {
		return err
	}
	book, err := a.tree("xl/workbook.xml")
	if err != nil {
		return err
	}
	if book == nil {
		return &Error{Code: Malformed, Cause: errNoPart}
	}
	b.core(a)
	var shared []string
	if t, err := a.tree("xl/sharedStrings.xml"); err != nil {
		return err
	} else if t != nil {
		for _, si := range t.find("si") {
			s := ""
			for _, part := range si.find("t") {
				s += part.content()
			}
			shared = append(shared, s)
		}
	}
	days, err := readDates(a, book)
	if err != nil {
		return err
	}
	files := a.relations("xl/workbook.xml")
	sheets := book.find("sheet")
	for i, s := range sheets {
		if i >= maxSheets || b.cells <= 0 {
			b.cut = true
			break
		}
		if state := s.attr("state"); state == "hidden" || state == "veryHidden" {
			b.Note("display", 1)
			continue
		}
		t, err := a.tree(files[s.attr("id")])
		if err != nil {
			return err
		}
		rows := sheetRows(t, shared, &days)
		if len(rows) == 0 {
			continue
		}
		b.heading(2, s.attr("name"))
		b.table(rows)
	}
	return nil
}

// sheetRows reads the rows of a worksheet; cells that are left out are empty.
func sheetRows(t *node, shared []string, days *dates) [][]string {
	var out [][]string
	cells := 0
	for _, r := range t.find("row") {
		var row []string
		for _, c := range r.find("c") {
			col := column(c.attr("r"))
			if col < 0 {
				col = len(row)
			}
			if col >= maxColumns {
				break
			}
			for len(row) < col {
				row = append(row, "")
			}
			row = append(row[:col], cellValue(c, shared, days))
		}
		if strings.TrimSpace(strings.Join(row, "")) == "" {
			continue
		}
		out = append(out, row)
		if cells += len(row); cells > maxCells {
			break
		}
	}
	return out
}

func cellValue(c *node, shared []string, days *dates) string {
	v := c.child("v").content()
	switch c.attr("t") {
	case "s":
		if i, err := strconv.Atoi(strings.TrimSpace(v)); err == nil && i >= 0 && i < len(shared) {
			return shared[i]
		}
		return ""
	case "inlineStr":
		return c.child("is").content()
	case "b":
		if v == "1" {
			return "TRUE"
		}
		return "FALSE"
	case "", "n":
		return days.text(c.attr("s"), v)
	}
	return v
}

// column is the index of the letters of a cell's address, or -1.
func column(ref string) int {
	n := 0
	for i := 0; i < len(ref) && i < 4; i++ {
		c := ref[i]
		if c < 'A' || c > 'Z' {
			break
		}
		n = n*26 + int(c-'A') + 1
	}
	return n - 1
}
