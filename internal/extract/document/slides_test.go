package document_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// pptx makes a show of one slide.
func pptx(attrs, tree string, parts ...string) []byte {
	return zipOf(append([]string{
		"ppt/presentation.xml", `<p:presentation><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst><p:sldSz cx="1000" cy="500"/></p:presentation>`,
		"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>`,
		"ppt/slides/slide1.xml", `<p:sld ` + attrs + `><p:cSld><p:spTree>` + tree + `</p:spTree></p:cSld></p:sld>`}, parts...)...)
}

func shape(xfrm, props, s string) string {
	return `<p:sp><p:spPr>` + xfrm + `</p:spPr><p:txBody><a:p><a:r><a:rPr>` + props + `</a:rPr><a:t>` + s + `</a:t></a:r></a:p></p:txBody></p:sp>`
}

const shown = `<p:sp><p:txBody><a:p><a:r><a:t>SHOWN</a:t></a:r></a:p></p:txBody></p:sp>`

func TestHiddenSlides(t *testing.T) {
	for _, c := range []struct {
		name, attrs, tree string
		kind              page.OmissionKind
	}{
		{"a shape that is switched off", "", `<p:sp><p:nvSpPr><p:cNvPr hidden="1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, page.HiddenDisplay},
		{"beside the slide", "", shape(`<a:xfrm><a:off x="1000" y="0"/><a:ext cx="100" cy="100"/></a:xfrm>`, "", "HIDDEN"), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(pptx(c.attrs, shown+c.tree), slideType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkHidden(t, p, c.kind)
		})
	}
}

// box is a shape at a position.
func boxAt(x, y, w, h int, s string) string {
	return shape(fmt.Sprintf(`<a:xfrm><a:off x="%d" y="%d"/><a:ext cx="%d" cy="%d"/></a:xfrm>`, x, y, w, h), "", s)
}

// TestShapeOrder: shapes are in reading order, whatever was painted first.
func TestShapeOrder(t *testing.T) {
	for _, c := range []struct{ name, tree, want string }{
		{"top to bottom", boxAt(0, 200, 500, 50, "two") + boxAt(0, 300, 500, 50, "three") + boxAt(0, 100, 500, 50, "one"), "one two three"},
		{"left to right", boxAt(500, 100, 400, 50, "two") + boxAt(0, 100, 400, 50, "one"), "one two"},
		{"a row that is not quite one", boxAt(500, 100, 400, 60, "two") + boxAt(0, 110, 400, 60, "one"), "one two"},
		{"columns under a heading", boxAt(0, 0, 900, 50, "top") + boxAt(500, 100, 400, 300, "right") + boxAt(0, 100, 400, 90, "left") + boxAt(0, 250, 400, 90, "below"), "top left below right"},
		{"a grid that is written in columns", boxAt(0, 0, 400, 50, "a") + boxAt(0, 100, 400, 50, "b") + boxAt(500, 0, 400, 50, "c") + boxAt(500, 100, 400, 50, "d"), "a b c d"},
		{"a grid that is written in rows", boxAt(0, 0, 400, 50, "a") + boxAt(500, 0, 400, 50, "b") + boxAt(0, 100, 400, 50, "c") + boxAt(500, 100, 400, 50, "d"), "a b c d"},
		{"a picture behind the text", boxAt(0, 200, 500, 50, "two") + `<p:pic/>` + boxAt(0, 100, 500, 50, "one"), "one two"},
		{"positions that are not known", boxAt(0, 200, 500, 50, "one") + shape("", "", "two") + boxAt(0, 100, 500, 50, "three"), "one two three"},
		{"a placeholder of the layout", boxAt(0, 300, 500, 50, "two") + `<p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:p><a:r><a:t>one</a:t></a:r></a:p></p:txBody></p:sp>`, "one two"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(pptx("", c.tree, "ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="l" Type="x/slideLayout" Target="../slideLayouts/l.xml"/></Relationships>`,
				"ppt/slideLayouts/l.xml", `<p:sldLayout><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="body" idx="1"/></p:nvPr></p:nvSpPr><p:spPr><a:xfrm><a:off x="0" y="90"/><a:ext cx="500" cy="100"/></a:xfrm></p:spPr></p:sp></p:spTree></p:cSld></p:sldLayout>`), slideType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.Join(strings.Fields(markdown.PlainText(p)), " "); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestSlides(t *testing.T) {
	const rels = `<Relationships><Relationship Id="l" Type="x/hyperlink" Target="https://example.com/a" TargetMode="External"/><Relationship Id="c" Target="../charts/chart1.xml"/></Relationships>`
	footer := func(kind, s string) string {
		return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="` + kind + `"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>` + s + `</a:t></a:r></a:p></p:txBody></p:sp>`
	}
	for _, c := range []struct{ name, tree, want string }{
		{"levels and numbers", `<p:sp><p:txBody><a:p><a:pPr><a:buAutoNum/></a:pPr><a:r><a:t>a</a:t></a:r></a:p><a:p><a:pPr lvl="1"/><a:r><a:t>b</a:t></a:r></a:p><a:p><a:pPr><a:buAutoNum/></a:pPr><a:r><a:t>c</a:t></a:r></a:p></p:txBody></p:sp>`, "1. a\n   - b\n2. c"},
		{"a link", shape("", `<a:hlinkClick r:id="l"/>`, "here"), "[here](https://example.com/a)"},
		{"date, footer and number of the slide", footer("ftr", "Draft") + shape("", "", "one") + footer("dt", "May") + `<p:sp><p:nvSpPr><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:txBody></p:sp>`,
			"Draft\n\none\n\nMay"},
		{"a choice once", `<mc:AlternateContent><mc:Choice>` + shape("", "", "one") + `</mc:Choice><mc:Fallback>` + shape("", "", "one") + `</mc:Fallback></mc:AlternateContent>`, "one"},
		{"a formula", `<p:sp><p:txBody><a:p><a14:m><m:oMathPara><m:oMath><m:rad><m:e><m:r><m:t>x</m:t></m:r></m:e></m:rad></m:oMath></m:oMathPara></a14:m></a:p></p:txBody></p:sp>`, "$$\n\\sqrt{x}\n$$"},
		{"a chart", `<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>`, "| Size |\n| --- |\n| 3 |"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(pptx("", c.tree, "ppt/slides/_rels/slide1.xml.rels", rels,
				"ppt/charts/chart1.xml", `<c:chartSpace><c:chart><c:ser><c:tx><c:v>Size</c:v></c:tx><c:val><c:numLit><c:pt idx="0"><c:v>3</c:v></c:pt></c:numLit></c:val></c:ser></c:chart></c:chartSpace>`), slideType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(markdown.Render(p, markdown.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
