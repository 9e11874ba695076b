package dom

import (
	"bytes"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/wcxb"
	"golang.org/x/net/html"
)

// sameTree compares the tree of a page with that of the plain parser.
func sameTree(t *testing.T, body []byte) (cut int) {
	t.Helper()
	want, err := html.Parse(bytes.NewReader(body))
	out, raws := withoutRaw(nil, body)
	got, err2 := html.Parse(bytes.NewReader(out))
	if err != nil || err2 != nil {
		if (err == nil) != (err2 == nil) {
			t.Fatalf("%v, want %v", err2, err)
		}
		return 0
	}
	restoreRaw(got, raws)
	a, b := want, got
	for a != nil && b != nil {
		if a.Type != b.Type || a.Data != b.Data || a.Namespace != b.Namespace || len(a.Attr) != len(b.Attr) {
			t.Fatalf("%.200q in %q, want %.200q\n%.2000q", b.Data, b.Parent.Data, a.Data, body)
		}
		a, b = following(a), following(b)
	}
	if a != nil || b != nil {
		t.Fatalf("one tree goes on: %v, %v\n%.2000q", a, b, body)
	}
	return len(raws)
}

func following(n *html.Node) *html.Node {
	if n.FirstChild != nil {
		return n.FirstChild
	}
	for n != nil && n.NextSibling == nil {
		n = n.Parent
	}
	if n == nil {
		return nil
	}
	return n.NextSibling
}

// long is a text that is worth cutting out.
var long = strings.Repeat("if (a < b && b > c) { d(); } ", 5)

var rawCases = []struct {
	name string
	cut  int // how many texts; the tree is that of the plain parser in any case
	html string
}{
	{"scripts and sheets", 3, "<style>" + long + "</style><script>" + long + "</script><p>x<SCRIPT type=a>" + long + "</ScRiPt >y"},
	{"short ones", 0, "<script>a()</script>"},
	{"a forged mark", 1, "<script>" + rawMark + "0</script>"},
	{"line ends", 1, "<script>" + long + "\r\n\r" + long + "\n\r\n</script>"},
	{"NUL", 0, "<script>\x00" + long + "</script>"},
	{"an end that is none", 1, "<script>" + long + "</scripts></script\n>"},
	{"no end", 0, "<script>" + long},
	{"a comment in a script", 1, "<script><!-- " + long + " //--></script>"},
	{"a script in a comment in a script", 0, "<script><!-- <script> </script>" + long + " --></script>" + long},
	{"a script in a string", 1, "<script>document.write('<script>');" + long + "</script>"},
	{"in a comment", 0, "<!-- <script>" + long + "</script> -->"},
	{"comments that end at once", 1, "<!--><script>" + long + "</script>--> <!---><p>a --!> <!-- a --!> <!-- -- -- --> <!-- x --!-> -->"},
	{"in an attribute", 0, `<p title="<script>` + long + `</script>">` + `<p title='<style>` + long + `</style>'>`},
	{"stray quotes", 1, `<p "><script>` + long + `</script>" = ' =x == "a" b = 'c' d="e"f/g=/ h=/>` + `<p a=">`},
	{"in a title", 0, "<title><script>" + long + "</script></title><textarea><script>" + long + "</script></textarea>"},
	{"in noscript", 0, "<body><noscript><style>" + long + "</style></noscript><iframe><script>" + long + "</script></iframe>"},
	{"in svg", 1, "<svg><title>t</title><style>" + long + "</style><g/><path d=a></path></svg><style>" + long + "</style>"},
	{"in the title of svg", 0, "<svg><title><style></svg><style>" + long + "</style>"},
	{"out of svg", 0, "<svg><p><style>" + long + "</style>"},
	{"out of svg by an end tag", 0, "<p><svg></p><style>" + long + "</style>"},
	{"an empty svg", 1, "<svg/><style>" + long + "</style>"},
	{"CDATA", 0, "<svg><![CDATA[ </svg> ]]></svg><style>" + long + "</style>"},
	{"in select", 1, "<select><style>" + long + "</style><option>a</select><style>" + long + "</style>"},
	{"plaintext", 0, "<plaintext><script>" + long + "</script>"},
	{"framesets", 0, "<frameset><style>" + long + "</style></frameset>"},
	{"in tables and templates", 4, "<table><script>" + long + "</script><tr><style>" + long + "</style><td><template><script>" + long + "</script></template><colgroup><style>" + long + "</style>"},
	{"declarations", 1, "<!doctype html><?xml <script>?></><!x <style>><script>" + long + "</script>"},
	{"a tag that does not end", 0, "<script " + long},
}

func TestWithoutRaw(t *testing.T) {
	for _, c := range rawCases {
		t.Run(c.name, func(t *testing.T) {
			if cut := sameTree(t, []byte(c.html)); cut != c.cut {
				t.Errorf("%d texts were cut out, want %d", cut, c.cut)
			}
		})
	}
}

// Real pages have the tree that the plain parser gives.
func TestWithoutRawOnPages(t *testing.T) {
	const step = 15 // a hundred pages; all 1,494 were compared when this was written
	pages, cut := wcxb.Pages(t, step), 0
	for _, p := range pages {
		cut += sameTree(t, p.HTML)
	}
	if t.Logf("%d texts of %d pages", cut, len(pages)); cut == 0 {
		t.Error("nothing was cut out of any page")
	}
}

func FuzzWithoutRaw(f *testing.F) {
	for _, c := range rawCases {
		f.Add([]byte(c.html))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) < 1<<16 {
			sameTree(t, bytes.ToValidUTF8(body, nil))
		}
	})
}
