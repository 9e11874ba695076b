package main

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"
)

// testdata/python.json holds samples with the answers of the published scorer
// (Python 3, its words, strip_markdown and word_f1).
func TestAsPython(t *testing.T) {
	raw, err := os.ReadFile("testdata/python.json")
	if err != nil {
		t.Fatal(err)
	}
	var want struct {
		Words [][2]json.RawMessage
		Strip [][2]string
		F1    [][3]json.RawMessage
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	for _, c := range want.Words {
		in, out := decode[string](t, c[0]), decode[[]string](t, c[1])
		if got := words(in); !slices.Equal(got, out) {
			t.Errorf("words(%q) = %q, Python says %q", in, got, out)
		}
	}
	for _, c := range want.Strip {
		if got := stripMarkdown(c[0]); got != c[1] {
			t.Errorf("stripMarkdown(%q) = %q, Python says %q", c[0], got, c[1])
		}
	}
	for _, c := range want.F1 {
		a, b, out := decode[string](t, c[0]), decode[string](t, c[1]), decode[[3]float64](t, c[2])
		got := wordF1(a, b)
		for i, v := range [...]float64{got.p, got.r, got.f1} {
			if math.Abs(v-out[i]) > 1e-12 {
				t.Errorf("wordF1(%q, %q) = %v, Python says %v", a, b, got, out)
				break
			}
		}
	}
}

func decode[T any](t *testing.T, raw json.RawMessage) T {
	t.Helper()
	var v T
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func TestSegmentCount(t *testing.T) {
	var c segmentCount
	c.add("The  body\nstays here.", []string{"The body stays", "not there"}, []string{"menu", "stays here"})
	f := c.figures()
	if c != (segmentCount{documents: 1, tp: 1, fp: 1, fn: 1, tn: 1}) || f.F1 != .5 || f.Accuracy != .5 {
		t.Errorf("%+v, %+v", c, f)
	}
}

func TestSameAuthor(t *testing.T) {
	for _, c := range []struct {
		got, want string
		same      bool
	}{
		{"Ann Bee", "ann bee", true},
		{"Ann Bee, Carl Dee", "Carl Dee and Ann Bee", true},
		{"Ann B. Bee", "Ann B Bee", true},
		{"Ann Bee", "Ann Bee, Carl Dee", false},
		{"Ann", "Ann Bee", false},
	} {
		if got := sameAuthor(c.got, c.want); got != c.same {
			t.Errorf("sameAuthor(%q, %q) = %v", c.got, c.want, got)
		}
	}
}

// Every tool gets through a page and through rubbish, and the engine's scores
// survive the way through the golden file.
func TestTools(t *testing.T) {
	article := sample{id: "1", kind: "article", address: "https://example.com/a", content: "First paragraph of the text."}
	page := []byte("<html><head><title>T</title></head><body><main><h1>T</h1><p>First paragraph of the text.</p></main></body></html>")
	for _, tl := range append([]tool{engine, floor}, peers...) {
		var pages []loaded
		for _, body := range [][]byte{page, nil, []byte("\x00<<<>>"), []byte("<p>x")} {
			pages = append(pages, loaded{article, body})
		}
		if outcomes, _ := tl.measure(pages); len(outcomes) != len(pages) {
			t.Errorf("%s: %d outcomes", tl.name, len(outcomes))
		}
	}
	outcomes, _ := engine.measure([]loaded{{article, page}})
	if outcomes[0].err != nil {
		t.Fatal(outcomes[0].err)
	}
	r := newResult(engineName)
	r.add(article, outcomes[0].text, nil)
	r.close(1, 0)
	if got := goldenScores(goldenText(r)); got["all"] == 0 || got["all"] != got["article"] {
		t.Errorf("scores after the golden file: %v, text %q", got, outcomes[0].text)
	}
}
