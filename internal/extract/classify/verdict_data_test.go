package classify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spyhop-dev/spyhop/internal/extract/dom"
)

// Each section of the data is one that is read, and each phrase is in the form
// in which text is compared.
func TestVerdictData(t *testing.T) {
	var code strings.Builder
	files, _ := filepath.Glob("*.go")
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		code.Write(b)
	}
	for name, phrases := range verdictData().lists {
		of, place, _ := strings.Cut(name, " ")
		switch place {
		case "heading", "exact", "text", "mark":
			if !strings.Contains(code.String(), `kind = "`+of+`"`) {
				t.Errorf("section %s is not read", name)
			}
		case "widget", "class":
		default:
			if !strings.Contains(code.String(), `d.lists["`+name+`"]`) {
				t.Errorf("section %s is not read", name)
			}
		}
		for _, p := range phrases {
			switch place {
			case "mark", "widget":
				if strings.ToLower(p) != p || len(p) < 6 {
					t.Errorf("mark %q has capitals or is short", p)
				}
			case "class", "count", "word":
			case "of", "to", "about", "noun", "shown", "page":
				if words := tokensOf(p); len(words) != 1 || words[0].word != p {
					t.Errorf("%q can never be found: it is not one word", p)
				}
			default:
				if dom.PlainWords(p) != p {
					t.Errorf("%q can never be found: write %q", p, dom.PlainWords(p))
				}
			}
		}
	}
}
