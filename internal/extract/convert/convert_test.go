package convert

import (
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"
)

// testResolve resolves against https://example.com/dir/page.
func testResolve(ref string) (string, bool) {
	base, _ := url.Parse("https://example.com/dir/page")
	u, err := base.Parse(ref)
	if err != nil {
		return "", false
	}
	switch u.Scheme {
	case "http", "https", "mailto", "tel":
		return u.String(), true
	}
	return "", false
}

// TestConvert reads the txtar files: name.html is a fragment of a page,
// name.md its Markdown. With -update the test writes the Markdown again.
func TestConvert(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			ar, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var out []txtar.File
			for i, f := range ar.Files {
				name, ok := strings.CutSuffix(f.Name, ".html")
				if !ok {
					continue
				}
				blocks := Blocks(parseBody(t, string(f.Data)), nil, Options{Resolve: testResolve})
				got := markdown.Blocks(blocks, markdown.Options{Images: true}) + "\n"
				out = append(out, f, txtar.File{Name: name + ".md", Data: []byte(got)})
				if *update {
					continue
				}
				if i+1 >= len(ar.Files) || ar.Files[i+1].Name != name+".md" {
					t.Errorf("%s has no want", name)
				} else if want := string(ar.Files[i+1].Data); want != got {
					t.Errorf("%s:\n--- html\n%s--- want\n%s--- got\n%s", name, f.Data, want, got)
				}
			}
			if *update {
				ar.Files = out
				if err := os.WriteFile(file, txtar.Format(ar), 0o644); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// A choice names subtrees and, in elements that are taken in part, texts.
func TestConvertChoice(t *testing.T) {
	body := parseBody(t, `<div id=d>menu <p>one <b>two</b></p><ul><li>three<li>four</ul></div><p>five<br>six</p>`)
	chosen := map[*html.Node]dom.Choice{}
	for n := range body.Descendants() {
		switch {
		case n.Type == html.TextNode && (n.Data == "two" || n.Data == "four" || n.Data == "five" || n.Data == "six"):
			chosen[n] = dom.KeepAll
			for a := n.Parent; a != body; a = a.Parent {
				chosen[a] = dom.Descend
			}
		}
	}
	got := markdown.Blocks(Blocks(body, func(n *html.Node) dom.Choice { return chosen[n] }, Options{}), markdown.Options{})
	if want := "**two**\n\n- four\n\nfive\\\nsix"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

// Nothing that carries code or data is linked, however it is spelled.
func TestCodeAddresses(t *testing.T) {
	for _, ref := range []string{"javascript:alert(1)", " JavaScript:x", "java\nscript:x", "\x01javascript:x", "data:text/html,x", "vbscript:x", "blob:https://x/", "file:///etc/passwd", "java\tscript\n:x"} {
		if !isCodeOrData(ref) {
			t.Errorf("%q is taken for an address", ref)
		}
	}
	for _, ref := range []string{"", "/x", "https://x", "a/javascript:b", "?data:x", "#javascript:", "mailto:a@b", "page:1"} {
		if isCodeOrData(ref) {
			t.Errorf("%q is not taken for an address", ref)
		}
	}
}

// Invisible characters go; those that shape words and emoji stay.
func TestInvisibleCharacters(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"soft hyphen", "co\u00adop", "coop"},
		{"zero width space", "a\u200bb", "ab"},
		{"bidi override", "a\u202eb\u202c", "ab"},
		{"tags", "a\U000e0061\U000e0062", "a"},
		{"flag of Scotland", "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f", "\U0001f3f4\U000e0067\U000e0062\U000e0073\U000e0063\U000e0074\U000e007f"},
		{"zwnj in Persian", "می\u200cخواهم", "می\u200cخواهم"},
		{"zwj in Sinhala", "ක්\u200dෂ", "ක්\u200dෂ"},
		{"zwj in Latin", "a\u200db", "ab"},
		{"zwj in emoji", "👩\u200d💻", "👩\u200d💻"},
		{"presentation", "❤\ufe0f a\ufe0f", "❤\ufe0f a"},
		{"keycap", "1\ufe0f\u20e3", "1\ufe0f\u20e3"},
		{"controls", "a\x01\u0086b\x7f", "ab"},
		{"spaces", "a\u00a0\u2003 b\u3000c\u0085d", "a b c d"},
		{"accents", "e\u0301", "e\u0301"},
		{"zalgo", "a" + strings.Repeat("\u0301", 500), "a" + strings.Repeat("\u0301", 12)},
		{"hangul filler", "a\u3164b", "ab"},
		{"byte order mark", "\ufeffa", "a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := &page.Page{}
			o := converter{o: Options{Omissions: p}}
			o.frames = append(o.frames, frame{})
			o.text(c.in)
			if got := string(o.buf); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
			if c.in != c.want && c.name != "spaces" && p.Omitted(page.HiddenCharacters) == 0 {
				t.Error("not counted")
			}
		})
	}
}

// Nesting beyond the limits is flattened; no text is lost.
func TestConvertDepth(t *testing.T) {
	for _, tag := range []string{"div", "ul><li", "blockquote", "b", "em", "table><tr><td>x<td", "dl><dd", "details", "span", "a href=x", "sup"} {
		s := strings.Repeat("<"+tag+">", 100) + "deepest"
		blocks := Blocks(parseBody(t, s), nil, Options{})
		if d := depthOf(blocks); d > page.MaxDepth {
			t.Errorf("%s: %d levels", tag, d)
		}
		md := markdown.Blocks(blocks, markdown.Options{})
		if !strings.Contains(md, "deepest") {
			t.Errorf("%s: the text is lost", tag)
		}
		if len(md) > 60*len(s) {
			t.Errorf("%s: %d bytes from %d", tag, len(md), len(s))
		}
	}
}

func depthOf(blocks []page.Block) int {
	d := 0
	for i := range blocks {
		n := depthOf(blocks[i].Children)
		if t := blocks[i].Table; t != nil {
			for _, r := range t.Rows {
				for _, c := range r {
					n = max(n, depthOf(c.Blocks))
				}
			}
		}
		d = max(d, n+1)
	}
	return d
}

// What a heading's anchor is.
func TestHeadingID(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`<h2 id=a>x</h2>`, "a"},
		{`<h2><a name=b></a>x</h2>`, "b"},
		{`<h2>x<a class=anchor href="#c">#</a></h2>`, "c"},
		{`<section id=d><h2>x</h2></section>`, "d"},
		{`<section id=d><p>y</p><h2>x</h2></section>`, ""},
	} {
		for _, b := range Blocks(parseBody(t, c.in), nil, Options{}) {
			if b.Kind == page.Heading && b.ID != c.want {
				t.Errorf("%s: %q, want %q", c.in, b.ID, c.want)
			}
		}
	}
}

// The model of a table keeps spans, clamped.
func TestTableModel(t *testing.T) {
	b := Blocks(parseBody(t, `<table><tr><th colspan=99999999 rowspan=0>a<th>b<tr><td>c<td rowspan=3>d</table>`), nil, Options{})
	var got [][2]int
	for _, r := range b[0].Table.Rows {
		for _, c := range r {
			got = append(got, [2]int{c.ColSpan, c.RowSpan})
		}
	}
	if want := [][2]int{{1000, 65534}, {1, 1}, {1, 1}, {1, 3}}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if b[0].Table.HeaderRows != 1 {
		t.Errorf("%d header rows", b[0].Table.HeaderRows)
	}
}

// Pictures and links that say nothing are left out of main content, and stay in a
// conversion of the whole body.
func TestQuiet(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"placeholder", `<p><img src="/i/blank.png" alt="A quay"><img src="/i/spacer.gif"> Text</p>`, "[image: A quay] Text"},
		{"a picture that is called like one", `<p><img src="/i/blank-canvas-shoes.jpg"></p>`, "![](/i/blank-canvas-shoes.jpg)"},
		{"placeholder with candidates", `<p><img src="/placeholder.svg" srcset="/a-300.jpg 300w, /a-600.jpg 600w"></p>`, "![](/a-600.jpg)"},
		{"icon", `<p><img src="/a.png" width="16" height="16"> Call <img class="icon-phone" src="/b.png" alt="phone"> us</p>`, "Call [image: phone] us"},
		{"a picture of unknown size", `<p><img src="/a.png" width="100%"></p>`, "![](/a.png)"},
		{"twice", `<p><img src="/a.jpg" alt="Boat"></p><p><img src="/a.jpg?w=300" alt="Boat"></p><p>Text</p>`, "![Boat](/a.jpg)\n\nText"},
		{"again behind text", `<p><img src="/note.png" alt="Note"> Text</p><p><img src="/note.png" alt="Note"> More</p>`, "![Note](/note.png) Text\n\n![Note](/note.png) More"},
		{"twice with another text", `<p><img src="/a.jpg" alt="Boat"></p><p><img src="/a.jpg" alt="The same boat"></p>`, "![Boat](/a.jpg)\n\n![The same boat](/a.jpg)"},
		{"front and back", `<p><img src="/f.jpg" alt="Watch"> <img src="/g.jpg" alt="Watch"></p><p>Text</p><p><img src="/h.jpg" alt="Watch"></p>`, "![Watch](/f.jpg)\n\nText\n\n![Watch](/h.jpg)"},
		{"unnamed in a link", `<p><a href="/p/1"><img src="/1.jpg"></a> <a href="/p/1">Rope</a></p>`, "[Rope](/p/1)"},
		{"a link to the picture", `<p><a href="/1-large.jpg"><img src="/1.jpg"></a></p>`, "![](/1.jpg)"},
		{"empty link", `<p>a <a href="/x"><b> </b><img src="/spacer.gif"></a> b</p>`, "a b"},
		{"in a table", `<table><tr><th>a<th>b<tr><td><img src="/yes.png" width=16 height=16 alt="yes"><td><a href="/q"><img src="/q.png"></a></table>`, "| a | b |\n| --- | --- |\n| [image: yes] | [![](/q.png)](/q) |"},
		{"nothing else", `<p><a href="/p/1"><img src="/1.jpg"></a></p>`, "[![](/1.jpg)](/p/1)"},
	} {
		doc, err := html.Parse(strings.NewReader(c.in))
		if err != nil {
			t.Fatal(err)
		}
		p := &page.Page{Blocks: Blocks(dom.Body(doc), nil, Options{})}
		if got := markdown.Render(p, markdown.Options{Images: true}); strings.TrimSpace(got) != c.want {
			t.Errorf("%s\n got %q\nwant %q", c.name, got, c.want)
		}
		p.Blocks = Blocks(dom.Body(doc), nil, Options{Empty: true})
		if got := markdown.Render(p, markdown.Options{Images: true}); strings.Count(got, "](/") != strings.Count(c.in, "<img")+strings.Count(c.in, "<a") {
			t.Errorf("%s: the whole body lost a picture or a link: %q", c.name, got)
		}
	}
}
