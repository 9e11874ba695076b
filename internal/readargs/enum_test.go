package readargs

import (
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/reader"
)

// TestEnums: what the tags list is what package reader knows.
func TestEnums(t *testing.T) {
	var modes []string
	for _, m := range reader.Modes {
		modes = append(modes, string(m))
	}
	for _, a := range Table() {
		switch a.Name {
		case "mode":
			if !slices.Equal(a.Enum, modes) {
				t.Errorf("modes %q, want %q", a.Enum, modes)
			}
		case "remove":
			if want := strings.Join(reader.Removals(), ", "); !strings.HasSuffix(a.Doc, ": "+want) {
				t.Errorf("%q does not end with %q", a.Doc, want)
			}
		}
	}
}
