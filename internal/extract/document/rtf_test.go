package document_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

func readRTF(t *testing.T, body string) (*page.Page, string) {
	t.Helper()
	p, err := document.Read([]byte(`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}{\f1\fcharset204 Arial Cyr;}{\f2\fcharset128 MS;}}{\colortbl;\red255\green255\blue255;\red0\green0\blue0;}`+
		`{\stylesheet{\ql Normal;}{\s1\b\fs32 heading 1;}{\s2\outlinelevel1 Mine;}{\*\cs10 Strong;}}{\info{\title A title}{\author Ann}{\operator Bo}}`+body+"}"), "application/rtf", document.Options{})
	var e *document.Error
	if errors.As(err, &e) && e.Code == document.NoContent {
		return p, ""
	}
	if err != nil {
		t.Fatal(err)
	}
	return p, strings.TrimSpace(markdown.Render(p, markdown.Options{}))
}

// A cell with more blocks than are read has those that are.
func TestRichCellBeyondBounds(t *testing.T) {
	p, md := readRTF(t, `\pard\trowd `+strings.Repeat(`\intbl\itap2 x\nestcell\nestrow\itap1 y\par `, 34_000)+`\cell\row`)
	if !strings.HasPrefix(md, "| x |") || len(p.Blocks) < 60_000 || p.Verdict != page.Partial {
		t.Errorf("%d blocks, %s, %.40s", len(p.Blocks), p.Verdict, md)
	}
}

func TestRichText(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"paragraphs and looks", `\pard One {\b bold}, {\i sl\b both} {\strike no}{\super 2}\line next\par\pard Two\par`, "One **bold**, *sl**both*** ~~no~~<sup>2</sup>\\\nnext\n\nTwo"},
		{"charsets", `\pard caf\'e9 {\f1 \'cf\'f0\'e8} {\f2 \'93\'fa\'96\'7b} \u8364\'80 \uc2\u26085 ??x{\uc0\u55357\u56832}\emdash\~y\par`, "café При 日本 € 日x😀— y"},
		{"headings", `\pard\plain\s1 First\par\pard\plain\s2 Second\par\pard\plain text\par`, "# First\n\n## Second\n\ntext"},
		{"lists", `\pard{\listtext\f0 1.\tab}\ls1 one\par{\listtext 2.\tab}two\par\pard{\listtext\u8226 ?\tab}\ilvl1 sub\par\pard{\pntext (a)\tab}lettered\par\pard end\par`,
			"1. one\n2. two\n   - sub\n\n- (a) lettered\n\nend"},
		{"a table", `\pard before\par\trowd\cellx10\cellx20\pard\intbl a\cell b\par c\cell\row\trowd\pard\intbl\cell{\cf1 white}\cell\row\pard after\par`, "before\n\n| a | b<br>c |\n| --- | --- |\n|   | white |\n\nafter"},
		{"links", `\pard See {\field{\*\fldinst{HYPERLINK "https://example.com/a"}}{\fldrslt{\ul here}}} and {\field{\*\fldinst PAGE}{\fldrslt 3}}.\par`, "See [here](https://example.com/a) and 3."},
		{"a note in a list", `\pard{\listtext 1.\tab}one\par{\listtext 2.\tab}two{\footnote\pard\plain{\chftn}The note.\par}more\par`, "1. one\n2. two[^1]more\n\n[^1]: The note."},
		{"what is not text", `{\header\pard HEAD\par}{\*\unknown x}{\pict 0102}\pard a{\*\bkmkstart b}{\object{\*\objdata 00}{\result\pard in it}}{\deleted gone}\bin3 }}}z\par`, "ain itz"},
		// Fixed bug: these had no ends of paragraphs, because only \\par was one.
		{"paragraphs of TextEdit", "\\pard one\\\ntwo\\\r\nthree", "one\n\ntwo\n\nthree"},
		// Fixed bug: \\pard within or behind the number took the number away.
		{"numbers of Word", `{\listtext\pard\plain\s1 1.\tab}\pard\s15\ls1 one\par{\listtext\pard\plain 2.\tab}two\par\pard end\par`, "1. one\n2. two\n\nend"},
		{"a level of the outline", `\pard\outlinelevel0 First\par\pard text\par`, "# First\n\ntext"},
		{"the usual font", `{\fonttbl{\f5\fcharset204 B;}}\deff5\plain\'cf\'f0`, "Пр"},
		// Fixed bug: the link began at the start of the paragraph.
		{"a note in a link", `\pard before {\field{\*\fldinst HYPERLINK "https://example.com/a"}{\fldrslt in{\footnote n\par} it}}\par`, "before [in[^1] it](https://example.com/a)\n\n[^1]: n"},
		{"a field in a link", `\pard{\field{\*\fldinst HYPERLINK "https://example.com/a"}{\fldrslt A {\field{\*\fldinst PAGE}{\fldrslt 1}} B}}\par`, "[A 1 B](https://example.com/a)"},
		// Fixed bug: the first cell of the note stood in the table of the page.
		{"a table in a note", `\trowd\pard\intbl a{\footnote n1\par\intbl n2\cell n3\cell\row}\cell b\cell\row\pard end\par`, "| a[^1] | b |\n| --- | --- |\n\nend\n\n[^1]: n1\n\n    n2\n\n    n3"},
		{"the font Symbol", `{\fonttbl{\f6\froman\fcharset2\fprq2{\*\panose 01}Symbol;}}\pard an {\f6 a\'b3b-1: \u-3999 ?} end\par`, "an α≥β−1: α end"},
		{"a table in a cell", `\trowd\pard\intbl a\cell before\par\pard\intbl\itap2 b\nestcell c\nestcell{\*\nesttableprops\trowd\nestrow}{\nonesttables\par}\pard\intbl\itap2 d\nestcell e\nestcell{\*\nesttableprops\nestrow}\pard\intbl after\cell\row\trowd\pard\intbl f\cell g\cell\row\pard end\par`,
			"| a | before<br>b c<br>d e<br>after |\n| --- | --- |\n| f | g |\n\nend"},
		{"a table in a cell that never ends", `\trowd\pard\intbl a\cell\pard\intbl\itap2 b\nestcell c\par`, "a\n\n| b |\n| --- |\n\nc"},
		{"a frame of one cell", `\trowd\pard\intbl boxed\cell\row\pard after\par`, "boxed\n\nafter"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, got := readRTF(t, c.body)
			if got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
			if p.Meta.Title != "A title" || p.Meta.Byline != "Ann" {
				t.Errorf("title %q, byline %q", p.Meta.Title, p.Meta.Byline)
			}
		})
	}
}

func TestHiddenRichText(t *testing.T) {
	for body, kind := range map[string]page.OmissionKind{
		`{\v HIDDEN}`: page.HiddenDisplay, `{\fs2 HIDDEN}`: page.HiddenSize, `{\cf1 HIDDEN}`: page.HiddenColor, `{\cf2\highlight2 HIDDEN}`: page.HiddenColor,
		`{\cf1\highlight2 HIDDEN}`: "", `{\v0 HIDDEN}`: "", `{\*\background x}{\cf1 HIDDEN}`: "",
	} {
		p, got := readRTF(t, `\pard SHOWN `+body+`\par`)
		if strings.Contains(got, "HIDDEN") != (kind == "") || kind != "" && p.Omitted(kind) != 1 {
			t.Errorf("%s: %q, %v", body, got, p.Omissions)
		}
	}
}

func TestHostileRichText(t *testing.T) {
	for _, body := range []string{strings.Repeat("{", 200_000), strings.Repeat("}", 200_000), strings.Repeat(`{\footnote `, 50_000), strings.Repeat(`\u55357`, 1000) + `\par`, `\bin999999999 x`, `\bin-5 x`, `\bin9223372036854775807 x`, strings.Repeat(`\fldrslt`, 100_000) + strings.Repeat(`\par`, 100_000), `\'`, `\`, strings.Repeat(`\cell`, 60_000), strings.Repeat(`\itap2 x\nestcell\pard`, 60_000), strings.Repeat(`\intbl x\itap2\par y\cell `, 30_000), strings.Repeat(`{\field{\fldrslt `, 50_000)} {
		readRTF(t, body)
	}
	if p, _ := readRTF(t, strings.Repeat(`{\b x}`, 150_000)); p.Verdict != page.Partial {
		t.Errorf("more pieces than are read: %s", p.Verdict)
	}
	for body, want := range map[string]page.Verdict{
		"a}": page.Complete, "a}\r\n\x00": page.Complete, "a": page.Partial, `a{\b b}`: page.Partial, "a}b": page.Partial,
		`a{\mmath{\*\moMath{\mr x=1}}}}`: page.Partial, strings.Repeat("{", 600) + "a" + strings.Repeat("}", 601): page.Partial,
	} {
		p, err := document.Read([]byte(`{\rtf1 `+body), "application/rtf", document.Options{})
		if err != nil || p.Verdict != want || len(p.Blocks) != 1 || strings.Contains(page.InlineText(p.Blocks[0].Inlines), "}b") {
			t.Errorf("%.30s: %v %v, want %v", body, p.Verdict, err, want)
		}
	}
}
