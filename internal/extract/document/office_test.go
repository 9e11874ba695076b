package document_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
)

// TestOfficeFiles converts files of public generators (testdata/generate.sh).
// Each text of want is in the Markdown, in this order.
func TestOfficeFiles(t *testing.T) {
	const program = "```\ndef level(gauge):\n    if gauge.ready:\n        return gauge.read() * 0.01\n\n    return None\n```\n\nThen compare "
	const rest = "1. First\n   - inner one\n   - inner two\n2. Second\n\n| Port | Height |\n| --- | --- |\n| North | 2.5 |\n\n> Quoted words.\n\n```\nindented code\n  deeper\n```\n\n[^1]: Of last year."
	for name, c := range map[string]struct{ want, lack []string }{
		"pandoc.docx":     {want: []string{"# Tide tables\n\n# Reading the gauge\n\nRun `gauge.py` once a day:\n\n" + program, "$\\frac{a}", "with the chart.[^1]", "$$\n∑_{i=1}^{n}", rest}},
		"pandoc.odt":      {want: []string{"# Tide tables\n\n# Reading the gauge\n\nRun `gauge.py` once a day:\n\n" + program, "with the chart.[^1]", rest}},
		"pandoc.pptx":     {want: []string{"## Tides\n\n- rising\n- falling\n\n> Say this aloud.\n\n## Compare\n\n", "Left words", "one", "Right words", "two"}},
		"python.docx":     {want: []string{"# Crew list\n\n1. Fuel\n   - diesel\n   - petrol\n2. Food\n   1. bread\n\n", "```\nfor port in ports:\n    open(port)\n\n    close(port)\n```\n\nThe end.", "| North | 4 m |", "A hidden word."}, lack: []string{"secret"}},
		"monospaced.docx": {want: []string{"```\ngit clone https://example.com/tide\ncd tide\n```\n\nThen call `make` once."}},
		"typewriter.docx": {want: []string{"INT. HARBOUR - NIGHT\n\nThe ferry leaves."}, lack: []string{"```"}},
		"npm.docx":        {want: []string{"1. Moor\n   - a) fore\n   - b) aft\n2. Sign\n\n- Leave\n\n", "See the [table](https://example.com/tide)[^1]", "```\nif (open) {\n", "close()\n}\n```", "| North | 4 m |", "[^1]: Of last year."}},
		"openpyxl.xlsx":   {want: []string{"## Rates\n", "| North | 25% | -12.5% | 2026-01-05 | 1234.5 |\n| South | 75% | 3.3% | 2026-02-09 14:30:00 | 0.3 |"}, lack: []string{"Hidden", "Secret"}},
		"xlsxwriter.xlsx": {want: []string{"| Gauge | 25% | 12.34% | TRUE | [see](https://example.com/gauge) |\n| 2026-03-01 |"}, lack: []string{"not shown"}},
		"npm.xlsx":        {want: []string{"| North | 25% | 12.35% | TRUE |\n| South | 150% | -5.00% | FALSE |"}},
		"npm.pptx":        {want: []string{"Heading of all", "First step", "Second step", "Footing", "Top words", "Left words", "Right words", "- one\n  - two\n\n| Port | Depth |", "> Say this aloud."}},
		"odf.odt":         {want: []string{"# Harbour\n\nA **strong** current.\n\n```\nwhile open:\n    wait()\n```\n\nAfter."}},
		"odf.ods":         {want: []string{"## Rates\n\n| Port | Share |\n| --- | --- |\n| North | 25% |"}, lack: []string{"Secret"}},
		"odf.odp":         {want: []string{"## Tides\n\nThey rise."}},
		"python.eml": {want: []string{"# Grüße from the harbour: 潮汐表\n\nFrom: Åsa Öberg \\<asa@example.com>\\\nTo: crew@example.com\\\nDate: Mon, 05 Jan 2026 10:00:00 +0100\n\nDear crew,\n\nthe tables für März are attached. This line is long. This",
			"## Прилив\n\nПрилив в шесть.", "- höhe.csv (text/csv, 8 bytes)"}},
	} {
		t.Run(name, func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			mediaType := map[string]string{".docx": wordType, ".xlsx": sheetType, ".pptx": slideType, ".odt": odtType, ".ods": odsType,
				".odp": "application/vnd.oasis.opendocument.presentation", ".eml": "message/rfc822"}[filepath.Ext(name)]
			p, err := document.Read(body, mediaType, document.Options{Read: asText})
			if err != nil {
				t.Fatal(err)
			}
			got := markdown.Render(p, markdown.Options{})
			at := 0
			for _, s := range c.want {
				i := strings.Index(got[at:], s)
				if i < 0 {
					t.Fatalf("%q is missing or out of order in\n%s", s, got)
				}
				at += i + len(s)
			}
			for _, s := range c.lack {
				if strings.Contains(got, s) {
					t.Errorf("%q is not left out of\n%s", s, got)
				}
			}
		})
	}
}
