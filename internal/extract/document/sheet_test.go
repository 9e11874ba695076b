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
	const styles = `<styleSheet><numFmts><numFmt numFmtId="170" formatCode=";;;"/><numFmt numFmtId="171" formatCode="0;-0;0;"/><numFmt numFmtId="172" formatCode="0;-0;0;@"/></numFmts>
		<fonts><font/><font><color rgb="FFFFFFFF"/></font><font><sz val="1"/></font><font><color theme="0"/></font><font><color theme="1"/></font></fonts>
		<fills><fill><patternFill patternType="solid"><fgColor rgb="FF000000"/></patternFill></fill><fill><patternFill patternType="solid"><fgColor rgb="FF000080"/></patternFill></fill></fills>
		<cellXfs><xf/><xf fontId="1" fillId="0"/><xf fontId="2"/><xf numFmtId="170"/><xf fontId="1" fillId="1"/><xf fontId="3" fillId="0"/><xf numFmtId="171"/><xf numFmtId="172"/><xf fontId="4" fillId="0"/></cellXfs></styleSheet>`
	row := func(attrs, cells string) string { return `<row ` + attrs + `>` + cells + `</row>` }
	data := func(rows string) string {
		return `<sheetData>` + row("", cell("A1", "0", "SHOWN")) + rows + `</sheetData>`
	}
	for _, c := range []struct {
		name, sheet string
		kind        page.OmissionKind
	}{
		{"a hidden row", data(row(`hidden="1"`, cell("A2", "0", "HIDDEN"))), page.HiddenDisplay},
		{"a row without height", data(row(`ht="0" customHeight="1"`, cell("A2", "0", "HIDDEN"))), page.HiddenSize},
		// Fixed bug: all rows of a sheet whose unused rows are hidden were left out.
		{"rows of the file where all others are hidden", `<sheetFormatPr zeroHeight="1"/><sheetData>` + row(`ht="15"`, cell("A1", "0", "SHOWN")) + row("", cell("A2", "0", "HIDDEN")) + `</sheetData>`, ""},
		{"a hidden column", `<cols><col min="2" max="3" hidden="1"/></cols>` + data(row("", cell("A2", "0", "x")+cell("B2", "0", "HIDDEN"))), page.HiddenDisplay},
		{"a column without width", `<cols><col min="2" max="2" width="0"/></cols>` + data(row("", cell("B2", "0", "HIDDEN"))), page.HiddenDisplay},
		{"a column of less than a letter", `<cols><col min="2" max="2" width="0.05" customWidth="1"/></cols>` + data(row("", cell("B2", "0", "HIDDEN"))), page.HiddenDisplay},
		{"black on the first fill, which is none whatever it says", data(row("", cell("A2", "8", "HIDDEN"))), ""},
		{"white on white", data(row("", cell("A2", "1", "HIDDEN"))), page.HiddenColor},
		{"white of the theme", data(row("", cell("A2", "5", "HIDDEN"))), page.HiddenColor},
		{"white on white with rules", data(row("", cell("A2", "1", "HIDDEN"))) + `<conditionalFormatting sqref="C1 A1:B9"/>`, ""},
		{"white on white with rules for a column", data(row("", cell("A2", "1", "HIDDEN"))) + `<conditionalFormatting sqref="A:A"/>`, ""},
		{"white on white with rules for other cells", data(row("", cell("A2", "1", "HIDDEN"))) + `<conditionalFormatting sqref="A1 B1:C9"/>`, page.HiddenColor},
		{"white on blue", data(row("", cell("A2", "4", "HIDDEN"))), ""},
		{"a point", data(row("", cell("A2", "2", "HIDDEN"))), page.HiddenSize},
		{"a format that shows nothing", data(row("", cell("A2", "3", "HIDDEN"))), page.HiddenDisplay},
		{"a format that shows numbers only", data(row("", cell("A2", "6", "HIDDEN"))), page.HiddenDisplay},
		{"a format that shows numbers and text", data(row("", cell("A2", "7", "HIDDEN"))), ""},
		{"a row of half a point", data(row(`ht="0.5" customHeight="1"`, cell("A2", "0", "HIDDEN"))), page.HiddenSize},
		{"below a merged cell", data(row("", cell("A2", "0", "x")+cell("B2", "0", "HIDDEN"))) + `<mergeCells><mergeCell ref="A2:B2"/></mergeCells>`, page.HiddenDisplay},
		{"the first of merged cells", data(row("", cell("A2", "0", "HIDDEN"))) + `<mergeCells><mergeCell ref="A2:B2"/></mergeCells>`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(xlsx(c.sheet, "xl/styles.xml", styles), sheetType, document.Options{})
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
		{"a white part of a string", `<sheetData><row><c r="A1" t="inlineStr"><is><r><t>a </t></r><r><rPr><color rgb="FFFFFFFF"/></rPr><t>b</t></r></is></c><c r="B1" t="inlineStr"><is><r><rPr><color rgb="FFFFFFFF"/></rPr><t>c</t></r></is></c></row></sheetData>`,
			nil, "| a (visibility unknown) b | c |\n| --- | --- |", page.Complete},
		{"a closed group and a filter", `<cols><col min="2" max="2" hidden="1" outlineLevel="1"/></cols><sheetData><row r="1">` + cell("A1", "0", "a") + cell("B1", "0", "b") + `</row><row r="2" hidden="1">` + cell("A2", "0", "c") + `</row><row r="9" hidden="1" outlineLevel="1">` + cell("A9", "0", "d") + cell("B9", "0", "e") + `</row></sheetData><autoFilter ref="A1:B3"><filterColumn/></autoFilter>`,
			nil, "| a | (collapsed) b |\n| --- | --- |\n| (collapsed) c |   |\n| (collapsed) d | e |", page.Complete},
		{"the filter of a table", `<sheetData><row r="1">` + cell("A1", "0", "a") + `</row><row r="2" hidden="1">` + cell("A2", "0", "b") + `</row><row r="3" hidden="1">` + cell("A3", "0", "c") + `</row></sheetData>`,
			[]string{"xl/worksheets/_rels/sheet1.xml.rels", `<Relationships><Relationship Id="t" Type="x/table" Target="../tables/table1.xml"/></Relationships>`,
				"xl/tables/table1.xml", `<table><autoFilter ref="A1:A2"><filterColumn/></autoFilter></table>`}, "| a |\n| --- |\n| (collapsed) b |", page.Complete},
		{"empty sheets have their names", `<sheetData><row>` + cell("A1", "0", "a") + `</row></sheetData>`, []string{
			"xl/workbook.xml", `<workbook><sheets><sheet name="Data" r:id="r1"/><sheet name="Notes" r:id="r2"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Target="worksheets/sheet2.xml"/></Relationships>`,
			"xl/worksheets/sheet2.xml", `<worksheet><sheetData/></worksheet>`}, "| a |\n| --- |\n\n## Notes", page.Complete},
		{"whole numbers with a point or an exponent", `<sheetData><row><c r="A1"><v>1.0</v></c><c r="B1"><v>1.03434343E8</v></c><c r="C1"><v>0.0</v></c><c r="D1"><v>1234567890123456789</v></c></row></sheetData>`, nil, "| 1 | 103434343 | 0 | 1234567890123456789 |", page.Complete},
		{"fractions with an exponent", `<sheetData><row><c r="A1"><v>9.4E-2</v></c><c r="B1"><v>2E-6</v></c><c r="C1"><v>1.5E+20</v></c></row></sheetData>`, nil, "| 0.094 | 2e-06 | 1.5E+20 |", page.Complete},
		{"digits of a binary fraction", `<sheetData><row><c r="A1"><v>0.10000000000000001</v></c><c r="B1"><v>12345678901234567</v></c></row></sheetData>`, nil, "| 0.1 | 12345678901234567 |", page.Complete},
		{"the noise of a sum", `<sheetData><row><c r="A1"><v>0.30000000000000004</v></c><c r="B1"><v>0.33333333333333331</v></c></row></sheetData>`, nil, "| 0.3 | 0.3333333333333333 |", page.Complete},
		{"reading aids", `<sheetData><row><c r="A1" t="inlineStr"><is><t>日本</t><rPh><t>ニホン</t></rPh></is></c></row></sheetData>`, nil, "| 日本 |", page.Complete},
		{"beyond the last column", `<sheetData><row>` + cell("A1", "0", "a") + cell("ZZ1", "0", "z") + `</row></sheetData>`, nil, "| a |", page.Partial},
		{"cells merged from right to left, without an end", `<sheetData><row>` + cell("A1", "0", "a") + cell("B1", "0", "b") + `</row></sheetData><mergeCells><mergeCell ref="B1:A9000000000000000000"/></mergeCells>`, nil, "| a | b |", page.Complete},
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
