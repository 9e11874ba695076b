package passage

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spyhop-dev/spyhop/internal/text"
)

// A quotation has the characters that the page shows, those that Markdown uses as marks
// too.
//
// Fixed bugs: code lost its asterisks, backticks and brackets, so that "*p = q[0]" was
// quoted as "p = q0"; text lost the asterisk of "5 * 3".
func TestExcerptsHaveWhatThePageShows(t *testing.T) {
	for _, c := range []struct{ name, md, query, text, link string }{
		{"a block of code", "# Pointers\n\n```c\nint *p = &q[0];\n\t*p = **r;\n```\n", "int", "int *p = &q[0];\n\t*p = **r;", "int%20%2Ap%20%3D%20%26q%5B0%5D%3B,%2Ap%20%3D%20%2A%2Ar%3B"},
		{"code that begins and ends with marks", "```\n*pointers\nx = a[i]\n```\n", "pointers", "*pointers\nx = a[i]", "%2Apointers,x%20%3D%20a%5Bi%5D"},
		{"what looks like a link and an entity", "```\nlookup = table[i](b) &lt; [^1]\n```\n", "lookup", "lookup = table[i](b) &lt; [^1]", ""},
		{"spans of code", "Write `*p` for the value, `a[i]` for a ``tick` ``.\n", "value", "Write *p for the value, a[i] for a tick` .", ""},
		{"a span at the end", "The value is `p[]`\n", "value", "The value is p[]", ""},
		{"marks that are text", "5 \\* 3 is **fifteen** in \\[draft\\] of snake\\_case.\n", "fifteen", "5 * 3 is fifteen in [draft] of snake_case.", ""},
		{"a link", "See *the* [draft\\*](https://example.com/a_*b\\)c) now.\n", "draft", "See the draft* now.", ""},
	} {
		got := NewStored("https://example.com/", "v", c.md, nil).Excerpts(c.query, 1)
		if len(got) != 1 {
			t.Errorf("%s: %d passages", c.name, len(got))
			continue
		}
		if got[0].Text != c.text {
			t.Errorf("%s: %q, want %q", c.name, got[0].Text, c.text)
		}
		if want := "https://example.com/#:~:text=" + c.link; c.link != "" && got[0].Link != want {
			t.Errorf("%s: %s, want %s", c.name, got[0].Link, want)
		}
	}
}

// TestLead: a page explains what its units begin with. Numbers of sections are not words,
// and a word behind another one counts half.
func TestLead(t *testing.T) {
	for _, c := range []struct {
		name, md string
		want     float64
	}{
		{"an entry", "- `work_mem` (`integer`) sets the memory", 1},
		{"a heading with a number", "## 20.4. work_mem", 1},
		{"the row of a table", "| name | type |\n|---|---|\n| work_mem | integer |", 1},
		{"behind a word that says nothing", "If work_mem is small, files are written.", .5},
		{"behind another word", "Increase work_mem for sorts.", .5},
		{"one word at the beginning", "Work of this kind needs mem.", .75},
		{"far behind", "Sorts and joins of large tables are slow without much work_mem.", 0},
	} {
		s := NewStored("https://example.com/", "v", c.md, nil)
		if got := s.Count([]string{"work", "mem"}, []float64{.5, .5}).Lead; got != c.want {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// TestWordsOfParts: a version that is read in parts has the words that it has as a whole.
func TestWordsOfParts(t *testing.T) {
	var md strings.Builder
	md.WriteString(strings.Repeat("\n", 2*partBytes))
	for i := range 3000 {
		fmt.Fprintf(&md, "## Section %d\n\nThe *ferry* of [day %d](https://example.com/a_b) leaves at `%d_h`.\n\n- one\n- two **three\n\n```\nfor i := range %d {\n\n# no heading\n}\n```\n\n| a | b |\n| --- | --- |\n| c%d | d |\n\n", i, i, i, i, i)
	}
	md.WriteString("```\n")
	for i := range 20_000 {
		fmt.Fprintf(&md, "# line %d of code\n", i)
	}
	md.WriteString("```\n\n")
	for _, sentence := range []string{"The ferry of [the day](https://example.com/a_b) leaves. ", "The *ferry* leaves at six. "} {
		md.WriteString(strings.Repeat(sentence, 3*lineBytes/len(sentence)) + "\n\n")
	}
	md.WriteString("## The end\n")
	if md.Len() < 4*partBytes {
		t.Fatalf("%d bytes are no parts", md.Len())
	}
	type found struct {
		stem    string
		heading bool
	}
	var want, got []found
	NewStored("", "", md.String(), nil).eachWord(func(w []byte, heading bool) { want = append(want, found{string(w), heading}) })
	Words(md.String(), func(w []byte, heading bool) { got = append(got, found{string(w), heading}) })
	if !slices.Equal(got, want) {
		i := 0
		for i < min(len(got), len(want)) && got[i] == want[i] {
			i++
		}
		t.Errorf("%d words, want %d; from %d on: %v, want %v", len(got), len(want), i, got[i:min(i+9, len(got))], want[i:min(i+9, len(want))])
	}
}

func BenchmarkWords(b *testing.B) {
	md := strings.Repeat("## Ferries\n\nThe ferry of the *morning* leaves the quay at [seven](https://example.com/7), when fog allows.\n\n", 40_000)
	b.SetBytes(int64(len(md)))
	b.ReportAllocs()
	for b.Loop() {
		Words(md, func([]byte, bool) {})
	}
}

// FuzzStored: the words and excerpts of any stored page come without a panic, and an
// excerpt is a part of the page.
func FuzzStored(f *testing.F) {
	f.Add("# a_b\n\n*c* [d](e) `f_g`\n\n| h | i |\n| --- | --- |\n| j | k |", "c f_g")
	f.Add("日本語。日本語", "本")
	f.Fuzz(func(t *testing.T, md, query string) {
		md = text.WithoutControls(strings.ToValidUTF8(md, ""))
		s := NewStored("https://example.com/", "1", md, nil)
		Words(md, func([]byte, bool) {})
		n := utf8.RuneCountInString(md)
		for _, p := range s.Excerpts(query, 3) {
			if p.Start < 0 || p.End > n || p.Start > p.End {
				t.Fatalf("from %d to %d of %d", p.Start, p.End, n)
			}
		}
	})
}
