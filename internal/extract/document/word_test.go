package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// docx makes a file of the content of its body and other parts.
func docx(body string, parts ...string) []byte {
	return zipOf(append([]string{"word/document.xml", `<w:document><w:body>` + body + `</w:body></w:document>`}, parts...)...)
}

// para is a paragraph of one run.
func para(props, run, s string) string {
	return `<w:p><w:pPr>` + props + `</w:pPr><w:r><w:rPr>` + run + `</w:rPr><w:t>` + s + `</w:t></w:r></w:p>`
}

func item(list, level int, s string) string {
	return para(fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, level, list), "", s)
}

func level(i int, format, text, more string) string {
	return fmt.Sprintf(`<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/>%s<w:lvlText w:val="%s"/></w:lvl>`, i, format, more, text)
}

var numberingPart = `<w:numbering><w:abstractNum w:abstractNumId="1">` + level(0, "decimal", "%1.", "") + level(1, "decimal", "%1.%2", "") + level(2, "lowerLetter", "(%3)", "") +
	`</w:abstractNum><w:abstractNum w:abstractNumId="2">` + level(0, "bullet", "•", "") + level(1, "upperRoman", "%2.", "") + `</w:abstractNum>
	<w:abstractNum w:abstractNumId="3">` + level(0, "decimal", "Article %1", `<w:pStyle w:val="Art"/>`) + `</w:abstractNum>
	<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="2"/></w:num><w:num w:numId="3"><w:abstractNumId w:val="3"/></w:num>
	<w:num w:numId="4"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/></w:lvlOverride></w:num></w:numbering>`

func TestWord(t *testing.T) {
	const rels = `<Relationships><Relationship Id="c" Type="http://x/chart" Target="charts/chart1.xml"/><Relationship Id="d" Target="diagrams/data1.xml"/><Relationship Id="h" Target="chunk.html"/></Relationships>`
	box := func(s string) string {
		return `<wps:txbx><w:txbxContent>` + para("", "", s) + `</w:txbxContent></wps:txbx>`
	}
	for _, c := range []struct {
		name string
		body []byte
		want string
	}{
		{"a numbered list goes on after a paragraph", docx(item(1, 0, "a")+item(1, 0, "b")+para("", "", "between")+item(1, 0, "c"), "word/numbering.xml", numberingPart), "1. a\n2. b\n\nbetween\n\n3. c"},
		{"levels", docx(item(1, 0, "a")+item(1, 1, "b")+item(1, 2, "c")+item(1, 2, "d")+item(1, 1, "e")+item(1, 0, "f")+item(1, 1, "g"), "word/numbering.xml", numberingPart),
			"1. a\n   - 1.1 b\n     - (a) c\n     - (b) d\n   - 1.2 e\n2. f\n   - 2.1 g"},
		{"a level that is left out", docx(item(2, 0, "a")+item(2, 2, "b")+item(2, 0, "c"), "word/numbering.xml", numberingPart), "- a\n  - b\n- c"},
		{"another start", docx(item(1, 0, "a")+item(4, 0, "b")+item(4, 0, "c"), "word/numbering.xml", numberingPart), "1. a\n\n7) b\n8) c"},
		{"a list of a style", docx(para(`<w:pStyle w:val="Art"/>`, "", "a")+para(`<w:pStyle w:val="Art"/>`, "", "b"), "word/numbering.xml", numberingPart,
			"word/styles.xml", `<w:styles><w:style w:styleId="Base"><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style><w:style w:styleId="Art"><w:basedOn w:val="Base"/></w:style></w:styles>`),
			"- Article 1 a\n- Article 2 b"},
		{"a numbered heading", docx(para(`<w:pStyle w:val="H"/>`, "", "a"), "word/numbering.xml", numberingPart,
			"word/styles.xml", `<w:styles><w:style w:styleId="H"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="3"/></w:numPr></w:pPr></w:style></w:styles>`), "# Article 1 a"},
		{"a text box once", docx(`<w:p><w:r><w:t>before</w:t></w:r><w:r><mc:AlternateContent><mc:Choice><w:drawing>` + box("boxed") + `</w:drawing></mc:Choice><mc:Fallback><w:pict>` + box("boxed") + `</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>` + para("", "", "after")),
			"before\n\nboxed\n\nafter"},
		{"a text box of the fallback", docx(`<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing/></mc:Choice><mc:Fallback><w:pict>` + box("boxed") + `</w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`), "boxed"},
		{"a formula in a sentence", docx(`<w:p><w:r><w:t xml:space="preserve">If </w:t></w:r><m:oMath><m:f><m:num><m:r><m:t>a_1</m:t></m:r></m:num><m:den><m:sSup><m:e><m:r><m:t>b</m:t></m:r></m:e><m:sup><m:r><m:t>2</m:t></m:r></m:sup></m:sSup></m:den></m:f></m:oMath><w:r><w:t xml:space="preserve"> holds</w:t></w:r></w:p>`),
			`If $\frac{a\_1}{{b}^{2}}$ holds`},
		{"a displayed formula", docx(`<w:p><m:oMathPara><m:oMath><m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub><m:r><m:t>i</m:t></m:r></m:sub><m:sup><m:r><m:t>n</m:t></m:r></m:sup><m:e><m:d><m:e><m:r><m:t>x</m:t></m:r></m:e></m:d></m:e></m:nary></m:oMath></m:oMathPara></w:p>`),
			"$$\n∑_{i}^{n}{(x)}\n$$"},
		{"notes of two kinds", docx(`<w:p><w:r><w:t>a</w:t><w:footnoteReference w:id="1"/><w:t>b</w:t><w:endnoteReference w:id="1"/></w:r></w:p>`,
			"word/footnotes.xml", `<w:footnotes><w:footnote w:id="1">`+para("", "", "foot")+`</w:footnote></w:footnotes>`,
			"word/endnotes.xml", `<w:endnotes><w:endnote w:id="1">`+para("", "", "end")+`</w:endnote></w:endnotes>`), "a[^1]b[^2]\n\n[^1]: foot\n\n[^2]: end"},
		{"moved and inserted text", docx(`<w:moveFrom><w:p><w:r><w:t>old place</w:t></w:r></w:p></w:moveFrom><w:moveTo><w:p><w:moveTo><w:r><w:t>moved</w:t></w:r></w:moveTo><w:moveFrom><w:r><w:t>gone</w:t></w:r></w:moveFrom></w:p></w:moveTo>`), "moved"},
		{"a chart with formats and axes", docx(`<w:p><w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r></w:p>`, "word/_rels/document.xml.rels", rels,
			"word/charts/chart1.xml", `<c:chartSpace><c:chart><c:plotArea><c:lineChart><c:ser><c:tx><c:v>Share</c:v></c:tx><c:cat><c:numRef><c:numCache><c:formatCode>yyyy</c:formatCode><c:pt idx="0"><c:v>45000</c:v></c:pt></c:numCache></c:numRef></c:cat><c:val><c:numRef><c:numCache><c:formatCode>0%</c:formatCode><c:pt idx="0"><c:v>0.30000000000000004</c:v></c:pt><c:pt idx="1" formatCode="General"><c:v>0.30000000000000004</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:lineChart>`+
				`<c:dateAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Year</a:t></a:r></a:p></c:rich></c:tx></c:title></c:dateAx><c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>Of all trips</a:t></a:r></a:p></c:rich></c:tx></c:title></c:valAx></c:plotArea></c:chart></c:chartSpace>`),
			"Of all trips\n\n| Year | Share |\n| --- | --- |\n| 2023-03-15 | 30% |\n|   | 0.3 |"},
		{"a chart", docx(`<w:p><w:r><w:drawing><c:chart r:id="c"/></w:drawing></w:r></w:p>`, "word/_rels/document.xml.rels", rels,
			"word/charts/chart1.xml", `<c:chartSpace><c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Whales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea><c:barChart><c:ser><c:tx><c:strRef><c:strCache><c:pt idx="0"><c:v>Size</c:v></c:pt></c:strCache></c:strRef></c:tx><c:cat><c:strRef><c:strCache><c:pt idx="0"><c:v>Blue</c:v></c:pt><c:pt idx="1"><c:v>Grey</c:v></c:pt></c:strCache></c:strRef></c:cat><c:val><c:numRef><c:numCache><c:pt idx="1"><c:v>14</c:v></c:pt></c:numCache></c:numRef></c:val></c:ser></c:barChart></c:plotArea></c:chart></c:chartSpace>`),
			"Whales\n\n|   | Size |\n| --- | --- |\n| Blue |   |\n| Grey | 14 |"},
		{"a diagram", docx(`<w:p><w:r><w:drawing><dgm:relIds r:dm="d"/></w:drawing></w:r></w:p>`, "word/_rels/document.xml.rels", rels,
			"word/diagrams/data1.xml", `<dgm:dataModel><dgm:ptLst><dgm:pt modelId="0" type="doc"/><dgm:pt modelId="1"><dgm:t><a:p><a:r><a:t>top</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt modelId="2"><dgm:t><a:p><a:r><a:t>below</a:t></a:r></a:p></dgm:t></dgm:pt><dgm:pt modelId="3"><dgm:t><a:p><a:r><a:t>alone</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:ptLst><dgm:cxnLst><dgm:cxn srcId="0" destId="1" srcOrd="0"/><dgm:cxn srcId="1" destId="2"/><dgm:cxn srcId="2" destId="1"/></dgm:cxnLst></dgm:dataModel>`),
			"- top\n- below\n- alone"},
		{"a field with a link", docx(`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://example.com/a" \h</w:instrText></w:r><w:r><w:t>never</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>here</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t>!</w:t></w:r></w:p>`),
			"[here](https://example.com/a)!"},
		{"a no-break space at the end of a run", docx(`<w:p><w:r><w:t>Figure&#xA0;</w:t></w:r><w:r><w:t>3</w:t></w:r><w:r><w:t>&#xA0;m</w:t></w:r></w:p>`), "Figure 3 m"},
		{"a simple field with a link, and a place in the page of another", docx(`<w:p><w:fldSimple w:instr=" HYPERLINK &quot;https://example.com/a&quot; "><w:r><w:t>here</w:t></w:r></w:fldSimple><w:hyperlink r:id="l" w:anchor="x"><w:r><w:t>there</w:t></w:r></w:hyperlink></w:p>`,
			"word/_rels/document.xml.rels", `<Relationships><Relationship Id="l" TargetMode="External" Target="https://example.com/b"/></Relationships>`), "[here](https://example.com/a)[there](https://example.com/b#x)"},
		{"quotations", docx(para("", "", "a")+para(`<w:pStyle w:val="Q"/>`, "", "b")+para(`<w:pStyle w:val="Q"/>`, "", "c")+para("", "", "d")+para(`<w:pStyle w:val="Q"/>`, "", "e"), "word/styles.xml", `<w:styles><w:style w:styleId="Q"><w:name w:val="Intense Quote"/></w:style></w:styles>`),
			"a\n\n> b\n>\n> c\n\nd\n\n> e"},
		{"struck twice", docx(para("", "<w:dstrike/>", "a")), "~~a~~"},
		{"a field that never ends", docx(`<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> PAGE</w:instrText></w:r></w:p>` + para("", "", "b")), "b"},
		{"letters of a font of symbols", docx(`<w:p><w:r><w:sym w:font="Symbol" w:char="F044"/><w:sym w:font="Symbol" w:char="F078"/><w:sym w:font="Symbol" w:char="F0B3"/><w:sym w:font="Symbol" w:char="F032"/><w:sym w:font="Wingdings" w:char="F04A"/><w:sym w:font="Arial" w:char="00E9"/></w:r></w:p>`), "Δξ≥2é"},
		{"a paragraph that has a note only", docx(`<w:p><w:r><w:footnoteReference w:id="1"/></w:r></w:p>`, "word/footnotes.xml", `<w:footnotes><w:footnote w:id="1">`+para("", "", "foot")+`</w:footnote></w:footnotes>`), "[^1]\n\n[^1]: foot"},
		{"accents", docx(`<w:p><w:r><w:t>a</w:t></w:r><m:oMath><m:acc><m:accPr><m:chr m:val="́"/></m:accPr><m:e><m:r><m:t>x</m:t></m:r></m:e></m:acc></m:oMath></w:p>`), `a$\acute{x}$`},
		{"runs of one word", docx(`<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bo</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>ld</w:t></w:r></w:p>`), "**bold**"},
		{"pictures by their texts", docx(`<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>See</w:t><w:drawing><wp:inline><wp:docPr descr="a whale"/><a:graphic><a:graphicData><pic:pic/></a:graphicData></a:graphic></wp:inline></w:drawing></w:r></w:p><w:p><w:r><w:pict><v:shape alt="its tail"><v:imagedata/></v:shape></w:pict></w:r></w:p><w:p><w:r><w:drawing><wp:inline><wp:docPr/><pic:pic/></wp:inline></w:drawing></w:r></w:p>`),
			"**See[image: a whale]**\n\n[image: its tail]"},
		{"a table in a table", docx(`<w:tbl><w:tr><w:tc>` + para("", "", "a") + `</w:tc><w:tc><w:tbl><w:tr><w:tc>` + para("", "", "b") + `</w:tc></w:tr></w:tbl></w:tc></w:tr></w:tbl>`), "| a | b |\n| --- | --- |"},
		{"a main part of another name", zipOf("_rels/.rels", `<Relationships><Relationship Id="x" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="/odd/main.xml"/></Relationships>`,
			"odd/main.xml", `<w:document><w:body>`+item(1, 0, "found")+`</w:body></w:document>`, "odd/numbering.xml", numberingPart), "1. found"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, wordType, document.Options{Read: asText})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(markdown.Render(p, markdown.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestHiddenWord(t *testing.T) {
	run := func(props string) []byte { return docx(para("", "", "SHOWN") + para("", props, "HIDDEN")) }
	styled := func(style, para string) []byte {
		return docx(`<w:p><w:r><w:t>SHOWN</w:t></w:r></w:p>`+para, "word/styles.xml", `<w:styles>`+style+`</w:styles>`)
	}
	table := func(row string) []byte {
		return docx(para("", "", "SHOWN") + `<w:tbl><w:tr><w:tc>` + para("", "", "a") + `</w:tc></w:tr><w:tr>` + row + `<w:tc>` + para("", "", "HIDDEN") + `</w:tc></w:tr></w:tbl>`)
	}
	box := func(props string) []byte {
		return docx(para("", "", "SHOWN") + `<w:p><w:r><w:drawing><wp:anchor>` + props + `<a:graphic><a:graphicData><wps:wsp><wps:txbx><w:txbxContent>` + para("", "", "HIDDEN") + `</w:txbxContent></wps:txbx></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></w:r></w:p>`)
	}
	for _, c := range []struct {
		name string
		body []byte
		kind page.OmissionKind // "": shown
	}{
		{"vanish", run(`<w:vanish/>`), page.HiddenDisplay},
		{"vanish switched off", run(`<w:vanish w:val="0"/>`), ""},
		{"an anchor that is switched off", docx(para("", "", "SHOWN") + `<w:p><w:r><w:drawing><wp:anchor hidden="1"><a:graphic><wps:txbx><w:txbxContent>` + para("", "", "HIDDEN") + `</w:txbxContent></wps:txbx></a:graphic></wp:anchor></w:drawing></w:r></w:p>`), page.HiddenDisplay},
		{"a paragraph style", styled(`<w:style w:styleId="A"><w:rPr><w:vanish/></w:rPr></w:style><w:style w:styleId="B"><w:basedOn w:val="A"/></w:style>`, para(`<w:pStyle w:val="B"/>`, "", "HIDDEN")), page.HiddenDisplay},
		// Fixed bug: what reports of SQL Server say of empty cells held for every text.
		{"a style that nothing can name", styled(`<w:style><w:name w:val="EmptyCellLayoutStyle"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style>`, para("", "", "HIDDEN")), ""},
		{"a style that is based on itself", styled(`<w:style w:styleId="A"><w:basedOn w:val="A"/><w:rPr><w:vanish/></w:rPr></w:style>`, para(`<w:pStyle w:val="A"/>`, "", "HIDDEN")), page.HiddenDisplay},
		{"a drawing that is switched off", box(`<wp:docPr hidden="1"/>`), page.HiddenDisplay},
		{"a shape that is switched off", docx(para("", "", "SHOWN") + `<w:p><w:r><w:pict><v:shape style="width:9pt; visibility: hidden"><v:textbox><w:txbxContent>` + para("", "", "HIDDEN") + `</w:txbxContent></v:textbox></v:shape></w:pict></w:r></w:p>`), page.HiddenDisplay},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, wordType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkHidden(t, p, c.kind)
		})
	}
	t.Run("a number that is hidden", func(t *testing.T) {
		lists := `<w:numbering><w:abstractNum w:abstractNumId="1">` + level(0, "decimal", "HIDDEN %1", `<w:rPr><w:vanish/></w:rPr>`) + `</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num></w:numbering>`
		p, err := document.Read(docx(item(1, 0, "SHOWN"), "word/numbering.xml", lists), wordType, document.Options{})
		if err != nil || strings.Contains(markdown.PlainText(p), "HIDDEN") || !strings.Contains(markdown.PlainText(p), "SHOWN") {
			t.Errorf("%v, %v", p, err)
		}
	})
	t.Run("a row that was deleted", func(t *testing.T) {
		p, err := document.Read(table(`<w:trPr><w:del/></w:trPr>`), wordType, document.Options{})
		if err != nil || strings.Contains(markdown.PlainText(p), "HIDDEN") || !strings.Contains(markdown.PlainText(p), "SHOWN") {
			t.Errorf("%v, %v", p, err)
		}
	})
}

// checkHidden compares what a page shows and counts; an empty kind says that
// all is shown.
func checkHidden(t *testing.T, p *page.Page, kind page.OmissionKind) {
	t.Helper()
	s := markdown.PlainText(p)
	if strings.Contains(s, "HIDDEN") != (kind == "") || !strings.Contains(s, "SHOWN") {
		t.Errorf("text %q", s)
	}
	if kind != "" && p.Omitted(kind) != 1 || kind == "" && p.Hidden() != 0 {
		t.Errorf("omissions %v, want 1 of %q", p.Omissions, kind)
	}
}

// TestManyClauses: a long contract is read in order, with its numbers.
func TestManyClauses(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString(item(1, min(i%10, 1), fmt.Sprintf("clause %d", i)))
	}
	p, err := document.Read(docx(b.String(), "word/numbering.xml", numberingPart), wordType, document.Options{})
	if err != nil || p.Verdict != page.Complete {
		t.Fatal(err, p.Verdict)
	}
	s := markdown.Render(p, markdown.Options{})
	at := 0
	for i := range 10_000 {
		want := fmt.Sprintf("%d. clause %d\n", i/10+1, i)
		if i%10 > 0 {
			want = fmt.Sprintf("%d.%d clause %d\n", i/10+1, i%10, i)
		}
		k := strings.Index(s[at:]+"\n", want)
		if k < 0 {
			t.Fatalf("%q is missing or out of order", want)
		}
		at += k
	}
}

// TestBeginningOfDamaged: of what breaks off, and of what is nested too deep, the
// rest is read, and the page says that it is not all.
func TestBeginningOfDamaged(t *testing.T) {
	var b strings.Builder
	for i := range 10_000 {
		b.WriteString(para("", "", fmt.Sprintf("clause %d", i*7919%10_000)))
	}
	damaged := docx(b.String())
	for i := range 64 {
		damaged[len(damaged)/2+i] = 0xff
	}
	const first = `<w:p><w:r><w:t>clause 0</w:t></w:r></w:p><w:p><w:r><w:t>clause 7919</w:t></w:r></w:p>`
	for name, body := range map[string][]byte{
		"damaged": damaged,
		"no XML":  docx(first + `<< ` + para("", "", "words")),
		"deep":    docx(first + strings.Repeat(`<w:tbl><w:tr><w:tc>`, 70) + para("", "", "words") + strings.Repeat(`</w:tc></w:tr></w:tbl>`, 70)),
	} {
		p, err := document.Read(body, wordType, document.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		if got := show(p.Blocks); p.Verdict != page.Partial || !strings.HasPrefix(got, "clause 0 / clause 7919") {
			t.Errorf("%s: %s, %.60q", name, p.Verdict, got)
		}
	}
}
