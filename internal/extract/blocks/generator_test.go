package blocks

import "testing"

// The data file of generators is whole: every section has pages, posts and authors.
func TestGenerators(t *testing.T) {
	list := generators()
	if len(list) < 8 {
		t.Fatalf("%d generators", len(list))
	}
	for _, g := range list {
		if g.name == "" || len(g.pages) == 0 || g.post == nil || len(g.author) == 0 && g.attribute == "" {
			t.Errorf("%q: pages %v, post %v, author %v", g.name, g.pages, g.post != nil, len(g.author))
		}
	}
}
