package snapshot

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/text"
	"golang.org/x/net/html"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the cases want")

// TestCases runs the txtar files: markup, from which the test makes what a
// browser would say of it, and the snapshot that it wants.
//
// Every text gets a box below the one before. Attributes stand for what the
// protocol tells: x-style="display:flex;opacity:0", x-box="0 0 0 0",
// x-click, x-value, x-checked, x-hears="drop keydown",
// x-marker="1." on what is the marker of a list's entry, and x-after="text" on a ::after,
// which the browser lists before what it is drawn behind; x-letters is the box of its text.
func TestCases(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatal("no cases", err)
	}
	for _, file := range files {
		a, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			var page string
			for i := range a.Files {
				f := &a.Files[i]
				if f.Name == "page.html" {
					page = string(f.Data)
					continue
				}
				p := Make(Input{Processes: []Process{process1(t, page)}}, NewRefs(), Viewport{1280, 800})
				got := p.Text()
				switch f.Name {
				case "brief":
					got = p.Within(100)
				case "markup":
					html, _ := Markup(Input{Processes: []Process{process1(t, page)}}, Viewport{1280, 800}, 1<<20)
					got = readable.Replace(html) + "\n"
				}
				if *update {
					f.Data = []byte(got)
				} else if got != string(f.Data) {
					t.Errorf("%s:\n%s\nwant:\n%s", f.Name, got, f.Data)
				}
			}
			if *update {
				if err := os.WriteFile(file, txtar.Format(a), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

// readable shows marks as they are read.
var readable = func() *strings.Replacer {
	begin, end, _ := strings.Cut(text.OwnMark(unseenCode, "|"), "|")
	return strings.NewReplacer(begin, "«", end, "»")
}()

// A builder makes columns of a tree.
type builder struct {
	dom       DOM
	doc       *Document
	strings   map[string]int
	y         float64
	listeners []Listener
}

func (b *builder) str(s string) int {
	if i, ok := b.strings[s]; ok {
		return i
	}
	b.dom.Strings = append(b.dom.Strings, s)
	b.strings[s] = len(b.dom.Strings) - 1
	return b.strings[s]
}

// capture does for markup what a browser does for a page.
func capture(t *testing.T, page string) DOM {
	t.Helper()
	return process1(t, page).DOM
}

// process1 is a page that is all in one process.
func process1(t *testing.T, page string) Process {
	t.Helper()
	tree, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	b := &builder{strings: make(map[string]int), doc: new(Document)}
	b.add(tree, -1, map[string]string{"display": "block", "visibility": "visible", "cursor": "auto", "font-size": "16px", "color": "rgb(0, 0, 0)"}, true)
	b.dom.Documents = []Document{*b.doc}
	return Process{Name: "main", DOM: b.dom, Listeners: b.listeners}
}

func (b *builder) add(n *html.Node, parent int, inherited map[string]string, drawn bool) {
	kinds := map[html.NodeType]int{html.DocumentNode: documentNode, html.ElementNode: element, html.TextNode: textNode}
	kind, ok := kinds[n.Type]
	if !ok {
		return
	}
	nodes, me := &b.doc.Nodes, len(b.doc.Nodes.Parent)
	name, value := n.Data, ""
	if kind == textNode {
		name, value = "#text", n.Data
	}
	nodes.Parent = append(nodes.Parent, parent)
	nodes.Type = append(nodes.Type, kind)
	nodes.Name = append(nodes.Name, b.str(name))
	nodes.Value = append(nodes.Value, b.str(value))
	nodes.BackendID = append(nodes.BackendID, int64(me+1))
	style := map[string]string{"opacity": "1", "overflow-x": "visible", "overflow-y": "visible", "clip": "auto", "clip-path": "none", "background-image": "none"}
	for _, k := range []string{"visibility", "cursor", "font-size", "color"} {
		style[k] = inherited[k]
	}
	style["display"] = "block"
	switch n.Data {
	case "a", "b", "span", "button", "input", "label", "img", "i", "select", "em", "slot":
		style["display"] = "inline"
	case "td", "th":
		style["display"] = "table-cell"
	case "head", "script", "style", "option", "template":
		style["display"] = "none"
	}
	var attributes []int
	var letters []float64
	box := []float64{10, b.y, 200, 20}
	if n.Type == html.TextNode {
		style["display"] = "inline"
		box[2] = float64(8 * len(n.Data))
	}
	for _, a := range n.Attr {
		switch a.Key {
		case "x-style":
			for _, kv := range strings.Split(a.Val, ";") {
				k, v, _ := strings.Cut(kv, ":")
				style[k] = v
			}
		case "x-box":
			if err := json.Unmarshal([]byte("["+strings.ReplaceAll(a.Val, " ", ",")+"]"), &box); err != nil {
				panic(err)
			}
		case "x-letters":
			if err := json.Unmarshal([]byte("["+strings.ReplaceAll(a.Val, " ", ",")+"]"), &letters); err != nil {
				panic(err)
			}
		case "x-click":
			nodes.Clickable.Index = append(nodes.Clickable.Index, me)
		case "x-hears":
			for _, kind := range strings.Fields(a.Val) {
				b.listeners = append(b.listeners, Listener{Type: kind, BackendID: int64(me + 1)})
			}
		case "x-value":
			nodes.InputValue.Index, nodes.InputValue.Value = append(nodes.InputValue.Index, me), append(nodes.InputValue.Value, b.str(a.Val))
		case "x-marker", "x-after":
			nodes.Pseudo.Index = append(nodes.Pseudo.Index, me)
			nodes.Name[me], value = b.str("::"+a.Key[2:]), a.Val
		case "x-checked":
			nodes.Checked.Index = append(nodes.Checked.Index, me)
		default:
			attributes = append(attributes, b.str(a.Key), b.str(a.Val))
		}
	}
	nodes.Attributes = append(nodes.Attributes, attributes)
	drawn = drawn && style["display"] != "none"
	if drawn {
		l := &b.doc.Layout
		var styles []int
		for _, k := range Styles() {
			styles = append(styles, b.str(style[k]))
		}
		l.Node, l.Styles, l.Bounds = append(l.Node, me), append(l.Styles, styles), append(l.Bounds, box)
		l.Text = append(l.Text, b.str(value))
		if letters != nil { // it has a box without the text, and one with it
			l.Text[len(l.Text)-1] = -1
			l.Node, l.Styles, l.Bounds, l.Text = append(l.Node, me), append(l.Styles, styles), append(l.Bounds, letters), append(l.Text, b.str(value))
		}
		if style["display"] == "block" {
			b.y += 20
		}
	}
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		b.add(c, me, style, drawn)
	}
}

// FuzzMake takes any columns that JSON can write.
func FuzzMake(f *testing.F) {
	dom, err := json.Marshal(capture(&testing.T{}, `<nav><a href=/x>Link</a></nav><p>text <button>Go</button><input type=checkbox><select><option>1</select>`))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(dom, []byte(`[{"role":{"value":"button"},"name":{"value":"x"},"backendDOMNodeId":8,"properties":[{"name":"checked","value":{"value":"mixed"}}]}]`))
	f.Add([]byte(`{"documents":[{"nodes":{"parentIndex":[-1,5,0,0],"nodeType":[1,1,1,3],"nodeName":[0,0,9,0],"nodeValue":[0,0,0,0],"backendNodeId":[1,1,1,1],"attributes":[[0],[0,0],[],[]]},"layout":{"nodeIndex":[3,9],"bounds":[[0,0,1,1],[]],"styles":[[0],[]]}}],"strings":["a"]}`), []byte(`null`)) // indices that lead astray
	f.Fuzz(func(t *testing.T, dom, tree []byte) {
		p := Process{Name: "p", Listeners: []Listener{{"click", 1}, {"mouseover", 2}, {"click", 3}, {"click", 4}}}
		if json.Unmarshal(dom, &p.DOM) != nil || json.Unmarshal(tree, &p.AX) != nil {
			return
		}
		refs := NewRefs()
		page := Make(Input{Processes: []Process{p}, Frames: map[Node]string{{"p", 1}: "p"}}, refs, Viewport{100, 100})
		again := Make(Input{Processes: []Process{p}}, refs, Viewport{100, 100})
		_ = Diff(page, again, 100)
		_, _ = Markup(Input{Processes: []Process{p}, Frames: map[Node]string{{"p", 1}: "p"}}, Viewport{100, 100}, 1<<20)
		again.Keep(page, refs)
		if len(page.Within(100)) > len(page.Text())+400 {
			t.Error("a part is longer than the whole")
		}
		for _, l := range page.Lines {
			for _, ref := range l.Refs {
				if _, ok := refs.Node(ref); !ok {
					t.Errorf("ref %s names nothing", ref)
				}
			}
		}
	})
}

// TestRefs: an element keeps its ref, and a document shares none with the one
// before it.
func TestRefs(t *testing.T) {
	r := NewRefs()
	seen := make(map[string]int)
	for doc := range 6 {
		for i := range 40 {
			n := Node{"p", int64(100*doc + i)}
			ref := r.name(n, kindLink, nil)
			if again := r.name(n, kindLink, nil); again != ref {
				t.Fatalf("%s became %s", ref, again)
			}
			if before, ok := seen[ref]; ok && before >= doc-1 {
				t.Errorf("document %d uses %s of document %d", doc, ref, before)
			}
			seen[ref] = doc
			if got, ok := r.Node(ref); !ok || got != n {
				t.Errorf("%s names %v", ref, got)
			}
		}
		r.Forget()
	}
	if len(seen) > 130 {
		t.Errorf("%d numbers for six documents of forty links", len(seen))
	}
}

// TestKeep: elements that are drawn anew keep their refs where their line says
// the same, and only there.
func TestKeep(t *testing.T) {
	const before = `<p>Ada <button>Delete</button></p><p>Eve <button>Delete</button></p><button>Save</button>`
	for _, c := range []struct{ name, after, want string }{
		{"the same", before, "Ada [Delete](b1)\nEve [Delete](b2)\n[Save](b3)\n"},
		{"turned around", `<p>Eve <button>Delete</button></p><p>Ada <button>Delete</button></p><button>Save</button>`, "Eve [Delete](b2)\nAda [Delete](b1)\n[Save](b3)\n"},
		{"one less", `<p>Eve <button>Delete</button></p><button>Save</button>`, "Eve [Delete](b2)\n[Save](b3)\n"},
		{"somebody else", `<p>Ada <button>Delete</button></p><p>Zoe <button>Delete</button></p><button>Save</button>`, "Ada [Delete](b1)\nZoe [Delete](b5)\n[Save](b3)\n"},
		{"two of a kind", before + `<button>Save</button>`, "Ada [Delete](b1)\nEve [Delete](b2)\n[Save](b6)[Save](b7)\n"},
	} {
		refs := NewRefs()
		page := func(markup string, first int64) *Page {
			dom := capture(t, markup)
			for i := range dom.Documents[0].Nodes.BackendID {
				dom.Documents[0].Nodes.BackendID[i] += first
			}
			return Make(Input{Processes: []Process{{Name: "p", DOM: dom}}}, refs, Viewport{})
		}
		first := page(before, 0)
		second := page(c.after, 1000)
		second.Keep(first, refs)
		if got := second.Text(); got != c.want {
			t.Errorf("%s:\n%swant:\n%s", c.name, got, c.want)
		}
		for _, l := range second.Lines {
			for _, r := range l.Refs {
				if n, ok := refs.Node(r); !ok || n.ID <= 1000 {
					t.Errorf("%s: %s names %v", c.name, r, n)
				}
			}
		}
	}
}

// TestKeepHidden: an element that is only hidden keeps its ref, so that none like it gets that.
func TestKeepHidden(t *testing.T) {
	refs := NewRefs()
	page := func(markup string) *Page {
		return Make(Input{Processes: []Process{{Name: "p", DOM: capture(t, markup)}}}, refs, Viewport{})
	}
	first := page(`<p><button>12</button></p><p><button x-style="display:none">12</button></p>`)
	was, _ := refs.Node("b1")
	second := page(`<p><button x-style="display:none">12</button></p><p><button x-style="display:block">12</button></p>`)
	second.Keep(first, refs)
	if got := second.Text(); got != "[12](b2)\n" {
		t.Errorf("%q", got)
	}
	if n, _ := refs.Node("b1"); n != was {
		t.Errorf("b1 names %v, and named %v", n, was)
	}
}

func TestDiff(t *testing.T) {
	page := func(lines ...string) *Page {
		p := new(Page)
		for _, l := range lines {
			p.Lines = append(p.Lines, Line{Text: l})
		}
		return p
	}
	long := strings.Repeat("many words ", 20)
	form := "Your data: [Name=](t1) " + strings.Repeat("[Field=](t2) ", 20) + "[Send](b1)"
	for _, c := range []struct {
		name          string
		before, after *Page
		most          int
		want          string
	}{
		{"same", page("a", "b"), page("a", "b"), -1, ""},
		{"added", page("a", "c"), page("a", "b", "c"), -1, "+ b\n"},
		{"removed", page("a", "b", "c"), page("a", "c"), -1, "- b\n"},
		{"changed", page("a", "b", "c"), page("a", "x", "c"), -1, "- b\n+ x\n"},
		{"moved", page("a", "b", "c"), page("b", "c", "a"), -1, "- a\n+ a\n"},
		{"a control that moved", page("[34](k1)", "[7](k2)", "[12](k3)"), page("[7](k2)", "[12](k3)", "[34](k1)"), -1, "- [34](k1)\n+ [34](k1)\n(moved: it follows [12](k3))\n"},
		{"a part of a long line", page(form), page(strings.Replace(form, "Name=", "Name=Ada", 1)), -1, "+ … [Name=Ada](t1) …\n"},
		{"a control less", page(form), page(strings.Replace(form, "[Name=](t1) ", "", 1)), -1, "- " + form + "\n+ " + strings.Replace(form, "[Name=](t1) ", "", 1) + "\n"},
		{"too much", page(), page("one", "two", long), 35, "+ one\n… 2 more changed lines: browser_snapshot shows the page\n"},
		{"too much has gone", page("one", "two", "three"), page("four", long), 35, "+ four\n… 4 more changed lines: browser_snapshot shows the page\n"},
		{"more than the page has", page("one", "two", long), page("two"), 35, "most of the page changed, which is now:\ntwo\n"},
	} {
		if got := Diff(c.before, c.after, c.most); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func BenchmarkMake(b *testing.B) {
	var page strings.Builder
	for range 1000 {
		page.WriteString(`<p>Some words and <a href=/x>a link</a> and more words.<button>Go</button></p>`)
	}
	in := Input{Processes: []Process{{DOM: capture(&testing.T{}, page.String())}}}
	b.ReportAllocs()
	for b.Loop() {
		Make(in, NewRefs(), Viewport{1280, 800})
	}
}

// TestLongLine: a page that is one line of controls costs what it is long, not
// the square of it.
func TestLongLine(t *testing.T) {
	refs := NewRefs()
	page := func(first int64) *Page {
		dom := capture(t, "<p>"+strings.Repeat("<button>B</button>", 20_000)+"</p>")
		for i := range dom.Documents[0].Nodes.BackendID {
			dom.Documents[0].Nodes.BackendID[i] += first
		}
		return Make(Input{Processes: []Process{{Name: "p", DOM: dom}}}, refs, Viewport{})
	}
	before := page(0)
	after := page(100_000)
	after.Keep(before, refs)
	if before.Text() != after.Text() || Diff(before, after, -1) != "" {
		t.Errorf("the refs were not kept: %.100s, %.100s", before.Text(), after.Text())
	}
	changed := page(100_000)
	changed.Lines[0].Text = strings.Replace(changed.Lines[0].Text, "[B](b9)", "[C](b9)", 1)
	if d := Diff(after, changed, -1); d != "+ … [C](b9)…\n" {
		t.Errorf("%.200s", d)
	}
}

func TestContainsWord(t *testing.T) {
	for _, c := range []struct {
		s, word string
		want    bool
	}{
		{"View cart, 0 items", "0", true}, {"November 10, 2026", "1", false}, {"November 11, 1", "1", true}, {"any", "", true}, {"", "", true}, {"", "a", false}, {"ab a", "A", true},
	} {
		if got := containsWord(c.s, c.word); got != c.want {
			t.Errorf("%q in %q: %v", c.word, c.s, got)
		}
	}
}
