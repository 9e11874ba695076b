package spyhop

import (
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// A call that needs no tool does not wait for their declarations.
func TestToolsAreMadeWhenNeeded(t *testing.T) {
	c, err := New(Config{CacheTTL: NoLimit})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if n := len(c.catalog.List(tool.All)); n != 0 {
		t.Errorf("%d tools were made by New", n)
	}
	if n := len(c.Catalog().List(tool.All)); n == 0 {
		t.Error("there are no tools")
	}
}
