package css

import (
	"strings"
	"testing"
)

// A long value is taken apart for each element that it is asked of.
func TestLongValuesOfManyElements(t *testing.T) {
	for _, c := range []struct {
		layers   int
		complete bool
	}{{2, true}, {400, false}} {
		s := &Sheets{}
		vals := &values{s: s}
		for range 2000 {
			vals.clear()
			vals.set(decl{prop: propBackground, value: strings.Repeat("linear-gradient(#fff,#fff),", c.layers) + "#fff"}, 0, 0, 0, true)
			vals.get(propBackground)
		}
		if s.Complete() != c.complete {
			t.Errorf("%d layers: complete %t, %d steps", c.layers, s.Complete(), s.Spent())
		}
	}
}
