package css

import (
	"strings"
	"testing"
)

// A long value is taken apart for each element that it is asked of, and its fallbacks are
// looked for one in the other.
func TestLongValuesOfManyElements(t *testing.T) {
	layers := func(n int) string { return strings.Repeat("linear-gradient(#fff,#fff),", n) + "#fff" }
	for _, c := range []struct {
		name, value string
		complete    bool
	}{
		{"few layers", layers(2), true}, {"many layers", layers(400), false},
		{"few fallbacks", strings.Repeat("var(--a,", 4) + "red", true},
		{"many fallbacks", strings.Repeat("var(--a,", 1000) + "red", false},
	} {
		s := &Sheets{}
		vals := &values{s: s}
		for range 2000 {
			vals.clear()
			vals.set(decl{prop: propBackground, value: c.value}, 0, 0, 0, true)
			vals.get(propBackground)
		}
		if s.Complete() != c.complete {
			t.Errorf("%s: complete %t, %d steps", c.name, s.Complete(), s.Spent())
		}
	}
}
