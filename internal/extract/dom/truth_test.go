package dom

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/spyhop-dev/spyhop/internal/page"
	"golang.org/x/net/html"
)

// TestHiddenWords counts the words of a corpus' main content that are removed because
// they count as hidden. SPYHOP_WCXB names its folder.
func TestHiddenWords(t *testing.T) {
	folder := os.Getenv("SPYHOP_WCXB")
	if folder == "" {
		t.Skip("no corpus: set SPYHOP_WCXB")
	}
	files, err := filepath.Glob(filepath.Join(folder, "ground-truth", "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no pages in ", folder)
	}
	all, lost, pages := 0, 0, 0
	for _, f := range files {
		truth, body, err := corpusPage(folder, f)
		if err != nil {
			t.Fatal(f, err)
		}
		p := new(page.Page)
		doc, err := Parse([]byte(strings.ToValidUTF8(string(body), "\uFFFD")), p)
		if err != nil {
			continue
		}
		before := wordsIn(Body(doc))
		RemoveHidden(Body(doc), p)
		after := wordsIn(Body(doc))
		for _, w := range fields(truth) {
			switch {
			case before[w] == 0:
				continue
			case after[w] == 0:
				lost++
			}
			all++
			before[w]--
			after[w] = max(after[w]-1, 0)
		}
		pages++
	}
	share := float64(lost) / float64(all)
	t.Logf("%d pages: %d of %d words (%.4f) are removed as hidden", pages, lost, all, share)
	if share > .003 {
		t.Errorf("%.4f of the words are removed as hidden", share)
	}
}

func corpusPage(folder, truth string) (text string, body []byte, err error) {
	raw, err := os.ReadFile(truth)
	if err != nil {
		return "", nil, err
	}
	var q struct {
		Truth struct {
			Main string `json:"main_content"`
		} `json:"ground_truth"`
	}
	if err := json.Unmarshal(raw, &q); err != nil {
		return "", nil, err
	}
	name := strings.TrimSuffix(filepath.Base(truth), ".json") + ".html.gz"
	if raw, err = os.ReadFile(filepath.Join(folder, "html", name)); err != nil {
		return "", nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return "", nil, err
	}
	body, err = io.ReadAll(z)
	return q.Truth.Main, body, err
}

func wordsIn(body *html.Node) map[string]int {
	m := map[string]int{}
	for n := range body.Descendants() {
		if n.Type == html.TextNode && n.Parent.Data != "script" && n.Parent.Data != "style" {
			for _, w := range fields(n.Data) {
				m[w]++
			}
		}
	}
	return m
}

func fields(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}
