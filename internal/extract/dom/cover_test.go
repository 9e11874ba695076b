package dom

import (
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/css"
	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// TestStage compares a stage, which keeps the way to the node that was asked about last, with
// what [isBehind] works out each time, on pages that change in between as in [takeHidden].
func TestStage(t *testing.T) {
	words := strings.Fields("c x w g a1 a2 z1 z2 n r b f bz k o1 s t c x w g x w")
	asked, behind := 0, 0
	for seed := range int64(1000) {
		r := rand.New(rand.NewSource(seed))
		doc, err := Parse([]byte(coverPage(r, words)), new(page.Page), nil)
		if err != nil {
			t.Fatal(err)
		}
		body := Body(doc)
		sheets := readSheets(body)
		f := findHidden(body, sheets, nil)
		for _, h := range f.found {
			if h.why != css.Color {
				continue
			}
			for i := range f.covers {
				want := isBehind(f.covers[i], h.node, sheets)
				if got := f.stage.isBehind(&f.covers[i], h.node, sheets); got != want {
					t.Fatalf("page %d, cover %d: got %t, want %t", seed, i, got, want)
				}
				if asked++; want {
					behind++
				}
			}
			switch {
			case r.Intn(2) == 0:
				setMark(h.marked(), page.NotShown)
			case h.node.Type == html.TextNode:
				h.node.Data = " "
			default:
				h.node.Parent.RemoveChild(h.node)
			}
		}
	}
	if behind == 0 || behind == asked {
		t.Errorf("%d of %d are behind: the pages say nothing", behind, asked)
	}
}

// coverPage makes a page of nested boxes with some of the classes each.
func coverPage(r *rand.Rand, words []string) string {
	var b strings.Builder
	b.WriteString("<!doctype html><style>body{position:relative}.c{position:absolute;inset:0;background:#000}.x{position:relative;color:#fff}" +
		".w{color:#fff}.g{display:grid}.a1{grid-area:1/1}.a2{grid-area:2/1}.z1{z-index:1}.z2{z-index:2}.n{z-index:-1}.r{position:relative}" +
		".b::before,.f::after{content:'';position:absolute;inset:0;background:#000}.bz::before{z-index:-1}.k{background:#000}.o1{order:1}" +
		".s{isolation:isolate}.t{color:#fff;background:#fff}</style><body>")
	for depth, n := 0, 5+r.Intn(40); n > 0; n-- {
		if depth > 0 && r.Intn(2) == 0 {
			b.WriteString("</div>")
			depth--
			continue
		}
		class := slices.Repeat([]string{""}, 1+r.Intn(3))
		for i := range class {
			class[i] = words[r.Intn(len(words))]
		}
		b.WriteString("<div class='" + strings.Join(class, " ") + "'>words ")
		depth++
	}
	return b.String()
}

// isBehind reports whether a cover is painted before a node.
func isBehind(c cover, n *html.Node, sheets *css.Sheets) bool {
	view := sheets.View()
	inBlock, after, above := false, false, c.Order < 0
	for _, up := range pathTo(n) {
		if up == c.node && c.Part == css.Whole {
			return false
		}
		view.Push(up)
		p := paintedIn(view, up, true)
		switch later := isBefore(c.node, up); {
		case inBlock && c.Cell != "":
			return c.passes(p, later)
		case inBlock && p.positioned:
			after = after || c.Part == css.Before || c.Part == css.Whole && later
			above = above || p.order > c.Order || p.order == c.Order && after
		}
		inBlock = inBlock || up == c.block
	}
	return inBlock && above
}

// isBefore reports whether an element stands before another one and not around it.
func isBefore(n, other *html.Node) bool {
	over := pathTo(other)
	if slices.Contains(over, n) {
		return true // in it counts as behind it
	}
	for k := range rootOf(n).Descendants() {
		switch {
		case k == n:
			return !slices.Contains(pathTo(n), other)
		case k == other:
			return false
		}
	}
	return false
}
