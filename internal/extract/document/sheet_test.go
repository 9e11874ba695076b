package document_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// xlsx makes a workbook of one worksheet.
func xlsx(sheet string, parts ...string) []byte {
	return zipOf(append([]string{
		"xl/workbook.xml", `<workbook><sheets><sheet name="Data" r:id="r1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", `<worksheet>` + sheet + `</worksheet>`}, parts...)...)
}

func cell(ref, style, s string) string {
	return `<c r="` + ref + `" s="` + style + `" t="inlineStr"><is><t>` + s + `</t></is></c>`
}

func TestHiddenSheets(t *testing.T) {
	row := func(attrs, cells string) string { return `<row ` + attrs + `>` + cells + `</row>` }
	data := func(rows string) string {
		return `<sheetData>` + row("", cell("A1", "0", "SHOWN")) + rows + `</sheetData>`
	}
	for _, c := range []struct {
		name, sheet string
		kind        page.OmissionKind
	}{
		{"a hidden row", data(row(`hidden="1"`, cell("A2", "0", "HIDDEN"))), page.HiddenDisplay},
		// Fixed bug: all rows of a sheet whose unused rows are hidden were left out.
		{"rows of the file where all others are hidden", `<sheetFormatPr zeroHeight="1"/><sheetData>` + row(`ht="15"`, cell("A1", "0", "SHOWN")) + row("", cell("A2", "0", "HIDDEN")) + `</sheetData>`, ""},
		{"a hidden column", `<cols><col min="2" max="3" hidden="1"/></cols>` + data(row("", cell("A2", "0", "x")+cell("B2", "0", "HIDDEN"))), page.HiddenDisplay},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(xlsx(c.sheet), sheetType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkHidden(t, p, c.kind)
		})
	}
}

func TestSheets(t *testing.T) {
	for _, c := range []struct {
		name, sheet string
		parts       []string
		want        string
		verdict     page.Verdict
	}{
		{"links", `<sheetData><row>` + cell("A1", "0", "here") + `<c r="B1" t="str"><f>HYPERLINK("https://example.com/b","b")</f><v>there</v></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="l"/></hyperlinks>`,
			[]string{"xl/worksheets/_rels/sheet1.xml.rels", `<Relationships><Relationship Id="l" Target="https://example.com/a" TargetMode="External"/></Relationships>`},
			"| [here](https://example.com/a) | [there](https://example.com/b) |", page.Complete},
		{"columns after a hidden one stay below each other", `<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row>` + cell("A1", "0", "a") + cell("B1", "0", "b") + cell("C1", "0", "c") + `</row><row>` + cell("C2", "0", "d") + `</row></sheetData>`,
			nil, "| a | c |\n| --- | --- |\n|   | d |", page.Complete},
		{"a closed group and a filter", `<cols><col min="2" max="2" hidden="1" outlineLevel="1"/></cols><sheetData><row r="1">` + cell("A1", "0", "a") + cell("B1", "0", "b") + `</row><row r="2" hidden="1">` + cell("A2", "0", "c") + `</row><row r="9" hidden="1" outlineLevel="1">` + cell("A9", "0", "d") + cell("B9", "0", "e") + `</row></sheetData><autoFilter ref="A1:B3"><filterColumn/></autoFilter>`,
			nil, "| a | b |\n| --- | --- |\n| c |   |\n| d | e |", page.Complete},
		{"the filter of a table", `<sheetData><row r="1">` + cell("A1", "0", "a") + `</row><row r="2" hidden="1">` + cell("A2", "0", "b") + `</row><row r="3" hidden="1">` + cell("A3", "0", "c") + `</row></sheetData>`,
			[]string{"xl/worksheets/_rels/sheet1.xml.rels", `<Relationships><Relationship Id="t" Type="x/table" Target="../tables/table1.xml"/></Relationships>`,
				"xl/tables/table1.xml", `<table><autoFilter ref="A1:A2"><filterColumn/></autoFilter></table>`}, "| a |\n| --- |\n| b |", page.Complete},
		{"empty sheets have their names", `<sheetData><row>` + cell("A1", "0", "a") + `</row></sheetData>`, []string{
			"xl/workbook.xml", `<workbook><sheets><sheet name="Data" r:id="r1"/><sheet name="Notes" r:id="r2"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>`,
			"xl/worksheets/sheet2.xml", `<worksheet><sheetData/></worksheet>`}, "| a |\n| --- |\n\n## Notes", page.Complete},
		{"whole numbers with a point or an exponent", `<sheetData><row><c r="A1"><v>1.0</v></c><c r="B1"><v>1.03434343E8</v></c><c r="C1"><v>0.0</v></c><c r="D1"><v>1234567890123456789</v></c></row></sheetData>`, nil, "| 1 | 103434343 | 0 | 1234567890123456789 |", page.Complete},
		{"fractions with an exponent", `<sheetData><row><c r="A1"><v>9.4E-2</v></c><c r="B1"><v>2E-6</v></c><c r="C1"><v>1.5E+20</v></c></row></sheetData>`, nil, "| 0.094 | 2e-06 | 1.5e+20 |", page.Complete},
		{"digits of a binary fraction", `<sheetData><row><c r="A1"><v>0.10000000000000001</v></c><c r="B1"><v>12345678901234567</v></c></row></sheetData>`, nil, "| 0.1 | 12345678901234567 |", page.Complete},
		{"the noise of a sum", `<sheetData><row><c r="A1"><v>0.30000000000000004</v></c><c r="B1"><v>0.33333333333333331</v></c></row></sheetData>`, nil, "| 0.3 | 0.333333333333333 |", page.Complete},
		{"reading aids", `<sheetData><row><c r="A1" t="inlineStr"><is><t>日本</t><rPh><t>ニホン</t></rPh></is></c></row></sheetData>`, nil, "| 日本 |", page.Complete},
		{"beyond the last column", `<sheetData><row>` + cell("A1", "0", "a") + cell("ZZ1", "0", "z") + `</row></sheetData>`, nil, "| a |", page.Partial},
		{"a text box", `<sheetData><row>` + cell("A1", "0", "a") + `</row></sheetData>`, []string{"xl/worksheets/_rels/sheet1.xml.rels", `<Relationships><Relationship Id="d" Type="x/drawing" Target="../drawings/d.xml"/></Relationships>`,
			"xl/drawings/d.xml", `<xdr:wsDr><xdr:twoCellAnchor>` + shape("", "", "boxed") + `</xdr:twoCellAnchor></xdr:wsDr>`}, "| a |\n| --- |\n\nboxed", page.Complete},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(xlsx(c.sheet, c.parts...), sheetType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.TrimSpace(markdown.Render(p, markdown.Options{}))
			if !strings.HasPrefix(got, "## Data\n\n"+c.want) || p.Verdict != c.verdict {
				t.Errorf("got  %q (%s)\nwant %q", got, p.Verdict, c.want)
			}
		})
	}
}
