package snapshot

import "testing"

// TestCutNames: the whole name of a control finds the label that leaves a part of it out.
func TestCutNames(t *testing.T) {
	for _, c := range []struct {
		label, name string
		found       bool
	}{
		{"Add … to Compare", "Add Mountain 600 to Compare", true},
		{"Add … to Compare; disabled", "add mountain 600 to compare", true},
		{"Option: BILLY,…; checked", "Option: BILLY, Bookcase, white", true},
		{"A long question…=yes", "A long question of many words", true},
		{"Add … to Compare", "Add Mountain 600 to the cart", false},
		{"Add … to Compare", "Add to Compare", false},
		{"Opti…", "Optional words", false},
	} {
		if found := rankOf(c.label, c.name) > 0; found != c.found {
			t.Errorf("%q for %q: %v", c.label, c.name, found)
		}
	}
}
