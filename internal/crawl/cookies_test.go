package crawl

import (
	"fmt"
	"testing"
)

// The pages of a site share a jar, those of another site do not, and the sites of a batch
// do not fill the memory.
func TestJars(t *testing.T) {
	r := &run{}
	a := r.jar("a.example")
	if a == nil || r.jar("a.example") != a || r.jar("b.example") == a {
		t.Error("the jar of a site is not its own")
	}
	for i := range 2 * maxJars {
		r.jar(fmt.Sprintf("%d.example", i))
	}
	if r.jars.Len() != maxJars {
		t.Errorf("%d jars", r.jars.Len())
	}
}
