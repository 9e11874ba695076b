package classify

import (
	"slices"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// Each section of the data is one that is read, and each phrase is in the form
// in which text is compared.
func TestVerdictData(t *testing.T) {
	known := verdictData()
	for line := range strings.Lines(verdictFile) {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "["); ok {
			if list := known.section(strings.TrimSuffix(name, "]")); len(*list) == 0 {
				t.Errorf("section %s is not read", line)
			}
		}
	}
	for _, p := range slices.Concat(known.next, known.loaders, known.hints, known.empty) {
		if dom.PlainWords(p) != p {
			t.Errorf("%q can never be found: write %q", p, dom.PlainWords(p))
		}
	}
	for _, p := range slices.Concat(known.of, known.to, known.about, known.nouns, known.shown, known.pages) {
		if words := tokensOf(p); len(words) != 1 || words[0].word != p {
			t.Errorf("%q can never be found: it is not one word", p)
		}
	}
	for k := range numKinds {
		for _, list := range [][]string{known.headings[k], known.exact[k], known.texts[k]} {
			for _, p := range list {
				if dom.PlainWords(p) != p {
					t.Errorf("%q can never be found: write %q", p, dom.PlainWords(p))
				}
			}
		}
		for _, m := range known.marks[k] {
			if strings.ToLower(m) != m || len(m) < 6 {
				t.Errorf("mark %q has capitals or is short", m)
			}
		}
	}
}
