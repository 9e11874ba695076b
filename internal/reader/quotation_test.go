package reader

import (
	"slices"
	"testing"
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

// TestQuotable: white space, marks and entities make no difference; words do.
func TestQuotable(t *testing.T) {
	page := NewQuotable("# Ar-Men\n\nThe light was *first* lit on [31 August](/august) 1881 &amp; burned\nfor fourteen years.")
	for quote, want := range map[string]bool{
		"The light was first lit on 31 August 1881 & burned for fourteen years": true,
		"burned for\n  fourteen years!":                                         true,
		"was lit on 31 August":                                                  false,
		"the light was first":                                                   false, // case is part of a quotation
		"first lit on 31 August 188":                                            false,
		"light was first … for fourteen":                                        false,
	} {
		if page.Holds(quote) != want {
			t.Errorf("%q: %t", quote, !want)
		}
	}
}
