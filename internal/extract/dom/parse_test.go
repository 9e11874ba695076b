package dom

import (
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/page"
)

// Unclosed paragraphs, items and cells are siblings, not levels.
func TestImpliedEndTags(t *testing.T) {
	for _, unit := range []string{"<p>a", "<li>a", "<tr><td>a", "<dt>a<dd>b"} {
		p := &page.Page{}
		out := bounded([]byte("<div>"+strings.Repeat(unit, 2_000)), p)
		if n := p.Omitted(page.OmittedNesting); n > 0 {
			t.Errorf("%q: %d flattened; %.80s", unit, n, out)
		}
	}
}
