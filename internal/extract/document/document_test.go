package document_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/document"
	"github.com/spyhop-dev/spyhop/internal/page"
)

// zipOf makes a zip file of names and contents.
func zipOf(parts ...string) []byte {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i := 0; i+1 < len(parts); i += 2 {
		f, err := w.Create(parts[i])
		if err == nil {
			_, err = f.Write([]byte(parts[i+1]))
		}
		if err != nil {
			panic(err)
		}
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// asText stands for the readers of HTML and Markdown.
func asText(body []byte, mediaType string) (*page.Page, error) {
	s := strings.TrimSpace(string(body))
	return &page.Page{Blocks: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Text, Text: mediaType + " " + s}}}}}, nil
}

// show prints blocks a line each.
func show(blocks []page.Block) string {
	var out []string
	for _, b := range blocks {
		switch b.Kind {
		case page.Heading:
			out = append(out, fmt.Sprintf("h%d %s", b.Level, inline(b.Inlines)))
		case page.Code:
			out = append(out, "code "+b.Lang+" "+strings.ReplaceAll(b.Text, "\n", "|"))
		case page.List, page.Item, page.Quote, page.Footnote:
			out = append(out, map[page.Kind]string{page.List: "list", page.Item: "-", page.Quote: ">", page.Footnote: "note"}[b.Kind]+"("+show(b.Children)+")")
		case page.TableBlock:
			for _, row := range b.Table.Rows {
				var cells []string
				for _, c := range row {
					cells = append(cells, show(c.Blocks))
				}
				out = append(out, "|"+strings.Join(cells, "|"))
			}
		default:
			out = append(out, inline(b.Inlines))
		}
	}
	return strings.Join(out, " / ")
}

func inline(in []page.Inline) string {
	s := ""
	for _, i := range in {
		switch i.Kind {
		case page.Strong:
			s += "*" + inline(i.Children) + "*"
		case page.Emphasis:
			s += "_" + inline(i.Children) + "_"
		case page.LinkInline:
			s += "[" + inline(i.Children) + "](" + i.URL + ")"
		case page.FootnoteRef:
			s += "^" + i.Text
		case page.Break:
			s += "~"
		default:
			s += i.Text
		}
	}
	return s
}

const (
	wordType  = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"
	sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
	slideType = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
	odtType   = "application/vnd.oasis.opendocument.text"
	odsType   = "application/vnd.oasis.opendocument.spreadsheet"
)

func wordBody() []byte {
	return zipOf(
		"word/document.xml", `<w:document xmlns:w="w" xmlns:r="r"><w:body>
			<w:p><w:pPr><w:pStyle w:val="H2"/></w:pPr><w:r><w:t>Whales</w:t></w:r></w:p>
			<w:p><w:r><w:t xml:space="preserve">They are </w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>large</w:t></w:r><w:r><w:t>.</w:t><w:footnoteReference w:id="2"/></w:r>
				<w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r></w:p>
			<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/></w:numPr></w:pPr><w:r><w:t>one</w:t></w:r></w:p>
			<w:p><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr><w:r><w:t>deeper</w:t></w:r></w:p>
			<w:p><w:hyperlink r:id="r1"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>
			<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Name</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Size</w:t></w:r></w:p></w:tc></w:tr>
			<w:tr><w:tc><w:tcPr><w:gridSpan w:val="2"/></w:tcPr><w:p><w:r><w:t>both</w:t></w:r></w:p></w:tc></w:tr></w:tbl>
		</w:body></w:document>`,
		"word/styles.xml", `<w:styles xmlns:w="w"><w:style w:styleId="H2"><w:name w:val="heading 2"/></w:style></w:styles>`,
		"word/_rels/document.xml.rels", `<Relationships><Relationship Id="r1" Target="https://example.com/a" TargetMode="External"/></Relationships>`,
		"word/footnotes.xml", `<w:footnotes xmlns:w="w"><w:footnote w:id="2"><w:p><w:r><w:t>Very.</w:t></w:r></w:p></w:footnote></w:footnotes>`,
		"docProps/core.xml", `<cp:coreProperties xmlns:dc="dc"><dc:title>On whales</dc:title><dc:creator>Ann</dc:creator></cp:coreProperties>`)
}

func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, mediaType string
		body            []byte
		kind            page.Type
		title, want     string
	}{
		{"docx", wordType, wordBody(), page.Document, "On whales",
			"h2 Whales / They are *large*.^1 / list(-(one / list(-(deeper)))) / [link](https://example.com/a) / |Name|Size / |both / note(Very.)"},
		{"xlsx", sheetType, zipOf(
			"xl/workbook.xml", `<workbook xmlns:r="r"><sheets><sheet name="Data" r:id="r1"/><sheet name="Secret" state="hidden" r:id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>`,
			"xl/sharedStrings.xml", `<sst><si><t>Name</t></si><si><r><t>Si</t></r><r><t>ze</t></r></si></sst>`,
			"xl/styles.xml", `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\-mm\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="164"/></cellXfs></styleSheet>`,
			"xl/worksheets/sheet1.xml", `<worksheet><sheetData><row><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row><row><c r="A2" s="1"><v>45352</v></c><c r="B2" t="b"><v>1</v></c><c r="C2" t="inlineStr"><is><t>in</t></is></c></row></sheetData></worksheet>`),
			page.Document, "", "h2 Data / |Name||Size / |2024-03-01|TRUE|in"},
		{"pptx", slideType, zipOf(
			"ppt/presentation.xml", `<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="r2"/><p:sldId id="257" r:id="r1"/></p:sldIdLst></p:presentation>`,
			"ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="r1" Target="slides/slide1.xml"/><Relationship Id="r2" Target="slides/slide2.xml"/></Relationships>`,
			"ppt/slides/slide1.xml", `<p:sld><p:cSld><p:spTree><p:sp><p:nvPr><p:ph type="title"/></p:nvPr><p:txBody><a:p><a:r><a:t>Second</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
			"ppt/slides/slide2.xml", `<p:sld><p:cSld><p:spTree><p:sp><p:txBody><a:p><a:r><a:t>a</a:t></a:r></a:p><a:p><a:r><a:t>b</a:t></a:r></a:p></p:txBody></p:sp><p:sp><p:nvPr><p:ph type="title"/></p:nvPr><p:txBody><a:p><a:r><a:t>First</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`,
			"ppt/slides/_rels/slide1.xml.rels", `<Relationships><Relationship Id="r1" Type="x/notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>`,
			"ppt/notesSlides/notesSlide1.xml", `<p:notes><p:sp><p:nvPr><p:ph type="body"/></p:nvPr><p:txBody><a:p><a:r><a:t>Say this</a:t></a:r></a:p><a:p><a:r><a:t>and that</a:t></a:r></a:p></p:txBody></p:sp></p:notes>`),
			page.Document, "", "h2 First / list(-(a) / -(b)) / h2 Second / >(Say this / and that)"},
		{"odt", odtType, zipOf("mimetype", odtType,
			"content.xml", `<office:document-content><office:body><office:text><text:h text:outline-level="2">Whales</text:h><text:p>They <text:span>are</text:span><text:s/>large</text:p><text:list><text:list-item><text:p>one</text:p></text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>a</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>b</text:p></table:table-cell><table:table-cell table:number-columns-repeated="16000"/></table:table-row></table:table></office:text></office:body></office:document-content>`,
			"meta.xml", `<office:document-meta><office:meta><dc:title>T</dc:title></office:meta></office:document-meta>`),
			page.Document, "T", "h2 Whales / They are large / list(-(one)) / |a|b|b"},
		{"epub", "application/epub+zip", zipOf("META-INF/container.xml", `<container><rootfiles><rootfile full-path="OPS/p.opf"/></rootfiles></container>`,
			"OPS/p.opf", `<package><metadata><dc:title>Book</dc:title></metadata><manifest><item id="a" href="a%20b.xhtml" media-type="application/xhtml+xml"/><item id="c" href="c.xhtml" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="c"/><itemref idref="a"/></spine></package>`,
			"OPS/a b.xhtml", "<p>last", "OPS/c.xhtml", "<p>first"),
			page.Document, "Book", "text/html <!doctype html><p>first / text/html <!doctype html><p>last"},
		{"epub that names a chapter often", "application/epub+zip", zipOf("META-INF/container.xml", `<container><rootfiles><rootfile full-path="p.opf"/></rootfiles></container>`,
			"p.opf", `<package><manifest><item id="a" href="a.xhtml" media-type="application/xhtml+xml"/></manifest><spine>`+strings.Repeat(`<itemref idref="a"/>`, 50)+`</spine></package>`,
			"a.xhtml", "<p>once"),
			page.Document, "", "text/html <!doctype html><p>once"},
		{"ipynb", "application/x-ipynb+json", []byte(`{"nbformat":4,"metadata":{"language_info":{"name":"python"}},"cells":[{"cell_type":"markdown","source":["# A","\n","b"]},{"cell_type":"code","source":"print(1)","outputs":[{"output_type":"stream","text":["1\n"]},{"output_type":"error","ename":"E","evalue":"bad"}]}]}`),
			page.Document, "", "text/markdown # A\nb / code python print(1) / code  1 / code  E: bad"},
		{"eml", "message/rfc822", []byte("Subject: =?iso-8859-1?q?Gr=FC=DFe?=\r\nFrom: Ann <ann@example.com>\r\nDate: Fri, 01 Mar 2024 10:00:00 +0100\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n" +
			"--x\r\nContent-Type: multipart/alternative; boundary=y\r\n\r\n--y\r\nContent-Type: text/plain; charset=iso-8859-1\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\nf=FCr\r\nyou\r\n\r\n--y\r\nContent-Type: text/html\r\n\r\n<p>html\r\n--y--\r\n" +
			"--x\r\nContent-Type: application/pdf; name=a.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA\r\n--x--\r\n"),
			page.Document, "Grüße", "h1 Grüße / From: Ann <ann@example.com>~Date: Fri, 01 Mar 2024 10:00:00 +0100 / text/html <p>html / Attachments: / list(-(a.pdf (application/pdf, 3 bytes)))"},
		{"rss", "application/rss+xml", []byte(`<rss><channel><title>News</title><description>All of it</description><item><title>One &amp; two</title><link>/1</link><pubDate>Fri, 01 Mar 2024 10:00:00 GMT</pubDate><description>&lt;p&gt;body</description></item></channel></rss>`),
			page.Feed, "News", "h1 News / All of it / h2 [One & two](https://example.com/1) / 2024-03-01T10:00:00Z / text/html <p>body"},
		{"atom", "application/atom+xml", []byte(`<feed xmlns="http://www.w3.org/2005/Atom"><title>News</title><entry><title type="html">A &lt;b&gt;b&lt;/b&gt;</title><link rel="self" href="/x"/><link href="https://example.org/2"/><author><name>Ann</name></author><updated>2024-03-01T10:00:00Z</updated><summary>plain words</summary></entry></feed>`),
			page.Feed, "News", "h1 News / h2 [A b](https://example.org/2) / 2024-03-01T10:00:00Z · Ann / plain words"},
		{"atom with other content", "application/atom+xml", []byte(`<feed><title>News</title><entry><title>One</title><content type="image/png">AAAA</content><summary>words</summary></entry><entry><title>Two</title><content type="xhtml"><div><p>a &amp; b</p></div></content></entry><entry><title>Three</title><content type="text">a &lt; b</content></entry></feed>`),
			page.Feed, "News", "h1 News / h2 One / words / h2 Two / text/html <div><p>a &amp; b</p></div> / h2 Three / a < b"},
		{"json feed", "application/feed+json", []byte(`{"title":"News","items":[{"url":"https://example.org/3","title":"Three","content_text":"words"}]}`),
			page.Feed, "News", "h1 News / h2 [Three](https://example.org/3) / words"},
		{"csv", "text/csv", []byte("\ufeffa,b\n\"x, y\",2\n"), page.Data, "", "|a|b / |x, y|2"},
		{"csv by semicolons", "text/csv", []byte("a;b;c\n1,5;2;3\n"), page.Data, "", "|a|b|c / |1,5|2|3"},
		{"tsv", "text/tab-separated-values", []byte("a\tb\n1\t2\n"), page.Data, "", "|a|b / |1|2"},
		{"zip", "application/zip", zipOf("a.txt", "hello"), page.Other, "", "Zip file with 1 entry, 5 bytes unpacked. / |Name|Bytes|Modified / |a.txt|5|"},
		{"png", "image/png", picture(), page.Image, "", "Type: png / Size: 3 × 2 pixels / Bytes: "},
		{"jpeg with EXIF", "image/jpeg", exifPicture(), page.Image, "A whale", "Type: jpeg / Bytes: 70 / Title: A whale / Orientation: 6"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, c.mediaType, document.Options{URL: "https://example.com/feed", Read: asText})
			if err != nil {
				t.Fatal(err)
			}
			if got := show(p.Blocks); got != c.want && !(c.name == "png" && strings.HasPrefix(got, c.want)) {
				t.Errorf("got  %s\nwant %s", got, c.want)
			}
			if p.Type != c.kind || p.Meta.Title != c.title {
				t.Errorf("type %s, title %q, want %s, %q", p.Type, p.Meta.Title, c.kind, c.title)
			}
		})
	}
}

func picture() []byte {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// exifPicture is the beginning of a JPEG with a title and an orientation.
func exifPicture() []byte {
	b := []byte("\xff\xd8\xff\xe1\x00\x00Exif\x00\x00II*\x00\x08\x00\x00\x00\x02\x00")
	le := binary.LittleEndian
	b = le.AppendUint16(b, 0x010e)
	b = le.AppendUint16(b, 2)
	b = le.AppendUint32(b, 8)
	b = le.AppendUint32(b, 38)
	b = le.AppendUint16(b, 0x0112)
	b = le.AppendUint16(b, 3)
	b = le.AppendUint32(b, 1)
	b = le.AppendUint32(b, 6)
	b = append(b, 0, 0, 0, 0)
	b = append(b, "A whale\x00"...)
	return append(b, make([]byte, 70-len(b))...)
}

func TestBounds(t *testing.T) {
	deep := strings.Repeat("<a>", 100_000)
	row := "<row>" + strings.Repeat(`<c t="s"><v>0</v></c>`, 100) + "</row>"
	for _, c := range []struct {
		name, mediaType string
		body            []byte
		want            document.Code // 0: a page
	}{
		{"no zip", wordType, []byte("PK\x03\x04 hello"), document.Malformed},
		{"a zip without the part", wordType, zipOf("a", "b"), document.Malformed},
		{"a cut zip", wordType, wordBody()[:200], document.Malformed},
		{"a part that unpacks to too much", wordType, zipOf("word/document.xml", strings.Repeat(" ", 49<<20)), document.TooLarge},
		{"deep XML", odtType, zipOf("content.xml", "<body>"+deep+"<p>words</p>"), document.NoContent},
		{"entities of its own", "application/rss+xml", []byte(`<!DOCTYPE r [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><rss><channel><title>&b;</title></channel></rss>`), 0},
		{"one long text in many cells", sheetType, zipOf(
			"xl/workbook.xml", `<workbook><sheets><sheet name="D" id="r1"/></sheets></workbook>`,
			"xl/_rels/workbook.xml.rels", `<Relationships><Relationship Id="r1" Target="s.xml"/></Relationships>`,
			"xl/sharedStrings.xml", "<sst><si><t>"+strings.Repeat("x", 1<<20)+"</t></si></sst>",
			"xl/s.xml", "<worksheet><sheetData>"+strings.Repeat(row, 50)+"</sheetData></worksheet>"), 0},
		{"an empty table", "text/csv", nil, document.NoContent},
		{"a mail without headers", "message/rfc822", []byte("no header"), 0},
		{"a mail without anything", "message/rfc822", []byte("\r\n\r\n"), document.NoContent},
		{"a notebook that is a list", "application/x-ipynb+json", []byte("[]"), document.Malformed},
		{"an empty notebook", "application/x-ipynb+json", []byte("{}"), document.NoContent},
		{"a book sheet without end", "application/epub+zip", zipOf("META-INF/container.xml", `<container><rootfile full-path="p.opf"/></container>`,
			"p.opf", `<package><manifest><item id="a" href="a" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`, "a", "<style><script><!--<a b='"), 0},
		{"relations in a circle", wordType, zipOf("_rels/.rels", `<Relationships><Relationship Type="x/officeDocument" Target="_rels/.rels"/></Relationships>`, "word/document.xml", `<w:document><w:body><w:p><w:r><w:t>a</w:t></w:r></w:p></w:body></w:document>`), document.NoContent},
		{"charts without end", slideType, zipOf("ppt/presentation.xml", `<p:presentation><p:sldId r:id="s"/></p:presentation>`, "ppt/_rels/presentation.xml.rels", `<Relationships><Relationship Id="s" Target="s.xml"/></Relationships>`,
			"ppt/s.xml", `<p:sld><p:spTree>`+strings.Repeat(`<p:graphicFrame><a:graphic><a:graphicData><c:chart r:id="c"/></a:graphicData></a:graphic></p:graphicFrame>`, 50)+`</p:spTree></p:sld>`,
			"ppt/_rels/s.xml.rels", `<Relationships><Relationship Id="c" Target="c.xml"/></Relationships>`, "ppt/c.xml", `<c:chart><c:ser><c:val><c:pt idx="0"><c:v>1</c:v></c:pt></c:val>`+strings.Repeat(" ", 4<<20)+`</c:ser></c:chart>`), 0},
		{"a bomb behind a relation", wordType, zipOf("word/document.xml", `<w:document><w:body><w:p><w:r><w:t>a</w:t></w:r></w:p></w:body></w:document>`, "word/styles.xml", strings.Repeat(" ", 49<<20)), 0},
		{"a part of which the end is left out", wordType, zipOf("word/document.xml", `<w:document><w:body><w:p><w:r><w:t>a</w:t></w:r></w:p>`+strings.Repeat("<w:p><w:r><w:t>"+strings.Repeat("x", 4096)+"</w:t></w:r></w:p>", 3200)+`</w:body></w:document>`), 0},
		{"elements that are left out", wordType, zipOf("word/document.xml", `<w:document><w:body><w:p><w:r><w:t>a</w:t></w:r></w:p>`+strings.Repeat("<w:b/>", 400_000)+`</w:body></w:document>`), 0},
		{"a feed of which the end is left out", "application/rss+xml", []byte("<rss><channel><item><title>a</title></item>" + strings.Repeat("<b/>", 400_000) + "</channel></rss>"), 0},
		{"a chapter of which the end is left out", "application/epub+zip", zipOf("META-INF/container.xml", `<container><rootfile full-path="p.opf"/></container>`,
			"p.opf", `<package><manifest><item id="a" href="a" media-type="application/xhtml+xml"/></manifest><spine><itemref idref="a"/></spine></package>`, "a", "<p>"+strings.Repeat("é", 7<<20)), 0},
		{"XML that is no feed", "application/rss+xml", []byte("<a/>"), document.Malformed},
		{"another type", "video/mp4", nil, document.Unsupported},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := document.Read(c.body, c.mediaType, document.Options{Read: asText})
			var e *document.Error
			switch {
			case c.want == 0 && err != nil:
				t.Errorf("failed: %v", err)
			case c.want == 0 && (c.name == "one long text in many cells" || c.name == "a bomb behind a relation" || strings.HasSuffix(c.name, "left out")) && p.Verdict != page.Partial:
				t.Errorf("verdict %s, want partial", p.Verdict)
			case c.want == 0 && strings.Contains(show(p.Blocks), "aaaa"):
				t.Error("an entity was expanded")
			case c.want != 0 && (!errors.As(err, &e) || e.Code != c.want):
				t.Errorf("got %v, want code %d", err, c.want)
			}
		})
	}
}

func TestOutlineJSON(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"small", `{"a":[1,"x",null,true]}`, "{\n  \"a\": [\n    1,\n"},
		{"a long array", `[1,2,3,4,5]`, "… 5 in all"},
		{"a long text", `["` + strings.Repeat("y", 500) + `"]`, "… (500 bytes)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := document.OutlineJSON([]byte(c.in))
			if err != nil || !strings.Contains(strings.ReplaceAll(got, ",\n", "\n"), strings.ReplaceAll(c.want, ",\n", "\n")) {
				t.Errorf("got %s (%v), want %q in it", got, err, c.want)
			}
		})
	}
	if _, err := document.OutlineJSON([]byte(`{"a":`)); err == nil {
		t.Error("broken JSON passes")
	}
	if _, err := document.OutlineJSON([]byte(strings.Repeat("[", 1<<20))); err == nil {
		t.Error("endless nesting passes")
	}
}

func FuzzRead(f *testing.F) {
	types := []string{wordType, sheetType, slideType, odtType, odsType, "application/epub+zip", "application/x-ipynb+json", "message/rfc822",
		"application/rss+xml", "application/feed+json", "text/csv", "application/zip", "image/webp"}
	f.Add(0, wordBody())
	f.Add(6, []byte(`{"cells":[{"cell_type":"code","source":"x"}]}`))
	f.Add(7, []byte("Subject: a\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nbody\r\n--x--"))
	f.Add(8, []byte("<rss><channel><item><title>a</title></item></channel></rss>"))
	f.Add(10, []byte("a;b\n1;2"))
	f.Add(12, exifPicture())
	f.Fuzz(func(t *testing.T, kind int, body []byte) {
		p, err := document.Read(body, types[(kind%len(types)+len(types))%len(types)], document.Options{Read: asText})
		var e *document.Error
		if err != nil && !errors.As(err, &e) {
			t.Fatalf("untyped error %v", err)
		}
		if err == nil && len(p.Blocks) == 0 {
			t.Fatal("no blocks and no error")
		}
	})
}

// FuzzXML reaches the readers of XML without a valid zip file around it.
func FuzzXML(f *testing.F) {
	f.Add("<w:body><w:p><w:r><w:t>a</w:t></w:r></w:p></w:body>")
	f.Fuzz(func(t *testing.T, s string) {
		for _, c := range [][2]string{{wordType, "word/document.xml"}, {odtType, "content.xml"}, {sheetType, "xl/workbook.xml"}, {slideType, "ppt/presentation.xml"}} {
			if _, err := document.Read(zipOf(c[1], s), c[0], document.Options{}); err != nil {
				var e *document.Error
				if !errors.As(err, &e) {
					t.Fatal(err)
				}
			}
		}
	})
}

func FuzzOutlineJSON(f *testing.F) {
	f.Add([]byte(`{"a":[1,{"b":"c"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) { _, _ = document.OutlineJSON(b) })
}
