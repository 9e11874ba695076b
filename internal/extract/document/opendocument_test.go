package document_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// odt makes a text of its styles and body, and of other parts.
func odt(styles, body string, parts ...string) []byte {
	return zipOf(append([]string{"content.xml", `<office:document-content><office:automatic-styles>` + styles + `</office:automatic-styles><office:body><office:text>` + body + `</office:text></office:body></office:document-content>`}, parts...)...)
}

const numbered = `<text:list-style style:name="L"><text:list-level-style-number text:level="1" style:num-format="1" style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="1" style:num-suffix="." text:display-levels="2"/></text:list-style>
	<text:list-style style:name="B"><text:list-level-style-bullet text:level="1" text:bullet-char="•"/></text:list-style>`

func TestOpenDocument(t *testing.T) {
	it := func(s string) string {
		return `<text:list-item><text:p>` + s + `</text:p></text:list-item>`
	}
	for _, c := range []struct {
		name string
		body []byte
		want string
	}{
		{"numbers and levels", odt(numbered, `<text:list text:style-name="L">`+it("a")+`<text:list-item><text:p>b</text:p><text:list>`+it("c")+it("d")+`</text:list></text:list-item></text:list>`), "1. a\n2. b\n   - 2.1. c\n   - 2.2. d"},
		{"bullets", odt(numbered, `<text:list text:style-name="B">`+it("a")+`</text:list>`), "- a"},
		{"a list goes on", odt(numbered, `<text:list xml:id="x" text:style-name="L">`+it("a")+`</text:list><text:p>between</text:p><text:list text:continue-list="x" text:style-name="L">`+it("b")+`</text:list>`), "1. a\n\nbetween\n\n2. b"},
		{"a list begins again", odt(numbered, `<text:list text:style-name="L">`+it("a")+`</text:list><text:list text:style-name="L">`+it("b")+`</text:list>`), "1. a\n\n1) b"},
		{"another start", odt(numbered, `<text:list text:style-name="L"><text:list-item text:start-value="5"><text:p>a</text:p><text:p>more</text:p></text:list-item>`+it("b")+`</text:list>`), "5. a\n\n   more\n6. b"},
		{"the style of the title", odt(`<style:style style:name="P1" style:family="paragraph" style:parent-style-name="Title"/>`, `<text:p text:style-name="P1">Whales</text:p>`, "styles.xml", `<office:styles><style:style style:name="Title" style:family="paragraph"/></office:styles>`), "# Whales"},
		{"numbered headings", odt("", `<text:h text:outline-level="1">a</text:h><text:h text:outline-level="2">b</text:h>`, "styles.xml", `<office:styles><text:outline-style><text:outline-level-style text:level="1" style:num-format="1"/><text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/></text:outline-style></office:styles>`), "# 1 a\n\n## 1.1 b"},
		{"numbers that the file repeats", odt(numbered, `<text:list text:style-name="L"><text:list-item><text:number>1.</text:number><text:p>a</text:p></text:list-item></text:list><text:h text:outline-level="1"><text:number>1</text:number>b</text:h>`), "1. a\n\n# b"},
		{"a heading in a numbered list", odt(numbered, `<text:list text:style-name="L">`+it("a")+`<text:list-item><text:h text:outline-level="2">b</text:h></text:list-item></text:list>`), "1. a\n\n## 2\\. b"},
		{"quotations and struck words", odt(`<style:style style:name="P" style:family="paragraph" style:parent-style-name="Quotations"/><style:style style:name="s" style:family="text"><style:text-properties style:text-line-through-style="solid"/></style:style>`,
			`<text:p text:style-name="P">a</text:p><text:p text:style-name="P">b</text:p><text:p><text:span text:style-name="s">c</text:span></text:p>`, "styles.xml", `<office:styles><style:style style:name="Quotations" style:family="paragraph"/></office:styles>`), "> a\n>\n> b\n\n~~c~~"},
		{"letters above and below the line", odt(`<style:style style:name="u" style:family="text"><style:text-properties style:text-position="super 58%"/></style:style><style:style style:name="d" style:family="text"><style:text-properties style:text-position="-33% 58%"/></style:style>`,
			`<text:p>21<text:span text:style-name="u">st</text:span> H<text:span text:style-name="d">2</text:span>O</text:p>`), "21<sup>st</sup> H<sub>2</sub>O"},
		{"pictures by their texts", odt(numbered, `<text:list text:style-name="L">`+it(`a<draw:frame><draw:image/><svg:title>x</svg:title><svg:desc>a whale</svg:desc></draw:frame>`)+it(`b<draw:frame><draw:image/></draw:frame>`)+it("c")+`</text:list><draw:frame><draw:image/><svg:title>its tail</svg:title></draw:frame>`),
			"1. a[image: a whale]\n2. b\n3. c\n\n[image: its tail]"},
		{"a note", odt("", `<text:p>a<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>foot</text:p></text:note-body></text:note></text:p>`), "a[^1]\n\n[^1]: foot"},
		{"a text box", odt("", `<text:p>before<draw:frame><draw:text-box><text:p>boxed</text:p></draw:text-box><svg:desc>alt</svg:desc></draw:frame></text:p><text:p>after</text:p>`), "before\n\nboxed\n\nafter"},
		{"a table of contents without its templates", odt("", `<text:table-of-content><text:table-of-content-source><text:index-title-template>T</text:index-title-template></text:table-of-content-source><text:index-body><text:p>Whales 3</text:p></text:index-body></text:table-of-content>`), "Whales 3"},
		{"a chart", odt("", `<text:p><draw:frame><draw:object xlink:href="./Object 1"/></draw:frame></text:p>`, "Object 1/content.xml", `<office:document-content><office:chart><chart:chart><chart:title><text:p>Sizes</text:p></chart:title><table:table><table:table-row><table:table-cell><text:p>Blue</text:p></table:table-cell><table:table-cell><text:p>30</text:p></table:table-cell></table:table-row></table:table></chart:chart></office:chart></office:document-content>`), "Sizes\n\n| Blue | 30 |\n| --- | --- |"},
		{"slides under their titles", odt("", `<draw:page draw:name="page1"><draw:frame><draw:text-box><text:p>one</text:p></draw:text-box></draw:frame><draw:frame presentation:class="title"><draw:text-box><text:p>Blue</text:p><text:p>whales</text:p></draw:text-box></draw:frame></draw:page><draw:page draw:name="page2"><draw:frame><draw:text-box><text:p>two</text:p></draw:text-box></draw:frame></draw:page>`), "## Blue whales\n\none\n\n## page2\n\ntwo"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, odtType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if got := strings.TrimSpace(markdown.Render(p, markdown.Options{})); got != c.want {
				t.Errorf("got  %q\nwant %q", got, c.want)
			}
		})
	}
}

func TestHiddenOpenDocument(t *testing.T) {
	const seen = `<text:p>SHOWN</text:p>`
	styled := func(props string) []byte {
		return odt(`<style:style style:name="T1" style:family="text"><style:text-properties `+props+`/></style:style>`, seen+`<text:p><text:span text:style-name="T1">HIDDEN</text:span></text:p>`)
	}
	ods := func(styles, table string) []byte {
		return zipOf("content.xml", `<office:document-content><office:automatic-styles>`+styles+`</office:automatic-styles><office:body><office:spreadsheet><table:table table:name="A"><table:table-row><table:table-cell><text:p>SHOWN</text:p></table:table-cell></table:table-row></table:table>`+table+`</office:spreadsheet></office:body></office:document-content>`)
	}
	const row = `<table:table-cell/><table:table-cell><text:p>HIDDEN</text:p></table:table-cell></table:table-row>`
	for _, c := range []struct {
		name, mediaType string
		body            []byte
		kind            page.OmissionKind
	}{
		{"display", odtType, styled(`text:display="none"`), page.HiddenDisplay},
		{"a hidden section", odtType, odt("", seen+`<text:section text:display="none"><text:p>HIDDEN</text:p></text:section>`), page.HiddenDisplay},
		{"a hidden paragraph", odtType, odt("", seen+`<text:p><text:hidden-paragraph text:is-hidden="true"/>HIDDEN</text:p>`), page.HiddenDisplay},
		{"a hidden text", odtType, odt("", seen+`<text:p><text:hidden-text text:is-hidden="true">HIDDEN</text:hidden-text></text:p>`), page.HiddenDisplay},
		{"a hidden row", odsType, ods("", `<table:table table:name="B"><table:table-row table:visibility="collapse">`+row+`</table:table>`), page.HiddenDisplay},
		{"a hidden column", odsType, ods("", `<table:table table:name="B"><table:table-column/><table:table-column table:visibility="collapse"/><table:table-row>`+row+`</table:table>`), page.HiddenDisplay},
		{"a hidden sheet", odsType, ods(`<style:style style:name="h" style:family="table"><style:table-properties table:display="false"/></style:style>`, `<table:table table:name="B" table:style-name="h"><table:table-row>`+row+`</table:table>`), page.HiddenDisplay},
		{"a filtered row", odsType, ods("", `<table:table table:name="B"><table:table-row table:visibility="filter">`+row+`</table:table>`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, c.mediaType, document.Options{})
			if err != nil {
				t.Fatal(err)
			}
			checkHidden(t, p, c.kind)
		})
	}
}
