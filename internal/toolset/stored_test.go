package toolset

import (
	"slices"
	"testing"

	"github.com/spyhop-dev/spyhop/tool"
)

// TestStoredArguments: what uses something that is stored for the caller is never taken
// from the query of an address.
func TestStoredArguments(t *testing.T) {
	for _, d := range []struct {
		name string
		in   []string
		want []string
	}{
		{"web_fetch", storedOf(webFetch(Options{}).Input.Properties), []string{"login"}},
		{"web_crawl", storedOf(webCrawl(Options{}).Input.Properties), []string{"job", "stop"}},
	} {
		if !slices.Equal(d.in, d.want) {
			t.Errorf("%s: %q, want %q", d.name, d.in, d.want)
		}
	}
}

func storedOf(properties []tool.Property) (names []string) {
	for _, p := range properties {
		if p.Stored {
			names = append(names, p.Name)
		}
	}
	return names
}
