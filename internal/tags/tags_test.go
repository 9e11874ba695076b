package tags_test

import (
	"fmt"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/tags"
)

func ExampleEach() {
	tags.Each([]byte(`<title><meta></title><BASE href=/a&amp;b href=/c><body>`), false, func(name string, attrs map[string]string) bool {
		fmt.Println(name, attrs)
		return name == "base"
	})
	// Output:
	// title map[]
	// base map[href:/a&b]
}

func TestText(t *testing.T) {
	for markup, want := range map[string]int{"": 0, "<p>a b<!-- c --> d": 3, "<script>x</script>ab<title>y</title>": 2, "abcdefghijk": 10, "a<b": 1} {
		if n := tags.Text([]byte(markup), 10); n != want {
			t.Errorf("%q: %d, want %d", markup, n, want)
		}
	}
}
