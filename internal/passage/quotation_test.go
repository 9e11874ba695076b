package passage

import (
	"slices"
	"testing"

	"github.com/spyhop-dev/spyhop/result"
)

// TestQuotations: what stands between marks, and is more than a name.
func TestQuotations(t *testing.T) {
	for text, want := range map[string][]string{
		`He said "it was a dark night" and left.`:      {"it was a dark night"},
		`“one two three” and «four five six» „a b c“.`: {"one two three", "four five six", "a b c"},
		`the "light" and the "fog signal" are names`:   nil,
		`a "b" c "d e f"`:                        {"d e f"},
		"\"over two\n\nparagraphs it goes\" on":  nil,
		`an open " mark that nobody closes`:      nil,
		`12" of rain and 5" of snow fell in all`: nil,
	} {
		if got := Quotations(text); !slices.Equal(got, want) {
			t.Errorf("%s\ngot  %q\nwant %q", text, got, want)
		}
	}
}

// TestMarkQuotes: what is not there is said behind it, also where the same words
// are quoted twice.
func TestMarkQuotes(t *testing.T) {
	text := `It says “one two three” and "four five six", and again "four five six".`
	quotes := []result.Quote{{Text: "one two three", Verified: true}, {Text: "four five six"}, {Text: "four five six"}}
	want := `It says “one two three” and "four five six" (unverified), and again "four five six" (unverified).`
	if got := MarkQuotes(text, quotes); got != want {
		t.Errorf("got %s", got)
	}
}

// FuzzJSONTexts: texts are found in any JSON, and not too many.
func FuzzJSONTexts(f *testing.F) {
	f.Add(`{"a":["one two three"]}`)
	f.Add(`[[1],"a b c"]`)
	f.Fuzz(func(t *testing.T, value string) {
		if n := len(JSONTexts(value)); n > mostQuotes {
			t.Fatalf("%d texts", n)
		}
	})
}
