package markdown_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/markdown"
	"github.com/spyhop-dev/spyhop/internal/page"
)

func text(s string) []page.Inline { return []page.Inline{{Kind: page.Text, Text: s}} }

func para(s string) page.Block { return page.Block{Kind: page.Paragraph, Inlines: text(s)} }

func head(level int, s string) page.Block {
	return page.Block{Kind: page.Heading, Level: level, Inlines: text(s), ID: strings.ToLower(s) + "-anchor"}
}

func list(blocks ...page.Block) page.Block {
	l := page.Block{Kind: page.List}
	for _, b := range blocks {
		l.Children = append(l.Children, page.Block{Kind: page.Item, Children: []page.Block{b}})
	}
	return l
}

// What HTML cannot show: blocks made by other sources, and odd ones.
func TestBlocks(t *testing.T) {
	deep := para("deepest")
	for range 40 {
		deep = list(deep)
	}
	for _, c := range []struct {
		name   string
		blocks []page.Block
		want   string
	}{
		{"nothing", nil, ""},
		{"empty blocks", []page.Block{{}, para("a"), {Kind: page.TableBlock}, {Kind: page.List}, {Kind: page.Group}, para("b")}, "a\n\nb"},
		{"written empty", []page.Block{para("a"), {Kind: page.Heading, Level: 2}, {Kind: page.Quote}, {Kind: page.List, Children: []page.Block{{Kind: page.Item}}}, {Kind: page.Code}}, "a\n\n##\n\n>\n\n-\n\n```\n```"},
		{"heading levels", []page.Block{head(0, "a"), head(9, "b")}, "# a\n\n###### b"},
		{"newline in text", []page.Block{para("a\n# b")}, "a # b"},
		{"groups", []page.Block{{Kind: page.Group, Children: []page.Block{para("a")}}, {Kind: page.Group, Children: []page.Block{para("b")}}, {Kind: page.Group, Label: "L", Children: []page.Block{para("c")}}}, "a\n\n---\n\nb\n\n**L**\n\nc"},
		{"collapsed", []page.Block{{Kind: page.Heading, Level: 2, Inlines: text("a"), Mark: page.Collapsed}, {Kind: page.Group, Mark: page.Collapsed, Children: []page.Block{para("b")}}}, "## a (collapsed)\n\n(collapsed)\n\nb"},
		{"language", []page.Block{{Kind: page.Code, Text: "a", Lang: "x `y"}}, "```xy\na\n```"},
		{"empty code", []page.Block{{Kind: page.Code}}, "```\n```"},
		{"blank lines at the end of code", []page.Block{{Kind: page.Code, Text: "a\n\n"}}, "```\na\n\n\n```"},
		{"number", []page.Block{{Kind: page.List, Ordered: true, Start: -3, Children: []page.Block{{Kind: page.Item, Children: []page.Block{para("a")}}}}}, "0. a"},
		{"tasks", []page.Block{{Kind: page.List, Children: []page.Block{{Kind: page.Item, Check: page.Checked, Children: []page.Block{para("a")}}, {Kind: page.Item, Check: page.Unchecked, Children: []page.Block{para("[x] b")}}}}}, "- [x] a\n- [ ] \\[x] b"},
		{"math", []page.Block{{Kind: page.Math, Text: "a\n\n  b"}}, "$$\na\nb\n$$"},
		{"link in address", []page.Block{{Inlines: []page.Inline{{Kind: page.LinkInline, URL: "https://x/a b)<c>", Children: text("t]")}}}}, "[t\\]](https://x/a%20b\\)%3Cc%3E)"},
		{"invisible in address", []page.Block{{Inlines: []page.Inline{{Kind: page.LinkInline, URL: "https://x/a%F3%A0%81%89%F3%A0%81%A7\U000E006E/b%C3%A9", Children: text("t")}}}}, "[t](https://x/a%EF%BF%BD/b%C3%A9)"},
		{"image without text", []page.Block{{Inlines: []page.Inline{{Kind: page.ImageInline, URL: "https://x/"}}}}, ""},
		{"spaces at marks", []page.Block{{Inlines: []page.Inline{{Kind: page.Text, Text: "a"}, {Kind: page.Strong, Children: text(" b ")}, {Kind: page.Text, Text: "c"}}}}, "a **b** c"},
		{"indentation", []page.Block{deep}, strings.Repeat("- ", 40) + "deepest"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := markdown.Blocks(c.blocks, markdown.Options{}); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// Deep nesting costs no more than the nodes: prefixes stop growing.
func TestIndentationIsBounded(t *testing.T) {
	b := para("x")
	for i := range 60 {
		if i%2 == 0 {
			b = list(para("y"), b)
		} else {
			b = page.Block{Kind: page.Quote, Children: []page.Block{para("z"), b}}
		}
	}
	for line := range strings.SplitSeq(markdown.Blocks([]page.Block{b}, markdown.Options{}), "\n") {
		if len(line) > 60 {
			t.Fatalf("a line of %d bytes", len(line))
		}
	}
}

// Spans and sparse rows do not multiply the output.
func TestTableIsBounded(t *testing.T) {
	tb := &page.Table{}
	for range 300 {
		var row []page.Cell
		for range 300 {
			row = append(row, page.Cell{Blocks: []page.Block{para("x")}, ColSpan: 1000, RowSpan: 65534})
		}
		tb.Rows = append(tb.Rows, row)
	}
	wide := make([]page.Cell, 20000)
	for i := range wide {
		wide[i] = page.Cell{Blocks: []page.Block{para("x")}, ColSpan: 1, RowSpan: 1}
	}
	sparse := &page.Table{Rows: [][]page.Cell{wide}}
	for range 20000 {
		sparse.Rows = append(sparse.Rows, wide[:1])
	}
	for name, c := range map[string]*page.Table{"spans": tb, "sparse": sparse} {
		cells := 0
		for _, r := range c.Rows {
			cells += len(r)
		}
		if n := len(markdown.Blocks([]page.Block{{Kind: page.TableBlock, Table: c}}, markdown.Options{})); n > 60*cells+10000 {
			t.Errorf("%s: %d bytes from %d cells", name, n, cells)
		}
	}
}

func TestPlainText(t *testing.T) {
	p := &page.Page{Blocks: []page.Block{
		head(1, "Title"),
		{Inlines: []page.Inline{{Kind: page.Text, Text: "a "}, {Kind: page.Strong, Children: text("*b*")}, {Kind: page.Break}, {Kind: page.LinkInline, URL: "https://x/", Children: text("c")}, {Kind: page.FootnoteRef, Text: "1"}}},
		list(para("one"), list(para("two"))),
		{Kind: page.TableBlock, Table: &page.Table{Caption: text("Cap"), Rows: [][]page.Cell{{{Blocks: []page.Block{para("k"), para("l")}}, {Blocks: []page.Block{para("v")}}}, {{}, {Blocks: []page.Block{para("w")}}}}}},
		{Kind: page.Code, Text: "x\n  y"},
		{Kind: page.DefinitionList, Children: []page.Block{{Kind: page.Term, Inlines: text("T")}, {Kind: page.Definition, Children: []page.Block{para("D")}}}},
		{Kind: page.Rule},
		{Kind: page.Footnote, ID: "1", Children: []page.Block{para("note")}},
	}}
	want := "Title\n\na *b*\nc[1]\n\none\ntwo\n\nCap\nk l\tv\n\tw\n\nx\n  y\n\nT\nD\n\n[1] note"
	if got := markdown.PlainText(p); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// What is left out of plain text: pictures, and on articles, documentation and
// threads the heading that is the title.
func TestPlainTextLeavesOut(t *testing.T) {
	picture := page.Block{Inlines: []page.Inline{{Kind: page.ImageInline, URL: "https://x/a.png", Text: "a quay"}}}
	for _, c := range []struct {
		kind   page.Type
		title  string
		blocks []page.Block
		want   string
	}{
		{page.Article, "Ferries: in fog!", []page.Block{head(1, "Ferries in fog"), picture, para("Dawn.")}, "Dawn."},
		{page.Forum, "Ferries in fog", []page.Block{para("Home"), head(1, "Ferries in fog"), para("Dawn.")}, "Home\n\nDawn."},
		{page.Article, "Ferries in fog", []page.Block{head(2, "Ferries in fog"), para("Dawn.")}, "Ferries in fog\n\nDawn."},
		{page.Article, "Ferries in fog", []page.Block{head(1, "Dawn"), para("Dawn.")}, "Dawn\n\nDawn."},
		{page.Article, "", []page.Block{head(1, "…"), para("Dawn.")}, "…\n\nDawn."},
		{page.Product, "Lamp", []page.Block{head(1, "Lamp"), para("Bright.")}, "Lamp\n\nBright."},
		{page.Product, "Lamp", []page.Block{picture}, "a quay"},
	} {
		got := markdown.PlainText(&page.Page{Type: c.kind, Method: page.MethodSpyhop, Meta: page.Meta{Title: c.title}, Blocks: c.blocks})
		if got != c.want {
			t.Errorf("%s %q: got %q, want %q", c.kind, c.title, got, c.want)
		}
	}
}

func TestOutline(t *testing.T) {
	p := &page.Page{Blocks: []page.Block{
		para("before"), head(1, "Über uns!"), para("aaaa"), head(2, "Setup"), para("日本"), head(2, "Setup"), para("b"), head(1, "Setup 2"), head(3, "…"),
		{Kind: page.Quote, Children: []page.Block{head(2, "Within")}},
	}}
	md := []rune(markdown.Render(p, markdown.Options{}))
	var got strings.Builder
	for _, s := range markdown.Outline(p) {
		fmt.Fprintf(&got, "%d %s %q %d\n", s.Level, s.ID, string(md[s.Start:s.End]), s.Tokens)
	}
	want := `1 über-uns "# Über uns!\n\naaaa\n\n## Setup\n\n日本\n\n## Setup\n\nb\n\n" 14
2 setup "## Setup\n\n日本\n\n" 5
2 setup-2 "## Setup\n\nb\n\n" 4
1 setup-2-2 "# Setup 2\n\n### …\n\n> ## Within" 8
3 section "### …\n\n> " 3
2 within "## Within" 3
`
	if got.String() != want {
		t.Errorf("got\n%swant\n%s", got.String(), want)
	}
	for _, c := range []struct {
		names, want string
		first       int
	}{
		{"setup", "## Setup\n\n日本", 1},
		{"setup-2", "## Setup\n\nb", 2},
		{"setup-2-2", "# Setup 2\n\n### …\n\n> ## Within", 3},
		{"über uns!-anchor", "# Über uns!\n\naaaa\n\n## Setup\n\n日本\n\n## Setup\n\nb", 0},
		{"within", "> ## Within", 5},
		{"setup-2,setup", "## Setup\n\n日本|## Setup\n\nb", 1},                // in page order
		{"within,setup-2-2,within", "# Setup 2\n\n### …\n\n> ## Within", 3}, // none twice
	} {
		parts, missing := markdown.Parts(p, append(strings.Split(c.names, ","), "none"))
		var got []string
		for _, x := range parts {
			got = append(got, markdown.Blocks(p.Blocks[x.From:x.To], markdown.Options{}))
		}
		if s := strings.Join(got, "|"); s != c.want || parts[0].Section != c.first || len(missing) != 1 || missing[0] != "none" {
			t.Errorf("sections %s: got %q from %d, missing %q, want %q", c.names, s, parts[0].Section, missing, c.want)
		}
	}
}

func TestWindow(t *testing.T) {
	for _, c := range []struct {
		name  string
		s     string
		start int
		max   int
		part  string
		next  int
		cut   bool
	}{
		{"all", "abc", 0, 0, "abc", 3, false},
		{"fits", "abc", 0, 3, "abc", 3, false},
		{"word", "one two three", 0, 9, "one two ", 8, true},
		{"goes on", "one two three", 8, 9, "three", 13, false},
		{"code points", "äöü äöü", 0, 5, "äöü ", 4, true},
		{"no boundary", "abcdefgh", 0, 3, "abc", 3, true},
		{"cjk", "日本語文", 0, 3, "日本語", 3, true},
		{"beyond the end", "abc", 9, 2, "", 3, false},
		{"negative", "abc", -1, 2, "ab", 2, true},
		{"heading", "one two\n\n## Head\n\nthree", 0, 14, "one two\n\n", 9, true},
		{"within a heading", "one two\n\n## Head\n\nthree", 0, 13, "one two\n\n", 9, true},
		{"two headings", "one two\n\n# A\n\n## B\n\nthree", 0, 20, "one two\n\n", 9, true},
		{"a heading alone", "# Head of it\n\nthree", 0, 8, "# Head ", 7, true},
		{"a comment in code", "one\n\n```\n# no\nb\n```", 5, 12, "```\n# no\nb\n", 16, true},
		{"link", "see [the page](https://x.example/a) now", 0, 20, "see ", 4, true},
		{"link at the start", "[the page](https://x.example/a) now", 0, 8, "[the ", 5, true},
		{"behind a link", "see [p](/x) now then", 0, 15, "see [p](/x) ", 12, true},
		{"image in a link", "a [![b c](/d)](/e f) g", 0, 8, "a ", 2, true},
		{"escaped bracket", `a \[b c](d e) f`, 0, 8, `a \[b `, 6, true},
		{"row", "| a b | c |\n| --- | --- |\n| d e | f |", 0, 30, "| a b | c |\n| --- | --- |\n", 26, true},
		{"fence", "text\n\n```go\na b\nc d\n```\n\nmore", 0, 15, "text\n\n", 6, true},
		{"fence at the start", "```go\na b\nc d\n```\n\nmore", 0, 12, "```go\na b\n", 10, true},
		{"within the closing fence", "x\n```\na\n```\n\nmore", 0, 9, "x\n", 2, true},
		{"behind a fence", "x\n```\na\n```\n\nmore y", 0, 18, "x\n```\na\n```\n\nmore ", 18, true},
		{"longer fence", "x\n````\n```\na b\n````\nmore", 0, 12, "x\n", 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			part, next, cut := markdown.Window(c.s, c.start, c.max)
			if part != c.part || next != c.next || cut != c.cut {
				t.Errorf("got %q, %d, %v; want %q, %d, %v", part, next, cut, c.part, c.next, c.cut)
			}
		})
	}
}

// FuzzWindow: parts add up to the text, are valid and no longer than asked.
func FuzzWindow(f *testing.F) {
	f.Add("# a\n\n```\nx\n```\n\n[b](c) | d", 7)
	f.Add("[[[]]]((()))`` ` \\[", 3)
	f.Add("# \n# \n# \n# \n# \n# a", 4)
	f.Add("日本語の文章\n## \n> ```\n> a\n", 3)
	f.Fuzz(func(t *testing.T, s string, size int) {
		if !utf8.ValidString(s) || size < 1 || len(s) > 10000 {
			return
		}
		var b strings.Builder
		for at := 0; ; {
			part, next, cut := markdown.Window(s, at, size)
			if n := utf8.RuneCountInString(part); n > size || next != at+n {
				t.Fatalf("part of %d characters from %d to %d", n, at, next)
			}
			b.WriteString(part)
			if !cut {
				break
			}
			if next <= at {
				t.Fatalf("no progress at %d", at)
			}
			at = next
		}
		if b.String() != s {
			t.Fatal("parts do not add up")
		}
	})
}

func ExampleRender() {
	p := &page.Page{Blocks: []page.Block{
		{Kind: page.Heading, Level: 1, Inlines: []page.Inline{{Kind: page.Text, Text: "Title"}}},
		{Kind: page.Paragraph, Inlines: []page.Inline{
			{Kind: page.Text, Text: "See "},
			{Kind: page.LinkInline, URL: "https://example.com/", Children: []page.Inline{{Kind: page.Text, Text: "this"}}},
		}},
	}}
	fmt.Println(markdown.Render(p, markdown.Options{}))
	// Output:
	// # Title
	//
	// See [this](https://example.com/)
}

func ExampleWindow() {
	s := "One sentence. And another one."
	part, next, cut := markdown.Window(s, 0, 20)
	fmt.Printf("%q %d %v\n", part, next, cut)
	// Output: "One sentence. And " 18 true
}

func ExampleOutline() {
	p := &page.Page{Blocks: []page.Block{
		{Kind: page.Heading, Level: 2, Inlines: []page.Inline{{Kind: page.Text, Text: "First Steps"}}},
	}}
	for _, s := range markdown.Outline(p) {
		fmt.Println(s.ID, s.Title)
	}
	// Output: first-steps First Steps
}

func ExamplePlainText() {
	p := &page.Page{Blocks: []page.Block{{Kind: page.Paragraph, Inlines: []page.Inline{{Kind: page.Strong, Children: []page.Inline{{Kind: page.Text, Text: "bold"}}}}}}}
	fmt.Println(markdown.PlainText(p))
	// Output: bold
}

func ExampleParts() {
	p := &page.Page{Blocks: []page.Block{
		{Kind: page.Heading, Level: 2, Inlines: []page.Inline{{Kind: page.Text, Text: "A"}}},
		{Kind: page.Heading, Level: 2, Inlines: []page.Inline{{Kind: page.Text, Text: "B"}}},
	}}
	parts, missing := markdown.Parts(p, []string{"b", "c"})
	fmt.Println(parts, missing)
	// Output: [{1 2 1}] [c]
}

// BenchmarkWindow measures a window far into a long text.
func BenchmarkWindow(b *testing.B) {
	s := strings.Repeat("Some words with a [link](https://example.com/) in them.\n\n", 20_000)
	b.SetBytes(int64(len(s)))
	b.ReportAllocs()
	for b.Loop() {
		markdown.Window(s, len(s)-20_000, 9500)
	}
}

// Links, rows and code that fit a window are in one part.
func TestWindowKeepsTogether(t *testing.T) {
	const link, row, code = "[some page](https://example.com/a_(b))", "| cell one | cell two |", "```go\nx := 1\n\ny := 2\n```"
	s := strings.Repeat("Words before it and "+link+" behind.\n\n| a | b |\n| --- | --- |\n"+strings.Repeat(row+"\n", 5)+"\n"+code+"\n\n## Head\n\n", 6)
	want := map[string]int{link: strings.Count(s, link), row: strings.Count(s, row), code: strings.Count(s, code), "## Head\n\n": 6}
	for most := 60; most < 400; most += 7 {
		got := map[string]int{}
		for start, cut := 0, true; cut; {
			var part string
			part, start, cut = markdown.Window(s, start, most)
			for k := range want {
				got[k] += strings.Count(part, k)
			}
			if strings.HasSuffix(part, "## Head\n\n") && cut {
				t.Errorf("%d: a part ends in a heading: %q", most, part)
			}
		}
		if !maps.Equal(got, want) {
			t.Errorf("windows of %d cut something: %v, want %v", most, got, want)
		}
	}
}
