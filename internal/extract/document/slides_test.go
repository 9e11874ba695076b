package document_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// Shows begin with any number up to 9999: another one is not what PowerPoint shows.
func TestSlideNumbers(t *testing.T) {
	number := `<p:sp><p:nvSpPr><p:nvPr><p:ph type="sldNum"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:fld type="slidenum"><a:t>7</a:t></a:fld></a:p></p:txBody></p:sp>`
	for first, want := range map[string]string{"": "1", "0": "0", "12": "12", "-5": "1", "9223372036854775807": "1"} {
		b := zipOf("ppt/presentation.xml", `<p:presentation firstSlideNum="`+first+`"><p:sldIdLst><p:sldId id="256" r:id="r1"/></p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/></Relationships>`,
			"ppt/slides/slide1.xml", `<p:sld><p:cSld><p:spTree>`+shown+number+`</p:spTree></p:cSld></p:sld>`)
		p, err := document.Read(b, "application/vnd.openxmlformats-officedocument.presentationml.presentation", document.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := markdown.Blocks(p.Blocks, markdown.Options{}); strings.TrimSpace(got) != "SHOWN\n\n"+want {
			t.Errorf("first %q: %q", first, got)
		}
	}
}

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

// TestBehindSlides: what is behind a text follows from the slide, its layout, its master, the
// theme, and the shapes before it. Where a picture or a shape may be there, the text has a mark.
func TestBehindSlides(t *testing.T) {
	const theme = `<a:theme><a:clrScheme><a:dk1><a:sysClr val="windowText" lastClr="000000"/></a:dk1><a:lt1><a:sysClr val="window" lastClr="FFFFFF"/></a:lt1><a:dk2><a:srgbClr val="112244"/></a:dk2><a:accent1><a:srgbClr val="4472C4"/></a:accent1></a:clrScheme></a:theme>`
	fill := func(colour string) string {
		return `<a:solidFill><a:srgbClr val="` + colour + `"/></a:solidFill>`
	}
	scheme := func(name string) string { return `<a:solidFill><a:schemeClr val="` + name + `"/></a:solidFill>` }
	box := func(x, y, w, h string) string {
		return `<a:xfrm><a:off x="` + x + `" y="` + y + `"/><a:ext cx="` + w + `" cy="` + h + `"/></a:xfrm>`
	}
	text := func(props string) string { return shape(box("10", "10", "500", "100"), props, "HIDDEN") }
	area := func(y, h, colour string) string {
		return `<p:sp><p:spPr>` + box("0", y, "1000", h) + `<a:prstGeom prst="rect"/>` + fill(colour) + `</p:spPr></p:sp>`
	}
	cell := func(style, props string) string {
		return `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tblPr>` + style + `</a:tblPr><a:tr><a:tc><a:txBody><a:p><a:r><a:rPr>` + fill("FFFFFF") + `</a:rPr><a:t>HIDDEN</a:t></a:r></a:p></a:txBody><a:tcPr>` + props + `</a:tcPr></a:tc><a:tc/></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>`
	}
	const picture = `<p:pic><p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="1000" cy="500"/></a:xfrm></p:spPr></p:pic>`
	holder := func(more string) string {
		return `<p:sp><p:nvSpPr><p:nvPr><p:ph type="body"/></p:nvPr></p:nvSpPr><p:spPr>` + more + `</p:spPr>`
	}
	const marked = "marked"
	for _, c := range []struct{ name, slide, master, tree, masterTree, want string }{
		{"white, nothing said", "", "", text(fill("FFFFFF")), "", "same_color"},
		{"black, nothing said", "", "", text(fill("000000")), "", ""},
		{"white on white of the theme", "", `<p:bgRef idx="1001"><a:schemeClr val="bg1"/></p:bgRef>`, text(scheme("bg1")), "", "same_color"},
		{"white on black of the theme", "", `<p:bgRef idx="1001"><a:schemeClr val="tx1"/></p:bgRef>`, text(scheme("bg1")), "", ""},
		{"a colour of the theme on itself", `<p:bgPr>` + scheme("tx2") + `</p:bgPr>`, "", text(scheme("tx2")), "", "same_color"},
		{"black on a black master", "", `<p:bgPr>` + fill("000000") + `</p:bgPr>`, text(fill("000000")), "", "same_color"},
		{"white on a black slide of a white master", `<p:bgPr>` + fill("000000") + `</p:bgPr>`, `<p:bgPr>` + fill("FFFFFF") + `</p:bgPr>`, text(fill("FFFFFF")), "", ""},
		{"white on a gradient", `<p:bgPr><a:gradFill/></p:bgPr>`, "", text(fill("FFFFFF")), "", ""},
		{"white on a dark shape", `<p:bgPr>` + fill("FFFFFF") + `</p:bgPr>`, "", area("0", "500", "000000") + text(fill("FFFFFF")), "", ""},
		{"black on a dark shape", "", "", area("0", "500", "000000") + text(fill("000000")), "", "same_color"},
		{"white beside a dark shape", "", "", area("300", "200", "000000") + text(fill("FFFFFF")), "", "same_color"},
		{"white partly on a dark shape", "", "", area("0", "50", "000000") + text(fill("FFFFFF")), "", marked},
		{"white on a picture", "", "", picture + text(fill("FFFFFF")), "", marked},
		{"black on a picture", "", "", picture + text(fill("000000")), "", ""},
		{"white on a dark shape of the master", "", "", text(fill("FFFFFF")), area("0", "500", "000000"), ""},
		{"below a picture", "", "", text("") + picture, "", marked},
		{"below a shape", "", "", text("") + area("0", "500", "FFFFFF"), "", marked},
		{"beside a shape", "", "", text("") + area("300", "200", "FFFFFF"), "", ""},
		{"white on a highlight", "", "", text(fill("FFFFFF") + `<a:highlight><a:srgbClr val="000000"/></a:highlight>`), "", ""},
		{"white by name", "", "", text(`<a:solidFill><a:prstClr val="white"/></a:solidFill>`), "", "same_color"},
		{"white by the list", "", "", `<p:sp><p:spPr/><p:txBody><a:lstStyle><a:lvl1pPr><a:defRPr>` + fill("FFFFFF") + `</a:defRPr></a:lvl1pPr></a:lstStyle><a:p><a:r><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, "", "same_color"},
		{"white in a shape of the theme", "", "", shape(scheme("accent1"), fill("FFFFFF"), "HIDDEN"), "", ""},
		{"white in a dark cell", "", "", cell("", fill("000000")), "", ""},
		{"white in a cell of a style", "", "", cell("<a:tableStyleId>{5C}</a:tableStyleId>", ""), "", ""},
		{"white where the master has a fill", "", "", holder("") + `<p:txBody><a:p><a:r><a:rPr>` + fill("FFFFFF") + `</a:rPr><a:t>HIDDEN</a:t></a:r></a:p></p:txBody></p:sp>`, holder(fill("000000")) + `</p:sp>`, marked},
	} {
		t.Run(c.name, func(t *testing.T) {
			bg := func(s string) string {
				if s == "" {
					return ""
				}
				return `<p:bg>` + s + `</p:bg>`
			}
			p, err := document.Read(pptx("", "",
				"ppt/slides/slide1.xml", `<p:sld><p:cSld>`+bg(c.slide)+`<p:spTree>`+shown+c.tree+`</p:spTree></p:cSld></p:sld>`,
				"ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="l" Type="x/slideLayout" Target="../slideLayouts/l.xml"/></Relationships>`,
				"ppt/slideLayouts/l.xml", `<p:sldLayout><p:cSld><p:spTree/></p:cSld></p:sldLayout>`,
				"ppt/slideLayouts/_rels/l.xml.rels", `<Relationships><Relationship Id="m" Type="x/slideMaster" Target="../slideMasters/m.xml"/></Relationships>`,
				"ppt/slideMasters/m.xml", `<p:sldMaster><p:cSld>`+bg(c.master)+`<p:spTree>`+c.masterTree+`</p:spTree></p:cSld><p:clrMap bg1="lt1" tx1="dk1" tx2="dk2" accent1="accent1"/></p:sldMaster>`,
				"ppt/slideMasters/_rels/m.xml.rels", `<Relationships><Relationship Id="t" Type="x/theme" Target="../theme/t.xml"/></Relationships>`,
				"ppt/theme/t.xml", theme), slideType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if c.want == marked {
				if s := markdown.PlainText(p); !strings.Contains(s, "(visibility unknown) HIDDEN") || !strings.Contains(s, "SHOWN") {
					t.Errorf("%q", s)
				}
				return
			}
			checkHidden(t, p, page.OmissionKind(c.want))
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
			"one\n\nDraft\\\nMay\\\n1"},
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
