package crawl

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/meaning"
)

// knowing gives texts vectors that know three synonyms and nothing else.
func knowing(asked *int) func(context.Context, []string) ([]meaning.Vector, error) {
	return func(_ context.Context, texts []string) ([]meaning.Vector, error) {
		*asked += len(texts)
		out := make([]meaning.Vector, len(texts))
		for i, s := range texts {
			v := []float32{0, 0, .3}
			for _, w := range strings.Fields(strings.ToLower(s)) {
				switch strings.Trim(w, ".,") {
				case "vehicle", "automobile":
					v[0]++
				case "repair", "mending":
					v[1]++
				}
			}
			out[i] = meaning.Quantize(v)
		}
		return out, nil
	}
}

// TestCrawlByMeaning: a page that is called by other words than the query's is read before
// the others, and one with its words still first; without embeddings, and where they fail,
// the order is that of the words.
func TestCrawlByMeaning(t *testing.T) {
	pages := map[string]string{}
	var links strings.Builder
	for i := range 30 {
		called := fmt.Sprintf("Notes of day %d", i)
		switch i {
		case 17:
			called = "Mending an automobile"
		case 23:
			called = "Vehicle repair in winter"
		}
		fmt.Fprintf(&links, `<li><a href="/n/%d">%s</a></li>`, i, called)
		pages[fmt.Sprintf("%sn/%d", home, i)] = html(called, fmt.Sprintf("the fog of day %d came in from the sea and went before noon, as number %d of %d had", i, i*i, i*31))
	}
	pages[home] = "<html><body><main><h1>Harbour</h1><p>All that was written down at the harbour, by day.</p><ul>" + links.String() + "</ul></main></body></html>"
	read := func(embed func(context.Context, []string) ([]meaning.Vector, error)) ([]string, []string) {
		s := &fakeSite{pages: pages}
		b := newBench(t, s)
		b.Web.Embed = embed
		c := b.run(t.Context(), b.create(Options{URLs: []string{home}, Query: "vehicle repair", MaxPages: 6}))
		return slices.DeleteFunc(slices.Clone(s.reads), func(u string) bool { return !strings.Contains(u, "/n/") }), c.Notices
	}
	words, notices := read(nil)
	if words[0] != home+"n/23" || slices.Contains(words[:2], home+"n/17") || len(notices) > 0 {
		t.Errorf("by words: %q, %q", words, notices)
	}
	asked := 0
	if got, notices := read(knowing(&asked)); !slices.Equal(got[:2], []string{home + "n/23", home + "n/17"}) || len(notices) > 0 || asked > 100 {
		t.Errorf("by meaning: %q, %q, %d texts", got, notices, asked)
	}
	calls := 0
	got, notices := read(func(context.Context, []string) ([]meaning.Vector, error) { calls++; return nil, errors.New("dead") })
	if !slices.Equal(got, words) || calls != 1 || len(notices) != 1 || !strings.Contains(notices[0], "by words alone") {
		t.Errorf("with a dead server: %q, %q, %d requests", got, notices, calls)
	}
}

// TestNearnessBounded: a crawl compares so many texts and no more, each of bounded length.
func TestNearnessBounded(t *testing.T) {
	n := &nearness{query: "q"}
	for i := range 2 * maxEmbedded {
		n.describe(&prospect{url: fmt.Sprintf("%sa-long_path/%d", home, i)}, strings.Repeat("word ", 200))
	}
	for texts, of := n.batch(); len(of) > 0; texts, of = n.batch() {
		if len(texts) > embedBatch+1 || len(texts) != len(of)+1 || len(texts[1]) > maxEmbeddedBytes {
			t.Fatalf("%d texts, %d bytes", len(texts), len(texts[1]))
		}
	}
	if n.asked != maxEmbedded {
		t.Errorf("%d texts", n.asked)
	}
	if got := pathText(home + "a-long_path/x.html"); got != "a long path x" {
		t.Errorf("%q", got)
	}
}
