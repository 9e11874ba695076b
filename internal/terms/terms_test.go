package terms_test

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/terms"
)

func words(s string) string {
	var out []string
	terms.Scan(s, func(w []byte) {
		if !terms.IsStopWord(string(w)) {
			out = append(out, string(terms.Stem(w)))
		}
	})
	return strings.Join(out, " ")
}

func TestWords(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Reading the Pages", "read page"},
		{"how many boxes, stopped classes?", "box stop class"},
		{"naïve Straße ΑΒΓ", "naïv straß αβγ"},
		{"in\u00advisible", "invisibl"},
		{"東京の", "東 京 東京 の 京の"},
		{"HTTP/2 is 50% faster", "http 2 50 faster"},
		{"queries query", "queri queri"},
		{"", ""},
	} {
		if got := words(c.text); got != c.want {
			t.Errorf("%q gives %q, want %q", c.text, got, c.want)
		}
	}
	long := strings.Repeat("x", 10_000)
	if got := words(long); len(got) != 48 {
		t.Errorf("a word of 10,000 letters gives %d bytes", len(got))
	}
}
