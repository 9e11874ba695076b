package blocks

import "testing"

// The data file of generators is whole: every section has pages, posts and authors.
func TestGenerators(t *testing.T) {
	list := generators()
	if len(list) < 8 {
		t.Fatalf("%d generators", len(list))
	}
	for _, g := range list {
		if g.name == "" || g.page == nil && !g.items || g.post == nil || len(g.author) == 0 && g.attribute == "" {
			t.Errorf("%q: page %v, post %v, author %v", g.name, g.page, g.post != nil, len(g.author))
		}
	}
}
