package document_test

import (
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
	box := func(x, y string) string {
		return `<a:xfrm><a:off x="` + x + `" y="` + y + `"/><a:ext cx="100" cy="100"/></a:xfrm>`
	}
	group := func(inner string) string {
		return `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000" cy="500"/><a:chOff x="5000" y="0"/><a:chExt cx="1000" cy="500"/></a:xfrm></p:grpSpPr>` + inner + `</p:grpSp>`
	}
	for _, c := range []struct {
		name string
		tree string
		kind page.OmissionKind
	}{
		{"to the right of the slide", shape(box("1000", "0"), "", "HIDDEN"), page.HiddenOffScreen},
		{"above the slide", shape(box("0", "-100"), "", "HIDDEN"), page.HiddenOffScreen},
		{"partly on the slide", shape(box("950", "0"), "", "HIDDEN"), ""},
		{"on the slide by its group", group(shape(box("5500", "0"), "", "HIDDEN")), ""},
		{"beside the slide by its group", group(shape(box("500", "0"), "", "HIDDEN")), page.HiddenOffScreen},
		{"a shape that is switched off", `<p:sp><p:nvSpPr><p:cNvPr hidden="1"/></p:nvSpPr><p:txBody><a:p><a:r><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, page.HiddenDisplay},
		{"a point", `<p:sp><p:txBody><a:p><a:r><a:rPr sz="100"/><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, page.HiddenSize},
		{"in a group without a size", `<p:grpSp><p:grpSpPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="0" cy="0"/><a:chOff x="0" y="0"/><a:chExt cx="1000" cy="500"/></a:xfrm></p:grpSpPr>` + shape(box("0", "0"), "", "HIDDEN") + `</p:grpSp>`, page.HiddenSize},
		{"a point by the list", `<p:sp><p:txBody><a:lstStyle><a:lvl1pPr><a:defRPr sz="100"/></a:lvl1pPr></a:lstStyle><a:p><a:r><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, page.HiddenSize},
		{"shrunk away", `<p:sp><p:txBody><a:bodyPr><a:normAutofit fontScale="1000"/></a:bodyPr><a:p><a:r><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, page.HiddenSize},
		{"shrunk a little", `<p:sp><p:txBody><a:bodyPr><a:normAutofit fontScale="62500"/></a:bodyPr><a:p><a:r><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, ""},
		{"clear", shape("", `<a:solidFill><a:srgbClr val="000000"><a:alpha val="0"/></a:srgbClr></a:solidFill>`, "HIDDEN"), page.HiddenOpacity},
		{"half clear", shape("", `<a:solidFill><a:srgbClr val="000000"><a:alpha val="50000"/></a:srgbClr></a:solidFill>`, "HIDDEN"), ""},
		{"no fill", shape("", `<a:noFill/>`, "HIDDEN"), page.HiddenOpacity},
		{"outlined", shape("", `<a:ln/><a:noFill/>`, "HIDDEN"), ""},
		{"the colour of its shape", shape(`<a:solidFill><a:srgbClr val="336699"/></a:solidFill>`, `<a:solidFill><a:srgbClr val="336699"/></a:solidFill>`, "HIDDEN"), page.HiddenColor},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(pptx("", shown+c.tree), slideType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkHidden(t, p, c.kind)
		})
	}
}

// TestWhiteOnWhiteSlide: what a shape is filled with stands behind its text, also
// where it is not known.
func TestWhiteOnWhiteSlide(t *testing.T) {
	const white = `<a:solidFill><a:srgbClr val="FFFFFF"/></a:solidFill>`
	text := `<p:txBody><a:p><a:r><a:rPr>` + white + `</a:rPr><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`
	for _, c := range []struct {
		name, shape string
		kind        page.OmissionKind
	}{
		{"no fill", `<p:sp>` + text, page.HiddenColor},
		{"a fill that is switched off", `<p:sp><p:spPr><a:noFill/></p:spPr><p:style><a:fillRef idx="1"/></p:style>` + text, page.HiddenColor},
		{"a colour of the theme", `<p:sp><p:spPr><a:solidFill><a:schemeClr val="accent1"/></a:solidFill></p:spPr>` + text, ""},
		{"a gradient", `<p:sp><p:spPr><a:gradFill/></p:spPr>` + text, ""},
		{"a fill of the style", `<p:sp><p:spPr/><p:style><a:fillRef idx="1"/></p:style>` + text, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(pptx("", "", "ppt/slides/slide1.xml", `<p:sld><p:cSld><p:bg><p:bgPr>`+white+`</p:bgPr></p:bg><p:spTree>`+shown+c.shape+`</p:spTree></p:cSld></p:sld>`), slideType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkHidden(t, p, c.kind)
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
		{"a footer once, without the number of the slide", footer("ftr", "Draft") + shape("", "", "one") + footer("ftr", "Draft") + footer("dt", "May") + footer("sldNum", "7"), "Draft\n\none\n\nMay"},
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

// What the layout of a slide and its master show on each slide stands on the first one, and
// what holds a place there nowhere.
func TestLayouts(t *testing.T) {
	const toLayout = `<Relationships><Relationship Id="l" Type="x/slideLayout" Target="../slideLayouts/l.xml"/></Relationships>`
	layout := func(name, more, text string) string {
		return `<p:` + name + more + `><p:cSld><p:spTree>` + shape("", "", text) + `<p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>Click here</a:t></a:r></a:p></p:txBody></p:sp>` +
			`<p:sp><p:txBody><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:` + name + `>`
	}
	for _, c := range []struct{ name, slide, layout, want string }{
		{"both", "", "", "one\n\nHarbour office\n\nFor the crew\n\none"},
		{"a slide without", ` showMasterSp="0"`, "", "one\n\none\n\nHarbour office\n\nFor the crew"},
		{"a layout without", "", ` showMasterSp="0"`, "one\n\nHarbour office\n\none"},
	} {
		t.Run(c.name, func(t *testing.T) {
			slide := func(more string) string {
				return `<p:sld` + more + `><p:cSld><p:spTree>` + shape("", "", "one") + `</p:spTree></p:cSld></p:sld>`
			}
			p, err := document.Read(zipOf("ppt/presentation.xml", `<p:presentation><p:sldId r:id="a"/><p:sldId r:id="b"/></p:presentation>`,
				"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="a" Target="slides/a.xml"/><Relationship Id="b" Target="slides/b.xml"/></Relationships>`,
				"ppt/slides/a.xml", slide(c.slide), "ppt/slides/_rels/a.xml.rels", toLayout, "ppt/slides/b.xml", slide(""), "ppt/slides/_rels/b.xml.rels", toLayout,
				"ppt/slideLayouts/l.xml", layout("sldLayout", c.layout, "Harbour office"), "ppt/slideLayouts/_rels/l.xml.rels", `<Relationships><Relationship Id="m" Type="x/slideMaster" Target="../slideMasters/m.xml"/></Relationships>`,
				"ppt/slideMasters/m.xml", layout("sldMaster", "", "For the crew"), "ppt/slideMasters/_rels/m.xml.rels", toLayout), slideType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(markdown.Render(p, markdown.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}
