package pdf

import (
	"strings"
	"testing"
)

// typeset shows rows of cells: each column begins at a place, or ends there if that is
// negative.
func typeset(y, leading float64, places []float64, rows ...string) string {
	var b strings.Builder
	for i, r := range rows {
		for k, cell := range strings.Split(r, "|") {
			if x := places[k]; cell != "" {
				if x < 0 {
					x = -x - .5*10*float64(len(cell))
				}
				b.WriteString(at(x, y-leading*float64(i), "F4", 10, cell))
			}
		}
	}
	return b.String()
}

// halfEm is a font whose letters are all half an em wide and that is not one for code.
func halfEm() string {
	return "/F4 << /Type /Font /Subtype /Type1 /BaseFont /Even /Encoding /WinAnsiEncoding /FirstChar 32 /LastChar 126 /Widths [" + strings.Repeat("500 ", 95) + "] >>"
}

func TestAlignedTables(t *testing.T) {
	prose := func(y float64) string {
		return typeset(y, 12, []float64{72}, "The ferry company replaced its paper timetable with a small service that any captain can query from the", "bridge. It answers within a second even when the harbour network is slow.")
	}
	const said = "The ferry company replaced its paper timetable with a small service that any captain can query from the bridge. It answers within a second even when the harbour network is slow."
	for _, c := range []struct{ name, content, want string }{
		{"numbers at the right", prose(740) + typeset(700, 12, []float64{72, -250, -320}, "Year|Ships|Income", "2021|112|88.2", "2022|1,119|91.0", "2023|97|110.9") + prose(640),
			said + "\n| Year | Ships | Income\n| 2021 | 112 | 88.2\n| 2022 | 1,119 | 91.0\n| 2023 | 97 | 110.9\n" + said},
		{"level rules only", "72 712 m 320 712 l S 72 696 m 320 696 l S 72 660 m 320 660 l S " + typeset(700, 12, []float64{72, 200, 280}, "Port|Master|Fee", "Ellery|Brandt|12", "Mill|Ek|9"),
			"| Port | Master | Fee\n| Ellery | Brandt | 12\n| Mill | Ek | 9"},
		{"cells without text", typeset(700, 12, []float64{72, -200, -260, -320}, "Item|Q1|Q2|Q3", "Rope|12||14", "Lamps||3|", "Tar|7|8|2"),
			"| Item | Q1 | Q2 | Q3\n| Rope | 12 |  | 14\n| Lamps |  | 3 | \n| Tar | 7 | 8 | 2"},
		{"a cell of two lines, rows apart", typeset(700, 12, []float64{72, 140, 400}, "--tide|Reads the table of tides before the first sailing|on", "|and warns") + typeset(670, 12, []float64{72, 140, 400}, "--crew|Names the crew|off") + typeset(652, 12, []float64{72, 140, 400}, "--lamp|Lights it|on"),
			"| --tide | Reads the table of tides before the first sailing and warns | on\n| --crew | Names the crew | off\n| --lamp | Lights it | on"},
		{"cells in the middle of two lines", typeset(700, 12, []float64{72, 140, 400}, "|Reads the table of tides before the first", "|sailing and warns") + typeset(694, 12, []float64{72, 140, 400}, "--tide||on") + typeset(670, 18, []float64{72, 140, 400}, "--crew|Names the crew|off", "--lamp|Lights it|on"),
			"| --tide | Reads the table of tides before the first sailing and warns | on\n| --crew | Names the crew | off\n| --lamp | Lights it | on"},
		{"a heading over two columns", typeset(700, 12, []float64{72, 200, 260, 320}, "|Six months of the year") + typeset(688, 12, []float64{72, -220, -280}, "Port|2023|2024", "Ellery|1|2", "Mill|3|4"),
			"Six months of the year\n| Port | 2023 | 2024\n| Ellery | 1 | 2\n| Mill | 3 | 4"},
		{"two rows are lines", typeset(700, 12, []float64{72, 300}, "Bill to:|Date: 2026-03-04", "Port of Ellery|Due: 2026-04-03"),
			"Bill to: Date: 2026-03-04\nPort of Ellery Due: 2026-04-03"},
		{"a list is none", typeset(700, 12, []float64{72, 100}, "1.|Open the valve by a quarter", "2.|Wait until the needle stands", "3.|Close the valve"),
			"- Open the valve by a quarter\n- Wait until the needle stands\n- Close the valve"},
		{"contents are none", typeset(700, 12, []float64{72, 100, -400}, "1|Lamps . . . . . . . . . . .|3", "2|Ropes . . . . . . . . . . .|10", "3|Berths . . . . . . . . . .|17"),
			"1 Lamps … 3\n2 Ropes … 10\n3 Berths … 17"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(documentOf(halfEm(), c.content), Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestLines(t *testing.T) {
	body := []string{"The ferry company replaced its paper timetable with a small", "service that any captain can query from the bridge, and it is", "quick even when the harbour network is slow, because every one", "of the vessels keeps a copy of the last week of all sailings."}
	third := func(x float64, word string) string {
		rows := make([]string, 6)
		for i := range rows {
			rows[i] = word + " one of the lines here"
		}
		return typeset(700, 12, []float64{x}, rows...)
	}
	for _, c := range []struct{ name, content, want string }{
		{"a side note", typeset(700, 12, []float64{72}, body...) + typeset(700, 12, []float64{420}, "Note: berths have", "numbers."),
			strings.Join(body, " ") + "\nNote: berths have numbers."},
		{"three columns", third(392, "Right") + third(212, "Middle") + third(40, "Left"), "Left"},
		{"an address", typeset(740, 12, []float64{72}, "Port of Ellery", "Harbour Road 7", "1204 Norrland") + typeset(690, 12, []float64{72}, body...),
			"Port of Ellery Harbour Road 7 / 1204 Norrland\n" + strings.Join(body, " ")},
		{"a number that does not follow", typeset(700, 12, []float64{72}, "1. Open the valve.", "2. Wait.", "5. Close it."), "- Open the valve.\n- Wait.\n- Close it."},
		{"the mark of a footnote", at(72, 700, "F4", 10, "The tide was low") + at(152, 704, "F4", 6, "1") + at(158, 700, "F4", 10, "that day"), "The tide was low 1 that day"},
		{"a unit", at(72, 700, "F4", 10, "Some 12 km") + at(122, 704, "F4", 6, "2") + at(130, 700, "F4", 10, "of sea"), "Some 12 km2 of sea"},
		{"a sentence goes on in the next column", typeset(700, 12, []float64{40}, "Left has lines of some length that", "are full up to the end of it, and", "the last sentence of this column is", "not over at the end, because it has") +
			typeset(700, 12, []float64{300}, "words in the other column as well.", "They are full up to the end too and", "their last sentence is over here,", "at the end of the second column ok."),
			"Left has lines of some length that are full up to the end of it, and the last sentence of this column is not over at the end, because it has words in the other column as well. They are full up to the end too and their last sentence is over here, at the end of the second column ok."},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Read(documentOf(halfEm(), c.content), Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := show(p.Blocks)
			if c.want == "Left" {
				if l, m, r := strings.LastIndex(got, "Left"), strings.LastIndex(got, "Middle"), strings.Index(got, "Right"); strings.Index(got, "Middle") < l || r < m {
					t.Errorf("columns in another order: %q", got)
				}
			} else if got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}
