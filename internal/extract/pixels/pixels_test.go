package pixels

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// The cases of this package, by the extractor: what the pixels say is what comes out.
func TestCases(t *testing.T) {
	results, err := Run()
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile("testdata/more.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	more, err := Parse(lines, Sentence)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range more {
		r := Read(c)
		if strings.HasPrefix(r.ID, "keep-") && r.Got == Marked {
			t.Errorf("%s: what everybody sees is marked", r.ID)
		}
		results = append(results, r)
	}
	check(t, results)
}

// Text in drawings, behind clip paths and masks, and in fixed boxes in boxes that clip: what nobody
// sees of it is absent or marked, what is seen is there. Most have the mark that nothing is known:
// they are not among [TestCases].
func TestDrawings(t *testing.T) {
	lines, err := os.ReadFile("testdata/drawings.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	all, err := Parse(lines, Sentence)
	if err != nil || len(all) == 0 {
		t.Fatal(len(all), err)
	}
	for _, c := range all {
		if r := Read(c); !r.Right() {
			t.Errorf("%s: %s", r.ID, r.Got)
		}
	}
}

// The cases of a set that stands outside of this repository: SPYHOP_PIXELS names the
// file, one page a line.
func TestOtherCases(t *testing.T) {
	name := os.Getenv("SPYHOP_PIXELS")
	if name == "" {
		t.Skip("SPYHOP_PIXELS does not name the file of cases")
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(bytes.NewReader(raw))
	lines.Buffer(nil, 1<<20)
	var results []Result
	for lines.Scan() {
		var c struct {
			ID, Canary, HTML string
			Expect           Expect
		}
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		results = append(results, Read(Case{ID: c.ID, Expect: c.Expect, Canary: c.Canary, Page: c.HTML}))
	}
	check(t, results)
}

func check(t *testing.T, results []Result) {
	t.Helper()
	if len(results) == 0 {
		t.Fatal("no cases")
	}
	unknown := 0
	ids := map[string]bool{}
	for _, r := range results {
		if !r.Right() {
			t.Errorf("%s: expected %s, but it is %s", r.ID, r.Expect, r.Got)
		}
		if r.Unknown {
			unknown++
		}
		if ids[r.ID] {
			t.Errorf("%s: twice", r.ID)
		}
		ids[r.ID] = true
	}
	// A mark that is everywhere says nothing.
	if most := len(results) * 15 / 100; unknown > most {
		t.Errorf("%d of %d are marked as unknown, want at most %d", unknown, len(results), most)
	}
}

func TestMirror(t *testing.T) {
	if got := Mirror("Zanzibar, says it."); got != "rabiznaZ, syas ti." {
		t.Errorf("got %q", got)
	}
	if a, b := Sentence, Mirror(Sentence); len(a) != len(b) || strings.Contains(b, Canary) {
		t.Errorf("%q and %q", a, b)
	}
}
